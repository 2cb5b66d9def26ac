//! One connection over the loopback, with a question and an answer.

use crate::error::Error;
use grille_tls::{Client, Connection, Report, Server};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// What one connection was like.
pub(crate) struct Meeting {
    pub(crate) server: Report,
    pub(crate) client: Report,
    /// From the question to the answer.
    pub(crate) talk_time: Duration,
}

/// The messages of wolfSSL's examples.
pub(crate) const QUESTION: &str = "hello wolfssl!";
pub(crate) const ANSWER: &str = "I hear you fa shizzle!";

/// Connects, asks, hears the answer, and says goodbye. The server's certificate must be for `name`.
///
/// # Errors
/// Whatever fails on either side; where both fail, the server's reason, of which the client has only the alert.
pub(crate) fn meet(server: Server, client: &Client, name: &str) -> Result<Meeting, Error> {
    let address = server.local_addr()?.to_string();
    let serving = thread::spawn(move || answer(&server));
    let client = ask(client, &address, name);
    if client.is_err() {
        // wakes a server that nobody has called yet
        drop(TcpStream::connect(&address));
    }
    let server =
        serving.join().map_err(|_| Error::failure("the server stopped unexpectedly").at_place(&address))?;
    let (server, (client, talk_time)) = (server?, client?);
    Ok(Meeting { server, client, talk_time })
}

/// Serves one client: hears the question, answers it.
///
/// # Errors
/// Whatever fails on this side.
pub(super) fn answer(server: &Server) -> Result<Report, Error> {
    let (socket, peer) = server.accept()?;
    let mut connection = server.handshake(socket, peer)?;
    hear(&mut connection, QUESTION)?;
    say(&mut connection, ANSWER)?;
    Ok(connection.close()?)
}

/// Connects, asks, and hears the answer; also the time of the talk.
///
/// # Errors
/// Whatever fails on this side.
pub(super) fn ask(client: &Client, address: &str, name: &str) -> Result<(Report, Duration), Error> {
    let mut connection = client.connect(address, name)?;
    let start = Instant::now();
    say(&mut connection, QUESTION)?;
    hear(&mut connection, ANSWER)?;
    let time = start.elapsed();
    Ok((connection.close()?, time))
}

fn say(connection: &mut Connection, text: &str) -> Result<(), grille_tls::Error> {
    connection.write_all(text.as_bytes()).map_err(|e| grille_tls::Error::from_io("send a message", e))
}

/// Waits for exactly this text.
fn hear(connection: &mut Connection, text: &str) -> Result<(), grille_tls::Error> {
    let mut heard = vec![0; text.len()];
    connection.read_exact(&mut heard).map_err(|e| grille_tls::Error::from_io("receive a message", e))?;
    let other = || io::Error::new(io::ErrorKind::InvalidData, "another message than was sent");
    let same = heard == text.as_bytes();
    if same { Ok(()) } else { Err(grille_tls::Error::from_io("receive a message", other())) }
}
