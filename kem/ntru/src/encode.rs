//! The encodings of elements in NTRU round 3: pack_Rq0, pack_Sq, pack_S3 and their inverses, in constant
//! time.

use crate::backend::Backend;
use crate::coefficient::mod3;
use crate::params::Params;
use crate::ring::{Rq, S3};
use grille_core::Bytes;

/// Runs pack_Rq0 and pack_Sq: packs the lower log₂ q bits of each of the first n − 1 coefficients, least significant
/// first.
#[inline(always)]
pub(crate) fn pack_q<P: Params, B: Backend>(backend: B, a: &Rq<P>, bytes: &mut [u8]) {
    backend.pack::<P>(&a.0.as_ref()[..P::N - 1], bytes);
}

/// Runs unpack_Sq on a zeroed `a`: coefficients are in [0, q), and that of xⁿ⁻¹ is zero. Ignores bits after
/// the last coefficient.
#[inline(always)]
pub(crate) fn unpack_sq<P: Params, B: Backend>(backend: B, bytes: &[u8], a: &mut P::Coefficients) {
    backend.unpack::<P>(bytes, &mut a.as_mut()[..P::N - 1]);
}

/// Runs unpack_Rq0 on a zeroed `a`: the coefficient of xⁿ⁻¹ makes the sum of all coefficients zero.
#[inline(always)]
pub(crate) fn unpack_rq0<P: Params, B: Backend>(backend: B, bytes: &P::PublicBytes, a: &mut P::Coefficients) {
    unpack_sq::<P, B>(backend, bytes.as_ref(), a);
    let sum = a.as_ref().iter().fold(0, |sum: u16, a| sum.wrapping_add(*a));
    a.as_mut()[P::N - 1] = sum.wrapping_neg();
}

/// Checks whether the bits after the last coefficient, all of which are in the last byte, are zero.
#[inline(always)]
pub(crate) fn has_zero_padding<P: Params>(bytes: &P::PublicBytes) -> bool {
    let used = P::LOG_Q * (P::N - 1) % 8;
    used == 0 || bytes.as_ref()[P::PublicBytes::LEN - 1] >> used == 0
}

/// Runs pack_S3: packs five of the first n − 1 coefficients in each byte, as Σ aᵢ·3ⁱ.
#[inline(always)]
pub(crate) fn pack_s3<P: Params, B: Backend>(backend: B, a: &S3<P>, bytes: &mut [u8]) {
    backend.pack_trits(&a.0.as_ref()[..P::N - 1], bytes);
}

/// Runs unpack_S3 on a zeroed `a`: the coefficient of xⁿ⁻¹ is zero. Accepts every byte, and ignores a byte's
/// multiples of 3⁵ and, in the last byte, the coefficients that pack_S3 does not write.
#[inline(always)]
pub(crate) fn unpack_s3<P: Params>(bytes: &[u8], a: &mut S3<P>) {
    for (a, byte) in a.0.as_mut()[..P::N - 1].chunks_mut(5).zip(bytes) {
        let mut rest = u16::from(*byte);
        for a in a {
            *a = mod3(rest);
            // computes ⌊rest/3⌋
            rest = (rest * 171) >> 9;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::portable::Portable;
    use crate::params::{Hps2048509, Hps4096821, Hrss701, Hrss1373};
    use grille_hash::Level;
    use std::vec;

    const BACKEND: Portable = Portable { level: Level::Portable };

    fn check_bit_string<P: Params>() {
        let mut a = Rq::<P>::zero();
        a.0.as_mut()[..P::N].iter_mut().enumerate().for_each(|(i, a)| *a = (i * 40503 + 77) as u16);
        let mut bytes = P::PublicBytes::zeroed();
        pack_q(BACKEND, &a, bytes.as_mut());
        for (i, a) in a.0.as_ref()[..P::N - 1].iter().enumerate() {
            for bit in 0..P::LOG_Q {
                let at = i * P::LOG_Q + bit;
                assert_eq!(bytes.as_ref()[at / 8] >> (at % 8) & 1, (a >> bit & 1) as u8, "bit {bit} of {i}");
            }
        }
        assert!(has_zero_padding::<P>(&bytes));
        let (mut back, mut again) = (Rq::<P>::zero(), P::PublicBytes::zeroed());
        unpack_rq0::<P, _>(BACKEND, &bytes, &mut back.0);
        pack_q(BACKEND, &back, again.as_mut());
        assert_eq!(again.as_ref(), bytes.as_ref());
        assert_eq!(back.0.as_ref().iter().fold(0u16, |sum, a| sum.wrapping_add(*a)), 0);
    }

    #[test]
    fn packing_matches_the_bit_string_of_the_coefficients() {
        check_bit_string::<Hps2048509>();
        check_bit_string::<Hps4096821>();
        check_bit_string::<Hrss701>();
        check_bit_string::<Hrss1373>();
    }

    #[test]
    fn detects_nonzero_padding() {
        for bit in 4..8 {
            let mut bytes = [0; 699];
            bytes[698] = 1 << bit;
            assert!(!has_zero_padding::<Hps2048509>(&bytes), "bit {bit}");
        }
        assert!(has_zero_padding::<Hps4096821>(&[0xFF; 1230]), "this set has no padding bits");
    }

    #[test]
    fn every_byte_of_five_trits_round_trips() {
        for byte in 0..243 {
            let mut bytes = vec![byte; 140];
            let mut a = S3::zero();
            unpack_s3::<Hrss701>(&bytes, &mut a);
            assert!(a.0.iter().all(|a| *a < 3));
            bytes.fill(0);
            pack_s3(BACKEND, &a, &mut bytes);
            assert_eq!(bytes, [byte; 140]);
        }
        // bytes larger than 3⁵ − 1
        for byte in 243..=255 {
            let mut a = S3::zero();
            unpack_s3::<Hrss701>(&[byte; 140], &mut a);
            assert!(a.0.iter().all(|a| *a < 3), "{byte}");
        }
    }
}
