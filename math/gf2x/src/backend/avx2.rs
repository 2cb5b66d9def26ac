//! Products with PCLMULQDQ. Each step multiplies two words by two words.

use super::{Multiplier, sums, with_features};
use crate::karatsuba::BLOCK;
use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;

/// The AVX2 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx2 {
    /// Proof that the processor has AVX2 and PCLMULQDQ. Every `unsafe` block here relies on this token.
    _token: Token,
}

impl Avx2 {
    pub(crate) const fn new(token: Token) -> Self {
        Self { _token: token }
    }
}

impl Multiplier for Avx2 {
    with_features!("avx2,pclmulqdq", multiply_block);
}

/// A pair of words.
type Pair = __m128i;

/// Computes c ← a·b.
#[target_feature(enable = "avx2,pclmulqdq")]
fn multiply_block(a: &[u64; BLOCK], b: &[u64; BLOCK], c: &mut [u64; 2 * BLOCK]) {
    let [a0, a1] = halves(a);
    let [b0, b1] = halves(b);
    let low = multiply_quads(a0, b0);
    let high = multiply_quads(a1, b1);
    let middle = multiply_quads(sum(a0, a1), sum(b0, b1));
    let shared = sum([low[2], low[3]], [high[0], high[1]]);
    let c1 = sum(sum(shared, [low[0], low[1]]), [middle[0], middle[1]]);
    let c2 = sum(sum(shared, [high[2], high[3]]), [middle[2], middle[3]]);
    let pairs = [low[0], low[1], c1[0], c1[1], c2[0], c2[1], high[2], high[3]];
    for (words, pair) in c.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
        // SAFETY: the pointer is valid for two words; the store needs no alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), pair) };
    }
}

/// Returns the two pairs of words of each half.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(words: &[u64; BLOCK]) -> [[Pair; 2]; 2] {
    let pairs = words.as_chunks::<2>().0;
    [0, 1].map(|half| {
        [0, 1].map(|pair| {
            // SAFETY: the pointer is valid for two words; the load needs no alignment.
            unsafe { _mm_loadu_si128(pairs[2 * half + pair].as_ptr().cast()) }
        })
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(a: [Pair; 2], b: [Pair; 2]) -> [Pair; 2] {
    [_mm_xor_si128(a[0], b[0]), _mm_xor_si128(a[1], b[1])]
}

/// Multiplies four words by four words.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn multiply_quads(a: [Pair; 2], b: [Pair; 2]) -> [Pair; 4] {
    let low = multiply_pairs(a[0], b[0]);
    let high = multiply_pairs(a[1], b[1]);
    let middle = multiply_pairs(_mm_xor_si128(a[0], a[1]), _mm_xor_si128(b[0], b[1]));
    let shared = _mm_xor_si128(low[1], high[0]);
    let c1 = _mm_xor_si128(shared, _mm_xor_si128(low[0], middle[0]));
    let c2 = _mm_xor_si128(shared, _mm_xor_si128(high[1], middle[1]));
    [low[0], c1, c2, high[1]]
}

/// Multiplies two words by two words.
#[inline]
#[target_feature(enable = "avx2,pclmulqdq")]
fn multiply_pairs(a: Pair, b: Pair) -> [Pair; 2] {
    let low = _mm_clmulepi64_si128::<0x00>(a, b);
    let high = _mm_clmulepi64_si128::<0x11>(a, b);
    let middle = _mm_xor_si128(_mm_clmulepi64_si128::<0x01>(a, b), _mm_clmulepi64_si128::<0x10>(a, b));
    [_mm_xor_si128(low, _mm_slli_si128::<8>(middle)), _mm_xor_si128(high, _mm_srli_si128::<8>(middle))]
}
