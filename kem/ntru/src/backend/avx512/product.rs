//! The smallest products, and the whole ones compiled around them.

use super::Avx512;
use crate::backend::hankel;
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

/// See [`Backend::multiply`](crate::backend::Backend::multiply); n coefficients each.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vnni,bmi1,bmi2,popcnt"
)]
pub(super) fn multiply(backend: Avx512, a: &[u16], b: &[u16], c: &mut [u16]) {
    hankel::multiply_by_length(backend, a, b, c);
}

/// out ← D·w, for rows 0 to 31 and 32 to 63; the even rows of each in one vector, the odd ones in another.
///
/// An even row pairs w₀ with w₁, w₂ with w₃, …, and an odd one w₁ with w₂, w₃ with w₄, …: then both meet the same
/// pairs of d, and of those the rows from 32 on meet what the lower ones meet 16 pairs later.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn multiply_64(d: &[u16; 128], w: &[u16; 64], out: &mut [MaybeUninit<u16>; 64]) {
    let part = |i: usize| load(d[32 * i..].first_chunk().expect("32 entries"));
    let [d0, d1, d2, d3] = [part(0), part(1), part(2), part(3)];
    // sums of each half of the pairs, so that none waits for another
    let zero = _mm512_setzero_si512();
    let (mut even, mut even_32) = ([zero; 2], [zero; 2]);
    let (mut odd, mut odd_32) = ([zero; 2], [zero; 2]);
    macro_rules! steps {
        ($($i:literal)*) => {$({
            // pairs i, 16 + i and 32 + i of d, with pairs i and 16 + i of w
            let low = _mm512_alignr_epi32::<$i>(d1, d0);
            let middle = _mm512_alignr_epi32::<$i>(d2, d1);
            let high = _mm512_alignr_epi32::<$i>(d3, d2);
            let (w_low, w_high) = (pair::<{ 2 * $i }>(w), pair::<{ 32 + 2 * $i }>(w));
            even = [add_dot(even[0], low, w_low), add_dot(even[1], middle, w_high)];
            even_32 = [add_dot(even_32[0], middle, w_low), add_dot(even_32[1], high, w_high)];
            // w₋₁ is 0
            let first = $i == 0;
            let w_low = if first { _mm512_slli_epi32::<16>(w_low) } else { pair::<{ before(2 * $i) }>(w) };
            let w_high = pair::<{ 31 + 2 * $i }>(w);
            odd = [add_dot(odd[0], low, w_low), add_dot(odd[1], middle, w_high)];
            odd_32 = [add_dot(odd_32[0], middle, w_low), add_dot(odd_32[1], high, w_high)];
        })*};
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    // w₆₄ is 0
    let last = _mm512_srli_epi32::<16>(pair::<62>(w));
    odd[0] = add_dot(odd[0], d2, last);
    odd_32[0] = add_dot(odd_32[0], d3, last);
    let sum = |[a, b]: [__m512i; 2]| _mm512_add_epi32(a, b);
    let rows = |even, odd| _mm512_mask_blend_epi16(0xAAAA_AAAA, sum(even), _mm512_slli_epi32::<16>(sum(odd)));
    let (low, high) = out.split_first_chunk_mut().expect("64 entries");
    store(low, rows(even, odd));
    store(high.first_chunk_mut().expect("32 entries"), rows(even_32, odd_32));
}

/// i − 1, or 0.
const fn before(i: usize) -> usize {
    i.saturating_sub(1)
}

/// sum + Σ of the two products in each pair. As assembly, because the compiler makes two instructions of the
/// intrinsic.
#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn add_dot(mut sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: one instruction on registers, which the processor has.
    unsafe {
        asm!("vpdpwssd {}, {}, {}", inout(zmm_reg) sum, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

/// The entries `I` and `I` + 1 in each lane. As assembly, because the compiler would rather load two pairs at once and
/// take them apart.
#[inline]
#[target_feature(enable = "avx512f")]
fn pair<const I: usize>(w: &[u16; 64]) -> __m512i {
    const { assert!(I < 63) };
    let pair;
    // SAFETY: both entries are within; the instruction needs no alignment.
    unsafe {
        asm!("vpbroadcastd {}, dword ptr [{} + 2 * {}]", lateout(zmm_reg) pair, in(reg) w, const I,
            options(pure, readonly, nostack, preserves_flags));
    }
    pair
}

/// Overwrites secrets with zeroes, four vectors at a time: as one loop the compiler would make a call of it that takes
/// three times as long.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn erase<T>(space: &mut [MaybeUninit<T>]) {
    let bytes = size_of_val(space);
    let start = space.as_mut_ptr().cast::<u8>();
    for i in (0..bytes / 256).map(|i| 256 * i) {
        for i in [i, i + 64, i + 128, i + 192] {
            // SAFETY: 64 of the bytes of the space.
            unsafe { _mm512_storeu_si512(start.add(i).cast(), _mm512_setzero_si512()) };
        }
        // SAFETY: no instruction; the compiler must think that the memory is looked at.
        unsafe { asm!("/* {} */", in(reg) start, options(nostack, preserves_flags)) };
    }
    // SAFETY: the bytes that are left of the space.
    unsafe { start.add(bytes / 256 * 256).write_bytes(0, bytes % 256) };
    zeroize::optimization_barrier(space);
}

/// See [`Lanes::load`](hankel::Lanes::load).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[u16; 32]) -> __m512i {
    // SAFETY: the reference is valid for 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// See [`Lanes::store`](hankel::Lanes::store).
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(to: &mut [MaybeUninit<u16>; 32], v: __m512i) {
    // SAFETY: the reference is valid for 64 bytes; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
}

/// See [`Lanes::times`](hankel::Lanes::times).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn times(c: i16, a: __m512i) -> __m512i {
    _mm512_mullo_epi16(_mm512_set1_epi16(c), a)
}

/// See [`Lanes::reverse`](hankel::Lanes::reverse).
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn reverse(a: __m512i) -> __m512i {
    const INDEXES: [u16; 32] = {
        let (mut indexes, mut i) = ([0; 32], 0);
        while i < 32 {
            indexes[i] = 31 - i as u16;
            i += 1;
        }
        indexes
    };
    _mm512_permutexvar_epi16(load(&INDEXES), a)
}
