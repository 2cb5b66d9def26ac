//! What a responder refuses, as it tells whoever runs it.

use super::advice::of_requester;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::unproved::Unproved;

/// Why a responder refused what came, if it did. What goes in sessions, nobody sees but the two sides: of that only what the
/// engine says.
pub(super) fn refusal(responder: &mut Responder, packets: [&Packet; 2]) -> Option<String> {
    let objection = responder.take_objection();
    match responder.take_unproved() {
        Some(why) => Some(unproved(&why)),
        None => objection.map(|why| why.to_string()).or_else(|| unexplained(packets)),
    }
}

/// Why a requester did not prove itself, with what can be done about it.
fn unproved(why: &Unproved) -> String {
    let advice = match why {
        Unproved::Answer(error) => of_requester(error),
        _ => None,
    };
    let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
    format!("{why}{advice}")
}

/// What was refused, where nobody says why. Asking for what is there bit by bit, or once more later, is part of any conversation.
fn unexplained(packets: [&Packet; 2]) -> Option<String> {
    const LATER: [ErrorCode; 4] = [
        ErrorCode::BUSY,
        ErrorCode::RESPONSE_NOT_READY,
        ErrorCode::LARGE_RESPONSE,
        ErrorCode::NO_PENDING_REQUESTS,
    ];
    let [Packet::Message(request), Packet::Message(response)] = packets else { return None };
    let ([_, request, ..], [_, answer, code, ..]) = (&request[..], &response[..]) else { return None };
    let (request, code) = (Code(*request), ErrorCode(*code));
    let is_asked =
        LATER.contains(&code) || (request, code) == (Code::GET_MEASUREMENTS, ErrorCode::INVALID_REQUEST);
    (Code(*answer) == Code::ERROR && !is_asked).then(|| format!("{request} refused with {code}"))
}
