//! Signature schemes as types.

use crate::{DynSigningKey, DynVerifyingKey, Error, MessageSigner, MessageVerifier, Progress, SecretBytes};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// The name and the lengths of a signature scheme. All lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureInfo {
    /// The standard's own spelling, such as `ML-DSA-65`.
    pub name: &'static str,
    /// The length of an encoded verifying key (public).
    pub verifying_key_len: usize,
    /// The length of a signing key in the standard's expanded form (secret).
    pub signing_key_len: usize,
    /// The length of the seed that key generation expands; `None` if the standard has no seed.
    pub seed_len: Option<usize>,
    /// The length of the longest signature.
    pub signature_len: usize,
    /// The length of the longest context string; 0 if the scheme takes no context.
    pub context_len: usize,
}

/// A signature scheme.
pub trait Signature: Sized + Send + Sync + 'static {
    /// The name and the lengths.
    const INFO: SignatureInfo;
    /// The secret key; it contains its public key.
    type SigningKey: SigningKey<Scheme = Self>;
    /// The public key.
    type VerifyingKey: VerifyingKey<Scheme = Self>;
    /// An encoded signature.
    type SignatureBytes: AsRef<[u8]>;

    /// Generates a key pair.
    fn generate(rng: &mut dyn CryptoRng) -> Self::SigningKey;

    /// Generates a key pair exactly as the reference implementation does, so that known answers match. May be slower
    /// than [`generate`](Self::generate).
    fn generate_internal(rng: &mut dyn CryptoRng) -> Self::SigningKey {
        Self::generate(rng)
    }

    /// Generates a key pair on the heap. Families with large keys create them directly on the heap, so that no copy
    /// stays on the stack.
    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self::SigningKey> {
        Box::new(Self::generate(rng))
    }
}

/// A secret key.
pub trait SigningKey: Sized + Send + Sync + 'static {
    /// The scheme of this key.
    type Scheme: Signature;

    /// Parses and checks the standard's expanded encoding.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPrivateKey`] if the parts of the key
    /// contradict each other.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// Encodes the key in the standard's expanded form.
    fn to_bytes(&self) -> SecretBytes;

    /// Expands a seed. The same seed always gives the same key.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::Unsupported`] if the scheme has no seeds.
    fn from_seed(seed: &[u8]) -> Result<Self, Error>;

    /// Parses a key as a trait object, for a scheme that is chosen at run time. Stored keys usually sign many times, so
    /// schemes with a form prepared for repeated signing return that form.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// Parses a key in its low-memory form as a trait object, for a scheme that is chosen at run time. The key is
    /// checked, but nothing is precomputed.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// Expands a seed into a trait object for a key in its low-memory form; see
    /// [`low_memory_from_bytes_dyn`](Self::low_memory_from_bytes_dyn).
    ///
    /// # Errors
    /// Returns the errors of [`from_seed`](Self::from_seed).
    fn low_memory_from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_seed(seed)?))
    }

    /// Expands a seed into a trait object for a key prepared for repeated signing; see
    /// [`from_bytes_dyn`](Self::from_bytes_dyn).
    ///
    /// # Errors
    /// Returns the errors of [`from_seed`](Self::from_seed).
    fn from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_seed(seed)?))
    }

    /// Returns the seed of this key; `None` if the key was parsed from its expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// Returns the public key.
    fn verifying_key(&self) -> &<Self::Scheme as Signature>::VerifyingKey;

    /// Signs with fresh randomness. Uses hedged signing if the standard offers it.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<<Self::Scheme as Signature>::SignatureBytes, Error>;

    /// Signs without randomness. The same message and context always give the same signature.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long, or [`Error::Unsupported`] if the scheme
    /// has only randomised signatures.
    fn sign_deterministic(
        &self,
        message: &[u8],
        context: &[u8],
    ) -> Result<<Self::Scheme as Signature>::SignatureBytes, Error>;

    /// Signs many messages, all with the same context. Returns the same signatures and makes the same calls of the
    /// random generator as one call of [`sign`](Self::sign) per message. By default, messages are signed one after the
    /// other. Key types that sign several messages at once say so in their documentation.
    ///
    /// # Errors
    /// Returns the errors of [`sign`](Self::sign).
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<<Self::Scheme as Signature>::SignatureBytes>, Error> {
        messages.iter().map(|message| self.sign(message, context, rng)).collect()
    }

    /// Starts to sign a message that arrives in pieces. Returns `None` if the scheme needs the whole message at once.
    ///
    /// For `rng`, see [`sign_with_progress`](Self::sign_with_progress). Pass a generator both here and to `finish`, or
    /// `None` in both calls.
    ///
    /// # Errors
    /// Returns the errors of [`sign`](Self::sign) and [`sign_deterministic`](Self::sign_deterministic).
    fn begin_signature<'k>(
        &'k self,
        _context: &[u8],
        _rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        Ok(None)
    }

    /// Signs and reports progress. With a generator, signs as [`sign`](Self::sign); without one, as
    /// [`sign_deterministic`](Self::sign_deterministic). Fast schemes report nothing.
    ///
    /// # Errors
    /// Returns the errors of [`sign`](Self::sign) and [`sign_deterministic`](Self::sign_deterministic).
    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        _progress: &Progress<'_>,
    ) -> Result<<Self::Scheme as Signature>::SignatureBytes, Error> {
        match rng {
            Some(rng) => self.sign(message, context, rng),
            None => self.sign_deterministic(message, context),
        }
    }
}

/// A public key that was parsed, checked and expanded once.
pub trait VerifyingKey: Sized + Send + Sync + 'static {
    /// The scheme of this key.
    type Scheme: Signature;

    /// Parses and checks an encoded key.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPublicKey`] if the bytes are not canonical.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// Parses a key in its low-memory form as a trait object, for a scheme that is chosen at run time. With this form,
    /// each verification takes longer.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes).
    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// Encodes the key.
    fn to_bytes(&self) -> Vec<u8>;

    /// Verifies a signature.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is wrong or has the wrong length,
    /// [`Error::InvalidSignaturePart`] if one part of a composite is wrong, or [`Error::ContextTooLong`].
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Starts to verify a message that arrives in pieces. Returns `None` if the scheme needs the whole message at once.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long. A malformed signature is not an error here:
    /// [`MessageVerifier::finish`] refuses it.
    fn begin_verification<'k>(
        &'k self,
        _context: &[u8],
        _signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        Ok(None)
    }
}
