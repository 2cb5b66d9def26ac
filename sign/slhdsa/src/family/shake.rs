//! The functions from SHAKE256: FIPS 205 section 11.1, with the masks of the robust sets of SPHINCS+.
//!
//! F, H and PRF absorb one block each, so eight states are written lane by lane and permuted together.

use super::{Family, Node, SecretNode};
use crate::address::Adrs;
use crate::generation::Generation;
use crate::params::Shape;
use core::marker::PhantomData;
use grille_hash::Level;
use grille_hash::keccak::{self, States};
use grille_hash::sponge::{Shake256, Sponge};

/// How many states are permuted together.
const WIDTH: usize = 8;
/// The rate of SHAKE256 in 64-bit lanes.
const RATE: usize = 17;
/// One 64-bit lane of all states.
type Lane = [u64; WIDTH];

/// SHAKE256; robust sets mask what they hash.
pub struct Shake<G, const ROBUST: bool> {
    level: Level,
    n: usize,
    pk_seed: Node,
    generation: PhantomData<fn() -> G>,
}

impl<G: Generation, const ROBUST: bool> Shake<G, ROBUST> {
    /// n in 64-bit lanes.
    const fn words(&self) -> usize {
        self.n / 8
    }

    /// SHAKE256 of the concatenated parts, at most one block with its padding; the parts lie lane by lane.
    fn one_block(&self, states: &mut States<WIDTH>, parts: &[&[Lane]]) {
        let mut filled = 0;
        for part in parts {
            states[filled..filled + part.len()].copy_from_slice(part);
            filled += part.len();
        }
        states[filled..].fill([0; WIDTH]);
        states[filled] = [0x1F; WIDTH];
        states[RATE - 1].iter_mut().for_each(|lane| *lane |= 1 << 63);
        keccak::permute(self.level, states);
    }

    /// The message, masked if the set is robust: M ⊕ SHAKE256(PK.seed ‖ ADRS).
    fn mask(&self, states: &mut States<WIDTH>, seed: &[Lane], adrs: &[Lane; 4], message: &mut [Lane]) {
        if ROBUST {
            self.one_block(states, &[seed, adrs]);
            for (lane, mask) in message.iter_mut().zip(&*states) {
                lane.iter_mut().zip(mask).for_each(|(lane, mask)| *lane ^= mask);
            }
        }
    }

    /// SHAKE256(PK.seed ‖ ADRS ‖ M) of up to eight messages of equal length.
    fn t_lanes(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        match messages.len() {
            1 => self.t_width::<1>(adrs, messages, out),
            2..=4 => self.t_width::<4>(adrs, messages, out),
            _ => self.t_width::<WIDTH>(adrs, messages, out),
        }
    }

    /// The same in `N` lanes, of which the last repeat the last message.
    fn t_width<const N: usize>(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        let last = messages.len() - 1;
        let seed = &self.pk_seed[..self.n];
        let adrs: [[u8; 32]; N] = core::array::from_fn(|i| adrs[i.min(last)].bytes());
        let prefixed = || {
            let mut sponge = Shake256::<N>::new(self.level);
            sponge.absorb([seed; N]);
            sponge.absorb(adrs.each_ref().map(<[u8; 32]>::as_slice));
            sponge
        };
        let mut sponge = prefixed();
        if ROBUST {
            let len = messages[0].len();
            let mut masked = [[0; MAX_MESSAGE]; N];
            prefixed().squeeze(masked.each_mut().map(|masked| &mut masked[..len]));
            for (masked, message) in masked.iter_mut().zip(messages) {
                masked.iter_mut().zip(*message).for_each(|(mask, byte)| *mask ^= byte);
            }
            sponge.absorb(masked.each_ref().map(|masked| &masked[..len]));
        } else {
            sponge.absorb(core::array::from_fn(|i| messages[i.min(last)]));
        }
        let mut digests = [[0; 32]; N];
        sponge.squeeze(digests.each_mut().map(|digest| &mut digest[..self.n]));
        out.copy_from_slice(&digests[..out.len()]);
    }
}

/// The longest message of T_l in bytes: a WOTS+ public key of 67 values of 32 bytes.
const MAX_MESSAGE: usize = 67 * 32;

impl<G: Generation, const ROBUST: bool> Family for Shake<G, ROBUST> {
    type Generation = G;
    type Secret = SecretNode;
    const LANES: usize = WIDTH;

    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self {
        let mut seed = [0; 32];
        seed[..shape.n].copy_from_slice(pk_seed);
        Self { level, n: shape.n, pk_seed: seed, generation: PhantomData }
    }

    fn secret(&self, sk_seed: &[u8]) -> SecretNode {
        SecretNode::new(sk_seed)
    }

    fn prf(&self, secret: &SecretNode, adrs: &[Adrs], out: &mut [Node]) {
        let mut states = [[0; WIDTH]; 25];
        let (public, secret) = (broadcast(&self.pk_seed), broadcast(&secret.0));
        for (adrs, out) in adrs.chunks(WIDTH).zip(out.chunks_mut(WIDTH)) {
            let adrs = address_lanes(adrs);
            let (public, secret) = (&public[..self.words()], &secret[..self.words()]);
            if G::BOUND_TO_SEED {
                self.one_block(&mut states, &[public, &adrs, secret]);
            } else {
                self.one_block(&mut states, &[secret, &adrs]);
            }
            scatter(&states[..self.words()], out);
        }
        grille_core::erase(&mut states);
    }

    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        let mut states = [[0; WIDTH]; 25];
        let seed = &broadcast(&self.pk_seed)[..self.words()];
        for (adrs, nodes) in adrs.chunks(WIDTH).zip(nodes.chunks_mut(WIDTH)) {
            let mut adrs = address_lanes(adrs);
            let message = &mut gather(nodes)[..self.words()];
            for _ in 0..steps {
                self.mask(&mut states, seed, &adrs, message);
                self.one_block(&mut states, &[seed, &adrs, message]);
                message.copy_from_slice(&states[..message.len()]);
                // the last byte of ADRS: hash addresses are below 16; after a FORS leaf nothing follows
                adrs[3].iter_mut().for_each(|lane| *lane = lane.wrapping_add(1 << 56));
            }
            scatter(message, nodes);
        }
        grille_core::erase(&mut states);
    }

    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        let mut states = [[0; WIDTH]; 25];
        let words = self.words();
        let seed = &broadcast(&self.pk_seed)[..words];
        for ((adrs, children), parents) in
            adrs.chunks(WIDTH).zip(children.chunks(WIDTH)).zip(parents.chunks_mut(WIDTH))
        {
            let adrs = address_lanes(adrs);
            let mut message = [[0; WIDTH]; 8];
            for (i, [left, right]) in children.iter().enumerate() {
                put(&mut message[..words], i, left);
                put(&mut message[words..2 * words], i, right);
            }
            let message = &mut message[..2 * words];
            self.mask(&mut states, seed, &adrs, message);
            self.one_block(&mut states, &[seed, &adrs, message]);
            scatter(&states[..words], parents);
        }
    }

    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        for ((adrs, messages), out) in
            adrs.chunks(WIDTH).zip(messages.chunks(WIDTH)).zip(out.chunks_mut(WIDTH))
        {
            self.t_lanes(adrs, messages, out);
        }
    }

    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node {
        let mut r = [0; 32];
        shake256(self.level, &[sk_prf, opt_rand], message, &mut r[..self.n]);
        r
    }

    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]) {
        shake256(self.level, &[r, &self.pk_seed[..self.n], pk_root], message, digest);
    }
}

/// SHAKE256 of the concatenated `prefix` and `message`.
fn shake256(level: Level, prefix: &[&[u8]], message: &[&[u8]], out: &mut [u8]) {
    let mut sponge = Sponge::<136, 0x1F, 1>::new(level);
    prefix.iter().chain(message).for_each(|part| sponge.absorb_all(part));
    sponge.squeeze([out]);
}

/// The same value in all states.
fn broadcast(node: &Node) -> [Lane; 4] {
    core::array::from_fn(|word| [word_of(node, word); WIDTH])
}

/// One value a state.
fn gather(nodes: &[Node]) -> [Lane; 4] {
    let mut lanes = [[0; WIDTH]; 4];
    nodes.iter().enumerate().for_each(|(i, node)| put(&mut lanes, i, node));
    lanes
}

/// Writes a value into state `i`.
fn put(lanes: &mut [Lane], i: usize, node: &Node) {
    lanes.iter_mut().enumerate().for_each(|(word, lane)| lane[i] = word_of(node, word));
}

/// Reads a value from each state.
fn scatter(lanes: &[Lane], nodes: &mut [Node]) {
    for (i, node) in nodes.iter_mut().enumerate() {
        *node = [0; 32];
        node.chunks_exact_mut(8)
            .zip(lanes)
            .for_each(|(out, lane)| out.copy_from_slice(&lane[i].to_le_bytes()));
    }
}

/// A 64-bit word of a value.
fn word_of(node: &Node, word: usize) -> u64 {
    let (words, _) = node.as_chunks::<8>();
    u64::from_le_bytes(words[word])
}

/// One address a state: big-endian words in little-endian lanes.
fn address_lanes(adrs: &[Adrs]) -> [Lane; 4] {
    let mut lanes = [[0; WIDTH]; 4];
    for (i, adrs) in adrs.iter().enumerate() {
        let (pairs, _) = adrs.words().as_chunks::<2>();
        for (lane, [high, low]) in lanes.iter_mut().zip(pairs) {
            lane[i] = (u64::from(*high) << 32 | u64::from(*low)).swap_bytes();
        }
    }
    lanes
}
