//! The base hash, with HMAC (RFC 2104) and HKDF-Expand (RFC 5869).

pub use crate::digest::{Digest, MAX_HASH_LEN};
use crate::symmetric::{digest, keyed};
use alloc::vec;
use core::fmt;
use grille_core::SecretBytes;
use grille_spdm_codec::algorithms::BaseHash;
use grille_spdm_codec::bits::{self, Bits as _};
use zeroize::Zeroizing;

/// The longest block of [`HASHES`] in bytes, which is that of SHA3-256.
const MAX_BLOCK_LEN: usize = 136;

/// A hash that SPDM can negotiate.
pub struct Hash {
    /// The bit in BaseHashAlgo.
    pub bit: u8,
    /// The standard's name.
    pub name: &'static str,
    algorithm: &'static digest::Algorithm,
    /// Another implementation of the hash, which is used for keys because it erases its state.
    keyed: &'static keyed::Algorithm,
}

macro_rules! hashes {
    ($($bit:literal $algorithm:ident;)*) => {
        [$(Hash {
            bit: $bit,
            name: bits::row(BaseHash::ROWS, $bit).name,
            algorithm: &digest::$algorithm,
            keyed: &keyed::$algorithm,
        }),*]
    };
}

/// The hashes of BaseHashAlgo, DSP0274. SM3 is not supported.
pub static HASHES: [Hash; 6] = hashes! {
    0 SHA256;
    1 SHA384;
    2 SHA512;
    3 SHA3_256;
    4 SHA3_384;
    5 SHA3_512;
};

impl Hash {
    /// Returns the length of the output in bytes, H in DSP0274.
    #[must_use]
    pub fn output_len(&self) -> usize {
        self.keyed.output_len()
    }

    #[cfg(feature = "std")]
    pub(crate) fn algorithm(&self) -> &'static digest::Algorithm {
        self.algorithm
    }

    /// Returns the hash of the concatenated `parts`.
    #[must_use]
    pub fn digest(&self, parts: &[&[u8]]) -> Digest {
        let mut running = self.start();
        parts.iter().for_each(|part| running.update(part));
        running.finish()
    }

    /// Starts an incremental hash.
    #[must_use]
    pub fn start(&self) -> Running {
        Running(digest::Context::new(self.algorithm))
    }

    /// Returns HMAC of the concatenated `parts`. Secret: `key`.
    #[must_use]
    pub fn hmac(&self, key: &[u8], parts: &[&[u8]]) -> Digest {
        let mut mac = [0; MAX_HASH_LEN];
        let mac = &mut mac[..self.output_len()];
        self.mac(key, parts, mac);
        Digest::from_slice(mac)
    }

    /// Returns HMAC of the concatenated `parts` as a key. Secret: `key`, the result.
    #[must_use]
    pub fn hmac_key(&self, key: &[u8], parts: &[&[u8]]) -> SecretBytes {
        let mut mac = SecretBytes::new(vec![0; self.output_len()]);
        self.mac(key, parts, mac.as_mut());
        mac
    }

    /// Writes HMAC to `mac`, which is as long as the hash. Secret: `key`, and possibly `mac`; no copy of either remains in
    /// memory.
    fn mac(&self, key: &[u8], parts: &[&[u8]], mac: &mut [u8]) {
        let block = self.keyed.block_len();
        let mut pad = Zeroizing::new([0; MAX_BLOCK_LEN]);
        if key.len() > block {
            keyed::digest_into(self.keyed, key, &mut pad[..mac.len()]);
        } else {
            pad[..key.len()].copy_from_slice(key);
        }
        // K ⊕ ipad
        pad.iter_mut().for_each(|byte| *byte ^= 0x36);
        let mut inner = keyed::Context::new(self.keyed);
        inner.update(&pad[..block]);
        parts.iter().for_each(|part| inner.update(part));
        inner.finish_into(mac);
        // K ⊕ opad
        pad.iter_mut().for_each(|byte| *byte ^= 0x36 ^ 0x5C);
        let mut outer = keyed::Context::new(self.keyed);
        outer.update(&pad[..block]);
        outer.update(mac);
        outer.finish_into(mac);
    }

    /// Returns HKDF-Expand. Secret: `secret`, the result.
    ///
    /// # Panics
    /// Panics if `len` exceeds 255 hash lengths, RFC 5869 section 2.3.
    #[must_use]
    pub fn expand(&self, secret: &[u8], info: &[&[u8]], len: usize) -> SecretBytes {
        let hash = self.output_len();
        assert!(len <= 255 * hash, "HKDF-Expand returns at most 255 hash lengths");
        let mut okm = SecretBytes::new(vec![0; len]);
        // T(i − 1), initially empty, and T(i)
        let [mut last, mut next] = [(); 2].map(|()| Zeroizing::new([0; MAX_HASH_LEN]));
        let mut last_len = 0;
        for (counter, chunk) in (1..=u8::MAX).zip(okm.as_mut().chunks_mut(hash)) {
            let counter = [counter];
            let mut parts = vec![&last[..last_len]];
            parts.extend_from_slice(info);
            parts.push(&counter);
            self.mac(secret, &parts, &mut next[..hash]);
            chunk.copy_from_slice(&next[..chunk.len()]);
            core::mem::swap(&mut last, &mut next);
            last_len = hash;
        }
        okm
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// An incremental hash. A clone can be finished while the original continues.
#[derive(Clone)]
pub struct Running(digest::Context);

impl Running {
    /// Hashes more input.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash of all input so far.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.clone().finish()
    }

    /// Returns the hash of all input.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest::from_slice(self.0.finish().as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
    }

    /// RFC 4231 test case 2, and case 6 with a key longer than a block.
    #[test]
    fn hmac_matches_rfc_4231() {
        let [sha256, sha384, ..] = &HASHES;
        assert_eq!(
            sha256.hmac(b"Jefe", &[b"what do ya want ", b"for nothing?"]).as_ref(),
            hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        );
        let long = sha384.hmac(&[0xAA; 131], &[b"Test Using Larger Than Block-Size Key - Hash Key First"]);
        assert_eq!(long.as_ref()[..8], hex("4ece084485813e90"));
    }

    /// RFC 5869 test case 1.
    #[test]
    fn expand_matches_rfc_5869() {
        let prk = hex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
        let okm = HASHES[0].expand(&prk, &[&hex("f0f1f2f3f4f5f6f7f8f9")], 42);
        let expected =
            hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
        assert_eq!(okm.as_ref(), expected);
    }

    #[test]
    fn running_hash_continues_after_digest() {
        for hash in &HASHES {
            let mut running = hash.start();
            running.update(b"a");
            assert_eq!(running.digest(), hash.digest(&[b"a"]));
            running.update(b"bc");
            assert_eq!(running.digest(), hash.digest(&[b"abc"]), "{}", hash.name);
            assert_eq!(running.digest().as_ref().len(), hash.output_len());
        }
    }
}
