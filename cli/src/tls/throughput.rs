//! `--throughput`: times a transfer in both directions on one connection, as `-B` of wolfSSL's examples.

use super::options::Style;
use super::transfer::{self, RECORD_LEN, packets, timed};
use crate::output::{Output, Report, format_count};
use grille_tls::Connection;
use serde::Serialize;
use std::io::{self, Read, Write};
use std::time::Duration;

/// The times of a transfer.
#[derive(Serialize)]
pub(super) struct Throughput {
    #[serde(skip)]
    style: Style,
    side: Side,
    /// Bytes in each direction.
    bytes: u64,
    /// The time of the handshake, including the wait for the other side.
    connect_milliseconds: f64,
    send_milliseconds: f64,
    receive_milliseconds: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Server,
    Client,
}

/// Runs the client's side: sends the bytes in packets, and receives each packet back.
///
/// # Errors
/// Returns an error if the connection fails, or the server sends back other bytes.
pub(super) fn measure(connection: &mut Connection, bytes: u64, style: Style) -> io::Result<Throughput> {
    let (sent, mut echo) = ([7; RECORD_LEN], vec![0; RECORD_LEN]);
    let [mut send, mut receive] = [Duration::ZERO; 2];
    for len in packets(bytes, RECORD_LEN) {
        connection.restart_deadline();
        send += timed(|| connection.write_all(&sent[..len]))?;
        receive += timed(|| connection.read_exact(&mut echo[..len]))?;
        if echo[..len] != sent[..len] {
            let other = "the server did not send back the same bytes; give it --throughput, too";
            return Err(io::Error::new(io::ErrorKind::InvalidData, other));
        }
    }
    Ok(Throughput::new(Side::Client, connection, [send, receive], bytes, style))
}

/// Runs the server's side: sends back everything that it receives, up to `bytes`.
///
/// # Errors
/// Returns an error if the connection fails.
pub(super) fn echo(connection: &mut Connection, bytes: u64, style: Style) -> io::Result<Throughput> {
    let [receive, send] = transfer::echo(connection, packets(bytes, RECORD_LEN), &mut vec![0; RECORD_LEN])?;
    Ok(Throughput::new(Side::Server, connection, [send, receive], bytes, style))
}

impl Throughput {
    fn new(
        side: Side,
        connection: &Connection,
        [send, receive]: [Duration; 2],
        bytes: u64,
        style: Style,
    ) -> Self {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        Self {
            style,
            side,
            bytes,
            connect_milliseconds: milliseconds(connection.report().handshake_time),
            send_milliseconds: milliseconds(send),
            receive_milliseconds: milliseconds(receive),
        }
    }

    /// Returns the speed in units of 2²⁰ bytes per second; 0 if nothing was transferred.
    fn speed(&self, milliseconds: f64) -> f64 {
        if milliseconds > 0.0 { self.bytes as f64 / 1048.576 / milliseconds } else { 0.0 }
    }
}

impl Report for Throughput {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let (connect, send, receive) =
            (self.connect_milliseconds, self.send_milliseconds, self.receive_milliseconds);
        let mut lines = [("TX", send), ("RX", receive)];
        match (self.style, self.side) {
            (Style::Wolfssl, Side::Server) => writeln!(out, "wolfSSL Server Benchmark {} bytes", self.bytes)?,
            (Style::Wolfssl, Side::Client) => {
                writeln!(out, "wolfSSL Client Benchmark {} bytes\n\tConnect {connect:8.3} ms", self.bytes)?;
            }
            (Style::Grille, _) => {
                writeln!(out, "{} each way; handshake {connect:.3} ms", format_count(self.bytes, "byte"))?;
            }
        }
        // the server receives before it sends, so it lists RX first
        if self.side == Side::Server {
            lines.reverse();
        }
        lines.iter().try_for_each(|(title, time)| {
            writeln!(out, "\t{title}      {time:8.3} ms ({:8.3} MBps)", self.speed(*time))
        })
    }
}
