//! Sessions with a pre-shared key.

use crate::common::{self, Wire, classical, config, credential};
use crate::hostile_responses::AlteringWire;
use grille_core::SecretBytes;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage, Violation};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    Connect, End, Measure, OpenPskSession, OpenSession, SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::DangerousAcceptAny;

const SESSION: Caps = Caps(Caps::ENCRYPT.0 | Caps::MAC.0 | Caps::HBEAT.0 | Caps::KEY_UPD.0);

fn pair(version: Version, context: bool, theirs: &[u8], ours: &[u8]) -> (Requester, Wire) {
    let psk = if context { Caps::PSK_WITH_CONTEXT } else { Caps::PSK };
    let responder = config(version, SESSION | psk | Caps::MEAS_NO_SIG);
    let identity = |psk: &[u8]| Identity::default().with_psk(b"hint", SecretBytes::from(psk));
    let judge = Box::new(DangerousAcceptAny);
    let mut requester = Requester::new(config(version, SESSION | Caps::PSK), identity(theirs), judge);
    let mut wire = Wire::new(Responder::new(responder, identity(ours), Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    (requester, wire)
}

#[test]
fn every_version_opens_psk_sessions() {
    for version in &Version::ALL[1..] {
        for context in [false, true] {
            let (mut requester, mut wire) = pair(*version, context, &[7; 48], &[7; 48]);
            for summary in [0, 1, 0xFF] {
                let open = OpenPskSession::new(b"hint").with_summary(summary);
                let session = requester.run(open, &mut wire).unwrap();
                assert_eq!(requester.summary(session).is_some(), summary != 0);
                assert_eq!(requester.export_secret(session), wire.responder.export_secret(session));
                requester.run(SendHeartbeat(session), &mut wire).unwrap();
                requester.run(Measure::new(0xFF).within(session), &mut wire).unwrap();
                requester.run(UpdateKeys::all_keys(session), &mut wire).unwrap();
                requester.run(End(session), &mut wire).unwrap();
            }
        }
    }
}

#[test]
fn detects_another_psk_at_once() {
    for context in [false, true] {
        let (mut requester, mut wire) = pair(Version::V1_2, context, &[7; 32], &[8; 32]);
        let refused = requester.run(OpenPskSession::new(b"hint"), &mut wire);
        assert!(matches!(refused, Err(Error::VerifyData { .. })), "{refused:?}");
        assert!(requester.sessions().next().is_none());
    }
}

#[test]
fn responder_context_may_be_short_but_not_missing() {
    for len in [0, 1, 31] {
        let (mut requester, wire) = pair(Version::V1_4, true, &[7; 32], &[7; 32]);
        let alter = |message: &mut Vec<u8>| {
            message[8] = len;
            message.drain(12..44 - usize::from(len));
        };
        let mut altering_wire = AlteringWire { wire, alter, packets: 0 };
        let error = requester.run(OpenPskSession::new(b"hint"), &mut altering_wire).unwrap_err();
        // a shortened ResponderContext passes every check except that of VerifyData
        let wrong = match error {
            Error::Violation { violation: Violation::Context, .. } => len == 0,
            Error::VerifyData { .. } => len > 0,
            _ => false,
        };
        assert!(wrong, "{len}: {error:?}");
    }
}

#[test]
fn requester_context_needs_32_bytes() {
    for (context, answer) in [(31, 0x7F), (32, 0x66), (33, 0x66)] {
        let (requester, mut wire) = pair(Version::V1_3, true, &[7; 32], &[7; 32]);
        let (_, packet) = { requester }.start(OpenPskSession::new(b"hint")).unwrap();
        let Packet::Message(mut request) = packet else { panic!("in a record") };
        let at = 12 + b"hint".len();
        request.splice(at..at + 32, vec![9; context]);
        request[8] = context as u8;
        assert_eq!(wire.plain(&request)[1], answer, "{context}");
    }
}

#[test]
fn refuses_unknown_hint_or_unnegotiated_psk() {
    let (mut requester, mut wire) = pair(Version::V1_3, true, &[7; 32], &[7; 32]);
    let unknown = requester.run(OpenPskSession::new(b"other"), &mut wire);
    assert!(matches!(unknown, Err(Error::Usage(Usage::NoPsk))), "{unknown:?}");
    let not = requester.run(OpenSession::new(0), &mut wire);
    assert!(matches!(not, Err(Error::Usage(_))), "{not:?}");
    // the responder does not know this hint
    let mut request = vec![0x13, 0xE6, 0, 0, 1, 0, 1, 0, 32, 0, 0, 0, b'x'];
    request.extend_from_slice(&[9; 32]);
    assert_eq!(wire.plain(&request)[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
    // This responder has certificates, but no pre-shared key.
    let device = credential(classical("P256"));
    let (mut requester, mut wire) = common::pair(Version::V1_2, &device);
    requester.run(Connect::new(), &mut wire).unwrap();
    request[0] = 0x12;
    assert_eq!(wire.plain(&request)[1..4], [0x7F, ErrorCode::UNSUPPORTED_REQUEST.0, 0xE6]);
}
