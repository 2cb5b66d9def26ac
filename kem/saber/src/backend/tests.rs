//! Tests that products equal those of schoolbook multiplication, and that the results of every backend equal
//! those of the portable one.

use super::dispatch::dispatch_at;
use super::{Backend, Operation};
use crate::ring::{Image, N, Poly};
use grille_hash::Level;
use std::vec;
use std::vec::Vec;

/// Returns coefficients from `least` to `most`, from a linear congruential generator. For the seeds 0, 1 and
/// 2, all coefficients are extreme: all `least`, all `most`, or both alternately.
fn poly(seed: u32, least: i16, most: i16) -> Poly {
    let mut state = seed;
    Poly(core::array::from_fn(|i| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match (seed, i) {
            (0, _) => least,
            (1, _) => most,
            (2, _) if i % 2 == 0 => least,
            (2, _) => most,
            _ => least.wrapping_add(((state >> 8) % (i32::from(most) - i32::from(least) + 1) as u32) as i16),
        }
    }))
}

/// Computes Σ a·b modulo X²⁵⁶ + 1 and 2¹⁶.
fn schoolbook(a: &[Poly], b: &[Poly]) -> Poly {
    let mut c = Poly::ZERO;
    for (a, b) in a.iter().zip(b) {
        for (i, a) in a.0.iter().enumerate() {
            for (j, b) in b.0.iter().enumerate() {
                let product = a.wrapping_mul(*b);
                let c = &mut c.0[(i + j) % N];
                *c = if i + j < N { c.wrapping_add(product) } else { c.wrapping_sub(product) };
            }
        }
    }
    c
}

struct Dot<'a>(&'a [Poly], &'a [Poly]);

impl Operation for Dot<'_> {
    type Output = (Vec<Image>, Poly);

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let image = |f: &Poly| {
            let mut f_hat = Image::ZERO;
            backend.forward(f, &mut f_hat);
            f_hat
        };
        let (a, b): (Vec<_>, Vec<_>) =
            (self.0.iter().map(image).collect(), self.1.iter().map(image).collect());
        let mut c = Poly::ZERO;
        backend.dot(&a, &b, &mut c);
        (a.into_iter().chain(b).collect(), c)
    }
}

/// The test operation that packs and unpacks coefficients of `D` bits.
struct Packing<'a, const D: usize>(&'a Poly);

impl<const D: usize> Operation for Packing<'_, D> {
    type Output = (Vec<u8>, Poly);

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let (mut bytes, mut back) = (vec![0; 32 * D], Poly::ZERO);
        backend.pack::<D>(&self.0.0, &mut bytes);
        backend.unpack::<D>(&bytes, &mut back.0);
        (bytes, back)
    }
}

/// Compares packing and unpacking at every level with those of the portable backend. Values with more than `D`
/// bits must be truncated.
fn check_packing<const D: usize>(f: &Poly) {
    let expected = dispatch_at(Level::Portable, Packing::<D>(f));
    for level in Level::all().skip(1) {
        let got = dispatch_at(level, Packing::<D>(f));
        assert!(got == expected, "{}, {D} bits, {:?}", level.name(), f.0);
    }
}

/// Checks packing with every width that SABER uses.
fn check_every_packing(seed: u32) {
    let f = poly(seed, i16::MIN, i16::MAX);
    check_packing::<1>(&f);
    check_packing::<3>(&f);
    check_packing::<4>(&f);
    check_packing::<6>(&f);
    check_packing::<8>(&f);
    check_packing::<10>(&f);
    check_packing::<13>(&f);
}

#[test]
fn products_are_exact_at_every_level_even_for_extreme_coefficients() {
    for (l, half_mu) in SIZES {
        for seed in 0..12_u32 {
            // `poly` returns extreme values for seeds below 3
            let at = |n: u32, factor| if seed < 9 { seed / factor % 3 } else { 100 * seed + n };
            let a: Vec<_> = (0..l).map(|n| poly(at(n, 1), -4096, 4095)).collect();
            let b: Vec<_> = (0..l).map(|n| poly(at(50 + n, 3), -half_mu, half_mu)).collect();
            let expected = schoolbook(&a, &b);
            let portable = dispatch_at(Level::Portable, Dot(&a, &b));
            for level in Level::all() {
                let got = dispatch_at(level, Dot(&a, &b));
                assert!(got.1 == expected, "{}, l = {l}, seed {seed}", level.name());
                assert!(got.0 == portable.0, "images, {}, l = {l}, seed {seed}", level.name());
            }
        }
    }
}

/// l and μ/2 of LightSaber, Saber and FireSaber.
const SIZES: [(u32, i16); 3] = [(2, 5), (3, 4), (4, 3)];

/// Compares packing, products and the images of their factors at every level with those of the portable
/// backend, for `inputs` pseudorandom inputs.
fn every_level_agrees_on_random(inputs: u32) {
    (0..inputs).for_each(check_every_packing);
    for (l, half_mu) in SIZES {
        for seed in (0..inputs / SIZES.len() as u32).map(|seed| 8 * seed + 3) {
            let a: Vec<_> = (0..l).map(|n| poly(seed + n, -4096, 4095)).collect();
            let b: Vec<_> = (0..l).map(|n| poly(seed + l + n, -half_mu, half_mu)).collect();
            let expected = dispatch_at(Level::Portable, Dot(&a, &b));
            for level in Level::all().skip(1) {
                assert!(
                    dispatch_at(level, Dot(&a, &b)) == expected,
                    "{}, l = {l}, seed {seed}",
                    level.name()
                );
            }
        }
    }
}

#[test]
fn every_level_equals_portable_on_ten_thousand_inputs() {
    every_level_agrees_on_random(10_000);
}

#[test]
#[ignore = "takes minutes"]
fn every_level_equals_portable_on_a_million_inputs() {
    every_level_agrees_on_random(1_000_000);
}
