//! AES256-CTR-PRF of rounds 2 and 3: the seed is the key, and the encrypted blocks 0, 1, … are the stream.

use grille_hash::Level;
use grille_hash::aes_ctr::Aes256Streams;
use zeroize::Zeroizing;

/// A pseudorandom stream. The seed and the stream are secret.
pub(crate) struct Prf {
    streams: Aes256Streams,
    /// The number of the next block. AES encrypts it as a little-endian integer.
    number: u64,
    block: Zeroizing<[u8; 16]>,
    used: usize,
}

impl Prf {
    /// Creates the stream of a seed.
    pub(crate) fn new(level: Level, seed: &[u8; 32]) -> Self {
        Self { streams: Aes256Streams::new(level, seed), number: 0, block: Zeroizing::new([0; 16]), used: 16 }
    }

    /// Writes the next bytes of the stream.
    pub(crate) fn fill(&mut self, out: &mut [u8]) {
        for byte in out {
            if self.used == self.block.len() {
                self.next_block();
            }
            *byte = self.block[self.used];
            self.used += 1;
        }
    }

    /// Returns the next four bytes as a little-endian number.
    pub(crate) fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_block(&mut self) {
        // the number has 64 bits, so the counter of the CTR mode, the last four bytes, stays 0
        let mut nonce = [0; 12];
        nonce[..8].copy_from_slice(&self.number.to_le_bytes());
        self.streams.squeeze(&nonce, &mut *self.block);
        (self.number, self.used) = (self.number + 1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_hash::aes_ctr::Aes256Ctr;

    #[test]
    fn stream_consists_of_encrypted_little_endian_numbers() {
        for level in Level::all() {
            let mut prf = Prf::new(level, &[7; 32]);
            let mut stream = [0; 50];
            prf.fill(&mut stream[..3]);
            prf.fill(&mut stream[3..46]);
            let last = prf.next_u32();
            stream[46..].copy_from_slice(&last.to_le_bytes());
            for (number, block) in stream.chunks(16).enumerate() {
                let mut nonce = [0; 12];
                nonce[0] = number as u8;
                let mut expected = [0; 16];
                Aes256Ctr::new(&[7; 32], &nonce).squeeze(&mut expected);
                assert_eq!(block, &expected[..block.len()], "block {number}, {}", level.name());
            }
        }
    }
}
