//! AES-256 in counter mode as a byte generator. Kyber-90s and Dilithium-AES use it in place of SHAKE.

use aes::{Aes256, Aes256Enc};
use ctr::cipher::{InnerIvInit, KeyInit, KeyIvInit, StreamCipher, StreamCipherCoreWrapper};
use ctr::{Ctr32BE, CtrCore};
use grille_cpu::Level;
#[cfg(target_arch = "x86_64")]
use {
    crate::backend::aes_ni::RoundKeys,
    grille_cpu::{AesNi, Avx2, Vaes, Vaes256},
};

/// The key stream of AES-256-CTR, SP 800-38A section 6.5, starting at block 0. Erased on drop.
///
/// The counter block is the 12-byte nonce followed by a 32-bit big-endian block number.
pub struct Aes256Ctr(Ctr32BE<Aes256>);

impl Aes256Ctr {
    /// Creates the key stream generator at the start of the stream that `key` and `nonce` define.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        let mut counter_block = [0; 16];
        counter_block[..12].copy_from_slice(nonce);
        Self(Ctr32BE::new(key.into(), &counter_block.into()))
    }

    /// Writes the next bytes of the stream.
    pub fn squeeze(&mut self, out: &mut [u8]) {
        out.fill(0);
        self.0.apply_keystream(out);
    }
}

/// An expanded AES-256 key, which generates one key stream for each nonce. Erased on drop.
pub struct Aes256Streams(Schedule);

enum Schedule {
    #[cfg(target_arch = "x86_64")]
    Vaes512(RoundKeys<Vaes>),
    #[cfg(target_arch = "x86_64")]
    Vaes256(RoundKeys<Vaes256>),
    #[cfg(target_arch = "x86_64")]
    AesNi(RoundKeys<AesNi>),
    Portable(Aes256Enc),
}

impl Aes256Streams {
    /// Expands the key once for all streams.
    #[must_use]
    pub fn new(level: Level, key: &[u8; 32]) -> Self {
        Self(match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(token) if let Some(token) = token.vaes() => {
                Schedule::Vaes512(RoundKeys::<Vaes>::new(token, key))
            }
            #[cfg(target_arch = "x86_64")]
            level if let Some(token) = level.avx2().and_then(Avx2::vaes256) => {
                Schedule::Vaes256(RoundKeys::<Vaes256>::new(token, key))
            }
            #[cfg(target_arch = "x86_64")]
            level if let Some(token) = level.avx2().and_then(Avx2::aes_ni) => {
                Schedule::AesNi(RoundKeys::<AesNi>::new(token, key))
            }
            _ => Schedule::Portable(Aes256Enc::new(key.into())),
        })
    }

    /// Writes the first bytes of the stream that `nonce` defines, as [`Aes256Ctr`] does.
    pub fn squeeze(&self, nonce: &[u8; 12], out: &mut [u8]) {
        match &self.0 {
            #[cfg(target_arch = "x86_64")]
            Schedule::Vaes512(keys) => keys.keystream(nonce, out),
            #[cfg(target_arch = "x86_64")]
            Schedule::Vaes256(keys) => keys.keystream(nonce, out),
            #[cfg(target_arch = "x86_64")]
            Schedule::AesNi(keys) => keys.keystream(nonce, out),
            Schedule::Portable(cipher) => {
                let mut counter_block = [0; 16];
                counter_block[..12].copy_from_slice(nonce);
                out.fill(0);
                let core = CtrCore::inner_iv_init(cipher.clone(), &counter_block.into());
                let mut stream: Ctr32BE<Aes256Enc> = StreamCipherCoreWrapper::from_core(core);
                stream.apply_keystream(out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_key_stream_matches_the_encrypted_counter() {
        let mut out = [0; 16];
        Aes256Ctr::new(&[0; 32], &[0; 12]).squeeze(&mut out);
        // FIPS 197: AES-256 of the zero block with the zero key
        assert_eq!(out[..8], [0xDC, 0x95, 0xC0, 0x78, 0xA2, 0x40, 0x89, 0x89]);
    }

    #[test]
    fn squeezing_in_pieces_matches_squeezing_at_once() {
        let (mut whole, mut pieces) = ([0; 100], [0; 100]);
        Aes256Ctr::new(&[1; 32], &[2; 12]).squeeze(&mut whole);
        let mut stream = Aes256Ctr::new(&[1; 32], &[2; 12]);
        pieces.chunks_mut(7).for_each(|piece| stream.squeeze(piece));
        assert_eq!(whole, pieces);
    }
    #[test]
    fn streams_match_the_single_stream_at_every_level_and_length() {
        for level in Level::all() {
            for seed in 0..20u8 {
                let key = core::array::from_fn(|i| seed.wrapping_mul(31) ^ (i as u8).wrapping_mul(7));
                let streams = Aes256Streams::new(level, &key);
                for len in (0..600).step_by(13).chain([16, 255, 256, 257, 840, 5000]) {
                    let nonce = [seed ^ len as u8; 12];
                    let (mut got, mut expected) = (std::vec![1; len], std::vec![2; len]);
                    streams.squeeze(&nonce, &mut got);
                    Aes256Ctr::new(&key, &nonce).squeeze(&mut expected);
                    assert_eq!(got, expected, "{len} bytes, {}", level.name());
                }
            }
        }
    }
}
