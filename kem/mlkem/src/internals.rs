//! The building blocks of the algorithms, exposed for benchmarks.

use crate::backend::{Backend, Operation, dispatch};
use crate::field::{Q, R2, add_q_if_negative, montgomery_multiply, reduce};
use crate::matrix_source::{Order, Source};
use crate::params::Params;
use crate::poly::{NttPoly, Poly};
use crate::{encode, expand};
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};
use grille_core::Array;

/// An integer modulo q, in Montgomery form and in [0, q). Operations run in constant time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zq(i16);

impl Zq {
    /// Converts `a` to its residue modulo q.
    #[must_use]
    pub const fn new(a: i16) -> Self {
        Self(encode::canonical(montgomery_multiply(reduce(a), R2)))
    }

    /// Returns the `n`th power.
    #[must_use]
    pub fn pow(self, n: u32) -> Self {
        (0..32).rev().fold(Self::new(1), |power, bit| {
            let square = power * power;
            if n >> bit & 1 == 1 { square * self } else { square }
        })
    }

    /// Returns the inverse, computed with Fermat's little theorem. The inverse of 0 is 0.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.pow(Q as u32 - 2)
    }
}

impl Add for Zq {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(add_q_if_negative(self.0 + other.0 - Q))
    }
}

impl Sub for Zq {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(add_q_if_negative(self.0 - other.0))
    }
}

impl Neg for Zq {
    type Output = Self;

    fn neg(self) -> Self {
        Self(0) - self
    }
}

impl Mul for Zq {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(add_q_if_negative(montgomery_multiply(self.0, other.0)))
    }
}

impl Div for Zq {
    type Output = Self;

    #[allow(clippy::suspicious_arithmetic_impl)] // a/b = a·b⁻¹
    fn div(self, other: Self) -> Self {
        self * other.inverse()
    }
}

impl AddAssign for Zq {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Zq {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Zq {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

/// A component that [`Workspace::run`] applies to one polynomial. d and η are the const parameter of `run`.
#[derive(Clone, Copy, Debug)]
pub enum Component {
    /// The loop of SampleNTT over three blocks of SHAKE128.
    Parse,
    /// The function SamplePolyCBD_η.
    Cbd,
    /// The function ByteEncode_d.
    Encode,
    /// The function ByteDecode_d.
    Decode,
    /// The function Compress_d.
    Compress,
    /// The function Decompress_d.
    Decompress,
    /// The function ByteEncode_d(Compress_d) as one kernel.
    CompressAndEncode,
    /// The function Decompress_d(ByteDecode_d) as one kernel.
    DecodeAndDecompress,
    /// The function NTT.
    Ntt,
    /// The function NTT⁻¹.
    InverseNtt,
    /// The function MultiplyNTTs.
    Multiply,
}

/// The polynomials and bytes that components work on.
pub struct Workspace {
    f: Poly,
    f_hat: NttPoly,
    g_hat: [NttPoly; 1],
    bytes: [u8; 504],
}

impl Workspace {
    /// Creates a workspace with pseudorandom contents.
    #[must_use]
    pub fn new() -> Self {
        let coefficients = core::array::from_fn(|i| (i * 1753 % Q as usize) as i16);
        Self {
            f: Poly(coefficients),
            f_hat: NttPoly(coefficients),
            g_hat: [NttPoly(coefficients.map(reduce))],
            bytes: core::array::from_fn(|i| ((i * i * 167 + i * 13) >> 3) as u8),
        }
    }

    /// Runs a component at the best level of this machine.
    pub fn run<const D: usize>(&mut self, component: Component) {
        dispatch(Run::<D>(self, component));
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

struct Run<'a, const D: usize>(&'a mut Workspace, Component);

impl<const D: usize> Operation for Run<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Workspace { f, f_hat, g_hat, bytes } = self.0;
        match self.1 {
            Component::Parse => _ = backend.reject_uniform(bytes, f_hat, 0),
            Component::Cbd => backend.cbd::<D>(&bytes[..64 * D], f),
            Component::Encode => encode::byte_encode::<D>(&f.0, &mut bytes[..32 * D]),
            Component::Decode => encode::byte_decode::<D>(&bytes[..32 * D], &mut f.0),
            Component::Compress => f_hat.0 = f.0.map(encode::compress::<D>),
            Component::Decompress => f_hat.0 = f.0.map(|y| encode::decompress::<D>(y & ((1 << D) - 1))),
            Component::CompressAndEncode => backend.compress_and_encode::<D>(&f.0, &mut bytes[..32 * D]),
            Component::DecodeAndDecompress => backend.decode_and_decompress::<D>(&bytes[..32 * D], &mut f.0),
            Component::Ntt => backend.ntt(f, f_hat),
            Component::InverseNtt => backend.inverse_ntt(f_hat, f),
            Component::Multiply => {
                let a_hat = NttPoly(f.0);
                backend.dot_ntt([&a_hat].into_iter(), g_hat, f_hat);
            }
        }
    }
}

/// Expands the matrix in the order of encryption. The order of key generation costs the same.
pub fn matrix<P: Params>(rho: &[u8; 32]) -> P::NttMatrix {
    dispatch(Matrix::<P>(rho, PhantomData))
}

struct Matrix<'a, P>(&'a [u8; 32], PhantomData<P>);

impl<P: Params> Operation for Matrix<'_, P> {
    type Output = P::NttMatrix;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> P::NttMatrix {
        let mut entries = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        let source = Source { rho: self.0, k: P::K, order: Order::Columns };
        expand::matrix::<P, B>(backend, source, entries.as_mut());
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_residue_but_zero_has_an_inverse() {
        assert!((1..Q).all(|a| Zq::new(a) * Zq::new(a).inverse() == Zq::new(1)));
        assert_eq!(Zq::new(0).inverse(), Zq::new(0));
    }

    #[test]
    fn arithmetic_matches_integers_modulo_q() {
        for a in 0..Q {
            for b in [0, 1, 2, Q / 2, Q / 2 + 1, Q - 2, Q - 1] {
                let (x, y) = (Zq::new(a), Zq::new(b));
                assert_eq!(x + y, Zq::new((a + b) % Q));
                assert_eq!(x - y, Zq::new(a - b));
                assert_eq!(-x, Zq::new(-a));
                assert_eq!(x * y, Zq::new((i32::from(a) * i32::from(b) % i32::from(Q)) as i16));
                assert!(b == 0 || x / y * y == x);
            }
        }
    }
}
