//! NTT, NTT⁻¹ and products.
//!
//! WebAssembly has no instruction for the upper half of a product, but one for a rounded product of fractions with 15
//! bits. Products with known factors therefore use Barrett's method and plain factors, not Montgomery's method.

use super::vector::{V, load, store, vectors, vectors_mut};
use crate::field::{GAMMAS, INVERSE_NTT_FACTOR, Q, Q_INV, R2, ZETAS, montgomery_multiply, reduce};
use crate::poly::{NttPoly, Poly};
use core::arch::wasm32::*;

/// A factor f in every lane, and the fraction f/q, rounded to 15 bits.
#[derive(Clone, Copy)]
struct Factor {
    value: V,
    fraction: V,
}

impl Factor {
    /// Returns a factor with the same value in each lane. `montgomery` is the factor in Montgomery form.
    #[inline(always)]
    fn broadcast(montgomery: i16) -> Self {
        let [value, fraction] = with_fraction(montgomery);
        Self { value: i16x8_splat(value), fraction: i16x8_splat(fraction) }
    }

    /// Loads a factor with a different value in each lane.
    #[inline(always)]
    fn load(table: &Table) -> Self {
        Self { value: load(&table[0]), fraction: load(&table[1]) }
    }
}

/// The lanes of a [`Factor`].
type Table = [[i16; 8]; 2];

/// Converts a factor from Montgomery form to f mod± q. Also returns ⌊2¹⁵·f/q + 1/2⌋.
const fn with_fraction(montgomery: i16) -> [i16; 2] {
    let value = reduce(montgomery_multiply(montgomery, 1));
    [value, (((value as i32) << 16) + Q as i32).div_euclid(2 * Q as i32) as i16]
}

/// The results of [`with_fraction`] for all powers of ζ.
static FACTORS: [[i16; 2]; 128] = {
    let mut factors = [[0; 2]; 128];
    let mut i = 0;
    while i < 128 {
        factors[i] = with_fraction(ZETAS[i]);
        i += 1;
    }
    factors
};

/// Returns the power of ζ with index `i`, in each lane.
#[inline(always)]
fn zeta(i: usize) -> Factor {
    let [value, fraction] = FACTORS[i];
    Factor { value: i16x8_splat(value), fraction: i16x8_splat(fraction) }
}

/// Computes b·factor in (−q, q) for any b. The rounded fraction is wrong by at most 2⁻¹⁶, and the rounded product by 1/2,
/// so the result is at most q·(|b|/2¹⁶ + 1/2).
#[inline(always)]
fn multiply(b: V, factor: Factor) -> V {
    let quotient = i16x8_q15mulr_sat(b, factor.fraction);
    i16x8_sub(i16x8_mul(b, factor.value), i16x8_mul(quotient, i16x8_splat(Q)))
}

/// The factor ⌊2²⁶/q + 1/2⌋.
const RECIPROCAL: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;

/// Reduces a ≤ 8·q to [−(q − 1)/2, (q − 1)/2].
#[inline(always)]
fn reduce_centred(a: V) -> V {
    let shifted = i16x8_add(a, i16x8_splat((Q - 1) / 2));
    i16x8_sub(a, i16x8_mul(quotient(shifted), i16x8_splat(Q)))
}

/// Computes ⌊a/q⌋ for any `i16` but 29960 = 9·q − 1, whose result is 9.
#[inline(always)]
fn quotient(a: V) -> V {
    i16x8_shr(i16x8_q15mulr_sat(a, i16x8_splat(RECIPROCAL)), 11)
}

/// Reduces any `i16` to [0, q).
#[inline(always)]
fn canonical(a: V) -> V {
    let r = i16x8_sub(a, i16x8_mul(quotient(a), i16x8_splat(Q)));
    // adds q to −1, the only negative number
    i16x8_add(r, v128_and(i16x8_shr(r, 15), i16x8_splat(Q)))
}

/// Computes (a + ζb, a − ζb).
#[inline(always)]
fn butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = multiply(*b, zeta);
    *b = i16x8_sub(*a, t);
    *a = i16x8_add(*a, t);
}

/// Computes (a + b, ζ·(b − a)).
#[inline(always)]
fn inverse_butterfly(a: &mut V, b: &mut V, zeta: Factor) {
    let t = i16x8_sub(*b, *a);
    *a = i16x8_add(*a, *b);
    *b = multiply(t, zeta);
}

/// Each layer adds less than q, so after seven layers on |f| ≤ q, all values stay below 8q < 2¹⁵.
pub(super) fn ntt(f: &Poly, f_hat: &mut NttPoly) {
    let (from, to) = (vectors(&f.0), vectors_mut(&mut f_hat.0));
    // len = 128, 64 and 32
    for column in 0..4 {
        let mut v = [0, 4, 8, 12, 16, 20, 24, 28].map(|i| load(&from[i + column]));
        for (layer, len) in [4, 2, 1].into_iter().enumerate() {
            for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
                let (low, high) = v.split_at_mut(len);
                let zeta = zeta((1 << layer) + block);
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
        let [mut a, mut b, mut c, mut d] = to.each_ref().map(load);
        butterfly(&mut a, &mut c, zeta(8 + block));
        butterfly(&mut b, &mut d, zeta(8 + block));
        butterfly(&mut a, &mut b, zeta(16 + 2 * block));
        butterfly(&mut c, &mut d, zeta(17 + 2 * block));
        last_layers(&mut a, &mut b, &FORWARD[2 * block]);
        last_layers(&mut c, &mut d, &FORWARD[2 * block + 1]);
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, reduce_centred(v));
        }
    }
}

/// Computes the layers len = 4 and 2, within two neighbouring vectors.
#[inline(always)]
fn last_layers(a: &mut V, b: &mut V, tables: &[Table; 2]) {
    (*a, *b) = exchange_4(*a, *b);
    butterfly(a, b, Factor::load(&tables[0]));
    (*a, *b) = separate_2(*a, *b);
    butterfly(a, b, Factor::load(&tables[1]));
    (*a, *b) = interleave_2(*a, *b);
    (*a, *b) = exchange_4(*a, *b);
}

/// The sums double in each layer. They are reduced after three layers, when they are below 8q < 2¹⁵.
pub(super) fn inverse_ntt(f_hat: &NttPoly, f: &mut Poly) {
    let (from, to) = (vectors(&f_hat.0), vectors_mut(&mut f.0));
    for (block, (from, to)) in from.as_chunks::<4>().0.iter().zip(to.as_chunks_mut::<4>().0).enumerate() {
        let [mut a, mut b, mut c, mut d] = from.each_ref().map(load);
        first_inverse_layers(&mut a, &mut b, &INVERSE[2 * block]);
        first_inverse_layers(&mut c, &mut d, &INVERSE[2 * block + 1]);
        // len = 8 and 16
        inverse_butterfly(&mut a, &mut b, zeta(31 - 2 * block));
        inverse_butterfly(&mut c, &mut d, zeta(30 - 2 * block));
        (a, c) = (reduce_centred(a), reduce_centred(c));
        inverse_butterfly(&mut a, &mut c, zeta(15 - block));
        inverse_butterfly(&mut b, &mut d, zeta(15 - block));
        for (to, v) in to.iter_mut().zip([a, b, c, d]) {
            store(to, v);
        }
    }
    // len = 32, 64 and 128; all values are below 2q before them, and below 8q before the last of them
    for column in 0..4 {
        let mut v = [0, 4, 8, 12, 16, 20, 24, 28].map(|i| load(&to[i + column]));
        inverse_layer(&mut v, 1, 7);
        inverse_layer(&mut v, 2, 3);
        (v[0], v[4]) = (reduce_centred(v[0]), reduce_centred(v[4]));
        // the factor of the last layer is the power of ζ times the final factor
        let (low, high) = v.split_at_mut(4);
        let last = Factor::broadcast(const { montgomery_multiply(ZETAS[1], INVERSE_NTT_FACTOR) });
        for (a, b) in low.iter_mut().zip(high) {
            inverse_butterfly(a, b, last);
            *a = multiply(*a, Factor::broadcast(INVERSE_NTT_FACTOR));
        }
        for (i, v) in v.into_iter().enumerate() {
            store(&mut to[4 * i + column], v);
        }
    }
}

/// Computes one layer between eight vectors. Its powers of ζ have the indices `m`, `m` − 1, ….
#[inline(always)]
fn inverse_layer(v: &mut [V; 8], len: usize, m: usize) {
    for (block, v) in v.chunks_exact_mut(2 * len).enumerate() {
        let (low, high) = v.split_at_mut(len);
        let zeta = zeta(m - block);
        for (a, b) in low.iter_mut().zip(high) {
            inverse_butterfly(a, b, zeta);
        }
    }
}

/// Computes the layers len = 2 and 4 of the inverse, within two neighbouring vectors.
#[inline(always)]
fn first_inverse_layers(a: &mut V, b: &mut V, tables: &[Table; 2]) {
    (*a, *b) = exchange_4(*a, *b);
    (*a, *b) = separate_2(*a, *b);
    inverse_butterfly(a, b, Factor::load(&tables[1]));
    (*a, *b) = interleave_2(*a, *b);
    inverse_butterfly(a, b, Factor::load(&tables[0]));
    (*a, *b) = exchange_4(*a, *b);
}

/// Exchanges the upper half of `a` with the lower half of `b`.
#[inline(always)]
fn exchange_4(a: V, b: V) -> (V, V) {
    (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b))
}

/// Separates the pairs of coefficients with even numbers from those with odd numbers.
#[inline(always)]
fn separate_2(a: V, b: V) -> (V, V) {
    (i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b))
}

/// Alternates pairs of coefficients of `a` and `b`, which undoes [`separate_2`].
#[inline(always)]
fn interleave_2(a: V, b: V) -> (V, V) {
    (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b))
}

/// The factors of the layers len = 4 and 2, in the order of the lanes that are multiplied, for each pair of neighbouring
/// vectors.
static FORWARD: [[Table; 2]; 16] = tables(false);
/// The factors of the inverse NTT, which uses the powers of ζ of each layer in descending order.
static INVERSE: [[Table; 2]; 16] = tables(true);

const fn tables(inverse: bool) -> [[Table; 2]; 16] {
    /// The block of each pair of lanes, of the blocks in two vectors.
    const BLOCKS: [[usize; 4]; 2] = [[0, 0, 1, 1], [0, 2, 1, 3]];
    let mut tables = [[[[0; 8]; 2]; 2]; 16];
    let mut at = 0;
    while at < 16 * 2 * 8 {
        let (pair, layer, lane) = (at / 16, at / 8 % 2, at % 8);
        // the layer has `blocks` blocks; 2 or 4 of them lie in each pair of vectors
        let blocks = 32 << layer;
        let block = pair * (2 << layer) + BLOCKS[layer][lane / 2];
        let factor = FACTORS[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
        tables[pair][layer][0][lane] = factor[0];
        tables[pair][layer][1][lane] = factor[1];
        at += 1;
    }
    tables
}

/// Factors that multiply the odd coefficients of each vector by γ and do not change the even ones.
static ONE_AND_GAMMA: [Table; 32] = {
    let mut tables = [[[1, 1, 1, 1, 1, 1, 1, 1], [0; 8]]; 32];
    let mut i = 0;
    while i < 128 {
        let [value, fraction] = with_fraction(GAMMAS[i]);
        tables[i / 4][0][2 * (i % 4) + 1] = value;
        tables[i / 4][1][2 * (i % 4) + 1] = fraction;
        i += 1;
    }
    tables
};

/// One instruction multiplies the coefficients of two vectors and adds neighbouring products, as BaseCaseMultiply (FIPS
/// 203 Algorithm 12) needs.
#[inline(always)]
pub(super) fn dot_ntt<'a>(
    a_hat: &(impl Iterator<Item = &'a NttPoly> + Clone),
    b_hat: &[NttPoly],
    c_hat: &mut NttPoly,
) {
    for (i, (c, gamma)) in vectors_mut(&mut c_hat.0).iter_mut().zip(&ONE_AND_GAMMA).enumerate() {
        let gamma = Factor::load(gamma);
        let (mut even, mut odd) = (i32x4_splat(0), i32x4_splat(0));
        for (a, b) in a_hat.clone().zip(b_hat) {
            let (a, b) = (load(&vectors(&a.0)[i]), load(&vectors(&b.0)[i]));
            // a₀·b₀ + a₁·(b₁·γ), and a₀·b₁ + a₁·b₀
            even = i32x4_add(even, i32x4_dot_i16x8(a, multiply(b, gamma)));
            odd = i32x4_add(odd, i32x4_dot_i16x8(a, i16x8_shuffle::<1, 0, 3, 2, 5, 4, 7, 6>(b, b)));
        }
        // the results are in the upper halves, over lower halves of zero
        store(c, v128_or(u32x4_shr(subtract_remainder(even), 16), subtract_remainder(odd)));
    }
}

/// Subtracts from each sum s the multiple t·q with the same lower half, where t = s·q⁻¹ mod± R. The upper half of the
/// difference is s·R⁻¹.
#[inline(always)]
fn subtract_remainder(sums: V) -> V {
    let in_lower_half = |x: i16| i32x4_splat(i32::from(x as u16));
    let t = i16x8_mul(sums, in_lower_half(Q_INV));
    i32x4_sub(sums, i32x4_dot_i16x8(t, in_lower_half(Q)))
}

pub(super) fn times_r_plus(f: &mut NttPoly, g: &NttPoly) {
    for (f, g) in vectors_mut(&mut f.0).iter_mut().zip(vectors(&g.0)) {
        store(f, canonical(i16x8_add(multiply(load(f), Factor::broadcast(R2)), load(g))));
    }
}

pub(super) fn make_canonical(f: &mut [i16; 256]) {
    for f in vectors_mut(f) {
        store(f, canonical(load(f)));
    }
}
