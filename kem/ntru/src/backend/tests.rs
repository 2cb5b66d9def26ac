//! Tests that every kernel has the results of the portable kernel at every CPU level.

use super::{Backend, Operation, dispatch_at};
use crate::params::{Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373, Params};
use crate::ring::product_bits;
use core::marker::PhantomData;
use grille_core::{Array, Bytes};
use grille_hash::Level;
use std::vec;
use std::vec::Vec;

/// A generator of reproducible pseudorandom numbers.
struct NumberGenerator(u32);

impl NumberGenerator {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x9E37_79B1).wrapping_add(12345);
        self.0 ^ self.0 >> 15
    }

    /// Returns `len` bytes.
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 9) as u8).collect()
    }

    /// Returns n coefficients that `of` computes from pseudorandom numbers, followed by zeroes.
    fn element<P: Params>(&mut self, of: impl Fn(u32) -> u16) -> P::Coefficients {
        P::Coefficients::from_fn(|i| if i < P::N { of(self.next()) } else { 0 })
    }
}

/// The test operation that multiplies two elements. With `SMALL`, it calls [`Backend::multiply_small`].
struct Multiply<'a, const SMALL: bool, P: Params>(&'a P::Coefficients, &'a P::Coefficients);

impl<const SMALL: bool, P: Params> Operation for Multiply<'_, SMALL, P> {
    type Output = P::Coefficients;

    fn run<B: Backend>(self, backend: B) -> P::Coefficients {
        let mut c = P::Coefficients::from_fn(|_| 0);
        if SMALL {
            backend.multiply_small::<P>(&mut backend.workspace(), self.0, self.1, &mut c);
        } else {
            backend.multiply::<P>(&mut backend.workspace(), self.0, self.1, &mut c);
        }
        c
    }
}

/// Computes c ← a·b modulo xⁿ − 1 from the definition.
fn schoolbook<P: Params>(a: &P::Coefficients, b: &P::Coefficients) -> P::Coefficients {
    let mut c = P::Coefficients::from_fn(|_| 0);
    for i in 0..P::N {
        for j in 0..P::N {
            let c = &mut c.as_mut()[(i + j) % P::N];
            *c = c.wrapping_add(a.as_ref()[i].wrapping_mul(b.as_ref()[j]));
        }
    }
    c
}

fn check_products<P: Params>() {
    let mut numbers = NumberGenerator(1);
    let all: [fn(u32) -> u16; 4] = [
        |x| (x >> 9) as u16,
        |_| 0xFFFF,
        |x| (x >> 9) as u16 % 3,
        |x| 0u16.wrapping_sub((x >> 9) as u16 & 1),
    ];
    for of_a in all {
        for of_b in all {
            let (a, b) = (numbers.element::<P>(of_a), numbers.element::<P>(of_b));
            let expected = schoolbook::<P>(&a, &b);
            for level in Level::all() {
                let got = dispatch_at(level, Multiply::<false, P>(&a, &b));
                assert_same::<P>(&got, &expected, product_bits::<P>(), level);
                let got = dispatch_at(level, Multiply::<true, P>(&a, &b));
                assert_same::<P>(&got, &expected, 8, level);
            }
        }
    }
}

/// Asserts that the operation has the portable result at every level.
fn assert_every_level_agrees<O: Operation<Output: PartialEq>>(
    operation_name: &str,
    operation: impl Fn() -> O,
) {
    let expected = dispatch_at(Level::Portable, operation());
    for level in Level::all().skip(1) {
        assert!(dispatch_at(level, operation()) == expected, "{operation_name} {}", level.name());
    }
}

/// Compares packing, unpacking and, for HPS, reading and sorting of keys at every level with the portable
/// results.
fn check_packing_and_sorting<P: Params>(numbers: &mut NumberGenerator) {
    let bytes = numbers.bytes(P::PublicBytes::LEN);
    assert_every_level_agrees(P::NAME, || Unpack::<P>(&bytes, PhantomData));
    // bits beyond log₂ q are ignored
    let a: Vec<u16> = (1..P::N).map(|_| (numbers.next() >> 9) as u16).collect();
    assert_every_level_agrees(P::NAME, || Pack::<P>(&a, PhantomData));
    let trits: Vec<u16> = a.iter().map(|a| a % 3).collect();
    assert_every_level_agrees(P::NAME, || PackTrits(&trits));
    if size_of::<P::SortKeys>() > 0 {
        let bytes = numbers.bytes((P::N - 1) / 4 * 15);
        assert_every_level_agrees(P::NAME, || SortKeys(&bytes, P::N - 1));
        let keys = dispatch_at(Level::Portable, SortKeys(&bytes, P::N - 1));
        let mut signs = signs_at_every_level(&keys[..P::N - 1]);
        let expected = signs.next().expect("the portable level");
        assert!(signs.all(|signs| signs == expected), "{}", P::NAME);
    }
}

/// Compares the inverses of the element `of` modulo 3 and modulo 2 at every level with the portable ones.
/// First reduces the inverses modulo Φₙ, so that the coefficient of xⁿ⁻¹ is zero.
fn check_inverses<P: Params>(of: &P::Coefficients) {
    let [trits, bits] = [3, 2].map(|p| digits::<P>(|i| of.as_ref()[i] % p));
    let inverses = |level| {
        let [of_trits, of_bits] = dispatch_at(level, Inverses::<P>(&trits, &bits));
        [(3, of_trits), (2, of_bits)].map(|(p, inverse)| {
            let last = p - inverse.as_ref()[P::N - 1] % p;
            digits::<P>(|i| (inverse.as_ref()[i] + last) % p).as_ref().to_vec()
        })
    };
    let expected = inverses(Level::Portable);
    for level in Level::all().skip(1) {
        assert!(inverses(level) == expected, "{} {}", P::NAME, level.name());
    }
}

/// Compares every kernel at every level with the portable one, on `inputs` pseudorandom inputs.
fn every_level_agrees_on_random<P: Params>(inputs: u32) {
    let mut numbers = NumberGenerator(inputs);
    for _ in 0..inputs {
        check_packing_and_sorting::<P>(&mut numbers);
        let (a, b) = (numbers.element::<P>(|x| (x >> 9) as u16), numbers.element::<P>(|x| (x >> 9) as u16));
        let small = numbers.element::<P>(|x| (x >> 9) as u16 % 3);
        check_inverses::<P>(&a);
        let product = dispatch_at(Level::Portable, Multiply::<false, P>(&a, &b));
        let of_small = dispatch_at(Level::Portable, Multiply::<true, P>(&small, &small));
        for level in Level::all().skip(1) {
            let got = dispatch_at(level, Multiply::<false, P>(&a, &b));
            assert_same::<P>(&got, &product, product_bits::<P>(), level);
            let got = dispatch_at(level, Multiply::<true, P>(&small, &small));
            assert_same::<P>(&got, &of_small, product_bits::<P>(), level);
        }
    }
}

/// Compares every kernel at every level with the portable one, on `inputs` pseudorandom inputs for each
/// parameter set.
fn every_set_agrees_on_random(inputs: u32) {
    every_level_agrees_on_random::<Hps2048509>(inputs);
    every_level_agrees_on_random::<Hps2048677>(inputs);
    every_level_agrees_on_random::<Hps4096821>(inputs);
    every_level_agrees_on_random::<Hps40961229>(inputs);
    every_level_agrees_on_random::<Hrss701>(inputs);
    every_level_agrees_on_random::<Hrss1373>(inputs);
}

#[test]
fn every_level_equals_portable_on_ten_thousand_inputs() {
    every_set_agrees_on_random(10_000 / 6);
}

#[test]
#[ignore = "takes minutes"]
fn every_level_equals_portable_on_a_million_inputs() {
    every_set_agrees_on_random(1_000_000 / 6);
}

/// Asserts that the lower bits of all coefficients are equal, and that the coefficients with index n or above are zero.
fn assert_same<P: Params>(got: &P::Coefficients, expected: &P::Coefficients, bits: usize, level: Level) {
    let mut pairs = got.as_ref().iter().zip(expected.as_ref());
    let differing = pairs.position(|(got, expected)| (got ^ expected) & ((1 << bits) - 1) != 0);
    assert_eq!(differing, None, "{} {}", P::NAME, level.name());
    assert!(got.as_ref()[P::N..].iter().all(|c| *c == 0), "{} {}", P::NAME, level.name());
}

fn check_small_products<P: Params>() {
    let mut numbers = NumberGenerator(4);
    let all: [fn(u32) -> u16; 5] = [
        |x| ((x >> 9) as u16 % 5).wrapping_sub(2),
        |x| (x >> 9) as u16 % 3,
        |x| 0u16.wrapping_sub((x >> 9) as u16 & 2),
        |_| 2,
        |_| 0u16.wrapping_sub(2),
    ];
    for of_a in all {
        for of_b in all {
            let (a, b) = (numbers.element::<P>(of_a), numbers.element::<P>(of_b));
            let expected = schoolbook::<P>(&a, &b);
            for level in Level::all() {
                let got = dispatch_at(level, Multiply::<true, P>(&a, &b));
                assert_same::<P>(&got, &expected, product_bits::<P>(), level);
            }
        }
    }
}

#[test]
fn small_products_are_exact_at_every_level() {
    check_small_products::<Hps2048509>();
    check_small_products::<Hps2048677>();
    check_small_products::<Hps4096821>();
    check_small_products::<Hps40961229>();
    check_small_products::<Hrss701>();
    check_small_products::<Hrss1373>();
}

#[test]
fn products_match_the_definition_at_every_level() {
    check_products::<Hps2048509>();
    check_products::<Hps2048677>();
    check_products::<Hps4096821>();
    check_products::<Hps40961229>();
    check_products::<Hrss701>();
    check_products::<Hrss1373>();
}

/// The test operation that computes the inverse of the first element modulo 3, and of the second element modulo
/// 2.
struct Inverses<'a, P: Params>(&'a P::Coefficients, &'a P::Coefficients);

impl<P: Params> Operation for Inverses<'_, P> {
    type Output = [P::Coefficients; 2];

    fn run<B: Backend>(self, backend: B) -> [P::Coefficients; 2] {
        let [mut trits, mut bits] = [0; 2].map(|_| P::Coefficients::from_fn(|_| 0));
        backend.invert_mod3::<P>(self.0, &mut trits);
        backend.invert_mod2::<P>(self.1, &mut bits);
        [trits, bits]
    }
}

/// Returns a polynomial that an inversion accepts: the coefficient of xⁿ⁻¹ is zero, and `of` computes the
/// coefficients of lower powers.
fn digits<P: Params>(of: impl Fn(usize) -> u16) -> P::Coefficients {
    P::Coefficients::from_fn(|i| if i < P::N - 1 { of(i) } else { 0 })
}

/// Checks whether a·b modulo (p, Φₙ) is 1.
fn are_inverse<P: Params>(p: u16, a: &P::Coefficients, b: &P::Coefficients) -> bool {
    let product = schoolbook::<P>(a, b);
    let product = &product.as_ref()[..P::N];
    let last = p - product[P::N - 1] % p;
    product.iter().enumerate().all(|(i, x)| (x + last) % p == u16::from(i == 0))
}

fn check_every_inverse<P: Params>() {
    let mut numbers = NumberGenerator(2);
    let random: Vec<u16> = (0..P::N).map(|_| (numbers.next() >> 9) as u16).collect();
    let all: [&dyn Fn(usize) -> u16; 5] = [
        &|i| random[i],
        &|i| u16::from(i == 0),
        &|i| u16::from(i == P::N - 2),
        &|i| u16::from(i < 3),
        &|_| 1,
    ];
    for of in all {
        let (trits, bits) = (digits::<P>(|i| of(i) % 3), digits::<P>(|i| of(i) % 2));
        for level in Level::all() {
            let [of_trits, of_bits] = dispatch_at(level, Inverses::<P>(&trits, &bits));
            assert!(are_inverse::<P>(3, &trits, &of_trits), "{} {}", P::NAME, level.name());
            assert!(are_inverse::<P>(2, &bits, &of_bits), "{} {}", P::NAME, level.name());
        }
    }
    let zero = digits::<P>(|_| 0);
    for level in Level::all() {
        let inverses = dispatch_at(level, Inverses::<P>(&zero, &zero));
        assert!(inverses.iter().all(|inverse| inverse.as_ref() == zero.as_ref()), "{}", level.name());
    }
}

#[test]
fn every_level_inverts_every_element_but_zero() {
    check_every_inverse::<Hps2048509>();
    check_every_inverse::<Hps2048677>();
    check_every_inverse::<Hps4096821>();
    check_every_inverse::<Hps40961229>();
    check_every_inverse::<Hrss701>();
    check_every_inverse::<Hrss1373>();
}

struct SortSigns(Vec<i32>, usize);

impl Operation for SortSigns {
    type Output = Vec<u16>;

    fn run<B: Backend>(mut self, backend: B) -> Vec<u16> {
        // guard values after the output must not be overwritten
        let mut v = vec![7; self.1 + 16];
        backend.sort_signs(&mut self.0, &mut v[..self.1]);
        assert!(v[self.1..] == [7; 16]);
        v.truncate(self.1);
        v
    }
}

/// Returns the lower two bits of the sorted keys at every level. The keys are padded like those of the
/// parameter sets.
fn signs_at_every_level(keys: &[i32]) -> impl Iterator<Item = Vec<u16>> {
    let workspace = [512, 768, 1024, 1280].into_iter().find(|workspace| *workspace >= keys.len());
    let mut padded = keys.to_vec();
    padded.resize(workspace.expect("a parameter set of this size exists"), i32::MAX);
    let len = keys.len();
    Level::all().map(move |level| dispatch_at(level, SortSigns(padded.clone(), len)))
}

#[test]
fn sorts_keys_at_every_level() {
    let mut numbers = NumberGenerator(3);
    for len in [508, 676, 820, 1228] {
        let random: Vec<i32> = (0..len).map(|_| numbers.next() as i32).collect();
        let few: Vec<i32> = random.iter().map(|key| key % 3).collect();
        let ends: Vec<i32> = random.iter().map(|key| if *key < 0 { i32::MIN } else { i32::MAX }).collect();
        for keys in [random, few, ends, (0..len).collect(), (0..len).rev().collect()] {
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            let expected: Vec<u16> = sorted.iter().map(|key| (key & 3) as u16).collect();
            assert!(signs_at_every_level(&keys).all(|signs| signs == expected), "{len}");
            // a network that sorts all inputs of zeroes and ones sorts every input
            for bound in (0..keys.len()).step_by(37) {
                let above: Vec<i32> = keys.iter().map(|key| i32::from(*key > sorted[bound])).collect();
                assert!(signs_at_every_level(&above).all(|signs| signs.is_sorted()), "{len}");
            }
        }
    }
}

struct Unpack<'a, P>(&'a [u8], PhantomData<P>);

impl<P: Params> Operation for Unpack<'_, P> {
    type Output = Vec<u16>;

    fn run<B: Backend>(self, backend: B) -> Vec<u16> {
        // guard values after the output must not be overwritten
        let mut a = vec![7; P::N + 32];
        backend.unpack::<P>(self.0, &mut a[..P::N - 1]);
        a
    }
}

struct Pack<'a, P>(&'a [u16], PhantomData<P>);

impl<P: Params> Operation for Pack<'_, P> {
    type Output = Vec<u8>;

    fn run<B: Backend>(self, backend: B) -> Vec<u8> {
        // guard values after the output must not be overwritten
        let mut bytes = vec![7; P::PublicBytes::LEN + 32];
        backend.pack::<P>(self.0, &mut bytes[..P::PublicBytes::LEN]);
        bytes
    }
}

struct PackTrits<'a>(&'a [u16]);

impl Operation for PackTrits<'_> {
    type Output = Vec<u8>;

    fn run<B: Backend>(self, backend: B) -> Vec<u8> {
        // guard values after the output must not be overwritten
        let len = self.0.len().div_ceil(5);
        let mut bytes = vec![255; len + 16];
        backend.pack_trits(self.0, &mut bytes[..len]);
        bytes
    }
}

#[test]
fn packs_trits_at_every_level() {
    let mut numbers = NumberGenerator(7);
    for len in [508, 676, 700, 820, 1228, 1372] {
        let random: Vec<u16> = (0..len).map(|_| (numbers.next() >> 9) as u16 % 3).collect();
        for trits in [random, vec![2; len]] {
            let byte = |trits: &[u16]| trits.iter().rev().fold(0, |byte, trit| 3 * byte + *trit as u8);
            let expected: Vec<u8> = trits.chunks(5).map(byte).chain([255; 16]).collect();
            for level in Level::all() {
                assert!(dispatch_at(level, PackTrits(&trits)) == expected, "{len} {}", level.name());
            }
        }
    }
}

struct SortKeys<'a>(&'a [u8], usize);

impl Operation for SortKeys<'_> {
    type Output = Vec<i32>;

    fn run<B: Backend>(self, backend: B) -> Vec<i32> {
        // guard values after the output must not be overwritten
        let mut keys = vec![7; self.1 + 16];
        backend.read_sort_keys(self.0, self.1 / 3, &mut keys[..self.1]);
        keys
    }
}

#[test]
fn reads_keys_identically_at_every_level() {
    let mut numbers = NumberGenerator(5);
    for len in [508, 676, 820, 1228] {
        let bytes: Vec<u8> = (0..len / 4 * 15).map(|_| (numbers.next() >> 9) as u8).collect();
        let bit = |i: usize| i32::from(bytes[i / 8] >> (i % 8) & 1);
        let sign = |i: usize| if i < len / 3 { 1 } else { 2 * i32::from(i < len / 3 * 2) };
        let key = |i: usize| (0..30).map(|j| bit(30 * i + j) << (j + 2)).sum::<i32>() + sign(i);
        for level in Level::all() {
            let keys = dispatch_at(level, SortKeys(&bytes, len));
            assert!((0..len).all(|i| keys[i] == key(i)) && keys[len..] == [7; 16], "{len} {}", level.name());
        }
    }
}
