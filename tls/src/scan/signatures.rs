//! Which signature schemes a server has, and which certificates it shows: whole handshakes, with a client that believes
//! everything.

use super::hello::is_closed;
use super::{Found, Pace, Scan};
use crate::client::{server_name, set_up};
use crate::engine::Engine;
use crate::error::{Error, reason};
use crate::provider::{Preferences, accepting};
use crate::report::Chain;
use crate::transport::Counted;
use crate::verify::Accepted;
use grille_registry::{KemRow, Numbers, Row};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, CommonState, DigitallySignedStruct, Error as TlsError, SignatureScheme};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// How many groups are tried where handshakes fail before a signature is seen.
const MAX_GROUPS: usize = 3;

/// RFC 8446 section 6, what servers say that have no certificate for any scheme offered: `handshake_failure`,
/// `access_denied`, `insufficient_security`.
const NO_SCHEME_IN_COMMON: [u8; 3] = [40, 49, 71];

/// How a handshake ended, as far as signatures are concerned.
enum Ended {
    /// The server signed, whatever came after that.
    Signed(u16, Chain),
    /// It has none of the schemes.
    Refused,
    /// Why there was no signature to see.
    Failed(String),
}

impl Scan {
    /// The schemes that the server signs with, in the first of its groups in which it signs at all.
    ///
    /// `progress` hears how many schemes have been asked for.
    pub(super) fn signatures(
        &self,
        schemes: &[u16],
        found: &mut Found,
        pace: &mut Pace,
        mut progress: impl FnMut(usize),
    ) -> Result<(), Error> {
        let groups: Vec<_> =
            found.usable().map(|(_, row, numbers)| (row, numbers)).take(MAX_GROUPS).collect();
        found.signatures_asked = !groups.is_empty();
        for (row, numbers) in groups {
            let of_others = found.failures.len();
            for (n, batch) in schemes.chunks(self.batch.get()).enumerate() {
                progress(n * self.batch.get());
                self.signatures_of(batch, (row, numbers), found, pace)?;
            }
            if !found.signatures.is_empty() {
                found.failures.drain(..of_others);
                break;
            }
        }
        Ok(())
    }

    /// The schemes of one batch.
    fn signatures_of(
        &self,
        batch: &[u16],
        (group, numbers): (&'static KemRow, Numbers),
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<(), Error> {
        let mut rest = batch.to_vec();
        let preferences = Preferences { groups: vec![group], numbers, ..Preferences::default() };
        let provider = Arc::new(accepting(&preferences, Some(Accepted::ALL))?);
        while !rest.is_empty() {
            match self.handshake(&rest, &provider, found, pace)? {
                Ended::Refused => break,
                Ended::Failed(reason) => {
                    found.fail(format!("with {}: {reason}", group.name()));
                    break;
                }
                Ended::Signed(scheme, chain) => {
                    if found.signatures.iter().all(|(known, _)| *known != scheme) {
                        found.signatures.push((scheme, chain));
                    }
                    // a server that signs with what was not offered has none of what was
                    if !rest.contains(&scheme) {
                        break;
                    }
                    rest.retain(|code| *code != scheme);
                }
            }
        }
        Ok(())
    }

    /// One handshake that offers these schemes.
    fn handshake(
        &self,
        schemes: &[u16],
        provider: &Arc<CryptoProvider>,
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<Ended, Error> {
        let schemes = schemes.iter().map(|code| SignatureScheme::from(*code)).collect();
        let witness = Arc::new(Witness { schemes, seen: Mutex::default() });
        let config = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(Preferences::default().versions())
            .map_err(set_up)?
            .dangerous()
            .with_custom_certificate_verifier(witness.clone())
            .with_no_client_auth();
        let mut tls = Engine::client(&Arc::new(config), server_name(&self.name)?, &[]).map_err(set_up)?;
        let ended = shake_hands(&mut tls, self.open(found, pace)?);
        let seen = std::mem::take(&mut *witness.seen.lock().unwrap_or_else(PoisonError::into_inner));
        match (seen.scheme, ended) {
            (Some(scheme), _) => Ok(Ended::Signed(scheme, seen.chain)),
            (None, Ok(())) => Ok(Ended::Failed("the server did not sign".to_owned())),
            (None, Err(error)) if is_timeout(&error) => Err(self.broken(error)),
            (None, Err(error)) if is_refusal(&tls, &error) => Ok(Ended::Refused),
            (None, Err(error)) => Ok(Ended::Failed(reason(&error))),
        }
    }
}

fn shake_hands(tls: &mut Engine, mut socket: Counted) -> io::Result<()> {
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
    // the goodbye, or the alert
    ended.and(tls.write_to(&mut socket))
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// Whether the server says that it has none of the schemes: with an alert, or by going away in place of its hello.
fn is_refusal(tls: &Engine, error: &io::Error) -> bool {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(TlsError::AlertReceived(alert)) => NO_SCHEME_IN_COMMON.contains(&u8::from(*alert)),
        Some(_) => false,
        None => is_closed(error) && tls.state().and_then(CommonState::protocol_version).is_none(),
    }
}

/// What a server showed before it all ended.
#[derive(Debug, Default)]
struct Seen {
    scheme: Option<u16>,
    chain: Chain,
}

/// Believes everything, and notes it: what it is for is to see what a server shows.
#[derive(Debug)]
struct Witness {
    schemes: Vec<SignatureScheme>,
    seen: Mutex<Seen>,
}

impl Witness {
    fn note(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let chain = [std::slice::from_ref(end_entity), intermediates].concat();
        self.note(|seen| seen.chain = Chain::of(&chain));
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
        self.note(|seen| seen.scheme = Some(signed.scheme.into()));
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
