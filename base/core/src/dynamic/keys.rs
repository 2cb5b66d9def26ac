//! Keys of algorithms chosen at run time.

use crate::kem::copy_piece;
use crate::{DynEncapsulated, Error, MessageSigner, MessageVerifier, Progress, SecretBytes};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use rand_core::CryptoRng;

/// A KEM's secret key as a value; see [`DecapsKey`](crate::DecapsKey).
pub trait DynDecapsKey: Any + Send + Sync {
    /// Encodes the key in the standard's expanded form.
    fn to_bytes(&self) -> SecretBytes;

    /// Returns the seed of this key; `None` if the key was parsed from its expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// Returns the encoded public key.
    fn encaps_key_bytes(&self) -> Vec<u8>;

    /// Copies bytes of the encoded public key; see [`EncapsKey::copy_piece`](crate::EncapsKey::copy_piece).
    fn copy_encaps_key_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        copy_piece(&self.encaps_key_bytes(), offset, out)
    }

    /// Decapsulates a ciphertext; see [`DecapsKey::decapsulate`](crate::DecapsKey::decapsulate).
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the ciphertext has the wrong length. A classical KEM, also as a part of a hybrid,
    /// may return [`Error::InvalidPublicKey`].
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error>;

    /// Returns the classical part of a hybrid's key; `None` for keys of other KEMs.
    fn classical_part(&self) -> Option<&dyn DynDecapsKey> {
        None
    }
}

/// A decapsulation key and a ciphertext for it; see [`DynKem::decapsulate_many`](crate::DynKem::decapsulate_many).
pub type DynReceived<'a> = (&'a dyn DynDecapsKey, &'a [u8]);

/// A KEM's public key as a value; see [`EncapsKey`](crate::EncapsKey).
pub trait DynEncapsKey: Any + Send + Sync {
    /// Encodes the key.
    fn to_bytes(&self) -> Vec<u8>;

    /// Copies bytes of the encoded key; see [`EncapsKey::copy_piece`](crate::EncapsKey::copy_piece).
    fn copy_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        copy_piece(&self.to_bytes(), offset, out)
    }

    /// Creates a fresh shared secret and the ciphertext that carries it.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated;
}

/// A scheme's secret key as a value; see [`SigningKey`](crate::SigningKey).
pub trait DynSigningKey: Send + Sync {
    /// Encodes the key in the standard's expanded form.
    fn to_bytes(&self) -> SecretBytes;

    /// Returns the seed of this key; `None` if the key was parsed from its expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// Returns the encoded public key.
    fn verifying_key_bytes(&self) -> Vec<u8>;

    /// Signs with fresh randomness; see [`SigningKey::sign`](crate::SigningKey::sign).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::sign`](crate::SigningKey::sign).
    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error>;

    /// Signs without randomness; see [`SigningKey::sign_deterministic`](crate::SigningKey::sign_deterministic).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::sign_deterministic`](crate::SigningKey::sign_deterministic).
    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error>;

    /// Signs and reports progress; see [`SigningKey::sign_with_progress`](crate::SigningKey::sign_with_progress).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::sign_with_progress`](crate::SigningKey::sign_with_progress).
    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        _progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        match rng {
            Some(rng) => self.sign(message, context, rng),
            None => self.sign_deterministic(message, context),
        }
    }

    /// Signs many messages, all with the same context; see [`SigningKey::sign_many`](crate::SigningKey::sign_many).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::sign`](crate::SigningKey::sign).
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<Vec<u8>>, Error> {
        messages.iter().map(|message| self.sign(message, context, rng)).collect()
    }

    /// Starts to sign a message that arrives in pieces; see
    /// [`SigningKey::begin_signature`](crate::SigningKey::begin_signature).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::begin_signature`](crate::SigningKey::begin_signature).
    fn begin_signature<'k>(
        &'k self,
        _context: &[u8],
        _rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        Ok(None)
    }
}

/// A message and its signature; see [`DynVerifyingKey::verify_many`].
pub type DynSigned<'a> = (&'a [u8], &'a [u8]);

/// A scheme's public key as a value; see [`VerifyingKey`](crate::VerifyingKey).
pub trait DynVerifyingKey: Send + Sync {
    /// Encodes the key.
    fn to_bytes(&self) -> Vec<u8>;

    /// Verifies a signature; see [`VerifyingKey::verify`](crate::VerifyingKey::verify).
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::verify`](crate::VerifyingKey::verify).
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// Verifies many signatures of this key, all with the same context. The results are those of [`verify`](Self::verify),
    /// in the order of `signed`. The signatures are verified one after the other: no family verifies several at once.
    fn verify_many(&self, signed: &[DynSigned<'_>], context: &[u8]) -> Vec<Result<(), Error>> {
        signed.iter().map(|(message, signature)| self.verify(message, context, signature)).collect()
    }

    /// Starts to verify a message that arrives in pieces; see
    /// [`VerifyingKey::begin_verification`](crate::VerifyingKey::begin_verification).
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::begin_verification`](crate::VerifyingKey::begin_verification).
    fn begin_verification<'k>(
        &'k self,
        _context: &[u8],
        _signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        Ok(None)
    }
}
