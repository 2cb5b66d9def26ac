//! Composite signatures: combinations of a classical and a post-quantum signature scheme. A [`Composite`] value
//! defines each combination.
//!
//! Both parts must verify, so a composite is secure as long as one of its parts is secure. The registry lists
//! the standardised composites. Use them through [`DynSignature`].
//!
//! A secret key contains the secret keys of both parts, which are erased on drop. Splitting and joining keys
//! and signatures branches only on lengths.
//!
//! | topic | module |
//! |---|---|
//! | composites and their keys | this module |
//! | the format of OQS-OpenSSL 1.1.1 (2021) and oqs-provider: `p256_dilithium2` … | [`Format::Oqs`], `oqs` |
//! | draft-ietf-lamps-pq-composite-sigs-19: `MLDSA65-ECDSA-P256-SHA512` … | [`Format::Ietf`], `ietf` |
#![forbid(unsafe_code)]

mod ietf;
mod oqs;
mod streaming;

use grille_classical::Part;
use grille_core::{
    CryptoRng, DynSignature, DynSigningKey, DynVerifyingKey, ErasedSignature, Error, MessageSigner,
    MessageVerifier, Progress, SecretBytes, Signature, SignatureInfo,
};
use std::borrow::Cow;

pub use ietf::PreHash;

/// The encoding of the parts, and the data that each part signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The classical part comes first, preceded by its length. Each part signs the message.
    Oqs,
    /// The post-quantum part, whose lengths are fixed, comes first. Each part signs a representative of the message.
    Ietf {
        /// The algorithm's label, which is used for domain separation.
        label: &'static str,
        /// The hash function for the message.
        hash: PreHash,
    },
}

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

/// The format of a composite, and the lengths that its keys need to split signatures and to check contexts.
#[derive(Clone, Copy)]
struct Sizes {
    format: Format,
    /// The length of the post-quantum part's signature. IETF composites require a fixed length.
    signature: usize,
    context: usize,
}

impl Sizes {
    /// Returns the data that both parts sign, and the context of the post-quantum part.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is longer than the composite allows.
    fn message<'a>(self, message: &'a [u8], context: &[u8]) -> Result<(Cow<'a, [u8]>, &'static [u8]), Error> {
        self.check_context(context)?;
        Ok(match self.format {
            Format::Oqs => (Cow::Borrowed(message), b""),
            Format::Ietf { label, hash } => {
                let mut hasher = hash.hasher();
                hasher.update(message);
                let representative = ietf::representative(label, hasher.finish().digest(), context);
                (Cow::Owned(representative), label.as_bytes())
            }
        })
    }

    /// Checks the length of the context.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is longer than the composite allows.
    fn check_context(self, context: &[u8]) -> Result<(), Error> {
        if context.len() > self.context {
            return Err(Error::ContextTooLong { max: self.context, got: context.len() });
        }
        Ok(())
    }

    fn join(self, classical: &[u8], post_quantum: &[u8]) -> Vec<u8> {
        match self.format {
            Format::Oqs => oqs::join(classical, &[post_quantum]),
            Format::Ietf { .. } => [post_quantum, classical].concat(),
        }
    }

    /// Splits a signature into the classical and the post-quantum part. Returns `None` if the signature is
    /// too short.
    fn split(self, signature: &[u8]) -> Option<(&[u8], &[u8])> {
        match self.format {
            Format::Oqs => oqs::split(signature),
            Format::Ietf { .. } => {
                let (post_quantum, classical) = signature.split_at_checked(self.signature)?;
                Some((classical, post_quantum))
            }
        }
    }
}

struct SigningKey {
    classical: Box<dyn DynSigningKey>,
    post_quantum: Box<dyn DynSigningKey>,
    sizes: Sizes,
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

impl SigningKey {
    /// Signs `message` with both parts. In the IETF format, `message` is already the message representative.
    /// `domain` is the context of the post-quantum part.
    fn sign_representative(
        &self,
        message: &[u8],
        domain: &[u8],
        mut rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let classical = match &mut rng {
            Some(rng) => self.classical.sign(message, b"", *rng)?,
            None => self.classical.sign_deterministic(message, b"")?,
        };
        let post_quantum = self.post_quantum.sign_with_progress(message, domain, rng, progress)?;
        Ok(self.sizes.join(&classical, &post_quantum))
    }
}

struct VerifyingKey {
    classical: Box<dyn DynVerifyingKey>,
    post_quantum: Box<dyn DynVerifyingKey>,
    /// The names of the classical and of the post-quantum part.
    names: [&'static str; 2],
    sizes: Sizes,
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

impl VerifyingKey {
    /// Verifies the signatures of both parts on `message`. In the IETF format, `message` is already the message
    /// representative. `domain` is the context of the post-quantum part.
    fn verify_representative(&self, message: &[u8], domain: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (classical, post_quantum) = self.sizes.split(signature).ok_or(Error::InvalidSignature)?;
        let classical = self.classical.verify(message, b"", classical);
        self.combine_results(classical, self.post_quantum.verify(message, domain, post_quantum))
    }

    fn combine_results(
        &self,
        classical: Result<(), Error>,
        post_quantum: Result<(), Error>,
    ) -> Result<(), Error> {
        let [of_classical, of_post_quantum] = self.names;
        match (classical, post_quantum) {
            (Ok(()), Ok(())) => Ok(()),
            (Err(_), Ok(())) => Err(Error::InvalidSignaturePart { part: without_part_suffix(of_classical) }),
            (Ok(()), Err(_)) => Err(Error::InvalidSignaturePart { part: of_post_quantum }),
            (Err(_), Err(_)) => Err(Error::InvalidSignature),
        }
    }
}

/// Returns the name of a classical part without the suffix that starts with a comma, for example
/// "ECDSA-P256-SHA384".
fn without_part_suffix(name: &'static str) -> &'static str {
    name.split_once(',').map_or(name, |(name, _)| name)
}
