//! NTT, NTT⁻¹ and products. Sixteen registers hold the whole polynomial. Montgomery products of the even and
//! the odd lanes are computed separately.
//!
//! The layers len = 128 to 16 combine whole registers. The last four layers work within 32 neighbouring
//! coefficients: two registers exchange lanes before each layer, and one permutation at the end restores the
//! order.

use super::factors::{
    FINAL_ZETA, FORWARD, Factors, INVERSE, Lanes, RESTORE, SEPARATE, ZETAS_BETWEEN, ZetasBetween,
};
use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{Q, Q_INV};
use crate::poly::{NttPoly, Poly};
use core::arch::asm;
use core::arch::x86_64::*;
use core::hint::black_box;
use grille_core::unroll;

/// Two neighbouring vectors, within which the last four layers work.
type Pair = [V; 2];

/// A factor and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent multiplications.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn broadcast([value, by_q_inv]: [i32; 2]) -> Self {
        Self { value: _mm512_set1_epi32(value), by_q_inv: _mm512_set1_epi32(by_q_inv) }
    }

    /// Loads a factor with a different value in each lane. Only the even lanes are used.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(table: &Lanes) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2³¹·q. `even` and `odd` are the factors of the even and of the
/// odd lanes, both stored in even lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn multiply(b: V, even: Factor, odd: Factor) -> V {
    join(product(b, even), product(odd_lanes(b), odd))
}

/// Multiplies the even lanes by the factor. Each result is in the upper half of a 64-bit lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn product(b: V, factor: Factor) -> V {
    let t = _mm512_mul_epi32(_mm512_mul_epi32(b, factor.by_q_inv), _mm512_set1_epi32(Q));
    _mm512_sub_epi64(_mm512_mul_epi32(b, factor.value), t)
}

/// Reduces 64-bit numbers below 2³¹·q. Each result is in the upper half of a 64-bit lane. `q_inv` is the result of
/// [`opaque_q_inv`].
#[inline]
#[target_feature(enable = "avx512f")]
fn montgomery_reduce(a: V, q_inv: V) -> V {
    let t = _mm512_mul_epi32(_mm512_mul_epi32(a, q_inv), _mm512_set1_epi32(Q));
    _mm512_sub_epi64(a, t)
}

/// Returns q⁻¹ in each lane, hidden from the compiler. For a constant factor, the compiler would use two more
/// shifts for the lower half of a product.
#[inline]
#[target_feature(enable = "avx512f")]
fn opaque_q_inv() -> V {
    _mm512_set1_epi32(black_box(Q_INV))
}

/// Moves the odd lanes to the even lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn odd_lanes(v: V) -> V {
    _mm512_castps_si512(_mm512_movehdup_ps(_mm512_castsi512_ps(v)))
}

/// Joins the upper halves of `even` in the even lanes with those of `odd` in the odd lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn join(even: V, odd: V) -> V {
    let mut joined = odd;
    // SAFETY: the assembly uses only registers. The intrinsic would compile to two shuffles on the port with
    // the most work.
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

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx512f")]
fn butterfly(a: V, b: V, even: Factor, odd: Factor) -> (V, V) {
    let t = multiply(b, even, odd);
    (_mm512_add_epi32(a, t), _mm512_sub_epi32(a, t))
}

/// Computes (a + b, −ζ·(a − b)).
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_butterfly(a: V, b: V, even: Factor, odd: Factor) -> (V, V) {
    (_mm512_add_epi32(a, b), multiply(_mm512_sub_epi32(b, a), even, odd))
}

#[target_feature(enable = "avx512f")]
pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    let mut v = first_layers(vectors(&w.0));
    let zetas = black_box(&FORWARD);
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_len_8(v[i], &zetas[i]));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_len_4(v[i], &zetas[i]));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_len_2(v[i], &zetas[i]));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_len_1(v[i], &zetas[i]));
    for (to, v) in vectors_mut(&mut w_hat.0).iter_mut().zip(v.as_flattened()) {
        store(to, *v);
    }
}

/// Computes the layers len = 128, 64, 32, 16.
#[inline]
#[target_feature(enable = "avx512f")]
fn first_layers(from: &[[i32; 16]; 16]) -> [Pair; 8] {
    let zetas = black_box(&ZETAS_BETWEEN);
    let column = |i| [load(&from[i]), load(&from[i + 4]), load(&from[i + 8]), load(&from[i + 12])];
    let columns = [
        two_layers(column(0), zetas, 1),
        two_layers(column(1), zetas, 1),
        two_layers(column(2), zetas, 1),
        two_layers(column(3), zetas, 1),
    ];
    let row = |i: usize| [columns[0][i], columns[1][i], columns[2][i], columns[3][i]];
    let [a0, a1, a2, a3] = two_layers(row(0), zetas, 4);
    let [b0, b1, b2, b3] = two_layers(row(1), zetas, 5);
    let [c0, c1, c2, c3] = two_layers(row(2), zetas, 6);
    let [d0, d1, d2, d3] = two_layers(row(3), zetas, 7);
    [[a0, a1], [a2, a3], [b0, b1], [b2, b3], [c0, c1], [c2, c3], [d0, d1], [d2, d3]]
}

/// Computes a layer, whose power of ζ has index `m`, and the next layer.
#[inline]
#[target_feature(enable = "avx512f")]
fn two_layers([v0, v1, v2, v3]: [V; 4], zetas: &ZetasBetween, m: usize) -> [V; 4] {
    let zeta = Factor::broadcast(zetas[m]);
    let (v0, v2) = butterfly(v0, v2, zeta, zeta);
    let (v1, v3) = butterfly(v1, v3, zeta, zeta);
    let (left, right) = (Factor::broadcast(zetas[2 * m]), Factor::broadcast(zetas[2 * m + 1]));
    let (v0, v1) = butterfly(v0, v1, left, left);
    let (v2, v3) = butterfly(v2, v3, right, right);
    [v0, v1, v2, v3]
}

/// Computes the layer len = 8 on the 32 coefficients of x and x′; see [`Factors`] for the pairs of lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn layer_len_8([x, x2]: Pair, zetas: &Factors) -> Pair {
    let a = _mm512_shuffle_i64x2::<0b01_00_01_00>(x, x2);
    let b = _mm512_shuffle_i64x2::<0b11_10_11_10>(x, x2);
    let zeta = Factor::load(&zetas.len_8);
    butterfly(a, b, zeta, zeta).into()
}

/// Computes the layer len = 4 on a and b.
#[inline]
#[target_feature(enable = "avx512f")]
fn layer_len_4([a, b]: Pair, zetas: &Factors) -> Pair {
    let c = _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b);
    let d = _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b);
    let zeta = Factor::load(&zetas.len_4);
    butterfly(c, d, zeta, zeta).into()
}

/// Computes the layer len = 2 on c and d.
#[inline]
#[target_feature(enable = "avx512f")]
fn layer_len_2([c, d]: Pair, zetas: &Factors) -> Pair {
    let zeta = Factor::load(&zetas.len_2);
    butterfly(_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d), zeta, zeta).into()
}

/// Computes the layer len = 1 on e and f, and restores x and x′.
#[inline]
#[target_feature(enable = "avx512f")]
fn layer_len_1([e, f]: Pair, zetas: &Factors) -> Pair {
    let (e, f) = (_mm512_castsi512_ps(e), _mm512_castsi512_ps(f));
    let g = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(e, f));
    let h = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(e, f));
    let (g, h) = butterfly(g, h, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd));
    [0, 1].map(|i| _mm512_permutex2var_epi32(g, load(&RESTORE[i]), h))
}

/// Computes the inverse NTT. The layers within pairs of vectors process four pairs at a time, because eight
/// pairs need more values than there are registers.
#[target_feature(enable = "avx512f")]
pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let zetas = black_box(&INVERSE);
    let (from, to) = (vectors(&w_hat.0), vectors_mut(&mut w.0));
    let fours = from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0);
    for ((from, to), zetas) in fours.zip(zetas.as_chunks::<4>().0) {
        let pair = |i: usize| [load(&from[2 * i]), load(&from[2 * i + 1])];
        let mut v = [pair(0), pair(1), pair(2), pair(3)];
        unroll!(i in 0 1 2 3 => v[i] = inverse_layer_len_1(v[i], &zetas[i]));
        unroll!(i in 0 1 2 3 => v[i] = inverse_layer_len_2(v[i], &zetas[i]));
        unroll!(i in 0 1 2 3 => v[i] = inverse_layer_len_4(v[i], &zetas[i]));
        unroll!(i in 0 1 2 3 => v[i] = inverse_layer_len_8(v[i], &zetas[i]));
        unroll!(i in 0 1 2 3 4 5 6 7 => store(&mut to[i], v[i / 2][i % 2]));
    }
    inverse_last_layers(to);
}

/// Computes the layers len = 16, 32, 64, 128 of the inverse NTT, and multiplies by the final factor.
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

/// Computes two layers of the inverse NTT. `m` is the index of the power of ζ in the second of them; the first uses the
/// indices 2`m` + 1 and 2`m`. The last layer of NTT⁻¹ also multiplies by its final factor.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_two_layers([v0, v1, v2, v3]: [V; 4], zetas: &ZetasBetween, m: usize) -> [V; 4] {
    let (left, right) = (Factor::broadcast(zetas[2 * m + 1]), Factor::broadcast(zetas[2 * m]));
    let (v0, v1) = inverse_butterfly(v0, v1, left, left);
    let (v2, v3) = inverse_butterfly(v2, v3, right, right);
    let zeta = Factor::broadcast(zetas[if m == 1 { FINAL_ZETA } else { m }]);
    let (v0, v2) = inverse_butterfly(v0, v2, zeta, zeta);
    let (v1, v3) = inverse_butterfly(v1, v3, zeta, zeta);
    [v0, v1, v2, v3]
}

/// Computes the layer len = 1 of the inverse NTT on the 32 coefficients of x and x′.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_layer_len_1([x, x2]: Pair, zetas: &Factors) -> Pair {
    let g = _mm512_permutex2var_epi32(x, load(&SEPARATE[0]), x2);
    let h = _mm512_permutex2var_epi32(x, load(&SEPARATE[1]), x2);
    inverse_butterfly(g, h, Factor::load(&zetas.len_1_even), Factor::load(&zetas.len_1_odd)).into()
}

/// Computes the layer len = 2 of the inverse NTT on g and h.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_layer_len_2([g, h]: Pair, zetas: &Factors) -> Pair {
    let zeta = Factor::load(&zetas.len_2);
    inverse_butterfly(_mm512_unpacklo_epi32(g, h), _mm512_unpackhi_epi32(g, h), zeta, zeta).into()
}

/// Computes the layer len = 4 of the inverse NTT on e and f.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_layer_len_4([e, f]: Pair, zetas: &Factors) -> Pair {
    let zeta = Factor::load(&zetas.len_4);
    inverse_butterfly(_mm512_unpacklo_epi64(e, f), _mm512_unpackhi_epi64(e, f), zeta, zeta).into()
}

/// Computes the layer len = 8 of the inverse NTT on c and d, and restores x and x′.
#[inline]
#[target_feature(enable = "avx512f")]
fn inverse_layer_len_8([c, d]: Pair, zetas: &Factors) -> Pair {
    let a = _mm512_shuffle_i64x2::<0b01_00_01_00>(c, d);
    let b = _mm512_shuffle_i64x2::<0b11_10_11_10>(c, d);
    let zeta = Factor::load(&zetas.len_8);
    let (a, b) = inverse_butterfly(a, b, zeta, zeta);
    [_mm512_shuffle_i64x2::<0b10_00_10_00>(a, b), _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b)]
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

/// Returns the vectors 2i and 2i + 1.
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

/// Computes Σⱼ aⱼ·vⱼ at vectors 2i and 2i + 1. Processing two vectors in each pass over j reduces the cost of
/// the loop.
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

/// Sixteen 64-bit numbers, from the even and the odd lanes.
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

    /// Divides the numbers, which are below 2³¹·q, by R.
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

/// Loads the odd lanes into the even lanes with one plain load.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_odd_lanes(from: &[i32; 16]) -> V {
    let v;
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment. The intrinsic would compile
    // to a shuffle of the vector loaded for the even lanes, on the port that also multiplies and adds.
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
