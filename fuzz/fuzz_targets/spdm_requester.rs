//! A requester, after a session was opened: whatever answers come to any of its operations, it ends with a result. The
//! first byte of a packet chooses the operation, the packets are all answers that it gets.
#![no_main]

use grille_fuzz::spdm::{Talk, packets};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::operations::{
    Beat, Connect, Describe, End, FetchCertificate, FetchDigests, FetchEventTypes, FetchKeyPair, FetchLog,
    Listen, Measure, OpenPskSession, OpenSession, Prove, Update,
};
use grille_spdm_engine::requester::Carrier;
use std::time::Duration;

/// Answers with what the input has next.
struct Answers<'a, I: Iterator<Item = (u8, &'a [u8])>>(I);

impl<'a, I: Iterator<Item = (u8, &'a [u8])>> Carrier for Answers<'a, I> {
    type Error = Option<Error>;

    fn exchange(&mut self, _: Packet) -> Result<Packet, Option<Error>> {
        let (place, bytes) = self.0.next().ok_or(None)?;
        Ok(if place & 1 == 0 { Packet::Message(bytes.to_vec()) } else { Packet::Secured(bytes.to_vec()) })
    }

    fn wait(&mut self, _: Duration) {}
}

impl<'a, I: Iterator<Item = (u8, &'a [u8])>> Answers<'a, I> {
    /// Whatever becomes of it: an error of the requester's, or the input's end.
    fn give<O: Operation>(&mut self, talk: &mut Talk, operation: O) {
        let _ = talk.requester.run(operation, self);
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut talk = Talk::new();
    let session = talk.session();
    let answers = &mut Answers(packets(data));
    match choice % 16 {
        0 => answers.give(&mut talk, Connect::new()),
        1 => answers.give(&mut talk, FetchDigests),
        2 => answers.give(&mut talk, FetchCertificate::new(0)),
        3 => answers.give(&mut talk, Prove::new(0, 0xFF)),
        4 => answers.give(&mut talk, Measure::all_signed(0)),
        5 => answers.give(&mut talk, OpenSession::new(0)),
        6 => answers.give(&mut talk, OpenPskSession::new(b"fuzz")),
        7 => answers.give(&mut talk, Beat(session)),
        8 => answers.give(&mut talk, Update::all_keys(session)),
        9 => answers.give(&mut talk, End(session)),
        10 => answers.give(&mut talk, Describe { sub_code: 1, signed: None }),
        11 => answers.give(&mut talk, FetchKeyPair(1)),
        12 => answers.give(&mut talk, FetchLog::default()),
        13 => answers.give(&mut talk, FetchEventTypes.within(session)),
        14 => answers.give(&mut talk, Listen::outside()),
        _ => answers.give(&mut talk, Measure::new(0)),
    }
});
