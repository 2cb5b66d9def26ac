//! Handshakes of sessions: their transcripts, and the signatures and MACs in them.

use super::{Check, Outcome, Seen, Subject, Verifier};
use crate::{Side, Within};
use grille_spdm_codec::finish::{Finish, FinishRsp};
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp, session_id};
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp, PskFinish};
use grille_spdm_codec::{Code, Message, Sizes};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::observer::Pair;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures;
use grille_spdm_engine::transcript::Th;
use std::collections::BTreeMap;

/// The handshakes that are not over.
#[derive(Default)]
pub(super) struct Handshakes {
    open: BTreeMap<SessionId, Handshake>,
    /// The last one with a key exchange, if it goes on in the clear.
    clear: Option<SessionId>,
}

struct Handshake {
    /// `None` if the capture lacks the responder's chain.
    th: Option<Th>,
    /// DIGESTS of a requester with several keys.
    shown: Vec<u8>,
    /// Whether the responder asks for the requester's chain.
    asks_back: bool,
}

impl Handshakes {
    /// The session to which a message in the clear belongs.
    pub(super) fn in_the_clear(&self, code: Code, within: Within) -> Option<SessionId> {
        let id = self.clear?;
        let belongs = match code {
            Code::FINISH | Code::FINISH_RSP => true,
            // what the responder asks there
            _ if within == Within::Message => self.open.get(&id)?.asks_back,
            Code::GET_ENCAPSULATED_REQUEST
            | Code::ENCAPSULATED_REQUEST
            | Code::DELIVER_ENCAPSULATED_RESPONSE
            | Code::ENCAPSULATED_RESPONSE_ACK => self.open.get(&id)?.asks_back,
            _ => false,
        };
        belongs.then_some(id)
    }

    /// The requester shows its DIGESTS.
    pub(super) fn show(&mut self, session: Option<SessionId>, digests: &[u8]) {
        if let Some(handshake) = session.and_then(|id| self.open.get_mut(&id)) {
            handshake.shown = digests.to_vec();
        }
    }

    /// A handshake is over.
    pub(super) fn end(&mut self, session: Option<SessionId>) {
        session.into_iter().for_each(|id| drop(self.open.remove(&id)));
        self.clear.take_if(|id| Some(*id) == session);
    }

    fn th(&mut self, session: Option<SessionId>) -> Option<&mut Th> {
        self.open.get_mut(&session?)?.th.as_mut()
    }
}

const NO_CHAIN: &str = "the capture lacks the responder's certificate chain";

impl Verifier {
    /// KEY_EXCHANGE_RSP: its signature, and its MAC unless the handshake goes on in the clear.
    pub(super) fn key_exchange(&mut self, pair: Pair<'_>, seen: Seen<'_>) -> Vec<Check> {
        let slot = pair.request[3];
        let asked = Sizes { exchange_data: seen.negotiated.exchange_data(Side::Requester), ..*seen.sizes };
        let (Ok((request, _)), Ok((message, _))) = (
            KeyExchange::decode_prefix(pair.request, &asked),
            KeyExchangeRsp::decode_prefix(seen.bytes, seen.sizes),
        ) else {
            return vec![self.unreadable(seen.from, slot)];
        };
        let id = session_id(request.session, message.session);
        let hash = self.algorithms.map(|(_, of)| of.hash);
        let chain = self.peers[Side::Responder as usize].chain_hash(slot, hash);
        let multi_key = seen.negotiated.multi_key(Side::Responder);
        let th = chain.and_then(|chain| self.observer.th(Some(&chain), multi_key));
        let rest = seen.bytes.len() - message.verify_data.len();
        let body = &seen.bytes[..rest - message.signature.len()];
        let (th, signed) = match th {
            None => (None, None),
            Some(mut th) => {
                [pair.request, body].into_iter().for_each(|part| th.push(part));
                let signed = th.digest();
                th.push(message.signature);
                (Some(th), Some(signed))
            }
        };
        let mut check =
            self.signature(seen.from, slot, signatures::KEY_EXCHANGE_RSP, signed, message.signature);
        if signed.is_none() && self.algorithms.is_some() {
            check.outcome = Outcome::Unchecked(NO_CHAIN);
        }
        let encapsulated = KeyExchangeRsp::MUT_AUTH_WITH_ENCAP | KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS;
        let asks_back = message.mut_auth & encapsulated != 0;
        self.handshakes.open.insert(id, Handshake { th, shown: Vec::new(), asks_back });
        self.handshakes.clear = message.verify_data.is_empty().then_some(id);
        let mac = (!message.verify_data.is_empty()).then(|| self.mac(seen, Some(id), message.verify_data));
        [check].into_iter().chain(mac).collect()
    }

    /// PSK_EXCHANGE_RSP: its MAC.
    pub(super) fn psk_exchange(&mut self, pair: Pair<'_>, seen: Seen<'_>) -> Vec<Check> {
        let (Ok((request, _)), Ok((message, _))) = (
            PskExchange::decode_prefix(pair.request, seen.sizes),
            PskExchangeRsp::decode_prefix(seen.bytes, seen.sizes),
        ) else {
            return Vec::new();
        };
        let id = session_id(request.session, message.session);
        let body = &seen.bytes[..seen.bytes.len() - message.verify_data.len()];
        let mut th = self.observer.th(None, false);
        th.iter_mut().for_each(|th| [pair.request, body].into_iter().for_each(|part| th.push(part)));
        self.handshakes.open.insert(id, Handshake { th, shown: Vec::new(), asks_back: false });
        vec![self.mac(seen, Some(id), message.verify_data)]
    }

    /// FINISH: the requester's signature, if it has to authenticate itself, and its MAC.
    pub(super) fn finish(&mut self, seen: Seen<'_>) -> Vec<Check> {
        let Ok((message, _)) = Finish::decode_prefix(seen.bytes, seen.sizes) else {
            return vec![self.unreadable(seen.from, 0)];
        };
        let rest = seen.bytes.len() - message.verify_data.len();
        let body = &seen.bytes[..rest - message.signature.len()];
        let slot = message.req_slot;
        let hash = self.algorithms.map(|(_, of)| of.hash);
        let chain = self.peers[Side::Requester as usize].chain_hash(slot, hash);
        let signed = self.finish_digest(seen.session, message.signed, chain, body);
        let mut checks = Vec::new();
        if message.signed {
            let check = self.signature(seen.from, slot, signatures::FINISH, signed, message.signature);
            let unknown = signed.is_none() && self.algorithms.is_some();
            let why = "the capture lacks a certificate chain, or the beginning of the handshake";
            let outcome = if unknown { Outcome::Unchecked(why) } else { check.outcome };
            checks.push(Check { outcome, ..check });
        }
        if let Some(th) = self.handshakes.th(seen.session) {
            th.push(message.signature);
        }
        checks.push(self.mac(seen, seen.session, message.verify_data));
        checks
    }

    /// TH up to FINISH's signature; `chain`: the hash of the requester's chain, without which nothing more can be checked.
    fn finish_digest(
        &mut self,
        session: Option<SessionId>,
        signed: bool,
        chain: Option<Digest>,
        body: &[u8],
    ) -> Option<Digest> {
        let handshake = self.handshakes.open.get_mut(&session?)?;
        let shown = core::mem::take(&mut handshake.shown);
        if signed && chain.is_none() {
            handshake.th = None;
        }
        let th = handshake.th.as_mut()?;
        if signed {
            th.push(&shown);
            chain.iter().for_each(|chain| th.push(chain.as_ref()));
        }
        th.push(body);
        Some(th.digest())
    }

    /// FINISH_RSP, which has a MAC where the handshake goes in the clear.
    pub(super) fn finished(&mut self, seen: Seen<'_>) -> Vec<Check> {
        let read = FinishRsp::decode_prefix(seen.bytes, seen.sizes);
        let mac = read.ok().map(|(message, _)| message.verify_data).filter(|mac| !mac.is_empty());
        let checks = mac.map(|mac| {
            if let Some(th) = self.handshakes.th(seen.session) {
                th.push(&seen.bytes[..seen.bytes.len() - mac.len()]);
            }
            self.mac(seen, seen.session, mac)
        });
        self.handshakes.end(seen.session);
        checks.into_iter().collect()
    }

    /// PSK_FINISH: its MAC.
    pub(super) fn psk_finish(&mut self, seen: Seen<'_>) -> Vec<Check> {
        let Ok((message, _)) = PskFinish::decode_prefix(seen.bytes, seen.sizes) else { return Vec::new() };
        if let Some(th) = self.handshakes.th(seen.session) {
            th.push(&seen.bytes[..seen.bytes.len() - message.verify_data.len()]);
        }
        vec![self.mac(seen, seen.session, message.verify_data)]
    }

    /// Checks VerifyData over TH so far, and appends it.
    fn mac(&mut self, seen: Seen<'_>, session: Option<SessionId>, mac: &[u8]) -> Check {
        let secret = session.and_then(|id| seen.keys.handshake(id, seen.from));
        let th = self.handshakes.th(session);
        let outcome = match (&th, secret) {
            (None, _) => Outcome::Unchecked("the beginning of the handshake is not known"),
            (_, None) => Outcome::Unchecked("no secret of its handshake is known"),
            (Some(th), Some(secret)) if secret.verify_data(&th.digest()).as_ref() == mac => Outcome::Right,
            _ => Outcome::Wrong("is not the MAC of the handshake".into()),
        };
        th.into_iter().for_each(|th| th.push(mac));
        let algorithm = self.algorithms.map_or("", |(_, of)| of.hash.name);
        Check { subject: Subject::Mac, prover: seen.from, slot: None, algorithm, outcome }
    }
}
