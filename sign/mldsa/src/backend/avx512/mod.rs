//! Kernels with 512-bit vectors of sixteen coefficients. Sixteen registers hold a polynomial.

mod factors;
mod ntt;
mod pack;
mod round;
mod sample;
mod small_ntt;

use super::{Backend, Operation, kernels};
use crate::poly::{HintPoly, NttPoly, Poly};
use crate::small_ntt::SmallNttPoly;
use core::arch::x86_64::*;
use grille_cpu::Avx512 as Token;
use grille_hash::Level;

/// The AVX-512 backend, which computes eight hashes at a time.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 F, BW, DQ, VL, VBMI, VBMI2, and the features of the AVX2 backend.
    /// Every `unsafe` block here relies on this token.
    token: Token,
}

/// Runs the copy of an operation that was compiled with AVX-512.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(
        enable = "avx2,bmi1,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
    )]
    fn run_compiled<O: Operation>(backend: Avx512, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only if the processor has these features.
    unsafe { run_compiled(Avx512 { token }, operation) }
}

impl Backend for Avx512 {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Avx512(self.token)
    }

    kernels!();
}

/// A vector of sixteen coefficients, or of other 32-bit numbers.
type V = __m512i;

/// Returns the 16 vectors of a polynomial.
#[inline(always)]
fn vectors(coefficients: &[i32; 256]) -> &[[i32; 16]; 16] {
    coefficients.as_chunks().0.try_into().expect("256 = 16·16")
}

/// Returns the 16 vectors of a polynomial, for writing.
#[inline(always)]
fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 16]; 16] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 16·16")
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[i32; 16]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [i32; 16], v: V) {
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Loads bytes as a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_table(from: &[u8; 64]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Loads all of at most 64 bytes, and fills the rest of the vector with zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_low(bytes: &[u8]) -> V {
    // SAFETY: the mask has one bit for each byte of `bytes`; masked-out bytes are not read.
    unsafe { _mm512_maskz_loadu_epi8(low_mask(bytes.len()), bytes.as_ptr().cast()) }
}

/// Returns a mask of the lowest `len` bits, from 1 to 64.
#[inline(always)]
const fn low_mask(len: usize) -> u64 {
    u64::MAX >> (64 - if len < 64 { len } else { 64 })
}
