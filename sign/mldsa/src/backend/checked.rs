//! Assertions around each kernel of the bounds that [`Backend`] states. Debug builds run every operation with
//! these assertions.
//!
//! The assertions branch on secrets. Release builds, which must run in constant time and which `tests/ct` examines, do
//! not contain this file.

use super::{Backend, Operation};
use crate::field::Q;
use crate::poly::{HintPoly, NttPoly, Poly};
use crate::round::{D, last_high_part};
use crate::small_ntt::{P, SmallNttPoly};
use core::ops::RangeInclusive;
use grille_hash::Level;

/// An operation that runs with checked kernels.
pub(super) struct Checking<O>(pub(super) O);

impl<O: Operation> Operation for Checking<O> {
    type Output = O::Output;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> O::Output {
        self.0.run(Checked(backend))
    }
}

/// A backend with assertions of its bounds before and after each kernel.
#[derive(Clone, Copy)]
struct Checked<B>(B);

/// The range [0, q).
const CANONICAL: RangeInclusive<i32> = 0..=Q - 1;

/// The largest absolute value of results of [`reduce`](crate::field::reduce).
const REDUCED: i32 = 6_283_008;

#[track_caller]
fn assert_in(range: RangeInclusive<i32>, w: &[i32]) {
    debug_assert!(w.iter().all(|w| range.contains(w)), "a coefficient is not in {range:?}");
}

/// Asserts |w| < `bound` for each coefficient w.
#[track_caller]
fn assert_below(bound: i32, w: &[i32]) {
    assert_in(-bound + 1..=bound - 1, w);
}

#[track_caller]
fn assert_small(w_hat: &SmallNttPoly) {
    debug_assert!(w_hat.0.iter().all(|w| w.abs() < 2 * P), "not below 2p");
}

/// Asserts |Σ| < 2³¹ − 2²² for each sum Σ of two coefficients.
#[track_caller]
fn assert_reducible(mut sums: impl Iterator<Item = i64>) {
    debug_assert!(sums.all(|sum| sum.abs() < (1 << 31) - (1 << 22)), "too large to be reduced");
}

/// Asserts the bounds of the operands of [`Backend::dot_ntt`].
#[track_caller]
fn assert_row(a_hat: &[NttPoly], v_hat: &[NttPoly]) {
    debug_assert!(a_hat.len() == v_hat.len() && a_hat.len() <= 7);
    a_hat.iter().for_each(|a| assert_in(CANONICAL, &a.0));
    v_hat.iter().for_each(|v| assert_below(9 * Q, &v.0));
}

/// Returns the range of coefficients w for which b − w is in [0, 2^`BITS`).
fn packing_range<const BITS: usize>(b: i32) -> RangeInclusive<i32> {
    b - (1 << BITS) + 1..=b
}

impl<B: Backend> Backend for Checked<B> {
    fn level(self) -> Level {
        self.0.level()
    }

    fn ntt(self, w: &Poly, w_hat: &mut NttPoly) {
        assert_in(-Q..=Q, &w.0);
        self.0.ntt(w, w_hat);
        assert_below(9 * Q, &w_hat.0);
    }

    fn inverse_ntt(self, w_hat: &NttPoly, w: &mut Poly) {
        assert_below(Q, &w_hat.0);
        self.0.inverse_ntt(w_hat, w);
        assert_below(Q, &w.0);
    }

    fn multiply_ntt(self, a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
        assert_below(9 * Q, &a_hat.0);
        assert_below(9 * Q, &b_hat.0);
        self.0.multiply_ntt(a_hat, b_hat, c_hat);
        assert_below(Q, &c_hat.0);
    }

    fn dot_ntt(self, a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
        assert_row(a_hat, v_hat);
        self.0.dot_ntt(a_hat, v_hat, w_hat);
        assert_below(Q, &w_hat.0);
    }

    fn dot_ntt_minus(
        self,
        a_hat: &[NttPoly],
        v_hat: &[NttPoly],
        c_hat: &NttPoly,
        t_hat: &NttPoly,
        w_hat: &mut NttPoly,
    ) {
        assert_row(a_hat, v_hat);
        assert_below(9 * Q, &c_hat.0);
        assert_below(9 * Q, &t_hat.0);
        self.0.dot_ntt_minus(a_hat, v_hat, c_hat, t_hat, w_hat);
        assert_below(Q, &w_hat.0);
    }

    fn small_ntt(self, w: &Poly, w_hat: &mut SmallNttPoly) {
        assert_in(-4..=4, &w.0);
        self.0.small_ntt(w, w_hat);
        assert_small(w_hat);
    }

    fn small_product(self, c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly) {
        assert_small(c_hat);
        assert_small(s_hat);
        self.0.small_product(c_hat, s_hat, product);
        assert_below(i32::from(P) / 3, &product.0);
    }

    fn add(self, a: &mut Poly, b: &Poly) {
        assert_reducible(a.0.iter().zip(&b.0).map(|(a, b)| i64::from(*a) + i64::from(*b)));
        self.0.add(a, b);
        assert_in(-REDUCED..=REDUCED, &a.0);
    }

    fn sub(self, a: &mut Poly, b: &Poly) {
        assert_reducible(a.0.iter().zip(&b.0).map(|(a, b)| i64::from(*a) - i64::from(*b)));
        self.0.sub(a, b);
        assert_in(-REDUCED..=REDUCED, &a.0);
    }

    fn make_canonical(self, a: &mut Poly) {
        assert_below(Q, &a.0);
        self.0.make_canonical(a);
        assert_in(CANONICAL, &a.0);
    }

    fn norm_reaches(self, a: &Poly, bound: i32) -> bool {
        assert_below(Q, &a.0);
        self.0.norm_reaches(a, bound)
    }

    fn power2round(self, t: &mut Poly, t0: &mut Poly) {
        assert_in(CANONICAL, &t.0);
        self.0.power2round(t, t0);
        assert_in(0..=Q >> D, &t.0);
        assert_in(-(1 << (D - 1)) + 1..=1 << (D - 1), &t0.0);
    }

    fn decompose<const GAMMA2: i32>(self, w: &mut Poly, w1: &mut Poly) {
        assert_in(CANONICAL, &w.0);
        self.0.decompose::<GAMMA2>(w, w1);
        assert_in(-GAMMA2..=GAMMA2, &w.0);
        assert_in(0..=last_high_part(GAMMA2), &w1.0);
    }

    fn make_hint<const GAMMA2: i32>(self, r0: &Poly, w1: &Poly) -> HintPoly {
        assert_below(2 * GAMMA2, &r0.0);
        assert_in(0..=last_high_part(GAMMA2), &w1.0);
        self.0.make_hint::<GAMMA2>(r0, w1)
    }

    fn use_hint<const GAMMA2: i32>(self, h: &HintPoly, r: &mut Poly) {
        assert_in(CANONICAL, &r.0);
        self.0.use_hint::<GAMMA2>(h, r);
        assert_in(0..=last_high_part(GAMMA2), &r.0);
    }

    fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize {
        let end = self.0.reject_uniform(bytes, a_hat, filled);
        assert_in(CANONICAL, &a_hat.0[filled..end]);
        end
    }

    fn reject_bounded<const ETA: i32>(self, bytes: &[u8], s: &mut Poly, filled: usize) -> usize {
        let end = self.0.reject_bounded::<ETA>(bytes, s, filled);
        assert_in(-ETA..=ETA, &s.0[filled..end]);
        end
    }

    fn bit_pack<const BITS: usize>(self, w: &Poly, b: i32, bytes: &mut [u8]) {
        assert_in(packing_range::<BITS>(b), &w.0);
        self.0.bit_pack::<BITS>(w, b, bytes);
    }

    fn bit_unpack<const BITS: usize>(self, bytes: &[u8], b: i32, w: &mut Poly) {
        self.0.bit_unpack::<BITS>(bytes, b, w);
        assert_in(packing_range::<BITS>(b), &w.0);
    }

    fn simple_bit_pack<const BITS: usize>(self, w: &Poly, bytes: &mut [u8]) {
        assert_in(0..=(1 << BITS) - 1, &w.0);
        self.0.simple_bit_pack::<BITS>(w, bytes);
    }
}
