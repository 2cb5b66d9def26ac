//! The Reed–Solomon code: n₁ symbols of GF(2⁸). The last k symbols are the message. The code corrects δ symbols.
//!
//! A codeword is a polynomial with coefficient j at position j, and a multiple of g(X) = (X − α)·…·(X − α^2δ). All
//! computations add constant rows multiplied by elements, so their time does not depend on the positions or the number
//! of errors.

use crate::field::{Row, add, find_zero_bytes, multiply, multiply_word, power, splat};
use crate::params::Params;
use core::marker::PhantomData;
use grille_core::ct;

/// The largest n₁, the number of symbols of a codeword.
const MAX_N1: usize = 90;
/// The largest k, the number of symbols of a message.
const MAX_K: usize = 32;
/// The largest δ, the number of symbols that are corrected.
const MAX_DELTA: usize = 29;

/// A codeword, stored in the first n₁ bytes.
pub(crate) type Codeword = [u8; MAX_N1];
/// A message, stored in the first k bytes.
pub(crate) type Message = [u8; MAX_K];

/// The rows of constants for one code.
struct Rows<P>(PhantomData<P>);

impl<P: Params> Rows<P> {
    /// g(X) without its leading term.
    const GENERATOR: Row = {
        // the product of (X − α^i), the lowest coefficient first
        let mut g = [0u8; 2 * MAX_DELTA + 1];
        g[0] = 1;
        let mut degree = 0;
        while degree < 2 * P::DELTA {
            let root = power(degree + 1);
            let mut i = degree + 1;
            while i > 0 {
                g[i] = g[i - 1] ^ product(g[i], root);
                i -= 1;
            }
            g[0] = product(g[0], root);
            degree += 1;
        }
        let mut row = [0u8; 64];
        let mut i = 0;
        while i < 2 * P::DELTA {
            row[i] = g[i];
            i += 1;
        }
        words(&row)
    };

    /// Row i: X^(2δ + i) modulo g(X), the contribution of message symbol i to the parity symbols.
    const PARITY: [Row; MAX_K] = {
        let mut rows = [[0; 8]; MAX_K];
        let mut remainder = Self::GENERATOR;
        let mut i = 0;
        while i < P::K {
            rows[i] = remainder;
            remainder = times_x::<P>(&remainder, &Self::GENERATOR);
            i += 1;
        }
        rows
    };

    /// Row j: α^j, α^2j, …, the contribution of symbol j to the syndromes.
    const SYNDROMES: [Row; MAX_N1] = {
        let mut rows = [[0; 8]; MAX_N1];
        let mut j = 0;
        while j < P::N1 {
            rows[j] = powers(j, j, 2 * P::DELTA);
            j += 1;
        }
        rows
    };

    /// Row i: zⱼ^i for the positions j of the message, where zⱼ = α^−j.
    const POSITION_POWERS: [Row; MAX_DELTA + 1] = {
        let mut rows = [[0; 8]; MAX_DELTA + 1];
        let mut i = 0;
        while i <= P::DELTA {
            rows[i] = Self::message_positions(i);
            i += 1;
        }
        rows
    };

    /// zⱼ^(2δ + 1) for the positions j of the message.
    const FORNEY_FACTORS: Row = Self::message_positions(2 * P::DELTA + 1);

    /// Returns zⱼ^exponent for the positions j of the message, the first of which is 2δ.
    const fn message_positions(exponent: usize) -> Row {
        let step = (255 - exponent % 255) % 255;
        powers(2 * P::DELTA * step, step, P::K)
    }
}

/// Returns the product of two elements.
#[inline]
const fn product(a: u8, b: u8) -> u8 {
    multiply_word(a as u64, b as u64) as u8
}

/// Returns the row with these bytes.
#[inline]
const fn words(bytes: &[u8; 64]) -> Row {
    let mut row = [0; 8];
    let mut i = 0;
    while i < 64 {
        row[i / 8] |= (bytes[i] as u64) << (8 * (i % 8));
        i += 1;
    }
    row
}

/// Returns α^first, α^(first + step), …: `count` elements.
#[inline]
const fn powers(first: usize, step: usize, count: usize) -> Row {
    let mut bytes = [0; 64];
    let (mut element, factor) = (power(first), power(step));
    let mut i = 0;
    while i < count {
        bytes[i] = element;
        element = product(element, factor);
        i += 1;
    }
    words(&bytes)
}

/// Computes X·remainder modulo g(X), which has degree 2δ.
#[inline]
const fn times_x<P: Params>(remainder: &Row, generator: &Row) -> Row {
    let top = 2 * P::DELTA - 1;
    let leading = (remainder[top / 8] >> (8 * (top % 8))) as u8;
    let mut next = [0; 8];
    let mut i = 0;
    while i < 8 {
        let carry = if i == 0 { 0 } else { remainder[i - 1] >> 56 };
        next[i] = (remainder[i] << 8 | carry) ^ multiply_word(generator[i], splat(leading));
        i += 1;
    }
    // removes the leading term
    next[(top + 1) / 8] &= !(0xFF << (8 * ((top + 1) % 8)));
    next
}

/// Encodes the first k bytes of a message.
#[inline(always)]
pub(crate) fn encode<P: Params>(message: &Message) -> Codeword {
    let parity = combination(&message[..P::K], &Rows::<P>::PARITY, |_| true);
    let mut codeword = [0; MAX_N1];
    let parity: [u8; 64] = bytes(&parity);
    codeword[..2 * P::DELTA].copy_from_slice(&parity[..2 * P::DELTA]);
    codeword[2 * P::DELTA..P::N1].copy_from_slice(&message[..P::K]);
    codeword
}

/// Returns the message of the codeword that differs from `received` in at most δ symbols. If there is none, returns an
/// arbitrary message.
#[inline(always)]
pub(crate) fn decode<P: Params>(received: &Codeword) -> Message {
    let syndromes = combination(&received[..P::N1], &Rows::<P>::SYNDROMES, |_| true);
    let [locator, evaluator] = key_equation::<P>(&syndromes);
    // Λ(z) in two halves, and Ω(z), at each position of the message
    let even = combination(&locator, &Rows::<P>::POSITION_POWERS, |i| i % 2 == 0);
    let odd = combination(&locator, &Rows::<P>::POSITION_POWERS, |i| i % 2 == 1);
    let value = combination(&evaluator[..P::DELTA], &Rows::<P>::POSITION_POWERS, |_| true);
    // Forney: where Λ(zⱼ) = 0, the error is zⱼ^(2δ + 1)·Ω(zⱼ) divided by the odd half of Λ(zⱼ)
    let errors = multiply(&multiply(&value, &Rows::<P>::FORNEY_FACTORS), &inverse(&odd));
    let roots = add(&even, &odd).map(find_zero_bytes);
    let errors: [u8; 64] = bytes(&core::array::from_fn(|word| errors[word] & roots[word]));
    core::array::from_fn(|i| if i < P::K { received[2 * P::DELTA + i] ^ errors[i] } else { 0 })
}

/// Multiplies each row by the element with the same index, and returns the sum of the products whose indices `takes`
/// accepts.
#[inline(always)]
fn combination(elements: &[u8], rows: &[Row], takes: impl Fn(usize) -> bool) -> Row {
    let mut sum = [0; 8];
    for (i, (element, row)) in elements.iter().zip(rows).enumerate() {
        if takes(i) {
            sum = add(&sum, &multiply(row, &[splat(*element); 8]));
        }
    }
    sum
}

/// Computes a⁻¹ = a²⁵⁴ for each element, and 0 for 0.
#[inline(always)]
fn inverse(a: &Row) -> Row {
    let square = |a: &Row| multiply(a, a);
    let a2 = square(a);
    let a3 = multiply(&a2, a);
    let a12 = square(&square(&a3));
    let a15 = multiply(&a12, &a3);
    let a240 = (0..4).fold(a15, |power, _| square(&power));
    multiply(&multiply(&a240, &a12), &a2)
}

#[inline(always)]
fn bytes(row: &Row) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(row) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// The coefficients of the two polynomials of the key equation, one after the other: 3·δ + 1 elements in all.
type Pair = [Row; 2];

/// Computes the error locator Λ and the error evaluator Ω, which is the higher half of Λ·S. Both results have the same
/// unknown factor. Coefficients are ordered lowest first. Runs the reformulated inversionless Berlekamp–Massey
/// algorithm (Sarwate and Shanbhag 2001), in 2·δ equal steps.
#[inline(always)]
fn key_equation<P: Params>(syndromes: &Row) -> [[u8; MAX_DELTA + 1]; 2] {
    let (t, rows) = (P::DELTA, (3 * P::DELTA + 1).div_ceil(64));
    let mut delta: Pair = [*syndromes, [0; 8]];
    delta[3 * t / 64][3 * t % 64 / 8] |= 1 << (8 * (3 * t % 8));
    let mut theta = delta;
    let (mut gamma, mut k) = (splat(1), 0i32);
    for _ in 0..2 * t {
        let discrepancy = splat(delta[0][0] as u8);
        let shifted = shift(&delta);
        let is_nonnegative = ct::mask(u64::from((!k as u32) >> 31).wrapping_neg());
        // δ ≠ 0 and k ≥ 0
        let replace = ct::mask(!find_zero_bytes(discrepancy) & is_nonnegative);
        for row in 0..rows {
            let scaled = multiply(&shifted[row], &[gamma; 8]);
            delta[row] = add(&scaled, &multiply(&theta[row], &[discrepancy; 8]));
            for word in 0..8 {
                theta[row][word] ^= (theta[row][word] ^ shifted[row][word]) & replace;
            }
        }
        gamma ^= (gamma ^ discrepancy) & replace;
        // k ← −k − 1 or k + 1
        k = (k ^ replace as u32 as i32) + 1 - (replace as u32 & 1) as i32;
    }
    let coefficient = |i: usize| (delta[i / 64][i % 64 / 8] >> (8 * (i % 8))) as u8;
    let from = |first: usize, count: usize| {
        core::array::from_fn(|i| if i < count { coefficient(first + i) } else { 0 })
    };
    [from(t, t + 1), from(0, t)]
}

/// Moves each element to the position before it, and discards the first element.
#[inline(always)]
fn shift(pair: &Pair) -> Pair {
    let [low, high] = pair;
    let next = |row: &Row, beyond: u64| -> Row {
        core::array::from_fn(|word| row[word] >> 8 | if word < 7 { row[word + 1] } else { beyond } << 56)
    };
    [next(low, high[0]), next(high, 0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Hqc1, Hqc3, Hqc5};

    /// Returns a generator of pseudorandom numbers.
    fn random(seed: u64) -> impl FnMut() -> usize {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        }
    }

    fn message<P: Params>(random: &mut impl FnMut() -> usize) -> Message {
        core::array::from_fn(|i| if i < P::K { random() as u8 } else { 0 })
    }

    fn check_correction<P: Params>() {
        let mut random = random(P::N as u64);
        for errors in (0..=P::DELTA).chain([P::DELTA; 20]) {
            let message = message::<P>(&mut random);
            let mut received = encode::<P>(&message);
            let mut hit = [false; MAX_N1];
            while hit.iter().filter(|hit| **hit).count() < errors {
                let position = random() % P::N1;
                if !hit[position] {
                    hit[position] = true;
                    received[position] ^= 1 + (random() % 255) as u8;
                }
            }
            assert_eq!(decode::<P>(&received), message, "{}: {errors} errors", P::NAME);
        }
    }

    #[test]
    fn corrects_up_to_delta_errors() {
        check_correction::<Hqc1>();
        check_correction::<Hqc3>();
        check_correction::<Hqc5>();
    }

    /// Compares the first coefficients of g(X) with those printed in the specification.
    #[test]
    fn generator_matches_the_specification() {
        let first = |row: &Row| row[0].to_le_bytes();
        assert_eq!(first(&Rows::<Hqc1>::GENERATOR), [89, 69, 153, 116, 176, 117, 111, 75]);
    }

    #[test]
    fn codewords_have_zero_syndromes() {
        let mut random = random(1);
        let codeword = encode::<Hqc5>(&message::<Hqc5>(&mut random));
        assert_eq!(combination(&codeword, &Rows::<Hqc5>::SYNDROMES, |_| true), [0; 8]);
    }

    #[test]
    fn more_than_delta_errors_do_not_panic() {
        let mut random = random(2);
        for _ in 0..1000 {
            let received = core::array::from_fn(|_| random() as u8);
            decode::<Hqc1>(&received);
            decode::<Hqc5>(&received);
        }
    }

    #[test]
    fn inverses_match_the_definition() {
        for a in 1..=255 {
            let row = [splat(a); 8];
            assert_eq!(multiply(&row, &inverse(&row)), [splat(1); 8]);
        }
        assert_eq!(inverse(&[0; 8]), [0; 8]);
    }
}
