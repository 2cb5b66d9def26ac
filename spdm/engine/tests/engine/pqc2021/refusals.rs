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

#[test]
fn kem_authentication_needs_a_kem() {
    let suite = Suite { kem: "", dhe: Dhe::SECP256R1, ..KEM_AUTH };
    let (mut requester, mut wire) = suite.connect();
    let selected = requester.connection().negotiated().unwrap().algorithms.pqc2021.unwrap();
    assert!(selected.responder.kem.is_none());
    assert!(requester.run(ChallengeResponder::new(PROVISIONED, 0), &mut wire).is_err());
}
