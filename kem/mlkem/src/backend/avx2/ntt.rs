//! NTT, NTT⁻¹, products and sums. Each result is bit for bit the result of the portable code.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{GAMMAS, INVERSE_NTT_FACTOR, Q, Q_INV, R2, ZETAS};
use crate::poly::{NttPoly, Poly};
use core::arch::x86_64::*;

/// A factor and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent multiplications.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn broadcast(value: i16) -> Self {
        Self { value: _mm256_set1_epi16(value), by_q_inv: _mm256_set1_epi16(value.wrapping_mul(Q_INV)) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(table: &Table) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// The lanes of a [`Factor`].
type Table = [[i16; 16]; 2];

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2¹⁵·q.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(b: V, factor: Factor) -> V {
    let t = _mm256_mulhi_epi16(_mm256_mullo_epi16(b, factor.by_q_inv), _mm256_set1_epi16(Q));
    _mm256_sub_epi16(_mm256_mulhi_epi16(b, factor.value), t)
}

/// Reduces any `i16` to [−(q − 1)/2, (q − 1)/2].
#[inline]
#[target_feature(enable = "avx2")]
fn reduce(a: V) -> V {
    /// The factor ⌊2²⁶/q + 1/2⌋.
    const V: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;
    // computes ⌊V·a/2²⁶ + 1/2⌋: the upper half of the product, then a shift by 10 with rounding
    let t = _mm256_mulhrs_epi16(_mm256_mulhi_epi16(a, _mm256_set1_epi16(V)), _mm256_set1_epi16(1 << 5));
    _mm256_sub_epi16(a, _mm256_mullo_epi16(t, _mm256_set1_epi16(Q)))
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx2")]
fn butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = multiply(*b, zeta);
    *b = _mm256_sub_epi16(*a, t);
    *a = _mm256_add_epi16(*a, t);
}

/// Computes (a + b, ζ·(b − a)), with the sum reduced.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = _mm256_sub_epi16(*b, *a);
    *a = reduce(_mm256_add_epi16(*a, *b));
    *b = multiply(t, zeta);
}

#[target_feature(enable = "avx2")]
pub(super) fn ntt(f: &Poly, f_hat: &mut NttPoly) {
    let (from, to) = (vectors(&f.0), vectors_mut(&mut f_hat.0));
    // len = 128 and 64
    for column in 0..4 {
        let [mut a, mut b, mut c, mut d] = [0, 4, 8, 12].map(|i| load(&from[i + column]));
        butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[1]));
        butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[1]));
        butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[2]));
        butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[3]));
        for (i, v) in [a, b, c, d].into_iter().enumerate() {
            store(&mut to[4 * i + column], v);
        }
    }
    for (block, to) in to.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        // len = 32 and 16
        let [mut a, mut b, mut c, mut d] = to.each_ref().map(|v| load(v));
        butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[4 + block]));
        butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[4 + block]));
        butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[8 + 2 * block]));
        butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[9 + 2 * block]));
        last_layers(&mut a, &mut b, &FORWARD[2 * block]);
        last_layers(&mut c, &mut d, &FORWARD[2 * block + 1]);
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, reduce(v));
        }
    }
}

/// Computes the layers len = 8, 4 and 2, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn last_layers(a: &mut V, b: &mut V, tables: &[Table; 3]) {
    exchange_8(a, b);
    butterfly(a, b, Factor::load(&tables[0]));
    exchange_4(a, b);
    butterfly(a, b, Factor::load(&tables[1]));
    exchange_2(a, b);
    butterfly(a, b, Factor::load(&tables[2]));
    exchange_2(a, b);
    exchange_4(a, b);
    exchange_8(a, b);
}

#[target_feature(enable = "avx2")]
pub(super) fn inverse_ntt(f_hat: &NttPoly, f: &mut Poly) {
    let (from, to) = (vectors(&f_hat.0), vectors_mut(&mut f.0));
    for (block, (from, to)) in from.as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<4>().0).enumerate() {
        let [mut a, mut b, mut c, mut d] = from.each_ref().map(|v| load(v));
        first_inverse_layers(&mut a, &mut b, &INVERSE[2 * block]);
        first_inverse_layers(&mut c, &mut d, &INVERSE[2 * block + 1]);
        // len = 16 and 32
        inverse_butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[15 - 2 * block]));
        inverse_butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[14 - 2 * block]));
        inverse_butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[7 - block]));
        inverse_butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[7 - block]));
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, v);
        }
    }
    // len = 64 and 128
    for column in 0..4 {
        let [mut a, mut b, mut c, mut d] = [0, 4, 8, 12].map(|i| load(&to[i + column]));
        inverse_butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[3]));
        inverse_butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[2]));
        inverse_butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[1]));
        inverse_butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[1]));
        for (i, v) in [a, b, c, d].into_iter().enumerate() {
            store(&mut to[4 * i + column], multiply(v, Factor::broadcast(INVERSE_NTT_FACTOR)));
        }
    }
}

/// Computes the layers len = 2, 4 and 8 of the inverse, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn first_inverse_layers(a: &mut V, b: &mut V, tables: &[Table; 3]) {
    exchange_8(a, b);
    exchange_4(a, b);
    exchange_2(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[2]));
    exchange_2(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[1]));
    exchange_4(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[0]));
    exchange_8(a, b);
}

/// Exchanges the upper half of `a` with the lower half of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange_8(a: &mut V, b: &mut V) {
    let upper = _mm256_permute2x128_si256::<0x31>(*a, *b);
    *a = _mm256_permute2x128_si256::<0x20>(*a, *b);
    *b = upper;
}

/// Exchanges, in each half, the upper four coefficients of `a` with the lower four coefficients of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange_4(a: &mut V, b: &mut V) {
    let upper = _mm256_unpackhi_epi64(*a, *b);
    *a = _mm256_unpacklo_epi64(*a, *b);
    *b = upper;
}

/// Exchanges, in each quarter, the upper two coefficients of `a` with the lower two coefficients of `b`.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange_2(a: &mut V, b: &mut V) {
    let upper = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(*a), *b);
    *a = _mm256_blend_epi32::<0b1010_1010>(*a, _mm256_slli_epi64::<32>(*b));
    *b = upper;
}

/// The powers of ζ for the layers len = 8, 4 and 2, in the lane order after the exchanges, for each pair of
/// adjacent vectors.
static FORWARD: [[Table; 3]; 8] = tables(false);
/// The powers of ζ for the inverse NTT, which uses the powers of each layer in descending order.
static INVERSE: [[Table; 3]; 8] = tables(true);

const fn tables(inverse: bool) -> [[Table; 3]; 8] {
    let mut tables = [[[[0; 16]; 2]; 3]; 8];
    let mut at = 0;
    while at < 8 * 3 * 16 {
        let (pair, layer, lane) = (at / 48, at / 16 % 3, at % 16);
        // the layer has `blocks` blocks; 2, 4 or 8 of them lie in each pair of vectors
        let blocks = 16 << layer;
        let block = pair * (2 << layer) + lane / (8 >> layer);
        let zeta = ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer][0][lane] = zeta;
        tables[pair][layer][1][lane] = zeta.wrapping_mul(Q_INV);
        at += 1;
    }
    tables
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn dot_ntt<'a>(
    a_hat: &(impl Iterator<Item = &'a NttPoly> + Clone),
    b_hat: &[NttPoly],
    c_hat: &mut NttPoly,
) {
    for (i, c) in vectors_mut(&mut c_hat.0).iter_mut().enumerate() {
        let gamma = Factor::load(&GAMMA_TABLES[i]);
        let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for (a, b) in a_hat.clone().zip(b_hat) {
            let (a, b) = (load(&vectors(&a.0)[i]), load(&vectors(&b.0)[i]));
            // a₀·b₀ + a₁·(b₁·γ), and a₀·b₁ + a₁·b₀
            let b_gamma = _mm256_blend_epi16::<0b1010_1010>(b, multiply(b, gamma));
            let swapped = _mm256_or_si256(_mm256_slli_epi32::<16>(b), _mm256_srli_epi32::<16>(b));
            even = _mm256_add_epi32(even, _mm256_madd_epi16(a, b_gamma));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(a, swapped));
        }
        // Montgomery reduction of the 32-bit sums, from their combined lower and upper halves
        let low = _mm256_blend_epi16::<0b1010_1010>(even, _mm256_slli_epi32::<16>(odd));
        let high = _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(even), odd);
        let t = _mm256_mullo_epi16(low, _mm256_set1_epi16(Q_INV));
        store(c, _mm256_sub_epi16(high, _mm256_mulhi_epi16(t, _mm256_set1_epi16(Q))));
    }
}

/// The values γ in the odd lanes of each vector.
static GAMMA_TABLES: [Table; 16] = {
    let mut tables = [[[0; 16]; 2]; 16];
    let mut i = 0;
    while i < 128 {
        tables[i / 8][0][i % 8 * 2 + 1] = GAMMAS[i];
        tables[i / 8][1][i % 8 * 2 + 1] = GAMMAS[i].wrapping_mul(Q_INV);
        i += 1;
    }
    tables
};

#[target_feature(enable = "avx2")]
pub(super) fn times_r_plus(f: &mut NttPoly, g: &NttPoly) {
    for (f, g) in vectors_mut(&mut f.0).iter_mut().zip(vectors(&g.0)) {
        store(f, canonical(_mm256_add_epi16(multiply(load(f), Factor::broadcast(R2)), load(g))));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn add(a: &mut [i16; 256], b: &[i16; 256]) {
    for (a, b) in vectors_mut(a).iter_mut().zip(vectors(b)) {
        store(a, _mm256_add_epi16(load(a), load(b)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn subtract_from(a: &[i16; 256], b: &mut [i16; 256]) {
    for (a, b) in vectors(a).iter().zip(vectors_mut(b)) {
        store(b, _mm256_sub_epi16(load(a), load(b)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn make_canonical(f: &mut [i16; 256]) {
    for f in vectors_mut(f) {
        store(f, canonical(load(f)));
    }
}

/// Reduces any `i16` to [0, q).
#[inline]
#[target_feature(enable = "avx2")]
fn canonical(v: V) -> V {
    let r = reduce(v);
    // adds q to negative numbers
    _mm256_add_epi16(r, _mm256_and_si256(_mm256_srai_epi16::<15>(r), _mm256_set1_epi16(Q)))
}
