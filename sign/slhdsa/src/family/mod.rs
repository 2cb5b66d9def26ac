//! The tweakable hash functions, FIPS 205 sections 4.1 and 11, as an interface for families of hash functions.
//!
//! Functions that take several inputs take up to [`Family::LANES`] of them, each with its own address. Hashing them
//! together takes as long as hashing one.

pub(crate) mod haraka;
pub(crate) mod sha2;
pub(crate) mod shake;

use crate::address::Adrs;
use crate::chains::Chain;
pub(crate) use crate::node::{Node, SecretNode};
use crate::shape::Shape;
use crate::version::Version;
use grille_hash::Level;
use grille_hash::prehash::{HashFunction, Hasher, PreHash};

/// The largest number of inputs that any family hashes at once.
pub(crate) const MAX_LANES: usize = 16;

/// The largest number of messages that T_l of any family hashes at once, which is the number of SHA-512
/// lanes.
pub(crate) const T_LANES: usize = 8;

/// The functions F, H, T_l, PRF, PRF_msg and H_msg of one public seed.
pub trait Family: Sized + Send + Sync + 'static {
    /// The steps that differ between versions.
    type Version: Version;
    /// The expanded SK.seed. Erased on drop.
    type Secret: Send + Sync;
    /// The number of inputs that are hashed together in the time of one hash. Each function takes at most this number
    /// of inputs, and T_l takes at most [`T_LANES`].
    const LANES: usize;

    /// Prepares the hash functions for PK.seed, which has n bytes.
    fn new(level: Level, shape: &Shape, pk_seed: &[u8]) -> Self;

    /// Expands SK.seed, which has n bytes.
    fn secret(&self, sk_seed: &[u8]) -> Self::Secret;

    /// Computes PRF: returns the secret values at the addresses in `out`.
    fn prf(&self, secret: &Self::Secret, adrs: &[Adrs], out: &mut [Node]);

    /// Applies F `steps` times. Each step after the first uses the next hash address. For more than one step,
    /// the addresses must be those of a [`ChainAdrs`].
    ///
    /// [`ChainAdrs`]: crate::address::ChainAdrs
    fn f(&self, adrs: &[Adrs], nodes: &mut [Node], steps: u32);

    /// Computes every chain to its end, with F for each step. The longest chains must come first. The time
    /// depends on the lengths of the chains.
    fn follow(&self, chains: &mut [Chain]) {
        follow(self, chains);
    }

    /// Computes H of pairs of children.
    fn h(&self, adrs: &[Adrs], children: &[[Node; 2]], parents: &mut [Node]);

    /// Computes T_l of messages of equal length, a multiple of n.
    fn t(&self, adrs: &[Adrs], messages: &[&[u8]], out: &mut [Node]);

    /// Computes PRF_msg: returns R for the concatenated `message`.
    fn prf_msg(&self, sk_prf: &[u8], opt_rand: &[u8], message: &[&[u8]]) -> Node;

    /// Computes H_msg: writes the digest of the concatenated `message`.
    fn h_msg(&self, r: &[u8], pk_root: &[u8], message: &[&[u8]], digest: &mut [u8]);

    /// Starts to compute PRF_msg of a message that arrives in pieces. Returns `None` if the family needs the
    /// whole message at once.
    fn begin_prf_msg(&self, _sk_prf: &[u8], _opt_rand: &[u8]) -> Option<Hasher> {
        None
    }

    /// Finishes PRF_msg. `hashed` is the final hash of the hasher that [`begin_prf_msg`](Self::begin_prf_msg)
    /// returned.
    fn end_prf_msg(&self, _sk_prf: &[u8], hashed: &PreHash) -> Node {
        first_32_bytes(hashed)
    }

    /// Starts to compute H_msg of a message that arrives in pieces. Returns `None` if the family needs the
    /// whole message at once.
    fn begin_h_msg(&self, _r: &[u8], _pk_root: &[u8]) -> Option<Hasher> {
        None
    }

    /// Finishes H_msg. `hashed` is the final hash of the hasher that [`begin_h_msg`](Self::begin_h_msg)
    /// returned.
    fn end_h_msg(&self, _r: &[u8], hashed: &PreHash, digest: &mut [u8]) {
        digest.copy_from_slice(&hashed.digest()[..digest.len()]);
    }
}

/// Implements [`Family::follow`] with [`Family::f`], in groups of steps up to the end of the shortest chain.
pub(crate) fn follow<F: Family>(family: &F, chains: &mut [Chain]) {
    let (mut at, mut count) = ([0; MAX_LANES], 0);
    let (mut adrs, mut nodes) = ([Adrs::default(); MAX_LANES], [[0; 32]; MAX_LANES]);
    let mut waiting = 0..chains.len();
    loop {
        while count < F::LANES
            && let Some(chain) = waiting.find(|chain| chains[*chain].remaining_steps > 0)
        {
            at[count] = chain;
            count += 1;
        }
        let Some(steps) = at[..count].iter().map(|chain| chains[*chain].remaining_steps).min() else {
            return;
        };
        for ((adrs, node), chain) in adrs.iter_mut().zip(&mut nodes).zip(&at[..count]) {
            (*adrs, *node) = (chains[*chain].adrs.adrs(), chains[*chain].node);
        }
        family.f(&adrs[..count], &mut nodes[..count], steps.into());
        let mut staying = 0;
        for lane in 0..count {
            let chain = &mut chains[at[lane]];
            chain.adrs = chain.adrs.advanced_by(steps.into());
            chain.node = nodes[lane];
            chain.remaining_steps -= steps;
            at[staying] = at[lane];
            staying += usize::from(chain.remaining_steps > 0);
        }
        count = staying;
    }
}

/// Returns a hasher that has absorbed `parts`.
pub(crate) fn hasher_with(function: HashFunction, parts: &[&[u8]]) -> Hasher {
    let mut hasher = Hasher::new(function);
    parts.iter().for_each(|part| hasher.update(part));
    hasher
}

/// Returns the first 32 bytes of a hash.
fn first_32_bytes(hashed: &PreHash) -> Node {
    let mut node = [0; 32];
    node.copy_from_slice(&hashed.digest()[..32]);
    node
}

/// Returns left ‖ right, n bytes each, for up to `N` pairs.
pub(crate) fn join<const N: usize>(n: usize, children: &[[Node; 2]]) -> [[u8; 64]; N] {
    let mut joined = [[0; 64]; N];
    for (joined, [left, right]) in joined.iter_mut().zip(children) {
        joined[..n].copy_from_slice(&left[..n]);
        joined[n..2 * n].copy_from_slice(&right[..n]);
    }
    joined
}
