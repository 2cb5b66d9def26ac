//! NTT, NTT⁻¹ and products: the whole polynomial in 16 registers, Montgomery products of the even and the odd lanes.
//!
//! Layers of len = 128 to 16 meet register with register. The last four layers meet within 32 neighbours, two
//! registers that exchange lanes before each layer; one permutation at the end restores the order.

use super::{V, load, store, vectors, vectors_mut};
use crate::field::{INVERSE_NTT_FACTOR, Q, Q_INV, ZETAS, montgomery_multiply};
use crate::poly::{NttPoly, Poly};
use core::arch::asm;
use core::arch::x86_64::*;
use core::hint::black_box;

/// A factor and its product with q⁻¹ modulo R, so that the quotient needs no product in sequence.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// The same in each lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn broadcast([value, by_q_inv]: [i32; 2]) -> Self {
        Self { value: _mm512_set1_epi32(value), by_q_inv: _mm512_set1_epi32(by_q_inv) }
    }

    /// Lanes of their own, of which only the even ones count.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(table: &Lanes) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// b·factor·R⁻¹ in (−q, q), for |b·factor| < 2³¹·q; `even` and `odd` are factors of the even and of the odd lanes,
/// both in even places.
#[inline]
#[target_feature(enable = "avx512f")]
fn multiply(b: V, even: Factor, odd: Factor) -> V {
    join(product(b, even), product(odd_lanes(b), odd))
}

/// The products of the even lanes; each result is the upper half of 64 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn product(b: V, factor: Factor) -> V {
    let t = _mm512_mul_epi32(_mm512_mul_epi32(b, factor.by_q_inv), _mm512_set1_epi32(Q));
    _mm512_sub_epi64(_mm512_mul_epi32(b, factor.value), t)
}

/// Reduces 64-bit numbers below 2³¹·q; each result is the upper half of 64 bits. `q_inv`: see [`opaque_q_inv`].
#[inline]
#[target_feature(enable = "avx512f")]
fn montgomery_reduce(a: V, q_inv: V) -> V {
    let t = _mm512_mul_epi32(_mm512_mul_epi32(a, q_inv), _mm512_set1_epi32(Q));
    _mm512_sub_epi64(a, t)
}

/// q⁻¹ in each lane. The compiler, if it knows the factor, takes two shifts more for a product's lower half.
#[inline]
#[target_feature(enable = "avx512f")]
fn opaque_q_inv() -> V {
    _mm512_set1_epi32(black_box(Q_INV))
}

/// The odd lanes in the even places.
#[inline]
#[target_feature(enable = "avx512f")]
fn odd_lanes(v: V) -> V {
    _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(v)))
}

/// The upper halves of `even` in the even lanes, those of `odd` in the odd lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn join(even: V, odd: V) -> V {
    let mut joined = odd;
    // SAFETY: registers only. As an intrinsic it becomes two shuffles, in the place where they cost most.
    unsafe {
        asm!(
            "vmovshdup {joined} {{{even_lanes}}}, {even}",
            joined = inout(zmm_reg) joined,
            even = in(zmm_reg) even,
            even_lanes = in(kreg) 0x5555u16,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    joined
}

/// (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx512f")]
fn butterfly(a: V, b: V, even: Factor, odd: Factor) -> (V, V) {
    let t = multiply(b, even, odd);
    (_mm512_add_epi32(a, t), _mm512_sub_epi32(a, t))
}

/// (a + b, −ζ·(a − b)).
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_butterfly(a: V, b: V, even: Factor, odd: Factor) -> (V, V) {
    (_mm512_add_epi32(a, b), multiply(_mm512_sub_epi32(b, a), even, odd))
}

#[target_feature(enable = "avx512f")]
pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    let to = vectors_mut(&mut w_hat.0);
    first_layers(vectors(&w.0), to);
    for (pair, zetas) in to.as_chunks_mut::<2>().0.iter_mut().zip(&FORWARD) {
        last_layers(pair, zetas);
    }
}

/// len = 128, 64, 32, 16: all sixteen vectors stay in registers.
#[inline]
#[target_feature(enable = "avx512f")]
fn first_layers(from: &[[i32; 16]; 16], to: &mut [[i32; 16]; 16]) {
    let zetas = black_box(&ZETAS_BETWEEN);
    let column = |i| [load(&from[i]), load(&from[i + 4]), load(&from[i + 8]), load(&from[i + 12])];
    let columns = [
        two_layers(column(0), zetas, 1),
        two_layers(column(1), zetas, 1),
        two_layers(column(2), zetas, 1),
        two_layers(column(3), zetas, 1),
    ];
    let row = |i: usize| [columns[0][i], columns[1][i], columns[2][i], columns[3][i]];
    let rows = [
        two_layers(row(0), zetas, 4),
        two_layers(row(1), zetas, 5),
        two_layers(row(2), zetas, 6),
        two_layers(row(3), zetas, 7),
    ];
    for (to, v) in to.iter_mut().zip(rows.as_flattened()) {
        store(to, *v);
    }
}

/// A layer with the ζ of index `m`, and the next one.
#[inline]
#[target_feature(enable = "avx512f")]
fn two_layers([v0, v1, v2, v3]: [V; 4], zetas: &Between, m: usize) -> [V; 4] {
    let zeta = Factor::broadcast(zetas[m]);
    let (v0, v2) = butterfly(v0, v2, zeta, zeta);
    let (v1, v3) = butterfly(v1, v3, zeta, zeta);
    let (left, right) = (Factor::broadcast(zetas[2 * m]), Factor::broadcast(zetas[2 * m + 1]));
    let (v0, v1) = butterfly(v0, v1, left, left);
    let (v2, v3) = butterfly(v2, v3, right, right);
    [v0, v1, v2, v3]
}

/// len = 8, 4, 2, 1 on the 32 coefficients of x and x′; see [`Factors`] for who meets whom.
#[inline]
#[target_feature(enable = "avx512f")]
fn last_layers(pair: &mut [[i32; 16]; 2], zetas: &Factors) {
    let (x, x2) = (load(&pair[0]), load(&pair[1]));
    let a = _mm512_shuffle_i64x2::<0b01_00_01_00>(x, x2);
    let b = _mm512_shuffle_i64x2::<0b11_10_11_10>(x, x2);
    let zeta = Factor::load(&zetas.len_8);
    let (a, b) = butterfly(a, b, zeta, zeta);
    let c = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
    let d = _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
    let zeta = Factor::load(&zetas.len_4);
    let (c, d) = butterfly(c, d, zeta, zeta);
    let e = _mm512_unpacklo_epi64(c, d);
    let f = _mm512_unpackhi_epi64(c, d);
    let zeta = Factor::load(&zetas.len_2);
    let (e, f) = butterfly(e, f, zeta, zeta);
    let (e, f) = (_mm512_castsi512_ps(e), _mm512_castsi512_ps(f));
    let g = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(e, f));
    let h = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(e, f));
    let (g, h) = butterfly(g, h, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd));
    store(&mut pair[0], _mm512_permutex2var_epi32(g, load(&RESTORE[0]), h));
    store(&mut pair[1], _mm512_permutex2var_epi32(g, load(&RESTORE[1]), h));
}

#[target_feature(enable = "avx512f")]
pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let (from, to) = (vectors(&w_hat.0), vectors_mut(&mut w.0));
    let pairs = from.as_chunks::<2>().0.iter().zip(to.as_chunks_mut::<2>().0);
    for ((from, to), zetas) in pairs.zip(&INVERSE) {
        inverse_first_layers(from, to, zetas);
    }
    inverse_last_layers(to);
}

/// len = 16, 32, 64, 128 and the final factor.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_last_layers(w: &mut [[i32; 16]; 16]) {
    let zetas = black_box(&ZETAS_BETWEEN);
    let row = |i: usize| [load(&w[4 * i]), load(&w[4 * i + 1]), load(&w[4 * i + 2]), load(&w[4 * i + 3])];
    let rows = [
        inverse_two_layers(row(0), zetas, 7),
        inverse_two_layers(row(1), zetas, 6),
        inverse_two_layers(row(2), zetas, 5),
        inverse_two_layers(row(3), zetas, 4),
    ];
    let column = |i: usize| [rows[0][i], rows[1][i], rows[2][i], rows[3][i]];
    let columns = [
        inverse_two_layers(column(0), zetas, 1),
        inverse_two_layers(column(1), zetas, 1),
        inverse_two_layers(column(2), zetas, 1),
        inverse_two_layers(column(3), zetas, 1),
    ];
    let factor = Factor::broadcast(zetas[0]);
    for (i, [v0, v1, v2, v3]) in columns.into_iter().enumerate() {
        store(&mut w[i], multiply(v0, factor, factor));
        store(&mut w[i + 4], multiply(v1, factor, factor));
        store(&mut w[i + 8], v2);
        store(&mut w[i + 12], v3);
    }
}

/// The layers whose last ζ has index `m`; the last of all takes the final factor with it.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_two_layers([v0, v1, v2, v3]: [V; 4], zetas: &Between, m: usize) -> [V; 4] {
    let (left, right) = (Factor::broadcast(zetas[2 * m + 1]), Factor::broadcast(zetas[2 * m]));
    let (v0, v1) = inverse_butterfly(v0, v1, left, left);
    let (v2, v3) = inverse_butterfly(v2, v3, right, right);
    let zeta = Factor::broadcast(zetas[if m == 1 { LAST } else { m }]);
    let (v0, v2) = inverse_butterfly(v0, v2, zeta, zeta);
    let (v1, v3) = inverse_butterfly(v1, v3, zeta, zeta);
    [v0, v1, v2, v3]
}

/// len = 1, 2, 4, 8 on 32 coefficients.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_first_layers(from: &[[i32; 16]; 2], to: &mut [[i32; 16]; 2], zetas: &Factors) {
    let (x, x2) = (load(&from[0]), load(&from[1]));
    let g = _mm512_permutex2var_epi32(x, load(&SEPARATE[0]), x2);
    let h = _mm512_permutex2var_epi32(x, load(&SEPARATE[1]), x2);
    let (g, h) = inverse_butterfly(g, h, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd));
    let e = _mm512_unpacklo_epi32(g, h);
    let f = _mm512_unpackhi_epi32(g, h);
    let zeta = Factor::load(&zetas.len_2);
    let (e, f) = inverse_butterfly(e, f, zeta, zeta);
    let c = _mm512_unpacklo_epi64(e, f);
    let d = _mm512_unpackhi_epi64(e, f);
    let zeta = Factor::load(&zetas.len_4);
    let (c, d) = inverse_butterfly(c, d, zeta, zeta);
    let a = _mm512_shuffle_i64x2::<0b01_00_01_00>(c, d);
    let b = _mm512_shuffle_i64x2::<0b11_10_11_10>(c, d);
    let zeta = Factor::load(&zetas.len_8);
    let (a, b) = inverse_butterfly(a, b, zeta, zeta);
    store(&mut to[0], _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b));
    store(&mut to[1], _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b));
}

#[target_feature(enable = "avx512f")]
pub(super) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
    let q_inv = opaque_q_inv();
    let factors = vectors(&a_hat.0).iter().zip(vectors(&b_hat.0));
    for (c, (a, b)) in vectors_mut(&mut c_hat.0).iter_mut().zip(factors) {
        store(c, wide_product(a, b).reduce(q_inv));
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn dot_ntt(a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
    let q_inv = opaque_q_inv();
    for (i, to) in vectors_mut(&mut w_hat.0).as_chunks_mut().0.iter_mut().enumerate() {
        store_two(to, dot_at(a_hat, v_hat, i), q_inv);
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn dot_ntt_minus(
    a_hat: &[NttPoly],
    v_hat: &[NttPoly],
    c_hat: &NttPoly,
    t_hat: &NttPoly,
    w_hat: &mut NttPoly,
) {
    let q_inv = opaque_q_inv();
    for (i, to) in vectors_mut(&mut w_hat.0).as_chunks_mut().0.iter_mut().enumerate() {
        let [sum, sum2] = dot_at(a_hat, v_hat, i);
        let ([c, c2], [t, t2]) = (two_vectors(c_hat, i), two_vectors(t_hat, i));
        store_two(to, [sum.minus(wide_product(c, t)), sum2.minus(wide_product(c2, t2))], q_inv);
    }
}

/// Vectors 2i and 2i + 1.
#[inline(always)]
fn two_vectors(w_hat: &NttPoly, i: usize) -> &[[i32; 16]; 2] {
    &vectors(&w_hat.0).as_chunks().0[i]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_two([to, to2]: &mut [[i32; 16]; 2], [w, w2]: [Wide; 2], q_inv: V) {
    store(to, w.reduce(q_inv));
    store(to2, w2.reduce(q_inv));
}

/// Σⱼ aⱼ·vⱼ at vectors 2i and 2i + 1: two, so that each pass over j is worth its steps.
#[inline]
#[target_feature(enable = "avx512f")]
fn dot_at(a_hat: &[NttPoly], v_hat: &[NttPoly], i: usize) -> [Wide; 2] {
    let zero = _mm512_setzero_si512();
    let mut sums = [Wide { even: zero, odd: zero }; 2];
    for (a, v) in a_hat.iter().zip(v_hat) {
        let ([a, a2], [v, v2]) = (two_vectors(a, i), two_vectors(v, i));
        sums = [sums[0].plus(wide_product(a, v)), sums[1].plus(wide_product(a2, v2))];
    }
    sums
}

/// Sixteen 64-bit numbers: of the even and of the odd lanes.
#[derive(Clone, Copy)]
struct Wide {
    even: V,
    odd: V,
}

impl Wide {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn plus(self, other: Self) -> Self {
        Self { even: _mm512_add_epi64(self.even, other.even), odd: _mm512_add_epi64(self.odd, other.odd) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn minus(self, other: Self) -> Self {
        Self { even: _mm512_sub_epi64(self.even, other.even), odd: _mm512_sub_epi64(self.odd, other.odd) }
    }

    /// Divided by R, for numbers below 2³¹·q.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn reduce(self, q_inv: V) -> V {
        join(montgomery_reduce(self.even, q_inv), montgomery_reduce(self.odd, q_inv))
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn wide_product(a: &[i32; 16], b: &[i32; 16]) -> Wide {
    let odd = _mm512_mul_epi32(load_odd_lanes(a), load_odd_lanes(b));
    Wide { even: _mm512_mul_epi32(load(a), load(b)), odd }
}

/// The odd lanes in the even places, by a load that costs no more than a plain one.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_odd_lanes(from: &[i32; 16]) -> V {
    let v;
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment. As an intrinsic it becomes a shuffle
    // of what is loaded for the even lanes, on the unit that multiplies and adds.
    unsafe {
        asm!(
            "vmovshdup {v}, zmmword ptr [{from}]",
            v = lateout(zmm_reg) v,
            from = in(reg) from,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    v
}

/// The ζ of the layers between vectors, m = 1 to 15, with their products with q⁻¹.
///
/// In place of m = 0, which no layer has, stands the final factor of NTT⁻¹, and last the ζ of m = 1 times that.
/// Used behind a `black_box`: the compiler, if it knows a factor, takes four instructions more for its product.
type Between = [[i32; 2]; 17];

const LAST: usize = 16;

static ZETAS_BETWEEN: Between = {
    let mut table = [[0; 2]; 17];
    let mut m = 0;
    while m < 17 {
        let zeta = match m {
            0 => INVERSE_NTT_FACTOR,
            LAST => montgomery_multiply(ZETAS[1], INVERSE_NTT_FACTOR),
            _ => ZETAS[m],
        };
        table[m] = [zeta, zeta.wrapping_mul(Q_INV)];
        m += 1;
    }
    table
};

/// A number for each lane, and its product with q⁻¹.
type Lanes = [[i32; 16]; 2];

/// The ζ of the layers within two vectors, in the order of the exchanged lanes.
///
/// Written for 32 coefficients, the lower partners of each layer are, four lanes at a time:
/// - len = 8: 0…3, 4…7, 16…19, 20…23 (backwards: 0…3, 16…19, 4…7, 20…23);
/// - len = 4: 0…3, 16…19, 8…11, 24…27;
/// - len = 2: 0 1 4 5, 16 17 20 21, 8 9 12 13, 24 25 28 29;
/// - len = 1: 0 4 2 6, 16 20 18 22, 8 12 10 14, 24 28 26 30.
///
/// Neighbouring lanes share their ζ, but for len = 1.
#[repr(C, align(64))]
struct Factors {
    len_8: Lanes,
    len_4: Lanes,
    len_2: Lanes,
    /// Of the even lanes.
    len_1_even: Lanes,
    /// Of the odd lanes, in even places.
    len_1_odd: Lanes,
}

/// The lower partner in lane `lane` at len = 1.
const fn lower_partner(lane: usize) -> usize {
    [0, 16, 8, 24][lane / 4] + [0, 4, 2, 6][lane % 4]
}

/// For the coefficients 32p to 32p + 31.
static FORWARD: [Factors; 8] = factors([0, 0, 16, 16], false);

/// As [`FORWARD`].
static INVERSE: [Factors; 8] = factors([0, 16, 0, 16], true);

/// `len_8_starts`: where the blocks of 16 coefficients begin, for four lanes at a time.
const fn factors(len_8_starts: [usize; 4], inverse: bool) -> [Factors; 8] {
    const NONE: Lanes = [[0; 16]; 2];
    let mut tables =
        [const { Factors { len_8: NONE, len_4: NONE, len_2: NONE, len_1_even: NONE, len_1_odd: NONE } }; 8];
    let mut p = 0;
    while p < 8 {
        let mut lane = 0;
        while lane < 16 {
            let table = &mut tables[p];
            let start = 32 * p;
            let quarter = [0, 16, 8, 24][lane / 4];
            set(&mut table.len_8, lane, zeta(8, start + len_8_starts[lane / 4], inverse));
            set(&mut table.len_4, lane, zeta(4, start + quarter, inverse));
            set(&mut table.len_2, lane, zeta(2, start + quarter + lane % 4 / 2 * 4, inverse));
            let of_lane = zeta(1, start + lower_partner(lane), inverse);
            set(
                if lane % 2 == 0 { &mut table.len_1_even } else { &mut table.len_1_odd },
                lane / 2 * 2,
                of_lane,
            );
            lane += 1;
        }
        p += 1;
    }
    tables
}

const fn set(lanes: &mut Lanes, lane: usize, zeta: i32) {
    lanes[0][lane] = zeta;
    lanes[1][lane] = zeta.wrapping_mul(Q_INV);
}

/// The ζ of the layer `len` for coefficient `i`; backwards, m counts downwards.
const fn zeta(len: usize, i: usize, inverse: bool) -> i32 {
    let (blocks, block) = (128 / len, i / (2 * len));
    ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }]
}

/// Where the two vectors of len = 1 come from, in two vectors of 32 coefficients in order.
static SEPARATE: [[i32; 16]; 2] = {
    let mut indexes = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 16 {
        indexes[0][lane] = lower_partner(lane) as i32;
        indexes[1][lane] = lower_partner(lane) as i32 + 1;
        lane += 1;
    }
    indexes
};

/// The inverse of [`SEPARATE`].
static RESTORE: [[i32; 16]; 2] = {
    let mut indexes = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 16 {
        let lower = lower_partner(lane);
        indexes[lower / 16][lower % 16] = lane as i32;
        indexes[lower / 16][lower % 16 + 1] = lane as i32 + 16;
        lane += 1;
    }
    indexes
};
