//! Arithmetic in GF(p) in Montgomery form.
//!
//! An element is *reduced* if it is below 2p. Sums, differences and products are reduced. The `loose` sums
//! and differences skip the reduction: their operands are reduced, and their results are below 4p. Only
//! products accept loose elements.

use crate::limbs::Limbs;
use crate::params::Prime;
use grille_core::ct;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// An element of GF(p), multiplied by R = 2^(64·N).
#[derive(Clone, Copy)]
pub(crate) struct Fp<P: Prime>(pub(crate) P::Limbs);

impl<P: Prime> Fp<P> {
    pub(crate) const ZERO: Self = Self(P::Limbs::ZERO);
    pub(crate) const ONE: Self = Self(P::ONE);

    /// Checks whether the element is below `multiple`·p. For assertions only.
    fn is_below(&self, multiple: usize) -> bool {
        let mut rest = self.0;
        (0..multiple).any(|_| {
            let (less, borrow) = rest.minus(&P::P);
            rest = less;
            borrow != 0
        })
    }

    /// Reduces an element that is below 4p: the result is below 2p.
    #[inline(always)]
    fn reduce_once(sum: &P::Limbs) -> Self {
        let (less, borrow) = sum.minus(&P::TWICE_P);
        Self(less.plus(&P::TWICE_P.apply_mask(borrow)))
    }

    /// Returns a + b. Both values are secret.
    #[inline(always)]
    pub(crate) fn add(&self, other: &Self) -> Self {
        debug_assert!(self.is_below(2) && other.is_below(2));
        Self::reduce_once(&self.0.plus(&other.0))
    }

    /// Returns a − b. Both values are secret.
    #[inline(always)]
    pub(crate) fn sub(&self, other: &Self) -> Self {
        debug_assert!(self.is_below(2) && other.is_below(2));
        let (difference, borrow) = self.0.minus(&other.0);
        Self(difference.plus(&P::TWICE_P.apply_mask(borrow)))
    }

    /// Returns a + b, which is not reduced. Both values are secret.
    #[inline(always)]
    pub(crate) fn add_loose(&self, other: &Self) -> Self {
        debug_assert!(self.is_below(4) && other.is_below(4));
        Self(self.0.plus(&other.0))
    }

    /// Returns a − b, which is not reduced. Both values are secret.
    #[inline(always)]
    pub(crate) fn sub_loose(&self, other: &Self) -> Self {
        debug_assert!(self.is_below(2) && other.is_below(2));
        Self(self.0.plus(&P::TWICE_P).minus(&other.0).0)
    }

    /// Returns the difference of two loose elements, which is below 8p. Both elements are secret.
    #[inline(always)]
    pub(crate) fn sub_looser(&self, other: &Self) -> Self {
        debug_assert!(self.is_below(4) && other.is_below(4));
        Self(self.0.plus(&P::TWICE_P).plus(&P::TWICE_P).minus(&other.0).0)
    }

    /// Returns −a. The element a is secret.
    #[inline(always)]
    pub(crate) fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    /// Returns a·b. Both values are secret.
    #[inline(always)]
    pub(crate) fn mul(&self, other: &Self) -> Self {
        Self::sum_of_products([(self, other)])
    }

    /// Returns the sum of the products of pairs of elements below 8p. All arguments and results are secret.
    #[inline(always)]
    pub(crate) fn sum_of_products<const M: usize>(pairs: [(&Self, &Self); M]) -> Self {
        // M·(8p)² / 2^(64·N) + p is below 2p, because p has at least 9 bits fewer than 2^(64·N)
        debug_assert!(M <= 2 && pairs.iter().all(|(a, b)| a.is_below(8) && b.is_below(8)));
        Self(P::Limbs::montgomery(pairs.map(|(a, b)| (&a.0, &b.0)), &P::P_PLUS_1, P::ZERO_WORDS))
    }

    /// Returns a². The element a is secret.
    #[inline(always)]
    pub(crate) fn square(&self) -> Self {
        self.mul(self)
    }

    /// Returns a^(2ⁿ). The element a is secret.
    pub(crate) fn square_times(&self, n: usize) -> Self {
        (0..n).fold(*self, |power, _| power.square())
    }

    /// Returns a/2. The element a is secret.
    pub(crate) fn half(&self) -> Self {
        self.mul(&Self(P::HALF))
    }

    /// Returns a^((p − 3)/4), where (p − 3)/4 = ⌊p/4⌋. The element a is secret.
    fn pow_p_minus_3_over_4(&self) -> Self {
        let mut powers = [Self::ONE; 16];
        for i in 1..16 {
            powers[i] = powers[i - 1].mul(self);
        }
        let p = P::P;
        let words = p.as_ref();
        let digit = |i: usize| {
            let (word, next) = (words[i / 16], words.get(i / 16 + 1).copied().unwrap_or(0));
            ((word >> 2 | next << 62) >> (4 * (i % 16)) & 15) as usize
        };
        let digits = (0..16 * words.len()).rev();
        digits.fold(Self::ONE, |power, i| power.square_times(4).mul(&powers[digit(i)]))
    }

    /// Returns a square root of a, or of −a if a has no root. Also returns the root divided by a. All values
    /// are secret.
    pub(crate) fn root(&self) -> (Self, Self) {
        let quotient = self.pow_p_minus_3_over_4();
        (quotient.mul(self), quotient)
    }

    /// Returns 1/a = a^(p − 2), or 0 if a is 0. The element a is secret.
    pub(crate) fn invert(&self) -> Self {
        self.pow_p_minus_3_over_4().square_times(2).mul(self)
    }

    /// Returns the integer below p that the element represents. The element is secret.
    pub(crate) fn to_canonical(self) -> P::Limbs {
        let mut one = P::Limbs::ZERO;
        one.as_mut()[0] = 1;
        // the product is at most p
        let Self(integer) = self.mul(&Self(one));
        let (less, borrow) = integer.minus(&P::P);
        less.plus(&P::P.apply_mask(borrow))
    }

    /// Converts an integer below 8p. The integer is secret.
    pub(crate) fn from_integer(integer: &P::Limbs) -> Self {
        Self(*integer).mul(&Self(P::R_SQUARED))
    }

    /// Checks whether the element is zero. The element is secret.
    pub(crate) fn is_zero(&self) -> Choice {
        self.to_canonical().as_ref().iter().fold(0, |all, word| all | word).ct_eq(&0)
    }

    /// Checks whether two elements are equal. Both values are secret.
    pub(crate) fn equals(&self, other: &Self) -> Choice {
        self.sub(other).is_zero()
    }

    /// Checks whether the integer that the element represents is odd. The element is secret.
    pub(crate) fn is_odd(&self) -> Choice {
        Choice::from((self.to_canonical().as_ref()[0] & 1) as u8)
    }

    /// Exchanges two elements if the mask is all ones. All arguments and results are secret.
    #[inline(always)]
    pub(crate) fn swap(&mut self, other: &mut Self, mask: u64) {
        self.0.swap(&mut other.0, mask);
    }

    /// Returns `other` if `choice`, else `self`. All arguments and results are secret.
    pub(crate) fn select(&self, other: &Self, choice: Choice) -> Self {
        let (mut selected, mut other) = (*self, *other);
        selected.swap(&mut other, mask(choice));
        selected
    }

    /// Writes ⌈log₂(p)/8⌉ bytes, the lowest first. The element is secret.
    pub(crate) fn write_bytes(&self, bytes: &mut [u8]) {
        let mut integer = self.to_canonical();
        for (bytes, word) in bytes.chunks_mut(8).zip(integer.as_ref()) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        integer.zeroize();
    }

    /// Reads as many bytes as [`write_bytes`](Self::write_bytes) writes. Also returns whether their integer
    /// is below p.
    ///
    /// A larger integer is reduced modulo p.
    pub(crate) fn from_bytes(bytes: &[u8]) -> (Self, Choice) {
        let mut integer = P::Limbs::ZERO;
        for (word, bytes) in integer.as_mut().iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(padded);
        }
        let canonical = Choice::from((integer.minus(&P::P).1 & 1) as u8);
        // the bytes have at most 7 bits more than p, and R has at least 9 bits more, so the product is
        // reduced
        let pair = (&integer, &P::R_SQUARED);
        (Self(P::Limbs::montgomery([pair], &P::P_PLUS_1, P::ZERO_WORDS)), canonical)
    }
}

/// Returns all ones if `choice`, else 0.
pub(crate) fn mask(choice: Choice) -> u64 {
    ct::opaque(u64::from(choice.unwrap_u8()).wrapping_neg())
}

impl<P: Prime> Zeroize for Fp<P> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
