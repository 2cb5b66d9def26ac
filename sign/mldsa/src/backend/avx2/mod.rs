//! Kernels with 256-bit vectors of eight coefficients.

mod ntt;
mod pack;
mod round;
mod sample;
mod small_ntt;

use super::{Backend, Operation, kernels};
use crate::poly::{HintPoly, NttPoly, Poly};
use crate::small_ntt::SmallNttPoly;
use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;
use grille_hash::Level;

/// The AVX2 backend, which computes four hashes at a time.
#[derive(Clone, Copy)]
pub(crate) struct Avx2 {
    /// Proof that the processor has AVX2, BMI1, BMI2 and POPCNT. Every `unsafe` block here relies on this
    /// token.
    token: Token,
}

/// Runs the copy of an operation that was compiled with AVX2.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn run_compiled<O: Operation>(backend: Avx2, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Avx2 { token }, operation) }
}

impl Backend for Avx2 {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Avx2(self.token)
    }

    kernels!();
}

/// A vector of eight coefficients, or of other 32-bit numbers.
type V = __m256i;

/// Returns the 32 vectors of a polynomial.
#[inline(always)]
fn vectors(coefficients: &[i32; 256]) -> &[[i32; 8]; 32] {
    coefficients.as_chunks().0.try_into().expect("256 = 32·8")
}

/// Returns the 32 vectors of a polynomial, for writing.
#[inline(always)]
fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 8]; 32] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 32·8")
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[i32; 8]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [i32; 8], v: V) {
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Loads a constant table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load_table(from: &[u8; 32]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
