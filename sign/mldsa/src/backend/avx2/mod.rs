//! Kernels with 256-bit vectors of eight coefficients.

mod ntt;
mod pack;
mod round;
mod sample;
mod small_ntt;
mod vector;

use super::{Backend, Operation, kernels};
use crate::poly::{HintPoly, NttPoly, Poly};
use crate::small_ntt::SmallNttPoly;
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
