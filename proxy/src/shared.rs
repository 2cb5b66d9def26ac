//! The state of a proxy that all its connections share.

use crate::admission::{Admission, ConnectionPermit, HandshakePermit};
use crate::descriptors::Capacity;
use crate::log::{Event, Log, since_unix_epoch};
use crate::metrics::Metrics;
use crate::options::{Loader, Options, Sides};
use crate::own_certificate::{Peer, invalid_replacement};
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{Instant, Sleep, sleep};

/// State shared by all connections.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) metrics: Metrics,
    /// Whether the proxy is draining.
    pub(crate) draining: AtomicBool,
    /// Number of connections that wait for a descriptor to connect to the service.
    pub(crate) starving: AtomicI64,
    pub(crate) capacity: Capacity,
    pub(crate) admission: Admission,
    pub(crate) full: Throttle,
    pub(crate) not_accepted: Throttle,
    pub(crate) log: Log,
    pub(crate) load: Loader,
    pub(crate) sides: RwLock<Arc<Sides>>,
}

impl Shared {
    /// Returns the current keys and certificates. A connection keeps those with which it started.
    pub(crate) fn sides(&self) -> Arc<Sides> {
        self.sides.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn log_event(&self, event: &Event<'_>) {
        self.log.write(event, &self.metrics);
    }

    /// Reloads keys and certificates on a blocking thread, and waits for the result.
    pub(crate) async fn reload(self: &Arc<Self>) {
        let shared = self.clone();
        match spawn_blocking(move || (shared.load)()).await {
            Ok(Ok(sides)) => {
                if let Some(fault) =
                    invalid_replacement(&self.sides().certificates, &sides.certificates, since_unix_epoch())
                {
                    return self.log_failed_reload(fault);
                }
                self.log_certificate_faults(&sides);
                self.log_quantum_safe_only(&sides);
                *self.sides.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sides);
                self.metrics.reloads.count("done");
                self.log_event(&Event::Reloaded);
            }
            Ok(Err(error)) => self.log_failed_reload(error),
            Err(panicked) => self.log_failed_reload(panicked),
        }
    }

    pub(crate) fn log_full(&self) {
        if self.full.allows() {
            self.metrics.full.fetch_add(1, Relaxed);
            self.log_event(&Event::Full);
        }
    }

    pub(crate) fn log_accept_error(&self, error: &io::Error) {
        if self.not_accepted.allows() {
            self.log_event(&Event::NotAccepted { error: error.to_string() });
        }
    }

    /// Lets health checks fail and starts the grace period.
    pub(crate) fn begin_draining(&self) -> Sleep {
        self.draining.store(true, Relaxed);
        let (grace, open) = (self.options.limits.grace, self.metrics.active.load(Relaxed));
        self.log_event(&Event::Draining { connections: open, grace: grace.as_secs_f64() });
        sleep(grace)
    }

    pub(crate) fn log_failed_reload(&self, error: impl fmt::Display) {
        self.metrics.reloads.count("failed");
        self.log_event(&Event::NotReloaded { error: error.to_string() });
    }

    /// Logs a panic in a connection. All other connections log their end themselves, unless they are aborted.
    pub(crate) fn log_panic(&self, end: Result<(), JoinError>) {
        if let Err(error) = end
            && error.is_panic()
        {
            self.metrics.connections.count("panicked");
            self.log_event(&Event::Panicked { error: error.to_string() });
        }
    }

    pub(crate) fn log_quantum_safe_only(&self, sides: &Sides) {
        if let Some(signatures) = &sides.quantum_safe_only {
            self.log_event(&Event::OldClientsRefused { signatures });
        }
    }

    pub(crate) fn log_certificate_faults(&self, sides: &Sides) {
        let to_clients = sides.certificates.iter().filter(|own| own.to == Peer::Client);
        let first = to_clients.map(|own| own.not_after).min();
        let seconds = first.map_or(0, |ends| i64::try_from(ends.as_secs()).unwrap_or(i64::MAX));
        self.metrics.certificate_expires.store(seconds, Relaxed);
        for fault in sides.certificates.iter().filter_map(|own| own.invalidity_at(since_unix_epoch())) {
            self.log_event(&Event::InvalidCertificate { fault });
        }
    }
}

/// Allows an event at most once a second, so that a flood does not fill the log.
#[derive(Default)]
pub(crate) struct Throttle(Mutex<Option<Instant>>);

impl Throttle {
    fn allows(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let allowed = last.is_none_or(|last| last.elapsed() >= Duration::from_secs(1));
        if allowed {
            *last = Some(Instant::now());
        }
        allowed
    }
}

/// An accepted client.
pub(crate) struct Client {
    pub(crate) socket: TcpStream,
    pub(crate) address: SocketAddr,
    pub(crate) connection: ConnectionPermit,
    pub(crate) handshake: HandshakePermit,
}

/// Interval between attempts to obtain a descriptor.
pub(crate) const DESCRIPTOR_RETRY: Duration = Duration::from_millis(50);
