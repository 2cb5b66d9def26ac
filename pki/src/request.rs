//! Certificate requests: PKCS#10, RFC 2986.

use crate::adapter::webpki_algorithms;
use crate::certificate::Certificate;
use crate::certified_key::CertifiedKey;
use crate::encoding::{extension, signature};
use crate::pem::{self, Kind};
use crate::signed::{check_key_matches, is_valid_signature};
use crate::{Error, KemPublicKey, PrivateKey, PublicKey, algorithm, document_type, name, possession};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec, vec::Vec};
use const_oid::AssociatedOid;
use core::fmt;
use core::time::Duration;
use der::asn1::SetOfVec;
use der::{Decode, Encode};
use grille_core::CryptoRng;
use grille_registry::{Numbers, Row};
use x509_cert::attr::Attribute;
use x509_cert::ext::Extensions;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq, Version};

const ELEMENT: &str = "certificate request";

/// A parsed certificate request. Its signature is not verified by parsing.
#[derive(Clone)]
pub struct Request {
    inner: CertReq,
    der: Vec<u8>,
    numbers: Numbers,
}

impl Request {
    /// Creates a request for `subject` with the alternative names `names`, signed with the key to be certified.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for an invalid name.
    pub fn new(
        subject: &str,
        names: &[&str],
        key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        let subject = name::parse(subject)?;
        let attributes =
            attributes(&parse_alternative_names(&subject, names)?).map_err(Error::der(ELEMENT))?;
        let info =
            CertReqInfo { version: Version::V1, subject, public_key: key.public_key().spki()?, attributes };
        Self::signed(info, key, rng)
    }

    /// Creates a request for a KEM key, which cannot sign. Another key, `signer_key`, signs the request (RFC 9883). The
    /// request has the subject of `signer`, the certificate of this other key. `names` must be a subset of the
    /// certificate's names.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for an invalid name, [`Error::OtherKey`] if the key does not belong to the certificate.
    pub fn for_kem(
        names: &[&str],
        key: &KemPublicKey,
        signer: &Certificate,
        signer_key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        check_key_matches(signer, signer_key)?;
        let subject = signer.subject_name();
        let mut attributes =
            attributes(&parse_alternative_names(&subject, names)?).map_err(Error::der(ELEMENT))?;
        let statement = possession::attribute(signer).map_err(Error::der(ELEMENT))?;
        attributes.insert(statement).map_err(Error::der(ELEMENT))?;
        let info = CertReqInfo { version: Version::V1, subject, public_key: key.spki()?, attributes };
        Self::signed(info, signer_key, rng)
    }

    /// Signs a request that other software assembled. `info` is its CertificationRequestInfo in DER, which must contain the
    /// public key of `key`.
    ///
    /// # Errors
    /// Returns [`Error::Der`] if `info` cannot be parsed, or [`Error::Value`] if `info` contains another public key.
    pub fn from_info(info: &[u8], key: &PrivateKey, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        let info = CertReqInfo::from_der(info).map_err(Error::der(ELEMENT))?;
        if info.public_key != key.public_key().spki()? {
            let reason = format!("the request of {} is for another key", info.subject);
            return Err(Error::Value { element: ELEMENT, reason });
        }
        Self::signed(CertReqInfo { version: Version::V1, ..info }, key, rng)
    }

    fn signed(info: CertReqInfo, key: &PrivateKey, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        let message = info.to_der().map_err(Error::der(ELEMENT))?;
        let signature = signature(&message, key, rng)?;
        let numbers = key.public_key().numbers();
        let inner = CertReq {
            info,
            algorithm: algorithm::signature_algorithm_identifier(key.row(), numbers)?,
            signature,
        };
        let der = inner.to_der().map_err(Error::der(ELEMENT))?;
        Ok(Self { inner, der, numbers })
    }

    /// Parses PEM or DER.
    ///
    /// # Errors
    /// Returns an error that names the invalid element.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        let der = pem::find_one(bytes, Kind::Request)?.to_vec();
        let inner =
            CertReq::from_der(&der).map_err(|error| document_type::refusal(&der, Kind::Request, error))?;
        Ok(Self { inner, der, numbers: Numbers::default() })
    }

    /// Returns this request, with its object identifiers interpreted as in the era of `numbers`.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Verifies the signature with the key to be certified or, for a KEM key, with the key of [`Request::signer`]. The
    /// signer's certificate is not verified here.
    ///
    /// # Errors
    /// Returns [`Error::Signature`] if the signature is invalid; [`Error::Value`] for a KEM key without a statement of
    /// possession, or a signature key with such a statement; [`Error::UnknownAlgorithm`] or [`Error::Key`] if the key
    /// cannot be used.
    pub fn verify(&self) -> Result<(), Error> {
        let wrong = || Error::Signature { signed: format!("the request of {}", self.subject()) };
        let message = self.inner.info.to_der().map_err(Error::der(ELEMENT))?;
        let signature = self.inner.signature.as_bytes().ok_or_else(wrong)?;
        let key = match (self.requested_key()?, self.signer()?) {
            (RequestedKey::Signature(key), None) => key,
            (RequestedKey::Signature(_), Some(_)) => {
                let reason =
                    "a request for a signature key is self-signed and must not have a statement of possession"
                        .to_owned();
                return Err(Error::Value { element: ELEMENT, reason });
            }
            (RequestedKey::Kem(key), None) => {
                return Err(possession::missing_possession_error(key.row().name()));
            }
            (RequestedKey::Kem(_), Some(signer)) => {
                let (algorithms, identifier) = (webpki_algorithms(self.numbers), &self.inner.algorithm);
                let is_valid = is_valid_signature(identifier, &message, signature, &signer, algorithms);
                return if is_valid == Some(true) { Ok(()) } else { Err(wrong()) };
            }
        };
        if algorithm::signature_algorithm_identifier(key.row(), key.numbers())? != self.inner.algorithm {
            return Err(wrong());
        }
        key.verifying_key()?.verify(&message, b"", signature).map_err(|_| wrong())
    }

    /// Returns the certificate of the key that signed the request on behalf of a KEM key, RFC 9883. Returns `None` if
    /// the request has no statement of possession.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] for an inconsistent statement of possession.
    pub fn signer(&self) -> Result<Option<Certificate>, Error> {
        possession::signer(&self.inner.info.attributes, self.numbers)
    }

    /// Checks that `issuer` may grant a KEM key's request at `time`: verifies the certificate of [`Request::signer`]
    /// and the requested names.
    pub(crate) fn check_possession(&self, issuer: &Certificate, time: Duration) -> Result<(), Error> {
        let Some(signer) = self.signer()? else { return Ok(()) };
        let requested = (&self.inner.info.subject, &*self.general_names()?);
        possession::check(&signer, requested, issuer, time)
    }

    /// Returns the DER of the request.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        self.der.clone()
    }

    /// Encodes the request as PEM.
    ///
    /// # Errors
    /// Returns [`Error::Pem`] if the text is too long, which does not happen for requests.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::Request.label())
    }

    /// Returns the subject in the format of RFC 4514.
    #[must_use]
    pub fn subject(&self) -> String {
        self.inner.info.subject.to_string()
    }

    /// Returns the key to be certified: a signature key or a KEM key.
    ///
    /// # Errors
    /// Returns [`Error::UnknownAlgorithm`] if the key's algorithm is not registered, or [`Error::Key`] if the algorithm
    /// rejects the key.
    pub fn requested_key(&self) -> Result<RequestedKey, Error> {
        match self.public_key() {
            Ok(key) => Ok(RequestedKey::Signature(key)),
            Err(error @ (Error::OtherUse { .. } | Error::UnknownAlgorithm { .. })) => {
                match KemPublicKey::from_spki(&self.inner.info.public_key, self.numbers) {
                    Ok(key) => Ok(RequestedKey::Kem(key)),
                    Err(Error::UnknownAlgorithm { .. }) => Err(error),
                    Err(malformed) => Err(malformed),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the key to be certified, if it is a signature key.
    ///
    /// # Errors
    /// Returns [`Error::OtherUse`] for a KEM key, [`Error::UnknownAlgorithm`] if the key's algorithm is not registered,
    /// or [`Error::Key`] if the algorithm rejects the key.
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::from_spki(&self.inner.info.public_key, self.numbers)
    }

    /// Returns the requested names, formatted like those of [`Certificate::names`](crate::Certificate::names).
    ///
    /// # Errors
    /// Returns [`Error::Der`] if the requested extensions cannot be parsed.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        Ok(self.general_names()?.iter().map(name::format).collect())
    }

    pub(crate) fn subject_name(&self) -> Name {
        self.inner.info.subject.clone()
    }

    /// Returns the alternative names in the requested extensions, RFC 2985 section 5.4.2; empty if there are none.
    pub(crate) fn general_names(&self) -> Result<Vec<GeneralName>, Error> {
        let mut attributes = self.inner.info.attributes.iter();
        let Some(extension_request) = attributes.find(|attribute| attribute.oid == ExtensionReq::OID) else {
            return Ok(Vec::new());
        };
        let unreadable = || Error::der("extension request");
        let mut names = Vec::new();
        for value in extension_request.values.iter() {
            let extensions: Extensions = value.decode_as().map_err(unreadable())?;
            for extension in extensions.iter().filter(|extension| extension.extn_id == SubjectAltName::OID) {
                let bytes = extension.extn_value.as_bytes();
                names.extend(SubjectAltName::from_der(bytes).map_err(unreadable())?.0);
            }
        }
        Ok(names)
    }
}

/// A public key for which a certificate is requested.
#[derive(Clone, Debug)]
pub enum RequestedKey {
    /// A signature key.
    Signature(PublicKey),
    /// A KEM key.
    Kem(KemPublicKey),
}

impl RequestedKey {
    /// Returns the algorithm.
    #[must_use]
    pub fn row(&self) -> &'static dyn Row {
        match self {
            Self::Signature(key) => key.row(),
            Self::Kem(key) => key.row(),
        }
    }

    /// Returns the algorithm's own encoding.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Signature(key) => key.bytes(),
            Self::Kem(key) => key.bytes(),
        }
    }
}

impl<'a> From<&'a RequestedKey> for CertifiedKey<'a> {
    fn from(key: &'a RequestedKey) -> Self {
        match key {
            RequestedKey::Signature(key) => Self::Signature(key),
            RequestedKey::Kem(key) => Self::Kem(key),
        }
    }
}

/// Parses alternative names. Refuses malformed and repeated names, and an empty subject without alternative names.
fn parse_alternative_names(subject: &Name, names: &[&str]) -> Result<Vec<GeneralName>, Error> {
    let names = names.iter().map(|name| name::parse_general(name)).collect::<Result<Vec<_>, _>>()?;
    name::check_all(&names)?;
    if subject.is_empty() && names.is_empty() {
        return Err(Error::Value {
            element: "subject",
            reason: "the subject is empty, so at least one alternative name is needed".to_owned(),
        });
    }
    Ok(names)
}

fn attributes(names: &[GeneralName]) -> der::Result<SetOfVec<Attribute>> {
    let mut attributes = SetOfVec::new();
    if !names.is_empty() {
        let request = ExtensionReq(vec![extension(false, &SubjectAltName(names.to_vec()))?]);
        attributes.insert(Attribute::try_from(request)?)?;
    }
    Ok(attributes)
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({})", self.subject())
    }
}
