//! Sets bits at secret positions, with AVX2. Some words stay in registers while their indices are compared with every
//! position. Words of 32 bits are compared, because such comparisons are faster than those of 64 bits.

use core::arch::x86_64::*;
use grille_cpu::Avx2 as Token;

/// The number of registers for sums.
const REGISTERS: usize = 8;
/// The number of 64-bit words in a register.
const LANES: usize = 4;

/// Implements [`crate::support::set_bits`].
pub(crate) fn set_bits(_: Token, support: &[u32], words: &mut [u64]) {
    for (part, words) in words.chunks_mut(REGISTERS * LANES).enumerate() {
        // SAFETY: the token exists only if the processor has these features.
        unsafe { set_bits_part(support, REGISTERS * LANES * part, words) }
    }
}

/// Sets the bits that lie in `words`. `first` is the index of the first word in the whole vector.
#[target_feature(enable = "avx2")]
fn set_bits_part(support: &[u32], first: usize, words: &mut [u64]) {
    let mut indices = [_mm256_setzero_si256(); REGISTERS];
    let mut next =
        _mm256_add_epi32(_mm256_set1_epi32(2 * first as i32), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    for indices in &mut indices {
        *indices = next;
        next = _mm256_add_epi32(next, _mm256_set1_epi32(2 * LANES as i32));
    }
    let mut sums = [_mm256_setzero_si256(); REGISTERS];
    for position in support {
        let index = _mm256_set1_epi32((*position / 32) as i32);
        // a scalar shift, because valgrind reports vector shifts by a secret count, although their time does not
        // depend on it
        let bit = _mm256_set1_epi32((1_u32 << (*position % 32)) as i32);
        for i in 0..REGISTERS {
            let here = _mm256_cmpeq_epi32(indices[i], index);
            sums[i] = _mm256_or_si256(sums[i], _mm256_and_si256(here, bit));
        }
    }
    let (whole, rest) = words.as_chunks_mut::<LANES>();
    for (words, sums) in whole.iter_mut().zip(sums) {
        // SAFETY: the pointers are valid for four words; the accesses need no alignment.
        unsafe {
            let sum = _mm256_or_si256(_mm256_loadu_si256(words.as_ptr().cast()), sums);
            _mm256_storeu_si256(words.as_mut_ptr().cast(), sum);
        }
    }
    if !rest.is_empty() {
        let len = _mm256_set1_epi64x(rest.len() as i64);
        let mask = _mm256_cmpgt_epi64(len, _mm256_set_epi64x(3, 2, 1, 0));
        // SAFETY: the mask selects `rest.len()` words, which are valid; the accesses need no alignment.
        unsafe {
            let sum = _mm256_or_si256(_mm256_maskload_epi64(rest.as_ptr().cast(), mask), sums[whole.len()]);
            _mm256_maskstore_epi64(rest.as_mut_ptr().cast(), mask, sum);
        }
    }
}
