//! Discrete logarithms in the groups of ℓ^e-th roots of unity, with the Pohlig–Hellman algorithm, in constant
//! time.

use crate::field::mask;
use crate::limbs::Limbs;
use crate::order::integer;
use crate::pairing::Pairing;
use crate::params::Prime;
use crate::quadratic::Fp2;
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// The powers of a base with the exponents 0, 1, …, up to half of the radix. Their conjugates are the powers
/// with negative exponents.
struct Powers<P: Prime>(Vec<Fp2<P>>);

impl<P: Prime> Powers<P> {
    /// Computes the powers of `base` that digits of this radix need.
    fn new(base: &Fp2<P>, radix: usize) -> Self {
        let mut powers = vec![Fp2::ONE; radix / 2 + 1];
        for i in 1..powers.len() {
            powers[i] = powers[i - 1].mul(base);
        }
        Self(powers)
    }

    /// Returns base^−digit for a signed digit. The digit is secret.
    fn inverse_power(&self, digit: i8) -> Fp2<P> {
        let sign = digit >> 7;
        let absolute = (digit ^ sign).wrapping_sub(sign);
        let mut power = Fp2::ZERO;
        for (i, candidate) in self.0.iter().enumerate() {
            power.accumulate(candidate, mask((i as i8).ct_eq(&absolute)));
        }
        power.conjugate().select(&power, Choice::from((sign & 1) as u8))
    }
}

/// The powers of a base in canonical form, for finding the exponent of a given power.
struct Digits<P: Prime>(Vec<[P::Limbs; 2]>);

impl<P: Prime> Digits<P> {
    fn new(powers: &Powers<P>) -> Self {
        Self(powers.0.iter().map(|power| [power.re.to_canonical(), power.im.to_canonical()]).collect())
    }

    /// Returns the signed digit d of a power base^d. The power is secret.
    fn digit(&self, power: &Fp2<P>) -> i8 {
        let (re, im) = (power.re.to_canonical(), power.im.to_canonical());
        let same = |one: &P::Limbs, other: &P::Limbs| {
            let pairs = one.as_ref().iter().zip(other.as_ref());
            pairs.fold(0, |all, (one, other)| all | (one ^ other)).ct_eq(&0)
        };
        let mut digit = 0;
        for (i, [candidate_re, candidate_im]) in self.0.iter().enumerate() {
            let found = mask(same(&re, candidate_re)) as i8;
            let negative = mask(!same(&im, candidate_im)) as i8;
            digit |= ((i as i8) ^ negative).wrapping_sub(negative) & found;
        }
        digit
    }
}

/// The tables for logarithms to one base of order ℓ^e.
///
/// The lowest digit has the radix ℓ^(e mod w). The n other digits have the radix ℓ^w.
pub(crate) struct Logarithms<P: Prime, O> {
    /// The tables that remove and find the lowest digit.
    lowest: (Powers<P>, Digits<P>),
    /// The tables that remove each of the other digits.
    powers: Vec<Powers<P>>,
    /// The table that finds one of the other digits.
    digits: Digits<P>,
    order: PhantomData<fn() -> O>,
}

impl<P: Prime, O: Pairing<P>> Logarithms<P, O> {
    /// The window w.
    const WINDOW: usize = if O::ELL == 2 { 4 } else { 3 };
    /// The remainder e mod w.
    const LOWEST: usize = O::EXPONENT % Self::WINDOW;
    /// The number n of digits with the radix ℓ^w.
    const DIGITS: usize = O::EXPONENT / Self::WINDOW;

    /// Returns z^(ℓⁿ).
    fn raise(z: &Fp2<P>, n: usize) -> Fp2<P> {
        (0..n).fold(*z, |z, _| O::raise_to_ell(&z))
    }

    /// Computes the tables for logarithms to `base`.
    pub(crate) fn new(base: &Fp2<P>) -> Self {
        let radix = O::ELL.pow(Self::WINDOW as u32);
        let mut powers = Vec::with_capacity(Self::DIGITS);
        let mut weighted = Self::raise(base, Self::LOWEST);
        for _ in 0..Self::DIGITS {
            powers.push(Powers::new(&weighted, radix));
            weighted = Self::raise(&weighted, Self::WINDOW);
        }
        let lowest_radix = O::ELL.pow(Self::LOWEST as u32);
        let lowest = [*base, Self::raise(base, O::EXPONENT - Self::LOWEST)];
        let [lowest, raised] = lowest.map(|base| Powers::new(&base, lowest_radix));
        let digits = Digits::new(&powers[Self::DIGITS - 1]);
        Self { lowest: (lowest, Digits::new(&raised)), powers, digits, order: PhantomData }
    }

    /// Returns the logarithm of an ℓ^e-th root of unity. Both values are secret.
    pub(crate) fn logarithm(&self, root: &Fp2<P>) -> P::Limbs {
        let lowest = self.lowest.1.digit(&Self::raise(root, O::EXPONENT - Self::LOWEST));
        let rest = root.mul(&self.lowest.0.inverse_power(lowest));
        let mut digits = Zeroizing::new(vec![0; Self::DIGITS]);
        self.solve(&rest, 0, &mut digits);
        // makes the digits nonnegative, starting with the lowest one
        let radix = O::ELL.pow(Self::WINDOW as u32) as i8;
        let lowest_radix = O::ELL.pow(Self::LOWEST as u32) as i8;
        let mut borrow = 0;
        let mut positive = |digit: i8, radix: i8| {
            let digit = digit + borrow;
            borrow = digit >> 7;
            (digit + (radix & borrow)) as u64
        };
        let lowest = positive(lowest, lowest_radix);
        let digits = Zeroizing::new(digits.iter().map(|digit| positive(*digit, radix)).collect::<Vec<_>>());
        let horner = digits
            .iter()
            .rev()
            .fold(P::Limbs::ZERO, |sum, digit| multiply_add::<P>(&sum, radix as u64, *digit));
        multiply_add::<P>(&horner, lowest_radix as u64, lowest)
    }

    /// Finds the digits of the logarithm of `root`. The base of the logarithm is that of the table
    /// `self.powers[level]`. Everything except `level` is secret.
    fn solve(&self, root: &Fp2<P>, level: usize, digits: &mut [i8]) {
        let len = digits.len();
        if let [digit] = digits {
            *digit = self.digits.digit(root);
            return;
        }
        let (low, high) = digits.split_at_mut(len / 2);
        self.solve(&Self::raise(root, Self::WINDOW * high.len()), level + high.len(), low);
        let mut rest = *root;
        for (digit, powers) in low.iter().zip(&self.powers[level..]) {
            rest = rest.mul(&powers.inverse_power(*digit));
        }
        self.solve(&rest, level + low.len(), high);
    }
}

/// Returns a·factor + digit. The integer a and the digit are secret.
fn multiply_add<P: Prime>(a: &P::Limbs, factor: u64, digit: u64) -> P::Limbs {
    let mut product = integer::<P>(0);
    let mut carry = digit;
    for (word, a) in product.as_mut().iter_mut().zip(a.as_ref()) {
        (*word, carry) = a.carrying_mul(factor, carry);
    }
    product
}
