//! Reads captures of SPDM, ours and those of DMTF's spdm-emu: which side said what, large messages put together, records
//! opened where a key log has the secrets.
//!
//! ```no_run
//! use grille_spdm_dump::secrets::Secrets;
//! use grille_spdm_dump::{Content, Dump};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (capture, log) = (std::fs::read("said.pcap")?, std::fs::read_to_string("said.keys")?);
//! for said in Dump::new(&capture, Secrets::parse(&log))? {
//!     if let Content::Message { bytes, .. } = &said.content {
//!         println!("{} {:?} {bytes:02x?}", said.packet, said.from);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! No input makes this crate panic.
//!
//! | question | file |
//! |---|---|
//! | what does the negotiation decide of the layout of messages? | `negotiated.rs` |
//! | how are packets of MCTP put together? | `packets.rs` |
//! | how are chunks put together? | `chunks.rs` |
//! | which forms may key logs have? | [`secrets`] |
//! | which key opens a record? | `keys.rs` |
//! | which signatures, chains and MACs are right? | [`verify`] |
#![forbid(unsafe_code)]

mod chunks;
mod keys;
mod negotiated;
mod packets;
pub mod secrets;
pub mod verify;

use chunks::Chunks;
use grille_pki::PublicKey;
use grille_spdm_codec::chunk::{ChunkResponse, ChunkSend, ChunkSendAck};
use grille_spdm_codec::encapsulated::{
    DeliverEncapsulatedResponse, EncapsulatedRequest, EncapsulatedResponseAck,
};
use grille_spdm_codec::{Code, CodecError, Header, Message, Sizes};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::binding::{Binding, Kind};
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::mctp;
use grille_spdm_transport::pcap::{Capture, Record};
use keys::{Keys, Opened};
use negotiated::Negotiated;
use packets::{Begun, Packets};
use secrets::Secrets;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::Duration;
use verify::{Check, Seen, Verifier};

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The requester.
    Requester,
    /// The responder.
    Responder,
}

impl Side {
    /// The side that it speaks with.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Requester => Self::Responder,
            Self::Responder => Self::Requester,
        }
    }
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The number of the packet, from 1; a message out of chunks has that of the last.
    pub packet: usize,
    /// When, since 1970.
    pub time: Duration,
    /// By whom.
    pub from: Side,
    /// In which session, if it was in a record.
    pub session: Option<SessionId>,
    /// What.
    pub content: Content,
    /// What it proves: empty unless the capture is verified, [`Dump::verified`].
    pub checks: Vec<Check>,
}

/// What was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A message of SPDM, from SPDMVersion on; its layout is that of `sizes`.
    Message {
        /// The message; on PCI DOE zeros may follow it.
        bytes: Vec<u8>,
        /// What the negotiation and the request before it say of its layout.
        sizes: Sizes,
        /// Whence it is.
        within: Within,
    },
    /// A record that cannot be opened.
    Record {
        /// The length of the whole in bytes.
        len: usize,
        /// Why not.
        why: Closed,
    },
    /// What an application said in a session; on MCTP it begins with a message type.
    Application(Vec<u8>),
    /// A frame of the transport that does not carry SPDM.
    Other {
        /// Its number in the transport.
        kind: u8,
        /// What it carries.
        bytes: Vec<u8>,
    },
    /// The frame cannot be read, or the file is cut off here.
    Broken(CodecError),
    /// A message of MCTP of which packets are missing.
    Unfinished {
        /// The number of its first packet; [`Said::packet`] is that of its last.
        first: usize,
        /// All that there is of it.
        bytes: Vec<u8>,
        /// Why no more of it is to come.
        why: Lost,
    },
}

/// Why the rest of a message does not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Another message of the same ends and tag began.
    Replaced,
    /// Another packet came than the next of it.
    OutOfTurn,
    /// The capture ended.
    AtTheEnd,
}

/// Where a message was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// In a packet, or in a record.
    Packet,
    /// In the chunks of several messages.
    Chunks,
    /// In a message: a request of the responder's, or the requester's response to it.
    Message,
}

/// Why a record stays closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The key log has no secret for it.
    NoSecret,
    /// No key opens it.
    WrongKey,
}

/// How many sessions of a capture have records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    /// All of them.
    pub sealed: usize,
    /// Those of which every record was opened.
    pub opened: usize,
    /// Those of which some were, and some were not.
    pub partly: usize,
}

/// What a capture says, in its order.
pub struct Dump<'a> {
    capture: Capture<'a>,
    binding: Binding,
    packets: Packets,
    packet: usize,
    /// Who spoke last.
    last: Side,
    negotiated: Negotiated,
    keys: Keys,
    /// Large requests and large responses.
    chunks: [Chunks; 2],
    verifier: Option<Verifier>,
    queue: VecDeque<Said>,
}

impl<'a> Dump<'a> {
    /// Of the bytes of a file.
    ///
    /// # Errors
    /// No capture, or not of a transport of SPDM.
    pub fn new(bytes: &'a [u8], secrets: Secrets) -> Result<Self, CodecError> {
        let capture = Capture::new(bytes)?;
        let link = capture.header.link;
        let unknown = grille_spdm_codec::Problem::Value {
            expected: "291 (MCTP), 292 (PCI DOE) or 147 (TCP)",
            got: link.0.into(),
        };
        let binding = link.binding().ok_or(CodecError { what: "link type", offset: 20, problem: unknown })?;
        Ok(Self {
            capture,
            binding,
            packets: Packets::default(),
            packet: 0,
            last: Side::Responder,
            negotiated: Negotiated::default(),
            keys: Keys::new(secrets, binding),
            chunks: Default::default(),
            verifier: None,
            queue: VecDeque::new(),
        })
    }

    /// Checks chains, signatures and MACs: [`Said::checks`]. `keys`: public keys of the requester and of the responder that were known
    /// beforehand. To be called before [`Dump::after`].
    #[must_use]
    pub fn verified(mut self, keys: [Option<PublicKey>; 2]) -> Self {
        self.verifier = Some(Verifier::new(keys));
        self
    }

    /// After a negotiation that the capture does not have: its messages from GET_VERSION to ALGORITHMS, as they were kept.
    #[must_use]
    pub fn after<'m>(mut self, messages: impl Iterator<Item = &'m [u8]>) -> Self {
        for message in messages {
            let from = message.get(1).map_or(Side::Requester, |&code| speaker(Code(code)));
            self.message(Duration::ZERO, from, None, message, Within::Packet);
        }
        self.queue.clear();
        self.last = Side::Responder;
        self
    }

    /// How its packets travelled.
    #[must_use]
    pub const fn binding(&self) -> Binding {
        self.binding
    }

    /// The sessions of what was read so far.
    #[must_use]
    pub const fn sessions(&self) -> Sessions {
        self.keys.counted
    }

    /// Sessions with records that no key opened, and of each the secrets that the key log lacks although it has others of it.
    #[must_use]
    pub fn lacking(&self) -> &[(SessionId, Vec<&'static str>)] {
        &self.keys.lacking
    }

    fn packet(&mut self, record: Result<Record<'a>, CodecError>) {
        self.packet += 1;
        let time = record.as_ref().map_or(Duration::ZERO, |record| self.capture.time(record));
        let frame = record.and_then(|record| self.frame(time, &record));
        let frame = match &frame {
            // more of it is to come
            Ok(None) => return,
            Ok(Some(frame)) => self.binding.decode(frame),
            Err(error) => Err(*error),
        };
        // requests and responses take turns
        let turn = self.last.other();
        match frame {
            Err(error) => self.say(time, turn, None, Content::Broken(error)),
            Ok((Kind::Spdm, message)) => {
                let from = message.get(1).map_or(turn, |&code| speaker(Code(code)));
                self.message(time, from, None, message, Within::Packet);
            }
            Ok((Kind::Secured, record)) => self.record(time, turn, record),
            Ok((Kind::Other(kind), bytes)) => {
                self.say(time, turn, None, Content::Other { kind, bytes: bytes.to_vec() });
            }
        }
    }

    /// The frame of the transport in a packet; nothing if the rest of it comes later, as on MCTP.
    fn frame(&mut self, time: Duration, record: &Record<'a>) -> Result<Option<Cow<'a, [u8]>>, CodecError> {
        let bytes = self.capture.whole(record)?;
        if self.binding != Binding::Mctp {
            return Ok(Some(Cow::Borrowed(bytes)));
        }
        let taken = self.packets.take(self.packet, time, &mctp::Packet::decode(bytes)?);
        taken.lost.into_iter().for_each(|(begun, why)| self.lose(begun, why));
        taken.message
    }

    /// Tells of a message that lacks packets; whose turn it is stays as it was.
    fn lose(&mut self, begun: Begun, why: Lost) {
        let Begun { numbers: [first, packet], time, bytes, .. } = begun;
        let code = match self.binding.decode(&bytes) {
            Ok((Kind::Spdm, message)) => message.get(1).copied(),
            _ => None,
        };
        let from = code.map_or(self.last.other(), |code| speaker(Code(code)));
        let content = Content::Unfinished { first, bytes, why };
        self.queue.push_back(Said { packet, time, from, session: None, content, checks: Vec::new() });
    }

    fn record(&mut self, time: Duration, turn: Side, record: &[u8]) {
        let session = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
        match self.keys.open(turn, record) {
            Opened::Message(from, message) => self.message(time, from, session, &message, Within::Packet),
            Opened::Application(from, data) => self.say(time, from, session, Content::Application(data)),
            Opened::Closed(why) => {
                self.verifier.iter_mut().for_each(Verifier::hide);
                self.say(time, turn, session, Content::Record { len: record.len(), why });
            }
        }
    }

    /// A message, and those in it.
    fn message(
        &mut self,
        time: Duration,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        within: Within,
    ) {
        let sizes = self.negotiated.sizes(from, bytes);
        let content = Content::Message { bytes: bytes.to_vec(), sizes, within };
        self.say(time, from, session, content);
        self.negotiated.note(from, bytes, &sizes);
        if within != Within::Message {
            self.keys.note(&self.negotiated, bytes, &sizes);
        }
        self.verify(from, session, bytes, &sizes, within);
        let inner = |dump: &mut Self, from, message: &[u8], within| {
            // a message in a message has none in it, nor chunks of chunks; nor is what PCI DOE adds a message
            if message.len() > dump.binding.trailing() {
                dump.message(time, from, session, message, within);
            }
        };
        match (Header::decode(bytes).map(|header| header.code), within) {
            (Ok(Code::CHUNK_SEND), Within::Packet) => {
                if let Ok((send, _)) = ChunkSend::decode_prefix(bytes, &sizes) {
                    let whole = self.chunks[0].push(&send.chunk);
                    whole.into_iter().for_each(|whole| inner(self, from, &whole, Within::Chunks));
                }
            }
            (Ok(Code::CHUNK_SEND_ACK), Within::Packet) => {
                if let Ok((ack, _)) = ChunkSendAck::decode_prefix(bytes, &sizes) {
                    inner(self, from, ack.response, Within::Chunks);
                }
            }
            (Ok(Code::CHUNK_RESPONSE), Within::Packet) => {
                if let Ok((response, _)) = ChunkResponse::decode_prefix(bytes, &sizes) {
                    let whole = self.chunks[1].push(&response.chunk);
                    whole.into_iter().for_each(|whole| inner(self, from, &whole, Within::Chunks));
                }
            }
            (Ok(Code::ENCAPSULATED_REQUEST), Within::Packet | Within::Chunks) => {
                if let Ok((outer, _)) = EncapsulatedRequest::decode_prefix(bytes, &sizes) {
                    inner(self, from, outer.request, Within::Message);
                }
            }
            (Ok(Code::DELIVER_ENCAPSULATED_RESPONSE), Within::Packet | Within::Chunks) => {
                if let Ok((outer, _)) = DeliverEncapsulatedResponse::decode_prefix(bytes, &sizes) {
                    inner(self, from, outer.response, Within::Message);
                }
            }
            (Ok(Code::ENCAPSULATED_RESPONSE_ACK), Within::Packet | Within::Chunks) => {
                if let Ok((outer, _)) = EncapsulatedResponseAck::decode_prefix(bytes, &sizes)
                    && outer.payload_type == EncapsulatedResponseAck::PRESENT
                {
                    inner(self, from, outer.payload, Within::Message);
                }
            }
            _ => {}
        }
    }

    /// Checks what the message proves that was said last.
    fn verify(
        &mut self,
        from: Side,
        session: Option<SessionId>,
        bytes: &[u8],
        sizes: &Sizes,
        within: Within,
    ) {
        let Some(verifier) = &mut self.verifier else { return };
        let (negotiated, keys) = (&self.negotiated, &self.keys);
        let checks = verifier.take(Seen { negotiated, keys, from, session, bytes, sizes, within });
        if let Some(said) = self.queue.back_mut() {
            said.checks = checks;
        }
    }

    fn say(&mut self, time: Duration, from: Side, session: Option<SessionId>, content: Content) {
        self.last = from;
        self.queue.push_back(Said { packet: self.packet, time, from, session, content, checks: Vec::new() });
    }
}

impl Iterator for Dump<'_> {
    type Item = Said;

    fn next(&mut self) -> Option<Said> {
        while self.queue.is_empty() {
            let Some(record) = self.capture.next() else {
                self.packets.rest().into_iter().for_each(|begun| self.lose(begun, Lost::AtTheEnd));
                break;
            };
            self.packet(record);
        }
        self.queue.pop_front()
    }
}

/// Who sends messages with this code.
const fn speaker(code: Code) -> Side {
    if code.is_request() { Side::Requester } else { Side::Responder }
}
