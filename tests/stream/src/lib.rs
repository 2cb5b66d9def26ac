//! Repeatable randomness for the tests of the families: the output of SHAKE128, and a count of what was drawn; and what
//! the tests of several families ask.
#![forbid(unsafe_code)]

pub mod lengths;
pub mod many;
pub mod pieces;
pub mod sides;
pub mod stack;

use core::convert::Infallible;
use grille_hash::{Level, Shake128};
use rand_core::{TryCryptoRng, TryRng};

/// The same bytes for the same seed; never for keys that matter.
pub struct Stream {
    xof: Shake128<1>,
    draws: Vec<usize>,
}

impl Stream {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: impl AsRef<[u8]>) -> Self {
        let mut xof = Shake128::new(Level::detect());
        xof.absorb_all(seed.as_ref());
        Self { xof, draws: Vec::new() }
    }

    /// How many bytes each draw of an algorithm took; what the other methods take is not among them.
    #[must_use]
    pub fn draws(&self) -> &[usize] {
        &self.draws
    }

    /// Fills `bytes` with the next ones.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        self.xof.squeeze([bytes]);
    }

    /// The next bytes.
    pub fn bytes<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        self.fill(&mut bytes);
        bytes
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (u64::from_le_bytes(self.bytes()) % bound as u64) as usize
    }

    /// The same bytes but for one bit, and which.
    pub fn flip(&mut self, bytes: &[u8]) -> (Vec<u8>, usize) {
        let bit = self.below(8 * bytes.len());
        (with_flipped(bytes, bit), bit)
    }
}

/// The same bytes but for that bit, the lowest of a byte first.
#[must_use]
pub fn with_flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
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
        self.draws.push(bytes.len());
        self.fill(bytes);
        Ok(())
    }
}

// It is deterministic, which is its purpose; the trait is what algorithms ask for.
impl TryCryptoRng for Stream {}
