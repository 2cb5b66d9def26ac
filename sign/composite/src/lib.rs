//! Composite signatures: combinations of a classical and a post-quantum signature scheme. A [`Composite`] value
//! defines each combination.
//!
//! The registry lists the standardised composites. Use them through [`DynSignature`].
//!
//! ```
//! use grille_classical::PART_ED25519;
//! use grille_composite::{Composite, PreHash};
//! use grille_core::{DynSignature, Error, SystemRng};
//! use grille_mldsa::erased::MlDsa65;
//!
//! static MLDSA65_ED25519: Composite = Composite::ietf(
//!     "MLDSA65-Ed25519-SHA512",
//!     PART_ED25519.part(),
//!     &MlDsa65,
//!     "COMPSIG-MLDSA65-Ed25519-SHA512",
//!     PreHash::Sha512,
//! );
//!
//! # fn main() -> Result<(), Error> {
//! let key = MLDSA65_ED25519.generate(&mut SystemRng);
//! let signature = key.sign(b"message", b"context", &mut SystemRng)?;
//! let public = MLDSA65_ED25519.verifying_key(&key.verifying_key_bytes())?;
//! public.verify(b"message", b"context", &signature)?;
//! assert!(public.verify(b"other", b"context", &signature).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`, because the classical parts come from aws-lc.
//!
//! # Security
//! Both parts must verify, so a composite is secure as long as one of its parts is secure.
//!
//! A secret key contains the secret keys of both parts, which are erased on drop. Splitting and joining keys and
//! signatures branches only on lengths. Classical parts of aws-lc ignore the caller's random generator.
//!
//! # Map of the source
//!
//! | topic | module |
//! |---|---|
//! | composites, and the encoding of their keys | this module |
//! | how both parts sign and verify | `keys`; for messages in pieces, `streaming` |
//! | how the parts are joined | [`Format`], `format` |
//! | the format of OQS-OpenSSL 1.1.1 (2021) and oqs-provider: `p256_dilithium2` … | [`Format::Oqs`], `oqs` |
//! | draft-ietf-lamps-pq-composite-sigs-19: `MLDSA65-ECDSA-P256-SHA512` … | [`Format::Ietf`], `ietf` |
#![forbid(unsafe_code)]

mod format;
mod ietf;
mod keys;
mod oqs;
mod streaming;

use crate::format::Sizes;
use crate::keys::{SigningKey, VerifyingKey};
use grille_classical::Part;
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, ErasedSignature, Error, MessageSigner,
    MessageVerifier, Progress, SecretBytes, Signature, SignatureInfo,
};

pub use format::Format;
pub use ietf::PreHash;

/// A composite signature algorithm, defined by its two parts and its format.
pub struct Composite {
    info: SignatureInfo,
    classical: &'static dyn DynSignature,
    post_quantum: &'static dyn DynSignature,
    format: Format,
}

impl Composite {
    /// Creates a composite in the format of OQS.
    #[must_use]
    pub const fn oqs<S: ErasedSignature>(
        name: &'static str,
        classical: Part,
        post_quantum: &'static S,
    ) -> Self {
        let (c, p) = (classical.info, &S::Signature::INFO);
        let info = SignatureInfo {
            name,
            verifying_key_len: oqs::LENGTH_FIELD_LEN + c.verifying_key_len + p.verifying_key_len,
            signing_key_len: oqs::LENGTH_FIELD_LEN
                + c.signing_key_len
                + p.signing_key_len
                + p.verifying_key_len,
            seed_len: None,
            signature_len: oqs::LENGTH_FIELD_LEN + c.signature_len + p.signature_len,
            context_len: 0,
        };
        Self { info, classical: classical.scheme, post_quantum, format: Format::Oqs }
    }

    /// Creates a composite in the format of the IETF.
    ///
    /// # Panics
    /// Panics at compile time if the post-quantum part has no seeds.
    #[must_use]
    pub const fn ietf<S: ErasedSignature>(
        name: &'static str,
        classical: Part,
        post_quantum: &'static S,
        label: &'static str,
        hash: PreHash,
    ) -> Self {
        let (c, p) = (classical.info, &S::Signature::INFO);
        let info = SignatureInfo {
            name,
            verifying_key_len: p.verifying_key_len + c.verifying_key_len,
            signing_key_len: p.seed_len.expect("ML-DSA has seeds") + c.signing_key_len,
            seed_len: None,
            signature_len: p.signature_len + c.signature_len,
            context_len: 255,
        };
        Self { info, classical: classical.scheme, post_quantum, format: Format::Ietf { label, hash } }
    }

    /// Returns the classical part.
    #[must_use]
    pub fn classical(&self) -> &'static dyn DynSignature {
        self.classical
    }

    /// Returns the post-quantum part.
    #[must_use]
    pub fn post_quantum(&self) -> &'static dyn DynSignature {
        self.post_quantum
    }

    /// Returns the format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    const fn sizes(&self, p: &SignatureInfo) -> Sizes {
        Sizes { format: self.format, signature: p.signature_len, context: self.info.context_len }
    }

    fn key(
        &self,
        classical: Box<dyn DynSigningKey>,
        post_quantum: Box<dyn DynSigningKey>,
    ) -> Box<SigningKey> {
        Box::new(SigningKey { classical, post_quantum, sizes: self.sizes(self.post_quantum.info()) })
    }

    /// Parses a signing key. `from_private` parses the post-quantum part of the OQS format, and `from_seed`
    /// that of the IETF format.
    fn read(
        &self,
        bytes: &[u8],
        from_private: impl FnOnce(&[u8]) -> Result<Box<dyn DynSigningKey>, Error>,
        from_seed: impl FnOnce(&[u8]) -> Result<Box<dyn DynSigningKey>, Error>,
    ) -> Result<Box<dyn DynSigningKey>, Error> {
        let p = self.post_quantum.info();
        let (expected, got) = (self.info.signing_key_len, bytes.len());
        let cut = || Error::Length { input: "private key", expected, got };
        Ok(match self.format {
            Format::Oqs => {
                let (classical, rest) = oqs::split(bytes).ok_or_else(cut)?;
                Error::check_len(
                    "private key's post-quantum part",
                    p.signing_key_len + p.verifying_key_len,
                    rest.len(),
                )?;
                let (private, public) = rest.split_at(p.signing_key_len);
                let classical = self.classical.signing_key(classical)?;
                let post_quantum = from_private(private)?;
                if post_quantum.verifying_key_bytes() != public {
                    return Err(Error::InvalidPrivateKey {
                        reason: "contains the public key of another key",
                    });
                }
                self.key(classical, post_quantum)
            }
            Format::Ietf { .. } => {
                let seed_len = p.seed_len.unwrap_or_default();
                let (seed, classical) = bytes.split_at_checked(seed_len).ok_or_else(cut)?;
                self.key(self.classical.signing_key(classical)?, from_seed(seed)?)
            }
        })
    }

    /// Parses a public key. `read` parses its post-quantum part.
    ///
    /// # Errors
    /// Returns the errors of [`DynSignature::verifying_key`].
    fn read_public(
        &self,
        bytes: &[u8],
        read: impl Fn(&[u8]) -> Result<Box<dyn DynVerifyingKey>, Error>,
    ) -> Result<Box<dyn DynVerifyingKey>, Error> {
        let p = self.post_quantum.info();
        let (expected, got) = (self.info.verifying_key_len, bytes.len());
        let cut = || Error::Length { input: "public key", expected, got };
        let (classical, post_quantum) = match self.format {
            Format::Oqs => oqs::split(bytes).ok_or_else(cut)?,
            Format::Ietf { .. } => {
                let (post_quantum, classical) =
                    bytes.split_at_checked(p.verifying_key_len).ok_or_else(cut)?;
                (classical, post_quantum)
            }
        };
        Ok(Box::new(VerifyingKey {
            classical: self.classical.verifying_key(classical)?,
            post_quantum: read(post_quantum)?,
            names: [self.classical.info().name, p.name],
            sizes: self.sizes(p),
        }))
    }
}

impl DynSignature for Composite {
    fn info(&self) -> &SignatureInfo {
        &self.info
    }

    fn is_composite(&self) -> bool {
        true
    }

    /// Generates the key of the classical part, then that of the post-quantum part. The classical part may
    /// use its own random generator instead of `rng`.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        let classical = self.classical.generate(rng);
        self.key(classical, self.post_quantum.generate(rng))
    }

    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let part = self.post_quantum;
        self.read(bytes, |private| part.signing_key(private), |seed| part.signing_key_from_seed(seed))
    }

    fn low_memory_signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        let part = self.post_quantum;
        let expanded = |private: &[u8]| part.low_memory_signing_key(private);
        self.read(bytes, expanded, |seed| part.low_memory_signing_key_from_seed(seed))
    }

    fn signing_key_from_seed(&self, _seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        self.read_public(bytes, |part| self.post_quantum.verifying_key(part))
    }

    fn low_memory_verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        self.read_public(bytes, |part| self.post_quantum.low_memory_verifying_key(part))
    }
}

impl DynSigningKey for SigningKey {
    /// Encodes the key. The OQS format is length of the classical key ‖ classical key ‖ post-quantum private
    /// key ‖ post-quantum public key. The IETF format is post-quantum seed ‖ classical key.
    fn to_bytes(&self) -> SecretBytes {
        let classical = self.classical.to_bytes();
        let classical = classical.as_ref();
        SecretBytes::new(match self.sizes.format {
            Format::Oqs => {
                let private = self.post_quantum.to_bytes();
                oqs::join(classical, &[private.as_ref(), &self.post_quantum.verifying_key_bytes()])
            }
            Format::Ietf { .. } => {
                let seed = self.post_quantum.seed().expect("keys of this format are made from seeds");
                [seed.as_ref(), classical].concat()
            }
        })
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        self.sizes.join(&self.classical.verifying_key_bytes(), &self.post_quantum.verifying_key_bytes())
    }

    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        self.sign_with_progress(message, context, Some(rng), &|_, _| {})
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        self.sign_with_progress(message, context, None, &|_, _| {})
    }

    /// Signs with both parts. Reports only the progress of the post-quantum part, because the classical part
    /// is fast.
    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let (message, domain) = self.sizes.message(message, context)?;
        self.sign_representative(&message, domain, rng, progress)
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        streaming::begin_signature(self, context, rng)
    }
}

impl DynVerifyingKey for VerifyingKey {
    fn to_bytes(&self) -> Vec<u8> {
        self.sizes.join(&self.classical.to_bytes(), &self.post_quantum.to_bytes())
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (message, domain) = self.sizes.message(message, context)?;
        self.verify_representative(&message, domain, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        streaming::begin_verification(self, context, signature)
    }
}
