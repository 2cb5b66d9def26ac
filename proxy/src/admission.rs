//! Admission: how many connections may be open, how many of those may be in their handshake, and which unfinished handshake
//! makes room for a new client.
//!
//! Half-open connections cost an attacker nothing, so a bound alone would let them shut out every new client. When no place
//! is left, the connection that has been silent for longest is closed, and the new client takes its place. Only connections
//! whose handshake is not finished can be displaced, and none before it has been silent for [`MIN_SILENCE`].
//! One source address can hold [`Limits::handshakes_per_source`] unfinished handshakes.

use crate::proxy::Limits;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::pending;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

/// How long a client may be silent before its connection can be displaced: longer than the round trips of real clients, and
/// than the proxy needs to read what has arrived.
pub(crate) const MIN_SILENCE: Duration = Duration::from_millis(500);

/// The places for connections and handshakes.
pub(crate) struct Admission {
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
    queue: Arc<Queue>,
}

/// The right to be a connection, for as long as it is held.
pub(crate) type Connection = OwnedSemaphorePermit;

/// A place for a connection that has not been accepted yet.
pub(crate) struct Place {
    connection: Connection,
    handshake: OwnedSemaphorePermit,
}

impl Admission {
    /// `connections`: how many may be open, which file descriptors may bound further than `limits`.
    pub(crate) fn new(limits: &Limits, connections: usize) -> Self {
        let most = |places: usize| Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS)));
        let queue = Queue { per_source: limits.handshakes_per_source, ..Queue::default() };
        Self { connections: most(connections), handshakes: most(limits.handshakes), queue: Arc::new(queue) }
    }

    /// Waits for a place, and makes one by displacing a silent handshake. Calls `full` when no handshake can be displaced yet.
    pub(crate) async fn place(&self, full: impl Fn()) -> Place {
        loop {
            if let Some(place) = self.try_place() {
                return place;
            }
            let displaced = self.queue.displace_oldest();
            if !matches!(displaced, Displaced::Now) {
                full();
            }
            tokio::select! {
                Some(place) = self.free_place() => return place,
                () = self.queue.changed.notified() => (),
                () = displaced.retry() => (),
            }
        }
    }

    fn try_place(&self) -> Option<Place> {
        let connection = self.connections.clone().try_acquire_owned().ok()?;
        let handshake = self.handshakes.clone().try_acquire_owned().ok()?;
        Some(Place { connection, handshake })
    }

    /// `None` only if the semaphores were closed, which nothing does.
    async fn free_place(&self) -> Option<Place> {
        let connection = self.connections.clone().acquire_owned().await.ok()?;
        let handshake = self.handshakes.clone().acquire_owned().await.ok()?;
        Some(Place { connection, handshake })
    }

    /// Gives a place to a client. `None` if its address holds too many unfinished handshakes, none of which can be displaced.
    pub(crate) fn enter(&self, place: Place, client: IpAddr) -> Option<(Connection, Handshake)> {
        let source = Source::of(client);
        let mut entries = self.queue.entries();
        if !entries.make_room(source, self.queue.per_source) {
            return None;
        }
        let (id, leave) = entries.add(source);
        drop(entries);
        let queue = self.queue.clone();
        Some((place.connection, Handshake { id, source, leave, queue, _permit: place.handshake }))
    }
}

/// An unfinished handshake, for as long as it is held.
pub(crate) struct Handshake {
    id: u64,
    source: Source,
    leave: Arc<Notify>,
    queue: Arc<Queue>,
    _permit: OwnedSemaphorePermit,
}

/// Why a step of a handshake was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The time for the handshake is over.
    Late,
    /// The connection made room for a new client.
    Displaced,
}

impl Handshake {
    /// Waits for something that the client must send. What it has sent already is looked at first, so that only a silent
    /// client is displaced.
    ///
    /// `end`: ends when the time for the handshake does.
    pub(crate) async fn within<F: Future>(
        &mut self,
        end: Pin<&mut Sleep>,
        step: F,
    ) -> Result<F::Output, Stopped> {
        let result = tokio::select! {
            biased;
            output = step => Ok(output),
            () = self.leave.notified() => return Err(Stopped::Displaced),
            () = end => Err(Stopped::Late),
        };
        // a client that has just sent something is not refused, whatever others from its address do
        self.renew(self.source);
        result
    }

    /// A balancer has named the client that it speaks for. Whether that client may have another handshake.
    pub(crate) fn comes_from(&mut self, client: IpAddr) -> bool {
        self.renew(Source::of(client))
    }

    /// Counts silence from now on. Whether the source has room for it.
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

impl Drop for Handshake {
    fn drop(&mut self) {
        self.queue.entries().remove(self.id);
    }
}

/// Whether a handshake was displaced.
enum Displaced {
    /// One was: its place is free in a moment, unless its client has just sent something.
    Now,
    /// The oldest may be displaced at this time.
    At(Instant),
    /// No connection is in its handshake.
    Never,
}

impl Displaced {
    async fn retry(&self) {
        match self {
            Self::At(time) => sleep_until(*time).await,
            Self::Now | Self::Never => pending().await,
        }
    }
}

/// The handshakes that can be displaced.
#[derive(Default)]
struct Queue {
    per_source: usize,
    entries: Mutex<Entries>,
    /// A handshake that was told to leave stays, because its client has sent something.
    changed: Notify,
}

impl Queue {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn displace_oldest(&self) -> Displaced {
        let mut entries = self.entries();
        let Some((id, oldest)) = entries.silent.first_key_value() else { return Displaced::Never };
        let (id, time) = (*id, oldest.since + MIN_SILENCE);
        if time > Instant::now() {
            return Displaced::At(time);
        }
        entries.displace(id);
        Displaced::Now
    }
}

#[derive(Default)]
struct Entries {
    next: u64,
    /// Longest silence first.
    silent: BTreeMap<u64, Silent>,
    /// The same handshakes by source.
    sources: HashMap<Source, BTreeSet<u64>>,
}

struct Silent {
    source: Source,
    since: Instant,
    leave: Arc<Notify>,
}

impl Entries {
    fn add(&mut self, source: Source) -> (u64, Arc<Notify>) {
        let (id, leave) = (self.next, Arc::new(Notify::new()));
        self.next += 1;
        self.silent.insert(id, Silent { source, since: Instant::now(), leave: leave.clone() });
        self.sources.entry(source).or_default().insert(id);
        (id, leave)
    }

    /// Whether it was there.
    fn remove(&mut self, id: u64) -> bool {
        self.take(id).is_some()
    }

    fn take(&mut self, id: u64) -> Option<Silent> {
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

    /// Leaves this source at most `most - 1` handshakes, so that one more fits. Whether that is so.
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

/// A client's address, as far as one client is assumed to control it: IPv6 networks hand out 64 bits of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Source {
    V4(Ipv4Addr),
    V6([u16; 4]),
}

impl Source {
    fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6([a, b, c, d])
            }
        }
    }
}
