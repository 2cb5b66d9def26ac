//! Chains of SHA-256 with the SHA extensions, four at a time, because each round of a single chain must wait
//! for the previous round.
//!
//! The first four words of ADRSᶜ are the same in every step, and so is the state after the first four rounds.

use super::sha256_input::{AdrsWords, WIDTH, length_field};
use crate::node::Node;
use core::arch::x86_64::*;
use grille_cpu::ShaNi;
use grille_hash::x86::{sha_ni_four_rounds, sha_ni_rounds};

pub(super) fn chain<const W: usize>(
    _: ShaNi,
    midstate: &[u32; 8],
    adrs: &[AdrsWords],
    values: &mut [Node; WIDTH],
    steps: u32,
) {
    for (adrs, values) in adrs.chunks(4).zip(values.as_chunks_mut::<4>().0) {
        // SAFETY: the token proves that the processor has the features.
        unsafe {
            match adrs.len() {
                ..=2 => kernel::<W, 2>(midstate, adrs, values, steps),
                _ => kernel::<W, 4>(midstate, adrs, values, steps),
            }
        }
    }
}

/// Computes `N` chains. If there are fewer than `N` addresses, the last address is used for the other chains.
#[target_feature(enable = "avx2,sha")]
fn kernel<const W: usize, const N: usize>(
    midstate: &[u32; 8],
    adrs: &[AdrsWords],
    values: &mut [Node; 4],
    steps: u32,
) {
    let [a, b, c, d, e, f, g, h] = midstate.map(u32::cast_signed);
    let before = [_mm_set_epi32(a, b, e, f), _mm_set_epi32(c, d, g, h)];
    let mut states = [before; N];
    let (mut first_words, mut last_of_adrs) = ([_mm_setzero_si128(); N], [_mm_setzero_si128(); N]);
    let mut m = [[_mm_setzero_si128(); 2]; N];
    for n in 0..N {
        let adrs = &adrs[n.min(adrs.len() - 1)];
        // SAFETY: the two loads of 16 bytes each are within 32 bytes, and need no alignment.
        unsafe {
            first_words[n] = _mm_loadu_si128(adrs.as_ptr().cast());
            last_of_adrs[n] = _mm_loadu_si128(adrs[4..].as_ptr().cast());
            m[n][0] = _mm_loadu_si128(values[n].as_ptr().cast());
            m[n][1] = _mm_loadu_si128(values[n][16..].as_ptr().cast());
        }
        states[n] = sha_ni_four_rounds::<0>(before, first_words[n]);
        m[n] = [swap_pairs_big_endian(m[n][0]), swap_pairs_big_endian(m[n][1])];
    }
    for _ in 0..steps {
        let mut w = [[_mm_setzero_si128(); 4]; N];
        for n in 0..N {
            w[n] = block::<W>(first_words[n], last_of_adrs[n], m[n]);
        }
        let after = sha_ni_rounds::<4, N>(states, w);
        for n in 0..N {
            let [abef, cdgh] = [0, 1].map(|i| _mm_add_epi32(after[n][i], before[i]));
            m[n] = [_mm_unpackhi_epi64(abef, cdgh), _mm_unpacklo_epi64(abef, cdgh)];
            last_of_adrs[n] = _mm_add_epi32(last_of_adrs[n], _mm_set_epi32(0, 0, 1 << 16, 0));
        }
    }
    for (value, m) in values.iter_mut().zip(m) {
        for (value, m) in value.as_chunks_mut::<16>().0.iter_mut().zip(m) {
            // SAFETY: the reference is valid for 16 bytes; the store needs no alignment.
            unsafe { _mm_storeu_si128(value.as_mut_ptr().cast(), swap_pairs_big_endian(m)) };
        }
    }
}

/// Swaps the words of each pair and reverses their bytes: big-endian words a, b, c, d become b, a, d, c, the lowest
/// first. Joining the halves of the state gives words in this order. The operation is its own inverse.
#[inline]
#[target_feature(enable = "avx2")]
fn swap_pairs_big_endian(bytes: __m128i) -> __m128i {
    _mm_shuffle_epi8(bytes, _mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8))
}

/// Returns the `_mm_shuffle_epi8` mask that moves bytes of `m[from]` into the words of the block starting at `4 to`.
/// Byte `i` of the message, which has 4 `words` bytes, becomes byte 22 + i. The words of `m` are in the order of
/// [`swap_pairs_big_endian`].
const fn shuffle_mask(words: usize, from: usize, to: usize) -> [i8; 16] {
    let mut moves = [-1; 16];
    let mut byte = 16 * from;
    while byte < 16 * (from + 1) && byte < 4 * words {
        let at = 22 + byte;
        if at / 16 == to {
            moves[(at % 16) ^ 3] = ((byte % 16) ^ 3 ^ 4) as i8;
        }
        byte += 1;
    }
    moves
}

/// Returns the padding after `words` words of message.
const fn padding(words: usize) -> [u32; 16] {
    let mut padding = [0; 16];
    padding[5 + words] = 0x8000;
    padding[15] = length_field(64 + 22 + 4 * words);
    padding
}

/// Returns the block ADRSᶜ ‖ M with its padding.
#[inline]
#[target_feature(enable = "avx2,sha")]
fn block<const W: usize>(first_words: __m128i, last_of_adrs: __m128i, m: [__m128i; 2]) -> [__m128i; 4] {
    let padding = const { padding(W) };
    // SAFETY: the reference is valid for 16 bytes; the load needs no alignment.
    let load = |bytes: &[i8; 16]| unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    // SAFETY: the loads cover four of 16 words, starting at word 8 or 12, and need no alignment.
    let padding = [8, 12].map(|at| unsafe { _mm_loadu_si128(padding.as_ptr().add(at).cast()) });
    let moved = |from: usize, moves: &[i8; 16]| _mm_shuffle_epi8(m[from], load(moves));
    let mut w = [
        first_words,
        _mm_or_si128(last_of_adrs, moved(0, &const { shuffle_mask(W, 0, 1) })),
        padding[0],
        padding[1],
    ];
    w[2] = _mm_or_si128(w[2], moved(0, &const { shuffle_mask(W, 0, 2) }));
    if W > 4 {
        w[2] = _mm_or_si128(w[2], moved(1, &const { shuffle_mask(W, 1, 2) }));
    }
    if W > 6 {
        w[3] = _mm_or_si128(w[3], moved(1, &const { shuffle_mask(W, 1, 3) }));
    }
    w
}
