//! Reading of the highest bits of large integers at a secret position. The code reads words from every
//! possible position, and masks all words except those at the actual position.

use super::fixed::FRACTION_BITS;
use super::zint::{MASK, WORD_BITS, signed};
use crate::secret_vec::SecretVec;
use grille_core::ct;

/// The position of the highest bits of f and g (secret, erased on drop).
pub(super) struct HighestBits {
    /// The number of bits of the longest integer.
    length: i32,
    lengths: LengthRange,
    /// Memory for three words of each integer: the word below the position, the word at the position, and the
    /// word above it.
    around: [SecretVec<u32>; 3],
    signs: SecretVec<u32>,
}

/// The minimum and the maximum number of bits of the longest integer.
pub(super) type LengthRange = (i32, i32);

impl HighestBits {
    /// Finds the position for the `n` integers of `x`. If the length of the longest integer is not within
    /// `lengths`, later reads return wrong values.
    #[inline(always)]
    pub(super) fn find(x: &[u32], n: usize, lengths: LengthRange) -> Self {
        let tops = &x[x.len() - n..];
        let mut length = 0;
        for (j, row) in x.chunks_exact(n).enumerate() {
            let mut bits = 0;
            for (word, top) in row.iter().zip(tops) {
                bits |= word ^ (signed(*top) >> 31) as u32 >> 1;
            }
            // sets a one bit, which has an effect only if other bits are set
            let here = WORD_BITS * j as u32 + (32 - (bits | 1).leading_zeros());
            length ^= (length ^ here) & ct::opaque(((bits + MASK) >> WORD_BITS).wrapping_neg());
        }
        let values = || SecretVec::zeroes(n);
        Self { length: length as i32, lengths, around: [values(), values(), values()], signs: values() }
    }

    /// Computes out ← x·2^(62 − log₂ n − `length` − above), rounded down, for n integers. If the integers of
    /// `x` are at most 2^above times as large as the integers f and g that [`find`](Self::find) received, the
    /// results are fixed-point numbers below 1/n. The FFT image of each half of `out` then has values in ±1/2.
    #[inline(always)]
    pub(super) fn read<T>(&mut self, x: &[u32], above: usize, out: &mut [T], from: impl Fn(i64) -> T) {
        let n = out.len();
        for (sign, top) in self.signs.iter_mut().zip(&x[x.len() - n..]) {
            *sign = (signed(*top) >> 31) as u32 & MASK;
        }
        // the number of lowest bits that are not read
        let skipped = |length: i32| length + above as i32 - (FRACTION_BITS - n.ilog2()) as i32;
        let place = |length: i32| (skipped(length) + WORD_BITS as i32 - 1).div_euclid(WORD_BITS as i32);
        self.around.iter_mut().for_each(|words| words.fill(0));
        let mut factor = 0;
        for j in place(self.lengths.0)..=place(self.lengths.1) {
            let shift = WORD_BITS as i32 * j - skipped(self.length);
            let here = ct::opaque(!((shift | (WORD_BITS as i32 - 1 - shift)) >> 31) as u32);
            factor |= (1 << (shift & 31)) & here;
            for (words, j) in self.around.iter_mut().zip(j - 1..) {
                let Ok(j) = usize::try_from(j) else { continue };
                let row = x.chunks_exact(n).nth(j).unwrap_or(&self.signs);
                for (out, word) in words.iter_mut().zip(row) {
                    *out |= word & here;
                }
            }
        }
        let [low, middle, high] = &self.around;
        for (((out, low), middle), high) in out.iter_mut().zip(&**low).zip(&**middle).zip(&**high) {
            let low = (u64::from(*low) * u64::from(factor)) >> WORD_BITS;
            let middle = u64::from(*middle) * u64::from(factor);
            let high = i64::from(signed(*high)) * i64::from(factor as i32);
            *out = from((high << WORD_BITS) + (middle + low) as i64);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::vec;
    use std::vec::Vec;

    /// A generator of pseudorandom numbers.
    pub(in super::super) struct NumberGenerator(pub(in super::super) u128);

    impl NumberGenerator {
        /// Returns a number in ±2^bits.
        pub(in super::super) fn below(&mut self, bits: u32) -> i128 {
            self.0 = self.0.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            self.0 as i128 >> (127 - bits)
        }
    }

    /// Returns the words of interleaved integers.
    pub(in super::super) fn to_words(x: &[i128], len: usize) -> Vec<u32> {
        (0..len).flat_map(|j| x.iter().map(move |x| (x >> (31 * j).min(127)) as u32 & MASK)).collect()
    }

    /// Computes a·b modulo xⁿ + 1.
    pub(in super::super) fn product(a: &[i128], b: &[i128]) -> Vec<i128> {
        let n = a.len();
        let mut product = vec![0; n];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                product[(i + j) % n] += if i + j < n { a * b } else { -a * b };
            }
        }
        product
    }

    #[test]
    fn read_matches_a_shift() {
        let mut numbers = NumberGenerator(1);
        for n in [4, 64] {
            for length in 1..90 {
                let mut draw = |bits| (0..n).map(|_| numbers.below(bits)).collect::<Vec<_>>();
                let (mut x, y) = (draw(length), draw(length + 30));
                x[1] = 1 << (length - 1);
                for lengths in [(0, 0), (1, 1), (50, 60)] {
                    let mut top = HighestBits::find(
                        &to_words(&x, 3),
                        n,
                        (length as i32 - lengths.0, length as i32 + lengths.1),
                    );
                    assert_eq!(top.length, length as i32);
                    for (integers, above) in [(&x, 0), (&x, 5), (&y, 30), (&y, 33)] {
                        let mut out = vec![0; n];
                        top.read(&to_words(integers, 4), above, &mut out, i128::from);
                        let left = 62 - n.ilog2() as i32 - length as i32 - above as i32;
                        let expected = integers.iter().map(|x| (x << left.max(0)) >> (-left).max(0));
                        assert!(out.into_iter().eq(expected), "{n} {length} {above}");
                    }
                }
            }
        }
    }
}
