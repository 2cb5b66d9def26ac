//! The kernels in plain Rust.

use crate::field::{
    INVERSE_NTT_FACTOR, Q, ZETAS, add_q_if_negative, montgomery_multiply, montgomery_reduce, reduce,
};
use crate::poly::{HintPoly, N, NttPoly, Poly};
use crate::round;
use crate::small_ntt::{self, SmallNttPoly};
use grille_core::ct;

pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    let w_hat = &mut w_hat.0;
    *w_hat = w.0;
    let mut m = 0;
    let mut len = 128;
    while len >= 1 {
        for block in w_hat.chunks_exact_mut(2 * len) {
            m += 1;
            let (low, high) = block.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                // values grow by less than q in each of 8 layers
                let t = montgomery_multiply(ZETAS[m], *b);
                *b = *a - t;
                *a += t;
            }
        }
        len /= 2;
    }
}

pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let w = &mut w.0;
    *w = w_hat.0;
    let mut m = 256;
    let mut len = 1;
    while len < N {
        for block in w.chunks_exact_mut(2 * len) {
            m -= 1;
            let (low, high) = block.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                // values double in each of 8 layers: 256·(q − 1) < 2³¹
                let t = *a;
                *a = t + *b;
                *b = montgomery_multiply(-ZETAS[m], t - *b);
            }
        }
        len *= 2;
    }
    w.iter_mut().for_each(|a| *a = montgomery_multiply(INVERSE_NTT_FACTOR, *a));
}

pub(super) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
    for (c, (a, b)) in c_hat.0.iter_mut().zip(a_hat.0.iter().zip(&b_hat.0)) {
        *c = montgomery_multiply(*a, *b);
    }
}

pub(super) fn dot_ntt(a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
    for (i, w) in w_hat.0.iter_mut().enumerate() {
        *w = montgomery_reduce(dot_at(a_hat, v_hat, i));
    }
}

pub(super) fn dot_ntt_minus(
    a_hat: &[NttPoly],
    v_hat: &[NttPoly],
    c_hat: &NttPoly,
    t_hat: &NttPoly,
    w_hat: &mut NttPoly,
) {
    for (i, w) in w_hat.0.iter_mut().enumerate() {
        // the dividend is less than (7·9 + 81)·q² < 256·q²
        *w = montgomery_reduce(dot_at(a_hat, v_hat, i) - i64::from(c_hat.0[i]) * i64::from(t_hat.0[i]));
    }
}

/// Computes Σⱼ aⱼ·vⱼ at coefficient `i`: at most 7·q·9q in absolute value.
fn dot_at(a_hat: &[NttPoly], v_hat: &[NttPoly], i: usize) -> i64 {
    a_hat.iter().zip(v_hat).map(|(a, v)| i64::from(a.0[i]) * i64::from(v.0[i])).sum()
}

pub(super) fn small_ntt(w: &Poly, w_hat: &mut SmallNttPoly) {
    let mut v = w.0;
    let mut m = 0;
    let mut len = 128;
    while len >= 1 {
        for block in v.chunks_exact_mut(2 * len) {
            m += 1;
            let (low, high) = block.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                // values grow by p/2 + |b|/16 in each of 8 layers, and stay below 5p
                let t = small_ntt::multiply(*b, small_ntt::ZETAS[m]);
                *b = *a - t;
                *a += t;
            }
        }
        len /= 2;
    }
    for (w_hat, v) in w_hat.0.iter_mut().zip(v) {
        *w_hat = small_ntt::multiply(v, small_ntt::ONE) as i16;
    }
}

pub(super) fn small_product(c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly) {
    let v = &mut product.0;
    for (v, (c, s)) in v.iter_mut().zip(c_hat.0.iter().zip(&s_hat.0)) {
        *v = small_ntt::multiply(i32::from(*c), *s);
    }
    let mut m = 256;
    let mut len = 1;
    while len < N {
        for block in v.chunks_exact_mut(2 * len) {
            m -= 1;
            let (low, high) = block.split_at_mut(len);
            for (a, b) in low.iter_mut().zip(high) {
                // values are at most p before len = 1 and 16, and double in each layer: |t − b|·p/2 < 2³⁰
                let t = *a;
                *a = t + *b;
                *b = small_ntt::multiply(t - *b, -small_ntt::ZETAS[m]);
            }
        }
        if len == 8 {
            v.iter_mut().for_each(|v| *v = small_ntt::multiply(*v, small_ntt::ONE));
        }
        len *= 2;
    }
    v.iter_mut().for_each(|v| *v = small_ntt::multiply(*v, small_ntt::INVERSE_FACTOR));
}

pub(super) fn add(a: &mut Poly, b: &Poly) {
    a.0.iter_mut().zip(&b.0).for_each(|(a, b)| *a = reduce(*a + b));
}

pub(super) fn sub(a: &mut Poly, b: &Poly) {
    a.0.iter_mut().zip(&b.0).for_each(|(a, b)| *a = reduce(*a - b));
}

pub(super) fn make_canonical(a: &mut Poly) {
    a.0.iter_mut().for_each(|a| *a = add_q_if_negative(*a));
}

pub(super) fn norm_reaches(a: &Poly, bound: i32) -> bool {
    // each |a| ≥ bound sets the sign bit
    a.0.iter().fold(0, |found, a| found | (bound - 1 - a.abs())) < 0
}

pub(super) fn power2round(t: &mut Poly, t0: &mut Poly) {
    for (t, t0) in t.0.iter_mut().zip(&mut t0.0) {
        (*t, *t0) = round::power2round(*t);
    }
}

pub(super) fn decompose<const GAMMA2: i32>(w: &mut Poly, w1: &mut Poly) {
    for (w, w1) in w.0.iter_mut().zip(&mut w1.0) {
        (*w1, *w) = round::decompose(GAMMA2, *w);
    }
}

pub(super) fn make_hint<const GAMMA2: i32>(r0: &Poly, w1: &Poly) -> HintPoly {
    let mut h = HintPoly::default();
    for ((byte, r0), w1) in h.0.iter_mut().zip(r0.0.chunks_exact(8)).zip(w1.0.chunks_exact(8)) {
        *byte = (0..8).fold(0, |byte, i| byte | (round::make_hint(GAMMA2, r0[i], w1[i]) as u8) << i);
    }
    h
}

pub(super) fn use_hint<const GAMMA2: i32>(h: &HintPoly, r: &mut Poly) {
    for (byte, r) in h.0.iter().zip(r.0.chunks_exact_mut(8)) {
        for (i, r) in r.iter_mut().enumerate() {
            *r = round::use_hint(GAMMA2, i32::from(byte >> i & 1), *r);
        }
    }
}

pub(super) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    for b in bytes.chunks_exact(3) {
        if filled == N {
            break;
        }
        // CoeffFromThreeBytes, FIPS 204 Algorithm 14
        let z = i32::from_le_bytes([b[0], b[1], b[2] & 0x7F, 0]);
        a_hat.0[filled] = z;
        filled += usize::from(z < Q);
    }
    filled
}

pub(super) fn reject_bounded<const ETA: i32>(bytes: &[u8], s: &mut Poly, mut filled: usize) -> usize {
    for half in bytes.iter().flat_map(|z| [z & 15, z >> 4]) {
        if filled == N {
            break;
        }
        // CoeffFromHalfByte, FIPS 204 Algorithm 15
        let b = i32::from(half);
        s.0[filled] = if ETA == 2 { 2 - modulo_5(b) } else { 4 - b };
        // the comparison is public: the set of rejected candidates reveals nothing about the accepted ones
        filled += usize::from(ct::public(b < if ETA == 2 { 15 } else { 9 }));
    }
    filled
}

/// Computes b mod 5 without division, for b < 16.
const fn modulo_5(b: i32) -> i32 {
    // ⌊b/5⌋ = ⌊13·b/64⌋ for b < 16
    b - 5 * ((13 * b) >> 6)
}

pub(super) fn bit_pack<const BITS: usize>(w: &Poly, b: i32, bytes: &mut [u8]) {
    pack::<BITS>(w, |w| (b - w) as u32, bytes);
}

pub(super) fn simple_bit_pack<const BITS: usize>(w: &Poly, bytes: &mut [u8]) {
    pack::<BITS>(w, |w| w as u32, bytes);
}

/// Packs eight values of `BITS` ≤ 20 bits into `BITS` bytes.
fn pack<const BITS: usize>(w: &Poly, value: impl Fn(i32) -> u32, bytes: &mut [u8]) {
    for (bytes, w) in bytes.chunks_exact_mut(BITS).zip(w.0.chunks_exact(8)) {
        let (mut window, mut filled, mut at) = (0u64, 0, 0);
        for w in w {
            window |= u64::from(value(*w)) << filled;
            filled += BITS;
            while filled >= 8 {
                bytes[at] = window as u8;
                at += 1;
                window >>= 8;
                filled -= 8;
            }
        }
    }
}

pub(super) fn bit_unpack<const BITS: usize>(bytes: &[u8], b: i32, w: &mut Poly) {
    for (bytes, w) in bytes.chunks_exact(BITS).zip(w.0.chunks_exact_mut(8)) {
        let mut bytes = bytes.iter();
        let (mut window, mut filled) = (0u64, 0);
        for w in w {
            while filled < BITS {
                window |= u64::from(*bytes.next().expect("8·BITS bits are BITS bytes")) << filled;
                filled += 8;
            }
            *w = b - (window & ((1 << BITS) - 1)) as i32;
            window >>= BITS;
            filled -= BITS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ball::challenge;
    use crate::poly::Zero;

    #[test]
    fn modulo_5_is_exact_for_half_bytes() {
        assert!((0..16).all(|b| modulo_5(b) == b % 5));
    }

    #[test]
    fn inverse_ntt_inverts_ntt() {
        let w = Poly(core::array::from_fn(|i| (i as i32 * 32_749) % Q - Q / 2));
        let mut one = Poly::ZERO;
        one.0[0] = 1;
        let (mut w_hat, mut one_hat) = (NttPoly::ZERO, NttPoly::ZERO);
        ntt(&w, &mut w_hat);
        ntt(&one, &mut one_hat);
        let (mut product_hat, mut back) = (NttPoly::ZERO, Poly::ZERO);
        multiply_ntt(&w_hat, &one_hat, &mut product_hat);
        inverse_ntt(&product_hat, &mut back);
        assert!(w.0.iter().zip(back.0).all(|(w, back)| (w - back) % Q == 0));
    }

    #[test]
    fn ntt_matches_schoolbook_multiplication() {
        let a = Poly(core::array::from_fn(|i| (i as i32 * 7919 + 3) % 4096 - 2048));
        let b = Poly(core::array::from_fn(|i| (i as i32 * 104_729 + 17) % Q));
        let mut expected = [0i64; N];
        for i in 0..N {
            for j in 0..N {
                // Xⁿ = −1
                let sign = if i + j < N { 1 } else { -1 };
                expected[(i + j) % N] += sign * i64::from(a.0[i]) * i64::from(b.0[j]);
            }
        }
        let (mut a_hat, mut b_hat, mut c_hat) = (NttPoly::ZERO, NttPoly::ZERO, NttPoly::ZERO);
        ntt(&a, &mut a_hat);
        ntt(&b, &mut b_hat);
        multiply_ntt(&a_hat, &b_hat, &mut c_hat);
        let mut c = Poly::ZERO;
        inverse_ntt(&c_hat, &mut c);
        assert!(c.0.iter().zip(expected).all(|(c, e)| (i64::from(*c) - e) % i64::from(Q) == 0));
    }
    #[test]
    fn small_products_match_schoolbook_multiplication() {
        let s = Poly(core::array::from_fn(|i| (i * 7 % 9) as i32 - 4));
        let all_one_way = Poly(core::array::from_fn(|i| if i < 200 { 4 } else { -4 }));
        for s in [s, all_one_way] {
            for n in 0..100u8 {
                let c = challenge(&[n], 60);
                let mut expected = [0; N];
                for i in 0..N {
                    for j in 0..N {
                        // Xⁿ = −1
                        let sign = if i + j < N { 1 } else { -1 };
                        expected[(i + j) % N] += sign * c.0[i] * s.0[j];
                    }
                }
                let (mut c_hat, mut s_hat) = (SmallNttPoly::ZERO, SmallNttPoly::ZERO);
                small_ntt(&c, &mut c_hat);
                small_ntt(&s, &mut s_hat);
                let mut product = Poly::ZERO;
                small_product(&c_hat, &s_hat, &mut product);
                assert_eq!(product.0, expected);
            }
        }
    }
}
