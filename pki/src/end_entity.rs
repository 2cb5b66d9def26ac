//! Checks of an end entity's certificate that do not involve its issuer: a well-formed public key of a suitable
//! algorithm, and a key usage that allows the purpose.

use crate::certificate::Certificate;
use crate::verify::Purpose;
use crate::{Error, KemPublicKey, PublicKey};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;
use der::flagset::FlagSet;
use grille_registry::{KemRow, Numbers, Row, SignatureRow};
use spki::SubjectPublicKeyInfoOwned;
use x509_cert::ext::pkix::{KeyUsage, KeyUsages};

/// Properties of an end entity that [`EndEntity::check`] examines.
pub(crate) struct EndEntity {
    usage: Option<KeyUsage>,
    key: Result<SubjectKey, Error>,
    /// End of the validity period, as a duration since the Unix epoch.
    pub(crate) expires: Duration,
}

impl EndEntity {
    pub(crate) fn new(certificate: &Certificate) -> Self {
        let (usage, key) = (certificate.key_usage(), certificate.subject_key());
        Self { usage, key, expires: certificate.validity().1 }
    }

    /// Checks that the certificate serves `purpose`. The error is the end of the sentence "the certificate of … ".
    pub(crate) fn check(&self, purpose: Purpose) -> Result<(), String> {
        let key = self.key.as_ref().map_err(unusable_key_reason)?;
        let usages = self.usage.map(|usage| usage.0);
        match purpose {
            Purpose::Other => Ok(()),
            Purpose::Server | Purpose::Client => key.check_signing_key(usages, purpose),
            Purpose::KeyEncapsulation => key.check_kem_key(usages),
        }
    }
}

/// Describes a public key that cannot be used.
fn unusable_key_reason(error: &Error) -> String {
    match error {
        Error::UnknownAlgorithm { oid, .. } => {
            format!("has a public key of the unknown algorithm {oid}")
        }
        Error::UnsupportedKeySize { bits, .. } => format!(
            "has an RSA key of {bits} bits; accepted: {} to {} bits",
            RSA_BITS.start(),
            RSA_BITS.end()
        ),
        Error::Malformed { reason, .. } => format!("has a malformed public key, which {reason}"),
        other => format!("has a malformed public key: {other}"),
    }
}

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

    /// Checks that the key may authenticate a TLS peer, which signs the handshake (RFC 8446 sections 4.4.2.2 and
    /// 4.4.2.4).
    fn check_signing_key(&self, usages: Option<FlagSet<KeyUsages>>, purpose: Purpose) -> Result<(), String> {
        if let Self::Kem(row) = self {
            return Err(format!(
                "has a key of {}, which cannot sign, but {} authenticates by signing",
                row.name(),
                purpose.authenticated_party()
            ));
        }
        let Some(usages) = usages else { return Ok(()) };
        if !usages.contains(KeyUsages::DigitalSignature) {
            return Err(format!(
                "may not authenticate {}: its key usage lacks digitalSignature",
                purpose.authenticated_party()
            ));
        }
        self.check_allowed_usages(usages)
    }

    /// Checks that the key may receive shared secrets.
    fn check_kem_key(&self, usages: Option<FlagSet<KeyUsages>>) -> Result<(), String> {
        let Self::Kem(row) = self else {
            return Err("has a key for signatures, not for key encapsulation".to_owned());
        };
        let Some(usages) = usages else { return Ok(()) };
        // classical keys need key agreement, RFC 8410
        let (needed, name) = match row.category {
            0 => (KeyUsages::KeyAgreement, "keyAgreement"),
            _ => (KeyUsages::KeyEncipherment, "keyEncipherment"),
        };
        if !usages.contains(needed) {
            return Err(format!("may not receive shared secrets: its key usage lacks {name}"));
        }
        self.check_allowed_usages(usages)
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
const RSA_BITS: core::ops::RangeInclusive<usize> = 2048..=8192;

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
