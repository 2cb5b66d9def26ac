//! Vectors of 64-bit words, for bitsliced arithmetic and Gaussian elimination.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
mod dispatch;
mod portable;

pub(crate) use dispatch::at_level;

/// The vector operations of one level. All operands are secret.
pub(crate) trait Lanes: Copy {
    /// A vector.
    type V: Copy;
    /// The number of words in a vector: 1, 4 or 8.
    const WORDS: usize;

    /// Returns a vector whose words are all `word`.
    fn splat(self, word: u64) -> Self::V;
    /// Loads the first words of a slice.
    fn load(self, words: &[u64]) -> Self::V;
    /// Loads the first bytes of a slice as little-endian words.
    fn load_bytes(self, bytes: &[u8]) -> Self::V;
    /// Stores a vector to the first words of a slice.
    fn store(self, v: Self::V, words: &mut [u64]);
    /// Computes a ⊕ b.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes a ∧ b.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes sum ⊕ (a ∧ b).
    fn and_xor(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// Moves all bits down by one position, also from word to word. The last position receives the first bit
    /// of `after`.
    fn shift_down(self, v: Self::V, after: Self::V) -> Self::V;

    /// The number of 32-bit keys in a vector: 1, 8 or 16.
    const KEYS: usize;

    /// Loads the first keys of a slice.
    fn load_keys(self, keys: &[u32]) -> Self::V;
    /// Stores keys to the start of a slice.
    fn store_keys(self, v: Self::V, keys: &mut [u32]);
    /// Returns the smaller and the larger key of each pair of 32-bit keys.
    fn order_keys(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Returns the smaller and the larger word of each pair of words below 2^63.
    fn order_words(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Moves key i ⊕ `distance` to position i, for all i.
    fn partner_keys(self, v: Self::V, distance: usize) -> Self::V;
    /// Moves word i ⊕ `distance` to position i, for all i.
    fn partner_words(self, v: Self::V, distance: usize) -> Self::V;
    /// Takes the key of `a` at each position i < i ⊕ `distance`, and the key of `b` at all other positions.
    fn select_keys(self, a: Self::V, b: Self::V, distance: usize) -> Self::V;
    /// Takes the word of `a` at each position i < i ⊕ `distance`, and the word of `b` at all other positions.
    fn select_words(self, a: Self::V, b: Self::V, distance: usize) -> Self::V;

    /// Runs work in a separate function that is compiled with the level's instructions. Use this method for
    /// code that is large or used often.
    fn call<W: Work<Self>>(self, work: W) -> W::Output;

    /// Returns the zero vector.
    #[inline(always)]
    fn zero(self) -> Self::V {
        self.splat(0)
    }
}

/// A computation for one type of vectors; see [`Lanes::call`].
pub(crate) trait Work<L: Lanes> {
    /// The result of the computation.
    type Output;
    /// Runs the computation. Must be `#[inline(always)]`, so that it is compiled with the level's
    /// instructions.
    fn run(self, lanes: L) -> Self::Output;
}

/// A computation that is compiled once for each level.
pub(crate) trait Kernel {
    /// The result of the computation.
    type Output;
    /// Runs the computation. Must be `#[inline(always)]`, so that it is compiled with the level's
    /// instructions.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}
