//! The differences between NTRU-HPS and NTRU-HRSS. All arguments and results are secret.
//!
//! In NTRU-HPS, g and m have a fixed number of coefficients of each sign. In NTRU-HRSS, Σ fᵢ·fᵢ₊₁ and Σ gᵢ·gᵢ₊₁ are
//! not negative, and m is any element of S/3.

use crate::algorithm::{Kind, Variant};
use crate::backend::Backend;
use crate::coefficient::mod3;
use crate::params::Params;
use crate::ring::{Rq, S3};
use crate::sample::{correlation, fixed_type, ternary, ternary_plus};
use grille_core::ct;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// Computes (f, g) ← Sample_fg. `f` and `g` must be zero before the call.
#[inline(always)]
pub(crate) fn sample_fg<P: Params, B: Backend>(
    backend: B,
    bytes: &P::SampleBytes,
    f: &mut S3<P>,
    g: &mut S3<P>,
) {
    let (first, second) = bytes.as_ref().split_at(P::N - 1);
    match P::Variant::KIND {
        Kind::Hps => {
            ternary(first, f);
            fixed_type(backend, second, g);
        }
        Kind::Hrss => {
            ternary_plus(first, f);
            ternary_plus(second, g);
        }
    }
}

/// Computes (r, m) ← Sample_rm. `r` and `m` must be zero before the call.
#[inline(always)]
pub(crate) fn sample_rm<P: Params, B: Backend>(
    backend: B,
    bytes: &P::SampleBytes,
    r: &mut S3<P>,
    m: &mut S3<P>,
) {
    match P::Variant::KIND {
        Kind::Hps => sample_fg(backend, bytes, r, m),
        Kind::Hrss => {
            let (first, second) = bytes.as_ref().split_at(P::N - 1);
            ternary(first, r);
            ternary(second, m);
        }
    }
}

/// Returns G/3, where G is the polynomial of DPKE_Key_Pair: 3·g for HPS, and 3·(x − 1)·g for HRSS. G/3 is a multiple
/// of x − 1, with coefficients from −2 to 2. For HPS, g(1) is 0, because g has as many coefficients 1 as −1.
#[inline(always)]
pub(crate) fn numerator<P: Params>(g: &S3<P>) -> Rq<P> {
    match P::Variant::KIND {
        Kind::Hps => g.to_rq(),
        Kind::Hrss => times_x_minus_1(&Zeroizing::new(g.to_rq())),
    }
}

/// Runs Lift: returns m for HPS, and (x − 1)·(m/(x − 1) mod (3, Φₙ)) for HRSS.
#[inline(always)]
pub(crate) fn lift<P: Params>(m: &S3<P>) -> Rq<P> {
    match P::Variant::KIND {
        Kind::Hps => m.to_rq(),
        Kind::Hrss => lift_hrss(m),
    }
}

/// Computes (x − 1)·(m/(x − 1) mod (3, Φₙ)).
#[inline(always)]
fn lift_hrss<P: Params>(m: &S3<P>) -> Rq<P> {
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

/// Checks whether m is a possible result of Sample_rm.
#[inline(always)]
pub(crate) fn is_message<P: Params>(m: &S3<P>) -> Choice {
    match P::Variant::KIND {
        Kind::Hps => has_fixed_type(m),
        Kind::Hrss => Choice::from(1),
    }
}

/// Checks whether v has as many coefficients 1, and as many coefficients −1, as a result of Fixed_Type.
#[inline(always)]
fn has_fixed_type<P: Params>(v: &S3<P>) -> Choice {
    let per_sign = (1 << P::LOG_Q) / 16 - 1;
    let (plus, minus) =
        v.0.as_ref().iter().fold((0, 0), |(plus, minus): (u16, u16), v| (plus + (v & 1), minus + (v >> 1)));
    plus.ct_eq(&per_sign) & minus.ct_eq(&per_sign)
}

/// Checks f and the polynomial g that has this [`numerator`]. The first result states whether g has only the
/// coefficients −1, 0 and 1. The second states whether Sample_fg may return f and g. Overwrites `numerator`.
#[inline(always)]
pub(crate) fn are_sampled<P: Params>(f: &S3<P>, numerator: &mut Rq<P>) -> [Choice; 2] {
    let mut trits = Zeroizing::new(S3::zero());
    match P::Variant::KIND {
        // f may be arbitrary
        Kind::Hps => [numerator.to_ternary(&mut trits), has_fixed_type(&trits) & trits.has_zero_last()],
        Kind::Hrss => {
            // the coefficients of (x − 1)·g are gᵢ₋₁ − gᵢ
            let mut g = 0_u16;
            for x in &mut numerator.0.as_mut()[..P::N] {
                g = g.wrapping_sub(*x);
                *x = g;
            }
            // the coefficient of xⁿ⁻¹ in g would be −h(1)·f(1)/3, which is 0 because h(1) is 0
            [
                numerator.to_ternary(&mut trits),
                has_nonnegative_correlation(f) & has_nonnegative_correlation(&trits),
            ]
        }
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
