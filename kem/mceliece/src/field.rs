//! Arithmetic in GF(2^m), on bitsliced elements and on single elements.
//!
//! A bitsliced element is an array of m vectors. Bit i of vector b is the coefficient of z^b in element i.

use crate::backend::{Lanes, Work};
use core::marker::PhantomData;
use grille_core::{ct, unroll};

/// The larger of the two values of m.
pub(crate) const MAX_M: usize = 13;

/// A vector of bitsliced elements of GF(2^m): vector b holds the coefficients of z^b. For m = 12, the last
/// vector is not used.
pub(crate) type Element<V> = [V; MAX_M];

/// A field GF(2^m), in the representation of the standard.
pub trait Field: Send + Sync + 'static {
    /// The degree m.
    const M: usize;
    /// The exponents below m of the polynomial f(z).
    const TAPS: &'static [usize];
}

/// The field GF(2^12), with f(z) = z^12 + z^3 + 1.
pub struct Gf12;

/// The field GF(2^13), with f(z) = z^13 + z^4 + z^3 + z + 1.
pub struct Gf13;

impl Field for Gf12 {
    const M: usize = 12;
    const TAPS: &'static [usize] = &[3, 0];
}

impl Field for Gf13 {
    const M: usize = 13;
    const TAPS: &'static [usize] = &[4, 3, 1, 0];
}

/// Returns the number of words that hold one bit of every field element: 2^m/64.
pub(crate) const fn words<F: Field>() -> usize {
    (1 << F::M) / 64
}

/// Computes a·b. All arguments and results are secret.
#[inline(always)]
pub(crate) fn product<F: Field, L: Lanes>(l: L, a: &Element<L::V>, b: &Element<L::V>) -> Element<L::V> {
    l.call(Products::<F, L, 1> { factors: [[a, b]], field: PhantomData })
}

/// Computes a·b + c·d. All arguments and results are secret.
#[inline(always)]
pub(crate) fn products<F: Field, L: Lanes>(l: L, factors: [[&Element<L::V>; 2]; 2]) -> Element<L::V> {
    l.call(Products::<F, L, 2> { factors, field: PhantomData })
}

struct Products<'a, F, L: Lanes, const COUNT: usize> {
    factors: [[&'a Element<L::V>; 2]; COUNT],
    field: PhantomData<fn() -> F>,
}

impl<F: Field, L: Lanes, const COUNT: usize> Work<L> for Products<'_, F, L, COUNT> {
    type Output = Element<L::V>;

    #[inline(always)]
    fn run(self, l: L) -> Element<L::V> {
        let mut long = [l.zero(); 2 * MAX_M - 1];
        for [a, b] in self.factors {
            add_product::<F, L>(l, a, b, &mut long);
        }
        reduce::<F, L>(l, long)
    }
}

/// Adds a·b, as an unreduced polynomial in z, to `long`.
#[inline(always)]
fn add_product<F: Field, L: Lanes>(
    l: L,
    a: &Element<L::V>,
    b: &Element<L::V>,
    long: &mut [L::V; 2 * MAX_M - 1],
) {
    unroll!(k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 => {
        unroll!(i in 0 1 2 3 4 5 6 7 8 9 10 11 12 => {
            if i < F::M && i <= k && k - i < F::M {
                long[k] = l.and_xor(long[k], a[i], b[(k + MAX_M - i) % MAX_M]);
            }
        });
    });
}

/// Reduces modulo f(z).
#[inline(always)]
fn reduce<F: Field, L: Lanes>(l: L, mut long: [L::V; 2 * MAX_M - 1]) -> Element<L::V> {
    unroll!(k in 24 23 22 21 20 19 18 17 16 15 14 13 12 => {
        if k >= F::M && k < 2 * F::M - 1 {
            for tap in F::TAPS {
                long[k - F::M + tap] = l.xor(long[k - F::M + tap], long[k]);
            }
        }
    });
    let mut short = [l.zero(); MAX_M];
    short[..F::M].copy_from_slice(&long[..F::M]);
    short
}

/// Computes a + b. All arguments and results are secret.
#[inline(always)]
pub(crate) fn sum<F: Field, L: Lanes>(l: L, a: &Element<L::V>, b: &Element<L::V>) -> Element<L::V> {
    let mut sum = *a;
    for i in 0..F::M {
        sum[i] = l.xor(a[i], b[i]);
    }
    sum
}

/// Computes a². All arguments and results are secret.
#[inline(always)]
pub(crate) fn square<F: Field, L: Lanes>(l: L, a: &Element<L::V>) -> Element<L::V> {
    let mut long = [l.zero(); 2 * MAX_M - 1];
    unroll!(b in 0 1 2 3 4 5 6 7 8 9 10 11 12 => {
        if b < F::M {
            long[2 * b] = a[b];
        }
    });
    reduce::<F, L>(l, long)
}

/// Computes a^(2^m − 2), which is 1/a, or 0 for a = 0. All arguments and results are secret.
#[inline(always)]
pub(crate) fn inverse<F: Field, L: Lanes>(l: L, a: &Element<L::V>) -> Element<L::V> {
    l.call(Inverse::<F, L> { a, field: PhantomData })
}

struct Inverse<'a, F, L: Lanes> {
    a: &'a Element<L::V>,
    field: PhantomData<fn() -> F>,
}

impl<F: Field, L: Lanes> Work<L> for Inverse<'_, F, L> {
    type Output = Element<L::V>;

    #[inline(always)]
    fn run(self, l: L) -> Element<L::V> {
        // computes a^(2^i − 1) for i = 1, and then for 2i or 2i + 1, as the bits of m − 1 determine
        let mut power = *self.a;
        let mut i = 1;
        for bit in (0..(F::M - 1).ilog2()).rev() {
            let mut shifted = power;
            for _ in 0..i {
                shifted = square::<F, L>(l, &shifted);
            }
            power = product::<F, L>(l, &power, &shifted);
            i *= 2;
            if (F::M - 1) >> bit & 1 == 1 {
                power = product::<F, L>(l, &square::<F, L>(l, &power), self.a);
                i += 1;
            }
        }
        square::<F, L>(l, &power)
    }
}

/// Computes a·b for single elements. All arguments and results are secret.
#[inline(always)]
pub(crate) const fn multiply<F: Field>(a: u16, b: u16) -> u16 {
    let (a, b) = (a as u32, b as u32);
    let mut product = 0;
    let mut bit = 0;
    while bit < F::M {
        // hides the second factor from the compiler, which may branch on it if it can only be 0 or 1
        product ^= a * ct::mask(b & 1 << bit);
        bit += 1;
    }
    let mut k = 2 * F::M - 2;
    while k >= F::M {
        let mut tap = 0;
        while tap < F::TAPS.len() {
            product ^= (product >> k & 1) << (k - F::M + F::TAPS[tap]);
            tap += 1;
        }
        k -= 1;
    }
    (product & ((1 << F::M) - 1)) as u16
}

/// Computes 1/a for a single element, and 0 for a = 0. All arguments and results are secret.
pub(crate) const fn invert<F: Field>(a: u16) -> u16 {
    // computes a^(2 + 4 + … + 2^(m−1))
    let (mut square, mut inverse, mut i) = (a, 1, 1);
    while i < F::M {
        square = multiply::<F>(square, square);
        inverse = multiply::<F>(inverse, square);
        i += 1;
    }
    inverse
}

/// Returns the element with this index in the standard's numbering. The m bits of `index` are the
/// coefficients of the element, and the lowest bit belongs to z^(m−1).
pub(crate) const fn element<F: Field>(index: u16) -> u16 {
    index.reverse_bits() >> (16 - F::M)
}

/// Bitslices elements, with `stride` words for each bit. The elements are secret.
#[inline(always)]
pub(crate) fn bitslice<F: Field>(elements: &[u16], stride: usize, slices: &mut [u64]) {
    for (word, elements) in elements.chunks(64).enumerate() {
        for b in 0..F::M {
            let mut bits = 0;
            for (i, element) in elements.iter().enumerate() {
                bits |= u64::from(element >> b & 1) << i;
            }
            slices[b * stride + word] = bits;
        }
    }
}

/// Loads the elements at word `at`, where `stride` words hold each bit.
#[inline(always)]
pub(crate) fn load<F: Field, L: Lanes>(l: L, slices: &[u64], stride: usize, at: usize) -> Element<L::V> {
    // here and below, loops are used because a closure would be compiled as a separate function without the
    // level's instructions
    let mut element = [l.zero(); MAX_M];
    for b in 0..F::M {
        element[b] = l.load(&slices[b * stride + at..]);
    }
    element
}

/// Stores elements at word `at`, where `stride` words hold each bit.
#[inline(always)]
pub(crate) fn store<F: Field, L: Lanes>(
    l: L,
    element: &Element<L::V>,
    slices: &mut [u64],
    stride: usize,
    at: usize,
) {
    for b in 0..F::M {
        l.store(element[b], &mut slices[b * stride + at..]);
    }
}

/// Returns an element repeated in all positions. Each word of `masks`, which is zero or all ones, is one bit
/// of the element. The masks are secret.
#[inline(always)]
pub(crate) fn splat_masks<F: Field, L: Lanes>(l: L, masks: &[u64; MAX_M]) -> Element<L::V> {
    let mut splat = [l.zero(); MAX_M];
    for b in 0..F::M {
        splat[b] = l.splat(masks[b]);
    }
    splat
}

/// Returns `element` repeated in all positions. The element is secret.
#[inline(always)]
pub(crate) fn splat<F: Field, L: Lanes>(l: L, element: u16) -> Element<L::V> {
    let mut masks = [0; MAX_M];
    for (b, mask) in masks.iter_mut().enumerate() {
        *mask = u64::from(element >> b & 1).wrapping_neg();
    }
    splat_masks::<F, L>(l, &masks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Kernel, at_level};
    use grille_hash::Level;
    use std::vec;
    use std::vec::Vec;

    /// A test operation that computes products with another element, squares and inverses of all elements.
    struct Arithmetic<'a, F> {
        other: u16,
        slices: &'a [u64],
        field: PhantomData<fn() -> F>,
    }

    impl<F: Field> Kernel for Arithmetic<'_, F> {
        type Output = [Vec<u64>; 3];

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let w = words::<F>();
            let [mut multiples, mut squares, mut inverses] = [0; 3].map(|_| vec![0; F::M * w]);
            for at in (0..w).step_by(L::WORDS) {
                let x = load::<F, L>(l, self.slices, w, at);
                let other = splat::<F, L>(l, self.other);
                store::<F, L>(l, &product::<F, L>(l, &x, &other), &mut multiples, w, at);
                store::<F, L>(l, &square::<F, L>(l, &x), &mut squares, w, at);
                store::<F, L>(l, &inverse::<F, L>(l, &x), &mut inverses, w, at);
            }
            [multiples, squares, inverses]
        }
    }

    fn bitsliced_arithmetic_equals_that_of_single_elements<F: Field>(other: u16) {
        let w = words::<F>();
        let sliced = |f: &dyn Fn(u16) -> u16| {
            let elements: Vec<u16> = (0..1 << F::M).map(f).collect();
            let mut slices = vec![0; F::M * w];
            bitslice::<F>(&elements, w, &mut slices);
            slices
        };
        let all = sliced(&|x| x);
        let expected = [
            sliced(&|x| multiply::<F>(x, other)),
            sliced(&|x| multiply::<F>(x, x)),
            sliced(&|x| invert::<F>(x)),
        ];
        for level in Level::all() {
            let got = at_level(level, Arithmetic::<F> { other, slices: &all, field: PhantomData });
            assert_eq!(got, expected, "{}", level.name());
        }
    }

    #[test]
    fn bitsliced_arithmetic_equals_single() {
        for other in [0, 1, 2, 0x0ABC, 0x0FFF] {
            bitsliced_arithmetic_equals_that_of_single_elements::<Gf12>(other);
            bitsliced_arithmetic_equals_that_of_single_elements::<Gf13>(other ^ 0x1000);
        }
    }

    #[test]
    fn inverses_are_inverse() {
        assert!((1..1 << 12).all(|x| multiply::<Gf12>(x, invert::<Gf12>(x)) == 1));
        assert!((1..1 << 13).all(|x| multiply::<Gf13>(x, invert::<Gf13>(x)) == 1));
    }
}
