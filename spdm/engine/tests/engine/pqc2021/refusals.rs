//! Configurations and messages that the dialect refuses.

use super::*;
use grille_spdm_engine::error::Violation;

#[test]
fn unknown_keys_are_reported_before_anything_is_sent() {
    for suite in [PURE, HYBRID, KEM_AUTH] {
        let [device, host] = suite.keys();
        let keys = [Keys { public: PeerKeys::default(), ..device }, host];
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with(keys, configs);
        let sent = wire.log.len();
        for refused in [
            requester.run(ChallengeResponder::new(suite.slot(), 0), &mut wire).err(),
            requester.run(OpenSession::new(suite.slot()), &mut wire).err(),
        ] {
            assert!(matches!(refused, Some(Error::Usage(Usage::NoChain { .. }))), "{refused:?}");
        }
        assert_eq!(wire.log.len(), sent);
    }
}

#[test]
fn fragments_exist_only_in_the_dialect() {
    let device = credential(classical("P256"));
    let (mut requester, mut wire) = common::pair(grille_spdm_codec::Version::V1_1, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    let response = wire.plain(&[0x11, 0xFD, 3, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9]);
    assert_eq!(response[..2], [0x11, Code::ERROR.0]);
}

/// The connection continues: in the standard, the answer would be RequestResynch.
#[test]
fn responders_without_chains_do_not_support_requests_for_chains() {
    for suite in [PURE, KEM_AUTH] {
        let (mut requester, mut wire) = suite.connect();
        for request in [&[0x11, 0x81, 0, 0][..], &[0x11, 0x82, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0]] {
            let unsupported = ErrorCode::UNSUPPORTED_REQUEST.0;
            assert_eq!(wire.plain(request), [0x11, Code::ERROR.0, unsupported, request[1]]);
        }
        requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
    }
}

#[test]
fn negotiates_only_algorithms_with_keys() {
    // the responder has no key of Falcon, which it would prefer
    let suite = PURE;
    let both = |flags| {
        let mut config = suite.config(flags);
        let options = config.pqc2021.as_mut().unwrap();
        options.algorithms.signature =
            Signature::by_name("Falcon-512").map(Signature::set).unwrap().union(options.algorithms.signature);
        config
    };
    let (mut requester, mut wire) = suite.connect_with(suite.keys(), [RESPONDER, REQUESTER].map(both));
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    let name = selected.responder.post_quantum.map(grille_registry::Row::name);
    assert_eq!(name, Some("Dilithium2"));
    requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
}

/// CHALLENGE needs no key exchange.
#[test]
fn key_exchange_needs_a_group_or_a_kem() {
    let suite = Suite { kem: "", ..KEM_AUTH };
    let (mut requester, mut wire) = suite.connect();
    requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
    let refused = requester.run(OpenSession::new(PROVISIONED), &mut wire);
    assert!(matches!(refused, Err(Error::Usage(Usage::NothingInCommon { .. }))), "{refused:?}");
}

#[test]
fn kem_authentication_of_the_requester_needs_that_of_the_responder() {
    let suite = Suite { req_kem_auth: "Kyber512", ..PURE };
    let (requester, _) = suite.connect();
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    assert!(selected.requester.kem.is_none());
}

/// Returns the only fragment of a response without its header; `None` if the response is not in fragments.
fn unwrapped(response: &[u8]) -> Option<&[u8]> {
    (response[..4] == [0x11, 0x7C, 3, 0xFF]).then(|| &response[16..])
}

/// KEM authentication cannot replace the signature of measurements.
#[test]
fn signed_measurements_without_a_signature_algorithm_need_resynchronisation() {
    let (_, mut wire) = KEM_AUTH.connect();
    let request = [&[0x11, Code::GET_MEASUREMENTS.0, 1, 0xFF][..], &[7; 32], &[0xF]].concat();
    let error = [0x11, Code::ERROR.0, ErrorCode::REQUEST_RESYNCH.0, 0];
    assert_eq!(unwrapped(&wire.plain(&request)), Some(&error[..]));
    assert_eq!(wire.plain(&request), error, "the connection is over, and with it the fragments");
}

/// Records all packets. Can replace a fragment that contains ERROR by the ERROR itself.
struct Unwrapping<'w> {
    wire: &'w mut Wire,
    unwraps: bool,
}

impl Carrier for Unwrapping<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let answer = self.wire.exchange(packet)?;
        let Packet::Message(response) = &answer else { return Ok(answer) };
        let error = unwrapped(response).filter(|inside| self.unwraps && inside[1] == Code::ERROR.0);
        Ok(error.map_or(answer.clone(), |error| Packet::Message(error.to_vec())))
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// The prototype sends every answer to CHALLENGE, GET_MEASUREMENTS and KEY_EXCHANGE in fragments, even ERROR.
#[test]
fn errors_to_some_requests_are_in_fragments() {
    let (mut requester, mut wire) = PURE.connect();
    let mut challenge = vec![0x11, Code::CHALLENGE.0, 5, 0];
    challenge.extend([7; 32]);
    let measurements = [&[0x11, Code::GET_MEASUREMENTS.0, 1, 0xFF][..], &[7; 32], &[5]].concat();
    for request in [&challenge[..], &[0x11, Code::KEY_EXCHANGE.0, 0, 5], &measurements] {
        let response = wire.plain(request);
        assert_eq!(response.len(), 16 + 4, "{:02x?}", &response[..20]);
        assert_eq!(response[4..16], [0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0]);
        let error = [0x11, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0];
        assert_eq!(unwrapped(&response), Some(&error[..]));
    }
    assert_eq!(wire.plain(&[0x11, Code::HEARTBEAT.0, 0, 0])[1], Code::ERROR.0, "not in fragments");
    // a requester accepts both forms
    for unwraps in [false, true] {
        let mut wire = Unwrapping { wire: &mut wire, unwraps };
        let refused = requester.run(ChallengeResponder::new(PROVISIONED, 9), &mut wire);
        let code = ErrorCode::INVALID_REQUEST;
        assert!(matches!(refused, Err(Error::Refused { code: got, .. }) if got == code), "{refused:?}");
    }
}

/// Answers the first CHALLENGE with Busy, in fragments or not.
struct BusyOnce<'w> {
    wire: &'w mut Wire,
    busy: Option<Vec<u8>>,
}

impl Carrier for BusyOnce<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        match self.busy.take() {
            Some(busy) => Ok(Packet::Message(busy)),
            None => self.wire.exchange(packet),
        }
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

#[test]
fn requesters_repeat_challenge_after_busy() {
    let busy = [0x11, Code::ERROR.0, ErrorCode::BUSY.0, 0];
    let header = [0x11, 0x7C, 3, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0];
    for busy in [busy.to_vec(), [&header[..], &busy].concat()] {
        let (mut requester, mut wire) = PURE.connect();
        let mut wire = BusyOnce { wire: &mut wire, busy: Some(busy) };
        requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
        assert!(wire.busy.is_none());
    }
}

/// Answers the first fragment of a request with another message.
struct EarlyResponse<'w> {
    wire: &'w mut Wire,
    response: Vec<u8>,
}

impl Carrier for EarlyResponse<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let early = matches!(&packet, Packet::Message(request) if request[1] == 0xFD);
        if early { Ok(Packet::Message(self.response.clone())) } else { self.wire.exchange(packet) }
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

#[test]
fn only_errors_may_come_before_the_last_fragment_of_a_request() {
    // KEY_EXCHANGE has two fragments
    let suite = Suite { kem: "HQC-192", ..PURE };
    let (mut first, mut wire) = suite.connect();
    first.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap();
    let messages = messages(&wire);
    let fragment = messages.iter().find(|message| message[1] == 0x7C).unwrap().clone();
    let version = [0x11, Code::VERSION.0, 0, 0, 0, 1, 0, 0x11].to_vec();
    for response in [fragment, version, vec![0x11, Code::KEY_EXCHANGE_RSP.0, 0, 0]] {
        let (mut requester, mut wire) = suite.connect();
        let mut wire = EarlyResponse { wire: &mut wire, response };
        let refused = requester.run(OpenSession::new(PROVISIONED), &mut wire);
        let chunk = Violation::Chunk;
        assert!(
            matches!(refused, Err(Error::Violation { violation, .. }) if violation == chunk),
            "{refused:?}"
        );
    }
    let error = vec![0x11, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0];
    let mut wire = EarlyResponse { wire: &mut wire, response: error };
    let refused = first.run(OpenSession::new(PROVISIONED), &mut wire);
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
}

/// With the option `strict`, transcripts also contain the key that CHALLENGE_AUTH does not use.
#[test]
fn strict_options_need_every_key() {
    let suite = Suite { signature: "Dilithium2", ..KEM_AUTH };
    for strict in [false, true] {
        let suite = Suite { strict, ..suite };
        let device = Keys::default().with_kem(suite.kem_auth);
        let known = device.public.clone();
        let device = Keys { public: known, ..device.with_signature(suite.signature) };
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with([device, Keys::default()], configs);
        let challenged = requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire);
        assert_eq!(challenged.is_err(), strict, "{challenged:?}");
    }
}

/// The range of the point in KEY_EXCHANGE and KEY_EXCHANGE_RSP of secp256r1, with the header of their fragment.
const POINT: std::ops::Range<usize> = 16 + 40..16 + 40 + 64;

/// Replaces the point in KEY_EXCHANGE_RSP by zeros, which are not on the curve.
struct WithoutPoint<'w>(&'w mut Wire);

impl Carrier for WithoutPoint<'_> {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let mut answer = self.0.exchange(packet)?;
        if let Packet::Message(response) = &mut answer
            && response.get(17) == Some(&Code::KEY_EXCHANGE_RSP.0)
        {
            response[POINT].fill(0);
        }
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// The prototype's requester accepts an invalid point with a valid ciphertext.
#[test]
fn key_exchange_needs_a_valid_point_and_kem() {
    let (mut requester, mut wire) = HYBRID.connect();
    let (_, packet) = requester.start(OpenSession::new(0)).unwrap();
    let Packet::Message(mut exchange) = packet else { panic!() };
    exchange[POINT].fill(0);
    let response = wire.plain(&exchange);
    let error = [0x11, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0];
    assert_eq!(unwrapped(&response), Some(&error[..]));
    let (mut requester, mut wire) = HYBRID.connect();
    let refused = requester.run(OpenSession::new(0), &mut WithoutPoint(&mut wire));
    let algorithms = Violation::Algorithms;
    assert!(
        matches!(refused, Err(Error::Violation { violation, .. }) if violation == algorithms),
        "not the signature, which is verified later: {refused:?}"
    );
}
