//! Bit slices in vectors of eight words.

use core::arch::x86_64::*;

/// Implements [`Slices::load_words`](crate::backend::slices::Slices::load_words).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_words(words: &[u64]) -> __m512i {
    let words: &[u64; 8] = words.first_chunk().expect("8 words");
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Implements [`Slices::store_words`](crate::backend::slices::Slices::store_words).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_words(words: &mut [u64], v: __m512i) {
    let words: &mut [u64; 8] = words.first_chunk_mut().expect("8 words");
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), v) }
}

/// Implements [`Slices::splat`](crate::backend::slices::Slices::splat).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn splat(word: u64) -> __m512i {
    _mm512_set1_epi64(word.cast_signed())
}

/// Implements [`Slices::first`](crate::backend::slices::Slices::first).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn first(v: __m512i) -> u64 {
    _mm_cvtsi128_si64(_mm512_castsi512_si128(v)).cast_unsigned()
}

/// Implements [`Slices::rotate_up`](crate::backend::slices::Slices::rotate_up).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn rotate_up(v: __m512i) -> __m512i {
    let turned = _mm512_alignr_epi64::<7>(v, v);
    _mm512_mask_slli_epi64::<1>(turned, 1, turned)
}

/// Implements [`Slices::rotate_down`](crate::backend::slices::Slices::rotate_down).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn rotate_down(v: __m512i) -> __m512i {
    let turned = _mm512_alignr_epi64::<1>(v, v);
    _mm512_mask_srli_epi64::<1>(turned, 0x80, turned)
}

/// Implements [`Slices::and_not`](crate::backend::slices::Slices::and_not).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn and_not(a: __m512i, b: __m512i) -> __m512i {
    _mm512_andnot_si512(b, a)
}

/// Implements [`Slices::xor_masked`](crate::backend::slices::Slices::xor_masked).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn xor_masked(mask: __mmask8, a: __m512i, b: __m512i) -> __m512i {
    _mm512_mask_xor_epi64(a, mask, a, b)
}

/// Implements [`Slices::sum_masked`](crate::backend::slices::Slices::sum_masked).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn sum_masked(
    mask: __mmask8,
    [a, negative]: [__m512i; 2],
    b: __m512i,
    differ: __m512i,
) -> [__m512i; 2] {
    // computes b ∧ (differ ⊕ a)
    let changes = _mm512_ternarylogic_epi64::<0b0110_0000>(b, differ, a);
    // computes b, or ¬b ∨ changes if a is set
    let nonzero = _mm512_mask_ternarylogic_epi64::<0b1011_1100>(a, mask, b, changes);
    [nonzero, xor_masked(mask, negative, changes)]
}
