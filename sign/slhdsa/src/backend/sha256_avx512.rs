//! Chains of SHA-256 with AVX-512. All 16 chains stay in registers from step to step.
//!
//! The rounds that depend only on words of ADRSᶜ give the same result in every step, so they are computed
//! only once.

use super::sha256_input::{AdrsWords, Seed, WIDTH, Word, length_field};
use crate::node::Node;
use core::arch::x86_64::*;
use grille_cpu::Avx512;
use grille_hash::sha2_lanes::IV256;
use grille_hash::x86::{K256, sha256_round, sha256_rounds};

/// One word of each message.
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

/// Advances chains whose words are already interleaved. Increases the last words of `adrs`.
pub(super) fn advance<const W: usize, const MASKED: bool>(
    _: Avx512,
    seed: &Seed,
    adrs: &mut [Word; 6],
    message: &mut [Word; W],
    steps: u32,
) {
    // SAFETY: the token proves that the processor has the features.
    unsafe { advance_kernel::<W, MASKED>(seed, adrs, message, steps) }
}

/// Applies H to up to 16 pairs of children.
pub(super) fn nodes<const W: usize>(
    _: Avx512,
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    children: &[[Node; 2]],
    parents: &mut [Node],
) {
    // SAFETY: the token proves that the processor has the features.
    unsafe { nodes_kernel::<W>(seed, adrs, children, parents) }
}

/// Computes SHA-256(`secret` ‖ ADRSᶜ), where the secret has n = 4 `W` bytes.
pub(super) fn prf_round3<const W: usize>(
    _: Avx512,
    secret: &[u32; 8],
    adrs: &[AdrsWords; WIDTH],
    values: &mut [Node],
) {
    // SAFETY: the token proves that the processor has the features.
    unsafe { secret_kernel::<W>(secret, adrs, values) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn kernel<const W: usize, const MASKED: bool>(
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    values: &mut [Node; WIDTH],
    steps: u32,
) {
    let mut rows = [_mm512_setzero_si512(); 16];
    for (row, value) in rows.iter_mut().zip(&*values) {
        // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
        *row = _mm512_zextsi256_si512(unsafe { _mm256_loadu_si256(value.as_ptr().cast()) });
    }
    let columns = transpose(rows);
    let mut m: [Lanes; W] = core::array::from_fn(|i| columns[i]);
    for m in &mut m {
        *m = swap_bytes(*m);
    }
    follow::<W, MASKED>(seed, &mut addresses(adrs), &mut m, steps);
    write(&m, values);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn advance_kernel<const W: usize, const MASKED: bool>(
    seed: &Seed,
    adrs: &mut [Word; 6],
    message: &mut [Word; W],
    steps: u32,
) {
    let (mut a, mut m) = ([_mm512_setzero_si512(); 6], [_mm512_setzero_si512(); W]);
    for (lanes, words) in a.iter_mut().chain(&mut m).zip(adrs.iter().chain(&*message)) {
        // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
        *lanes = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    }
    follow::<W, MASKED>(seed, &mut a, &mut m, steps);
    for (lanes, words) in a[5..].iter().chain(&m).zip(adrs[5..].iter_mut().chain(message)) {
        // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), *lanes) };
    }
}

/// Advances the chains by `steps` steps.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
fn follow<const W: usize, const MASKED: bool>(
    seed: &Seed,
    adrs: &mut [Lanes; 6],
    m: &mut [Lanes; W],
    steps: u32,
) {
    let before = broadcast(&seed.midstate);
    let state = first_rounds(before, &adrs[..5]);
    let mask_begun =
        if MASKED { first_rounds(broadcast(&IV256), &mask_block::<W>(seed, adrs)[..W + 5]) } else { state };
    for _ in 0..steps {
        if MASKED {
            let mask = mask::<W>(mask_begun, &mask_block::<W>(seed, adrs));
            m.iter_mut().zip(mask).for_each(|(m, mask)| *m = _mm512_xor_si512(*m, mask));
        }
        let block = block(adrs, m);
        let after = match W {
            4 => sha256_rounds::<5, 10>(state, block),
            6 => sha256_rounds::<5, 12>(state, block),
            _ => sha256_rounds::<5, 14>(state, block),
        };
        for (m, (before, after)) in m.iter_mut().zip(before.into_iter().zip(after)) {
            *m = _mm512_add_epi32(before, after);
        }
        adrs[5] = _mm512_add_epi32(adrs[5], _mm512_set1_epi32(1 << 16));
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn nodes_kernel<const W: usize>(
    seed: &Seed,
    adrs: &[AdrsWords; WIDTH],
    children: &[[Node; 2]],
    parents: &mut [Node],
) {
    let mut rows = [_mm512_setzero_si512(); 16];
    for (row, pair) in rows.iter_mut().zip(children) {
        // SAFETY: a pair consists of two values of 32 bytes; the load needs no alignment.
        *row = unsafe { _mm512_loadu_si512(pair.as_ptr().cast()) };
    }
    let columns = transpose(rows);
    let mut w = [_mm512_setzero_si512(); 32];
    w[..6].copy_from_slice(&addresses(adrs));
    for i in 0..2 * W {
        // the right child starts after eight words
        let m = swap_bytes(columns[i % W + 8 * (i / W)]);
        w[5 + i] = _mm512_or_si512(w[5 + i], _mm512_srli_epi32::<16>(m));
        w[6 + i] = _mm512_slli_epi32::<16>(m);
    }
    w[5 + 2 * W] = _mm512_or_si512(w[5 + 2 * W], _mm512_set1_epi32(0x8000));
    let length = _mm512_set1_epi32(length_field(64 + 22 + 8 * W).cast_signed());
    let (first, second) = w.split_at_mut(16);
    let (first, second): (&mut [Lanes; 16], &mut [Lanes; 16]) =
        (first.try_into().expect("16 of 32"), second.try_into().expect("16 of 32"));
    let before = broadcast(&seed.midstate);
    let state = if W == 4 {
        first[15] = length;
        sum(before, sha256_rounds::<0, 14>(before, *first))
    } else {
        second[15] = length;
        let between = sum(before, sha256_rounds::<0, 15>(before, *first));
        sum(between, sha256_rounds::<0, 6>(between, *second))
    };
    write(&state[..W], parents);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn secret_kernel<const W: usize>(secret: &[u32; 8], adrs: &[AdrsWords; WIDTH], values: &mut [Node]) {
    let mut w = [_mm512_setzero_si512(); 16];
    w[..W].copy_from_slice(&broadcast(secret)[..W]);
    w[W..W + 6].copy_from_slice(&addresses(adrs));
    w[W + 5] = _mm512_or_si512(w[W + 5], _mm512_set1_epi32(0x8000));
    w[15] = _mm512_set1_epi32(length_field(4 * W + 22).cast_signed());
    let before = broadcast(&IV256);
    let after = match W {
        4 => sha256_rounds::<0, 10>(before, w),
        6 => sha256_rounds::<0, 12>(before, w),
        _ => sha256_rounds::<0, 14>(before, w),
    };
    write(&sum(before, after)[..W], values);
}

/// Loads the words of ADRSᶜ, interleaved.
#[inline]
#[target_feature(enable = "avx512f")]
fn addresses(adrs: &[AdrsWords; WIDTH]) -> [Lanes; 6] {
    let mut rows = [_mm512_setzero_si512(); 16];
    for (row, adrs) in rows.iter_mut().zip(adrs) {
        // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
        *row = _mm512_zextsi256_si512(unsafe { _mm256_loadu_si256(adrs.as_ptr().cast()) });
    }
    let [a, b, c, d, e, f, ..] = transpose(rows);
    [a, b, c, d, e, f]
}

/// Writes up to eight words of each message to the first bytes of the value with the same index, and zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn write(words: &[Lanes], values: &mut [Node]) {
    let mut columns = [_mm512_setzero_si512(); 16];
    for (column, words) in columns.iter_mut().zip(words) {
        *column = swap_bytes(*words);
    }
    for (value, row) in values.iter_mut().zip(transpose(columns)) {
        // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(value.as_mut_ptr().cast(), _mm512_castsi512_si256(row)) };
    }
}

/// Transposes a 16×16 matrix of words: word `j` of row `i` becomes word `i` of row `j`.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose(rows: [Lanes; 16]) -> [Lanes; 16] {
    // within each quarter of a row, combines words of two rows, and then of four rows
    let (mut two, mut four, mut eight, mut all) = (rows, rows, rows, rows);
    for i in 0..8 {
        two[2 * i] = _mm512_unpacklo_epi32(rows[2 * i], rows[2 * i + 1]);
        two[2 * i + 1] = _mm512_unpackhi_epi32(rows[2 * i], rows[2 * i + 1]);
    }
    for i in 0..4 {
        four[4 * i] = _mm512_unpacklo_epi64(two[4 * i], two[4 * i + 2]);
        four[4 * i + 1] = _mm512_unpackhi_epi64(two[4 * i], two[4 * i + 2]);
        four[4 * i + 2] = _mm512_unpacklo_epi64(two[4 * i + 1], two[4 * i + 3]);
        four[4 * i + 3] = _mm512_unpackhi_epi64(two[4 * i + 1], two[4 * i + 3]);
    }
    // four[4 i + j] holds the words j, j + 4, j + 8 and j + 12 of the rows 4 i to 4 i + 3: its quarter q holds word j +
    // 4 q of each row
    for j in 0..4 {
        eight[j] = _mm512_shuffle_i32x4::<0x88>(four[j], four[4 + j]);
        eight[4 + j] = _mm512_shuffle_i32x4::<0xDD>(four[j], four[4 + j]);
        eight[8 + j] = _mm512_shuffle_i32x4::<0x88>(four[8 + j], four[12 + j]);
        eight[12 + j] = _mm512_shuffle_i32x4::<0xDD>(four[8 + j], four[12 + j]);
    }
    for j in 0..4 {
        all[j] = _mm512_shuffle_i32x4::<0x88>(eight[j], eight[8 + j]);
        all[8 + j] = _mm512_shuffle_i32x4::<0xDD>(eight[j], eight[8 + j]);
        all[4 + j] = _mm512_shuffle_i32x4::<0x88>(eight[4 + j], eight[12 + j]);
        all[12 + j] = _mm512_shuffle_i32x4::<0xDD>(eight[4 + j], eight[12 + j]);
    }
    all
}

/// Reverses the bytes of each word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn swap_bytes(words: Lanes) -> Lanes {
    let order = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    _mm512_shuffle_epi8(words, _mm512_broadcast_i32x4(order))
}

/// Copies each word to the lanes of all messages.
#[inline]
#[target_feature(enable = "avx512f")]
fn broadcast(words: &[u32; 8]) -> [Lanes; 8] {
    words.map(|word| _mm512_set1_epi32(word.cast_signed()))
}

/// Computes the first rounds, whose message words `words` are the same in every step.
#[inline]
#[target_feature(enable = "avx512f")]
fn first_rounds(mut s: [Lanes; 8], words: &[Lanes]) -> [Lanes; 8] {
    for (w, k) in words.iter().zip(K256) {
        s = sha256_round(s, _mm512_add_epi32(*w, _mm512_set1_epi32(k.cast_signed())));
    }
    s
}

/// Returns the block ADRSᶜ ‖ M with its padding.
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
    w[15] = _mm512_set1_epi32(length_field(64 + 22 + 4 * W).cast_signed());
    w
}

/// Returns the block PK.seed ‖ ADRSᶜ ‖ toByte(0, 4) with its padding. Omits the length if another block must
/// follow.
#[inline]
#[target_feature(enable = "avx512f")]
fn mask_block<const W: usize>(seed: &Seed, adrs: &[Lanes; 6]) -> [Lanes; 16] {
    let mut w = [_mm512_setzero_si512(); 16];
    w[..W].copy_from_slice(&broadcast(&seed.words)[..W]);
    w[W..W + 6].copy_from_slice(adrs);
    w[W + 6] = _mm512_set1_epi32(0x8000);
    if W + 6 < 14 {
        w[15] = _mm512_set1_epi32(length_field(4 * W + 26).cast_signed());
    }
    w
}

/// Computes MGF1-SHA-256(PK.seed ‖ ADRSᶜ, n) from the state after W + 5 rounds.
#[inline]
#[target_feature(enable = "avx512f")]
fn mask<const W: usize>(state: [Lanes; 8], block: &[Lanes; 16]) -> [Lanes; 8] {
    let after = match W {
        4 => sha256_rounds::<9, 11>(state, *block),
        6 => sha256_rounds::<11, 13>(state, *block),
        _ => sha256_rounds::<13, 15>(state, *block),
    };
    let state = sum(broadcast(&IV256), after);
    if W + 6 < 14 {
        return state;
    }
    let mut w = [_mm512_setzero_si512(); 16];
    w[15] = _mm512_set1_epi32(length_field(4 * W + 26).cast_signed());
    sum(state, sha256_rounds::<0, 0>(state, w))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sum(a: [Lanes; 8], b: [Lanes; 8]) -> [Lanes; 8] {
    core::array::from_fn(|i| _mm512_add_epi32(a[i], b[i]))
}
