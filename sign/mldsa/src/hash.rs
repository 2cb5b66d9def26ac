//! H, and the byte streams that the samplers read, FIPS 204 section 3.7.

use grille_hash::aes_ctr::Aes256Ctr;
use grille_hash::{Level, Shake128, Shake256, shake256};

/// H(str, ℓ) = SHAKE256(str, 8ℓ), FIPS 204 section 3.7; round 3's CRH. `LEN` bytes.
pub(crate) fn h<const LEN: usize>(level: Level, parts: &[&[u8]]) -> [u8; LEN] {
    let mut out = [0; LEN];
    shake256(level, parts, &mut out);
    out
}

/// `N` unlimited byte streams from one seed and one 16-bit nonce each.
pub trait Stream<const N: usize> {
    /// At the beginning of each stream.
    fn new(level: Level, seed: &[u8], nonces: [u16; N]) -> Self;
    /// The next bytes of each stream; all outputs of the same length.
    fn squeeze(&mut self, outputs: [&mut [u8]; N]);
}

/// SHAKE128(seed ‖ nonce): G, FIPS 204 section 3.7.
impl<const N: usize> Stream<N> for Shake128<N> {
    fn new(level: Level, seed: &[u8], nonces: [u16; N]) -> Self {
        let mut xof = Self::new(level);
        xof.absorb_all(seed);
        let nonces = nonces.map(u16::to_le_bytes);
        xof.absorb(nonces.each_ref().map(<[u8; 2]>::as_slice));
        xof
    }

    fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
        self.squeeze(outputs);
    }
}

/// SHAKE256(seed ‖ nonce): H, FIPS 204 section 3.7.
impl<const N: usize> Stream<N> for Shake256<N> {
    fn new(level: Level, seed: &[u8], nonces: [u16; N]) -> Self {
        let mut xof = Self::new(level);
        xof.absorb_all(seed);
        let nonces = nonces.map(u16::to_le_bytes);
        xof.absorb(nonces.each_ref().map(<[u8; 2]>::as_slice));
        xof
    }

    fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
        self.squeeze(outputs);
    }
}

/// AES-256-CTR under the first 32 bytes of the seed; the nonce opens the counter block. Dilithium-AES.
pub struct AesStreams<const N: usize>([Aes256Ctr; N]);

impl<const N: usize> Stream<N> for AesStreams<N> {
    fn new(_level: Level, seed: &[u8], nonces: [u16; N]) -> Self {
        let key = seed.first_chunk().expect("seeds of streams have at least 32 bytes");
        Self(nonces.map(|nonce| {
            let mut iv = [0; 12];
            iv[..2].copy_from_slice(&nonce.to_le_bytes());
            Aes256Ctr::new(key, &iv)
        }))
    }

    fn squeeze(&mut self, outputs: [&mut [u8]; N]) {
        for (stream, output) in self.0.iter_mut().zip(outputs) {
            stream.squeeze(output);
        }
    }
}
