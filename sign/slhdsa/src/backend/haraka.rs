//! The permutations of Haraka on eight states at a time, and the selection of instructions for them.

#[cfg(target_arch = "x86_64")]
use super::haraka_aes as aes;
use super::haraka_portable as portable;
pub(crate) use super::haraka_portable::{Constants, WIDTH};
use crate::node::Node;
use grille_core::erase;
use grille_hash::Level;

/// The implementation of the AES round function.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
    /// The `aes` crate, on all processors.
    Portable,
    /// AES instructions on 128-bit vectors.
    #[cfg(target_arch = "x86_64")]
    AesNi(grille_cpu::AesNi),
    /// AES instructions on 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Vaes(grille_cpu::Vaes),
}

impl Engine {
    /// Returns the best engine of a level.
    pub(crate) fn new(level: Level) -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Level::Avx512(token) = level
            && let Some(token) = token.vaes()
        {
            return Self::Vaes(token);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = level.avx2().and_then(grille_cpu::Avx2::aes_ni) {
            return Self::AesNi(token);
        }
        let _ = level;
        Self::Portable
    }

    /// Applies the permutation of Haraka-512, Haraka v2 section 2.1, without feed-forward, to the first
    /// `count` states. May also permute other states. `N` is one or [`WIDTH`].
    pub(crate) fn permute512<const N: usize>(
        self,
        constants: &Constants,
        states: &mut [[u8; 64]; N],
        count: usize,
    ) {
        match states.as_mut_slice().try_into() {
            Ok(states) => self.permute512_side_by_side(constants, states, count),
            Err(_) => states.iter_mut().for_each(|state| self.permute512_alone(constants, state)),
        }
    }

    fn permute512_side_by_side(self, constants: &Constants, states: &mut [[u8; 64]; WIDTH], count: usize) {
        match self {
            Self::Portable => portable::permute512(constants, states, count),
            #[cfg(target_arch = "x86_64")]
            Self::AesNi(token) => aes::permute512_aes_ni(token, constants, states, count),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes(token) => aes::permute512_vaes(token, constants, states, count),
        }
    }

    fn permute512_alone(self, constants: &Constants, state: &mut [u8; 64]) {
        match self {
            Self::Portable => {
                let mut states = [*state; WIDTH];
                portable::permute512(constants, &mut states, 1);
                *state = states[0];
                erase(states.as_flattened_mut());
            }
            #[cfg(target_arch = "x86_64")]
            Self::AesNi(token) => aes::permute512_alone_aes_ni(token, constants, state),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes(token) => aes::permute512_alone_vaes(token, constants, state),
        }
    }

    /// Replaces each value with its Haraka-256 hash, Haraka v2 section 2.1.
    pub(crate) fn haraka256(self, constants: &Constants, values: &mut [Node; WIDTH]) {
        match self {
            Self::Portable => portable::haraka256(constants, values),
            #[cfg(target_arch = "x86_64")]
            Self::AesNi(token) => aes::haraka256_aes_ni(token, constants, values),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes(token) => aes::haraka256_vaes(token, constants, values),
        }
    }

    /// Applies F `steps` times: replaces M by the first `n` bytes of Haraka-512(ADRS ‖ M), and increases the
    /// last byte of ADRS by 1.
    ///
    /// With `MASKED`, replaces M by the first `n` bytes of Haraka-512(ADRS ‖ M ⊕ Haraka-256(ADRS)), where the
    /// mask is truncated to `n` bytes. The bytes of a value with index `n` or above are zero.
    pub(crate) fn chain<const MASKED: bool>(
        self,
        constants: &Constants,
        n: usize,
        adrs: &[[u8; 32]; WIDTH],
        values: &mut [Node; WIDTH],
        steps: u32,
    ) {
        match self {
            Self::Portable => portable::chain::<MASKED>(constants, n, adrs, values, steps),
            #[cfg(target_arch = "x86_64")]
            Self::AesNi(token) => aes::chain_aes_ni::<MASKED>(token, constants, n, adrs, values, steps),
            #[cfg(target_arch = "x86_64")]
            Self::Vaes(token) => aes::chain_vaes::<MASKED>(token, constants, n, adrs, values, steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::haraka::CONSTANTS;
    use std::string::String;
    use std::vec::Vec;

    fn bytes<const N: usize>(seed: &mut u64) -> [u8; N] {
        core::array::from_fn(|_| {
            *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (*seed >> 56) as u8
        })
    }

    fn engines() -> Vec<Engine> {
        Level::all().map(Engine::new).collect()
    }

    #[test]
    fn every_engine_permutes_like_the_portable_one() {
        let mut seed = 1;
        for round in 0..1_000 {
            let constants: Constants = core::array::from_fn(|_| bytes(&mut seed));
            let states: [[u8; 64]; WIDTH] = core::array::from_fn(|_| bytes(&mut seed));
            let values: [Node; WIDTH] = core::array::from_fn(|_| bytes(&mut seed));
            let (mut expected, mut expected256) = (states, values);
            portable::permute512(&constants, &mut expected, WIDTH);
            portable::haraka256(&constants, &mut expected256);
            for engine in engines() {
                let (mut got, mut got256) = (states, values);
                engine.permute512(&constants, &mut got, WIDTH);
                let mut few = states;
                engine.permute512(&constants, &mut few, 1 + round % WIDTH);
                assert_eq!(few[..1 + round % WIDTH], expected[..1 + round % WIDTH]);
                engine.haraka256(&constants, &mut got256);
                let mut alone = [states[0]];
                engine.permute512(&constants, &mut alone, 1);
                assert_eq!(alone[0], expected[0]);
                assert_eq!(got, expected);
                assert_eq!(got256, expected256);
            }
        }
    }

    #[test]
    fn every_engine_computes_chains_like_the_portable_one() {
        let mut seed = 2;
        for round in 0..1_000 {
            let n = [16, 24, 32][round % 3];
            let steps = round as u32 % 16;
            let constants: Constants = core::array::from_fn(|_| bytes(&mut seed));
            let adrs: [[u8; 32]; WIDTH] = core::array::from_fn(|_| {
                let mut adrs = bytes(&mut seed);
                adrs[31] &= 0x0F;
                adrs
            });
            let mut values: [Node; WIDTH] = core::array::from_fn(|_| bytes(&mut seed));
            values.iter_mut().for_each(|value| value[n..].fill(0));
            let (mut simple, mut masked) = (values, values);
            portable::chain::<false>(&constants, n, &adrs, &mut simple, steps);
            portable::chain::<true>(&constants, n, &adrs, &mut masked, steps);
            for engine in engines() {
                let (mut got, mut got_masked) = (values, values);
                engine.chain::<false>(&constants, n, &adrs, &mut got, steps);
                engine.chain::<true>(&constants, n, &adrs, &mut got_masked, steps);
                assert_eq!(got, simple, "n = {n}, {steps} steps");
                assert_eq!(got_masked, masked, "n = {n}, {steps} steps, masked");
            }
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| std::format!("{byte:02x}")).collect()
    }

    #[test]
    fn haraka_matches_the_examples_of_its_paper() {
        // Haraka v2, appendix B: the inputs 00 01 02 …
        let message: [u8; 64] = core::array::from_fn(|i| i as u8);
        for engine in engines() {
            let mut values = [*message.first_chunk().expect("32 of 64 bytes"); WIDTH];
            engine.haraka256(&CONSTANTS, &mut values);
            let expected = "8027ccb87949774b78d0545fb72bf70c695c2a0923cbd47bba1159efbf2b2c1c";
            values.iter().for_each(|value| assert_eq!(hex(value), expected));
            let mut states = [message; WIDTH];
            engine.permute512(&CONSTANTS, &mut states, WIDTH);
            for state in states {
                // the words of the feed-forward that trunc keeps
                let kept = [8..16, 24..32, 32..40, 48..56].into_iter().flatten();
                let digest: Vec<u8> = kept.map(|i| state[i] ^ message[i]).collect();
                let expected = "be7f723b4e80a99813b292287f306f625a6d57331cae5f34dd9277b0945be2aa";
                assert_eq!(hex(&digest), expected);
            }
        }
    }
}
