//! Test fixture: certificates, an echo service, proxies and clients.
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_proxy::{Command, Limits, Log, Options, Peer, Proxy, Shown, Sides, Style};
use grille_registry::{Numbers, SignatureRow, kem_by_name, signature_by_name};
use grille_tls::client::server_name;
use grille_tls::{Client, ClientOptions, Connection, Error, Identity, Preferences, Report, ServerOptions};
use rustls::server::ProducesTickets;
use rustls::{ClientConfig, ClientConnection, RootCertStore, version};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinHandle;

/// Timeouts longer than any test, but short enough to end a test that hangs.
pub(crate) const QUICK: Limits = Limits {
    connections: 1000,
    handshakes: 100,
    handshakes_per_source: 100,
    handshake: Duration::from_secs(60),
    connect: Duration::from_secs(60),
    idle: Duration::from_secs(60),
    grace: Duration::ZERO,
    drain: Duration::from_secs(60),
};

/// Name in the server's certificate.
const NAME: &str = "localhost";

/// A root, and an end entity that it issued.
struct Party {
    root: Certificate,
    root_key: PrivateKey,
    own: Certificate,
    key: PrivateKey,
}

impl Party {
    fn new(name: &str) -> Self {
        let row = signature_by_name(name).unwrap();
        let root_key = PrivateKey::generate(row, &mut SystemRng).unwrap();
        let root = Template::new("CN=root", Profile::Root).unwrap();
        let root = self_signed(&root, &root_key, &mut SystemRng).unwrap();
        let (own, key) = issued(row, &root, &root_key);
        Self { root, root_key, own, key }
    }

    fn identity(&self) -> Identity {
        Identity::new(std::slice::from_ref(&self.own), &self.key).unwrap()
    }
}

fn issued(
    row: &'static SignatureRow,
    root: &Certificate,
    root_key: &PrivateKey,
) -> (Certificate, PrivateKey) {
    let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
    let own = Template::new("CN=proxy", Profile::end_entity(&[NAME]).unwrap()).unwrap();
    (issue(&own, key.public_key(), root, root_key, &mut SystemRng).unwrap(), key)
}

/// Fixture of a test; dropping it stops its proxies.
pub(crate) struct Desk {
    party: Arc<Mutex<Party>>,
    /// Whether the next reload fails.
    pub(crate) broken: Arc<AtomicBool>,
    service: String,
    runtime: Runtime,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            party: Arc::new(Mutex::new(Party::new("ML-DSA-65"))),
            broken: Arc::default(),
            service: echo(),
            runtime: tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap(),
        }
    }

    /// Issues a new key and certificate for the server from the same root.
    pub(crate) fn renew(&self) {
        let mut party = self.party.lock().unwrap();
        (party.own, party.key) = issued(party.key.row(), &party.root, &party.root_key);
    }

    /// Starts a proxy with TLS towards clients.
    pub(crate) fn proxy(&self, change: impl FnOnce(&mut Options)) -> Proxied {
        self.serving(|options| options, change)
    }

    /// Starts a proxy with TLS towards clients and these ticket keys.
    pub(crate) fn sealing(&self, sealer: Option<Arc<dyn ProducesTickets>>) -> Proxied {
        self.serving(move |options| ServerOptions { sealer: sealer.clone(), ..options }, |_| ())
    }

    fn serving(
        &self,
        offer: impl Fn(ServerOptions) -> ServerOptions + Send + Sync + 'static,
        change: impl FnOnce(&mut Options),
    ) -> Proxied {
        let (party, broken) = (self.party.clone(), self.broken.clone());
        self.run(change, move || {
            if broken.load(Ordering::Relaxed) {
                return Err("broken on purpose".into());
            }
            let options = ServerOptions::new(party.lock().unwrap().identity());
            Ok(Sides {
                inbound: Some(offer(options).into_configs()?),
                outbound: None,
                shown: Vec::new(),
                quantum_safe_only: None,
            })
        })
    }

    /// Starts a proxy with TLS towards the service at `to`.
    pub(crate) fn originating(&self, to: &str, change: impl FnOnce(&mut Options)) -> Proxied {
        let (party, to) = (self.party.clone(), to.to_owned());
        let change = |options: &mut Options| {
            options.to = to;
            change(options);
        };
        self.run(change, move || {
            let roots = vec![party.lock().unwrap().root.clone()];
            let config = ClientOptions { roots, ..ClientOptions::default() }.into_config()?;
            Ok(Sides {
                inbound: None,
                outbound: Some((config, server_name(NAME)?)),
                shown: Vec::new(),
                quantum_safe_only: None,
            })
        })
    }

    /// Starts a proxy whose certificate expired in 1970.
    pub(crate) fn expired(&self) -> Proxied {
        let (begins, ends) = (Duration::ZERO, Duration::from_secs(1));
        let shown = Shown { name: "own.crt".into(), to: Peer::Client, begins, ends };
        self.run(
            |_| (),
            move || {
                Ok(Sides {
                    inbound: None,
                    outbound: None,
                    shown: vec![shown.clone()],
                    quantum_safe_only: None,
                })
            },
        )
    }

    /// Starts a proxy with a classical certificate, with or without TLS 1.2.
    pub(crate) fn classical(&self, legacy: bool) -> Proxied {
        *self.party.lock().unwrap() = Party::new("ECDSA-P256");
        let preferences = Preferences { legacy, ..Preferences::default() };
        self.serving(move |options| ServerOptions { preferences: preferences.clone(), ..options }, |_| ())
    }

    /// Starts a proxy whose own order of these groups takes precedence, including TLS 1.2.
    pub(crate) fn with_own_order(&self, groups: &[&str]) -> Proxied {
        *self.party.lock().unwrap() = Party::new("ECDSA-P256");
        let groups = groups.iter().map(|name| kem_by_name(name).unwrap()).collect();
        let preferences = Preferences { groups, legacy: true, ..Preferences::default() };
        let offer =
            move |options| ServerOptions { preferences: preferences.clone(), own_order: true, ..options };
        self.serving(offer, |_| ())
    }

    fn run<L>(&self, change: impl FnOnce(&mut Options), load: L) -> Proxied
    where
        L: Fn() -> Result<Sides, Box<dyn std::error::Error + Send + Sync>> + Send + Sync + 'static,
    {
        let mut options = Options {
            listen: "127.0.0.1:0".into(),
            to: self.service.clone(),
            metrics: Some("127.0.0.1:0".into()),
            header: grille_proxy::Header::default(),
            key_log: None,
            limits: QUICK,
            numbers: Numbers::default(),
        };
        change(&mut options);
        let log = LogBuffer::default();
        let sides = load().unwrap();
        let proxy = Proxy::bind(options, sides, Box::new(load), Log::new(Style::Text, Box::new(log.clone())));
        let proxy = self.runtime.block_on(proxy).unwrap();
        Proxied {
            address: proxy.local_addr().unwrap().to_string(),
            metrics: proxy.metrics_addr().unwrap().to_string(),
            commander: proxy.commander(),
            task: self.runtime.spawn(proxy.run()),
            log,
        }
    }

    /// Returns a client that trusts the root and caches sessions.
    pub(crate) fn client(&self) -> TestClient {
        let roots = vec![self.party.lock().unwrap().root.clone()];
        let timeout = Some(Duration::from_secs(60));
        TestClient(Client::new(ClientOptions { roots, timeout, ..ClientOptions::default() }).unwrap())
    }

    /// Starts a proxy that requires client certificates; returns it with a client that has one of this algorithm.
    pub(crate) fn mutual(&self, name: &str) -> (Proxied, TestClient) {
        self.mutual_within(name, QUICK, None)
    }

    /// Starts a proxy like [`Desk::mutual`], with these limits; the client has this timeout and never resumes a
    /// session.
    pub(crate) fn mutual_within(
        &self,
        name: &str,
        limits: Limits,
        timeout: Option<Duration>,
    ) -> (Proxied, TestClient) {
        let own = Party::new(name);
        let trusted = vec![own.root.clone()];
        let proxy = self.serving(
            move |options| ServerOptions { client_roots: trusted.clone(), ..options },
            |options| options.limits = limits,
        );
        let roots = vec![self.party.lock().unwrap().root.clone()];
        let identity = Some(own.identity());
        let client = ClientOptions { roots, identity, timeout, resume: false, ..ClientOptions::default() };
        (proxy, TestClient(Client::new(client).unwrap()))
    }

    /// Starts a proxy that requires client certificates. Returns it with a client that has one of this algorithm and
    /// caches sessions, and with the roots that the proxy trusts after its next reload.
    pub(crate) fn mutual_resuming(&self, name: &str) -> (Proxied, TestClient, Arc<Mutex<Vec<Certificate>>>) {
        let own = Party::new(name);
        let trusted = Arc::new(Mutex::new(vec![own.root.clone()]));
        let roots = trusted.clone();
        let proxy = self.serving(
            move |options| ServerOptions { client_roots: roots.lock().unwrap().clone(), ..options },
            |_| (),
        );
        let client = ClientOptions {
            roots: vec![self.root()],
            identity: Some(own.identity()),
            ..ClientOptions::default()
        };
        (proxy, TestClient(Client::new(client).unwrap()), trusted)
    }

    /// Returns the root of the proxies' certificates.
    pub(crate) fn root(&self) -> Certificate {
        self.party.lock().unwrap().root.clone()
    }

    /// Returns the socket of a TLS 1.3 client after its handshake.
    pub(crate) fn joined(&self, proxy: &Proxied) -> TcpStream {
        let roots = vec![self.party.lock().unwrap().root.clone()];
        let config = ClientOptions { roots, ..ClientOptions::default() }.into_config().unwrap();
        let mut tls = ClientConnection::new(config, server_name(NAME).unwrap()).unwrap();
        let mut socket = TcpStream::connect(&proxy.address).unwrap();
        while tls.is_handshaking() || tls.wants_write() {
            tls.complete_io(&mut socket).unwrap();
        }
        socket
    }

    /// Runs the handshake of a client limited to TLS 1.2.
    pub(crate) fn old_client(&self, proxy: &Proxied) -> io::Result<()> {
        let mut roots = RootCertStore::empty();
        roots.add(self.party.lock().unwrap().root.to_der().into()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&version::TLS12])
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let mut tls = ClientConnection::new(Arc::new(config), server_name(NAME).unwrap()).unwrap();
        tls.complete_io(&mut TcpStream::connect(&proxy.address)?).map(|_| ())
    }
}

/// A running proxy.
pub(crate) struct Proxied {
    pub(crate) address: String,
    pub(crate) metrics: String,
    commander: Sender<Command>,
    task: JoinHandle<()>,
    log: LogBuffer,
}

impl Proxied {
    pub(crate) fn send_command(&self, command: Command) {
        self.commander.blocking_send(command).unwrap();
    }

    /// Sends a command that stops the proxy, and waits. Returns the log.
    pub(crate) fn end(self, command: Command) -> String {
        self.send_command(command);
        self.ended()
    }

    /// Waits until the proxy has stopped. Returns the log.
    pub(crate) fn ended(self) -> String {
        settle(|| self.task.is_finished() && self.log.text().contains(" stopped"));
        self.log.text()
    }
}

/// Log in memory.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl LogBuffer {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client of grille-tls.
pub(crate) struct TestClient(Client);

impl TestClient {
    pub(crate) fn try_connect(&self, proxy: &Proxied) -> Result<Connection, Error> {
        self.connect_at(&proxy.address)
    }

    pub(crate) fn connect_at(&self, address: &str) -> Result<Connection, Error> {
        self.0.connect(address, NAME)
    }

    pub(crate) fn connect(&self, proxy: &Proxied) -> Connection {
        self.try_connect(proxy).unwrap()
    }

    /// Connects after sending `head` in plaintext.
    pub(crate) fn connect_with(&self, proxy: &Proxied, head: &[u8]) -> Connection {
        let between = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, proxy, head) =
            (between.local_addr().unwrap().to_string(), proxy.address.clone(), head.to_vec());
        thread::spawn(move || {
            let client = between.accept().unwrap().0;
            let mut proxy = TcpStream::connect(proxy).unwrap();
            proxy.write_all(&head).unwrap();
            let (mut from, mut to) = (client.try_clone().unwrap(), proxy.try_clone().unwrap());
            thread::spawn(move || io::copy(&mut from, &mut to));
            io::copy(&mut proxy, &mut &client)
        });
        self.0.connect(&address, NAME).unwrap()
    }

    /// Sends these bytes, receives the echo, and closes.
    pub(crate) fn ask(&self, proxy: &Proxied, bytes: &[u8]) -> Report {
        let mut connection = self.connect(proxy);
        for piece in bytes.chunks(1 << 16) {
            connection.write_all(piece).unwrap();
            let mut received = vec![0; piece.len()];
            connection.read_exact(&mut received).unwrap();
            assert!(received == piece, "a different echo");
        }
        connection.close().unwrap()
    }
}

/// Starts an echo service; returns its address.
fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            thread::spawn(move || io::copy(&mut &socket, &mut &socket));
        }
    });
    address
}

/// Returns the body of an HTTP response.
pub(crate) fn get(address: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// Waits until a condition holds.
pub(crate) fn settle(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "the condition never held");
        thread::sleep(Duration::from_millis(10));
    }
}
