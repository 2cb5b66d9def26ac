//! Scan of a server's signature schemes and certificates: complete handshakes with a client that accepts every
//! certificate and signature.

use super::exchange::{RateLimit, Scan, ScanFindings};
use super::hello::is_closed;
use crate::client::server_name;
use crate::engine::Engine;
use crate::error::{Error, reason, setup_error};
use crate::provider::{Preferences, provider_for_signatures};
use crate::report::Chain;
use crate::transport::CountingSocket;
use crate::verify::Accepted;
use grille_registry::{KemRow, Numbers, Row};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, CommonState, DigitallySignedStruct, Error as TlsError, SignatureScheme};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of groups to try if handshakes fail before a signature is received.
const MAX_GROUPS: usize = 3;

/// Alerts of servers without a certificate for the offered schemes, RFC 8446 section 6: `handshake_failure`,
/// `access_denied`, `insufficient_security`.
const NO_SCHEME_IN_COMMON: [u8; 3] = [40, 49, 71];

/// Outcome of a handshake with regard to signatures.
enum Outcome {
    /// The server signed, whatever happened afterwards.
    Signed(u16, Chain),
    /// The server supports none of the schemes.
    Refused,
    /// Reason why no signature was received.
    Failed(String),
}

impl Scan {
    /// Scans the signature schemes, in the first of the server's groups with which a handshake yields a signature.
    ///
    /// `progress` is called with the number of schemes scanned so far.
    pub(super) fn signatures(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
        mut progress: impl FnMut(usize),
    ) -> Result<(), Error> {
        let groups: Vec<_> =
            found.usable().map(|(_, row, numbers)| (row, numbers)).take(MAX_GROUPS).collect();
        found.signatures_requested = !groups.is_empty();
        for (row, numbers) in groups {
            let of_others = found.failures.len();
            for (n, batch) in schemes.chunks(self.batch.get()).enumerate() {
                progress(n * self.batch.get());
                self.scan_batch(batch, (row, numbers), found, rate_limit)?;
            }
            if !found.signatures.is_empty() {
                found.failures.drain(..of_others);
                break;
            }
        }
        Ok(())
    }

    /// Scans the schemes of one batch.
    fn scan_batch(
        &self,
        batch: &[u16],
        (group, numbers): (&'static KemRow, Numbers),
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<(), Error> {
        let mut rest = batch.to_vec();
        let preferences = Preferences { groups: vec![group], numbers, ..Preferences::default() };
        let provider = Arc::new(provider_for_signatures(&preferences, Some(Accepted::ALL))?);
        while !rest.is_empty() {
            match self.handshake(&rest, &provider, found, rate_limit)? {
                Outcome::Refused => break,
                Outcome::Failed(reason) => {
                    found.record_failure(format!("with {}: {reason}", group.name()));
                    break;
                }
                Outcome::Signed(scheme, chain) => {
                    if found.signatures.iter().all(|(known, _)| *known != scheme) {
                        found.signatures.push((scheme, chain));
                    }
                    // a server that signs with a scheme that was not offered supports none of the offered ones
                    if !rest.contains(&scheme) {
                        break;
                    }
                    rest.retain(|code| *code != scheme);
                }
            }
        }
        Ok(())
    }

    /// Runs one handshake that offers these schemes.
    fn handshake(
        &self,
        schemes: &[u16],
        provider: &Arc<CryptoProvider>,
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Outcome, Error> {
        let schemes = schemes.iter().map(|code| SignatureScheme::from(*code)).collect();
        let verifier = Arc::new(RecordingVerifier { schemes, observed: Mutex::default() });
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(Preferences::default().versions())
            .map_err(setup_error)?
            .dangerous()
            .with_custom_certificate_verifier(verifier.clone())
            .with_no_client_auth();
        let mut tls =
            Engine::client(&Arc::new(config), server_name(&self.name)?, &[]).map_err(setup_error)?;
        let ended = run_handshake(&mut tls, self.open(found, rate_limit)?);
        let observed = std::mem::take(&mut *verifier.observed.lock().unwrap_or_else(PoisonError::into_inner));
        match (observed.scheme, ended) {
            (Some(scheme), _) => Ok(Outcome::Signed(scheme, observed.chain)),
            (None, Ok(())) => Ok(Outcome::Failed("the server did not sign".to_owned())),
            (None, Err(error)) if is_timeout(&error) => Err(self.error(error)),
            (None, Err(error)) if is_refusal(&tls, &error) => Ok(Outcome::Refused),
            (None, Err(error)) => Ok(Outcome::Failed(reason(&error))),
        }
    }
}

fn run_handshake(tls: &mut Engine, mut socket: CountingSocket) -> io::Result<()> {
    let mut ended = tls.write_to(&mut socket);
    while ended.is_ok() && tls.is_handshaking() {
        ended = match tls.read_from(&mut socket) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => tls.write_to(&mut socket),
            Err(error) => Err(error),
        };
    }
    if ended.is_ok() {
        tls.close().map_err(io::Error::other)?;
    }
    // close_notify, or the alert
    ended.and(tls.write_to(&mut socket))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// Returns whether the server refused all schemes, with an alert or by closing the connection before its hello.
fn is_refusal(tls: &Engine, error: &io::Error) -> bool {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(TlsError::AlertReceived(alert)) => NO_SCHEME_IN_COMMON.contains(&u8::from(*alert)),
        Some(_) => false,
        None => is_closed(error) && tls.state().and_then(CommonState::protocol_version).is_none(),
    }
}

/// Signature scheme and chain that a server presented.
#[derive(Debug, Default)]
struct Observed {
    scheme: Option<u16>,
    chain: Chain,
}

/// Verifier that accepts everything and records what the server presents.
#[derive(Debug)]
struct RecordingVerifier {
    schemes: Vec<SignatureScheme>,
    observed: Mutex<Observed>,
}

impl RecordingVerifier {
    fn update(&self, change: impl FnOnce(&mut Observed)) {
        change(&mut self.observed.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl ServerCertVerifier for RecordingVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let chain = [std::slice::from_ref(end_entity), intermediates].concat();
        self.update(|observed| observed.chain = Chain::new(&chain));
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        self.update(|observed| observed.scheme = Some(signed.scheme.into()));
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
