//! Admission control: limits for open connections and for unfinished handshakes. New clients displace silent
//! handshakes.
//!
//! Half-open connections cost an attacker nothing, so a limit alone would let attackers shut out every new client. At
//! the limit, the connection that has been silent for the longest time is closed to admit a new client. Only
//! connections with an unfinished handshake can be displaced, and only after [`MIN_SILENCE`]. Each source address may
//! have at most [`Limits::handshakes_per_source`] unfinished handshakes.

use crate::options::Limits;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::pending;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

/// Minimum silence before a connection can be displaced. It is longer than the round trips of real clients, and than
/// the time in which the proxy reads data that has arrived.
pub(crate) const MIN_SILENCE: Duration = Duration::from_millis(500);

/// Limits for connections and handshakes.
pub(crate) struct Admission {
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
    queue: Arc<Queue>,
}

/// Permit for a connection, released when dropped.
pub(crate) type ConnectionPermit = OwnedSemaphorePermit;

/// Permits for a connection that has not been accepted yet.
pub(crate) struct Permits {
    connection: ConnectionPermit,
    handshake: OwnedSemaphorePermit,
}

impl Admission {
    /// Creates the limits. `connections` may be lower than the number in `limits`, because file descriptors are
    /// limited.
    pub(crate) fn new(limits: &Limits, connections: usize) -> Self {
        let most = |places: usize| Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
        let queue = Queue { per_source: limits.handshakes_per_source, ..Queue::default() };
        Self { connections: most(connections), handshakes: most(limits.handshakes), queue: Arc::new(queue) }
    }

    /// Waits for permits, and displaces a silent handshake if necessary. Calls `full` if no handshake can be
    /// displaced yet.
    pub(crate) async fn acquire_or_displace(&self, full: impl Fn()) -> Permits {
        loop {
            if let Some(permits) = self.try_acquire() {
                return permits;
            }
            let displaced = self.queue.displace_oldest();
            if !matches!(displaced, DisplaceResult::Now) {
                full();
            }
            tokio::select! {
                Some(permits) = self.acquire() => return permits,
                () = self.queue.changed.notified() => (),
                () = displaced.retry() => (),
            }
        }
    }

    fn try_acquire(&self) -> Option<Permits> {
        let connection = self.connections.clone().try_acquire_owned().ok()?;
        let handshake = self.handshakes.clone().try_acquire_owned().ok()?;
        Some(Permits { connection, handshake })
    }

    /// Waits for free permits. Returns `None` only if the semaphores are closed, which never happens.
    async fn acquire(&self) -> Option<Permits> {
        let connection = self.connections.clone().acquire_owned().await.ok()?;
        let handshake = self.handshakes.clone().acquire_owned().await.ok()?;
        Some(Permits { connection, handshake })
    }

    /// Admits a client. Returns `None` if its address has too many unfinished handshakes, none of which can be
    /// displaced.
    pub(crate) fn admit(
        &self,
        permits: Permits,
        client: IpAddr,
    ) -> Option<(ConnectionPermit, HandshakePermit)> {
        let source = Source::new(client);
        let mut entries = self.queue.entries();
        if !entries.make_room(source, self.queue.per_source) {
            return None;
        }
        let (id, leave) = entries.add(source);
        drop(entries);
        let queue = self.queue.clone();
        Some((permits.connection, HandshakePermit { id, source, leave, queue, _permit: permits.handshake }))
    }
}

/// Permit for an unfinished handshake, released when dropped.
pub(crate) struct HandshakePermit {
    id: u64,
    source: Source,
    leave: Arc<Notify>,
    queue: Arc<Queue>,
    _permit: OwnedSemaphorePermit,
}

/// Reason why a step of a handshake was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The timeout of the handshake expired.
    TimedOut,
    /// The connection was displaced by a new client.
    Displaced,
}

impl HandshakePermit {
    /// Runs `step`, which waits for data from the client, until it ends, the handshake is displaced or the timeout
    /// expires. Data that has already arrived is processed first, so that only silent clients are displaced.
    ///
    /// `end`: a timer that expires at the timeout of the handshake.
    pub(crate) async fn run_until_displaced<F: Future>(
        &mut self,
        end: Pin<&mut Sleep>,
        step: F,
    ) -> Result<F::Output, StopReason> {
        let result = tokio::select! {
            biased;
            output = step => Ok(output),
            () = self.leave.notified() => return Err(StopReason::Displaced),
            () = end => Err(StopReason::TimedOut),
        };
        // a client that has just sent data is not refused, regardless of other clients at its address
        self.renew(self.source);
        result
    }

    /// Sets the client's address after a load balancer reported it. Returns whether that address may have another
    /// unfinished handshake.
    pub(crate) fn set_source(&mut self, client: IpAddr) -> bool {
        self.renew(Source::new(client))
    }

    /// Restarts the measurement of silence and assigns the handshake to `source`. Returns whether `source` may have it.
    fn renew(&mut self, source: Source) -> bool {
        let mut entries = self.queue.entries();
        let was_displaced = !entries.remove(self.id);
        let has_room = entries.make_room(source, self.queue.per_source);
        (self.id, self.leave) = entries.add(source);
        self.source = source;
        drop(entries);
        if was_displaced {
            self.queue.changed.notify_one();
        }
        has_room
    }
}

impl Drop for HandshakePermit {
    fn drop(&mut self) {
        self.queue.entries().remove(self.id);
    }
}

/// Result of trying to displace a handshake.
enum DisplaceResult {
    /// A handshake was displaced. Its permit becomes free shortly, unless its client has just sent data.
    Now,
    /// Before this time, no handshake may be displaced; then the one that has been silent the longest may be.
    At(Instant),
    /// No connection is in its handshake.
    Never,
}

impl DisplaceResult {
    async fn retry(&self) {
        match self {
            Self::At(time) => sleep_until(*time).await,
            Self::Now | Self::Never => pending().await,
        }
    }
}

/// Handshakes that can be displaced.
#[derive(Default)]
struct Queue {
    per_source: usize,
    entries: Mutex<Entries>,
    /// Signals that a displaced handshake stays, because its client has sent data.
    changed: Notify,
}

impl Queue {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn displace_oldest(&self) -> DisplaceResult {
        let mut entries = self.entries();
        let Some((id, oldest)) = entries.silent.first_key_value() else { return DisplaceResult::Never };
        let (id, time) = (*id, oldest.since + MIN_SILENCE);
        if time > Instant::now() {
            return DisplaceResult::At(time);
        }
        entries.displace(id);
        DisplaceResult::Now
    }
}

#[derive(Default)]
struct Entries {
    next: u64,
    /// Silent handshakes by ID, longest silent first: a handshake gets a new, higher ID whenever its client sends data
    /// or its client address is reported.
    silent: BTreeMap<u64, SilentHandshake>,
    /// IDs of the handshakes of each source.
    sources: HashMap<Source, BTreeSet<u64>>,
}

struct SilentHandshake {
    source: Source,
    since: Instant,
    leave: Arc<Notify>,
}

impl Entries {
    fn add(&mut self, source: Source) -> (u64, Arc<Notify>) {
        let (id, leave) = (self.next, Arc::new(Notify::new()));
        self.next += 1;
        self.silent.insert(id, SilentHandshake { source, since: Instant::now(), leave: leave.clone() });
        self.sources.entry(source).or_default().insert(id);
        (id, leave)
    }

    /// Removes a handshake; returns whether it was present.
    fn remove(&mut self, id: u64) -> bool {
        self.take(id).is_some()
    }

    fn take(&mut self, id: u64) -> Option<SilentHandshake> {
        let silent = self.silent.remove(&id)?;
        if let Some(ids) = self.sources.get_mut(&silent.source) {
            ids.remove(&id);
            if ids.is_empty() {
                self.sources.remove(&silent.source);
            }
        }
        Some(silent)
    }

    fn displace(&mut self, id: u64) {
        if let Some(silent) = self.take(id) {
            silent.leave.notify_one();
        }
    }

    /// Displaces a handshake of this source if necessary, so that the source has fewer than `most` handshakes. Returns
    /// whether that succeeded.
    fn make_room(&mut self, source: Source, most: usize) -> bool {
        let Some(ids) = self.sources.get(&source).filter(|ids| ids.len() >= most) else { return true };
        let oldest =
            ids.first().copied().and_then(|id| self.silent.get(&id).map(|silent| (id, silent.since)));
        match oldest {
            Some((id, since)) if since + MIN_SILENCE <= Instant::now() => {
                self.displace(id);
                true
            }
            _ => false,
        }
    }
}

/// Part of an address that identifies a client. Only the first 64 bits of an IPv6 address count, because networks
/// assign a prefix of this length to each client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    V4(Ipv4Addr),
    V6([u16; 4]),
}

impl Source {
    fn new(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6([a, b, c, d])
            }
        }
    }
}
