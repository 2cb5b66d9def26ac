//! Compression with encoding, and decoding with decompression. Eight coefficients of `D` bits take `D` bytes.

use super::vector::{V, load, load_bytes, load_table, store, vectors, vectors_mut};
use crate::field::Q;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn compress_and_encode<const D: usize>(f: &[i16; 256], bytes: &mut [u8]) {
    if D == 1 {
        let pairs = vectors(f).as_chunks::<2>().0;
        for ([a, b], bytes) in pairs.iter().zip(bytes.as_chunks_mut::<4>().0) {
            *bytes = bits(compress::<1>(load(a)), compress::<1>(load(b))).to_le_bytes();
        }
    } else {
        for (f, bytes) in vectors(f).iter().zip(bytes.chunks_exact_mut(2 * D)) {
            let v = load(f);
            pack::<D>(if D == 12 { v } else { compress::<D>(v) }, bytes);
        }
    }
}

/// Computes Compress_d, FIPS 203 equation (4.7), for coefficients in [0, q).
#[inline]
#[target_feature(enable = "avx2")]
fn compress<const D: usize>(x: V) -> V {
    if D <= 5 {
        /// The factor ⌊2²⁶/q + 1/2⌋.
        const V: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;
        // ⌊V·x/2¹⁶⌋ approximates 2¹⁰·x/q and is then shifted right by 10 − d with rounding. The tests try all
        // x.
        let t = _mm256_mulhi_epi16(x, _mm256_set1_epi16(V));
        let rounded = _mm256_mulhrs_epi16(t, _mm256_set1_epi16(1 << (5 + D)));
        _mm256_and_si256(rounded, _mm256_set1_epi16((1 << D) - 1))
    } else {
        let (low, high) = (
            _mm256_unpacklo_epi16(x, _mm256_setzero_si256()),
            _mm256_unpackhi_epi16(x, _mm256_setzero_si256()),
        );
        _mm256_packus_epi32(compress_wide::<D>(low), compress_wide::<D>(high))
    }
}

/// Computes Compress_d, FIPS 203 equation (4.7), in 32-bit lanes: the upper d bits of (2³²/q)·x + 2^(31 − d) mod 2³².
/// The tests try all x.
#[inline]
#[target_feature(enable = "avx2")]
fn compress_wide<const D: usize>(x: V) -> V {
    /// The factor ⌈2³²/q⌉, which makes products too large by up to 1976.
    const RECIPROCAL: u32 = ((1 << 32) / Q as u64 + 1) as u32;
    const EXCESS: u64 = RECIPROCAL as u64 * (Q as u64 - 1) - ((Q as u64 - 1) << 32) / Q as u64;
    const _: () = assert!(EXCESS <= 1977);
    let product = _mm256_mullo_epi32(x, _mm256_set1_epi32(RECIPROCAL as i32));
    let rounded = _mm256_add_epi32(product, _mm256_set1_epi32((1 << (31 - D)) - EXCESS as i32 / 2));
    _mm256_srlv_epi32(rounded, _mm256_set1_epi32(32 - D as i32))
}

/// Returns the lowest bits of 32 coefficients in {0, 1}.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(a: V, b: V) -> u32 {
    // the pack instruction works on each half separately
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
    _mm256_movemask_epi8(_mm256_slli_epi16::<7>(bytes)) as u32
}

/// Packs sixteen coefficients in [0, 2^D), 4 ≤ D ≤ 12, into 2·D bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn pack<const D: usize>(v: V, bytes: &mut [u8]) {
    // each 32-bit lane holds a pair: c₀ + 2^D·c₁
    let pairs = _mm256_madd_epi16(v, _mm256_set1_epi32(1 | 1 << (16 + D)));
    // moves the lower pair up to the higher one, then both pairs down: 4·D bits per 64-bit lane
    let gap = 32 - 2 * D as i64;
    let up = _mm256_sllv_epi32(pairs, _mm256_set1_epi64x(gap));
    let quads = _mm256_srlv_epi64(up, _mm256_set1_epi64x(gap));
    let halves = [_mm256_castsi256_si128(quads), _mm256_extracti128_si256::<1>(quads)];
    for (half, bytes) in halves.into_iter().zip(bytes.chunks_exact_mut(D)) {
        let low = _mm_cvtsi128_si64(half) as u64;
        let high = _mm_extract_epi64::<1>(half) as u64;
        let eight = u128::from(low) | u128::from(high) << (4 * D);
        bytes.copy_from_slice(&eight.to_le_bytes()[..D]);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn decode_and_decompress<const D: usize>(bytes: &[u8], f: &mut [i16; 256]) {
    for (i, f) in vectors_mut(f).iter_mut().enumerate() {
        let bytes = &bytes[2 * D * i..];
        let y = match D {
            1 => unpack_bits(u16::from_le_bytes([bytes[0], bytes[1]])),
            11 => unpack_11(bytes),
            _ => unpack::<D>(bytes),
        };
        store(f, if D == 12 { y } else { decompress::<D>(y) });
    }
}

/// Computes Decompress_d, FIPS 203 equation (4.8): 2^(15 − d)·y·q/2¹⁵, rounded.
#[inline]
#[target_feature(enable = "avx2")]
fn decompress<const D: usize>(y: V) -> V {
    let shifted = _mm256_mullo_epi16(y, _mm256_set1_epi16((1i32 << (15 - D)) as i16));
    _mm256_mulhrs_epi16(shifted, _mm256_set1_epi16(Q))
}

/// Unpacks sixteen bits, one into each lane.
#[inline]
#[target_feature(enable = "avx2")]
fn unpack_bits(bits: u16) -> V {
    let place = load(const { &powers_of_two() });
    let found = _mm256_and_si256(_mm256_set1_epi16(bits as i16), place);
    _mm256_and_si256(_mm256_cmpeq_epi16(found, place), _mm256_set1_epi16(1))
}

/// Returns 2ⁱ in lane i.
const fn powers_of_two() -> [i16; 16] {
    let mut powers_of_two = [0; 16];
    let mut i = 0;
    while i < 16 {
        powers_of_two[i] = (1u16 << i) as i16;
        i += 1;
    }
    powers_of_two
}

/// Unpacks sixteen coefficients of `D` = 4, 5, 10 or 12 bits, each of which lies within two bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn unpack<const D: usize>(bytes: &[u8]) -> V {
    let table = const { &UnpackTable::new(D) };
    let spread = _mm256_shuffle_epi8(load_groups::<D>(bytes), load_table(&table.spread));
    // shifts each coefficient left until its highest bit is the highest bit of the lane, then right
    let up = _mm256_mullo_epi16(spread, load(&table.factor));
    _mm256_srl_epi16(up, _mm_cvtsi32_si128(16 - D as i32))
}

/// The table with which [`unpack`] moves the bits of each coefficient into its lane.
struct UnpackTable {
    /// The indices of each coefficient's two bytes, equal in both halves.
    spread: [u8; 32],
    /// For each coefficient, the factor 2^(16 − D − b), where b is the position of the coefficient's lowest bit in its
    /// two bytes.
    factor: [i16; 16],
}

impl UnpackTable {
    const fn new(d: usize) -> Self {
        let mut table = Self { spread: [0; 32], factor: [0; 16] };
        let mut i = 0;
        while i < 16 {
            let bit = i % 8 * d;
            if bit % 8 + d > 16 {
                // d = 11 uses `unpack_11` and no table
                return table;
            }
            table.spread[2 * i] = (bit / 8) as u8;
            table.spread[2 * i + 1] = (bit / 8 + 1) as u8;
            table.factor[i] = (1u16 << (16 - d - bit % 8)) as i16;
            i += 1;
        }
        table
    }
}

/// Unpacks sixteen coefficients of 11 bits, each of which lies within three bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn unpack_11(bytes: &[u8]) -> V {
    let groups = load_groups::<11>(bytes);
    let (first, second) = (
        _mm256_permute2x128_si256::<0x00>(groups, groups),
        _mm256_permute2x128_si256::<0x11>(groups, groups),
    );
    let [first, second] = [first, second].map(|group| {
        let spread = _mm256_shuffle_epi8(group, load_table(const { &SPREAD_11 }));
        // the positions 0, 11, 22, … of the first bits, modulo 8
        let shifted = _mm256_srlv_epi32(spread, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5));
        _mm256_and_si256(shifted, _mm256_set1_epi32((1 << 11) - 1))
    });
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(first, second))
}

/// For 32-bit lane i, the indices of the three bytes that hold coefficient i, which starts at bit 11·i.
const SPREAD_11: [u8; 32] = {
    const NONE: u8 = 0x80;
    let mut table = [NONE; 32];
    let mut i = 0;
    while i < 24 {
        table[i / 3 * 4 + i % 3] = (i / 3 * 11 / 8 + i % 3) as u8;
        i += 1;
    }
    table
};

/// Loads `D` bytes into the lower half and the next `D` bytes into the upper half. The other bytes of each half hold
/// arbitrary values, which are not used.
#[inline]
#[target_feature(enable = "avx2")]
fn load_groups<const D: usize>(bytes: &[u8]) -> V {
    _mm256_set_m128i(load_group(&bytes[D..]), load_group(bytes))
}

/// Loads the first 16 bytes, padded with zeros if there are fewer.
#[inline]
#[target_feature(enable = "avx2")]
fn load_group(bytes: &[u8]) -> __m128i {
    if let Some(chunk) = bytes.first_chunk() {
        return load_bytes(chunk);
    }
    let mut chunk = [0; 16];
    chunk[..bytes.len()].copy_from_slice(bytes);
    load_bytes(&chunk)
}
