//! The NTT kernels with the 128-bit vectors of WebAssembly, which hold four coefficients.
//!
//! All other kernels use the portable code, which the compiler vectorises with the same instructions.

mod ntt;
mod vector;

use super::{Backend, Operation};
use crate::poly::{NttPoly, Poly};
use grille_cpu::Simd128 as Token;
use grille_hash::Level;

/// The backend of WebAssembly's vectors. Only builds with these vectors contain it, so its kernels are safe to call.
#[derive(Clone, Copy)]
pub(crate) struct Simd128 {
    token: Token,
}

/// Runs an operation with these vectors.
#[inline(never)]
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    operation.run(Simd128 { token })
}

impl Backend for Simd128 {
    #[inline(always)]
    fn level(self) -> Level {
        Level::Simd128(self.token)
    }

    #[inline(always)]
    fn ntt(self, w: &Poly, w_hat: &mut NttPoly) {
        ntt::ntt(w, w_hat);
    }

    #[inline(always)]
    fn inverse_ntt(self, w_hat: &NttPoly, w: &mut Poly) {
        ntt::inverse_ntt(w_hat, w);
    }

    #[inline(always)]
    fn multiply_ntt(self, a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
        ntt::multiply_ntt(a_hat, b_hat, c_hat);
    }

    #[inline(always)]
    fn dot_ntt(self, a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
        ntt::dot_ntt(a_hat, v_hat, w_hat);
    }

    #[inline(always)]
    fn dot_ntt_minus(
        self,
        a_hat: &[NttPoly],
        v_hat: &[NttPoly],
        c_hat: &NttPoly,
        t_hat: &NttPoly,
        w_hat: &mut NttPoly,
    ) {
        ntt::dot_ntt_minus(a_hat, v_hat, c_hat, t_hat, w_hat);
    }
}
