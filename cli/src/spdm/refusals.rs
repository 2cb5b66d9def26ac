//! What a responder refuses, as it tells whoever runs it.

use super::advice::of_requester;
use crate::output::{Output, printable};
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::unproved::Unproved;
use std::fmt::Display;

/// How many refusals of a connection are told.
const TOLD: u64 = 20;

/// As long as what a peer said may be.
const LONGEST: usize = 200;

/// What is told of one connection's refusals: the first of them, and at its end how many more there were. A peer that has
/// everything refused does not fill whatever keeps the warnings.
pub(super) struct Refusals<'a> {
    peer: &'a dyn Display,
    out: &'a Output,
    count: u64,
}

impl<'a> Refusals<'a> {
    /// Of none yet.
    pub(super) fn new(peer: &'a dyn Display, out: &'a Output) -> Self {
        Self { peer, out, count: 0 }
    }

    /// Tells why a request was refused, if it was.
    pub(super) fn see(&mut self, responder: &mut Responder, packets: [&Packet; 2]) {
        let Some(why) = refusal(responder, packets) else { return };
        self.count += 1;
        if self.count <= TOLD {
            self.out.warn(format_args!("{}: {why}", self.peer));
        }
    }
}

/// However the connection ends.
impl Drop for Refusals<'_> {
    fn drop(&mut self) {
        if let Some(more) = self.count.checked_sub(TOLD).filter(|more| *more > 0) {
            self.out.warn(format_args!("{}: and {more} more refused", self.peer));
        }
    }
}

/// Without its midst, where it is too long: names of certificates may be, and the reason stands behind them.
fn shortened(text: &str) -> String {
    let (begin, end) = (LONGEST * 2 / 3, LONGEST / 3);
    let len = text.chars().count();
    if len <= LONGEST {
        return text.to_owned();
    }
    let (head, tail) = (text.chars().take(begin), text.chars().skip(len - end));
    head.chain(['…']).chain(tail).collect()
}

/// Why a responder refused what came, if it did. What goes in sessions, nobody sees but the two sides: of that only what the
/// engine says.
fn refusal(responder: &mut Responder, packets: [&Packet; 2]) -> Option<String> {
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
    format!("{}{advice}", shortened(&printable(&why.to_string())))
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

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::Error as Untrusted;
    use grille_spdm_engine::error::Error;

    #[test]
    fn of_a_long_name_its_midst_is_left_out_and_neither_the_reason_nor_the_advice() {
        for len in [1, 10_000] {
            let certificate = "\u{9b}é".repeat(len);
            let untrusted = Untrusted::NoRoot { certificate, issuer: None };
            let told = unproved(&Unproved::Answer(Error::Untrusted(untrusted)));
            assert!(told.starts_with("the requester did not prove itself: "), "{told}");
            assert!(told.ends_with("none of the roots given; --ca names the roots to trust"), "{told}");
            assert_eq!(told.contains('…'), len > 1);
            assert!(told.chars().count() < LONGEST + 50 && told.chars().all(|c| !c.is_control()), "{told}");
        }
        for len in [LONGEST, LONGEST + 1, 5 * LONGEST] {
            assert_eq!(shortened(&"é".repeat(len)).chars().count(), LONGEST);
        }
    }
}
