//! Signature schemes, as types.

use crate::{DynSigningKey, DynVerifyingKey, Error, MessageSigner, MessageVerifier, SecretBytes};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// The name and the lengths of a signature scheme; all lengths are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureInfo {
    /// The standard's own spelling, such as `ML-DSA-65`.
    pub name: &'static str,
    /// An encoded verifying key (public).
    pub verifying_key_len: usize,
    /// An encoded signing key in the standard's expanded form (secret).
    pub signing_key_len: usize,
    /// The seed that key generation expands, where the standard has one.
    pub seed_len: Option<usize>,
    /// The longest signature.
    pub signature_len: usize,
    /// The longest context string; 0 where the scheme knows none.
    pub context_len: usize,
}

/// A signature scheme.
pub trait Signature: Sized + Send + Sync + 'static {
    /// Name and lengths.
    const INFO: SignatureInfo;
    /// The secret key; holds its public key.
    type SigningKey: SigningKey<Scheme = Self>;
    /// The public key.
    type VerifyingKey: VerifyingKey<Scheme = Self>;
    /// An encoded signature.
    type SignatureBytes: AsRef<[u8]>;

    /// A new key pair.
    fn generate(rng: &mut dyn CryptoRng) -> Self::SigningKey;

    /// A new key pair, as the implementation draws and computes that known answers come from; where
    /// [`generate`](Self::generate) does otherwise, it is faster.
    fn generate_internal(rng: &mut dyn CryptoRng) -> Self::SigningKey {
        Self::generate(rng)
    }

    /// The same on the heap, where a family with large keys makes them: no copy of the key stays on the stack.
    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<Self::SigningKey> {
        Box::new(Self::generate(rng))
    }
}

/// A secret key.
pub trait SigningKey: Sized + Send + Sync + 'static {
    /// The scheme it belongs to.
    type Scheme: Signature;

    /// Parses and checks the standard's expanded encoding.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::InvalidPrivateKey`] if the key contradicts itself.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// The standard's expanded encoding.
    fn to_bytes(&self) -> SecretBytes;

    /// Expands a seed; the same seed always gives the same key.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::Unsupported`] where the scheme has no seeds.
    fn from_seed(seed: &[u8]) -> Result<Self, Error>;

    /// As [`from_bytes`](Self::from_bytes), for a choice at run time: whoever stores a key will sign with it often,
    /// so a scheme with a form for that gives it.
    ///
    /// # Errors
    /// As there.
    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// As [`from_bytes_dyn`](Self::from_bytes_dyn), for whoever has little memory: checked, but with nothing prepared.
    ///
    /// # Errors
    /// As there.
    fn small_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// As [`from_seed_dyn`](Self::from_seed_dyn), in the form of [`small_from_bytes_dyn`](Self::small_from_bytes_dyn).
    ///
    /// # Errors
    /// As there.
    fn small_from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_seed(seed)?))
    }

    /// As [`from_seed`](Self::from_seed), in the form of [`from_bytes_dyn`](Self::from_bytes_dyn).
    ///
    /// # Errors
    /// As there.
    fn from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(Self::from_seed(seed)?))
    }

    /// The seed this key was made from; `None` if it came in expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// The public half.
    fn verifying_key(&self) -> &<Self::Scheme as Signature>::VerifyingKey;

    /// Signs with fresh randomness (hedged, where the standard offers a choice).
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<<Self::Scheme as Signature>::SignatureBytes, Error>;

    /// Signs without randomness: the same message and context always give the same signature.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`], or [`Error::Unsupported`] where the scheme is randomised only.
    fn sign_deterministic(
        &self,
        message: &[u8],
        context: &[u8],
    ) -> Result<<Self::Scheme as Signature>::SignatureBytes, Error>;

    /// Signatures of many messages, each with this context: those that as many calls of [`sign`](Self::sign) would make, with
    /// the same draws. A key that signs several at once says so; else they are made one after the other.
    ///
    /// # Errors
    /// As there.
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<<Self::Scheme as Signature>::SignatureBytes>, Error> {
        messages.iter().map(|message| self.sign(message, context, rng)).collect()
    }

    /// Begins a signature of a message that comes in pieces. `None` if the scheme needs the whole message at once.
    ///
    /// `rng`: as for [`sign_with_progress`](Self::sign_with_progress), here and at the end.
    ///
    /// # Errors
    /// As there.
    fn begin_signature<'k>(
        &'k self,
        _context: &[u8],
        _rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        Ok(None)
    }

    /// Signs as [`sign`](Self::sign) with a generator, and else as [`sign_deterministic`](Self::sign_deterministic), and
    /// says how far it is. Schemes that take no more than a moment say nothing.
    ///
    /// # Errors
    /// As there.
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

/// Is told how much of the work is done and how much there is, in the same unit; the threads of an operation may all
/// call it, and not in order.
pub type Progress<'a> = dyn Fn(u32, u32) + Sync + 'a;

/// A public key, parsed, checked and expanded once.
pub trait VerifyingKey: Sized + Send + Sync + 'static {
    /// The scheme it belongs to.
    type Scheme: Signature;

    /// Parses and checks an encoded key.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::InvalidPublicKey`] if the bytes are not canonical.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error>;

    /// As [`from_bytes`](Self::from_bytes), for a choice at run time by whoever has little memory: each check takes longer
    /// where a scheme has such a form.
    ///
    /// # Errors
    /// As there.
    fn small_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        Ok(Box::new(Self::from_bytes(bytes)?))
    }

    /// The encoded key.
    fn to_bytes(&self) -> Vec<u8>;

    /// Checks a signature.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], also for a signature of the wrong length; of composites [`Error::InvalidSignaturePart`];
    /// [`Error::ContextTooLong`].
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Begins a check of a message that comes in pieces. `None` if the scheme needs the whole message at once.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`]. A signature that cannot be right is refused at the end.
    fn begin_verification<'k>(
        &'k self,
        _context: &[u8],
        _signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        Ok(None)
    }
}
