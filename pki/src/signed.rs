//! Verification of the signature of one X.509 document (certificate, request or revocation list), and of the match
//! between a private key and a certificate.

use crate::adapter::{contents, webpki_algorithms};
use crate::certificate::Certificate;
use crate::signed_message::{Signed, matches_key};
use crate::{Error, PrivateKey};
use alloc::borrow::ToOwned;
use grille_registry::Numbers;
use rustls_pki_types::SignatureVerificationAlgorithm;
use spki::AlgorithmIdentifierOwned;

/// Returns whether a signature of `message` with this algorithm identifier matches the issuer's key. Returns `None` if
/// none of `algorithms` matches the identifiers of both the signature and the key.
pub(crate) fn is_valid_signature(
    identifier: &AlgorithmIdentifierOwned,
    message: &[u8],
    signature: &[u8],
    issuer: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let (kind, key) = issuer.key_parts()?;
    let (identifier, kind) = (contents(identifier)?, contents(&kind)?);
    matches_key(&Signed { identifier: &identifier, message, signature }, &kind, key, algorithms)
}

/// Checks that the private key belongs to the certificate.
///
/// # Errors
/// Returns [`Error::OtherKey`] if the key does not belong to the certificate.
pub fn check_key_matches(certificate: &Certificate, key: &PrivateKey) -> Result<(), Error> {
    if certificate.spki_der()? == key.public_key().to_spki_der()? {
        Ok(())
    } else {
        Err(Error::OtherKey { subject: certificate.display_name() })
    }
}

/// Checks that a certificate is signed with the key of `issuer`. Nothing else is checked. Every known algorithm is
/// accepted.
///
/// # Errors
/// Returns [`Error::Signature`] if the certificate is not signed with this key.
pub fn check_signature(certificate: &Certificate, issuer: &Certificate) -> Result<(), Error> {
    match is_signed_by(certificate, issuer, Numbers::default()) {
        Some(true) => Ok(()),
        _ => Err(Error::Signature { signed: "a certificate".to_owned() }),
    }
}

/// Returns whether a certificate is signed with the key of `issuer`. Returns `None` if no known algorithm matches the
/// identifiers of both the signature and the key.
pub(crate) fn is_signed_by(
    certificate: &Certificate,
    issuer: &Certificate,
    numbers: Numbers,
) -> Option<bool> {
    is_signed_with(certificate, issuer, webpki_algorithms(numbers))
}

/// Returns whether a certificate is signed with the key of `issuer`. Returns `None` if none of `algorithms` matches the
/// identifiers of both the signature and the key.
pub(crate) fn is_signed_with(
    certificate: &Certificate,
    issuer: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let (identifier, message, signature) = certificate.signed_parts()?;
    is_valid_signature(&identifier, &message, signature, issuer, algorithms)
}
