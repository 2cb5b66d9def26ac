//! Checks of an end entity's certificate that do not involve its issuer: a well-formed public key of a suitable
//! algorithm, and a key usage that allows the purpose.

use crate::Error;
use crate::certificate::Certificate;
use crate::purpose::Purpose;
use crate::subject_key::{RSA_BITS, SubjectKey};
use alloc::{borrow::ToOwned, format, string::String};
use core::time::Duration;
use der::flagset::FlagSet;
use grille_registry::{Numbers, Row};
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

    /// Parses DER and returns only the properties that are checked for an end entity.
    #[inline(never)]
    pub(crate) fn from_der(der: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Ok(Self::new(&Certificate::from_der(der)?.in_era(numbers)))
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

impl SubjectKey {
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
}
