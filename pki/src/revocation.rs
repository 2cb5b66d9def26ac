//! Certificate revocation lists, RFC 5280 section 5: reading. [`crate::verify::Trust`] checks chains against them.

use crate::certificate::Certificate;
use crate::{Error, pem};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec, vec::Vec};
use core::fmt;
use core::time::Duration;
use der::asn1::AnyRef;
use der::{Decode, SliceReader};
use webpki::{
    CertRevocationList, ExpirationPolicy, OwnedCertRevocationList, RevocationCheckDepth, RevocationOptions,
    RevocationOptionsBuilder, UnknownStatusPolicy,
};
use x509_cert::crl::CertificateList;
use x509_cert::name::Name;

const LABEL: &str = "X509 CRL";
const WHAT: &str = "revocation list";

/// The tag of ASN.1.
const INTEGER: u8 = 2;

/// A certificate revocation list: parsed, its signature not yet checked.
pub struct RevocationList {
    list: CertRevocationList<'static>,
    issuer: Name,
    issued: Duration,
    next_update: Duration,
}

impl RevocationList {
    /// Reads every list of a PEM file, in order, or the one of a DER file.
    ///
    /// # Errors
    /// Says which element is wrong; [`Error::Malformed`] for a list that is not of version 2, does not say when the next one
    /// comes, or lists only changes.
    pub fn all_from_pem_or_der(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if pem::is_der(bytes) {
            return Ok(vec![Self::from_der(bytes)?]);
        }
        pem::all(bytes, LABEL)?.iter().map(|der| Self::from_der(der)).collect()
    }

    fn from_der(der: &[u8]) -> Result<Self, Error> {
        let malformed = |reason| Error::Malformed { element: WHAT, reason };
        if is_of_version_1(der) {
            return Err(malformed("is of version 1; issue one with a CRL number, which makes it version 2"));
        }
        let parsed: CertificateList = CertificateList::from_der(der).map_err(Error::der(WHAT))?;
        let parsed = parsed.tbs_cert_list;
        let next_update =
            parsed.next_update.ok_or_else(|| malformed("does not say when the next one is issued"))?;
        let list = OwnedCertRevocationList::from_der(der).map_err(|_| {
            malformed("lacks its CRL number, lists only changes, or has an unknown critical extension")
        })?;
        Ok(Self {
            list: list.into(),
            issuer: parsed.issuer,
            issued: parsed.this_update.to_unix_duration(),
            next_update: next_update.to_unix_duration(),
        })
    }

    /// The issuer, as RFC 4514 writes it.
    #[must_use]
    pub fn issuer(&self) -> String {
        self.issuer.to_string()
    }

    /// When it was issued and when the next list is due, since 1970.
    #[must_use]
    pub const fn validity(&self) -> (Duration, Duration) {
        (self.issued, self.next_update)
    }

    /// Whether it revokes this certificate.
    pub(crate) fn revokes(&self, certificate: &Certificate) -> bool {
        *certificate.issuer_name() == self.issuer
            && self.list.find_serial(certificate.serial_bytes()).is_ok_and(|found| found.is_some())
    }
}

impl fmt::Debug for RevocationList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RevocationList({})", self.issuer())
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

/// The lists as webpki takes them, the newest first: of several by one issuer it asks the first.
pub(crate) fn newest_first(lists: &[RevocationList]) -> Vec<&CertRevocationList<'static>> {
    let mut lists: Vec<_> = lists.iter().collect();
    lists.sort_by_key(|list| core::cmp::Reverse(list.issued));
    lists.into_iter().map(|list| &list.list).collect()
}

/// How chains are checked: every certificate below the root, each of which needs a list of its issuer that is not outdated.
/// `None` if there is no list.
pub(crate) fn options<'a>(lists: &'a [&'a CertRevocationList<'a>]) -> Option<RevocationOptions<'a>> {
    let builder = RevocationOptionsBuilder::new(lists).ok()?;
    let builder =
        builder.with_depth(RevocationCheckDepth::Chain).with_status_policy(UnknownStatusPolicy::Deny);
    Some(builder.with_expiration_policy(ExpirationPolicy::Enforce).build())
}

/// What webpki says of revocation, as the end of the sentence "the certificate of … ".
pub(crate) fn explain(error: &webpki::Error, lists: &[RevocationList]) -> Option<String> {
    use webpki::Error as E;
    let reason = match error {
        E::CertRevoked => "was revoked, or one of its issuers was",
        E::UnknownRevocationStatus => {
            "may be revoked: there is no revocation list of its issuer, or of an issuer of its issuers; give the list of every \
             CA below and including the root"
        }
        E::CrlExpired { next_update, .. } => {
            let time = Duration::from_secs(next_update.as_secs());
            let outdated = lists.iter().find(|list| list.next_update == time);
            let whose = outdated.map_or_else(|| "an issuer".to_owned(), RevocationList::issuer);
            return Some(format!(
                "may be revoked: the revocation list of {whose} was to be replaced by {}; get a newer one",
                crate::moment(time)
            ));
        }
        E::InvalidCrlSignatureForPublicKey => {
            "may be revoked: the revocation list of its issuer, or of one of its issuers, was altered or signed with another key"
        }
        E::IssuerNotCrlSigner => {
            "may be revoked: the key usage of an issuer lacks cRLSign, so its revocation list does not count"
        }
        E::UnsupportedCrlSignatureAlgorithmContext(_)
        | E::UnsupportedCrlSignatureAlgorithmForPublicKeyContext(_) => {
            "may be revoked: the revocation list is signed with an algorithm that is not accepted here"
        }
        _ => return None,
    };
    Some(reason.to_owned())
}
