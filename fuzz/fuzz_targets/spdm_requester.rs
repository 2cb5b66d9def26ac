//! A requester, after a session was opened: whatever answers come, in the clear or in records, the operation ends. The
//! first byte of the input chooses the operation, the packets after it are the answers. Records that the requester can open
//! come from the seeds only, as the session's keys are not the fuzzer's.
#![no_main]

use grille_fuzz::spdm::{Talk, operate, packets};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::requester::Carrier;
use std::time::Duration;

/// Answers with what the input has next; at its end the operation fails.
struct Answers<I>(I);

impl<'a, I: Iterator<Item = (u8, &'a [u8])>> Carrier for Answers<I> {
    type Error = Option<Error>;

    fn exchange(&mut self, _: Packet) -> Result<Packet, Option<Error>> {
        let (place, bytes) = self.0.next().ok_or(None)?;
        Ok(if place & 1 == 0 { Packet::Message(bytes.to_vec()) } else { Packet::Secured(bytes.to_vec()) })
    }

    fn wait(&mut self, _: Duration) {}
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut talk = Talk::new();
    let session = talk.session();
    talk.prepare(choice, session);
    operate(choice, &mut talk.requester, session, &mut Answers(packets(data)));
});
