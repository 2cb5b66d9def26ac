//! Rejection sampling. Eight candidates are compared at once, and a table lookup moves the accepted ones to
//! the front.

use super::vector::{load_bytes, load_table, store};
use crate::backend::portable;
use crate::field::Q;
use crate::poly::{N, NttPoly, Poly};
use core::arch::x86_64::*;
use grille_core::ct;

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn reject_uniform(bytes: &[u8], a_hat: &mut NttPoly, mut filled: usize) -> usize {
    let mut rest = bytes;
    let spread = load_table(&SPREAD);
    // each step uses 24 bytes but loads 28, and writes eight coefficients
    while let (Some((low, _)), Some(to)) =
        (rest.split_first_chunk::<28>(), unfilled_chunk(&mut a_hat.0, filled))
    {
        let first = load_bytes(low.first_chunk().expect("28 bytes"));
        let second = load_bytes(low.last_chunk().expect("28 bytes"));
        let z = _mm256_shuffle_epi8(_mm256_set_m128i(second, first), spread);
        let z = _mm256_and_si256(z, _mm256_set1_epi32(0x7F_FFFF));
        let accepted = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(Q), z)));
        store(to, _mm256_permutevar8x32_epi32(z, _mm256_cvtepu8_epi32(compaction(accepted as u8))));
        filled += accepted.count_ones() as usize;
        rest = &rest[24..];
    }
    portable::reject_uniform(rest, a_hat, filled)
}

#[target_feature(enable = "avx2,popcnt")]
pub(super) fn reject_bounded<const ETA: i32>(bytes: &[u8], s: &mut Poly, mut filled: usize) -> usize {
    let coefficients = load_bytes(const { &coefficients::<ETA>() });
    let bound = _mm_set1_epi8(if ETA == 2 { 15 } else { 9 });
    let mut rest = bytes;
    // 8 bytes are 16 half-bytes
    while let Some((eight, after)) = rest.split_first_chunk::<8>()
        && filled + 16 <= N
    {
        let z = _mm_cvtsi64_si128(i64::from_le_bytes(*eight));
        let nibbles = _mm_unpacklo_epi8(z, _mm_srli_epi16::<4>(z));
        let nibbles = _mm_and_si128(nibbles, _mm_set1_epi8(15));
        // the comparison is public: the set of rejected candidates reveals nothing about the accepted ones
        let accepted = ct::public(_mm_movemask_epi8(_mm_cmpgt_epi8(bound, nibbles)));
        // a table lookup in a register, which is constant time
        let found = _mm_shuffle_epi8(coefficients, nibbles);
        for (found, accepted) in
            [(found, accepted as u8), (_mm_srli_si128::<8>(found), (accepted >> 8) as u8)]
        {
            let to = unfilled_chunk(&mut s.0, filled).expect("16 are free");
            store(to, _mm256_cvtepi8_epi32(_mm_shuffle_epi8(found, compaction(accepted))));
            filled += accepted.count_ones() as usize;
        }
        rest = after;
    }
    portable::reject_bounded::<ETA>(rest, s, filled)
}

/// Returns the eight coefficients starting at index `filled`. Returns `None` if fewer than eight remain.
#[inline(always)]
fn unfilled_chunk(coefficients: &mut [i32; N], filled: usize) -> Option<&mut [i32; 8]> {
    coefficients.get_mut(filled..)?.first_chunk_mut()
}

/// Returns a shuffle whose first bytes are the indices of the set bits of `accepted`.
///
/// The index of the table is public: rejections are part of the standard and independent of the accepted
/// values.
#[inline]
#[target_feature(enable = "avx2")]
fn compaction(accepted: u8) -> __m128i {
    _mm_cvtsi64_si128(i64::from_le_bytes(COMPACTIONS[usize::from(accepted)]))
}

static COMPACTIONS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut accepted = 0;
    while accepted < 256 {
        let (mut bit, mut next) = (0, 0);
        while bit < 8 {
            if accepted >> bit & 1 == 1 {
                table[accepted][next] = bit;
                next += 1;
            }
            bit += 1;
        }
        accepted += 1;
    }
    table
};

/// Spreads four groups of three bytes to four lanes of four bytes, in each half. The upper half holds bytes
/// 12 to 27.
static SPREAD: [u8; 32] = {
    const NONE: u8 = 0x80;
    let mut table = [NONE; 32];
    let mut i = 0;
    while i < 32 {
        if i % 4 < 3 {
            table[i] = ((i % 16) / 4 * 3 + i % 4) as u8;
        }
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
