//! The building blocks of the algorithms, exposed for benchmarks.

use crate::backend::{Backend, Operation, dispatch};
use crate::expand::EntryRange;
use crate::field::{Q, R2, add_q_if_negative, montgomery_multiply, reduce};
use crate::matrix_source::{Order, Source};
use crate::params::{K512, K768, K1024, Params};
use crate::poly::{NttPoly, Poly};
use crate::{encode, expand};
use core::hint::black_box;
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

    /// Returns the `n`th power. The exponent is public.
    #[must_use]
    pub const fn pow(self, n: u64) -> Self {
        let Some(below) = n.checked_sub(1) else { return Self::new(1) };
        // x^q = x: Fermat's little theorem
        let n = below % (Q as u64 - 1) + 1;
        let (mut power, mut square, mut i) = (Self::new(1).0, self.0, 0);
        while n >> i > 0 {
            if n >> i & 1 == 1 {
                power = montgomery_multiply(power, square);
            }
            square = montgomery_multiply(square, square);
            i += 1;
        }
        Self(add_q_if_negative(power))
    }

    /// Returns the inverse, computed with Fermat's little theorem. The inverse of 0 is 0.
    #[must_use]
    pub const fn inverse(self) -> Self {
        self.pow(Q as u64 - 2)
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

/// A component with the name of its benchmark in the library github.com/itzmeanjan/kyber of 2022.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of the benchmark, such as `encode<10>`.
    pub name: &'static str,
    /// Runs the component as often as the argument says.
    pub repeat: fn(usize),
}

const fn row(name: &'static str, repeat: fn(usize)) -> Row {
    Row { name, repeat }
}

/// The components in the order of that library. `encode` includes compression, and `decode` decompression, because operations use
/// one kernel for both.
pub const ROWS: &[Row] = &[
    row("ff_add", |n| chain(n, |b, a| *b = *b + a)),
    row("ff_compound_add", |n| chain(n, |b, a| *b += a)),
    row("ff_sub", |n| chain(n, |b, a| *b = *b - a)),
    row("ff_compound_sub", |n| chain(n, |b, a| *b -= a)),
    row("ff_neg", |n| chain(n, |b, a| *b = -a)),
    row("ff_mul", |n| chain(n, |b, a| *b = *b * a)),
    row("ff_compound_mul", |n| chain(n, |b, a| *b *= a)),
    row("ff_inv", |n| chain(n, |b, _| *b = b.inverse())),
    row("ff_div", |n| chain(n, |b, a| *b = *b / a)),
    row("ff_exp", |n| chain(n, |b, _| *b = b.pow(black_box(0x9E37_79B9_7F4A_7C15)))),
    row("parse", |n| component::<12>(n, Component::Parse)),
    row("generate_matrix<2, true>", |n| matrices::<K512>(n, Order::Columns)),
    row("generate_matrix<2, false>", |n| matrices::<K512>(n, Order::Rows)),
    row("generate_matrix<3, true>", |n| matrices::<K768>(n, Order::Columns)),
    row("generate_matrix<3, false>", |n| matrices::<K768>(n, Order::Rows)),
    row("generate_matrix<4, true>", |n| matrices::<K1024>(n, Order::Columns)),
    row("generate_matrix<4, false>", |n| matrices::<K1024>(n, Order::Rows)),
    row("cbd<2>", |n| component::<2>(n, Component::Cbd)),
    row("cbd<3>", |n| component::<3>(n, Component::Cbd)),
    row("encode<1>", |n| component::<1>(n, Component::CompressAndEncode)),
    row("decode<1>", |n| component::<1>(n, Component::DecodeAndDecompress)),
    row("encode<4>", |n| component::<4>(n, Component::CompressAndEncode)),
    row("decode<4>", |n| component::<4>(n, Component::DecodeAndDecompress)),
    row("encode<5>", |n| component::<5>(n, Component::CompressAndEncode)),
    row("decode<5>", |n| component::<5>(n, Component::DecodeAndDecompress)),
    row("encode<10>", |n| component::<10>(n, Component::CompressAndEncode)),
    row("decode<10>", |n| component::<10>(n, Component::DecodeAndDecompress)),
    row("encode<11>", |n| component::<11>(n, Component::CompressAndEncode)),
    row("decode<11>", |n| component::<11>(n, Component::DecodeAndDecompress)),
    row("encode<12>", |n| component::<12>(n, Component::CompressAndEncode)),
    row("decode<12>", |n| component::<12>(n, Component::DecodeAndDecompress)),
    row("compress<1>", |n| chain(n, |b, _| b.0 = encode::compress::<1>(b.0))),
    row("decompress<1>", |n| chain(n, |b, _| b.0 = decompress::<1>(b.0))),
    row("compress<4>", |n| chain(n, |b, _| b.0 = encode::compress::<4>(b.0))),
    row("decompress<4>", |n| chain(n, |b, _| b.0 = decompress::<4>(b.0))),
    row("compress<5>", |n| chain(n, |b, _| b.0 = encode::compress::<5>(b.0))),
    row("decompress<5>", |n| chain(n, |b, _| b.0 = decompress::<5>(b.0))),
    row("compress<10>", |n| chain(n, |b, _| b.0 = encode::compress::<10>(b.0))),
    row("decompress<10>", |n| chain(n, |b, _| b.0 = decompress::<10>(b.0))),
    row("compress<11>", |n| chain(n, |b, _| b.0 = encode::compress::<11>(b.0))),
    row("decompress<11>", |n| chain(n, |b, _| b.0 = decompress::<11>(b.0))),
    row("ntt", |n| component::<12>(n, Component::Ntt)),
    row("intt", |n| component::<12>(n, Component::InverseNtt)),
    row("polymul", |n| component::<12>(n, Component::Multiply)),
];

/// Applies `step` to one integer `n` times; each call needs the result of the one before. The second argument is a constant that the
/// compiler does not know.
fn chain(n: usize, step: impl Fn(&mut Zq, Zq)) {
    let (mut b, a) = (Zq::new(2345), black_box(Zq::new(1234)));
    for _ in 0..n {
        step(&mut b, a);
        b = black_box(b);
    }
}

/// Computes Decompress_d of the lowest d bits.
#[inline(always)]
fn decompress<const D: usize>(y: i16) -> i16 {
    encode::decompress::<D>(y & ((1 << D) - 1))
}

/// A component that processes one polynomial. d and η are the const parameter of [`component`].
#[derive(Clone, Copy)]
enum Component {
    /// The function SampleNTT, with its calls of SHAKE128.
    Parse,
    /// The function SamplePolyCBD_η.
    Cbd,
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

/// Runs a component `n` times at the best level of this machine.
fn component<const D: usize>(n: usize, component: Component) {
    dispatch(Repeat::<D>(n, component));
}

struct Repeat<const D: usize>(usize, Component);

impl<const D: usize> Operation for Repeat<D> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self(n, component) = self;
        let mut workspace = Workspace::new();
        for _ in 0..n {
            run::<B, D>(backend, component, black_box(&mut workspace));
        }
        black_box(&workspace);
    }
}

/// The polynomials and bytes that components work on.
struct Workspace {
    f: Poly,
    f_hat: NttPoly,
    g_hat: [NttPoly; 1],
    bytes: [u8; 384],
}

impl Workspace {
    /// Creates a workspace with pseudorandom contents.
    fn new() -> Self {
        let coefficients = core::array::from_fn(|i| (i * 1753 % Q as usize) as i16);
        Self {
            f: Poly(coefficients),
            f_hat: NttPoly(coefficients),
            g_hat: [NttPoly(coefficients.map(reduce))],
            bytes: core::array::from_fn(|i| ((i * i * 167 + i * 13) >> 3) as u8),
        }
    }
}

/// Runs a component once.
#[inline(always)]
fn run<B: Backend, const D: usize>(backend: B, component: Component, workspace: &mut Workspace) {
    let Workspace { f, f_hat, g_hat, bytes } = workspace;
    match component {
        Component::Parse => {
            let source = Source { rho: bytes.first_chunk().expect("32 bytes"), k: 1, order: Order::Rows };
            let a_hat_t = core::slice::from_mut(f_hat);
            let mut entry = EntryRange { source, numbers: 0..1, a_hat_t };
            expand::sample_with_job::<B, 1>(backend, &mut entry, &mut (), None);
        }
        Component::Cbd => backend.cbd::<D>(&bytes[..64 * D], f),
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

/// Expands a matrix `n` times.
fn matrices<P: Params>(n: usize, order: Order) {
    dispatch(Matrices::<P>(n, order, PhantomData));
}

struct Matrices<P>(usize, Order, PhantomData<P>);

impl<P: Params> Operation for Matrices<P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let mut entries = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        for _ in 0..self.0 {
            let source = Source { rho: black_box(&[7; 32]), k: P::K, order: self.1 };
            expand::matrix::<P, B>(backend, source, entries.as_mut());
            black_box(&entries);
        }
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
    fn powers_are_repeated_products() {
        for a in [0, 1, 2, 17, Q - 1] {
            let x = Zq::new(a);
            let mut product = Zq::new(1);
            for n in 0..2 * Q as u64 {
                assert_eq!(x.pow(n), product, "{a}^{n}");
                product *= x;
            }
        }
    }

    #[test]
    fn every_row_has_its_own_name_and_runs() {
        for (i, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..i].iter().all(|other| other.name != row.name), "{}", row.name);
            (row.repeat)(2);
        }
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
