//! Conversion between coefficients and bit strings. 32 coefficients of `D` bits take 4·`D` bytes.

use super::vector::{V, load, load_bytes, load_table, store, store_bytes, vectors, vectors_mut};
use crate::params::EPS_Q;
use crate::ring::N;
use core::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn pack<const D: usize>(f: &[i16; N], bytes: &mut [u8]) {
    for (f, bytes) in vectors(f).iter().zip(bytes.chunks_exact_mut(4 * D)) {
        let f = load(f);
        if D == 1 {
            let bits = _mm512_test_epi16_mask(f, _mm512_set1_epi16(1));
            bytes.copy_from_slice(&bits.to_le_bytes());
        } else {
            store_bytes(bytes, pack_words::<D>(f));
        }
    }
}

/// Packs 32 coefficients modulo 2^`D` into 4·`D` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack_words<const D: usize>(f: V) -> V {
    let f = _mm512_and_si512(f, _mm512_set1_epi16((1 << D) - 1));
    // each 32-bit lane holds a pair: c₀ + 2^D·c₁
    let pairs = _mm512_madd_epi16(f, _mm512_set1_epi32(1 | 1 << (16 + D)));
    // in each 64-bit lane, moves the lower pair up to the higher pair, then both pairs down to bit 0, where
    // they take 4·D bits
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

/// The byte permutation that packs eight 64-bit lanes of 4·d bits. Byte i has bits of an even lane, of an odd lane, or
/// of both.
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
pub(super) fn unpack<const D: usize>(bytes: &[u8], f: &mut [i16; N]) {
    for (bytes, f) in bytes.chunks_exact(4 * D).zip(vectors_mut(f)) {
        if D == 1 {
            let bits = u32::from_le_bytes(*bytes.first_chunk().expect("4·D bytes"));
            store(f, _mm512_maskz_set1_epi16(bits, 1));
        } else {
            store(f, unpack_words::<D>(load_bytes(bytes)));
        }
    }
}

/// Unpacks 32 coefficients of `D` bits, 3 ≤ `D` ≤ 13, from 4·`D` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn unpack_words<const D: usize>(bytes: V) -> V {
    let table = const { &UnpackTable::new(D) };
    let quads = _mm512_permutexvar_epi8(load_table(&table.bytes), bytes);
    let words = _mm512_multishift_epi64_epi8(load_table(&table.bits), quads);
    if D == EPS_Q {
        return _mm512_srai_epi16::<3>(_mm512_slli_epi16::<3>(words));
    }
    _mm512_and_si512(words, _mm512_set1_epi16((1 << D) - 1))
}

const _: () = assert!(EPS_Q + 3 == 16);

/// The tables for unpacking eight groups of four coefficients. `bytes` holds the indices of the eight bytes
/// that contain each group. For each byte of the coefficients, `bits` holds the position of its first bit
/// within the 64 bits of these eight bytes.
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
