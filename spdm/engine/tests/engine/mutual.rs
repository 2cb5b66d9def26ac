//! Mutual authentication, in sessions and outside.

use crate::common::{
    self, Credential, RunningOperation, Wire, classical, config, credential, delayable, post_quantum,
};
use grille_pki::Certificate;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::auth_failure::AuthFailure;
use grille_spdm_engine::config::{MutualAuthentication, Packet};
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::identity::{Identity, PROVISIONED, Slot};
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, Connect, End, FetchCertificate, FetchDigests, OpenSession,
    SendHeartbeat,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::{DangerousAcceptAny, Roots};
use std::time::Duration;

const MUTUAL: Caps = Caps(Caps::MUT_AUTH.0 | Caps::ENCAP.0);

pub(crate) fn pair(
    version: Version,
    mutual: MutualAuthentication,
    more: Caps,
    [device, host]: [&Credential; 2],
) -> (Requester, Wire) {
    let mut ours = config(version, common::responder_caps(common::ALL | MUTUAL | more));
    (ours.mutual, ours.basic_mutual) = (mutual, true);
    let theirs = config(version, common::REQUESTER | MUTUAL | more);
    let judge = |credential: &Credential| Box::new(Roots::new(vec![credential.root.clone()]));
    let mut requester = Requester::new(theirs, host.identity(), judge(device));
    let responder = Responder::new(ours, device.identity(), Box::new(common::Sample));
    let mut wire = Wire::new(responder.with_chain_verifier(judge(host)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchDigests, &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire)
}

fn session(requester: &mut Requester, wire: &mut Wire) {
    let session = requester.run(OpenSession::new(0), wire).unwrap();
    requester.run(SendHeartbeat(session), wire).unwrap();
    assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
    requester.run(End(session), wire).unwrap();
}

#[test]
fn encapsulated_requests_fetch_the_requesters_chain() {
    let (device, host) = (credential(classical("P384")), credential(classical("P384")));
    for version in &Version::ALL[1..] {
        for mutual in [MutualAuthentication::Encapsulated, MutualAuthentication::Digests] {
            for more in [Caps::NONE, Caps::HANDSHAKE_IN_THE_CLEAR, Caps::MULTI_KEY_CONN_SEL] {
                let (mut requester, mut wire) = pair(*version, mutual, more, [&device, &host]);
                session(&mut requester, &mut wire);
            }
        }
    }
}

/// The messages of two handshakes and of a challenge belong to three separate transcripts.
#[test]
fn concurrent_flows_fetch_the_requesters_chain() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    for (version, more) in [(Version::V1_1, Caps::NONE), (Version::V1_3, Caps::MULTI_KEY_CONN_SEL)] {
        for mutual in [MutualAuthentication::Encapsulated, MutualAuthentication::Digests] {
            let (mut requester, mut wire) = pair(version, mutual, more, [&device, &host]);
            let mut open = || {
                let mut active = RunningOperation::new(&mut requester, OpenSession::new(0));
                assert!(!active.step(&mut requester, &mut wire));
                active
            };
            let mut sessions = [open(), open()];
            assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
            let mut outside = RunningOperation::new(&mut requester, AnswerMutualAuth::new());
            loop {
                let over = sessions.each_mut().map(|active| active.step(&mut requester, &mut wire));
                if (over, outside.step(&mut requester, &mut wire)) == ([true; 2], true) {
                    break;
                }
            }
            assert!(wire.responder.is_requester_authenticated());
            let open: Vec<_> = requester.sessions().collect();
            assert!(open.len() == 2 && wire.responder.sessions().eq(open.iter().copied()));
            for session in open {
                requester.run(SendHeartbeat(session), &mut wire).unwrap();
                assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
            }
        }
    }
}

/// Encapsulated requests outside sessions are not taken for messages of a session whose handshake is in the clear and
/// has no mutual authentication.
#[test]
fn challenge_flow_runs_during_handshake_in_the_clear() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    for version in &Version::ALL[1..] {
        let (mutual, clear) = (MutualAuthentication::No, Caps::HANDSHAKE_IN_THE_CLEAR);
        let (mut requester, mut wire) = pair(*version, mutual, clear, [&device, &host]);
        let mut opens = RunningOperation::new(&mut requester, OpenSession::new(0));
        assert!(!opens.step(&mut requester, &mut wire), "FINISH is not sent yet");
        assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
        requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
        assert!(wire.responder.is_requester_authenticated());
        assert!(opens.step(&mut requester, &mut wire));
        assert!(wire.responder.sessions().eq(requester.sessions()) && requester.sessions().count() == 1);
    }
}

#[test]
fn both_sides_authenticate_with_ml_dsa_87() {
    let (device, host) = (credential(post_quantum("ML-DSA-87")), credential(post_quantum("ML-DSA-65")));
    for more in [Caps::MULTI_KEY_ONLY, Caps::HANDSHAKE_IN_THE_CLEAR] {
        let mutual = MutualAuthentication::Encapsulated;
        let (mut requester, mut wire) = pair(Version::V1_4, mutual, more, [&device, &host]);
        session(&mut requester, &mut wire);
        let finish = |(request, _): &&(Packet, Packet)| matches!(request, Packet::Message(m) if m[1] == 0xE5);
        let clear = wire.log.iter().find(finish);
        assert_eq!(clear.is_some(), more == Caps::HANDSHAKE_IN_THE_CLEAR);
    }
}

#[test]
fn provisioned_requester_key_needs_no_chain() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let modes = [MutualAuthentication::Slot(PROVISIONED), MutualAuthentication::Encapsulated];
    for (version, mutual) in Version::ALL[1..].iter().flat_map(|version| modes.map(|mode| (version, mode))) {
        let without = |flags: Caps| Caps(flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
        let mut ours = config(*version, common::ALL | MUTUAL);
        (ours.mutual, ours.basic_mutual) = (mutual, true);
        let theirs = config(*version, without(common::REQUESTER | MUTUAL));
        let key = host.chain[1].public_key().unwrap();
        let identity = Identity::default().with_provisioned(key.clone(), host.signer.clone());
        let judge = Box::new(Roots::new(vec![device.root.clone()]));
        let mut requester = Requester::new(theirs, identity, judge);
        let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
        wire.responder.provision(key);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
        requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
        assert!(wire.responder.is_requester_authenticated());
        session(&mut requester, &mut wire);
    }
}

#[test]
fn slow_finish_signature_ends_the_session() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
    ours.mutual = MutualAuthentication::Slot(PROVISIONED);
    let mut theirs = config(Version::V1_2, common::REQUESTER | MUTUAL);
    theirs.limits.flags = Caps(theirs.limits.flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
    theirs.patience = Duration::from_millis(100);
    let key = host.chain[1].public_key().unwrap();
    let identity = Identity::default().with_provisioned(key.clone(), delayable(&host.signer, || Ok(false)));
    let mut requester = Requester::new(theirs, identity, Box::new(Roots::new(vec![device.root.clone()])));
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    wire.responder.provision(key);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let unsigned = requester.run(OpenSession::new(0), &mut wire);
    assert!(matches!(unsigned, Err(Error::Usage(Usage::KeyNotReady { .. }))), "{unsigned:?}");
    let sealed = requester.seal_message(wire.opened_session(), b"FINISH");
    assert!(matches!(sealed, Err(Error::Usage(Usage::NoSession { .. }))), "{sealed:?}");
}

#[test]
fn rejects_key_other_than_the_provisioned_one() {
    let [device, host, other] = [(); 3].map(|()| credential(classical("P256")));
    let without = |flags: Caps| Caps(flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
    let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
    (ours.mutual, ours.basic_mutual) = (MutualAuthentication::Slot(PROVISIONED), true);
    let theirs = config(Version::V1_2, without(common::REQUESTER | MUTUAL));
    let own = host.chain[1].public_key().unwrap();
    let identity = Identity::default().with_provisioned(own, host.signer.clone());
    let mut requester = Requester::new(theirs, identity, Box::new(Roots::new(vec![device.root.clone()])));
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    wire.responder.provision(other.chain[1].public_key().unwrap());
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    assert!(
        requester.run(AnswerMutualAuth::new(), &mut wire).is_err()
            && !wire.responder.is_requester_authenticated()
    );
    assert!(requester.run(OpenSession::new(0), &mut wire).is_err());
    assert_eq!(wire.responder.sessions().count(), 0);
}

#[test]
fn refuses_requester_without_provisioned_key() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let without = |flags: Caps| Caps(flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
    let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
    (ours.mutual, ours.basic_mutual) = (MutualAuthentication::Encapsulated, true);
    let theirs = config(Version::V1_2, without(common::REQUESTER | MUTUAL));
    let own = host.chain[1].public_key().unwrap();
    let identity = Identity::default().with_provisioned(own, host.signer.clone());
    let mut requester = Requester::new(theirs, identity, Box::new(Roots::new(vec![device.root.clone()])));
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(!requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
    let refused = requester.run(OpenSession::new(0), &mut wire);
    let invalid = ErrorCode::INVALID_REQUEST;
    assert!(matches!(refused, Err(Error::Refused { code, .. }) if code == invalid), "{refused:?}");
}

#[test]
fn requester_with_pub_key_id_signs_with_provisioned_key() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
    ours.mutual = MutualAuthentication::Slot(PROVISIONED);
    let theirs = config(Version::V1_2, Caps((common::REQUESTER | MUTUAL).0 & !Caps::ENCAP.0));
    let judge = Box::new(Roots::new(vec![device.root.clone()]));
    let mut requester = Requester::new(theirs, host.identity(), judge);
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    wire.responder.provision(host.chain[1].public_key().unwrap());
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(requester.run(OpenSession::new(0), &mut wire).is_err());
    assert_eq!(wire.responder.sessions().count(), 0);
}

#[test]
fn authenticates_responder_with_provisioned_key() {
    let device = credential(classical("P384"));
    for version in &Version::ALL[1..] {
        let without = |flags: Caps| Caps(flags.0 & !Caps::CERT.0 | Caps::PUB_KEY_ID.0);
        let key = device.chain[1].public_key().unwrap();
        let identity = Identity::default().with_provisioned(key.clone(), device.signer.clone());
        let judge = Box::new(Roots::new(Vec::new()));
        let mut requester = Requester::new(config(*version, common::REQUESTER), Identity::default(), judge);
        requester.provision(key);
        let responder =
            Responder::new(config(*version, without(common::ALL)), identity, Box::new(common::Sample));
        let mut wire = Wire::new(responder);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(ChallengeResponder::new(PROVISIONED, 1), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(PROVISIONED), &mut wire).unwrap();
        requester.run(End(session), &mut wire).unwrap();
    }
}

#[test]
fn challenge_auth_requests_mutual_authentication() {
    let (device, host) = (credential(classical("P384")), credential(classical("P384")));
    for version in &Version::ALL[1..] {
        let mutual = MutualAuthentication::No;
        let (mut requester, mut wire) = pair(*version, mutual, Caps::NONE, [&device, &host]);
        let proof = requester.run(ChallengeResponder::new(0, 0xFF), &mut wire).unwrap();
        assert!(proof.mutual && !wire.responder.is_requester_authenticated());
        let busy = requester.run(ChallengeResponder::new(0, 0), &mut wire);
        let in_flight = ErrorCode::REQUEST_IN_FLIGHT;
        assert!(matches!(busy, Err(Error::Refused { code, .. }) if code == in_flight), "{busy:?}");
        requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
        assert!(wire.responder.is_requester_authenticated());
        let over = requester.run(AnswerMutualAuth::new(), &mut wire);
        assert!(matches!(over, Err(Error::Refused { .. })), "{over:?}");
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    }
}

#[test]
fn refuses_requesters_that_cannot_authenticate() {
    let device = credential(classical("P256"));
    let judge = || Box::new(Roots::new(vec![device.root.clone()]));
    for (mutual, basic, requires) in [
        (MutualAuthentication::Encapsulated, false, true),
        (MutualAuthentication::Slot(0), true, true),
        (MutualAuthentication::No, true, true),
        (MutualAuthentication::Digests, true, false),
    ] {
        let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
        (ours.mutual, ours.basic_mutual, ours.requires_mutual) = (mutual, basic, requires);
        let theirs = config(Version::V1_2, common::REQUESTER);
        let mut requester = Requester::new(theirs, Identity::default(), judge());
        let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let unspecified = |error: Error| matches!(error, Error::Refused { code: ErrorCode::UNSPECIFIED, .. });
        let challenged = requester.run(ChallengeResponder::new(0, 0), &mut wire);
        assert_eq!(challenged.is_err_and(unspecified), basic && requires, "{mutual:?}");
        let unable =
            wire.responder.take_auth_failure().is_some_and(|reason| matches!(reason, AuthFailure::Unable));
        assert_eq!(unable, basic && requires, "{mutual:?}");
        let opened = requester.run(OpenSession::new(0), &mut wire);
        let refuses = mutual != MutualAuthentication::No && requires;
        assert_eq!(opened.is_err_and(unspecified), refuses, "{mutual:?}");
        assert_eq!(wire.responder.sessions().count(), usize::from(!refuses));
        assert_eq!(wire.responder.take_auth_failure().is_some(), refuses);
        assert!(wire.responder.take_auth_failure().is_none());
    }
}

#[test]
fn untrusted_requester_gets_no_session() {
    let [device, host, other] = [(); 3].map(|()| credential(classical("P256")));
    for more in [Caps::NONE, Caps::HANDSHAKE_IN_THE_CLEAR] {
        let mutual = MutualAuthentication::Encapsulated;
        let (mut requester, wire) = pair(Version::V1_2, mutual, more, [&device, &host]);
        let judge = Box::new(Roots::new(vec![other.root.clone()]));
        let mut wire = Wire { responder: wire.responder.with_chain_verifier(judge), log: Vec::new() };
        let refused = requester.run(OpenSession::new(0), &mut wire);
        let invalid = ErrorCode::INVALID_RESPONSE_CODE;
        assert!(matches!(refused, Err(Error::Refused { code, .. }) if code == invalid), "{refused:?}");
        let reason = wire.responder.take_auth_failure();
        assert!(matches!(reason, Some(AuthFailure::Answer(Error::Untrusted(_)))), "{reason:?}");
        assert_no_session_left(&mut wire);
    }
}

/// Checks that the responder has no session, and no keys of a failed handshake.
fn assert_no_session_left(wire: &mut Wire) {
    assert!(wire.responder.sessions().next().is_none());
    let (last, _) = wire.log.last().unwrap().clone();
    match wire.responder.receive(&last) {
        Packet::Message(answer) if matches!(last, Packet::Secured(_)) => {
            assert_eq!(answer[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
        }
        Packet::Message(_) => {
            let finish = [&[0x12, 0xE5, 0, 0][..], &[0; 32]].concat();
            assert_eq!(wire.plain(&finish)[1..3], [0x7F, ErrorCode::SESSION_REQUIRED.0]);
        }
        Packet::Secured(_) => panic!("under keys that should be erased"),
    }
}

/// A requester answers an encapsulated request with ERROR. The responder acknowledges ERROR without a further request,
/// and the requester is not authenticated.
#[test]
fn error_answer_ends_the_flow_with_an_ack() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mutual = MutualAuthentication::Encapsulated;
    for version in &Version::ALL[1..] {
        for error in [ErrorCode::RESPONSE_NOT_READY, ErrorCode::BUSY, ErrorCode::UNSPECIFIED] {
            let (mut requester, mut wire) = pair(*version, mutual, Caps::NONE, [&device, &host]);
            assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
            let version = version.byte();
            assert_eq!(wire.plain(&[version, 0xEA, 0, 0])[1], 0x6A);
            // an answer with another RequestID is invalid
            let other = wire.plain(&[version, 0xEB, 9, 0, version, 0x7F, error.0, 0]);
            assert_eq!(other[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
            let ack = wire.plain(&[version, 0xEB, 0, 0, version, 0x7F, error.0, 0]);
            assert_eq!((&ack[1..4], &ack[4..]), (&[0x6B, 0, 0][..], &[0; 4][..ack.len() - 4]));
            assert!(!wire.responder.is_requester_authenticated());
            assert!(matches!(wire.responder.take_auth_failure(), Some(AuthFailure::Declined)));
            requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
        }
    }
}

#[test]
fn requester_without_chain_refuses_and_opens_no_session() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    for mutual in [MutualAuthentication::Encapsulated, MutualAuthentication::Digests] {
        let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
        (ours.mutual, ours.basic_mutual) = (mutual, true);
        let theirs = config(Version::V1_2, common::REQUESTER | MUTUAL);
        let judge = |credential: &Credential| Box::new(Roots::new(vec![credential.root.clone()]));
        let empty = Slot { certificates: Vec::new(), ..host.slot(0) };
        let mut requester = Requester::new(theirs, Identity::default().with(empty), judge(&device));
        let responder = Responder::new(ours, device.identity(), Box::new(common::Sample));
        let mut wire = Wire::new(responder.with_chain_verifier(judge(&host)));
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let opened = requester.run(OpenSession::new(0), &mut wire);
        let digests = Code::GET_DIGESTS;
        assert!(
            matches!(opened, Err(Error::RefusedByRequester { request, .. }) if request == digests),
            "{opened:?}"
        );
        assert!(requester.sessions().next().is_none());
        assert_no_session_left(&mut wire);
    }
}

/// As in CVE-2023-31127, the requester omits the authentication that was requested.
#[test]
fn refuses_finish_without_requested_signature() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let clear = Caps::HANDSHAKE_IN_THE_CLEAR;
    for mutual in [MutualAuthentication::Encapsulated, MutualAuthentication::Digests] {
        let (mut requester, mut wire) = pair(Version::V1_2, mutual, clear, [&device, &host]);
        let (mut active, packet) = requester.start(OpenSession::new(0)).unwrap();
        let answer = wire.responder.receive(&packet);
        let finish = [&[0x12, 0xE5, 0, 0][..], &[0; 32]].concat();
        let early = wire.plain(&finish);
        assert_eq!(early[1..3], [0x7F, ErrorCode::REQUEST_IN_FLIGHT.0]);
        // a correct requester is not affected
        let mut step = requester.receive(&mut active, answer).unwrap();
        while let Step::Send(Packet::Message(message)) = &step {
            if message[1] == 0xE5 {
                let mut unsigned = message.clone();
                unsigned.truncate(4 + 32);
                unsigned[2] = 0;
                assert_eq!(wire.plain(&unsigned)[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
            }
            let answer = wire.responder.receive(&Packet::Message(message.clone()));
            step = requester.receive(&mut active, answer).unwrap();
        }
        assert!(matches!(step, Step::Done(_)));
    }
}

#[test]
fn rejects_every_altered_byte_of_finish() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let clear = Caps::HANDSHAKE_IN_THE_CLEAR;
    let mutual = MutualAuthentication::Encapsulated;
    let (mut requester, mut wire) = pair(Version::V1_2, mutual, clear, [&device, &host]);
    for at in 4..4 + 64 + 32 {
        let (mut active, mut packet) = requester.start(OpenSession::new(0)).unwrap();
        loop {
            if let Packet::Message(message) = &mut packet
                && message[1] == 0xE5
            {
                message[at] ^= 1;
                break;
            }
            let answer = wire.responder.receive(&packet);
            let Step::Send(next) = requester.receive(&mut active, answer).unwrap() else { panic!("done") };
            packet = next;
        }
        let Packet::Message(answer) = wire.responder.receive(&packet) else { panic!("a record") };
        assert_eq!(answer[1..3], [0x7F, ErrorCode::DECRYPT_ERROR.0], "{at}");
        assert!(requester.receive(&mut active, Packet::Message(answer)).is_err());
        assert!(wire.responder.sessions().next().is_none() && requester.sessions().next().is_none());
    }
}

/// The requester presents another chain while another session's handshake is in progress. The other session still
/// expects a signature with the key to which it was bound.
#[test]
fn session_keeps_its_bound_key() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mutual = MutualAuthentication::Encapsulated;
    let (mut requester, mut wire) = pair(Version::V1_2, mutual, Caps::NONE, [&device, &host]);
    let (mut active, mut packet) = requester.start(OpenSession::new(0)).unwrap();
    // KEY_EXCHANGE, GET_ENCAPSULATED_REQUEST, DIGESTS, CERTIFICATE
    for _ in 0..4 {
        let answer = wire.responder.receive(&packet);
        let Step::Send(next) = requester.receive(&mut active, answer).unwrap() else { panic!("done") };
        packet = next;
    }
    // a challenge is answered with another digest, so the chain in this slot is no longer known
    assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
    let digests = [&[0x12, 0xEB, 0, 0, 0x12, 0x01, 0, 1][..], &[7; 64]].concat();
    assert_eq!(wire.plain(&digests)[1], 0x6B);
    let finished = wire.responder.receive(&packet);
    assert!(matches!(requester.receive(&mut active, finished).unwrap(), Step::Done(_)));
    assert_eq!(wire.responder.sessions().count(), 1);
}

#[test]
fn failed_key_exchange_leaves_no_session() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    // replaces id-ecPublicKey by an unknown algorithm
    let mut leaf = host.chain[1].to_der();
    let ec = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1];
    let at = leaf.windows(ec.len()).position(|window| window == ec).unwrap();
    leaf[at + ec.len() - 1] = 0x7F;
    let chain = vec![host.root.clone(), Certificate::from_pem_or_der(&leaf).unwrap()];
    let identity = Identity::default().with(Slot::new(0, chain, host.signer));
    let mut ours = config(Version::V1_2, common::ALL | MUTUAL);
    (ours.mutual, ours.basic_mutual) = (MutualAuthentication::Slot(0), true);
    let theirs = config(Version::V1_2, common::REQUESTER | MUTUAL);
    let mut requester = Requester::new(theirs, identity, Box::new(DangerousAcceptAny));
    let responder = Responder::new(ours, device.identity(), Box::new(common::Sample));
    let mut wire = Wire::new(responder.with_chain_verifier(Box::new(DangerousAcceptAny)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().mutual);
    assert!(
        requester.run(AnswerMutualAuth::new(), &mut wire).is_err(),
        "the chain's key algorithm is unknown"
    );
    let (_, packet) = requester.start(OpenSession::new(0)).unwrap();
    let Packet::Message(request) = packet else { panic!("a record") };
    assert_eq!(wire.plain(&request)[1..3], [0x7F, ErrorCode::UNSPECIFIED.0]);
    for number in 0..=u16::MAX {
        let record = [&request[4..6], &number.to_le_bytes(), &[0; 20]].concat();
        let answer = wire.responder.receive(&Packet::Secured(record));
        assert!(matches!(answer, Packet::Message(_)), "session {number:04x} is there");
    }
}
