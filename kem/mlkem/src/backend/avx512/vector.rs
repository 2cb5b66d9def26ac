//! Vectors of 16-bit numbers, and how they are loaded and stored.

use core::arch::x86_64::*;

/// A vector of 32 coefficients, or of other 16-bit numbers.
pub(super) type V = __m512i;

/// Returns the 8 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i16; 256]) -> &[[i16; 32]; 8] {
    coefficients.as_chunks().0.try_into().expect("256 = 8·32")
}

/// Returns the 8 vectors of a polynomial, mutable.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i16; 256]) -> &mut [[i16; 32]; 8] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 8·32")
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[i16; 32]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [i16; 32], v: V) {
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Loads a constant table as a vector.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_table(from: &[u8; 64]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Loads up to 64 bytes, followed by zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn load_bytes(from: &[u8]) -> V {
    // SAFETY: the mask covers exactly the slice; masked-out bytes are not read.
    unsafe { _mm512_maskz_loadu_epi8(lowest(from.len()), from.as_ptr().cast()) }
}

/// Stores the first `to.len()` bytes, up to 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
pub(super) fn store_bytes(to: &mut [u8], v: V) {
    // SAFETY: the mask covers exactly the slice; masked-out bytes are not written.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), lowest(to.len()), v) }
}

/// Returns a mask of the lowest `n` bits, or all 64 bits if `n` is larger.
#[inline]
#[target_feature(enable = "bmi2")]
fn lowest(n: usize) -> u64 {
    _bzhi_u64(u64::MAX, n.min(64) as u32)
}
