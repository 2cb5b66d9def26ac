//! Montgomery curves y² = x³ + (A/C)·x² + x and the x-coordinates of their points: multiplication and the
//! three-point ladder.

use crate::params::Prime;
use crate::quadratic::Fp2;
use zeroize::Zeroize;

/// An x-coordinate X/Z. At the point at infinity, Z is zero.
#[derive(Clone, Copy)]
pub(crate) struct Point<P: Prime> {
    pub(crate) x: Fp2<P>,
    pub(crate) z: Fp2<P>,
}

impl<P: Prime> Point<P> {
    /// Returns the point with this x-coordinate.
    pub(crate) const fn affine(x: Fp2<P>) -> Self {
        Self { x, z: Fp2::ONE }
    }

    /// Exchanges two points if the mask is all ones. All arguments and results are secret.
    #[inline(always)]
    pub(crate) fn swap(&mut self, other: &mut Self, mask: u64) {
        self.x.swap(&mut other.x, mask);
        self.z.swap(&mut other.z, mask);
    }

    /// Runs xDBL: returns \[2\]P on the curve with (A + 2C : 4C). All arguments and results are secret.
    pub(crate) fn double(&self, a24_plus: &Fp2<P>, c24: &Fp2<P>) -> Self {
        let less = self.x.sub_loose(&self.z).square();
        let more = self.x.add_loose(&self.z).square();
        let product = c24.mul(&less);
        let difference = more.sub_loose(&less);
        Self { x: more.mul(&product), z: product.add_loose(&a24_plus.mul(&difference)).mul(&difference) }
    }

    /// Runs xDBLe: returns \[2ⁿ\]P. Everything except n is secret.
    pub(crate) fn double_times(&self, n: usize, a24_plus: &Fp2<P>, c24: &Fp2<P>) -> Self {
        (0..n).fold(*self, |point, _| point.double(a24_plus, c24))
    }

    /// Runs xTPL: returns \[3\]P on the curve with (A + 2C : A − 2C). All arguments and results are secret.
    pub(crate) fn triple(&self, a24_plus: &Fp2<P>, a24_minus: &Fp2<P>) -> Self {
        let less = self.x.sub_loose(&self.z).square();
        let more = self.x.add_loose(&self.z).square();
        let (x2, z2) = (self.x.add_loose(&self.x), self.z.add_loose(&self.z));
        let (plus, minus) = (a24_plus.mul(&more), a24_minus.mul(&less));
        // computes (2X)² − (X + Z)² − (X − Z)², multiplied by the difference of the last two squares
        let mixed = x2.square().sub(&more).sub_loose(&less).mul(&plus.sub_loose(&minus));
        let ends = minus.mul(&less).sub(&plus.mul(&more));
        Self { x: ends.add_loose(&mixed).square().mul(&x2), z: ends.sub_loose(&mixed).square().mul(&z2) }
    }

    /// Returns \[m\]P for a point of order 2^`bits`, where m is the integer of the lowest `bits` bits of
    /// `scalar`. All arguments and results are secret.
    pub(crate) fn times(&self, scalar: &[u8], bits: usize, a24: &Fp2<P>) -> Self {
        // starts with 1: this leading bit adds 2^bits to m
        let (mut result, mut next) = (*self, self.double(a24, &Fp2::ONE));
        let mut before = 0;
        for i in (0..bits).rev() {
            let bit = scalar[i / 8] >> (i % 8) & 1;
            result.swap(&mut next, swap_mask(bit ^ before));
            before = bit;
            result.double_and_add(&mut next, self, a24);
        }
        result.swap(&mut next, swap_mask(before));
        result
    }

    /// Runs xDBLADD: replaces P by \[2\]P and Q by P + Q on the curve with A24 = (A/C + 2)/4. `difference` is
    /// P − Q. All arguments and results are secret.
    pub(crate) fn double_and_add(&mut self, q: &mut Self, difference: &Self, a24: &Fp2<P>) {
        let (sum, less) = (self.x.add_loose(&self.z), self.x.sub_loose(&self.z));
        let first = sum.mul(&q.x.sub_loose(&q.z));
        let second = less.mul(&q.x.add_loose(&q.z));
        let (sum, less) = (sum.square(), less.square());
        let mixed = sum.sub_loose(&less);
        self.x = sum.mul(&less);
        self.z = a24.mul(&mixed).add_loose(&less).mul(&mixed);
        q.x = first.add_loose(&second).square().mul(&difference.z);
        q.z = first.sub_loose(&second).square().mul(&difference.x);
    }
}

impl<P: Prime> Zeroize for Point<P> {
    fn zeroize(&mut self) {
        self.x.zeroize();
        self.z.zeroize();
    }
}

/// Returns A24 = (A + 2)/4.
pub(crate) fn a24<P: Prime>(a: &Fp2<P>) -> Fp2<P> {
    a.add(&Fp2::small(2)).half().half()
}

/// Runs Ladder3pt: returns P + \[m\]Q, where m is the integer of the lowest `bits` bits of `scalar`.
///
/// `points` are P, Q and P − Q. All arguments and results are secret.
pub(crate) fn ladder_3_points<P: Prime>(
    scalar: &[u8],
    bits: usize,
    points: &[Point<P>; 3],
    a24: &Fp2<P>,
) -> Point<P> {
    let [mut result, mut doubled, mut difference] = *points;
    let mut before = 0;
    for i in 0..bits {
        let bit = scalar[i / 8] >> (i % 8) & 1;
        let mask = swap_mask(bit ^ before);
        before = bit;
        result.swap(&mut difference, mask);
        doubled.double_and_add(&mut difference, &result, a24);
    }
    result.swap(&mut difference, swap_mask(before));
    doubled.zeroize();
    difference.zeroize();
    result
}

/// Returns all ones if the bit is set, else 0.
pub(crate) fn swap_mask(bit: u8) -> u64 {
    grille_core::ct::opaque(u64::from(bit).wrapping_neg())
}

/// Runs get_A: returns the coefficient A of the curve on which P, Q and P − Q have these x-coordinates. All
/// arguments and results are secret.
pub(crate) fn coefficient<P: Prime>([p, q, r]: &[Fp2<P>; 3]) -> Fp2<P> {
    let (sum, product) = (p.add(q), p.mul(q));
    // computes (1 − pq − pr − qr)² / (4·pqr) − p − q − r
    let numerator = r.mul(&sum).add(&product).sub(&Fp2::ONE).square();
    let denominator = product.mul(r).double().double();
    numerator.mul(&denominator.invert()).sub(&sum).sub(r)
}

/// Runs j_inv: returns the j-invariant of the curve with (A : C), 256·(A² − 3C²)³ / (C⁴·(A² − 4C²)). All
/// arguments and results are secret.
pub(crate) fn j_invariant<P: Prime>(a: &Fp2<P>, c: &Fp2<P>) -> Fp2<P> {
    let (a2, c2) = (a.square(), c.square());
    let less = a2.sub(&c2).sub(&c2);
    let (cubed, last) = (less.sub(&c2), less.sub(&c2).sub(&c2));
    let numerator = cubed.square().mul(&cubed).mul(&Fp2::small(256));
    numerator.mul(&c2.square().mul(&last).invert())
}
