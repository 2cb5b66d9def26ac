//! The smallest products, written with intrinsics.

use crate::backend::hankel::Space;
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// Computes out ← D·w. For the rows 32·r to 32·r + 31, one vector holds the even rows and another one the odd
/// rows.
///
/// An even row uses the pairs (w₀, w₁), (w₂, w₃), … of w, and an odd row uses (w₁, w₂), (w₃, w₄), …. Both
/// then use the same pairs of d. `padded` is memory for a copy of w with zeroes on both sides.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn multiply_unsplit<const R: usize>(d: &[u16], w: &[u16], out: &mut Space, padded: &mut Space) {
    assert!(d.len() == 64 * R && w.len() == 32 * R && out.len() == 32 * R && padded.len() == 32 * R + 64);
    let zero = _mm512_setzero_si512();
    let (parts, padded_parts) = (w.as_chunks().0, padded.as_chunks_mut().0);
    store(&mut padded_parts[0], zero);
    parts.iter().zip(&mut padded_parts[1..]).for_each(|(from, to)| store(to, load(from)));
    store(&mut padded_parts[R + 1], zero);
    // SAFETY: 32 entries starting at i are among the 64·R entries for i up to 32·(2·R − 1).
    let window = |i: usize| unsafe { _mm512_loadu_si512(d.as_ptr().add(i).cast()) };
    // SAFETY: the two entries starting at i − p are in w or in the zeroes around it, for i up to 32·R and p
    // up to 1.
    let pair = |i: usize, p: usize| unsafe {
        _mm512_set1_epi32(padded.as_ptr().add(32 + i - p).cast::<i32>().read_unaligned())
    };
    // uses as many sums alternately as fit in registers, so that an addition need not wait for the previous one
    let turns = const { if R == 3 { 3 } else { 2 } };
    let mut sums = [[[zero; 2]; 3]; R];
    for i in 0..16 {
        for column in 0..R {
            for p in 0..2 {
                let pair = pair(32 * column + 2 * i, p);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let sum = &mut sums[column % turns][p];
                    *sum = add_dot(*sum, window(32 * (row + column) + 2 * i), pair);
                }
            }
        }
    }
    let last = pair(32 * R, 1);
    for (row, (sums, out)) in sums.iter_mut().zip(out.as_chunks_mut().0).enumerate() {
        sums[0][1] = add_dot(sums[0][1], window(32 * (R + row)), last);
        let [even, odd] =
            [0, 1].map(|p| _mm512_add_epi32(_mm512_add_epi32(sums[0][p], sums[1][p]), sums[2][p]));
        store(out, _mm512_mask_blend_epi16(0xAAAA_AAAA, even, _mm512_slli_epi32::<16>(odd)));
    }
}

/// Adds to `sum` the sum of the two products in each pair. Uses assembly, because the compiler turns the
/// intrinsic into two instructions.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn add_dot(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the assembly is one instruction on registers, and the processor supports this instruction.
    unsafe {
        asm!("vpdpwssd {}, {}, {}", inout(zmm_reg) sum, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

/// Overwrites secrets with zeroes, four vectors at a time. The compiler would turn a plain loop into a call that takes
/// three times as long.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn erase<T>(space: &mut [MaybeUninit<T>]) {
    let bytes = size_of_val(space);
    let start = space.as_mut_ptr().cast::<u8>();
    for i in (0..bytes / 256).map(|i| 256 * i) {
        for i in [i, i + 64, i + 128, i + 192] {
            // SAFETY: the write covers 64 bytes of the memory.
            unsafe { _mm512_storeu_si512(start.add(i).cast(), _mm512_setzero_si512()) };
        }
        // SAFETY: the assembly contains no instruction. It only makes the compiler assume that the memory is
        // read.
        unsafe { asm!("/* {} */", in(reg) start, options(nostack, preserves_flags)) };
    }
    // SAFETY: the write covers the remaining bytes of the memory.
    unsafe { start.add(bytes / 256 * 256).write_bytes(0, bytes % 256) };
    zeroize::optimization_barrier(space);
}

/// Implements [`Lanes::load`](crate::backend::hankel::Lanes::load).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[u16; 32]) -> __m512i {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Implements [`Lanes::store`](crate::backend::hankel::Lanes::store).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [MaybeUninit<u16>; 32], v: __m512i) {
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// Implements [`Lanes::times`](crate::backend::hankel::Lanes::times).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn times(c: i16, a: __m512i) -> __m512i {
    _mm512_mullo_epi16(_mm512_set1_epi16(c), a)
}

/// Implements [`Lanes::reverse`](crate::backend::hankel::Lanes::reverse).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn reverse(a: __m512i) -> __m512i {
    const INDEXES: [u16; 32] = {
        let (mut indices, mut i) = ([0; 32], 0);
        while i < 32 {
            indices[i] = 31 - i as u16;
            i += 1;
        }
        indices
    };
    _mm512_permutexvar_epi16(load(&INDEXES), a)
}
