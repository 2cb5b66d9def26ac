//! Columns of 32 numbers in one vector each; see [`columns`](crate::backend::columns).

use super::product::load;
use crate::backend::hankel::{Column, byte_indices};
use core::arch::asm;
use core::arch::x86_64::*;

/// Implements [`Lanes::multiply_columns`](crate::backend::hankel::Lanes::multiply_columns), with as many rows
/// at a time as fit in registers. Uses no scratch memory.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn multiply<const N: usize>(d: &[Column], w: &[Column], out: &mut [Column], _: &mut [Column]) {
    match N {
        16 => multiply_in_two::<8, N>(d, w, out),
        26 => multiply_in_two::<13, N>(d, w, out),
        40 => multiply_in_two::<20, N>(d, w, out),
        _ => multiply_rows::<N, N>(d, w, out),
    }
}

/// Multiplies 2·`R` rows, `R` rows at a time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply_in_two<const R: usize, const N: usize>(d: &[Column], w: &[Column], out: &mut [Column]) {
    let (low, high) = out.split_at_mut(R);
    multiply_rows::<R, N>(d, w, low);
    multiply_rows::<R, N>(&d[R..], w, high);
}

/// Multiplies the first `R` rows. Processes two columns of w at a time, because they use the same columns of
/// d.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply_rows<const R: usize, const N: usize>(d: &[Column], w: &[Column], out: &mut [Column]) {
    const { assert!(N.is_multiple_of(2)) };
    assert!(d.len() >= R + N && w.len() == N && out.len() >= R);
    let mut sums = [_mm512_setzero_si512(); R];
    for (d, w) in d.windows(R + 1).step_by(2).zip(w.as_chunks::<2>().0) {
        let [w0, w1] = [load(&w[0]), load(&w[1])];
        sums[0] = add_product(sums[0], load(&d[0]), w0);
        for i in 1..R {
            let d = load(&d[i]);
            sums[i - 1] = add_product(sums[i - 1], d, w1);
            sums[i] = add_product(sums[i], d, w0);
        }
        sums[R - 1] = add_product(sums[R - 1], load(&d[R]), w1);
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), sum) };
    }
}

/// Computes sum + d·w.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_product(sum: __m512i, d: __m512i, w: __m512i) -> __m512i {
    _mm512_add_epi16(sum, _mm512_mullo_epi16(d, w))
}

/// Implements [`Lanes::permute_groups`](crate::backend::hankel::Lanes::permute_groups). Uses assembly, because the compiler turns
/// the intrinsic into two instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn permute_groups<const PLACES: usize>(a: __m512i) -> __m512i {
    let places = _mm_set_epi64x(const { byte_indices(PLACES, 4) }, const { byte_indices(PLACES, 0) });
    let places = _mm512_broadcast_i32x4(places);
    let picked;
    // SAFETY: the assembly is one instruction on registers, and the processor supports this instruction.
    unsafe {
        asm!("vpshufb {}, {}, {}", lateout(zmm_reg) picked, in(zmm_reg) a, in(zmm_reg) places,
            options(pure, nomem, nostack, preserves_flags));
    }
    picked
}

/// Implements [`Lanes::shift_groups`](crate::backend::hankel::Lanes::shift_groups). Uses assembly, because the
/// compiler turns the intrinsic into several instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
pub(super) fn shift_groups<const COUNT: usize>(a: __m512i, b: __m512i) -> __m512i {
    const ALL_BUT_LAST: __mmask8 = 0x7F;
    let following;
    // SAFETY: the assembly is one instruction on registers, and the processor supports this instruction.
    unsafe {
        asm!("vpshrdq {}{{{}}}{{z}}, {}, {}, {}", lateout(zmm_reg) following, in(kreg) ALL_BUT_LAST,
            in(zmm_reg) a, in(zmm_reg) b, const 16 * COUNT, options(pure, nomem, nostack, preserves_flags));
    }
    following
}

/// Implements [`Lanes::last_of_groups`](crate::backend::hankel::Lanes::last_of_groups).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn last_of_groups([a, b, c, d]: [__m512i; 4]) -> __m512i {
    let last = _mm_set_epi64x(const { byte_indices(0x3333, 4) }, const { byte_indices(0x3333, 0) });
    let last = _mm512_broadcast_i32x4(last);
    let fourths = _mm512_shuffle_epi8(a, last);
    let fourths = _mm512_mask_shuffle_epi8(fourths, 0x0C0C_0C0C_0C0C_0C0C, b, last);
    let fourths = _mm512_mask_shuffle_epi8(fourths, 0x3030_3030_3030_3030, c, last);
    _mm512_mask_shuffle_epi8(fourths, 0xC0C0_C0C0_C0C0_C0C0, d, last)
}

/// Implements [`Lanes::replace_last_group`](crate::backend::hankel::Lanes::replace_last_group).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn replace_last_group<const HALF: usize>(a: __m512i, b: __m512i) -> __m512i {
    const INDEXES: [[u16; 32]; 2] = {
        let (mut indices, mut t) = ([[0; 32]; 2], 0);
        while t < 4 {
            (indices[0][28 + t], indices[1][28 + t]) = (4 * t as u16 + 3, 4 * t as u16 + 19);
            t += 1;
        }
        indices
    };
    _mm512_mask_permutexvar_epi16(a, 0xF000_0000, load(const { &INDEXES[HALF] }), b)
}

/// Implements [`Lanes::spread_last`](crate::backend::hankel::Lanes::spread_last).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn spread_last(a: __m512i, b: __m512i) -> __m512i {
    const INDEXES: [u16; 32] = {
        let (mut indices, mut i) = ([0; 32], 0);
        while i < 32 {
            let t = i as u16 / 4;
            // the second of two vectors starts at index 32
            indices[i] = 28 + if t < 4 { t } else { 32 + t - 4 };
            i += 1;
        }
        indices
    };
    _mm512_permutex2var_epi16(a, load(&INDEXES), b)
}

/// Implements [`Lanes::negate_outer`](crate::backend::hankel::Lanes::negate_outer).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn negate_outer(a: __m512i) -> __m512i {
    _mm512_mask_sub_epi16(a, 0x9999_9999, _mm512_setzero_si512(), a)
}

/// Implements [`Lanes::negate_inner`](crate::backend::hankel::Lanes::negate_inner).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn negate_inner(a: __m512i) -> __m512i {
    _mm512_mask_sub_epi16(a, 0x6666_6666, _mm512_setzero_si512(), a)
}

/// Implements [`Lanes::transpose`](crate::backend::hankel::Lanes::transpose).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose([r0, r1, r2, r3, r4, r5, r6, r7]: [__m512i; 8]) -> [__m512i; 8] {
    let pairs = [[r0, r1], [r2, r3], [r4, r5], [r6, r7]];
    // each vector holds two rows of the columns c, c + 2, c + 4 and c + 6
    let [mut even, mut odd] = [[r0; 4]; 2];
    for (i, [a, b]) in pairs.into_iter().enumerate() {
        even[i] = _mm512_unpacklo_epi64(a, b);
        odd[i] = _mm512_unpackhi_epi64(a, b);
    }
    let mut columns = [r0; 8];
    for (c, pairs) in [even, odd].into_iter().enumerate() {
        let low = _mm512_shuffle_i64x2::<0x88>(pairs[0], pairs[1]);
        let high = _mm512_shuffle_i64x2::<0x88>(pairs[2], pairs[3]);
        columns[c] = _mm512_shuffle_i64x2::<0x88>(low, high);
        columns[c + 4] = _mm512_shuffle_i64x2::<0xDD>(low, high);
        let low = _mm512_shuffle_i64x2::<0xDD>(pairs[0], pairs[1]);
        let high = _mm512_shuffle_i64x2::<0xDD>(pairs[2], pairs[3]);
        columns[c + 2] = _mm512_shuffle_i64x2::<0x88>(low, high);
        columns[c + 6] = _mm512_shuffle_i64x2::<0xDD>(low, high);
    }
    columns
}
