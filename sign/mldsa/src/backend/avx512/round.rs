//! Sums, rounding, hints and norms. See [`crate::round`] and [`crate::field`] for the arithmetic.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::Q;
use crate::poly::{HintPoly, Poly};
use crate::round::{D, HIGH_PART_SHIFT, high_part_factor, last_high_part};
use core::arch::x86_64::*;

#[target_feature(enable = "avx512f")]
pub(super) fn add(a: &mut Poly, b: &Poly) {
    for (a, b) in vectors_mut(&mut a.0).iter_mut().zip(vectors(&b.0)) {
        store(a, reduce(_mm512_add_epi32(load(a), load(b))));
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn sub(a: &mut Poly, b: &Poly) {
    for (a, b) in vectors_mut(&mut a.0).iter_mut().zip(vectors(&b.0)) {
        store(a, reduce(_mm512_sub_epi32(load(a), load(b))));
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn reduce(a: V) -> V {
    let t = _mm512_srai_epi32::<23>(_mm512_add_epi32(a, _mm512_set1_epi32(1 << 22)));
    // computes q·t = 2²³·t − 2¹³·t + t
    let qt = _mm512_sub_epi32(_mm512_slli_epi32::<23>(t), _mm512_slli_epi32::<13>(t));
    _mm512_sub_epi32(_mm512_sub_epi32(a, t), qt)
}

#[target_feature(enable = "avx512f")]
pub(super) fn make_canonical(a: &mut Poly) {
    for a in vectors_mut(&mut a.0) {
        let v = load(a);
        // for −q < v < 0, the smaller of v and v + q as unsigned numbers is v + q
        store(a, _mm512_min_epu32(v, _mm512_add_epi32(v, _mm512_set1_epi32(Q))));
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn norm_reaches(a: &Poly, bound: i32) -> bool {
    let mut largest = _mm512_setzero_si512();
    for a in vectors(&a.0) {
        largest = _mm512_max_epi32(largest, _mm512_abs_epi32(load(a)));
    }
    _mm512_cmpge_epi32_mask(largest, _mm512_set1_epi32(bound)) != 0
}

#[target_feature(enable = "avx512f")]
pub(super) fn power2round(t: &mut Poly, t0: &mut Poly) {
    for (t, t0) in vectors_mut(&mut t.0).iter_mut().zip(vectors_mut(&mut t0.0)) {
        let r = load(t);
        let r1 = _mm512_srai_epi32::<{ D }>(_mm512_add_epi32(r, _mm512_set1_epi32((1 << (D - 1)) - 1)));
        store(t0, _mm512_sub_epi32(r, _mm512_slli_epi32::<{ D }>(r1)));
        store(t, r1);
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn decompose<const GAMMA2: i32>(w: &mut Poly, w1: &mut Poly) {
    for (w, w1) in vectors_mut(&mut w.0).iter_mut().zip(vectors_mut(&mut w1.0)) {
        let (r1, r0) = decompose_vector::<GAMMA2>(load(w));
        store(w1, r1);
        store(w, r0);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn decompose_vector<const GAMMA2: i32>(r: V) -> (V, V) {
    let high = _mm512_srai_epi32::<HIGH_PART_SHIFT>(_mm512_add_epi32(r, _mm512_set1_epi32(127)));
    let high = _mm512_mullo_epi32(high, _mm512_set1_epi32(high_part_factor(GAMMA2)));
    let r1 = _mm512_srai_epi32::<24>(_mm512_add_epi32(high, _mm512_set1_epi32(1 << 23)));
    let wraps = _mm512_cmpgt_epi32_mask(r1, _mm512_set1_epi32(last_high_part(GAMMA2)));
    let r0 = _mm512_sub_epi32(r, _mm512_mullo_epi32(r1, _mm512_set1_epi32(2 * GAMMA2)));
    let minus_one = _mm512_set1_epi32(-1);
    (_mm512_maskz_mov_epi32(!wraps, r1), _mm512_mask_add_epi32(r0, wraps, r0, minus_one))
}

#[target_feature(enable = "avx512f")]
pub(super) fn make_hint<const GAMMA2: i32>(r0: &Poly, w1: &Poly) -> HintPoly {
    let mut h = HintPoly::default();
    let (words, _) = h.0.as_chunks_mut();
    for (h, (r0, w1)) in words.iter_mut().zip(vectors(&r0.0).iter().zip(vectors(&w1.0))) {
        let (r0, w1) = (load(r0), load(w1));
        let outside = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(r0), _mm512_set1_epi32(GAMMA2));
        let w1_is_not_zero = _mm512_test_epi32_mask(w1, w1);
        let lowest = _mm512_mask_cmpeq_epi32_mask(w1_is_not_zero, r0, _mm512_set1_epi32(-GAMMA2));
        *h = (outside | lowest).to_le_bytes();
    }
    h
}

#[target_feature(enable = "avx512f")]
pub(super) fn use_hint<const GAMMA2: i32>(h: &HintPoly, r: &mut Poly) {
    let last = _mm512_set1_epi32(last_high_part(GAMMA2));
    let one = _mm512_set1_epi32(1);
    for (h, r) in h.0.as_chunks().0.iter().zip(vectors_mut(&mut r.0)) {
        let (r1, r0) = decompose_vector::<GAMMA2>(load(r));
        let h = u16::from_le_bytes(*h);
        // +1 if r0 > 0, else −1
        let up = _mm512_mask_cmpgt_epi32_mask(h, r0, _mm512_setzero_si512());
        let moved = _mm512_mask_add_epi32(r1, up, r1, one);
        let moved = _mm512_mask_sub_epi32(moved, h & !up, r1, one);
        // wraps around: −1 becomes the largest value, because −1 as an unsigned number exceeds it; the value above the
        // largest becomes 0
        let beyond = _mm512_cmpgt_epi32_mask(moved, last);
        store(r, _mm512_min_epu32(_mm512_maskz_mov_epi32(!beyond, moved), last));
    }
}
