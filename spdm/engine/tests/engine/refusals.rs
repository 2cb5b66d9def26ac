//! A device's refusals are sent unchanged, and leave both sides with equal transcripts and sessions.

use crate::common::{self, Wire, classical, config, credential, mutually_authenticated, refused};
use grille_core::SecretBytes;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::{ErrorCode, VendorError};
use grille_spdm_codec::slot_management::SubCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, MeasuredValue, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerRequests, ChallengeResponder, Connect, FetchCertificate, FetchCsr, FetchDigests, FetchEndpointInfo,
    FetchEventTypes, FetchKeyPair, FetchLog, ManageSlots, Measure, OpenPskSession, OpenSession,
    ResponderRequest, SendHeartbeat, Subscribe, VendorRequest,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::DangerousAcceptAny;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The refusal with which the device answers all requests; `None` if it does not refuse them.
pub(crate) type DeviceRefusal = Arc<Mutex<Option<Refusal>>>;

/// A device that answers every request with the configured refusal, if there is one.
#[derive(Default)]
struct RefusingDevice(DeviceRefusal);

impl RefusingDevice {
    fn answer<T>(&self, answer: T) -> Result<T, Refusal> {
        self.0.lock().unwrap().map_or(Ok(answer), Err)
    }
}

impl Device for RefusingDevice {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        self.answer(common::measurements())
    }

    fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        self.answer(Vec::new())
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, _: &[u8], data: &[u8]) -> Result<Vec<u8>, Refusal> {
        self.answer(data.to_vec())
    }

    fn endpoint_info(&mut self, _: u8) -> Result<Vec<u8>, Refusal> {
        self.answer(vec![0; 4])
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        self.answer(vec![7; 100])
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        self.answer(vec![KeyPair::default()])
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        self.answer(EventTypes::default())
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, _: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        self.answer(vec![0x30, 0])
    }

    fn subscribe(&mut self, _: SessionId, _: &EventTypes) -> Result<(), Refusal> {
        self.answer(())
    }

    fn manage_slots(
        &mut self,
        _: Option<SessionId>,
        _: SubCode,
        _: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        self.answer(None)
    }
}

/// Creates two unconnected sides. Also returns the shared value that sets the device's refusal.
pub(crate) fn sides(version: Version) -> (Requester, Wire, DeviceRefusal) {
    let (credential, device_refusal) = (credential(classical("P256")), DeviceRefusal::default());
    let provisions = Caps::CSR | Caps::SET_CERT | Caps::GET_KEY_PAIR_INFO;
    let more = provisions | Caps::EP_INFO_SIG | Caps::MEL | Caps::EVENT | Caps::ENCAP;
    let theirs = config(version, common::REQUESTER | Caps::ENCAP | Caps::PSK);
    let theirs = Config { patience: Duration::from_millis(100), ..theirs };
    let known = |identity: Identity| identity.with_psk(b"hint", SecretBytes::new(vec![7; 32]));
    let requester = Requester::new(theirs, known(Identity::default()), Box::new(DangerousAcceptAny));
    let device = Box::new(RefusingDevice(device_refusal.clone()));
    let mut ours = config(version, common::ALL | more | Caps::PSK_WITH_CONTEXT);
    ours.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
    let responder = Responder::new(ours, known(credential.identity()), device);
    (requester, Wire::new(responder), device_refusal)
}

/// Creates two connected sides. Also returns the shared value that sets the device's refusal. The requester has fetched
/// the chain.
pub(crate) fn connected(version: Version) -> (Requester, Wire, DeviceRefusal) {
    let (mut requester, mut wire, device_refusal) = sides(version);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, device_refusal)
}

fn vendor() -> VendorRequest {
    VendorRequest { standard_id: 3, vendor_id: vec![1, 2], data: vec![3] }
}

/// An operation outside sessions or in one; its output is ignored.
type RunQuery = fn(&mut Requester, &mut Wire, Option<SessionId>) -> Result<(), Error>;

fn run<O: Operation>(
    requester: &mut Requester,
    wire: &mut Wire,
    session: Option<SessionId>,
    operation: O,
) -> Result<(), Error> {
    match session {
        Some(session) => requester.run(operation.within(session), wire).map(drop),
        None => requester.run(operation, wire).map(drop),
    }
}

/// All operations that query the device without changing it: the first version that has the operation, and whether the
/// operation is allowed outside sessions and in sessions.
const QUERIES: &[(Version, [bool; 2], RunQuery)] = &[
    (Version::V1_0, [true, true], |r, wire, place| run(r, wire, place, Measure::new(1))),
    (Version::V1_0, [true, true], |r, wire, place| run(r, wire, place, Measure::all_signed(0))),
    (Version::V1_3, [true, true], |r, wire, place| run(r, wire, place, Measure::new(1).pending())),
    (Version::V1_0, [true, false], |r, wire, place| run(r, wire, place, ChallengeResponder::new(0, 0))),
    (Version::V1_0, [true, false], |r, wire, place| run(r, wire, place, ChallengeResponder::new(0, 1))),
    (Version::V1_1, [true, false], |r, wire, place| run(r, wire, place, OpenSession::new(0).with_summary(1))),
    (Version::V1_0, [true, true], |r, wire, place| run(r, wire, place, vendor())),
    (Version::V1_3, [true, true], |r, wire, place| {
        run(r, wire, place, FetchEndpointInfo { sub_code: 1, signed: Some(0) })
    }),
    (Version::V1_3, [true, true], |r, wire, place| run(r, wire, place, FetchLog::default())),
    (Version::V1_3, [true, true], |r, wire, place| run(r, wire, place, FetchKeyPair(1))),
    (Version::V1_3, [false, true], |r, wire, place| run(r, wire, place, FetchEventTypes)),
    (Version::V1_3, [false, true], |r, wire, place| run(r, wire, place, Subscribe::default())),
    (Version::V1_2, [true, true], |r, wire, place| run(r, wire, place, FetchCsr::default())),
    (Version::V1_4, [true, true], |r, wire, place| {
        let (sub_code, structure) = (SubCode::SUPPORTED_SUB_CODES, Vec::new());
        run(r, wire, place, ManageSlots { sub_code, structure })
    }),
    (Version::V1_1, [true, false], |r, wire, place| {
        run(r, wire, place, OpenPskSession::new(b"hint").with_summary(1))
    }),
];

/// Returns the operations of this version, in sessions or outside.
fn queries(version: Version, inside: bool) -> impl Iterator<Item = RunQuery> {
    let here = move |row: &&(Version, [bool; 2], RunQuery)| row.0 <= version && row.1[usize::from(inside)];
    QUERIES.iter().filter(here).map(|row| row.2)
}

/// Returns the refusals of a device, with the ErrorCode that this version sends.
fn refusals(version: Version) -> Vec<(Refusal, ErrorCode)> {
    let since = |since, code| if version < since { ErrorCode::UNSPECIFIED } else { code };
    let of_vendor = Refusal::vendor_defined(3, &[0x86, 0x80], &[9, 1]).unwrap();
    vec![
        (Refusal::new(ErrorCode::UNSPECIFIED), ErrorCode::UNSPECIFIED),
        (Refusal::new(ErrorCode::OPERATION_FAILED), since(Version::V1_3, ErrorCode::OPERATION_FAILED)),
        (Refusal::new(ErrorCode::INVALID_STATE), since(Version::V1_4, ErrorCode::INVALID_STATE)),
        (of_vendor, ErrorCode::VENDOR_DEFINED),
        // codes without their mandatory data
        (Refusal::new(ErrorCode::RESPONSE_NOT_READY), ErrorCode::UNSPECIFIED),
        (Refusal::new(ErrorCode::VENDOR_DEFINED), ErrorCode::UNSPECIFIED),
    ]
}

/// Checks that both sides have equal transcripts for the next signatures.
fn assert_equal_transcripts(requester: &mut Requester, wire: &mut Wire, place: Option<SessionId>) {
    run(requester, wire, place, Measure::new(2)).unwrap();
    run(requester, wire, place, Measure::all_signed(0)).unwrap();
    if place.is_none() {
        requester.run(ChallengeResponder::new(0, 1), wire).unwrap();
    }
}

/// Checks each operation with each refusal, before and after authentication: the ErrorCode is sent, and L1/L2 and B
/// remain equal on both sides.
fn check_refusals(version: Version, inside: bool) {
    for ask in queries(version, inside) {
        for (refusal, code) in refusals(version) {
            let (mut requester, mut wire, device_refusal) = connected(version);
            let place = inside.then(|| requester.run(OpenSession::new(0), &mut wire).unwrap());
            // measurements end B, and the start of B ends L1/L2
            for proves in [true, false, true, false] {
                let (requester, wire) = (&mut requester, &mut wire);
                if proves {
                    run(requester, wire, place, FetchDigests).unwrap();
                    run(requester, wire, place, FetchCertificate::new(0)).unwrap();
                } else {
                    run(requester, wire, place, Measure::new(1)).unwrap();
                }
                *device_refusal.lock().unwrap() = Some(refusal);
                assert_eq!(refused(ask(requester, wire, place)), code);
                *device_refusal.lock().unwrap() = None;
                if proves && !inside {
                    requester.run(ChallengeResponder::new(0, 1), wire).unwrap();
                }
                run(requester, wire, place, Measure::all_signed(0)).unwrap();
                assert!(requester.sessions().eq(place) && wire.responder.sessions().eq(place));
            }
            ask(&mut requester, &mut wire, place).unwrap();
        }
    }
}

#[test]
fn device_refusals_keep_transcripts_equal() {
    Version::ALL.into_iter().for_each(|version| check_refusals(version, false));
}

#[test]
fn device_refusals_in_a_session_keep_transcripts_equal() {
    Version::ALL[1..].iter().for_each(|&version| check_refusals(version, true));
}

#[test]
fn retries_busy_device_within_patience() {
    for version in [Version::V1_1, Version::V1_4] {
        for inside in [false, true] {
            for ask in queries(version, inside) {
                let (mut requester, mut wire, device_refusal) = connected(version);
                let place = inside.then(|| requester.run(OpenSession::new(0), &mut wire).unwrap());
                run(&mut requester, &mut wire, place, Measure::new(1)).unwrap();
                *device_refusal.lock().unwrap() = Some(Refusal::new(ErrorCode::BUSY));
                let before = wire.log.len();
                let given_up = ask(&mut requester, &mut wire, place);
                assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
                // The requester waits 10, 10, 20 and 40 ms of at most 100 ms.
                assert_eq!(wire.log.len() - before, 5);
                *device_refusal.lock().unwrap() = None;
                assert_equal_transcripts(&mut requester, &mut wire, place);
                ask(&mut requester, &mut wire, place).unwrap();
            }
        }
    }
}

#[test]
fn requester_displays_vendor_errors() {
    for version in Version::ALL {
        let (mut requester, mut wire, device_refusal) = connected(version);
        let mut displayed = |standard: u8, vendor: &[u8], data: &[u8]| {
            *device_refusal.lock().unwrap() =
                Some(Refusal::vendor_defined(standard.into(), vendor, data).unwrap());
            let error = requester.run(Measure::new(1), &mut wire).unwrap_err();
            assert_eq!(error.vendor(), Some((standard, VendorError { vendor_id: vendor, data })));
            error.to_string()
        };
        let refused = "the responder refused GET_MEASUREMENTS: VendorDefined";
        assert_eq!(displayed(3, &[0x86, 0x80], &[9, 1]), format!("{refused} (PCI-SIG, vendor 8680: 0901)"));
        assert_eq!(displayed(0, &[], &[1]), format!("{refused} (DMTF: 01)"));
        assert_eq!(displayed(4, &[1, 2, 3, 4], &[]), format!("{refused} (IANA, vendor 01020304)"));
        displayed(10, &[5; 9], &[6; 22]);
        *device_refusal.lock().unwrap() = Some(Refusal::unsupported(Code::GET_MEASUREMENTS));
        let error = requester.run(Measure::new(1), &mut wire).unwrap_err();
        assert_eq!(error.vendor(), None);
        assert!(error.to_string().ends_with("UnsupportedRequest (0xe0)"), "{error}");
    }
    let nobody = |extended| Error::Refused {
        request: Code::GET_MEASUREMENTS,
        code: ErrorCode::VENDOR_DEFINED,
        data: 0x80,
        extended,
    };
    assert!(nobody(vec![0]).to_string().ends_with("VendorDefined (standard 0x80)"));
}

/// A device whose answers exceed the length fields.
struct OversizedAnswers;

impl Device for OversizedAnswers {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(vec![Measurement { index: 1, kind: 1, value: MeasuredValue::Raw(vec![0; 70_000]), tcb: true }])
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, _: &[u8], _: &[u8]) -> Result<Vec<u8>, Refusal> {
        Ok(vec![0; 70_000])
    }
}

/// The fault is the device's and the requests are valid, so the responder does not answer InvalidRequest.
#[test]
fn answers_unspecified_if_device_answer_is_oversized() {
    let credential = credential(classical("P256"));
    for version in [Version::V1_1, Version::V1_3] {
        let requester = config(version, common::REQUESTER);
        let mut requester = Requester::new(requester, Identity::default(), Box::new(DangerousAcceptAny));
        let responder =
            Responder::new(config(version, common::ALL), credential.identity(), Box::new(OversizedAnswers));
        let mut wire = Wire::new(responder);
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        assert_eq!(refused(requester.run(Measure::new(1), &mut wire)), ErrorCode::UNSPECIFIED);
        assert_eq!(refused(requester.run(ChallengeResponder::new(0, 1), &mut wire)), ErrorCode::UNSPECIFIED);
        assert_eq!(refused(requester.run(vendor(), &mut wire)), ErrorCode::UNSPECIFIED);
    }
}

/// DecryptError ends the session on both sides.
#[test]
fn device_decrypt_error_ends_the_session_on_both_sides() {
    let (mut requester, mut wire, device_refusal) = connected(Version::V1_3);
    let [first, second] = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
    *device_refusal.lock().unwrap() = Some(Refusal::new(ErrorCode::DECRYPT_ERROR));
    let code = refused(requester.run(vendor().within(first), &mut wire));
    assert_eq!(code, ErrorCode::DECRYPT_ERROR);
    assert!(requester.sessions().eq([second]) && wire.responder.sessions().eq([second]));
    requester.run(SendHeartbeat(second), &mut wire).unwrap();
}

/// A refusal by the requester's device is sent unchanged, and the session continues.
#[test]
fn responder_receives_refusals_of_the_requesters_device() {
    for version in [Version::V1_3, Version::V1_4] {
        let ([device, host], device_refusal) =
            ([(); 2].map(|()| credential(classical("P256"))), DeviceRefusal::default());
        let can = [common::ALL, common::REQUESTER | Caps::EP_INFO_SIG];
        let devices: [Box<dyn Device>; 2] =
            [Box::new(common::Sample), Box::new(RefusingDevice(device_refusal.clone()))];
        let (mut requester, mut wire) =
            mutually_authenticated([&device, &host], host.identity(), version, can, devices);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let busy = (Refusal::new(ErrorCode::BUSY), ErrorCode::BUSY);
        for (refusal, code) in refusals(version).into_iter().chain([busy]) {
            for (place, signed) in [(None, None), (None, Some(0)), (Some(session), Some(0))] {
                let question = ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed });
                let listen = || place.map_or(AnswerRequests::outside_sessions(), AnswerRequests::new);
                *device_refusal.lock().unwrap() = Some(refusal);
                wire.responder.queue_request(place, question.clone()).unwrap();
                let outcome = requester.run(listen(), &mut wire);
                assert!(
                    matches!(outcome, Err(Error::RefusedByRequester { code: got, .. }) if got == code),
                    "{outcome:?}"
                );
                if let Some((Packet::Message(delivered), _)) = wire.log.last() {
                    assert_eq!(delivered[4..], refusal.to_message(version));
                }
                *device_refusal.lock().unwrap() = None;
                wire.responder.queue_request(place, question).unwrap();
                requester.run(listen(), &mut wire).unwrap();
                assert_equal_transcripts(&mut requester, &mut wire, place);
            }
        }
    }
}
