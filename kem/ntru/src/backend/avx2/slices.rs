//! Bit slices in vectors of four words.

use core::arch::x86_64::*;

/// Implements [`Slices::load_words`](crate::backend::slices::Slices::load_words).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_words(words: &[u64]) -> __m256i {
    let words: &[u64; 4] = words.first_chunk().expect("4 words");
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Implements [`Slices::store_words`](crate::backend::slices::Slices::store_words).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_words(words: &mut [u64], v: __m256i) {
    let words: &mut [u64; 4] = words.first_chunk_mut().expect("4 words");
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), v) }
}

/// Implements [`Slices::splat`](crate::backend::slices::Slices::splat).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn splat(word: u64) -> __m256i {
    _mm256_set1_epi64x(word.cast_signed())
}

/// Implements [`Slices::first`](crate::backend::slices::Slices::first).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn first(v: __m256i) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(v)).cast_unsigned()
}

/// Implements [`Slices::rotate_up`](crate::backend::slices::Slices::rotate_up).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rotate_up(v: __m256i) -> __m256i {
    let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(v);
    _mm256_sllv_epi64(turned, _mm256_setr_epi64x(1, 0, 0, 0))
}

/// Implements [`Slices::rotate_down`](crate::backend::slices::Slices::rotate_down).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rotate_down(v: __m256i) -> __m256i {
    let turned = _mm256_permute4x64_epi64::<0b00_11_10_01>(v);
    _mm256_srlv_epi64(turned, _mm256_setr_epi64x(0, 0, 0, 1))
}

/// Implements [`Slices::and_not`](crate::backend::slices::Slices::and_not).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn and_not(a: __m256i, b: __m256i) -> __m256i {
    _mm256_andnot_si256(b, a)
}

/// Implements [`Slices::select`](crate::backend::slices::Slices::select).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn select(mask: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_blendv_epi8(a, b, mask)
}
