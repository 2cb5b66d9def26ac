//! Kernels with 512-bit vectors. A vector is a whole row, which holds sixteen residues modulo each of the two
//! primes.

mod encode;
mod vector;

use super::ntt::{self, Vector};
use super::{Backend, Operation};
use crate::ring::{Image, N, Poly, Row};
use core::arch::asm;
use core::arch::x86_64::*;
use grille_cpu::Avx512 as Token;
use grille_hash::Level;
use vector::V;

/// The AVX-512 backend.
#[derive(Clone, Copy)]
pub(crate) struct Avx512 {
    /// Proof that the processor has AVX-512 F, BW, VL, VBMI and VBMI2. Every `unsafe` block here relies on
    /// this token.
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

#[target_feature(enable = "avx512f,avx512bw")]
fn forward(token: Token, f: &Poly, f_hat: &mut Image) {
    ntt::forward::<WholeRow>(token, f, f_hat);
}

#[target_feature(enable = "avx512f,avx512bw")]
fn dot(token: Token, a: &[Image], b: &[Image], c: &mut Poly) {
    ntt::dot::<WholeRow>(token, a, b, c);
}

/// A vector of 32 lanes: sixteen residues for each of the two primes. Creating a value requires a token.
#[derive(Clone, Copy)]
struct WholeRow(__m512i);

impl Vector for WholeRow {
    type Proof = Token;
    const LANES: usize = 32;

    #[inline(always)]
    fn load(_: Token, from: &Row, _part: usize) -> Self {
        // SAFETY: the token proves the features; the reference is valid for 64 bytes, and the load needs no alignment.
        Self(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut Row, _part: usize) {
        // SAFETY: creating `self` required a token; the reference is valid for 64 bytes, and the store needs no
        // alignment.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(_: Token, x: i16) -> Self {
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_set1_epi16(x) })
    }

    #[inline(always)]
    fn load_residues(token: Token, rows: &[Row], prime: usize) -> Self {
        let first = Self::load_coefficients(token, &rows[0].as_chunks().0[prime]);
        let second = Self::load_coefficients(token, &rows[1].as_chunks().0[prime]);
        // SAFETY: the token proves the features.
        Self(unsafe { _mm512_shuffle_i64x2::<0b11_10_01_00>(first.0, second.0) })
    }

    #[inline(always)]
    fn store_coefficients(self, to: &mut [i16]) {
        let to: &mut Row = to.try_into().expect("32 coefficients");
        self.store(to, 0);
    }

    #[inline(always)]
    fn load_coefficients(_: Token, from: &[i16; 16]) -> Self {
        // SAFETY: the token proves the features; the reference is valid for 32 bytes, and the load needs no alignment.
        Self(unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(from.as_ptr().cast())) })
    }

    super::lanewise! {
        fn add = _mm512_add_epi16;
        fn sub = _mm512_sub_epi16;
        fn mul_low = _mm512_mullo_epi16;
        fn mul_high = mul_high;
    }

    #[inline(always)]
    fn exchange_halves(self, b: Self) -> (Self, Self) {
        // SAFETY: creating `self` required a token.
        unsafe {
            let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
            let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
            (
                Self(_mm512_permutex2var_epi64(self.0, first, b.0)),
                Self(_mm512_permutex2var_epi64(self.0, second, b.0)),
            )
        }
    }

    #[inline(always)]
    fn interleave(self, b: Self) -> (Self, Self) {
        // SAFETY: creating `self` required a token.
        unsafe { (Self(_mm512_unpacklo_epi16(self.0, b.0)), Self(_mm512_unpackhi_epi16(self.0, b.0))) }
    }
}

/// Computes ⌊a·b/2¹⁶⌋ in each lane.
///
/// LLVM treats `_mm512_mulhi_epi16` as a 32-bit product and widens the factors. Outside of a loop, LLVM does
/// not generate the original instruction again.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mul_high(a: V, b: V) -> V {
    let high;
    // SAFETY: the processor has the instruction, which accesses only the named registers.
    unsafe {
        asm!("vpmulhw {high}, {a}, {b}", high = lateout(zmm_reg) high, a = in(zmm_reg) a, b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    high
}
