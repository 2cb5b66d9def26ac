//! A requester with a slow signer that answers encapsulated requests inside and outside sessions at the same time.

use crate::common::{
    ALL, DELAY_EXPONENT, REQUESTER, Wire, classical, credential, mutually_authenticated, refused,
};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::active_operation::ActiveOperation;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::device::Device;
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{
    AnswerRequests, Connect, FetchDigests, FetchEndpointInfo, OpenSession, ResponderRequest, SendHeartbeat,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::session::SessionId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A device with endpoint information. Records the sessions in which the peer's information arrived.
#[derive(Clone, Default)]
struct EndpointInfoDevice(Arc<Mutex<Vec<Option<SessionId>>>>);

impl Device for EndpointInfoDevice {
    fn endpoint_info(&mut self, _: u8) -> Result<Vec<u8>, Refusal> {
        Ok(vec![1, 0, 0, 0])
    }

    fn endpoint_info_received(&mut self, session: Option<SessionId>, _: FetchEndpointInfo, _: &[u8]) {
        self.0.lock().unwrap().push(session);
    }
}

/// Creates two authenticated sides. Also returns a flag, and the responder's device. While the flag is set, the
/// requester's signer needs more time.
fn authenticated_pair() -> (Requester, Wire, Arc<AtomicBool>, EndpointInfoDevice) {
    let received_info = EndpointInfoDevice::default();
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let (identity, later) = host.delayable_identity();
    let can = [ALL, REQUESTER | Caps::EP_INFO_SIG];
    let devices: [Box<dyn Device>; 2] =
        [Box::new(received_info.clone()), Box::new(EndpointInfoDevice::default())];
    let (requester, wire) = mutually_authenticated([&device, &host], identity, Version::V1_3, can, devices);
    (requester, wire, later, received_info)
}

/// Makes the requester ask for signed endpoint information. The answer waits for the signature.
fn request_signed_info(
    requester: &mut Requester,
    wire: &mut Wire,
    place: Option<SessionId>,
) -> ActiveOperation<AnswerRequests> {
    let kind = ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed: Some(0) });
    wire.responder.queue_request(place, kind).unwrap();
    let (mut active, packet) =
        requester.start(place.map_or(AnswerRequests::outside_sessions(), AnswerRequests::new)).unwrap();
    let question = wire.exchange(packet).unwrap();
    assert!(matches!(requester.receive(&mut active, question), Ok(Step::Sign(_))));
    active
}

#[test]
fn waits_for_slow_signer_with_backoff() {
    let (mut requester, mut wire, later, received_info) = authenticated_pair();
    later.store(true, Ordering::Relaxed);
    let mut active = request_signed_info(&mut requester, &mut wire, None);
    let mut waited = vec![Duration::from_micros(1 << DELAY_EXPONENT)];
    let ends = loop {
        match requester.resume(&mut active) {
            Ok(Step::Sign(time)) => waited.push(time),
            ends => break ends,
        }
    };
    assert!(matches!(ends, Err(Error::Usage(Usage::KeyNotReady { exponent: DELAY_EXPONENT }))));
    let micros: Vec<_> = waited.iter().map(Duration::as_micros).collect();
    assert_eq!(micros[..7], [32_768, 32_768, 65_536, 131_072, 262_144, 524_288, 1_000_000]);
    let all: Duration = waited.iter().sum();
    assert!(all <= Duration::from_mins(1) && all > Duration::from_secs(59), "{all:?}");
    // the signer becomes ready in the meantime
    later.store(true, Ordering::Relaxed);
    let mut active = request_signed_info(&mut requester, &mut wire, None);
    later.store(false, Ordering::Relaxed);
    let Ok(Step::Send(answer)) = requester.resume(&mut active) else { panic!("not signed") };
    let taken = wire.exchange(answer).unwrap();
    assert!(matches!(requester.receive(&mut active, taken), Ok(Step::Done(_))));
    assert_eq!(*received_info.0.lock().unwrap(), [None]);
}

/// Each answer is sent in the session of its request, or outside sessions if the request was. This holds for any order
/// of requests and answers.
#[test]
fn pending_answers_are_sent_in_their_own_place() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let (mut requester, mut wire, later, received_info) = authenticated_pair();
        let sessions = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
        let places = [None, Some(sessions[0]), Some(sessions[1])];
        later.store(true, Ordering::Relaxed);
        let mut active_operations = places.map(|place| request_signed_info(&mut requester, &mut wire, place));
        for active in &mut active_operations {
            let early = requester.receive(active, Packet::Message(Vec::new()));
            assert!(matches!(early, Err(Error::Usage(Usage::NoResponseExpected))), "no response is expected");
            assert!(matches!(requester.resume(active), Ok(Step::Sign(_))));
        }
        // other operations do not affect the pending answers
        assert_eq!(refused(requester.run(FetchDigests, &mut wire)), ErrorCode::REQUEST_IN_FLIGHT);
        later.store(false, Ordering::Relaxed);
        for at in order {
            let Ok(Step::Send(answer)) = requester.resume(&mut active_operations[at]) else {
                panic!("not signed")
            };
            assert_eq!(matches!(answer, Packet::Secured(_)), places[at].is_some());
            let taken = wire.exchange(answer).unwrap();
            assert!(matches!(requester.receive(&mut active_operations[at], taken), Ok(Step::Done(_))));
        }
        assert_eq!(*received_info.0.lock().unwrap(), order.map(|at| places[at]));
        for session in sessions {
            requester.run(SendHeartbeat(session), &mut wire).unwrap();
        }
    }
}

/// An ended session has no pending answer. Its end does not affect pending answers in other sessions and outside
/// sessions.
#[test]
fn pending_answers_end_with_their_session() {
    let (mut requester, mut wire, later, received_info) = authenticated_pair();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    later.store(true, Ordering::Relaxed);
    let [mut outside, mut inside] =
        [None, Some(session)].map(|at| request_signed_info(&mut requester, &mut wire, at));
    requester.advance(Duration::from_secs(11));
    later.store(false, Ordering::Relaxed);
    let gone = requester.resume(&mut inside);
    assert!(matches!(gone, Err(Error::Usage(Usage::NoSession { session: over })) if over == session));
    let Ok(Step::Send(Packet::Message(answer))) = requester.resume(&mut outside) else { panic!("a message") };
    wire.plain(&answer);
    assert_eq!(*received_info.0.lock().unwrap(), [None]);
    // a new connection has no pending answer of the previous connection
    later.store(true, Ordering::Relaxed);
    let mut outside = request_signed_info(&mut requester, &mut wire, None);
    requester.run(Connect::new(), &mut wire).unwrap();
    later.store(false, Ordering::Relaxed);
    assert!(matches!(requester.resume(&mut outside), Err(Error::Usage(Usage::NoResponseExpected))));
}
