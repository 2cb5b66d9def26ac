//! The first-order Reed–Muller code. The codeword of a byte has 128 bits and is repeated n₂/128 times.
//!
//! Bit k of a codeword is the parity of (k AND the byte's lower seven bits), plus the byte's highest bit.

use crate::params::Params;
use grille_core::ct;

/// The number of bits of a codeword without repetition.
const LENGTH: usize = 128;

/// Pattern i, for i from 0 to 5, holds bit i of each of the numbers 0 to 63. It is the contribution of bit i of a byte
/// to either half of a codeword.
const PATTERNS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// Writes the codewords of `symbols`, one after the other.
#[inline(always)]
pub(crate) fn encode<P: Params>(symbols: &[u8], words: &mut [u64]) {
    for (symbol, words) in symbols.iter().zip(words.chunks_exact_mut(P::N2 / 64)) {
        let all_if = |bit: usize| ct::mask(u64::from(symbol >> bit & 1).wrapping_neg());
        let low =
            PATTERNS.iter().enumerate().fold(all_if(7), |low, (bit, pattern)| low ^ pattern & all_if(bit));
        let high = low ^ all_if(6);
        for pair in words.as_chunks_mut::<2>().0 {
            *pair = [low, high];
        }
    }
}

/// Writes the most likely byte of each codeword to `symbols`. Each codeword is `words` words long.
#[inline(always)]
pub(crate) fn decode(codewords: &[u64], words: usize, symbols: &mut [u8]) {
    for (symbol, codeword) in symbols.iter_mut().zip(codewords.chunks_exact(words)) {
        let mut sums = column_sums(codeword.as_chunks::<2>().0);
        hadamard(&mut sums);
        // coefficient 0 is the number of ones: subtracting half of the number of bits makes its sign and its size
        // comparable to those of the other coefficients
        sums[0] -= 32 * words as i16;
        *symbol = peak(&sums);
    }
}

/// Counts, for each of the 128 bits, the copies in which the bit is one.
#[inline(always)]
fn column_sums(copies: &[[u64; 2]]) -> [i16; LENGTH] {
    let mut sums = [0; LENGTH];
    for copy in copies {
        for (sums, word) in sums.as_chunks_mut::<64>().0.iter_mut().zip(copy) {
            for (bit, sum) in sums.iter_mut().enumerate() {
                *sum += (word >> bit & 1) as i16;
            }
        }
    }
    sums
}

/// Computes the Walsh–Hadamard transform. Coefficient u is the sum of all values, where the value with index k is
/// negated if (u AND k) has odd parity.
#[inline(always)]
fn hadamard(values: &mut [i16; LENGTH]) {
    for _ in 0..LENGTH.ilog2() {
        let pairs = *values;
        let (sums, differences) = values.split_at_mut(LENGTH / 2);
        for (i, pair) in pairs.as_chunks::<2>().0.iter().enumerate() {
            sums[i] = pair[0] + pair[1];
            differences[i] = pair[0] - pair[1];
        }
    }
}

/// Returns the index of the value with the largest absolute value. If several values share it, takes the lowest of
/// their indices. Adds 128 if the value is positive.
///
/// Values are within ±320, so a value and its index fit into 16 bits.
#[inline(always)]
fn peak(values: &[i16; LENGTH]) -> u8 {
    let key = |index: usize| (values[index].unsigned_abs() << 7) | (LENGTH - 1 - index) as u16;
    let best = (0..LENGTH).fold(0, |best, index| larger(best, key(index)));
    let index = LENGTH as u16 - 1 - (best & 0x7F);
    let value = (0..LENGTH).fold(0, |value, i| value | values[i] & equal(i as u16, index));
    // −value is negative where value is positive
    index as u8 | ((value.wrapping_neg() as u16 >> 15) as u8) << 7
}

/// Returns the larger number, without a branch.
#[inline(always)]
fn larger(a: u16, b: u16) -> u16 {
    let b_is_larger = ct::mask(((u32::from(a).wrapping_sub(u32::from(b))) >> 16) as u16);
    a ^ (a ^ b) & b_is_larger
}

/// Returns −1 if a and b are equal, else 0.
#[inline(always)]
fn equal(a: u16, b: u16) -> i16 {
    let different = a ^ b;
    ct::mask(!((different | different.wrapping_neg()) as i16 >> 15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Hqc1;

    #[test]
    fn bits_match_the_definition() {
        for symbol in 0..=255u8 {
            let mut words = [0; 6];
            encode::<Hqc1>(&[symbol], &mut words);
            for bit in 0..384 {
                let parity = (symbol & 0x7F & (bit % 128) as u8).count_ones() as u8 & 1 ^ symbol >> 7;
                assert_eq!(words[bit / 64] >> (bit % 64) & 1, u64::from(parity), "byte {symbol}, bit {bit}");
            }
        }
    }

    /// Tests that 95 wrong bits out of 384, either the first ones or every fourth one, are corrected. The code corrects
    /// any 95 bits.
    #[test]
    fn corrects_errors_in_every_symbol() {
        for symbol in 0..=255u8 {
            let mut words = [0; 6];
            encode::<Hqc1>(&[symbol], &mut words);
            let mut first = words;
            first[0] = !first[0];
            first[1] ^= (1 << 31) - 1;
            let spread = words.map(|word| word ^ 0x1111_1111_1111_1111 & !(1 << 63 | 1));
            for received in [words, first, spread] {
                let mut decoded = [0];
                decode(&received, 6, &mut decoded);
                assert_eq!(decoded, [symbol]);
            }
        }
    }

    #[test]
    fn extreme_sums_do_not_overflow() {
        for words in [[0; 10], [!0; 10]] {
            let mut decoded = [1];
            decode(&words, 10, &mut decoded);
            assert_eq!(decoded, [(words[0] as u8) & 0x80]);
        }
    }

    #[test]
    fn selects_the_first_of_several_peaks() {
        let mut values = [0; LENGTH];
        (values[5], values[9], values[100]) = (-320, 320, -320);
        assert_eq!(peak(&values), 5);
        values[3] = 320;
        assert_eq!(peak(&values), 3 | 0x80);
    }
}
