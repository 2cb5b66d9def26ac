//! Inverses modulo (2, Φₙ) with carry-less products. The steps are those of [`divsteps`](super::divsteps), but
//! many steps are computed at once from the lowest words of f and g. A pair of polynomials is stored as pairs
//! of words: bit i mod 64 of the two words with index ⌊i/64⌋ holds their coefficients of xⁱ.
//!
//! A 2×2 matrix of polynomials describes several steps. Its rows are initially (1, 0) and (0, 1). A step
//! replaces the first row with x times itself, or with x times the second row if it exchanges f and g, and adds
//! g₀ times the first row to the second. After k steps, the matrix times (f, g) is xᵏ times the new f and g.
//! The pair (x·v, r) is multiplied by the same matrix.

use super::divsteps::update_delta;
use core::arch::x86_64::*;
use grille_core::secret;

/// The number of words of the longest polynomial.
const MAX_WORDS: usize = 1408 / 64;
/// The number of steps that are computed at once, which is the largest degree of a polynomial in a word.
const JUMP: usize = 63;

/// Implements [`Backend::invert_mod2`](super::Backend::invert_mod2). `a` and `inverse` have n coefficients
/// each.
#[target_feature(enable = "sse2,pclmulqdq")]
pub(super) fn invert_mod2(a: &[u16], inverse: &mut [u16]) {
    let n = a.len();
    let words = n.div_ceil(64);
    let (mut fg, mut vr) = ([[0; 2]; MAX_WORDS], [[0; 2]; MAX_WORDS]);
    for (fg, a) in fg.iter_mut().zip(a.chunks(64)) {
        // all coefficients of Φₙ are 1
        *fg = [u64::MAX >> (64 - a.len()), a.iter().rev().fold(0, |word, a| word << 1 | u64::from(*a))];
    }
    vr[0][1] = 1;
    let steps = 2 * (n - 1) - 1;
    let (mut delta, mut done) = (1, 0);
    while done < steps {
        let count = JUMP.min(steps - done);
        let matrix = jump(count, fg[0], &mut delta);
        // the words that the remaining steps depend on
        let live = ((steps - done) / 64 + 1).min(words);
        multiply_and_divide(matrix, count, &mut fg[..live]);
        done += count;
        // each step increases the degree by one
        multiply(matrix, &mut vr[..(done / 64 + 1).min(words)]);
    }
    // multiplies by x³; v already contains one factor x of x⁴
    let mut digits = [0; 64 * MAX_WORDS];
    for ([v, _], digits) in vr[..words].iter().zip(digits.as_chunks_mut::<64>().0) {
        *digits = core::array::from_fn(|i| (v >> i) as u16 & 1);
    }
    inverse[3..].copy_from_slice(&digits[..n - 3]);
    inverse[..3].copy_from_slice(&digits[n - 3..n]);
    secret::erase(&mut digits);
    secret::erase(fg.as_flattened_mut());
    secret::erase(vr.as_flattened_mut());
}

/// A matrix of two rows, each with two polynomials.
type Matrix = [__m128i; 2];

/// Computes the matrix of up to 63 steps from the lowest words of f and g.
#[inline]
#[target_feature(enable = "sse2")]
fn jump(steps: usize, [mut f, mut g]: [u64; 2], delta: &mut i64) -> Matrix {
    let ([mut u, mut v], [mut q, mut r]) = ([1u64, 0u64], [0u64, 1u64]);
    for _ in 0..steps {
        let odd = (g & 1).wrapping_neg();
        let swap = update_delta(odd, delta);
        let [next_f, next_u, next_v] = [[f, g], [u, q], [v, r]].map(|[a, b]| a ^ (a ^ b) & swap);
        (g, q, r) = ((g ^ f & odd) >> 1, q ^ u & odd, r ^ v & odd);
        (f, u, v) = (next_f, next_u << 1, next_v << 1);
    }
    let row = |low: u64, high: u64| _mm_set_epi64x(high.cast_signed(), low.cast_signed());
    [row(u, v), row(q, r)]
}

/// Multiplies the matrix by a pair of words. Returns the lower words of both products, and the upper words.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn times(matrix: Matrix, pair: [u64; 2]) -> [__m128i; 2] {
    let pair = _mm_set_epi64x(pair[1].cast_signed(), pair[0].cast_signed());
    let product =
        |row| _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(row, pair), _mm_clmulepi64_si128::<0x11>(row, pair));
    let [first, second] = [product(matrix[0]), product(matrix[1])];
    [_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second)]
}

/// Returns the two words of a vector.
#[inline]
#[target_feature(enable = "sse2")]
fn vector_words(pair: __m128i) -> [u64; 2] {
    [pair, _mm_unpackhi_epi64(pair, pair)].map(|half| _mm_cvtsi128_si64(half).cast_unsigned())
}

/// Computes pair ← matrix·pair. Discards the coefficients beyond the last word of `pair`.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn multiply(matrix: Matrix, pair: &mut [[u64; 2]]) {
    let mut carry = _mm_setzero_si128();
    for words in pair {
        let [low, high] = times(matrix, *words);
        *words = vector_words(_mm_xor_si128(low, carry));
        carry = high;
    }
}

/// Computes pair ← matrix·pair/xᵏ, an exact division, for k from 1 to 63.
#[inline]
#[target_feature(enable = "sse2,pclmulqdq")]
fn multiply_and_divide(matrix: Matrix, k: usize, pair: &mut [[u64; 2]]) {
    let (down, up) = (_mm_cvtsi64_si128(k as i64), _mm_cvtsi64_si128(64 - k as i64));
    let [mut low, mut carry] = times(matrix, pair[0]);
    for i in 0..pair.len() {
        let next = pair.get(i + 1).map_or([_mm_setzero_si128(); 2], |pair| times(matrix, *pair));
        let above = _mm_xor_si128(next[0], carry);
        pair[i] = vector_words(_mm_or_si128(_mm_srl_epi64(low, down), _mm_sll_epi64(above, up)));
        (low, carry) = (above, next[1]);
    }
}
