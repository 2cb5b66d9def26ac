//! The differences between NTRU-HPS and NTRU-HRSS, as the methods of two types.

use crate::backend::Backend;
use crate::params::Params;
use crate::ring::{Rq, S3, mod3};
use crate::sample::{correlation, fixed_type, ternary, ternary_plus};
use grille_core::ct;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// The variant, HPS or HRSS. All arguments and results are secret.
pub trait Variant: Send + Sync + 'static + sealed::Steps {}

/// NTRU-HPS: g and m have a fixed number of coefficients of each sign.
pub struct Hps;

/// NTRU-HRSS: Σ fᵢ·fᵢ₊₁ and Σ gᵢ·gᵢ₊₁ are not negative, and m is any element of S/3.
pub struct Hrss;

impl Variant for Hps {}
impl Variant for Hrss {}

impl Hps {
    /// Returns the number of bytes that Sample_fg reads: one byte per coefficient of one polynomial, and 30 bits per
    /// coefficient of the other. Sample_rm reads the same number of bytes.
    pub(crate) const fn sample_len(n: usize) -> usize {
        n - 1 + (30 * (n - 1)).div_ceil(8)
    }
}

impl Hrss {
    /// Returns the number of bytes that Sample_fg reads: one byte per coefficient of both polynomials. Sample_rm reads
    /// the same number of bytes.
    pub(crate) const fn sample_len(n: usize) -> usize {
        2 * (n - 1)
    }
}

pub(crate) mod sealed {
    use super::{Backend, Choice, Params, Rq, S3};

    /// The steps that differ between HPS and HRSS.
    #[allow(private_interfaces, private_bounds)]
    pub trait Steps {
        /// Computes (f, g) ← Sample_fg. `f` and `g` must be zero before the call.
        fn sample_fg<P: Params, B: Backend>(backend: B, bytes: &P::SampleBytes, f: &mut S3<P>, g: &mut S3<P>);
        /// Computes (r, m) ← Sample_rm. `r` and `m` must be zero before the call.
        fn sample_rm<P: Params, B: Backend>(backend: B, bytes: &P::SampleBytes, r: &mut S3<P>, m: &mut S3<P>);
        /// Returns G/3, where G is the polynomial of DPKE_Key_Pair. G/3 is a multiple of x − 1, with
        /// coefficients from −2 to 2.
        fn numerator<P: Params>(g: &S3<P>) -> Rq<P>;
        /// Runs Lift.
        fn lift<P: Params>(m: &S3<P>) -> Rq<P>;
        /// Checks whether m is a possible result of Sample_rm.
        fn is_message<P: Params>(m: &S3<P>) -> Choice;
        /// Checks f and the polynomial g that has this [`numerator`](Self::numerator). The first result states whether
        /// g has only the coefficients −1, 0 and 1. The second states whether Sample_fg may return f and g. Overwrites
        /// `numerator`.
        fn are_sampled<P: Params>(f: &S3<P>, numerator: &mut Rq<P>) -> [Choice; 2];
    }
}

#[allow(private_interfaces, private_bounds)]
impl sealed::Steps for Hps {
    #[inline(always)]
    fn sample_fg<P: Params, B: Backend>(backend: B, bytes: &P::SampleBytes, f: &mut S3<P>, g: &mut S3<P>) {
        let (first, second) = bytes.as_ref().split_at(P::N - 1);
        ternary(first, f);
        fixed_type(backend, second, g);
    }

    #[inline(always)]
    fn sample_rm<P: Params, B: Backend>(backend: B, bytes: &P::SampleBytes, r: &mut S3<P>, m: &mut S3<P>) {
        Self::sample_fg(backend, bytes, r, m);
    }

    /// Returns G/3 for G = 3·g. g(1) is 0, because g has as many coefficients 1 as −1.
    #[inline(always)]
    fn numerator<P: Params>(g: &S3<P>) -> Rq<P> {
        g.to_rq()
    }

    #[inline(always)]
    fn lift<P: Params>(m: &S3<P>) -> Rq<P> {
        m.to_rq()
    }

    #[inline(always)]
    fn is_message<P: Params>(m: &S3<P>) -> Choice {
        let per_sign = (1 << P::LOG_Q) / 16 - 1;
        let (plus, minus) =
            m.0.as_ref()
                .iter()
                .fold((0, 0), |(plus, minus): (u16, u16), m| (plus + (m & 1), minus + (m >> 1)));
        plus.ct_eq(&per_sign) & minus.ct_eq(&per_sign)
    }

    /// Checks whether g has coefficients −1, 0 and 1, and whether it is a possible result of Fixed_Type. f
    /// may be arbitrary.
    #[inline(always)]
    fn are_sampled<P: Params>(_: &S3<P>, g: &mut Rq<P>) -> [Choice; 2] {
        let mut trits = Zeroizing::new(S3::zero());
        [g.to_ternary(&mut trits), Self::is_message(&trits) & trits.has_zero_last()]
    }
}

#[allow(private_interfaces, private_bounds)]
impl sealed::Steps for Hrss {
    #[inline(always)]
    fn sample_fg<P: Params, B: Backend>(_: B, bytes: &P::SampleBytes, f: &mut S3<P>, g: &mut S3<P>) {
        let (first, second) = bytes.as_ref().split_at(P::N - 1);
        ternary_plus(first, f);
        ternary_plus(second, g);
    }

    #[inline(always)]
    fn sample_rm<P: Params, B: Backend>(_: B, bytes: &P::SampleBytes, r: &mut S3<P>, m: &mut S3<P>) {
        let (first, second) = bytes.as_ref().split_at(P::N - 1);
        ternary(first, r);
        ternary(second, m);
    }

    /// Returns G/3 for G = 3·(x − 1)·g.
    #[inline(always)]
    fn numerator<P: Params>(g: &S3<P>) -> Rq<P> {
        times_x_minus_1(&Zeroizing::new(g.to_rq()))
    }

    /// Computes (x − 1)·(m/(x − 1) mod (3, Φₙ)).
    #[inline(always)]
    fn lift<P: Params>(m: &S3<P>) -> Rq<P> {
        const { assert!(P::N % 3 == 2, "−1/n is 1 modulo 3") };
        // because (x − 1)·b = m + c·Φₙ, bᵢ₋₁ − bᵢ = mᵢ + c; the sum of all these is 0 = m(1) + n·c
        let c = mod3(m.0.as_ref().iter().sum());
        let mut b = Zeroizing::new(S3::<P>::zero());
        let mut sum = 0;
        for (b, m) in b.0.as_mut()[..P::N - 1].iter_mut().zip(m.0.as_ref()) {
            // −(mᵢ + c) equals 2·mᵢ + 2·c modulo 3, which is at most 8
            sum += 2 * (m + c);
            *b = sum;
        }
        b.0.as_mut().iter_mut().for_each(|b| *b = mod3(*b));
        times_x_minus_1(&Zeroizing::new(b.to_rq()))
    }

    #[inline(always)]
    fn is_message<P: Params>(_: &S3<P>) -> Choice {
        Choice::from(1)
    }

    /// Checks whether g has coefficients −1, 0 and 1, and whether neither Σ fᵢ·fᵢ₊₁ nor Σ gᵢ·gᵢ₊₁ is negative.
    #[inline(always)]
    fn are_sampled<P: Params>(f: &S3<P>, numerator: &mut Rq<P>) -> [Choice; 2] {
        // the coefficients of (x − 1)·g are gᵢ₋₁ − gᵢ
        let mut g = 0_u16;
        for x in &mut numerator.0.as_mut()[..P::N] {
            g = g.wrapping_sub(*x);
            *x = g;
        }
        let mut trits = Zeroizing::new(S3::zero());
        // the coefficient of xⁿ⁻¹ in g would be −h(1)·f(1)/3, which is 0 because h(1) is 0
        [
            numerator.to_ternary(&mut trits),
            has_nonnegative_correlation(f) & has_nonnegative_correlation(&trits),
        ]
    }
}

/// Checks whether Σ vᵢ·vᵢ₊₁ is not negative.
#[inline(always)]
fn has_nonnegative_correlation<P: Params>(v: &S3<P>) -> Choice {
    ct::opaque((correlation(v) >> 15) as u16).ct_eq(&0)
}

/// Computes (x − 1)·a for an a whose coefficient of xⁿ⁻¹ is zero.
#[inline(always)]
fn times_x_minus_1<P: Params>(a: &Rq<P>) -> Rq<P> {
    let mut product = Rq::<P>::zero();
    let coefficients = &mut product.0.as_mut()[..P::N];
    let a = &a.0.as_ref()[..P::N];
    coefficients[0] = a[0].wrapping_neg();
    for (product, pair) in coefficients[1..].iter_mut().zip(a.windows(2)) {
        *product = pair[0].wrapping_sub(pair[1]);
    }
    product
}
