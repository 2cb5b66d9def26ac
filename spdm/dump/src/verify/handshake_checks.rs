//! The checks of session handshakes: signatures and MACs.

use super::check::{Check, Outcome, Subject};
use super::handshakes::Handshake;
use super::verifier::{MessageContext, Verifier};
use crate::types::Side;
use grille_spdm_codec::finish::{Finish, FinishRsp};
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp, PskFinish};
use grille_spdm_codec::{Message, Sizes};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::observer::Pair;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures;

const NO_CHAIN: &str = "the capture lacks the responder's certificate chain";

impl Verifier {
    /// Checks KEY_EXCHANGE_RSP: its signature, and its MAC unless the handshake continues in the clear.
    pub(super) fn check_key_exchange(&mut self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let slot = pair.request[3];
        let request_sizes =
            Sizes { exchange_data: seen.negotiated.exchange_data(Side::Requester), ..*seen.sizes };
        let (Ok((request, _)), Ok((message, _))) = (
            KeyExchange::decode_prefix(pair.request, &request_sizes),
            KeyExchangeRsp::decode_prefix(seen.bytes, seen.sizes),
        ) else {
            return vec![self.unreadable_check(seen.from, slot)];
        };
        let id = seen.negotiated.rules().session_id(request.session, message.session);
        let hash = self.algorithms.map(|(_, of)| of.hash);
        let chain = self.peers[Side::Responder as usize].chain_hash(slot, hash);
        let multi_key = seen.negotiated.is_multi_key(Side::Responder);
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
            self.check_signature(seen.from, slot, signatures::KEY_EXCHANGE_RSP, signed, message.signature);
        if signed.is_none() && self.algorithms.is_some() {
            check.outcome = Outcome::Unchecked(NO_CHAIN);
        }
        let encapsulated = KeyExchangeRsp::MUT_AUTH_WITH_ENCAP | KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS;
        let requests_chain = message.mut_auth & encapsulated != 0;
        self.handshakes.open.insert(id, Handshake { th, requester_digests: Vec::new(), requests_chain });
        self.handshakes.clear = message.verify_data.is_empty().then_some(id);
        let mac =
            (!message.verify_data.is_empty()).then(|| self.check_mac(seen, Some(id), message.verify_data));
        [check].into_iter().chain(mac).collect()
    }

    /// Checks the MAC of PSK_EXCHANGE_RSP.
    pub(super) fn check_psk_exchange(&mut self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let (Ok((request, _)), Ok((message, _))) = (
            PskExchange::decode_prefix(pair.request, seen.sizes),
            PskExchangeRsp::decode_prefix(seen.bytes, seen.sizes),
        ) else {
            return Vec::new();
        };
        let id = seen.negotiated.rules().session_id(request.session, message.session);
        let body = &seen.bytes[..seen.bytes.len() - message.verify_data.len()];
        let mut th = self.observer.th(None, false);
        th.iter_mut().for_each(|th| [pair.request, body].into_iter().for_each(|part| th.push(part)));
        self.handshakes
            .open
            .insert(id, Handshake { th, requester_digests: Vec::new(), requests_chain: false });
        vec![self.check_mac(seen, Some(id), message.verify_data)]
    }

    /// Checks FINISH: its MAC, and for mutual authentication the requester's signature.
    pub(super) fn check_finish(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        let Ok((message, _)) = Finish::decode_prefix(seen.bytes, seen.sizes) else {
            return vec![self.unreadable_check(seen.from, 0)];
        };
        let rest = seen.bytes.len() - message.verify_data.len();
        let body = &seen.bytes[..rest - message.signature.len()];
        let slot = message.req_slot;
        let hash = self.algorithms.map(|(_, of)| of.hash);
        let chain = self.peers[Side::Requester as usize].chain_hash(slot, hash);
        let signed = self.finish_digest(seen.session, message.signed, chain, body);
        let mut checks = Vec::new();
        if message.signed {
            let check = self.check_signature(seen.from, slot, signatures::FINISH, signed, message.signature);
            let unknown = signed.is_none() && self.algorithms.is_some();
            let reason = "the capture lacks a certificate chain, or the start of the handshake";
            let outcome = if unknown { Outcome::Unchecked(reason) } else { check.outcome };
            checks.push(Check { outcome, ..check });
        }
        if let Some(th) = self.handshakes.th(seen.session) {
            th.push(message.signature);
        }
        checks.push(self.check_mac(seen, seen.session, message.verify_data));
        checks
    }

    /// Returns the digest of TH that the requester signs in FINISH. `chain` is the hash of the requester's chain. If
    /// FINISH is signed and this hash is unknown, neither FINISH nor any later message of the handshake can be checked.
    fn finish_digest(
        &mut self,
        session: Option<SessionId>,
        signed: bool,
        chain: Option<Digest>,
        body: &[u8],
    ) -> Option<Digest> {
        let handshake = self.handshakes.open.get_mut(&session?)?;
        let requester_digests = core::mem::take(&mut handshake.requester_digests);
        if signed && chain.is_none() {
            handshake.th = None;
        }
        let th = handshake.th.as_mut()?;
        if signed {
            th.push(&requester_digests);
            chain.iter().for_each(|chain| th.push(chain.as_ref()));
        }
        th.push(body);
        Some(th.digest())
    }

    /// Checks FINISH_RSP, which has a MAC if the handshake is in the clear.
    pub(super) fn check_finish_response(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        let read = FinishRsp::decode_prefix(seen.bytes, seen.sizes);
        let mac = read.ok().map(|(message, _)| message.verify_data).filter(|mac| !mac.is_empty());
        let checks = mac.map(|mac| {
            if let Some(th) = self.handshakes.th(seen.session) {
                th.push(&seen.bytes[..seen.bytes.len() - mac.len()]);
            }
            self.check_mac(seen, seen.session, mac)
        });
        self.handshakes.end(seen.session);
        checks.into_iter().collect()
    }

    /// Checks the MAC of PSK_FINISH.
    pub(super) fn check_psk_finish(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        let Ok((message, _)) = PskFinish::decode_prefix(seen.bytes, seen.sizes) else { return Vec::new() };
        if let Some(th) = self.handshakes.th(seen.session) {
            th.push(&seen.bytes[..seen.bytes.len() - message.verify_data.len()]);
        }
        vec![self.check_mac(seen, seen.session, message.verify_data)]
    }

    /// Checks VerifyData, the MAC over the current TH, and appends it to TH.
    fn check_mac(&mut self, seen: MessageContext<'_>, session: Option<SessionId>, mac: &[u8]) -> Check {
        let secret = session.and_then(|id| seen.keys.handshake(id, seen.from));
        let th = self.handshakes.th(session);
        let outcome = match (&th, secret) {
            (None, _) => Outcome::Unchecked("the capture lacks the start of the handshake"),
            (_, None) => Outcome::Unchecked("the key log lacks the handshake secrets of this session"),
            (Some(th), Some(secret)) if secret.verify_data(&th.digest()).as_ref() == mac => Outcome::Right,
            _ => Outcome::Wrong("the MAC does not match the handshake".into()),
        };
        th.into_iter().for_each(|th| th.push(mac));
        let algorithm = self.algorithms.map_or("", |(_, of)| of.hash.name);
        Check { subject: Subject::Mac, prover: seen.from, slot: None, algorithm, outcome }
    }
}
