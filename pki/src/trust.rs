//! Trusted roots, and the requirements that a chain must meet.

use crate::Error;
use crate::adapter::webpki_algorithms;
use crate::certificate::Certificate;
use crate::crl::Crl;
use crate::own_signature::{self, OwnSignature};
use crate::purpose::Purpose;
use alloc::{string::String, vec::Vec};
use core::time::Duration;
use grille_registry::Numbers;
use rustls_pki_types::{CertificateDer, SignatureVerificationAlgorithm};

/// A trusted certificate, with its properties as an issuer.
#[derive(Clone, Debug)]
pub struct Root {
    pub(crate) der: CertificateDer<'static>,
    pub(crate) issuer: Issuer,
    is_self_signed: bool,
    own_signature: OwnSignature,
}

impl From<&Certificate> for Root {
    fn from(certificate: &Certificate) -> Self {
        Self {
            der: certificate.to_der().into(),
            issuer: certificate.into(),
            is_self_signed: certificate.is_self_signed(),
            own_signature: certificate.own_signature(),
        }
    }
}

impl Root {
    /// Returns whether the certificate has this subject, in the format of [`Certificate::subject`].
    pub(crate) fn is_named(&self, subject: &str) -> bool {
        self.issuer.subject == subject
    }

    /// Verifies the root's own signature, if the root is self-signed and one of `algorithms` applies. Parses only a part of
    /// the certificate and avoids the list of all algorithms, to save memory on small clients.
    ///
    /// # Errors
    /// Returns the errors of [`Certificate::check_own_signature`].
    pub(crate) fn check_own_signature(
        &self,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
        numbers: Numbers,
    ) -> Result<(), Error> {
        let is_valid = || !self.is_self_signed || own_signature::is_valid(&self.der, algorithms);
        if self.own_signature.get_or_check(is_valid) {
            return Ok(());
        }
        // parse the whole certificate to obtain the reason
        Certificate::from_pem_or_der(&self.der)?.in_era(numbers).check_own_signature()
    }

    /// Returns the certificate's DER.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }
}

/// Properties of a certificate as an issuer.
#[derive(Clone, Debug)]
pub(crate) struct Issuer {
    pub(crate) subject: String,
    /// Start and end of the validity period, as durations since the Unix epoch.
    pub(crate) validity: (Duration, Duration),
    pub(crate) is_ca: bool,
    pub(crate) may_sign_certificates: bool,
    pub(crate) may_sign_crls: bool,
    pub(crate) path_len: Option<u8>,
}

impl From<&Certificate> for Issuer {
    fn from(certificate: &Certificate) -> Self {
        Self {
            subject: certificate.display_name(),
            validity: certificate.validity(),
            is_ca: certificate.is_ca(),
            may_sign_certificates: certificate.may_sign_certificates(),
            may_sign_crls: certificate.may_sign_crls(),
            path_len: certificate.path_len(),
        }
    }
}

/// Trusted roots and accepted algorithms for verifying a chain.
#[derive(Clone, Copy, Debug)]
pub struct Trust<'a> {
    /// The trusted roots.
    pub roots: &'a [Root],
    /// Signature algorithms that certificates may use.
    pub algorithms: &'a [&'a dyn SignatureVerificationAlgorithm],
    /// The OIDs with which error messages translate an object identifier to the name of an algorithm.
    pub numbers: Numbers,
    /// Revocation lists. If there are any, every certificate except the root must be covered by a current list and
    /// must not be revoked.
    pub crls: &'a [Crl],
}

impl<'a> Trust<'a> {
    /// Trusts these roots and accepts every known algorithm, with the object identifiers of an era.
    pub(crate) fn from_roots(roots: &'a [Root], numbers: Numbers) -> Self {
        Self { roots, algorithms: webpki_algorithms(numbers), numbers, crls: &[] }
    }
}

/// Requirements that a chain must meet.
#[derive(Clone, Copy, Debug)]
pub struct Requirements<'a> {
    /// Time of verification, as a duration since the Unix epoch.
    pub time: Duration,
    /// Required purpose of the end entity.
    pub purpose: Purpose,
    /// Required host name or IP address of the end entity; `None` accepts any.
    pub name: Option<&'a str>,
}

/// Certification path from an end entity to a root.
pub(crate) struct Path {
    /// Indices of the intermediates, from the end entity up.
    pub(crate) intermediates: Vec<usize>,
    /// Index of the root in [`Trust::roots`].
    pub(crate) root: usize,
}
