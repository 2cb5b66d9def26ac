//! The tweakable hash functions, FIPS 205 sections 4.1 and 11: what a family of hash functions must give.
//!
//! Functions of many inputs take up to [`Family::LANES`] of them, one address each, and hash them in the time of one.

pub(crate) mod haraka;
pub(crate) mod sha2;
pub(crate) mod shake;

use crate::address::Adrs;
use crate::chains::{Chain, follow};
use crate::generation::Generation;
use crate::params::Shape;
use grille_hash::Level;
use grille_hash::prehash::{HashFunction, Hasher, PreHash};

/// An n-byte value: the first n bytes count; what stands behind them is the affair of the family.
pub(crate) type Node = [u8; 32];

/// The most inputs that any family takes side by side.
pub(crate) const MAX_LANES: usize = 16;

/// The most messages that any family's T_l takes side by side: as many as SHA-512 has lanes.
pub(crate) const T_LANES: usize = 8;

/// The functions F, H, T_l, PRF, PRF_msg and H_msg of one public seed.
pub trait Family: Sized + Send + Sync + 'static {
    /// The steps that differ between generations.
    type Generation: Generation;
    /// What SK.seed is expanded to; erased on drop.
    type Secret: Send + Sync;
    /// How many inputs are hashed in the time of one: no function takes more, and T_l at most [`T_LANES`].
    const LANES: usize;

    /// Expands PK.seed, n bytes.
    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self;

    /// Expands SK.seed, n bytes.
    fn secret(&self, sk_seed: &[u8]) -> Self::Secret;

    /// PRF: the secret values at the addresses.
    fn prf(&self, secret: &Self::Secret, adrs: &[Adrs], out: &mut [Node]);

    /// F, `steps` times over: each step but the first has the next hash address, which only a [`ChainAdrs`] has.
    ///
    /// [`ChainAdrs`]: crate::address::ChainAdrs
    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32);

    /// Every chain to its end, F for each step; the longest come first. Variable time in their lengths.
    fn follow(&self, chains: &mut [Chain]) {
        follow(self, chains);
    }

    /// H: two children each.
    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]);

    /// T_l: messages of one length, a multiple of n.
    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]);

    /// PRF_msg: R, from the concatenated `message`.
    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node;

    /// H_msg: the digest of the concatenated `message`.
    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]);

    /// Begins PRF_msg of a message that comes in pieces; `None` if the family needs it at once.
    fn begin_prf_msg(&self, _sk_prf: &[u8], _opt_rand: &[u8]) -> Option<Hasher> {
        None
    }

    /// Ends PRF_msg. `hashed`: what [`begin_prf_msg`](Self::begin_prf_msg) and the message gave.
    fn end_prf_msg(&self, _sk_prf: &[u8], hashed: &PreHash) -> Node {
        first(hashed)
    }

    /// Begins H_msg of a message that comes in pieces; `None` if the family needs it at once.
    fn begin_h_msg(&self, _r: &[u8], _pk_root: &[u8]) -> Option<Hasher> {
        None
    }

    /// Ends H_msg. `hashed`: what [`begin_h_msg`](Self::begin_h_msg) and the message gave.
    fn end_h_msg(&self, _r: &[u8], hashed: &PreHash, digest: &mut [u8]) {
        digest.copy_from_slice(&hashed.digest()[..digest.len()]);
    }
}

/// A hash that has taken these parts.
pub(crate) fn begun(function: HashFunction, parts: &[&[u8]]) -> Hasher {
    let mut hasher = Hasher::new(function);
    parts.iter().for_each(|part| hasher.update(part));
    hasher
}

/// The first 32 bytes of a hash.
fn first(hashed: &PreHash) -> Node {
    let mut node = [0; 32];
    node.copy_from_slice(&hashed.digest()[..32]);
    node
}

/// Left ‖ right, n bytes each, of up to `N` pairs.
pub(crate) fn join<const N: usize>(n: usize, children: &[[Node; 2]]) -> [[u8; 64]; N] {
    let mut joined = [[0; 64]; N];
    for (joined, [left, right]) in joined.iter_mut().zip(children) {
        joined[..n].copy_from_slice(&left[..n]);
        joined[n..2 * n].copy_from_slice(&right[..n]);
    }
    joined
}

/// A secret value of n bytes, SK.seed as it is; erased on drop.
pub struct SecretNode(Node);

impl SecretNode {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut node = [0; 32];
        node[..bytes.len()].copy_from_slice(bytes);
        Self(node)
    }
}

impl Drop for SecretNode {
    fn drop(&mut self) {
        grille_core::erase(&mut self.0);
    }
}
