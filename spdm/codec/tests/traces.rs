//! Tests that captured conversations of DMTF's emulators round-trip, message by message.

use grille_spdm_codec::algorithms::{Dhe, Kem, OtherParams};
use grille_spdm_codec::capabilities::{Capabilities, CapabilityFlags, GetCapabilities};
use grille_spdm_codec::chunk::ChunkResponse;
use grille_spdm_codec::encapsulated::{
    DeliverEncapsulatedResponse, EncapsulatedRequest, EncapsulatedResponseAck,
};
use grille_spdm_codec::negotiate::{AlgType, Algorithms};
use grille_spdm_codec::{Code, Header, Message, Sizes, messages};
use std::collections::BTreeSet;

/// The value of LINKTYPE_MCTP in a capture file.
const MCTP: u32 = 291;
/// The value of LINKTYPE_PCI_DOE in a capture file.
const DOE: u32 = 292;

/// Returns the messages of a capture outside sessions, in order. On DOE they are padded with zeros to a multiple of
/// four bytes.
fn messages_outside_sessions(pcap: &[u8]) -> Vec<&[u8]> {
    let word = |at: usize| u32::from_le_bytes(pcap[at..at + 4].try_into().unwrap());
    let (link, mut at, mut messages) = (word(20), 24, Vec::new());
    while at < pcap.len() {
        let packet = &pcap[at + 16..][..word(at + 8) as usize];
        at += 16 + packet.len();
        match link {
            // Four bytes of the link layer, then the message type.
            MCTP if packet[4] == 5 => messages.push(&packet[5..]),
            DOE if packet[..4] == [1, 0, 1, 0] => messages.push(&packet[8..]),
            _ => assert!(packet[4] == 6 || packet[..2] == [1, 0], "{packet:02x?}"),
        }
    }
    messages
}

/// Decodes the messages in the sessions: one message per line, in hexadecimal.
fn messages_in_sessions(plain: &str) -> Vec<Vec<u8>> {
    let byte = |line: &str, at: usize| u8::from_str_radix(&line[at..at + 2], 16).unwrap();
    plain.lines().map(|line| (0..line.len()).step_by(2).map(|at| byte(line, at)).collect()).collect()
}

/// A replay of a capture, with the lengths that the negotiation and the last request imply.
#[derive(Default)]
struct Replay {
    /// The lengths of all optional fields, as if the next message had all of them.
    full: Sizes,
    ciphertext: usize,
    in_the_clear: bool,
    signed: bool,
    summary: bool,
    /// The received part of a large message.
    large: Vec<u8>,
    seen: BTreeSet<Code>,
}

impl Replay {
    /// Round-trips all messages, and returns their codes.
    fn run(mut self, pcap: &[u8], plain: &str) -> BTreeSet<Code> {
        for message in messages_outside_sessions(pcap) {
            self.message(message);
        }
        for message in messages_in_sessions(plain) {
            self.message(&message);
        }
        assert_eq!(self.large, []);
        self.seen
    }

    fn message(&mut self, bytes: &[u8]) {
        let header = Header::decode(bytes).unwrap();
        self.note(header, bytes);
        let sizes = self.sizes(header.code);
        let mut encoded = vec![0xff; bytes.len()];
        let (read, written) = messages::transcode(bytes, &sizes, &mut encoded).unwrap();
        let (message, padding) = bytes.split_at(read);
        assert_eq!((&encoded[..written], &[0; 3][..padding.len()]), (message, padding), "{}", header.code);
        self.seen.insert(header.code);
        self.replay_contents(header.code, message, &sizes);
    }

    /// Updates the lengths after a request or a negotiation message.
    fn note(&mut self, header: Header, bytes: &[u8]) {
        let summary = header.param1 != 0;
        match header.code {
            Code::GET_CAPABILITIES => {
                let request = GetCapabilities::decode(bytes, &self.full).unwrap();
                self.in_the_clear = request.limits.flags.contains(CapabilityFlags::HANDSHAKE_IN_THE_CLEAR);
            }
            Code::CAPABILITIES => {
                let response = Capabilities::decode(bytes, &self.full).unwrap();
                self.in_the_clear &= response.limits.flags.contains(CapabilityFlags::HANDSHAKE_IN_THE_CLEAR);
            }
            Code::ALGORITHMS => self.update_lengths(&Algorithms::decode(bytes, &self.full).unwrap()),
            Code::GET_MEASUREMENTS => self.signed = header.param1 & 1 == 1,
            Code::CHALLENGE => (self.signed, self.summary) = (true, header.param2 != 0),
            Code::KEY_EXCHANGE => (self.signed, self.summary) = (true, summary),
            Code::PSK_EXCHANGE => (self.signed, self.summary) = (false, summary),
            _ => {}
        }
    }

    fn update_lengths(&mut self, algorithms: &Algorithms<'_>) {
        let classical = algorithms.base_asym.row().map(|row| row.len);
        let dhe = Dhe(algorithms.tables.bits(AlgType::DHE) as u16).row().map(|row| row.len);
        let kem = Kem(algorithms.tables.bits(AlgType::KEM) as u16);
        self.full.hash = algorithms.base_hash.row().unwrap().len;
        self.full.signature = classical.or(algorithms.pqc_asym.row().map(|row| row.len)).unwrap();
        self.full.exchange_data = dhe.or(kem.row().map(|row| row.len)).unwrap();
        self.ciphertext = kem.ciphertext_len().unwrap_or(self.full.exchange_data);
        self.full.multi_key = algorithms.other_params.contains(OtherParams::MULTI_KEY_CONN);
    }

    fn sizes(&self, code: Code) -> Sizes {
        let full = self.full;
        let clear = if self.in_the_clear { full.hash } else { 0 };
        let summary_hash = if self.summary { full.hash } else { 0 };
        let signature = if self.signed { full.signature } else { 0 };
        match code {
            Code::KEY_EXCHANGE_RSP => {
                Sizes { exchange_data: self.ciphertext, summary_hash, verify_data: full.hash - clear, ..full }
            }
            Code::FINISH_RSP => Sizes { verify_data: clear, ..full },
            Code::CHALLENGE_AUTH | Code::PSK_EXCHANGE_RSP => Sizes { summary_hash, ..full },
            Code::MEASUREMENTS => Sizes { signature, ..full },
            _ => full,
        }
    }

    /// Round-trips the messages that a message contains.
    fn replay_contents(&mut self, code: Code, bytes: &[u8], sizes: &Sizes) {
        match code {
            Code::CHUNK_RESPONSE => {
                let chunk = ChunkResponse::decode(bytes, sizes).unwrap().chunk;
                self.large.extend_from_slice(chunk.data);
                if chunk.last {
                    let large = core::mem::take(&mut self.large);
                    self.message(&large);
                }
            }
            Code::ENCAPSULATED_REQUEST => {
                self.message(EncapsulatedRequest::decode(bytes, sizes).unwrap().request);
            }
            Code::DELIVER_ENCAPSULATED_RESPONSE => {
                self.message(DeliverEncapsulatedResponse::decode(bytes, sizes).unwrap().response);
            }
            Code::ENCAPSULATED_RESPONSE_ACK => {
                let ack = EncapsulatedResponseAck::decode(bytes, sizes).unwrap();
                if ack.payload_type == EncapsulatedResponseAck::PRESENT {
                    self.message(ack.payload);
                }
            }
            _ => {}
        }
    }
}

macro_rules! vectors {
    ($name:literal) => {
        (
            include_bytes!(concat!("../../../vectors/spdm/", $name, ".pcap")),
            include_str!(concat!("../../../vectors/spdm/", $name, ".plain")),
        )
    };
}

#[test]
fn round_trips_spdm_1_1_with_mutual_authentication_and_psk_over_doe() {
    let (pcap, plain) = vectors!("1.1-mutual-psk");
    assert_eq!(Replay::default().run(pcap, plain).len(), 34);
}

#[test]
fn round_trips_spdm_1_2_with_p384() {
    let (pcap, plain) = vectors!("1.2-classical");
    assert_eq!(Replay::default().run(pcap, plain).len(), 24);
}

#[test]
fn round_trips_spdm_1_4_with_ml_dsa_87_and_ml_kem_1024() {
    let (pcap, plain) = vectors!("1.4-post-quantum");
    assert_eq!(Replay::default().run(pcap, plain).len(), 27);
}
