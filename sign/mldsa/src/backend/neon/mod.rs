//! The NTT kernels with the 128-bit vectors of AArch64, which hold four coefficients.
//!
//! All other kernels use the portable code, which the compiler vectorises with the same instructions.

mod ntt;
mod vector;

use super::{Backend, Operation};
use crate::poly::{NttPoly, Poly};
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
