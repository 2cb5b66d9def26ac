//! The differences between the two versions of Classic McEliece: how a seed is expanded, how keys are
//! encoded, and whether ciphertexts contain a hash of the error.

use crate::params::{Params, q};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use grille_hash::{Level, aes_ctr::Aes256Ctr, sponge::shake256};
use zeroize::Zeroizing;

/// A version of Classic McEliece.
pub trait Version: Send + Sync + 'static {
    /// The number of bytes of δ and c at the start of a decapsulation key. Zero in round 3, whose keys contain neither.
    const PREFIX_LEN: usize;
    /// The number of bytes of the confirmation hash at the end of a ciphertext.
    const CONFIRMATION_LEN: usize;
    /// Whether s is at the end of a decapsulation key. If false, s is at the start.
    const S_IS_LAST: bool;
    /// Whether the choice of undetermined control bits considers the first and the last layer. If false, it considers
    /// only the first layer.
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool;

    /// Expands the seed δ to fill `out`. All arguments and results are secret.
    #[doc(hidden)]
    fn expand(level: Level, delta: &[u8; 32], out: &mut [u8]);
}

/// Classic McEliece of round 4 and ISO/IEC 18033-2. SHAKE256 expands seeds, and a ciphertext is only a
/// syndrome.
pub struct Current;

/// Classic McEliece of round 3, which liboqs contained until version 0.8. AES-256 in counter mode expands
/// seeds, and a ciphertext contains a hash of the error.
pub struct Round3;

impl Version for Current {
    const PREFIX_LEN: usize = 40;
    const CONFIRMATION_LEN: usize = 0;
    const S_IS_LAST: bool = true;
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool = false;

    fn expand(level: Level, delta: &[u8; 32], out: &mut [u8]) {
        shake256(level, &[&[64], delta], out);
    }
}

impl Version for Round3 {
    const PREFIX_LEN: usize = 0;
    const CONFIRMATION_LEN: usize = 32;
    const S_IS_LAST: bool = false;
    const ZEROES_IN_BOTH_OUTER_LAYERS: bool = true;

    fn expand(_: Level, delta: &[u8; 32], out: &mut [u8]) {
        Aes256Ctr::new(delta, &[0; 12]).squeeze(out);
    }
}

/// The bits E to which the seed δ is expanded.
pub(crate) struct Expanded(Zeroizing<Vec<u8>>);

impl Expanded {
    /// Computes E = G(δ). All arguments and results are secret.
    pub(crate) fn new<P: Params>(level: Level, delta: &[u8; 32]) -> Self {
        let mut bytes = Zeroizing::new(vec![0; P::N / 8 + 4 * q::<P>() + 2 * P::T + 32]);
        P::Version::expand(level, delta, &mut bytes);
        Self(bytes)
    }

    /// Returns s, which has n bits.
    pub(crate) fn s<P: Params>(&self) -> &[u8] {
        let start = if P::Version::S_IS_LAST { 0 } else { 2 * P::T + 4 * q::<P>() };
        self.part(start..start + P::N / 8)
    }

    /// Returns the input of FieldOrdering: q numbers of 32 bits.
    pub(crate) fn ordering<P: Params>(&self) -> impl Iterator<Item = u32> {
        let start = if P::Version::S_IS_LAST { P::N / 8 } else { 2 * P::T };
        let numbers = self.part(start..start + 4 * q::<P>()).as_chunks::<4>().0;
        numbers.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// Returns the coefficients of β, whose minimal polynomial is g. They are t numbers, reduced to their
    /// lowest m bits.
    pub(crate) fn beta<P: Params>(&self) -> impl Iterator<Item = u16> {
        let start = if P::Version::S_IS_LAST { P::N / 8 + 4 * q::<P>() } else { 0 };
        let numbers = self.part(start..start + 2 * P::T).as_chunks::<2>().0;
        numbers.iter().map(|bytes| u16::from_le_bytes(*bytes) & (q::<P>() - 1) as u16)
    }

    /// Returns δ′, the seed of the next attempt.
    pub(crate) fn next(&self) -> &[u8; 32] {
        self.0.last_chunk().expect("ends with 32 bytes")
    }

    fn part(&self, range: Range<usize>) -> &[u8] {
        &self.0[range]
    }
}
