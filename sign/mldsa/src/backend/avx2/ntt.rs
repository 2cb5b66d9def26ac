//! NTT, NTT⁻¹ and products, with separate Montgomery products of the even and the odd lanes.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{INVERSE_NTT_FACTOR, Q, Q_INV, ZETAS, montgomery_multiply, with_q_inv, zeta_at};
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
    fn broadcast([value, by_q_inv]: [i32; 2]) -> Self {
        Self { value: _mm256_set1_epi32(value), by_q_inv: _mm256_set1_epi32(by_q_inv) }
    }

    /// Loads a factor with a different value in each lane. Only the even lanes are used.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(table: &Lanes) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2³¹·q. `even` and `odd` are the factors of the even and of the
/// odd lanes, both stored in even lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(b: V, even: Factor, odd: Factor) -> V {
    join(product(b, even), product(odd_lanes(b), odd))
}

/// Multiplies the even lanes by the factor. Each result is in the upper half of a 64-bit lane.
#[inline]
#[target_feature(enable = "avx2")]
fn product(b: V, factor: Factor) -> V {
    let t = _mm256_mul_epi32(_mm256_mul_epi32(b, factor.by_q_inv), _mm256_set1_epi32(Q));
    _mm256_sub_epi64(_mm256_mul_epi32(b, factor.value), t)
}

/// Reduces 64-bit numbers below 2³¹·q. Each result is in the upper half of a 64-bit lane.
#[inline]
#[target_feature(enable = "avx2")]
fn montgomery_reduce(a: V) -> V {
    let t = _mm256_mul_epi32(_mm256_mul_epi32(a, _mm256_set1_epi32(Q_INV)), _mm256_set1_epi32(Q));
    _mm256_sub_epi64(a, t)
}

/// Moves the odd lanes to the even lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn odd_lanes(v: V) -> V {
    _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(v)))
}

/// Joins the upper halves of `even` in the even lanes with those of `odd` in the odd lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn join(even: V, odd: V) -> V {
    _mm256_blend_epi32::<0b1010_1010>(odd_lanes(even), odd)
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx2")]
fn butterfly(a: &mut V, b: &mut V, even: Factor, odd: Factor) {
    let t = multiply(*b, even, odd);
    *b = _mm256_sub_epi32(*a, t);
    *a = _mm256_add_epi32(*a, t);
}

/// Computes (a + b, −ζ·(a − b)).
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_butterfly(a: &mut V, b: &mut V, even: Factor, odd: Factor) {
    let t = _mm256_sub_epi32(*b, *a);
    *a = _mm256_add_epi32(*a, *b);
    *b = multiply(t, even, odd);
}

#[target_feature(enable = "avx2")]
pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    let (from, to) = (vectors(&w.0), vectors_mut(&mut w_hat.0));
    for column in 0..4 {
        first_layers(from, to, column);
    }
    let (blocks, _) = to.as_chunks_mut();
    for (block, v) in blocks.iter_mut().enumerate() {
        last_layers(v, block);
    }
}

/// Computes the layers len = 128, 64, 32 on the eight vectors `column` + 4i.
#[inline]
#[target_feature(enable = "avx2")]
fn first_layers(from: &[[i32; 8]; 32], to: &mut [[i32; 8]; 32], column: usize) {
    let mut v = [_mm256_setzero_si256(); 8];
    for i in 0..8 {
        v[i] = load(&from[column + 4 * i]);
    }
    let [mut v0, mut v1, mut v2, mut v3, mut v4, mut v5, mut v6, mut v7] = v;
    let zeta = Factor::broadcast(ZETAS_BETWEEN[1]);
    butterfly(&mut v0, &mut v4, zeta, zeta);
    butterfly(&mut v1, &mut v5, zeta, zeta);
    butterfly(&mut v2, &mut v6, zeta, zeta);
    butterfly(&mut v3, &mut v7, zeta, zeta);
    let (left, right) = (Factor::broadcast(ZETAS_BETWEEN[2]), Factor::broadcast(ZETAS_BETWEEN[3]));
    butterfly(&mut v0, &mut v2, left, left);
    butterfly(&mut v1, &mut v3, left, left);
    butterfly(&mut v4, &mut v6, right, right);
    butterfly(&mut v5, &mut v7, right, right);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[4]);
    butterfly(&mut v0, &mut v1, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[5]);
    butterfly(&mut v2, &mut v3, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[6]);
    butterfly(&mut v4, &mut v5, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[7]);
    butterfly(&mut v6, &mut v7, zeta, zeta);
    for (i, v) in [v0, v1, v2, v3, v4, v5, v6, v7].into_iter().enumerate() {
        store(&mut to[column + 4 * i], v);
    }
}

/// Computes the layers len = 16, 8, 4, 2, 1 on the 32 coefficients of one block.
#[inline]
#[target_feature(enable = "avx2")]
fn last_layers(v: &mut [[i32; 8]; 4], block: usize) {
    let (mut v0, mut v1, mut v2, mut v3) = (load(&v[0]), load(&v[1]), load(&v[2]), load(&v[3]));
    let zeta = Factor::broadcast(ZETAS_BETWEEN[8 + block]);
    butterfly(&mut v0, &mut v2, zeta, zeta);
    butterfly(&mut v1, &mut v3, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[16 + 2 * block]);
    butterfly(&mut v0, &mut v1, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[17 + 2 * block]);
    butterfly(&mut v2, &mut v3, zeta, zeta);
    (v0, v1) = layers_within_vectors(v0, v1, &FORWARD[2 * block]);
    (v2, v3) = layers_within_vectors(v2, v3, &FORWARD[2 * block + 1]);
    for (to, v) in v.iter_mut().zip([v0, v1, v2, v3]) {
        store(to, v);
    }
}

/// Computes the layers len = 4, 2, 1 on two vectors x and x′; see [`Factors`] for the pairs of lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn layers_within_vectors(x: V, x2: V, zetas: &Factors) -> (V, V) {
    let (mut a, mut b) = swap_halves(x, x2);
    let zeta = Factor::load(&zetas.len_4);
    butterfly(&mut a, &mut b, zeta, zeta);
    let (mut c, mut d) = swap_pairs(a, b);
    let zeta = Factor::load(&zetas.len_2);
    butterfly(&mut c, &mut d, zeta, zeta);
    let (mut e, mut f) = split_even_odd(c, d);
    butterfly(&mut e, &mut f, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd));
    let (c, d) = interleave(e, f);
    let (a, b) = swap_pairs(c, d);
    swap_halves(a, b)
}

/// Returns ([x₀…₃ x′₀…₃], [x₄…₇ x′₄…₇]). The operation is its own inverse.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_halves(x: V, x2: V) -> (V, V) {
    (_mm256_permute2x128_si256::<0x20>(x, x2), _mm256_permute2x128_si256::<0x31>(x, x2))
}

/// Returns ([a₀ a₁ b₀ b₁], [a₂ a₃ b₂ b₃]) for each half. The operation is its own inverse.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_pairs(a: V, b: V) -> (V, V) {
    (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))
}

/// Returns ([c₀ c₂ d₀ d₂], [c₁ c₃ d₁ d₃]) for each half.
#[inline]
#[target_feature(enable = "avx2")]
fn split_even_odd(c: V, d: V) -> (V, V) {
    let (c, d) = (_mm256_castsi256_ps(c), _mm256_castsi256_ps(d));
    let even = _mm256_shuffle_ps::<0b10_00_10_00>(c, d);
    let odd = _mm256_shuffle_ps::<0b11_01_11_01>(c, d);
    (_mm256_castps_si256(even), _mm256_castps_si256(odd))
}

/// Reverses [`split_even_odd`].
#[inline]
#[target_feature(enable = "avx2")]
fn interleave(e: V, f: V) -> (V, V) {
    (_mm256_unpacklo_epi32(e, f), _mm256_unpackhi_epi32(e, f))
}

#[target_feature(enable = "avx2")]
pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let (from, to) = (vectors(&w_hat.0), vectors_mut(&mut w.0));
    let ((from, _), (blocks, _)) = (from.as_chunks(), to.as_chunks_mut());
    for (block, (from, to)) in from.iter().zip(blocks).enumerate() {
        inverse_first_layers(from, to, block);
    }
    for column in 0..4 {
        inverse_last_layers(to, column);
    }
}

/// Computes the layers len = 1, 2, 4, 8, 16 of the inverse NTT on the 32 coefficients of one block.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_first_layers(from: &[[i32; 8]; 4], to: &mut [[i32; 8]; 4], block: usize) {
    let (v0, v1, v2, v3) = (load(&from[0]), load(&from[1]), load(&from[2]), load(&from[3]));
    let (mut v0, mut v1) = inverse_layers_within_vectors(v0, v1, &INVERSE[2 * block]);
    let (mut v2, mut v3) = inverse_layers_within_vectors(v2, v3, &INVERSE[2 * block + 1]);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[31 - 2 * block]);
    inverse_butterfly(&mut v0, &mut v1, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[30 - 2 * block]);
    inverse_butterfly(&mut v2, &mut v3, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[15 - block]);
    inverse_butterfly(&mut v0, &mut v2, zeta, zeta);
    inverse_butterfly(&mut v1, &mut v3, zeta, zeta);
    for (to, v) in to.iter_mut().zip([v0, v1, v2, v3]) {
        store(to, v);
    }
}

/// Computes the layers len = 1, 2, 4 of the inverse NTT on two vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layers_within_vectors(x: V, x2: V, zetas: &Factors) -> (V, V) {
    let (a, b) = swap_halves(x, x2);
    let (c, d) = swap_pairs(a, b);
    let (mut e, mut f) = split_even_odd(c, d);
    inverse_butterfly(&mut e, &mut f, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd));
    let (mut c, mut d) = interleave(e, f);
    let zeta = Factor::load(&zetas.len_2);
    inverse_butterfly(&mut c, &mut d, zeta, zeta);
    let (mut a, mut b) = swap_pairs(c, d);
    let zeta = Factor::load(&zetas.len_4);
    inverse_butterfly(&mut a, &mut b, zeta, zeta);
    swap_halves(a, b)
}

/// Computes the layers len = 32, 64, 128 of the inverse NTT on the eight vectors `column` + 4i, and multiplies by the
/// final factor.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_last_layers(w: &mut [[i32; 8]; 32], column: usize) {
    let mut v = [_mm256_setzero_si256(); 8];
    for i in 0..8 {
        v[i] = load(&w[column + 4 * i]);
    }
    let [mut v0, mut v1, mut v2, mut v3, mut v4, mut v5, mut v6, mut v7] = v;
    let zeta = Factor::broadcast(ZETAS_BETWEEN[7]);
    inverse_butterfly(&mut v0, &mut v1, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[6]);
    inverse_butterfly(&mut v2, &mut v3, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[5]);
    inverse_butterfly(&mut v4, &mut v5, zeta, zeta);
    let zeta = Factor::broadcast(ZETAS_BETWEEN[4]);
    inverse_butterfly(&mut v6, &mut v7, zeta, zeta);
    let (left, right) = (Factor::broadcast(ZETAS_BETWEEN[3]), Factor::broadcast(ZETAS_BETWEEN[2]));
    inverse_butterfly(&mut v0, &mut v2, left, left);
    inverse_butterfly(&mut v1, &mut v3, left, left);
    inverse_butterfly(&mut v4, &mut v6, right, right);
    inverse_butterfly(&mut v5, &mut v7, right, right);
    // the factor of the last layer is the power of ζ times the final factor of NTT⁻¹
    let last = Factor::broadcast(const { with_q_inv(montgomery_multiply(ZETAS[1], INVERSE_NTT_FACTOR)) });
    inverse_butterfly(&mut v0, &mut v4, last, last);
    inverse_butterfly(&mut v1, &mut v5, last, last);
    inverse_butterfly(&mut v2, &mut v6, last, last);
    inverse_butterfly(&mut v3, &mut v7, last, last);
    let factor = Factor::broadcast(const { with_q_inv(INVERSE_NTT_FACTOR) });
    for (i, v) in [v0, v1, v2, v3].into_iter().enumerate() {
        store(&mut w[column + 4 * i], multiply(v, factor, factor));
    }
    for (i, v) in [v4, v5, v6, v7].into_iter().enumerate() {
        store(&mut w[column + 4 * (4 + i)], v);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
    let factors = vectors(&a_hat.0).iter().zip(vectors(&b_hat.0));
    for (c, (a, b)) in vectors_mut(&mut c_hat.0).iter_mut().zip(factors) {
        let (even, odd) = wide_product(load(a), load(b));
        store(c, join(montgomery_reduce(even), montgomery_reduce(odd)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn dot_ntt(a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
    for (i, w) in vectors_mut(&mut w_hat.0).iter_mut().enumerate() {
        let (even, odd) = dot_at(a_hat, v_hat, i);
        store(w, join(montgomery_reduce(even), montgomery_reduce(odd)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn dot_ntt_minus(
    a_hat: &[NttPoly],
    v_hat: &[NttPoly],
    c_hat: &NttPoly,
    t_hat: &NttPoly,
    w_hat: &mut NttPoly,
) {
    let subtracted = vectors(&c_hat.0).iter().zip(vectors(&t_hat.0));
    for (i, (w, (c, t))) in vectors_mut(&mut w_hat.0).iter_mut().zip(subtracted).enumerate() {
        let (even, odd) = dot_at(a_hat, v_hat, i);
        let (ct_even, ct_odd) = wide_product(load(c), load(t));
        let (even, odd) = (_mm256_sub_epi64(even, ct_even), _mm256_sub_epi64(odd, ct_odd));
        store(w, join(montgomery_reduce(even), montgomery_reduce(odd)));
    }
}

/// Computes Σⱼ aⱼ·vⱼ at vector `i`, for the even and the odd lanes as 64-bit numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn dot_at(a_hat: &[NttPoly], v_hat: &[NttPoly], i: usize) -> (V, V) {
    let mut sum = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for (a, v) in a_hat.iter().zip(v_hat) {
        let (even, odd) = wide_product(load(&vectors(&a.0)[i]), load(&vectors(&v.0)[i]));
        sum = (_mm256_add_epi64(sum.0, even), _mm256_add_epi64(sum.1, odd));
    }
    sum
}

/// Computes a·b, for the even and the odd lanes as 64-bit numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_product(a: V, b: V) -> (V, V) {
    (_mm256_mul_epi32(a, b), _mm256_mul_epi32(odd_lanes(a), odd_lanes(b)))
}

/// The powers of ζ for the layers that combine whole vectors. The index is m of FIPS 204 Algorithm 41, from 1 to 31.
static ZETAS_BETWEEN: [[i32; 2]; 32] = {
    let mut table = [[0; 2]; 32];
    let mut m = 1;
    while m < 32 {
        table[m] = with_q_inv(ZETAS[m]);
        m += 1;
    }
    table
};

/// A number for each lane, and its product with q⁻¹.
type Lanes = [[i32; 8]; 2];

/// The powers of ζ for len = 4, 2 and 1 and for two vectors, in the order of the shuffled lanes.
///
/// Neighbouring lanes share a factor, except for len = 1.
#[repr(C, align(32))]
struct Factors {
    len_4: Lanes,
    len_2: Lanes,
    /// The factors of the even lanes.
    len_1_even: Lanes,
    /// The factors of the odd lanes, stored in even lanes.
    len_1_odd: Lanes,
}

/// The factors of the NTT. Element p is for the pair of vectors p, which holds the coefficients 16p to 16p + 15.
static FORWARD: [Factors; 16] = factors(false);

/// The factors of the inverse NTT, which uses the powers of ζ in descending order of m; see [`FORWARD`].
static INVERSE: [Factors; 16] = factors(true);

const fn factors(inverse: bool) -> [Factors; 16] {
    const NONE: Lanes = [[0; 8]; 2];
    let mut tables = [const { Factors { len_4: NONE, len_2: NONE, len_1_even: NONE, len_1_odd: NONE } }; 16];
    let mut p = 0;
    while p < 16 {
        let mut lane = 0;
        while lane < 8 {
            let table = &mut tables[p];
            // len = 4 pairs [x₀ x₁ x₂ x₃ | x′…] with [x₄ x₅ x₆ x₇ | x′…]
            set_lane(&mut table.len_4, lane, zeta_at(32, 2 * p + [0, 0, 0, 0, 1, 1, 1, 1][lane], inverse));
            // len = 2 pairs [x₀ x₁ x₄ x₅ | x′…] with [x₂ x₃ x₆ x₇ | x′…]
            set_lane(&mut table.len_2, lane, zeta_at(64, 4 * p + [0, 0, 1, 1, 2, 2, 3, 3][lane], inverse));
            // len = 1 pairs [x₀ x₄ x₂ x₆ | x′…] with [x₁ x₅ x₃ x₇ | x′…]
            let of_lane = zeta_at(128, 8 * p + [0, 2, 1, 3, 4, 6, 5, 7][lane], inverse);
            set_lane(
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

const fn set_lane(lanes: &mut Lanes, lane: usize, zeta: i32) {
    [lanes[0][lane], lanes[1][lane]] = with_q_inv(zeta);
}
