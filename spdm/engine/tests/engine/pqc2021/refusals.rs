//! Configurations and messages that the dialect refuses.

use super::*;

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
    assert!(matches!(refused, Err(Error::NothingInCommon { .. })), "{refused:?}");
}

#[test]
fn kem_authentication_of_the_requester_needs_that_of_the_responder() {
    let suite = Suite { req_kem_auth: "Kyber512", ..PURE };
    let (requester, _) = suite.connect();
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    assert!(selected.requester.kem.is_none());
}
