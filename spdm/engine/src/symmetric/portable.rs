//! Hashes and AEADs that need no operating system: RustCrypto's SHA-2, AES-GCM and ChaCha20-Poly1305, and grille's own SHA-3.

/// Hashes.
pub(crate) mod digest {
    use grille_hash::Level;
    use grille_hash::sponge::Sponge;
    use sha2::Digest as _;
    use sha2::digest::array::{Array, ArraySize};

    /// A hash.
    pub(crate) struct Algorithm {
        output_len: usize,
        block_len: usize,
        start: fn() -> Context,
    }

    impl Algorithm {
        /// Returns the length of the output in bytes.
        pub(crate) const fn output_len(&self) -> usize {
            self.output_len
        }

        /// Returns the length of a block in bytes, for HMAC.
        pub(crate) const fn block_len(&self) -> usize {
            self.block_len
        }
    }

    macro_rules! hashes {
        ($($name:ident $variant:ident $output:literal $block:literal $state:ty, $new:expr;)*) => {
            $(pub(crate) static $name: Algorithm = Algorithm {
                output_len: $output,
                block_len: $block,
                start: || Context::$variant($new),
            };)*

            /// An incremental hash.
            #[derive(Clone)]
            pub(crate) enum Context {
                $($variant($state),)*
            }

            impl Context {
                /// Returns the hash of all input.
                #[cfg(any(test, not(feature = "std")))]
                pub(crate) fn finish(self) -> crate::digest::Digest {
                    let mut output = [0; crate::digest::MAX_HASH_LEN];
                    let output = match &self {
                        $(Self::$variant(_) => &mut output[..$output],)*
                    };
                    self.finish_into(output);
                    crate::digest::Digest::from_slice(output)
                }
            }
        };
    }

    type Sha3<const RATE: usize> = Sponge<RATE, 0x06, 1>;

    hashes! {
        SHA256   Sha256   32 64  sha2::Sha256, sha2::Sha256::new();
        SHA384   Sha384   48 128 sha2::Sha384, sha2::Sha384::new();
        SHA512   Sha512   64 128 sha2::Sha512, sha2::Sha512::new();
        SHA3_256 Sha3_256 32 136 Sha3<136>, Sha3::new(Level::detect());
        SHA3_384 Sha3_384 48 104 Sha3<104>, Sha3::new(Level::detect());
        SHA3_512 Sha3_512 64 72  Sha3<72>, Sha3::new(Level::detect());
    }

    impl Context {
        /// Starts an empty hash.
        pub(crate) fn new(algorithm: &'static Algorithm) -> Self {
            (algorithm.start)()
        }

        /// Hashes more input.
        pub(crate) fn update(&mut self, input: &[u8]) {
            match self {
                Self::Sha256(state) => state.update(input),
                Self::Sha384(state) => state.update(input),
                Self::Sha512(state) => state.update(input),
                Self::Sha3_256(state) => state.absorb_all(input),
                Self::Sha3_384(state) => state.absorb_all(input),
                Self::Sha3_512(state) => state.absorb_all(input),
            }
        }

        /// Writes the hash of all input to `output`, which is as long as the hash. No other copy of it remains.
        pub(crate) fn finish_into(self, output: &mut [u8]) {
            match self {
                Self::Sha256(state) => state.finalize_into(as_array(output)),
                Self::Sha384(state) => state.finalize_into(as_array(output)),
                Self::Sha512(state) => state.finalize_into(as_array(output)),
                Self::Sha3_256(mut state) => state.squeeze([output]),
                Self::Sha3_384(mut state) => state.squeeze([output]),
                Self::Sha3_512(mut state) => state.squeeze([output]),
            }
        }
    }

    fn as_array<N: ArraySize>(output: &mut [u8]) -> &mut Array<u8, N> {
        output.try_into().expect("the output is as long as the hash")
    }

    /// Writes the hash of `input` to `output`, which is as long as the hash.
    pub(crate) fn digest_into(algorithm: &'static Algorithm, input: &[u8], output: &mut [u8]) {
        let mut running = Context::new(algorithm);
        running.update(input);
        running.finish_into(output);
    }
}

/// AEADs.
#[cfg(any(test, not(feature = "std")))]
pub(crate) mod aead {
    use aes_gcm::{Aes128Gcm, Aes256Gcm};
    use alloc::boxed::Box;
    use chacha20poly1305::ChaCha20Poly1305;
    use chacha20poly1305::aead::consts::{U12, U16};
    use chacha20poly1305::aead::{AeadInOut, KeyInit};

    /// An AEAD.
    pub(crate) struct Algorithm {
        key_len: usize,
        key: fn(&[u8]) -> Box<dyn Cipher>,
    }

    pub(crate) static AES_128_GCM: Algorithm = Algorithm { key_len: 16, key: cipher::<Aes128Gcm> };
    pub(crate) static AES_256_GCM: Algorithm = Algorithm { key_len: 32, key: cipher::<Aes256Gcm> };
    pub(crate) static CHACHA20_POLY1305: Algorithm =
        Algorithm { key_len: 32, key: cipher::<ChaCha20Poly1305> };

    impl Algorithm {
        /// Returns the length of a key in bytes.
        pub(crate) const fn key_len(&self) -> usize {
            self.key_len
        }
    }

    /// A key. It is erased when dropped.
    pub(crate) struct Key(Box<dyn Cipher>);

    impl Key {
        /// Prepares a key. Secret: `key`, which has the algorithm's length.
        pub(crate) fn new(algorithm: &'static Algorithm, key: &[u8]) -> Self {
            Self((algorithm.key)(key))
        }

        /// Encrypts in place and returns the tag; `None` if there is too much data.
        pub(crate) fn seal(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
            self.0.seal(nonce, aad, data)
        }

        /// Decrypts in place and returns the length of the plaintext. `sealed` ends with the tag. Returns `None` if the tag is
        /// invalid.
        pub(crate) fn open(&self, nonce: [u8; 12], aad: &[u8], sealed: &mut [u8]) -> Option<usize> {
            let (data, tag) = sealed.split_last_chunk_mut()?;
            self.0.open(nonce, aad, data, *tag).then_some(data.len())
        }
    }

    /// An object-safe form of RustCrypto's AEAD trait.
    trait Cipher: Send + Sync {
        fn seal(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]>;
        fn open(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8], tag: [u8; 16]) -> bool;
    }

    impl<A> Cipher for A
    where
        A: AeadInOut<NonceSize = U12, TagSize = U16> + Send + Sync,
    {
        fn seal(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
            self.encrypt_inout_detached(&nonce.into(), aad, data.into()).ok().map(Into::into)
        }

        fn open(&self, nonce: [u8; 12], aad: &[u8], data: &mut [u8], tag: [u8; 16]) -> bool {
            self.decrypt_inout_detached(&nonce.into(), aad, data.into(), &tag.into()).is_ok()
        }
    }

    fn cipher<A: Cipher + KeyInit + 'static>(key: &[u8]) -> Box<dyn Cipher> {
        Box::new(A::new_from_slice(key).expect("the key schedule derives keys of this length"))
    }
}
