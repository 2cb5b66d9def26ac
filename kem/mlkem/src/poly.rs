//! Polynomials of degree below 256, in the ring R_q and in its NTT image T_q: two types, one array.
//!
//! They are aligned to 16 bytes, which every allocator does by itself: keys aligned to a cache line would go the long way
//! through it, which takes 3 to 4 % of an encapsulation, where loads across lines take next to nothing.

use zeroize::{Zeroize, optimization_barrier};

/// n, the number of coefficients.
pub(crate) const N: usize = 256;

/// A polynomial in R_q: `0[i]` is the coefficient of Xⁱ, in a range that each use states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Poly(pub(crate) [i16; N]);

/// An element of T_q, FIPS 203 section 2.4.4, in the standard's order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct NttPoly(pub(crate) [i16; N]);

impl Poly {
    /// All coefficients zero.
    pub(crate) const ZERO: Self = Self([0; N]);
}

impl NttPoly {
    /// All coefficients zero.
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

/// Zeroes that the compiler must write, and may write many at a time.
fn erase(coefficients: &mut [i16; N]) {
    coefficients.fill(0);
    optimization_barrier(coefficients);
}
