//! Public keys to be certified, of any registered algorithm.

use crate::subject_key::SubjectKey;
use crate::{Error, KemPublicKey, PublicKey};
use spki::SubjectPublicKeyInfoOwned;
use x509_cert::ext::pkix::KeyUsages;

/// A public key to be certified.
#[derive(Clone, Copy, Debug)]
pub enum CertifiedKey<'a> {
    /// A signature key.
    Signature(&'a PublicKey),
    /// A KEM key.
    Kem(&'a KemPublicKey),
}

impl<'a> From<&'a PublicKey> for CertifiedKey<'a> {
    fn from(key: &'a PublicKey) -> Self {
        Self::Signature(key)
    }
}

impl<'a> From<&'a KemPublicKey> for CertifiedKey<'a> {
    fn from(key: &'a KemPublicKey) -> Self {
        Self::Kem(key)
    }
}

impl CertifiedKey<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Signature(key) => key.bytes(),
            Self::Kem(key) => key.bytes(),
        }
    }

    pub(crate) fn spki(&self) -> Result<SubjectPublicKeyInfoOwned, Error> {
        match self {
            Self::Signature(key) => key.spki(),
            Self::Kem(key) => key.spki(),
        }
    }

    pub(crate) fn subject_key(&self) -> SubjectKey {
        match self {
            Self::Signature(key) => SubjectKey::Signature(key.row()),
            Self::Kem(key) => SubjectKey::Kem(key.row()),
        }
    }

    /// Returns the key usage of an end entity whose template specifies none.
    pub(crate) fn default_usage(&self) -> KeyUsages {
        match self {
            Self::Signature(_) => KeyUsages::DigitalSignature,
            // classical KEMs are key agreements, whose keys have the key usage keyAgreement (RFC 8410)
            Self::Kem(key) if key.row().category == 0 => KeyUsages::KeyAgreement,
            Self::Kem(_) => KeyUsages::KeyEncipherment,
        }
    }
}
