//! The streams for sampling vectors.

use grille_hash::aes_ctr::Aes256Ctr;
use grille_hash::{Level, Shake256};

/// A stream of bytes, erased on drop. Its bytes do not depend on the sizes of the reads.
pub(crate) trait Stream {
    /// Writes the next bytes.
    fn squeeze(&mut self, out: &mut [u8]);
}

/// The XOF of the version of August 2025: SHAKE256(seed ‖ 1).
pub(crate) struct Xof(Shake256<1>);

impl Xof {
    pub(crate) fn new(level: Level, seed: &[u8]) -> Self {
        let mut xof = Shake256::new(level);
        xof.absorb_all(seed);
        xof.absorb_all(&[1]);
        Self(xof)
    }
}

impl Stream for Xof {
    fn squeeze(&mut self, out: &mut [u8]) {
        self.0.squeeze([out]);
    }
}

/// The seed expander of round 3: AES-256 in counter mode. The first 32 bytes of a seed are the key. The counter block
/// starts with the next 8 bytes and the maximum length of a stream, 2³² − 1 bytes.
pub(crate) struct SeedExpander(Aes256Ctr);

impl SeedExpander {
    /// Creates the expander from the first 40 bytes of `seed`.
    pub(crate) fn new(seed: &[u8]) -> Self {
        let (key, rest) = seed.split_first_chunk().expect("40 bytes");
        let mut nonce = [0xFF; 12];
        nonce[..8].copy_from_slice(&rest[..8]);
        Self(Aes256Ctr::new(key, &nonce))
    }
}

impl Stream for SeedExpander {
    fn squeeze(&mut self, out: &mut [u8]) {
        self.0.squeeze(out);
    }
}
