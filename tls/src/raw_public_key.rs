//! Raw public keys in place of certificates, RFC 7250: a peer is identified by its key alone.

use crate::cert_verifier::refusal_error;
use crate::client_sessions::ClientSessions;
use crate::error::Error;
use crate::trace;
use crate::unknown_key::UnknownKey;
use crate::verify::{handshake_signature_with_key, schemes};
use grille_pki::PublicKey;
use grille_registry::Numbers;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{CertificateDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, PeerIncompatible, SignatureScheme};
use std::sync::Arc;

/// Verifier of a side that trusts these keys.
#[derive(Debug)]
pub(crate) struct TrustedKeys {
    /// SubjectPublicKeyInfo of each key, RFC 5280.
    keys: Vec<Vec<u8>>,
    numbers: Numbers,
    signatures: WebPkiSupportedAlgorithms,
    /// Sessions of a client; `None` on a server.
    sessions: Option<Arc<ClientSessions>>,
}

impl TrustedKeys {
    /// Creates the verifier. `numbers`: the meaning of object identifiers, used to describe an unknown key.
    pub(crate) fn new(
        keys: &[PublicKey],
        numbers: Numbers,
        signatures: WebPkiSupportedAlgorithms,
    ) -> Result<Self, Error> {
        let keys = keys.iter().map(PublicKey::to_spki_der).collect::<Result<_, _>>()?;
        Ok(Self { keys, numbers, signatures, sessions: None })
    }

    /// Makes the verifier record each accepted server in the client's `sessions`.
    pub(crate) fn with_sessions(self, sessions: Arc<ClientSessions>) -> Self {
        Self { sessions: Some(sessions), ..self }
    }

    /// Returns the trusted keys, as SubjectPublicKeyInfo.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[u8]> {
        self.keys.iter().map(Vec::as_slice)
    }

    /// Checks that a raw public key is trusted.
    ///
    /// # Errors
    /// Returns [`UnknownKey`], wrapped in rustls' error.
    pub(crate) fn check(&self, presented: &[u8]) -> Result<(), rustls::Error> {
        let known = self.keys.iter().any(|key| key == presented);
        if known { Ok(()) } else { Err(refusal_error(UnknownKey::new(presented, self.numbers))) }
    }

    fn check_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let key = SubjectPublicKeyInfoDer::from(key.as_ref());
        trace::record_peer_signature(signed.scheme, || {
            handshake_signature_with_key(message, &key, signed, self.signatures)
        })
    }
}

/// Returns the error for raw public keys in TLS 1.2, which is supported with certificates only.
fn tls12_error() -> rustls::Error {
    PeerIncompatible::IncorrectCertificateTypeExtension.into()
}

impl ServerCertVerifier for TrustedKeys {
    fn verify_server_cert(
        &self,
        key: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        self.check(key)?;
        if let Some(sessions) = &self.sessions {
            sessions.record(name, now, None);
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _key: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(tls12_error())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.check_signature(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}

impl ClientCertVerifier for TrustedKeys {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        key: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        self.check(key).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _key: &CertificateDer<'_>,
        _signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(tls12_error())
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        key: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.check_signature(message, key, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.signatures)
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
