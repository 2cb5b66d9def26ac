//! Every kernel at every level against the portable one.

use super::{Backend, Operation, dispatch_at, portable};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use grille_hash::Level;
use std::vec::Vec;

/// Everything that the kernels make of one input.
struct AllKernels<'a> {
    poly: &'a [i16; N],
    other: &'a [i16; N],
    bytes: &'a [u8],
}

impl Operation for AllKernels<'_> {
    type Output = (Vec<[i16; N]>, Vec<u8>);

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let mut polys = Vec::new();
        let mut image = NttPoly::ZERO;
        backend.ntt(&Poly(*self.poly), &mut image);
        polys.push(image.0);
        let images = [image.clone(), image.clone(), image.clone(), image.clone()];
        let canonical = NttPoly(self.other.map(|x| x.rem_euclid(Q)));
        let mut product = NttPoly::ZERO;
        backend.dot_ntt([&canonical; 4].into_iter(), &images, &mut product);
        polys.push(bounded(&product.0));
        product.0 = bounded(&product.0);
        backend.times_r_plus(&mut product, &image);
        polys.push(product.0);
        let mut back = Poly::ZERO;
        backend.inverse_ntt(&image, &mut back);
        polys.push(bounded(&back.0));
        backend.inverse_ntt(&canonical, &mut back);
        polys.push(bounded(&back.0));
        back.0 = bounded(&back.0);
        backend.add(&mut back.0, self.poly);
        polys.push(back.0);
        backend.subtract_from(self.poly, &mut back.0);
        polys.push(back.0);
        backend.make_canonical(&mut back.0);
        polys.push(back.0);
        backend.cbd::<2>(&self.bytes[..128], &mut back);
        polys.push(back.0);
        backend.cbd::<3>(&self.bytes[..192], &mut back);
        polys.push(back.0);
        for filled in [0, 3, 200, 239, 240, 241, 255, 256] {
            let mut sampled = NttPoly::ZERO;
            let end = backend.reject_uniform(&self.bytes[..504], &mut sampled, filled);
            sampled.0[end..].fill(0);
            polys.push(sampled.0);
        }
        let mut encoded = Vec::new();
        let mut decoded = [0; N];
        macro_rules! width {
            ($d:literal) => {
                let mut out = [0; 32 * $d];
                backend.compress_and_encode::<$d>(&canonical.0, &mut out);
                encoded.extend(out);
                backend.decode_and_decompress::<$d>(&self.bytes[..32 * $d], &mut decoded);
                polys.push(decoded);
            };
        }
        width!(1);
        width!(4);
        width!(5);
        width!(10);
        width!(11);
        width!(12);
        (polys, encoded)
    }
}

/// What is bounded by q but not unique, made unique.
fn bounded(f: &[i16; N]) -> [i16; N] {
    assert!(f.iter().all(|x| (-Q + 1..Q).contains(x)), "not below q: {f:?}");
    f.map(|x| x.rem_euclid(Q))
}

fn every_level_agrees(poly: &[i16; N], other: &[i16; N], bytes: &[u8]) {
    let expected = AllKernels { poly, other, bytes }.run(portable::Portable);
    for level in Level::all() {
        let got = dispatch_at(level, AllKernels { poly, other, bytes });
        assert_eq!(got, expected, "{}", level.name());
    }
}

#[test]
fn every_level_equals_portable_on_random_inputs() {
    let mut seed = 1u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32
    };
    for _ in 0..2_000 {
        let poly = core::array::from_fn(|_| (next() % (2 * Q as u32 + 1)) as i16 - Q);
        let other = core::array::from_fn(|_| (next() % (2 * Q as u32 + 1)) as i16 - Q);
        let bytes: Vec<u8> = (0..504).map(|_| next() as u8).collect();
        every_level_agrees(&poly, &other, &bytes);
    }
}

#[test]
fn every_level_equals_portable_on_extreme_inputs() {
    for (poly, byte) in [(0, 0), (Q, 0xFF), (-Q, 0xFF), (Q - 1, 0x00), (1 - Q, 0xD0), (1, 0xD0)] {
        every_level_agrees(&[poly; N], &[poly; N], &[byte; 504]);
    }
}

struct CompressAll;

impl Operation for CompressAll {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        fn check<B: Backend, const D: usize>(backend: B, f: &[i16; N]) {
            let (mut got, mut expected) = ([0; 32 * 12], [0; 32 * 12]);
            backend.compress_and_encode::<D>(f, &mut got[..32 * D]);
            portable::compress_and_encode::<D>(f, &mut expected[..32 * D]);
            assert_eq!(got, expected, "d = {D}, from {}", f[0]);
        }
        for start in (0..Q).step_by(N) {
            let f = core::array::from_fn(|i| (start + i as i16).min(Q - 1));
            check::<B, 1>(backend, &f);
            check::<B, 4>(backend, &f);
            check::<B, 5>(backend, &f);
            check::<B, 10>(backend, &f);
            check::<B, 11>(backend, &f);
            check::<B, 12>(backend, &f);
        }
    }
}

#[test]
fn compression_at_every_level_equals_portable_everywhere() {
    Level::all().for_each(|level| dispatch_at(level, CompressAll));
}

struct Canonical;

impl Operation for Canonical {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        for start in (i16::MIN..=i16::MAX).step_by(N) {
            let f: [i16; N] = core::array::from_fn(|i| start + i as i16);
            let mut got = f;
            backend.make_canonical(&mut got);
            assert_eq!(got, f.map(|x| x.rem_euclid(Q)), "from {start}");
        }
    }
}

#[test]
fn make_canonical_is_exact_at_every_level_everywhere() {
    Level::all().for_each(|level| dispatch_at(level, Canonical));
}

/// The product of two polynomials modulo X²⁵⁶ + 1 and q, by the definition.
fn schoolbook(f: &[i16; N], g: &[i16; N]) -> [i16; N] {
    let mut product = [0i64; N];
    for (i, f) in f.iter().enumerate() {
        for (j, g) in g.iter().enumerate() {
            let sign = if i + j < N { 1 } else { -1 };
            product[(i + j) % N] += sign * i64::from(*f) * i64::from(*g);
        }
    }
    product.map(|x| x.rem_euclid(i64::from(Q)) as i16)
}

#[test]
fn products_of_images_are_images_of_products() {
    let f: [i16; N] = core::array::from_fn(|i| ((i * i * 31 + 5) % 3329) as i16);
    let g: [i16; N] = core::array::from_fn(|i| ((i * 1777 + 901) % 3329) as i16);
    let (mut f_hat, mut g_hat) = (NttPoly::ZERO, NttPoly::ZERO);
    portable::ntt(&Poly(f), &mut f_hat);
    portable::ntt(&Poly(g), &mut g_hat);
    let mut product = NttPoly::ZERO;
    portable::dot_ntt([&f_hat].into_iter(), &[g_hat], &mut product);
    let mut h = Poly::ZERO;
    portable::inverse_ntt(&product, &mut h);
    portable::make_canonical(&mut h.0);
    assert_eq!(h.0, schoolbook(&f, &g));
}
