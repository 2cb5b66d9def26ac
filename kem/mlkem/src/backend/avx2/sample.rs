//! Sampling: compares sixteen candidates at a time, and counts the bits of 32 bytes at a time.

use super::vector::{V, load_bytes, load_table, store, store_half};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use core::arch::x86_64::*;

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    let mut steps = bytes.as_chunks().0.iter();
    while filled + 16 <= N
        && let Some(step) = steps.next()
    {
        filled += accept(step, a_hat.0[filled..].first_chunk_mut().expect("16 are free"));
    }
    // at most 15 coefficients are missing; a step may accept more
    let (mut last, mut accepted) = ([0; 32], 0);
    let free = &mut a_hat.0[filled..];
    while accepted < free.len()
        && let Some(step) = steps.next()
    {
        accepted += accept(step, last[accepted..].first_chunk_mut().expect("16 bytes after the first 15"));
    }
    let copied = accepted.min(free.len());
    free[..copied].copy_from_slice(&last[..copied]);
    filled + copied
}

/// Reads 16 candidates from 24 bytes and writes those below q to the front of `to`. Returns the number of written
/// candidates. The rest of `to` then holds arbitrary values, which the next step overwrites.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn accept(bytes: &[u8; 24], to: &mut [i16; 16]) -> usize {
    let pairs = _mm256_shuffle_epi8(load_24(bytes), load_table(&SPREAD_12));
    // even candidates are the low 12 bits of their two bytes, odd ones the high 12
    let d = _mm256_blend_epi16::<0b1010_1010>(pairs, _mm256_srli_epi16::<4>(pairs));
    let d = _mm256_and_si256(d, _mm256_set1_epi16(0xFFF));
    let below = _mm256_cmpgt_epi16(_mm256_set1_epi16(Q), d);
    // each candidate has one mask byte, eight in each half
    let masks = _mm256_movemask_epi8(_mm256_packs_epi16(below, below)).to_le_bytes();
    let (low, high) = (masks[0], masks[2]);
    let first = low.count_ones() as usize;
    store_half(
        to.first_chunk_mut().expect("8 of 16 coefficients"),
        _mm_shuffle_epi8(_mm256_castsi256_si128(d), load_bytes(&COMPACTIONS[usize::from(low)])),
    );
    store_half(
        to[first..].first_chunk_mut().expect("8 of 16 coefficients"),
        _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(d), load_bytes(&COMPACTIONS[usize::from(high)])),
    );
    first + high.count_ones() as usize
}

#[target_feature(enable = "avx2")]
pub(super) fn cbd<const ETA: usize>(bytes: &[u8], f: &mut Poly) {
    if ETA == 2 {
        for (bytes, f) in bytes.as_chunks::<16>().0.iter().zip(f.0.as_chunks_mut::<32>().0) {
            cbd2(bytes, f);
        }
    } else {
        for (bytes, f) in bytes.as_chunks::<24>().0.iter().zip(f.0.as_chunks_mut::<32>().0) {
            cbd3(bytes, f);
        }
    }
}

/// Samples 32 coefficients, each from four bits.
#[inline]
#[target_feature(enable = "avx2")]
fn cbd2(bytes: &[u8; 16], f: &mut [i16; 32]) {
    let bits = load_bytes(bytes);
    let ones = |v| _mm_and_si128(v, _mm_set1_epi8(0x55));
    let twos = |v| _mm_and_si128(v, _mm_set1_epi8(0x33));
    let sums = _mm_add_epi8(ones(bits), ones(_mm_srli_epi16::<1>(bits)));
    // each half-byte holds x − y + 3
    let biased = _mm_sub_epi8(_mm_add_epi8(twos(sums), _mm_set1_epi8(0x33)), twos(_mm_srli_epi16::<2>(sums)));
    let unbias = |v| _mm_sub_epi8(_mm_and_si128(v, _mm_set1_epi8(15)), _mm_set1_epi8(3));
    let (even, odd) = (unbias(biased), unbias(_mm_srli_epi16::<4>(biased)));
    let [first, second] = f.as_chunks_mut().0 else { unreachable!("32 = 2·16") };
    store(first, _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(even, odd)));
    store(second, _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(even, odd)));
}

/// Samples 32 coefficients, each from six bits.
#[inline]
#[target_feature(enable = "avx2")]
fn cbd3(bytes: &[u8; 24], f: &mut [i16; 32]) {
    // each 32-bit lane holds three bytes, which are four coefficients
    let bits = _mm256_shuffle_epi8(load_24(bytes), load_table(&SPREAD_24));
    let ones = |v| _mm256_and_si256(v, _mm256_set1_epi32(0x24_9249));
    let sums = _mm256_add_epi32(
        ones(bits),
        _mm256_add_epi32(ones(_mm256_srli_epi32::<1>(bits)), ones(_mm256_srli_epi32::<2>(bits))),
    );
    // each group of six bits holds x − y + 3
    let threes = |v| _mm256_and_si256(v, _mm256_set1_epi32(0o07_07_07_07));
    let biased = _mm256_sub_epi32(
        _mm256_add_epi32(threes(sums), _mm256_set1_epi32(0o03_03_03_03)),
        threes(_mm256_srli_epi32::<3>(sums)),
    );
    let low = |v| _mm256_and_si256(v, _mm256_set1_epi32(7));
    let high = |v| _mm256_and_si256(v, _mm256_set1_epi32(7 << 16));
    let unbias = |v| _mm256_sub_epi16(v, _mm256_set1_epi16(3));
    let first = unbias(_mm256_or_si256(low(biased), high(_mm256_slli_epi32::<10>(biased))));
    let last =
        unbias(_mm256_or_si256(low(_mm256_srli_epi32::<12>(biased)), high(_mm256_srli_epi32::<2>(biased))));
    let (a, b) = (_mm256_unpacklo_epi32(first, last), _mm256_unpackhi_epi32(first, last));
    let [to_first, to_second] = f.as_chunks_mut().0 else { unreachable!("32 = 2·16") };
    store(to_first, _mm256_permute2x128_si256::<0x20>(a, b));
    store(to_second, _mm256_permute2x128_si256::<0x31>(a, b));
}

/// Loads bytes 0 to 15 into the lower half and bytes 8 to 23 into the upper half.
#[inline]
#[target_feature(enable = "avx2")]
fn load_24(bytes: &[u8; 24]) -> V {
    let low = load_bytes(bytes.first_chunk().expect("24 bytes"));
    let high = load_bytes(bytes.last_chunk().expect("24 bytes"));
    _mm256_set_m128i(high, low)
}

/// Selects 12 bytes from each half of the result of [`load_24`], as pairs (0, 1) (1, 2) (3, 4) (4, 5) ….
static SPREAD_12: [u8; 32] = {
    let mut table = [0; 32];
    let mut i = 0;
    while i < 32 {
        let (lane, byte) = (i % 16 / 2, i % 2);
        table[i] = (lane / 2 * 3 + lane % 2 + byte + i / 16 * 4) as u8;
        i += 1;
    }
    table
};

/// Selects 12 bytes from each half of the result of [`load_24`], three for each 32-bit lane.
static SPREAD_24: [u8; 32] = {
    const NONE: u8 = 0x80;
    let mut table = [NONE; 32];
    let mut i = 0;
    while i < 32 {
        if i % 4 < 3 {
            table[i] = (i % 16 / 4 * 3 + i % 4 + i / 16 * 4) as u8;
        }
        i += 1;
    }
    table
};

/// For each set of accepted candidates, the shuffle that moves them to the front. The index is public.
static COMPACTIONS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut accepted = 0;
    while accepted < 256 {
        let (mut bit, mut next) = (0, 0);
        while bit < 8 {
            if accepted >> bit & 1 == 1 {
                table[accepted][2 * next] = 2 * bit;
                table[accepted][2 * next + 1] = 2 * bit + 1;
                next += 1;
            }
            bit += 1;
        }
        accepted += 1;
    }
    table
};
