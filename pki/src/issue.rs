//! Issuing of X.509 version 3 certificates, RFC 5280. The certified key and the issuer's key may have any registered
//! algorithm.

use crate::certificate::{Certificate, ELEMENT};
use crate::encoding::{extension, signature};
use crate::public_key::key_identifier;
use crate::signed::check_key_matches;
use crate::{Error, PrivateKey, Request, algorithm, name};
use alloc::{borrow::ToOwned, format, vec, vec::Vec};
use const_oid::ObjectIdentifier;
use const_oid::db::rfc5280::{ID_KP_CLIENT_AUTH, ID_KP_SERVER_AUTH};
use core::time::Duration;
use der::asn1::{BitString, OctetString};
use der::{DateTime, Encode, Sequence};
use grille_core::CryptoRng;
use grille_registry::Row;
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};
use x509_cert::certificate::Version;
use x509_cert::ext::Extensions;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{
    AuthorityKeyIdentifier, BasicConstraints, ExtendedKeyUsage, SubjectAltName, SubjectKeyIdentifier,
};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::time::{Time, Validity};

pub use crate::certified_key::CertifiedKey;
pub use x509_cert::ext::pkix::{KeyUsage, KeyUsages};

/// Role of a certificate, which determines its extensions.
#[derive(Clone, Debug)]
pub enum Profile {
    /// A trusted root that issues certificates.
    Root,
    /// A CA that issues certificates, with at most `path_len` intermediates below it.
    Intermediate {
        /// The path length constraint.
        path_len: u8,
    },
    /// An end entity, such as a TLS server or client.
    EndEntity {
        /// Subject alternative names.
        names: Vec<GeneralName>,
    },
}

impl Profile {
    /// Creates a profile for an end entity with the alternative names `names`: DNS names, IP addresses, and names with
    /// the prefix `email:` or `URI:`.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for a name with invalid characters.
    pub fn end_entity(names: &[&str]) -> Result<Self, Error> {
        let names = names.iter().map(|name| name::parse_general(name)).collect::<Result<_, _>>()?;
        Ok(Self::EndEntity { names })
    }

    const fn is_ca(&self) -> bool {
        !matches!(self, Self::EndEntity { .. })
    }
}

/// Contents of a certificate, except for its key and its issuer.
#[derive(Clone, Debug)]
pub struct Template {
    subject: Name,
    profile: Profile,
    now: Duration,
    not_before: Duration,
    not_after: Duration,
    serial: Option<Vec<u8>>,
    key_usage: Option<KeyUsage>,
    purposes: Option<Vec<ObjectIdentifier>>,
    critical_purposes: bool,
}

impl Template {
    /// Creates a template for `subject` (`CN=host,O=organisation` or `/O=organisation/CN=host`). It is valid for one
    /// year, starting one minute ago.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for an invalid subject.
    #[cfg(feature = "std")]
    pub fn new(subject: &str, profile: Profile) -> Result<Self, Error> {
        Self::at(crate::now(), subject, profile)
    }

    /// Creates a template like [`Template::new`]. `now` is the current time, as a duration since the Unix epoch.
    ///
    /// # Errors
    /// Returns [`Error::Value`] for an invalid subject.
    pub fn at(now: Duration, subject: &str, profile: Profile) -> Result<Self, Error> {
        let subject = name::parse(subject)?;
        if subject.is_empty() && profile.is_ca() {
            return Err(Error::Value {
                element: "subject",
                reason: "the subject is empty, but a CA needs one".to_owned(),
            });
        }
        Ok(Self {
            subject,
            profile,
            now,
            not_before: now.saturating_sub(Duration::from_mins(1)),
            not_after: now.saturating_add(Duration::from_hours(365 * 24)),
            serial: None,
            key_usage: None,
            purposes: None,
            critical_purposes: false,
        })
    }

    /// Sets the start and the end of the validity period, as durations since the Unix epoch.
    #[must_use]
    pub const fn valid(mut self, not_before: Duration, not_after: Duration) -> Self {
        (self.not_before, self.not_after) = (not_before, not_after);
        self
    }

    /// Sets the end of the validity period, as a duration since the Unix epoch.
    #[must_use]
    pub const fn until(mut self, not_after: Duration) -> Self {
        self.not_after = not_after;
        self
    }

    /// Sets the serial number, big-endian; the default is 16 random bytes.
    #[must_use]
    pub fn serial(mut self, serial: &[u8]) -> Self {
        self.serial = Some(serial.to_vec());
        self
    }

    /// Sets the key usage; the default depends on the profile and on the key.
    #[must_use]
    pub const fn key_usage(mut self, usage: KeyUsage) -> Self {
        self.key_usage = Some(usage);
        self
    }

    /// Sets the extended key usage of an end entity. The default for signature keys is that of TLS servers and clients;
    /// KEM keys have none by default. An empty list omits the extension. CA certificates have no extended key usage.
    #[must_use]
    pub fn purposes(mut self, purposes: Vec<ObjectIdentifier>) -> Self {
        self.purposes = Some(purposes);
        self
    }

    /// Marks an end entity's extended key usage as critical: implementations that do not know this extension must
    /// refuse the certificate.
    #[must_use]
    pub const fn critical_purposes(mut self) -> Self {
        self.critical_purposes = true;
        self
    }

    fn validity(&self) -> der::Result<Validity> {
        let time = |since| Ok::<_, der::Error>(Time::from(DateTime::from_unix_duration(since)?));
        Ok(Validity::new(time(self.not_before)?, time(self.not_after)?))
    }

    fn serial_number(&self, rng: &mut dyn CryptoRng) -> der::Result<SerialNumber> {
        if let Some(serial) = &self.serial {
            return SerialNumber::new(serial);
        }
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        // The serial number must be positive and have its full length.
        bytes[0] = bytes[0] & 0x7F | 0x40;
        SerialNumber::new(&bytes)
    }

    /// Builds the extensions, RFC 5280 section 4.2. `own` is the certified key; `authority` is the issuer's key
    /// identifier.
    fn extensions(&self, own: CertifiedKey<'_>, authority: OctetString) -> der::Result<Extensions> {
        let mut extensions = Vec::new();
        let path_len_constraint = match self.profile {
            Profile::Intermediate { path_len } => Some(path_len),
            _ => None,
        };
        let constraints = BasicConstraints { ca: self.profile.is_ca(), path_len_constraint };
        extensions.push(extension(true, &constraints)?);
        extensions.push(extension(true, &self.usages(own))?);
        if let Profile::EndEntity { names } = &self.profile {
            if let Some(purposes) = self.purposes_for(own).filter(|purposes| !purposes.is_empty()) {
                extensions.push(extension(self.critical_purposes, &ExtendedKeyUsage(purposes))?);
            }
            if !names.is_empty() {
                // critical if the subject is empty, RFC 5280 section 4.2.1.6
                extensions.push(extension(self.subject.is_empty(), &SubjectAltName(names.clone()))?);
            }
        }
        extensions.push(extension(false, &SubjectKeyIdentifier(key_identifier(own.bytes())?))?);
        let authority =
            AuthorityKeyIdentifier { key_identifier: Some(authority), ..AuthorityKeyIdentifier::default() };
        extensions.push(extension(false, &authority)?);
        Ok(extensions)
    }

    fn usages(&self, own: CertifiedKey<'_>) -> KeyUsage {
        self.key_usage.unwrap_or(KeyUsage(match self.profile.is_ca() {
            true => KeyUsages::KeyCertSign | KeyUsages::CRLSign,
            false => own.default_usage().into(),
        }))
    }

    /// Returns the extended key usage of an end entity: by default, that of TLS servers and clients for a signature
    /// key, and `None` for a KEM key.
    fn purposes_for(&self, own: CertifiedKey<'_>) -> Option<Vec<ObjectIdentifier>> {
        let tls = || vec![ID_KP_SERVER_AUTH, ID_KP_CLIENT_AUTH];
        let default = || matches!(own, CertifiedKey::Signature(_)).then(tls);
        self.purposes.clone().or_else(default)
    }

    /// Refuses malformed names, and an empty subject without alternative names.
    fn check_names(&self) -> Result<(), Error> {
        let names = match &self.profile {
            Profile::EndEntity { names } => names.as_slice(),
            Profile::Root | Profile::Intermediate { .. } => &[],
        };
        name::check_subject(&self.subject)?;
        name::check_all(names)?;
        if self.subject.is_empty() && names.is_empty() {
            let reason =
                "the subject is empty, so the certificate must be an end entity with alternative names"
                    .to_owned();
            return Err(Error::Value { element: "subject", reason });
        }
        Ok(())
    }

    /// Refuses uses that the key's algorithm does not support or that its standard forbids.
    fn check_key(&self, own: CertifiedKey<'_>) -> Result<(), Error> {
        let wrong = |reason| Err(Error::Value { element: "certificate", reason });
        if let (true, CertifiedKey::Kem(key)) = (self.profile.is_ca(), own) {
            return wrong(format!(
                "a key of {} cannot sign, so it cannot issue certificates",
                key.row().name()
            ));
        }
        let of_tls = |purpose: &ObjectIdentifier| [ID_KP_SERVER_AUTH, ID_KP_CLIENT_AUTH].contains(purpose);
        if let (CertifiedKey::Kem(key), Some(purposes)) = (own, self.purposes_for(own))
            && purposes.iter().any(of_tls)
        {
            let name = key.row().name();
            return wrong(format!("a key of {name} cannot sign, so it cannot authenticate a TLS peer"));
        }
        own.subject_key()
            .check_allowed_usages(self.usages(own).0)
            .or_else(|reason| wrong(format!("the certificate {reason}")))
    }
}

/// Issues a self-signed certificate.
///
/// # Errors
/// Returns [`Error::Value`] if the template is invalid or does not fit the key, [`Error::Der`] for a time or serial
/// number that X.509 cannot represent, or [`Error::Key`] if the key cannot sign.
pub fn self_signed(
    template: &Template,
    key: &PrivateKey,
    rng: &mut dyn CryptoRng,
) -> Result<Certificate, Error> {
    let identifier = key_identifier(key.public_key().bytes()).map_err(Error::der(ELEMENT))?;
    sign(template, key.public_key().into(), (template.subject.clone(), identifier), key, rng)
}

/// Issues a certificate for `public_key`, signed with `issuer_key`.
///
/// # Errors
/// Returns the errors of [`self_signed`]; [`Error::OtherKey`] if `issuer_key` does not belong to `issuer`.
pub fn issue<'a>(
    template: &Template,
    public_key: impl Into<CertifiedKey<'a>>,
    issuer: &Certificate,
    issuer_key: &PrivateKey,
    rng: &mut dyn CryptoRng,
) -> Result<Certificate, Error> {
    check_key_matches(issuer, issuer_key)?;
    sign(template, public_key.into(), (issuer.subject_name(), issuer.key_identifier()?), issuer_key, rng)
}

/// Issues a certificate for the key of `request`, whose signature is verified first. A request for a KEM key must be
/// signed with the key of a certificate that `issuer` issued for the same subject and for all requested names (RFC
/// 9883). The subject comes from the request, and so do an end entity's names if the template has none. Everything else
/// comes from the template.
///
/// # Errors
/// Returns the errors of [`issue`]; [`Error::Signature`] if the request's signature is invalid; [`Error::Der`] if its
/// names cannot be parsed.
pub fn issue_from_csr(
    template: &Template,
    request: &Request,
    issuer: &Certificate,
    issuer_key: &PrivateKey,
    rng: &mut dyn CryptoRng,
) -> Result<Certificate, Error> {
    request.verify()?;
    request.check_possession(issuer, template.now)?;
    let profile = match &template.profile {
        Profile::EndEntity { names } if names.is_empty() => {
            Profile::EndEntity { names: request.general_names()? }
        }
        given => given.clone(),
    };
    let template = Template { subject: request.subject_name(), profile, ..template.clone() };
    issue(&template, &request.requested_key()?, issuer, issuer_key, rng)
}

/// TBSCertificate, RFC 5280 section 4.1.
#[derive(Sequence)]
struct ToBeSigned {
    #[asn1(context_specific = "0")]
    version: Version,
    serial_number: SerialNumber,
    signature: AlgorithmIdentifierOwned,
    issuer: Name,
    validity: Validity,
    subject: Name,
    subject_public_key_info: SubjectPublicKeyInfoOwned,
    #[asn1(context_specific = "3")]
    extensions: Extensions,
}

/// Certificate, RFC 5280 section 4.1.
#[derive(Sequence)]
struct Signed {
    to_be_signed: ToBeSigned,
    algorithm: AlgorithmIdentifierOwned,
    signature: BitString,
}

fn sign(
    template: &Template,
    public_key: CertifiedKey<'_>,
    (issuer, authority): (Name, OctetString),
    issuer_key: &PrivateKey,
    rng: &mut dyn CryptoRng,
) -> Result<Certificate, Error> {
    template.check_names()?;
    template.check_key(public_key)?;
    let numbers = issuer_key.public_key().numbers();
    let algorithm = algorithm::signature_algorithm_identifier(issuer_key.row(), numbers)?;
    let extensions = template.extensions(public_key, authority).map_err(Error::der(ELEMENT))?;
    let to_be_signed = ToBeSigned {
        version: Version::V3,
        serial_number: template.serial_number(rng).map_err(Error::der(ELEMENT))?,
        signature: algorithm.clone(),
        issuer,
        validity: template.validity().map_err(Error::der(ELEMENT))?,
        subject: template.subject.clone(),
        subject_public_key_info: public_key.spki()?,
        extensions,
    };
    let message = to_be_signed.to_der().map_err(Error::der(ELEMENT))?;
    let signature = signature(&message, issuer_key, rng)?;
    let der = Signed { to_be_signed, algorithm, signature }.to_der().map_err(Error::der(ELEMENT))?;
    Ok(Certificate::from_pem_or_der(&der)?.in_era(numbers))
}
