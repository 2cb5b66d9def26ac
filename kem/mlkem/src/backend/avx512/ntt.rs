//! NTT, NTT⁻¹, products and sums with 512-bit vectors.

use super::vector::{V, load, load_table, store, vectors, vectors_mut};
use crate::field::{GAMMAS, INVERSE_NTT_FACTOR, Q, Q_INV, R2, ZETAS};
use crate::poly::{NttPoly, Poly};
use core::arch::x86_64::*;
use grille_core::unroll;

/// A factor and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent multiplications.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn broadcast(value: i16) -> Self {
        Self { value: _mm512_set1_epi16(value), by_q_inv: _mm512_set1_epi16(value.wrapping_mul(Q_INV)) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(table: &Table) -> Self {
        Self { value: load(&table.value), by_q_inv: load(&table.by_q_inv) }
    }
}

/// The lanes of a [`Factor`].
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Table {
    value: [i16; 32],
    by_q_inv: [i16; 32],
}

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2¹⁵·q.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply(b: V, factor: Factor) -> V {
    let t = _mm512_mulhi_epi16(_mm512_mullo_epi16(b, factor.by_q_inv), _mm512_set1_epi16(Q));
    _mm512_sub_epi16(_mm512_mulhi_epi16(b, factor.value), t)
}

/// Reduces any `i16` to [−(q − 1)/2, (q − 1)/2].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn reduce(a: V) -> V {
    /// The factor ⌊2²⁶/q + 1/2⌋.
    const V: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;
    // computes ⌊V·a/2²⁶ + 1/2⌋: the upper half of the product, then a shift by 10 with rounding
    let t = _mm512_mulhrs_epi16(_mm512_mulhi_epi16(a, _mm512_set1_epi16(V)), _mm512_set1_epi16(1 << 5));
    _mm512_sub_epi16(a, _mm512_mullo_epi16(t, _mm512_set1_epi16(Q)))
}

/// Computes (a + ζb, a − ζb) for the vectors `a` and `b` of a polynomial.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn butterfly(v: &mut [V; 8], a: usize, b: usize, zeta: Factor) {
    let t = multiply(v[b], zeta);
    v[b] = _mm512_sub_epi16(v[a], t);
    v[a] = _mm512_add_epi16(v[a], t);
}

/// Computes (a + b, ζ·(b − a)) with neither the sum nor the difference reduced.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn inverse_butterfly(v: &mut [V; 8], a: usize, b: usize, zeta: Factor) {
    let t = _mm512_sub_epi16(v[b], v[a]);
    v[a] = _mm512_add_epi16(v[a], v[b]);
    v[b] = multiply(t, zeta);
}

/// Moves each pair of neighbouring vectors from arrangement `FROM` to arrangement `TO` (see [`pair_at`]), and then
/// computes a layer on the pair.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn layer<const FROM: usize, const TO: usize>(v: &mut [V; 8], layer: usize) {
    unroll!(pair in 0 1 2 3 => {
        rearrange::<FROM, TO>(v, 2 * pair, 2 * pair + 1);
        butterfly(v, 2 * pair, 2 * pair + 1, Factor::load(&FORWARD[pair][layer]));
    });
}

/// Computes the NTT. Each layer adds less than q, so after seven layers on |f| ≤ q, all values stay below 8q
/// < 2¹⁵.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn ntt(f: &Poly, f_hat: &mut NttPoly) {
    let mut v = load_all(&f.0);
    // the layers len = 128, 64 and 32 combine whole vectors
    unroll!(a in 0 1 2 3 => butterfly(&mut v, a, a + 4, Factor::broadcast(ZETAS[1])));
    unroll!(a in 0 1 4 5 => butterfly(&mut v, a, a + 2, Factor::broadcast(ZETAS[2 + a / 4])));
    unroll!(pair in 0 1 2 3 => butterfly(&mut v, 2 * pair, 2 * pair + 1, Factor::broadcast(ZETAS[4 + pair])));
    // the layers len = 16, 8, 4 and 2 work within two neighbouring vectors
    layer::<4, 3>(&mut v, 0);
    layer::<3, 2>(&mut v, 1);
    layer::<2, 1>(&mut v, 2);
    layer::<1, 0>(&mut v, 3);
    unroll!(pair in 0 1 2 3 => rearrange::<0, 4>(&mut v, 2 * pair, 2 * pair + 1));
    for (to, v) in vectors_mut(&mut f_hat.0).iter_mut().zip(v) {
        store(to, reduce(v));
    }
}

/// Computes a layer of the inverse; see [`layer`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn inverse_layer<const FROM: usize, const TO: usize>(v: &mut [V; 8], layer: usize) {
    unroll!(pair in 0 1 2 3 => {
        rearrange::<FROM, TO>(v, 2 * pair, 2 * pair + 1);
        inverse_butterfly(v, 2 * pair, 2 * pair + 1, Factor::load(&INVERSE[pair][layer]));
    });
}

/// Computes the inverse NTT. Three layers take |f̂| < q to at most 8q < 2¹⁵. Sums are reduced after these
/// layers and after the sixth layer. Differences are between values up to 4q.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn inverse_ntt(f_hat: &NttPoly, f: &mut Poly) {
    let mut v = load_all(&f_hat.0);
    inverse_layer::<4, 0>(&mut v, 3);
    inverse_layer::<0, 1>(&mut v, 2);
    inverse_layer::<1, 2>(&mut v, 1);
    unroll!(a in 0 2 4 6 => v[a] = reduce(v[a]));
    inverse_layer::<2, 3>(&mut v, 0);
    unroll!(pair in 0 1 2 3 => {
        rearrange::<3, 4>(&mut v, 2 * pair, 2 * pair + 1);
        inverse_butterfly(&mut v, 2 * pair, 2 * pair + 1, Factor::broadcast(ZETAS[7 - pair]));
    });
    unroll!(a in 0 1 4 5 => {
        inverse_butterfly(&mut v, a, a + 2, Factor::broadcast(ZETAS[3 - a / 4]));
        v[a] = reduce(v[a]);
    });
    unroll!(a in 0 1 2 3 => inverse_butterfly(&mut v, a, a + 4, Factor::broadcast(ZETAS[1])));
    for (to, v) in vectors_mut(&mut f.0).iter_mut().zip(v) {
        store(to, multiply(v, Factor::broadcast(INVERSE_NTT_FACTOR)));
    }
}

/// Loads all vectors of a polynomial.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_all(f: &[i16; 256]) -> [V; 8] {
    let mut v = [_mm512_setzero_si512(); 8];
    for (v, from) in v.iter_mut().zip(vectors(f)) {
        *v = load(from);
    }
    v
}

/// Moves the 32 pairs of coefficients in two vectors from arrangement `FROM` to arrangement `TO`; see [`pair_at`].
#[inline]
#[target_feature(enable = "avx512f")]
fn rearrange<const FROM: usize, const TO: usize>(v: &mut [V; 8], a: usize, b: usize) {
    let table = const { &rearrangement(FROM, TO) };
    let to_a = _mm512_permutex2var_epi32(v[a], load_table(&table[0]), v[b]);
    v[b] = _mm512_permutex2var_epi32(v[a], load_table(&table[1]), v[b]);
    v[a] = to_a;
}

/// Returns which of the 32 pairs of coefficients is in lane `lane` of vector `vector` (0 or 1) in arrangement `bit`.
///
/// Bit `bit` of the pair's index selects the vector. The other bits select the lane. Pairs that are 2^`bit`
/// apart are then in the same lane, as a layer with len = 2^(`bit` + 1) requires. Arrangement 4 is the order
/// in memory.
const fn pair_at(bit: usize, vector: usize, lane: usize) -> usize {
    lane & ((1 << bit) - 1) | vector << bit | lane >> bit << (bit + 1)
}

/// Returns, for each lane of the two vectors in arrangement `to`, the index of its lane in arrangement `from`. An index
/// has 32 bits and counts the lanes of both vectors from 0 to 31.
const fn rearrangement(from: usize, to: usize) -> [[u8; 64]; 2] {
    let mut table = [[0; 64]; 2];
    let mut source = 0;
    while source < 32 {
        let mut target = 0;
        while target < 32 {
            if pair_at(from, source / 16, source % 16) == pair_at(to, target / 16, target % 16) {
                table[target / 16][target % 16 * 4] = source as u8;
            }
            target += 1;
        }
        source += 1;
    }
    table
}

/// The factors of the layers len = 16, 8, 4 and 2, in the arrangement of each layer, for each pair of neighbouring
/// vectors.
static FORWARD: [[Table; 4]; 4] = tables(false);
/// The factors of the inverse NTT, which uses the powers of ζ of each layer in descending order.
static INVERSE: [[Table; 4]; 4] = tables(true);

const fn tables(inverse: bool) -> [[Table; 4]; 4] {
    let mut tables = [[Table { value: [0; 32], by_q_inv: [0; 32] }; 4]; 4];
    let mut at = 0;
    while at < 4 * 4 * 32 {
        let (pair, layer, lane) = (at / 128, at / 32 % 4, at % 32);
        let (blocks, len) = (8 << layer, 16 >> layer);
        let block = (64 * pair + 2 * pair_at(3 - layer, 0, lane / 2)) / (2 * len);
        let zeta = ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer].value[lane] = zeta;
        tables[pair][layer].by_q_inv[lane] = zeta.wrapping_mul(Q_INV);
        at += 1;
    }
    tables
}

/// Computes the dot product. The sums are at most 2¹⁵·q/2, as in the portable kernel.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn dot_ntt<'a>(
    a_hat: &(impl Iterator<Item = &'a NttPoly> + Clone),
    b_hat: &[NttPoly],
    c_hat: &mut NttPoly,
) {
    for (i, c) in vectors_mut(&mut c_hat.0).iter_mut().enumerate() {
        let gamma = Factor::load(&GAMMA_TABLES[i]);
        let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (a, b) in a_hat.clone().zip(b_hat) {
            let (a, b) = (load(&vectors(&a.0)[i]), load(&vectors(&b.0)[i]));
            // a₀·b₀ + a₁·(b₁·γ), and a₀·b₁ + a₁·b₀
            let b_gamma = _mm512_mask_blend_epi16(ODD, b, multiply(b, gamma));
            even = _mm512_add_epi32(even, _mm512_madd_epi16(a, b_gamma));
            odd = _mm512_add_epi32(odd, _mm512_madd_epi16(a, _mm512_rol_epi32::<16>(b)));
        }
        // Montgomery reduction of the 32-bit sums, from their combined lower and upper halves
        let low = _mm512_mask_blend_epi16(ODD, even, _mm512_slli_epi32::<16>(odd));
        let high = _mm512_mask_blend_epi16(ODD, _mm512_srli_epi32::<16>(even), odd);
        let t = _mm512_mullo_epi16(low, _mm512_set1_epi16(Q_INV));
        store(c, _mm512_sub_epi16(high, _mm512_mulhi_epi16(t, _mm512_set1_epi16(Q))));
    }
}

/// The mask of the odd lanes among 32.
const ODD: u32 = 0xAAAA_AAAA;

/// The values γ in the odd lanes of each vector.
static GAMMA_TABLES: [Table; 8] = {
    let mut tables = [Table { value: [0; 32], by_q_inv: [0; 32] }; 8];
    let mut i = 0;
    while i < 128 {
        tables[i / 16].value[i % 16 * 2 + 1] = GAMMAS[i];
        tables[i / 16].by_q_inv[i % 16 * 2 + 1] = GAMMAS[i].wrapping_mul(Q_INV);
        i += 1;
    }
    tables
};

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn times_r_plus(f: &mut NttPoly, g: &NttPoly) {
    for (f, g) in vectors_mut(&mut f.0).iter_mut().zip(vectors(&g.0)) {
        store(f, canonical(_mm512_add_epi16(multiply(load(f), Factor::broadcast(R2)), load(g))));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn add(a: &mut [i16; 256], b: &[i16; 256]) {
    for (a, b) in vectors_mut(a).iter_mut().zip(vectors(b)) {
        store(a, _mm512_add_epi16(load(a), load(b)));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn subtract_from(a: &[i16; 256], b: &mut [i16; 256]) {
    for (a, b) in vectors(a).iter().zip(vectors_mut(b)) {
        store(b, _mm512_sub_epi16(load(a), load(b)));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn make_canonical(f: &mut [i16; 256]) {
    for f in vectors_mut(f) {
        store(f, canonical(load(f)));
    }
}

/// Reduces any `i16` to [0, q).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn canonical(v: V) -> V {
    let r = reduce(v);
    _mm512_mask_add_epi16(r, _mm512_movepi16_mask(r), r, _mm512_set1_epi16(Q))
}
