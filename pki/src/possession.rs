//! Statements that somebody has a private key which cannot sign, RFC 9883: the request for its certificate is signed with
//! another key of the same subject, which has a certificate already.

use crate::certificate::{Certificate, WHAT as CERTIFICATE};
use crate::verify::{Demand, Purpose, verify_chain};
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

const WHAT: &str = "statement of possession";

/// PrivateKeyPossessionStatement, RFC 9883 section 3.
#[derive(Sequence)]
struct Statement {
    signer: IssuerAndSerialNumber,
    certificate: Option<Any>,
}

impl AssociatedOid for Statement {
    const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.22112.2.1");
}

/// RFC 5652 section 10.2.4.
#[derive(Sequence)]
struct IssuerAndSerialNumber {
    issuer: Name,
    serial_number: SerialNumber,
}

/// The attribute of a request that is signed with the key of this certificate.
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

/// The certificate whose key signed a request with these attributes; `None` without a statement.
///
/// # Errors
/// [`Error::Malformed`] if the statement names another certificate than it carries, or carries none; [`Error::Der`].
pub(crate) fn signer(
    attributes: &SetOfVec<Attribute>,
    numbers: Numbers,
) -> Result<Option<Certificate>, Error> {
    let mut statements = attributes.iter().filter(|attribute| attribute.oid == Statement::OID);
    let Some(attribute) = statements.next() else { return Ok(None) };
    let malformed = |reason| Error::Malformed { element: WHAT, reason };
    let value = match (attribute.values.as_slice(), statements.next()) {
        ([value], None) => value,
        _ => return Err(malformed("is there more than once")),
    };
    let statement: Statement = value.decode_as().map_err(Error::der(WHAT))?;
    let carried = statement.certificate.ok_or(malformed(
        "names a certificate without carrying it; have the request made again with the certificate in it",
    ))?;
    let der = carried.to_der().map_err(Error::der(CERTIFICATE))?;
    let certificate = Certificate::from_pem_or_der(&der)?.in_era(numbers);
    let is_named = statement.signer.issuer == certificate.issuer_name()
        && statement.signer.serial_number.as_bytes() == certificate.serial_bytes();
    if is_named { Ok(Some(certificate)) } else { Err(malformed("carries another certificate than it names")) }
}

/// Checks that an issuer may believe the statement: it issued the signer's certificate, which is valid and may sign, and the
/// names asked for are the signer's.
///
/// # Errors
/// [`Error::Value`] for other names; those of [`verify_chain`].
pub(crate) fn check(
    signer: &Certificate,
    (subject, names): (&Name, &[GeneralName]),
    issuer: &Certificate,
    time: Duration,
) -> Result<(), Error> {
    let other = |reason: String| Err(Error::Value { what: WHAT, reason });
    let demand = Demand { time, purpose: Purpose::Other, name: None };
    verify_chain(signer, &[], core::slice::from_ref(issuer), &demand)?;
    if signer.key_usage().is_some_and(|usage| !usage.digital_signature()) {
        return other(format!("the key usage of {} lacks digitalSignature", signer.display_name()));
    }
    if *subject != signer.subject_name() {
        return other(format!("the request is for {subject}, but {} signed it", signer.display_name()));
    }
    let own = signer.names();
    match names.iter().map(name::shown).find(|asked| !own.contains(asked)) {
        Some(asked) => {
            other(format!("the request is for {asked}, which the certificate of its signer is not for"))
        }
        None => Ok(()),
    }
}

/// What a request for a key that cannot sign needs.
pub(crate) fn missing(algorithm: &str) -> Error {
    let reason = format!(
        "it is for a key of {algorithm}, which cannot sign, and has no statement of possession (RFC 9883) by a key that can"
    );
    Error::Value { what: "certificate request", reason }
}
