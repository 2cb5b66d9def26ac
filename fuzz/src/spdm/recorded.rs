//! Seeds: recorded conversations between a requester and a responder.

use super::kind::Kind;
use super::records::{CLEAR, Keys, RECORD, Records};
use super::{Peers, Wire, operate};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::requester::Carrier;
use std::time::Duration;

/// Returns the requests and the responses of an operation. Omits the beginning of a handshake, which the targets run
/// themselves.
#[must_use]
pub fn recorded(kind: Kind, choice: u8) -> (Vec<u8>, Vec<u8>) {
    let mut peers = Peers::new(kind);
    let session = peers.begin(choice);
    let (keys, wire) = (peers.keys.clone(), Wire(&mut peers.responder));
    let mut recorded = Recorded { wire, keys, sides: None, requests: Vec::new(), answers: Vec::new() };
    operate(kind, choice, &mut peers.requester, session, &mut recorded);
    (recorded.requests, recorded.answers)
}

/// Packets that both sides sent after the session had its keys.
struct Recorded<'r> {
    wire: Wire<'r>,
    keys: Keys,
    sides: Option<[Records; 2]>,
    requests: Vec<u8>,
    answers: Vec<u8>,
}

impl Carrier for Recorded<'_> {
    type Error = Error;

    fn exchange(&mut self, request: Packet) -> Result<Packet, Error> {
        if !self.keys.logged.opened_by_both() {
            return self.wire.exchange(request);
        }
        let sides = || ["request", "response"].map(|side| self.keys.records(side));
        let [asking, answering] = self.sides.get_or_insert_with(sides);
        let answer = self.wire.exchange(request.clone())?;
        append(&mut self.requests, asking, &request);
        append(&mut self.answers, answering, &answer);
        Ok(answer)
    }

    fn wait(&mut self, _: Duration) {}
}

/// Writes a packet as [`super::packets`] reads it.
fn append(input: &mut Vec<u8>, records: &mut Records, packet: &Packet) {
    let (form, bytes) = match packet {
        Packet::Message(bytes) => (CLEAR, bytes.clone()),
        Packet::Secured(record) => records.open(record).unwrap_or_else(|| (RECORD, record.clone())),
    };
    let len = u16::try_from(bytes.len()).expect("messages are shorter than 64 KiB").to_le_bytes();
    input.extend_from_slice(&[&[form], &len[..], &bytes].concat());
}
