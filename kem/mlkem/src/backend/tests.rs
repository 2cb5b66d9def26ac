//! Tests of every kernel at every level against the portable one.

use super::{Backend, Operation, dispatch_at, portable};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use grille_hash::Level;
use std::vec::Vec;

/// The inputs of the kernels, each in the range that [`Backend`] states.
struct Inputs {
    f: Poly,
    f_hat: NttPoly,
    canonical: [i16; N],
    a_hat: [NttPoly; 4],
    b_hat: [NttPoly; 4],
    bytes: [u8; 504],
}

impl Inputs {
    /// Creates inputs. `array(low, high)` returns coefficients from low to high.
    fn new(mut array: impl FnMut(i16, i16) -> [i16; N], bytes: [u8; 504]) -> Self {
        let mut below = |bound: i16| array(-bound, bound);
        Self {
            f: Poly(below(Q)),
            f_hat: NttPoly(below(Q - 1)),
            a_hat: core::array::from_fn(|_| NttPoly(below((1 << 12) - 1))),
            b_hat: core::array::from_fn(|_| NttPoly(below((Q - 1) / 2))),
            canonical: array(0, Q - 1),
            bytes,
        }
    }

    fn random(seed: &mut u64) -> Self {
        let bytes = core::array::from_fn(|_| next(seed) as u8);
        let coefficient = |seed: &mut u64, low: i16, high: i16| {
            let span = u64::from(high.abs_diff(low)) + 1;
            low + ((u64::from(next(seed)) * span) >> 31) as i16
        };
        Self::new(|low, high| core::array::from_fn(|_| coefficient(seed, low, high)), bytes)
    }

    /// Creates arrays whose values stay at one end of the range or alternate between both ends. `start` is the number
    /// of a pattern; see [`PATTERN_COUNT`]. Each array's pattern number is that of the previous array plus `step`.
    fn extreme(start: usize, step: usize) -> Self {
        // the second and the fourth triple contain candidates that are too large; the last triple contains q
        // − 1 and q
        let triple = [[0; 3], [0xFF; 3], [0x10, 0x32, 0x54], [0xD0; 3], [0x00, 0x1D, 0xD0]][start % 5];
        let mut shape = start;
        let array = |low, high| {
            shape = (shape + step) % PATTERN_COUNT;
            core::array::from_fn(|i| if i >> (shape / 2) & 1 == shape % 2 { low } else { high })
        };
        Self::new(array, core::array::from_fn(|i| triple[i % 3]))
    }
}

/// The number of patterns: alternation after 1, 2, …, 128 coefficients or no alternation, starting from
/// either end.
const PATTERN_COUNT: usize = 18;

/// Returns 31 pseudorandom bits.
fn next(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as u32
}

/// The outputs of all kernels for the same inputs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Outputs {
    polys: Vec<[i16; N]>,
    bytes: Vec<u8>,
}

impl Outputs {
    fn transform<B: Backend>(&mut self, backend: B, inputs: &Inputs) {
        let (mut image, mut back) = (NttPoly::ZERO, Poly::ZERO);
        backend.ntt(&inputs.f, &mut image);
        self.polys.push(image.0);
        backend.inverse_ntt(&inputs.f_hat, &mut back);
        self.polys.push(normalise(&back.0));
    }

    fn multiply<B: Backend>(&mut self, backend: B, inputs: &Inputs) {
        for k in 1..=4 {
            let mut product = NttPoly::ZERO;
            backend.dot_ntt(inputs.a_hat[..k].iter(), &inputs.b_hat[..k], &mut product);
            self.polys.push(normalise(&product.0));
        }
        let mut plain = inputs.f_hat.clone();
        backend.times_r_plus(&mut plain, &inputs.b_hat[0]);
        self.polys.push(plain.0);
    }

    fn add<B: Backend>(&mut self, backend: B, inputs: &Inputs) {
        let mut sum = inputs.canonical;
        backend.add(&mut sum, &inputs.f.0);
        self.polys.push(sum);
        backend.subtract_from(&inputs.f_hat.0, &mut sum);
        self.polys.push(sum);
        backend.make_canonical(&mut sum);
        self.polys.push(sum);
    }

    fn sample<B: Backend>(&mut self, backend: B, bytes: &[u8; 504]) {
        let mut f = Poly::ZERO;
        backend.cbd::<2>(&bytes[..128], &mut f);
        self.polys.push(f.0);
        backend.cbd::<3>(&bytes[..192], &mut f);
        self.polys.push(f.0);
        for filled in [0, 3, 200, 239, 240, 241, 255, 256] {
            let mut sampled = NttPoly::ZERO;
            let end = backend.reject_uniform(bytes, &mut sampled, filled);
            sampled.0[end..].fill(0);
            self.polys.push(sampled.0);
        }
    }

    fn encode<const D: usize, B: Backend>(&mut self, backend: B, inputs: &Inputs) {
        let (mut encoded, mut decoded) = ([0; 32 * 12], [0; N]);
        backend.compress_and_encode::<D>(&inputs.canonical, &mut encoded[..32 * D]);
        self.bytes.extend(encoded);
        backend.decode_and_decompress::<D>(&inputs.bytes[..32 * D], &mut decoded);
        self.polys.push(decoded);
    }
}

struct AllKernels<'a>(&'a Inputs);

impl Operation for AllKernels<'_> {
    type Output = Outputs;

    fn run<B: Backend>(self, backend: B) -> Outputs {
        let mut outputs = Outputs::default();
        outputs.transform(backend, self.0);
        outputs.multiply(backend, self.0);
        outputs.add(backend, self.0);
        outputs.sample(backend, &self.0.bytes);
        outputs.encode::<1, B>(backend, self.0);
        outputs.encode::<4, B>(backend, self.0);
        outputs.encode::<5, B>(backend, self.0);
        outputs.encode::<10, B>(backend, self.0);
        outputs.encode::<11, B>(backend, self.0);
        outputs.encode::<12, B>(backend, self.0);
        outputs
    }
}

/// Normalises values that are bounded by q but have several representatives.
fn normalise(f: &[i16; N]) -> [i16; N] {
    assert!(f.iter().all(|x| (-Q + 1..Q).contains(x)), "not below q: {f:?}");
    f.map(|x| x.rem_euclid(Q))
}

fn every_level_agrees(inputs: &Inputs) {
    let expected = dispatch_at(Level::Portable, AllKernels(inputs));
    for level in Level::all().skip(1) {
        assert_eq!(dispatch_at(level, AllKernels(inputs)), expected, "{}", level.name());
    }
}

fn every_level_agrees_on_random(inputs: u32) {
    let mut seed = 1;
    (0..inputs).for_each(|_| every_level_agrees(&Inputs::random(&mut seed)));
}

#[test]
fn every_level_equals_portable_on_random_inputs() {
    every_level_agrees_on_random(10_000);
}

#[test]
#[ignore = "takes minutes"]
fn every_level_equals_portable_on_a_million_inputs() {
    every_level_agrees_on_random(1_000_000);
}

#[test]
fn every_level_equals_portable_on_extreme_inputs() {
    for start in 0..PATTERN_COUNT {
        (0..PATTERN_COUNT).for_each(|step| every_level_agrees(&Inputs::extreme(start, step)));
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

/// Computes the product of two polynomials modulo X²⁵⁶ + 1 and q from the definition.
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

#[cfg(debug_assertions)]
struct TooLarge;

#[cfg(debug_assertions)]
impl Operation for TooLarge {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        let mut f_hat = NttPoly::ZERO;
        backend.ntt(&Poly([Q + 1; N]), &mut f_hat);
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a coefficient is not in")]
fn debug_builds_reject_values_beyond_a_bound() {
    dispatch_at(Level::detect(), TooLarge);
}
