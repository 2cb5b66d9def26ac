//! Chains of SHA-256 with AVX-512: all 16 stay in registers from step to step.
//!
//! The rounds that take words of ADRSᶜ alone are the same in every step, and are made once.

use super::sha256::{AdrsWords, Seed, WIDTH, bits};
use crate::family::Node;
use core::arch::x86_64::*;
use grille_cpu::Avx512;
use grille_hash::sha2_lanes::IV256;
use grille_hash::x86::{K256, sha256_round, sha256_rounds};

/// A word of each message.
type Lanes = __m512i;

pub(super) fn chain<const W: usize, const MASKED: bool>(
    _: Avx512,
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    values: &mut [Node; WIDTH],
    steps: u32,
) {
    // SAFETY: the token proves that the processor has the features.
    unsafe { kernel::<W, MASKED>(seed, adrs, values, steps) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn kernel<const W: usize, const MASKED: bool>(
    seed: &Seed,
    adrs_words: &[AdrsWords; WIDTH],
    values: &mut [Node; WIDTH],
    steps: u32,
) {
    let (mut adrs, mut m) = ([_mm512_setzero_si512(); 6], [_mm512_setzero_si512(); W]);
    for (i, word) in adrs.iter_mut().enumerate() {
        // SAFETY: the words `i` of 16 rows of 32 bytes.
        *word = unsafe { _mm512_i32gather_epi32::<4>(rows(), adrs_words.as_ptr().cast::<i32>().add(i)) };
    }
    for (i, word) in m.iter_mut().enumerate() {
        // SAFETY: as above.
        *word = swapped(unsafe { _mm512_i32gather_epi32::<4>(rows(), values.as_ptr().cast::<i32>().add(i)) });
    }
    let before = broadcast(&seed.midstate);
    let begun = begin(before, &adrs[..5]);
    let mask_begun =
        if MASKED { begin(broadcast(&IV256), &mask_block::<W>(seed, &adrs)[..W + 5]) } else { begun };
    for _ in 0..steps {
        if MASKED {
            let mask = mask::<W>(mask_begun, &mask_block::<W>(seed, &adrs));
            m.iter_mut().zip(mask).for_each(|(m, mask)| *m = _mm512_xor_si512(*m, mask));
        }
        let block = block(&adrs, &m);
        let after = match W {
            4 => sha256_rounds::<5, 10>(begun, block),
            6 => sha256_rounds::<5, 12>(begun, block),
            _ => sha256_rounds::<5, 14>(begun, block),
        };
        for (m, (before, after)) in m.iter_mut().zip(before.into_iter().zip(after)) {
            *m = _mm512_add_epi32(before, after);
        }
        adrs[5] = _mm512_add_epi32(adrs[5], _mm512_set1_epi32(1 << 16));
    }
    for (i, word) in m.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe {
            _mm512_i32scatter_epi32::<4>(values.as_mut_ptr().cast::<i32>().add(i), rows(), swapped(word));
        };
    }
}

/// Where rows of eight words begin.
#[inline]
#[target_feature(enable = "avx512f")]
fn rows() -> Lanes {
    _mm512_setr_epi32(0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120)
}

/// The bytes of each word in the opposite order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swapped(words: Lanes) -> Lanes {
    let order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(order))
}

/// The same words in all messages.
#[inline]
#[target_feature(enable = "avx512f")]
fn broadcast(words: &[u32; 8]) -> [Lanes; 8] {
    words.map(|word| _mm512_set1_epi32(word.cast_signed()))
}

/// The first rounds, of words that stay the same.
#[inline]
#[target_feature(enable = "avx512f")]
fn begin(mut s: [Lanes; 8], words: &[Lanes]) -> [Lanes; 8] {
    for (w, k) in words.iter().zip(K256) {
        s = sha256_round(s, _mm512_add_epi32(*w, _mm512_set1_epi32(k.cast_signed())));
    }
    s
}

/// ADRSᶜ ‖ M and the padding.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn block<const W: usize>(adrs: &[Lanes; 6], m: &[Lanes; W]) -> [Lanes; 16] {
    let mut w = [_mm512_setzero_si512(); 16];
    w[..6].copy_from_slice(adrs);
    w[5] = _mm512_or_si512(adrs[5], _mm512_srli_epi32::<16>(m[0]));
    for i in 1..W {
        w[5 + i] = _mm512_shldi_epi32::<16>(m[i - 1], m[i]);
    }
    w[5 + W] = _mm512_or_si512(_mm512_slli_epi32::<16>(m[W - 1]), _mm512_set1_epi32(0x8000));
    w[15] = _mm512_set1_epi32(bits(64 + 22 + 4 * W).cast_signed());
    w
}

/// PK.seed ‖ ADRSᶜ ‖ toByte(0, 4) and the padding, without the length if another block must follow.
#[inline]
#[target_feature(enable = "avx512f")]
fn mask_block<const W: usize>(seed: &Seed, adrs: &[Lanes; 6]) -> [Lanes; 16] {
    let mut w = [_mm512_setzero_si512(); 16];
    w[..W].copy_from_slice(&broadcast(&seed.words)[..W]);
    w[W..W + 6].copy_from_slice(adrs);
    w[W + 6] = _mm512_set1_epi32(0x8000);
    if W + 6 < 14 {
        w[15] = _mm512_set1_epi32(bits(4 * W + 26).cast_signed());
    }
    w
}

/// MGF1-SHA-256(PK.seed ‖ ADRSᶜ, n) from the state after W + 5 rounds.
#[inline]
#[target_feature(enable = "avx512f")]
fn mask<const W: usize>(begun: [Lanes; 8], block: &[Lanes; 16]) -> [Lanes; 8] {
    let after = match W {
        4 => sha256_rounds::<9, 11>(begun, *block),
        6 => sha256_rounds::<11, 13>(begun, *block),
        _ => sha256_rounds::<13, 15>(begun, *block),
    };
    let state = sum(broadcast(&IV256), after);
    if W + 6 < 14 {
        return state;
    }
    let mut w = [_mm512_setzero_si512(); 16];
    w[15] = _mm512_set1_epi32(bits(4 * W + 26).cast_signed());
    sum(state, sha256_rounds::<0, 0>(state, w))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum(a: [Lanes; 8], b: [Lanes; 8]) -> [Lanes; 8] {
    core::array::from_fn(|i| _mm512_add_epi32(a[i], b[i]))
}
