//! Warnings of a responder about refused requests.

use super::advice::for_requester_failure;
use super::connection_errors::code;
use crate::output::{Output, printable};
use grille_spdm_codec::chunk::ChunkSendAck;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Message, Sizes};
use grille_spdm_engine::auth_failure::AuthFailure;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::responder::Responder;
use std::fmt::Display;

/// The maximum number of warnings per connection.
const MAX_WARNINGS: u64 = 20;

/// The maximum length of text that comes from a peer.
const MAX_TEXT_LEN: usize = 200;

/// Warns about the first refusals of a connection, and counts the rest. A peer cannot flood the log with refused
/// requests.
pub(super) struct Refusals<'a> {
    peer: &'a dyn Display,
    out: &'a Output,
    count: u64,
}

impl<'a> Refusals<'a> {
    /// Creates a counter without refusals.
    pub(super) fn new(peer: &'a dyn Display, out: &'a Output) -> Self {
        Self { peer, out, count: 0 }
    }

    /// Warns about a request if it was refused.
    pub(super) fn check(&mut self, responder: &mut Responder, packets: [&Packet; 2]) {
        let Some(reason) = refusal(responder, packets) else { return };
        self.count += 1;
        if self.count <= MAX_WARNINGS {
            self.out.warn(format_args!("{}: {reason}", self.peer));
        }
    }
}

/// Reports the remaining refusals, however the connection ends.
impl Drop for Refusals<'_> {
    fn drop(&mut self) {
        if let Some(more) = self.count.checked_sub(MAX_WARNINGS).filter(|more| *more > 0) {
            self.out.warn(format_args!("{}: further refused requests: {more}", self.peer));
        }
    }
}

/// Removes the middle of a text that is too long. The end stays, because the reason follows long certificate names.
pub(super) fn shorten(text: &str) -> String {
    let (begin, end) = (MAX_TEXT_LEN * 2 / 3, MAX_TEXT_LEN / 3);
    let len = text.chars().count();
    if len <= MAX_TEXT_LEN {
        return text.to_owned();
    }
    let (head, tail) = (text.chars().take(begin), text.chars().skip(len - end));
    head.chain(['…']).chain(tail).collect()
}

/// Describes a refusal, if the request was refused. Responses inside records are readable only to the two sides, so
/// for them only the engine's reason is available.
fn refusal(responder: &mut Responder, packets: [&Packet; 2]) -> Option<String> {
    let objection = responder.take_refused_request();
    match responder.take_auth_failure() {
        Some(reason) => Some(auth_failure(&reason)),
        None => objection.map(|reason| reason.to_string()).or_else(|| describe_error_response(packets)),
    }
}

/// Describes a failed mutual authentication, with advice.
fn auth_failure(reason: &AuthFailure) -> String {
    let advice = match reason {
        AuthFailure::Answer(error) => for_requester_failure(error),
        _ => None,
    };
    let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
    format!("{}{advice}", shorten(&printable(&reason.to_string())))
}

/// Describes a refusal for which the engine has no reason. Probing for support and asking again later are part of
/// normal conversations, and not reported.
fn describe_error_response(packets: [&Packet; 2]) -> Option<String> {
    const LATER: [ErrorCode; 4] = [
        ErrorCode::BUSY,
        ErrorCode::RESPONSE_NOT_READY,
        ErrorCode::LARGE_RESPONSE,
        ErrorCode::NO_PENDING_REQUESTS,
    ];
    let (request, response) = match packets {
        [request, Packet::Message(response)] => (code(request), &response[..]),
        [_, Packet::Secured(_)] => return None,
    };
    let (subject, response) = match request {
        Some(Code::CHUNK_SEND) => unwrap_chunk_ack(response),
        Some(request) => (request.to_string(), response),
        None => ("a session record".to_owned(), response),
    };
    let [_, answer, error, ..] = response else { return None };
    let error = ErrorCode(*error);
    let is_asked = LATER.contains(&error)
        || (request, error) == (Some(Code::GET_MEASUREMENTS), ErrorCode::INVALID_REQUEST);
    (Code(*answer) == Code::ERROR && !is_asked).then(|| format!("{subject} refused with {error}"))
}

/// Returns the name of the refused request for a warning, and the actual response, from a response to CHUNK_SEND.
/// CHUNK_SEND_ACK contains the response to the whole request, or to an invalid chunk.
fn unwrap_chunk_ack(response: &[u8]) -> (String, &[u8]) {
    ChunkSendAck::decode(response, &Sizes::default()).map_or_else(
        |_| (Code::CHUNK_SEND.to_string(), response),
        |ack| ("a chunked request".to_owned(), ack.response),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::Error as Untrusted;
    use grille_spdm_engine::error::Error;

    #[test]
    fn shortening_keeps_reason_and_advice() {
        for len in [1, 10_000] {
            let certificate = "\u{9b}é".repeat(len);
            let untrusted = Untrusted::NoRoot { certificate, issuer: None };
            let message = auth_failure(&AuthFailure::Answer(Error::Untrusted(untrusted)));
            assert!(message.starts_with("the requester is not authenticated: "), "{message}");
            assert!(
                message.ends_with("not one of the given roots; name the trusted roots with --ca"),
                "{message}"
            );
            assert_eq!(message.contains('…'), len > 1);
            assert!(
                message.chars().count() < MAX_TEXT_LEN + 50 && message.chars().all(|c| !c.is_control()),
                "{message}"
            );
        }
        for len in [MAX_TEXT_LEN, MAX_TEXT_LEN + 1, 5 * MAX_TEXT_LEN] {
            assert_eq!(shorten(&"é".repeat(len)).chars().count(), MAX_TEXT_LEN);
        }
    }

    #[test]
    fn reports_refusals_in_every_container() {
        let message = |bytes: &[u8]| Packet::Message(bytes.to_vec());
        let error = |code: ErrorCode| [0x12, Code::ERROR.0, code.0, 0];
        let ack =
            |early, inside: &[u8]| [&[0x12, Code::CHUNK_SEND_ACK.0, early, 7, 0, 0][..], inside].concat();
        let (record, chunk) =
            (Packet::Secured(vec![1, 0, 0, 0, 9]), message(&[0x12, Code::CHUNK_SEND.0, 0, 7]));
        let digests = message(&[0x12, Code::GET_DIGESTS.0, 0, 0]);
        let busy = error(ErrorCode::BUSY);
        for (request, response, expected) in [
            (
                &digests,
                error(ErrorCode::UNEXPECTED_REQUEST).to_vec(),
                "GET_DIGESTS refused with UnexpectedRequest",
            ),
            (&digests, busy.to_vec(), ""),
            (&digests, vec![0x12, Code::DIGESTS.0, ErrorCode::BUSY.0, 0], ""),
            (&record, error(ErrorCode::DECRYPT_ERROR).to_vec(), "a session record refused with DecryptError"),
            (&chunk, error(ErrorCode::INVALID_REQUEST).to_vec(), "CHUNK_SEND refused with InvalidRequest"),
            (&chunk, ack(0, &[]), ""),
            (&chunk, ack(0, &[0x12, Code::CSR.0, 1, 0]), ""),
            (&chunk, ack(0, &busy), ""),
            (&chunk, ack(0, &error(ErrorCode::UNSPECIFIED)), "a chunked request refused with Unspecified"),
            (
                &chunk,
                ack(1, &error(ErrorCode::REQUEST_TOO_LARGE)),
                "a chunked request refused with RequestTooLarge",
            ),
            (&message(&[0x12]), error(ErrorCode::INVALID_REQUEST).to_vec(), "refused with InvalidRequest"),
        ] {
            let message_text = describe_error_response([request, &message(&response)]).unwrap_or_default();
            assert!(
                message_text.ends_with(expected) && message_text.is_empty() == expected.is_empty(),
                "{message_text}, not {expected}"
            );
        }
        assert_eq!(describe_error_response([&record, &record]), None, "sealed");
    }
}
