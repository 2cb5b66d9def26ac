//! SampleInBall, FIPS 204 Algorithm 29.

#[cfg(test)]
use crate::poly::Zero;
use crate::poly::{N, Poly};
use crate::streams::H_RATE;
use grille_hash::{Level, shake256};

/// Samples the challenge c with `tau` coefficients ±1, from c~ and the first block of H(c~).
///
/// The time depends on c~, which is public: it is part of the signature. c~ of a rejected attempt reveals
/// nothing about the key, because it is a hash of uniform w1.
pub(crate) fn sample_in_ball(level: Level, c_tilde: &[u8], block: &[u8; H_RATE], tau: usize, c: &mut Poly) {
    let (signs, indices) = block.split_first_chunk().expect("a block has eight bytes");
    if fill(c, *signs, indices, tau).is_none() {
        // the 128 indices of one block are almost always enough
        fill_from_stream(c, level, c_tilde, tau);
    }
}

/// Samples the challenge from a stream of 30 blocks. This is a separate function, because the stream would
/// otherwise occupy the stack in every call.
#[cold]
#[inline(never)]
fn fill_from_stream(c: &mut Poly, level: Level, c_tilde: &[u8], tau: usize) {
    let mut stream = [0; 30 * H_RATE];
    shake256(level, &[c_tilde], &mut stream);
    let (signs, indices) = stream.split_first_chunk().expect("a block has eight bytes");
    fill(c, *signs, indices, tau).expect("more than 4000 candidates contain enough indices");
}

/// Sets `tau` coefficients. Returns `None` if there are not enough indices.
fn fill(c: &mut Poly, signs: [u8; 8], indices: &[u8], tau: usize) -> Option<()> {
    c.0.fill(0);
    let mut signs = u64::from_le_bytes(signs);
    let mut indices = indices.iter().map(|j| usize::from(*j));
    for i in N - tau..N {
        let j = indices.find(|j| *j <= i)?;
        c.0[i] = c.0[j];
        c.0[j] = 1 - 2 * (signs & 1) as i32;
        signs >>= 1;
    }
    Some(())
}

/// Samples a challenge for tests.
#[cfg(test)]
pub(crate) fn challenge(c_tilde: &[u8], tau: usize) -> Poly {
    let mut block = [0; H_RATE];
    shake256(Level::detect(), &[c_tilde], &mut block);
    let mut c = Poly::ZERO;
    sample_in_ball(Level::detect(), c_tilde, &block, tau, &mut c);
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_in_ball_yields_tau_coefficients_of_plus_or_minus_one() {
        for (tau, len) in [(39, 32), (49, 48), (60, 64)] {
            for seed in 0..200u8 {
                let c = challenge(&[seed; 64][..len], tau);
                assert!(c.0.iter().all(|c| c.abs() <= 1));
                assert_eq!(c.0.iter().filter(|c| **c != 0).count(), tau);
            }
        }
    }

    #[test]
    fn index_streams_with_many_rejections_keep_being_read() {
        // a block without an index that is small enough
        let mut block = [0xFF; H_RATE];
        let c_tilde = [5; 48];
        let mut stream = [0; 2 * H_RATE];
        shake256(Level::detect(), &[&c_tilde], &mut stream);
        block[..8].copy_from_slice(&stream[..8]);
        let mut c = Poly([7; N]);
        sample_in_ball(Level::detect(), &c_tilde, &block, 49, &mut c);
        assert_eq!(c, challenge(&c_tilde, 49));
    }
}
