//! Products with VPCLMULQDQ, four pairs of words at a time.
//!
//! A block is four pairs a₀ … a₃. Multiplying it by the other block rotated by r pairs yields the products aᵢ·bᵢ₊ᵣ, which
//! belong to column 2·i + r, or 2·i + r − 4 where i + r wraps around. So even rotations fill the even columns 0, 2, 4, 6, and
//! odd ones the odd columns 1, 3, 5.

use super::{Multiplier, sums, with_features};
use crate::karatsuba::BLOCK;
use core::arch::x86_64::*;
use grille_cpu::Vpclmulqdq as Token;

/// The kernels of this file.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 and VPCLMULQDQ: every `unsafe` here rests on it.
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

/// The product of two pairs of words, without its inner sums: low·low, low·high + high·low, high·high, in four lanes.
#[derive(Clone, Copy)]
struct Parts {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
}

/// c ← a·b.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,vpclmulqdq")]
fn block(a: &[u64; BLOCK], b: &[u64; BLOCK], c: &mut [u64; 2 * BLOCK]) {
    // SAFETY: the pointers are to eight words.
    let (a, b) = unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
    let even = even_columns(pairs(a, b), pairs(a, _mm512_shuffle_i64x2::<0b01_00_11_10>(b, b)));
    let odd = odd_columns(
        pairs(a, _mm512_shuffle_i64x2::<0b00_11_10_01>(b, b)),
        pairs(a, _mm512_shuffle_i64x2::<0b10_01_00_11>(b, b)),
    );
    // An odd column carries into the next even one, a lane further.
    let carried = |lanes: __m512i| _mm512_maskz_shuffle_i64x2::<0b10_01_00_00>(0b1111_1100, lanes, lanes);
    let even_sum = three(
        _mm512_xor_si512(even.low, carried(odd.high)),
        _mm512_bslli_epi128::<8>(even.middle),
        _mm512_bsrli_epi128::<8>(carried(odd.middle)),
    );
    let odd_sum = three(
        _mm512_xor_si512(odd.low, even.high),
        _mm512_bslli_epi128::<8>(odd.middle),
        _mm512_bsrli_epi128::<8>(even.middle),
    );
    let low = _mm512_permutex2var_epi64(even_sum, _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), odd_sum);
    let high = _mm512_permutex2var_epi64(even_sum, _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4), odd_sum);
    // SAFETY: the pointers are to the first and the last eight of 16 words.
    unsafe {
        _mm512_storeu_si512(c.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(c.as_mut_ptr().add(BLOCK).cast(), high);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn three(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

/// aᵢ·bᵢ for each pair.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn pairs(a: __m512i, b: __m512i) -> Parts {
    Parts {
        low: _mm512_clmulepi64_epi128::<0x00>(a, b),
        middle: _mm512_xor_si512(
            _mm512_clmulepi64_epi128::<0x01>(a, b),
            _mm512_clmulepi64_epi128::<0x10>(a, b),
        ),
        high: _mm512_clmulepi64_epi128::<0x11>(a, b),
    }
}

/// Columns 0, 2, 4, 6 from the products with rotations by 0 and 2: the latter belong to columns 2, 4, 2, 4.
#[inline]
#[target_feature(enable = "avx512f")]
fn even_columns(by_0: Parts, by_2: Parts) -> Parts {
    let join = |straight: __m512i, rotated: __m512i| {
        let first = _mm512_maskz_shuffle_i64x2::<0b00_01_00_00>(0b0011_1100, rotated, rotated);
        let second = _mm512_maskz_shuffle_i64x2::<0b00_11_10_00>(0b0011_1100, rotated, rotated);
        three(straight, first, second)
    };
    Parts {
        low: join(by_0.low, by_2.low),
        middle: join(by_0.middle, by_2.middle),
        high: join(by_0.high, by_2.high),
    }
}

/// Columns 1, 3, 5 and an empty one from the products with rotations by 1, of columns 1, 3, 5, 3, and by 3, of columns
/// 3, 1, 3, 5.
#[inline]
#[target_feature(enable = "avx512f")]
fn odd_columns(by_1: Parts, by_3: Parts) -> Parts {
    let join = |by_1: __m512i, by_3: __m512i| {
        let straight = _mm512_maskz_mov_epi64(0b0011_1111, by_1);
        let wrapped = _mm512_maskz_shuffle_i64x2::<0b00_00_11_00>(0b0000_1100, by_1, by_1);
        let first = _mm512_maskz_shuffle_i64x2::<0b00_11_00_01>(0b0011_1111, by_3, by_3);
        let second = _mm512_maskz_shuffle_i64x2::<0b00_00_10_00>(0b0000_1100, by_3, by_3);
        _mm512_xor_si512(three(straight, wrapped, first), second)
    };
    Parts {
        low: join(by_1.low, by_3.low),
        middle: join(by_1.middle, by_3.middle),
        high: join(by_1.high, by_3.high),
    }
}
