//! The connections of a scan: each sends a ClientHello and reads the server's answer.

use super::hello::{self, Answer, Offer};
use super::meaning::Group;
use super::order::Order;
use crate::client::server_name;
use crate::error::Error;
use crate::report::Chain;
use crate::starttls::StartTls;
use crate::transport::{CountingSocket, dial};
use grille_registry::{KemRow, Numbers};
use rustls::pki_types::ServerName;
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
    pub(super) answered: bool,
    /// Whether signatures were scanned; false if this side supports none of the server's groups.
    pub signatures_requested: bool,
}

/// Alerts of a server without a common parameter, RFC 8446 section 6: `handshake_failure`, `illegal_parameter`,
/// `missing_extension`, `insufficient_security`.
const NOTHING_IN_COMMON: [u8; 4] = [40, 47, 109, 71];
/// The alert `protocol_version`.
const WRONG_VERSION: u8 = 70;

impl ScanFindings {
    /// Returns the codepoints of the groups.
    #[must_use]
    pub fn codes(&self) -> Vec<u16> {
        self.groups.iter().map(|group| group.code).collect()
    }

    /// Iterates over the groups whose meaning is certain and that this side supports.
    pub(super) fn usable(&self) -> impl Iterator<Item = (u16, &'static KemRow, Numbers)> {
        self.groups.iter().filter_map(|group| group.usable().map(|(row, numbers)| (group.code, row, numbers)))
    }

    pub(super) fn record_failure(&mut self, reason: String) {
        if !self.failures.contains(&reason) {
            self.failures.push(reason);
        }
    }
}

impl Scan {
    /// Returns the group that the server selects, if any.
    pub(super) fn select_group(
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
    pub(super) fn exchange_hello(
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

    pub(super) fn error(&self, error: io::Error) -> Error {
        Error::from_io(format!("query {}", self.address), error)
    }

    pub(super) fn open(
        &self,
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<CountingSocket, Error> {
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
pub(super) struct RateLimit {
    interval: Duration,
    last: Option<Instant>,
    start: Instant,
    /// Sum of all pauses.
    paused: Duration,
}

impl RateLimit {
    pub(super) fn new(interval: Duration) -> Self {
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
