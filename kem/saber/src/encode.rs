//! Conversion between coefficients of D bits and bit strings, lowest bit first, in constant time.

use crate::ring::N;

/// Packs coefficients modulo 2^D. `bytes` has 32·D bytes.
#[inline(always)]
pub(crate) fn pack<const D: usize>(f: &[i16; N], bytes: &mut [u8]) {
    for (f, bytes) in f.chunks_exact(8).zip(bytes.chunks_exact_mut(D)) {
        let bits = f.iter().rev().fold(0_u128, |bits, f| bits << D | (*f as u128 & ((1 << D) - 1)));
        bytes.copy_from_slice(&bits.to_le_bytes()[..D]);
    }
}

/// Unpacks coefficients in [0, 2^D), or in [−2¹², 2¹²) for D = 13, which are residues modulo q. `bytes` has
/// 32·D bytes.
#[inline(always)]
pub(crate) fn unpack<const D: usize>(bytes: &[u8], f: &mut [i16; N]) {
    for (f, bytes) in f.chunks_exact_mut(8).zip(bytes.chunks_exact(D)) {
        let mut word = [0; 16];
        word[..D].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(word);
        for (i, f) in f.iter_mut().enumerate() {
            let x = (bits >> (D * i) & ((1 << D) - 1)) as i16;
            *f = if D == 13 { x << 3 >> 3 } else { x };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_bit_string<const D: usize>() {
        let f: [i16; N] = core::array::from_fn(|i| (i * 2903 + 77) as i16);
        let mut bytes = [0; 32 * 13];
        pack::<D>(&f, &mut bytes[..32 * D]);
        for (i, f) in f.iter().enumerate() {
            for bit in 0..D {
                let at = i * D + bit;
                assert_eq!(bytes[at / 8] >> (at % 8) & 1, (f >> bit & 1) as u8, "bit {bit} of {i}");
            }
        }
        let mut back = [0; N];
        unpack::<D>(&bytes[..32 * D], &mut back);
        let first = if D == 13 { -(1 << 12) } else { 0 };
        for (f, back) in f.iter().zip(back) {
            assert_eq!(f.wrapping_sub(back) % (1 << D), 0, "the same modulo 2^{D}");
            assert!((first..first + (1 << D)).contains(&back), "{back} with {D} bits");
        }
    }

    #[test]
    fn packing_matches_the_bit_string_at_every_width() {
        check_bit_string::<1>();
        check_bit_string::<3>();
        check_bit_string::<4>();
        check_bit_string::<6>();
        check_bit_string::<10>();
        check_bit_string::<13>();
    }
}
