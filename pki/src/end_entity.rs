//! What the first certificate of a chain must have of its own, whoever issued it: a well-formed public key of a suitable
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

/// The properties of an end entity that [`EndEntity::check`] judges.
pub(crate) struct EndEntity {
    usage: Option<KeyUsage>,
    key: Result<SubjectKey, Error>,
    /// The end of its validity, since 1970.
    pub(crate) expires: Duration,
}

impl EndEntity {
    pub(crate) fn new(certificate: &Certificate) -> Self {
        let (usage, key) = (certificate.key_usage(), certificate.subject_key());
        Self { usage, key, expires: certificate.validity().1 }
    }

    /// Returns why the certificate does not serve `purpose`, as the end of the sentence "the certificate of … ".
    pub(crate) fn check(&self, purpose: Purpose) -> Result<(), String> {
        let key = self.key.as_ref().map_err(unusable)?;
        let usages = self.usage.map(|usage| usage.0);
        match purpose {
            Purpose::Other => Ok(()),
            Purpose::Server | Purpose::Client => key.check_signs(usages, purpose),
            Purpose::KeyEncapsulation => key.check_encapsulates(usages),
        }
    }
}

/// Describes a public key that cannot be used.
fn unusable(error: &Error) -> String {
    match error {
        Error::UnknownAlgorithm { oid, .. } => {
            format!("has a public key of the algorithm {oid}, which is not known here")
        }
        Error::Size { bits, .. } => format!(
            "has an RSA key of {bits} bits, and keys of {} to {} bits are accepted",
            RSA_BITS.start(),
            RSA_BITS.end()
        ),
        Error::Malformed { reason, .. } => format!("has a malformed public key: it {reason}"),
        other => format!("has a malformed public key: {other}"),
    }
}

/// The algorithm of a well-formed public key.
pub(crate) enum SubjectKey {
    Signature(&'static SignatureRow),
    Kem(&'static KemRow),
    /// RSA of a length that signatures can be checked with, but that no row of the registry has.
    OtherRsa,
}

impl SubjectKey {
    /// Reads a certificate's public key: its algorithm must be known, and its parameters, its length and its encoding valid.
    pub(crate) fn read(spki: &SubjectPublicKeyInfoOwned, numbers: Numbers) -> Result<Self, Error> {
        match PublicKey::from_spki(spki, numbers) {
            Ok(key) => Ok(Self::Signature(key.row())),
            Err(Error::Size { bits, .. }) if RSA_BITS.contains(&bits) => Ok(Self::OtherRsa),
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

    /// For a peer of TLS, which signs the handshake (RFC 8446 sections 4.4.2.2 and 4.4.2.4).
    fn check_signs(&self, usages: Option<FlagSet<KeyUsages>>, purpose: Purpose) -> Result<(), String> {
        if let Self::Kem(row) = self {
            return Err(format!(
                "has a key of {}, which cannot sign, and {} proves itself by signing",
                row.name(),
                purpose.whom()
            ));
        }
        let Some(usages) = usages else { return Ok(()) };
        if !usages.contains(KeyUsages::DigitalSignature) {
            return Err(format!(
                "may not authenticate {}: its key usage lacks digitalSignature",
                purpose.whom()
            ));
        }
        self.check_rules(usages)
    }

    /// For the receiver of a shared secret.
    fn check_encapsulates(&self, usages: Option<FlagSet<KeyUsages>>) -> Result<(), String> {
        let Self::Kem(row) = self else {
            return Err("has a key for signatures, not for key encapsulation".to_owned());
        };
        let Some(usages) = usages else { return Ok(()) };
        // the classical ones agree on keys, RFC 8410
        let (needed, name) = match row.category {
            0 => (KeyUsages::KeyAgreement, "keyAgreement"),
            _ => (KeyUsages::KeyEncipherment, "keyEncipherment"),
        };
        if !usages.contains(needed) {
            return Err(format!("may not receive shared secrets: its key usage lacks {name}"));
        }
        self.check_rules(usages)
    }

    /// The key usages that the algorithm's standard forbids.
    pub(crate) fn check_rules(&self, usages: FlagSet<KeyUsages>) -> Result<(), String> {
        let Some((allowed, spec)) = self.allowed() else { return Ok(()) };
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

    /// The key usages that a published standard allows, and the document that says so; `None` for other algorithms.
    fn allowed(&self) -> Option<(FlagSet<KeyUsages>, &'static str)> {
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

/// RSA keys that signatures are checked with.
const RSA_BITS: core::ops::RangeInclusive<usize> = 2048..=8192;

/// RFC 5280 section 4.2.1.3's name of a key usage.
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
