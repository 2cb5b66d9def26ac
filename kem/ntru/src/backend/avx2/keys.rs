//! Sorting of keys in rows of eight.

use crate::backend::network;
use core::arch::x86_64::*;
use grille_core::secret;

/// Implements [`Keys::load_row`](network::Keys::load_row).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_row(from: &[i32]) -> __m256i {
    let from: &[i32; 8] = from.first_chunk().expect("8 keys");
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Implements [`Keys::store_row`](network::Keys::store_row).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_row(to: &mut [i32], row: __m256i) {
    let to: &mut [i32; 8] = to.first_chunk_mut().expect("8 keys");
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), row) }
}

/// Stores the lower two bits of each key of a row, for at most `to.len()` keys.
#[inline]
#[target_feature(enable = "avx2")]
fn store_signs(to: &mut [u16], row: __m256i) {
    let signs = _mm256_and_si256(row, _mm256_set1_epi32(3));
    let signs = _mm_packus_epi32(_mm256_castsi256_si128(signs), _mm256_extracti128_si256::<1>(signs));
    if let Some(to) = to.first_chunk_mut::<8>() {
        // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
        return unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), signs) };
    }
    let mut last = [0; 8];
    // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(last.as_mut_ptr().cast(), signs) };
    to.copy_from_slice(&last[..to.len()]);
    secret::erase(&mut last);
}

/// Implements [`Keys::order`](network::Keys::order).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn order(a: __m256i, b: __m256i) -> [__m256i; 2] {
    [_mm256_min_epi32(a, b), _mm256_max_epi32(a, b)]
}

/// Implements [`Keys::exchange`](network::Keys::exchange).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn exchange<const MASK: usize>(row: __m256i) -> __m256i {
    match MASK {
        1 => _mm256_shuffle_epi32::<0b10_11_00_01>(row),
        2 => _mm256_shuffle_epi32::<0b01_00_11_10>(row),
        3 => _mm256_shuffle_epi32::<0b00_01_10_11>(row),
        4 => _mm256_permute4x64_epi64::<0b01_00_11_10>(row),
        _ => _mm256_permutevar8x32_epi32(row, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0)),
    }
}

/// Implements [`Keys::order_by_lane`](network::Keys::order_by_lane).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn order_by_lane<const BIT: usize>(a: __m256i, b: __m256i) -> [__m256i; 2] {
    let [low, high] = order(a, b);
    match BIT {
        1 => [_mm256_blend_epi32::<0xAA>(low, high), _mm256_blend_epi32::<0xAA>(high, low)],
        2 => [_mm256_blend_epi32::<0xCC>(low, high), _mm256_blend_epi32::<0xCC>(high, low)],
        _ => [_mm256_blend_epi32::<0xF0>(low, high), _mm256_blend_epi32::<0xF0>(high, low)],
    }
}

/// Implements [`Keys::transpose_signs`](network::Keys::transpose_signs).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose_signs<const ROWS: usize>(rows: &[i32], to: &mut [u16], distance: usize) {
    // after transposing four rows, half c of part k holds lane 4·c + k
    let mut parts = [[load_row(rows); 4]; 2];
    for (rows, part) in rows.chunks_exact(32).zip(&mut parts) {
        let [a, b] = [load_row(rows), load_row(&rows[8..])];
        let [c, d] = [load_row(&rows[16..]), load_row(&rows[24..])];
        let low = [_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d)];
        let high = [_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d)];
        *part = [
            _mm256_unpacklo_epi64(low[0], low[1]),
            _mm256_unpackhi_epi64(low[0], low[1]),
            _mm256_unpacklo_epi64(high[0], high[1]),
            _mm256_unpackhi_epi64(high[0], high[1]),
        ];
    }
    let [first, second] = parts;
    for (k, (a, b)) in first.into_iter().zip(second).enumerate() {
        store_signs(network::lane_output(ROWS, to, k * distance), _mm256_permute2x128_si256::<0x20>(a, b));
        store_signs(
            network::lane_output(ROWS, to, (4 + k) * distance),
            _mm256_permute2x128_si256::<0x31>(a, b),
        );
    }
}
