//! What a server accepts: which groups, in every era, and which signatures and certificates it has.
//!
//! Groups are asked for in batches, with a ClientHello that has no key share: the server names one of the batch in a
//! HelloRetryRequest, is asked again without that one, and so on until it refuses. That takes a connection for each group
//! that it accepts and one for each batch. Where a number has several meanings, one more for each that this side has tells
//! which it is. Four more tell whether it prefers quantum-safe groups. Signatures stand in encrypted messages: for them
//! there is one whole handshake for each scheme that the server has and one for each batch, in a group that was found
//! before, or if none succeeds in up to three.

pub mod hello;
mod meaning;
mod order;
mod signatures;

pub use meaning::{Group, Meaning, meanings_of_group, meanings_of_scheme};
pub use order::{Order, Preference, Trial};

use crate::client::server_name;
use crate::error::Error;
use crate::report::Chain;
use crate::starttls::StartTls;
use crate::transport::{Counted, dial};
use grille_registry::era::{Entry, Kind};
use grille_registry::{KEMS, KemRow, Numbers, SIGNATURES};
use hello::Answer;
use rustls::pki_types::ServerName;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

/// How a server is asked.
pub struct Scan {
    /// `host:port`.
    pub address: String,
    /// The name that it is asked for.
    pub name: String,
    /// The protocol in which it is asked for TLS first, if any.
    pub start_tls: Option<StartTls>,
    /// The least time between the beginnings of two connections.
    pub interval: Duration,
    /// How many groups or schemes one ClientHello has: some servers refuse long lists.
    pub batch: NonZeroUsize,
    /// The longest time of one connection, from connecting to its end.
    pub timeout: Duration,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Groups in the order in which the server named them: within a batch, its own.
    pub groups: Vec<Group>,
    /// The group that it takes where it may take any of `groups`, whatever their order; `None` if it follows the
    /// client's order, or takes no group.
    pub preferred: Option<u16>,
    /// What it takes of a classical and a quantum-safe group; `None` if it has not both, or this side has not.
    pub order: Option<Order>,
    /// Signature schemes that it signs with, and the chain that it showed with each.
    pub signatures: Vec<(u16, Chain)>,
    /// Why handshakes ended before a signature was seen, each reason once; what such a server signs with otherwise is
    /// unknown.
    pub failures: Vec<String>,
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

impl Found {
    /// The numbers of the groups.
    #[must_use]
    pub fn codes(&self) -> Vec<u16> {
        self.groups.iter().map(|group| group.code).collect()
    }

    /// The groups of which it is certain what they are, and that this side has itself.
    fn usable(&self) -> impl Iterator<Item = (u16, &'static KemRow, Numbers)> {
        self.groups.iter().filter_map(|group| group.usable().map(|(row, numbers)| (group.code, row, numbers)))
    }

    fn fail(&mut self, reason: String) {
        if !self.failures.contains(&reason) {
            self.failures.push(reason);
        }
    }
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
        for (n, batch) in groups.chunks(self.batch.get()).enumerate() {
            progress(n * self.batch.get(), all);
            self.groups(batch, &schemes, &mut found, &mut pace)?;
            if found.old_version.is_some() {
                return Ok(found);
            }
        }
        if !found.answered {
            let silence = "it ends every connection without an answer; is that a TLS server?";
            return Err(self.broken(io::Error::new(io::ErrorKind::InvalidData, silence)));
        }
        self.tell_apart(&schemes, &mut found, &mut pace)?;
        found.preferred = self.preferred(&schemes, &mut found, &mut pace)?;
        found.order = self.order(&schemes, &mut found, &mut pace)?;
        self.signatures(&schemes, &mut found, &mut pace, |done| progress(groups.len() + done, all))?;
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
            found.groups.push(Group::new(group));
        }
        Ok(())
    }

    /// The group that the server takes of all it knows, in either order.
    fn preferred(&self, schemes: &[u16], found: &mut Found, pace: &mut Pace) -> Result<Option<u16>, Error> {
        let mut groups = found.codes();
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
        match self.answer(question, found, pace)? {
            Answer::Retry(group) if question.groups.contains(&group) => Ok(Some(group)),
            Answer::Taken(group, _) if question.shares.iter().any(|(code, _)| *code == group) => {
                Ok(Some(group))
            }
            Answer::Retry(group) | Answer::Taken(group, _) => Err(self.broken(io::Error::new(
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

    /// What the server answers.
    fn answer(&self, question: &Question<'_>, found: &mut Found, pace: &mut Pace) -> Result<Answer, Error> {
        let mut socket = self.open(found, pace)?;
        // an address is no name to ask for
        let name = matches!(server_name(&self.name)?, ServerName::DnsName(_)).then_some(self.name.as_str());
        socket.write_all(&hello::write(name, question)).map_err(|e| self.broken(e))?;
        let answer = hello::read(&mut socket).map_err(|e| self.broken(e))?;
        found.answered |= !matches!(answer, Answer::Nothing);
        Ok(answer)
    }

    fn broken(&self, error: io::Error) -> Error {
        Error::from_io(format!("ask {}", self.address), error)
    }

    fn open(&self, found: &mut Found, pace: &mut Pace) -> Result<Counted, Error> {
        pace.wait();
        found.connections += 1;
        let deadline = Instant::now().checked_add(self.timeout);
        let socket = dial(&self.address, self.timeout)
            .map_err(|e| Error::from_io(format!("connect to {}", self.address), e))?;
        let mut socket = Counted::new(socket);
        socket.set_deadline(deadline);
        if let Some(protocol) = self.start_tls {
            protocol.negotiate(&mut socket, &self.name).map_err(|e| self.broken(e))?;
        }
        Ok(socket)
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
