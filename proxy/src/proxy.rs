//! The proxy: accepts, reloads, drains.

use crate::admission::{Admission, Connection, Handshake};
use crate::connection::{refuse, serve};
use crate::descriptors::{Capacity, Short};
use crate::log::{Event, Log, since_1970};
use crate::metrics::Metrics;
use crate::prometheus;
use crate::shown::{Peer, Shown, worse};
use grille_registry::Numbers;
use grille_tls::Configs;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::error::Error as StdError;
use std::fmt;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::{Instant, Sleep, sleep, timeout};

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
    /// Of those, how many may be in their handshake. A further client takes the place of the one that has been silent for
    /// longest.
    pub handshakes: usize,
    /// How many handshakes one source address (of IPv6, one /64 network) may have open.
    pub handshakes_per_source: usize,
    /// For header and handshake of a client.
    pub handshake: Duration,
    /// For connection and handshake with the service.
    pub connect: Duration,
    /// For silence both ways; `Duration::MAX` for ever.
    pub idle: Duration,
    /// How long the proxy still accepts clients after [`Command::Drain`], while `/health` answers 503: balancers need some
    /// time to send no more of them.
    pub grace: Duration,
    /// For open connections when the proxy ends; `Duration::MAX` for ever.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8192,
            handshakes: 4096,
            handshakes_per_source: 1024,
            handshake: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            idle: Duration::from_mins(10),
            grace: Duration::from_secs(5),
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
    /// The proxy's own certificates, towards clients and towards the service.
    pub shown: Vec<Shown>,
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
    /// Whether the proxy is about to end.
    pub(crate) draining: AtomicBool,
    /// How many connections wait for a descriptor with which to reach the service.
    pub(crate) starving: AtomicI64,
    capacity: Capacity,
    admission: Admission,
    full: Throttle,
    not_accepted: Throttle,
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
                if let Some(fault) = worse(&self.sides().shown, &sides.shown, since_1970()) {
                    return self.note_no_reload(fault);
                }
                self.note_validity(&sides);
                self.note_refused_clients(&sides);
                *self.sides.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(sides);
                self.metrics.reloads.count("done");
                self.tell(&Event::Reloaded);
            }
            Ok(Err(error)) => self.note_no_reload(error),
            Err(panicked) => self.note_no_reload(panicked),
        }
    }

    fn note_full(&self) {
        if self.full.allows() {
            self.metrics.full.fetch_add(1, Relaxed);
            self.tell(&Event::Full);
        }
    }

    pub(crate) fn note_not_accepted(&self, error: &io::Error) {
        if self.not_accepted.allows() {
            self.tell(&Event::NotAccepted { error: error.to_string() });
        }
    }

    /// Lets health checks fail. The grace period begins.
    fn begin_draining(&self) -> Sleep {
        self.draining.store(true, Relaxed);
        let (grace, open) = (self.options.limits.grace, self.metrics.active.load(Relaxed));
        self.tell(&Event::Draining { connections: open, grace: grace.as_secs_f64() });
        sleep(grace)
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

    fn note_validity(&self, sides: &Sides) {
        let to_clients = sides.shown.iter().filter(|shown| shown.to == Peer::Client);
        let first = to_clients.map(|shown| shown.ends).min();
        let seconds = first.map_or(0, |ends| i64::try_from(ends.as_secs()).unwrap_or(i64::MAX));
        self.metrics.certificate_expires.store(seconds, Relaxed);
        for fault in sides.shown.iter().filter_map(|shown| shown.fault_at(since_1970())) {
            self.tell(&Event::InvalidCertificate { fault });
        }
    }
}

/// Allows an event once a second: a flood must not fill the log with it.
#[derive(Default)]
struct Throttle(Mutex<Option<Instant>>);

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

/// What a proxy can be told while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Read keys and certificates anew; open connections keep theirs.
    Reload,
    /// Say so to health checks, accept no more clients after [`Limits::grace`], and end when the open connections have, or
    /// their time is over. A second one ends the grace.
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
        let capacity = Capacity::raise(&options);
        let shared = Arc::new(Shared {
            admission: Admission::new(&options.limits, capacity.connections),
            capacity,
            options,
            metrics: Metrics::default(),
            draining: AtomicBool::default(),
            starving: AtomicI64::default(),
            full: Throttle::default(),
            not_accepted: Throttle::default(),
            log,
            load,
            sides: RwLock::new(Arc::new(sides)),
        });
        shared.note_validity(&shared.sides());
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
        if let Capacity { connections, short: Some(Short { limit, needed }) } = shared.capacity {
            shared.tell(&Event::FewDescriptors { limit, needed, connections });
        }
        let reporting = reports.map(|listener| tokio::spawn(prometheus::serve(shared.clone(), listener)));
        let mut connections = JoinSet::new();
        let end = accept_all(&shared, &listener, &mut commands, &mut connections).await;
        // further clients are refused, and find another proxy
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

/// Accepts until the end, and says which end: [`Command::Drain`] once its grace period is over.
async fn accept_all(
    shared: &Arc<Shared>,
    listener: &TcpListener,
    commands: &mut mpsc::Receiver<Command>,
    connections: &mut JoinSet<()>,
) -> Command {
    let (mut arrived, mut grace) = (None, None);
    loop {
        tokio::select! {
            biased;
            () = over(&mut grace) => return Command::Drain,
            command = commands.recv() => match command {
                // reading files takes a moment in which nobody is accepted, and no connection waits
                Some(Command::Reload) => shared.reload().await,
                Some(Command::Drain) if grace.is_none() => grace = Some(Box::pin(shared.begin_draining())),
                Some(end) => return end,
                None => return Command::Stop,
            },
            Some(end) = connections.join_next() => shared.note_end(end),
            client = next_client(shared, listener, &mut arrived) => {
                connections.spawn(serve(shared.clone(), client));
            }
        }
    }
}

/// Waits for the end of a period that has begun.
async fn over(period: &mut Option<Pin<Box<Sleep>>>) {
    match period {
        // the timer is not asked for a period of no length: it rounds up
        Some(period) if period.deadline() <= Instant::now() => (),
        Some(period) => period.as_mut().await,
        None => pending().await,
    }
}

/// Waits for open connections, but not for ever.
async fn drain(shared: &Shared, commands: &mut mpsc::Receiver<Command>, connections: &mut JoinSet<()>) {
    let open = shared.metrics.active.load(Relaxed);
    shared.tell(&Event::NotListening { connections: open });
    let stop = async {
        loop {
            match commands.recv().await {
                Some(Command::Reload) => shared.note_no_reload("no more clients are accepted"),
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

/// A client that was accepted.
pub(crate) struct Client {
    pub(crate) socket: TcpStream,
    pub(crate) address: SocketAddr,
    pub(crate) connection: Connection,
    pub(crate) handshake: Handshake,
}

/// A client that waits for a place.
type Arrived = Option<(TcpStream, SocketAddr)>;

/// Waits for a client, and then for a place: none is displaced while nobody comes. The client that waits survives cancellation in
/// `arrived`.
async fn next_client(shared: &Shared, listener: &TcpListener, arrived: &mut Arrived) -> Client {
    loop {
        if arrived.is_none() {
            *arrived = Some(accept(shared, listener).await);
        }
        let place = shared.admission.place(|| shared.note_full()).await;
        let Some((socket, address)) = arrived.take() else { continue };
        match shared.admission.enter(place, address.ip()) {
            Some((connection, handshake)) => return Client { socket, address, connection, handshake },
            None => refuse(shared, &socket, address),
        }
    }
}

async fn accept(shared: &Shared, listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        // a client accepted now would take the descriptor that another one waits for
        while shared.starving.load(Relaxed) > 0 {
            sleep(DESCRIPTOR_RETRY).await;
        }
        match listener.accept().await {
            Ok(arrived) => return arrived,
            Err(error) => {
                shared.note_not_accepted(&error);
                // what fails now fails again at once, for want of descriptors for example
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// How soon to look again whether there is a descriptor.
pub(crate) const DESCRIPTOR_RETRY: Duration = Duration::from_millis(50);
