//! Verifiers whose work is noted in [`trace`]. grille-pki decides on chains, so that a connection and `grille cert verify`
//! decide alike where the roots are of the algorithms below them; rustls' own verifiers on the signatures of handshakes, and
//! on the words for a chain that they refuse as well.

use crate::certificate_types;
use crate::client_identity::{AllowedClient, ClientIdentity, NotAllowed};
use crate::client_sessions::ClientSessions;
use crate::trace::{self, Step};
use crate::verify::{handshake_signature, schemes};
use grille_pki::Crl;
use grille_pki::verify::{Algorithms, Demand, Purpose, Root, Trust};
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

/// The roots of a side, and the signatures it accepts on certificates.
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
        self.check(end_entity, intermediates, now, purpose, name).inspect_err(trace::refused)
    }

    /// Verifies a chain without a trace. Returns when the first certificate of its path expires, since 1970.
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
        trust.verify_der(end_entity, intermediates, &Demand { time, purpose, name })
    }
}

/// A refusal that rustls has no words for.
pub(crate) fn refused(reason: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(reason))))
}

/// What a client checks of its server's certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// Whoever has a certificate for the name asked for, from one of the roots.
    #[default]
    Named,
    /// Whoever has a certificate from one of the roots, whatever its name.
    AnyName,
    /// Anyone who has a certificate at all: for tests, and to look at a server that is not trusted.
    Anyone,
}

/// The verifier of a client.
#[derive(Debug)]
pub(crate) struct NotedServer {
    pub(crate) check: Check,
    pub(crate) roots: Roots,
    /// rustls' own, whose words for a refusal are taken; needs a root.
    pub(crate) words: Option<Arc<dyn ServerCertVerifier>>,
    pub(crate) signatures: WebPkiSupportedAlgorithms,
    /// The client's sessions, which must not outlive the chain.
    pub(crate) sessions: Arc<ClientSessions>,
}

impl ServerCertVerifier for NotedServer {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let asked = name.to_str();
        let (wanted, words) = match self.check {
            Check::Anyone => {
                self.sessions.record(name, now, None);
                return Ok(ServerCertVerified::assertion());
            }
            Check::AnyName => (None, None),
            Check::Named => (Some(asked.as_ref()), self.words.as_ref()),
        };
        trace::timed(Step::VerifyChain, || {
            match self.roots.verify(end_entity, intermediates, now, Purpose::Server, wanted) {
                Ok(expires) => {
                    self.sessions.record(name, now, Some(expires));
                    Ok(ServerCertVerified::assertion())
                }
                Err(reason) => {
                    let said = words
                        .map(|words| words.verify_server_cert(end_entity, intermediates, name, ocsp, now));
                    said.transpose()?;
                    Err(refused(reason))
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
        trace::peer_signature(signed.scheme, || {
            handshake_signature(message, certificate, signed, self.signatures)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }
}

/// What a server checks of its client.
#[derive(Debug)]
pub(crate) struct NotedClient {
    /// rustls' own, whose words for a refusal are taken.
    pub(crate) words: Arc<dyn ClientCertVerifier>,
    pub(crate) roots: Roots,
    /// Empty where every client is let in that a root vouches for.
    pub(crate) allowed: Vec<AllowedClient>,
    pub(crate) signatures: WebPkiSupportedAlgorithms,
}

impl NotedClient {
    /// Verifies a client's chain and notes nothing.
    ///
    /// # Errors
    /// The reason, in grille-pki's words.
    pub(crate) fn check(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        self.roots.check(end_entity, intermediates, now, Purpose::Client, None).map_err(refused)?;
        self.check_allowed(end_entity)
    }

    /// Checks that a client whose chain is good is let in.
    fn check_allowed(&self, end_entity: &CertificateDer<'_>) -> Result<(), Error> {
        if self.allowed.is_empty() {
            return Ok(());
        }
        let client = ClientIdentity::of(std::slice::from_ref(end_entity));
        let client = client.ok_or(CertificateError::BadEncoding)?;
        let is_allowed = self.allowed.iter().any(|allowed| allowed.is(&client));
        if is_allowed { Ok(()) } else { Err(refused(NotAllowed(client))) }
    }

    /// Returns the roots' DER.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &[u8]> {
        self.roots.certificates.iter().map(Root::as_der)
    }

    /// Returns the clients that are let in; empty if every one is that a root vouches for.
    pub(crate) fn allowed(&self) -> &[AllowedClient] {
        &self.allowed
    }
}

impl ClientCertVerifier for NotedClient {
    fn offer_client_auth(&self) -> bool {
        self.words.offer_client_auth()
    }

    fn client_auth_mandatory(&self) -> bool {
        self.words.client_auth_mandatory()
    }

    /// A server that asks for nothing has nothing against a client with a raw public key.
    fn requires_raw_public_keys(&self) -> bool {
        !self.words.offer_client_auth() && certificate_types::shows_keys_only()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.words.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        trace::timed(Step::VerifyChain, || {
            match self.roots.verify(end_entity, intermediates, now, Purpose::Client, None) {
                Ok(_) => self.check_allowed(end_entity).map(|()| ClientCertVerified::assertion()),
                Err(reason) => {
                    self.words.verify_client_cert(end_entity, intermediates, now)?;
                    Err(refused(reason))
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
        self.words.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        trace::peer_signature(signed.scheme, || {
            handshake_signature(message, certificate, signed, self.signatures)
        })
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }
}
