//! Kernels with the 128-bit vectors of AArch64, which hold eight coefficients.
//!
//! Only the NTT, its inverse, products and reductions have such kernels. All other operations use the portable kernels,
//! which the compiler vectorises with the same instructions.

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
