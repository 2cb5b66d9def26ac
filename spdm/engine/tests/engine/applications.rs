//! Application data in sessions is kept separate from SPDM messages.

use crate::common::{Wire, classical, config, credential, pair_with};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::{Binding, Config, Packet};
use grille_spdm_engine::device::Device;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{Connect, FetchCertificate, OpenSession, SendHeartbeat};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::DangerousAcceptAny;

/// Application data that a peer could mistake for HEARTBEAT.
const HEARTBEAT: [u8; 4] = [0x12, 0xE8, 0, 0];

fn configs(binding: Binding) -> [Config; 2] {
    [crate::common::REQUESTER, crate::common::ALL]
        .map(|flags| Config { binding, ..config(Version::V1_2, flags) })
}

fn open(requester: &mut Requester, wire: &mut Wire) -> SessionId {
    requester.run(Connect::new(), wire).unwrap();
    requester.run(FetchCertificate::new(0), wire).unwrap();
    requester.run(OpenSession::new(0), wire).unwrap()
}

/// Opens a session with a device that echoes application data.
fn opened(binding: Binding) -> (Requester, Wire, SessionId) {
    let [ours, theirs] = configs(binding);
    let (mut requester, mut wire) = pair_with(ours, theirs, &credential(classical("P256")));
    let session = open(&mut requester, &mut wire);
    (requester, wire, session)
}

/// Returns the record that answers the packet.
fn answer(wire: &mut Wire, packet: Packet) -> Vec<u8> {
    let Packet::Secured(record) = wire.exchange(packet).unwrap() else { panic!("in the clear") };
    record
}

#[test]
fn refuses_application_data_with_spdm_type() {
    let empty = &[][..];
    let of_mctp = [[5].as_slice(), &HEARTBEAT].concat();
    let of_tcp = [[6, 0, 1, 5].as_slice(), &HEARTBEAT].concat();
    let others = [b"\x01PLDM".as_slice(), b"\x03\0\x01\x01A", empty];
    for (binding, spdm, others) in [
        (Binding::Bare, &[&HEARTBEAT[..], b"data", empty][..], &[][..]),
        (Binding::PciDoe, &[&HEARTBEAT[..], b"data", empty], &[]),
        (Binding::Mctp, &[&of_mctp[..], &[5]], &others),
        (Binding::Tcp, &[&of_tcp[..]], &others),
    ] {
        let (mut requester, mut wire, session) = opened(binding);
        for data in spdm {
            let sealed = requester.seal_application(session, data);
            assert!(matches!(sealed, Err(Error::Usage(Usage::LooksLikeSpdm))), "{binding:?} {sealed:?}");
        }
        for data in others {
            let packet = requester.seal_application(session, data).unwrap();
            let record = answer(&mut wire, packet);
            assert_eq!(requester.open_application(session, &record).unwrap(), *data, "{binding:?}");
        }
        // the rejected data used no sequence number
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
}

#[test]
fn rejects_spdm_message_as_application_answer() {
    let (mut requester, mut wire, session) = opened(Binding::Mctp);
    let unknown = [0x12, 0x99, 0, 0];
    for (message, got, error) in [
        (&HEARTBEAT, Code::HEARTBEAT_ACK, None),
        (&unknown, Code::ERROR, Some(ErrorCode::UNSUPPORTED_REQUEST)),
    ] {
        let packet = requester.seal_message(session, message).unwrap();
        let record = answer(&mut wire, packet);
        match requester.open_application(session, &record) {
            Err(Error::NoApplication { got: came, code }) => assert_eq!((came, code), (got, error)),
            other => panic!("{other:?}"),
        }
    }
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
    // a responder that cannot parse the record has ended the session
    let packet = requester.seal_inside(session, &[9, 0]).unwrap();
    let record = answer(&mut wire, packet);
    let refused = requester.open_application(session, &record);
    let code = Some(ErrorCode::DECRYPT_ERROR);
    assert!(
        matches!(refused, Err(Error::NoApplication { code: received, .. }) if received == code),
        "{refused:?}"
    );
    assert_eq!((requester.sessions().count(), wire.responder.sessions().count()), (0, 0));
}

/// A device whose answers have the message type of SPDM.
struct SpdmTypedAnswers;

impl Device for SpdmTypedAnswers {
    fn application(&mut self, _: SessionId, _: &[u8]) -> Option<Vec<u8>> {
        Some([[5].as_slice(), &HEARTBEAT].concat())
    }
}

#[test]
fn replaces_spdm_typed_answers_by_empty_ones() {
    let device = credential(classical("P256"));
    let [ours, theirs] = configs(Binding::Mctp);
    let mut requester = Requester::new(ours, Identity::default(), Box::new(DangerousAcceptAny));
    let mut wire = Wire::new(Responder::new(theirs, device.identity(), Box::new(SpdmTypedAnswers)));
    let session = open(&mut requester, &mut wire);
    let packet = requester.seal_application(session, b"\x01PLDM").unwrap();
    let record = answer(&mut wire, packet);
    assert_eq!(requester.open_application(session, &record).unwrap(), b"");
}
