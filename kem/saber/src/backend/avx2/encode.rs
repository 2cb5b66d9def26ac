//! Conversion between coefficients and bit strings. Eight coefficients of `D` bits take `D` bytes.

use super::vector::{V, load, load_bytes, load_table, store, vectors, vectors_mut};
use crate::params::EPS_Q;
use crate::ring::N;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn pack<const D: usize>(f: &[i16; N], bytes: &mut [u8]) {
    if D == 1 {
        let pairs = vectors(f).as_chunks::<2>().0;
        for ([a, b], bytes) in pairs.iter().zip(bytes.as_chunks_mut::<4>().0) {
            *bytes = lowest_bits(load(a), load(b)).to_le_bytes();
        }
    } else {
        for (f, bytes) in vectors(f).iter().zip(bytes.chunks_exact_mut(2 * D)) {
            pack_sixteen::<D>(load(f), bytes);
        }
    }
}

/// Returns the lowest bits of 32 coefficients.
#[inline]
#[target_feature(enable = "avx2")]
fn lowest_bits(a: V, b: V) -> u32 {
    // moves each bit to the sign position, because packing preserves signs; packing works on each half
    // separately
    let signs = _mm256_packs_epi16(_mm256_slli_epi16::<15>(a), _mm256_slli_epi16::<15>(b));
    _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(signs)) as u32
}

/// Packs sixteen coefficients modulo 2^`D`, 3 ≤ `D` ≤ 13, into 2·`D` bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn pack_sixteen<const D: usize>(f: V, bytes: &mut [u8]) {
    let f = _mm256_and_si256(f, _mm256_set1_epi16((1 << D) - 1));
    // each 32-bit lane holds a pair: c₀ + 2^D·c₁
    let pairs = _mm256_madd_epi16(f, _mm256_set1_epi32(1 | 1 << (16 + D)));
    // in each 64-bit lane, moves the lower pair up to the higher pair, then both pairs down to bit 0, where
    // they take 4·D bits
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
pub(super) fn unpack<const D: usize>(bytes: &[u8], f: &mut [i16; N]) {
    for (i, f) in vectors_mut(f).iter_mut().enumerate() {
        let bytes = &bytes[2 * D * i..];
        if D == 1 {
            store(f, unpack_bits(u16::from_le_bytes([bytes[0], bytes[1]])));
        } else {
            // packing works on each half separately
            let packed = _mm256_packs_epi32(unpack_eight::<D>(bytes), unpack_eight::<D>(&bytes[D..]));
            store(f, _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
        }
    }
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
    let mut powers = [0; 16];
    let mut i = 0;
    while i < 16 {
        powers[i] = (1u16 << i) as i16;
        i += 1;
    }
    powers
}

/// Unpacks eight coefficients of `D` bits into 32-bit lanes, from the first `D` bytes. The bytes after them are not
/// used.
#[inline]
#[target_feature(enable = "avx2")]
fn unpack_eight<const D: usize>(bytes: &[u8]) -> V {
    let table = const { &UnpackTable::new(D) };
    let group = _mm256_broadcastsi128_si256(load_group(bytes));
    let spread = _mm256_shuffle_epi8(group, load_table(&table.bytes));
    // shifts each coefficient left until its highest bit is the highest bit of its lane, then right
    let [a, b, c, d, e, f, g, h] = table.up;
    let up = _mm256_sllv_epi32(spread, _mm256_setr_epi32(a, b, c, d, e, f, g, h));
    let down = _mm_cvtsi32_si128(32 - D as i32);
    if D == EPS_Q { _mm256_sra_epi32(up, down) } else { _mm256_srl_epi32(up, down) }
}

/// The positions of the bits of eight coefficients.
struct UnpackTable {
    /// For each coefficient, the indices of four of sixteen bytes. The first of these bytes contains the
    /// coefficient's first bit.
    bytes: [u8; 32],
    /// The shifts that move the last bit of each coefficient to the highest bit of its lane.
    up: [i32; 8],
}

impl UnpackTable {
    const fn new(d: usize) -> Self {
        let mut table = Self { bytes: [0; 32], up: [0; 8] };
        let mut i = 0;
        while i < 32 {
            let first_bit = i / 4 * d;
            table.bytes[i] = (first_bit / 8 + i % 4) as u8;
            table.up[i / 4] = (32 - d - first_bit % 8) as i32;
            i += 1;
        }
        table
    }
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
