//! Conversion and compression, FIPS 203 section 4.2.1, in constant time and without division.

use crate::field::{Q, add_q_if_negative, reduce};
use crate::poly::N;

/// Computes ByteEncode_d, FIPS 203 Algorithm 5. The coefficients are in [0, 2^D), and `bytes` has 32·D bytes.
#[inline(always)]
pub(crate) fn byte_encode<const D: usize>(f: &[i16; N], bytes: &mut [u8]) {
    for (f, bytes) in f.chunks_exact(8).zip(bytes.chunks_exact_mut(D)) {
        let bits = f.iter().rev().fold(0u128, |bits, f| bits << D | *f as u128);
        bytes.copy_from_slice(&bits.to_le_bytes()[..D]);
    }
}

/// Computes ByteDecode_d, FIPS 203 Algorithm 6, without the reduction modulo q for d = 12. The results are in
/// [0, 2^D).
#[inline(always)]
pub(crate) fn byte_decode<const D: usize>(bytes: &[u8], f: &mut [i16; N]) {
    for (f, bytes) in f.chunks_exact_mut(8).zip(bytes.chunks_exact(D)) {
        let mut word = [0; 16];
        word[..D].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(word);
        for (i, f) in f.iter_mut().enumerate() {
            *f = (bits >> (D * i) & ((1 << D) - 1)) as i16;
        }
    }
}

/// Computes Compress_d, FIPS 203 equation (4.7): ⌈2^D·x/q⌋ mod 2^D, for x in [0, q).
#[inline(always)]
pub(crate) const fn compress<const D: usize>(x: i16) -> i16 {
    /// The factor ⌈2³⁵/q⌉, with which the division is exact for every dividend below 2²³. The tests try all
    /// dividends.
    const RECIPROCAL: u64 = (1 << 35) / Q as u64 + 1;
    let dividend = ((x as u64) << D) + Q as u64 / 2;
    (((dividend * RECIPROCAL) >> 35) & ((1 << D) - 1)) as i16
}

/// Computes Decompress_d, FIPS 203 equation (4.8): ⌈q·y/2^D⌋, for y in [0, 2^D).
#[inline(always)]
pub(crate) const fn decompress<const D: usize>(y: i16) -> i16 {
    ((y as i32 * Q as i32 + (1 << (D - 1))) >> D) as i16
}

/// Reduces any `i16` to [0, q).
#[inline(always)]
pub(crate) const fn canonical(x: i16) -> i16 {
    add_q_if_negative(reduce(x))
}

/// Checks whether every coefficient is below q, the modulus check of FIPS 203 section 7.2. For a secret
/// input, the result reveals only whether the key is valid.
pub(crate) fn is_canonical(f: &[i16; N]) -> bool {
    f.iter().fold(true, |canonical, f| canonical & (*f < Q))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compress_is_rounding<const D: usize>() {
        for x in 0..Q {
            // the expected value ⌈a/q⌋, with halves rounded up: ⌊(2a + q) / 2q⌋
            let exact = ((2 * (i64::from(x) << D) + i64::from(Q)) / (2 * i64::from(Q))) % (1 << D);
            assert_eq!(i64::from(compress::<D>(x)), exact, "Compress_{D}({x})");
        }
        for y in 0..1 << D {
            let exact = (2 * i64::from(Q) * i64::from(y) + (1 << D)) >> (D + 1);
            assert_eq!(i64::from(decompress::<D>(y)), exact, "Decompress_{D}({y})");
            assert_eq!(compress::<D>(decompress::<D>(y)), y, "Compress inverts Decompress");
        }
    }

    #[test]
    fn compress_and_decompress_round_exactly_everywhere() {
        compress_is_rounding::<1>();
        compress_is_rounding::<4>();
        compress_is_rounding::<5>();
        compress_is_rounding::<10>();
        compress_is_rounding::<11>();
    }

    fn check_encoding<const D: usize>() {
        let f: [i16; N] = core::array::from_fn(|i| ((i * 2903 + 77) % (1 << D)) as i16);
        let mut bytes = [0; 32 * 12];
        byte_encode::<D>(&f, &mut bytes[..32 * D]);
        for (i, f) in f.iter().enumerate() {
            for bit in 0..D {
                let at = i * D + bit;
                assert_eq!(bytes[at / 8] >> (at % 8) & 1, (f >> bit & 1) as u8, "bit {bit} of {i}");
            }
        }
        let mut back = [0; N];
        byte_decode::<D>(&bytes[..32 * D], &mut back);
        assert_eq!(back, f);
    }

    #[test]
    fn encodings_match_the_standards_bit_strings() {
        check_encoding::<1>();
        check_encoding::<4>();
        check_encoding::<5>();
        check_encoding::<10>();
        check_encoding::<11>();
        check_encoding::<12>();
    }
}
