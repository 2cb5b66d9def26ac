//! Vectors of n bits: elements of R = GF(2)\[X\]/(Xⁿ − 1), and their bytes.

use crate::params::{Params, vector_len};
use alloc::boxed::Box;
use core::fmt;
use grille_core::Array;
use grille_gf2x::{Room, fold, multiply};
use grille_hash::Level;
use zeroize::Zeroize;

/// An element of R, on the heap and erased on drop: n bits, and zeroes behind them.
pub struct Vector<P: Params>(Box<P::Words>);

impl<P: Params> Vector<P> {
    pub(crate) fn zeroed() -> Self {
        Self(grille_core::boxed(|| P::Words::from_fn(|_| 0)))
    }

    /// The words, the lowest bits first.
    pub(crate) fn words(&self) -> &[u64] {
        (*self.0).as_ref()
    }

    /// The words, to be changed; those bits that are not the vector's stay zero.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        (*self.0).as_mut()
    }

    /// From ⌈n/8⌉ bytes, or fewer; bits from n on are dropped.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let mut vector = Self::zeroed();
        for (word, bytes) in vector.words_mut().iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(padded);
        }
        vector.words_mut()[P::N / 64] &= (1 << (P::N % 64)) - 1;
        vector
    }

    /// As many bytes as `bytes` holds, from the first bit on.
    pub(crate) fn write_bytes(&self, bytes: &mut [u8]) {
        for (bytes, word) in bytes.chunks_mut(8).zip(self.words()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }

    /// Adds another one.
    pub(crate) fn add(&mut self, other: &Self) {
        for (word, other) in self.words_mut().iter_mut().zip(other.words()) {
            *word ^= other;
        }
    }

    /// The product with another one, in R. Secret: both.
    pub(crate) fn times(&self, other: &Self, workspace: &mut Workspace<P>) -> Self {
        let mut product = Self::zeroed();
        let Workspace { level, long, room } = workspace;
        multiply(*level, self.words(), other.words(), (**long).as_mut(), room);
        fold(P::N, (**long).as_ref(), product.words_mut());
        product
    }
}

impl<P: Params> Clone for Vector<P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<P: Params> Drop for Vector<P> {
    fn drop(&mut self) {
        grille_core::erase(self.words_mut());
    }
}

impl<P: Params> fmt::Debug for Vector<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "vector of {} bits", P::N)
    }
}

/// Where an operation makes its products, on the heap and erased on drop.
pub(crate) struct Workspace<P: Params> {
    pub(crate) level: Level,
    long: Box<P::Product>,
    room: Room,
}

impl<P: Params> Workspace<P> {
    pub(crate) fn new(level: Level) -> Self {
        let long = grille_core::boxed(|| P::Product::from_fn(|_| 0));
        Self { level, long, room: Room::new(P::Words::LEN) }
    }
}

impl<P: Params> Drop for Workspace<P> {
    fn drop(&mut self) {
        self.long.zeroize();
    }
}

/// Whether the bits behind the n-th of an encoded vector are zero. Not secret.
pub(crate) fn is_canonical<P: Params>(bytes: &[u8]) -> bool {
    debug_assert_eq!(bytes.len(), vector_len::<P>(), "an encoded vector");
    bytes[P::N / 8] >> (P::N % 8) == 0
}
