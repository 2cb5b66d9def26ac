//! Opaque data: only in the negotiated format.

use crate::common::{ALL, REQUESTER, Wire, classical, config, credential};
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, Measurement};
use grille_spdm_engine::error::{Error, Refusal, Usage, Violation};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{ChallengeResponder, Connect, FetchCertificate, Measure, OpenSession};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::DangerousAcceptAny;

const NONE: OtherParams = OtherParams::NONE;
const VENDORS: OtherParams = OtherParams::OPAQUE_DATA_FORMAT_0;
const ELEMENTS: OtherParams = OtherParams::OPAQUE_DATA_FORMAT_1;
const BOTH: OtherParams = OtherParams(VENDORS.0 | ELEMENTS.0);

/// An element of the DMTF with one byte.
const OPAQUE_ELEMENT: [u8; 12] = [1, 0, 0, 0, 0, 0, 1, 0, 7, 0, 0, 0];

/// A device that always sends opaque data.
struct OpaqueDevice;

impl Device for OpaqueDevice {
    fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(OPAQUE_ELEMENT.to_vec())
    }

    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(crate::common::measurements())
    }
}

fn requester(version: Version, other_params: OtherParams) -> Requester {
    let config = Config { other_params, ..config(version, REQUESTER) };
    Requester::new(config, Identity::default(), Box::new(DangerousAcceptAny))
}

fn wire(version: Version, other_params: OtherParams) -> Wire {
    let config = Config { other_params, ..config(version, ALL) };
    Wire::new(Responder::new(config, credential(classical("P256")).identity(), Box::new(OpaqueDevice)))
}

fn connected(version: Version, theirs: OtherParams, ours: OtherParams) -> (Requester, Wire) {
    let (mut requester, mut wire) = (requester(version, theirs), wire(version, ours));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire)
}

#[test]
fn opaque_data_needs_a_format_since_1_2_and_sessions_format_1() {
    for (theirs, ours, speaks, opens) in [
        (ELEMENTS, ELEMENTS, true, true),
        (BOTH, BOTH, true, true),
        (BOTH, VENDORS, true, false),
        (NONE, BOTH, false, false),
        (ELEMENTS, VENDORS, false, false),
    ] {
        for version in [Version::V1_1, Version::V1_2, Version::V1_4] {
            let (mut requester, mut wire) = connected(version, theirs, ours);
            let (speaks, opens) = (speaks || version < Version::V1_2, opens || version < Version::V1_2);
            let expected: &[u8] = if speaks { &OPAQUE_ELEMENT } else { &[] };
            assert_eq!(
                requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap().opaque,
                expected,
                "{version:?}"
            );
            assert_eq!(requester.run(Measure::all_signed(0), &mut wire).unwrap().opaque, expected);
            let opened = requester.run(OpenSession::new(0), &mut wire);
            if opens {
                opened.unwrap();
            } else {
                let Err(Error::Usage(Usage::NothingInCommon { kind, .. })) = opened else {
                    panic!("{opened:?}")
                };
                assert!(kind.contains("OPAQUE_DATA_FORMAT_1"), "{kind}");
            }
        }
    }
}

#[test]
fn refuses_sessions_without_opaque_data_format() {
    let (mut stranger, mut wire) = connected(Version::V1_2, ELEMENTS, ELEMENTS);
    let (_, Packet::Message(exchange)) = stranger.start(OpenSession::new(0)).unwrap() else { panic!() };
    requester(Version::V1_2, NONE).run(Connect::new(), &mut wire).unwrap();
    assert_eq!(wire.plain(&exchange)[1..3], [0x7F, ErrorCode::INVALID_REQUEST.0]);
    requester(Version::V1_2, ELEMENTS).run(Connect::new(), &mut wire).unwrap();
    assert_eq!(wire.plain(&exchange)[1], 0x64);
}

#[test]
fn rejects_format_that_was_not_offered() {
    for (offered, selected, fine) in
        [(ELEMENTS, 2, true), (ELEMENTS, 0, true), (ELEMENTS, 1, false), (NONE, 2, false), (BOTH, 3, false)]
    {
        let (mut requester, mut wire) = (requester(Version::V1_3, offered), wire(Version::V1_3, BOTH));
        let (mut active, mut packet) = requester.start(Connect::new()).unwrap();
        let end = loop {
            let mut answer = wire.responder.receive(&packet);
            if let Packet::Message(message) = &mut answer
                && message[1] == 0x63
            {
                message[7] = message[7] & 0xF0 | selected;
            }
            match requester.receive(&mut active, answer) {
                Ok(Step::Send(next)) => packet = next,
                end => break end,
            }
        };
        match end {
            Ok(_) => assert!(fine, "{offered:?} {selected}"),
            Err(Error::Violation { violation: Violation::Algorithms, .. }) => assert!(!fine),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn rejects_opaque_data_without_format() {
    let (mut requester, mut wire) = connected(Version::V1_2, NONE, BOTH);
    let (mut active, packet) = requester.start(ChallengeResponder::new(0, 0)).unwrap();
    let Packet::Message(mut proof) = wire.responder.receive(&packet) else { panic!() };
    // The length of the opaque data follows after the header, the chain's hash and the nonce.
    let digest = proof.len() - 4 - 32 - 2 - 64;
    let at = 4 + digest + 32;
    assert_eq!(proof[at..at + 2], [0, 0]);
    proof[at] = 1;
    proof.insert(at + 2, 7);
    let refused = requester.receive(&mut active, Packet::Message(proof));
    let opaque = Violation::OpaqueData;
    assert!(
        matches!(refused, Err(Error::Violation { violation, .. }) if violation == opaque),
        "opaque data was accepted"
    );
}

#[test]
fn format_1_requires_a_list_of_elements() {
    // the length of the element's data
    let broken = |message: &mut Vec<u8>| {
        let at = message.windows(OPAQUE_ELEMENT.len()).position(|window| window == OPAQUE_ELEMENT).unwrap();
        message[at + 6] = 200;
    };
    for version in [Version::V1_1, Version::V1_2, Version::V1_4] {
        for (formats, checked) in [(ELEMENTS, version >= Version::V1_2), (VENDORS, false)] {
            let (mut requester, mut wire) = connected(version, formats, formats);
            let (mut active, packet) = requester.start(ChallengeResponder::new(0, 0)).unwrap();
            let Packet::Message(mut proof) = wire.responder.receive(&packet) else { panic!() };
            broken(&mut proof);
            let outcome = requester.receive(&mut active, Packet::Message(proof));
            let refused = matches!(outcome, Err(Error::Violation { violation: Violation::OpaqueData, .. }));
            // if the engine does not check the format, the invalid signature reveals the alteration
            assert!(refused == checked && outcome.is_err(), "{version:?} {formats:?}");
        }
    }
}

#[test]
fn finish_opaque_data_must_match_the_format() {
    let caps = Caps::HANDSHAKE_IN_THE_CLEAR;
    let [theirs, ours] = [REQUESTER | caps, ALL | caps].map(|flags| config(Version::V1_4, flags));
    let identity = credential(classical("P256")).identity();
    for (opaque, of_format) in [(&OPAQUE_ELEMENT[..], true), (&OPAQUE_ELEMENT[..8], false)] {
        let opaque = [&(opaque.len() as u16).to_le_bytes(), opaque].concat();
        let begin = || {
            let mut requester =
                Requester::new(theirs.clone(), Identity::default(), Box::new(DangerousAcceptAny));
            let mut wire = Wire::new(Responder::new(ours.clone(), identity.clone(), Box::new(OpaqueDevice)));
            requester.run(Connect::new(), &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            let (mut active, exchange) = requester.start(OpenSession::new(0)).unwrap();
            let answer = wire.responder.receive(&exchange);
            let Ok(Step::Send(Packet::Message(finish))) = requester.receive(&mut active, answer) else {
                panic!("FINISH must be in the clear")
            };
            (requester, wire, active, finish)
        };
        // data in the right format is part of the transcript, so only the MAC is invalid
        let (_, mut wire, _, mut finish) = begin();
        finish.splice(4..6, opaque.iter().copied());
        let error = if of_format { ErrorCode::DECRYPT_ERROR } else { ErrorCode::INVALID_REQUEST };
        assert_eq!(wire.plain(&finish), [0x14, 0x7F, error.0, 0]);
        let (mut requester, mut wire, mut active, finish) = begin();
        let mut answer = wire.plain(&finish);
        answer.splice(4..6, opaque);
        let outcome = requester.receive(&mut active, Packet::Message(answer));
        let refused = matches!(outcome, Err(Error::Violation { violation: Violation::OpaqueData, .. }));
        assert!(refused != of_format && outcome.is_err());
    }
}
