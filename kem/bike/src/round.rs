//! The differences between rounds 3 and 4 of BIKE: the sampling of supports, and the hash function.

use crate::prf::Prf;
use crate::sample::{self, Support, SupportSize};
use alloc::vec::Vec;
use grille_core::Secret;
use grille_hash::sha2::sha384;
use grille_hash::sponge::Sponge;
use grille_hash::{Level, Shake256};
use zeroize::Zeroizing;

/// A round of BIKE.
pub trait Round: 'static {
    /// Samples one set of distinct positions for each of `sizes`, all from the stream of one seed. The seed and the
    /// sets are secret.
    fn sample_supports(level: Level, seed: &[u8; 32], sizes: &[SupportSize]) -> Vec<Support>;

    /// Computes the first 32 bytes of the hash of the concatenated parts. This hash serves as K and as L. The parts and
    /// the result are secret.
    fn hash(level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]>;
}

/// BIKE 5.1 of October 2022: SHAKE256 and SHA3-384.
pub enum Round4 {}

impl Round for Round4 {
    fn sample_supports(level: Level, seed: &[u8; 32], sizes: &[SupportSize]) -> Vec<Support> {
        let mut xof = Shake256::<1>::new(level);
        xof.absorb_all(seed);
        let squeeze = |bytes: &mut [u8]| xof.squeeze([bytes]);
        sample::sample_by_reduction(level, squeeze, sizes)
    }

    fn hash(level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]> {
        // SHA3-384
        let mut digest = Secret::zeroed();
        Sponge::<104, 0x06, 1>::hash(level, parts, digest.as_mut());
        digest
    }
}

/// BIKE 4.1 of October 2020: AES-256 and SHA-384.
pub enum Round3 {}

impl Round for Round3 {
    fn sample_supports(level: Level, seed: &[u8; 32], sizes: &[SupportSize]) -> Vec<Support> {
        let mut prf = Prf::new(level, seed);
        sample::sample_by_rejection(|| prf.next_u32(), sizes)
    }

    fn hash(_level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]> {
        hash_sha384(parts)
    }
}

/// Computes the first 32 bytes of SHA-384 of the concatenated parts. The parts and the result are secret.
pub(crate) fn hash_sha384(parts: &[&[u8]]) -> Secret<[u8; 32]> {
    let digest = Zeroizing::new(sha384(parts));
    let mut first = Secret::zeroed();
    first.as_mut().copy_from_slice(&digest[..32]);
    first
}
