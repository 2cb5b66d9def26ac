//! Columns of 32 numbers in two vectors each; see [`columns`](crate::backend::columns).

use super::product::V;
use crate::backend::hankel::{Column, byte_indices};
use core::arch::asm;
use core::arch::x86_64::*;

/// Implements [`Lanes::multiply_columns`](crate::backend::hankel::Lanes::multiply_columns).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn multiply<const N: usize>(
    d: &[Column],
    w: &[Column],
    out: &mut [Column],
    scratch: &mut [Column],
) {
    match N {
        16 => multiply_halves::<8, 8>(d, w, out, scratch),
        22 => multiply_halves::<11, 11>(d, w, out, scratch),
        26 => multiply_halves::<13, 13>(d, w, out, scratch),
        40 => multiply_halves::<20, 10>(d, w, out, scratch),
        _ => unreachable!("no set has {N} columns"),
    }
}

/// Multiplies 2·`R` columns, `ROWS` rows at a time. Processes the first 16 numbers of all columns, and then
/// the last 16 numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_halves<const R: usize, const ROWS: usize>(
    d: &[Column],
    w: &[Column],
    out: &mut [Column],
    scratch: &mut [Column],
) {
    multiply_numbers::<R, ROWS, 0>(d, w, out, scratch);
    multiply_numbers::<R, ROWS, 16>(d, w, out, scratch);
}

/// Multiplies the 16 numbers of each column that start at index `AT`. Splits the columns in halves with
/// Karatsuba's three products.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_numbers<const R: usize, const ROWS: usize, const AT: usize>(
    d: &[Column],
    w: &[Column],
    out: &mut [Column],
    scratch: &mut [Column],
) {
    let (w0, w1) = w.split_at(R);
    let (low, high) = out.split_at_mut(R);
    // computes D₁·(w₀ + w₁)
    for (sum, (w0, w1)) in low.iter_mut().zip(w0.iter().zip(w1)) {
        store::<AT, 32>(sum, _mm256_add_epi16(load::<AT, 32>(w0), load::<AT, 32>(w1)));
    }
    for (high, v) in high.iter_mut().zip(multiply_rows::<R, ROWS, AT, 32, AT>(&d[R..], low)) {
        store::<AT, 32>(high, v);
    }
    // computes D₀ − D₁, and in the upper half D₁ − D₂
    let differences = &mut scratch.as_flattened_mut().as_chunks_mut::<16>().0[..3 * R];
    for (difference, (a, b)) in differences.iter_mut().zip(d.iter().zip(&d[R..])) {
        store::<0, 16>(difference, _mm256_sub_epi16(load::<AT, 32>(a), load::<AT, 32>(b)));
    }
    let product = multiply_rows::<R, ROWS, 0, 16, AT>(differences, w0);
    for (low, (high, v)) in low.iter_mut().zip(high.iter().zip(product)) {
        store::<AT, 32>(low, _mm256_add_epi16(load::<AT, 32>(high), v));
    }
    for (high, v) in high.iter_mut().zip(multiply_rows::<R, ROWS, 0, 16, AT>(&differences[R..], w1)) {
        let difference = _mm256_sub_epi16(load::<AT, 32>(high), v);
        store::<AT, 32>(high, difference);
    }
}

/// Multiplies `R` columns, `ROWS` rows at a time: the 16 numbers of each column of D that start at index
/// `AT`, and the 16 numbers of each column of w that start at index `AT_W`.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_rows<const R: usize, const ROWS: usize, const AT: usize, const LEN: usize, const AT_W: usize>(
    d: &[[u16; LEN]],
    w: &[Column],
) -> [__m256i; R] {
    const { assert!(R.is_multiple_of(ROWS)) };
    assert!(d.len() >= 2 * R && w.len() == R);
    let mut product = [_mm256_setzero_si256(); R];
    for (block, product) in product.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
        let mut sums = [_mm256_setzero_si256(); ROWS];
        for (d, w) in d[ROWS * block..].windows(ROWS).zip(w) {
            let w = load::<AT_W, 32>(w);
            for (sum, d) in sums.iter_mut().zip(d) {
                *sum = _mm256_add_epi16(*sum, _mm256_mullo_epi16(load::<AT, LEN>(d), w));
            }
        }
        *product = sums;
    }
    product
}

/// Loads 16 numbers starting at index `AT`.
#[inline]
#[target_feature(enable = "avx2")]
fn load<const AT: usize, const LEN: usize>(from: &[u16; LEN]) -> __m256i {
    let from: &[u16; 16] = from[AT..].first_chunk().expect("16 numbers");
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Stores 16 numbers starting at index `AT`.
#[inline]
#[target_feature(enable = "avx2")]
fn store<const AT: usize, const LEN: usize>(to: &mut [u16; LEN], v: __m256i) {
    let to: &mut [u16; 16] = to[AT..].first_chunk_mut().expect("16 numbers");
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) };
}

/// Shuffles bytes. Uses assembly, because the compiler turns the intrinsic into two instructions.
#[inline]
#[target_feature(enable = "avx2")]
fn shuffle(a: __m256i, places: __m256i) -> __m256i {
    let shuffled;
    // SAFETY: the assembly is one instruction on registers, and the processor supports this instruction.
    unsafe {
        asm!("vpshufb {}, {}, {}", lateout(ymm_reg) shuffled, in(ymm_reg) a, in(ymm_reg) places,
            options(pure, nomem, nostack, preserves_flags));
    }
    shuffled
}

/// Implements [`Lanes::zero`](crate::backend::hankel::Lanes::zero).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn zero() -> V {
    [_mm256_setzero_si256(); 2]
}

/// Implements [`Lanes::permute_groups`](crate::backend::hankel::Lanes::permute_groups).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn permute_groups<const PLACES: usize>(a: V) -> V {
    [permute_groups_16::<PLACES>(a[0]), permute_groups_16::<PLACES>(a[1])]
}

/// Implements `permute_groups` on 16 numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn permute_groups_16<const PLACES: usize>(a: __m256i) -> __m256i {
    let places = _mm_set_epi64x(const { byte_indices(PLACES, 4) }, const { byte_indices(PLACES, 0) });
    shuffle(a, _mm256_broadcastsi128_si256(places))
}

/// Implements [`Lanes::shift_groups`](crate::backend::hankel::Lanes::shift_groups).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn shift_groups<const COUNT: usize>(a: V, b: V) -> V {
    if COUNT == 1 { rotate::<0x11, 0x0321>(a, b) } else { rotate::<0x33, 0x1032>(a, b) }
}

/// Replaces the numbers of a that `MASK` selects in each group with those of b. Then permutes each group as
/// `PLACES` specifies, and sets the last group to zero.
#[inline]
#[target_feature(enable = "avx2")]
fn rotate<const MASK: i32, const PLACES: usize>(a: V, b: V) -> V {
    let (even, odd) = (const { byte_indices(PLACES, 0) }, const { byte_indices(PLACES, 4) });
    let all_but_last = _mm256_setr_epi64x(even, odd, even, byte_indices(0xFFFF, 4));
    [
        permute_groups_16::<PLACES>(_mm256_blend_epi16::<MASK>(a[0], b[0])),
        shuffle(_mm256_blend_epi16::<MASK>(a[1], b[1]), all_but_last),
    ]
}

/// Implements [`Lanes::last_of_groups`](crate::backend::hankel::Lanes::last_of_groups).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn last_of_groups([a, b, c, d]: [V; 4]) -> V {
    [last_of_groups_16([a[0], b[0], c[0], d[0]]), last_of_groups_16([a[1], b[1], c[1], d[1]])]
}

/// Implements `last_of_groups` on rows of 16 numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn last_of_groups_16([a, b, c, d]: [__m256i; 4]) -> __m256i {
    let [a, b, c] =
        [permute_groups_16::<0x3333>(a), permute_groups_16::<0x3333>(b), permute_groups_16::<0x3333>(c)];
    _mm256_blend_epi16::<0xCC>(_mm256_blend_epi16::<0x22>(a, b), _mm256_blend_epi16::<0x88>(c, d))
}

/// Implements [`Lanes::replace_last_group`](crate::backend::hankel::Lanes::replace_last_group).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn replace_last_group<const HALF: usize>(a: V, b: V) -> V {
    // joins the numbers of each pair of groups, then both pairs
    let pairs = shuffle(b[HALF], _mm256_set1_epi32(0x0F0E_0706));
    let last = _mm256_permutevar8x32_epi32(pairs, _mm256_setr_epi32(0, 4, 0, 4, 0, 4, 0, 4));
    [a[0], _mm256_blend_epi32::<0xC0>(a[1], last)]
}

/// Implements [`Lanes::spread_last`](crate::backend::hankel::Lanes::spread_last).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn spread_last(a: V, b: V) -> V {
    let places = _mm256_setr_epi64x(
        0x0100_0100_0100_0100,
        0x0302_0302_0302_0302,
        0x0504_0504_0504_0504,
        0x0706_0706_0706_0706,
    );
    let [a, b] = [_mm256_permute4x64_epi64::<0xFF>(a[1]), _mm256_permute4x64_epi64::<0xFF>(b[1])];
    [shuffle(a, places), shuffle(b, places)]
}

/// Implements [`Lanes::negate_outer`](crate::backend::hankel::Lanes::negate_outer).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn negate_outer(a: V) -> V {
    let signs = _mm256_set1_epi64x(0xFFFF_0001_0001_FFFF_u64.cast_signed());
    [_mm256_sign_epi16(a[0], signs), _mm256_sign_epi16(a[1], signs)]
}

/// Implements [`Lanes::negate_inner`](crate::backend::hankel::Lanes::negate_inner).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn negate_inner(a: V) -> V {
    let signs = _mm256_set1_epi64x(0x0001_FFFF_FFFF_0001);
    [_mm256_sign_epi16(a[0], signs), _mm256_sign_epi16(a[1], signs)]
}

/// Implements [`Lanes::transpose`](crate::backend::hankel::Lanes::transpose).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose(rows: [V; 8]) -> [V; 8] {
    let mut columns = rows;
    for half in 0..2 {
        let [a, b, c, d, e, f, g, h] = rows.map(|row| row[half]);
        let (upper, lower) = (transpose_4([a, b, c, d]), transpose_4([e, f, g, h]));
        for i in 0..4 {
            columns[4 * half + i] = [upper[i], lower[i]];
        }
    }
    columns
}

/// Transposes four rows of four groups.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_4([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let [even, even_below] = [_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d)];
    let [odd, odd_below] = [_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d)];
    [
        _mm256_permute2x128_si256::<0x20>(even, even_below),
        _mm256_permute2x128_si256::<0x20>(odd, odd_below),
        _mm256_permute2x128_si256::<0x31>(even, even_below),
        _mm256_permute2x128_si256::<0x31>(odd, odd_below),
    ]
}
