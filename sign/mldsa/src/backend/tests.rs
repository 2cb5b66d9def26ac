//! Tests of each kernel against the portable one, on random and on extreme inputs, and of whole operations at each
//! level.

use super::{Backend, Operation, dispatch_at, portable};
use crate::ball::challenge;
use crate::field::Q;
use crate::poly::{HintPoly, N, NttPoly, Poly, Zero};
use crate::round::{GAMMA2_32, GAMMA2_88};
use crate::small_ntt::{self, SmallNttPoly};
use grille_hash::{Level, shake256};
use std::vec;
use std::vec::Vec;

/// Runs a comparison with the kernels of each level.
fn at_every_level<O: Operation<Output = ()>>(comparison: impl Fn() -> O) {
    Level::all().skip(1).for_each(|level| dispatch_at(level, comparison()));
}

/// Defines tests from lines `fn test = Type |backend, inputs| { … }`: an operation that compares kernels on `inputs`
/// random inputs, and the test that runs the operation.
macro_rules! comparisons {
    ($(fn $test:ident = $name:ident |$backend:ident, $inputs:pat_param| $text:block)*) => {
        $(
            struct $name(u32);

            impl Operation for $name {
                type Output = ();

                fn run<B: Backend>(self, $backend: B) {
                    let $inputs = self.0;
                    $text
                }
            }

            #[test]
            fn $test() {
                at_every_level(|| $name(10_000));
            }
        )*

        #[test]
        #[ignore = "takes minutes"]
        fn every_level_equals_portable_on_a_million_inputs() {
            $(at_every_level(|| $name(1_000_000));)*
        }
    };
}

/// Returns pseudorandom bytes.
fn bytes<const LEN: usize>(seed: u32) -> [u8; LEN] {
    let mut out = [0; LEN];
    shake256(Level::detect(), &[&seed.to_le_bytes()], &mut out);
    out
}

/// Returns arrays with coefficients in [low, high]: first arrays whose values stay at one end of the range or alternate
/// between both ends, then `inputs` pseudorandom arrays.
fn arrays(inputs: u32, low: i32, high: i32) -> impl Iterator<Item = [i32; N]> {
    let span = u64::from(high.abs_diff(low)) + 1;
    let random = (0..inputs).map(move |seed| {
        let bytes = bytes::<{ 4 * N }>(seed);
        core::array::from_fn(|i| {
            let word = u32::from_le_bytes(*bytes[4 * i..].first_chunk().expect("four bytes"));
            (i64::from(low) + ((u64::from(word) * span) >> 32) as i64) as i32
        })
    });
    let ends = [[low; N], [high; N]];
    let jumps = core::array::from_fn::<_, 3, _>(|k| {
        core::array::from_fn(|i| if i >> k & 1 == 0 { low } else { high })
    });
    ends.into_iter().chain(jumps).chain(random)
}

fn polys(inputs: u32, low: i32, high: i32) -> impl Iterator<Item = Poly> {
    arrays(inputs, low, high).map(Poly)
}

fn ntt_polys(inputs: u32, low: i32, high: i32) -> impl Iterator<Item = NttPoly> {
    arrays(inputs, low, high).map(NttPoly)
}

fn assert_congruent(a: &[i32; N], b: &[i32; N], bound: i32) {
    for (a, b) in a.iter().zip(b) {
        assert_eq!((i64::from(*a) - i64::from(*b)) % i64::from(Q), 0);
        assert!(a.abs() < bound, "{a}");
    }
}

/// Repeats code for each γ2 as a constant.
macro_rules! for_each_gamma2 {
    (|$gamma2:ident| $text:block) => {{
        {
            const $gamma2: i32 = GAMMA2_88;
            $text
        }
        {
            const $gamma2: i32 = GAMMA2_32;
            $text
        }
    }};
}

comparisons! {
    fn every_level_equals_portable_ntt = Ntt |backend, inputs| {
        for w in polys(inputs, -Q, Q) {
            let (mut a, mut b) = (NttPoly::ZERO, NttPoly::ZERO);
            backend.ntt(&w, &mut a);
            portable::ntt(&w, &mut b);
            assert_congruent(&a.0, &b.0, 9 * Q);
        }
    }
    fn every_level_equals_portable_inverse_ntt = InverseNtt |backend, inputs| {
        for w_hat in ntt_polys(inputs, -Q + 1, Q - 1) {
            let (mut a, mut b) = (Poly::ZERO, Poly::ZERO);
            backend.inverse_ntt(&w_hat, &mut a);
            portable::inverse_ntt(&w_hat, &mut b);
            assert_congruent(&a.0, &b.0, Q);
        }
    }
    fn every_level_equals_portable_products = Products |backend, inputs| {
        let a_hat: Vec<_> = ntt_polys(100, 0, Q - 1).collect();
        let mut v_hat = ntt_polys(inputs, -9 * Q + 1, 9 * Q - 1);
        let (mut a, mut b) = (NttPoly::ZERO, NttPoly::ZERO);
        let mut v: Vec<_> = v_hat.by_ref().take(7).collect();
        for (i, next) in v_hat.enumerate() {
            let row = &a_hat[i % 98..][..7];
            for l in [4, 5, 7] {
                backend.dot_ntt(&row[..l], &v[..l], &mut a);
                portable::dot_ntt(&row[..l], &v[..l], &mut b);
                assert_eq!(a, b);
                backend.dot_ntt_minus(&row[..l], &v[..l], &v[i % 7], &next, &mut a);
                portable::dot_ntt_minus(&row[..l], &v[..l], &v[i % 7], &next, &mut b);
                assert_eq!(a, b);
                assert!(a.0.iter().all(|a| a.abs() < Q));
            }
            backend.multiply_ntt(&v[0], &v[1], &mut a);
            portable::multiply_ntt(&v[0], &v[1], &mut b);
            assert_eq!(a, b);
            v[i % 7] = next;
        }
    }
    fn every_level_equals_portable_small_products = SmallProducts |backend, inputs| {
        for (n, s) in polys(inputs, -4, 4).enumerate() {
            let c = challenge(&n.to_le_bytes(), 49);
            let (mut x_hat, mut y_hat) = ([SmallNttPoly::ZERO, SmallNttPoly::ZERO], [SmallNttPoly::ZERO, SmallNttPoly::ZERO]);
            for (i, w) in [&c, &s].into_iter().enumerate() {
                backend.small_ntt(w, &mut x_hat[i]);
                portable::small_ntt(w, &mut y_hat[i]);
                let differences = x_hat[i].0.iter().zip(&y_hat[i].0).map(|(x, y)| i32::from(*x) - i32::from(*y));
                assert!(differences.into_iter().all(|d| d % i32::from(small_ntt::P) == 0));
                assert!(x_hat[i].0.iter().all(|x| x.abs() < 2 * small_ntt::P));
            }
            let (mut x, mut y) = (Poly::ZERO, Poly::ZERO);
            backend.small_product(&x_hat[0], &x_hat[1], &mut x);
            portable::small_product(&y_hat[0], &y_hat[1], &mut y);
            assert_eq!(x, y);
        }
    }
    fn every_level_equals_portable_sums = Sums |backend, inputs| {
        let small = vec![Poly([0; N]), Poly([1 << 19; N]), Poly([-(1 << 19); N])];
        for a in polys(inputs, -Q + 1, Q - 1) {
            for b in &small {
                let (mut x, mut y) = (a.clone(), a.clone());
                backend.add(&mut x, b);
                portable::add(&mut y, b);
                assert_eq!(x, y);
                let (mut x, mut y) = (a.clone(), a.clone());
                backend.sub(&mut x, b);
                portable::sub(&mut y, b);
                assert_eq!(x, y);
            }
            let (mut x, mut y) = (a.clone(), a);
            backend.make_canonical(&mut x);
            portable::make_canonical(&mut y);
            assert_eq!(x, y);
        }
    }
    fn every_level_equals_portable_norm = Norm |backend, inputs| {
        let bound = (1 << 19) - 196;
        for a in polys(inputs, -bound - 20, bound + 20) {
            assert_eq!(backend.norm_reaches(&a, bound), portable::norm_reaches(&a, bound));
        }
        for i in 0..N {
            for value in [bound - 1, bound, bound + 1, -bound + 1, -bound, -bound - 1, Q - 1, 1 - Q] {
                let mut a = Poly([bound - 1; N]);
                a.0[i] = value;
                assert_eq!(backend.norm_reaches(&a, bound), value.abs() >= bound);
                assert_eq!(portable::norm_reaches(&a, bound), value.abs() >= bound);
            }
        }
    }
    fn every_level_equals_portable_power2round = Power2Round |backend, inputs| {
        for t in polys(inputs, 0, Q - 1) {
            let (mut x, mut y, mut x0, mut y0) = (t.clone(), t, Poly::ZERO, Poly::ZERO);
            backend.power2round(&mut x, &mut x0);
            portable::power2round(&mut y, &mut y0);
            assert_eq!((x, x0), (y, y0));
        }
    }
    fn every_level_equals_portable_decompose_everywhere = Decompose |backend, _| {
        for_each_gamma2!(|GAMMA2| {
            for start in (0..Q).step_by(N) {
                let w = Poly(core::array::from_fn(|i| (start + i as i32).min(Q - 1)));
                let (mut x, mut y, mut x1, mut y1) = (w.clone(), w, Poly::ZERO, Poly::ZERO);
                backend.decompose::<GAMMA2>(&mut x, &mut x1);
                portable::decompose::<GAMMA2>(&mut y, &mut y1);
                assert_eq!((x, x1), (y, y1));
            }
        });
    }
    fn every_level_equals_portable_hints = Hints |backend, inputs| {
        for_each_gamma2!(|GAMMA2| {
            let near = [-GAMMA2 - 1, -GAMMA2, -GAMMA2 + 1, 0, GAMMA2 - 1, GAMMA2, GAMMA2 + 1];
            let edges = Poly(core::array::from_fn(|i| near[i % near.len()]));
            let high = Poly(core::array::from_fn(|i| (i / near.len() % 3) as i32));
            assert_eq!(backend.make_hint::<GAMMA2>(&edges, &high), portable::make_hint::<GAMMA2>(&edges, &high));
            for (seed, (r0, r)) in polys(inputs, -2 * GAMMA2 + 1, 2 * GAMMA2 - 1).zip(polys(inputs, 0, Q - 1)).enumerate() {
                assert_eq!(backend.make_hint::<GAMMA2>(&r0, &high), portable::make_hint::<GAMMA2>(&r0, &high));
                let h = HintPoly(bytes(seed as u32));
                let (mut x, mut y) = (r.clone(), r);
                backend.use_hint::<GAMMA2>(&h, &mut x);
                portable::use_hint::<GAMMA2>(&h, &mut y);
                assert_eq!(x, y);
            }
            let wrapping = (0..1024).chain(Q - 1024..Q).chain(2 * GAMMA2 - 1024..2 * GAMMA2 + 1024);
            for r in wrapping.step_by(7) {
                let (mut x, mut y, h) = (Poly([r; N]), Poly([r; N]), HintPoly([0x5A; N / 8]));
                backend.use_hint::<GAMMA2>(&h, &mut x);
                portable::use_hint::<GAMMA2>(&h, &mut y);
                assert_eq!(x, y);
            }
        });
    }
    fn every_level_equals_portable_reject_uniform = RejectUniform |backend, inputs| {
        let streams = (0..inputs).map(bytes::<840>).chain([[0xFF; 840], [0x7F; 840], [0; 840]]);
        // q − 1, q, q + 1, …
        let edges = core::array::from_fn(|i| (Q - 1 + (i / 3 % 3) as i32).to_le_bytes()[i % 3]);
        for stream in streams.chain([edges]) {
            for (len, filled) in [(840, 0), (168, 0), (168, 200), (168, 250), (24, 255), (840, 256)] {
                let (mut x, mut y) = (NttPoly([-1; N]), NttPoly([-1; N]));
                let end = backend.reject_uniform(&stream[..len], &mut x, filled);
                assert_eq!(end, portable::reject_uniform(&stream[..len], &mut y, filled));
                assert_eq!(x.0[..end], y.0[..end]);
            }
        }
    }
    fn every_level_equals_portable_reject_bounded = RejectBounded |backend, inputs| {
        for stream in (0..inputs).map(bytes::<272>).chain([[0xFF; 272], [0x0F; 272], [0; 272], [0x98; 272]]) {
            for (len, filled) in [(272, 0), (136, 0), (136, 230), (136, 250), (8, 255), (272, 256)] {
                let (mut x, mut y) = (Poly::ZERO, Poly::ZERO);
                let end = backend.reject_bounded::<2>(&stream[..len], &mut x, filled);
                assert_eq!(end, portable::reject_bounded::<2>(&stream[..len], &mut y, filled));
                assert_eq!(x.0[..end], y.0[..end]);
                let end = backend.reject_bounded::<4>(&stream[..len], &mut x, filled);
                assert_eq!(end, portable::reject_bounded::<4>(&stream[..len], &mut y, filled));
                assert_eq!(x.0[..end], y.0[..end]);
            }
        }
    }
    fn every_level_equals_portable_packing = Packing |backend, inputs| {
        compare_packing::<3, B>(backend, inputs, 2);
        compare_packing::<4, B>(backend, inputs, 4);
        compare_packing::<13, B>(backend, inputs, 1 << 12);
        compare_packing::<18, B>(backend, inputs, 1 << 17);
        compare_packing::<20, B>(backend, inputs, 1 << 19);
        compare_simple_packing::<4, B>(backend, inputs);
        compare_simple_packing::<6, B>(backend, inputs);
        compare_simple_packing::<10, B>(backend, inputs);
    }
}

fn compare_packing<const BITS: usize, B: Backend>(backend: B, inputs: u32, b: i32) {
    for w in polys(inputs, b - (1 << BITS) + 1, b) {
        let (mut x, mut y) = (vec![0; 32 * BITS], vec![0; 32 * BITS]);
        backend.bit_pack::<BITS>(&w, b, &mut x);
        portable::bit_pack::<BITS>(&w, b, &mut y);
        assert_eq!(x, y);
        let (mut back, mut back_portable) = (Poly::ZERO, Poly::ZERO);
        backend.bit_unpack::<BITS>(&x, b, &mut back);
        portable::bit_unpack::<BITS>(&x, b, &mut back_portable);
        assert_eq!((&back, &back_portable), (&w, &w));
    }
}

fn compare_simple_packing<const BITS: usize, B: Backend>(backend: B, inputs: u32) {
    for w in polys(inputs, 0, (1 << BITS) - 1) {
        let (mut x, mut y) = (vec![0; 32 * BITS], vec![0; 32 * BITS]);
        backend.simple_bit_pack::<BITS>(&w, &mut x);
        portable::simple_bit_pack::<BITS>(&w, &mut y);
        assert_eq!(x, y);
        let mut back = Poly::ZERO;
        backend.bit_unpack::<BITS>(&x, 0, &mut back);
        assert!(back.0.iter().zip(w.0).all(|(back, w)| -back == w));
    }
}

#[cfg(debug_assertions)]
struct TooLarge;

#[cfg(debug_assertions)]
impl Operation for TooLarge {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        let mut w_hat = NttPoly::ZERO;
        backend.ntt(&Poly([Q + 1; N]), &mut w_hat);
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a coefficient is not in")]
fn debug_builds_reject_values_beyond_a_bound() {
    dispatch_at(Level::detect(), TooLarge);
}
