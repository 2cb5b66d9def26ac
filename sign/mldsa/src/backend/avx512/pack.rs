//! Packing and unpacking of coefficients, sixteen at a time.

use super::vector::{V, load, load_low, load_table, low_mask, store, vectors, vectors_mut};
use crate::poly::Poly;
use core::arch::x86_64::*;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn bit_pack<const BITS: usize>(w: &Poly, b: i32, bytes: &mut [u8]) {
    let b = _mm512_set1_epi32(b);
    for (w, bytes) in vectors(&w.0).iter().zip(bytes.chunks_exact_mut(2 * BITS)) {
        pack::<BITS>(_mm512_sub_epi32(b, load(w)), bytes);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn simple_bit_pack<const BITS: usize>(w: &Poly, bytes: &mut [u8]) {
    for (w, bytes) in vectors(&w.0).iter().zip(bytes.chunks_exact_mut(2 * BITS)) {
        pack::<BITS>(load(w), bytes);
    }
}

/// Packs coefficients in [0, 2^`BITS`), `BITS` ≤ 20, into 2·`BITS` bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack<const BITS: usize>(v: V, bytes: &mut [u8]) {
    let table = const { &PackTable::new(BITS) };
    // moves the lower coefficient of a pair up to the higher one, then both down to their first bit in a byte
    let up = _mm512_sllv_epi32(v, _mm512_set1_epi64(32 - BITS as i64));
    let pairs = _mm512_srlv_epi64(up, load(&table.shift));
    let first = _mm512_permutexvar_epi8(load_table(&table.low_bits_source), pairs);
    let shared =
        _mm512_maskz_permutexvar_epi8(table.two_pair_bytes, load_table(&table.high_bits_source), pairs);
    store_low(bytes, _mm512_or_si512(first, shared));
}

/// Stores the first `bytes.len()` bytes of `v`, at most 64.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_low(bytes: &mut [u8], v: V) {
    // SAFETY: the mask has one bit for each byte of `bytes`; masked-out bytes are not written.
    unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), low_mask(bytes.len()), v) }
}

/// The shifts and permutations that join eight pairs of 2·`BITS` bits, each in 64 bits.
#[repr(C, align(64))]
struct PackTable {
    /// The number of bits by which each pair moves down, stored as 32-bit halves of 64-bit numbers.
    shift: [i32; 16],
    /// For each output byte, the index of the byte in the vector of shifted pairs that holds the lowest bit.
    low_bits_source: [u8; 64],
    /// For each output byte with bits of two pairs, the index of the first byte of the second pair in the vector.
    high_bits_source: [u8; 64],
    /// The mask of the output bytes that contain bits of two pairs.
    two_pair_bytes: u64,
}

impl PackTable {
    const fn new(bits: usize) -> Self {
        let mut table =
            Self { shift: [0; 16], low_bits_source: [0; 64], high_bits_source: [0; 64], two_pair_bytes: 0 };
        let mut pair = 0;
        while pair < 8 {
            table.shift[2 * pair] = (32 - bits - 2 * bits * pair % 8) as i32;
            pair += 1;
        }
        let mut byte = 0;
        while byte < 2 * bits {
            let pair = 8 * byte / (2 * bits);
            table.low_bits_source[byte] = (8 * pair + byte - 2 * bits * pair / 8) as u8;
            let next = 2 * bits * (pair + 1);
            if pair < 7 && next < 8 * (byte + 1) {
                table.high_bits_source[byte] = (8 * (pair + 1)) as u8;
                table.two_pair_bytes |= 1 << byte;
            }
            byte += 1;
        }
        table
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn bit_unpack<const BITS: usize>(bytes: &[u8], b: i32, w: &mut Poly) {
    let table = const { &UnpackTable::new(BITS) };
    let b = _mm512_set1_epi32(b);
    for (bytes, w) in bytes.chunks_exact(2 * BITS).zip(vectors_mut(&mut w.0)) {
        let spread = _mm512_permutexvar_epi8(load_table(&table.spread), load_low(bytes));
        let shifted = _mm512_srlv_epi32(spread, load(&table.shift));
        let value = _mm512_and_si512(shifted, _mm512_set1_epi32((1 << BITS) - 1));
        store(w, _mm512_sub_epi32(b, value));
    }
}

/// The start positions of the bits of each coefficient.
#[repr(C, align(64))]
struct UnpackTable {
    /// The indices of each coefficient's four bytes.
    spread: [u8; 64],
    /// The number of bits to drop before each coefficient, less than 8. A coefficient fits in four bytes,
    /// because 7 + 20 ≤ 32.
    shift: [i32; 16],
}

impl UnpackTable {
    const fn new(bits: usize) -> Self {
        let mut table = Self { spread: [0; 64], shift: [0; 16] };
        let mut i = 0;
        while i < 16 {
            table.shift[i] = (i * bits % 8) as i32;
            let mut byte = 0;
            while byte < 4 {
                table.spread[4 * i + byte] = (i * bits / 8 + byte) as u8;
                byte += 1;
            }
            i += 1;
        }
        table
    }
}
