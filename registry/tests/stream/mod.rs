//! Deterministic random generator for tests (SplitMix64), with bit flips.

use rand_core::{Rng, TryCryptoRng, TryRng};
use std::convert::Infallible;

/// A deterministic stream of bytes, seeded with a name; for tests only.
pub(crate) struct Stream(u64);

impl Stream {
    /// Creates the stream with the seed `name`.
    pub(crate) fn new(name: &str) -> Self {
        Self(name.bytes().fold(0, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)))
    }

    /// Returns `bytes` with one bit flipped, and the index of that bit in its byte.
    pub(crate) fn flip(&mut self, bytes: &[u8]) -> (Vec<u8>, usize) {
        let position = (self.next_u64() % (8 * bytes.len() as u64)) as usize;
        let mut flipped = bytes.to_vec();
        flipped[position / 8] ^= 1 << (position % 8);
        (flipped, position % 8)
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Ok(z ^ (z >> 31))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

// The generator is deterministic and insecure, but algorithms require this marker trait.
impl TryCryptoRng for Stream {}
