//! Sessions with an ephemeral key exchange, with requester and responder in one thread.

use crate::common::{self, Credential, Wire, classical, config, credential, pair_with, post_quantum};
use grille_core::SecretBytes;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::active_operation::ActiveOperation;
use grille_spdm_engine::config::{Binding, Config, KeyLog, Packet};
use grille_spdm_engine::device::EmptyDevice;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::{Operation, Step};
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, End, EndAndClearState, FetchCertificate, FetchDigests, Measure, OpenSession,
    SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::Roots;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(crate) const CLEAR: Caps = Caps::HANDSHAKE_IN_THE_CLEAR;

pub(crate) fn connected(requester: Config, responder: Config, credential: &Credential) -> (Requester, Wire) {
    let (mut requester, mut wire) = pair_with(requester, responder, credential);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchDigests, &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire)
}

/// Starts a session and returns its FINISH before it is sent.
pub(crate) fn before_finish(
    requester: &mut Requester,
    wire: &mut Wire,
) -> (ActiveOperation<OpenSession>, Packet) {
    let (mut active, packet) = requester.start(OpenSession::new(0)).unwrap();
    let answer = wire.exchange(packet).unwrap();
    let Step::Send(finish) = requester.receive(&mut active, answer).unwrap() else { panic!("no FINISH") };
    (active, finish)
}

pub(crate) fn configs(version: Version, more: Caps, less: Caps) -> (Config, Config) {
    let flags = |base: Caps| Caps((base.0 | more.0) & !less.0);
    (config(version, flags(common::REQUESTER)), config(version, common::responder_caps(flags(common::ALL))))
}

/// Runs every operation of a session, and checks that no operation works after the session has ended.
fn use_session(requester: &mut Requester, wire: &mut Wire, session: SessionId) {
    assert!(requester.sessions().eq([session]) && wire.responder.sessions().eq([session]));
    assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
    requester.run(SendHeartbeat(session), wire).unwrap();
    requester.run(Measure::new(1).within(session), wire).unwrap();
    assert_eq!(requester.run(Measure::all_signed(0).within(session), wire).unwrap().blocks.len(), 3);
    for _ in 0..2 {
        requester.run(UpdateKeys::request_key(session), wire).unwrap();
        requester.run(SendHeartbeat(session), wire).unwrap();
        requester.run(UpdateKeys::all_keys(session), wire).unwrap();
        requester.run(SendHeartbeat(session), wire).unwrap();
    }
    let Packet::Secured(record) =
        wire.exchange(requester.seal_application(session, b"\x01PLDM").unwrap()).unwrap()
    else {
        panic!("no record")
    };
    assert_eq!(requester.open_application(session, &record).unwrap().as_slice(), b"\x01PLDM");
    requester.run(End(session), wire).unwrap();
    assert!(requester.sessions().next().is_none() && wire.responder.sessions().next().is_none());
    assert!(requester.run(SendHeartbeat(session), wire).is_err());
}

fn session(version: Version, more: Caps, less: Caps, credential: &Credential) {
    let (requester, responder) = configs(version, more, less);
    let (mut requester, mut wire) = connected(requester, responder, credential);
    for summary in [0, 1, 0xFF] {
        let open = OpenSession::new(0).with_summary(summary).with_policy(1);
        let session = requester.run(open, &mut wire).unwrap();
        let summary_hash =
            requester.run(ChallengeResponder::new(0, summary), &mut wire).unwrap().summary_hash;
        assert_eq!(requester.summary(session).unwrap_or_default(), summary_hash);
        use_session(&mut requester, &mut wire, session);
    }
}

#[test]
fn every_version_opens_sessions_with_p384() {
    let credential = credential(classical("P384"));
    for version in &Version::ALL[1..] {
        session(*version, Caps::NONE, Caps::NONE, &credential);
        session(*version, CLEAR, Caps::NONE, &credential);
        session(*version, Caps::NONE, Caps::ENCRYPT, &credential);
        session(*version, Caps::MULTI_KEY_CONN_SEL, Caps::NONE, &credential);
    }
}

#[test]
fn ml_dsa_87_with_ml_kem_1024_opens_sessions() {
    let credential = credential(post_quantum("ML-DSA-87"));
    let (requester, responder) = configs(Version::V1_4, Caps::MULTI_KEY_ONLY, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let exchange = requester.connection().negotiated().unwrap().algorithms.key_exchange.unwrap();
    assert_eq!(format!("{exchange:?}"), "ML-KEM-1024");
    use_session(&mut requester, &mut wire, session);
}

#[test]
fn every_group_kem_and_aead_opens_sessions() {
    let credential = credential(classical("P384"));
    let groups = (0..6).map(|bit| (1 << bit, 0));
    for (dhe, kem) in groups.chain((0..3).map(|bit| (0, 1 << bit))) {
        for aead in 0..3 {
            let (mut requester, responder) = configs(Version::V1_4, Caps::NONE, Caps::NONE);
            (requester.algorithms.dhe, requester.algorithms.kem) = (dhe, kem);
            requester.algorithms.aead = 1 << aead;
            let (mut requester, mut wire) = connected(requester, responder, &credential);
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            use_session(&mut requester, &mut wire, session);
        }
    }
}

#[test]
fn every_hash_works_with_every_signature_algorithm() {
    for asym in ["Ed25519", "Ed448", "P256", "P521", "RSASSA-2048", "RSAPSS-2048"] {
        let credential = credential(classical(asym));
        for (version, hash) in [Version::V1_1, Version::V1_2]
            .into_iter()
            .flat_map(|version| HASHES.iter().map(move |hash| (version, hash)))
        {
            let (mut requester, responder) = configs(version, Caps::NONE, Caps::NONE);
            requester.algorithms.hash = 1 << hash.bit;
            let (mut requester, mut wire) = connected(requester, responder, &credential);
            let algorithms = requester.connection().negotiated().unwrap().algorithms;
            assert_eq!((algorithms.hash.name, algorithms.asym), (hash.name, Some(classical(asym))));
            requester.run(ChallengeResponder::new(0, 0xFF), &mut wire).unwrap();
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            use_session(&mut requester, &mut wire, session);
        }
    }
}

#[test]
fn selects_the_highest_hash() {
    let credential = credential(classical("RSASSA-3072"));
    let (requester, responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
    let (requester, _) = connected(requester, responder, &credential);
    let algorithms = requester.connection().negotiated().unwrap().algorithms;
    assert_eq!((algorithms.hash.name, algorithms.asym), ("SHA3-512", Some(classical("RSASSA-3072"))));
}

#[test]
fn every_binding_opens_sessions() {
    let credential = credential(classical("P256"));
    for binding in [Binding::Mctp, Binding::PciDoe, Binding::Tcp] {
        let (mut requester, mut responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
        (requester.binding, responder.binding) = (binding, binding);
        let (mut requester, mut wire) = connected(requester, responder, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
        requester.run(UpdateKeys::all_keys(session), &mut wire).unwrap();
        requester.run(End(session), &mut wire).unwrap();
    }
}

/// A transport that appends zeros to every packet, as PCI DOE does.
struct Padded(Wire, usize);

impl Carrier for Padded {
    type Error = Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Error> {
        let answer = self.0.responder.receive(&padded(packet, self.1));
        Ok(padded(answer, self.1))
    }
}

fn padded(packet: Packet, zeros: usize) -> Packet {
    let longer = |mut bytes: Vec<u8>| {
        bytes.resize(bytes.len() + zeros, 0);
        bytes
    };
    match packet {
        Packet::Message(bytes) => Packet::Message(longer(bytes)),
        Packet::Secured(bytes) => Packet::Secured(longer(bytes)),
    }
}

#[test]
fn accepts_up_to_three_padding_zeros_on_pci_doe() {
    let credential = credential(classical("P256"));
    for (zeros, binding) in
        [(1, Binding::PciDoe), (3, Binding::PciDoe), (4, Binding::PciDoe), (1, Binding::Tcp)]
    {
        let (mut requester, mut responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
        (requester.binding, responder.binding) = (binding, binding);
        let (mut requester, wire) = connected(requester, responder, &credential);
        let mut wire = Padded(wire, 0);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.1 = zeros;
        let is_padding = binding == Binding::PciDoe && zeros <= 3;
        assert_eq!(
            requester.run(SendHeartbeat(session), &mut wire).is_ok(),
            is_padding,
            "{binding:?} {zeros}"
        );
    }
}

#[test]
fn both_sides_log_equal_secrets() {
    let credential = credential(classical("P256"));
    let log = || {
        let logged = Arc::new(Mutex::new(Vec::new()));
        let listener = logged.clone();
        let listen = move |id, name, secret: &SecretBytes| {
            listener.lock().unwrap().push((id, name, secret.as_ref().to_vec()));
        };
        (KeyLog(Arc::new(listen)), logged)
    };
    let (mut requester, mut responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
    let ((ours, logged), (theirs, also_logged)) = (log(), log());
    (requester.key_log, responder.key_log) = (Some(ours), Some(theirs));
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let logged = logged.lock().unwrap();
    assert_eq!(*logged, *also_logged.lock().unwrap());
    let names: Vec<&str> = logged.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(names[..2], ["request_handshake_secret", "response_handshake_secret"]);
    assert_eq!(names[2..], ["request_data_secret", "response_data_secret"]);
    assert!(logged.iter().all(|(id, _, _)| *id == session));
}

fn opened(more: Caps) -> (Requester, Wire, SessionId) {
    let credential = credential(classical("P256"));
    let (requester, responder) = configs(Version::V1_2, more, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    (requester, wire, session)
}

pub(crate) fn error(packet: &Packet) -> Option<u8> {
    match packet {
        Packet::Message(message) => (message[1] == 0x7F).then(|| message[2]),
        Packet::Secured(_) => None,
    }
}

#[test]
fn rejects_every_altered_record_byte_and_keeps_the_session() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    let (mut active, packet) = requester.start(SendHeartbeat(session)).unwrap();
    let Packet::Secured(record) = &packet else { panic!("no record") };
    for at in 0..record.len() {
        let mut altered = record.clone();
        altered[at] ^= 1;
        let answer = wire.responder.receive(&Packet::Secured(altered));
        match (&answer, at) {
            // the session ID
            (Packet::Message(_), 0..4) => assert_eq!(error(&answer), Some(ErrorCode::INVALID_REQUEST.0)),
            (Packet::Message(_), 4..) => assert_eq!(error(&answer), Some(ErrorCode::DECRYPT_ERROR.0)),
            _ => panic!("{at}: {answer:?}"),
        }
        let short = wire.responder.receive(&Packet::Secured(record[..at].to_vec()));
        let expected = if at < 4 { ErrorCode::INVALID_REQUEST } else { ErrorCode::DECRYPT_ERROR };
        assert_eq!(error(&short), Some(expected.0), "{at}");
    }
    // no altered record used a sequence number
    let answer = wire.responder.receive(&packet);
    assert!(matches!(requester.receive(&mut active, answer), Ok(Step::Done(()))));
    use_session(&mut requester, &mut wire, session);
}

#[test]
fn a_session_without_a_period_has_no_heartbeat() {
    let credential = credential(classical("P256"));
    for version in &Version::ALL[1..] {
        let (requester, responder) = configs(*version, Caps::NONE, Caps::NONE);
        let (mut requester, mut wire) =
            connected(requester, Config { heartbeat: 0, ..responder }, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let error = requester.run(SendHeartbeat(session), &mut wire);
        assert!(matches!(error, Err(Error::Usage(Usage::NoCapability { .. }))), "{error:?}");
        requester.run(End(session), &mut wire).unwrap();
    }
}

/// In the first two cases, one side lacks ENCRYPT_CAP and the other lacks MAC_CAP.
#[test]
fn sessions_need_common_record_protection() {
    let less = |flags: Caps, missing: Caps| Caps(flags.0 & !missing.0);
    let credential = credential(classical("P256"));
    for (ours, theirs, opens) in [
        (Caps::MAC, Caps::ENCRYPT, false),
        (Caps::ENCRYPT, Caps::MAC, false),
        (Caps::MAC, Caps::MAC, true),
        (Caps::ENCRYPT, Caps::NONE, true),
    ] {
        let requester = config(Version::V1_2, less(common::REQUESTER, ours));
        let responder = config(Version::V1_2, less(common::ALL, theirs));
        let (mut requester, mut wire) = connected(requester, responder.clone(), &credential);
        let opened = requester.run(OpenSession::new(0), &mut wire);
        match opened {
            Ok(_) => assert!(opens),
            Err(Error::Usage(Usage::NothingInCommon { kind, .. })) => {
                assert!(!opens && kind.contains("ENCRYPT_CAP"), "{kind}");
            }
            Err(error) => panic!("{error:?}"),
        }
        // The responder refuses the same sessions, even if the requester has all capabilities and sends the request.
        let (mut able, _) = connected(config(Version::V1_2, common::REQUESTER), responder, &credential);
        let (_, packet) = able.start(OpenSession::new(0)).unwrap();
        let Packet::Message(exchange) = packet else { panic!("{packet:?}") };
        let answer = wire.plain(&exchange);
        assert_eq!(answer[1] == 0x64, opens, "{answer:?}");
    }
}

#[test]
fn rejects_requests_not_allowed_in_sessions() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    let before = wire.log.len();
    let outside = requester.run(ChallengeResponder::new(0, 0).within(session), &mut wire);
    assert!(matches!(outside, Err(Error::Usage(Usage::InSession { .. }))), "{outside:?}");
    let outside = requester.run(Connect::new().within(session), &mut wire);
    assert!(matches!(outside, Err(Error::Usage(Usage::InSession { .. }))), "{outside:?}");
    assert_eq!(wire.log.len(), before);
    requester.run(Measure::new(1).within(session), &mut wire).unwrap();
}

#[test]
fn requester_ends_sessions_with_silent_responder() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    let period = requester.heartbeat(session).unwrap();
    assert_eq!(period, Duration::from_secs(5));
    for _ in 0..2 {
        requester.advance(period * 2);
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
    requester.advance(period * 2 + Duration::from_millis(1));
    assert_eq!((requester.sessions().count(), requester.heartbeat(session)), (0, None));
    assert!(requester.run(SendHeartbeat(session), &mut wire).is_err());
}

#[test]
fn rejects_replayed_records() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    let (mut active, packet) = requester.start(SendHeartbeat(session)).unwrap();
    let answer = wire.responder.receive(&packet);
    assert!(requester.receive(&mut active, answer).is_ok());
    let (mut active, next) = requester.start(SendHeartbeat(session)).unwrap();
    let replay = wire.responder.receive(&packet);
    let refused = requester.receive(&mut active, replay);
    assert!(matches!(refused, Err(Error::Record(_))), "the answer of before: {refused:?}");
    // a repeated request is sent in the record in which it was first sent
    let (mut active, again) = requester.start(SendHeartbeat(session)).unwrap();
    assert_eq!(again, next);
    let answer = wire.responder.receive(&next);
    assert!(requester.receive(&mut active, answer).is_ok());
}

#[test]
fn get_version_ends_every_session() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    let (_, beat) = requester.start(SendHeartbeat(session)).unwrap();
    requester.run(Connect::new(), &mut wire).unwrap();
    assert!(requester.sessions().next().is_none() && wire.responder.sessions().next().is_none());
    assert_eq!(error(&wire.responder.receive(&beat)), Some(ErrorCode::INVALID_REQUEST.0));
}

#[test]
fn negotiated_state_is_cached_until_cleared() {
    let credential = credential(classical("P256"));
    for (more, keeps) in [(Caps::NONE, false), (Caps::CACHE, true)] {
        let (requester, mut responder) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
        responder.limits.flags = Caps(responder.limits.flags.0 | more.0);
        let (mut requester, mut wire) = connected(requester, responder, &credential);
        for _ in 0..2 {
            assert_eq!(wire.responder.may_cache_state(), keeps);
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            requester.run(End(session), &mut wire).unwrap();
            assert_eq!(wire.responder.may_cache_state(), keeps);
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
            requester.run(EndAndClearState(session), &mut wire).unwrap();
            assert!(wire.responder.sessions().next().is_none() && !wire.responder.may_cache_state());
            requester.run(Connect::new(), &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        }
    }
}

#[test]
fn limits_the_number_of_sessions() {
    let (mut requester, mut wire, first) = opened(Caps::NONE);
    let others: Vec<_> = (0..3).map(|_| requester.run(OpenSession::new(0), &mut wire).unwrap()).collect();
    let refused = requester.run(OpenSession::new(0), &mut wire);
    let limit = ErrorCode::SESSION_LIMIT_EXCEEDED;
    assert!(matches!(refused, Err(Error::Refused { code, .. }) if code == limit), "{refused:?}");
    for session in others.iter().chain([&first]) {
        requester.run(Measure::all_signed(0).within(*session), &mut wire).unwrap();
    }
    requester.run(End(first), &mut wire).unwrap();
    requester.run(OpenSession::new(0), &mut wire).unwrap();
}

#[test]
fn responder_ends_sessions_with_silent_requester() {
    let (mut requester, mut wire, session) = opened(Caps::NONE);
    wire.responder.advance(Duration::from_secs(10));
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
    wire.responder.advance(Duration::from_secs(10));
    assert!(wire.responder.sessions().eq([session]));
    wire.responder.advance(Duration::from_secs(1));
    assert!(wire.responder.sessions().next().is_none());
}

#[test]
fn unanswered_application_data_keeps_the_session() {
    let device = credential(classical("P256"));
    let (ours, theirs) = configs(Version::V1_2, Caps::NONE, Caps::NONE);
    let judge = Box::new(Roots::new(vec![device.root.clone()]));
    let mut requester = Requester::new(ours, Identity::default(), judge);
    let mut wire = Wire::new(Responder::new(theirs, device.identity(), Box::new(EmptyDevice)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    for data in [&b"\x01PLDM"[..], b""] {
        let packet = requester.seal_application(session, data).unwrap();
        let Packet::Secured(record) = wire.exchange(packet).unwrap() else { panic!("in the clear") };
        assert_eq!(requester.open_application(session, &record).unwrap(), b"");
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
}

/// Messages in the clear do not prove that the peer is alive, but the completed handshake does.
#[test]
fn heartbeat_timer_restarts_after_the_handshake() {
    let credential = credential(classical("P256"));
    let (requester, responder) = configs(Version::V1_2, CLEAR, Caps::NONE);
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let (mut active, finish) = before_finish(&mut requester, &mut wire);
    let nearly = Duration::from_secs(10);
    let wait = |requester: &mut Requester, wire: &mut Wire| {
        requester.advance(nearly);
        wire.responder.advance(nearly);
    };
    wait(&mut requester, &mut wire);
    let answer = wire.responder.receive(&finish);
    let Step::Done(session) = requester.receive(&mut active, answer).unwrap() else { panic!("not complete") };
    wait(&mut requester, &mut wire);
    assert!(requester.sessions().eq([session]) && wire.responder.sessions().eq([session]));
    wait(&mut requester, &mut wire);
    assert_eq!((requester.sessions().count(), wire.responder.sessions().count()), (0, 0));
}

#[test]
fn enforces_the_aead_limit() {
    let credential = credential(classical("P256"));
    let (requester, mut responder) = configs(Version::V1_3, Caps::NONE, Caps::NONE);
    responder.aead_limit = 3;
    let (mut requester, mut wire) = connected(requester, responder, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    for _ in 0..8 {
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
    let used_up = requester.run(SendHeartbeat(session), &mut wire);
    let exhausted = grille_spdm_engine::records::RecordError::Exhausted;
    assert!(matches!(used_up, Err(Error::Record(error)) if error == exhausted), "{used_up:?}");
}
