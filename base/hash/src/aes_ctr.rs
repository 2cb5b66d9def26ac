//! AES-256 in counter mode as a generator of bytes: what Kyber-90s and Dilithium-AES use in place of SHAKE.

use aes::Aes256;
use ctr::Ctr32BE;
use ctr::cipher::{KeyIvInit, StreamCipher};

/// The key stream of AES-256-CTR, SP 800-38A section 6.5, from block 0; erased on drop.
///
/// The counter block is the 12-byte nonce followed by a 32-bit big-endian block number.
pub struct Aes256Ctr(Ctr32BE<Aes256>);

impl Aes256Ctr {
    /// At the beginning of the stream that `key` and `nonce` define.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        let mut counter_block = [0; 16];
        counter_block[..12].copy_from_slice(nonce);
        Self(Ctr32BE::new(key.into(), &counter_block.into()))
    }

    /// The next bytes of the stream.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        out.fill(0);
        self.0.apply_keystream(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_the_zero_key_is_the_encrypted_counter() {
        let mut out = [0; 16];
        Aes256Ctr::new(&[0; 32], &[0; 12]).squeeze(&mut out);
        // FIPS 197: AES-256 of the zero block under the zero key
        assert_eq!(out[..8], [0xDC, 0x95, 0xC0, 0x78, 0xA2, 0x40, 0x89, 0x89]);
    }

    #[test]
    fn squeezing_in_pieces_is_squeezing_at_once() {
        let (mut whole, mut pieces) = ([0; 100], [0; 100]);
        Aes256Ctr::new(&[1; 32], &[2; 12]).squeeze(&mut whole);
        let mut stream = Aes256Ctr::new(&[1; 32], &[2; 12]);
        pieces.chunks_mut(7).for_each(|piece| stream.squeeze(piece));
        assert_eq!(whole, pieces);
    }
}
