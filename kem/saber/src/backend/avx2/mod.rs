//! Kernels with 256-bit vectors. A vector is half of a row, which holds sixteen residues modulo one prime.

mod encode;
mod vector;

use super::ntt::{self, Vector};
use super::{Backend, Operation};
use crate::ring::{Image, N, Poly, Row};
use core::arch::asm;
use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;
use grille_hash::Level;
use vector::{V, load, store};

/// The AVX2 backend.
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

    #[inline(always)]
    fn forward(self, f: &Poly, f_hat: &mut Image) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { forward(self.token, f, f_hat) }
    }

    #[inline(always)]
    fn dot(self, a: &[Image], b: &[Image], c: &mut Poly) {
        // SAFETY: `self.token` exists only if the processor has the kernel's features.
        unsafe { dot(self.token, a, b, c) }
    }

    super::kernels! {
        fn pack<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]) = encode::pack::<D>;
        fn unpack<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]) = encode::unpack::<D>;
    }
}

#[target_feature(enable = "avx2")]
fn forward(token: Token, f: &Poly, f_hat: &mut Image) {
    ntt::forward::<HalfRow>(token, f, f_hat);
}

#[target_feature(enable = "avx2")]
fn dot(token: Token, a: &[Image], b: &[Image], c: &mut Poly) {
    ntt::dot::<HalfRow>(token, a, b, c);
}

/// A vector of sixteen residues modulo one prime. Creating a value requires a token.
#[derive(Clone, Copy)]
struct HalfRow(V);

impl Vector for HalfRow {
    type Proof = Token;
    const LANES: usize = 16;

    #[inline(always)]
    fn load(token: Token, from: &Row, part: usize) -> Self {
        Self::load_coefficients(token, &from.as_chunks().0[part])
    }

    #[inline(always)]
    fn store(self, to: &mut Row, part: usize) {
        // SAFETY: creating `self` required a token.
        unsafe { store(&mut to.as_chunks_mut().0[part], self.0) }
    }

    #[inline(always)]
    fn splat(_: Token, x: i16) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm256_set1_epi16(x) })
    }

    #[inline(always)]
    fn load_coefficients(_: Token, from: &[i16; 16]) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { load(from) })
    }

    #[inline(always)]
    fn load_residues(token: Token, rows: &[Row], prime: usize) -> Self {
        Self::load(token, &rows[0], prime)
    }

    #[inline(always)]
    fn store_coefficients(self, to: &mut [i16]) {
        // SAFETY: creating `self` required a token.
        unsafe { store(to.try_into().expect("16 coefficients"), self.0) }
    }

    super::lanewise! {
        fn add = _mm256_add_epi16;
        fn sub = _mm256_sub_epi16;
        fn mul_low = _mm256_mullo_epi16;
        fn mul_high = mul_high;
    }

    #[inline(always)]
    fn exchange_halves(self, b: Self) -> (Self, Self) {
        // SAFETY: creating `self` required a token.
        unsafe {
            (
                Self(_mm256_permute2x128_si256::<0x20>(self.0, b.0)),
                Self(_mm256_permute2x128_si256::<0x31>(self.0, b.0)),
            )
        }
    }

    #[inline(always)]
    fn interleave(self, b: Self) -> (Self, Self) {
        // SAFETY: creating `self` required a token.
        unsafe { (Self(_mm256_unpacklo_epi16(self.0, b.0)), Self(_mm256_unpackhi_epi16(self.0, b.0))) }
    }
}

/// Computes ⌊a·b/2¹⁶⌋ in each lane.
///
/// LLVM treats `_mm256_mulhi_epi16` as a 32-bit product and widens the factors. Outside of a loop, LLVM does
/// not generate the original instruction again.
#[inline]
#[target_feature(enable = "avx2")]
fn mul_high(a: V, b: V) -> V {
    let high;
    // SAFETY: the processor has the instruction, which accesses only the named registers.
    unsafe {
        asm!("vpmulhw {high}, {a}, {b}", high = lateout(ymm_reg) high, a = in(ymm_reg) a, b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    high
}
