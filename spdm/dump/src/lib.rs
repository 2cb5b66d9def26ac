//! Decodes SPDM captures of grille and of DMTF's spdm-emu. Reassembles large messages, and decrypts records whose
//! secrets are in a key log.
//!
//! ```
//! use grille_spdm_dump::secrets::Secrets;
//! use grille_spdm_dump::{Content, Dump};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let capture = std::fs::read("../../vectors/spdm/1.4-post-quantum.pcap")?;
//! let log = std::fs::read_to_string("../../vectors/spdm/1.4-post-quantum.secrets")?;
//! let mut decrypted = 0;
//! for entry in Dump::new(&capture, Secrets::parse(&log))? {
//!     if let Content::Message { bytes, .. } = &entry.content {
//!         println!("{} {:?} {bytes:02x?}", entry.packet, entry.from);
//!         decrypted += usize::from(entry.session.is_some());
//!     }
//! }
//! assert!(decrypted > 0);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`, because aws-lc checks classical signatures.
//!
//! # Security
//! Captures and key logs are untrusted: malformed ones never make this crate panic. Messages are not verified
//! unless [`Dump::with_verification`] is called. A key log decrypts the sessions of its capture, so store it like a
//! private key.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | how does the negotiation affect the layout of messages? | `negotiated.rs` |
//! | how are MCTP packets reassembled? | `packets.rs` |
//! | how are chunks reassembled? | `chunks.rs` |
//! | how does the dialect of openspdm-pqc differ? | [`pqc2021`]; its fragments, `fragments.rs` |
//! | which formats may key logs have? | [`secrets`] |
//! | which key decrypts a record? | `keys.rs`; keys that follow from a shared secret, `shared_secret.rs` |
//! | how are chains collected? | `chains.rs` |
//! | how are signatures, chains and MACs verified? | [`verify`] |
//! | which plain values are in entries? | `types.rs` |
#![forbid(unsafe_code)]

mod chains;
mod chunks;
mod fragments;
mod keys;
mod negotiated;
mod packets;
pub mod pqc2021;
pub mod secrets;
mod shared_secret;
mod types;
pub mod verify;

use chains::Chains;
use chunks::Chunks;
use fragments::Fragments;
use grille_pki::PublicKey;
use grille_spdm_codec::chunk::{ChunkResponse, ChunkSend, ChunkSendAck};
use grille_spdm_codec::encapsulated::{
    DeliverEncapsulatedResponse, EncapsulatedRequest, EncapsulatedResponseAck,
};
use grille_spdm_codec::pqc2021::fragment::{FragmentRequest, FragmentResponse};
use grille_spdm_codec::{Code, CodecError, Header, Message, Sizes};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::{Binding, Kind};
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::mctp;
use grille_spdm_transport::pcap::{Capture, Record};
use keys::{Decrypted, Keys};
use negotiated::Negotiated;
use packets::{Packets, PartialMessage};
use secrets::Secrets;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;
use verify::{Check, MessageContext, Verifier};

pub use types::{Container, IncompleteReason, Sessions, Side, UndecryptedReason};

/// An entry of the capture: a message, a record or a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of the packet, starting at 1. A chunked message has the number of its last packet.
    pub packet: usize,
    /// The time since the Unix epoch.
    pub time: Duration,
    /// The sender.
    pub from: Side,
    /// The session, if the message was in a record.
    pub session: Option<SessionId>,
    /// The content.
    pub content: Content,
    /// The checks of the message; empty unless the capture is verified ([`Dump::with_verification`]).
    pub checks: Vec<Check>,
}

/// The content of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// An SPDM message, starting with SPDMVersion.
    Message {
        /// The message; on PCI DOE zeros may follow.
        bytes: Vec<u8>,
        /// The layout parameters that follow from the negotiation and the last request.
        sizes: Sizes,
        /// The layout in the dialect of openspdm-pqc; `None` in the standard.
        dialect: Option<pqc2021::Layout>,
        /// The container of the message.
        within: Container,
    },
    /// A record that cannot be decrypted.
    Record {
        /// The length of the record in bytes.
        len: usize,
        /// The reason.
        reason: UndecryptedReason,
    },
    /// Application data of a session; on MCTP it starts with a message type.
    Application(Vec<u8>),
    /// A frame of the transport that does not carry SPDM.
    Other {
        /// The MCTP message type or the PCI DOE data object type.
        kind: u8,
        /// The payload.
        bytes: Vec<u8>,
    },
    /// A frame that cannot be decoded, or the point where the file is truncated.
    Broken(CodecError),
    /// An MCTP message with missing packets.
    Unfinished {
        /// The number of the message's first packet; [`Entry::packet`] is the number of its last packet.
        first: usize,
        /// The bytes of the message that arrived.
        bytes: Vec<u8>,
        /// The reason why the message is incomplete.
        reason: IncompleteReason,
        /// Whether the connection speaks the dialect of openspdm-pqc.
        is_dialect: bool,
    },
}

/// Iterates over the entries of a capture, in order.
pub struct Dump<'a> {
    capture: Capture<'a>,
    binding: Binding,
    packets: Packets,
    packet: usize,
    /// The sender of the last message.
    last: Side,
    negotiated: Negotiated,
    chains: Chains,
    keys: Keys,
    /// The chunks of large requests, and those of large responses.
    chunks: [Chunks; 2],
    /// The fragments of requests, and those of responses.
    fragments: [Fragments; 2],
    verifier: Option<Verifier>,
    queue: VecDeque<Entry>,
}

impl<'a> Dump<'a> {
    /// Creates a dump of a capture file's bytes.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a capture, or not of an SPDM transport.
    pub fn new(bytes: &'a [u8], secrets: Secrets) -> Result<Self, CodecError> {
        let capture = Capture::new(bytes)?;
        let link = capture.header.link;
        let unknown = grille_spdm_codec::Problem::Value {
            expected: "0x123 (MCTP), 0x124 (PCI DOE) or 0x93 (TCP)",
            got: link.0.into(),
        };
        let binding = link.binding().ok_or(CodecError { name: "link type", offset: 20, problem: unknown })?;
        Ok(Self {
            capture,
            binding,
            packets: Packets::default(),
            packet: 0,
            last: Side::Responder,
            negotiated: Negotiated::default(),
            chains: Chains::default(),
            keys: Keys::new(secrets, binding),
            chunks: Default::default(),
            fragments: Default::default(),
            verifier: None,
            queue: VecDeque::new(),
        })
    }

    /// Enables checks of chains, signatures and MACs, which [`Entry::checks`] lists. `keys` are the provisioned
    /// public keys of the requester and the responder. Must be called before [`Dump::with_negotiation`].
    #[must_use]
    pub fn with_verification(mut self, keys: [Option<PublicKey>; 2]) -> Self {
        self.verifier = Some(Verifier::new(keys));
        self
    }

    /// Sets whether connections speak the dialect of openspdm-pqc if the capture lacks their negotiation. ALGORITHMS
    /// overrides it. Must be called before [`Dump::with_negotiation`].
    #[must_use]
    pub fn with_dialect(mut self, is_dialect: bool) -> Self {
        self.negotiated = Negotiated::new(is_dialect);
        self
    }

    /// Adds a negotiation that the capture lacks: its messages from GET_VERSION to ALGORITHMS, as saved.
    #[must_use]
    pub fn with_negotiation<'m>(mut self, messages: impl Iterator<Item = &'m [u8]>) -> Self {
        for message in messages {
            let from = message.get(1).map_or(Side::Requester, |&code| sender(Code(code)));
            self.message(Duration::ZERO, from, None, message, Container::Packet);
        }
        self.queue.clear();
        self.last = Side::Responder;
        self
    }

    /// Returns the transport.
    #[must_use]
    pub const fn binding(&self) -> Binding {
        self.binding
    }

    /// Returns the session counts so far.
    #[must_use]
    pub const fn sessions(&self) -> Sessions {
        self.keys.counts
    }

    /// Returns the sessions that have undecrypted records because the key log lacks some of their secrets, each with
    /// the names of the missing secrets.
    #[must_use]
    pub fn missing_secrets(&self) -> &[(SessionId, Vec<&'static str>)] {
        &self.keys.missing
    }

    fn packet(&mut self, record: Result<Record<'a>, CodecError>) {
        self.packet += 1;
        let time = record.as_ref().map_or(Duration::ZERO, |record| self.capture.time(record));
        let frame = record.and_then(|record| self.frame(time, &record));
        let frame = match &frame {
            // The rest of the message follows in later packets.
            Ok(None) => return,
            Ok(Some(frame)) => self.binding.decode(frame),
            Err(error) => Err(*error),
        };
        // Requests and responses alternate.
        let expected = self.last.other();
        match frame {
            Err(error) => self.push_entry(time, expected, None, Content::Broken(error)),
            Ok((Kind::Spdm, message)) => {
                let from = message.get(1).map_or(expected, |&code| sender(Code(code)));
                self.message(time, from, None, message, Container::Packet);
            }
            Ok((Kind::Secured, record)) => self.record(time, expected, record),
            Ok((Kind::Other(kind), bytes)) => {
                self.push_entry(time, expected, None, Content::Other { kind, bytes: bytes.to_vec() });
            }
        }
    }

    /// Returns the transport frame in a packet; `None` if the rest follows in later packets, as on MCTP.
    fn frame(&mut self, time: Duration, record: &Record<'a>) -> Result<Option<Cow<'a, [u8]>>, CodecError> {
        let bytes = self.capture.whole(record)?;
        if self.binding != Binding::Mctp {
            return Ok(Some(Cow::Borrowed(bytes)));
        }
        let taken = self.packets.add(self.packet, time, &mctp::Packet::decode(bytes)?);
        taken.lost.into_iter().for_each(|(partial, reason)| self.push_incomplete(partial, reason));
        taken.message
    }

    /// Adds an entry for an incomplete message. Does not affect which side sends next.
    fn push_incomplete(&mut self, partial: PartialMessage, reason: IncompleteReason) {
        let PartialMessage { numbers: [first, packet], time, bytes, .. } = partial;
        let code = match self.binding.decode(&bytes) {
            Ok((Kind::Spdm, message)) => message.get(1).copied(),
            _ => None,
        };
        let from = code.map_or(self.last.other(), |code| sender(Code(code)));
        let is_dialect = self.negotiated.is_dialect();
        let content = Content::Unfinished { first, bytes, reason, is_dialect };
        self.queue.push_back(Entry { packet, time, from, session: None, content, checks: Vec::new() });
    }

    fn record(&mut self, time: Duration, expected: Side, record: &[u8]) {
        let session = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
        match self.keys.open(expected, record) {
            Decrypted::Message(from, message) => {
                self.message(time, from, session, &message, Container::Packet);
            }
            Decrypted::Application(from, data) => {
                self.push_entry(time, from, session, Content::Application(data));
            }
            Decrypted::Failed(reason) => {
                self.verifier.iter_mut().for_each(Verifier::note_undecrypted);
                self.push_entry(time, expected, session, Content::Record { len: record.len(), reason });
            }
        }
    }

    /// Adds an entry for a message, and for messages inside it.
    fn message(
        &mut self,
        time: Duration,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        within: Container,
    ) {
        let sizes = self.negotiated.sizes(from, bytes);
        let dialect = self.negotiated.layout(from, bytes);
        let content = Content::Message { bytes: bytes.to_vec(), sizes, dialect, within };
        self.push_entry(time, from, session, content);
        self.negotiated.update(from, bytes, &sizes);
        self.chains.update(from, &self.negotiated, bytes, &sizes);
        if within != Container::Message {
            self.keys.update(&self.negotiated, &self.chains, bytes, &sizes);
        }
        self.verify(from, session, bytes, &sizes, within);
        if dialect.is_some() && within == Container::Packet {
            return self.dialect_message(time, from, session, bytes, &sizes);
        }
        self.inner_messages(time, from, session, bytes, &sizes, within);
    }

    /// Adds the message that a fragment of the dialect completes, or the messages inside another message.
    fn dialect_message(
        &mut self,
        time: Duration,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        sizes: &Sizes,
    ) {
        let whole = match Header::decode(bytes).map(|header| header.code) {
            Ok(pqc2021::FRAGMENT_REQUEST) => FragmentRequest::decode_prefix(bytes, sizes)
                .ok()
                .and_then(|(message, _)| self.fragments[0].push(&message.fragment)),
            Ok(pqc2021::FRAGMENT_RESPONSE) => FragmentResponse::decode_prefix(bytes, sizes)
                .ok()
                .and_then(|(message, _)| self.fragments[1].push(&message.fragment)),
            _ => return self.inner_messages(time, from, session, bytes, sizes, Container::Packet),
        };
        if let Some(whole) = whole {
            self.message(time, from, session, &whole, Container::Fragments);
        }
    }

    /// Adds entries for the messages inside a message of the standard.
    fn inner_messages(
        &mut self,
        time: Duration,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        sizes: &Sizes,
        within: Container,
    ) {
        let inner = |dump: &mut Self, from, message: &[u8], within| {
            // An inner message contains no further messages or chunks. Padding of PCI DOE is not a message.
            if message.len() > dump.binding.max_trailing_zeros() {
                dump.message(time, from, session, message, within);
            }
        };
        let is_outer = within != Container::Message;
        match (Header::decode(bytes).map(|header| header.code), within) {
            (Ok(Code::CHUNK_SEND), Container::Packet) => {
                if let Ok((send, _)) = ChunkSend::decode_prefix(bytes, sizes) {
                    let whole = self.chunks[0].push(&send.chunk);
                    whole.into_iter().for_each(|whole| inner(self, from, &whole, Container::Chunks));
                }
            }
            (Ok(Code::CHUNK_SEND_ACK), Container::Packet) => {
                if let Ok((ack, _)) = ChunkSendAck::decode_prefix(bytes, sizes) {
                    inner(self, from, ack.response, Container::Chunks);
                }
            }
            (Ok(Code::CHUNK_RESPONSE), Container::Packet) => {
                if let Ok((response, _)) = ChunkResponse::decode_prefix(bytes, sizes) {
                    let whole = self.chunks[1].push(&response.chunk);
                    whole.into_iter().for_each(|whole| inner(self, from, &whole, Container::Chunks));
                }
            }
            (Ok(Code::ENCAPSULATED_REQUEST), _) if is_outer => {
                if let Ok((outer, _)) = EncapsulatedRequest::decode_prefix(bytes, sizes) {
                    inner(self, from, outer.request, Container::Message);
                }
            }
            (Ok(Code::DELIVER_ENCAPSULATED_RESPONSE), _) if is_outer => {
                if let Ok((outer, _)) = DeliverEncapsulatedResponse::decode_prefix(bytes, sizes) {
                    inner(self, from, outer.response, Container::Message);
                }
            }
            (Ok(Code::ENCAPSULATED_RESPONSE_ACK), _) if is_outer => {
                if let Ok((outer, _)) = EncapsulatedResponseAck::decode_prefix(bytes, sizes)
                    && outer.payload_type == EncapsulatedResponseAck::PRESENT
                {
                    inner(self, from, outer.payload, Container::Message);
                }
            }
            _ => {}
        }
    }

    /// Adds the checks of the latest message.
    fn verify(
        &mut self,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        sizes: &Sizes,
        within: Container,
    ) {
        let Some(verifier) = &mut self.verifier else { return };
        let (negotiated, keys) = (&self.negotiated, &self.keys);
        let checks =
            verifier.process(MessageContext { negotiated, keys, from, session, bytes, sizes, within });
        if let Some(entry) = self.queue.back_mut() {
            entry.checks = checks;
        }
    }

    fn push_entry(&mut self, time: Duration, from: Side, session: Option<SessionId>, content: Content) {
        self.last = from;
        self.queue.push_back(Entry { packet: self.packet, time, from, session, content, checks: Vec::new() });
    }
}

impl Iterator for Dump<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.queue.is_empty() {
            let Some(record) = self.capture.next() else {
                self.packets
                    .take_incomplete()
                    .into_iter()
                    .for_each(|partial| self.push_incomplete(partial, IncompleteReason::AtTheEnd));
                break;
            };
            self.packet(record);
        }
        self.queue.pop_front()
    }
}

/// Returns the sender of messages with this code.
const fn sender(code: Code) -> Side {
    if code.is_request() { Side::Requester } else { Side::Responder }
}
