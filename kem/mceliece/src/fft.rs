//! The additive FFT of Gao and Mateer, in bitsliced form, and its transpose.
//!
//! Coefficients are bitsliced in [`COEFFICIENT_WORDS`] words per bit. Values are bitsliced in 2^m/64 words
//! per bit. The word for the indices 64·w to 64·w + 63 is at [`position`](crate::tables::position)`(w)`.

use crate::backend::Lanes;
use crate::field::{Element, Field, MAX_M, bitslice, load, product, splat_masks, store, sum, words};
use crate::tables::tables;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The number of words for each bit of the coefficients. There is space for the 256 coefficients that the FFT needs at
/// most, and for one whole vector of any level.
pub(crate) const COEFFICIENT_WORDS: usize = 8;

/// Bitsliced coefficients.
pub(crate) type Coefficients = Zeroizing<[[u64; COEFFICIENT_WORDS]; MAX_M]>;

/// Returns the number of words that `count` coefficients use, for each bit.
const fn words_in_use(count: usize) -> usize {
    count.div_ceil(64)
}

/// Evaluates a polynomial at all elements of the field. `coefficients` holds the 2^m/64 lowest coefficients of the
/// polynomial. If `monic` is true, the next coefficient is 1. All arguments and results are secret.
#[inline(always)]
pub(crate) fn evaluate<F: Field, L: Lanes>(
    l: L,
    mut coefficients: Coefficients,
    monic: bool,
) -> Zeroizing<Vec<u64>> {
    let w = words::<F>();
    let k = w.ilog2() as usize;
    for step in 0..k {
        for quarter in (step..k - 1).rev() {
            for bits in &mut coefficients[..F::M] {
                convert(bits, quarter);
            }
        }
        if step < k - 1 {
            scale::<F, L>(l, &mut coefficients, step, w);
        }
    }
    let mut values = Zeroizing::new(vec![0; F::M * w]);
    for (bits, values) in coefficients.iter().zip(values.chunks_exact_mut(w)) {
        for (i, value) in values.iter_mut().enumerate() {
            *value = (bits[i / 64] >> (i % 64) & 1).wrapping_neg();
        }
    }
    for step in (3..k).rev() {
        high_step::<F, L, true>(l, &mut values, step);
    }
    let mut copy = Zeroizing::new([0; 128]);
    for values in values.chunks_exact_mut(w) {
        transpose(values, &mut copy);
    }
    for step in (0..3).rev() {
        low_step::<F, L, true>(l, &mut values, step);
    }
    if monic {
        for (values, top) in values.chunks_exact_mut(w).zip(&tables::<F>().top) {
            for (value, top) in values.iter_mut().zip(top) {
                *value ^= top;
            }
        }
    }
    values
}

/// Computes the sums of value·x^i over all elements x, for i below 2·2^m/64. This is the transpose of
/// evaluating a polynomial with 2·2^m/64 coefficients. Erases the values. All arguments and results are
/// secret.
#[inline(always)]
pub(crate) fn power_sums<F: Field, L: Lanes>(l: L, mut values: Zeroizing<Vec<u64>>) -> Coefficients {
    let w = words::<F>();
    let k = w.ilog2() as usize;
    for step in 0..3 {
        low_step::<F, L, false>(l, &mut values, step);
    }
    let mut copy = Zeroizing::new([0; 128]);
    for values in values.chunks_exact_mut(w) {
        transpose_back(values, &mut copy);
    }
    for step in 3..k {
        high_step::<F, L, false>(l, &mut values, step);
    }
    let mut coefficients = Coefficients::default();
    for (bits, values) in coefficients.iter_mut().zip(values.chunks_exact(w)) {
        parities(values, &mut bits[..w / 64], &mut copy);
    }
    let leaf = splat_masks::<F, L>(l, &tables::<F>().leaf);
    for at in (0..w).step_by(L::WORDS) {
        let value = load::<F, L>(l, &values, w, at);
        store::<F, L>(l, &product::<F, L>(l, &value, &leaf), &mut values, w, at);
    }
    for (bits, values) in coefficients.iter_mut().zip(values.chunks_exact(w)) {
        parities(values, &mut bits[w / 64..w / 32], &mut copy);
    }
    for step in (0..k).rev() {
        scale::<F, L>(l, &mut coefficients, step, 2 * w);
        for quarter in step..k {
            for bits in &mut coefficients[..F::M] {
                convert_back(bits, quarter);
            }
        }
    }
    coefficients
}

/// Computes the values of a polynomial at x and at x + 1 from the values u and v of its two parts. If `FORWARD` is
/// false, computes the transpose of this step. All values are secret.
#[inline(always)]
fn butterfly<F: Field, L: Lanes, const FORWARD: bool>(
    l: L,
    values: &mut [u64],
    [first, second]: [usize; 2],
    x: &Element<L::V>,
) {
    let w = words::<F>();
    let (mut u, mut v) = (load::<F, L>(l, values, w, first), load::<F, L>(l, values, w, second));
    if FORWARD {
        u = sum::<F, L>(l, &u, &product::<F, L>(l, &v, x));
        v = sum::<F, L>(l, &u, &v);
    } else {
        u = sum::<F, L>(l, &u, &v);
        v = sum::<F, L>(l, &v, &product::<F, L>(l, &u, x));
    }
    store::<F, L>(l, &u, values, w, first);
    store::<F, L>(l, &v, values, w, second);
}

/// Combines pairs of words that are 2^step apart, for step ≥ 3.
#[inline(always)]
fn high_step<F: Field, L: Lanes, const FORWARD: bool>(l: L, values: &mut [u64], step: usize) {
    let entries = words::<F>() >> (step + 1);
    for entry in 0..entries {
        let x = splat_masks::<F, L>(l, &tables::<F>().high[entries + entry]);
        let first = entry << (step + 1);
        for at in (first..first + (1 << step)).step_by(L::WORDS) {
            butterfly::<F, L, FORWARD>(l, values, [at, at + (1 << step)], &x);
        }
    }
}

/// Combines pairs of words that are 2^step apart, for step < 3. The words must have been transposed.
#[inline(always)]
fn low_step<F: Field, L: Lanes, const FORWARD: bool>(l: L, values: &mut [u64], step: usize) {
    let row = words::<F>() / 8;
    for first in 0..8 {
        if first >> step & 1 == 1 {
            continue;
        }
        let elements = &tables::<F>().low[(4 >> step) + (first >> (step + 1))];
        for at in (0..row).step_by(L::WORDS) {
            let x = load::<F, L>(l, elements.as_flattened(), 16, at);
            butterfly::<F, L, FORWARD>(l, values, [first * row + at, (first + (1 << step)) * row + at], &x);
        }
    }
}

/// Moves word 8·i + j to position (2^m/64/8)·j + i.
#[inline(always)]
fn transpose(words: &mut [u64], copy: &mut [u64; 128]) {
    let (copy, row) = (&mut copy[..words.len()], words.len() / 8);
    copy.copy_from_slice(words);
    for (j, words) in words.chunks_exact_mut(row).enumerate() {
        for (i, word) in words.iter_mut().enumerate() {
            *word = copy[8 * i + j];
        }
    }
}

/// Reverses [`transpose`].
#[inline(always)]
fn transpose_back(words: &mut [u64], copy: &mut [u64; 128]) {
    let (copy, row) = (&mut copy[..words.len()], words.len() / 8);
    copy.copy_from_slice(words);
    for (i, words) in words.chunks_exact_mut(8).enumerate() {
        for (j, word) in words.iter_mut().enumerate() {
            *word = copy[row * j + i];
        }
    }
}

/// Multiplies the coefficients by the powers of δ for this step.
#[inline(always)]
fn scale<F: Field, L: Lanes>(l: L, coefficients: &mut Coefficients, step: usize, count: usize) {
    let powers = tables::<F>().scale[step].as_flattened();
    let flat = coefficients.as_flattened_mut();
    for at in (0..words_in_use(count)).step_by(L::WORDS) {
        let power = load::<F, L>(l, powers, COEFFICIENT_WORDS, at);
        let scaled = product::<F, L>(l, &load::<F, L>(l, flat, COEFFICIENT_WORDS, at), &power);
        store::<F, L>(l, &scaled, flat, COEFFICIENT_WORDS, at);
    }
}

/// Computes one level of the expansion in powers of x² + x. In every block of four quarters, each of 2^log
/// coefficients, adds quarter 3 to quarter 2, then quarter 2 to quarter 1.
#[inline(always)]
fn convert(bits: &mut [u64; COEFFICIENT_WORDS], log: usize) {
    add_quarter(bits, log, 3, 2);
    add_quarter(bits, log, 2, 1);
}

/// Computes the transpose of [`convert`].
#[inline(always)]
fn convert_back(bits: &mut [u64; COEFFICIENT_WORDS], log: usize) {
    add_quarter(bits, log, 1, 2);
    add_quarter(bits, log, 2, 3);
}

/// Adds quarter `from` to the neighbouring quarter `to` in every block of four quarters, each of 2^log
/// coefficients.
#[inline(always)]
fn add_quarter(bits: &mut [u64; COEFFICIENT_WORDS], log: usize, from: usize, to: usize) {
    if log >= 6 {
        let quarter = 1 << (log - 6);
        for word in 0..4 {
            if word / quarter % 4 == to {
                bits[word] ^= bits[word + from * quarter - to * quarter];
            }
        }
        return;
    }
    let q = 1 << log;
    if log == 5 {
        // each word holds two quarters
        for pair in bits[..4].chunks_exact_mut(2) {
            match (from, to) {
                (3, 2) => pair[1] ^= pair[1] >> 32,
                (2, 3) => pair[1] ^= pair[1] << 32,
                (2, 1) => pair[0] ^= pair[1] << 32,
                _ => pair[1] ^= pair[0] >> 32,
            }
        }
        return;
    }
    // the mask of one quarter in every block of a word
    let mask = quarter_mask(log) << (from * q);
    for word in &mut bits[..4] {
        let moved = *word & mask;
        *word ^= if from > to { moved >> q } else { moved << q };
    }
}

/// Returns the mask of the first quarter in every block of a word.
const fn quarter_mask(log: usize) -> u64 {
    let (mut mask, mut bit) = (0, 0);
    while bit < 64 {
        if (bit >> log) % 4 == 0 {
            mask |= 1 << bit;
        }
        bit += 1;
    }
    mask
}

/// Computes the parity of each word, and writes the parities as the bits of `out`.
#[inline(always)]
fn parities(words: &[u64], out: &mut [u64], copy: &mut [u64; 128]) {
    let folded = copy.first_chunk_mut::<64>().expect("64 of 128 words");
    for (words, out) in words.as_chunks::<64>().0.iter().zip(out) {
        // each step folds two words into one word that holds halves of both
        *folded = *words;
        for log in (0..6).rev() {
            let (half, mask) = (1 << log, low_bits(log));
            for i in 0..half {
                let (a, b) = (folded[i], folded[i + half]);
                let (a, b) = (a ^ a >> half, b ^ b << half);
                folded[i] = (a & mask) | (b & !mask);
            }
        }
        *out = folded[0];
    }
}

/// Returns the mask of the bits whose position has bit `log` unset.
const fn low_bits(log: usize) -> u64 {
    u64::MAX / ((1 << (1 << log)) + 1)
}

/// Bitslices single coefficients. All coefficients are secret.
#[inline(always)]
pub(crate) fn coefficients<F: Field>(elements: &[u16]) -> Coefficients {
    let mut bits = Coefficients::default();
    bitslice::<F>(elements, COEFFICIENT_WORDS, bits.as_flattened_mut());
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Kernel, at_level};
    use crate::field::{Gf12, Gf13, element, multiply};
    use crate::tables::position;
    use core::marker::PhantomData;
    use grille_hash::Level;
    use grille_stream::Stream;

    struct Evaluate<'a, F>(&'a [u16], PhantomData<fn() -> F>);

    impl<F: Field> Kernel for Evaluate<'_, F> {
        type Output = Zeroizing<Vec<u64>>;

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            evaluate::<F, L>(l, coefficients::<F>(self.0), true)
        }
    }

    struct PowerSums<'a, F>(&'a [u64], PhantomData<fn() -> F>);

    impl<F: Field> Kernel for PowerSums<'_, F> {
        type Output = Coefficients;

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            power_sums::<F, L>(l, Zeroizing::new(self.0.to_vec()))
        }
    }

    /// Returns the element at an index of the bitsliced `values`.
    fn at_index<F: Field>(values: &[u64], index: usize) -> u16 {
        let word = position::<F>(index / 64);
        (0..F::M).fold(0, |x, b| x | ((values[b * words::<F>() + word] >> (index % 64) & 1) as u16) << b)
    }

    fn check_evaluation<F: Field>() {
        let mut rng = Stream::new("polynomial");
        let polynomial: Vec<u16> = (0..words::<F>()).map(|_| rng.below(1 << F::M) as u16).collect();
        for level in Level::all() {
            let values = at_level(level, Evaluate::<F>(&polynomial, PhantomData));
            for index in 0..1 << F::M {
                let x = element::<F>(index as u16);
                let expected = polynomial.iter().rev().fold(1, |sum, c| multiply::<F>(sum, x) ^ c);
                assert_eq!(at_index::<F>(&values, index), expected, "{}, {index}", level.name());
            }
        }
    }

    fn check_power_sums<F: Field>() {
        let mut rng = Stream::new("values");
        let values: Vec<u64> = (0..F::M * words::<F>()).map(|_| u64::from_le_bytes(rng.bytes())).collect();
        let mut expected = vec![0; 2 * words::<F>()];
        for index in 0..1 << F::M {
            let (x, mut term) = (element::<F>(index as u16), at_index::<F>(&values, index));
            for sum in &mut expected {
                *sum ^= term;
                term = multiply::<F>(term, x);
            }
        }
        for level in Level::all() {
            let sums = at_level(level, PowerSums::<F>(&values, PhantomData));
            for (i, expected) in expected.iter().enumerate() {
                let sum = (0..F::M).fold(0, |sum, b| sum | ((sums[b][i / 64] >> (i % 64) & 1) as u16) << b);
                assert_eq!(sum, *expected, "{}, power {i}", level.name());
            }
        }
    }

    #[test]
    fn values_are_those_of_the_polynomial() {
        check_evaluation::<Gf12>();
        check_evaluation::<Gf13>();
    }

    #[test]
    fn power_sums_are_sums_of_powers() {
        check_power_sums::<Gf12>();
        check_power_sums::<Gf13>();
    }
}
