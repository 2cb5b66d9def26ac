//! Unencrypted parts of the TLS handshakes in a network capture: the hellos and alerts.
//!
//! ```
//! use etherparse::PacketBuilder;
//!
//! // a ClientHello that offers X25519MLKEM768, in a record
//! let extensions = [0, 10, 0, 4, 0, 2, 0x11, 0xEC];
//! let hello = [&[3_u8, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0, 0, 8], &extensions].concat();
//! let record = [&[22_u8, 3, 1, 0, 4 + hello.len() as u8, 1, 0, 0, hello.len() as u8][..], &hello].concat();
//!
//! // a capture (pcap, raw IP) with one packet
//! let mut packet = Vec::new();
//! PacketBuilder::ipv4([192, 0, 2, 1], [192, 0, 2, 2], 64).tcp(40000, 443, 1, 65000).write(&mut packet, &record)?;
//! let len = (packet.len() as u32).to_le_bytes();
//! let header = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 101, 0, 0, 0];
//! let capture = [&header[..], &[0; 8], &len, &len, &packet].concat();
//!
//! let capture = grille_tls_capture::read(&capture);
//! let conversation = &capture.conversations[0];
//! assert_eq!(conversation.server.to_string(), "192.0.2.2:443");
//! assert_eq!(conversation.hellos[0].0.groups, [0x11EC]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`, because `grille-tls` does.
//!
//! # Security
//! Captures are untrusted: malformed ones never make this crate panic. Memory is bounded: only the first 256 KiB of
//! each stream are kept, more than the unencrypted part of a handshake needs.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | Which packets does a capture (pcap, pcapng) contain? | `file` |
//! | Which bytes did each side send, in order? | `stream` |
//! | Which messages do these bytes contain? | `handshake` |
#![forbid(unsafe_code)]

mod file;
mod handshake;
mod stream;

pub use file::is_capture;

use grille_tls::hello::{Hello, Kind};
use handshake::SentMessages;
use std::net::SocketAddr;
use stream::{Flow, Flows};

/// Contents of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Number of packets of any kind.
    pub packets: usize,
    /// Whether the capture ends within a packet, or is damaged after the last packet that could be read.
    pub damaged: bool,
    /// A link type that is not supported, if one occurred.
    pub unsupported_link: Option<i32>,
    /// Connections whose client uses TLS, in the order of their first packets.
    pub conversations: Vec<Conversation>,
}

/// A connection that starts with a ClientHello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Address of the side that sent the ClientHello.
    pub client: SocketAddr,
    /// Address of the other side.
    pub server: SocketAddr,
    /// Hellos of both sides, in protocol order, with the length of each message in bytes.
    pub hellos: Vec<(Hello, usize)>,
    /// Unencrypted alert with which the client aborted, if any.
    pub client_alert: Option<u8>,
    /// Unencrypted alert with which the server aborted, if any.
    pub server_alert: Option<u8>,
    /// Whether the unencrypted part of the handshake is complete; otherwise packets are missing or truncated.
    pub complete: bool,
}

/// Parses a capture, pcap or pcapng.
#[must_use]
pub fn read(capture: &[u8]) -> Capture {
    let (mut flows, mut unsupported_link) = (Flows::default(), None);
    let packets = file::for_each_packet(capture, |link, packet| {
        if !flows.add_packet(link, packet) {
            unsupported_link = Some(link.0);
        }
    });
    let conversations = flows.into_flows().iter().filter_map(conversation).collect();
    Capture {
        packets: packets.unwrap_or_else(|read| read),
        damaged: packets.is_err(),
        unsupported_link,
        conversations,
    }
}

fn conversation(flow: &Flow) -> Option<Conversation> {
    let halves = flow.halves.each_ref().map(|bytes| handshake::read(&bytes.contiguous_bytes()));
    let client = halves.iter().position(SentMessages::is_client)?;
    let [first, second] = halves;
    let (own, other) = if client == 0 { (first, second) } else { (second, first) };
    Some(Conversation {
        client: flow.ends[client],
        server: flow.ends[1 - client],
        complete: own.complete && other.complete,
        client_alert: own.alert,
        server_alert: other.alert,
        hellos: interleave(own.hellos, other.hellos),
    })
}

/// Merges the hellos of both sides in protocol order: a client sends a second hello only after the server's answer.
fn interleave(client: Vec<(Hello, usize)>, server: Vec<(Hello, usize)>) -> Vec<(Hello, usize)> {
    let (mut server, mut both) = (server.into_iter(), Vec::new());
    for hello in client {
        both.push(hello);
        both.extend(server.next());
    }
    both.extend(server);
    both
}

impl SentMessages {
    fn is_client(&self) -> bool {
        self.hellos.first().is_some_and(|(hello, _)| hello.kind == Kind::ClientHello)
    }
}

#[cfg(test)]
mod tests;
