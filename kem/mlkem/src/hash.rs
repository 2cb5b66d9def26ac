//! The byte streams that the samplers read: XOF and PRF, FIPS 203 section 4.1.

use grille_hash::aes_ctr::Aes256Ctr;
use grille_hash::{Level, Shake128, Shake256};

/// `N` unlimited byte streams from one seed and a nonce each.
pub trait Stream<const N: usize> {
    /// At the beginning of each stream; all nonces have the same length, 1 or 2 bytes.
    fn new(level: Level, seed: &[u8; 32], nonces: [&[u8]; N]) -> Self;
    /// The next bytes of each stream; all outputs of the same length.
    fn squeeze(&mut self, outputs: [&mut [u8]; N]);
}

macro_rules! shake_streams {
    ($($(#[$doc:meta])* $shake:ident;)*) => {$(
        $(#[$doc])*
        impl<const N: usize> Stream<N> for $shake<N> {
            fn new(level: Level, seed: &[u8; 32], nonces: [&[u8]; N]) -> Self {
                let mut xof = Self::new(level);
                xof.absorb_all(seed);
                xof.absorb(nonces);
                xof
            }

            fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
                self.squeeze(outputs);
            }
        }
    )*};
}

shake_streams! {
    /// XOF(rho ‖ j ‖ i) = SHAKE128.
    Shake128;
    /// PRF(s ‖ b) = SHAKE256.
    Shake256;
}

/// AES-256-CTR under the seed; the nonce opens the counter block. Kyber-90s.
pub struct AesStreams<const N: usize>([Aes256Ctr; N]);

impl<const N: usize> Stream<N> for AesStreams<N> {
    fn new(_level: Level, seed: &[u8; 32], nonces: [&[u8]; N]) -> Self {
        Self(nonces.map(|nonce| {
            let mut iv = [0; 12];
            iv[..nonce.len()].copy_from_slice(nonce);
            Aes256Ctr::new(seed, &iv)
        }))
    }

    fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
        self.0.iter_mut().zip(outputs).for_each(|(stream, output)| stream.squeeze(output));
    }
}
