//! What to say where a connection broke: what was out, and what whoever is left can do.

use super::appraisal::reason::Reason;
use super::refusals::code;
use crate::error::Error;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::stream::StreamError;
use std::io::ErrorKind;

/// What to say where the connection failed: a peer that has `answered` before and is gone speaks SPDM, and was ended; of one
/// that went without a word nobody knows.
pub(super) fn broken_off(error: StreamError, answered: bool) -> Error {
    match error {
        error if answered && is_end(&error) => {
            lost("the other side ended the connection").advise("it was shut down, or broke down")
        }
        error if answered && is_silence(&error) => late(SILENT).advise("--timeout waits longer"),
        StreamError::Cut { arrived: 1.. } => error.into(),
        error if is_end(&error) => lost("the other side closed the connection without a word").advise(
            "it may be busy or shutting down, or messages travel otherwise: --trans and --bare say how",
        ),
        error => error.into(),
    }
}

/// The peer did not answer in time.
pub(super) fn late(what: &str) -> Error {
    Error::failure(what).with_code(Reason::Timeout.code())
}

/// The connection is gone.
pub(super) fn lost(what: &str) -> Error {
    Error::failure(what).with_code(Reason::ConnectionLost.code())
}

/// The same for a requester: a device that says nothing at all may have no time for it.
pub(super) fn of_device(error: StreamError, answered: bool) -> Error {
    if !answered && is_silence(&error) {
        return late(SILENT).advise(
            "--timeout waits longer: a responder serves --jobs at a time, and may be busy with another; or messages travel \
             otherwise: --trans and --bare say how",
        );
    }
    broken_off(error, answered)
}

/// Names the request that was out; a capture that cannot be written has its place, and has nothing to do with it.
pub(super) fn at_request(error: Error, request: &Packet) -> Error {
    if error.has_place() { error } else { error.about(name(request)) }
}

/// The request; of a record, which has it sealed, the session that it is in, DSP0277 "Secured Message": SessionID comes first.
fn name(request: &Packet) -> String {
    match (code(request), request) {
        (Some(code), _) => code.to_string(),
        (None, Packet::Message(record) | Packet::Secured(record)) => {
            let id = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
            format!("a request in session {:#010x}", id.unwrap_or_default())
        }
    }
}

/// What of a peer that does not answer is told.
pub(super) const SILENT: &str = "said nothing in time";

/// Whether the peer is there, and said nothing.
fn is_silence(error: &StreamError) -> bool {
    matches!(error, StreamError::Io(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Whether the peer is gone.
fn is_end(error: &StreamError) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    match error {
        StreamError::Cut { .. } => true,
        StreamError::Io(error) => {
            [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof].contains(&error.kind())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::Code;
    use std::io;

    #[test]
    fn what_was_out_is_named_and_who_has_answered_speaks_as_this_side_does() {
        let challenge = Packet::Message(vec![0x12, Code::CHALLENGE.0, 0, 0]);
        let record = Packet::Secured(vec![1, 0, 0xFF, 0xFE, 9]);
        let silent = || StreamError::Io(ErrorKind::WouldBlock.into());
        let gone = || StreamError::Cut { arrived: 0 };
        let late = StreamError::Io(ErrorKind::TimedOut.into());
        for (error, answered, request, begins, ends) in [
            (silent(), true, &challenge, "CHALLENGE: said nothing in time; ", "--timeout waits longer"),
            (silent(), false, &challenge, "CHALLENGE: said nothing in time; --timeout", "--bare say how"),
            (silent(), true, &record, "a request in session 0xfeff0001: said nothing", "waits longer"),
            (gone(), true, &record, "a request in session 0xfeff0001: the other side ended", "broke down"),
            (gone(), false, &challenge, "CHALLENGE: the other side closed", "--bare say how"),
            (late, true, &challenge, "CHALLENGE: was not done in time; --deadline", "for everything"),
        ] {
            let told = at_request(of_device(error, answered), request).to_string();
            assert!(told.starts_with(begins) && told.ends_with(ends), "{told}");
            assert_eq!(told.contains("--trans"), !answered, "{told}");
        }
        // only a responder serves several
        let waits = broken_off(silent(), false).to_string();
        assert!(waits.contains("--trans") && !waits.contains("--jobs"), "{waits}");
        // of a capture it is one of ours
        let full = Error::failure("cannot write").at_place("said.pcap");
        let told = at_request(of_device(StreamError::Io(io::Error::other(full)), true), &challenge);
        assert_eq!(told.to_string(), "said.pcap: cannot write");
    }
}
