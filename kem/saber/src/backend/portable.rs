//! The kernels in plain Rust, for every machine.

use super::Backend;
use super::ntt::{self, Vector};
use crate::encode;
use crate::ring::{Image, N, Poly, Row};
use grille_hash::Level;

/// The portable backend. The field is the CPU level at which hash functions run.
#[derive(Clone, Copy)]
pub(crate) struct Portable(pub(crate) Level);

impl Backend for Portable {
    fn level(self) -> Level {
        self.0
    }

    fn forward(self, f: &Poly, f_hat: &mut Image) {
        ntt::forward::<HalfRow>((), f, f_hat);
    }

    fn dot(self, a: &[Image], b: &[Image], c: &mut Poly) {
        ntt::dot::<HalfRow>((), a, b, c);
    }

    fn pack<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]) {
        encode::pack::<D>(f, bytes);
    }

    fn unpack<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]) {
        encode::unpack::<D>(bytes, f);
    }
}

/// A vector of sixteen residues modulo one prime.
#[derive(Clone, Copy)]
struct HalfRow([i16; 16]);

/// Defines a method for each line `fn name = f;`. The method applies `f` to each pair of lanes.
macro_rules! lanewise {
    ($(fn $name:ident = $f:expr;)*) => {$(
        #[inline(always)]
        fn $name(mut self, b: Self) -> Self {
            for i in 0..16 {
                self.0[i] = $f(self.0[i], b.0[i]);
            }
            self
        }
    )*};
}

/// Computes ⌊a·b/R⌋.
#[inline(always)]
const fn mul_high(a: i16, b: i16) -> i16 {
    ((a as i32 * b as i32) >> 16) as i16
}

impl Vector for HalfRow {
    type Proof = ();
    const LANES: usize = 16;

    #[inline(always)]
    fn load((): (), from: &Row, part: usize) -> Self {
        Self(from.as_chunks().0[part])
    }

    #[inline(always)]
    fn store(self, to: &mut Row, part: usize) {
        to.as_chunks_mut().0[part] = self.0;
    }

    #[inline(always)]
    fn splat((): (), x: i16) -> Self {
        Self([x; 16])
    }

    #[inline(always)]
    fn load_coefficients((): (), from: &[i16; 16]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn load_residues((): (), rows: &[Row], prime: usize) -> Self {
        Self::load((), &rows[0], prime)
    }

    #[inline(always)]
    fn store_coefficients(self, to: &mut [i16]) {
        to.copy_from_slice(&self.0);
    }

    lanewise! {
        fn add = i16::wrapping_add;
        fn sub = i16::wrapping_sub;
        fn mul_low = i16::wrapping_mul;
        fn mul_high = mul_high;
    }

    /// Computes the Montgomery product. This function is not inlined, because LLVM vectorises one such loop
    /// but splits many consecutive ones into scalar instructions.
    #[inline(never)]
    fn montgomery(mut self, factor: Self, by_q_inv: Self, q: Self) -> Self {
        for i in 0..16 {
            let quotient = mul_high(self.0[i].wrapping_mul(by_q_inv.0[i]), q.0[i]);
            self.0[i] = mul_high(self.0[i], factor.0[i]).wrapping_sub(quotient);
        }
        self
    }

    #[inline(always)]
    fn exchange_halves(self, b: Self) -> (Self, Self) {
        let (mut first, mut second) = (self, b);
        first.0[8..].copy_from_slice(&b.0[..8]);
        second.0[..8].copy_from_slice(&self.0[8..]);
        (first, second)
    }

    #[inline(always)]
    fn interleave(self, b: Self) -> (Self, Self) {
        // lane i of the first result is lane 8·⌊i/8⌋ + ⌊i/2⌋ mod 4, of a if i is even, and of b if i is odd
        let from = |i: usize, upper: usize| {
            let lane = i / 8 * 8 + i / 2 % 4 + upper;
            if i.is_multiple_of(2) { self.0[lane] } else { b.0[lane] }
        };
        (Self(core::array::from_fn(|i| from(i, 0))), Self(core::array::from_fn(|i| from(i, 4))))
    }
}
