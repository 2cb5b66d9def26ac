//! The kernels with 256-bit vectors: eight coefficients at a time.

mod ntt;
mod pack;
mod round;
mod sample;

use super::{Backend, Operation};
use crate::poly::{HintPoly, NttPoly, Poly};
use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;
use grille_hash::Level;

/// The kernels of this folder, and hashes at `level`.
#[derive(Clone, Copy)]
pub(crate) struct Avx2 {
    /// Proof that the processor has AVX2, BMI1, BMI2 and POPCNT: every `unsafe` here rests on it.
    _token: Token,
    level: Level,
}

/// Runs the copy of an operation that is compiled with AVX2.
pub(super) fn run<O: Operation>(token: Token, level: Level, operation: O) -> O::Output {
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn compiled<O: Operation>(backend: Avx2, operation: O) -> O::Output {
        operation.run(backend)
    }
    // SAFETY: `token` exists only where the processor has these features.
    unsafe { compiled(Avx2 { _token: token, level }, operation) }
}

/// `fn name(arguments) -> result = kernel;` calls the kernel, which needs the features that the token proves.
macro_rules! kernels {
    ($(fn $name:ident $(<const $generic:ident: $kind:ty>)? (self $(, $argument:ident: $type:ty)*)
        $(-> $result:ty)? = $kernel:expr;)*) => {$(
        #[inline(always)]
        fn $name $(<const $generic: $kind>)? (self $(, $argument: $type)*) $(-> $result)? {
            // SAFETY: `self._token` exists only where the processor has the kernel's features.
            unsafe { $kernel($($argument),*) }
        }
    )*};
}

impl Backend for Avx2 {
    #[inline(always)]
    fn level(self) -> Level {
        self.level
    }

    kernels! {
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
        fn add(self, a: &mut Poly, b: &Poly) = round::add;
        fn sub(self, a: &mut Poly, b: &Poly) = round::sub;
        fn make_canonical(self, a: &mut Poly) = round::make_canonical;
        fn norm_reaches(self, a: &Poly, bound: i32) -> bool = round::norm_reaches;
        fn power2round(self, t: &mut Poly, t0: &mut Poly) = round::power2round;
        fn decompose<const GAMMA2: i32>(self, w: &mut Poly, w1: &mut Poly) = round::decompose::<GAMMA2>;
        fn make_hint<const GAMMA2: i32>(self, r0: &Poly, w1: &Poly) -> HintPoly = round::make_hint::<GAMMA2>;
        fn use_hint<const GAMMA2: i32>(self, h: &HintPoly, r: &mut Poly) = round::use_hint::<GAMMA2>;
        fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize
            = sample::reject_uniform;
        fn reject_bounded<const ETA: i32>(self, bytes: &[u8], s: &mut Poly, filled: usize) -> usize
            = sample::reject_bounded::<ETA>;
        fn bit_pack<const BITS: usize>(self, w: &Poly, b: i32, bytes: &mut [u8]) = pack::bit_pack::<BITS>;
        fn bit_unpack<const BITS: usize>(self, bytes: &[u8], b: i32, w: &mut Poly)
            = pack::bit_unpack::<BITS>;
        fn simple_bit_pack<const BITS: usize>(self, w: &Poly, bytes: &mut [u8])
            = pack::simple_bit_pack::<BITS>;
    }
}

/// Eight coefficients, or other 32-bit numbers.
type V = __m256i;

/// The 32 vectors of a polynomial.
#[inline(always)]
fn vectors(coefficients: &[i32; 256]) -> &[[i32; 8]; 32] {
    coefficients.as_chunks().0.try_into().expect("256 = 32·8")
}

/// The 32 vectors of a polynomial, to be written.
#[inline(always)]
fn vectors_mut(coefficients: &mut [i32; 256]) -> &mut [[i32; 8]; 32] {
    coefficients.as_chunks_mut().0.try_into().expect("256 = 32·8")
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[i32; 8]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [i32; 8], v: V) {
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_bytes(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// A constant table as a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn load_table(from: &[u8; 32]) -> V {
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
