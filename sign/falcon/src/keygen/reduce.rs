//! Reduce, Falcon Algorithm 7: computes (F, G) − k·(f, g) for k = ⌊(F·f* + G·g*)/(f·f* + g·g*)⌉, with some
//! bits of k in each step.
//!
//! The number of bits in each step depends on sizes that f and g have with high probability, and not on the
//! actual f and g. The time therefore depends only on the depth. If a key exceeds these sizes, F and G do not
//! become short, and the key is not used.

use super::primes::{Ntt, PRIMES};
use super::quotients::Quotients;
use super::residues::{rebuild, residues};
use super::sizes::{COEFFICIENT_BITS, FG_WORDS};
use super::zint::{MASK, WORD_BITS, Words};
use alloc::vec::Vec;
use grille_core::erase;

/// Runs Reduce, Falcon Algorithm 7. `FG` contains 2n integers. On return, these integers are as short as f
/// and g.
///
/// All arguments and results are secret.
#[inline(always)]
pub(super) fn reduce(FG: &mut Words, fg: &[u32], depth: usize, n: usize) {
    let (average, deviation) = COEFFICIENT_BITS[depth];
    let (average_bits, slack) = (average as i32, 6 * deviation as i32 + 8);
    let mut quotients = Quotients::new(fg, n, (average_bits - slack, average_bits + slack));
    let mut products = Products::new(fg, n);
    let mut len = FG.len() / (2 * n);
    // F and G are products of f and g with F and G of the next depth; F and G of the next depth are as short
    // as f and g of that depth or, at the last level, up to 2·q times as long
    let longer = reduced_bits(depth + 1) + 5;
    let mut above = longer + n.ilog2() as usize;
    let mut bits = (WORD_BITS as usize * len).min(longer + reduced_bits(depth));
    let step = if n > SCHOOLBOOK { STEP } else { SHORT_STEP };
    let mut scale = (longer + 6 * deviation).saturating_sub(FIRST_STEP);
    let mut k = Words::zeroes(n);
    loop {
        quotients.approximate(&FG[..2 * n * len], above, scale, &mut k);
        products.subtract(&mut FG[..2 * n * len], scale, &k);
        // the remainder is below (f, g)·2^scale
        bits = bits.min(scale + reduced_bits(depth));
        len = len.min(bits / WORD_BITS as usize + 1).max(FG_WORDS[depth]);
        if scale == 0 {
            break;
        }
        above = scale + n.ilog2() as usize;
        scale = scale.saturating_sub(step);
    }
    FG.truncate(2 * n * FG_WORDS[depth]);
}

/// Returns the number of bits of F and G after their reduction, when they are as short as f and g. The number
/// includes some bits for the sum of n terms.
fn reduced_bits(depth: usize) -> usize {
    let (average, deviation) = COEFFICIENT_BITS[depth];
    average + 6 * deviation + 10
}

/// The number of bits of k in each step, which is less than the number of bits in a word.
const STEP: usize = 28;
/// The number of bits of k in each step with schoolbook multiplication, which adds n products of k and a
/// word.
const SHORT_STEP: usize = 25;
/// The number of bits of k in the first step. In this step, the quotients may be longer than expected by six
/// standard deviations.
const FIRST_STEP: usize = 30;

/// The products of k with f and with g (secret).
pub(super) struct Products<'a> {
    fg: &'a [u32],
    n: usize,
    /// For each prime that the products need, the NTT modulo this prime, and the images of f and g in
    /// Montgomery form.
    images: Vec<(Ntt, Words)>,
    /// The products k·f and k·g, which have one word more than f and g.
    kfg: Words,
}

impl<'a> Products<'a> {
    #[inline(always)]
    pub(super) fn new(fg: &'a [u32], n: usize) -> Self {
        let len = fg.len() / (2 * n) + 1;
        let primes = if n > SCHOOLBOOK { len } else { 0 };
        Self { fg, n, images: Self::images(fg, n, primes), kfg: Words::zeroes(2 * n * len) }
    }

    #[inline(always)]
    fn images(fg: &[u32], n: usize, primes: usize) -> Vec<(Ntt, Words)> {
        let all = residues(fg, 2 * n, primes);
        let mut images = Vec::with_capacity(primes);
        for (prime, row) in PRIMES.iter().zip(all.chunks_exact(2 * n)) {
            let ntt = Ntt::new(prime, n);
            let mut image = Words::zeroes(2 * n);
            for (image, x) in image.iter_mut().zip(row) {
                *image = prime.montgomery_form(*x);
            }
            for image in image.chunks_exact_mut(n) {
                ntt.forward(image);
            }
            images.push((ntt, image));
        }
        images
    }

    /// Computes (F, G) ← (F, G) − k·(f, g)·2^scale. Ignores words beyond those of F and G.
    #[inline(always)]
    pub(super) fn subtract(&mut self, FG: &mut [u32], scale: usize, k: &[u32]) {
        match self.n {
            2 => self.schoolbook::<2>(k),
            4 => self.schoolbook::<4>(k),
            8 => self.schoolbook::<8>(k),
            16 => self.schoolbook::<16>(k),
            32 => self.schoolbook::<32>(k),
            _ => self.by_ntt(k),
        }
        subtract_scaled(FG, &self.kfg, 2 * self.n, scale);
    }

    #[inline(always)]
    fn by_ntt(&mut self, k: &[u32]) {
        let n = self.n;
        let mut k_image = Words::zeroes(n);
        for ((ntt, fg), row) in self.images.iter().zip(self.kfg.chunks_exact_mut(2 * n)) {
            let prime = ntt.prime;
            for (image, k) in k_image.iter_mut().zip(k) {
                *image = prime.signed(*k as i32);
            }
            ntt.forward(&mut k_image);
            for (row, fg) in row.chunks_exact_mut(n).zip(fg.chunks_exact(n)) {
                for ((out, a), b) in row.iter_mut().zip(fg).zip(k_image.iter()) {
                    *out = prime.mul(*a, *b);
                }
                ntt.inverse(row);
            }
        }
        rebuild(&mut self.kfg, 2 * n, true);
    }

    /// Computes the products for each word of f and g. The result is correct if n·|k| < 2³¹.
    #[inline(always)]
    fn schoolbook<const N: usize>(&mut self, k: &[u32]) {
        let last = self.fg.len() / (2 * N) - 1;
        let (mut carries, mut terms) = ([[0i64; N]; 2], [[0; N]; 2]);
        let [minus, plus] = &mut terms;
        for ((minus, plus), k) in minus.iter_mut().zip(plus).zip(k) {
            (*minus, *plus) = (-(*k as i32), *k as i32);
        }
        let mut out = self.kfg.chunks_exact_mut(N);
        for (i, row) in self.fg.chunks_exact(2 * N).enumerate() {
            // the highest words contain a sign
            let shift = u32::from(i == last);
            for (words, sums) in row.chunks_exact(N).zip(&mut carries) {
                // multiplies k by x^j: coefficients that would move beyond the highest degree move to the
                // start, negated
                for (j, word) in words.iter().enumerate() {
                    let word = i64::from((word << shift) as i32 >> shift);
                    for (sum, term) in sums.iter_mut().zip(&terms.as_flattened()[N - j..]) {
                        *sum = sum.wrapping_add(word * i64::from(*term));
                    }
                }
                let out = out.next().expect("one row for each value");
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = *sum as u32 & MASK;
                    *sum >>= WORD_BITS;
                }
            }
        }
        for (out, sums) in out.zip(&carries) {
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = *sum as u32 & MASK);
        }
        erase(carries.as_flattened_mut());
        erase(terms.as_flattened_mut());
    }
}

/// The largest degree for which schoolbook multiplication is used.
pub(super) const SCHOOLBOOK: usize = 32;

/// Computes x ← x − y·2^scale for `n` interleaved integers.
#[inline(always)]
fn subtract_scaled(x: &mut [u32], y: &[u32], n: usize, scale: usize) {
    let (skipped, shift) = (scale / WORD_BITS as usize, scale as u32 % WORD_BITS);
    let sign = Words::new(
        y[y.len() - n..].iter().map(|top| (top >> (WORD_BITS - 1)).wrapping_neg() & MASK).collect(),
    );
    let (mut borrows, mut lower) = (Words::zeroes(n), Words::zeroes(n));
    let mut rows = y.chunks_exact(n);
    for x in x.chunks_exact_mut(n).skip(skipped) {
        let y = rows.next().unwrap_or(&sign);
        for (((x, y), borrow), lower) in x.iter_mut().zip(y).zip(borrows.iter_mut()).zip(lower.iter_mut()) {
            let shifted = (u64::from(*y) << shift) as u32 & MASK | *lower;
            let difference = x.wrapping_sub(shifted).wrapping_sub(*borrow);
            *lower = (u64::from(*y) << shift >> WORD_BITS) as u32;
            *x = difference & MASK;
            *borrow = difference >> 31;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::zint::signed;
    use super::*;

    #[test]
    fn scaled_subtraction_borrows_and_extends_signs() {
        let value = |words: &[u32; 4]| {
            let [a, b, c, _] = words.map(i128::from);
            (i128::from(signed(words[3])) << 93) + (c << 62) + (b << 31) + a
        };
        let x = [5, MASK, 7, 0];
        for y in [[1, 0], [MASK, MASK], [MASK - 3, 9], [0, 1 << 30]] {
            for scale in [0, 1, 30, 31, 40] {
                let mut got = x;
                subtract_scaled(&mut got, &y, 1, scale);
                let y = (i128::from(signed(y[1])) << 31) + i128::from(y[0]);
                assert_eq!(value(&got), value(&x) - (y << scale), "{scale}");
            }
        }
    }

    #[test]
    fn both_products_agree() {
        let n = SCHOOLBOOK;
        let fg: Vec<u32> = (0..4 * n as u32).map(|i| i.wrapping_mul(0x9E37_79B9) & MASK).collect();
        let k: Vec<u32> = (0..n as u32).map(|i| (i.wrapping_mul(0x85EB_CA6B) as i32 >> 6) as u32).collect();
        let mut products = Products::new(&fg, n);
        products.schoolbook::<SCHOOLBOOK>(&k);
        let schoolbook = products.kfg.clone();
        products.images = Products::images(&fg, n, 3);
        products.by_ntt(&k);
        assert_eq!(*products.kfg, *schoolbook);
    }
}
