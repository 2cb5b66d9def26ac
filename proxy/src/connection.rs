//! One connection through the proxy: the client's side, the service's side, and the bytes between them.

use crate::header::{self, ClientAuth, Ends, HeaderError, Secured};
use crate::log::{ClientCertificate, Closed, Event};
use crate::proxy::{Shared, Sides};
use crate::relay::{Broken, Delivered, Stream, relay, reset};
use grille_registry::Numbers;
use grille_tls::codepoints::{group_name, suite_name, version_name};
use grille_tls::report::Kind;
use grille_tls::{ClientIdentity, Configs};
use rustls::CommonState;
use rustls::server::Acceptor;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout};
use tokio_rustls::{LazyConfigAcceptor, TlsConnector, TlsStream, server};

/// Why a connection did not end well.
#[derive(Debug)]
enum Failure {
    Header(HeaderError),
    ClientHandshake(io::Error),
    ClientTooSlow,
    Connect(io::Error),
    ServiceHandshake(io::Error),
    ServiceTooSlow,
    Relay(Broken),
}

impl Failure {
    /// For metrics and logs: one of a few.
    const fn name(&self) -> &'static str {
        match self {
            Self::Header(_) => "no proxy header",
            Self::ClientHandshake(_) => "handshake failed",
            Self::ClientTooSlow => "handshake too slow",
            Self::Connect(_) => "service not reached",
            Self::ServiceHandshake(_) => "handshake with service failed",
            Self::ServiceTooSlow => "service too slow",
            Self::Relay(Broken::Idle(_)) => "idle",
            Self::Relay(Broken::Io(_)) => "broken off",
        }
    }

    /// `service`: its address.
    fn details(&self, service: &str) -> Option<String> {
        let reason = grille_tls::error::reason;
        match self {
            Self::Header(error) => Some(error.to_string()),
            Self::ClientHandshake(error) if is_too_long(error) => Some(TOO_LONG.to_owned()),
            Self::ServiceHandshake(error) if is_too_long(error) => Some(format!("{service}: {TOO_LONG}")),
            Self::ClientHandshake(error) | Self::Relay(Broken::Io(error)) => Some(reason(error)),
            Self::Connect(error) | Self::ServiceHandshake(error) => {
                Some(format!("{service}: {}", reason(error)))
            }
            Self::ClientTooSlow | Self::ServiceTooSlow => None,
            Self::Relay(Broken::Idle(limit)) => Some(format!("nothing for {} s", limit.as_secs_f32())),
        }
    }
}

/// The proxy runs rustls' buffered connections: memory is bounded for each of thousands of clients.
const TOO_LONG: &str = "the peer's certificates and signature have more than 65535 bytes, the most that the proxy takes in \
                        one flight (TLS itself sets no such limit); the peer needs a shorter chain or shorter signatures";

/// Whether rustls' buffer of handshake messages is full: what it says of that is the only data that it calls invalid
/// without an error of TLS.
fn is_too_long(error: &io::Error) -> bool {
    let of_tls = error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>);
    error.kind() == io::ErrorKind::InvalidData && !of_tls
}

/// The right to be a connection, and the right to be one whose handshake is not over yet.
pub(crate) struct Permits {
    pub(crate) connection: OwnedSemaphorePermit,
    pub(crate) handshake: OwnedSemaphorePermit,
}

/// Counts a connection for as long as it lives, also where its task is cut off.
struct Counted<'a>(&'a AtomicI64);

impl<'a> Counted<'a> {
    fn new(gauge: &'a AtomicI64) -> Self {
        gauge.fetch_add(1, Relaxed);
        Self(gauge)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Serves one client to the end, and says how that was.
pub(crate) async fn serve(shared: Arc<Shared>, socket: TcpStream, peer: SocketAddr, permits: Permits) {
    let start = Instant::now();
    let Permits { connection: _connection, handshake } = permits;
    let _active = Counted::new(&shared.metrics.active);
    let (delivered, mut told) = (Delivered::default(), Told { client: peer, secured: None });
    let end = converse(&shared, socket, handshake, &delivered, &mut told).await;
    let (to_client, to_service) = (delivered.to_client.load(Relaxed), delivered.to_service.load(Relaxed));
    shared.metrics.to_client.fetch_add(to_client, Relaxed);
    shared.metrics.to_service.fetch_add(to_service, Relaxed);
    let name = end.as_ref().err().map_or("closed", Failure::name);
    shared.metrics.connections.count(name);
    let secured = told.secured.as_ref();
    shared.tell(&Event::Closed(Closed {
        client: told.client,
        end: name,
        error: end.as_ref().err().and_then(|failure| failure.details(&shared.options.to)),
        group: secured.map(|secured| secured.group.as_str()),
        suite: secured.map(|secured| secured.suite.as_str()),
        server_name: secured.and_then(|secured| secured.server_name.as_deref()),
        client_certificate: secured.and_then(|secured| secured.client.as_ref()).map(ClientCertificate::from),
        to_client,
        to_service,
        milliseconds: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    }));
}

/// What is known of the client so far.
struct Told {
    client: SocketAddr,
    secured: Option<Secured>,
}

async fn converse(
    shared: &Shared,
    socket: TcpStream,
    handshake: OwnedSemaphorePermit,
    delivered: &Delivered,
    told: &mut Told,
) -> Result<(), Failure> {
    let pending = Counted::new(&shared.metrics.pending);
    let sides = shared.sides();
    let start = Instant::now();
    let limits = &shared.options.limits;
    let (mut client, ends) = front_in_time(shared, &sides, socket, told).await?;
    if told.secured.is_some() {
        shared.metrics.handshake_times.observe(start.elapsed());
    }
    drop(handshake);
    let back = timeout(limits.connect, back(shared, &sides, ends, told.secured.as_ref())).await;
    let mut service = back.unwrap_or(Err(Failure::ServiceTooSlow)).inspect_err(|_| {
        // so that nobody takes it for an answer without a word
        reset(client.socket());
    })?;
    drop((pending, sides));
    relay(&mut client, &mut service, limits.idle, delivered).await.map_err(Failure::Relay)
}

/// Where a client's first message is awaited. It outlives the time that is given for that: the socket still carries an
/// alert.
type Hello = Option<LazyConfigAcceptor<TcpStream>>;

/// The client's side within its time.
async fn front_in_time(
    shared: &Shared,
    sides: &Sides,
    socket: TcpStream,
    told: &mut Told,
) -> Result<(Stream, Ends), Failure> {
    let mut hello = None;
    let front = front(shared, sides, socket, told, &mut hello);
    if let Ok(result) = timeout(shared.options.limits.handshake, front).await {
        return result;
    }
    if let Some(mut socket) = hello.and_then(|mut hello| hello.take_io()) {
        // best effort: it fails where the client is gone
        let _ = timeout(LINGER, socket.write_all(&CANCELED)).await;
        linger(socket).await;
    }
    Err(Failure::ClientTooSlow)
}

/// Two alerts in the clear, as a server may send until it has said ServerHello: user_canceled and close_notify
/// (RFC 8446 section 6.1), of level warning each.
const CANCELED: [u8; 14] = [21, 3, 3, 0, 2, 1, 90, 21, 3, 3, 0, 2, 1, 0];

/// The client's side: header and handshake, as far as they are asked for.
async fn front(
    shared: &Shared,
    sides: &Sides,
    mut socket: TcpStream,
    told: &mut Told,
    hello: &mut Hello,
) -> Result<(Stream, Ends), Failure> {
    // small records are awaited by the peer
    let own =
        socket.set_nodelay(true).and_then(|()| socket.local_addr()).map_err(Failure::ClientHandshake)?;
    let mut ends = Ends { source: told.client, destination: own };
    if shared.options.header.accept {
        ends = header::read(&mut socket).await.map_err(Failure::Header)?.unwrap_or(ends);
        told.client = ends.source;
    }
    let Some(configs) = &sides.inbound else { return Ok((Stream::Plain(socket), ends)) };
    let tls = match accept(configs, socket, hello).await {
        Ok(tls) => tls,
        Err((error, socket)) => {
            if let Some(socket) = socket {
                linger(socket).await;
            }
            return Err(Failure::ClientHandshake(error));
        }
    };
    let session = tls.get_ref().1;
    note_handshake(shared, "client", session);
    let server_name = session.server_name().map(str::to_owned);
    told.secured = Some(Secured { server_name, ..secured(session, shared.options.numbers) });
    Ok((Stream::Tls(Box::new(TlsStream::Server(tls))), ends))
}

/// The handshake with a client. Where it fails the socket comes back, for it still carries the alert.
async fn accept(
    configs: &Configs,
    socket: TcpStream,
    hello: &mut Hello,
) -> Result<server::TlsStream<TcpStream>, (io::Error, Option<TcpStream>)> {
    let hello = hello.insert(LazyConfigAcceptor::new(Acceptor::default(), socket));
    let start = match (&mut *hello).await {
        Ok(start) => start,
        Err(error) => return Err((error, hello.take_io())),
    };
    let config = configs.choose(&start.client_hello());
    start.into_stream(config).into_fallible().await.map_err(|(error, socket)| (error, Some(socket)))
}

/// The service's side: connection, header, handshake.
async fn back(
    shared: &Shared,
    sides: &Sides,
    ends: Ends,
    secured: Option<&Secured>,
) -> Result<Stream, Failure> {
    let mut socket = TcpStream::connect(&shared.options.to).await.map_err(Failure::Connect)?;
    socket.set_nodelay(true).map_err(Failure::Connect)?;
    if shared.options.header.send {
        socket.write_all(&header::write(ends, secured)).await.map_err(Failure::Connect)?;
    }
    let Some((config, name)) = &sides.outbound else { return Ok(Stream::Plain(socket)) };
    let connecting = TlsConnector::from(config.clone()).connect(name.clone(), socket);
    let tls = connecting.await.map_err(Failure::ServiceHandshake)?;
    note_handshake(shared, "service", tls.get_ref().1);
    Ok(Stream::Tls(Box::new(TlsStream::Client(tls))))
}

fn note_handshake(shared: &Shared, side: &'static str, session: &CommonState) {
    let kind = match Kind::of(session) {
        Kind::Resumed => "resumed",
        Kind::Retried => "retried",
        Kind::Full => "full",
    };
    shared.metrics.handshakes.count((side, group(session, shared.options.numbers), kind));
}

fn secured(session: &CommonState, numbers: Numbers) -> Secured {
    Secured {
        version: session.protocol_version().map(version_name).unwrap_or_default(),
        suite: session.negotiated_cipher_suite().map(|suite| suite_name(suite.suite())).unwrap_or_default(),
        group: group(session, numbers),
        client_auth: client_auth(session),
        client: session.peer_certificates().and_then(ClientIdentity::of),
        alpn: session.alpn_protocol().map(<[u8]>::to_vec),
        server_name: None,
    }
}

fn client_auth(session: &CommonState) -> ClientAuth {
    match (session.peer_certificates(), Kind::of(session)) {
        (None, _) => ClientAuth::None,
        (Some(_), Kind::Resumed) => ClientAuth::InSession,
        (Some(_), Kind::Full | Kind::Retried) => ClientAuth::InConnection,
    }
}

fn group(session: &CommonState, numbers: Numbers) -> String {
    let group = session.negotiated_key_exchange_group();
    group.map_or_else(|| "none".to_owned(), |group| group_name(group.name().into(), numbers))
}

/// How long, and for how many bytes, a client whose handshake failed is still listened to: a socket that is closed
/// with unread bytes destroys the alert on its way.
const LINGER: Duration = Duration::from_millis(200);
const MAX_LINGER_LEN: u64 = 1 << 17;

async fn linger(mut socket: TcpStream) {
    // the handshake has failed already; whatever fails here changes nothing
    let _ = socket.shutdown().await;
    let mut rest = socket.take(MAX_LINGER_LEN);
    let _ = timeout(LINGER, copy(&mut rest, &mut sink())).await;
}
