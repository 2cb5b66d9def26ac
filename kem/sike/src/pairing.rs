//! The reduced Tate pairing of points of order ℓ^e with points of a Montgomery curve, in constant time.
//!
//! The final exponentiation removes factors in GF(p), so the conjugate of v can replace 1/v.

use crate::order::Order;
use crate::params::Prime;
use crate::quadratic::Fp2;
use crate::sidh::{Side2, Side3};
use core::array;

/// A point with both coordinates.
#[derive(Clone, Copy)]
pub(crate) struct Affine<P: Prime> {
    pub(crate) x: Fp2<P>,
    pub(crate) y: Fp2<P>,
}

/// A multiple T of P in Jacobian coordinates: x = X/Z², y = Y/Z³.
pub(crate) struct Multiple<P: Prime> {
    x: Fp2<P>,
    y: Fp2<P>,
    z: Fp2<P>,
}

/// The values of a Miller function at several points, and a factor that all values share.
pub(crate) struct Miller<P: Prime, const M: usize> {
    values: [Fp2<P>; M],
    common: Fp2<P>,
}

/// Returns e(Pᵢ, Rⱼ) for all i and j, on the curve y² = x³ + Ax² + x. All arguments and results are secret.
pub(crate) fn tate<P: Prime, O: Pairing<P>, const L: usize, const M: usize>(
    a: &Fp2<P>,
    points: &[Affine<P>; L],
    others: &[Affine<P>; M],
) -> [[Fp2<P>; M]; L] {
    // substitutes x + A/3 for x, which gives y² = x³ + a₄x + a₆ with a₄ = 1 − A²/3
    let third = a.scale(&crate::field::Fp(P::THIRD));
    let a4 = Fp2::ONE.sub(&a.mul(&third));
    let moved = |point: &Affine<P>| Affine { x: point.x.add(&third), y: point.y };
    let others = others.each_ref().map(moved);
    points.each_ref().map(|point| {
        let point = moved(point);
        let mut multiple = Multiple { x: point.x, y: point.y, z: Fp2::ONE };
        let mut miller = Miller { values: [Fp2::ONE; M], common: Fp2::ONE };
        for _ in 1..O::EXPONENT {
            O::step(&mut multiple, &a4, &mut miller, &others);
        }
        O::last_step(&multiple, &a4, &mut miller, &others);
        let values = miller.values.map(|value| value.mul(&miller.common));
        let inverses = Fp2::invert_all(values.each_ref());
        // computes f^((p² − 1)/ℓ^e), where f^p is the conjugate
        array::from_fn(|j| O::remove_cofactor(&values[j].conjugate().mul(&inverses[j])))
    })
}

/// The steps of the pairing that depend on ℓ. All arguments and results are secret.
pub(crate) trait Pairing<P: Prime>: Order<P> + Sized {
    /// Replaces T by ℓT, and updates the Miller function.
    fn step<const M: usize>(
        t: &mut Multiple<P>,
        a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    );

    /// Updates the Miller function if ℓT is the point at infinity.
    fn last_step<const M: usize>(
        t: &Multiple<P>,
        a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    );

    /// Returns z^((p + 1)/ℓ^e) for z of norm 1.
    fn remove_cofactor(z: &Fp2<P>) -> Fp2<P>;

    /// Returns z^ℓ for z of norm 1.
    fn raise_to_ell(z: &Fp2<P>) -> Fp2<P>;
}

/// Returns z² = 2a² − 1 + 2ab·i for z = a + b·i of norm 1. The element z is secret.
fn square_of_norm_1<P: Prime>(z: &Fp2<P>) -> Fp2<P> {
    let (twice, one) = (z.re.add(&z.re), Fp2::<P>::ONE.re);
    Fp2::new(twice.mul(&z.re).sub(&one), twice.mul(&z.im))
}

/// Returns z³ = a·(4a² − 3) + b·(4a² − 1)·i for z = a + b·i of norm 1. The element z is secret.
fn cube_of_norm_1<P: Prime>(z: &Fp2<P>) -> Fp2<P> {
    let (twice, one) = (z.re.add(&z.re), Fp2::<P>::ONE.re);
    let less = twice.square().sub(&one);
    Fp2::new(less.sub(&one).sub(&one).mul(&z.re), less.mul(&z.im))
}

impl<P: Prime> Pairing<P> for Side2 {
    fn step<const M: usize>(
        t: &mut Multiple<P>,
        a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    ) {
        let (yy, zz) = (t.y.square(), t.z.square());
        let m = three_times(&t.x.square()).add(&a4.mul(&zz.square()));
        let s = t.x.mul(&yy).double().double();
        let x = m.square().sub(&s).sub(&s);
        let z = t.y.mul(&t.z).double();
        let y = m.mul(&s.sub(&x)).sub(&yy.square().double().double().double());
        // the tangent is L/(Z₃Z²), and the vertical line is V/Z₃²
        let (z_zz, z3z3) = (z.mul(&zz), z.square());
        for (value, other) in miller.values.iter_mut().zip(others) {
            let tangent = z_zz.mul(&other.y).sub(&yy.double()).sub(&m.mul(&zz.mul(&other.x).sub(&t.x)));
            let vertical = z3z3.mul(&other.x).sub(&x);
            *value = value.square().mul(&tangent.mul(&vertical.conjugate()));
        }
        miller.common = miller.common.square().mul(&z.mul(&zz.conjugate()));
        *t = Multiple { x, y, z };
    }

    fn last_step<const M: usize>(
        t: &Multiple<P>,
        _a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    ) {
        // the tangent is vertical
        let zz = t.z.square();
        for (value, other) in miller.values.iter_mut().zip(others) {
            *value = value.square().mul(&zz.mul(&other.x).sub(&t.x));
        }
        miller.common = miller.common.square().mul(&zz.conjugate());
    }

    fn remove_cofactor(z: &Fp2<P>) -> Fp2<P> {
        (0..P::E3).fold(*z, |z, _| cube_of_norm_1(&z))
    }

    fn raise_to_ell(z: &Fp2<P>) -> Fp2<P> {
        square_of_norm_1(z)
    }
}

impl<P: Prime> Pairing<P> for Side3 {
    fn step<const M: usize>(
        t: &mut Multiple<P>,
        a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    ) {
        let (yy, zz) = (t.y.square(), t.z.square());
        let yyyy = yy.square();
        let m = three_times(&t.x.square()).add(&a4.mul(&zz.square()));
        let xyy4 = t.x.mul(&yy).double().double();
        let e = three_times(&xyy4).sub(&m.square());
        let ee = e.square();
        let yyyy16 = yyyy.double().double().double().double();
        let u = m.mul(&e).double().sub(&yyyy16);
        let x = t.x.mul(&ee).sub(&yy.mul(&u).double().double()).double().double();
        let y = t.y.mul(&u.mul(&yyyy16.sub(&u)).sub(&e.mul(&ee))).double().double().double();
        let z = t.z.mul(&e).double();
        // the product of both lines, divided by the vertical line at 2T, is the parabola W/(Z⁴E); the
        // vertical line at 3T is V/Z₃²
        let (zzz, z3z3) = (zz.mul(&t.z), z.square());
        let (myy4, yyy8) = (m.mul(&yy).double().double(), t.y.mul(&yy).double().double().double());
        for (value, other) in miller.values.iter_mut().zip(others) {
            let difference = zz.mul(&other.x).sub(&t.x);
            let parabola =
                difference.mul(&e.mul(&difference).add(&myy4)).sub(&yyy8.mul(&zzz.mul(&other.y).sub(&t.y)));
            let vertical = z3z3.mul(&other.x).sub(&x);
            *value = value.square().mul(value).mul(&parabola.mul(&vertical.conjugate()));
        }
        miller.common = miller.common.square().mul(&miller.common).mul(&e.mul(&zz.conjugate()));
        *t = Multiple { x, y, z };
    }

    fn last_step<const M: usize>(
        t: &Multiple<P>,
        a4: &Fp2<P>,
        miller: &mut Miller<P, M>,
        others: &[Affine<P>; M],
    ) {
        // only the tangent L/(2YZ³) remains, because the vertical lines cancel out
        let (yy, zz) = (t.y.square(), t.z.square());
        let m = three_times(&t.x.square()).add(&a4.mul(&zz.square()));
        let denominator = t.y.mul(&t.z).mul(&zz).double();
        for (value, other) in miller.values.iter_mut().zip(others) {
            let difference = zz.mul(&other.x).sub(&t.x);
            let tangent = denominator.mul(&other.y).sub(&yy.double()).sub(&m.mul(&difference));
            *value = value.square().mul(value).mul(&tangent);
        }
        miller.common = miller.common.square().mul(&miller.common).mul(&denominator.conjugate());
    }

    fn remove_cofactor(z: &Fp2<P>) -> Fp2<P> {
        (0..P::E2).fold(*z, |z, _| square_of_norm_1(&z))
    }

    fn raise_to_ell(z: &Fp2<P>) -> Fp2<P> {
        cube_of_norm_1(z)
    }
}

/// Returns 3a. The element a is secret.
fn three_times<P: Prime>(a: &Fp2<P>) -> Fp2<P> {
    a.double().add(a)
}
