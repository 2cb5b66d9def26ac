//! An ended session leaves no secrets and no pending messages in memory.

use crate::common::{ALL, REQUESTER, Wire, classical, config, credential, mutually_authenticated, refused};
use crate::responder_requests::Subscribers;
use grille_core::SecretBytes;
use grille_meter::{freed_secrets, watch_for};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::active_operation::ActiveOperation;
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::{Config, KeyLog, Packet};
use grille_spdm_engine::device::{Device, EventTypes, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::{Operation, Step};
use grille_spdm_engine::operations::{
    AnswerRequests, Connect, End, EventList, FetchCertificate, FetchEndpointInfo, Measure, OpenSession,
    ResponderRequest, SendEvents, SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::{SessionId, policy};
use grille_spdm_engine::trust::Roots;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The value of the device's measurement.
const VALUE: &[u8] = b"a measurement in a session";
/// The nonce in the requester's GET_MEASUREMENTS.
const NONCE: &[u8; 32] = b"the nonce of the session request";

struct SecretDevice;

impl Device for SecretDevice {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(vec![Measurement { index: 1, kind: 1, value: MeasuredValue::Raw(VALUE.to_vec()), tcb: true }])
    }

    /// Accepts only the first event.
    fn events_received(&mut self, _: SessionId, EventList { events, .. }: &EventList) -> Result<(), Refusal> {
        if events[0] == 0 { Ok(()) } else { Err(Refusal::new(ErrorCode::UNSPECIFIED)) }
    }
}

/// The name of a way to end a session, a function that ends it, and whether both sides learn of the end.
type Ending = (&'static str, fn(&mut Requester, &mut Wire, SessionId), bool);

const ENDINGS: [Ending; 7] = [
    ("END_SESSION", |requester, wire, session| requester.run(End(session), wire).unwrap(), true),
    ("GET_VERSION", |requester, wire, _| requester.run(Connect::new(), wire).unwrap(), true),
    (
        "DecryptError",
        |requester, wire, session| {
            let record = requester.seal_inside(session, &[9, 0]).unwrap();
            assert!(matches!(wire.exchange(record), Ok(Packet::Secured(_))), "the answer is in the session");
        },
        false,
    ),
    (
        "silence",
        |requester, wire, _| {
            requester.advance(Duration::from_secs(11));
            wire.responder.advance(Duration::from_secs(11));
        },
        true,
    ),
    (
        "forget_session",
        |requester, wire, session| {
            requester.forget_session(session);
            wire.responder.advance(Duration::from_secs(11));
        },
        true,
    ),
    ("RequestResynch", |_, wire, _| wire.responder.resynch(), false),
    ("drop", |_, _, _| {}, false),
];

/// Creates both sides. The responder's signer needs more time while the returned flag is set.
fn pair() -> (Requester, Wire, Arc<AtomicBool>) {
    let device = credential(classical("P256"));
    let (identity, later) = device.delayable_identity();
    // SHA-384 and AES-256-GCM
    let algorithms = Bits { hash: 1 << 1, aead: 1 << 1, ..Bits::all() };
    let [ours, mut theirs] =
        [REQUESTER, ALL].map(|flags| Config { algorithms, ..config(Version::V1_2, flags) });
    theirs.key_log = Some(KeyLog(Arc::new(|_, name, secret| {
        watch(secret.as_ref());
        if name.ends_with("data_secret") {
            watch(expand(secret.as_ref(), "traffic upd", 48).as_ref());
        }
    })));
    let requester =
        Requester::new(ours, Identity::default(), Box::new(Roots::new(vec![device.root.clone()])));
    let mut wire = Wire::new(Responder::new(theirs, identity, Box::new(SecretDevice)));
    let mut requester = requester;
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, later)
}

/// A requester's device. Its endpoint information is longer than the engine's buffer for short messages, 256 bytes.
struct EndpointInfoDevice;

impl Device for EndpointInfoDevice {
    fn endpoint_info(&mut self, _: u8) -> Result<Vec<u8>, Refusal> {
        Ok(VALUE.repeat(20))
    }

    fn subscribe(&mut self, _: SessionId, _: &EventTypes) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Creates two sides that authenticated each other. The requester's signer needs more time while the returned flag is
/// set.
fn authenticated_pair() -> (Requester, Wire, Arc<AtomicBool>) {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let (identity, later) = host.delayable_identity();
    let can = [ALL | Caps::EVENT, REQUESTER | Caps::EP_INFO_SIG | Caps::EVENT];
    let devices: [Box<dyn Device>; 2] = [Box::new(SecretDevice), Box::new(EndpointInfoDevice)];
    let (requester, wire) = mutually_authenticated([&device, &host], identity, Version::V1_3, can, devices);
    (requester, wire, later)
}

/// Makes the allocator count memory that is freed with a traffic secret, or with the key or IV derived from it.
fn watch(secret: &[u8]) {
    watch_for(secret);
    for (label, len) in [("key", 32), ("iv", 12)] {
        watch_for(expand(secret, label, len).as_ref());
    }
}

/// Derives a value from a traffic secret.
fn expand(secret: &[u8], label: &str, len: u16) -> SecretBytes {
    let info = [&len.to_le_bytes()[..], b"spdm1.2 ", label.as_bytes()];
    HASHES[1].expand(secret, &info, len.into())
}

#[test]
fn erases_every_session_secret() {
    for (name, end, _) in ENDINGS {
        for (ended, update) in [(0, false), (0, true), (1, false), (1, true)] {
            let (mut requester, mut wire, _) = pair();
            let sessions = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
            for session in sessions {
                watch_for(requester.export_secret(session).unwrap().as_ref());
                requester.run(SendHeartbeat(session), &mut wire).unwrap();
                requester.run(Measure::all_signed(0).within(session), &mut wire).unwrap();
            }
            // the session that is not updated keeps the keys that the key log received
            if update {
                requester.run(UpdateKeys::all_keys(sessions[ended]), &mut wire).unwrap();
            }
            end(&mut requester, &mut wire, sessions[ended]);
            drop((requester, wire));
            assert_eq!(freed_secrets(), 0, "{name} of session {ended}, keys updated: {update}");
        }
    }
}

/// Shows that the allocator finds a copied secret.
#[test]
fn detects_copied_secrets() {
    let (mut requester, mut wire, _) = pair();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let secret = requester.export_secret(session).unwrap();
    watch_for(secret.as_ref());
    drop(secret.as_ref().to_vec());
    drop((requester, wire));
    assert_eq!(freed_secrets(), 1);
}

/// Messages in the clear are not secret and are not erased.
#[test]
fn erases_deferred_responses_of_ended_sessions() {
    let request = [&[0x12, Code::GET_MEASUREMENTS.0, 3, 0xFF][..], NONCE, &[0]].concat();
    let not_ready = [0x12, Code::ERROR.0, ErrorCode::RESPONSE_NOT_READY.0];
    for (name, end, both) in ENDINGS {
        let (mut requester, mut wire, later) = pair();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let asked = requester.seal_message(session, &request).unwrap();
        later.store(true, Ordering::Relaxed);
        let Packet::Secured(answer) = wire.exchange(asked).unwrap() else { panic!("in the clear") };
        assert_eq!(requester.open_message(session, &answer).unwrap()[..3], not_ready);
        [VALUE, NONCE].into_iter().for_each(watch_for);
        end(&mut requester, &mut wire, session);
        let open = [requester.sessions().count(), wire.responder.sessions().count()];
        assert_eq!(open == [0, 0], both, "{name}");
        drop((requester, wire));
        assert_eq!(freed_secrets(), 0, "{name}");
    }
    let (mut requester, mut wire, later) = pair();
    later.store(true, Ordering::Relaxed);
    assert_eq!(wire.plain(&request)[..3], not_ready);
    [VALUE, NONCE].into_iter().for_each(watch_for);
    requester.run(Connect::new(), &mut wire).unwrap();
    assert_eq!(freed_secrets(), 2, "the request and the response");
}

/// The session ends while the requester's answer is unsigned, or is signed but not delivered.
#[test]
fn erases_pending_answers_of_the_requester() {
    type Ending = fn(&mut Requester, &mut Wire, SessionId, &mut ActiveOperation<AnswerRequests>);
    let endings: [Ending; 6] = [
        |requester, wire, _, _| requester.run(Connect::new(), wire).unwrap(),
        |requester, wire, session, active| {
            let in_flight = requester.run(End(session), wire);
            assert_eq!(refused(in_flight), ErrorCode::REQUEST_IN_FLIGHT);
            deliver(requester, wire, active);
            requester.run(End(session), wire).unwrap();
        },
        |requester, wire, _, _| {
            requester.advance(Duration::from_secs(11));
            wire.responder.advance(Duration::from_secs(11));
        },
        |requester, _, _, active| assert!(matches!(requester.resume(active), Ok(Step::Send(_)))),
        |requester, wire, _, active| deliver(requester, wire, active),
        |_, _, _, _| {},
    ];
    for (n, end) in endings.into_iter().enumerate() {
        let (mut requester, mut wire, later) = authenticated_pair();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.responder.queue_request(Some(session), KIND).unwrap();
        later.store(true, Ordering::Relaxed);
        let (mut active, packet) = requester.start(AnswerRequests::new(session)).unwrap();
        let question = wire.exchange(packet).unwrap();
        assert!(matches!(requester.receive(&mut active, question), Ok(Step::Sign(_))));
        later.store(false, Ordering::Relaxed);
        watch_for(VALUE);
        end(&mut requester, &mut wire, session, &mut active);
        drop((requester, wire, active));
        assert_eq!(freed_secrets(), 0, "ending {n}");
    }
}

/// Delivers the signed answer to the responder, which accepts it.
fn deliver(requester: &mut Requester, wire: &mut Wire, active: &mut ActiveOperation<AnswerRequests>) {
    let Ok(Step::Send(answer)) = requester.resume(active) else { panic!("not signed") };
    let taken = wire.exchange(answer).unwrap();
    assert!(matches!(requester.receive(active, taken), Ok(Step::Done(_))));
}

/// Returns an event of another standard, whose details contain the secret value.
fn secret_event(instance: u32) -> EventList {
    let (standard_id, vendor_id, detail) = (3, &[1, 0], &[VALUE, VALUE].concat());
    let event = Event { instance, standard_id, vendor_id, event_type: 0x55, detail };
    EventList::new(&[event]).unwrap()
}

/// The session ends while an event of the responder is queued, sent, received or acknowledged.
#[test]
fn erases_received_events_of_ended_sessions() {
    let list = secret_event(0);
    for (name, end, _) in ENDINGS.into_iter().filter(|(name, ..)| !name.contains("Error")) {
        for steps in 0..3 {
            let (mut requester, mut wire, _) = authenticated_pair();
            let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
            let session = requester.run(open, &mut wire).unwrap();
            watch_for(VALUE);
            wire.responder.queue_request(Some(session), ResponderRequest::Events(list.clone())).unwrap();
            let (mut active, mut packet) = requester.start(AnswerRequests::new(session)).unwrap();
            for step in 0..steps {
                let answer = wire.exchange(packet.clone()).unwrap();
                match requester.receive(&mut active, answer).unwrap() {
                    Step::Send(next) => packet = next,
                    Step::Done(events) => assert_eq!((events, step), (vec![list.clone()], 1)),
                    Step::Wait(..) | Step::Sign(_) => panic!("neither side defers its answer"),
                }
            }
            // END_SESSION must wait until the encapsulated request is answered, and records must be sent in order
            if name != "END_SESSION" || steps == 2 {
                end(&mut requester, &mut wire, session);
            }
            drop((requester, wire, active));
            assert_eq!(freed_secrets(), 0, "{name} after {steps} steps");
        }
    }
}

/// Tests an event that is not sent, and events that the responder accepts or refuses.
#[test]
fn erases_sent_events() {
    for (steps, takes) in [(0, true), (1, true), (1, false)] {
        let (mut requester, mut wire, _) = authenticated_pair();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.responder
            .queue_request(Some(session), ResponderRequest::Subscribe(Subscribers::types()))
            .unwrap();
        requester.run(AnswerRequests::new(session), &mut wire).unwrap();
        let tell = SendEvents { session, events: secret_event(u32::from(!takes)) };
        watch_for(VALUE);
        let (mut active, packet) = requester.start(tell).unwrap();
        if steps == 1 {
            let answer = wire.exchange(packet).unwrap();
            assert_eq!(requester.receive(&mut active, answer).is_ok(), takes);
        }
        drop((requester, wire, active));
        assert_eq!(freed_secrets(), 0, "after {steps} steps");
    }
}

/// Tests signed and unsigned endpoint information.
#[test]
fn erases_endpoint_info_of_sessions() {
    for signed in [None, Some(0)] {
        let (mut requester, mut wire, _) = authenticated_pair();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        watch_for(VALUE);
        let kind = ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed });
        wire.responder.queue_request(Some(session), kind).unwrap();
        requester.run(AnswerRequests::new(session), &mut wire).unwrap();
        drop((requester, wire));
        assert_eq!(freed_secrets(), 0, "{signed:?}");
    }
}

/// A request for the requester's signed endpoint information.
const KIND: ResponderRequest =
    ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed: Some(0) });
