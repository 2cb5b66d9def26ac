//! Polynomials of degree below 256, in the ring R_q and in its NTT image T_q: two types over one array type.

use zeroize::{Zeroize, optimization_barrier};

/// The number of coefficients n.
pub(crate) const N: usize = 256;

/// A polynomial in R_q. `self.0[i]` is the coefficient of Xⁱ. Each use states the range of the coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Poly(pub(crate) [i32; N]);

/// An element of T_q, FIPS 204 section 2.5, in the standard's order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct NttPoly(pub(crate) [i32; N]);

/// The hints of one polynomial, FIPS 204 section 6.2: bit `i % 8` of byte `i / 8` belongs to coefficient `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HintPoly(pub(crate) [u8; N / 8]);

impl HintPoly {
    /// Returns the number of hints.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    /// Returns the indices of the hints, ascending. Takes variable time.
    pub(crate) fn indices_vartime(&self) -> impl Iterator<Item = u8> {
        let mut words = [0u64; 4];
        for (word, bytes) in words.iter_mut().zip(self.0.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        [0, 64, 128, 192].into_iter().zip(words).flat_map(|(start, mut word)| {
            core::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                word &= word.wrapping_sub(1);
                (bit < 64).then(|| start + bit as u8)
            })
        })
    }

    /// Adds a hint at index `i`.
    pub(crate) fn insert(&mut self, i: u8) {
        self.0[usize::from(i / 8)] |= 1 << (i % 8);
    }
}

/// A type whose zero value is a constant. The compiler writes a large constant in place instead of copying it.
pub trait Zero {
    /// The value whose coefficients are all zero.
    const ZERO: Self;
}

impl Zero for Poly {
    const ZERO: Self = Self([0; N]);
}

impl Zero for NttPoly {
    const ZERO: Self = Self([0; N]);
}

impl<T: Zero, const COUNT: usize> Zero for [T; COUNT] {
    const ZERO: Self = [const { T::ZERO }; COUNT];
}

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        erase(&mut self.0);
    }
}

impl Zeroize for NttPoly {
    fn zeroize(&mut self) {
        erase(&mut self.0);
    }
}

/// Overwrites coefficients with zeroes. The compiler must perform the writes but may combine eight at a time.
fn erase(coefficients: &mut [i32; N]) {
    coefficients.fill(0);
    optimization_barrier(coefficients);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn hints_are_found_at_their_indices() {
        for step in [1, 7, 63, 64, 255] {
            let expected: Vec<u8> = (0..=255u8).step_by(step).collect();
            let mut h = HintPoly::default();
            expected.iter().for_each(|i| h.insert(*i));
            assert_eq!(h.indices_vartime().collect::<Vec<_>>(), expected);
        }
    }
}
