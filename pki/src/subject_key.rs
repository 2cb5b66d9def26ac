//! The algorithm of a certificate's public key, and the key usages that the algorithm's standard allows.

use crate::{Error, KemPublicKey, PublicKey};
use alloc::{format, string::String, vec::Vec};
use der::flagset::FlagSet;
use grille_registry::{KemRow, Numbers, Row, SignatureRow};
use spki::SubjectPublicKeyInfoOwned;
use x509_cert::ext::pkix::KeyUsages;

/// The algorithm of a well-formed public key.
pub(crate) enum SubjectKey {
    Signature(&'static SignatureRow),
    Kem(&'static KemRow),
    /// RSA of a size that can be verified but has no row in the registry.
    OtherRsa,
}

impl SubjectKey {
    /// Parses a certificate's public key. Its algorithm must be known, and its parameters, length and encoding must
    /// be valid.
    pub(crate) fn read(spki: &SubjectPublicKeyInfoOwned, numbers: Numbers) -> Result<Self, Error> {
        match PublicKey::from_spki(spki, numbers) {
            Ok(key) => Ok(Self::Signature(key.row())),
            Err(Error::UnsupportedKeySize { bits, .. }) if RSA_BITS.contains(&bits) => Ok(Self::OtherRsa),
            Err(error @ (Error::OtherUse { .. } | Error::UnknownAlgorithm { .. })) => {
                match KemPublicKey::from_spki(spki, numbers) {
                    Ok(key) => Ok(Self::Kem(key.row())),
                    Err(Error::UnknownAlgorithm { .. }) => Err(error),
                    Err(malformed) => Err(malformed),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Checks that the key usage has no bits that the algorithm's standard forbids.
    pub(crate) fn check_allowed_usages(&self, usages: FlagSet<KeyUsages>) -> Result<(), String> {
        let Some((allowed, spec)) = self.allowed_usages() else { return Ok(()) };
        let extra: Vec<_> = (usages - allowed).into_iter().map(usage_name).collect();
        if extra.is_empty() {
            return Ok(());
        }
        let name = match self {
            Self::Signature(row) => row.name(),
            Self::Kem(row) => row.name(),
            Self::OtherRsa => "RSA",
        };
        Err(format!("has a key usage with {}, which {spec} forbids for {name}", extra.join(" and ")))
    }

    /// Returns the key usages that a published standard allows for the algorithm, and the name of this standard.
    /// Returns `None` if no standard restricts them.
    fn allowed_usages(&self) -> Option<(FlagSet<KeyUsages>, &'static str)> {
        let spec = match self {
            Self::Signature(row) => row.spec,
            Self::Kem(row) => row.spec,
            Self::OtherRsa => return None,
        };
        let signing = KeyUsages::DigitalSignature
            | KeyUsages::NonRepudiation
            | KeyUsages::KeyCertSign
            | KeyUsages::CRLSign;
        match spec {
            "FIPS 203" => Some((KeyUsages::KeyEncipherment.into(), "RFC 9935")),
            "FIPS 204" => Some((signing, "RFC 9881 section 5")),
            "FIPS 205" => Some((signing, "RFC 9909")),
            _ => None,
        }
    }
}

/// Accepted lengths of RSA keys, in bits.
pub(crate) const RSA_BITS: core::ops::RangeInclusive<usize> = 2048..=8192;

/// Returns the name of a key usage in RFC 5280 section 4.2.1.3.
pub(crate) fn usage_name(usage: KeyUsages) -> &'static str {
    match usage {
        KeyUsages::DigitalSignature => "digitalSignature",
        KeyUsages::NonRepudiation => "nonRepudiation",
        KeyUsages::KeyEncipherment => "keyEncipherment",
        KeyUsages::DataEncipherment => "dataEncipherment",
        KeyUsages::KeyAgreement => "keyAgreement",
        KeyUsages::KeyCertSign => "keyCertSign",
        KeyUsages::CRLSign => "cRLSign",
        KeyUsages::EncipherOnly => "encipherOnly",
        KeyUsages::DecipherOnly => "decipherOnly",
    }
}
