//! Vectors of 64-bit words: what bitsliced arithmetic and Gaussian elimination are written with.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod portable;

use grille_hash::Level;

/// The vector operations of one level. Secret: all operands.
pub(crate) trait Lanes: Copy {
    /// A vector.
    type V: Copy;
    /// Words in a vector: 1, 4 or 8.
    const WORDS: usize;

    /// The vector whose words are all `word`.
    fn splat(self, word: u64) -> Self::V;
    /// The first words of a slice.
    fn load(self, words: &[u64]) -> Self::V;
    /// The first bytes of a slice as little-endian words.
    fn load_bytes(self, bytes: &[u8]) -> Self::V;
    /// Writes a vector to the first words of a slice.
    fn store(self, v: Self::V, words: &mut [u64]);
    /// a ⊕ b.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// a ∧ b.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// sum ⊕ (a ∧ b).
    fn and_xor(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// The bits moved down by one place, across words; the last place gets the first bit of `after`.
    fn shift_down(self, v: Self::V, after: Self::V) -> Self::V;

    /// Keys of 32 bits that a vector holds: 1, 8 or 16.
    const KEYS: usize;

    /// The first keys of a slice.
    fn load_keys(self, keys: &[u32]) -> Self::V;
    /// Writes keys to the front of a slice.
    fn store_keys(self, v: Self::V, keys: &mut [u32]);
    /// The smaller and the larger one of each pair of keys of 32 bits.
    fn order_keys(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// The smaller and the larger one of each pair of words below 2^63.
    fn order_words(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Key i ⊕ `distance` in place i.
    fn partner_keys(self, v: Self::V, distance: usize) -> Self::V;
    /// Word i ⊕ `distance` in place i.
    fn partner_words(self, v: Self::V, distance: usize) -> Self::V;
    /// Keys of `a` in the places that are below their partners at this distance, and of `b` in the others.
    fn select_keys(self, a: Self::V, b: Self::V, distance: usize) -> Self::V;
    /// Words of `a` in the places that are below their partners at this distance, and of `b` in the others.
    fn select_words(self, a: Self::V, b: Self::V, distance: usize) -> Self::V;

    /// Runs work in a function of its own that is compiled with the level's instructions: for texts that are large, or used often.
    fn call<W: Work<Self>>(self, work: W) -> W::Output;

    /// The zero vector.
    #[inline(always)]
    fn zero(self) -> Self::V {
        self.splat(0)
    }
}

/// A piece of work for one type of vectors; see [`Lanes::call`].
pub(crate) trait Work<L: Lanes> {
    /// The result of the work.
    type Output;
    /// Does the work. Must be `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self, lanes: L) -> Self::Output;
}

/// A piece of work whose text is compiled for each level.
pub(crate) trait Kernel {
    /// The result of the work.
    type Output;
    /// Does the work. Must be `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs the copy of a kernel that is compiled for `level`.
pub(crate) fn at_level<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512(token) => avx512::run(token, kernel),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(token) => avx2::run(token, kernel),
        _ => kernel.run(portable::Portable),
    }
}
