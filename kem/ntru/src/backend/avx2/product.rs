//! The smallest products, written with intrinsics.

use crate::backend::hankel::Space;
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// A vector of 32 numbers, in two registers.
pub(super) type V = [__m256i; 2];

/// Computes out ← D·w with Karatsuba's three products of halves. `scratch` has at least 160 entries.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn multiply_64(
    d: &[u16; 128],
    w: &[u16; 64],
    out: &mut [MaybeUninit<u16>; 64],
    scratch: &mut Space,
) {
    let part = |i: usize| -> V { load(d[32 * i..].first_chunk().expect("the index is in range")) };
    let (d01, scratch) = scratch.split_first_chunk_mut::<64>().expect("160 entries");
    let (d21, scratch) = scratch.split_first_chunk_mut::<64>().expect("96 entries");
    let w01 = scratch.first_chunk_mut::<32>().expect("32 entries");
    // the differences D₀ − D₁ and D₂ − D₁, each in two parts
    let d1 = [part(1), part(2)];
    for i in 0..2 {
        let chunk = |d: &mut [MaybeUninit<u16>; 64], v| {
            store(d[32 * i..].first_chunk_mut().expect("the index is in range"), v);
        };
        chunk(d01, sub(part(i), d1[i]));
        chunk(d21, sub(part(2 + i), d1[i]));
    }
    let [w0, w1]: [&[u16; 32]; 2] = [0, 32].map(|i| w[i..].first_chunk().expect("the index is in range"));
    store(w01, add(load(w0), load(w1)));
    // SAFETY: all three arrays have been written completely.
    let (d01, d21, w01) = unsafe { (assume_written(d01), assume_written(d21), assume_written(w01)) };
    let middle = multiply_32(d[32..].first_chunk().expect("the index is in range"), w01);
    let (low, high) = out.split_first_chunk_mut().expect("64 entries");
    store(low, add(multiply_32(d01, w0), middle));
    store(high.first_chunk_mut().expect("32 entries"), add(multiply_32(d21, w1), middle));
}

/// Returns memory that has been initialised as numbers.
///
/// # Safety
/// The whole array must have been written.
const unsafe fn assume_written<const N: usize>(space: &[MaybeUninit<u16>; N]) -> &[u16; N] {
    // SAFETY: both types have the same layout, and the entries are initialised, as the caller guarantees.
    unsafe { &*space.as_ptr().cast() }
}

/// Computes out ← D·w for the rows 0 to 15 and 16 to 31. For each group of 16 rows, one vector holds the even
/// rows and another one the odd rows.
///
/// An even row uses the pairs (w₀, w₁), (w₂, w₃), … of w, and an odd row uses (w₁, w₂), (w₃, w₄), …. Both
/// then use the same pairs of d.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply_32(d: &[u16; 64], w: &[u16; 32]) -> V {
    // SAFETY: 16 entries starting at i are among the 64 entries if i is at most 48.
    let window = |i: usize| unsafe { _mm256_loadu_si256(d.as_ptr().add(i).cast()) };
    // SAFETY: i and i + 1 are below 32.
    let pair = |i: usize| unsafe { _mm256_set1_epi32(w.as_ptr().add(i).cast::<i32>().read_unaligned()) };
    let dot = |sum, d, w| _mm256_add_epi32(sum, _mm256_madd_epi16(d, w));
    // the pairs of w₋₁ = 0 and w₀, and of w₃₁ and w₃₂ = 0
    let first = _mm256_set1_epi32(i32::from(w[0]) << 16);
    let last = _mm256_set1_epi32(i32::from(w[31]));
    let (mut even, mut even_16) =
        (_mm256_madd_epi16(window(0), pair(0)), _mm256_madd_epi16(window(16), pair(0)));
    let (mut odd, mut odd_16) = (_mm256_madd_epi16(window(0), first), _mm256_madd_epi16(window(16), first));
    for i in 1..16 {
        let (low, high) = (window(2 * i), window(16 + 2 * i));
        let (of_even, of_odd) = (pair(2 * i), pair(2 * i - 1));
        even = dot(even, low, of_even);
        even_16 = dot(even_16, high, of_even);
        odd = dot(odd, low, of_odd);
        odd_16 = dot(odd_16, high, of_odd);
    }
    odd = dot(odd, window(32), last);
    odd_16 = dot(odd_16, window(48), last);
    let rows = |even, odd| _mm256_blend_epi16::<0xAA>(even, _mm256_slli_epi32::<16>(odd));
    [rows(even, odd), rows(even_16, odd_16)]
}

/// Overwrites secrets with zeroes, four vectors at a time. The compiler would turn a plain loop into a call that takes
/// three times as long.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn erase(space: &mut Space) {
    let (chunks, rest) = space.as_chunks_mut::<64>();
    for chunk in chunks {
        let to = chunk.as_mut_ptr();
        for i in 0..4 {
            // SAFETY: the write covers the four vectors of 64 entries.
            unsafe { _mm256_storeu_si256(to.add(16 * i).cast(), _mm256_setzero_si256()) };
        }
        // SAFETY: the assembly contains no instruction. It only makes the compiler assume that the memory is
        // read.
        unsafe { asm!("/* {} */", in(reg) to, options(nostack, preserves_flags)) };
    }
    rest.fill(MaybeUninit::new(0));
    zeroize::optimization_barrier(rest);
}

/// Implements [`Lanes::load`](crate::backend::hankel::Lanes::load).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(from: &[u16; 32]) -> V {
    // SAFETY: the reference is valid for 64 bytes; the loads need no alignment.
    unsafe { [0, 16].map(|i| _mm256_loadu_si256(from.as_ptr().add(i).cast())) }
}

/// Implements [`Lanes::store`](crate::backend::hankel::Lanes::store).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(to: &mut [MaybeUninit<u16>; 32], v: V) {
    // SAFETY: the reference is valid for 64 bytes; the stores need no alignment.
    unsafe {
        _mm256_storeu_si256(to.as_mut_ptr().cast(), v[0]);
        _mm256_storeu_si256(to.as_mut_ptr().add(16).cast(), v[1]);
    }
}

/// Implements [`Lanes::add`](crate::backend::hankel::Lanes::add).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn add(a: V, b: V) -> V {
    [_mm256_add_epi16(a[0], b[0]), _mm256_add_epi16(a[1], b[1])]
}

/// Implements [`Lanes::sub`](crate::backend::hankel::Lanes::sub).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn sub(a: V, b: V) -> V {
    [_mm256_sub_epi16(a[0], b[0]), _mm256_sub_epi16(a[1], b[1])]
}

/// Implements [`Lanes::times`](crate::backend::hankel::Lanes::times).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn times(c: i16, a: V) -> V {
    a.map(|a| _mm256_mullo_epi16(_mm256_set1_epi16(c), a))
}

/// Implements [`Lanes::divide_by_8`](crate::backend::hankel::Lanes::divide_by_8).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn divide_by_8(a: V) -> V {
    a.map(|a| _mm256_srli_epi16::<3>(a))
}

/// Implements [`Lanes::reverse`](crate::backend::hankel::Lanes::reverse).
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn reverse(a: V) -> V {
    let words = _mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
    let reversed = |a| {
        let a = _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(words));
        _mm256_permute2x128_si256::<1>(a, a)
    };
    [reversed(a[1]), reversed(a[0])]
}
