//! RequestResynch: a responder that lost the negotiated state requires a new connection.

use crate::common::{Wire, refused};
use crate::refusals::{connected, sides};
use grille_spdm_codec::code::CODES;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::connection::Phase;
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchDigests, Measure, OpenSession, SendHeartbeat,
    VendorRequest,
};
use grille_spdm_engine::requester::Requester;

const RESYNCH: ErrorCode = ErrorCode::REQUEST_RESYNCH;

/// Checks that both sides are in the initial state, and continue with GET_VERSION.
fn assert_disconnected(requester: &mut Requester, wire: &mut Wire) {
    let before = requester.run(FetchDigests, wire);
    assert!(matches!(before, Err(Error::Usage(Usage::NotConnected))), "{before:?}");
    assert_eq!(wire.responder.connection().phase(), Phase::Start);
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    requester.run(Measure::new(1), wire).unwrap();
    requester.run(ChallengeResponder::new(0, 1), wire).unwrap();
    requester.run(Measure::all_signed(0), wire).unwrap();
}

#[test]
fn every_request_but_get_version_gets_request_resynch() {
    for version in Version::ALL {
        let (_, mut wire, _) = connected(version);
        wire.responder.resynch();
        let requests = CODES.iter().filter_map(|row| row.request).map(|(code, _)| code);
        for code in requests.filter(|code| *code != Code::GET_VERSION) {
            // The answer has the version of the request, or the version of the lost connection if the responder does
            // not support the version of the request.
            for (tried, expected) in [(version.byte(), version.byte()), (0x20, version.byte())] {
                let answer = wire.plain(&[tried, code.0, 0, 0]);
                assert_eq!(answer, [expected, Code::ERROR.0, RESYNCH.0, 0], "{code}");
            }
        }
        assert_eq!(wire.plain(&[version.byte()])[1..3], [Code::ERROR.0, RESYNCH.0]);
        // GET_VERSION with a version other than 1.0 does not start a connection
        let answer = wire.plain(&[0x11, Code::GET_VERSION.0, 0, 0]);
        assert_eq!(answer, [0x10, Code::ERROR.0, ErrorCode::VERSION_MISMATCH.0, 0]);
        assert_eq!(wire.plain(&[version.byte(), Code::GET_DIGESTS.0, 0, 0])[2], RESYNCH.0);
        assert_eq!(wire.plain(&[0x10, Code::GET_VERSION.0, 0, 0])[1], Code::VERSION.0);
        let answer = wire.plain(&[version.byte(), Code::GET_DIGESTS.0, 0, 0]);
        assert_eq!(answer[2], ErrorCode::UNEXPECTED_REQUEST.0);
    }
}

#[test]
fn requester_reconnects_after_request_resynch() {
    for version in Version::ALL {
        let (mut requester, mut wire, _) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        wire.responder.resynch();
        assert_eq!(refused(requester.run(FetchDigests, &mut wire)), RESYNCH);
        assert_disconnected(&mut requester, &mut wire);
    }
}

/// The responder has lost the session's keys, so it answers in the clear. That answer alone does not end the requester's
/// session.
#[test]
fn resynch_ends_sessions_and_answers_in_the_clear() {
    let (mut requester, mut wire, _) = connected(Version::V1_3);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let (record, _) = {
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
        wire.log.last().unwrap().clone()
    };
    wire.responder.resynch();
    assert_eq!(wire.responder.sessions().count(), 0);
    let expected = [Version::V1_3.byte(), Code::ERROR.0, RESYNCH.0, 0];
    // A repeated record gets this error, too, although its answer was stored.
    assert_eq!(wire.responder.receive(&record), Packet::Message(expected.to_vec()));
    let outcome = requester.run(SendHeartbeat(session), &mut wire);
    assert!(matches!(outcome, Err(Error::Unprotected { code: RESYNCH, .. })), "{outcome:?}");
    assert_eq!(requester.sessions().count(), 1);
    requester.run(Connect::new(), &mut wire).unwrap();
    assert_eq!(requester.sessions().count(), 0);
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    requester.run(OpenSession::new(0), &mut wire).unwrap();
}

#[test]
fn device_can_force_a_new_connection() {
    let vendor = || VendorRequest { standard_id: 3, vendor_id: vec![1, 2], data: vec![3] };
    for version in Version::ALL {
        for inside in [false, version >= Version::V1_1] {
            let (mut requester, mut wire, device_refusal) = connected(version);
            let place =
                inside.then(|| [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap())[0]);
            *device_refusal.lock().unwrap() = Some(Refusal::new(RESYNCH));
            let outcome = match place {
                Some(session) => requester.run(vendor().within(session), &mut wire),
                None => requester.run(vendor(), &mut wire),
            };
            assert_eq!(refused(outcome), RESYNCH);
            // in a session, the answer is sent in a record, so that it is authenticated
            assert_eq!(matches!(wire.log.last(), Some((_, Packet::Secured(_)))), inside);
            *device_refusal.lock().unwrap() = None;
            assert_eq!((requester.sessions().count(), wire.responder.sessions().count()), (0, 0));
            assert_disconnected(&mut requester, &mut wire);
        }
    }
}

#[test]
fn new_responder_can_require_get_version() {
    let (mut requester, ..) = connected(Version::V1_4);
    let (_, mut wire, _) = sides(Version::V1_4);
    wire.responder.resynch();
    wire.responder.resynch();
    // The answer has the version of the request, because the requester need not accept another version.
    for version in Version::ALL {
        let expected = if version == Version::V1_4 { version } else { Version::V1_0 };
        let answer = wire.plain(&[version.byte(), Code::GET_DIGESTS.0, 0, 0]);
        assert_eq!(answer, [expected.byte(), Code::ERROR.0, RESYNCH.0, 0]);
    }
    assert_eq!(refused(requester.run(FetchDigests, &mut wire)), RESYNCH);
    assert_disconnected(&mut requester, &mut wire);
}
