//! Copies bytes out of interleaved states: word `i` of state `n` becomes word `i` of output `n`.
//!
//! Squares of four by four words are transposed in registers. The last square overlaps the previous one, so that there
//! is no remainder.

use crate::keccak::States;
use core::arch::x86_64::*;
use grille_cpu::Avx2;

/// Copies the first words of every state. `N` must be a multiple of 4. Each output has a length from 32 to
/// 200 bytes, a multiple of 8.
pub(crate) fn copy_all<const N: usize>(_token: Avx2, states: &States<N>, outs: &mut [&mut [u8]; N]) {
    for (quarter, outs) in outs.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        // SAFETY: the token proves AVX2.
        unsafe { copy_four(states, 4 * quarter, outs) }
    }
}

/// Copies from the four states starting at `n`. Does not use closures, because they would be compiled without
/// AVX2.
#[target_feature(enable = "avx2")]
fn copy_four<const N: usize>(states: &States<N>, n: usize, outs: &mut [&mut [u8]; 4]) {
    let last = outs[0].len() / 8 - 4;
    let mut first = 0;
    loop {
        let r0 = load(&states[first][n..n + 4]);
        let r1 = load(&states[first + 1][n..n + 4]);
        let r2 = load(&states[first + 2][n..n + 4]);
        let r3 = load(&states[first + 3][n..n + 4]);
        let (a, b) = (_mm256_unpacklo_epi64(r0, r1), _mm256_unpacklo_epi64(r2, r3));
        let (c, d) = (_mm256_unpackhi_epi64(r0, r1), _mm256_unpackhi_epi64(r2, r3));
        let at = 8 * first..8 * first + 32;
        store(&mut outs[0][at.clone()], _mm256_permute2x128_si256::<0x20>(a, b));
        store(&mut outs[1][at.clone()], _mm256_permute2x128_si256::<0x20>(c, d));
        store(&mut outs[2][at.clone()], _mm256_permute2x128_si256::<0x31>(a, b));
        store(&mut outs[3][at], _mm256_permute2x128_si256::<0x31>(c, d));
        if first == last {
            return;
        }
        first = last.min(first + 4);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[u64]) -> __m256i {
    assert!(words.len() == 4);
    // SAFETY: the reference is valid for 32 bytes; the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: &mut [u8], words: __m256i) {
    assert!(bytes.len() == 32);
    // SAFETY: the reference is valid for 32 bytes; the store needs no alignment.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), words) }
}
