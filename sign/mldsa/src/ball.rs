//! SampleInBall, FIPS 204 Algorithm 29.

use crate::poly::{N, Poly};
use grille_hash::{Level, Shake256};

/// The challenge c with `tau` coefficients ±1, from c~.
///
/// Variable time in c~, which is public: it is part of the signature, and one that is rejected tells nothing
/// of the key (the distribution of a rejected c~ is that of a hash of uniform w1).
pub(crate) fn sample_in_ball(level: Level, c_tilde: &[u8], tau: usize) -> Poly {
    let mut xof = Shake256::<1>::new(level);
    xof.absorb_all(c_tilde);
    let mut block = [[0; 136]];
    xof.squeeze_blocks(&mut block);
    let mut signs = u64::from_le_bytes(*block[0].first_chunk().expect("a block has eight bytes"));
    let mut at = 8;
    let mut c = Poly::ZERO;
    for i in N - tau..N {
        let j = loop {
            if at == block[0].len() {
                xof.squeeze_blocks(&mut block);
                at = 0;
            }
            let j = usize::from(block[0][at]);
            at += 1;
            if j <= i {
                break j;
            }
        };
        c.0[i] = c.0[j];
        c.0[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_has_tau_coefficients_of_plus_or_minus_one() {
        for (tau, len) in [(39, 32), (49, 48), (60, 64)] {
            for seed in 0..200u8 {
                let c = sample_in_ball(Level::detect(), &[seed; 64][..len], tau);
                assert!(c.0.iter().all(|c| c.abs() <= 1));
                assert_eq!(c.0.iter().filter(|c| **c != 0).count(), tau);
            }
        }
    }
}
