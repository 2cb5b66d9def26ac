//! One connection through the proxy: the client side, the service side, and the relay in between.

use crate::admission::{HandshakePermit, StopReason};
use crate::client_hello;
use crate::descriptors;
use crate::log::{ClientCertificate, Closed, Event};
use crate::options::Sides;
use crate::proxy_protocol::{self, ClientAuth, Endpoints, HeaderError, TlsProperties};
use crate::relay::{Delivered, RelayError, Stream, relay, reset};
use crate::shared::{Client, DESCRIPTOR_RETRY, Shared};
use grille_registry::Numbers;
use grille_tls::codepoints::{group_name, suite_name, version_name};
use grille_tls::report::Kind;
use grille_tls::{ClientIdentity, Configs};
use rustls::CommonState;
use rustls::server::Accepted;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::{StartHandshake, TlsConnector, TlsStream, server};

/// Reason why a connection failed.
#[derive(Debug)]
enum Failure {
    Header(HeaderError),
    ClientHandshake(io::Error),
    ClientTooSlow,
    Displaced,
    TooManyFromAddress,
    Connect(io::Error),
    ServiceHandshake(io::Error),
    ServiceTooSlow,
    Relay(RelayError),
}

impl Failure {
    /// Returns the reason for metrics and logs, one of a fixed set.
    const fn name(&self) -> &'static str {
        match self {
            Self::Header(_) => "no proxy header",
            Self::ClientHandshake(_) => "handshake failed",
            Self::ClientTooSlow => "handshake too slow",
            Self::Displaced => "displaced",
            Self::TooManyFromAddress => TOO_MANY_HANDSHAKES,
            Self::Connect(_) => "service not reached",
            Self::ServiceHandshake(_) => "handshake with service failed",
            Self::ServiceTooSlow => "service too slow",
            Self::Relay(RelayError::Idle(_)) => "idle",
            Self::Relay(RelayError::Io(_)) => "broken off",
        }
    }

    /// Returns details of the failure. `service`: address of the service.
    fn details(&self, service: &str) -> Option<String> {
        let reason = grille_tls::error::reason;
        match self {
            Self::Header(error) => Some(error.to_string()),
            Self::ClientHandshake(error) if is_flight_too_long(error) => Some(FLIGHT_TOO_LONG.to_owned()),
            Self::ServiceHandshake(error) if is_flight_too_long(error) => {
                Some(format!("{service}: {FLIGHT_TOO_LONG}"))
            }
            Self::ClientHandshake(error) | Self::Relay(RelayError::Io(error)) => Some(reason(error)),
            Self::Connect(error) | Self::ServiceHandshake(error) => {
                Some(format!("{service}: {}", reason(error)))
            }
            Self::ClientTooSlow | Self::Displaced | Self::TooManyFromAddress | Self::ServiceTooSlow => None,
            Self::Relay(RelayError::Idle(limit)) => Some(format!("no data for {} s", limit.as_secs_f32())),
        }
    }
}

impl From<StopReason> for Failure {
    fn from(stopped: StopReason) -> Self {
        match stopped {
            StopReason::TimedOut => Self::ClientTooSlow,
            StopReason::Displaced => Self::Displaced,
        }
    }
}

/// Reason for closing a connection: its source address has too many unfinished handshakes.
const TOO_MANY_HANDSHAKES: &str = "too many from its address";

/// Reason for refusing a peer: its flight exceeds rustls' buffer. The proxy uses rustls' buffered connections, because
/// they bound the memory for each of thousands of clients.
const FLIGHT_TOO_LONG: &str = "the peer's certificates and signature exceed the proxy's limit of 65535 bytes per flight (TLS itself has \
                        no such limit); the peer needs a shorter chain or shorter signatures";

/// Returns whether the error means that rustls' buffer of handshake messages is full. It is rustls' only error of kind
/// `InvalidData` that contains no TLS error.
fn is_flight_too_long(error: &io::Error) -> bool {
    let of_tls = error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>);
    error.kind() == io::ErrorKind::InvalidData && !of_tls
}

/// Counts a connection during its lifetime, even if its task is aborted.
struct CountedConnection<'a>(&'a AtomicI64);

impl<'a> CountedConnection<'a> {
    fn new(gauge: &'a AtomicI64) -> Self {
        gauge.fetch_add(1, Relaxed);
        Self(gauge)
    }
}

impl Drop for CountedConnection<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// Closes a connection whose source address has too many unfinished handshakes.
pub(crate) fn refuse(shared: &Shared, socket: &TcpStream, client: SocketAddr) {
    reset(socket);
    shared.metrics.connections.count(TOO_MANY_HANDSHAKES);
    shared.log_event(&Event::Closed(Closed::rejected(client, TOO_MANY_HANDSHAKES)));
}

/// Serves one client until the end, and logs the result.
pub(crate) async fn serve(shared: Arc<Shared>, client: Client) {
    let start = Instant::now();
    let Client { socket, address, connection: _connection, handshake } = client;
    let _active = CountedConnection::new(&shared.metrics.active);
    let (delivered, mut known) = (Delivered::default(), KnownClient { client: address, tls: None });
    let end = relay_client(&shared, socket, handshake, &delivered, &mut known).await;
    let (to_client, to_service) = (delivered.to_client.load(Relaxed), delivered.to_service.load(Relaxed));
    shared.metrics.to_client.fetch_add(to_client, Relaxed);
    shared.metrics.to_service.fetch_add(to_service, Relaxed);
    let name = end.as_ref().err().map_or("closed", Failure::name);
    shared.metrics.connections.count(name);
    let tls = known.tls.as_ref();
    shared.log_event(&Event::Closed(Closed {
        client: known.client,
        end: name,
        error: end.as_ref().err().and_then(|failure| failure.details(&shared.options.to)),
        group: tls.map(|tls| tls.group.as_str()),
        suite: tls.map(|tls| tls.suite.as_str()),
        server_name: tls.and_then(|tls| tls.server_name.as_deref()),
        client_certificate: tls.and_then(|tls| tls.client.as_ref()).map(ClientCertificate::from),
        to_client,
        to_service,
        milliseconds: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    }));
}

/// Client of a connection, and the properties of its TLS session once the handshake has succeeded.
struct KnownClient {
    client: SocketAddr,
    tls: Option<TlsProperties>,
}

async fn relay_client(
    shared: &Shared,
    socket: TcpStream,
    handshake: HandshakePermit,
    delivered: &Delivered,
    known: &mut KnownClient,
) -> Result<(), Failure> {
    let pending = CountedConnection::new(&shared.metrics.pending);
    let sides = shared.sides();
    let start = Instant::now();
    let limits = &shared.options.limits;
    let (mut client, endpoints) = client_side(shared, &sides, socket, handshake, known).await?;
    if known.tls.is_some() {
        shared.metrics.handshake_times.observe(start.elapsed());
    }
    let service = timeout(limits.connect, service_side(shared, &sides, endpoints, known.tls.as_ref())).await;
    let mut service = service.unwrap_or(Err(Failure::ServiceTooSlow)).inspect_err(|_| {
        // a reset, which the client cannot mistake for an empty answer
        reset(client.socket());
    })?;
    drop((pending, sides));
    relay(&mut client, &mut service, limits.idle, delivered).await.map_err(Failure::Relay)
}

/// Handles the client side: PROXY header and handshake, if enabled, within the handshake timeout.
async fn client_side(
    shared: &Shared,
    sides: &Sides,
    mut socket: TcpStream,
    mut handshake: HandshakePermit,
    known: &mut KnownClient,
) -> Result<(Stream, Endpoints), Failure> {
    let mut end = pin!(sleep(shared.options.limits.handshake));
    // the peer waits for small records, so none may be delayed
    let destination =
        socket.set_nodelay(true).and_then(|()| socket.local_addr()).map_err(Failure::ClientHandshake)?;
    let mut endpoints = Endpoints { source: known.client, destination };
    if shared.options.proxy_protocol.accept {
        let header = handshake.run_until_displaced(end.as_mut(), proxy_protocol::read(&mut socket)).await?;
        endpoints = header.map_err(Failure::Header)?.unwrap_or(endpoints);
        known.client = endpoints.source;
        if !handshake.set_source(endpoints.source.ip()) {
            reset(&socket);
            return Err(Failure::TooManyFromAddress);
        }
    }
    let Some(configs) = &sides.inbound else { return Ok((Stream::Plain(socket), endpoints)) };
    let tls = accept(configs, socket, &mut handshake, end).await?;
    let session = tls.get_ref().1;
    record_handshake(shared, "client", session);
    let server_name = session.server_name().map(str::to_owned);
    known.tls = Some(TlsProperties { server_name, ..tls_properties(session, shared.options.numbers) });
    Ok((Stream::Tls(Box::new(TlsStream::Server(tls))), endpoints))
}

/// Runs the handshake with a client. On failure, keeps the socket open until the alert is delivered.
async fn accept(
    configs: &Configs,
    mut socket: TcpStream,
    handshake: &mut HandshakePermit,
    mut end: Pin<&mut Sleep>,
) -> Result<server::TlsStream<TcpStream>, Failure> {
    let (error, socket) =
        match handshake.run_until_displaced(end.as_mut(), client_hello::read(&mut socket)).await {
            Ok(Ok(hello)) => {
                let rest = finish_handshake(configs, hello, socket);
                match handshake.run_until_displaced(end.as_mut(), rest).await? {
                    Ok(tls) => return Ok(tls),
                    Err(failed) => failed,
                }
            }
            Ok(Err(error)) => (error, socket),
            Err(stopped) => {
                cancel(socket, stopped).await;
                return Err(stopped.into());
            }
        };
    // The delay ends early if a new client needs the permit of this connection.
    let _ = handshake.run_until_displaced(end, linger(socket)).await;
    Err(Failure::ClientHandshake(error))
}

/// Runs the handshake after the ClientHello. On failure, returns the socket.
async fn finish_handshake(
    configs: &Configs,
    hello: Accepted,
    socket: TcpStream,
) -> Result<server::TlsStream<TcpStream>, (io::Error, TcpStream)> {
    let config = configs.choose(&hello.client_hello());
    StartHandshake::from_parts(hello, socket).into_stream(config).into_fallible().await
}

/// Closes the connection of a client whose ClientHello is missing or incomplete. A displaced connection is reset, so
/// that the system keeps no state of it.
async fn cancel(mut socket: TcpStream, stopped: StopReason) {
    match stopped {
        StopReason::TimedOut => {
            // best effort: it fails if the client has closed the connection
            let _ = timeout(LINGER, socket.write_all(&CANCELED)).await;
            linger(socket).await;
        }
        StopReason::Displaced => reset(&socket),
    }
}

/// Two unencrypted alerts, which a server may send before its ServerHello: user_canceled and close_notify (RFC 8446
/// section 6.1), both of level warning.
const CANCELED: [u8; 14] = [21, 3, 3, 0, 2, 1, 90, 21, 3, 3, 0, 2, 1, 0];

/// Handles the service side: connection, PROXY header, handshake.
async fn service_side(
    shared: &Shared,
    sides: &Sides,
    endpoints: Endpoints,
    client_tls: Option<&TlsProperties>,
) -> Result<Stream, Failure> {
    let mut socket = connect(shared).await.map_err(Failure::Connect)?;
    socket.set_nodelay(true).map_err(Failure::Connect)?;
    if shared.options.proxy_protocol.send {
        socket.write_all(&proxy_protocol::write(endpoints, client_tls)).await.map_err(Failure::Connect)?;
    }
    let Some((config, name)) = &sides.outbound else { return Ok(Stream::Plain(socket)) };
    let connecting = TlsConnector::from(config.clone()).connect(name.clone(), socket);
    let tls = connecting.await.map_err(Failure::ServiceHandshake)?;
    record_handshake(shared, "service", tls.get_ref().1);
    Ok(Stream::Tls(Box::new(TlsStream::Client(tls))))
}

/// Connects to the service. If no file descriptor is left, waits for one; no further client is accepted meanwhile.
async fn connect(shared: &Shared) -> io::Result<TcpStream> {
    let mut starving = None;
    loop {
        match TcpStream::connect(&shared.options.to).await {
            Err(error) if descriptors::is_exhausted(&error) => {
                if starving.is_none() {
                    starving = Some(CountedConnection::new(&shared.starving));
                    shared.log_accept_error(&error);
                }
                sleep(DESCRIPTOR_RETRY).await;
            }
            connected => return connected,
        }
    }
}

fn record_handshake(shared: &Shared, side: &'static str, session: &CommonState) {
    let kind = match Kind::from_connection(session) {
        Kind::Resumed => "resumed",
        Kind::Retried => "retried",
        Kind::Full => "full",
    };
    shared.metrics.handshakes.count((side, group(session, shared.options.numbers), kind));
}

fn tls_properties(session: &CommonState, numbers: Numbers) -> TlsProperties {
    TlsProperties {
        version: session.protocol_version().map(version_name).unwrap_or_default(),
        suite: session.negotiated_cipher_suite().map(|suite| suite_name(suite.suite())).unwrap_or_default(),
        group: group(session, numbers),
        client_auth: client_auth(session),
        client: session.peer_certificates().and_then(ClientIdentity::from_chain),
        alpn: session.alpn_protocol().map(<[u8]>::to_vec),
        server_name: None,
    }
}

fn client_auth(session: &CommonState) -> ClientAuth {
    match (session.peer_certificates(), Kind::from_connection(session)) {
        (None, _) => ClientAuth::None,
        (Some(_), Kind::Resumed) => ClientAuth::InSession,
        (Some(_), Kind::Full | Kind::Retried) => ClientAuth::InConnection,
    }
}

fn group(session: &CommonState, numbers: Numbers) -> String {
    let group = session.negotiated_key_exchange_group();
    group.map_or_else(|| "none".to_owned(), |group| group_name(group.name().into(), numbers))
}

/// Time for which the proxy still reads from a failed connection: closing a socket with unread bytes would discard the
/// alert.
const LINGER: Duration = Duration::from_millis(200);
/// Maximum number of bytes that the proxy reads from a failed connection within [`LINGER`].
const MAX_LINGER_LEN: u64 = 1 << 17;

async fn linger(mut socket: TcpStream) {
    // the handshake has already failed; further errors are irrelevant
    let _ = socket.shutdown().await;
    let mut rest = socket.take(MAX_LINGER_LEN);
    let _ = timeout(LINGER, copy(&mut rest, &mut sink())).await;
}
