//! The secret code: the Goppa polynomial g, and the order of the field elements.

use crate::backend::{Kernel, Lanes, at_level};
use crate::field::{Field, MAX_M, invert, multiply};
use crate::params::{Params, q};
use crate::sort::{Wide, sort_blocks};
use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use grille_hash::Level;
use zeroize::Zeroizing;

/// The maximum number of coefficients of a polynomial of degree below t.
const MAX_T: usize = 128;

/// The coefficients of a polynomial over GF(q), or a row of a matrix.
type Row = [u16; MAX_T];

/// Runs FieldOrdering: returns the permutation π that sorts the numbers, or `None` if two numbers are equal.
/// All arguments and results are secret.
pub(crate) fn field_ordering<P: Params>(
    level: Level,
    numbers: impl Iterator<Item = u32>,
) -> Option<Zeroizing<Vec<u16>>> {
    let pairs = numbers.zip(0..).map(|(number, i)| u64::from(number) << 16 | i).collect();
    let mut pairs = Zeroizing::new(pairs);
    at_level(level, Sort(&mut pairs));
    let repeated = pairs.array_windows().fold(0, |repeated, [a, b]| repeated | u64::from((a ^ b) >> 16 == 0));
    // a failed attempt reveals nothing about the next one
    let distinct = ct::public(repeated) == 0;
    debug_assert_eq!(pairs.len(), q::<P>());
    distinct.then(|| Zeroizing::new(pairs.iter().map(|pair| *pair as u16).collect()))
}

struct Sort<'a>(&'a mut Vec<u64>);

impl Kernel for Sort<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let len = self.0.len();
        sort_blocks::<L, Wide>(l, self.0, len);
    }
}

/// Runs Irreducible: returns the coefficients of the minimal polynomial of β, without the highest one.
/// Returns `None` if its degree is below t. All arguments and results are secret.
pub(crate) fn irreducible<P: Params>(
    level: Level,
    beta: impl Iterator<Item = u16>,
) -> Option<Zeroizing<Vec<u16>>> {
    let mut first = Zeroizing::new([0; MAX_T]);
    first.iter_mut().zip(beta).for_each(|(to, from)| *to = from);
    at_level(level, MinimalPolynomial::<P::Field> { beta: &first, t: P::T, f: P::F, field: PhantomData })
}

struct MinimalPolynomial<'a, F> {
    beta: &'a Row,
    t: usize,
    /// The terms of F(y), except for the first one.
    f: &'static [(usize, u16)],
    field: PhantomData<fn() -> F>,
}

impl<F: Field> Kernel for MinimalPolynomial<'_, F> {
    type Output = Option<Zeroizing<Vec<u16>>>;

    /// Solves Σ gᵢ·βⁱ = β^t for the coefficients gᵢ. There are t equations, one for each coefficient of β^t.
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let t = self.t;
        let multiples = multiples::<F>(self.beta);
        // row i is βⁱ, so each column is an equation
        let mut powers = Zeroizing::new(vec![[0; MAX_T]; t + 1]);
        powers[0][0] = 1;
        for i in 1..=t {
            let (before, this) = powers.split_at_mut(i);
            multiply_modulo_f::<F>(&before[i - 1], &multiples, t, self.f, &mut this[0]);
        }
        let mut equations = Zeroizing::new(vec![[0; MAX_T]; t]);
        let mut right = Zeroizing::new([0; MAX_T]);
        for (r, equation) in equations.iter_mut().enumerate() {
            equation.iter_mut().zip(powers.iter()).take(t).for_each(|(to, power)| *to = power[r]);
            right[r] = powers[t][r];
        }
        solve::<F>(&mut equations, &mut right)?;
        Some(Zeroizing::new(right[..t].to_vec()))
    }
}

/// Computes the products of a row and z^b for each b. Every multiple of the row is a sum of these products.
#[inline(always)]
fn multiples<F: Field>(row: &Row) -> Zeroizing<[Row; MAX_M]> {
    let mut multiples = Zeroizing::new([[0; MAX_T]; MAX_M]);
    multiples[0] = *row;
    let taps = F::TAPS.iter().fold(0, |taps, tap| taps | 1 << tap);
    for b in 1..F::M {
        for i in 0..MAX_T {
            let x = multiples[b - 1][i];
            multiples[b][i] =
                (x << 1 & ((1 << F::M) - 1)) ^ (taps & ct::mask((x >> (F::M - 1)).wrapping_neg()));
        }
    }
    multiples
}

/// Adds `factor` times a row, from the row's `multiples`.
#[inline(always)]
fn add_multiple<F: Field>(row: &mut Row, factor: u16, multiples: &[Row; MAX_M]) {
    let mut sum = *row;
    for (b, multiple) in multiples.iter().enumerate().take(F::M) {
        let mask = ct::opaque((factor >> b & 1).wrapping_neg());
        for (sum, multiple) in sum.iter_mut().zip(multiple) {
            *sum ^= multiple & mask;
        }
    }
    *row = sum;
}

/// Computes product ← a·b mod F(y), from the multiples of b.
#[inline(always)]
fn multiply_modulo_f<F: Field>(a: &Row, b: &[Row; MAX_M], t: usize, f: &[(usize, u16)], product: &mut Row) {
    let mut long = Zeroizing::new([0; 2 * MAX_T]);
    for i in (0..t).rev() {
        let part = long[i..].first_chunk_mut().expect("longer than a row");
        add_multiple::<F>(part, a[i], b);
    }
    for i in (t..2 * t - 1).rev() {
        for (exponent, coefficient) in f {
            long[i - t + exponent] ^= multiply::<F>(long[i], *coefficient);
        }
    }
    product[..t].copy_from_slice(&long[..t]);
}

/// Solves a system of equations. The solution replaces the right-hand side. Returns `None` if there is not
/// exactly one solution. All arguments and results are secret.
#[inline(always)]
fn solve<F: Field>(equations: &mut [Row], right: &mut Row) -> Option<()> {
    let t = equations.len();
    for i in 0..t {
        // adds each following equation as long as the diagonal element is zero
        let (upper, lower) = equations.split_at_mut(i + 1);
        let pivot = &mut upper[i];
        for (k, equation) in lower.iter().enumerate() {
            let mask = ct::opaque(u16::from(pivot[i] != 0).wrapping_sub(1));
            for (to, from) in pivot.iter_mut().zip(equation) {
                *to ^= from & mask;
            }
            right[i] ^= right[i + 1 + k] & mask;
        }
        // a failed attempt reveals nothing about the next one
        if ct::public(pivot[i] == 0) {
            return None;
        }
        let inverse = invert::<F>(pivot[i]);
        let mut scaled = Zeroizing::new([0; MAX_T]);
        add_multiple::<F>(&mut scaled, inverse, &multiples::<F>(pivot));
        let value = multiply::<F>(right[i], inverse);
        right[i] = value;
        equations[i] = *scaled;
        let multiples = multiples::<F>(&scaled);
        for k in 0..t {
            if k == i {
                continue;
            }
            let factor = equations[k][i];
            add_multiple::<F>(&mut equations[k], factor, &multiples);
            right[k] ^= multiply::<F>(factor, value);
        }
    }
    Some(())
}
