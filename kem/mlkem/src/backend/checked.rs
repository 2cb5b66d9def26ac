//! Assertions, before and after each kernel, that the bounds stated by [`Backend`] hold. Debug builds run every
//! operation with these assertions.
//!
//! The assertions branch on secrets. Release builds, which must run in constant time and which `tests/ct` examines, do
//! not contain this file.

use super::{Backend, Operation};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
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

/// The range |f| ≤ (q − 1)/2.
const CENTRED: RangeInclusive<i16> = -(Q - 1) / 2..=(Q - 1) / 2;

/// The range |f| < q.
const BELOW_Q: RangeInclusive<i16> = -Q + 1..=Q - 1;

/// The range [0, q).
const CANONICAL: RangeInclusive<i16> = 0..=Q - 1;

#[track_caller]
fn assert_in(range: RangeInclusive<i16>, f: &[i16]) {
    debug_assert!(f.iter().all(|f| range.contains(f)), "a coefficient is not in {range:?}");
}

impl<B: Backend> Backend for Checked<B> {
    fn level(self) -> Level {
        self.0.level()
    }

    fn ntt(self, f: &Poly, f_hat: &mut NttPoly) {
        assert_in(-Q..=Q, &f.0);
        self.0.ntt(f, f_hat);
        assert_in(CENTRED, &f_hat.0);
    }

    fn inverse_ntt(self, f_hat: &NttPoly, f: &mut Poly) {
        assert_in(BELOW_Q, &f_hat.0);
        self.0.inverse_ntt(f_hat, f);
        assert_in(BELOW_Q, &f.0);
    }

    fn dot_ntt<'a>(
        self,
        a_hat: impl Iterator<Item = &'a NttPoly> + Clone,
        b_hat: &[NttPoly],
        c_hat: &mut NttPoly,
    ) {
        debug_assert!(b_hat.len() <= 4);
        for (a, b) in a_hat.clone().zip(b_hat) {
            assert_in(-(1 << 12) + 1..=(1 << 12) - 1, &a.0);
            assert_in(CENTRED, &b.0);
        }
        self.0.dot_ntt(a_hat, b_hat, c_hat);
        assert_in(BELOW_Q, &c_hat.0);
    }

    fn times_r_plus(self, f: &mut NttPoly, g: &NttPoly) {
        assert_in(BELOW_Q, &f.0);
        assert_in(CENTRED, &g.0);
        self.0.times_r_plus(f, g);
        assert_in(CANONICAL, &f.0);
    }

    fn add(self, a: &mut [i16; N], b: &[i16; N]) {
        debug_assert!(a.iter().zip(b).all(|(a, b)| a.checked_add(*b).is_some()));
        self.0.add(a, b);
    }

    fn subtract_from(self, a: &[i16; N], b: &mut [i16; N]) {
        debug_assert!(a.iter().zip(&*b).all(|(a, b)| a.checked_sub(*b).is_some()));
        self.0.subtract_from(a, b);
    }

    fn make_canonical(self, f: &mut [i16; N]) {
        self.0.make_canonical(f);
        assert_in(CANONICAL, f);
    }

    fn reject_uniform(self, bytes: &[u8], a_hat: &mut NttPoly, filled: usize) -> usize {
        let end = self.0.reject_uniform(bytes, a_hat, filled);
        assert_in(CANONICAL, &a_hat.0[filled..end]);
        end
    }

    fn cbd<const ETA: usize>(self, bytes: &[u8], f: &mut Poly) {
        self.0.cbd::<ETA>(bytes, f);
        assert_in(-(ETA as i16)..=ETA as i16, &f.0);
    }

    fn compress_and_encode<const D: usize>(self, f: &[i16; N], bytes: &mut [u8]) {
        assert_in(CANONICAL, f);
        self.0.compress_and_encode::<D>(f, bytes);
    }

    fn decode_and_decompress<const D: usize>(self, bytes: &[u8], f: &mut [i16; N]) {
        self.0.decode_and_decompress::<D>(bytes, f);
        assert_in(if D == 12 { 0..=(1 << 12) - 1 } else { CANONICAL }, f);
    }
}
