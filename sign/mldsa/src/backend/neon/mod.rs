//! The NTT kernels with the 128-bit vectors of AArch64, which hold four coefficients.
//!
//! All other kernels use the portable code, which the compiler vectorises with the same instructions.

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

    super::kernels! {
        fn ntt(self, w: &Poly, w_hat: &mut NttPoly) = ntt::ntt;
        fn inverse_ntt(self, w_hat: &NttPoly, w: &mut Poly) = ntt::inverse_ntt;
        fn multiply_ntt(self, a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) = ntt::multiply_ntt;
        fn dot_ntt(self, a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) = ntt::dot_ntt;
        fn dot_ntt_minus(
            self,
            a_hat: &[NttPoly],
            v_hat: &[NttPoly],
            c_hat: &NttPoly,
            t_hat: &NttPoly,
            w_hat: &mut NttPoly
        ) = ntt::dot_ntt_minus;
    }
}

/// Four coefficients.
type V = int32x4_t;

/// Returns the 64 vectors of a polynomial.
#[inline(always)]
fn vectors(coefficients: &[i32; 256]) -> &[[i32; 4]; 64] {
    coefficients.as_chunks().0.try_into().expect("256 = 64·4")
}

/// Returns the 64 vectors of a polynomial, for writing.
#[inline(always)]
fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 4]; 64] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 64·4")
}

#[inline]
#[target_feature(enable = "neon")]
fn load(from: &[i32; 4]) -> V {
    // SAFETY: the reference is valid for 16 bytes; the load needs no more alignment than `i32`.
    unsafe { vld1q_s32(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(to: &mut [i32; 4], v: V) {
    // SAFETY: the reference is valid for 16 bytes; the store needs no more alignment than `i32`.
    unsafe { vst1q_s32(to.as_mut_ptr(), v) }
}
