//! Scan of a server: supported groups in every era, signature schemes, and certificates.
//!
//! Groups are offered in batches, with a ClientHello without key shares. The server selects one group in a
//! HelloRetryRequest; the scan then offers the remaining groups, until the server refuses. This takes one connection
//! per supported group and one per batch. If a number has several meanings, further connections, one per meaning,
//! determine the right one. Four more connections determine whether the server prefers post-quantum groups. Signatures
//! are encrypted, so they need complete handshakes, one per supported scheme and one per batch, in one of the groups
//! found. If no handshake yields a signature in that group, the scan tries another one, up to three groups in total.

pub mod hello;
mod meaning;
mod order;
mod signatures;

pub use meaning::{Group, Meaning, group_meanings, meanings_of_scheme};
pub use order::{Order, Preference, Trial};

use crate::client::server_name;
use crate::error::Error;
use crate::report::Chain;
use crate::starttls::StartTls;
use crate::transport::{CountingSocket, dial};
use grille_registry::era::{Entry, Kind};
use grille_registry::{KEMS, KemRow, Numbers, SIGNATURES};
use hello::{Answer, Offer};
use rustls::pki_types::ServerName;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

/// Parameters of a scan.
pub struct Scan {
    /// Address of the server, as `host:port`.
    pub address: String,
    /// Server name to request.
    pub name: String,
    /// Protocol whose STARTTLS command precedes TLS, if any.
    pub start_tls: Option<StartTls>,
    /// Minimum time between the starts of two connections.
    pub interval: Duration,
    /// Number of groups or schemes per ClientHello: some servers refuse long lists.
    pub batch: NonZeroUsize,
    /// Timeout of each connection, including connecting.
    pub timeout: Duration,
    /// Maximum time of the whole scan, without the pauses of `interval`. It is checked before each connection, so a
    /// scan may take up to one `timeout` longer.
    pub time_limit: Duration,
}

/// Result of a scan.
#[derive(Clone, Debug, Default)]
pub struct ScanFindings {
    /// Supported groups, in the order in which the server selected them; within a batch, the server's own order.
    pub groups: Vec<Group>,
    /// Group that the server prefers among all of `groups`, whatever the client's order; `None` if the server follows
    /// the client's order, or supports no group.
    pub preferred: Option<u16>,
    /// Preference between a classical and a post-quantum group; `None` if the server, or this side, supports groups of
    /// only one of these kinds.
    pub order: Option<Order>,
    /// Signature schemes that the server uses, each with the chain that it presented.
    pub signatures: Vec<(u16, Chain)>,
    /// Reasons why handshakes failed before a signature was received, without duplicates. The server may support
    /// further schemes.
    pub failures: Vec<String>,
    /// Version that the server uses instead of TLS 1.3.
    pub old_version: Option<u16>,
    /// Number of connections made.
    pub connections: u32,
    /// Whether the server has answered any ClientHello.
    answered: bool,
    /// Whether signatures were scanned; false if this side supports none of the server's groups.
    pub signatures_requested: bool,
}

/// Alerts of a server without a common parameter, RFC 8446 section 6: `handshake_failure`, `illegal_parameter`,
/// `missing_extension`, `insufficient_security`.
const NOTHING_IN_COMMON: [u8; 4] = [40, 47, 109, 71];
/// The alert `protocol_version`.
const WRONG_VERSION: u8 = 70;

/// Classical groups without a row in the registry, with their names.
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

/// Classical signature schemes without a row of their own in the registry, with their names.
pub const OTHER_SCHEMES: [(u16, &str); 7] = [
    (0x0804, "rsa_pss_rsae_sha256"),
    (0x0805, "rsa_pss_rsae_sha384"),
    (0x0806, "rsa_pss_rsae_sha512"),
    (0x0809, "rsa_pss_pss_sha256"),
    (0x080A, "rsa_pss_pss_sha384"),
    (0x080B, "rsa_pss_pss_sha512"),
    (0x0808, "ed448"),
];

/// Returns the numbers of all groups in all eras, without duplicates. The numbers in `grille_registry`'s rows and
/// [`OTHER_GROUPS`] come first.
#[must_use]
pub fn all_groups() -> Vec<u16> {
    let own = KEMS.iter().filter_map(|row| row.tls_group);
    all_codes(own.chain(OTHER_GROUPS.iter().map(|(code, _)| *code)), Kind::Group)
}

/// Returns the numbers of all signature schemes in all eras, without duplicates. The numbers in `grille_registry`'s
/// rows and [`OTHER_SCHEMES`] come first.
#[must_use]
pub fn all_schemes() -> Vec<u16> {
    let own = SIGNATURES.iter().filter_map(|row| row.tls_scheme);
    all_codes(own.chain(OTHER_SCHEMES.iter().map(|(code, _)| *code)), Kind::Scheme)
}

fn all_codes(own: impl Iterator<Item = u16>, kind: Kind) -> Vec<u16> {
    let entries = Entry::all().iter().filter(|entry| entry.kind == kind).map(|entry| entry.code);
    let mut seen = BTreeSet::new();
    own.chain(entries).filter(|code| seen.insert(*code)).collect()
}

impl ScanFindings {
    /// Returns the codepoints of the groups.
    #[must_use]
    pub fn codes(&self) -> Vec<u16> {
        self.groups.iter().map(|group| group.code).collect()
    }

    /// Iterates over the groups whose meaning is certain and that this side supports.
    fn usable(&self) -> impl Iterator<Item = (u16, &'static KemRow, Numbers)> {
        self.groups.iter().filter_map(|group| group.usable().map(|(row, numbers)| (group.code, row, numbers)))
    }

    fn record_failure(&mut self, reason: String) {
        if !self.failures.contains(&reason) {
            self.failures.push(reason);
        }
    }
}

impl Scan {
    /// Runs the whole scan.
    ///
    /// `progress` is called with the number of groups and schemes scanned so far, and their total.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the server cannot be reached, does not answer in time, does not use TLS, or the scan
    /// exceeds its time limit.
    pub fn run(&self, mut progress: impl FnMut(usize, usize)) -> Result<ScanFindings, Error> {
        let (groups, schemes) = (all_groups(), all_schemes());
        let all = groups.len() + schemes.len();
        let (mut found, mut rate_limit) = (ScanFindings::default(), RateLimit::new(self.interval));
        for (n, batch) in groups.chunks(self.batch.get()).enumerate() {
            progress(n * self.batch.get(), all);
            self.scan_group_batch(batch, &schemes, &mut found, &mut rate_limit)?;
            if found.old_version.is_some() {
                return Ok(found);
            }
        }
        if !found.answered {
            let silence = "the server closes every connection without an answer; is it a TLS server?";
            return Err(self.error(io::Error::new(io::ErrorKind::InvalidData, silence)));
        }
        self.determine_meanings(&schemes, &mut found, &mut rate_limit)?;
        found.preferred = self.find_preferred(&schemes, &mut found, &mut rate_limit)?;
        found.order = self.order(&schemes, &mut found, &mut rate_limit)?;
        self.signatures(&schemes, &mut found, &mut rate_limit, |done| progress(groups.len() + done, all))?;
        Ok(found)
    }

    /// Scans the groups of one batch.
    fn scan_group_batch(
        &self,
        batch: &[u16],
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<(), Error> {
        let mut rest = batch.to_vec();
        while !rest.is_empty() {
            let Some(group) = self.select_group(&Offer::without_shares(&rest, schemes), found, rate_limit)?
            else {
                return Ok(());
            };
            rest.retain(|code| *code != group);
            found.groups.push(Group::new(group));
        }
        Ok(())
    }

    /// Offers all groups of the server in two opposite orders. Returns the selected group if the server selects it both
    /// times.
    fn find_preferred(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Option<u16>, Error> {
        let mut groups = found.codes();
        if groups.len() < 2 {
            return Ok(groups.pop());
        }
        let forwards = self.select_group(&Offer::without_shares(&groups, schemes), found, rate_limit)?;
        groups.reverse();
        let backwards = self.select_group(&Offer::without_shares(&groups, schemes), found, rate_limit)?;
        Ok(forwards.filter(|_| forwards == backwards))
    }

    /// Returns the group that the server selects, if any.
    fn select_group(
        &self,
        offer: &Offer<'_>,
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Option<u16>, Error> {
        match self.exchange_hello(offer, found, rate_limit)? {
            Answer::Retry(group) if offer.groups.contains(&group) => Ok(Some(group)),
            Answer::Accepted(group, _) if offer.shares.iter().any(|(code, _)| *code == group) => {
                Ok(Some(group))
            }
            Answer::Retry(group) | Answer::Accepted(group, _) => Err(self.error(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("the server selected the group 0x{group:04X}, which was not offered, or was offered without a key share"),
            ))),
            Answer::Alert(WRONG_VERSION) => {
                found.old_version = Some(0);
                Ok(None)
            }
            Answer::OldVersion(version) => {
                found.old_version = Some(version);
                Ok(None)
            }
            Answer::Closed => Ok(None),
            Answer::Alert(alert) if NOTHING_IN_COMMON.contains(&alert) => Ok(None),
            Answer::Alert(alert) => Err(self.error(io::Error::new(
                io::ErrorKind::ConnectionAborted,
                format!("the server refuses with the alert {alert}"),
            ))),
        }
    }

    /// Sends a ClientHello and returns the server's answer.
    fn exchange_hello(
        &self,
        offer: &Offer<'_>,
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Answer, Error> {
        let mut socket = self.open(found, rate_limit)?;
        // an IP address cannot be requested as server name
        let name = matches!(server_name(&self.name)?, ServerName::DnsName(_)).then_some(self.name.as_str());
        socket.write_all(&hello::write(name, offer)).map_err(|e| self.error(e))?;
        let answer = hello::read(&mut socket).map_err(|e| self.error(e))?;
        found.answered |= !matches!(answer, Answer::Closed);
        Ok(answer)
    }

    fn error(&self, error: io::Error) -> Error {
        Error::from_io(format!("query {}", self.address), error)
    }

    fn open(&self, found: &mut ScanFindings, rate_limit: &mut RateLimit) -> Result<CountingSocket, Error> {
        rate_limit.wait();
        if rate_limit.elapsed() > self.time_limit {
            let reason = format!("the scan exceeds its time limit of {} s", self.time_limit.as_secs());
            return Err(self.error(io::Error::new(io::ErrorKind::QuotaExceeded, reason)));
        }
        found.connections += 1;
        let deadline = Instant::now().checked_add(self.timeout);
        let socket = dial(&self.address, self.timeout)
            .map_err(|e| Error::from_io(format!("connect to {}", self.address), e))?;
        let mut socket = CountingSocket::new(socket);
        socket.set_deadline(deadline);
        if let Some(protocol) = self.start_tls {
            protocol.negotiate(&mut socket, &self.name).map_err(|e| self.error(e))?;
        }
        Ok(socket)
    }
}

/// Limits the rate of connections, and measures the time of a scan.
struct RateLimit {
    interval: Duration,
    last: Option<Instant>,
    start: Instant,
    /// Sum of all pauses.
    paused: Duration,
}

impl RateLimit {
    fn new(interval: Duration) -> Self {
        Self { interval, last: None, start: Instant::now(), paused: Duration::ZERO }
    }

    fn wait(&mut self) {
        let before = Instant::now();
        if let Some(last) = self.last {
            thread::sleep(self.interval.saturating_sub(last.elapsed()));
        }
        self.paused += before.elapsed();
        self.last = Some(Instant::now());
    }

    /// Returns the time since the start, without pauses.
    fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.paused)
    }
}
