//! X.509 version 3 certificates, RFC 5280: parsing and accessors.

use crate::adapter::{is_supported, webpki_algorithms};
use crate::asn1::encoded_elements;
use crate::own_signature::{self, OwnSignature};
use crate::pem::{self, Kind};
use crate::public_key::{PublicKey, key_identifier};
use crate::subject_key::{SubjectKey, usage_name};
use crate::{Error, KemPublicKey, algorithm, algorithm_names, document_type, name};
use alloc::{
    borrow::ToOwned, collections::BTreeSet, format, string::String, string::ToString, vec, vec::Vec,
};
use const_oid::{AssociatedOid, ObjectIdentifier};
use core::fmt::{self, Write};
use core::time::Duration;
use der::asn1::{AnyRef, OctetString, Utf8StringRef};
use der::{Decode, Encode};
use grille_registry::{Numbers, Row, SignatureRow};
use spki::AlgorithmIdentifierOwned;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, KeyUsage, SubjectAltName,
    SubjectKeyIdentifier,
};
use x509_cert::name::Name;

pub(crate) const ELEMENT: &str = "certificate";

/// A parsed certificate. Its signature is not verified by parsing.
#[derive(Clone)]
pub struct Certificate {
    inner: x509_cert::Certificate,
    der: Vec<u8>,
    pub(crate) numbers: Numbers,
    own_signature: OwnSignature,
}

impl Certificate {
    /// Parses a certificate from DER or PEM. If the PEM has several blocks, parses the first.
    ///
    /// # Errors
    /// Returns an error that names the invalid element.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::chain_from_pem(bytes)?.swap_remove(0))
    }

    /// Parses every certificate of a file, in order, from PEM or from concatenated DER.
    ///
    /// # Errors
    /// Returns an error if there is no certificate, or an error that names the invalid element of a certificate.
    pub fn chain_from_pem(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if !pem::is_der(bytes) {
            return pem::find_all_of_kind(bytes, Kind::Certificate)?
                .iter()
                .map(|der| Self::from_der(der))
                .collect();
        }
        match encoded_elements(bytes) {
            Some(several) => several.into_iter().map(Self::from_der).collect(),
            None => Ok(vec![Self::from_der(bytes)?]),
        }
    }

    /// Parses one certificate from DER.
    pub(crate) fn from_der(der: &[u8]) -> Result<Self, Error> {
        let own_signature = OwnSignature::default();
        Ok(Self { inner: parse_checked(der)?, der: der.to_vec(), numbers: Numbers::default(), own_signature })
    }

    /// Checks that DER parses. Not inlined, to keep the parsed certificate off the stack during verification.
    #[inline(never)]
    pub(crate) fn check_der(der: &[u8]) -> Result<(), Error> {
        parse_checked(der).map(drop)
    }

    /// Returns this certificate, with its object identifiers interpreted as in the era of `numbers`.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Returns the DER of the certificate.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// Returns a copy of the DER.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        self.der.clone()
    }

    /// Encodes the certificate as PEM.
    ///
    /// # Errors
    /// Returns [`Error::Pem`] if the text is too long, which does not happen for certificates.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::Certificate.label())
    }

    /// Returns the subject in the format of RFC 4514.
    #[must_use]
    pub fn subject(&self) -> String {
        self.inner.tbs_certificate().subject().to_string()
    }

    /// Returns a name for error messages: the subject, or the alternative names if the subject is empty (RFC 5280).
    #[must_use]
    pub fn display_name(&self) -> String {
        match (self.subject(), self.names().as_slice()) {
            (subject, []) if subject.is_empty() => "no subject and no name".to_owned(),
            (subject, names) if subject.is_empty() => names.join(", "),
            (subject, _) => subject,
        }
    }

    /// Returns the issuer in the format of RFC 4514.
    #[must_use]
    pub fn issuer(&self) -> String {
        self.inner.tbs_certificate().issuer().to_string()
    }

    /// Returns the serial number in hexadecimal.
    #[must_use]
    pub fn serial(&self) -> String {
        self.inner.tbs_certificate().serial_number().as_bytes().iter().fold(
            String::new(),
            |mut text, byte| {
                write!(text, "{byte:02x}").expect("writing to a String never fails");
                text
            },
        )
    }

    /// Returns the start and the end of the validity period, as durations since the Unix epoch.
    #[must_use]
    pub fn validity(&self) -> (Duration, Duration) {
        let validity = self.inner.tbs_certificate().validity();
        (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration())
    }

    /// Returns the subject alternative names. Names other than DNS names and IP addresses start with their type.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let names = self.extension::<SubjectAltName>().map(|names| names.0).unwrap_or_default();
        names.iter().map(name::format).collect()
    }

    /// Returns the subject alternative name of type otherName with this identifier, if its value is text.
    #[must_use]
    pub fn other_name(&self, kind: &ObjectIdentifier) -> Option<String> {
        let names = self.extension::<SubjectAltName>()?.0;
        let other = names.iter().find_map(|name| match name {
            GeneralName::OtherName(other) if other.type_id == *kind => Some(&other.value),
            _ => None,
        })?;
        Some(other.decode_as::<Utf8StringRef<'_>>().ok()?.as_str().to_owned())
    }

    /// Returns the extended key usage, or `None` if the certificate has none.
    #[must_use]
    pub fn key_purposes(&self) -> Option<Vec<ObjectIdentifier>> {
        self.extension::<ExtendedKeyUsage>().map(|purposes| purposes.0)
    }

    /// Returns the unparsed value of the first extension with this identifier: DER, if its standard requires DER.
    #[must_use]
    pub fn extension_value(&self, kind: &ObjectIdentifier) -> Option<&[u8]> {
        let extensions = self.inner.tbs_certificate().extensions()?;
        extensions
            .iter()
            .find(|extension| extension.extn_id == *kind)
            .map(|found| found.extn_value.as_bytes())
    }

    /// Returns the key usage. Returns `None` if the certificate has no key usage and therefore allows every use.
    pub(crate) fn key_usage(&self) -> Option<KeyUsage> {
        self.extension()
    }

    /// Returns the algorithm of the public key, if the key is well-formed.
    pub(crate) fn subject_key(&self) -> Result<SubjectKey, Error> {
        SubjectKey::read(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// Returns whether the issuer equals the subject, and the authority key identifier equals the subject key
    /// identifier if both are present. The signature is not verified.
    #[must_use]
    pub fn is_self_signed(&self) -> bool {
        let tbs = self.inner.tbs_certificate();
        let authority =
            self.extension::<AuthorityKeyIdentifier>().and_then(|authority| authority.key_identifier);
        let own = self.extension::<SubjectKeyIdentifier>().map(|own| own.0);
        tbs.subject() == tbs.issuer() && (authority.is_none() || own.is_none() || authority == own)
    }

    /// Verifies the signature of a self-signed certificate ([`Certificate::is_self_signed`]) and caches the result.
    /// Accepts certificates that are not self-signed or have an unknown signature algorithm, without a check.
    ///
    /// # Errors
    /// Returns [`Error::Chain`] if the signature does not match the certificate's own key.
    pub fn check_own_signature(&self) -> Result<(), Error> {
        let is_valid =
            || !self.is_self_signed() || own_signature::is_valid(&self.der, webpki_algorithms(self.numbers));
        let error = || Error::Chain { certificate: self.display_name(), reason: WRONG_SIGNATURE.to_owned() };
        self.own_signature.get_or_check(is_valid).then_some(()).ok_or_else(error)
    }

    /// Returns a copy of the cache of [`Certificate::check_own_signature`], which may be empty.
    pub(crate) fn own_signature(&self) -> OwnSignature {
        self.own_signature.clone()
    }

    /// Returns whether the key may sign messages other than certificates and revocation lists (digitalSignature).
    /// Returns `false` if the certificate has no key usage.
    #[must_use]
    pub fn may_sign_messages(&self) -> bool {
        self.extension::<KeyUsage>().is_some_and(|usage| usage.digital_signature())
    }

    /// Returns whether the certificate may issue other certificates.
    #[must_use]
    pub fn is_ca(&self) -> bool {
        self.extension::<BasicConstraints>().is_some_and(|constraints| constraints.ca)
    }

    /// Returns whether the key may sign certificates. Returns `true` if the certificate has no key usage.
    #[must_use]
    pub fn may_sign_certificates(&self) -> bool {
        self.extension::<KeyUsage>().is_none_or(|usage| usage.key_cert_sign())
    }

    /// Returns whether the key may sign revocation lists. Returns `true` if the certificate has no key usage.
    #[must_use]
    pub fn may_sign_crls(&self) -> bool {
        self.extension::<KeyUsage>().is_none_or(|usage| usage.crl_sign())
    }

    /// Iterates over the identifiers of critical extensions.
    pub(crate) fn critical_extensions(&self) -> impl Iterator<Item = ObjectIdentifier> {
        let all = self.inner.tbs_certificate().extensions().into_iter().flatten();
        all.filter(|extension| extension.critical).map(|extension| extension.extn_id)
    }

    /// Returns the path length constraint: the maximum number of intermediates below this one; `None` if unlimited.
    #[must_use]
    pub fn path_len(&self) -> Option<u8> {
        self.extension::<BasicConstraints>().and_then(|constraints| constraints.path_len_constraint)
    }

    /// Returns the algorithm of the signature, or `None` if it is not registered.
    #[must_use]
    pub fn signature_row(&self) -> Option<&'static SignatureRow> {
        let (_, rows) =
            algorithm::rows_by_signature(ELEMENT, self.inner.signature_algorithm(), self.numbers).ok()?;
        // for an identifier shared by several sizes, the length of the signature selects the row
        rows.into_iter().find(|row| row.signature.info().signature_len >= self.signature_len())
    }

    /// Returns the name of the signature algorithm, even if it is unsupported. For ECDSA and RSA, this is the name of
    /// the object identifier, such as `ecdsa-with-SHA384`, because the issuer's key type is not known. For other
    /// algorithms, it is the registry's name. Returns `None` if the identifier is unknown.
    #[must_use]
    pub fn signature_name(&self) -> Option<String> {
        let row = self.signature_row().filter(|row| row.category > 0).map(|row| row.name().to_owned());
        let known = || algorithm_names::signature(self.inner.signature_algorithm());
        row.or_else(known).or_else(|| self.signature_row().map(|row| row.name().to_owned()))
    }

    /// Returns whether the certificate's signature algorithm is supported, for at least one type of key.
    #[must_use]
    pub fn is_signature_supported(&self) -> bool {
        is_supported(self.inner.signature_algorithm(), self.numbers)
    }

    /// Returns the name of the public key's algorithm, even if it is unsupported. For elliptic curves, this is the
    /// curve's name; for RSA, it includes the bits of the modulus. Returns `None` if the identifier is unknown.
    #[must_use]
    pub fn key_name(&self) -> Option<String> {
        let own = self.inner.tbs_certificate().subject_public_key_info();
        match self.public_key() {
            Ok(key) if key.row().category > 0 => return Some(key.row().name().to_owned()),
            Err(Error::OtherUse { algorithm, .. }) => return Some(algorithm.to_owned()),
            _ => {}
        }
        let name = algorithm_names::key(&own.algorithm)?;
        let bits = || algorithm::modulus_bits("public key", own.subject_public_key.as_bytes()?).ok();
        Some(match bits().filter(|_| name.starts_with("RSA")) {
            Some(bits) => format!("{name}-{bits}"),
            None => name.to_owned(),
        })
    }

    /// Returns the length of the signature in bytes.
    #[must_use]
    pub fn signature_len(&self) -> usize {
        self.inner.signature().raw_bytes().len()
    }

    /// Returns the object identifier of the signature algorithm, in dotted form.
    #[must_use]
    pub fn signature_oid(&self) -> String {
        self.inner.signature_algorithm().oid.to_string()
    }

    /// Returns the object identifier of the public key's algorithm, in dotted form.
    #[must_use]
    pub fn key_oid(&self) -> String {
        self.inner.tbs_certificate().subject_public_key_info().algorithm.oid.to_string()
    }

    /// Returns the length of the public key in bytes, for any algorithm.
    #[must_use]
    pub fn key_len(&self) -> usize {
        self.inner.tbs_certificate().subject_public_key_info().subject_public_key.raw_bytes().len()
    }

    /// Returns the public key.
    ///
    /// # Errors
    /// Returns [`Error::OtherUse`] for a KEM key, [`Error::UnknownAlgorithm`] for an unregistered algorithm, and
    /// [`Error::Malformed`] or [`Error::Key`] for an invalid key.
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::from_spki(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// Returns the public key, if it is a KEM key.
    ///
    /// # Errors
    /// Returns [`Error::OtherUse`] for a signature key; all other errors are those of [`public_key`](Self::public_key).
    pub fn kem_key(&self) -> Result<KemPublicKey, Error> {
        KemPublicKey::from_spki(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// Returns the subject's name, which is the issuer's name in the certificates that this CA issues.
    pub(crate) fn subject_name(&self) -> Name {
        self.inner.tbs_certificate().subject().clone()
    }

    /// Returns the issuer's name.
    pub(crate) fn issuer_name(&self) -> Name {
        self.inner.tbs_certificate().issuer().clone()
    }

    /// Returns DER of the issuer's name without the outer tag and length.
    pub(crate) fn issuer_contents(&self) -> Option<Vec<u8>> {
        let der = self.inner.tbs_certificate().issuer().to_der().ok()?;
        Some(AnyRef::from_der(&der).ok()?.value().to_vec())
    }

    /// Returns the serial number as in DER, without its tag and length.
    pub(crate) fn serial_bytes(&self) -> &[u8] {
        self.inner.tbs_certificate().serial_number().as_bytes()
    }

    /// Returns the signature algorithm, the signed bytes and the signature.
    pub(crate) fn signed_parts(&self) -> Option<(AlgorithmIdentifierOwned, Vec<u8>, &[u8])> {
        let message = self.inner.tbs_certificate().to_der().ok()?;
        Some((self.inner.signature_algorithm().clone(), message, self.inner.signature().as_bytes()?))
    }

    /// Returns the algorithm identifier and the bytes of the public key.
    pub(crate) fn key_parts(&self) -> Option<(AlgorithmIdentifierOwned, &[u8])> {
        let key = self.inner.tbs_certificate().subject_public_key_info();
        Some((key.algorithm.clone(), key.subject_public_key.as_bytes()?))
    }

    /// Returns the part of a composite signature that does not match the key of `issuer`, if the other part matches.
    pub(crate) fn damaged_part(&self, issuer: &Self) -> Option<&'static str> {
        let key = issuer.public_key().ok()?;
        let message = self.inner.tbs_certificate().to_der().ok()?;
        let signature = self.inner.signature().as_bytes()?;
        match key.verifying_key().ok()?.verify(&message, b"", signature) {
            Err(grille_core::Error::InvalidSignaturePart { part }) => Some(part),
            _ => None,
        }
    }

    /// Returns the length of an RSA key's modulus in bits, or `None` for other keys.
    pub(crate) fn rsa_bits(&self) -> Option<usize> {
        let (_, key) = self.key_parts().filter(|(kind, _)| kind.oid == algorithm::RSA_ENCRYPTION)?;
        algorithm::modulus_bits(ELEMENT, key).ok()
    }

    /// Returns whether the issuer's key identifier matches the authority key identifier, or one is missing.
    pub(crate) fn key_may_have_signed_by(&self, issuer: &Self) -> bool {
        let named = self.extension::<AuthorityKeyIdentifier>().and_then(|named| named.key_identifier);
        let own = issuer.extension::<SubjectKeyIdentifier>().map(|own| own.0);
        named.is_none() || own.is_none() || named == own
    }

    /// Returns the SubjectPublicKeyInfo as DER.
    pub(crate) fn spki_der(&self) -> Result<Vec<u8>, Error> {
        self.inner.tbs_certificate().subject_public_key_info().to_der().map_err(Error::der(ELEMENT))
    }

    /// Returns the subject key identifier: that of the extension or, if the extension is missing, a computed one.
    pub(crate) fn key_identifier(&self) -> Result<OctetString, Error> {
        match self.extension::<SubjectKeyIdentifier>() {
            Some(identifier) => Ok(identifier.0),
            None => key_identifier(self.public_key()?.bytes()).map_err(Error::der(ELEMENT)),
        }
    }

    /// Returns a human-readable summary, one line per element.
    #[must_use]
    pub fn text(&self) -> String {
        let tbs = self.inner.tbs_certificate();
        let key = match self.key_name() {
            Some(name) => format!("{name}, {} bytes", self.key_len()),
            None => format!("unknown algorithm {}, {} bytes", self.key_oid(), self.key_len()),
        };
        let signature =
            self.signature_name().unwrap_or_else(|| format!("unknown algorithm {}", self.signature_oid()));
        let authority = match (self.is_ca(), self.path_len()) {
            (false, _) => "no".to_owned(),
            (true, None) => "yes".to_owned(),
            (true, Some(length)) => format!("yes, path length {length}"),
        };
        format!(
            "subject:     {}\nissuer:      {}\nserial:      {}\nnot before:  {}\nnot after:   {}\n\
             public key:  {key}\nsignature:   {signature}, {} bytes\nauthority:   {authority}\n\
             key usage:   {}\nnames:       {}\nsize:        {} bytes\n",
            self.subject(),
            self.issuer(),
            self.serial(),
            tbs.validity().not_before,
            tbs.validity().not_after,
            self.signature_len(),
            or_none(&self.key_usages().join(", ")),
            or_none(&self.names().join(", ")),
            self.der.len()
        )
    }

    /// Returns the names of the key usages in RFC 5280; empty if the certificate has no key usage.
    #[must_use]
    pub fn key_usages(&self) -> Vec<&'static str> {
        self.key_usage().map(|usage| usage.0.into_iter().map(usage_name).collect()).unwrap_or_default()
    }

    /// Returns an extension, if it is present; [`parse_checked`] has checked that the extension can be decoded.
    pub(crate) fn extension<'a, E: Decode<'a> + AssociatedOid>(&'a self) -> Option<E> {
        self.inner.tbs_certificate().get_extension::<E>().ok().flatten().map(|(_, extension)| extension)
    }
}

fn or_none(list: &str) -> &str {
    if list.is_empty() { "none" } else { list }
}

/// Parses a certificate and checks that every extension used later can be decoded.
fn parse_checked(der: &[u8]) -> Result<x509_cert::Certificate, Error> {
    let certificate = x509_cert::Certificate::from_der(der)
        .map_err(|error| document_type::refusal(der, Kind::Certificate, error))?;
    if certificate.signature_algorithm() != certificate.tbs_certificate().signature() {
        return Err(Error::Malformed { element: ELEMENT, reason: "has two different signature algorithms" });
    }
    check_unique(&certificate)?;
    check_extension::<BasicConstraints>(&certificate, "basic constraints")?;
    check_extension::<KeyUsage>(&certificate, "key usage")?;
    check_extension::<ExtendedKeyUsage>(&certificate, "extended key usage")?;
    check_extension::<SubjectAltName>(&certificate, "subject alternative name")?;
    check_extension::<SubjectKeyIdentifier>(&certificate, "subject key identifier")?;
    Ok(certificate)
}

/// Checks that no extension occurs twice, RFC 5280 section 4.2.
fn check_unique(certificate: &x509_cert::Certificate) -> Result<(), Error> {
    let extensions = certificate.tbs_certificate().extensions().into_iter().flatten();
    let mut seen = BTreeSet::new();
    let twice = extensions.map(|extension| extension.extn_id).find(|kind| !seen.insert(*kind));
    twice.map_or(Ok(()), |kind| Err(Error::DuplicateExtension { oid: kind.to_string() }))
}

/// Checks that an extension can be decoded, and occurs at most once (RFC 5280 section 4.2).
fn check_extension<'a, E: Decode<'a, Error = der::Error> + AssociatedOid>(
    certificate: &'a x509_cert::Certificate,
    element: &'static str,
) -> Result<(), Error> {
    certificate.tbs_certificate().get_extension::<E>().map(drop).map_err(Error::der(element))
}

/// Reason for a self-signed certificate with an invalid signature: the end of the sentence "the certificate of … ".
const WRONG_SIGNATURE: &str =
    "is self-signed, and its signature does not match its own key: the file was altered";

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Certificate({})", self.display_name())
    }
}
