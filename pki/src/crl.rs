//! Certificate revocation lists, RFC 5280 section 5.

use crate::asn1::encoded_elements;
use crate::certificate::Certificate;
use crate::encoding::{extension, signature};
use crate::pem::{self, Kind};
use crate::signed::{check_key_matches, is_valid_signature};
use crate::{Error, PrivateKey, algorithm};
use alloc::{format, string::String, string::ToString, vec, vec::Vec};
use core::fmt;
use core::time::Duration;
use der::asn1::{AnyRef, Uint};
use der::{DateTime, Decode, Encode, SliceReader};
use grille_core::CryptoRng;
use rustls_pki_types::{SignatureVerificationAlgorithm, UnixTime};
use spki::AlgorithmIdentifierOwned;
use webpki::{
    CertRevocationList, ExpirationPolicy, OwnedCertRevocationList, RevocationOptions,
    RevocationOptionsBuilder, RevocationReason,
};
use x509_cert::certificate::{Rfc5280, Version};
use x509_cert::crl::{CertificateList, RevokedCert, TbsCertList};
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, CrlNumber};
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::Time;

const ELEMENT: &str = "revocation list";

/// ASN.1 tag of an INTEGER.
const INTEGER: u8 = 2;

/// A parsed certificate revocation list. Its signature is not verified by parsing.
pub struct Crl {
    list: CertRevocationList<'static>,
    der: Vec<u8>,
    issuer: String,
    this_update: Duration,
    next_update: Duration,
}

impl Crl {
    /// Parses every list of a file, in order, from PEM or from concatenated DER.
    ///
    /// # Errors
    /// Returns [`Error::Der`] if a list cannot be parsed, [`Error::Malformed`] for a list of version 1, [`Error::Crl`]
    /// for a list that lacks the time of the next update or that webpki does not support, or the errors of finding the
    /// PEM blocks.
    pub fn all_from_pem(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if !pem::is_der(bytes) {
            return pem::find_all_of_kind(bytes, Kind::RevocationList)?
                .iter()
                .map(|der| Self::from_der(der))
                .collect();
        }
        match encoded_elements(bytes) {
            Some(several) => several.into_iter().map(Self::from_der).collect(),
            None => Ok(vec![Self::from_der(bytes)?]),
        }
    }

    fn from_der(der: &[u8]) -> Result<Self, Error> {
        if is_of_version_1(der) {
            let reason = "has version 1, expected version 2; reissue it as version 2, with a CRL number";
            return Err(Error::Malformed { element: ELEMENT, reason });
        }
        let parsed = CertificateList::<Rfc5280>::from_der(der).map_err(Error::der(ELEMENT))?;
        let parsed = &parsed.tbs_cert_list;
        let unusable = |reason: String| Error::Crl { issuer: parsed.issuer.to_string(), reason };
        let list =
            OwnedCertRevocationList::from_der(der).map_err(|error| unusable(unsupported_reason(&error)))?;
        let no_end = || unusable("lacks the time of the next update, which RFC 5280 requires".to_string());
        Ok(Self {
            list: list.into(),
            der: der.to_vec(),
            issuer: parsed.issuer.to_string(),
            this_update: parsed.this_update.to_unix_duration(),
            next_update: parsed.next_update.ok_or_else(no_end)?.to_unix_duration(),
        })
    }

    /// Issues a list that revokes exactly these certificates; earlier lists of the issuer are not taken into account.
    ///
    /// # Errors
    /// Returns [`Error::OtherKey`] if the key does not belong to the issuer, [`Error::Value`] for a certificate of
    /// another issuer or an issuer that may not sign lists, [`Error::Der`] for a time that X.509 cannot represent, or
    /// [`Error::Key`] if the key cannot sign.
    pub fn issue(
        revoked: &[&Certificate],
        validity: &CrlValidity,
        issuer: &Certificate,
        key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        check_key_matches(issuer, key)?;
        let wrong = |reason| Err(Error::Value { element: ELEMENT, reason });
        if !issuer.may_sign_crls() {
            return wrong("the issuer's key usage lacks cRLSign".to_string());
        }
        if let Some(other) = revoked.iter().find(|one| one.issuer_name() != issuer.subject_name()) {
            return wrong(format!("{} was issued by {}", other.display_name(), other.issuer()));
        }
        let algorithm = algorithm::signature_algorithm_identifier(key.row(), key.public_key().numbers())?;
        let list = to_be_signed(revoked, validity, issuer, &algorithm)?;
        let message = list.to_der().map_err(Error::der(ELEMENT))?;
        let signature = signature(&message, key, rng)?;
        let list = CertificateList { tbs_cert_list: list, signature_algorithm: algorithm, signature };
        Self::from_der(&list.to_der().map_err(Error::der(ELEMENT))?)
    }

    /// Encodes the list as PEM.
    ///
    /// # Errors
    /// Returns [`Error::Pem`] if the text is too long, which does not happen for lists.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::RevocationList.label())
    }

    /// Returns the DER of the list.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Returns the issuer in the format of RFC 4514.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the times of this update and of the next update, as durations since the Unix epoch.
    #[must_use]
    pub const fn validity(&self) -> (Duration, Duration) {
        (self.this_update, self.next_update)
    }

    /// Returns the time and the reason of the revocation of a certificate of the list's issuer, or `None` if the
    /// certificate was not revoked.
    pub(crate) fn revocation(&self, certificate: &Certificate) -> Option<Revocation> {
        if !self.is_of_issuer(certificate) {
            return None;
        }
        let found = self.list.find_serial(certificate.serial_bytes()).ok()??;
        let reason = found.reason_code.and_then(reason_name);
        Some(Revocation { date: Duration::from_secs(found.revocation_date.as_secs()), reason })
    }

    /// Returns whether the certificate's issuer has the name of the list's issuer.
    pub(crate) fn is_of_issuer(&self, certificate: &Certificate) -> bool {
        certificate.issuer_contents().is_some_and(|issuer| issuer == self.list.issuer())
    }

    /// Returns whether the list covers all certificates of its issuer, in contrast to a partial list.
    pub(crate) fn is_complete(&self) -> bool {
        self.list.issuing_distribution_point().is_none()
    }

    /// Returns whether the list is signed with this certificate's key.
    pub(crate) fn is_signed_by(
        &self,
        issuer: &Certificate,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
    ) -> bool {
        let signed = || {
            let parsed = CertificateList::<Rfc5280>::from_der(&self.der).ok()?;
            let message = parsed.tbs_cert_list.to_der().ok()?;
            let signature = parsed.signature.as_bytes()?;
            is_valid_signature(&parsed.signature_algorithm, &message, signature, issuer, algorithms)
        };
        signed().unwrap_or_default()
    }
}

/// Returns whether TBSCertList lacks a version, as lists of version 1 do.
fn is_of_version_1(der: &[u8]) -> bool {
    let tbs_cert_list = || {
        let list = AnyRef::from_der(der).ok()?;
        AnyRef::decode(&mut SliceReader::new(list.value()).ok()?).ok()
    };
    tbs_cert_list().is_some_and(|list| list.value().first().is_some_and(|tag| *tag != INTEGER))
}

/// Times and number of a revocation list.
#[derive(Clone, Copy, Debug)]
pub struct CrlValidity {
    /// Time of issue and of every revocation in the list, as a duration since the Unix epoch.
    pub this_update: Duration,
    /// Time when the next list is due, as a duration since the Unix epoch.
    pub next_update: Duration,
    /// Number of the list; must exceed that of every earlier list of the issuer, RFC 5280 section 5.2.3.
    pub number: u64,
}

/// Builds the TBSCertList, RFC 5280 section 5.1.
fn to_be_signed(
    revoked: &[&Certificate],
    validity: &CrlValidity,
    issuer: &Certificate,
    algorithm: &AlgorithmIdentifierOwned,
) -> Result<TbsCertList<Rfc5280>, Error> {
    let time = |since| Ok(Time::from(DateTime::from_unix_duration(since).map_err(Error::der(ELEMENT))?));
    let entry = |one: &&Certificate| {
        Ok(RevokedCert {
            serial_number: SerialNumber::new(one.serial_bytes()).map_err(Error::der(ELEMENT))?,
            revocation_date: time(validity.this_update)?,
            crl_entry_extensions: None,
        })
    };
    let entries = revoked.iter().map(entry).collect::<Result<Vec<_>, Error>>()?;
    let authority = AuthorityKeyIdentifier {
        key_identifier: Some(issuer.key_identifier()?),
        ..AuthorityKeyIdentifier::default()
    };
    let number = Uint::new(&validity.number.to_be_bytes()).map_err(Error::der(ELEMENT))?;
    let extensions = [extension(false, &authority), extension(false, &CrlNumber(number))];
    Ok(TbsCertList {
        version: Version::V2,
        signature: algorithm.clone(),
        issuer: issuer.subject_name(),
        this_update: time(validity.this_update)?,
        next_update: Some(time(validity.next_update)?),
        revoked_certificates: (!entries.is_empty()).then_some(entries),
        crl_extensions: Some(
            extensions.into_iter().collect::<der::Result<_>>().map_err(Error::der(ELEMENT))?,
        ),
    })
}

/// An entry of a revocation list.
pub(crate) struct Revocation {
    /// Time of revocation, as a duration since the Unix epoch.
    pub(crate) date: Duration,
    /// Name of the reason in RFC 5280 section 5.3.1, if the entry gives one.
    pub(crate) reason: Option<&'static str>,
}

/// Returns the lists that were issued at or before `time`, newest first, in webpki's form. webpki itself refuses
/// expired lists.
pub(crate) fn issued_before(crls: &[Crl], time: Duration) -> Vec<&CertRevocationList<'static>> {
    let mut found: Vec<_> = crls.iter().filter(|crl| crl.this_update <= time).collect();
    found.sort_by_key(|crl| core::cmp::Reverse(crl.this_update));
    found.into_iter().map(|crl| &crl.list).collect()
}

/// Builds webpki's options: every certificate of a chain must be covered by one of these lists, and no list may be
/// out of date.
pub(crate) fn revocation_options<'a>(
    lists: &'a [&'a CertRevocationList<'a>],
) -> Option<RevocationOptions<'a>> {
    let builder = RevocationOptionsBuilder::new(lists).ok()?;
    Some(builder.with_expiration_policy(ExpirationPolicy::Enforce).build())
}

fn unsupported_reason(error: &webpki::Error) -> String {
    use webpki::Error as E;
    match error {
        E::UnsupportedDeltaCrl => {
            "is a delta list, which is not supported; use the complete list".to_string()
        }
        E::UnsupportedIndirectCrl => "is an indirect list, which is not supported".to_string(),
        E::UnsupportedCrlVersion => "does not have version 2".to_string(),
        E::UnsupportedCrlIssuingDistributionPoint | E::UnsupportedRevocationReasonsPartitioning => {
            "covers only some certificates, in a way that is not supported".to_string()
        }
        other => format!("cannot be used: {other}"),
    }
}

fn reason_name(reason: RevocationReason) -> Option<&'static str> {
    Some(match reason {
        RevocationReason::KeyCompromise => "keyCompromise",
        RevocationReason::CaCompromise => "cACompromise",
        RevocationReason::AffiliationChanged => "affiliationChanged",
        RevocationReason::Superseded => "superseded",
        RevocationReason::CessationOfOperation => "cessationOfOperation",
        RevocationReason::CertificateHold => "certificateHold",
        RevocationReason::RemoveFromCrl => "removeFromCRL",
        RevocationReason::PrivilegeWithdrawn => "privilegeWithdrawn",
        RevocationReason::AaCompromise => "aACompromise",
        RevocationReason::Unspecified => return None,
    })
}

/// Converts a time to webpki's type.
pub(crate) const fn to_unix_time(time: Duration) -> UnixTime {
    UnixTime::since_unix_epoch(time)
}

impl fmt::Debug for Crl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crl({})", self.issuer)
    }
}
