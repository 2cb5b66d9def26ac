//! Vectors of 16-bit numbers, and how they are loaded and stored.

use core::arch::aarch64::*;

/// Eight coefficients.
pub(super) type V = int16x8_t;

/// Returns the 32 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i16; 256]) -> &[[i16; 8]; 32] {
    coefficients.as_chunks().0.try_into().expect("256 = 32·8")
}

/// Returns the 32 vectors of a polynomial, mutable.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i16; 256]) -> &mut [[i16; 8]; 32] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 32·8")
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load(from: &[i16; 8]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no more alignment than `i16`.
    unsafe { vld1q_s16(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store(to: &mut [i16; 8], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no more alignment than `i16`.
    unsafe { vst1q_s16(to.as_mut_ptr(), v) }
}
