//! Products of small polynomials, with sixteen coefficients at a time; see [`crate::small_ntt`].
//!
//! The layers with len ≥ 16 combine whole vectors. Two such layers are computed at a time on four vectors.
//! Within a vector, each lane is first multiplied by its factor, which keeps all lanes small. A permutation
//! then exchanges the two lanes of each pair, and the two results are combined.

use super::vector::{self, V};
use crate::poly::{N, Poly, Zero};
use crate::small_ntt::{FORWARD, Factors, INVERSE, INVERSE_FACTOR, ONE, P, P_INV, SmallNttPoly, ZETAS};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(in crate::backend) fn ntt(w: &Poly, w_hat: &mut SmallNttPoly) {
    let (w, _) = w.0.as_chunks::<16>();
    let to = &mut w_hat.0;
    // before the layers within vectors, values are at most η + 4·(p/2 + p/8)
    for i in 0..4 {
        let column = [narrow(&w[i]), narrow(&w[i + 4]), narrow(&w[i + 8]), narrow(&w[i + 12])];
        for (j, v) in two_layers(column, 1).into_iter().enumerate() {
            store(to, i + 4 * j, v);
        }
    }
    for block in 0..4 {
        let i = 4 * block;
        let row = [load(to, i), load(to, i + 1), load(to, i + 2), load(to, i + 3)];
        for (i, v) in (i..).zip(two_layers(row, 4 + block)) {
            let v = layer_within::<8>(v, i);
            let v = layer_within::<4>(v, i);
            let v = layer_within::<2>(v, i);
            store(to, i, layer_within::<1>(v, i));
        }
    }
}

/// Computes a layer, whose ζ has index `m`, and the next layer.
#[inline]
#[target_feature(enable = "avx2")]
fn two_layers([v0, v1, v2, v3]: [V; 4], m: usize) -> [V; 4] {
    let (v0, v2) = butterfly(v0, v2, ZETAS[m]);
    let (v1, v3) = butterfly(v1, v3, ZETAS[m]);
    let (v0, v1) = butterfly(v0, v1, ZETAS[2 * m]);
    let (v2, v3) = butterfly(v2, v3, ZETAS[2 * m + 1]);
    [v0, v1, v2, v3]
}

#[target_feature(enable = "avx2")]
pub(in crate::backend) fn product(c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly) {
    let mut between = SmallNttPoly::ZERO;
    for block in 0..4 {
        let i = 4 * block;
        let of = |i| inverse_layers_within(c_hat, s_hat, i);
        let row = inverse_two_layers([of(i), of(i + 1), of(i + 2), of(i + 3)], 7 - block);
        // without this reduction, the sums of four values would double in each of the next two layers and exceed 16
        // bits
        let row = [multiply_all(row[0], ONE), multiply_all(row[1], ONE), row[2], row[3]];
        for (i, v) in (i..).zip(row) {
            store(&mut between.0, i, v);
        }
    }
    let (to, _) = product.0.as_chunks_mut::<16>();
    for i in 0..4 {
        let of = |i| load(&between.0, i);
        let column = inverse_two_layers([of(i), of(i + 4), of(i + 8), of(i + 12)], 1);
        for (j, v) in column.into_iter().enumerate() {
            widen(multiply_all(v, INVERSE_FACTOR), &mut to[i + 4 * j]);
        }
    }
}

/// Computes the products of vector `i`, and applies the layers len = 1, 2, 4, 8 of the inverse NTT to them.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layers_within(c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, i: usize) -> V {
    let s = load(&s_hat.0, i);
    let s_by_p_inv = _mm256_mullo_epi16(s, _mm256_set1_epi16(P_INV));
    let v = multiply(load(&c_hat.0, i), s, s_by_p_inv);
    let v = inverse_layer_within::<1>(v, i);
    let v = inverse_layer_within::<2>(v, i);
    let v = inverse_layer_within::<4>(v, i);
    inverse_layer_within::<8>(v, i)
}

/// Computes two layers of the inverse NTT. `m` is the index of the power of ζ in the second of them; the first uses the
/// indices 2`m` + 1 and 2`m`.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_two_layers([v0, v1, v2, v3]: [V; 4], m: usize) -> [V; 4] {
    let (v0, v1) = inverse_butterfly(v0, v1, -ZETAS[2 * m + 1]);
    let (v2, v3) = inverse_butterfly(v2, v3, -ZETAS[2 * m]);
    let (v0, v2) = inverse_butterfly(v0, v2, -ZETAS[m]);
    let (v1, v3) = inverse_butterfly(v1, v3, -ZETAS[m]);
    [v0, v1, v2, v3]
}

/// Computes a·factor·R⁻¹.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply(a: V, factor: V, by_p_inv: V) -> V {
    let t = _mm256_mulhi_epi16(_mm256_mullo_epi16(a, by_p_inv), _mm256_set1_epi16(P));
    _mm256_sub_epi16(_mm256_mulhi_epi16(a, factor), t)
}

/// Computes [`multiply`] with the same factor in each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_all(a: V, factor: i16) -> V {
    multiply(a, _mm256_set1_epi16(factor), _mm256_set1_epi16(factor.wrapping_mul(P_INV)))
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx2")]
fn butterfly(a: V, b: V, zeta: i16) -> (V, V) {
    let t = multiply_all(b, zeta);
    (_mm256_add_epi16(a, t), _mm256_sub_epi16(a, t))
}

/// Computes (a + b, ζ·(a − b)).
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_butterfly(a: V, b: V, zeta: i16) -> (V, V) {
    (_mm256_add_epi16(a, b), multiply_all(_mm256_sub_epi16(a, b), zeta))
}

/// Computes a layer of `LEN` ≤ 8 within vector `i`.
#[inline]
#[target_feature(enable = "avx2")]
fn layer_within<const LEN: usize>(v: V, i: usize) -> V {
    let Factors([factor, by_p_inv]) = &FORWARD[LEN.trailing_zeros() as usize];
    sums_and_differences::<LEN>(multiply(v, load(factor, i), load(by_p_inv, i)))
}

/// Computes the inverse of [`layer_within`], multiplied by 2.
#[inline]
#[target_feature(enable = "avx2")]
fn inverse_layer_within<const LEN: usize>(v: V, i: usize) -> V {
    let Factors([factor, by_p_inv]) = &INVERSE[LEN.trailing_zeros() as usize];
    multiply(sums_and_differences::<LEN>(v), load(factor, i), load(by_p_inv, i))
}

/// Replaces the lower element of each pair with the sum, and the higher one with the difference.
#[inline]
#[target_feature(enable = "avx2")]
fn sums_and_differences<const LEN: usize>(v: V) -> V {
    let partner = match LEN {
        8 => _mm256_permute2x128_si256::<0b0001>(v, v),
        4 => _mm256_shuffle_epi32::<0b01_00_11_10>(v),
        2 => _mm256_shuffle_epi32::<0b10_11_00_01>(v),
        _ => _mm256_or_si256(_mm256_slli_epi32::<16>(v), _mm256_srli_epi32::<16>(v)),
    };
    let signs = const { &signs(LEN) };
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    let signs = unsafe { _mm256_loadu_si256(signs.as_ptr().cast()) };
    _mm256_add_epi16(partner, _mm256_sign_epi16(v, signs))
}

/// Returns −1 for the higher element of each pair, and 1 for the lower one.
const fn signs(len: usize) -> [i16; 16] {
    let mut signs = [1; 16];
    let mut i = 0;
    while i < 16 {
        if i & len != 0 {
            signs[i] = -1;
        }
        i += 1;
    }
    signs
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[i16; N], i: usize) -> V {
    let from = &from.as_chunks::<16>().0[i];
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [i16; N], i: usize, v: V) {
    let to = &mut to.as_chunks_mut::<16>().0[i];
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
}

/// Narrows sixteen coefficients from 32 bits to their low 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn narrow(w: &[i32; 16]) -> V {
    let (halves, _) = w.as_chunks::<8>();
    let packed = _mm256_packs_epi32(vector::load(&halves[0]), vector::load(&halves[1]));
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

#[inline]
#[target_feature(enable = "avx2")]
fn widen(v: V, to: &mut [i32; 16]) {
    let (halves, _) = to.as_chunks_mut::<8>();
    vector::store(&mut halves[0], _mm256_cvtepi16_epi32(_mm256_castsi256_si128(v)));
    vector::store(&mut halves[1], _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(v)));
}
