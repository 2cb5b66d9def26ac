//! Rejection sampling. Sixteen or more candidates are compared at once, and the accepted ones move to the
//! front of a register.
//!
//! The code stores whole vectors, because compression to memory is microcoded on some processors.

use super::vector::{V, load_low, load_table, store};
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use core::arch::x86_64::*;
use grille_core::ct;

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    let mut rest = bytes;
    // each step uses 48 of 64 loaded bytes, and writes 16 coefficients
    while let (Some((group, _)), Some(to)) = (rest.split_first_chunk(), unfilled_chunk(&mut a_hat.0, filled))
    {
        let (z, accepted) = candidates(load_table(group));
        store(to, _mm512_maskz_compress_epi32(accepted, z));
        filled += accepted.count_ones() as usize;
        rest = &rest[48..];
    }
    for group in rest.chunks(48) {
        if filled == N {
            break;
        }
        let (z, accepted) = candidates(load_low(group));
        let accepted = accepted & (0xFFFF >> (16 - group.len() / 3));
        store_low(&mut a_hat.0[filled..], _mm512_maskz_compress_epi32(accepted, z));
        filled = N.min(filled + accepted.count_ones() as usize);
    }
    filled
}

/// Returns sixteen candidates from 48 bytes, and the mask of those below q: CoeffFromThreeBytes, FIPS 204 Algorithm 14.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn candidates(bytes: V) -> (V, __mmask16) {
    let z = _mm512_permutexvar_epi8(load_table(&SPREAD), bytes);
    let z = _mm512_and_si512(z, _mm512_set1_epi32(0x7F_FFFF));
    (z, _mm512_cmplt_epi32_mask(z, _mm512_set1_epi32(Q)))
}

/// Returns the sixteen coefficients starting at index `filled`. Returns `None` if fewer than sixteen remain.
#[inline(always)]
fn unfilled_chunk(coefficients: &mut [i32; N], filled: usize) -> Option<&mut [i32; 16]> {
    coefficients.get_mut(filled..)?.first_chunk_mut()
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,popcnt")]
pub(super) fn reject_bounded<const ETA: i32>(bytes: &[u8], s: &mut Poly, mut filled: usize) -> usize {
    let coefficients = _mm512_broadcast_i32x4(load_half_bytes(const { &coefficients::<ETA>() }));
    let bound = _mm512_set1_epi8(if ETA == 2 { 15 } else { 9 });
    // 32 bytes are 64 half-bytes
    for group in bytes.chunks(32) {
        let nibbles = half_bytes(group);
        let candidates = u64::MAX >> (64 - 2 * group.len());
        // the comparison is public: the set of rejected candidates reveals nothing about the accepted ones
        let accepted = ct::public(_mm512_mask_cmplt_epu8_mask(candidates, nibbles, bound));
        // a table lookup in a register, which is constant time
        let found = _mm512_maskz_compress_epi8(accepted, _mm512_shuffle_epi8(coefficients, nibbles));
        for (part, to) in quarters(found).into_iter().zip(s.0[filled..].chunks_mut(16)) {
            store_low(to, _mm512_cvtepi8_epi32(part));
        }
        filled = N.min(filled + accepted.count_ones() as usize);
    }
    filled
}

/// Stores as many coefficients as fit into `to`, at least one and at most 16.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_low(to: &mut [i32], v: V) {
    debug_assert!(!to.is_empty());
    // SAFETY: the mask has one bit for each of at most 16 numbers of `to`; masked-out numbers are not written.
    unsafe { _mm512_mask_storeu_epi32(to.as_mut_ptr(), 0xFFFF >> (16 - to.len().min(16)), v) }
}

/// Splits up to 32 bytes into 64 half-bytes, low halves before high ones.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn half_bytes(bytes: &[u8]) -> V {
    let words = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(load_low(bytes)));
    let both = _mm512_or_si512(words, _mm512_slli_epi16::<4>(words));
    _mm512_and_si512(both, _mm512_set1_epi8(15))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn quarters(v: V) -> [__m128i; 4] {
    [
        _mm512_castsi512_si128(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_half_bytes(from: &[u8; 16]) -> __m128i {
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Spreads sixteen groups of three bytes to sixteen lanes of four bytes. The fourth byte is masked out later.
static SPREAD: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (i / 4 * 3 + i % 4) as u8;
        i += 1;
    }
    table
};

/// Returns CoeffFromHalfByte, FIPS 204 Algorithm 15, as a table. Rejected values map to 0.
const fn coefficients<const ETA: i32>() -> [u8; 16] {
    let mut table = [0; 16];
    let mut b = 0;
    while b < 16 {
        table[b as usize] = if ETA == 2 { 2 - b % 5 } else { 4 - b } as u8;
        b += 1;
    }
    table
}
