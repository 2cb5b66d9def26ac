//! Arithmetic in GF(p²) = GF(p)(i), where i² = −1.

use crate::field::Fp;
use crate::params::Prime;
use core::array;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// An element a + b·i.
#[derive(Clone, Copy)]
pub(crate) struct Fp2<P: Prime> {
    pub(crate) re: Fp<P>,
    pub(crate) im: Fp<P>,
}

impl<P: Prime> Fp2<P> {
    pub(crate) const ZERO: Self = Self { re: Fp::ZERO, im: Fp::ZERO };
    pub(crate) const ONE: Self = Self { re: Fp::ONE, im: Fp::ZERO };

    pub(crate) const fn new(re: Fp<P>, im: Fp<P>) -> Self {
        Self { re, im }
    }

    /// Converts a small integer.
    pub(crate) fn small(integer: u64) -> Self {
        let mut limbs = <P::Limbs as crate::limbs::Limbs>::ZERO;
        limbs.as_mut()[0] = integer;
        Self { re: Fp::from_integer(&limbs), im: Fp::ZERO }
    }

    #[inline(always)]
    fn zip(&self, other: &Self, f: impl Fn(&Fp<P>, &Fp<P>) -> Fp<P>) -> Self {
        Self { re: f(&self.re, &other.re), im: f(&self.im, &other.im) }
    }

    /// Returns a + b, reduced. Both values are secret.
    #[inline(always)]
    pub(crate) fn add(&self, other: &Self) -> Self {
        self.zip(other, Fp::add)
    }

    /// Returns a − b, reduced. Both values are secret.
    #[inline(always)]
    pub(crate) fn sub(&self, other: &Self) -> Self {
        self.zip(other, Fp::sub)
    }

    /// Returns a + b without reduction, for use as a factor of a product. Both elements are secret.
    #[inline(always)]
    pub(crate) fn add_loose(&self, other: &Self) -> Self {
        self.zip(other, Fp::add_loose)
    }

    /// Returns a − b without reduction, for use as a factor of a product. Both elements are secret.
    #[inline(always)]
    pub(crate) fn sub_loose(&self, other: &Self) -> Self {
        self.zip(other, Fp::sub_loose)
    }

    /// Returns 2·a, reduced. The element a is secret.
    #[inline(always)]
    pub(crate) fn double(&self) -> Self {
        self.add(self)
    }

    /// Returns −a. The element a is secret.
    pub(crate) fn neg(&self) -> Self {
        Self { re: self.re.neg(), im: self.im.neg() }
    }

    /// Returns a − b·i, where the element is a + b·i. The element is secret.
    pub(crate) fn conjugate(&self) -> Self {
        Self { re: self.re, im: self.im.neg() }
    }

    /// Returns a·b. Both values are secret.
    #[inline(never)]
    pub(crate) fn mul(&self, other: &Self) -> Self {
        let minus_im = Fp::ZERO.sub_looser(&self.im);
        Self {
            re: Fp::sum_of_products([(&self.re, &other.re), (&minus_im, &other.im)]),
            im: Fp::sum_of_products([(&self.re, &other.im), (&self.im, &other.re)]),
        }
    }

    /// Returns a². The element a is secret.
    #[inline(never)]
    pub(crate) fn square(&self) -> Self {
        Self {
            re: self.re.add_loose(&self.im).mul(&self.re.sub_looser(&self.im)),
            im: self.re.add_loose(&self.re).mul(&self.im),
        }
    }

    /// Returns a·b, where b is in GF(p). Both values are secret.
    pub(crate) fn scale(&self, other: &Fp<P>) -> Self {
        Self { re: self.re.mul(other), im: self.im.mul(other) }
    }

    /// Returns a/2. The element a is secret.
    pub(crate) fn half(&self) -> Self {
        Self { re: self.re.half(), im: self.im.half() }
    }

    /// Returns a² + b², where the element is a + b·i. The element is secret.
    pub(crate) fn norm(&self) -> Fp<P> {
        Fp::sum_of_products([(&self.re, &self.re), (&self.im, &self.im)])
    }

    /// Returns 1/a, or 0 if a is 0. The element a is secret.
    pub(crate) fn invert(&self) -> Self {
        self.conjugate().scale(&self.norm().invert())
    }

    /// Returns the inverses of all elements, with one inversion. If one element is zero, all results are
    /// zero. All arguments and results are secret.
    pub(crate) fn invert_all<const M: usize>(elements: [&Self; M]) -> [Self; M] {
        let mut products = [Self::ONE; M];
        for i in 1..M {
            products[i] = products[i - 1].mul(elements[i - 1]);
        }
        let mut rest = products[M - 1].mul(elements[M - 1]).invert();
        let mut inverses: [Self; M] = array::from_fn(|_| Self::ZERO);
        for i in (0..M).rev() {
            inverses[i] = rest.mul(&products[i]);
            rest = rest.mul(elements[i]);
        }
        inverses
    }

    /// Checks whether the element is zero. The element is secret.
    pub(crate) fn is_zero(&self) -> Choice {
        self.re.is_zero() & self.im.is_zero()
    }

    /// Checks whether two elements are equal. Both values are secret.
    pub(crate) fn equals(&self, other: &Self) -> Choice {
        self.re.equals(&other.re) & self.im.equals(&other.im)
    }

    /// Exchanges two elements if the mask is all ones. All arguments and results are secret.
    #[inline(always)]
    pub(crate) fn swap(&mut self, other: &mut Self, mask: u64) {
        self.re.swap(&mut other.re, mask);
        self.im.swap(&mut other.im, mask);
    }

    /// Returns `other` if `choice`, else `self`. All arguments and results are secret.
    pub(crate) fn select(&self, other: &Self, choice: Choice) -> Self {
        Self { re: self.re.select(&other.re, choice), im: self.im.select(&other.im, choice) }
    }

    /// Adds the bits of another element if the mask is all ones. None of these bits may be set in `self`. All
    /// arguments and results are secret.
    pub(crate) fn accumulate(&mut self, other: &Self, mask: u64) {
        for (sum, other) in [(&mut self.re.0, &other.re.0), (&mut self.im.0, &other.im.0)] {
            sum.as_mut().iter_mut().zip(other.as_ref()).for_each(|(sum, other)| *sum |= other & mask);
        }
    }

    /// Checks whether the element has a square root. The element is secret.
    pub(crate) fn is_square(&self) -> Choice {
        let norm = self.norm();
        norm.root().0.square().equals(&norm)
    }

    /// Returns a square root, or an unrelated element if there is none. The element is secret.
    pub(crate) fn root(&self) -> Self {
        // t = (a + √(a² + b²))/2; the root is √t + b/(2√t)·i, or −b/(2√−t) − √−t·i
        let t = self.norm().root().0.add(&self.re).half();
        let (root, inverse) = t.root();
        let is_square = root.square().equals(&t);
        let other = self.im.mul(&inverse).half();
        Self::new(other, root.neg()).select(&Self::new(root, other), is_square)
    }

    /// Writes a, then b, where the element is a + b·i. The element is secret.
    pub(crate) fn write_bytes(&self, bytes: &mut [u8]) {
        let (re, im) = bytes.split_at_mut(bytes.len() / 2);
        self.re.write_bytes(re);
        self.im.write_bytes(im);
    }

    /// Reads as many bytes as [`write_bytes`](Self::write_bytes) writes. Also returns whether both parts are
    /// below p.
    pub(crate) fn from_bytes(bytes: &[u8]) -> (Self, Choice) {
        let (re, im) = bytes.split_at(bytes.len() / 2);
        let ((re, first), (im, second)) = (Fp::from_bytes(re), Fp::from_bytes(im));
        (Self { re, im }, first & second)
    }
}

impl<P: Prime> ConstantTimeEq for Fp2<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.equals(other)
    }
}

impl<P: Prime> Zeroize for Fp2<P> {
    fn zeroize(&mut self) {
        self.re.zeroize();
        self.im.zeroize();
    }
}
