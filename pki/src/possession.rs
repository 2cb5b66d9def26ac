//! Proof of possession for keys that cannot sign, RFC 9883. The request is signed with another key of the same
//! subject, which already has a certificate.

use crate::certificate::{Certificate, ELEMENT as CERTIFICATE};
use crate::verify::{Purpose, Requirements, verify_chain};
use crate::{Error, name};
use alloc::{format, string::String};
use const_oid::{AssociatedOid, ObjectIdentifier};
use core::time::Duration;
use der::asn1::{Any, SetOfVec};
use der::{Decode, Encode, Sequence};
use grille_registry::Numbers;
use x509_cert::attr::Attribute;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;

const ELEMENT: &str = "statement of possession";

/// PrivateKeyPossessionStatement, RFC 9883 section 3.
#[derive(Sequence)]
struct Statement {
    signer: IssuerAndSerialNumber,
    certificate: Option<Any>,
}

impl AssociatedOid for Statement {
    const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.22112.2.1");
}

/// IssuerAndSerialNumber, RFC 5652 section 10.2.4.
#[derive(Sequence)]
struct IssuerAndSerialNumber {
    issuer: Name,
    serial_number: SerialNumber,
}

/// Returns the attribute for a request that is signed with the key of `signer`.
pub(crate) fn attribute(signer: &Certificate) -> der::Result<Attribute> {
    let statement = Statement {
        signer: IssuerAndSerialNumber {
            issuer: signer.issuer_name(),
            serial_number: SerialNumber::new(signer.serial_bytes())?,
        },
        certificate: Some(Any::from_der(signer.as_der())?),
    };
    let mut values = SetOfVec::new();
    values.insert(Any::from_der(&statement.to_der()?)?)?;
    Ok(Attribute { oid: Statement::OID, values })
}

/// Returns the certificate whose key signed a request with these attributes, or `None` if they contain no statement of
/// possession.
///
/// # Errors
/// Returns [`Error::Malformed`] if there are several statements, or if the statement contains no certificate or a
/// certificate other than the one that it names; [`Error::Der`] if the statement cannot be parsed.
pub(crate) fn signer(
    attributes: &SetOfVec<Attribute>,
    numbers: Numbers,
) -> Result<Option<Certificate>, Error> {
    let mut statements = attributes.iter().filter(|attribute| attribute.oid == Statement::OID);
    let Some(attribute) = statements.next() else { return Ok(None) };
    let malformed = |reason| Error::Malformed { element: ELEMENT, reason };
    let value = match (attribute.values.as_slice(), statements.next()) {
        ([value], None) => value,
        _ => return Err(malformed("occurs more than once")),
    };
    let statement: Statement = value.decode_as().map_err(Error::der(ELEMENT))?;
    let carried = statement.certificate.ok_or(malformed(
        "names a certificate but does not contain it; create the request again with the certificate included",
    ))?;
    let der = carried.to_der().map_err(Error::der(CERTIFICATE))?;
    let certificate = Certificate::from_pem_or_der(&der)?.in_era(numbers);
    let is_named = statement.signer.issuer == certificate.issuer_name()
        && statement.signer.serial_number.as_bytes() == certificate.serial_bytes();
    if is_named {
        Ok(Some(certificate))
    } else {
        Err(malformed("contains a different certificate than the one that it names"))
    }
}

/// Checks that an issuer may accept the statement. The issuer must have issued the signer's certificate, which must be
/// valid and allowed to sign. The requested subject must be the signer's, and the signer's certificate must contain all
/// requested names.
///
/// # Errors
/// Returns [`Error::Value`] if the signer's certificate may not sign, has another subject or lacks a requested name, or
/// the errors of [`verify_chain`].
pub(crate) fn check(
    signer: &Certificate,
    (subject, names): (&Name, &[GeneralName]),
    issuer: &Certificate,
    time: Duration,
) -> Result<(), Error> {
    let other = |reason: String| Err(Error::Value { element: ELEMENT, reason });
    let requirements = Requirements { time, purpose: Purpose::Other, name: None };
    verify_chain(signer, &[], core::slice::from_ref(issuer), &requirements)?;
    if signer.key_usage().is_some_and(|usage| !usage.digital_signature()) {
        return other(format!("the key usage of {} lacks digitalSignature", signer.display_name()));
    }
    if *subject != signer.subject_name() {
        return other(format!("the request is for {subject}, but {} signed it", signer.display_name()));
    }
    let own = signer.names();
    match names.iter().map(name::format).find(|requested| !own.contains(requested)) {
        Some(requested) => {
            other(format!("the request is for {requested}, which is not a name in its signer's certificate"))
        }
        None => Ok(()),
    }
}

/// Returns the error for a KEM key's request without a proof of possession.
pub(crate) fn missing_possession_error(algorithm: &str) -> Error {
    let reason = format!(
        "the request is for a {algorithm} key, which cannot sign, so it needs a statement of possession (RFC 9883) by a key that can"
    );
    Error::Value { element: "certificate request", reason }
}
