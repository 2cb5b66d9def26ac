//! Sets bits at secret positions, with AVX-512. Some words stay in registers while their indices are compared with
//! every position.

use core::arch::x86_64::*;
use grille_cpu::Avx512 as Token;

/// The number of words in a register.
const LANES: usize = 8;

/// Implements [`crate::support::set_bits`].
pub(crate) fn set_bits(_: Token, support: &[u32], words: &mut [u64]) {
    let mut first = 0;
    while first < words.len() {
        let rest = &mut words[first..];
        // SAFETY: the token exists only if the processor has these features.
        first += unsafe {
            match rest.len() / LANES {
                0 | 1 => set_bits_part::<1>(support, first, rest),
                2 | 3 => set_bits_part::<2>(support, first, rest),
                4..=7 => set_bits_part::<4>(support, first, rest),
                _ => set_bits_part::<8>(support, first, rest),
            }
        };
    }
}

/// Sets the bits that lie in the first words of `words`, as many words as fit into `REGISTERS` registers. `first` is
/// the index of the first word in the whole vector. Returns the number of words that fit into the registers.
#[inline]
#[target_feature(enable = "avx512f")]
fn set_bits_part<const REGISTERS: usize>(support: &[u32], first: usize, words: &mut [u64]) -> usize {
    let mut indices = [_mm512_setzero_si512(); REGISTERS];
    let mut next =
        _mm512_add_epi64(_mm512_set1_epi64(first as i64), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    for indices in &mut indices {
        *indices = next;
        next = _mm512_add_epi64(next, _mm512_set1_epi64(LANES as i64));
    }
    let mut sums = [_mm512_setzero_si512(); REGISTERS];
    for position in support {
        let index = _mm512_set1_epi64(i64::from(position / 64));
        let bit = _mm512_set1_epi64((1u64 << (position % 64)) as i64);
        for i in 0..REGISTERS {
            let here = _mm512_cmpeq_epi64_mask(indices[i], index);
            sums[i] = _mm512_mask_or_epi64(sums[i], here, sums[i], bit);
        }
    }
    for (words, sums) in words.chunks_mut(LANES).zip(sums) {
        let mask = u8::MAX >> (LANES - words.len());
        // SAFETY: the mask selects `words.len()` words, which are valid; the accesses need no alignment.
        unsafe {
            let sum = _mm512_or_si512(_mm512_maskz_loadu_epi64(mask, words.as_ptr().cast()), sums);
            _mm512_mask_storeu_epi64(words.as_mut_ptr().cast(), mask, sum);
        }
    }
    LANES * REGISTERS
}
