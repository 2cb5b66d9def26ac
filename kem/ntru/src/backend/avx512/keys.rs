//! Sorting of keys in rows of sixteen.

use crate::backend::network::{self, Keys};
use core::arch::x86_64::*;
use grille_cpu::Vnni;

/// Implements [`Backend::sort_signs`](crate::backend::Backend::sort_signs).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
pub(super) fn sort_signs(token: Vnni, keys: &mut [i32], v: &mut [u16]) {
    if token.avx512().has_four_ports() {
        sort_signs_with::<true>(Sorter { _token: token }, keys, v);
    } else {
        sort_signs_with::<false>(Sorter { _token: token }, keys, v);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
fn sort_signs_with<const FOUR_PORTS: bool>(sorter: Sorter<FOUR_PORTS>, keys: &mut [i32], v: &mut [u16]) {
    network::sort_signs(sorter, keys, v);
}

/// A sorter with 512-bit vectors. `FOUR_PORTS` selects its instructions: those for processors that compute
/// minima and maxima on four ports, or those for processors that compute all of them on one port.
#[derive(Clone, Copy)]
struct Sorter<const FOUR_PORTS: bool> {
    /// Proof that the processor has the features that [`Avx512`](super::Avx512) requires.
    _token: Vnni,
}

impl<const FOUR_PORTS: bool> Keys for Sorter<FOUR_PORTS> {
    type Row = __m512i;
    const LANES: usize = 16;

    kernels! {
        fn load_row(self, from: &[i32]) -> __m512i = load_row;
        fn store_row(self, to: &mut [i32], row: __m512i) = store_row;
        fn order(self, a: __m512i, b: __m512i) -> [__m512i; 2] = order::<FOUR_PORTS>;
        fn exchange<const MASK: usize>(self, row: __m512i) -> __m512i = exchange::<MASK>;
        fn order_by_lane<const BIT: usize>(self, a: __m512i, b: __m512i) -> [__m512i; 2]
            = order_by_lane::<BIT, FOUR_PORTS>;
        fn transpose_signs<const ROWS: usize>(self, rows: &[i32], to: &mut [u16], distance: usize)
            = transpose_signs::<ROWS>;
    }
}

/// Implements [`Keys::load_row`](network::Keys::load_row).
#[inline]
#[target_feature(enable = "avx512f")]
fn load_row(from: &[i32]) -> __m512i {
    let from: &[i32; 16] = from.first_chunk().expect("16 keys");
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Implements [`Keys::store_row`](network::Keys::store_row).
#[inline]
#[target_feature(enable = "avx512f")]
fn store_row(to: &mut [i32], row: __m512i) {
    let to: &mut [i32; 16] = to.first_chunk_mut().expect("16 keys");
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), row) }
}

/// Stores the lower two bits of each key of a row, for at most `to.len()` keys.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn store_signs(to: &mut [u16], row: __m512i) {
    let signs = _mm512_cvtepi32_epi16(_mm512_and_si512(row, _mm512_set1_epi32(3)));
    let valid = _bzhi_u32(u32::MAX, to.len() as u32) as __mmask16;
    debug_assert!(to.len() <= 16);
    // SAFETY: the mask covers exactly the slice's numbers, at most 16; masked-out numbers are not written.
    unsafe { _mm256_mask_storeu_epi16(to.as_mut_ptr().cast(), valid, signs) };
}

/// Implements [`Keys::order`](network::Keys::order).
#[inline]
#[target_feature(enable = "avx512f")]
fn order<const FOUR_PORTS: bool>(a: __m512i, b: __m512i) -> [__m512i; 2] {
    let low = _mm512_min_epi32(a, b);
    // the maximum; it equals a ⊕ b ⊕ low, whose instruction uses another port but must wait for the minimum
    [low, if FOUR_PORTS { _mm512_max_epi32(a, b) } else { _mm512_ternarylogic_epi32::<0x96>(a, b, low) }]
}

/// Implements [`Keys::exchange`](network::Keys::exchange).
#[inline]
#[target_feature(enable = "avx512f")]
fn exchange<const MASK: usize>(row: __m512i) -> __m512i {
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

/// Implements [`Keys::order_by_lane`](network::Keys::order_by_lane).
#[inline]
#[target_feature(enable = "avx512f")]
fn order_by_lane<const BIT: usize, const FOUR_PORTS: bool>(a: __m512i, b: __m512i) -> [__m512i; 2] {
    let lanes = match BIT {
        1 => 0xAAAA,
        2 => 0xCCCC,
        4 => 0xF0F0,
        _ => 0xFF00,
    };
    if FOUR_PORTS {
        let [low, high] = order::<true>(a, b);
        return [_mm512_mask_max_epi32(low, lanes, a, b), _mm512_mask_min_epi32(high, lanes, a, b)];
    }
    let low = _mm512_min_epi32(a, b);
    // computes low ⊕ a ⊕ b
    let ordered = _mm512_mask_ternarylogic_epi32::<0x96>(low, lanes, a, b);
    [ordered, _mm512_ternarylogic_epi32::<0x96>(a, b, ordered)]
}

/// Implements [`Keys::transpose_signs`](network::Keys::transpose_signs).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2")]
fn transpose_signs<const ROWS: usize>(rows: &[i32], to: &mut [u16], distance: usize) {
    let mut all = [_mm512_setzero_si512(); 16];
    for (row, keys) in all.iter_mut().zip(rows.chunks_exact(16)) {
        *row = load_row(keys);
    }
    // after transposing four rows, quarter c of part k holds lane 4·c + k
    let mut parts = [[all[0]; 4]; 4];
    for (&[a, b, c, d], part) in all.as_chunks().0.iter().zip(&mut parts) {
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
        let lanes = [
            _mm512_shuffle_i32x4::<0x88>(even[0], even[1]),
            _mm512_shuffle_i32x4::<0x88>(odd[0], odd[1]),
            _mm512_shuffle_i32x4::<0xDD>(even[0], even[1]),
            _mm512_shuffle_i32x4::<0xDD>(odd[0], odd[1]),
        ];
        for (c, lane) in lanes.into_iter().enumerate() {
            store_signs(network::lane_output(ROWS, to, (4 * c + k) * distance), lane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_hash::Level;

    #[test]
    fn both_instruction_orders_sort() {
        let Some(token) = Level::all().find_map(|level| match level {
            Level::Avx512(token) => token.vnni(),
            _ => None,
        }) else {
            return;
        };
        let mut state = 1_u32;
        for (len, workspace) in [(508, 512), (676, 768), (820, 1024), (1228, 1280)] {
            let mut keys = [i32::MAX; 1280];
            for key in &mut keys[..len] {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *key = state.cast_signed();
            }
            let (mut sorted, mut again) = (keys, keys);
            sorted[..len].sort_unstable();
            let [mut v, mut w] = [[0; 1228]; 2];
            // SAFETY: the token proves the features.
            unsafe {
                sort_signs_with::<false>(Sorter { _token: token }, &mut keys[..workspace], &mut v[..len]);
                sort_signs_with::<true>(Sorter { _token: token }, &mut again[..workspace], &mut w[..len]);
            }
            assert!(sorted[..len].iter().zip(v).all(|(key, sign)| (key & 3) as u16 == sign), "{len}");
            assert_eq!(v, w, "{len}");
        }
    }
}
