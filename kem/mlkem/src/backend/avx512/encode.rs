//! Compression with encoding, and decoding with decompression. 32 coefficients of `D` bits take 4·`D` bytes.

use super::vector::{V, load, load_bytes, load_table, store, store_bytes, vectors, vectors_mut};
use crate::field::Q;
use core::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn compress_and_encode<const D: usize>(f: &[i16; 256], bytes: &mut [u8]) {
    for (f, bytes) in vectors(f).iter().zip(bytes.chunks_exact_mut(4 * D)) {
        let x = load(f);
        match D {
            1 => bytes.copy_from_slice(&compress_to_bit(x).to_le_bytes()),
            4 | 5 => store_bytes(bytes, pack::<D>(pairs::<D>(compress::<D>(x)))),
            12 => store_bytes(bytes, pack::<D>(pairs::<D>(x))),
            _ => store_bytes(bytes, pack::<D>(compressed_pairs::<D>(x))),
        }
    }
}

/// Computes Compress₁, FIPS 203 equation (4.7), for coefficients in [0, q): 1 if x is nearer to q/2 than to 0 or q.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn compress_to_bit(x: V) -> u32 {
    // x is from 833 to 2496
    _mm512_cmplt_epu16_mask(_mm512_sub_epi16(x, _mm512_set1_epi16(833)), _mm512_set1_epi16(1664))
}

/// Computes Compress_d for d = 4 and 5, for coefficients in [0, q).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn compress<const D: usize>(x: V) -> V {
    /// The factor ⌊2²⁶/q + 1/2⌋.
    const V: i16 = ((1 << 26) + Q as i32 / 2).div_euclid(Q as i32) as i16;
    // ⌊V·x/2¹⁶⌋ approximates 2¹⁰·x/q and is then shifted right by 10 − d with rounding. The tests try all x.
    let t = _mm512_mulhi_epi16(x, _mm512_set1_epi16(V));
    let rounded = _mm512_mulhrs_epi16(t, _mm512_set1_epi16(1 << (5 + D)));
    _mm512_and_si512(rounded, _mm512_set1_epi16((1 << D) - 1))
}

/// Joins two coefficients of `D` bits in each 32-bit lane: c₀ + 2^D·c₁.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pairs<const D: usize>(x: V) -> V {
    _mm512_madd_epi16(x, _mm512_set1_epi32(1 | 1 << (16 + D)))
}

/// Computes Compress_d for d = 10 and 11, for coefficients in [0, q), and joins them as [`pairs`] does.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn compressed_pairs<const D: usize>(x: V) -> V {
    let even = compress_wide::<D>(_mm512_and_si512(x, _mm512_set1_epi32(0xFFFF)));
    let odd = compress_wide::<D>(_mm512_srli_epi32::<16>(x));
    // moves both coefficients down from the highest bits, then c₁ up to the end of c₀
    let low = _mm512_srlv_epi32(even, _mm512_set1_epi32(32 - D as i32));
    let high = _mm512_srlv_epi32(odd, _mm512_set1_epi32(32 - D as i32));
    _mm512_or_si512(low, _mm512_sllv_epi32(high, _mm512_set1_epi32(D as i32)))
}

/// Computes (2³²/q)·x + 2^(31 − d) mod 2³² in 32-bit lanes. The upper d bits are Compress_d(x), FIPS 203 equation
/// (4.7). The tests try all x.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress_wide<const D: usize>(x: V) -> V {
    /// The factor ⌈2³²/q⌉, which makes products too large by up to 1976.
    const RECIPROCAL: u32 = ((1 << 32) / Q as u64 + 1) as u32;
    const EXCESS: u64 = RECIPROCAL as u64 * (Q as u64 - 1) - ((Q as u64 - 1) << 32) / Q as u64;
    const _: () = assert!(EXCESS <= 1977);
    let product = _mm512_mullo_epi32(x, _mm512_set1_epi32(RECIPROCAL as i32));
    _mm512_add_epi32(product, _mm512_set1_epi32((1 << (31 - D)) - EXCESS as i32 / 2))
}

/// Packs sixteen pairs of 2·`D` bits into 4·`D` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack<const D: usize>(pairs: V) -> V {
    // moves the lower pair up to the higher one, then both pairs down: 4·D bits per 64-bit lane
    let gap = 32 - 2 * D as i64;
    let up = _mm512_sllv_epi32(pairs, _mm512_set1_epi64(gap));
    let quads = _mm512_srlv_epi64(up, _mm512_set1_epi64(gap));
    let table = const { &PackTable::new(D) };
    // odd groups begin in the middle of a byte if 4·D bits are not whole bytes
    let quads = _mm512_mask_sllv_epi64(quads, 0xAA, quads, _mm512_set1_epi64(4 * D as i64 % 8));
    let even = _mm512_maskz_permutexvar_epi8(table.has_even, load_table(&table.even), quads);
    let odd = _mm512_maskz_permutexvar_epi8(table.has_odd, load_table(&table.odd), quads);
    _mm512_or_si512(even, odd)
}

/// The byte permutations that pack eight 64-bit lanes of 4·d bits each. Byte i of the result has bits of an even lane,
/// of an odd lane, or of both.
struct PackTable {
    even: [u8; 64],
    odd: [u8; 64],
    has_even: u64,
    has_odd: u64,
}

impl PackTable {
    const fn new(d: usize) -> Self {
        let mut table = Self { even: [0; 64], odd: [0; 64], has_even: 0, has_odd: 0 };
        let mut quad = 0;
        while quad < 8 {
            let (first_bit, mut byte) = (4 * d * quad, 0);
            // within the lane, the bits begin at bit `first_bit % 8`
            while 8 * byte < first_bit % 8 + 4 * d {
                let to = first_bit / 8 + byte;
                if quad % 2 == 0 {
                    table.even[to] = (8 * quad + byte) as u8;
                    table.has_even |= 1 << to;
                } else {
                    table.odd[to] = (8 * quad + byte) as u8;
                    table.has_odd |= 1 << to;
                }
                byte += 1;
            }
            quad += 1;
        }
        table
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn decode_and_decompress<const D: usize>(bytes: &[u8], f: &mut [i16; 256]) {
    for (bytes, f) in bytes.chunks_exact(4 * D).zip(vectors_mut(f)) {
        if D == 1 {
            let bits = u32::from_le_bytes(*bytes.first_chunk().expect("4·D bytes"));
            store(f, _mm512_maskz_set1_epi16(bits, Q / 2 + 1));
        } else {
            let y = unpack::<D>(load_bytes(bytes));
            store(f, if D == 12 { y } else { decompress::<D>(y) });
        }
    }
}

/// Computes Decompress_d, FIPS 203 equation (4.8): 2^(15 − d)·y·q/2¹⁵, rounded.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn decompress<const D: usize>(y: V) -> V {
    let shifted = _mm512_sllv_epi16(y, _mm512_set1_epi16(15 - D as i16));
    _mm512_mulhrs_epi16(shifted, _mm512_set1_epi16(Q))
}

/// Unpacks 32 coefficients of `D` bits, 4 ≤ `D` ≤ 12, from 4·`D` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn unpack<const D: usize>(bytes: V) -> V {
    let table = const { &UnpackTable::new(D) };
    let quads = _mm512_permutexvar_epi8(load_table(&table.bytes), bytes);
    let words = _mm512_multishift_epi64_epi8(load_table(&table.bits), quads);
    _mm512_and_si512(words, _mm512_set1_epi16(((1 << D) - 1) as i16))
}

/// The table with which [`unpack`] moves each coefficient into its lane. `bytes` selects, for each group of four
/// coefficients, the bytes that hold the group. `bits` holds, for each byte of a 16-bit lane, the bit position at which
/// this byte starts within the bytes of the group.
struct UnpackTable {
    bytes: [u8; 64],
    bits: [u8; 64],
}

impl UnpackTable {
    const fn new(d: usize) -> Self {
        let mut table = Self { bytes: [0; 64], bits: [0; 64] };
        let mut i = 0;
        while i < 64 {
            let (quad, byte) = (i / 8, i % 8);
            let first_bit = 4 * d * quad;
            table.bytes[i] = (first_bit / 8 + byte) as u8 % 64;
            table.bits[i] = ((first_bit % 8 + byte / 2 * d + 8 * (byte % 2)) % 64) as u8;
            i += 1;
        }
        table
    }
}
