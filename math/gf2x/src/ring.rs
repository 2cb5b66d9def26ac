//! Elements of GF(2)\[x\]/(xⁿ − 1): vectors of n bits, their encodings and their products.

use crate::cyclic::fold;
use crate::karatsuba::{Scratch, multiply};
use crate::square::square_words;
use alloc::boxed::Box;
use core::fmt;
use grille_core::Array;
use grille_cpu::Level;
use zeroize::Zeroize;

/// A ring: the number of bits, and the storage of elements and products.
pub trait Ring: 'static {
    /// n, the number of bits of an element. It must not be a multiple of 64.
    const N: usize;
    /// An element: n bits, followed by zeroes up to a [`padded`](crate::padded) length.
    type Words: Array<u64> + Zeroize;
    /// A product before reduction, twice as long as an element.
    type Product: Array<u64> + Zeroize;
}

/// An element of the ring, on the heap and erased on drop: n bits, followed by zeroes.
pub struct Element<R: Ring>(Box<R::Words>);

impl<R: Ring> Element<R> {
    /// The number of words that hold bits. All other words are zero.
    pub const WORDS: usize = R::N.div_ceil(64);
    /// The number of bytes of an encoded element.
    pub const BYTES: usize = R::N.div_ceil(8);

    /// Returns the element 0.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(grille_core::boxed(|| R::Words::from_fn(|_| 0)))
    }

    /// Returns the words, the lowest bits first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        (*self.0).as_ref()
    }

    /// Returns the words, mutable. The bits with index n or above must stay zero.
    pub fn words_mut(&mut self) -> &mut [u64] {
        (*self.0).as_mut()
    }

    /// Parses at most [`BYTES`](Self::BYTES) bytes; missing bytes count as zero. Ignores the bits with index n or
    /// above.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut element = Self::zeroed();
        for (word, bytes) in element.words_mut().iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(padded);
        }
        element.words_mut()[R::N / 64] &= (1 << (R::N % 64)) - 1;
        element
    }

    /// Writes `bytes.len()` bytes, starting with the first bit.
    pub fn write_bytes(&self, bytes: &mut [u8]) {
        for (bytes, word) in bytes.chunks_mut(8).zip(self.words()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
    }

    /// Adds another element.
    pub fn add(&mut self, other: &Self) {
        for (word, other) in self.words_mut().iter_mut().zip(other.words()) {
            *word ^= other;
        }
    }

    /// Returns the product with another element. Both values are secret.
    #[must_use]
    pub fn times(&self, other: &Self, workspace: &mut Workspace<R>) -> Self {
        let mut product = Self::zeroed();
        let Workspace { level, long, scratch } = workspace;
        multiply(*level, self.words(), other.words(), (**long).as_mut(), scratch);
        fold(*level, R::N, (**long).as_ref(), product.words_mut());
        product
    }

    /// Returns the square: the bit of xⁱ becomes that of x²ⁱ. The element is secret.
    #[must_use]
    pub fn square(&self, workspace: &mut Workspace<R>) -> Self {
        let mut square = Self::zeroed();
        let Workspace { level, long, .. } = workspace;
        square_words(*level, self.words(), (**long).as_mut());
        fold(*level, R::N, (**long).as_ref(), square.words_mut());
        square
    }

    /// Checks whether the bits after the n-th of an encoded element are zero. The bytes are public.
    ///
    /// # Panics
    /// Panics if there are fewer bytes than [`BYTES`](Self::BYTES).
    #[must_use]
    pub fn is_canonical(bytes: &[u8]) -> bool {
        R::N.is_multiple_of(8) || bytes[R::N / 8] >> (R::N % 8) == 0
    }
}

impl<R: Ring> Clone for Element<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R: Ring> Drop for Element<R> {
    fn drop(&mut self) {
        grille_core::erase(self.words_mut());
    }
}

impl<R: Ring> fmt::Debug for Element<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "element of {} bits", R::N)
    }
}

/// The working memory for products of ring elements, on the heap and erased on drop.
pub struct Workspace<R: Ring> {
    level: Level,
    long: Box<R::Product>,
    scratch: Scratch,
}

impl<R: Ring> Workspace<R> {
    /// Allocates memory for products of two elements.
    #[must_use]
    pub fn new(level: Level) -> Self {
        let long = grille_core::boxed(|| R::Product::from_fn(|_| 0));
        Self { level, long, scratch: Scratch::new(R::Words::LEN) }
    }

    /// Returns the level at which products are computed.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }
}

impl<R: Ring> Drop for Workspace<R> {
    fn drop(&mut self) {
        self.long.zeroize();
    }
}
