//! What a server accepts: which groups, in every era, and which signatures and certificates it has.
//!
//! Groups are asked for in batches, with a ClientHello that has no key share: the server names one of the batch in a
//! HelloRetryRequest, is asked again without that one, and so on until it refuses. That takes a connection for each group
//! that it accepts and one for each batch. Four more tell whether it prefers quantum-safe groups. Signatures stand in
//! encrypted messages: for them there is one whole handshake for each scheme that the server has, in a group that was
//! found before.

mod hello;
mod order;

pub use order::{Order, Preference, Trial};

use crate::client::{server_name, set_up};
use crate::error::Error;
use crate::groups;
use crate::provider::{Preferences, accepting};
use crate::report::Chain;
use crate::transport::dial;
use crate::verify::Accepted;
use grille_registry::era::{Entry, Kind};
use grille_registry::{KEMS, KemRow, Numbers, Profile, SIGNATURES, SignatureRow};
use hello::Answer;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error as TlsError, SignatureScheme};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How a server is asked.
pub struct Scan {
    /// `host:port`.
    pub address: String,
    /// The name that it is asked for.
    pub name: String,
    /// The least time between the beginnings of two connections.
    pub interval: Duration,
    /// How many groups or schemes one ClientHello has: some servers refuse long lists.
    pub batch: usize,
    /// How long it is waited for.
    pub timeout: Duration,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Groups in the order in which the server named them: within a batch, its own.
    pub groups: Vec<u16>,
    /// The group that it takes where it may take any of `groups`, whatever their order; `None` if it follows the
    /// client's order, or takes no group.
    pub preferred: Option<u16>,
    /// What it takes of a classical and a quantum-safe group; `None` if it has not both, or this side has not.
    pub order: Option<Order>,
    /// Signature schemes that it signs with, and the chain that it showed with each.
    pub signatures: Vec<(u16, Chain)>,
    /// The version that it answers with in place of TLS 1.3.
    pub old_version: Option<u16>,
    /// How many connections it took.
    pub connections: u32,
    /// Whether it ever answered a ClientHello.
    answered: bool,
    /// Whether signatures were asked for: not if this side has none of the server's groups.
    pub signatures_asked: bool,
}

/// RFC 8446 section 6: `handshake_failure`, `illegal_parameter`, `missing_extension`, `insufficient_security`.
const NOTHING_IN_COMMON: [u8; 4] = [40, 47, 109, 71];
/// `protocol_version`.
const WRONG_VERSION: u8 = 70;

/// Classical groups that the registry has no row for, and their names.
pub const OTHER_GROUPS: [(u16, &str); 10] = [
    (0x001E, "x448"),
    (0x001F, "brainpoolP256r1tls13"),
    (0x0020, "brainpoolP384r1tls13"),
    (0x0021, "brainpoolP512r1tls13"),
    (0x0029, "curveSM2"),
    (0x0100, "ffdhe2048"),
    (0x0101, "ffdhe3072"),
    (0x0102, "ffdhe4096"),
    (0x0103, "ffdhe6144"),
    (0x0104, "ffdhe8192"),
];

/// Classical signature schemes that the registry has no row for, or many, and their names.
pub const OTHER_SCHEMES: [(u16, &str); 7] = [
    (0x0804, "rsa_pss_rsae_sha256"),
    (0x0805, "rsa_pss_rsae_sha384"),
    (0x0806, "rsa_pss_rsae_sha512"),
    (0x0809, "rsa_pss_pss_sha256"),
    (0x080A, "rsa_pss_pss_sha384"),
    (0x080B, "rsa_pss_pss_sha512"),
    (0x0808, "ed448"),
];

/// Every group number of every era, the registry's own first.
#[must_use]
pub fn every_group() -> Vec<u16> {
    let own = KEMS.iter().filter_map(|row| row.tls_group);
    every(own.chain(OTHER_GROUPS.iter().map(|(code, _)| *code)), Kind::Group)
}

/// Every signature scheme of every era, the registry's own first.
#[must_use]
pub fn every_scheme() -> Vec<u16> {
    let own = SIGNATURES.iter().filter_map(|row| row.tls_scheme);
    every(own.chain(OTHER_SCHEMES.iter().map(|(code, _)| *code)), Kind::Scheme)
}

fn every(own: impl Iterator<Item = u16>, kind: Kind) -> Vec<u16> {
    let entries = Entry::all().iter().filter(|entry| entry.kind == kind).map(|entry| entry.code);
    let mut seen = BTreeSet::new();
    own.chain(entries).filter(|code| seen.insert(*code)).collect()
}

/// The KEM that a group number stands for in any era, and the numbers of that era.
#[must_use]
pub fn kem_of(code: u16) -> Option<(&'static KemRow, Numbers)> {
    Profile::ALL.map(Numbers::of).into_iter().find_map(|numbers| Some((numbers.kem_by_group(code)?, numbers)))
}

/// The signature algorithm that a scheme's number stands for in any era.
#[must_use]
pub fn signature_of(code: u16) -> Option<&'static SignatureRow> {
    Profile::ALL.map(Numbers::of).into_iter().find_map(|numbers| numbers.signature_by_scheme(code))
}

impl Scan {
    /// Asks for everything.
    ///
    /// `progress` hears how many groups and schemes have been asked for, and how many there are.
    ///
    /// # Errors
    /// [`Error::Io`] if the server cannot be reached, does not answer in time, or speaks no TLS.
    pub fn run(&self, mut progress: impl FnMut(usize, usize)) -> Result<Found, Error> {
        let (groups, schemes) = (every_group(), every_scheme());
        let all = groups.len() + schemes.len();
        let (mut found, mut pace) = (Found::default(), Pace { interval: self.interval, last: None });
        for (n, batch) in groups.chunks(self.batch).enumerate() {
            progress(n * self.batch, all);
            self.groups(batch, &schemes, &mut found, &mut pace)?;
            if found.old_version.is_some() {
                return Ok(found);
            }
        }
        if !found.answered {
            let silence = "it ends every connection without an answer; is that a TLS server?";
            return Err(self.broken(io::Error::new(io::ErrorKind::InvalidData, silence)));
        }
        found.preferred = self.preferred(&schemes, &mut found, &mut pace)?;
        found.order = self.order(&schemes, &mut found, &mut pace)?;
        if let Some(usable) = found.groups.iter().find_map(|code| usable(*code)) {
            found.signatures_asked = true;
            for (n, batch) in schemes.chunks(self.batch).enumerate() {
                progress(groups.len() + n * self.batch, all);
                self.signatures(batch, usable, &mut found, &mut pace)?;
            }
        }
        Ok(found)
    }

    /// The groups of one batch.
    fn groups(
        &self,
        batch: &[u16],
        schemes: &[u16],
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<(), Error> {
        let mut rest = batch.to_vec();
        while !rest.is_empty() {
            let Some(group) = self.ask(&Question::about(&rest, schemes), found, pace)? else { return Ok(()) };
            rest.retain(|code| *code != group);
            found.groups.push(group);
        }
        Ok(())
    }

    /// The group that the server takes of all it knows, in either order.
    fn preferred(&self, schemes: &[u16], found: &mut Found, pace: &mut Pace) -> Result<Option<u16>, Error> {
        let mut groups = found.groups.clone();
        if groups.len() < 2 {
            return Ok(groups.pop());
        }
        let forwards = self.ask(&Question::about(&groups, schemes), found, pace)?;
        groups.reverse();
        let backwards = self.ask(&Question::about(&groups, schemes), found, pace)?;
        Ok(forwards.filter(|_| forwards == backwards))
    }

    /// Which of the groups the server takes.
    fn ask(&self, question: &Question<'_>, found: &mut Found, pace: &mut Pace) -> Result<Option<u16>, Error> {
        let mut socket = self.open(found, pace)?;
        // an address is no name to ask for
        let name = matches!(server_name(&self.name)?, ServerName::DnsName(_)).then_some(self.name.as_str());
        socket.write_all(&hello::write(name, question)).map_err(|e| self.broken(e))?;
        let answer = hello::read(&mut socket).map_err(|e| self.broken(e))?;
        found.answered |= !matches!(answer, Answer::Nothing);
        match answer {
            Answer::Retry(group) if question.groups.contains(&group) => Ok(Some(group)),
            Answer::Taken(group) if question.shares.iter().any(|(code, _)| *code == group) => Ok(Some(group)),
            Answer::Retry(group) | Answer::Taken(group) => Err(self.broken(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it takes the group 0x{group:04X}, which was not offered, or not its key share"),
            ))),
            Answer::Alert(WRONG_VERSION) => {
                found.old_version = Some(0);
                Ok(None)
            }
            Answer::OldVersion(version) => {
                found.old_version = Some(version);
                Ok(None)
            }
            Answer::Nothing => Ok(None),
            Answer::Alert(alert) if NOTHING_IN_COMMON.contains(&alert) => Ok(None),
            Answer::Alert(alert) => Err(self.broken(io::Error::new(
                io::ErrorKind::ConnectionAborted,
                format!("it refuses with the alert {alert}"),
            ))),
        }
    }

    /// The schemes of one batch: whole handshakes with a client that believes everything.
    fn signatures(
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
            let schemes = rest.iter().map(|code| SignatureScheme::from(*code)).collect();
            let witness = Arc::new(Witness { schemes, seen: Mutex::default() });
            let config = ClientConfig::builder_with_provider(provider.clone())
                .with_protocol_versions(preferences.versions())
                .map_err(set_up)?
                .dangerous()
                .with_custom_certificate_verifier(witness.clone())
                .with_no_client_auth();
            let tls = ClientConnection::new(Arc::new(config), server_name(&self.name)?).map_err(set_up)?;
            // a handshake that fails after the signature has told what is asked for; one that fails before says no
            let ended = shake_hands(tls, self.open(found, pace)?);
            let Some((scheme, chain)) = witness.seen.lock().unwrap_or_else(PoisonError::into_inner).take()
            else {
                return match ended {
                    Err(error) if is_timeout(&error) => Err(self.broken(error)),
                    _ => Ok(()),
                };
            };
            if !rest.contains(&scheme) {
                return Ok(());
            }
            rest.retain(|code| *code != scheme);
            found.signatures.push((scheme, chain));
        }
        Ok(())
    }

    fn broken(&self, error: io::Error) -> Error {
        Error::from_io(format!("ask {}", self.address), error)
    }

    fn open(&self, found: &mut Found, pace: &mut Pace) -> Result<TcpStream, Error> {
        pace.wait();
        found.connections += 1;
        let connect = || {
            let socket = dial(&self.address, self.timeout)?;
            socket.set_read_timeout(Some(self.timeout))?;
            socket.set_write_timeout(Some(self.timeout))?;
            Ok(socket)
        };
        connect().map_err(|e| Error::from_io(format!("connect to {}", self.address), e))
    }
}

/// What a ClientHello offers.
struct Question<'a> {
    groups: &'a [u16],
    schemes: &'a [u16],
    /// Groups, and key shares for them.
    shares: &'a [(u16, Vec<u8>)],
}

impl<'a> Question<'a> {
    /// Which of these groups it is, without computing anything.
    const fn about(groups: &'a [u16], schemes: &'a [u16]) -> Self {
        Self { groups, schemes, shares: &[] }
    }
}

/// The first group, in its numbers, that this side has itself.
fn usable(code: u16) -> Option<(&'static KemRow, Numbers)> {
    kem_of(code).filter(|(row, numbers)| groups::group(row, *numbers).is_some())
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

fn shake_hands(mut tls: ClientConnection, mut socket: TcpStream) -> io::Result<()> {
    while tls.is_handshaking() {
        tls.complete_io(&mut socket)?;
    }
    tls.send_close_notify();
    while tls.wants_write() {
        tls.write_tls(&mut socket)?;
    }
    Ok(())
}

/// Connections begin no faster than so.
struct Pace {
    interval: Duration,
    last: Option<Instant>,
}

impl Pace {
    fn wait(&mut self) {
        if let Some(last) = self.last {
            thread::sleep(self.interval.saturating_sub(last.elapsed()));
        }
        self.last = Some(Instant::now());
    }
}

/// Believes everything, and notes it: what it is for is to see what a server shows.
#[derive(Debug)]
struct Witness {
    schemes: Vec<SignatureScheme>,
    seen: Mutex<Option<(u16, Chain)>>,
}

impl Witness {
    fn note(&self, change: impl FnOnce(&mut (u16, Chain))) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        change(seen.get_or_insert_default());
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
        self.note(|seen| seen.1 = Chain::of(&chain));
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
        self.note(|seen| seen.0 = signed.scheme.into());
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
