//! Mutual authentication in the dialect.

use super::*;

#[test]
fn requesters_authenticate_with_keys_without_certificates() {
    for suite in [
        Suite { req_signature: "Falcon-512", ..PURE },
        Suite { req_signature: "Dilithium2", ..HYBRID },
        Suite { req_kem_auth: "Kyber768", ..KEM_AUTH },
        Suite { req_kem_auth: "Kyber512", req_signature: "Dilithium2", ..KEM_AUTH },
    ] {
        suite.check_all();
        let (mut requester, mut wire) = suite.connect();
        let session = requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
        assert_eq!(requester.authenticated_with(session), Some(PROVISIONED), "{suite:?}");
        let identity = wire.responder.authenticated(session);
        let signs = suite.req_kem_auth.is_empty();
        match identity {
            Some(RequesterIdentity::Key { slot: PROVISIONED, .. }) => assert!(signs, "{suite:?}"),
            Some(RequesterIdentity::Kem { slot: PROVISIONED }) => assert!(!signs, "{suite:?}"),
            other => panic!("{suite:?}: {other:?}"),
        }
    }
}

#[test]
fn rejects_requesters_with_another_key() {
    for suite in
        [Suite { req_signature: "Falcon-512", ..PURE }, Suite { req_kem_auth: "Kyber768", ..KEM_AUTH }]
    {
        let [device, host] = suite.keys();
        let [_, other] = suite.keys();
        let keys = [device, Keys { public: other.public, ..host }];
        let configs = [suite.config(RESPONDER), suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with(keys, configs);
        assert!(requester.run(OpenSession::new(suite.slot()), &mut wire).is_err(), "{suite:?}");
        assert_eq!(wire.responder.sessions().count(), 0);
    }
}

/// Returns a connection's encapsulated messages that have this code, each without the header of the enclosing message.
fn encapsulated(wire: &Wire, code: Code) -> Vec<Vec<u8>> {
    let inside = |message: Vec<u8>| match Code(message[1]) {
        Code::ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE => message[4..].to_vec(),
        Code::ENCAPSULATED_RESPONSE_ACK => message[4..].to_vec(),
        _ => Vec::new(),
    };
    messages(wire).into_iter().map(inside).filter(|message| message.get(1) == Some(&code.0)).collect()
}

fn basic_mutual(suite: Suite) -> (Requester, Wire) {
    let configs = [Config { basic_mutual: true, ..suite.config(RESPONDER) }, suite.config(REQUESTER)];
    let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
    assert!(requester.run(ChallengeResponder::new(suite.slot(), 0), &mut wire).unwrap().mutual);
    requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
    assert!(wire.responder.is_requester_authenticated());
    (requester, wire)
}

/// The prototype's encapsulated CHALLENGE has no ciphertext, and the answer to it always has the negotiated signatures.
#[test]
fn encapsulated_challenge_is_signed_even_with_kem_authentication() {
    for (suite, signature_len) in [
        (Suite { req_signature: "Falcon-512", ..PURE }, 4 + 690),
        (Suite { req_signature: "Falcon-512", req_kem_auth: "Kyber512", ..KEM_AUTH }, 4 + 690),
        (Suite { req_asym: "P256", req_signature: "Falcon-512", ..HYBRID }, 64 + 4 + 690),
        (Suite { req_asym: "P256", req_kem_auth: "Kyber512", ..KEM_AUTH }, 64 + 4),
        (
            Suite { req_asym: "P256", req_signature: "Falcon-512", req_kem_auth: "Kyber512", ..KEM_AUTH },
            64 + 4 + 690,
        ),
        (Suite { req_asym: "P256", req_signature: "Dilithium2", ..CERTIFIED }, 64 + 4 + 2420),
    ] {
        let (mut requester, mut wire) = basic_mutual(suite);
        let slot = if suite.has_requester_slot() { 0 } else { PROVISIONED };
        let [challenge] = &encapsulated(&wire, Code::CHALLENGE)[..] else { panic!("{suite:?}") };
        assert_eq!((challenge.len(), &challenge[2..4]), (36, &[slot, 0][..]), "{suite:?}");
        let [response] = &encapsulated(&wire, Code::CHALLENGE_AUTH)[..] else { panic!("{suite:?}") };
        assert_eq!(response.len(), 4 + 48 + 32 + 2 + signature_len, "{suite:?}");
        let mask = if slot == 0 { [0, 1] } else { [0xF, 0] };
        assert_eq!(response[2..4], mask, "{suite:?}");
        let session = requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
        use_session(&mut requester, &mut wire, session);
    }
}

#[test]
fn encapsulated_challenge_needs_a_signature_and_a_known_key() {
    // a requester that cannot sign is not challenged
    let suite = Suite { req_kem_auth: "Kyber512", ..KEM_AUTH };
    for required in [false, true] {
        let theirs = Config { basic_mutual: true, requires_mutual: required, ..suite.config(RESPONDER) };
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), [theirs, suite.config(REQUESTER)]);
        let challenged = requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire);
        assert_eq!(challenged.is_err(), required);
        assert!(challenged.is_err() || !challenged.unwrap().mutual);
    }
    let suite = Suite { req_signature: "Falcon-512", ..PURE };
    let ([device, host], [_, other]) = (suite.keys(), suite.keys());
    let configs = [Config { basic_mutual: true, ..suite.config(RESPONDER) }, suite.config(REQUESTER)];
    let keys = [device, Keys { public: other.public, ..host }];
    let (mut requester, mut wire) = suite.connect_with(keys, configs);
    assert!(requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).unwrap().mutual);
    assert!(requester.run(AnswerMutualAuth::new(), &mut wire).is_err());
    assert!(!wire.responder.is_requester_authenticated());
}

#[test]
fn encapsulated_requests_fetch_certificates_of_the_requester() {
    for suite in [
        Suite { req_asym: "P256", ..PURE },
        Suite { req_asym: "P384", req_signature: "Dilithium2", ..HYBRID },
        Suite { req_asym: "P256", req_signature: "Falcon-512", req_kem_auth: "Kyber512", ..KEM_AUTH },
        Suite { req_asym: "P256", req_signature: "Dilithium2", ..CERTIFIED },
        Suite { req_signature: "Dilithium3", ..CERTIFIED },
        Suite { req_signature: "Dilithium3", kem_auth: "Kyber768", req_kem_auth: "Kyber512", ..CERTIFIED },
    ] {
        for (mutual, clear) in [
            (MutualAuthentication::Encapsulated, Caps::NONE),
            (MutualAuthentication::Digests, Caps::NONE),
            (MutualAuthentication::Encapsulated, Caps::HANDSHAKE_IN_THE_CLEAR),
        ] {
            let theirs = Config { mutual, ..suite.config(RESPONDER | clear) };
            let ours = suite.config(REQUESTER | clear);
            let (mut requester, mut wire) = suite.connect_with(suite.keys(), [theirs, ours]);
            let session = requester.run(OpenSession::new(suite.slot()), &mut wire).unwrap();
            assert_eq!(requester.authenticated_with(session), Some(0), "{suite:?}");
            let identity = wire.responder.authenticated(session);
            assert!(matches!(identity, Some(RequesterIdentity::Key { slot: 0, .. })), "{suite:?}");
            use_session(&mut requester, &mut wire, session);
        }
    }
}

#[test]
fn requesters_without_certificates_need_no_encapsulated_requests() {
    for mutual in [MutualAuthentication::Encapsulated, MutualAuthentication::Digests] {
        let suite = Suite { req_signature: "Falcon-512", ..PURE };
        let configs = [Config { mutual, ..suite.config(RESPONDER) }, suite.config(REQUESTER)];
        let (mut requester, mut wire) = suite.connect_with(suite.keys(), configs);
        let session = requester.run(OpenSession::new(PROVISIONED), &mut wire).unwrap();
        assert_eq!(requester.authenticated_with(session), Some(PROVISIONED));
        use_session(&mut requester, &mut wire, session);
    }
}
