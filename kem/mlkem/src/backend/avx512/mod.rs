//! Kernels with 512-bit vectors of 32 coefficients. Eight registers hold a polynomial.

mod encode;
mod ntt;
mod sample;
mod vector;

use super::{Backend, Operation};
use crate::poly::{NttPoly, Poly};
use grille_cpu::Avx512 as Token;
use grille_hash::Level;

/// The AVX-512 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 F, BW, VL, VBMI and VBMI2. Every `unsafe` call of a kernel relies on
    /// it.
    token: Token,
}

/// Runs the copy of an operation that was compiled with AVX-512.
pub(super) fn run<O: Operation>(token: Token, operation: O) -> O::Output {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
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
        fn add(self, a: &mut [i16; 256], b: &[i16; 256]) = ntt::add;
        fn subtract_from(self, a: &[i16; 256], b: &mut [i16; 256]) = ntt::subtract_from;
        fn make_canonical(self, f: &mut [i16; 256]) = ntt::make_canonical;
        fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize
            = sample::reject_uniform;
        fn cbd<const ETA: usize>(self, bytes: &[u8], f: &mut Poly) = sample::cbd::<ETA>;
        fn compress_and_encode<const D: usize>(self, f: &[i16; 256], bytes: &mut [u8])
            = encode::compress_and_encode::<D>;
        fn decode_and_decompress<const D: usize>(self, bytes: &[u8], f: &mut [i16; 256])
            = encode::decode_and_decompress::<D>;
    }
}
