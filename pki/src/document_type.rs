//! Recognition of DER document types by their first elements, for messages about unexpected documents.

use crate::asn1::{elements, first_element};
use crate::pem::Kind;
use crate::{Error, PKCS12};
use alloc::string::ToString;
use alloc::vec::Vec;
use const_oid::ObjectIdentifier;
use der::asn1::AnyRef;
use der::{Tag, Tagged};

/// Type of a DER document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentType {
    Certificate,
    RevocationList,
    Request,
    PublicKey,
    /// RSAPublicKey, RFC 8017 appendix A.1.1.
    RsaPublicKey,
    PrivateKey,
    /// EncryptedPrivateKeyInfo, RFC 5958 section 3.
    EncryptedPrivateKey,
    /// RSAPrivateKey, RFC 8017 appendix A.1.2.
    RsaPrivateKey,
    /// ECPrivateKey, RFC 5915 section 3.
    EcPrivateKey,
    /// PFX, RFC 7292 section 4.
    Pkcs12,
    /// ContentInfo of RFC 5652, such as certificates in PKCS#7.
    Cms,
}

impl DocumentType {
    /// Recognises the type of a DER document, or of PKCS#12 in BER. Returns `None` if the type is unknown.
    pub(crate) fn detect(document: &[u8]) -> Option<Self> {
        if is_pkcs12(document) {
            return Some(Self::Pkcs12);
        }
        let parts = sequence_elements(document)?;
        let tags: Vec<Tag> = parts.iter().map(Tagged::tag).collect();
        use Tag::{BitString, Integer, ObjectIdentifier as Oid, OctetString, Sequence};
        Some(match tags[..] {
            [Sequence, Sequence, BitString] => Self::detect_signed(&parts[0])?,
            [Sequence, BitString] => Self::PublicKey,
            [Sequence, OctetString] => Self::EncryptedPrivateKey,
            [Integer, Sequence, OctetString, ..] => Self::PrivateKey,
            [Integer, Integer] => Self::RsaPublicKey,
            [Integer, Integer, Integer, Integer, Integer, Integer, Integer, Integer, Integer, ..] => {
                Self::RsaPrivateKey
            }
            [Integer, OctetString, ..] => Self::EcPrivateKey,
            [Oid, _] if is_pkcs7(&parts[0]) => Self::Cms,
            _ => return None,
        })
    }

    /// Recognises the type of a signed document from its signed part: a certificate contains an issuer and a validity
    /// period, a request contains a key, and a revocation list contains a time. Returns `None` if the type is unknown.
    fn detect_signed(signed: &AnyRef<'_>) -> Option<Self> {
        let parts = elements("", signed.value()).ok()?;
        let tags: Vec<Tag> = parts.iter().map(Tagged::tag).collect();
        use Tag::{Integer, Sequence, UtcTime};
        Some(match tags[..] {
            [Integer, Sequence, Sequence, Tag::ContextSpecific { .. }] | [Integer, Sequence, Sequence] => {
                Self::Request
            }
            [Integer, Sequence, Sequence, UtcTime | Tag::GeneralizedTime, ..]
            | [Sequence, Sequence, UtcTime | Tag::GeneralizedTime, ..] => Self::RevocationList,
            [Tag::ContextSpecific { .. }, Integer, ..] | [Integer, Sequence, Sequence, Sequence, ..] => {
                Self::Certificate
            }
            _ => return None,
        })
    }

    /// Returns the name of the document type with an indefinite article, such as `a certificate`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Certificate => "a certificate",
            Self::RevocationList => "a certificate revocation list",
            Self::Request => "a certificate request",
            Self::PublicKey => "a public key",
            Self::RsaPublicKey => "an RSA public key (PKCS#1)",
            Self::PrivateKey => "a private key",
            Self::EncryptedPrivateKey => "an encrypted private key",
            Self::RsaPrivateKey => "an RSA private key (PKCS#1)",
            Self::EcPrivateKey => "an elliptic-curve private key (SEC 1)",
            Self::Pkcs12 => "a PKCS#12 file",
            Self::Cms => "a CMS message (PKCS#7)",
        }
    }

    /// Returns whether readers of this kind accept the document type.
    const fn is_accepted_by(self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Self::Certificate, Kind::Certificate)
                | (Self::Request, Kind::Request)
                | (Self::PublicKey | Self::RsaPublicKey, Kind::PublicKey)
                | (Self::PrivateKey | Self::RsaPrivateKey | Self::EcPrivateKey, Kind::PrivateKey)
        )
    }
}

/// Returns the error for a document that could not be parsed: an unexpected document type, or otherwise `error`.
#[cold]
pub(crate) fn refusal(document: &[u8], kind: Kind, error: der::Error) -> Error {
    match DocumentType::detect(document) {
        Some(DocumentType::Pkcs12) => Error::Encrypted { element: PKCS12 },
        Some(DocumentType::EncryptedPrivateKey) if kind == Kind::PrivateKey => {
            Error::Encrypted { element: kind.element() }
        }
        Some(found) if !found.is_accepted_by(kind) => {
            Error::OtherDocument { expected: kind.element(), found: found.name() }
        }
        _ => Error::der(kind.element())(error),
    }
}

/// Returns whether the document is PKCS#12, in DER or BER: version 3, and a CMS message with data or signed data.
pub(crate) fn is_pkcs12(document: &[u8]) -> bool {
    // 1.2.840.113549.1.7
    let pkcs7 = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7];
    let info = content(document).and_then(|inside| content(inside.strip_prefix(&[2, 1, 3])?));
    info.is_some_and(|info| info.starts_with(&pkcs7))
}

/// Returns all bytes after the header of the SEQUENCE at the start of `bytes`. The length of the SEQUENCE may be
/// indefinite. Returns `None` if `bytes` do not start with a SEQUENCE.
fn content(bytes: &[u8]) -> Option<&[u8]> {
    match bytes {
        [0x30, length @ 0x81..=0xFF, rest @ ..] => rest.get(usize::from(length & 0x7F)..),
        [0x30, _, rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Returns the elements of the SEQUENCE that the document consists of, or `None` if the document is not a single
/// SEQUENCE.
fn sequence_elements(document: &[u8]) -> Option<Vec<AnyRef<'_>>> {
    let whole = first_element(document)?.len() == document.len();
    let sequence = elements("", document).ok()?.first().copied()?;
    (whole && sequence.tag() == Tag::Sequence).then(|| elements("", sequence.value()).ok()).flatten()
}

fn is_pkcs7(element: &AnyRef<'_>) -> bool {
    let pkcs7 = |oid: ObjectIdentifier| oid.to_string().starts_with("1.2.840.113549.1.7.");
    element.decode_as().is_ok_and(pkcs7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::tlv;

    #[test]
    fn recognises_pkcs12_in_der_and_ber() {
        let oid = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1];
        let info = tlv(0x30, &[&oid]);
        let der = tlv(0x30, &[&[2, 1, 3], &info, &[4; 200]]);
        let ber = [&[0x30, 0x80, 2, 1, 3, 0x30, 0x80][..], &oid].concat();
        assert!(is_pkcs12(&der) && is_pkcs12(&ber));
        assert_eq!(DocumentType::detect(&ber), Some(DocumentType::Pkcs12));
        for other in [&tlv(0x30, &[&[2, 1, 2], &info])[..], &der[..10], b"", &[0x30], &[0x30, 0x84]] {
            assert!(!is_pkcs12(other), "{other:x?}");
        }
    }

    #[test]
    fn recognises_no_type_in_other_bytes() {
        for other in [&[][..], b"text", &[0x30, 0], &[0x30, 3, 2, 1, 5], &[0x30, 0x80, 0, 0]] {
            assert_eq!(DocumentType::detect(other), None, "{other:x?}");
        }
    }
}
