//! Reed–Muller decoding with AVX-512. The 128 sums of a codeword are in four registers.

use core::arch::x86_64::*;
use grille_cpu::Avx512 as Token;

/// Implements [`super::reed_muller`].
pub(super) fn reed_muller(_: Token, codewords: &[u64], words: usize, symbols: &mut [u8]) {
    // SAFETY: the token exists only if the processor has these features.
    unsafe { decode(codewords, words, symbols) }
}

/// The 128 sums of a codeword: sums 0 to 31 are in the first register, sums 32 to 63 in the second, and so on.
type Sums = [__m512i; 4];

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn decode(codewords: &[u64], words: usize, symbols: &mut [u8]) {
    let expected = _mm512_maskz_set1_epi16(1, 32 * words as i16);
    for (symbol, codeword) in symbols.iter_mut().zip(codewords.chunks_exact(words)) {
        let mut sums = hadamard(column_sums(codeword.as_chunks::<2>().0));
        sums[0] = _mm512_sub_epi16(sums[0], expected);
        *symbol = peak(sums);
    }
}

/// Counts, for each of the 128 bits, the copies in which the bit is one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn column_sums(copies: &[[u64; 2]]) -> Sums {
    let mut sums = [_mm512_setzero_si512(); 4];
    for [low, high] in copies {
        let quarters = [*low as u32, (low >> 32) as u32, *high as u32, (high >> 32) as u32];
        for (sums, bits) in sums.iter_mut().zip(quarters) {
            // a one becomes −1, so it is subtracted
            *sums = _mm512_sub_epi16(*sums, _mm512_movm_epi16(bits));
        }
    }
    sums
}

/// Computes the Walsh–Hadamard transform: first between registers, then between halves of registers, and so on down to
/// neighbours.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn hadamard([a, b, c, d]: Sums) -> Sums {
    let ((a, c), (b, d)) = (butterfly(a, c), butterfly(b, d));
    let ((a, b), (c, d)) = (butterfly(a, b), butterfly(c, d));
    [a, b, c, d].map(|sums| {
        let sums = register_butterfly(sums, _mm512_shuffle_i64x2::<0b01_00_11_10>(sums, sums), 0xFFFF_0000);
        let sums = register_butterfly(sums, _mm512_shuffle_i64x2::<0b10_11_00_01>(sums, sums), 0xFF00_FF00);
        let sums = register_butterfly(sums, _mm512_shuffle_epi32::<0b01_00_11_10>(sums), 0xF0F0_F0F0);
        let sums = register_butterfly(sums, _mm512_shuffle_epi32::<0b10_11_00_01>(sums), 0xCCCC_CCCC);
        register_butterfly(sums, _mm512_rol_epi32::<16>(sums), 0xAAAA_AAAA)
    })
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn butterfly(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
    (_mm512_add_epi16(a, b), _mm512_sub_epi16(a, b))
}

/// Computes one step of the transform within a register: replaces the first value of each pair with the sum of the
/// pair, and the second value with the difference. The mask `second` selects the second values. `partners` holds the
/// other value of the pair at each position.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn register_butterfly(values: __m512i, partners: __m512i, second: u32) -> __m512i {
    _mm512_mask_sub_epi16(_mm512_add_epi16(values, partners), second, partners, values)
}

/// Returns the index of the value with the largest absolute value. If several values share it, takes the lowest of
/// their indices. Adds 128 if the value is positive.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn peak(values: Sums) -> u8 {
    let mut index = _mm512_set_epi16(
        96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116,
        117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127,
    );
    let keys = values.map(|values| {
        // values are within ±320, so a value and 127 − its index fit into 16 bits
        let key = _mm512_or_si512(_mm512_slli_epi16::<7>(_mm512_abs_epi16(values)), index);
        index = _mm512_sub_epi16(index, _mm512_set1_epi16(32));
        key
    });
    let best =
        largest(_mm512_max_epu16(_mm512_max_epu16(keys[0], keys[1]), _mm512_max_epu16(keys[2], keys[3])));
    let everywhere = _mm512_set1_epi16(best as i16);
    let positive = keys.iter().zip(values).fold(0, |positive, (key, values)| {
        let here = _mm512_cmpeq_epi16_mask(*key, everywhere);
        positive | _mm512_mask_cmpgt_epi16_mask(here, values, _mm512_setzero_si512())
    });
    let is_positive = (positive | positive.wrapping_neg()) >> 31;
    (127 - (best & 0x7F)) as u8 | (is_positive << 7) as u8
}

/// Returns the largest of 32 numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn largest(values: __m512i) -> u16 {
    let halves = _mm256_max_epu16(_mm512_castsi512_si256(values), _mm512_extracti64x4_epi64::<1>(values));
    let quarters = _mm_max_epu16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256::<1>(halves));
    // the instruction finds the minimum, so all bits are inverted
    let smallest = _mm_minpos_epu16(_mm_xor_si128(quarters, _mm_set1_epi16(-1)));
    !(_mm_cvtsi128_si32(smallest) as u16)
}
