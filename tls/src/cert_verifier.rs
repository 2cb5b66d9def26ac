//! Certificate verifiers, which record their work in [`trace`]. grille-pki verifies chains. A connection and
//! `grille cert verify` therefore reach the same decision, provided that the connection accepts every signature
//! algorithm in the chain (see `verify::Accepted`). rustls' functions check handshake signatures. If rustls' own
//! verifier also refuses a chain, its error is reported instead of grille-pki's.

use crate::certificate_types;
use crate::client_identity::{AllowedClient, ClientIdentity, NotAllowed};
use crate::client_sessions::ClientSessions;
use crate::trace::{self, Step};
use crate::verify::{handshake_signature, schemes};
use grille_pki::Crl;
use grille_pki::verify::{Algorithms, Purpose, Requirements, Root, Trust};
use grille_registry::Numbers;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, SignatureScheme,
};
use std::sync::Arc;
use std::time::Duration;

/// Trusted roots of one side, and the signature algorithms it accepts on certificates.
#[derive(Debug)]
pub(crate) struct Roots {
    pub(crate) certificates: Vec<Root>,
    pub(crate) algorithms: Algorithms,
    pub(crate) numbers: Numbers,
    pub(crate) crls: Vec<Crl>,
}

impl Roots {
    fn verify(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
        purpose: Purpose,
        name: Option<&str>,
    ) -> Result<Duration, grille_pki::Error> {
        self.check(end_entity, intermediates, now, purpose, name).inspect_err(trace::record_refusal)
    }

    /// Verifies a chain without emitting a trace event. Returns the earliest expiry among the certificates on its path,
    /// as the time since the Unix epoch.
    fn check(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
        purpose: Purpose,
        name: Option<&str>,
    ) -> Result<Duration, grille_pki::Error> {
        let time = Duration::from_secs(now.as_secs());
        let Self { certificates, algorithms, numbers, crls } = self;
        let trust = Trust { roots: certificates, algorithms, numbers: *numbers, crls };
        trust.verify_der(end_entity, intermediates, &Requirements { time, purpose, name })
    }
}

/// Wraps the reason for refusing a peer in rustls' error type.
pub(crate) fn refusal_error(reason: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(reason))))
}

/// Checks that a client performs on its server's certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// The chain must end in a trusted root, and the certificate must have the requested name.
    #[default]
    Named,
    /// The chain must end in a trusted root; the name is not checked.
    AnyName,
    /// Any certificate is accepted, without authentication. For tests, and for inspecting an untrusted server.
    DangerousAcceptAny,
}

/// Verifier of server certificates.
#[derive(Debug)]
pub(crate) struct ServerVerifier {
    pub(crate) check: Check,
    pub(crate) roots: Roots,
    /// rustls' own verifier, whose error is reported if it also refuses a chain; `None` if any certificate is accepted.
    pub(crate) rustls_verifier: Option<Arc<dyn ServerCertVerifier>>,
    pub(crate) signatures: WebPkiSupportedAlgorithms,
    /// The client's sessions, which must not outlive the server's chain.
    pub(crate) sessions: Arc<ClientSessions>,
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let requested = name.to_str();
        let (required_name, rustls_verifier) = match self.check {
            Check::DangerousAcceptAny => {
                self.sessions.record(name, now, None);
                return Ok(ServerCertVerified::assertion());
            }
            Check::AnyName => (None, None),
            Check::Named => (Some(requested.as_ref()), self.rustls_verifier.as_ref()),
        };
        trace::measure(Step::VerifyChain, || {
            match self.roots.verify(end_entity, intermediates, now, Purpose::Server, required_name) {
                Ok(expires) => {
                    self.sessions.record(name, now, Some(expires));
                    Ok(ServerCertVerified::assertion())
                }
                Err(reason) => {
                    if let Some(verifier) = rustls_verifier {
                        verifier.verify_server_cert(end_entity, intermediates, name, ocsp, now)?;
                    }
                    Err(refusal_error(reason))
                }
            }
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.signatures)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        trace::record_peer_signature(signed.scheme, || {
            handshake_signature(message, certificate, signed, self.signatures)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }
}

/// Verifier of client certificates.
#[derive(Debug)]
pub(crate) struct ClientVerifier {
    /// rustls' own verifier, whose error is reported if it also refuses a chain.
    pub(crate) rustls_verifier: Arc<dyn ClientCertVerifier>,
    pub(crate) roots: Roots,
    /// Allowed clients; if empty, every client with a valid chain is allowed.
    pub(crate) allowed: Vec<AllowedClient>,
    pub(crate) signatures: WebPkiSupportedAlgorithms,
}

impl ClientVerifier {
    /// Verifies a client's chain without recording it.
    ///
    /// # Errors
    /// Returns grille-pki's reason for refusing the chain, or [`NotAllowed`].
    pub(crate) fn check(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        self.roots.check(end_entity, intermediates, now, Purpose::Client, None).map_err(refusal_error)?;
        self.check_allowed(end_entity)
    }

    /// Checks that a client with a valid chain is allowed.
    fn check_allowed(&self, end_entity: &CertificateDer<'_>) -> Result<(), Error> {
        if self.allowed.is_empty() {
            return Ok(());
        }
        let client = ClientIdentity::from_chain(std::slice::from_ref(end_entity));
        let client = client.ok_or(CertificateError::BadEncoding)?;
        let is_allowed = self.allowed.iter().any(|allowed| allowed.matches(&client));
        if is_allowed { Ok(()) } else { Err(refusal_error(NotAllowed(client))) }
    }

    /// Returns the roots' DER.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &[u8]> {
        self.roots.certificates.iter().map(Root::as_der)
    }

    /// Returns the allowed clients; empty if every client with a valid chain is allowed.
    pub(crate) fn allowed(&self) -> &[AllowedClient] {
        &self.allowed
    }
}

impl ClientCertVerifier for ClientVerifier {
    fn offer_client_auth(&self) -> bool {
        self.rustls_verifier.offer_client_auth()
    }

    fn client_auth_mandatory(&self) -> bool {
        self.rustls_verifier.client_auth_mandatory()
    }

    /// Returns whether raw public keys must be negotiated. A server that requests no certificate negotiates them only
    /// with a client that offers nothing else, because rustls would refuse that client otherwise.
    fn requires_raw_public_keys(&self) -> bool {
        !self.rustls_verifier.offer_client_auth() && certificate_types::offers_raw_keys_only()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.rustls_verifier.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        trace::measure(Step::VerifyChain, || {
            match self.roots.verify(end_entity, intermediates, now, Purpose::Client, None) {
                Ok(_) => self.check_allowed(end_entity).map(|()| ClientCertVerified::assertion()),
                Err(reason) => {
                    self.rustls_verifier.verify_client_cert(end_entity, intermediates, now)?;
                    Err(refusal_error(reason))
                }
            }
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.rustls_verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        trace::record_peer_signature(signed.scheme, || {
            handshake_signature(message, certificate, signed, self.signatures)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }
}
