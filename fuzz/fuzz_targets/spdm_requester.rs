//! A requester in a session or its handshake: every operation ends, for any answers in the clear or in records. The
//! first two bytes of the input choose the negotiated parameters, and the third byte the operation. The packets after
//! them are the answers. The fuzzer has the session's keys.
#![no_main]

use grille_fuzz::spdm::kind::Kind;
use grille_fuzz::spdm::records::{Keys, Records};
use grille_fuzz::spdm::{Peers, operate, packets};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::requester::Carrier;
use grille_spdm_engine::responder::Responder;
use std::time::Duration;

/// Carrier that answers with the next packet of the input; at the end of the input, the operation fails.
struct Answers<'r, I> {
    /// The responder that answers until there is a session.
    responder: &'r mut Responder,
    keys: Keys,
    records: Option<Records>,
    rest: I,
}

impl<'a, I: Iterator<Item = (u8, &'a [u8])>> Carrier for Answers<'_, I> {
    type Error = Option<Error>;

    fn exchange(&mut self, request: Packet) -> Result<Packet, Option<Error>> {
        if !self.keys.logged.opened_by_both() {
            return Ok(self.responder.receive(&request));
        }
        let (form, bytes) = self.rest.next().ok_or(None)?;
        let records = self.records.get_or_insert_with(|| self.keys.records("response"));
        records.packet(form, bytes).ok_or(None)
    }

    fn wait(&mut self, _: Duration) {}
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&[low, high, choice], data)) = data.split_first_chunk() else { return };
    let kind = Kind(u16::from_le_bytes([low, high]));
    let mut peers = Peers::new(kind);
    let session = peers.begin(choice);
    let mut answers =
        Answers { responder: &mut peers.responder, keys: peers.keys, records: None, rest: packets(data) };
    operate(kind, choice, &mut peers.requester, session, &mut answers);
});
