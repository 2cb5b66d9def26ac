//! Kernels with the 128-bit vectors of WebAssembly, which hold eight coefficients.
//!
//! Only the NTT, its inverse, products and reductions have such kernels. All other operations use the portable kernels,
//! which the compiler vectorises with the same instructions.

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
    fn ntt(self, f: &Poly, f_hat: &mut NttPoly) {
        ntt::ntt(f, f_hat);
    }

    #[inline(always)]
    fn inverse_ntt(self, f_hat: &NttPoly, f: &mut Poly) {
        ntt::inverse_ntt(f_hat, f);
    }

    #[inline(always)]
    fn dot_ntt<'a>(
        self,
        a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
        b_hat: &[NttPoly],
        c_hat: &mut NttPoly,
    ) {
        ntt::dot_ntt(&a_hat, b_hat, c_hat);
    }

    #[inline(always)]
    fn times_r_plus(self, f: &mut NttPoly, g: &NttPoly) {
        ntt::times_r_plus(f, g);
    }

    #[inline(always)]
    fn make_canonical(self, f: &mut [i16; 256]) {
        ntt::make_canonical(f);
    }
}
