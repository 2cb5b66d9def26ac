//! Packing and unpacking of coefficients. Eight coefficients of `BITS` bits take `BITS` bytes.

use super::vector::{V, load, load_bytes, load_table, store, vectors, vectors_mut};
use crate::poly::Poly;
use core::arch::x86_64::*;

#[target_feature(enable = "avx2")]
pub(super) fn bit_pack<const BITS: usize>(w: &Poly, b: i32, bytes: &mut [u8]) {
    let b = _mm256_set1_epi32(b);
    for (w, bytes) in vectors(&w.0).iter().zip(bytes.chunks_exact_mut(BITS)) {
        pack::<BITS>(_mm256_sub_epi32(b, load(w)), bytes);
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn simple_bit_pack<const BITS: usize>(w: &Poly, bytes: &mut [u8]) {
    if BITS == 4 || BITS == 6 {
        return pack_narrow::<BITS>(w, bytes);
    }
    for (w, bytes) in vectors(&w.0).iter().zip(bytes.chunks_exact_mut(BITS)) {
        pack::<BITS>(load(w), bytes);
    }
}

/// Packs eight coefficients in [0, 2^`BITS`), `BITS` ≤ 20.
#[inline]
#[target_feature(enable = "avx2")]
fn pack<const BITS: usize>(v: V, bytes: &mut [u8]) {
    // forms pairs: moves the lower coefficient up to the higher one, then both down
    let gap = 32 - BITS as i64;
    let up = _mm256_sllv_epi32(v, _mm256_set1_epi64x(gap));
    let pairs = _mm256_srlv_epi64(up, _mm256_set1_epi64x(gap));
    let low = join_two_pairs::<BITS>(_mm256_castsi256_si128(pairs));
    let high = join_two_pairs::<BITS>(_mm256_extracti128_si256::<1>(pairs));
    if BITS <= 16 {
        bytes[..BITS].copy_from_slice(&(low | high << (4 * BITS % 128)).to_le_bytes()[..BITS]);
    } else {
        // with an even number of bits, four coefficients are whole bytes
        bytes[..BITS / 2].copy_from_slice(&low.to_le_bytes()[..BITS / 2]);
        bytes[BITS / 2..BITS].copy_from_slice(&high.to_le_bytes()[..BITS / 2]);
    }
}

/// Joins two pairs of coefficients, 2·`BITS` bits each, into one number of 4·`BITS` bits.
#[inline]
#[target_feature(enable = "avx2")]
fn join_two_pairs<const BITS: usize>(pairs: __m128i) -> u128 {
    let low = _mm_cvtsi128_si64(pairs) as u64;
    let high = _mm_extract_epi64::<1>(pairs) as u64;
    u128::from(low) | u128::from(high) << (2 * BITS)
}

/// Packs w1, 32 coefficients at a time, `BITS` = 4 or 6.
#[inline]
#[target_feature(enable = "avx2")]
fn pack_narrow<const BITS: usize>(w: &Poly, bytes: &mut [u8]) {
    // the pack instructions work on each half separately, so groups of four are in the order 0 2 4 6 | 1 3 5
    // 7
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    let (quarters, _) = vectors(&w.0).as_chunks::<4>();
    for ([a, b, c, d], bytes) in quarters.iter().zip(bytes.chunks_exact_mut(4 * BITS)) {
        let words = _mm256_packus_epi32(load(a), load(b));
        let more = _mm256_packus_epi32(load(c), load(d));
        let coefficients = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, more), order);
        // each pair is w₀ + 2^BITS·w₁
        let pairs = _mm256_maddubs_epi16(coefficients, _mm256_set1_epi16((1 << (8 + BITS)) | 1));
        if BITS == 4 {
            let packed = _mm256_permute4x64_epi64::<0b1000>(_mm256_packus_epi16(pairs, pairs));
            copy_low(bytes, packed, 16);
        } else {
            // two pairs of six-bit coefficients fill three bytes of each 32-bit lane
            let triples = _mm256_madd_epi16(pairs, _mm256_set1_epi32((1 << (16 + 12)) | 1));
            let packed = _mm256_shuffle_epi8(triples, load_table(&GATHER));
            copy_low(bytes, packed, 12);
            copy_low(&mut bytes[12..], _mm256_permute4x64_epi64::<0b1110>(packed), 12);
        }
    }
}

/// Copies the first `len` ≤ 16 bytes of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn copy_low(bytes: &mut [u8], v: V, len: usize) {
    let low = _mm256_castsi256_si128(v);
    let words = [_mm_cvtsi128_si64(low), _mm_extract_epi64::<1>(low)].map(i64::to_le_bytes);
    bytes[..len].copy_from_slice(&words.as_flattened()[..len]);
}

/// Selects three of every four bytes in each half.
static GATHER: [u8; 32] = {
    const NONE: u8 = 0x80;
    let mut table = [NONE; 32];
    let mut i = 0;
    while i < 12 {
        table[i] = (i / 3 * 4 + i % 3) as u8;
        table[16 + i] = table[i];
        i += 1;
    }
    table
};

#[target_feature(enable = "avx2")]
pub(super) fn bit_unpack<const BITS: usize>(bytes: &[u8], b: i32, w: &mut Poly) {
    let b = _mm256_set1_epi32(b);
    // the last groups are read from a copy, because loads would extend beyond the end of the bytes
    let whole = 32 - GROUPS_FROM_COPY;
    let mut copy = [0; GROUPS_FROM_COPY * 20 + 16];
    let tail = &bytes[whole * BITS..32 * BITS];
    copy[..tail.len()].copy_from_slice(tail);
    let (first, last) = vectors_mut(&mut w.0).split_at_mut(whole);
    for (i, w) in first.iter_mut().enumerate() {
        store(w, _mm256_sub_epi32(b, unpack::<BITS>(&bytes[i * BITS..])));
    }
    for (i, w) in last.iter_mut().enumerate() {
        store(w, _mm256_sub_epi32(b, unpack::<BITS>(&copy[i * BITS..])));
    }
}

/// The number of groups at the end that are read from a padded copy. The loads of a group extend 16 + `BITS`/2 bytes
/// from the group's start. For `BITS` = 3, these loads end in the fifth group after this one.
const GROUPS_FROM_COPY: usize = 6;

/// Unpacks eight coefficients.
#[inline]
#[target_feature(enable = "avx2")]
fn unpack<const BITS: usize>(bytes: &[u8]) -> V {
    let table = const { &UnpackTable::new(BITS) };
    let low = load_bytes(bytes.first_chunk().expect("the caller leaves enough bytes"));
    let high = load_bytes(bytes[BITS / 2..].first_chunk().expect("the caller leaves enough bytes"));
    let spread = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), load_table(&table.spread));
    let shifted = _mm256_srlv_epi32(spread, load(&table.shift));
    _mm256_and_si256(shifted, _mm256_set1_epi32((1 << BITS) - 1))
}

/// The positions of the bits of each coefficient in the bytes of two loads. The first load contains the bits of the
/// first four coefficients, and the second load those of the last four.
struct UnpackTable {
    /// The indices of each coefficient's four bytes.
    spread: [u8; 32],
    /// The number of bits to drop before each coefficient, less than 8. A coefficient fits in four bytes,
    /// because 7 + 20 ≤ 32.
    shift: [i32; 8],
}

impl UnpackTable {
    const fn new(bits: usize) -> Self {
        let mut table = Self { spread: [0; 32], shift: [0; 8] };
        let mut i = 0;
        while i < 8 {
            // the second load starts bits/2 whole bytes later
            let bit = i * bits - if i < 4 { 0 } else { bits / 2 * 8 };
            table.shift[i] = (bit % 8) as i32;
            let mut byte = 0;
            while byte < 4 {
                table.spread[4 * i + byte] = (bit / 8 + byte) as u8;
                byte += 1;
            }
            i += 1;
        }
        table
    }
}
