//! Sampling: compares and compacts 32 candidates at a time, and counts the bits of 64 bytes at a time.

use super::vector::{V, load_bytes, load_table, store};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use core::arch::x86_64::*;

/// The number of bytes that hold 32 candidates.
const STEP: usize = 48;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
pub(super) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    let mut rest = bytes;
    while !rest.is_empty() && filled < N {
        let (now, later) = rest.split_at(rest.len().min(STEP));
        let (front, accepted) = accept(now);
        // compresses in a register and then stores, because compressing into memory is slow on some
        // processors
        if let Some(to) = a_hat.0[filled..].first_chunk_mut() {
            store(to, front);
        } else {
            let free = &mut a_hat.0[filled..];
            // SAFETY: the mask covers exactly the part of the array that is not filled yet.
            unsafe { _mm512_mask_storeu_epi16(free.as_mut_ptr(), (1 << free.len()) - 1, front) };
        }
        filled += accepted;
        rest = later;
    }
    filled.min(N)
}

/// Returns the candidates below q and their number, from up to 48 bytes, a multiple of 3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi2,popcnt")]
fn accept(bytes: &[u8]) -> (V, usize) {
    let pairs = _mm512_permutexvar_epi8(load_table(&SPREAD_12), load_bytes(bytes));
    // even candidates are the low 12 bits of their two bytes, odd ones the high 12
    let shifted = _mm512_mask_srli_epi16::<4>(pairs, 0xAAAA_AAAA, pairs);
    let d = _mm512_and_si512(shifted, _mm512_set1_epi16(0xFFF));
    let candidates = _bzhi_u32(u32::MAX, (bytes.len() / 3 * 2) as u32);
    let accepted = _mm512_mask_cmplt_epi16_mask(candidates, d, _mm512_set1_epi16(Q));
    (_mm512_maskz_compress_epi16(accepted, d), accepted.count_ones() as usize)
}

/// Selects two bytes for each candidate: (0, 1) (1, 2) (3, 4) (4, 5) ….
static SPREAD_12: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (lane, byte) = (i / 2, i % 2);
        table[i] = (lane / 2 * 3 + lane % 2 + byte) as u8;
        i += 1;
    }
    table
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
pub(super) fn cbd<const ETA: usize>(bytes: &[u8], f: &mut Poly) {
    if ETA == 2 {
        for (bytes, f) in bytes.as_chunks::<32>().0.iter().zip(f.0.as_chunks_mut::<64>().0) {
            cbd2(bytes, f);
        }
    } else {
        for (bytes, f) in bytes.as_chunks::<48>().0.iter().zip(f.0.as_chunks_mut::<64>().0) {
            cbd3(bytes, f);
        }
    }
}

/// Samples 64 coefficients, each from four bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn cbd2(bytes: &[u8; 32], f: &mut [i16; 64]) {
    // each 16-bit lane holds four coefficients
    let bits = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(load_bytes(bytes)));
    // the low byte of the lane takes the low half-byte, and the high byte takes the high one
    let halves = _mm512_or_si512(bits, _mm512_slli_epi16::<4>(bits));
    let halves = _mm512_and_si512(halves, _mm512_set1_epi8(0x0F));
    let difference = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table(&DIFFERENCES)), halves);
    let [low, high] = [_mm512_castsi512_si256(difference), _mm512_extracti64x4_epi64::<1>(difference)];
    store_both(f, _mm512_cvtepi8_epi16(low), _mm512_cvtepi8_epi16(high));
}

/// Samples 64 coefficients, each from six bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
fn cbd3(bytes: &[u8; 48], f: &mut [i16; 64]) {
    // each 32-bit lane holds three bytes, which are four coefficients
    let bits =
        _mm512_maskz_permutexvar_epi8(0x7777_7777_7777_7777, load_table(&SPREAD_24), load_bytes(bytes));
    let ones = _mm512_set1_epi32(0x24_9249);
    let sums = _mm512_add_epi32(
        _mm512_and_si512(bits, ones),
        _mm512_add_epi32(
            _mm512_and_si512(_mm512_srli_epi32::<1>(bits), ones),
            _mm512_and_si512(_mm512_srli_epi32::<2>(bits), ones),
        ),
    );
    // each group of six bits holds x and y; each byte of a lane takes one group
    let sixes = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(SIXES), sums);
    let sixes = _mm512_and_si512(sixes, _mm512_set1_epi8(0x3F));
    let x = _mm512_and_si512(sixes, _mm512_set1_epi8(7));
    let y = _mm512_and_si512(_mm512_srli_epi16::<3>(sixes), _mm512_set1_epi8(7));
    let difference = _mm512_sub_epi8(x, y);
    let [low, high] = [_mm512_castsi512_si256(difference), _mm512_extracti64x4_epi64::<1>(difference)];
    store_both(f, _mm512_cvtepi8_epi16(low), _mm512_cvtepi8_epi16(high));
}

/// The bit positions at which the eight groups of six bits in two 32-bit lanes start.
const SIXES: i64 = i64::from_le_bytes([0, 6, 12, 18, 32, 38, 44, 50]);

#[inline]
#[target_feature(enable = "avx512f")]
fn store_both(f: &mut [i16; 64], low: V, high: V) {
    let [to_low, to_high] = f.as_chunks_mut().0 else { unreachable!("64 = 2·32") };
    store(to_low, low);
    store(to_high, high);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn table(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// For each half-byte, the number of ones in the two lower bits minus that in the two upper bits.
static DIFFERENCES: [u8; 16] = {
    let mut table = [0; 16];
    let mut bits = 0usize;
    while bits < 16 {
        table[bits] = ((bits & 3).count_ones() as i8 - (bits >> 2).count_ones() as i8) as u8;
        bits += 1;
    }
    table
};

/// Selects three bytes for each 32-bit lane. The fourth byte of the lane is not used.
static SPREAD_24: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        if i % 4 < 3 {
            table[i] = (i / 4 * 3 + i % 4) as u8;
        }
        i += 1;
    }
    table
};
