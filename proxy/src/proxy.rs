//! The proxy: accepts clients, reloads keys and certificates, and drains before it stops.

use crate::admission::{Admission, Connection, Handshake};
use crate::connection::{refuse, serve};
use crate::descriptors::{Capacity, LowLimit};
use crate::log::{Event, Log, since_1970};
use crate::metrics::Metrics;
use crate::own_certificate::{OwnCertificate, Peer, invalid_replacement};
use crate::prometheus;
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

/// Configuration of a proxy.
pub struct Options {
    /// Address for clients, `host:port`; port 0 selects a free port.
    pub listen: String,
    /// Address of the service, `host:port`.
    pub to: String,
    /// Address for Prometheus, if enabled.
    pub metrics: Option<String>,
    /// Use of the PROXY protocol.
    pub header: Header,
    /// File that session secrets are written to, if any; the log warns about it.
    pub key_log: Option<PathBuf>,
    /// Limits of connections and times.
    pub limits: Limits,
    /// Meaning of codepoints, for logs and metrics.
    pub numbers: Numbers,
}

/// Use of PROXY protocol version 2 on each side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header {
    /// Expect a header from each client. Use this only if all clients are load balancers, and no other
    /// host can reach the port.
    pub accept: bool,
    /// Send a header to the service.
    pub send: bool,
}

/// Limits that clients cannot exceed.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of connections; further ones wait in the operating system's queue.
    pub connections: usize,
    /// Maximum number of unfinished handshakes. A further client displaces the one that has been silent for the
    /// longest time.
    pub handshakes: usize,
    /// Maximum number of unfinished handshakes per source address (for IPv6, per /64 network).
    pub handshakes_per_source: usize,
    /// Timeout for a client's PROXY header and handshake.
    pub handshake: Duration,
    /// Timeout for the connection to the service and its handshake.
    pub connect: Duration,
    /// Maximum time without data in either direction; `Duration::MAX` disables it.
    pub idle: Duration,
    /// Time during which clients are still accepted after [`Command::Drain`], while `/health` answers 503: load
    /// balancers need some time to stop sending clients.
    pub grace: Duration,
    /// Maximum time for open connections to finish when the proxy stops; `Duration::MAX` disables it.
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

/// Keys, certificates and trust of both sides at one time. A reload creates new ones.
pub struct Sides {
    /// TLS with clients; `None` accepts plaintext.
    pub inbound: Option<Configs>,
    /// TLS with the service, whose certificate must have this name; `None` sends plaintext.
    pub outbound: Option<(Arc<ClientConfig>, ServerName<'static>)>,
    /// Certificates that the proxy presents to clients and to the service.
    pub certificates: Vec<OwnCertificate>,
    /// Signature algorithms of which a client must support at least one, if all are post-quantum: older clients are
    /// then refused.
    pub quantum_safe_only: Option<String>,
}

/// Loads keys and certificates, at each reload.
pub type Load = Box<dyn Fn() -> Result<Sides, Box<dyn StdError + Send + Sync>> + Send + Sync>;

/// Reason why a proxy cannot start.
#[derive(Debug)]
pub enum StartError {
    /// Listening on an address failed.
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

/// State shared by all connections.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) metrics: Metrics,
    /// Whether the proxy is draining.
    pub(crate) draining: AtomicBool,
    /// Number of connections that wait for a descriptor to connect to the service.
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
    /// Returns the current keys and certificates. A connection keeps those it started with.
    pub(crate) fn sides(&self) -> Arc<Sides> {
        self.sides.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn log_event(&self, event: &Event<'_>) {
        self.log.write(event, &self.metrics);
    }

    /// Reloads keys and certificates on a blocking thread, and waits for the result.
    async fn reload(self: &Arc<Self>) {
        let shared = self.clone();
        match spawn_blocking(move || (shared.load)()).await {
            Ok(Ok(sides)) => {
                if let Some(fault) =
                    invalid_replacement(&self.sides().certificates, &sides.certificates, since_1970())
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

    fn log_full(&self) {
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
    fn begin_draining(&self) -> Sleep {
        self.draining.store(true, Relaxed);
        let (grace, open) = (self.options.limits.grace, self.metrics.active.load(Relaxed));
        self.log_event(&Event::Draining { connections: open, grace: grace.as_secs_f64() });
        sleep(grace)
    }

    fn log_failed_reload(&self, error: impl fmt::Display) {
        self.metrics.reloads.count("failed");
        self.log_event(&Event::NotReloaded { error: error.to_string() });
    }

    /// Logs a panic in a connection. Other connections log their end themselves, unless they were aborted.
    fn log_panic(&self, end: Result<(), JoinError>) {
        if let Err(error) = end
            && error.is_panic()
        {
            self.metrics.connections.count("panicked");
            self.log_event(&Event::Panicked { error: error.to_string() });
        }
    }

    fn log_quantum_safe_only(&self, sides: &Sides) {
        if let Some(signatures) = &sides.quantum_safe_only {
            self.log_event(&Event::OldClientsRefused { signatures });
        }
    }

    fn log_certificate_faults(&self, sides: &Sides) {
        let to_clients = sides.certificates.iter().filter(|own| own.to == Peer::Client);
        let first = to_clients.map(|own| own.ends).min();
        let seconds = first.map_or(0, |ends| i64::try_from(ends.as_secs()).unwrap_or(i64::MAX));
        self.metrics.certificate_expires.store(seconds, Relaxed);
        for fault in sides.certificates.iter().filter_map(|own| own.invalidity_at(since_1970())) {
            self.log_event(&Event::InvalidCertificate { fault });
        }
    }
}

/// Allows an event at most once a second, so that a flood does not fill the log.
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

/// Command to a running proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Reload keys and certificates; open connections keep theirs.
    Reload,
    /// Fail health checks, stop accepting clients after [`Limits::grace`], and stop when the open connections have
    /// finished or their time is over. A second `Drain` ends the grace period.
    Drain,
    /// Stop immediately.
    Stop,
}

/// A listening proxy.
pub struct Proxy {
    shared: Arc<Shared>,
    listener: TcpListener,
    metrics: Option<TcpListener>,
    command_sender: mpsc::Sender<Command>,
    commands: mpsc::Receiver<Command>,
}

impl Proxy {
    /// Listens. `sides`: initial keys and certificates; `load` reloads them.
    ///
    /// # Errors
    /// Returns [`StartError`] if an address is not available.
    pub async fn bind(options: Options, sides: Sides, load: Load, log: Log) -> Result<Self, StartError> {
        let listener = listen(&options.listen).await?;
        let metrics = match &options.metrics {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let (command_sender, commands) = mpsc::channel(16);
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
        shared.log_certificate_faults(&shared.sides());
        shared.log_quantum_safe_only(&shared.sides());
        Ok(Self { shared, listener, metrics, command_sender, commands })
    }

    /// Returns the address for clients.
    ///
    /// # Errors
    /// The errors of the operating system, which are not expected.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Returns the address for Prometheus.
    #[must_use]
    pub fn metrics_addr(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// Returns a channel for commands to the proxy.
    #[must_use]
    pub fn command_sender(&self) -> mpsc::Sender<Command> {
        self.command_sender.clone()
    }

    /// Serves until [`Command::Drain`] or [`Command::Stop`].
    pub async fn run(self) {
        let (address, metrics) = (self.local_addr(), self.metrics_addr());
        // keeps the channel open: without any sender, the proxy would stop
        let Self { shared, listener, metrics: reports, command_sender: _own, mut commands } = self;
        if let Ok(address) = address {
            shared.log_event(&Event::Listening { address, metrics });
        }
        if let Some(file) = &shared.options.key_log {
            shared.log_event(&Event::KeysLogged { file: file.display().to_string() });
        }
        if let Capacity { connections, low_limit: Some(LowLimit { limit, needed }) } = shared.capacity {
            shared.log_event(&Event::FewDescriptors { limit, needed, connections });
        }
        let reporting = reports.map(|listener| tokio::spawn(prometheus::serve(shared.clone(), listener)));
        let mut connections = JoinSet::new();
        let end = accept_all(&shared, &listener, &mut commands, &mut connections).await;
        // further clients are refused and can connect to another proxy
        drop(listener);
        if end == Command::Drain {
            drain(&shared, &mut commands, &mut connections).await;
        }
        let cut = shared.metrics.active.load(Relaxed);
        connections.abort_all();
        wait_for_all(&shared, &mut connections).await;
        shared.log_event(&Event::StopReason { connections: cut });
        if let Some(reporting) = reporting {
            reporting.abort();
            // the result is that the task was aborted
            let _ = reporting.await;
        }
    }
}

/// Accepts clients until a command to stop, which it returns: [`Command::Drain`] after its grace period.
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
            () = wait_for_end(&mut grace) => return Command::Drain,
            command = commands.recv() => match command {
                // no client is accepted while files are read; open connections do not wait
                Some(Command::Reload) => shared.reload().await,
                Some(Command::Drain) if grace.is_none() => grace = Some(Box::pin(shared.begin_draining())),
                Some(end) => return end,
                None => return Command::Stop,
            },
            Some(end) = connections.join_next() => shared.log_panic(end),
            client = next_client(shared, listener, &mut arrived) => {
                connections.spawn(serve(shared.clone(), client));
            }
        }
    }
}

/// Waits for the end of a period that has started.
async fn wait_for_end(period: &mut Option<Pin<Box<Sleep>>>) {
    match period {
        // expired periods are not passed to the timer, which rounds up
        Some(period) if period.deadline() <= Instant::now() => (),
        Some(period) => period.as_mut().await,
        None => pending().await,
    }
}

/// Waits for open connections to finish, up to the limit.
async fn drain(shared: &Shared, commands: &mut mpsc::Receiver<Command>, connections: &mut JoinSet<()>) {
    let open = shared.metrics.active.load(Relaxed);
    shared.log_event(&Event::NotListening { connections: open });
    let stop = async {
        loop {
            match commands.recv().await {
                Some(Command::Reload) => shared.log_failed_reload("no more clients are accepted"),
                Some(Command::Drain) => (),
                Some(Command::Stop) | None => return,
            }
        }
    };
    let ended = async {
        tokio::select! { () = wait_for_all(shared, connections) => (), () = stop => () }
    };
    // connections that are still open are aborted later
    let _ = timeout(shared.options.limits.drain, ended).await;
}

async fn wait_for_all(shared: &Shared, connections: &mut JoinSet<()>) {
    while let Some(end) = connections.join_next().await {
        shared.log_panic(end);
    }
}

async fn listen(address: &str) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|error| StartError::Listen(address.to_owned(), error))
}

/// An accepted client.
pub(crate) struct Client {
    pub(crate) socket: TcpStream,
    pub(crate) address: SocketAddr,
    pub(crate) connection: Connection,
    pub(crate) handshake: Handshake,
}

/// A client that waits for a permit.
type Arrived = Option<(TcpStream, SocketAddr)>;

/// Waits for a client, then for a permit, so that no handshake is displaced without need. On cancellation, the
/// waiting client is kept in `arrived`.
async fn next_client(shared: &Shared, listener: &TcpListener, arrived: &mut Arrived) -> Client {
    loop {
        if arrived.is_none() {
            *arrived = Some(accept(shared, listener).await);
        }
        let permits = shared.admission.permits(|| shared.log_full()).await;
        let Some((socket, address)) = arrived.take() else { continue };
        match shared.admission.enter(permits, address.ip()) {
            Some((connection, handshake)) => return Client { socket, address, connection, handshake },
            None => refuse(shared, &socket, address),
        }
    }
}

async fn accept(shared: &Shared, listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        // a client accepted now would take the descriptor that another connection waits for
        while shared.starving.load(Relaxed) > 0 {
            sleep(DESCRIPTOR_RETRY).await;
        }
        match listener.accept().await {
            Ok(arrived) => return arrived,
            Err(error) => {
                shared.log_accept_error(&error);
                // most errors persist for a while, such as a lack of descriptors
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Interval between attempts to obtain a descriptor.
pub(crate) const DESCRIPTOR_RETRY: Duration = Duration::from_millis(50);
