//! Reproducible randomness for the tests of the families: the output of SHAKE128, with a record of the sizes that
//! algorithms read. This crate also contains the tests that several families share.
#![forbid(unsafe_code)]

pub mod lengths;
pub mod many;
pub mod pieces;
pub mod sides;
pub mod stack;

use core::convert::Infallible;
use grille_hash::{Level, Shake128};
use rand_core::{TryCryptoRng, TryRng};

/// A deterministic generator. It is insecure: never use it for real keys.
pub struct Stream {
    xof: Shake128<1>,
    read_sizes: Vec<usize>,
}

impl Stream {
    /// Creates the stream with this seed.
    #[must_use]
    pub fn new(seed: impl AsRef<[u8]>) -> Self {
        let mut xof = Shake128::new(Level::detect());
        xof.absorb_all(seed.as_ref());
        Self { xof, read_sizes: Vec::new() }
    }

    /// Returns the sizes of the reads that algorithms made through the interface of random generators. Bytes from the
    /// other methods are not included.
    #[must_use]
    pub fn read_sizes(&self) -> &[usize] {
        &self.read_sizes
    }

    /// Fills `bytes` with the next bytes of the stream.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.xof.squeeze([bytes]);
    }

    /// Returns the next bytes of the stream.
    pub fn bytes<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        self.fill(&mut bytes);
        bytes
    }

    /// Returns a random number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (u64::from_le_bytes(self.bytes()) % bound as u64) as usize
    }

    /// Returns a copy of the bytes with one bit flipped, and the index of that bit.
    pub fn flip(&mut self, bytes: &[u8]) -> (Vec<u8>, usize) {
        let bit = self.below(8 * bytes.len());
        (flip_bit(bytes, bit), bit)
    }
}

/// Returns a copy of the bytes with bit `bit` flipped; the lowest bit of a byte comes first.
#[must_use]
pub fn flip_bit(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.read_sizes.push(bytes.len());
        self.fill(bytes);
        Ok(())
    }
}

// The generator is deterministic and insecure, but algorithms require this marker.
impl TryCryptoRng for Stream {}
