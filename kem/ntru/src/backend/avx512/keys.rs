//! Sixteen keys in a row.

use super::Avx512;
use crate::backend::network;
use core::arch::x86_64::*;

/// See [`Backend::sort_signs`](crate::backend::Backend::sort_signs).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
pub(super) fn sort_signs(backend: Avx512, keys: &mut [i32], v: &mut [u16]) {
    network::sort_signs(backend, keys, v);
}

/// See [`Keys::load_row`](network::Keys::load_row).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_row(from: &[i32]) -> __m512i {
    let from: &[i32; 16] = from.first_chunk().expect("16 keys");
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// See [`Keys::store_row`](network::Keys::store_row).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_row(to: &mut [i32], row: __m512i) {
    let to: &mut [i32; 16] = to.first_chunk_mut().expect("16 keys");
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), row) }
}

/// See [`Keys::store_signs`](network::Keys::store_signs).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store_signs(to: &mut [u16], row: __m512i) {
    let to: &mut [u16; 16] = to.first_chunk_mut().expect("16 numbers");
    let signs = _mm512_cvtepi32_epi16(_mm512_and_si512(row, _mm512_set1_epi32(3)));
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), signs) }
}

/// See [`Keys::order`](network::Keys::order).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn order(a: __m512i, b: __m512i) -> [__m512i; 2] {
    let low = _mm512_min_epi32(a, b);
    // the maximum, a ⊕ b ⊕ low: minimum and maximum wait for the same one port
    [low, _mm512_ternarylogic_epi32::<0x96>(a, b, low)]
}

/// See [`Keys::exchange`](network::Keys::exchange).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn exchange<const MASK: usize>(row: __m512i) -> __m512i {
    match MASK {
        1 => _mm512_shuffle_epi32::<0b10_11_00_01>(row),
        2 => _mm512_shuffle_epi32::<0b01_00_11_10>(row),
        3 => _mm512_shuffle_epi32::<0b00_01_10_11>(row),
        4 => _mm512_shuffle_i32x4::<0b10_11_00_01>(row, row),
        _ => {
            let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, _mm512_set1_epi32(MASK as i32)), row)
        }
    }
}

/// See [`Keys::order_by_lane`](network::Keys::order_by_lane).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn order_by_lane<const BIT: usize>(a: __m512i, b: __m512i) -> [__m512i; 2] {
    let lanes = match BIT {
        1 => 0xAAAA,
        2 => 0xCCCC,
        4 => 0xF0F0,
        _ => 0xFF00,
    };
    let low = _mm512_min_epi32(a, b);
    // low ⊕ a ⊕ b
    let ordered = _mm512_mask_ternarylogic_epi32::<0x96>(low, lanes, a, b);
    [ordered, _mm512_ternarylogic_epi32::<0x96>(a, b, ordered)]
}

/// See [`Keys::transpose_signs`](network::Keys::transpose_signs).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose_signs(backend: Avx512, rows: &[i32], to: &mut [u16], distance: usize) {
    // of four rows: quarter c of part k has lane 4·c + k
    let mut parts = [[load_row(rows); 4]; 4];
    for (rows, part) in rows.chunks_exact(64).zip(&mut parts) {
        let [a, b] = [load_row(rows), load_row(&rows[16..])];
        let [c, d] = [load_row(&rows[32..]), load_row(&rows[48..])];
        let low = [_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d)];
        let high = [_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d)];
        *part = [
            _mm512_unpacklo_epi64(low[0], low[1]),
            _mm512_unpackhi_epi64(low[0], low[1]),
            _mm512_unpacklo_epi64(high[0], high[1]),
            _mm512_unpackhi_epi64(high[0], high[1]),
        ];
    }
    let [first, second, third, fourth] = parts;
    for (k, ((a, b), (c, d))) in first.into_iter().zip(second).zip(third.into_iter().zip(fourth)).enumerate()
    {
        let even = [_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0x88>(c, d)];
        let odd = [_mm512_shuffle_i32x4::<0xDD>(a, b), _mm512_shuffle_i32x4::<0xDD>(c, d)];
        network::store_signs(backend, to, k * distance, _mm512_shuffle_i32x4::<0x88>(even[0], even[1]));
        network::store_signs(backend, to, (4 + k) * distance, _mm512_shuffle_i32x4::<0x88>(odd[0], odd[1]));
        network::store_signs(backend, to, (8 + k) * distance, _mm512_shuffle_i32x4::<0xDD>(even[0], even[1]));
        network::store_signs(backend, to, (12 + k) * distance, _mm512_shuffle_i32x4::<0xDD>(odd[0], odd[1]));
    }
}
