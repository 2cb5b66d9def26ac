//! The proxy: accepts clients, reloads keys and certificates, and drains before it stops.

use crate::admission::Admission;
use crate::connection::{refuse, serve};
use crate::descriptors::{Capacity, LowLimit};
use crate::log::{Event, Log};
use crate::metrics::Metrics;
use crate::prometheus;
use crate::shared::{Client, DESCRIPTOR_RETRY, Shared, Throttle};
use std::error::Error as StdError;
use std::fmt;
use std::future::pending;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, RwLock};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, timeout};

pub use crate::options::{Limits, Loader, Options, ProxyProtocol, Sides};

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

/// Command to a running proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Reload keys and certificates; open connections keep theirs.
    Reload,
    /// Fail health checks, stop accepting clients after [`Limits::grace`], and stop when the open connections have
    /// finished, but at the latest after another [`Limits::drain`]. A second `Drain` ends the grace period.
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
    /// Starts to listen for clients. `sides`: initial keys and certificates; `load` reloads them.
    ///
    /// # Errors
    /// Returns [`StartError`] if an address is not available.
    pub async fn bind(options: Options, sides: Sides, load: Loader, log: Log) -> Result<Self, StartError> {
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

    /// Serves clients until the proxy has stopped, because of [`Command::Drain`] or [`Command::Stop`].
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
        shared.log_event(&Event::Stopped { connections: cut });
        if let Some(reporting) = reporting {
            reporting.abort();
            // the result only says that the task was aborted
            let _ = reporting.await;
        }
    }
}

/// Accepts clients until the proxy must stop. Returns the command: [`Command::Drain`] after its grace period, or
/// [`Command::Stop`].
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

/// Waits for the end of a period, or forever if none has started.
async fn wait_for_end(period: &mut Option<Pin<Box<Sleep>>>) {
    match period {
        // expired periods are not passed to the timer, which rounds times up
        Some(period) if period.deadline() <= Instant::now() => (),
        Some(period) => period.as_mut().await,
        None => pending().await,
    }
}

/// Waits for open connections to finish, at most for [`Limits::drain`] or until [`Command::Stop`].
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

/// The client that waits for a permit, if any.
type Arrived = Option<(TcpStream, SocketAddr)>;

/// Waits for a client, then for a permit, so that no handshake is displaced without need. On cancellation, the
/// waiting client is kept in `arrived`.
async fn next_client(shared: &Shared, listener: &TcpListener, arrived: &mut Arrived) -> Client {
    loop {
        if arrived.is_none() {
            *arrived = Some(accept(shared, listener).await);
        }
        let permits = shared.admission.acquire_or_displace(|| shared.log_full()).await;
        let Some((socket, address)) = arrived.take() else { continue };
        match shared.admission.admit(permits, address.ip()) {
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
