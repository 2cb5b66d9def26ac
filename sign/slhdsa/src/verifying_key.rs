//! Verifying keys: import, export, and verification, FIPS 205 Algorithms 24 and 25.

use crate::algorithm::SlhDsa;
use crate::family::Family;
use crate::message::MessageParts;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::streaming;
use crate::version::Fips205;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, Error, MessageVerifier};
use grille_hash::prehash::PreHash;

/// A verifying key (public), which consists of PK.seed and PK.root.
pub struct VerifyingKey<P: Params> {
    bytes: P::VerifyingKeyBytes,
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        let mut bytes = P::VerifyingKeyBytes::zeroed();
        bytes.as_mut().copy_from_slice(self.as_bytes());
        Self { bytes }
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} verifying key", P::NAME)
    }
}

impl<P: Params> VerifyingKey<P> {
    pub(crate) const fn from_array(bytes: P::VerifyingKeyBytes) -> Self {
        Self { bytes }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// Runs slh_verify_internal, FIPS 205 Algorithm 20.
    pub(crate) fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::Family::verify(&P::SHAPE, self.as_bytes(), message, signature)
    }
}

impl<P: Params<Family: Family<Version = Fips205>>> VerifyingKey<P> {
    /// Runs hash_slh_verify, FIPS 205 Algorithm 25.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid or has the wrong length, or
    /// [`Error::ContextTooLong`] if the context is too long.
    ///
    /// This method does not compile for sets that already hash messages beforehand, because these sets fix
    /// the hash function.
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        const { assert!(P::PREHASH.is_none()) };
        self.verify_parts(&MessageParts::prehash(*message, context)?, signature)
    }

    /// Runs slh_verify_internal, FIPS 205 Algorithm 20, on the formatted message M′, for tests against vectors.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_internal(&self, m_prime: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::formatted(m_prime), signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for VerifyingKey<P> {
    type Scheme = SlhDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("verifying key", 2 * P::SHAPE.n, bytes.len())?;
        let mut key = P::VerifyingKeyBytes::zeroed();
        key.as_mut().copy_from_slice(bytes);
        Ok(Self::from_array(key))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    /// Runs slh_verify, FIPS 205 Algorithm 24, or Algorithm 25 if the set hashes messages beforehand.
    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::new::<P::Family>(P::PREHASH, message, context)?, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        streaming::begin_verification::<P>(self.as_bytes(), context, signature)
    }
}
