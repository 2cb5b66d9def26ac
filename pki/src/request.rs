//! Certificate requests: PKCS#10, RFC 2986.

use crate::issue::{extension, signature};
use crate::pem::{self, Kind};
use crate::{Error, PrivateKey, PublicKey, algorithm, name, shape};
use alloc::{format, string::String, string::ToString, vec, vec::Vec};
use const_oid::AssociatedOid;
use core::fmt;
use der::asn1::SetOfVec;
use der::{Decode, Encode};
use grille_core::CryptoRng;
use grille_registry::Numbers;
use x509_cert::attr::Attribute;
use x509_cert::ext::Extensions;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::request::{CertReq, CertReqInfo, ExtensionReq, Version};

const WHAT: &str = "certificate request";

/// A certificate request: parsed, its signature not yet checked.
#[derive(Clone)]
pub struct Request {
    inner: CertReq,
    der: Vec<u8>,
    numbers: Numbers,
}

impl Request {
    /// A request for `subject` and the DNS names and IP addresses `names`, signed with the key to be certified.
    ///
    /// # Errors
    /// [`Error::Value`] for a name that cannot be written.
    pub fn new(
        subject: &str,
        names: &[&str],
        key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        let names = names.iter().map(|name| name::general(name)).collect::<Result<Vec<_>, _>>()?;
        let attributes = attributes(names).map_err(Error::der(WHAT))?;
        Self::signed(name::parse(subject)?, attributes, key, rng)
    }

    /// A request for what somebody else put together: `info` is a CertificationRequestInfo in DER, for this key.
    ///
    /// # Errors
    /// [`Error::Der`] if it is none, [`Error::Value`] if it is for another key.
    pub fn of_info(info: &[u8], key: &PrivateKey, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        let CertReqInfo { subject, public_key, attributes, .. } =
            CertReqInfo::from_der(info).map_err(Error::der(WHAT))?;
        if public_key != key.public_key().spki()? {
            let reason = format!("that of {subject} is for another key");
            return Err(Error::Value { what: WHAT, reason });
        }
        Self::signed(subject, attributes, key, rng)
    }

    fn signed(
        subject: Name,
        attributes: SetOfVec<Attribute>,
        key: &PrivateKey,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, Error> {
        let info =
            CertReqInfo { version: Version::V1, subject, public_key: key.public_key().spki()?, attributes };
        let message = info.to_der().map_err(Error::der(WHAT))?;
        let signature = signature(&message, key, rng)?;
        let numbers = key.public_key().numbers();
        let inner = CertReq { info, algorithm: algorithm::of_signature(key.row(), numbers)?, signature };
        let der = inner.to_der().map_err(Error::der(WHAT))?;
        Ok(Self { inner, der, numbers })
    }

    /// From PEM or DER.
    ///
    /// # Errors
    /// Says which element is wrong.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        let der = pem::one(bytes, Kind::Request)?.to_vec();
        let inner = CertReq::from_der(&der).map_err(|error| shape::refusal(&der, Kind::Request, error))?;
        Ok(Self { inner, der, numbers: Numbers::default() })
    }

    /// The same request, its object identifiers understood as in an era.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Checks that the request was signed with the key that it asks a certificate for.
    ///
    /// # Errors
    /// [`Error::Signature`]; [`Error::UnknownAlgorithm`] or [`Error::Key`] if the key cannot be used.
    pub fn verify(&self) -> Result<(), Error> {
        let wrong = || Error::Signature { whose: format!("the request of {}", self.subject()) };
        let key = self.public_key()?;
        if algorithm::of_signature(key.row(), key.numbers())? != self.inner.algorithm {
            return Err(wrong());
        }
        let message = self.inner.info.to_der().map_err(Error::der(WHAT))?;
        let signature = self.inner.signature.as_bytes().ok_or_else(wrong)?;
        key.verifying_key()?.verify(&message, b"", signature).map_err(|_| wrong())
    }

    /// The DER it was parsed from.
    #[must_use]
    pub fn to_der(&self) -> Vec<u8> {
        self.der.clone()
    }

    /// PEM.
    ///
    /// # Errors
    /// [`Error::Pem`], which no request is long enough for.
    pub fn to_pem(&self) -> Result<String, Error> {
        pem::encode(&self.der, Kind::Request.label())
    }

    /// The subject, as RFC 4514 writes it.
    #[must_use]
    pub fn subject(&self) -> String {
        self.inner.info.subject.to_string()
    }

    /// The key to be certified.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`] or [`Error::Key`].
    pub fn public_key(&self) -> Result<PublicKey, Error> {
        PublicKey::from_spki(&self.inner.info.public_key, self.numbers)
    }

    /// The names it asks for, written as [`Certificate::names`](crate::Certificate::names) writes them.
    ///
    /// # Errors
    /// [`Error::Der`] if they cannot be read.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        Ok(self.general_names()?.iter().map(name::shown).collect())
    }

    pub(crate) fn subject_name(&self) -> Name {
        self.inner.info.subject.clone()
    }

    /// The alternative names in the extensions it asks for, RFC 2985 section 5.4.2; none if it asks for none.
    pub(crate) fn general_names(&self) -> Result<Vec<GeneralName>, Error> {
        let mut attributes = self.inner.info.attributes.iter();
        let Some(asked) = attributes.find(|attribute| attribute.oid == ExtensionReq::OID) else {
            return Ok(Vec::new());
        };
        let unreadable = || Error::der("extension request");
        let mut names = Vec::new();
        for value in asked.values.iter() {
            let extensions: Extensions = value.decode_as().map_err(unreadable())?;
            for extension in extensions.iter().filter(|extension| extension.extn_id == SubjectAltName::OID) {
                let bytes = extension.extn_value.as_bytes();
                names.extend(SubjectAltName::from_der(bytes).map_err(unreadable())?.0);
            }
        }
        Ok(names)
    }
}

fn attributes(names: Vec<GeneralName>) -> der::Result<SetOfVec<Attribute>> {
    let mut attributes = SetOfVec::new();
    if !names.is_empty() {
        let request = ExtensionReq(vec![extension(false, &SubjectAltName(names))?]);
        attributes.insert(Attribute::try_from(request)?)?;
    }
    Ok(attributes)
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({})", self.subject())
    }
}
