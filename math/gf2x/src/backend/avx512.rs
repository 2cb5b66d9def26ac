//! Products with VPCLMULQDQ, four pairs of words at a time.
//!
//! A block has four pairs, two in each half. With Karatsuba's method, a product of blocks takes three
//! products of halves, and a product of halves takes four products of pairs, which are computed in one
//! register.

use super::{BLOCK, Kernel, Multiplier, with_features};
use core::arch::x86_64::*;
use grille_cpu::Vpclmulqdq as Token;

/// The AVX-512 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 and VPCLMULQDQ. Every `unsafe` block here relies on this token.
    _token: Token,
}

impl Avx512 {
    pub(crate) const fn new(token: Token) -> Self {
        Self { _token: token }
    }
}

impl Multiplier for Avx512 {
    with_features!("avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq", block);
}

/// Computes c ← a·b.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq")]
fn block(a: &[u64], b: &[u64], c: &mut [u64]) {
    let (a, b): (&[u64; BLOCK], &[u64; BLOCK]) =
        (a.as_array().expect("a block"), b.as_array().expect("a block"));
    let c: &mut [u64; 2 * BLOCK] = c.as_mut_array().expect("twice a block");
    // SAFETY: the pointers are valid for eight words; the loads need no alignment.
    let (a, b) = unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
    // the pairs 0 1 0 1 of one half of a, and 0 1 1 0 of the same half of b
    let a_low = Factor::new(_mm512_shuffle_i64x2::<0b01_00_01_00>(a, a));
    let a_high = Factor::new(_mm512_shuffle_i64x2::<0b11_10_11_10>(a, a));
    let b_low = Factor::new(_mm512_shuffle_i64x2::<0b00_01_01_00>(b, b));
    let b_high = Factor::new(_mm512_shuffle_i64x2::<0b10_11_11_10>(b, b));
    let low = halves(a_low, b_low);
    let high = halves(a_high, b_high);
    let middle = three(halves(a_low.plus(a_high), b_low.plus(b_high)), low, high);
    let low = _mm512_xor_si512(low, _mm512_maskz_shuffle_i64x2::<0b01_00_00_00>(0b1111_0000, middle, middle));
    let high =
        _mm512_xor_si512(high, _mm512_maskz_shuffle_i64x2::<0b00_00_11_10>(0b0000_1111, middle, middle));
    // SAFETY: the pointers refer to the first and the last eight of 16 words; the stores need no alignment.
    unsafe {
        _mm512_storeu_si512(c.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(c.as_mut_ptr().add(BLOCK).cast(), high);
    }
}

/// Four pairs of words, each with the sum of its two words.
#[derive(Clone, Copy)]
struct Factor {
    pairs: __m512i,
    sums: __m512i,
}

impl Factor {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(pairs: __m512i) -> Self {
        Self { pairs, sums: _mm512_xor_si512(pairs, _mm512_shuffle_epi32::<0b01_00_11_10>(pairs)) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn plus(self, other: Self) -> Self {
        Self {
            pairs: _mm512_xor_si512(self.pairs, other.pairs),
            sums: _mm512_xor_si512(self.sums, other.sums),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// Computes the product of a half of one block and a half of another block, which is four pairs long: multiplies the
/// pairs 0·0, 1·1, 0·1 and 1·0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn halves(a: Factor, b: Factor) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(a.pairs, b.pairs);
    let high = _mm512_clmulepi64_epi128::<0x11>(a.pairs, b.pairs);
    let middle = three(_mm512_clmulepi64_epi128::<0x00>(a.sums, b.sums), low, high);
    let low = _mm512_xor_si512(low, _mm512_bslli_epi128::<8>(middle));
    let high = _mm512_xor_si512(high, _mm512_bsrli_epi128::<8>(middle));
    // 0·0 contributes to pairs 0 and 1, 1·1 to pairs 2 and 3, the other two to pairs 1 and 2
    let outer = _mm512_permutex2var_epi64(low, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), high);
    let first =
        _mm512_maskz_permutex2var_epi64(0b0011_1100, low, _mm512_set_epi64(0, 0, 13, 12, 5, 4, 0, 0), high);
    let second =
        _mm512_maskz_permutex2var_epi64(0b0011_1100, low, _mm512_set_epi64(0, 0, 15, 14, 7, 6, 0, 0), high);
    three(outer, first, second)
}
