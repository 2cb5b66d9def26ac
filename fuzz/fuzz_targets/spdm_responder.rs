//! A responder with a session open: whatever comes, in the clear or in records, it answers, and every record that its
//! session sends is opened by the requester's. A packet is a byte that says where it goes, two of length, and the rest.
#![no_main]

use grille_fuzz::spdm::{Talk, packets};
use grille_spdm_engine::config::Packet;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut talk = Talk::new();
    let session = talk.session();
    for (place, bytes) in packets(data) {
        let packet = match place % 3 {
            0 => Packet::Message(bytes.to_vec()),
            1 => Packet::Secured(bytes.to_vec()),
            _ => match talk.requester.seal_application(session, bytes) {
                Ok(packet) => packet,
                Err(_) => return,
            },
        };
        match talk.responder.receive(&packet) {
            Packet::Message(answer) => assert!(answer.len() >= 4, "{answer:?}"),
            Packet::Secured(record) => assert!(record.len() > 4, "{record:?}"),
        }
    }
});
