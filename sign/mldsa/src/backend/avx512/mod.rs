//! Kernels with 512-bit vectors of sixteen coefficients. Sixteen registers hold a polynomial.

mod factors;
mod ntt;
mod pack;
mod round;
mod sample;
mod small_ntt;
mod vector;

use super::{Backend, Operation, kernels};
use crate::poly::{HintPoly, NttPoly, Poly};
use crate::small_ntt::SmallNttPoly;
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
