//! Certificate revocation lists, RFC 5280 section 5.

use crate::certificate::Certificate;
use crate::pem::{self, Kind};
use crate::verify::{check_key_matches, is_right};
use crate::{Error, PrivateKey, algorithm, issue};
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

const WHAT: &str = "revocation list";

/// The tag of ASN.1.
const INTEGER: u8 = 2;

/// A certificate revocation list: parsed, its signature not yet checked.
pub struct Crl {
    list: CertRevocationList<'static>,
    der: Vec<u8>,
    issuer: String,
    this_update: Duration,
    next_update: Duration,
}

impl Crl {
    /// From PEM, which may have several, or from DER.
    ///
    /// # Errors
    /// [`Error::Der`], [`Error::Crl`]; [`Error::Malformed`] for a list of version 1; also if there is none.
    pub fn all_from_pem(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if pem::is_der(bytes) {
            return Ok(vec![Self::from_der(bytes)?]);
        }
        pem::all(bytes, Kind::RevocationList)?.iter().map(|der| Self::from_der(der)).collect()
    }

    fn from_der(der: &[u8]) -> Result<Self, Error> {
        if is_of_version_1(der) {
            let reason = "is of version 1; issue one with a CRL number, which makes it version 2";
            return Err(Error::Malformed { element: WHAT, reason });
        }
        let parsed = CertificateList::<Rfc5280>::from_der(der).map_err(Error::der(WHAT))?;
        let parsed = &parsed.tbs_cert_list;
        let unusable = |reason: String| Error::Crl { issuer: parsed.issuer.to_string(), reason };
        let list = OwnedCertRevocationList::from_der(der).map_err(|error| unusable(unsupported(&error)))?;
        let no_end = || unusable("does not say when the next one comes, as RFC 5280 demands".to_string());
        Ok(Self {
            list: list.into(),
            der: der.to_vec(),
            issuer: parsed.issuer.to_string(),
            this_update: parsed.this_update.to_unix_duration(),
            next_update: parsed.next_update.ok_or_else(no_end)?.to_unix_duration(),
        })
    }

    /// Issues a list that revokes these certificates, whatever their issuer's earlier lists said.
    ///
    /// # Errors
    /// [`Error::OtherKey`] if the key does not belong to the issuer; [`Error::Value`] for a certificate of another issuer or
    /// an issuer that may not sign lists; [`Error::Der`] for a time that X.509 cannot write; [`Error::Key`].
    pub fn issue(
        revoked: &[&Certificate],
        validity: &CrlValidity,
        issuer: &Certificate,
        key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        check_key_matches(issuer, key)?;
        let wrong = |reason| Err(Error::Value { what: WHAT, reason });
        if !issuer.may_sign_crls() {
            return wrong("the issuer's key usage lacks cRLSign".to_string());
        }
        if let Some(other) = revoked.iter().find(|one| one.issuer_name() != issuer.subject_name()) {
            return wrong(format!("{} was issued by {}", other.display_name(), other.issuer()));
        }
        let algorithm = algorithm::of_signature(key.row(), key.public_key().numbers())?;
        let list = to_be_signed(revoked, validity, issuer, &algorithm)?;
        let message = list.to_der().map_err(Error::der(WHAT))?;
        let signature = issue::signature(&message, key, rng)?;
        let list = CertificateList { tbs_cert_list: list, signature_algorithm: algorithm, signature };
        Self::from_der(&list.to_der().map_err(Error::der(WHAT))?)
    }

    /// PEM.
    ///
    /// # Errors
    /// [`Error::Pem`], which no list is long enough for.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::RevocationList.label())
    }

    /// DER.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// The issuer, as RFC 4514 writes it.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// When it was issued, and when the next one is due, since 1970.
    #[must_use]
    pub const fn validity(&self) -> (Duration, Duration) {
        (self.this_update, self.next_update)
    }

    /// When and why it says that a certificate of its issuer was revoked; `None` if it does not.
    pub(crate) fn revocation(&self, certificate: &Certificate) -> Option<Revocation> {
        if !self.is_of_issuer(certificate) {
            return None;
        }
        let found = self.list.find_serial(certificate.serial_bytes()).ok()??;
        let reason = found.reason_code.and_then(reason_name);
        Some(Revocation { date: Duration::from_secs(found.revocation_date.as_secs()), reason })
    }

    /// Whether the issuer of the certificate has the name of its own.
    pub(crate) fn is_of_issuer(&self, certificate: &Certificate) -> bool {
        certificate.issuer_contents().is_some_and(|issuer| issuer == self.list.issuer())
    }

    /// Whether it covers all certificates of its issuer: some cover a part only.
    pub(crate) fn is_complete(&self) -> bool {
        self.list.issuing_distribution_point().is_none()
    }

    /// Whether this certificate's key signed it.
    pub(crate) fn is_signed_by(
        &self,
        issuer: &Certificate,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
    ) -> bool {
        let signed = || {
            let parsed = CertificateList::<Rfc5280>::from_der(&self.der).ok()?;
            let message = parsed.tbs_cert_list.to_der().ok()?;
            let signature = parsed.signature.as_bytes()?;
            is_right(&parsed.signature_algorithm, &message, signature, issuer, algorithms)
        };
        signed().unwrap_or_default()
    }
}

/// Whether TBSCertList begins with something else than a version, which a list of version 1 does not have.
fn is_of_version_1(der: &[u8]) -> bool {
    let tbs_cert_list = || {
        let list = AnyRef::from_der(der).ok()?;
        AnyRef::decode(&mut SliceReader::new(list.value()).ok()?).ok()
    };
    tbs_cert_list().is_some_and(|list| list.value().first().is_some_and(|tag| *tag != INTEGER))
}

/// When a revocation list is issued, and its number.
#[derive(Clone, Copy, Debug)]
pub struct CrlValidity {
    /// When it is issued, and all in it are revoked, since 1970.
    pub this_update: Duration,
    /// When the next one is due.
    pub next_update: Duration,
    /// Higher than that of each earlier list of the issuer, RFC 5280 section 5.2.3.
    pub number: u64,
}

/// TBSCertList, RFC 5280 section 5.1.
fn to_be_signed(
    revoked: &[&Certificate],
    validity: &CrlValidity,
    issuer: &Certificate,
    algorithm: &AlgorithmIdentifierOwned,
) -> Result<TbsCertList<Rfc5280>, Error> {
    let time = |since| Ok(Time::from(DateTime::from_unix_duration(since).map_err(Error::der(WHAT))?));
    let entry = |one: &&Certificate| {
        Ok(RevokedCert {
            serial_number: SerialNumber::new(one.serial_bytes()).map_err(Error::der(WHAT))?,
            revocation_date: time(validity.this_update)?,
            crl_entry_extensions: None,
        })
    };
    let entries = revoked.iter().map(entry).collect::<Result<Vec<_>, Error>>()?;
    let authority = AuthorityKeyIdentifier {
        key_identifier: Some(issuer.key_identifier()?),
        ..AuthorityKeyIdentifier::default()
    };
    let number = Uint::new(&validity.number.to_be_bytes()).map_err(Error::der(WHAT))?;
    let extensions = [issue::extension(false, &authority), issue::extension(false, &CrlNumber(number))];
    Ok(TbsCertList {
        version: Version::V2,
        signature: algorithm.clone(),
        issuer: issuer.subject_name(),
        this_update: time(validity.this_update)?,
        next_update: Some(time(validity.next_update)?),
        revoked_certificates: (!entries.is_empty()).then_some(entries),
        crl_extensions: Some(extensions.into_iter().collect::<der::Result<_>>().map_err(Error::der(WHAT))?),
    })
}

/// An entry of a revocation list.
pub(crate) struct Revocation {
    /// Since 1970.
    pub(crate) date: Duration,
    /// RFC 5280 section 5.3.1's name of the reason, if the entry gives one.
    pub(crate) reason: Option<&'static str>,
}

/// The lists that are in force at a time, the newest first, as webpki takes them.
pub(crate) fn in_force(crls: &[Crl], time: Duration) -> Vec<&CertRevocationList<'static>> {
    let mut found: Vec<_> = crls.iter().filter(|crl| crl.this_update <= time).collect();
    found.sort_by_key(|crl| core::cmp::Reverse(crl.this_update));
    found.into_iter().map(|crl| &crl.list).collect()
}

/// Every certificate of a chain must be covered by one of these lists, and none of them may be out of date.
pub(crate) fn options<'a>(lists: &'a [&'a CertRevocationList<'a>]) -> Option<RevocationOptions<'a>> {
    let builder = RevocationOptionsBuilder::new(lists).ok()?;
    Some(builder.with_expiration_policy(ExpirationPolicy::Enforce).build())
}

fn unsupported(error: &webpki::Error) -> String {
    use webpki::Error as E;
    match error {
        E::UnsupportedDeltaCrl => "is a delta list; give the complete one".to_string(),
        E::UnsupportedIndirectCrl => "is an indirect list, which is not supported".to_string(),
        E::UnsupportedCrlVersion => "is not of version 2".to_string(),
        E::UnsupportedCrlIssuingDistributionPoint | E::UnsupportedRevocationReasonsPartitioning => {
            "covers a part of the certificates in a way that is not supported".to_string()
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

/// The time as webpki takes it.
pub(crate) const fn unix(time: Duration) -> UnixTime {
    UnixTime::since_unix_epoch(time)
}

impl fmt::Debug for Crl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crl({})", self.issuer)
    }
}
