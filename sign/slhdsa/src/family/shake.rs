//! The tweakable hash functions with SHAKE256, FIPS 205 section 11.1, and the masks of the robust sets of
//! SPHINCS+.
//!
//! F, H and PRF absorb one block each. The blocks of eight states are interleaved and permuted together.

use super::{Family, Node, SecretNode, hasher_with, join};
use crate::address::Adrs;
use crate::chains::{Chain, ChainLanes, follow_in_lanes};
use crate::shape::Shape;
use crate::version::Version;
use core::marker::PhantomData;
use grille_core::erase;
use grille_hash::Level;
use grille_hash::keccak::{self, Scratch, States};
use grille_hash::prehash::{HashFunction, Hasher};
use grille_hash::sponge::{Shake256, Sponge};

/// The number of states that are permuted together.
const WIDTH: usize = 8;
/// The rate of SHAKE256 in 64-bit lanes.
const RATE: usize = 17;
/// One 64-bit lane of each state.
type Lane = [u64; WIDTH];

/// The SHAKE256 family. Robust sets mask the hash inputs.
pub struct Shake<G, const ROBUST: bool> {
    level: Level,
    n: usize,
    pk_seed: Node,
    version: PhantomData<fn() -> G>,
}

/// The input block of each state: PK.seed ‖ ADRS ‖ M and the padding, where PK.seed has `W` lanes. From one hash to the
/// next, code writes only the lanes that change.
#[repr(C, align(64))]
struct Block<const W: usize>(States<WIDTH>);

impl<const W: usize> Block<W> {
    /// Creates blocks with space for a message of `len` lanes.
    #[inline(always)]
    fn new(pk_seed: &Node, len: usize) -> Self {
        let mut states = [[0; WIDTH]; 25];
        for (i, lane) in states[..W].iter_mut().enumerate() {
            *lane = [node_word(pk_seed, i); WIDTH];
        }
        states[W + 4 + len] = [0x1F; WIDTH];
        states[RATE - 1].iter_mut().for_each(|lane| *lane |= 1 << 63);
        Self(states)
    }

    /// Writes an address, as big-endian words in little-endian lanes.
    fn put_address(&mut self, n: usize, adrs: &Adrs) {
        let (pairs, _) = adrs.words().as_chunks::<2>();
        for (lane, [high, low]) in self.0[W..W + 4].iter_mut().zip(pairs) {
            lane[n] = (u64::from(*high) << 32 | u64::from(*low)).swap_bytes();
        }
    }

    /// Writes a value of `W` lanes after `at` other values.
    fn put_value(&mut self, n: usize, at: usize, value: &Node) {
        for (i, lane) in self.0[W + 4 + W * at..][..W].iter_mut().enumerate() {
            lane[n] = node_word(value, i);
        }
    }

    /// Returns the lanes of ADRS.
    fn address(&mut self) -> &mut [Lane; 4] {
        self.0[W..].first_chunk_mut().expect("4 of 25 lanes")
    }

    /// Returns the first `W` lanes of the message.
    fn value(&mut self) -> &mut [Lane; W] {
        self.0[W + 4..].first_chunk_mut().expect("at most 4 of 25 lanes")
    }
}

impl<const W: usize> Drop for Block<W> {
    /// Erases the message, and the lanes that hold SK.seed in rounds 2 and 3.
    fn drop(&mut self) {
        erase(self.0[..W].as_flattened_mut());
        erase(self.0[W + 4..RATE].as_flattened_mut());
    }
}

/// The state of eight chains of F.
#[repr(C, align(64))]
struct Steps<const W: usize> {
    level: Level,
    block: Block<W>,
    /// The blocks from which the masks are computed; `None` unless the set is robust.
    mask: Option<Block<W>>,
    hashes: [Lane; 4],
    scratch: Scratch,
}

impl<const W: usize> Steps<W> {
    /// Creates the state. This function is not inlined, because its inputs would take additional space in the
    /// caller's frame, whose stack use is limited.
    #[inline(never)]
    fn new(level: Level, pk_seed: &Node, robust: bool) -> Self {
        let mask = robust.then(|| Block::new(pk_seed, 0));
        Self { level, block: Block::new(pk_seed, W), mask, hashes: [[0; WIDTH]; 4], scratch: Scratch::new() }
    }

    /// Stores an address and a value in lane `n`.
    fn put_value(&mut self, n: usize, adrs: &Adrs, node: &Node) {
        self.block.put_address(n, adrs);
        self.block.put_value(n, 0, node);
    }

    /// Computes one step in every lane.
    fn step(&mut self) {
        if let Some(mask) = &mut self.mask {
            *mask.address() = *self.block.address();
            keccak::first_lanes(self.level, &mask.0, &mut self.hashes, &mut self.scratch);
            xor(self.block.value(), &self.hashes);
        }
        keccak::first_lanes(self.level, &self.block.0, &mut self.hashes, &mut self.scratch);
        *self.block.value() = *self.hashes.first_chunk().expect("at most 4 lanes");
        // increments the last byte of ADRS: hash addresses are below 16, and a FORS leaf takes only one step
        self.block.address()[3].iter_mut().for_each(|lane| *lane = lane.wrapping_add(1 << 56));
    }
}

impl<const W: usize> ChainLanes for Steps<W> {
    fn put(&mut self, lane: usize, chain: &Chain) {
        self.put_value(lane, &chain.adrs.adrs(), &chain.node);
    }

    fn advance(&mut self, steps: u8) {
        (0..steps).for_each(|_| self.step());
    }

    fn value(&self, lane: usize) -> Node {
        node_from_lanes(&self.block.0[W + 4..][..W], lane)
    }
}

impl<const W: usize> Drop for Steps<W> {
    fn drop(&mut self) {
        erase(self.hashes.as_flattened_mut());
    }
}

impl<G: Version, const ROBUST: bool> Shake<G, ROBUST> {
    /// Computes [`Family::prf`] with n = 8 `W`.
    fn prf_lanes<const W: usize>(&self, secret: &SecretNode, adrs: &[Adrs], out: &mut [Node]) {
        let mut hashes = [[0; WIDTH]; 4];
        let mut block = if G::PK_SEED_IN_PRF {
            let mut block = Block::<W>::new(&self.pk_seed, W);
            (0..WIDTH).for_each(|n| block.put_value(n, 0, &secret.0));
            block
        } else {
            // rounds 2 and 3 hash SK.seed ‖ ADRS
            Block::<W>::new(&secret.0, 0)
        };
        adrs.iter().enumerate().for_each(|(n, adrs)| block.put_address(n, adrs));
        keccak::first_lanes(self.level, &block.0, &mut hashes, &mut Scratch::new());
        scatter(&hashes[..W], out);
        erase(hashes.as_flattened_mut());
    }

    /// Computes [`Family::f`] with n = 8 `W`.
    fn f_lanes<const W: usize>(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        let mut walk = Steps::<W>::new(self.level, &self.pk_seed, ROBUST);
        for (n, (adrs, node)) in adrs.iter().zip(&*nodes).enumerate() {
            walk.put_value(n, adrs, node);
        }
        (0..steps).for_each(|_| walk.step());
        scatter(walk.block.value(), nodes);
    }

    /// Computes [`Family::h`] with n = 8 `W`.
    fn h_lanes<const W: usize>(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        let mut hashes = [[0; WIDTH]; 4];
        let mut block = Block::<W>::new(&self.pk_seed, 2 * W);
        for (n, (adrs, [left, right])) in adrs.iter().zip(children).enumerate() {
            block.put_address(n, adrs);
            block.put_value(n, 0, left);
            block.put_value(n, 1, right);
        }
        if ROBUST {
            // computes up to eight lanes of SHAKE256(PK.seed ‖ ADRS)
            let mut mask = Block::<W>::new(&self.pk_seed, 0);
            *mask.address() = *block.address();
            keccak::permute(self.level, &mut mask.0);
            xor(&mut block.0[W + 4..][..2 * W], &mask.0);
        }
        keccak::first_lanes(self.level, &block.0, &mut hashes, &mut Scratch::new());
        scatter(&hashes[..W], parents);
    }

    /// Computes [`Family::t`] in `N` lanes. Unused lanes repeat the last message.
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
            let mut masks = prefixed();
            for begin in (0..messages[0].len()).step_by(8 * RATE) {
                let len = (8 * RATE).min(messages[0].len() - begin);
                let mut masked = [[0; 8 * RATE]; N];
                masks.squeeze(masked.each_mut().map(|masked| &mut masked[..len]));
                for (masked, message) in masked.iter_mut().zip(messages) {
                    masked.iter_mut().zip(&message[begin..]).for_each(|(mask, byte)| *mask ^= byte);
                }
                sponge.absorb(masked.each_ref().map(|masked| &masked[..len]));
            }
        } else {
            sponge.absorb(core::array::from_fn(|i| messages[i.min(last)]));
        }
        let mut digests = [[0; 32]; N];
        sponge.squeeze(digests.each_mut().map(|digest| &mut digest[..self.n]));
        out.copy_from_slice(&digests[..out.len()]);
    }
}

impl<G: Version, const ROBUST: bool> Family for Shake<G, ROBUST> {
    type Version = G;
    type Secret = SecretNode;
    const LANES: usize = WIDTH;

    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self {
        let mut seed = [0; 32];
        seed[..shape.n].copy_from_slice(pk_seed);
        Self { level, n: shape.n, pk_seed: seed, version: PhantomData }
    }

    fn secret(&self, sk_seed: &[u8]) -> SecretNode {
        SecretNode::new(sk_seed)
    }

    fn prf(&self, secret: &SecretNode, adrs: &[Adrs], out: &mut [Node]) {
        match self.n {
            16 => self.prf_lanes::<2>(secret, adrs, out),
            24 => self.prf_lanes::<3>(secret, adrs, out),
            _ => self.prf_lanes::<4>(secret, adrs, out),
        }
    }

    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32) {
        match self.n {
            16 => self.f_lanes::<2>(adrs, nodes, steps),
            24 => self.f_lanes::<3>(adrs, nodes, steps),
            _ => self.f_lanes::<4>(adrs, nodes, steps),
        }
    }

    fn follow(&self, chains: &mut [Chain]) {
        let (level, seed) = (self.level, &self.pk_seed);
        match self.n {
            16 => follow_in_lanes::<WIDTH>(&mut Steps::<2>::new(level, seed, ROBUST), chains, 0),
            24 => follow_in_lanes::<WIDTH>(&mut Steps::<3>::new(level, seed, ROBUST), chains, 0),
            _ => follow_in_lanes::<WIDTH>(&mut Steps::<4>::new(level, seed, ROBUST), chains, 0),
        }
    }

    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]) {
        match (adrs.len(), self.n) {
            (..=4, _) => {
                let joined = join::<4>(self.n, children);
                let joined = joined.each_ref().map(|joined| &joined[..2 * self.n]);
                self.t(adrs, &joined[..adrs.len()], parents);
            }
            (_, 16) => self.h_lanes::<2>(adrs, children, parents),
            (_, 24) => self.h_lanes::<3>(adrs, children, parents),
            _ => self.h_lanes::<4>(adrs, children, parents),
        }
    }

    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]) {
        match messages.len() {
            1 => self.t_width::<1>(adrs, messages, out),
            2..=4 => self.t_width::<4>(adrs, messages, out),
            _ => self.t_width::<WIDTH>(adrs, messages, out),
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

    // one function is enough for all n, because shorter outputs are prefixes of longer ones
    fn begin_prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8]) -> Option<Hasher> {
        Some(hasher_with(HashFunction::Shake256, &[sk_prf, opt_rand]))
    }

    fn begin_h_msg(&self, r: &[u8], pk_root: &[u8]) -> Option<Hasher> {
        Some(hasher_with(HashFunction::Shake256, &[r, &self.pk_seed[..self.n], pk_root]))
    }
}

/// Computes SHAKE256 of the concatenated `prefix` and `message`.
fn shake256(level: Level, prefix: &[&[u8]], message: &[&[u8]], out: &mut [u8]) {
    let mut sponge = Sponge::<136, 0x1F, 1>::new(level);
    prefix.iter().chain(message).for_each(|part| sponge.absorb_all(part));
    sponge.squeeze([out]);
}

/// Replaces M with M ⊕ mask, up to the length of `message`.
fn xor(message: &mut [Lane], mask: &[Lane]) {
    for (lane, mask) in message.iter_mut().zip(mask) {
        lane.iter_mut().zip(mask).for_each(|(lane, mask)| *lane ^= mask);
    }
}

/// Writes the value in the lanes of each state to the node with the same index.
fn scatter(lanes: &[Lane], nodes: &mut [Node]) {
    nodes.iter_mut().enumerate().for_each(|(n, node)| *node = node_from_lanes(lanes, n));
}

/// Returns the value of state `n`.
fn node_from_lanes(lanes: &[Lane], n: usize) -> Node {
    let mut node = [0; 32];
    node.as_chunks_mut().0.iter_mut().zip(lanes).for_each(|(out, lane)| *out = lane[n].to_le_bytes());
    node
}

/// Returns word `word` of a value, which is stored as little-endian 64-bit words.
fn node_word(node: &Node, word: usize) -> u64 {
    let (words, _) = node.as_chunks::<8>();
    u64::from_le_bytes(words[word])
}
