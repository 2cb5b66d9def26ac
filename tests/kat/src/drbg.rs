//! CTR_DRBG with AES-256 and without derivation function, SP 800-90A section 10.2.1: the generator of NIST's vectors.

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;

/// The generator's state, and the sizes of the reads in bytes.
#[derive(Clone)]
pub struct CtrDrbg {
    key: [u8; 32],
    v: u128,
    read_sizes: Vec<usize>,
}

impl CtrDrbg {
    /// Runs CTR_DRBG_Instantiate with `entropy` alone.
    #[must_use]
    pub fn new(entropy: &[u8; 48]) -> Self {
        let mut drbg = Self { key: [0; 32], v: 0, read_sizes: Vec::new() };
        drbg.update(entropy);
        drbg
    }

    /// Returns the sizes of the reads since the last call of this function.
    pub fn take_read_sizes(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.read_sizes)
    }

    fn next_block(&mut self) -> [u8; 16] {
        self.v = self.v.wrapping_add(1);
        let mut block = self.v.to_be_bytes().into();
        Aes256::new(&self.key.into()).encrypt_block(&mut block);
        block.into()
    }

    /// Runs CTR_DRBG_Update on the state with `provided`.
    fn update(&mut self, provided: &[u8; 48]) {
        let mut state = [[0; 16]; 3];
        state.fill_with(|| self.next_block());
        let mut state = state.concat();
        state.iter_mut().zip(provided).for_each(|(byte, provided)| *byte ^= provided);
        let (key, v) = state.split_at(32);
        self.key.copy_from_slice(key);
        self.v = v.iter().fold(0, |v, byte| v << 8 | u128::from(*byte));
    }
}

impl TryRng for CtrDrbg {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Runs CTR_DRBG_Generate. Each call ends with an update, so the size of a read affects the bytes of all later
    /// reads.
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.read_sizes.push(out.len());
        for chunk in out.chunks_mut(16) {
            let block = self.next_block();
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
        self.update(&[0; 48]);
        Ok(())
    }
}

// The generator is deterministic and insecure, but algorithms require this marker.
impl TryCryptoRng for CtrDrbg {}
