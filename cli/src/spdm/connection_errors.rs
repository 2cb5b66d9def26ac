//! Error messages for failed connections: the pending request, and advice.

use super::appraisal::reason::Reason;
use crate::error::Error;
use grille_spdm_codec::Code;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::stream::StreamError;
use std::io::ErrorKind;

/// Describes a failed connection. `answered`: whether the peer answered before. A peer that answered speaks SPDM, and
/// has shut down or become silent. Any other peer may speak another protocol.
pub(super) fn connection_error(error: StreamError, answered: bool) -> Error {
    match error {
        error if answered && is_connection_closed(&error) => {
            connection_lost("the other side ended the connection")
                .advise("check whether the other side was shut down or crashed")
        }
        error if answered && is_timeout(&error) => {
            timeout_error(NO_RESPONSE).advise("wait longer with --timeout")
        }
        StreamError::Cut { arrived: 1.. } => error.into(),
        error if is_connection_closed(&error) => connection_lost(
            "the other side closed the connection without a response",
        )
        .advise("check --trans and --bare; if they are right, the other side may be busy or shutting down"),
        error => error.into(),
    }
}

/// Returns the error for a response that did not arrive in time.
pub(super) fn timeout_error(problem: &str) -> Error {
    Error::failure(problem).with_code(Reason::Timeout.code())
}

/// Returns the error for a lost connection.
pub(super) fn connection_lost(problem: &str) -> Error {
    Error::failure(problem).with_code(Reason::ConnectionLost.code())
}

/// Describes a failed connection to a device. A device that never answered may be busy with other requesters.
pub(super) fn device_connection_error(error: StreamError, answered: bool) -> Error {
    if !answered && is_timeout(&error) {
        return timeout_error(NO_RESPONSE).advise(
            "wait longer with --timeout: a responder serves --jobs requesters at a time, and may be busy; \
             otherwise check --trans and --bare",
        );
    }
    connection_error(error, answered)
}

/// Prefixes the error with the pending request, unless the error already names a place, such as a capture that cannot
/// be written.
pub(super) fn at_request(error: Error, request: &Packet) -> Error {
    if error.has_place() { error } else { error.with_subject(name(request)) }
}

/// Names a request. For a record, whose request is encrypted, names its session (DSP0277 "Secured Message": SessionID
/// comes first).
fn name(request: &Packet) -> String {
    match (code(request), request) {
        (Some(code), _) => code.to_string(),
        (None, Packet::Message(record) | Packet::Secured(record)) => {
            let id = record.first_chunk().map(|id| SessionId::from_le_bytes(*id));
            format!("a request in session {:#010x}", id.unwrap_or_default())
        }
    }
}

/// Returns the code of a request; `None` for a record, which is encrypted. A message that is too short has the
/// reserved code 0.
pub(super) fn code(request: &Packet) -> Option<Code> {
    match request {
        Packet::Message(request) => Some(Code(request.get(1).copied().unwrap_or_default())),
        Packet::Secured(_) => None,
    }
}

/// The error text for a peer that does not respond.
pub(super) const NO_RESPONSE: &str = "no response in time";

/// Returns whether a message exceeded its time limit.
fn is_timeout(error: &StreamError) -> bool {
    matches!(error, StreamError::Io(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Returns whether the peer closed the connection.
fn is_connection_closed(error: &StreamError) -> bool {
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
    use std::io;

    #[test]
    fn errors_name_the_pending_request() {
        let challenge = Packet::Message(vec![0x12, Code::CHALLENGE.0, 0, 0]);
        let record = Packet::Secured(vec![1, 0, 0xFF, 0xFE, 9]);
        let silent = || StreamError::Io(ErrorKind::WouldBlock.into());
        let closed = || StreamError::Cut { arrived: 0 };
        let overdue = StreamError::Io(ErrorKind::TimedOut.into());
        for (error, answered, request, begins, ends) in [
            (silent(), true, &challenge, "CHALLENGE: no response in time; ", "wait longer with --timeout"),
            (
                silent(),
                false,
                &challenge,
                "CHALLENGE: no response in time; wait longer with --timeout",
                "--trans and --bare",
            ),
            (silent(), true, &record, "a request in session 0xfeff0001: no response", "with --timeout"),
            (closed(), true, &record, "a request in session 0xfeff0001: the other side ended", "crashed"),
            (closed(), false, &challenge, "CHALLENGE: the other side closed", "shutting down"),
            (overdue, true, &challenge, "CHALLENGE: exceeded the deadline; allow", "with --deadline"),
        ] {
            let message = at_request(device_connection_error(error, answered), request).to_string();
            assert!(message.starts_with(begins) && message.ends_with(ends), "{message}");
            assert_eq!(message.contains("--trans"), !answered, "{message}");
        }
        // Only a responder serves several requesters.
        let waits = connection_error(silent(), false).to_string();
        assert!(waits.contains("--trans") && !waits.contains("--jobs"), "{waits}");
        // A failed capture is reported as its own error.
        let full = Error::failure("cannot write").with_place("said.pcap");
        let message =
            at_request(device_connection_error(StreamError::Io(io::Error::other(full)), true), &challenge);
        assert_eq!(message.to_string(), "said.pcap: cannot write");
    }
}
