//! Verification of captures: certificate chains against DIGESTS, signatures, and the MACs of handshakes with known
//! secrets.

mod check;
mod handshake_checks;
mod handshakes;
mod peers;
mod verifier;

use crate::types::{Container, Side};
use grille_pki::PublicKey;
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::challenge::ChallengeAuth;
use grille_spdm_codec::digests::Digests;
use grille_spdm_codec::endpoint_info::{EndpointInfo, GetEndpointInfo};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::{GetMeasurements, Measurements};
use grille_spdm_codec::negotiate::{AlgType, Algorithms as AlgorithmsMessage};
use grille_spdm_codec::{Code, Header, Message, Sizes, Version, hybrid, messages, pqc2021};
use grille_spdm_engine::algorithms::{Bits, NegotiatedAlgorithms};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::observer::Pair;
use grille_spdm_engine::rules::Rules;
use grille_spdm_engine::signatures;
use peers::Peer;

pub use check::{Check, Outcome, Subject};
pub(crate) use verifier::{MessageContext, Verifier};

const DIALECT: &str = "chains, signatures and MACs of the openspdm-pqc dialect are not verified";

impl Verifier {
    /// Creates a verifier with the provisioned public keys of the requester and the responder.
    pub(crate) fn new(keys: [Option<PublicKey>; 2]) -> Self {
        Self { peers: keys.map(Peer::new), ..Self::default() }
    }

    /// Notes that a record was not decrypted.
    pub(crate) const fn note_undecrypted(&mut self) {
        self.has_undecrypted = true;
    }

    /// Processes the next message, and returns its checks.
    pub(crate) fn process(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        let Ok(Header { code, .. }) = Header::decode(seen.bytes) else { return Vec::new() };
        if seen.negotiated.is_dialect() {
            return dialect_checks(seen, code);
        }
        // Ignore zeros that PCI DOE may have added.
        let len = messages::observe(seen.bytes, seen.sizes, &mut ()).unwrap_or(seen.bytes.len());
        let seen = MessageContext { bytes: seen.bytes.get(..len).unwrap_or(seen.bytes), ..seen };
        let seen = MessageContext {
            session: seen.session.or_else(|| self.handshakes.session_in_clear(code, seen.within)),
            ..seen
        };
        match code {
            // The reassembled messages are processed instead.
            Code::CHUNK_SEND | Code::CHUNK_SEND_ACK | Code::CHUNK_GET | Code::CHUNK_RESPONSE => Vec::new(),
            // The response to this request answers the earlier request.
            Code::RESPOND_IF_READY => Vec::new(),
            _ if seen.within == Container::Message && code.is_request() => {
                self.encapsulated_requests.insert(seen.session, seen.bytes.to_vec());
                Vec::new()
            }
            _ if seen.within == Container::Message => self.encapsulated_response(seen, code),
            _ if code.is_request() => self.process_request(seen, code),
            Code::ERROR => self.process_error(seen),
            _ => self.process_response(seen, code),
        }
    }

    fn process_request(&mut self, seen: MessageContext<'_>, code: Code) -> Vec<Check> {
        self.requests.insert(seen.session, seen.bytes.to_vec());
        match code {
            Code::FINISH => self.check_finish(seen),
            Code::PSK_FINISH => self.check_psk_finish(seen),
            _ => Vec::new(),
        }
    }

    fn process_error(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        let error = ErrorCode(seen.bytes[2]);
        // The response follows in chunks, or later.
        if ![ErrorCode::LARGE_RESPONSE, ErrorCode::RESPONSE_NOT_READY].contains(&error)
            && let Some(request) = self.requests.remove(&seen.session)
        {
            self.observer.refused(seen.session, Code(request[1]), error);
        }
        Vec::new()
    }

    fn process_response(&mut self, seen: MessageContext<'_>, code: Code) -> Vec<Check> {
        let Some(request) = self.requests.remove(&seen.session) else { return Vec::new() };
        if Code(request[1]).response() != Some(code) {
            return Vec::new();
        }
        let pair = Pair { session: seen.session, request: &request, response: seen.bytes };
        if matches!(code, Code::VERSION | Code::CAPABILITIES | Code::ALGORITHMS) {
            self.negotiate(pair, code, seen);
            return Vec::new();
        }
        let checks = match code {
            Code::DIGESTS => self.record_digests(seen),
            Code::CERTIFICATE => self.check_certificate(pair, seen),
            Code::CHALLENGE_AUTH => self.check_challenge(pair, seen),
            Code::MEASUREMENTS => self.check_measurements(pair, seen),
            Code::ENDPOINT_INFO => self.check_endpoint_info(pair, seen),
            Code::KEY_EXCHANGE_RSP => self.check_key_exchange(pair, seen),
            Code::PSK_EXCHANGE_RSP => self.check_psk_exchange(pair, seen),
            Code::FINISH_RSP => self.check_finish_response(seen),
            Code::PSK_FINISH_RSP => {
                self.handshakes.end(seen.session);
                Vec::new()
            }
            _ => Vec::new(),
        };
        self.has_undecrypted &= code != Code::DIGESTS;
        let signed = code == Code::MEASUREMENTS && request[2] & GetMeasurements::SIGNATURE != 0;
        self.observer.answered(pair, signed, seen.negotiated.is_multi_key(Side::Responder));
        if code == Code::END_SESSION_ACK {
            seen.session.into_iter().for_each(|id| self.observer.ended(id));
        }
        checks
    }

    /// Processes a message of VCA.
    fn negotiate(&mut self, pair: Pair<'_>, code: Code, seen: MessageContext<'_>) {
        if code == Code::VERSION {
            let keys = self.peers.each_mut().map(|peer| peer.provisioned.take());
            *self = Self::new(keys);
        } else if self.last_vca_request == pair.request {
            return;
        }
        let selection = if code == Code::ALGORITHMS { algorithms(seen) } else { None };
        self.algorithms = selection;
        self.observer.negotiated(pair, selection.map(|(version, of)| (of.hash, Rules::for_version(version))));
        self.last_vca_request = pair.request.to_vec();
    }

    fn record_digests(&mut self, seen: MessageContext<'_>) -> Vec<Check> {
        if let Ok((message, _)) = Digests::decode_prefix(seen.bytes, seen.sizes) {
            self.peers[seen.from as usize].record_digests(&message, seen.sizes.hash);
        }
        Vec::new()
    }

    /// Adds a portion of a chain, and checks the chain after its last portion.
    fn check_certificate(&mut self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let hash = self.algorithms.map(|(_, of)| of.hash);
        let (Ok((request, _)), Ok((response, _)), Some(hash)) = (
            GetCertificate::decode_prefix(pair.request, seen.sizes),
            Certificate::decode_prefix(seen.bytes, seen.sizes),
            hash,
        ) else {
            return Vec::new();
        };
        let peer = &mut self.peers[seen.from as usize];
        let whole = peer.portions.add(response.slot, request.offset, response.portion, response.remainder);
        let outcome = whole.map(|chain| peer.check_chain(hash, response.slot, &chain));
        outcome.map(|outcome| self.chain_check(seen.from, response.slot, outcome)).into_iter().collect()
    }

    fn check_challenge(&self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let slot = pair.request[2];
        let Ok((message, _)) = ChallengeAuth::decode_prefix(seen.bytes, seen.sizes) else {
            return vec![self.unreadable_check(seen.from, slot)];
        };
        let (body, signature) = split(pair, message.signature);
        let (digest, context) = match seen.from {
            Side::Responder => (self.observer.signed(body), signatures::CHALLENGE_AUTH),
            Side::Requester => {
                (self.observer.encapsulated_signed(body), signatures::ENCAPSULATED_CHALLENGE_AUTH)
            }
        };
        let mut check = self.check_signature(seen.from, slot, context, digest, signature);
        if self.has_undecrypted && seen.from == Side::Responder && matches!(check.outcome, Outcome::Wrong(_))
        {
            check.outcome = Outcome::Unchecked("an earlier record was not decrypted");
        }
        let known = self.peers[seen.from as usize].chain_hash(slot, self.algorithms.map(|(_, of)| of.hash));
        let other = known.is_some_and(|known| known.as_ref() != message.chain_hash);
        let other = other.then(|| {
            let reason = "CertChainHash is not the hash of the chain";
            self.chain_check(seen.from, slot, Outcome::Wrong(reason.into()))
        });
        other.into_iter().chain([check]).collect()
    }

    fn check_measurements(&self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let Ok((request, _)) = GetMeasurements::decode_prefix(pair.request, seen.sizes) else {
            return Vec::new();
        };
        if !request.wants_signature() {
            return Vec::new();
        }
        let slot = key_slot(request.slot);
        let Ok((message, _)) = Measurements::decode_prefix(seen.bytes, seen.sizes) else {
            return vec![self.unreadable_check(seen.from, slot)];
        };
        let (body, signature) = split(pair, message.signature);
        let digest = self.observer.signed(body);
        vec![self.check_signature(seen.from, slot, signatures::MEASUREMENTS, digest, signature)]
    }

    fn check_endpoint_info(&self, pair: Pair<'_>, seen: MessageContext<'_>) -> Vec<Check> {
        let Ok((request, _)) = GetEndpointInfo::decode_prefix(pair.request, seen.sizes) else {
            return Vec::new();
        };
        if !request.wants_signature() {
            return Vec::new();
        }
        let slot = key_slot(request.slot);
        let Ok((message, _)) = EndpointInfo::decode_prefix(seen.bytes, seen.sizes) else {
            return vec![self.unreadable_check(seen.from, slot)];
        };
        let (body, signature) = split(pair, message.signature);
        let (digest, context) = match seen.from {
            Side::Responder => (self.observer.signed(body), signatures::ENDPOINT_INFO),
            Side::Requester => {
                (self.observer.encapsulated_signed(body), signatures::ENCAPSULATED_ENDPOINT_INFO)
            }
        };
        vec![self.check_signature(seen.from, slot, context, digest, signature)]
    }

    /// Processes the requester's response to an encapsulated request. A handshake may start with unsolicited DIGESTS.
    fn encapsulated_response(&mut self, seen: MessageContext<'_>, code: Code) -> Vec<Check> {
        let implicit = || vec![seen.bytes[0], Code::GET_DIGESTS.0, 0, 0];
        let request = self.encapsulated_requests.remove(&seen.session);
        let request = request.or_else(|| (code == Code::DIGESTS).then(implicit));
        let Some(request) = request.filter(|request| Code(request[1]).response() == Some(code)) else {
            return Vec::new();
        };
        let pair = Pair { session: seen.session, request: &request, response: seen.bytes };
        let checks = match code {
            Code::DIGESTS => {
                if seen.negotiated.is_multi_key(Side::Requester) {
                    self.handshakes.record_digests(seen.session, seen.bytes);
                }
                self.record_digests(seen)
            }
            Code::CERTIFICATE => self.check_certificate(pair, seen),
            Code::CHALLENGE_AUTH => self.check_challenge(pair, seen),
            Code::ENDPOINT_INFO => self.check_endpoint_info(pair, seen),
            _ => Vec::new(),
        };
        self.observer.encapsulated(pair);
        checks
    }
}

/// Returns the checks of a message of the dialect of openspdm-pqc, whose chains, signatures and MACs are not verified.
fn dialect_checks(seen: MessageContext<'_>, code: Code) -> Vec<Check> {
    let outcome = Outcome::Unchecked(DIALECT);
    let check =
        |subject| Check { subject, prover: seen.from, slot: None, algorithm: "", outcome: outcome.clone() };
    dialect_subjects(code, seen.bytes, seen.sizes).iter().copied().map(check).collect()
}

/// Returns the kinds of objects in a message of the dialect that a check would verify. A chain is listed once, with its
/// last portion.
fn dialect_subjects(code: Code, bytes: &[u8], sizes: &Sizes) -> &'static [Subject] {
    let has_verify_data = sizes.verify_data != 0;
    let is_signed = bytes.get(2).is_some_and(|param1| param1 & 1 != 0);
    let is_last_portion = || {
        let message = pqc2021::certificate::Certificate::decode_prefix(bytes, sizes);
        message.is_ok_and(|(message, _)| message.remainder == 0)
    };
    match code {
        Code::CERTIFICATE if is_last_portion() => &[Subject::Chain],
        Code::KEY_EXCHANGE_RSP if has_verify_data => &[Subject::Signature, Subject::Mac],
        Code::CHALLENGE_AUTH | Code::KEY_EXCHANGE_RSP => &[Subject::Signature],
        Code::MEASUREMENTS if sizes.signature != 0 => &[Subject::Signature],
        Code::FINISH if is_signed => &[Subject::Signature, Subject::Mac],
        Code::FINISH | Code::PSK_EXCHANGE_RSP | Code::PSK_FINISH => &[Subject::Mac],
        Code::FINISH_RSP if has_verify_data => &[Subject::Mac],
        _ => &[],
    }
}

/// Returns the slot for a 4-bit field, in which 0xF stands for the provisioned public key.
const fn key_slot(field: u8) -> u8 {
    match field & 0xF {
        0xF => PROVISIONED,
        slot => slot,
    }
}

/// Splits off the signature at the end of a pair's response.
fn split<'m>(pair: Pair<'m>, signature: &'m [u8]) -> (Pair<'m>, &'m [u8]) {
    let body = &pair.response[..pair.response.len() - signature.len()];
    (Pair { response: body, ..pair }, signature)
}

/// Returns the algorithms that ALGORITHMS selected; `None` if the message cannot be decoded, or selects no hash.
fn algorithms(seen: MessageContext<'_>) -> Option<(Version, NegotiatedAlgorithms)> {
    let (message, _) = AlgorithmsMessage::decode_prefix(seen.bytes, seen.sizes).ok()?;
    let table = |kind| message.tables.bits(kind) as u16;
    let chosen = Bits {
        hash: message.base_hash.0,
        asym: message.base_asym.0,
        pqc_asym: message.pqc_asym.0,
        dhe: table(AlgType::DHE),
        aead: table(AlgType::AEAD),
        req_asym: table(AlgType::REQ_BASE_ASYM),
        key_schedule: table(AlgType::KEY_SCHEDULE),
        req_pqc_asym: table(AlgType::REQ_PQC_ASYM),
        kem: table(AlgType::KEM),
        measurement_hash: message.measurement_hash.0,
        ..Bits::default()
    };
    let version = Version::from_byte(*seen.bytes.first()?).ok()?;
    let chosen = if version < Version::V1_4 { chosen } else { with_hybrids(chosen, &message) };
    Some((version, chosen.algorithms(&chosen)?))
}

/// Adds the selected hybrids. Other external algorithms are ignored.
fn with_hybrids(chosen: Bits, message: &AlgorithmsMessage<'_>) -> Bits {
    let selected = |list: &[[u8; 4]]| hybrid::selected(list).unwrap_or_default();
    Bits {
        hybrid_asym: selected(message.ext_asym),
        req_hybrid_asym: selected(message.tables.external(AlgType::REQ_BASE_ASYM)),
        hybrid_kem: selected(message.tables.external(AlgType::KEM)),
        ..chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_every_object_of_the_dialect() {
        use Subject::{Chain, Mac, Signature};
        let plain = Sizes { signature: 4, ..Sizes::default() };
        let with_mac = Sizes { verify_data: 48, ..plain };
        let portion =
            |remainder| [0x11, Code::CERTIFICATE.0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, remainder, 0, 0, 0, 7];
        let [more, last] = [portion(1), portion(0)];
        let (empty, param1): (&[u8], &[u8]) = (&[0x11, 0, 0, 0], &[0x11, 0, 1, 0]);
        for (code, bytes, sizes, expected) in [
            (Code::CERTIFICATE, &more[..], plain, &[][..]),
            (Code::CERTIFICATE, &last[..], plain, &[Chain]),
            (Code::CHALLENGE_AUTH, empty, plain, &[Signature]),
            (Code::MEASUREMENTS, empty, plain, &[Signature]),
            (Code::MEASUREMENTS, empty, Sizes::default(), &[]),
            (Code::KEY_EXCHANGE_RSP, empty, plain, &[Signature]),
            (Code::KEY_EXCHANGE_RSP, empty, with_mac, &[Signature, Mac]),
            (Code::FINISH, empty, plain, &[Mac]),
            (Code::FINISH, param1, plain, &[Signature, Mac]),
            (Code::FINISH_RSP, empty, plain, &[]),
            (Code::FINISH_RSP, empty, with_mac, &[Mac]),
            (Code::PSK_FINISH, empty, plain, &[Mac]),
        ] {
            assert_eq!(dialect_subjects(code, bytes, &sizes), expected, "{code}");
        }
    }
}
