//! A responder in a session or its handshake: it answers every packet, in the clear or in records. The first two bytes
//! of the input choose the negotiated parameters. The first byte of a packet chooses whether the packet is sent in the
//! clear, as a record, or encrypted with the session's keys. The target decrypts answers to encrypted packets until a
//! request may have changed the keys or ended the session. A record whose plaintext cannot be parsed ends the session.
#![no_main]

use grille_fuzz::spdm::kind::Kind;
use grille_fuzz::spdm::records::{CLEAR, MESSAGE, NEXT_KEY, PLAINTEXT};
use grille_fuzz::spdm::{Peers, packets};
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::{Binding, Packet};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&kind, data)) = data.split_first_chunk() else { return };
    let kind = Kind(u16::from_le_bytes(kind));
    let (mut peers, binding) = (Peers::new(kind), kind.binding());
    let session = peers.session();
    // gives the responder requests of its own, for the session and for outside it
    [21, 24, 14].into_iter().for_each(|choice| peers.prepare(choice, session));
    let [mut requests, mut answers] = ["request", "response"].map(|side| peers.keys.records(side));
    let mut same_keys = true;
    for (form, bytes) in packets(data) {
        let Some(packet) = requests.packet(form, bytes) else { return };
        same_keys &= keeps_keys(binding, form, bytes) && !(kind.is_pqc2021() && contains_fragment(bytes));
        match peers.responder.receive(&packet) {
            Packet::Message(answer) => assert!(answer.len() >= 4, "{answer:?}"),
            Packet::Secured(record) if same_keys => {
                let opened = answers.open(&record);
                let (_, received) = opened.expect("both sides have the same keys");
                same_keys = !ends_session(message(binding, &received));
                assert!(same_keys || peers.responder.sessions().all(|open| open != session), "{received:?}");
            }
            Packet::Secured(record) => assert!(record.len() > 4, "{record:?}"),
        }
    }
});

/// Returns whether the session certainly has the same keys after this packet.
fn keeps_keys(binding: Binding, form: u8, bytes: &[u8]) -> bool {
    let keeps = |inside: &[u8]| !may_change_keys(message(binding, inside));
    match (form & 3, form & NEXT_KEY) {
        (CLEAR, _) => !has_code(bytes, Code::GET_VERSION) && !has_code(bytes, Code::FINISH),
        (MESSAGE, 0) => keeps(bytes),
        // the message follows its length, or has no length if records are not encrypted
        (PLAINTEXT, 0) => keeps(bytes) && keeps(bytes.get(2..).unwrap_or_default()),
        _ => false,
    }
}

/// Returns whether a packet may contain FRAGMENT_REQUEST, whose message may change the keys or end the session.
fn contains_fragment(bytes: &[u8]) -> bool {
    bytes.iter().take(8).any(|byte| *byte == 0xFD)
}

/// Returns the message in a record, without the transport's prefix.
fn message(binding: Binding, inside: &[u8]) -> &[u8] {
    binding.decode_plaintext(inside).map_or(&[], |(_, message)| message)
}

fn has_code(message: &[u8], code: Code) -> bool {
    message.get(1) == Some(&code.0)
}

/// Returns whether an SPDM message may end a session or change its keys, by itself or as a part of a longer message.
fn may_change_keys(message: &[u8]) -> bool {
    let codes = [Code::KEY_UPDATE, Code::END_SESSION, Code::CHUNK_SEND, Code::DELIVER_ENCAPSULATED_RESPONSE];
    codes.into_iter().chain([Code::FINISH, Code::PSK_FINISH]).any(|code| has_code(message, code))
}

/// Returns whether the message is the ERROR that ends a session.
fn ends_session(message: &[u8]) -> bool {
    matches!(message, [_, code, error, ..] if [*code, *error] == [Code::ERROR.0, ErrorCode::DECRYPT_ERROR.0])
}
