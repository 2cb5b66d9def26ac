//! NTT, NTT⁻¹ and products with 128-bit vectors. Results of the NTT and of products are bit for bit those of the
//! portable code. Those of NTT⁻¹ are congruent to them modulo q, with an absolute value below q.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{INVERSE_NTT_FACTOR, Q, Q_INV, ZETAS, montgomery_multiply};
use crate::poly::{NttPoly, Poly};
use core::arch::wasm32::*;

/// A factor and its product with q⁻¹ modulo R. The precomputed product shortens the chain of dependent multiplications.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    by_q_inv: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane.
    #[inline(always)]
    fn broadcast(value: i32) -> Self {
        Self { value: i32x4_splat(value), by_q_inv: i32x4_splat(value.wrapping_mul(Q_INV)) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline(always)]
    fn load(table: &Table) -> Self {
        Self { value: load(&table[0]), by_q_inv: load(&table[1]) }
    }
}

/// The lanes of a [`Factor`].
type Table = [[i32; 4]; 2];

/// Computes b·factor·R⁻¹ in (−q, q), for |b·factor| < 2³¹·q.
#[inline(always)]
fn multiply(b: V, factor: Factor) -> V {
    Wide::product(b, factor.value).divide_by_r(i32x4_mul(b, factor.by_q_inv))
}

/// Four 64-bit sums.
#[derive(Clone, Copy)]
struct Wide {
    low: V,
    high: V,
}

impl Wide {
    /// Computes a·b.
    #[inline(always)]
    fn product(a: V, b: V) -> Self {
        Self { low: i64x2_extmul_low_i32x4(a, b), high: i64x2_extmul_high_i32x4(a, b) }
    }

    /// Computes Σⱼ aⱼ·vⱼ at vector `i`.
    #[inline(always)]
    fn dot(a_hat: &[NttPoly], v_hat: &[NttPoly], i: usize) -> Self {
        let mut sum = Self { low: i64x2_splat(0), high: i64x2_splat(0) };
        for (a, v) in a_hat.iter().zip(v_hat) {
            let Self { low, high } = Self::product(load(&vectors(&a.0)[i]), load(&vectors(&v.0)[i]));
            sum = Self { low: i64x2_add(sum.low, low), high: i64x2_add(sum.high, high) };
        }
        sum
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self { low: i64x2_sub(self.low, other.low), high: i64x2_sub(self.high, other.high) }
    }

    /// Divides the sums, which are below 2³¹·q, by R.
    #[inline(always)]
    fn montgomery_reduce(self) -> V {
        let lower_halves = i32x4_shuffle::<0, 2, 4, 6>(self.low, self.high);
        self.divide_by_r(i32x4_mul(lower_halves, i32x4_splat(Q_INV)))
    }

    /// Divides the sums by R. `t` is their product with q⁻¹ mod± R, so that the lower halves of t·q are those of the sums.
    #[inline(always)]
    fn divide_by_r(self, t: V) -> V {
        let Self { low, high } = self.minus(Self::product(t, i32x4_splat(Q)));
        i32x4_shuffle::<1, 3, 5, 7>(low, high)
    }
}

/// Computes (a + ζb, a − ζb).
#[inline(always)]
fn butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = multiply(*b, zeta);
    *b = i32x4_sub(*a, t);
    *a = i32x4_add(*a, t);
}

/// Computes (a + b, −ζ·(a − b)).
#[inline(always)]
fn inverse_butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = i32x4_sub(*b, *a);
    *a = i32x4_add(*a, *b);
    *b = multiply(t, zeta);
}

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
        let mut v = to.each_ref().map(load);
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
#[inline(always)]
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
#[inline(always)]
fn last_layers([a, b]: &mut [V; 2], tables: &[Table; 2]) {
    (*a, *b) = exchange_halves(*a, *b);
    butterfly(a, b, Factor::load(&tables[0]));
    (*a, *b) = separate(*a, *b);
    butterfly(a, b, Factor::load(&tables[1]));
    (*a, *b) = interleave(*a, *b);
    (*a, *b) = exchange_halves(*a, *b);
}

pub(super) fn inverse_ntt(w_hat: &NttPoly, w: &mut Poly) {
    let (from, to) = (vectors(&w_hat.0), vectors_mut(&mut w.0));
    for (block, (from, to)) in from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0).enumerate() {
        let mut v = from.each_ref().map(load);
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
#[inline(always)]
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
#[inline(always)]
fn first_inverse_layers([a, b]: &mut [V; 2], tables: &[Table; 2]) {
    (*a, *b) = exchange_halves(*a, *b);
    (*a, *b) = separate(*a, *b);
    inverse_butterfly(a, b, Factor::load(&tables[1]));
    (*a, *b) = interleave(*a, *b);
    inverse_butterfly(a, b, Factor::load(&tables[0]));
    (*a, *b) = exchange_halves(*a, *b);
}

/// Exchanges the upper half of `a` with the lower half of `b`.
#[inline(always)]
fn exchange_halves(a: V, b: V) -> (V, V) {
    (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b))
}

/// Separates the coefficients with even numbers from those with odd numbers.
#[inline(always)]
fn separate(a: V, b: V) -> (V, V) {
    (i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b))
}

/// Alternates coefficients of `a` and `b`, which undoes [`separate`].
#[inline(always)]
fn interleave(a: V, b: V) -> (V, V) {
    (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b))
}

/// The factors of len = 2 and 1, in the order of the lanes that are multiplied. Each element is for two neighbouring
/// vectors.
static FORWARD: [[Table; 2]; 32] = tables(false);
/// The factors of the inverse NTT, which uses the powers of ζ of each layer in descending order; see [`FORWARD`].
static INVERSE: [[Table; 2]; 32] = tables(true);

const fn tables(inverse: bool) -> [[Table; 2]; 32] {
    /// The block of each lane, of the blocks in two vectors.
    const BLOCKS: [[usize; 4]; 2] = [[0, 0, 1, 1], [0, 2, 1, 3]];
    let mut tables = [[[[0; 4]; 2]; 2]; 32];
    let mut at = 0;
    while at < 32 * 2 * 4 {
        let (pair, layer, lane) = (at / 8, at / 4 % 2, at % 4);
        // the layer has `blocks` blocks; 2 or 4 of them lie in each pair of vectors
        let blocks = 64 << layer;
        let block = pair * (2 << layer) + BLOCKS[layer][lane];
        let zeta = ZETAS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer][0][lane] = zeta;
        tables[pair][layer][1][lane] = zeta.wrapping_mul(Q_INV);
        at += 1;
    }
    tables
}

pub(super) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly, c_hat: &mut NttPoly) {
    let factors = vectors(&a_hat.0).iter().zip(vectors(&b_hat.0));
    for (c, (a, b)) in vectors_mut(&mut c_hat.0).iter_mut().zip(factors) {
        store(c, Wide::product(load(a), load(b)).montgomery_reduce());
    }
}

pub(super) fn dot_ntt(a_hat: &[NttPoly], v_hat: &[NttPoly], w_hat: &mut NttPoly) {
    for (i, w) in vectors_mut(&mut w_hat.0).iter_mut().enumerate() {
        store(w, Wide::dot(a_hat, v_hat, i).montgomery_reduce());
    }
}

pub(super) fn dot_ntt_minus(
    a_hat: &[NttPoly],
    v_hat: &[NttPoly],
    c_hat: &NttPoly,
    t_hat: &NttPoly,
    w_hat: &mut NttPoly,
) {
    let subtracted = vectors(&c_hat.0).iter().zip(vectors(&t_hat.0));
    for (i, (w, (c, t))) in vectors_mut(&mut w_hat.0).iter_mut().zip(subtracted).enumerate() {
        let product = Wide::product(load(c), load(t));
        store(w, Wide::dot(a_hat, v_hat, i).minus(product).montgomery_reduce());
    }
}
