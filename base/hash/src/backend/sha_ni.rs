//! SHA-256 with the SHA extensions: four messages interleaved, because one alone waits for its own rounds.

use crate::sha2_lanes::K256;
use core::arch::x86_64::*;
use grille_cpu::ShaNi;

/// Messages that are interleaved.
const STREAMS: usize = 4;

/// One block of each of 16 messages.
pub(super) fn compress256(_: ShaNi, states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16]) {
    // SAFETY: the token proves that the processor has the features.
    unsafe {
        kernel::<0>(states, blocks);
        kernel::<4>(states, blocks);
        kernel::<8>(states, blocks);
        kernel::<12>(states, blocks);
    }
}

/// The four messages from `FIRST` on; FIPS 180-4 section 6.2.2.
#[target_feature(enable = "avx2,sha")]
fn kernel<const FIRST: usize>(states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16]) {
    const { assert!(FIRST + STREAMS <= 16) };
    let mut w = [[_mm_setzero_si128(); 4]; STREAMS];
    for quarter in 0..4 {
        let rows = [0, 1, 2, 3].map(|i| row::<FIRST>(&blocks[4 * quarter + i]));
        for (w, words) in w.iter_mut().zip(transpose(rows)) {
            w[quarter] = words;
        }
    }
    // the instructions keep the state as ABEF and CDGH, highest word first
    let mut abef = transpose([
        row::<FIRST>(&states[5]),
        row::<FIRST>(&states[4]),
        row::<FIRST>(&states[1]),
        row::<FIRST>(&states[0]),
    ]);
    let mut cdgh = transpose([
        row::<FIRST>(&states[7]),
        row::<FIRST>(&states[6]),
        row::<FIRST>(&states[3]),
        row::<FIRST>(&states[2]),
    ]);
    let (abef_before, cdgh_before) = (abef, cdgh);
    for t in (0..64).step_by(4) {
        // SAFETY: four constants from t on, t ≤ 60.
        let k = unsafe { _mm_loadu_si128(K256.as_ptr().add(t).cast()) };
        for n in 0..STREAMS {
            let [w0, w1, w2, w3] = w[n];
            let wk = _mm_add_epi32(w0, k);
            cdgh[n] = _mm_sha256rnds2_epu32(cdgh[n], abef[n], wk);
            abef[n] = _mm_sha256rnds2_epu32(abef[n], cdgh[n], _mm_shuffle_epi32::<0x0E>(wk));
            // W_{t+16} … W_{t+19}; beyond the last round they are not used
            let next = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8::<4>(w3, w2));
            w[n] = [w1, w2, w3, _mm_sha256msg2_epu32(next, w3)];
        }
    }
    for n in 0..STREAMS {
        abef[n] = _mm_add_epi32(abef[n], abef_before[n]);
        cdgh[n] = _mm_add_epi32(cdgh[n], cdgh_before[n]);
    }
    for (rows, words) in [([5, 4, 1, 0], transpose(abef)), ([7, 6, 3, 2], transpose(cdgh))] {
        for (row, words) in rows.into_iter().zip(words) {
            // SAFETY: each row has four words from FIRST on.
            unsafe { _mm_storeu_si128(states[row].as_mut_ptr().add(FIRST).cast(), words) };
        }
    }
}

/// One word of each of the four messages.
#[inline]
#[target_feature(enable = "avx2,sha")]
fn row<const FIRST: usize>(row: &[u32; 16]) -> __m128i {
    // SAFETY: FIRST + 4 ≤ 16, as the kernel asserts.
    unsafe { _mm_loadu_si128(row.as_ptr().add(FIRST).cast()) }
}

/// Four rows become four columns.
#[inline]
#[target_feature(enable = "avx2,sha")]
fn transpose([a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
    let (ab_low, ab_high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    let (cd_low, cd_high) = (_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab_low, cd_low),
        _mm_unpackhi_epi64(ab_low, cd_low),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ]
}
