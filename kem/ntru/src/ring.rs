//! The rings R/q, S/q and S/3 of NTRU round 3, as types over one kind of array.
//!
//! Φₙ = (xⁿ − 1)/(x − 1). R is Z\[x\]/(xⁿ − 1) and S is Z\[x\]/(Φₙ). Elements of S are stored as elements of
//! R. Products accept any representative, and [`Rq::reduce_phi`] and [`S3::reduce_phi`] return the
//! representative in which the coefficient of xⁿ⁻¹ is zero.

use crate::backend::Backend;
use crate::coefficient::mod3;
use crate::params::Params;
use grille_core::{Array, secret};
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// An element of R/q. Array element i is the coefficient of xⁱ. Only its lower log₂ q bits are significant.
/// Coefficients with index n or above are zero.
#[repr(C, align(64))]
pub(crate) struct Rq<P: Params>(pub(crate) P::Coefficients);

/// An element of R/3: coefficients 0, 1 or 2. Coefficients with index n or above are zero.
#[repr(C, align(64))]
pub(crate) struct S3<P: Params>(pub(crate) P::Coefficients);

/// Returns the number of product bits that [`Backend::multiply`] guarantees: at least log₂ q, and enough for
/// a product of two elements of S/3.
pub(crate) const fn product_bits<P: Params>() -> usize {
    if P::LOG_Q > 13 { P::LOG_Q } else { 13 }
}

impl<P: Params> Rq<P> {
    /// Computes a·b in R/q.
    #[inline(always)]
    pub(crate) fn product<B: Backend>(
        backend: B,
        workspace: &mut B::Workspace<P>,
        a: &Self,
        b: &Self,
    ) -> Self {
        let mut c = Self::zero();
        backend.multiply::<P>(workspace, &a.0, &b.0, &mut c.0);
        c
    }

    /// Computes a·b modulo xⁿ − 1. If a coefficient of a or b is not in −2…2, only the lower 8 bits of the
    /// result are defined; see [`Backend::multiply_small`].
    #[inline(always)]
    pub(crate) fn small_product<B: Backend>(
        backend: B,
        workspace: &mut B::Workspace<P>,
        a: &Self,
        b: &Self,
    ) -> Self {
        let mut c = Self::zero();
        backend.multiply_small::<P>(workspace, &a.0, &b.0, &mut c.0);
        c
    }

    /// Computes self ← factor·self.
    #[inline(always)]
    pub(crate) fn scale(&mut self, factor: u16) {
        self.0.as_mut().iter_mut().for_each(|x| *x = x.wrapping_mul(factor));
    }

    /// Computes self ← self + a.
    #[inline(always)]
    pub(crate) fn add(&mut self, a: &Self) {
        self.0.as_mut().iter_mut().zip(a.0.as_ref()).for_each(|(x, a)| *x = x.wrapping_add(*a));
    }

    /// Computes self ← a − self.
    #[inline(always)]
    pub(crate) fn subtract_from(&mut self, a: &Self) {
        self.0.as_mut().iter_mut().zip(a.0.as_ref()).for_each(|(x, a)| *x = a.wrapping_sub(*x));
    }

    /// Reduces to the representative modulo Φₙ: xⁿ⁻¹ is −(1 + x + … + xⁿ⁻²).
    #[inline(always)]
    pub(crate) fn reduce_phi(&mut self) {
        let f = &mut self.0.as_mut()[..P::N];
        let last = f[P::N - 1];
        f.iter_mut().for_each(|f| *f = f.wrapping_sub(last));
    }

    /// Runs Rq_to_S3: converts coefficients in [−q/2, q/2) to S/3.
    #[inline(always)]
    pub(crate) fn to_s3(&self) -> S3<P> {
        let mut a = S3::<P>::zero();
        for (a, f) in a.0.as_mut()[..P::N].iter_mut().zip(self.0.as_ref()) {
            let f = f & ((1 << P::LOG_Q) - 1);
            // adds −q mod 3, which is 1 or 2, to negative coefficients
            *a = mod3(f + ((f >> (P::LOG_Q - 1)) << (1 - (P::LOG_Q & 1))));
        }
        a.reduce_phi();
        a
    }

    /// Returns whether all coefficients are −1, 0 or 1 modulo q. If so, trits ← self modulo 3; otherwise the value of
    /// trits has no meaning.
    #[inline(always)]
    pub(crate) fn to_ternary(&self, trits: &mut S3<P>) -> Choice {
        let (mask, mut beyond) = ((1 << P::LOG_Q) - 1, 0);
        for (trit, x) in trits.0.as_mut().iter_mut().zip(self.0.as_ref()) {
            // maps −1, 0 and 1 to 0, 1 and 2, and other values to larger numbers
            let shifted = x.wrapping_add(1) & mask;
            beyond |= (shifted + 1) & !3;
            // −1, whose two lowest bits are set, is 2 modulo 3
            *trit = (x & 1) + (x & x >> 1 & 1);
        }
        beyond.ct_eq(&0)
    }
}

impl<P: Params> S3<P> {
    /// Computes a·b in R/3.
    #[inline(always)]
    pub(crate) fn product<B: Backend>(
        backend: B,
        workspace: &mut B::Workspace<P>,
        a: &Self,
        b: &Self,
    ) -> Self {
        let mut c = Self::zero();
        c.set_product(backend, workspace, a, b);
        c
    }

    /// Computes self ← a·b.
    #[inline(always)]
    pub(crate) fn set_product<B: Backend>(
        &mut self,
        backend: B,
        workspace: &mut B::Workspace<P>,
        a: &Self,
        b: &Self,
    ) {
        const { assert!(4 * P::N < 1 << product_bits::<P>(), "coefficients of products of 0, 1 and 2") };
        backend.multiply_small::<P>(workspace, &a.0, &b.0, &mut self.0);
        self.0.as_mut().iter_mut().for_each(|c| *c = mod3(*c & ((1 << product_bits::<P>()) - 1)));
    }

    /// Reduces to the representative modulo Φₙ.
    #[inline(always)]
    pub(crate) fn reduce_phi(&mut self) {
        let f = &mut self.0.as_mut()[..P::N];
        let last = f[P::N - 1];
        f.iter_mut().for_each(|f| *f = mod3(*f + 2 * last));
    }

    /// Checks whether the coefficient of xⁿ⁻¹ is zero.
    #[inline(always)]
    pub(crate) fn has_zero_last(&self) -> Choice {
        self.0.as_ref()[P::N - 1].ct_eq(&0)
    }

    /// Converts to R/q, with coefficients 0, 1 and −1.
    #[inline(always)]
    pub(crate) fn to_rq(&self) -> Rq<P> {
        let mut r = Rq::<P>::zero();
        self.lift_to(&mut r);
        r
    }

    /// Computes r ← self, with coefficients 0, 1 and −1.
    #[inline(always)]
    pub(crate) fn lift_to(&self, r: &mut Rq<P>) {
        for (r, f) in r.0.as_mut().iter_mut().zip(self.0.as_ref()) {
            *r = f | (f >> 1).wrapping_neg();
        }
    }
}

macro_rules! coefficients {
    ($($ring:ident)*) => {$(
        impl<P: Params> $ring<P> {
            /// Returns zero.
            #[inline(always)]
            pub(crate) fn zero() -> Self {
                Self(P::Coefficients::from_fn(|_| 0))
            }
        }

        impl<P: Params> Clone for $ring<P> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<P: Params> Zeroize for $ring<P> {
            fn zeroize(&mut self) {
                secret::erase(self.0.as_mut());
            }
        }
    )*};
}

coefficients!(Rq S3);
