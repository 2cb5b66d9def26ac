//! A client and a server in one thread, connected in memory, to measure their computation without a network.

use crate::client::Client;
use crate::engine::Engine;
use crate::error::{Error, setup_error};
use crate::server::Server;
use std::io::Read;
use std::time::{Duration, Instant};

/// Client and server of one connection.
pub struct Pair {
    client: Engine,
    server: Engine,
    /// Time spent by the client in the handshake.
    pub client_time: Duration,
    /// Time spent by the server in the handshake.
    pub server_time: Duration,
}

impl Pair {
    /// Runs the handshake between a client and a server.
    ///
    /// # Errors
    /// Returns [`Error::Tls`], or [`Error::Configuration`] if `name` is neither a host name nor an IP address.
    pub fn handshake(client: &Client, server: &Server, name: &str) -> Result<Self, Error> {
        let start = Instant::now();
        let client = client.begin(name)?;
        let client_time = start.elapsed();
        let start = Instant::now();
        let server = server.begin()?;
        let mut pair = Self { client, server, client_time, server_time: start.elapsed() };
        while pair.client.wants_write() || pair.server.wants_write() {
            let (sent, received) = transfer_output(&mut pair.client, &mut pair.server)?;
            (pair.client_time, pair.server_time) = (pair.client_time + sent, pair.server_time + received);
            let (sent, received) = transfer_output(&mut pair.server, &mut pair.client)?;
            (pair.server_time, pair.client_time) = (pair.server_time + sent, pair.client_time + received);
        }
        Ok(pair)
    }

    /// Sends `packet`, at most 16 KiB, to the server, which sends it back to the client, into `echo`. Returns the
    /// durations of four steps: the client sends, the server receives, the server sends, the client receives.
    ///
    /// # Errors
    /// Returns [`Error::Tls`], which is not expected.
    pub fn echo(&mut self, packet: &[u8], echo: &mut [u8]) -> Result<[Duration; 4], Error> {
        let [client_sends, server_receives] = transfer(&mut self.client, &mut self.server, packet, echo)?;
        let packet = echo.to_vec();
        let [server_sends, client_receives] = transfer(&mut self.server, &mut self.client, &packet, echo)?;
        Ok([client_sends, server_receives, server_sends, client_receives])
    }
}

fn transfer(
    from: &mut Engine,
    to: &mut Engine,
    packet: &[u8],
    received: &mut [u8],
) -> Result<[Duration; 2], Error> {
    let start = Instant::now();
    from.send(packet).map_err(setup_error)?;
    let written = start.elapsed();
    let (sent, processed) = transfer_output(from, to)?;
    let start = Instant::now();
    to.read_exact(received).map_err(|e| Error::from_io("the transfer in memory", e))?;
    Ok([written + sent, processed + start.elapsed()])
}

/// Transfers all output of `from` to `to`. Returns the time spent by each.
fn transfer_output(from: &mut Engine, to: &mut Engine) -> Result<(Duration, Duration), Error> {
    let start = Instant::now();
    let records = from.take_outgoing();
    let sent = start.elapsed();
    let start = Instant::now();
    to.receive(&records).map_err(setup_error)?;
    Ok((sent, start.elapsed()))
}
