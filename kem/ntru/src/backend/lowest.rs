//! The lowest coefficients of bit-sliced polynomials, in one word. They determine the next
//! [`divsteps`](super::divsteps), so a step need not wait for the vectors of the previous step.

use super::slices::Slices;
use grille_core::secret;

/// The operations on vectors of one word, which holds the lowest coefficients: bit i is the coefficient of xⁱ.
#[derive(Clone, Copy)]
pub(super) struct Word<S>(pub(super) S);

impl<S: Slices> Slices for Word<S> {
    type V = u64;
    type Mask = u64;
    const WORDS: usize = 1;

    #[inline(always)]
    fn load_words(self, words: &[u64]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn store_words(self, words: &mut [u64], v: u64) {
        words[0] = v;
    }

    #[inline(always)]
    fn splat(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn mask(self, word: u64) -> u64 {
        word
    }

    #[inline(always)]
    fn apply_mask(self, mask: u64, v: u64) -> u64 {
        v & mask
    }

    #[inline(always)]
    fn first(self, v: u64) -> u64 {
        v
    }

    #[inline(always)]
    fn rotate_up(self, v: u64) -> u64 {
        v << 1
    }

    #[inline(always)]
    fn rotate_down(self, v: u64) -> u64 {
        self.0.opaque(v >> 1)
    }

    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    #[inline(always)]
    fn and(self, a: u64, b: u64) -> u64 {
        a & b
    }

    #[inline(always)]
    fn and_not(self, a: u64, b: u64) -> u64 {
        a & !b
    }
}

/// The largest number of words in a vector.
const MAX_LANES: usize = 8;

/// Returns how many bits of each of the `words` words belong to the lowest coefficients that fit into one
/// word.
const fn known_bits(words: usize) -> usize {
    // one multiplication cannot spread more than words − 1 bits
    if 64 / words < words - 1 { 64 / words } else { words - 1 }
}

/// Returns the number of known lowest coefficients of polynomials of `words` words.
pub(super) const fn known_coefficients(words: usize) -> usize {
    words * known_bits(words)
}

/// Returns the bits of the lowest coefficients in the first of `R` vectors.
#[inline(always)]
pub(super) fn lowest_bits<S: Slices, const R: usize>(s: S, vector: S::V) -> u64 {
    let words = const { R * S::WORDS };
    let bits = const { known_bits(R * S::WORDS) };
    let mut lanes = [0; MAX_LANES];
    s.store_words(&mut lanes[..S::WORDS], vector);
    let mut lowest = 0;
    for (l, word) in lanes[..S::WORDS].iter().enumerate() {
        // moves bit b to bit b·words
        let copies = (word & ((1 << bits) - 1)).wrapping_mul(repeat_bit(bits, words - 1));
        lowest |= (copies & repeat_bit(bits, words)) << (R * l);
    }
    secret::erase(&mut lanes);
    lowest
}

/// Returns the sum of 2⁰, 2ᵈⁱˢᵗᵃⁿᶜᵉ, …, with `count` terms.
#[inline(always)]
const fn repeat_bit(count: usize, distance: usize) -> u64 {
    let (mut sum, mut i) = (0, 0);
    while i < count {
        sum |= 1 << (i * distance);
        i += 1;
    }
    sum
}
