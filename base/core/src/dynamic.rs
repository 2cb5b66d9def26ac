//! Object-safe traits for algorithms chosen at run time: a `&'static dyn DynKem` is an algorithm as a value.
//!
//! Typed keys implement these traits directly. Typed algorithms become values in their own crates; see
//! [`mod@crate::erase`].

mod keys;

use crate::{
    DecapsKey, EncapsKey, Encapsulated, Error, Kem, KemInfo, MessageSigner, MessageVerifier, Progress,
    SecretBytes, SignatureInfo, SigningKey, StreamedEncapsulation, VerifyingKey,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use rand_core::CryptoRng;

pub use crate::encapsulated::DynEncapsulated;
pub use keys::{DynDecapsKey, DynEncapsKey, DynReceived, DynSigned, DynSigningKey, DynVerifyingKey};

/// A KEM as a value; see [`Kem`].
pub trait DynKem: Send + Sync + 'static {
    /// Returns the name and the lengths.
    fn info(&self) -> &KemInfo;

    /// Checks whether the KEM combines a classical and a post-quantum KEM.
    fn is_hybrid(&self) -> bool {
        false
    }

    /// Returns the classical part of a hybrid; `None` for other KEMs.
    fn classical_part(&self) -> Option<&dyn DynKem> {
        None
    }

    /// Generates a key pair.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey>;

    /// Parses and checks a decapsulation key; see [`DecapsKey::from_bytes`].
    ///
    /// # Errors
    /// Returns the errors of [`DecapsKey::from_bytes`].
    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error>;

    /// Expands a seed; see [`DecapsKey::from_seed`].
    ///
    /// # Errors
    /// Returns the errors of [`DecapsKey::from_seed`].
    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error>;

    /// Parses and checks an encapsulation key; see [`EncapsKey::from_bytes`].
    ///
    /// # Errors
    /// Returns the errors of [`EncapsKey::from_bytes`].
    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error>;

    /// Decapsulates once with an encoded key; see [`Kem::decapsulate_encoded`].
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the ciphertext has the wrong length. Also returns the errors of
    /// [`Kem::decapsulate_encoded`] and [`DynDecapsKey::decapsulate`].
    fn decapsulate_encoded(&self, decaps_key: &[u8], ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        self.decaps_key(decaps_key)?.decapsulate(ciphertext)
    }

    /// Creates a fresh shared secret for each of `keys`, which may contain a key more than once; see
    /// [`Kem::encapsulate_many`]. Reads the same random bytes as one call of [`DynEncapsKey::encapsulate`] per key. If a key
    /// belongs to another algorithm, the operations run one after the other.
    fn encapsulate_many(&self, keys: &[&dyn DynEncapsKey], rng: &mut dyn CryptoRng) -> Vec<DynEncapsulated> {
        keys.iter().map(|key| key.encapsulate(rng)).collect()
    }

    /// Decapsulates each ciphertext with its key, as [`DynDecapsKey::decapsulate`] does; see [`Kem::decapsulate_many`]. A
    /// refused ciphertext does not affect the others. If a ciphertext has the wrong length or a key belongs to another
    /// algorithm, the operations run one after the other.
    fn decapsulate_many(&self, received: &[DynReceived<'_>]) -> Vec<Result<SecretBytes, Error>> {
        received.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext)).collect()
    }

    /// Starts to encapsulate with an encoded key that arrives in pieces; see [`Kem::begin_encapsulation`].
    fn begin_encapsulation(&self, _rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
        None
    }
}

/// A signature scheme as a value; see [`Signature`](crate::Signature).
pub trait DynSignature: Send + Sync + 'static {
    /// Returns the name and the lengths.
    fn info(&self) -> &SignatureInfo;

    /// Checks whether the scheme combines a classical and a post-quantum signature. For a composite, `info()` returns
    /// the maximum lengths of keys and signatures.
    fn is_composite(&self) -> bool {
        false
    }

    /// Generates a key pair.
    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey>;

    /// Generates a key pair as the reference implementation does; see
    /// [`Signature::generate_internal`](crate::Signature::generate_internal).
    fn generate_internal(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynSigningKey> {
        self.generate(rng)
    }

    /// Parses and checks a signing key; see [`SigningKey::from_bytes`].
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::from_bytes`].
    fn signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error>;

    /// Expands a seed; see [`SigningKey::from_seed`].
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::from_seed`].
    fn signing_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error>;

    /// Parses a signing key in its low-memory form; see [`SigningKey::low_memory_from_bytes_dyn`]. Schemes without a
    /// low-memory form return their usual key.
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::low_memory_from_bytes_dyn`].
    fn low_memory_signing_key(&self, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        self.signing_key(bytes)
    }

    /// Expands a seed into a key in its low-memory form; see [`SigningKey::low_memory_from_seed_dyn`].
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::low_memory_from_seed_dyn`].
    fn low_memory_signing_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        self.signing_key_from_seed(seed)
    }

    /// Parses and checks a verifying key; see [`VerifyingKey::from_bytes`].
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::from_bytes`].
    fn verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error>;

    /// Parses a verifying key in its low-memory form; see [`VerifyingKey::low_memory_from_bytes_dyn`]. Schemes without
    /// a low-memory form return their usual key.
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::low_memory_from_bytes_dyn`].
    fn low_memory_verifying_key(&self, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        self.verifying_key(bytes)
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

    fn copy_encaps_key_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        EncapsKey::copy_piece(self.encaps_key(), offset, out)
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

    fn copy_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        EncapsKey::copy_piece(self, offset, out)
    }

    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated {
        // the struct is not destructured, because moving the ciphertext out would copy it once more
        let sent = EncapsKey::encapsulate(self, rng);
        DynEncapsulated::from(&sent)
    }
}

/// Copies the result of a typed KEM to the heap.
impl<K: Kem> From<&Encapsulated<K>> for DynEncapsulated {
    fn from(sent: &Encapsulated<K>) -> Self {
        Self { ciphertext: sent.ciphertext.as_ref().to_vec(), secret: sent.secret.as_ref().into() }
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
        copy_to_heap(&SigningKey::sign(self, message, context, rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        copy_to_heap(&SigningKey::sign_deterministic(self, message, context))
    }

    fn sign_with_progress(
        &self,
        message: &[u8],
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        copy_to_heap(&SigningKey::sign_with_progress(self, message, context, rng, progress))
    }

    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let signatures = SigningKey::sign_many(self, messages, context, rng)?;
        Ok(signatures.iter().map(|signature| signature.as_ref().to_vec()).collect())
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        SigningKey::begin_signature(self, context, rng)
    }
}

/// Copies a signature to the heap. Takes a reference, so that signatures of several kilobytes do not move over the
/// stack.
fn copy_to_heap(signature: &Result<impl AsRef<[u8]>, Error>) -> Result<Vec<u8>, Error> {
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
