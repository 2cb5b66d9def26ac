//! Vectors of 32-bit numbers, and how they are loaded and stored.

use core::arch::aarch64::*;

/// Four coefficients.
pub(super) type V = int32x4_t;

/// Returns the 64 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i32; 256]) -> &[[i32; 4]; 64] {
    coefficients.as_chunks().0.try_into().expect("256 = 64·4")
}

/// Returns the 64 vectors of a polynomial, for writing.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 4]; 64] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 64·4")
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load(from: &[i32; 4]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no more alignment than `i32`.
    unsafe { vld1q_s32(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store(to: &mut [i32; 4], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no more alignment than `i32`.
    unsafe { vst1q_s32(to.as_mut_ptr(), v) }
}
