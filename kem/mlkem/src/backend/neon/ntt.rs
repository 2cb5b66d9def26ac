//! NTT, NTT⁻¹ and products. Each result is bit for bit the result of the portable code.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{GAMMAS, INVERSE_NTT_FACTOR, Q, Q_INV, R2, ZETAS};
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
    fn broadcast(value: i16) -> Self {
        Self { value: vdupq_n_s16(value), by_q_inv: vdupq_n_s16(value.wrapping_mul(Q_INV)) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn load(table: &Table) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// The lanes of a [`Factor`].
type Table = [[i16; 8]; 2];

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2¹⁵·q.
#[inline]
#[target_feature(enable = "neon")]
fn multiply(b: V, factor: Factor) -> V {
    // the doubled upper halves of both products; the lower halves are equal, so half of the difference is
    // exact
    let t = vqdmulhq_s16(vmulq_s16(b, factor.by_q_inv), vdupq_n_s16(Q));
    vhsubq_s16(vqdmulhq_s16(b, factor.value), t)
}

/// Reduces any `i16` to [−(q − 1)/2, (q − 1)/2].
#[inline]
#[target_feature(enable = "neon")]
fn reduce(a: V) -> V {
    /// The factor ⌊2²⁶/q + 1/2⌋.
    const V: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;
    // computes ⌊V·a/2²⁶ + 1/2⌋: the upper half of the doubled product, then a shift by 11 with rounding
    let t = vrshrq_n_s16::<11>(vqdmulhq_s16(a, vdupq_n_s16(V)));
    vmlsq_s16(a, t, vdupq_n_s16(Q))
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "neon")]
fn butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = multiply(*b, zeta);
    *b = vsubq_s16(*a, t);
    *a = vaddq_s16(*a, t);
}

/// Computes (a + b, ζ·(b − a)), with the sum reduced.
#[inline]
#[target_feature(enable = "neon")]
fn inverse_butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = vsubq_s16(*b, *a);
    *a = reduce(vaddq_s16(*a, *b));
    *b = multiply(t, zeta);
}

#[target_feature(enable = "neon")]
pub(super) fn ntt(f: &Poly, f_hat: &mut NttPoly) {
    let (from, to) = (vectors(&f.0), vectors_mut(&mut f_hat.0));
    // len = 128, 64 and 32
    for column in 0..4 {
        let mut v = [0, 4, 8, 12, 16, 20, 24, 28].map(|i| load(&from[i + column]));
        for (layer, len) in [4, 2, 1].into_iter().enumerate() {
            for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
                let (low, high) = v.split_at_mut(len);
                let zeta = Factor::broadcast(ZETAS[(1 << layer) + block]);
                for (a, b) in low.iter_mut().zip(high) {
                    butterfly(a, b, zeta);
                }
            }
        }
        for (i, v) in v.into_iter().enumerate() {
            store(&mut to[4 * i + column], v);
        }
    }
    for (block, to) in to.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        // len = 16 and 8
        let [mut a, mut b, mut c, mut d] = to.each_ref().map(|v| load(v));
        butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[8 + block]));
        butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[8 + block]));
        butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[16 + 2 * block]));
        butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[17 + 2 * block]));
        last_layers(&mut a, &mut b, &FORWARD[2 * block]);
        last_layers(&mut c, &mut d, &FORWARD[2 * block + 1]);
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, reduce(v));
        }
    }
}

/// Computes the layers len = 4 and 2, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "neon")]
fn last_layers(a: &mut V, b: &mut V, tables: &[Table; 2]) {
    exchange_4(a, b);
    butterfly(a, b, Factor::load(&tables[0]));
    exchange_2(a, b);
    butterfly(a, b, Factor::load(&tables[1]));
    exchange_2(a, b);
    exchange_4(a, b);
}

#[target_feature(enable = "neon")]
pub(super) fn inverse_ntt(f_hat: &NttPoly, f: &mut Poly) {
    let (from, to) = (vectors(&f_hat.0), vectors_mut(&mut f.0));
    for (block, (from, to)) in from.as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<4>().0).enumerate() {
        let [mut a, mut b, mut c, mut d] = from.each_ref().map(|v| load(v));
        first_inverse_layers(&mut a, &mut b, &INVERSE[2 * block]);
        first_inverse_layers(&mut c, &mut d, &INVERSE[2 * block + 1]);
        // len = 8 and 16
        inverse_butterfly(&mut a, &mut b, Factor::broadcast(ZETAS[31 - 2 * block]));
        inverse_butterfly(&mut c, &mut d, Factor::broadcast(ZETAS[30 - 2 * block]));
        inverse_butterfly(&mut a, &mut c, Factor::broadcast(ZETAS[15 - block]));
        inverse_butterfly(&mut b, &mut d, Factor::broadcast(ZETAS[15 - block]));
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, v);
        }
    }
    // len = 32, 64 and 128
    for column in 0..4 {
        let mut v = [0, 4, 8, 12, 16, 20, 24, 28].map(|i| load(&to[i + column]));
        for (layer, len) in [1, 2, 4].into_iter().enumerate() {
            for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
                let (low, high) = v.split_at_mut(len);
                let zeta = Factor::broadcast(ZETAS[(8 >> layer) - 1 - block]);
                for (a, b) in low.iter_mut().zip(high) {
                    inverse_butterfly(a, b, zeta);
                }
            }
        }
        for (i, v) in v.into_iter().enumerate() {
            store(&mut to[4 * i + column], multiply(v, Factor::broadcast(INVERSE_NTT_FACTOR)));
        }
    }
}

/// Computes the layers len = 2 and 4 of the inverse, within two neighbouring vectors.
#[inline]
#[target_feature(enable = "neon")]
fn first_inverse_layers(a: &mut V, b: &mut V, tables: &[Table; 2]) {
    exchange_4(a, b);
    exchange_2(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[1]));
    exchange_2(a, b);
    inverse_butterfly(a, b, Factor::load(&tables[0]));
    exchange_4(a, b);
}

/// Exchanges the upper half of `a` with the lower half of `b`.
#[inline]
#[target_feature(enable = "neon")]
fn exchange_4(a: &mut V, b: &mut V) {
    let (low, high) = (vreinterpretq_s64_s16(*a), vreinterpretq_s64_s16(*b));
    *a = vreinterpretq_s16_s64(vtrn1q_s64(low, high));
    *b = vreinterpretq_s16_s64(vtrn2q_s64(low, high));
}

/// Exchanges, in each half, the upper two coefficients of `a` with the lower two coefficients of `b`.
#[inline]
#[target_feature(enable = "neon")]
fn exchange_2(a: &mut V, b: &mut V) {
    let (low, high) = (vreinterpretq_s32_s16(*a), vreinterpretq_s32_s16(*b));
    *a = vreinterpretq_s16_s32(vtrn1q_s32(low, high));
    *b = vreinterpretq_s16_s32(vtrn2q_s32(low, high));
}

/// The factors of the layers len = 4 and 2, in the lane order after the exchanges, for each pair of neighbouring
/// vectors.
static FORWARD: [[Table; 2]; 16] = tables(false);
/// The factors of the inverse NTT, which uses the powers of ζ of each layer in descending order.
static INVERSE: [[Table; 2]; 16] = tables(true);

const fn tables(inverse: bool) -> [[Table; 2]; 16] {
    let mut tables = [[[[0; 8]; 2]; 2]; 16];
    let mut at = 0;
    while at < 16 * 2 * 8 {
        let (pair, layer, lane) = (at / 16, at / 8 % 2, at % 8);
        // the layer has `blocks` blocks; 2 or 4 of them lie in each pair of vectors
        let blocks = 32 << layer;
        let block = pair * (2 << layer) + lane / (4 >> layer);
        let zeta = ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer][0][lane] = zeta;
        tables[pair][layer][1][lane] = zeta.wrapping_mul(Q_INV);
        at += 1;
    }
    tables
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn dot_ntt<'a>(
    a_hat: &(impl Iterator<Item = &'a NttPoly> + Clone),
    b_hat: &[NttPoly],
    c_hat: &mut NttPoly,
) {
    let (gammas, _) = GAMMAS.as_chunks::<8>();
    let pairs = vectors_mut(&mut c_hat.0).as_chunks_mut::<2>().0;
    for (i, (c, gamma)) in pairs.iter_mut().zip(gammas).enumerate() {
        let gamma = load(gamma);
        let gamma = Factor { value: gamma, by_q_inv: vmulq_s16(gamma, vdupq_n_s16(Q_INV)) };
        let mut sums = [Wide::zero(); 2];
        for (a, b) in a_hat.clone().zip(b_hat) {
            let ([a0, a1], [b0, b1]) = (even_and_odd(a, i), even_and_odd(b, i));
            // a₀·b₀ + a₁·(b₁·γ), and a₀·b₁ + a₁·b₀
            sums[0] = sums[0].plus(a0, b0).plus(a1, multiply(b1, gamma));
            sums[1] = sums[1].plus(a0, b1).plus(a1, b0);
        }
        let [even, odd] = sums.map(|sum| sum.montgomery_reduce());
        store(&mut c[0], vzip1q_s16(even, odd));
        store(&mut c[1], vzip2q_s16(even, odd));
    }
}

/// Returns the even and the odd coefficients of the vectors 2i and 2i + 1.
#[inline]
#[target_feature(enable = "neon")]
fn even_and_odd(f: &NttPoly, i: usize) -> [V; 2] {
    let (low, high) = (load(&vectors(&f.0)[2 * i]), load(&vectors(&f.0)[2 * i + 1]));
    [vuzp1q_s16(low, high), vuzp2q_s16(low, high)]
}

/// Eight 32-bit sums.
#[derive(Clone, Copy)]
struct Wide {
    low: int32x4_t,
    high: int32x4_t,
}

impl Wide {
    #[inline]
    #[target_feature(enable = "neon")]
    fn zero() -> Self {
        Self { low: vdupq_n_s32(0), high: vdupq_n_s32(0) }
    }

    /// Returns the sum plus a·b.
    #[inline]
    #[target_feature(enable = "neon")]
    fn plus(self, a: V, b: V) -> Self {
        let low = vmlal_s16(self.low, vget_low_s16(a), vget_low_s16(b));
        Self { low, high: vmlal_high_s16(self.high, a, b) }
    }

    /// Returns the sum divided by R.
    #[inline]
    #[target_feature(enable = "neon")]
    fn montgomery_reduce(self) -> V {
        let (low, high) = (vreinterpretq_s16_s32(self.low), vreinterpretq_s16_s32(self.high));
        let t = vmulq_s16(vuzp1q_s16(low, high), vdupq_n_s16(Q_INV));
        // the upper half of t·q
        let t = vshrq_n_s16::<1>(vqdmulhq_s16(t, vdupq_n_s16(Q)));
        vsubq_s16(vuzp2q_s16(low, high), t)
    }
}

#[target_feature(enable = "neon")]
pub(super) fn times_r_plus(f: &mut NttPoly, g: &NttPoly) {
    for (f, g) in vectors_mut(&mut f.0).iter_mut().zip(vectors(&g.0)) {
        store(f, canonical(vaddq_s16(multiply(load(f), Factor::broadcast(R2)), load(g))));
    }
}

#[target_feature(enable = "neon")]
pub(super) fn make_canonical(f: &mut [i16; 256]) {
    for f in vectors_mut(f) {
        store(f, canonical(load(f)));
    }
}

/// Reduces any `i16` to [0, q).
#[inline]
#[target_feature(enable = "neon")]
fn canonical(v: V) -> V {
    let r = reduce(v);
    // adds q to negative numbers
    vaddq_s16(r, vandq_s16(vshrq_n_s16::<15>(r), vdupq_n_s16(Q)))
}
