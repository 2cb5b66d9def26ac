//! The proxy: accepts, reloads, drains.

use crate::connection::{Permits, serve};
use crate::log::{Event, Log, since_1970};
use crate::metrics::Metrics;
use crate::prometheus;
use grille_registry::Numbers;
use grille_tls::{Configs, moment};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, TryAcquireError, mpsc};
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

/// What the proxy does.
pub struct Options {
    /// Where clients come: `host:port`; port 0 takes a free one.
    pub listen: String,
    /// Where the service is: `host:port`.
    pub to: String,
    /// Where Prometheus comes, if it does.
    pub metrics: Option<String>,
    /// PROXY protocol.
    pub header: Header,
    /// The file that session secrets are written to, if they are: the operator is told.
    pub key_log: Option<PathBuf>,
    /// How much, and how long.
    pub limits: Limits,
    /// What codepoints mean, for logs and metrics.
    pub numbers: Numbers,
}

/// PROXY protocol version 2, each way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header {
    /// Each client begins with a header: it is a balancer, and no one else can reach this port.
    pub accept: bool,
    /// The service gets one.
    pub send: bool,
}

/// Bounds, which no client can move.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once; further ones wait in the operating system's queue.
    pub connections: usize,
    /// Of those, how many may be in their handshake: a flood of half-open ones leaves the rest alone.
    pub handshakes: usize,
    /// For header and handshake of a client.
    pub handshake: Duration,
    /// For connection and handshake with the service.
    pub connect: Duration,
    /// For silence both ways; `Duration::MAX` for ever.
    pub idle: Duration,
    /// For open connections when the proxy ends; `Duration::MAX` for ever.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8192,
            handshakes: 1024,
            handshake: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            idle: Duration::from_mins(10),
            drain: Duration::from_secs(30),
        }
    }
}

/// Keys, certificates and trust of both sides, at one time; a reload makes new ones.
pub struct Sides {
    /// TLS with clients; `None` takes bytes as they are.
    pub inbound: Option<Configs>,
    /// TLS with the service, whose certificate must be for this name; `None` gives bytes as they are.
    pub outbound: Option<(Arc<ClientConfig>, ServerName<'static>)>,
    /// When the certificate shown to clients ends, since 1970.
    pub expires: Option<Duration>,
    /// The signatures of which a client must know one, if it needs a quantum-safe one: then clients of before are refused.
    pub quantum_safe_only: Option<String>,
}

/// Reads keys and certificates anew, at each reload.
pub type Load = Box<dyn Fn() -> Result<Sides, Box<dyn StdError + Send + Sync>> + Send + Sync>;

/// Why a proxy cannot start.
#[derive(Debug)]
pub enum StartError {
    /// An address cannot be listened on.
    Listen(String, io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Listen(address, error) = self;
        write!(f, "cannot listen on {address}: {}", grille_tls::error::reason(error))
    }
}

impl StdError for StartError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let Self::Listen(_, error) = self;
        Some(error)
    }
}

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) metrics: Metrics,
    log: Log,
    load: Load,
    sides: RwLock<Arc<Sides>>,
}

impl Shared {
    /// As they are now; a connection keeps those with which it began.
    pub(crate) fn sides(&self) -> Arc<Sides> {
        self.sides.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        self.log.tell(event, &self.metrics);
    }

    /// Reads files on a thread that may wait for them; returns when that is done.
    async fn reload(self: &Arc<Self>) {
        let shared = self.clone();
        match spawn_blocking(move || (shared.load)()).await {
            Ok(Ok(sides)) => {
                self.note_expiry(&sides);
                self.note_refused_clients(&sides);
                *self.sides.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sides);
                self.metrics.reloads.count("done");
                self.tell(&Event::Reloaded);
            }
            Ok(Err(error)) => self.note_no_reload(error),
            Err(panicked) => self.note_no_reload(panicked),
        }
    }

    fn note_no_reload(&self, error: impl fmt::Display) {
        self.metrics.reloads.count("failed");
        self.tell(&Event::NotReloaded { error: error.to_string() });
    }

    /// A connection says by itself how it ended, unless it was cut off or panicked.
    fn note_end(&self, end: Result<(), JoinError>) {
        if let Err(error) = end
            && error.is_panic()
        {
            self.metrics.connections.count("panicked");
            self.tell(&Event::Panicked { error: error.to_string() });
        }
    }

    fn note_refused_clients(&self, sides: &Sides) {
        if let Some(signatures) = &sides.quantum_safe_only {
            self.tell(&Event::OldClientsRefused { signatures });
        }
    }

    fn note_expiry(&self, sides: &Sides) {
        let seconds = sides.expires.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
        self.metrics.certificate_expires.store(seconds, Relaxed);
        if let Some(ended) = sides.expires.filter(|ended| *ended < since_1970()) {
            self.tell(&Event::Expired { ended: moment(ended) });
        }
    }
}

/// What a proxy can be told while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Read keys and certificates anew; open connections keep theirs.
    Reload,
    /// Accept nobody more, and end when the open connections have, or their time is over.
    Drain,
    /// End now.
    Stop,
}

/// A proxy that listens.
pub struct Proxy {
    shared: Arc<Shared>,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    commander: mpsc::Sender<Command>,
    commands: mpsc::Receiver<Command>,
}

impl Proxy {
    /// Listens. `sides`: the keys and certificates to begin with; `load` reads them anew.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn bind(options: Options, sides: Sides, load: Load, log: Log) -> Result<Self, StartError> {
        let listener = listen(&options.listen).await?;
        let metrics = match &options.metrics {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let (commander, commands) = mpsc::channel(16);
        let sides = RwLock::new(Arc::new(sides));
        let shared = Arc::new(Shared { options, metrics: Metrics::default(), log, load, sides });
        shared.note_expiry(&shared.sides());
        shared.note_refused_clients(&shared.sides());
        Ok(Self { shared, listener, metrics, commander, commands })
    }

    /// Where clients come.
    ///
    /// # Errors
    /// The operating system's, which has no reason.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Where Prometheus comes.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Through which the proxy is told what to do.
    #[must_use]
    pub fn commander(&self) -> mpsc::Sender<Command> {
        self.commander.clone()
    }

    /// Serves until [`Command::Drain`] or [`Command::Stop`].
    pub async fn run(self) {
        let (address, metrics) = (self.local_addr(), self.metrics_addr());
        // without a commander of its own, a proxy that nobody else commands would have to end
        let Self { shared, listener, metrics: reports, commander: _own, mut commands } = self;
        if let Ok(address) = address {
            shared.tell(&Event::Listening { address, metrics });
        }
        if let Some(file) = &shared.options.key_log {
            shared.tell(&Event::KeysLogged { file: file.display().to_string() });
        }
        let reporting = reports.map(|listener| tokio::spawn(prometheus::serve(shared.clone(), listener)));
        let mut connections = JoinSet::new();
        let end = accept_all(&shared, &listener, &mut commands, &mut connections).await;
        // who comes now is refused, and finds another proxy
        drop(listener);
        if end == Command::Drain {
            drain(&shared, &mut commands, &mut connections).await;
        }
        let cut = shared.metrics.active.load(Relaxed);
        connections.abort_all();
        wait_for_all(&shared, &mut connections).await;
        shared.tell(&Event::Stopped { connections: cut });
        if let Some(reporting) = reporting {
            reporting.abort();
            // the answer is that it was aborted
            let _ = reporting.await;
        }
    }
}

/// Accepts until the end, and says which end.
async fn accept_all(
    shared: &Arc<Shared>,
    listener: &TcpListener,
    commands: &mut mpsc::Receiver<Command>,
    connections: &mut JoinSet<()>,
) -> Command {
    let limits = shared.options.limits;
    let gate = Gate {
        connections: Arc::new(Semaphore::new(limits.connections)),
        handshakes: Arc::new(Semaphore::new(limits.handshakes)),
    };
    loop {
        tokio::select! {
            command = commands.recv() => match command {
                // reading files takes a moment in which nobody is accepted, and no connection waits
                Some(Command::Reload) => shared.reload().await,
                Some(end) => return end,
                None => return Command::Stop,
            },
            Some(end) = connections.join_next() => shared.note_end(end),
            (socket, peer, permits) = gate.next(shared, listener) => {
                connections.spawn(serve(shared.clone(), socket, peer, permits));
            }
        }
    }
}

/// Waits for open connections, but not for ever.
async fn drain(shared: &Shared, commands: &mut mpsc::Receiver<Command>, connections: &mut JoinSet<()>) {
    let open = shared.metrics.active.load(Relaxed);
    shared.tell(&Event::Draining { connections: open });
    let stop = async {
        loop {
            match commands.recv().await {
                Some(Command::Reload) => shared.note_no_reload("nobody more is accepted"),
                Some(Command::Drain) => (),
                Some(Command::Stop) | None => return,
            }
        }
    };
    let ended = async {
        tokio::select! { () = wait_for_all(shared, connections) => (), () = stop => () }
    };
    // those that are still open are cut off
    let _ = timeout(shared.options.limits.drain, ended).await;
}

async fn wait_for_all(shared: &Shared, connections: &mut JoinSet<()>) {
    while let Some(end) = connections.join_next().await {
        shared.note_end(end);
    }
}

async fn listen(address: &str) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|error| StartError::Listen(address.to_owned(), error))
}

/// How many may come in.
struct Gate {
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
}

impl Gate {
    /// Waits for room, and then for a client.
    async fn next(&self, shared: &Shared, listener: &TcpListener) -> (TcpStream, SocketAddr, Permits) {
        loop {
            let connection = enter(&self.connections, shared).await;
            let handshake = enter(&self.handshakes, shared).await;
            let (Some(connection), Some(handshake)) = (connection, handshake) else { continue };
            match listener.accept().await {
                Ok((socket, peer)) => return (socket, peer, Permits { connection, handshake }),
                Err(error) => {
                    shared.tell(&Event::NotAccepted { error: error.to_string() });
                    // what fails now fails again at once, for want of descriptors for example
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    }
}

/// A permit; says that there was none at first, if so. A semaphore that nobody closes always has one in the end.
async fn enter(room: &Arc<Semaphore>, shared: &Shared) -> Option<tokio::sync::OwnedSemaphorePermit> {
    match room.clone().try_acquire_owned() {
        Err(TryAcquireError::NoPermits) => {
            shared.metrics.full.fetch_add(1, Relaxed);
            shared.tell(&Event::Full);
            room.clone().acquire_owned().await.ok()
        }
        permit => permit.ok(),
    }
}
