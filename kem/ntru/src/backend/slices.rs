//! The operations on bit-sliced polynomials.

use grille_core::ct;

/// The bit operations on the vectors of a CPU level. The coefficient of xⁱ is in word i modulo the number of
/// words of a polynomial, so multiplication by x is a permutation of words, except for one shifted word.
pub(super) trait Slices: Copy {
    /// A vector.
    type V: Copy;
    /// A mask that selects all bits of a vector, or none.
    type Mask: Copy;
    /// The number of 64-bit words in a vector.
    const WORDS: usize;

    /// Loads `WORDS` words.
    fn load_words(self, words: &[u64]) -> Self::V;
    /// Stores `WORDS` words.
    fn store_words(self, words: &mut [u64], v: Self::V);
    /// Returns a vector that repeats a word.
    fn splat(self, word: u64) -> Self::V;
    /// Returns the first word.
    fn first(self, v: Self::V) -> u64;
    /// Moves each word to the next position. The last word moves to the first position and is shifted up by
    /// one bit.
    fn rotate_up(self, v: Self::V) -> Self::V;
    /// Moves each word to the previous position. The first word moves to the last position and is shifted
    /// down by one bit.
    fn rotate_down(self, v: Self::V) -> Self::V;
    /// Computes a ⊕ b.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes a ∧ b.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// Computes a ∧ ¬b.
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns `word` and hides its value from the compiler, which would otherwise combine pairs of words into
    /// vectors at each step.
    #[inline(always)]
    fn opaque(self, word: u64) -> u64 {
        ct::opaque(word)
    }

    /// Creates a mask from a word whose bits are all set or all zero.
    fn mask(self, word: u64) -> Self::Mask;
    /// Returns v if the mask is set, else zero.
    fn apply_mask(self, mask: Self::Mask, v: Self::V) -> Self::V;

    /// Returns b if the mask is set, else a.
    #[inline(always)]
    fn select(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V {
        self.xor(a, self.apply_mask(mask, self.xor(a, b)))
    }

    /// Returns a ⊕ b if the mask is set, else a.
    #[inline(always)]
    fn xor_masked(self, mask: Self::Mask, a: Self::V, b: Self::V) -> Self::V {
        self.xor(a, self.apply_mask(mask, b))
    }

    /// Returns a + b if the mask is set, else a, for trits. `a` and `b` mark the nonzero trits, `negative` marks
    /// the negative trits of a, and `differ` the trits whose signs differ.
    #[inline(always)]
    fn sum_masked(
        self,
        mask: Self::Mask,
        [a, negative]: [Self::V; 2],
        b: Self::V,
        differ: Self::V,
    ) -> [Self::V; 2] {
        // the sum has the sign of the nonzero trit, or the opposite of the common sign of two nonzero trits
        let b = self.apply_mask(mask, b);
        let changes = self.and(b, self.xor(differ, a));
        [self.xor(a, self.and_not(b, self.and(a, changes))), self.xor(negative, changes)]
    }
}
