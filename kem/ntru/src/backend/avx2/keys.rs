//! Eight keys in a row.

use super::Avx2;
use crate::backend::network;
use core::arch::x86_64::*;

/// See [`Backend::sort`](crate::backend::Backend::sort).
#[target_feature(enable = "avx2,bmi1,bmi2")]
pub(super) fn sort(backend: Avx2, keys: &mut [i32]) {
    network::sort(backend, keys);
}

/// See [`Keys::load_row`](network::Keys::load_row).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_row(from: &[i32]) -> __m256i {
    let from: &[i32; 8] = from.first_chunk().expect("8 keys");
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// See [`Keys::store_row`](network::Keys::store_row).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_row(to: &mut [i32], row: __m256i) {
    let to: &mut [i32; 8] = to.first_chunk_mut().expect("8 keys");
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), row) }
}

/// See [`Keys::order`](network::Keys::order).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn order(a: __m256i, b: __m256i) -> [__m256i; 2] {
    [_mm256_min_epi32(a, b), _mm256_max_epi32(a, b)]
}

/// See [`Keys::exchange`](network::Keys::exchange).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn exchange<const MASK: usize>(row: __m256i) -> __m256i {
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_permutevar8x32_epi32(row, _mm256_xor_si256(lanes, _mm256_set1_epi32(MASK as i32)))
}

/// See [`Keys::blend`](network::Keys::blend).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn blend<const BIT: usize>(a: __m256i, b: __m256i) -> __m256i {
    match BIT {
        1 => _mm256_blend_epi32::<0xAA>(a, b),
        2 => _mm256_blend_epi32::<0xCC>(a, b),
        _ => _mm256_blend_epi32::<0xF0>(a, b),
    }
}

/// See [`Keys::transpose`](network::Keys::transpose).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(rows: &[i32], to: &mut [i32], distance: usize) {
    // of four rows: half c of part k has lane 4·c + k
    let parts: [[__m256i; 4]; 2] = core::array::from_fn(|group| {
        let row = |i: usize| load_row(&rows[8 * (4 * group + i)..]);
        let low = [_mm256_unpacklo_epi32(row(0), row(1)), _mm256_unpacklo_epi32(row(2), row(3))];
        let high = [_mm256_unpackhi_epi32(row(0), row(1)), _mm256_unpackhi_epi32(row(2), row(3))];
        [
            _mm256_unpacklo_epi64(low[0], low[1]),
            _mm256_unpackhi_epi64(low[0], low[1]),
            _mm256_unpacklo_epi64(high[0], high[1]),
            _mm256_unpackhi_epi64(high[0], high[1]),
        ]
    });
    for k in 0..4 {
        let [a, b] = parts.map(|of_group| of_group[k]);
        store_row(&mut to[k * distance..], _mm256_permute2x128_si256::<0x20>(a, b));
        store_row(&mut to[(4 + k) * distance..], _mm256_permute2x128_si256::<0x31>(a, b));
    }
}
