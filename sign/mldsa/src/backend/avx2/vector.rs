//! Vectors of 32-bit numbers, and how they are loaded and stored.

use core::arch::x86_64::*;

/// A vector of eight coefficients, or of other 32-bit numbers.
pub(super) type V = __m256i;

/// Returns the 32 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i32; 256]) -> &[[i32; 8]; 32] {
    coefficients.as_chunks().0.try_into().expect("256 = 32·8")
}

/// Returns the 32 vectors of a polynomial, for writing.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 8]; 32] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 32·8")
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(from: &[i32; 8]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(to: &mut [i32; 8], v: V) {
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
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
