//! A responder with a session open: whatever comes, in the clear or in records, it answers. The first byte of a packet says
//! whether it goes in the clear, as a record, or is sealed with the session's keys; answers to the last are opened, until
//! a request may have changed the keys or ended the session.
#![no_main]

use grille_fuzz::spdm::{Talk, packets};
use grille_spdm_codec::Code;
use grille_spdm_engine::config::Packet;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut talk = Talk::new();
    let session = talk.session();
    // it has something to ask, in the session and outside
    [21, 24, 14].into_iter().for_each(|choice| talk.prepare(choice, session));
    let mut same_keys = true;
    for (place, bytes) in packets(data) {
        let packet = match place % 3 {
            0 => Packet::Message(bytes.to_vec()),
            1 => Packet::Secured(bytes.to_vec()),
            _ => match talk.requester.seal_application(session, bytes) {
                Ok(packet) => packet,
                Err(_) => return,
            },
        };
        same_keys &=
            place % 3 == 2 && !may_change_keys(bytes) || place % 3 == 0 && !is(bytes, Code::GET_VERSION);
        match talk.responder.receive(&packet) {
            Packet::Message(answer) => assert!(answer.len() >= 4, "{answer:?}"),
            Packet::Secured(record) if same_keys => {
                let opened = talk.requester.open_application(session, &record);
                assert!(opened.is_ok(), "{opened:?}");
            }
            Packet::Secured(record) => assert!(record.len() > 4, "{record:?}"),
        }
    }
});

fn is(message: &[u8], code: Code) -> bool {
    message.get(1) == Some(&code.0)
}

/// MCTP's message type, and an SPDM message that ends a session or changes its keys, or a chunk of one.
fn may_change_keys(data: &[u8]) -> bool {
    let message = data.get(1..).unwrap_or_default();
    let codes = [Code::KEY_UPDATE, Code::END_SESSION, Code::CHUNK_SEND, Code::DELIVER_ENCAPSULATED_RESPONSE];
    codes.into_iter().any(|code| is(message, code))
}
