//! Vectors of 32-bit numbers, and how they are loaded and stored.

use core::arch::x86_64::*;

/// A vector of sixteen coefficients, or of other 32-bit numbers.
pub(super) type V = __m512i;

/// Returns the 16 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i32; 256]) -> &[[i32; 16]; 16] {
    coefficients.as_chunks().0.try_into().expect("256 = 16·16")
}

/// Returns the 16 vectors of a polynomial, for writing.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 16]; 16] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 16·16")
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[i32; 16]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [i32; 16], v: V) {
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Loads bytes as a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_table(from: &[u8; 64]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Loads all of at most 64 bytes, and fills the rest of the vector with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn load_low(bytes: &[u8]) -> V {
    // SAFETY: the mask has one bit for each byte of `bytes`; masked-out bytes are not read.
    unsafe { _mm512_maskz_loadu_epi8(low_mask(bytes.len()), bytes.as_ptr().cast()) }
}

/// Returns a mask of the lowest `len` bits, from 1 to 64.
#[inline(always)]
pub(super) const fn low_mask(len: usize) -> u64 {
    u64::MAX >> (64 - if len < 64 { len } else { 64 })
}
