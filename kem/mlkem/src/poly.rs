//! Polynomials of degree below 256, in the ring R_q and in its NTT image T_q: two types over one array type.
//!
//! Polynomials are aligned to 16 bytes, which every allocator provides by default. An alignment to cache
//! lines would make allocations slower, which costs 3 to 4 % of an encapsulation. Loads that cross cache
//! lines cost almost nothing.

use zeroize::{Zeroize, optimization_barrier};

/// The number of coefficients n.
pub(crate) const N: usize = 256;

/// A polynomial in R_q. Array element i is the coefficient of Xⁱ. Each use states the range of the coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Poly(pub(crate) [i16; N]);

/// An element of T_q, FIPS 203 section 2.4.4, in the standard's order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct NttPoly(pub(crate) [i16; N]);

impl Poly {
    /// The zero polynomial.
    pub(crate) const ZERO: Self = Self([0; N]);
}

impl NttPoly {
    /// The zero element.
    pub(crate) const ZERO: Self = Self([0; N]);
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

/// Overwrites coefficients with zeroes. The compiler must perform the writes but may combine them.
fn erase(coefficients: &mut [i16; N]) {
    coefficients.fill(0);
    optimization_barrier(coefficients);
}
