//! Records with a valid tag and malformed or unexpected contents.

use crate::scripted_responder::{
    Keys, LAYOUT, REQUESTER, RESPONDER, ScriptedAnswer, connected_with_log, in_session, scripted,
};
use crate::sessions::before_finish;
use grille_core::SystemRng;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::key_schedule::{Handshake, TrafficSecret};
use grille_spdm_engine::operations::SendHeartbeat;
use grille_spdm_engine::records::{Layout, RecordError, session_id};

/// Contents too short for ApplicationDataLength, or shorter than ApplicationDataLength says.
const MALFORMED: [&[u8]; 5] = [&[], &[0], &[1, 0], &[5, 0, 5, 0x12, 0xE8, 0], &[0xFF, 0xFF, 5]];

/// A record with a valid tag comes from the peer, which has the keys and advanced its sequence number. So neither side
/// can repair the session.
#[test]
fn malformed_contents_end_the_session_on_both_sides() {
    for inside in MALFORMED {
        let (requester, mut wire, mut keys) = in_session(Version::V1_2);
        assert_eq!(keys.ask(&mut wire, Code::HEARTBEAT, 0, 0)[1], Code::HEARTBEAT_ACK.0);
        let record = keys.seal_inside(REQUESTER, inside);
        let answer = keys.open(RESPONDER, wire.responder.receive(&record));
        assert_eq!(answer, [keys.version, Code::ERROR.0, ErrorCode::DECRYPT_ERROR.0, 0], "{inside:?}");
        assert_eq!(wire.responder.sessions().count(), 0, "{inside:?}");
        let late = wire.responder.receive(&keys.seal(REQUESTER, &[keys.version, Code::HEARTBEAT.0, 0, 0]));
        assert_eq!(late, Packet::Message(vec![keys.version, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0]));
        drop(requester);
    }
    for inside in MALFORMED {
        let (mut requester, mut scripted) =
            scripted(&[ScriptedAnswer::Right, ScriptedAnswer::Inside(inside)]);
        let session = scripted.keys.session;
        requester.run(SendHeartbeat(session), &mut scripted).unwrap();
        let outcome = requester.run(SendHeartbeat(session), &mut scripted);
        assert!(matches!(outcome, Err(Error::Record(RecordError::Inside))), "{inside:?}: {outcome:?}");
        assert_eq!(requester.sessions().count(), 0, "{inside:?}");
    }
    // well-formed contents are accepted
    let (mut requester, mut wire, mut keys) = in_session(Version::V1_2);
    for inside in [&[5, 0, 5, 0x12, 0xE8, 0, 0][..], &[5, 0, 5, 0x12, 0xE8, 0, 0, 9, 9]] {
        let record = requester.seal_inside(keys.session, inside).unwrap();
        assert_eq!(keys.open(RESPONDER, wire.responder.receive(&record))[1], Code::HEARTBEAT_ACK.0);
    }
}

/// The record is valid, but its contents have a message type other than SPDM's, or none.
#[test]
fn application_data_is_no_response_and_keeps_the_session() {
    for inside in [&[5, 0, 1, 0x12, 0x68, 0, 0][..], &[0, 0]] {
        let (mut requester, mut scripted) = scripted(&[ScriptedAnswer::Inside(inside)]);
        let session = scripted.keys.session;
        let other = requester.run(SendHeartbeat(session), &mut scripted);
        assert!(matches!(other, Err(Error::Record(RecordError::Application))), "{inside:?}: {other:?}");
        requester.run(SendHeartbeat(session), &mut scripted).unwrap();
    }
}

/// DSP0274 requires ERROR for malformed requests.
#[test]
fn malformed_requests_keep_the_session() {
    let (_requester, mut wire, mut keys) = in_session(Version::V1_2);
    let (version, beat) = (keys.version, Code::HEARTBEAT.0);
    for (request, error, data) in [
        (&[][..], ErrorCode::INVALID_REQUEST, 0),
        (&[version], ErrorCode::INVALID_REQUEST, 0),
        (&[version, beat, 0], ErrorCode::INVALID_REQUEST, 0),
        (&[version, Code::GET_CERTIFICATE.0, 0, 0, 1], ErrorCode::INVALID_REQUEST, 0),
        (&[version, Code::KEY_UPDATE.0, 9, 1], ErrorCode::INVALID_REQUEST, 0),
        (&[0x13, beat, 0, 0], ErrorCode::VERSION_MISMATCH, 0),
        (&[version, Code::GET_VERSION.0, 0, 0], ErrorCode::VERSION_MISMATCH, 0),
        (&[version, Code::CHALLENGE.0, 0, 0], ErrorCode::UNEXPECTED_REQUEST, 0),
        (&[version, 0x9F, 0, 0], ErrorCode::UNSUPPORTED_REQUEST, 0x9F),
        (&[version, Code::HEARTBEAT_ACK.0, 0, 0], ErrorCode::UNSUPPORTED_REQUEST, Code::HEARTBEAT_ACK.0),
    ] {
        let record = keys.seal(REQUESTER, request);
        let answer = keys.open(RESPONDER, wire.responder.receive(&record));
        assert_eq!(answer[1..], [Code::ERROR.0, error.0, data], "{request:02x?}");
        assert_eq!(keys.ask(&mut wire, Code::HEARTBEAT, 0, 0)[1], Code::HEARTBEAT_ACK.0, "{request:02x?}");
    }
}

/// Application data arrives after FINISH was sealed, but before it was sent. The requester gives up, as after every
/// wrong answer to FINISH. The responder refuses the data like any premature request, and then accepts FINISH.
#[test]
fn refuses_application_data_in_the_handshake() {
    let (mut requester, mut wire, log) = connected_with_log(Version::V1_2, "handshake_secret");
    let (mut active, Packet::Secured(finish)) = before_finish(&mut requester, &mut wire) else {
        panic!("in the clear")
    };
    let session = session_id(&finish).unwrap();
    let (algorithms, version) =
        (requester.connection().negotiated().unwrap().algorithms, Version::V1_2.byte());
    let key = |side: usize| {
        let secret = log.lock().unwrap()[side].as_ref().into();
        let secret = TrafficSecret::<Handshake>::from_key_log(algorithms.hash, version, secret);
        secret.record_key(algorithms.aead.unwrap())
    };
    let [early, other] = [REQUESTER, RESPONDER]
        .map(|side| Packet::Secured(key(side).seal(session, LAYOUT, b"\x01PLDM", &mut SystemRng).unwrap()));
    let ended = requester.receive(&mut active, other).map(|_| ());
    assert!(matches!(ended, Err(Error::Record(RecordError::Application))), "{ended:?}");
    let gone = requester.seal_message(session, &[version, Code::FINISH.0, 0, 0]);
    assert!(matches!(gone, Err(Error::Usage(Usage::NoSession { .. }))), "{gone:?}");

    let Packet::Secured(answer) = wire.responder.receive(&early) else { panic!("in the clear") };
    let refused = key(RESPONDER).open(LAYOUT, &answer).unwrap();
    assert_eq!(refused[..], [5, version, Code::ERROR.0, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
    let inside = key(REQUESTER).open(LAYOUT, &finish).unwrap();
    let mut requests = key(REQUESTER);
    requests.seal(session, LAYOUT, b"\x01PLDM", &mut SystemRng).unwrap();
    let finish = requests.seal(session, LAYOUT, &inside, &mut SystemRng).unwrap();
    assert!(matches!(wire.responder.receive(&Packet::Secured(finish)), Packet::Secured(_)));
    assert!(wire.responder.sessions().eq([session]));
}

#[test]
fn malformed_record_advances_the_sequence_number() {
    let (_, _, Keys { session, secrets, aead, .. }) = in_session(Version::V1_2);
    for layout in [LAYOUT, Layout { sequence_len: 0, ..LAYOUT }] {
        let [mut sender, mut receiver] = [(); 2].map(|()| secrets[REQUESTER].record_key(aead));
        let bad = sender.seal_inside(session, layout, &[9, 0]).unwrap();
        let good = sender.seal(session, layout, b"good", &mut SystemRng).unwrap();
        assert_eq!(receiver.open(layout, &bad).unwrap_err(), RecordError::Inside);
        // the old record is not accepted again
        assert!(receiver.open(layout, &bad).is_err_and(|error| error != RecordError::Inside));
        assert_eq!(**receiver.open(layout, &good).unwrap(), *b"good");
    }
}
