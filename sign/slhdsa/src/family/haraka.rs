//! The tweakable hash functions with Haraka v2, as in SPHINCS+ of rounds 2 and 3 (section 7.2.3 of its
//! specification). The round constants are derived from PK.seed, and those of PRF from SK.seed.

use super::{Family, Node, join};
use crate::address::Adrs;
use crate::backend::haraka::{Constants, Engine, WIDTH};
use crate::shape::Shape;
use crate::version::Round3;
use grille_core::erase;
use grille_hash::Level;

/// The number of bytes in a HarakaS block.
const RATE: usize = 32;

/// The Haraka family. Robust sets mask the hash inputs.
pub struct Haraka<const ROBUST: bool> {
    engine: Engine,
    n: usize,
    constants: Constants,
}

/// The round constants of PRF, which are derived from SK.seed. Erased on drop.
pub struct SecretConstants(Constants);

impl Drop for SecretConstants {
    fn drop(&mut self) {
        erase(self.0.as_flattened_mut());
    }
}

/// The round constants of Haraka v2, section 2.2, as 128-bit numbers whose lowest byte comes first.
#[rustfmt::skip]
const RC: [u128; 40] = [
    0x0684704C_E620C00A_B2C5FEF0_75817B9D, 0x8B66B4E1_88F3A06B_640F6BA4_2F08F717,
    0x3402DE2D_53F28498_CF029D60_9F029114, 0x0ED6EAE6_2E7B4F08_BBF3BCAF_FD5B4F79,
    0xCBCFB0CB_4872448B_79EECD1C_BE397044, 0x7EEACDEE_6E9032B7_8D5335ED_2B8A057B,
    0x67C28F43_5E2E7CD0_E2412761_DA4FEF1B, 0x2924D9B0_AFCACC07_675FFDE2_1FC70B3B,
    0xAB4D63F1_E6867FE9_ECDB8FCA_B9D465EE, 0x1C30BF84_D4B7CD64_5B2A404F_AD037E33,
    0xB2CC0BB9_941723BF_69028B2E_8DF69800, 0xFA0478A6_DE6F5572_4AAA9EC8_5C9D2D8A,
    0xDFB49F2B_6B772A12_0EFA4F2E_29129FD4, 0x1EA10344_F449A236_32D611AE_BB6A12EE,
    0xAF044988_4B050084_5F9600C9_9CA8ECA6, 0x21025ED8_9D199C4F_78A2C7E3_27E593EC,
    0xBF3AAAF8_A759C9B7_B9282ECD_82D40173, 0x6260700D_6186B017_37F2EFD9_10307D6B,
    0x5ACA45C2_21300443_81C29153_F6FC9AC6, 0x9223973C_226B68BB_2CAF92E8_36D1943A,
    0xD3BF9238_225886EB_6CBAB958_E51071B4, 0xDB863CE5_AEF0C677_933DFDDD_24E1128D,
    0xBB606268_FFEBA09C_83E48DE3_CB2212B1, 0x734BD3DC_E2E4D19C_2DB91A4E_C72BF77D,
    0x43BB47C3_61301B43_4B1415C4_2CB3924E, 0xDBA775A8_E707EFF6_03B231DD_16EB6899,
    0x6DF3614B_3C755977_8E5E2302_7ECA472C, 0xCDA75A17_D6DE7D77_6D1BE5B9_B88617F9,
    0xEC6B43F0_6BA8E9AA_9D6C069D_A946EE5D, 0xCB1E6950_F957332B_A2531159_3BF327C1,
    0x2CEE0C75_00DA619C_E4ED0353_600ED0D9, 0xF0B1A5A1_96E90CAB_80BBBABC_63A4A350,
    0xAE3DB102_5E962988_AB0DDE30_938DCA39, 0x17BB8F38_D554A40B_8814F3A8_2E75B442,
    0x34BB8A5B_5F427FD7_AEB6B779_360A16F6, 0x26F65241_CBE55438_43CE5918_FFBAAFDE,
    0x4CE99A54_B9F3026A_A2CA9CF7_839EC978, 0xAE51A51A_1BDFF7BE_40C06E28_22901235,
    0xA0C1613C_BA7ED22B_C173BC0F_48A659CF, 0x756ACC03_02288288_4AD6BDFD_E9C59DA1,
];

/// The round constants of Haraka v2 as bytes.
pub(crate) const CONSTANTS: Constants = {
    let mut constants = [[0; 16]; 40];
    let mut i = 0;
    while i < 40 {
        constants[i] = RC[i].to_le_bytes();
        i += 1;
    }
    constants
};

/// The state of HarakaS, a sponge function with the permutation of Haraka-512. All inputs have equal length.
/// `N`, the maximum number of inputs, is one or eight.
struct Sponge<'a, const N: usize> {
    engine: Engine,
    constants: &'a Constants,
    states: [[u8; 64]; N],
    /// The number of inputs.
    count: usize,
    /// The number of bytes in the current block.
    filled: usize,
}

impl<'a, const N: usize> Sponge<'a, N> {
    /// Creates a sponge for `count` inputs.
    const fn new(engine: Engine, constants: &'a Constants, count: usize) -> Self {
        Self { engine, constants, states: [[0; 64]; N], count, filled: 0 }
    }

    /// Absorbs the next bytes of each input, all of equal length.
    fn absorb(&mut self, inputs: &[&[u8]]) {
        let len = inputs[0].len();
        let mut taken = 0;
        while taken < len {
            let take = (len - taken).min(RATE - self.filled);
            for (state, input) in self.states.iter_mut().zip(inputs) {
                xor(&mut state[self.filled..], &input[taken..taken + take]);
            }
            taken += take;
            self.filled += take;
            if self.filled == RATE {
                self.permute();
                self.filled = 0;
            }
        }
    }

    fn permute(&mut self) {
        self.engine.permute512(self.constants, &mut self.states, self.count);
    }

    /// Applies the padding of SHAKE. Afterwards, [`Sponge::next_block`] returns the output.
    fn pad(&mut self) {
        for state in &mut self.states {
            state[self.filled] ^= 0x1F;
            state[RATE - 1] ^= 0x80;
        }
    }

    /// Returns the next block of each output.
    fn next_block(&mut self) -> [&[u8; RATE]; N] {
        self.permute();
        self.states.each_ref().map(|state| state.first_chunk().expect("32 of 64 bytes"))
    }
}

/// Replaces the state with state ⊕ input, up to the length of `input`, eight bytes at a time.
fn xor(state: &mut [u8], input: &[u8]) {
    let ((states, state_end), (inputs, input_end)) = (state.as_chunks_mut(), input.as_chunks());
    for (state, input) in states.iter_mut().zip(inputs) {
        *state = (u64::from_le_bytes(*state) ^ u64::from_le_bytes(*input)).to_le_bytes();
    }
    let rest = states[inputs.len()..].as_flattened_mut().iter_mut().chain(state_end);
    rest.zip(input_end).for_each(|(state, byte)| *state ^= byte);
}

impl<const N: usize> Drop for Sponge<'_, N> {
    fn drop(&mut self) {
        erase(self.states.as_flattened_mut());
    }
}

/// Computes HarakaS of the concatenated parts.
fn haraka_s(engine: Engine, constants: &Constants, parts: &[&[u8]], output: &mut [u8]) {
    let mut sponge = Sponge::<1>::new(engine, constants, 1);
    parts.iter().for_each(|part| sponge.absorb(&[part]));
    sponge.pad();
    for output in output.chunks_mut(RATE) {
        output.copy_from_slice(&sponge.next_block()[0][..output.len()]);
    }
}

/// Derives round constants from a seed: the first 640 bytes of HarakaS(seed).
fn derive_constants(engine: Engine, seed: &[u8]) -> Constants {
    let mut constants = [[0; 16]; 40];
    haraka_s(engine, &CONSTANTS, &[seed], constants.as_flattened_mut());
    constants
}

impl<const ROBUST: bool> Haraka<ROBUST> {
    /// Computes [`Family::h`] of at most `N` pairs.
    fn h_width<const N: usize>(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        let joined = join::<N>(self.n, children);
        let messages = joined.each_ref().map(|joined| &joined[..2 * self.n]);
        self.t_width::<N>(adrs, &messages[..adrs.len()], parents);
    }

    /// Computes [`Family::t`] of at most `N` messages as HarakaS(ADRS ‖ M). Robust sets mask M with
    /// HarakaS(ADRS).
    fn t_width<const N: usize>(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        let (count, len) = (messages.len(), messages[0].len());
        let mut bytes = [[0; 32]; N];
        bytes.iter_mut().zip(adrs).for_each(|(bytes, adrs)| *bytes = adrs.bytes());
        let prefixed = || {
            let mut sponge = Sponge::<N>::new(self.engine, &self.constants, count);
            sponge.absorb(&bytes.each_ref().map(<[u8; 32]>::as_slice)[..count]);
            sponge
        };
        let mut sponge = prefixed();
        if ROBUST {
            let mut masks = prefixed();
            masks.pad();
            for begin in (0..len).step_by(RATE) {
                let end = len.min(begin + RATE);
                let mut masked = masks.next_block().map(|mask| *mask);
                masked.iter_mut().zip(messages).for_each(|(mask, message)| xor(mask, &message[begin..end]));
                sponge.absorb(&masked.each_ref().map(|masked| &masked[..end - begin])[..count]);
            }
        } else {
            sponge.absorb(messages);
        }
        sponge.pad();
        for (out, digest) in out.iter_mut().zip(sponge.next_block()) {
            *out = [0; 32];
            out[..self.n].copy_from_slice(&digest[..self.n]);
        }
    }
}

impl<const ROBUST: bool> Family for Haraka<ROBUST> {
    type Version = Round3;
    type Secret = SecretConstants;
    const LANES: usize = WIDTH;

    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self {
        let engine = Engine::new(level);
        Self { engine, n: shape.n, constants: derive_constants(engine, pk_seed) }
    }

    fn secret(&self, sk_seed: &[u8]) -> SecretConstants {
        SecretConstants(derive_constants(self.engine, sk_seed))
    }

    /// Computes Haraka-256(ADRS) with the secret constants.
    fn prf(&self, secret: &SecretConstants, adrs: &[Adrs], out: &mut [Node]) {
        let mut values: [Node; WIDTH] = core::array::from_fn(|i| adrs.get(i).map_or([0; 32], Adrs::bytes));
        self.engine.haraka256(&secret.0, &mut values);
        for (out, value) in out.iter_mut().zip(&values) {
            *out = [0; 32];
            out[..self.n].copy_from_slice(&value[..self.n]);
        }
        erase(values.as_flattened_mut());
    }

    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        let adrs: [Node; WIDTH] = core::array::from_fn(|i| adrs.get(i).map_or([0; 32], Adrs::bytes));
        let mut values = [[0; 32]; WIDTH];
        values[..nodes.len()].copy_from_slice(nodes);
        self.engine.chain::<ROBUST>(&self.constants, self.n, &adrs, &mut values, steps);
        nodes.copy_from_slice(&values[..nodes.len()]);
        erase(values.as_flattened_mut());
    }

    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        match children.len() {
            1 => self.h_width::<1>(adrs, children, parents),
            _ => self.h_width::<WIDTH>(adrs, children, parents),
        }
    }

    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        match messages.len() {
            1 => self.t_width::<1>(adrs, messages, out),
            _ => self.t_width::<WIDTH>(adrs, messages, out),
        }
    }

    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node {
        let mut r = [0; 32];
        haraka_s(self.engine, &self.constants, &parts(&[sk_prf, opt_rand], message), &mut r[..self.n]);
        r
    }

    /// Computes H_msg. PK.seed is not an input, because the round constants depend on it.
    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]) {
        haraka_s(self.engine, &self.constants, &parts(&[r, pk_root], message), digest);
    }
}

/// Joins two parts with up to four parts of a message.
fn parts<'a>(prefix: &[&'a [u8]; 2], message: &[&'a [u8]]) -> [&'a [u8]; 6] {
    let mut parts = [&[][..]; 6];
    debug_assert!(prefix.len() + message.len() <= parts.len());
    parts.iter_mut().zip(prefix.iter().chain(message)).for_each(|(out, part)| *out = part);
    parts
}
