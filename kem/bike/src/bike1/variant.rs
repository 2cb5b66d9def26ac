//! The two variants of BIKE-1: how the error is sampled, how a ciphertext is accepted, and the hash K.

use super::sample::sample_uniform;
use crate::code::{Code, Vector};
use crate::counters::concatenate;
use crate::parity::{are_equal, write_vector};
use crate::prf::Prf;
use crate::round::hash_sha384;
use crate::sample;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{Bytes, Secret};
use grille_hash::Level;
use grille_hash::sha2::sha384;
use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

/// A variant of BIKE-1.
pub trait Variant: 'static {
    /// The random bytes that one key generation or one encapsulation samples: two or three seeds of 32 bytes.
    type Seeds: Bytes + Zeroize;
    /// The number of vectors of σ in a decapsulation key.
    const SIGMAS: usize;

    /// Samples the error (e₀, e₁) of a ciphertext. `seed` is the first seed of the encapsulation, and `product` is m·f₀
    /// ‖ m·f₁. All arguments and results are secret.
    fn sample_error<P: Code>(level: Level, seed: &[u8; 32], product: &[u8]) -> [Vector<P>; 2];

    /// Samples σ from the third of the `seeds` of key generation. Returns nothing in the variant CPA, which has no σ.
    fn sample_sigma<P: Code>(level: Level, seeds: &[u8]) -> Zeroizing<Vec<u8>>;

    /// Returns whether encapsulation would sample this error from `product`, which is c₀ + e₀ ‖ c₁ + e₁. Always true in
    /// the variant CPA, whose error does not depend on the product. All arguments and results are secret.
    fn is_genuine<P: Code>(level: Level, error: &[Vector<P>; 2], product: &[u8]) -> Choice;

    /// Computes the shared secret K. The error, the product and K are secret.
    fn compute_secret<P: Code>(error: &[Vector<P>; 2], product: &[u8], ciphertext: &[u8])
    -> Secret<[u8; 32]>;
}

/// BIKE-1-CPA: the error comes from a seed, and K hashes the error.
pub enum Cpa {}

impl Variant for Cpa {
    type Seeds = [u8; 64];
    const SIGMAS: usize = 0;

    fn sample_error<P: Code>(level: Level, seed: &[u8; 32], _product: &[u8]) -> [Vector<P>; 2] {
        sample_error(level, seed)
    }

    fn sample_sigma<P: Code>(_level: Level, _seeds: &[u8]) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(Vec::new())
    }

    fn is_genuine<P: Code>(_level: Level, _error: &[Vector<P>; 2], _product: &[u8]) -> Choice {
        Choice::from(1)
    }

    fn compute_secret<P: Code>(
        [e0, e1]: &[Vector<P>; 2],
        _product: &[u8],
        _ciphertext: &[u8],
    ) -> Secret<[u8; 32]> {
        let mut words = Zeroizing::new(vec![0; 2 * Vector::<P>::WORDS]);
        concatenate([e0, e1], &mut words);
        let mut bytes = Zeroizing::new(Vec::with_capacity(8 * words.len()));
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        hash_parallel(&bytes[..(2 * P::N).div_ceil(8)])
    }
}

/// BIKE-1-FO: the error is sampled from a hash of m·f₀ and m·f₁, so that decapsulation can sample it again. K hashes
/// m·f₀, m·f₁ and the ciphertext.
pub enum Fo {}

impl Variant for Fo {
    type Seeds = [u8; 96];
    const SIGMAS: usize = 2;

    fn sample_error<P: Code>(level: Level, _seed: &[u8; 32], product: &[u8]) -> [Vector<P>; 2] {
        sample_error(level, hash_sha384(&[product]).expose())
    }

    fn sample_sigma<P: Code>(level: Level, seeds: &[u8]) -> Zeroizing<Vec<u8>> {
        let mut prf = Prf::new(level, seeds[64..].first_chunk().expect("three seeds"));
        let mut sigma = Zeroizing::new(Vec::with_capacity(2 * Vector::<P>::BYTES));
        for _ in 0..Self::SIGMAS {
            write_vector(&sample_uniform::<P>(&mut prf), &mut sigma);
        }
        sigma
    }

    fn is_genuine<P: Code>(level: Level, [e0, e1]: &[Vector<P>; 2], product: &[u8]) -> Choice {
        let again = Self::sample_error::<P>(level, &[0; 32], product);
        are_equal(e0, &again[0]) & are_equal(e1, &again[1])
    }

    fn compute_secret<P: Code>(
        _error: &[Vector<P>; 2],
        product: &[u8],
        ciphertext: &[u8],
    ) -> Secret<[u8; 32]> {
        hash_sha384(&[product, ciphertext])
    }
}

/// Samples an error from a seed.
fn sample_error<P: Code>(level: Level, seed: &[u8; 32]) -> [Vector<P>; 2] {
    let mut prf = Prf::new(level, seed);
    let supports = sample::sample_by_rejection(|| prf.next_u32(), &[sample::error_size::<P>()]);
    sample::build_error(level, &supports[0])
}

/// The number of slices that [`hash_parallel`] hashes independently.
const SLICES: usize = 8;

/// Computes the first 32 bytes of ParallelizedHash. It is SHA-384 of the digests of eight slices of equal length,
/// followed by the bytes after the slices. The argument and the result are secret.
///
/// A slice and its padding fill whole blocks of SHA-384: the length of a slice modulo 128 is 111.
fn hash_parallel(bytes: &[u8]) -> Secret<[u8; 32]> {
    let slice = (bytes.len() / SLICES - 111) / 128 * 128 + 111;
    let (slices, rest) = bytes.split_at(SLICES * slice);
    let mut digests = Zeroizing::new([0; SLICES * 48]);
    for (digest, slice) in digests.as_chunks_mut().0.iter_mut().zip(slices.chunks_exact(slice)) {
        *digest = sha384(&[slice]);
    }
    hash_sha384(&[&*digests, rest])
}
