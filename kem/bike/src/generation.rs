//! The differences between the two rounds of BIKE: the sampling of supports, and the hash function.

use crate::sample;
use alloc::vec::Vec;
use grille_core::Secret;
use grille_hash::aes_ctr::Aes256Streams;
use grille_hash::sha2::sha384;
use grille_hash::sponge::Sponge;
use grille_hash::{Level, Shake256};
use zeroize::Zeroizing;

/// A round of BIKE.
pub trait Generation: 'static {
    /// Samples sets of distinct positions, one for each of `sizes`, from the stream of one seed. Secret: everything.
    fn supports(level: Level, seed: &[u8; 32], sizes: &[Size]) -> Vec<Zeroizing<Vec<u32>>>;

    /// Computes the first 32 bytes of the hash of the concatenated parts, which are K and L. Secret: everything.
    fn hash(level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]>;
}

/// The number of positions, and their exclusive upper bound.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub(crate) weight: usize,
    pub(crate) bound: usize,
}

/// BIKE 5.1 of October 2022: SHAKE256 and SHA3-384.
pub enum Round4 {}

impl Generation for Round4 {
    fn supports(level: Level, seed: &[u8; 32], sizes: &[Size]) -> Vec<Zeroizing<Vec<u32>>> {
        let mut xof = Shake256::<1>::new(level);
        xof.absorb_all(seed);
        let squeeze = |bytes: &mut [u8]| xof.squeeze([bytes]);
        sample::by_reduction(level, squeeze, sizes)
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

impl Generation for Round3 {
    fn supports(level: Level, seed: &[u8; 32], sizes: &[Size]) -> Vec<Zeroizing<Vec<u32>>> {
        // the encrypted numbers 0, 1, …, little-endian: the first block of each number's stream
        let streams = Aes256Streams::new(level, seed);
        let mut number = 0u64;
        let mut block = Zeroizing::new([0; 16]);
        let mut used = block.len();
        let next = || {
            if used == block.len() {
                let mut nonce = [0; 12];
                nonce[..8].copy_from_slice(&number.to_le_bytes());
                streams.squeeze(&nonce, &mut *block);
                (number, used) = (number + 1, 0);
            }
            used += 4;
            u32::from_le_bytes(*block[used - 4..].first_chunk().expect("four bytes"))
        };
        sample::by_rejection(next, sizes)
    }

    fn hash(_level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]> {
        let digest = Zeroizing::new(sha384(parts));
        let mut first = Secret::zeroed();
        first.as_mut().copy_from_slice(&digest[..32]);
        first
    }
}
