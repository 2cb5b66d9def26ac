//! Classical signature algorithms, and keys prepared for them.

use crate::to_be_signed::ToBeSigned;
use alloc::{boxed::Box, vec::Vec};
use grille_core::{CryptoRng, Error};
use grille_pki::{PrivateKey, PublicKey};

/// An algorithm of BaseAsymAlgo.
pub struct Classical {
    /// The bit in BaseAsymAlgo.
    pub bit: u8,
    /// The standard's name.
    pub name: &'static str,
    /// The length of a signature in bytes.
    pub signature_len: usize,
    /// The registry's name of the key's algorithm.
    pub key: &'static str,
    pub(crate) scheme: &'static dyn Scheme,
}

/// A classical signature algorithm.
pub(crate) trait Scheme: Sync {
    /// Prepares the key; `None` if it is unsuitable.
    fn key(&'static self, key: &PrivateKey) -> Option<Box<dyn PreparedKey>>;

    /// Verifies a signature of the message. The caller has checked that the key is of this algorithm.
    fn verify(&self, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error>;
}

/// A private key prepared for signing.
pub(crate) trait PreparedKey: Send + Sync {
    /// See [`Signer::sign`]. `key`: the key from which `self` was prepared.
    fn sign(&self, key: &PrivateKey, message: &ToBeSigned, rng: &mut dyn CryptoRng)
    -> Result<Vec<u8>, Error>;
}

/// Signs with the registry's implementation, which needs no preparation of the key.
pub(crate) struct RegistryKey;

impl PreparedKey for RegistryKey {
    fn sign(
        &self,
        key: &PrivateKey,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        key.signing_key().sign(message.bytes(), message.algorithm_context(key.row()), rng)
    }
}

pub(crate) const OTHER_PUBLIC_KEY: Error = Error::InvalidPublicKey { reason: "is of another algorithm" };
#[cfg(feature = "std")]
pub(crate) const NO_SCHEME: Error = Error::Unsupported { feature: "signatures over the negotiated hash" };

/// Verifies a signature with the registry's implementation.
pub(crate) fn verify_registered(
    key: &PublicKey,
    message: &ToBeSigned,
    signature: &[u8],
) -> Result<(), Error> {
    let verifying = key.verifying_key().map_err(|_| OTHER_PUBLIC_KEY)?;
    verifying.verify(message.bytes(), message.algorithm_context(key.row()), signature)
}
