//! One connection over the loopback, with one request and one response.

use crate::error::Error;
use grille_registry::{KemRow, Numbers};
use grille_tls::codepoints::suite_by_name;
use grille_tls::{Client, Connection, Preferences, Report, Server};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// The reports of both sides of one connection.
pub(crate) struct LoopbackRun {
    pub(crate) server: Report,
    pub(crate) client: Report,
    /// The time from the request to the response.
    pub(crate) exchange_time: Duration,
}

/// The application data of a connection.
#[derive(Clone, Copy)]
pub(crate) struct Messages {
    pub(crate) request: &'static str,
    pub(crate) response: &'static str,
}

/// The messages of wolfSSL's examples, for comparisons with the byte counts in wolfSSL's documents.
pub(crate) const WOLFSSL_MESSAGES: Messages =
    Messages { request: "hello wolfssl!", response: "I hear you fa shizzle!" };

/// Returns preferences with one group and the cipher suite of wolfSSL's documents.
pub(super) fn wolfssl_preferences(group: &'static KemRow, numbers: Numbers) -> Preferences {
    let suites = suite_by_name("TLS_AES_256_GCM_SHA384").into_iter().collect();
    Preferences { groups: vec![group], suites, numbers, ..Preferences::default() }
}

/// The messages of the demo.
pub(crate) const DEMO_MESSAGES: Messages = Messages { request: "hello, server", response: "hello, client" };

/// Connects, exchanges the messages, and closes. The server's certificate must be for `name`.
///
/// # Errors
/// Returns an error if either side fails. If both fail, returns the server's error, because the client only receives
/// the alert.
pub(crate) fn run_loopback(
    server: Server,
    client: &Client,
    name: &str,
    messages: Messages,
) -> Result<LoopbackRun, Error> {
    let address = server.local_addr()?.to_string();
    let serving = thread::spawn(move || serve_one(&server, messages));
    let client = exchange(client, &address, name, messages);
    if client.is_err() {
        // wakes a server that is still waiting for a connection
        drop(TcpStream::connect(&address));
    }
    let server =
        serving.join().map_err(|_| Error::failure("the server stopped unexpectedly").with_place(&address))?;
    let (server, (client, exchange_time)) = (server?, client?);
    Ok(LoopbackRun { server, client, exchange_time })
}

/// Serves one client: receives the request and sends the response.
///
/// # Errors
/// Returns an error if the connection fails.
pub(super) fn serve_one(server: &Server, messages: Messages) -> Result<Report, Error> {
    let (socket, peer) = server.accept()?;
    let mut connection = server.handshake(socket, peer)?;
    receive(&mut connection, messages.request)?;
    send(&mut connection, messages.response)?;
    Ok(connection.close()?)
}

/// Connects, sends the request and receives the response; also returns the time between them.
///
/// # Errors
/// Returns an error if the connection fails.
pub(super) fn exchange(
    client: &Client,
    address: &str,
    name: &str,
    messages: Messages,
) -> Result<(Report, Duration), Error> {
    let mut connection = client.connect(address, name)?;
    let start = Instant::now();
    send(&mut connection, messages.request)?;
    receive(&mut connection, messages.response)?;
    let time = start.elapsed();
    Ok((connection.close()?, time))
}

fn send(connection: &mut Connection, text: &str) -> Result<(), grille_tls::Error> {
    connection.write_all(text.as_bytes()).map_err(|e| grille_tls::Error::from_io("send a message", e))
}

/// Receives exactly this text.
fn receive(connection: &mut Connection, text: &str) -> Result<(), grille_tls::Error> {
    let mut received = vec![0; text.len()];
    connection.read_exact(&mut received).map_err(|e| grille_tls::Error::from_io("receive a message", e))?;
    let other = || io::Error::new(io::ErrorKind::InvalidData, "the message differs from the one sent");
    let same = received == text.as_bytes();
    if same { Ok(()) } else { Err(grille_tls::Error::from_io("receive a message", other())) }
}
