//! Sums, rounding, hints and norms. See [`crate::round`] and [`crate::field`] for the arithmetic.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::Q;
use crate::poly::{HintPoly, Poly};
use crate::round::{D, HIGH_PART_SHIFT, high_part_factor, last_high_part};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn add(a: &mut Poly, b: &Poly) {
    for (a, b) in vectors_mut(&mut a.0).iter_mut().zip(vectors(&b.0)) {
        store(a, reduce(_mm256_add_epi32(load(a), load(b))));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn sub(a: &mut Poly, b: &Poly) {
    for (a, b) in vectors_mut(&mut a.0).iter_mut().zip(vectors(&b.0)) {
        store(a, reduce(_mm256_sub_epi32(load(a), load(b))));
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn reduce(a: V) -> V {
    let t = _mm256_srai_epi32::<23>(_mm256_add_epi32(a, _mm256_set1_epi32(1 << 22)));
    _mm256_sub_epi32(a, _mm256_mullo_epi32(t, _mm256_set1_epi32(Q)))
}

#[target_feature(enable = "avx2")]
pub(super) fn make_canonical(a: &mut Poly) {
    for a in vectors_mut(&mut a.0) {
        let v = load(a);
        store(a, _mm256_add_epi32(v, _mm256_and_si256(_mm256_srai_epi32::<31>(v), _mm256_set1_epi32(Q))));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn norm_reaches(a: &Poly, bound: i32) -> bool {
    let mut found = _mm256_setzero_si256();
    for a in vectors(&a.0) {
        let reaches = _mm256_cmpgt_epi32(_mm256_abs_epi32(load(a)), _mm256_set1_epi32(bound - 1));
        found = _mm256_or_si256(found, reaches);
    }
    _mm256_testz_si256(found, found) == 0
}

#[target_feature(enable = "avx2")]
pub(super) fn power2round(t: &mut Poly, t0: &mut Poly) {
    for (t, t0) in vectors_mut(&mut t.0).iter_mut().zip(vectors_mut(&mut t0.0)) {
        let r = load(t);
        let r1 =
            _mm256_srai_epi32::<{ D as i32 }>(_mm256_add_epi32(r, _mm256_set1_epi32((1 << (D - 1)) - 1)));
        store(t0, _mm256_sub_epi32(r, _mm256_slli_epi32::<{ D as i32 }>(r1)));
        store(t, r1);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn decompose<const GAMMA2: i32>(w: &mut Poly, w1: &mut Poly) {
    for (w, w1) in vectors_mut(&mut w.0).iter_mut().zip(vectors_mut(&mut w1.0)) {
        let (r1, r0) = decompose_vector::<GAMMA2>(load(w));
        store(w1, r1);
        store(w, r0);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn decompose_vector<const GAMMA2: i32>(r: V) -> (V, V) {
    const SHIFT: i32 = HIGH_PART_SHIFT as i32;
    let high = _mm256_srai_epi32::<SHIFT>(_mm256_add_epi32(r, _mm256_set1_epi32(127)));
    let high = _mm256_mullo_epi32(high, _mm256_set1_epi32(high_part_factor(GAMMA2)));
    let r1 = _mm256_srai_epi32::<24>(_mm256_add_epi32(high, _mm256_set1_epi32(1 << 23)));
    let wraps = _mm256_cmpgt_epi32(r1, _mm256_set1_epi32(last_high_part(GAMMA2)));
    let r0 = _mm256_sub_epi32(r, _mm256_mullo_epi32(r1, _mm256_set1_epi32(2 * GAMMA2)));
    (_mm256_andnot_si256(wraps, r1), _mm256_add_epi32(r0, wraps))
}

#[target_feature(enable = "avx2")]
pub(super) fn make_hint<const GAMMA2: i32>(r0: &Poly, w1: &Poly) -> HintPoly {
    let mut h = HintPoly::default();
    for (h, (r0, w1)) in h.0.iter_mut().zip(vectors(&r0.0).iter().zip(vectors(&w1.0))) {
        let (r0, w1) = (load(r0), load(w1));
        let (gamma2, minus_gamma2) = (_mm256_set1_epi32(GAMMA2), _mm256_set1_epi32(-GAMMA2));
        let outside = _mm256_or_si256(_mm256_cmpgt_epi32(r0, gamma2), _mm256_cmpgt_epi32(minus_gamma2, r0));
        let w1_is_zero = _mm256_cmpeq_epi32(w1, _mm256_setzero_si256());
        let lowest = _mm256_andnot_si256(w1_is_zero, _mm256_cmpeq_epi32(r0, minus_gamma2));
        *h = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(outside, lowest))) as u8;
    }
    h
}

#[target_feature(enable = "avx2")]
pub(super) fn use_hint<const GAMMA2: i32>(h: &HintPoly, r: &mut Poly) {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let last = _mm256_set1_epi32(last_high_part(GAMMA2));
    for (h, r) in h.0.iter().zip(vectors_mut(&mut r.0)) {
        let (r1, r0) = decompose_vector::<GAMMA2>(load(r));
        let h = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(i32::from(*h)), bits), bits);
        // +1 if r0 > 0, else −1
        let positive = _mm256_cmpgt_epi32(r0, _mm256_setzero_si256());
        let step = _mm256_sub_epi32(_mm256_set1_epi32(-1), _mm256_add_epi32(positive, positive));
        let moved = _mm256_add_epi32(r1, _mm256_and_si256(h, step));
        // wraps around: −1 becomes the largest value, and the value above the largest becomes 0
        let moved = _mm256_blendv_epi8(moved, last, _mm256_srai_epi32::<31>(moved));
        store(r, _mm256_andnot_si256(_mm256_cmpgt_epi32(moved, last), moved));
    }
}
