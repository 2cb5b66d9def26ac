//! SHA-256 with the SHA extensions. Messages are interleaved, because each round of a single message must
//! wait for the previous round.

use crate::sha2_lanes::K256;
use core::arch::x86_64::*;
use core::array;
use grille_cpu::ShaNi;

/// Compresses one block of each of the first `count` of 16 messages. May also compress blocks of the other
/// messages.
pub(super) fn compress256(_: ShaNi, states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16], count: usize) {
    let kernels = [kernel::<0>, kernel::<4>, kernel::<8>, kernel::<12>];
    for (i, kernel) in kernels[..count.div_ceil(4)].iter().enumerate() {
        // SAFETY: the token proves that the processor has the features.
        unsafe { kernel(states, blocks, 4.min(count - 4 * i)) }
    }
}

/// Compresses one block of at least the first `count` of the four messages starting at `FIRST`, FIPS 180-4 section
/// 6.2.2.
///
/// Four messages at once take less time than two pairs, although their words and states do not fit in the
/// registers.
#[target_feature(enable = "avx2,sha")]
fn kernel<const FIRST: usize>(states: &mut [[u32; 16]; 8], blocks: &[[u32; 16]; 16], count: usize) {
    const { assert!(FIRST + 4 <= 16) };
    let mut w = [[_mm_setzero_si128(); 4]; 4];
    for quarter in 0..4 {
        let rows = [0, 1, 2, 3].map(|i| row::<FIRST>(&blocks[4 * quarter + i]));
        for (w, words) in w.iter_mut().zip(transpose(rows)) {
            w[quarter] = words;
        }
    }
    // the instructions expect the state as ABEF and CDGH, highest word first
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
    match count {
        ..=2 => compress::<2>(&mut abef, &mut cdgh, &w),
        _ => compress::<4>(&mut abef, &mut cdgh, &w),
    }
    for (rows, words) in [([5, 4, 1, 0], transpose(abef)), ([7, 6, 3, 2], transpose(cdgh))] {
        for (row, words) in rows.into_iter().zip(words) {
            // SAFETY: each row has four words starting at FIRST.
            unsafe { _mm_storeu_si128(states[row].as_mut_ptr().add(FIRST).cast(), words) };
        }
    }
}

/// Computes all rounds of the first `N` of four messages. `w` contains their blocks.
#[inline]
#[target_feature(enable = "avx2,sha")]
fn compress<const N: usize>(abef: &mut [__m128i; 4], cdgh: &mut [__m128i; 4], w: &[[__m128i; 4]; 4]) {
    let before = array::from_fn(|n| [abef[n], cdgh[n]]);
    let after = sha_ni_rounds::<0, N>(before, array::from_fn(|n| w[n]));
    for (n, [abef_after, cdgh_after]) in after.into_iter().enumerate() {
        abef[n] = _mm_add_epi32(abef_after, abef[n]);
        cdgh[n] = _mm_add_epi32(cdgh_after, cdgh[n]);
    }
}

/// Computes the rounds from round `FROM` (0 or 4) to the last one on `N` states, for which the rounds before `FROM` have
/// been computed. `w` contains the blocks.
///
/// A state consists of two vectors: the words f, e, b, a and the words h, g, d, c, lowest first.
///
/// # Safety
/// The processor must have AVX2 and the SHA extensions.
#[inline]
#[target_feature(enable = "avx2,sha")]
pub fn sha_ni_rounds<const FROM: usize, const N: usize>(
    mut states: [[__m128i; 2]; N],
    mut w: [[__m128i; 4]; N],
) -> [[__m128i; 2]; N] {
    // unrolled, because in a loop the words would move from register to register
    macro_rules! rounds {
        ($($t:literal)*) => {$(
            for n in 0..N {
                let [w0, w1, w2, w3] = [0, 1, 2, 3].map(|i| w[n][($t / 4 + i) % 4]);
                if $t >= FROM {
                    states[n] = sha_ni_four_rounds::<$t>(states[n], w0);
                }
                if $t < 48 {
                    // W_{t+16} … W_{t+19}
                    let next = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8::<4>(w3, w2));
                    w[n][$t / 4 % 4] = _mm_sha256msg2_epu32(next, w3);
                }
            }
        )*};
    }
    rounds!(0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60);
    states
}

/// Computes the rounds `T` to `T + 3` on a state laid out as for [`sha_ni_rounds`].
///
/// # Safety
/// The processor must have AVX2 and the SHA extensions.
#[inline]
#[target_feature(enable = "avx2,sha")]
pub fn sha_ni_four_rounds<const T: usize>([abef, cdgh]: [__m128i; 2], w: __m128i) -> [__m128i; 2] {
    const { assert!(T <= 60) };
    // SAFETY: the table has four constants starting at T.
    let wk = _mm_add_epi32(w, unsafe { _mm_loadu_si128(K256.as_ptr().add(T).cast()) });
    let cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
    [_mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32::<0x0E>(wk)), cdgh]
}

/// Loads one word of each of the four messages.
#[inline]
#[target_feature(enable = "avx2,sha")]
fn row<const FIRST: usize>(row: &[u32; 16]) -> __m128i {
    // SAFETY: FIRST + 4 ≤ 16, as the kernel asserts.
    unsafe { _mm_loadu_si128(row.as_ptr().add(FIRST).cast()) }
}

/// Transposes four rows into four columns.
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
