//! Vectors of 16-bit numbers, and how they are loaded and stored.

use core::arch::wasm32::{v128, v128_load, v128_store};

/// Eight coefficients.
pub(super) type V = v128;

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

#[inline(always)]
pub(super) fn load(from: &[i16; 8]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
pub(super) fn store(to: &mut [i16; 8], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), v) }
}
