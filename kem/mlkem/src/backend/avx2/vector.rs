//! Vectors of 16-bit numbers, and how they are loaded and stored.

use core::arch::x86_64::*;

/// Sixteen coefficients, or other 16-bit numbers.
pub(super) type V = __m256i;

/// Returns the 16 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i16; 256]) -> &[[i16; 16]; 16] {
    coefficients.as_chunks().0.try_into().expect("256 = 16·16")
}

/// Returns the 16 vectors of a polynomial, mutable.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i16; 256]) -> &mut [[i16; 16]; 16] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 16·16")
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(from: &[i16; 16]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(to: &mut [i16; 16], v: V) {
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_half(to: &mut [i16; 8], v: __m128i) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), v) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_bytes(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Loads a constant table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_table(from: &[u8; 32]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
