//! Subject names and fingerprints of certificates, as values that access control compares exactly.

use crate::certificate::Certificate;
use alloc::{string::String, string::ToString, vec::Vec};
use const_oid::ObjectIdentifier;
use core::fmt;
use core::net::IpAddr;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::{DirectoryString, GeneralName};
use x509_cert::name::RelativeDistinguishedName;

/// id-at-commonName, RFC 5280 appendix A.1.
const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");

/// A subject alternative name, RFC 5280 section 4.2.1.6, of a type that identifies a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeName {
    /// A host name, in lower case.
    Dns(String),
    /// An IP address.
    Ip(IpAddr),
    /// A mailbox.
    Email(String),
    /// A URI, such as a SPIFFE ID.
    Uri(String),
}

impl fmt::Display for AlternativeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dns(name) => write!(f, "DNS:{name}"),
            Self::Ip(address) => write!(f, "IP:{address}"),
            Self::Email(mailbox) => write!(f, "email:{mailbox}"),
            Self::Uri(uri) => write!(f, "URI:{uri}"),
        }
    }
}

impl Certificate {
    /// Returns the subject's common name, or `None` if there is none or more than one.
    #[must_use]
    pub fn common_name(&self) -> Option<String> {
        let subject = self.subject_name();
        let parts = subject.iter_rdn().flat_map(RelativeDistinguishedName::iter);
        let mut values = parts.filter(|attribute| attribute.oid == COMMON_NAME);
        let (only, None) = (values.next()?, values.next()) else { return None };
        only.value.decode_as::<DirectoryString>().ok().map(|name| name.value().into_owned())
    }

    /// Returns the subject alternative names that identify a peer, in order. Names of other types are omitted.
    #[must_use]
    pub fn alternative_names(&self) -> Vec<AlternativeName> {
        let names = self.extension::<SubjectAltName>().map(|names| names.0).unwrap_or_default();
        names.iter().filter_map(alternative_name).collect()
    }

    /// Returns SHA-256 of the certificate's DER.
    #[must_use]
    pub fn fingerprint(&self) -> [u8; 32] {
        grille_hash::sha2::sha256(&[self.as_der()])
    }
}

fn alternative_name(name: &GeneralName) -> Option<AlternativeName> {
    Some(match name {
        GeneralName::DnsName(name) => AlternativeName::Dns(name.to_string().to_ascii_lowercase()),
        GeneralName::Rfc822Name(mailbox) => AlternativeName::Email(mailbox.to_string()),
        GeneralName::UniformResourceIdentifier(uri) => AlternativeName::Uri(uri.to_string()),
        GeneralName::IpAddress(address) => {
            let bytes = address.as_bytes();
            let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
            AlternativeName::Ip(v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok()?)
        }
        _ => return None,
    })
}
