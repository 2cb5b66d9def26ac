//! Vectors of 32-bit numbers, and how they are loaded and stored.

use core::arch::wasm32::{v128, v128_load, v128_store};

/// Four coefficients.
pub(super) type V = v128;

/// Returns the 64 vectors of a polynomial.
#[inline(always)]
pub(super) fn vectors(coefficients: &[i32; 256]) -> &[[i32; 4]; 64] {
    coefficients.as_chunks().0.try_into().expect("256 = 64·4")
}

/// Returns the 64 vectors of a polynomial, mutable.
#[inline(always)]
pub(super) fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 4]; 64] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 64·4")
}

#[inline(always)]
pub(super) fn load(from: &[i32; 4]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
pub(super) fn store(to: &mut [i32; 4], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), v) }
}
