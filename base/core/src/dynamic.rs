//! The same traits for a choice at run time: `&'static dyn DynKem` is an algorithm as a value.
//!
//! Typed keys are values by themselves; typed algorithms become values in their own crates, see [`mod@crate::erase`].

use crate::{
    DecapsKey, EncapsKey, Error, Kem, KemInfo, MessageSigner, MessageVerifier, Progress, SecretBytes,
    SignatureInfo, SigningKey, VerifyingKey,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

/// A KEM as a value; see [`Kem`].
pub trait DynKem: Send + Sync + 'static {
    /// Name and lengths.
    fn info(&self) -> &KemInfo;

    /// Whether it joins a classical and a post-quantum KEM.
    fn is_hybrid(&self) -> bool {
        false
    }

    /// The classical part of a hybrid; `None` for other KEMs.
    fn classical_part(&self) -> Option<&dyn DynKem> {
        None
    }

    /// A new key pair.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey>;

    /// See [`DecapsKey::from_bytes`].
    ///
    /// # Errors
    /// As there.
    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error>;

    /// See [`DecapsKey::from_seed`].
    ///
    /// # Errors
    /// As there.
    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error>;

    /// See [`EncapsKey::from_bytes`].
    ///
    /// # Errors
    /// As there.
    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error>;

    /// See [`Kem::decapsulate_encoded`].
    ///
    /// # Errors
    /// As there, [`Error::Length`] of the ciphertext, and what [`DynDecapsKey::decapsulate`] says.
    fn decapsulate_encoded(&self, decaps_key: &[u8], ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        self.decaps_key(decaps_key)?.decapsulate(ciphertext)
    }
}

/// A KEM's secret key as a value; see [`DecapsKey`].
pub trait DynDecapsKey: Send + Sync {
    /// The standard's expanded encoding.
    fn to_bytes(&self) -> SecretBytes;

    /// The seed this key was made from; `None` if it came in expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// The encoded public half.
    fn encaps_key_bytes(&self) -> Vec<u8>;

    /// See [`DecapsKey::decapsulate`].
    ///
    /// # Errors
    /// [`Error::Length`]; and, from classical parts only, [`Error::InvalidPublicKey`].
    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error>;

    /// The classical part of a hybrid's key; `None` for keys of other KEMs.
    fn classical_part(&self) -> Option<&dyn DynDecapsKey> {
        None
    }
}

/// A KEM's public key as a value; see [`EncapsKey`].
pub trait DynEncapsKey: Send + Sync {
    /// The encoded key.
    fn to_bytes(&self) -> Vec<u8>;

    /// A fresh shared secret and the ciphertext that carries it.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated;
}

/// What [`DynEncapsKey::encapsulate`] returns.
pub struct DynEncapsulated {
    /// To be sent to the holder of the decapsulation key.
    pub ciphertext: Vec<u8>,
    /// To be kept.
    pub secret: SecretBytes,
}

/// A signature scheme as a value; see [`Signature`](crate::Signature).
pub trait DynSignature: Send + Sync + 'static {
    /// Name and lengths.
    fn info(&self) -> &SignatureInfo;

    /// Whether it joins a classical and a post-quantum signature. The lengths of keys and signatures are then the longest
    /// ones.
    fn is_composite(&self) -> bool {
        false
    }

    /// A new key pair.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey>;

    /// See [`Signature::generate_internal`](crate::Signature::generate_internal).
    fn generate_internal(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        self.generate(rng)
    }

    /// See [`SigningKey::from_bytes`].
    ///
    /// # Errors
    /// As there.
    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error>;

    /// See [`SigningKey::from_seed`].
    ///
    /// # Errors
    /// As there.
    fn signing_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error>;

    /// See [`SigningKey::small_from_bytes_dyn`]; a scheme with one form has it here, too.
    ///
    /// # Errors
    /// As there.
    fn small_signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        self.signing_key(bytes)
    }

    /// See [`SigningKey::small_from_seed_dyn`].
    ///
    /// # Errors
    /// As there.
    fn small_signing_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        self.signing_key_from_seed(seed)
    }

    /// See [`VerifyingKey::from_bytes`].
    ///
    /// # Errors
    /// As there.
    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error>;

    /// See [`VerifyingKey::small_from_bytes_dyn`]; a scheme with one form has it here, too.
    ///
    /// # Errors
    /// As there.
    fn small_verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        self.verifying_key(bytes)
    }
}

/// A scheme's secret key as a value; see [`SigningKey`].
pub trait DynSigningKey: Send + Sync {
    /// The standard's expanded encoding.
    fn to_bytes(&self) -> SecretBytes;

    /// The seed this key was made from; `None` if it came in expanded form.
    fn seed(&self) -> Option<SecretBytes>;

    /// The encoded public half.
    fn verifying_key_bytes(&self) -> Vec<u8>;

    /// See [`SigningKey::sign`].
    ///
    /// # Errors
    /// As there.
    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error>;

    /// See [`SigningKey::sign_deterministic`].
    ///
    /// # Errors
    /// As there.
    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error>;

    /// See [`SigningKey::sign_with_progress`].
    ///
    /// # Errors
    /// As there.
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

    /// See [`SigningKey::begin_signature`].
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
}

/// A scheme's public key as a value; see [`VerifyingKey`].
pub trait DynVerifyingKey: Send + Sync {
    /// The encoded key.
    fn to_bytes(&self) -> Vec<u8>;

    /// See [`VerifyingKey::verify`].
    ///
    /// # Errors
    /// As there.
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error>;

    /// See [`VerifyingKey::begin_verification`].
    ///
    /// # Errors
    /// As there.
    fn begin_verification<'k>(
        &'k self,
        _context: &[u8],
        _signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        Ok(None)
    }
}

impl<D: DecapsKey> DynDecapsKey for D {
    fn to_bytes(&self) -> SecretBytes {
        DecapsKey::to_bytes(self)
    }

    fn seed(&self) -> Option<SecretBytes> {
        DecapsKey::seed(self)
    }

    fn encaps_key_bytes(&self) -> Vec<u8> {
        EncapsKey::to_bytes(self.encaps_key())
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        let ciphertext = <D::Kem as Kem>::Ciphertext::try_from(ciphertext)?;
        Ok(DecapsKey::decapsulate(self, &ciphertext).as_ref().into())
    }
}

impl<E: EncapsKey> DynEncapsKey for E {
    fn to_bytes(&self) -> Vec<u8> {
        EncapsKey::to_bytes(self)
    }

    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated {
        // whole, because taking it apart would copy the ciphertext once more
        let sent = EncapsKey::encapsulate(self, rng);
        DynEncapsulated { ciphertext: sent.ciphertext.as_ref().to_vec(), secret: sent.secret.as_ref().into() }
    }
}

impl<K: SigningKey> DynSigningKey for K {
    fn to_bytes(&self) -> SecretBytes {
        SigningKey::to_bytes(self)
    }

    fn seed(&self) -> Option<SecretBytes> {
        SigningKey::seed(self)
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        VerifyingKey::to_bytes(self.verifying_key())
    }

    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        copied(&SigningKey::sign(self, message, context, rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        copied(&SigningKey::sign_deterministic(self, message, context))
    }

    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        copied(&SigningKey::sign_with_progress(self, message, context, rng, progress))
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        SigningKey::begin_signature(self, context, rng)
    }
}

/// A signature on the heap. By reference: those of several kilobytes are not moved over the stack.
fn copied(signature: &Result<impl AsRef<[u8]>, Error>) -> Result<Vec<u8>, Error> {
    signature.as_ref().map(|signature| signature.as_ref().to_vec()).map_err(|error| *error)
}

impl<V: VerifyingKey> DynVerifyingKey for V {
    fn to_bytes(&self) -> Vec<u8> {
        VerifyingKey::to_bytes(self)
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        VerifyingKey::verify(self, message, context, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        VerifyingKey::begin_verification(self, context, signature)
    }
}
