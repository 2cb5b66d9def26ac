//! Kernels with the 128-bit vectors of AArch64, which hold eight coefficients.
//!
//! Only the NTT, its inverse, products and reductions have such kernels. All other operations use the portable kernels,
//! which the compiler vectorises with the same instructions.

mod ntt;

use super::{Backend, Operation};
use crate::poly::{NttPoly, Poly};
use core::arch::aarch64::*;
use grille_cpu::Neon as Token;
use grille_hash::Level;

/// The Advanced SIMD backend.
#[derive(Clone, Copy)]
pub(crate) struct Neon {
    /// Proof that the processor has Advanced SIMD. Every `unsafe` block here relies on this token.
    token: Token,
}

/// Runs the copy of an operation that was compiled with Advanced SIMD.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(enable = "neon")]
    fn run_compiled<O: Operation>(backend: Neon, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only if the processor has these vectors.
    unsafe { run_compiled(Neon { token }, operation) }
}

impl Backend for Neon {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Neon(self.token)
    }

    #[inline(always)]
    fn dot_ntt<'a>(
        self,
        a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
        b_hat: &[NttPoly],
        c_hat: &mut NttPoly,
    ) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { ntt::dot_ntt(&a_hat, b_hat, c_hat) }
    }

    super::kernels! {
        fn ntt(self, f: &Poly, f_hat: &mut NttPoly) = ntt::ntt;
        fn inverse_ntt(self, f_hat: &NttPoly, f: &mut Poly) = ntt::inverse_ntt;
        fn times_r_plus(self, f: &mut NttPoly, g: &NttPoly) = ntt::times_r_plus;
        fn make_canonical(self, f: &mut [i16; 256]) = ntt::make_canonical;
    }
}

/// Eight coefficients.
type V = int16x8_t;

/// Returns the 32 vectors of a polynomial.
#[inline(always)]
fn vectors(coefficients: &[i16; 256]) -> &[[i16; 8]; 32] {
    coefficients.as_chunks().0.try_into().expect("256 = 32·8")
}

/// Returns the 32 vectors of a polynomial, mutable.
#[inline(always)]
fn vectors_mut(coefficients: &mut [i16; 256]) -> &mut [[i16; 8]; 32] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 32·8")
}

#[inline]
#[target_feature(enable = "neon")]
fn load(from: &[i16; 8]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no more alignment than `i16`.
    unsafe { vld1q_s16(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(to: &mut [i16; 8], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no more alignment than `i16`.
    unsafe { vst1q_s16(to.as_mut_ptr(), v) }
}
