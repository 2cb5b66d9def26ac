//! The ring Z\[X\]/(X²⁵⁶ + 1) modulo powers of two, and its images under two number-theoretic transforms.
//!
//! q = 2¹³ has no roots of unity. A sum of l products of a polynomial with coefficients in [−2¹², 2¹²) and
//! one with coefficients in [−μ/2, μ/2] has coefficients within ±l·256·2¹²·μ/2 ≤ 12·2²⁰. Its residues modulo
//! the primes 7681 and 10753, which have roots of order 512, therefore determine the sum ("NTT multiplication
//! for NTT-unfriendly rings", Chung and others, 2021).

use zeroize::{Zeroize, optimization_barrier};

/// The number of coefficients n.
pub(crate) const N: usize = 256;

/// A polynomial. Array element i is the coefficient of Xⁱ. Each use states the range of the coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Poly(pub(crate) [i16; N]);

/// The values of a polynomial at the 256 odd powers of a root ψ, in rows of 16. In each row, elements 0 to 15 are
/// residues modulo the first prime, and elements 16 to 31 are residues modulo the second prime, in the same order.
///
/// The order is that of the transform's output, which is the same for every backend; see `backend/ntt.rs`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Image(pub(crate) [Row; 16]);

/// Sixteen residues modulo the first prime, followed by sixteen residues modulo the second.
pub(crate) type Row = [i16; 32];

impl Poly {
    /// The zero polynomial.
    pub(crate) const ZERO: Self = Self([0; N]);
}

impl Image {
    /// The image of the zero polynomial.
    pub(crate) const ZERO: Self = Self([[0; 32]; 16]);
}

impl Zeroize for Poly {
    fn zeroize(&mut self) {
        self.0 = [0; N];
        optimization_barrier(&self.0);
    }
}

impl Zeroize for Image {
    fn zeroize(&mut self) {
        self.0 = [[0; 32]; 16];
        optimization_barrier(&self.0);
    }
}
