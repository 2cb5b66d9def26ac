//! NTT, NTT⁻¹ and products with 128-bit vectors.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{INVERSE_NTT_FACTOR, Q, Q_INV, ZETAS, montgomery_multiply};
use crate::poly::{NttPoly, Poly};
use core::arch::aarch64::*;

/// A factor and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent multiplications.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn broadcast(value: i32) -> Self {
        Self { value: vdupq_n_s32(value), by_q_inv: vdupq_n_s32(value.wrapping_mul(Q_INV)) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(table: &Table) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// The lanes of a [`Factor`].
type Table = [[i32; 4]; 2];

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2³¹·q.
#[inline]
#[target_feature(enable = "neon")]
fn multiply(b: V, factor: Factor) -> V {
    // the doubled upper halves of both products; the lower halves are equal, so half of the difference is
    // exact
    let t = vqdmulhq_s32(vmulq_s32(b, factor.by_q_inv), vdupq_n_s32(Q));
    vhsubq_s32(vqdmulhq_s32(b, factor.value), t)
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "neon")]
fn butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = multiply(*b, zeta);
    *b = vsubq_s32(*a, t);
    *a = vaddq_s32(*a, t);
}

/// Computes (a + b, −ζ·(a − b)).
#[inline]
#[target_feature(enable = "neon")]
fn inverse_butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = vsubq_s32(*b, *a);
    *a = vaddq_s32(*a, *b);
    *b = multiply(t, zeta);
}

#[target_feature(enable = "neon")]
pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    let (from, to) = (vectors(&w.0), vectors_mut(&mut w_hat.0));
    // len = 128, 64 and 32
    for column in 0..8 {
        let mut v = [0, 8, 16, 24, 32, 40, 48, 56].map(|i| load(&from[i + column]));
        three_layers(&mut v, 1);
        for (i, v) in v.into_iter().enumerate() {
            store(&mut to[8 * i + column], v);
        }
    }
    for (block, to) in to.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut v = to.each_ref().map(|v| load(v));
        // len = 16, 8 and 4
        three_layers(&mut v, 8 + block);
        for (pair, v) in v.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            last_layers(v, &FORWARD[4 * block + pair]);
        }
        for (to, v) in to.iter_mut().zip(v) {
            store(to, v);
        }
    }
}

/// Computes three layers between eight vectors. `m` is the index of the power of ζ in the first layer.
#[inline]
#[target_feature(enable = "neon")]
fn three_layers(v: &mut [V; 8], m: usize) {
    for (layer, len) in [4, 2, 1].into_iter().enumerate() {
        for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
            let (low, high) = v.split_at_mut(len);
            let zeta = Factor::broadcast(ZETAS[(m << layer) + block]);
            for (a, b) in low.iter_mut().zip(high) {
                butterfly(a, b, zeta);
            }
        }
    }
}

/// Computes the layers len = 2 and 1, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "neon")]
fn last_layers([a, b]: &mut [V; 2], tables: &[Table; 2]) {
    exchange_halves(a, b);
    butterfly(a, b, Factor::load(&tables[0]));
    exchange_odd_and_even(a, b);
    butterfly(a, b, Factor::load(&tables[1]));
    exchange_odd_and_even(a, b);
    exchange_halves(a, b);
}

#[target_feature(enable = "neon")]
pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let (from, to) = (vectors(&w_hat.0), vectors_mut(&mut w.0));
    for (block, (from, to)) in from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0).enumerate() {
        let mut v = from.each_ref().map(|v| load(v));
        for (pair, v) in v.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            first_inverse_layers(v, &INVERSE[4 * block + pair]);
        }
        // len = 4, 8 and 16
        inverse_layer(&mut v, 1, 63 - 4 * block);
        inverse_layer(&mut v, 2, 31 - 2 * block);
        inverse_layer(&mut v, 4, 15 - block);
        for (to, v) in to.iter_mut().zip(v) {
            store(to, v);
        }
    }
    for column in 0..8 {
        let mut v = [0, 8, 16, 24, 32, 40, 48, 56].map(|i| load(&to[i + column]));
        // the layers len = 32, 64 and 128; the factors of the last layer are the powers of ζ times the final factor
        inverse_layer(&mut v, 1, 7);
        inverse_layer(&mut v, 2, 3);
        let (low, high) = v.split_at_mut(4);
        let last = Factor::broadcast(const { montgomery_multiply(ZETAS[1], INVERSE_NTT_FACTOR) });
        for (a, b) in low.iter_mut().zip(high) {
            inverse_butterfly(a, b, last);
            *a = multiply(*a, Factor::broadcast(INVERSE_NTT_FACTOR));
        }
        for (i, v) in v.into_iter().enumerate() {
            store(&mut to[8 * i + column], v);
        }
    }
}

/// Computes one layer between eight vectors. Its powers of ζ have the indices `m`, `m` − 1, ….
#[inline]
#[target_feature(enable = "neon")]
fn inverse_layer(v: &mut [V; 8], len: usize, m: usize) {
    for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
        let (low, high) = v.split_at_mut(len);
        let zeta = Factor::broadcast(ZETAS[m - block]);
        for (a, b) in low.iter_mut().zip(high) {
            inverse_butterfly(a, b, zeta);
        }
    }
}

/// Computes the layers len = 1 and 2 of the inverse NTT, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "neon")]
fn first_inverse_layers([a, b]: &mut [V; 2], tables: &[Table; 2]) {
    exchange_halves(a, b);
    exchange_odd_and_even(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[1]));
    exchange_odd_and_even(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[0]));
    exchange_halves(a, b);
}

/// Exchanges the upper half of `a` with the lower half of `b`.
#[inline]
#[target_feature(enable = "neon")]
fn exchange_halves(a: &mut V, b: &mut V) {
    let (low, high) = (vreinterpretq_s64_s32(*a), vreinterpretq_s64_s32(*b));
    *a = vreinterpretq_s32_s64(vtrn1q_s64(low, high));
    *b = vreinterpretq_s32_s64(vtrn2q_s64(low, high));
}

/// Exchanges the odd coefficients of `a` with the even coefficients of `b`.
#[inline]
#[target_feature(enable = "neon")]
fn exchange_odd_and_even(a: &mut V, b: &mut V) {
    (*a, *b) = (vtrn1q_s32(*a, *b), vtrn2q_s32(*a, *b));
}

/// The factors of len = 2 and 1, in the order of the lanes after the exchanges. Each element is for two neighbouring
/// vectors.
static FORWARD: [[Table; 2]; 32] = tables(false);
/// The factors of the inverse NTT, which uses the powers of ζ of each layer in descending order; see [`FORWARD`].
static INVERSE: [[Table; 2]; 32] = tables(true);

const fn tables(inverse: bool) -> [[Table; 2]; 32] {
    let mut tables = [[[[0; 4]; 2]; 2]; 32];
    let mut at = 0;
    while at < 32 * 2 * 4 {
        let (pair, layer, lane) = (at / 8, at / 4 % 2, at % 4);
        // the layer has `blocks` blocks; 2 or 4 of them lie in each pair of vectors
        let blocks = 64 << layer;
        let block = pair * (2 << layer) + lane / (2 >> layer);
        let zeta = ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer][0][lane] = zeta;
        tables[pair][layer][1][lane] = zeta.wrapping_mul(Q_INV);
        at += 1;
    }
    tables
}

#[target_feature(enable = "neon")]
pub(super) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
    let factors = vectors(&a_hat.0).iter().zip(vectors(&b_hat.0));
    for (c, (a, b)) in vectors_mut(&mut c_hat.0).iter_mut().zip(factors) {
        let b = load(b);
        store(c, multiply(load(a), Factor { value: b, by_q_inv: vmulq_s32(b, vdupq_n_s32(Q_INV)) }));
    }
}

#[target_feature(enable = "neon")]
pub(super) fn dot_ntt(a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
    for (i, w) in vectors_mut(&mut w_hat.0).iter_mut().enumerate() {
        store(w, Wide::dot(a_hat, v_hat, i).montgomery_reduce());
    }
}

#[target_feature(enable = "neon")]
pub(super) fn dot_ntt_minus(
    a_hat: &[NttPoly],
    v_hat: &[NttPoly],
    c_hat: &NttPoly,
    t_hat: &NttPoly,
    w_hat: &mut NttPoly,
) {
    let subtracted = vectors(&c_hat.0).iter().zip(vectors(&t_hat.0));
    for (i, (w, (c, t))) in vectors_mut(&mut w_hat.0).iter_mut().zip(subtracted).enumerate() {
        let (c, t) = (load(c), load(t));
        let Wide { low, high } = Wide::dot(a_hat, v_hat, i);
        let low = vmlsl_s32(low, vget_low_s32(c), vget_low_s32(t));
        store(w, Wide { low, high: vmlsl_high_s32(high, c, t) }.montgomery_reduce());
    }
}

/// Four 64-bit sums.
#[derive(Clone, Copy)]
struct Wide {
    low: int64x2_t,
    high: int64x2_t,
}

impl Wide {
    /// Computes Σⱼ aⱼ·vⱼ at vector `i`.
    #[inline]
    #[target_feature(enable = "neon")]
    fn dot(a_hat: &[NttPoly], v_hat: &[NttPoly], i: usize) -> Self {
        let (mut low, mut high) = (vdupq_n_s64(0), vdupq_n_s64(0));
        for (a, v) in a_hat.iter().zip(v_hat) {
            let (a, v) = (load(&vectors(&a.0)[i]), load(&vectors(&v.0)[i]));
            low = vmlal_s32(low, vget_low_s32(a), vget_low_s32(v));
            high = vmlal_high_s32(high, a, v);
        }
        Self { low, high }
    }

    /// Divides the sums, which are below 2³¹·q, by R.
    #[inline]
    #[target_feature(enable = "neon")]
    fn montgomery_reduce(self) -> V {
        let (low, high) = (vreinterpretq_s32_s64(self.low), vreinterpretq_s32_s64(self.high));
        let t = vmulq_s32(vuzp1q_s32(low, high), vdupq_n_s32(Q_INV));
        // the upper half of t·q
        let t = vshrq_n_s32::<1>(vqdmulhq_s32(t, vdupq_n_s32(Q)));
        vsubq_s32(vuzp2q_s32(low, high), t)
    }
}
