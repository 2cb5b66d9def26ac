//! What the TLS handshakes of a network capture say in the clear: the hellos, and alerts in their place.
//!
//! | question | file |
//! |---|---|
//! | which packets has a capture (pcap, pcapng)? | `file` |
//! | which bytes did either end send, whatever order they came in? | `stream` |
//! | which messages are in them? | `handshake` |
//!
//! Everything is bounded: of a stream only its first 256 KiB are kept, which is more than handshakes say in the clear.
#![forbid(unsafe_code)]

mod file;
mod handshake;
mod stream;

pub use file::is_capture;

use grille_tls::hello::{Hello, Kind};
use handshake::Half;
use std::net::SocketAddr;
use stream::{Flow, Flows};

/// What a capture says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capture {
    /// Packets of any kind.
    pub packets: usize,
    /// Whether it ends within a packet, or is damaged behind the last one.
    pub damaged: bool,
    /// A type of link whose packets are not read here, if there was one.
    pub unread_link: Option<i32>,
    /// Connections whose client speaks TLS, in the order of their first packets.
    pub conversations: Vec<Conversation>,
}

/// A connection whose client began to speak TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Who sent the ClientHello.
    pub client: SocketAddr,
    /// Who was meant.
    pub server: SocketAddr,
    /// The hellos of both, in the order of the protocol, and the length of each message in bytes.
    pub hellos: Vec<(Hello, usize)>,
    /// The alert with which the client gave up, if it said so in the clear.
    pub client_alert: Option<u8>,
    /// The same of the server.
    pub server_alert: Option<u8>,
    /// Whether all is there that was said in the clear: else packets are missing, or were cut short.
    pub complete: bool,
}

/// Reads a capture, pcap or pcapng.
#[must_use]
pub fn read(capture: &[u8]) -> Capture {
    let (mut flows, mut unread_link) = (Flows::default(), None);
    let packets = file::packets(capture, |link, packet| {
        if !flows.packet(link, packet) {
            unread_link = Some(link.0);
        }
    });
    let conversations = flows.into_all().iter().filter_map(conversation).collect();
    Capture {
        packets: packets.unwrap_or_else(|read| read),
        damaged: packets.is_err(),
        unread_link,
        conversations,
    }
}

fn conversation(flow: &Flow) -> Option<Conversation> {
    let halves = flow.halves.each_ref().map(|bytes| handshake::read(&bytes.in_order()));
    let client = halves.iter().position(Half::is_client)?;
    let [first, second] = halves;
    let (own, other) = if client == 0 { (first, second) } else { (second, first) };
    Some(Conversation {
        client: flow.ends[client],
        server: flow.ends[1 - client],
        complete: own.complete && other.complete,
        client_alert: own.alert,
        server_alert: other.alert,
        hellos: in_turns(own.hellos, other.hellos),
    })
}

/// Whoever asks again does so after an answer.
fn in_turns(client: Vec<(Hello, usize)>, server: Vec<(Hello, usize)>) -> Vec<(Hello, usize)> {
    let (mut server, mut both) = (server.into_iter(), Vec::new());
    for hello in client {
        both.push(hello);
        both.extend(server.next());
    }
    both.extend(server);
    both
}

impl Half {
    fn is_client(&self) -> bool {
        self.hellos.first().is_some_and(|(hello, _)| hello.kind == Kind::ClientHello)
    }
}

#[cfg(test)]
mod tests;
