//! The bits to which a seed is expanded, and their parts.

use crate::params::{Params, q};
use crate::version::Version;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use grille_hash::Level;
use zeroize::Zeroizing;

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
