//! X.509 version 3 certificates, RFC 5280: reading.

use crate::adapter::webpki_algorithms;
use crate::asn1::split;
use crate::end_entity::{EndEntity, SubjectKey, usage_name};
use crate::own_signature::{self, OwnSignature};
use crate::pem::{self, Kind};
use crate::public_key::PublicKey;
use crate::verify::is_supported;
use crate::{Error, KemPublicKey, algorithm, issue, known, name, shape};
use alloc::{
    borrow::ToOwned, collections::BTreeSet, format, string::String, string::ToString, vec, vec::Vec,
};
use const_oid::AssociatedOid;
use const_oid::ObjectIdentifier;
use core::fmt;
use core::fmt::Write;
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

pub(crate) const WHAT: &str = "certificate";

/// A certificate: parsed, its signature not yet checked.
#[derive(Clone)]
pub struct Certificate {
    inner: x509_cert::Certificate,
    der: Vec<u8>,
    numbers: Numbers,
    own_signature: OwnSignature,
}

impl Certificate {
    /// From DER, or from PEM: the first, if there are several.
    ///
    /// # Errors
    /// Says which element is wrong.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::chain_from_pem(bytes)?.swap_remove(0))
    }

    /// Every certificate of a file, in order: of PEM, or of DER one after the other.
    ///
    /// # Errors
    /// Says which element is wrong; also if there is none.
    pub fn chain_from_pem(bytes: &[u8]) -> Result<Vec<Self>, Error> {
        if !pem::is_der(bytes) {
            return pem::all(bytes, Kind::Certificate)?.iter().map(|der| Self::from_der(der)).collect();
        }
        match split(bytes) {
            Some(several) => several.into_iter().map(Self::from_der).collect(),
            None => Ok(vec![Self::from_der(bytes)?]),
        }
    }

    fn from_der(der: &[u8]) -> Result<Self, Error> {
        let own_signature = OwnSignature::default();
        Ok(Self { inner: parsed(der)?, der: der.to_vec(), numbers: Numbers::default(), own_signature })
    }

    /// Parses DER as [`Certificate::from_pem_or_der`] does, and keeps nothing of it. A function of its own, so that the parsed
    /// certificate is off the stack while signatures are checked.
    #[inline(never)]
    pub(crate) fn check_der(der: &[u8]) -> Result<(), Error> {
        parsed(der).map(drop)
    }

    /// Parses DER, and keeps what an end entity is judged by.
    #[inline(never)]
    pub(crate) fn end_entity(der: &[u8], numbers: Numbers) -> Result<EndEntity, Error> {
        Ok(EndEntity::new(&Self::from_der(der)?.in_era(numbers)))
    }

    /// The same certificate, its object identifiers understood as in an era.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// The DER it was parsed from.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }

    /// The same, copied.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        self.der.clone()
    }

    /// PEM.
    ///
    /// # Errors
    /// [`Error::Pem`], which no certificate is long enough for.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::Certificate.label())
    }

    /// The subject, as RFC 4514 writes it.
    #[must_use]
    pub fn subject(&self) -> String {
        self.inner.tbs_certificate().subject().to_string()
    }

    /// How messages call it: its subject, or its names if the subject is blank, as RFC 5280 section 4.2.1.6 allows.
    #[must_use]
    pub fn display_name(&self) -> String {
        match (self.subject(), self.names().as_slice()) {
            (subject, []) if subject.is_empty() => "no subject and no name".to_owned(),
            (subject, names) if subject.is_empty() => names.join(", "),
            (subject, _) => subject,
        }
    }

    /// The issuer, as RFC 4514 writes it.
    #[must_use]
    pub fn issuer(&self) -> String {
        self.inner.tbs_certificate().issuer().to_string()
    }

    /// The serial number, in hexadecimal.
    #[must_use]
    pub fn serial(&self) -> String {
        self.inner.tbs_certificate().serial_number().as_bytes().iter().fold(
            String::new(),
            |mut text, byte| {
                write!(text, "{byte:02x}").expect("a String takes all");
                text
            },
        )
    }

    /// From when until when, since 1970.
    #[must_use]
    pub fn validity(&self) -> (Duration, Duration) {
        let validity = self.inner.tbs_certificate().validity();
        (validity.not_before.to_unix_duration(), validity.not_after.to_unix_duration())
    }

    /// What it is for: DNS names and IP addresses bare, other kinds of names with their kind before them.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let names = self.extension::<SubjectAltName>().map(|names| names.0).unwrap_or_default();
        names.iter().map(name::shown).collect()
    }

    /// The subject alternative name of another kind than RFC 5280's own, if that is text.
    #[must_use]
    pub fn other_name(&self, kind: &ObjectIdentifier) -> Option<String> {
        let names = self.extension::<SubjectAltName>()?.0;
        let other = names.iter().find_map(|name| match name {
            GeneralName::OtherName(other) if other.type_id == *kind => Some(&other.value),
            _ => None,
        })?;
        Some(other.decode_as::<Utf8StringRef<'_>>().ok()?.as_str().to_owned())
    }

    /// What its key is for, by the extended key usage; `None` if it does not say.
    #[must_use]
    pub fn key_purposes(&self) -> Option<Vec<ObjectIdentifier>> {
        self.extension::<ExtendedKeyUsage>().map(|purposes| purposes.0)
    }

    /// The value of the first extension with this identifier, as it stands in the certificate: DER, if its standard
    /// says so.
    #[must_use]
    pub fn extension_value(&self, kind: &ObjectIdentifier) -> Option<&[u8]> {
        let extensions = self.inner.tbs_certificate().extensions()?;
        extensions
            .iter()
            .find(|extension| extension.extn_id == *kind)
            .map(|found| found.extn_value.as_bytes())
    }

    /// Its key usage; `None` if it has none, which allows all.
    pub(crate) fn key_usage(&self) -> Option<KeyUsage> {
        self.extension()
    }

    /// Its public key's algorithm, if the key is well-formed.
    pub(crate) fn subject_key(&self) -> Result<SubjectKey, Error> {
        SubjectKey::read(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// Whether it names itself as its issuer, and its key as the issuer's key. Its signature is not checked here.
    #[must_use]
    pub fn is_self_signed(&self) -> bool {
        let tbs = self.inner.tbs_certificate();
        let authority =
            self.extension::<AuthorityKeyIdentifier>().and_then(|authority| authority.key_identifier);
        let own = self.extension::<SubjectKeyIdentifier>().map(|own| own.0);
        tbs.subject() == tbs.issuer() && (authority.is_none() || own.is_none() || authority == own)
    }

    /// Checks the signature of a certificate that is self-signed ([`Certificate::is_self_signed`]), once: the result is kept. A
    /// certificate that another one signed passes, and so does one whose signature algorithm is not known here.
    ///
    /// # Errors
    /// [`Error::Chain`] if the signature does not match the certificate's own key.
    pub fn check_own_signature(&self) -> Result<(), Error> {
        let is_right =
            || !self.is_self_signed() || own_signature::is_right(&self.der, webpki_algorithms(self.numbers));
        if self.own_signature.get(is_right) {
            return Ok(());
        }
        Err(Error::Chain { certificate: self.display_name(), reason: OWN_SIGNATURE.to_owned() })
    }

    /// The kept result of [`Certificate::check_own_signature`].
    pub(crate) fn own_signature(&self) -> OwnSignature {
        self.own_signature.clone()
    }

    /// Whether its key may sign what is no certificate; no if it does not say.
    #[must_use]
    pub fn may_sign_messages(&self) -> bool {
        self.extension::<KeyUsage>().is_some_and(|usage| usage.digital_signature())
    }

    /// Whether it may issue certificates.
    #[must_use]
    pub fn is_ca(&self) -> bool {
        self.extension::<BasicConstraints>().is_some_and(|constraints| constraints.ca)
    }

    /// Whether its key may sign certificates; yes if it does not say.
    #[must_use]
    pub fn may_sign_certificates(&self) -> bool {
        self.extension::<KeyUsage>().is_none_or(|usage| usage.key_cert_sign())
    }

    /// Whether its key may sign revocation lists; yes if it does not say.
    #[must_use]
    pub fn may_sign_crls(&self) -> bool {
        self.extension::<KeyUsage>().is_none_or(|usage| usage.crl_sign())
    }

    /// The extensions that are critical.
    pub(crate) fn critical_extensions(&self) -> impl Iterator<Item = ObjectIdentifier> {
        let all = self.inner.tbs_certificate().extensions().into_iter().flatten();
        all.filter(|extension| extension.critical).map(|extension| extension.extn_id)
    }

    /// How many intermediates may stand between it and an end entity, if that is limited.
    #[must_use]
    pub fn path_len(&self) -> Option<u8> {
        self.extension::<BasicConstraints>().and_then(|constraints| constraints.path_len_constraint)
    }

    /// The algorithm of its signature; `None` if it is not registered.
    #[must_use]
    pub fn signature_row(&self) -> Option<&'static SignatureRow> {
        let (_, rows) =
            algorithm::rows_by_signature(WHAT, self.inner.signature_algorithm(), self.numbers).ok()?;
        // where one identifier serves several sizes, the size of the signature says which
        rows.into_iter().find(|row| row.signature.info().signature_len >= self.signature_len())
    }

    /// The name of its signature's algorithm: for ECDSA and RSA as their object identifier is spelt, such as
    /// `ecdsa-with-SHA384`, since that does not tell the issuer's key; else the registry's. Algorithms that are not supported
    /// are named too; `None` if the identifier is not known at all.
    #[must_use]
    pub fn signature_name(&self) -> Option<String> {
        let row = self.signature_row().filter(|row| row.category > 0).map(|row| row.name().to_owned());
        let known = || known::signature(self.inner.signature_algorithm());
        row.or_else(known).or_else(|| self.signature_row().map(|row| row.name().to_owned()))
    }

    /// Whether signatures of its signature's algorithm can be checked here, with some kind of key.
    #[must_use]
    pub fn is_signature_supported(&self) -> bool {
        is_supported(self.inner.signature_algorithm(), self.numbers)
    }

    /// The name of its public key's algorithm: of an elliptic curve that of the curve, of RSA with the bits of the modulus.
    /// Algorithms that are not supported are named too; `None` if the identifier is not known at all.
    #[must_use]
    pub fn key_name(&self) -> Option<String> {
        let own = self.inner.tbs_certificate().subject_public_key_info();
        match self.public_key() {
            Ok(key) if key.row().category > 0 => return Some(key.row().name().to_owned()),
            Err(Error::OtherUse { algorithm, .. }) => return Some(algorithm.to_owned()),
            _ => {}
        }
        let name = known::key(&own.algorithm)?;
        let bits = || algorithm::modulus_bits("public key", own.subject_public_key.as_bytes()?).ok();
        Some(match bits().filter(|_| name.starts_with("RSA")) {
            Some(bits) => format!("{name}-{bits}"),
            None => name.to_owned(),
        })
    }

    /// The length of its signature in bytes.
    #[must_use]
    pub fn signature_len(&self) -> usize {
        self.inner.signature().raw_bytes().len()
    }

    /// The object identifier of its signature, in dotted form.
    #[must_use]
    pub fn signature_oid(&self) -> String {
        self.inner.signature_algorithm().oid.to_string()
    }

    /// The object identifier of its public key, in dotted form.
    #[must_use]
    pub fn key_oid(&self) -> String {
        self.inner.tbs_certificate().subject_public_key_info().algorithm.oid.to_string()
    }

    /// The length of its public key in bytes, of whatever algorithm it is.
    #[must_use]
    pub fn key_len(&self) -> usize {
        self.inner.tbs_certificate().subject_public_key_info().subject_public_key.raw_bytes().len()
    }

    /// Its public key.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`], [`Error::Malformed`] or [`Error::Key`].
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::from_spki(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// Its public key, if it is one of a KEM.
    ///
    /// # Errors
    /// [`Error::OtherUse`] for a key for signatures; [`Error::UnknownAlgorithm`], [`Error::Malformed`] or [`Error::Key`].
    pub fn kem_key(&self) -> Result<KemPublicKey, Error> {
        KemPublicKey::from_spki(self.inner.tbs_certificate().subject_public_key_info(), self.numbers)
    }

    /// DER of the subject's name, for certificates that it issues.
    pub(crate) fn subject_name(&self) -> Name {
        self.inner.tbs_certificate().subject().clone()
    }

    /// DER of the issuer's name.
    pub(crate) fn issuer_name(&self) -> Name {
        self.inner.tbs_certificate().issuer().clone()
    }

    /// DER of the issuer's name without the outer tag and length.
    pub(crate) fn issuer_contents(&self) -> Option<Vec<u8>> {
        let der = self.inner.tbs_certificate().issuer().to_der().ok()?;
        Some(AnyRef::from_der(&der).ok()?.value().to_vec())
    }

    /// The serial number, as DER writes it without tag and length.
    pub(crate) fn serial_bytes(&self) -> &[u8] {
        self.inner.tbs_certificate().serial_number().as_bytes()
    }

    /// How it is signed, what is signed, and the signature.
    pub(crate) fn signed_parts(&self) -> Option<(AlgorithmIdentifierOwned, Vec<u8>, &[u8])> {
        let message = self.inner.tbs_certificate().to_der().ok()?;
        Some((self.inner.signature_algorithm().clone(), message, self.inner.signature().as_bytes()?))
    }

    /// The identifier and the bytes of its public key.
    pub(crate) fn key_parts(&self) -> Option<(AlgorithmIdentifierOwned, &[u8])> {
        let key = self.inner.tbs_certificate().subject_public_key_info();
        Some((key.algorithm.clone(), key.subject_public_key.as_bytes()?))
    }

    /// Of a composite signature of `issuer` the part that does not match, if the other one does.
    pub(crate) fn damaged_part(&self, issuer: &Self) -> Option<&'static str> {
        let key = issuer.public_key().ok()?;
        let message = self.inner.tbs_certificate().to_der().ok()?;
        let signature = self.inner.signature().as_bytes()?;
        match key.verifying_key().ok()?.verify(&message, b"", signature) {
            Err(grille_core::Error::InvalidSignaturePart { part }) => Some(part),
            _ => None,
        }
    }

    /// The bits of its RSA key's modulus; `None` for other keys.
    pub(crate) fn rsa_bits(&self) -> Option<usize> {
        let (_, key) = self.key_parts().filter(|(kind, _)| kind.oid == algorithm::RSA_ENCRYPTION)?;
        algorithm::modulus_bits(WHAT, key).ok()
    }

    /// Whether the key that it names as its issuer's may be this issuer's, as far as
    /// both certificates have key identifiers.
    pub(crate) fn may_be_signed_by_key_of(&self, issuer: &Self) -> bool {
        let named = self.extension::<AuthorityKeyIdentifier>().and_then(|named| named.key_identifier);
        let own = issuer.extension::<SubjectKeyIdentifier>().map(|own| own.0);
        named.is_none() || own.is_none() || named == own
    }

    /// SubjectPublicKeyInfo as DER.
    pub(crate) fn spki_der(&self) -> Result<Vec<u8>, Error> {
        self.inner.tbs_certificate().subject_public_key_info().to_der().map_err(Error::der(WHAT))
    }

    /// The subject key identifier, or that which its key would have.
    pub(crate) fn key_identifier(&self) -> Result<OctetString, Error> {
        match self.extension::<SubjectKeyIdentifier>() {
            Some(identifier) => Ok(identifier.0),
            None => issue::key_identifier(&self.public_key()?).map_err(Error::der(WHAT)),
        }
    }

    /// A readable summary, one line per element.
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
            (true, Some(length)) => format!("yes, before at most {length} others"),
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

    /// The key usages by RFC 5280's names.
    #[must_use]
    pub fn key_usages(&self) -> Vec<&'static str> {
        self.key_usage().map(|usage| usage.0.into_iter().map(usage_name).collect()).unwrap_or_default()
    }

    /// An extension, if it is there; [`parsed`] has seen that it can be read.
    pub(crate) fn extension<'a, E: Decode<'a> + AssociatedOid>(&'a self) -> Option<E> {
        self.inner.tbs_certificate().get_extension::<E>().ok().flatten().map(|(_, extension)| extension)
    }
}

fn or_none(list: &str) -> &str {
    if list.is_empty() { "none" } else { list }
}

/// The certificate, with every extension readable that is asked for later.
fn parsed(der: &[u8]) -> Result<x509_cert::Certificate, Error> {
    let certificate = x509_cert::Certificate::from_der(der)
        .map_err(|error| shape::refusal(der, Kind::Certificate, error))?;
    if certificate.signature_algorithm() != certificate.tbs_certificate().signature() {
        return Err(Error::Malformed { element: WHAT, reason: "names two different signature algorithms" });
    }
    check_unique(&certificate)?;
    check_extension::<BasicConstraints>(&certificate, "basic constraints")?;
    check_extension::<KeyUsage>(&certificate, "key usage")?;
    check_extension::<ExtendedKeyUsage>(&certificate, "extended key usage")?;
    check_extension::<SubjectAltName>(&certificate, "subject alternative name")?;
    check_extension::<SubjectKeyIdentifier>(&certificate, "subject key identifier")?;
    Ok(certificate)
}

/// That no extension is there twice, RFC 5280 section 4.2.
fn check_unique(certificate: &x509_cert::Certificate) -> Result<(), Error> {
    let extensions = certificate.tbs_certificate().extensions().into_iter().flatten();
    let mut seen = BTreeSet::new();
    let twice = extensions.map(|extension| extension.extn_id).find(|kind| !seen.insert(*kind));
    twice.map_or(Ok(()), |kind| Err(Error::DuplicateExtension { oid: kind.to_string() }))
}

/// What is asked for later must be readable, and there at most once, RFC 5280 section 4.2.
fn check_extension<'a, E: Decode<'a, Error = der::Error> + AssociatedOid>(
    certificate: &'a x509_cert::Certificate,
    element: &'static str,
) -> Result<(), Error> {
    certificate.tbs_certificate().get_extension::<E>().map(drop).map_err(Error::der(element))
}

/// The end of the sentence "the certificate of … ".
const OWN_SIGNATURE: &str =
    "is self-signed, and its signature does not match its own key: the file was altered";

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Certificate({})", self.display_name())
    }
}
