//! Hashes and AEADs of aws-lc-rs.

pub(crate) use aws_lc_rs::digest;

/// AEADs.
pub(crate) mod aead {
    use aws_lc_rs::aead::{Aad, LessSafeKey, Nonce, UnboundKey};

    pub(crate) use aws_lc_rs::aead::{AES_128_GCM, AES_256_GCM, Algorithm, CHACHA20_POLY1305};

    /// A key. aws-lc erases it when dropped.
    pub(crate) struct Key(LessSafeKey);

    impl Key {
        /// Prepares a key. Secret: `key`, which has the algorithm's length.
        pub(crate) fn new(algorithm: &'static Algorithm, key: &[u8]) -> Self {
            let key = UnboundKey::new(algorithm, key).expect("the key schedule derives keys of this length");
            Self(LessSafeKey::new(key))
        }

        /// Encrypts in place and returns the tag; `None` if there is too much data.
        pub(crate) fn seal(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
            let nonce = Nonce::assume_unique_for_key(nonce);
            let tag = self.0.seal_in_place_separate_tag(nonce, Aad::from(aad), data).ok()?;
            tag.as_ref().try_into().ok()
        }

        /// Decrypts in place and returns the length of the plaintext. `sealed` ends with the tag. Returns `None` if the tag is
        /// invalid.
        pub(crate) fn open(&self, nonce: [u8; 12], aad: &[u8], sealed: &mut [u8]) -> Option<usize> {
            let nonce = Nonce::assume_unique_for_key(nonce);
            Some(self.0.open_in_place(nonce, Aad::from(aad), sealed).ok()?.len())
        }
    }
}
