//! Products of small polynomials, with 32 coefficients at a time; see [`crate::small_ntt`].
//!
//! The layers with len ≥ 32 combine whole vectors. Within a vector, each lane is first multiplied by its
//! factor, which keeps all lanes small. A permutation then exchanges the two lanes of each pair, and the two
//! results are combined.

use super::vector::{self, V};
use crate::poly::{N, Poly};
use crate::small_ntt::{FORWARD, Factors, INVERSE, INVERSE_FACTOR, ONE, P, P_INV, SmallNttPoly, ZETAS};
use core::arch::x86_64::*;
use grille_core::unroll;

/// The vectors of a polynomial.
type Vectors = [V; 8];

#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::backend) fn ntt(w: &Poly, w_hat: &mut SmallNttPoly) {
    let mut v = [_mm512_setzero_si512(); 8];
    for (v, w) in v.iter_mut().zip(w.0.as_chunks::<32>().0) {
        *v = narrow(w);
    }
    // before the layers within vectors, values are at most η + 3·(p/2 + p/20)
    let [v0, v1, v2, v3, v4, v5, v6, v7] = v;
    let (v0, v4) = butterfly(v0, v4, ZETAS[1]);
    let (v1, v5) = butterfly(v1, v5, ZETAS[1]);
    let (v2, v6) = butterfly(v2, v6, ZETAS[1]);
    let (v3, v7) = butterfly(v3, v7, ZETAS[1]);
    let (v0, v2) = butterfly(v0, v2, ZETAS[2]);
    let (v1, v3) = butterfly(v1, v3, ZETAS[2]);
    let (v4, v6) = butterfly(v4, v6, ZETAS[3]);
    let (v5, v7) = butterfly(v5, v7, ZETAS[3]);
    let (v0, v1) = butterfly(v0, v1, ZETAS[4]);
    let (v2, v3) = butterfly(v2, v3, ZETAS[5]);
    let (v4, v5) = butterfly(v4, v5, ZETAS[6]);
    let (v6, v7) = butterfly(v6, v7, ZETAS[7]);
    let mut v = [v0, v1, v2, v3, v4, v5, v6, v7];
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_within::<16>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_within::<8>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_within::<4>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = layer_within::<2>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => store(&mut w_hat.0, i, layer_within::<1>(v[i], i)));
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::backend) fn product(c_hat: &SmallNttPoly, s_hat: &SmallNttPoly, product: &mut Poly) {
    let mut v = [_mm512_setzero_si512(); 8];
    unroll!(i in 0 1 2 3 4 5 6 7 => {
        let s = load(&s_hat.0, i);
        let s_by_p_inv = _mm512_mullo_epi16(s, _mm512_set1_epi16(P_INV));
        v[i] = multiply(load(&c_hat.0, i), s, s_by_p_inv);
    });
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = inverse_layer_within::<1>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = inverse_layer_within::<2>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = inverse_layer_within::<4>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = inverse_layer_within::<8>(v[i], i));
    unroll!(i in 0 1 2 3 4 5 6 7 => v[i] = inverse_layer_within::<16>(v[i], i));
    for (v, to) in inverse_layers_between(v).into_iter().zip(product.0.as_chunks_mut::<32>().0) {
        widen(v, to);
    }
}

/// Computes the layers len = 32, 64, 128 of the inverse NTT, and multiplies by the final factor.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn inverse_layers_between([v0, v1, v2, v3, v4, v5, v6, v7]: Vectors) -> Vectors {
    let (v0, v1) = inverse_butterfly(v0, v1, -ZETAS[7]);
    let (v2, v3) = inverse_butterfly(v2, v3, -ZETAS[6]);
    let (v4, v5) = inverse_butterfly(v4, v5, -ZETAS[5]);
    let (v6, v7) = inverse_butterfly(v6, v7, -ZETAS[4]);
    let (v0, v2) = inverse_butterfly(v0, v2, -ZETAS[3]);
    let (v1, v3) = inverse_butterfly(v1, v3, -ZETAS[3]);
    let (v4, v6) = inverse_butterfly(v4, v6, -ZETAS[2]);
    let (v5, v7) = inverse_butterfly(v5, v7, -ZETAS[2]);
    // without this reduction, the sums of four values would double in the next layer and exceed 16 bits
    let [v0, v1, v4, v5] = [v0, v1, v4, v5].map(|v| multiply_all(v, ONE));
    // the factor of the last layer is the power of ζ times the final factor of the inverse NTT
    const LAST: i16 = crate::small_ntt::multiply(-ZETAS[1] as i32, INVERSE_FACTOR) as i16;
    let (v0, v4) = inverse_butterfly(v0, v4, LAST);
    let (v1, v5) = inverse_butterfly(v1, v5, LAST);
    let (v2, v6) = inverse_butterfly(v2, v6, LAST);
    let (v3, v7) = inverse_butterfly(v3, v7, LAST);
    let [v0, v1, v2, v3] = [v0, v1, v2, v3].map(|v| multiply_all(v, INVERSE_FACTOR));
    [v0, v1, v2, v3, v4, v5, v6, v7]
}

/// Computes a·factor·R⁻¹.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply(a: V, factor: V, by_p_inv: V) -> V {
    let t = _mm512_mulhi_epi16(_mm512_mullo_epi16(a, by_p_inv), _mm512_set1_epi16(P));
    _mm512_sub_epi16(_mm512_mulhi_epi16(a, factor), t)
}

/// Computes [`multiply`] with the same factor in each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply_all(a: V, factor: i16) -> V {
    multiply(a, _mm512_set1_epi16(factor), _mm512_set1_epi16(factor.wrapping_mul(P_INV)))
}

/// Computes (a + ζb, a − ζb).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn butterfly(a: V, b: V, zeta: i16) -> (V, V) {
    let t = multiply_all(b, zeta);
    (_mm512_add_epi16(a, t), _mm512_sub_epi16(a, t))
}

/// Computes (a + b, ζ·(a − b)).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn inverse_butterfly(a: V, b: V, zeta: i16) -> (V, V) {
    (_mm512_add_epi16(a, b), multiply_all(_mm512_sub_epi16(a, b), zeta))
}

/// Computes a layer of `LEN` ≤ 16 within vector `i`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn layer_within<const LEN: usize>(v: V, i: usize) -> V {
    let Factors([factor, by_p_inv]) = &FORWARD[LEN.trailing_zeros() as usize];
    sums_and_differences::<LEN>(multiply(v, load(factor, i), load(by_p_inv, i)))
}

/// Computes the inverse of [`layer_within`], multiplied by 2.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn inverse_layer_within<const LEN: usize>(v: V, i: usize) -> V {
    let Factors([factor, by_p_inv]) = &INVERSE[LEN.trailing_zeros() as usize];
    multiply(sums_and_differences::<LEN>(v), load(factor, i), load(by_p_inv, i))
}

/// Replaces the lower element of each pair with the sum, and the higher one with the difference.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sums_and_differences<const LEN: usize>(v: V) -> V {
    let (partner, higher) = match LEN {
        16 => (_mm512_shuffle_i64x2::<0b01_00_11_10>(v, v), 0xFFFF_0000),
        8 => (_mm512_shuffle_i64x2::<0b10_11_00_01>(v, v), 0xFF00_FF00),
        4 => (_mm512_shuffle_epi32::<0b01_00_11_10>(v), 0xF0F0_F0F0),
        2 => (_mm512_shuffle_epi32::<0b10_11_00_01>(v), 0xCCCC_CCCC),
        _ => (_mm512_rol_epi32::<16>(v), 0xAAAA_AAAA),
    };
    _mm512_mask_sub_epi16(_mm512_add_epi16(partner, v), higher, partner, v)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[i16; N], i: usize) -> V {
    let from = &from.as_chunks::<32>().0[i];
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(to: &mut [i16; N], i: usize, v: V) {
    let to = &mut to.as_chunks_mut::<32>().0[i];
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Narrows 32 coefficients from 32 bits to their low 16 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn narrow(w: &[i32; 32]) -> V {
    let (halves, _) = w.as_chunks::<16>();
    let low = _mm512_cvtepi32_epi16(vector::load(&halves[0]));
    let high = _mm512_cvtepi32_epi16(vector::load(&halves[1]));
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn widen(v: V, to: &mut [i32; 32]) {
    let (halves, _) = to.as_chunks_mut::<16>();
    vector::store(&mut halves[0], _mm512_cvtepi16_epi32(_mm512_castsi512_si256(v)));
    vector::store(&mut halves[1], _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(v)));
}
