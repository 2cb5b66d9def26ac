//! Session policies, and the responder's encapsulated requests.

use crate::common::{
    ALL, Credential, REQUESTER, RunningOperation, Wire, classical, config, credential,
    mutually_authenticated, pair_with,
};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{Event, EventGroup};
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::device::{Device, EventTypes};
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, AnswerRequests, ChallengeResponder, Connect, End, EventList, FetchCertificate,
    FetchDigests, FetchEndpointInfo, OpenSession, ResponderRequest, SendHeartbeat, UpdateKeys,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::{SessionId, policy};
use grille_spdm_engine::trust::Roots;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const CLEAR: Caps = Caps::HANDSHAKE_IN_THE_CLEAR;

/// A device that records the sessions that subscribed to some events, those subscribed to all events, and ended
/// sessions.
#[derive(Clone, Default)]
pub(crate) struct Subscribers {
    pub(crate) some: Arc<Mutex<Vec<(SessionId, EventTypes)>>>,
    pub(crate) all: Arc<Mutex<Vec<SessionId>>>,
    pub(crate) ended: Arc<Mutex<Vec<SessionId>>>,
}

impl Subscribers {
    /// Returns DMTF's event group of version 1, with the event CertificateChanged.
    pub(crate) fn types() -> EventTypes {
        let list = &[EventGroup::element(Event::CERTIFICATE_CHANGED)];
        EventTypes::new(&[EventGroup { version: 1, list, ..EventGroup::default() }]).unwrap()
    }
}

impl Device for Subscribers {
    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(Self::types())
    }

    fn subscribe(&mut self, session: SessionId, wanted: &EventTypes) -> Result<(), Refusal> {
        self.some.lock().unwrap().push((session, wanted.clone()));
        Ok(())
    }

    fn subscribe_all(&mut self, session: SessionId) {
        self.all.lock().unwrap().push(session);
    }

    fn session_ended(&mut self, session: SessionId) {
        self.ended.lock().unwrap().push(session);
    }
}

/// Connects both sides in this version with additional capabilities, and fetches the chain.
pub(crate) fn connected(
    version: Version,
    more: Caps,
    credential: &Credential,
) -> (Requester, Wire, Subscribers) {
    let with = |flags: Caps| config(version, flags | Caps::ENCAP | more);
    let subscribers = Subscribers::default();
    let judge = Box::new(Roots::new(vec![credential.root.clone()]));
    let mut requester = Requester::new(with(REQUESTER), Identity::default(), judge);
    let device = Box::new(subscribers.clone());
    let mut wire = Wire::new(Responder::new(with(ALL), credential.identity(), device));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, subscribers)
}

#[test]
fn device_update_ends_sessions_by_policy() {
    let credential = credential(classical("P256"));
    for version in [Version::V1_1, Version::V1_2, Version::V1_4] {
        let (mut requester, mut wire, _) = connected(version, Caps::NONE, &credential);
        let mut open = |policy| requester.run(OpenSession::new(0).with_policy(policy), &mut wire).unwrap();
        let (_, lives) = (open(0), open(policy::SURVIVES_UPDATES));
        wire.responder.updated();
        // 1.1 has no SessionPolicy
        let expected = if version == Version::V1_1 { vec![] } else { vec![lives] };
        assert_eq!(wire.responder.sessions().collect::<Vec<_>>(), expected);
        assert_eq!(requester.run(SendHeartbeat(lives), &mut wire).is_ok(), version != Version::V1_1);
    }
}

#[test]
fn event_all_policy_subscribes_when_the_session_opens() {
    let credential = credential(classical("P256"));
    for more in [Caps::EVENT, Caps::EVENT | CLEAR] {
        let (mut requester, mut wire, subscribers) = connected(Version::V1_3, more, &credential);
        requester.run(OpenSession::new(0), &mut wire).unwrap();
        let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
        let session = requester.run(open, &mut wire).unwrap();
        assert_eq!(*subscribers.all.lock().unwrap(), [session]);
    }
    let (mut requester, mut wire, subscribers) = connected(Version::V1_3, Caps::NONE, &credential);
    let refused = requester.run(OpenSession::new(0).with_policy(policy::ALL_EVENTS), &mut wire);
    assert!(
        matches!(&refused, Err(Error::Refused { code, .. }) if *code == ErrorCode::INVALID_POLICY),
        "{refused:?}"
    );
    assert!(subscribers.all.lock().unwrap().is_empty() && wire.responder.sessions().next().is_none());
}

#[test]
fn device_is_notified_once_of_every_ended_session() {
    type Ending = fn(&mut Requester, Wire, SessionId) -> Option<Wire>;
    let endings: [Ending; 5] = [
        |requester, mut wire, session| requester.run(End(session), &mut wire).map(|()| wire).ok(),
        |requester, mut wire, _| requester.run(Connect::new(), &mut wire).map(|()| wire).ok(),
        |_, mut wire, _| {
            wire.responder.advance(Duration::from_secs(11));
            Some(wire)
        },
        |_, mut wire, _| {
            wire.responder.updated();
            Some(wire)
        },
        |_, _, _| None,
    ];
    let credential = credential(classical("P256"));
    for ending in endings {
        let (mut requester, mut wire, Subscribers { ended, .. }) =
            connected(Version::V1_2, Caps::HBEAT, &credential);
        // the device is not notified of incomplete handshakes
        let (_, packet) = requester.start(OpenSession::new(0)).unwrap();
        wire.responder.receive(&packet);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
        assert_eq!(*ended.lock().unwrap(), []);
        let rest = ending(&mut requester, wire, session);
        assert_eq!(*ended.lock().unwrap(), [session]);
        drop(rest);
        assert_eq!(*ended.lock().unwrap(), [session]);
    }
}

#[test]
fn responder_updates_its_key() {
    let credential = credential(classical("P256"));
    for (version, more) in [(Version::V1_1, Caps::NONE), (Version::V1_2, CLEAR), (Version::V1_4, Caps::NONE)]
    {
        let (mut requester, mut wire, _) = connected(version, more, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        for _ in 0..3 {
            wire.responder.queue_request(Some(session), ResponderRequest::UpdateKey).unwrap();
            assert_eq!(requester.run(AnswerRequests::new(session), &mut wire).unwrap(), []);
            requester.run(SendHeartbeat(session), &mut wire).unwrap();
            requester.run(UpdateKeys::all_keys(session), &mut wire).unwrap();
            requester.run(SendHeartbeat(session), &mut wire).unwrap();
        }
    }
}

#[test]
fn refuses_get_encapsulated_request_without_pending_request() {
    let credential = credential(classical("P256"));
    for (version, code) in
        [(Version::V1_2, ErrorCode::UNEXPECTED_REQUEST), (Version::V1_3, ErrorCode::NO_PENDING_REQUESTS)]
    {
        let (mut requester, mut wire, _) = connected(version, Caps::NONE, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let other = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.responder.queue_request(Some(other), ResponderRequest::UpdateKey).unwrap();
        let refused = requester.run(AnswerRequests::new(session), &mut wire);
        assert!(matches!(&refused, Err(Error::Refused { code: got, .. }) if *got == code), "{refused:?}");
        // a request that is not queued for one session is discarded with the connection
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        assert!(requester.run(AnswerRequests::new(session), &mut wire).is_err());
    }
}

#[test]
fn drops_oversized_encapsulated_requests() {
    let credential = credential(classical("P256"));
    let mut theirs = config(Version::V1_3, Caps(REQUESTER.0 & !Caps::CHUNK.0) | Caps::ENCAP);
    (theirs.limits.data_transfer_size, theirs.limits.max_message_size) = (500, 500);
    let ours = config(Version::V1_3, ALL | Caps::ENCAP | Caps::EVENT);
    let (mut requester, mut wire) = pair_with(theirs, ours, &credential);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
    let session = requester.run(open, &mut wire).unwrap();
    // an event of the PCI-SIG without a vendor
    let event = Event { standard_id: 3, detail: &[0; 500], ..Event::default() };
    let events = EventList::new(&[event]).unwrap();
    wire.responder.queue_request(Some(session), ResponderRequest::Events(events)).unwrap();
    wire.responder.queue_request(Some(session), ResponderRequest::UpdateKey).unwrap();
    let refused = requester.run(AnswerRequests::new(session), &mut wire);
    let too_large = ErrorCode::RESPONSE_TOO_LARGE;
    assert!(matches!(&refused, Err(Error::Refused { code, .. }) if *code == too_large), "{refused:?}");
    // the next request is answered, and the session continues
    requester.run(AnswerRequests::new(session), &mut wire).unwrap();
    requester.run(SendHeartbeat(session), &mut wire).unwrap();
}

#[test]
fn queued_requests_end_with_their_session() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::NONE, &credential);
    let first = requester.run(OpenSession::new(0), &mut wire).unwrap();
    wire.responder.queue_request(Some(first), ResponderRequest::UpdateKey).unwrap();
    let (_, question) = requester.start(AnswerRequests::new(first)).unwrap();
    wire.responder.receive(&question);
    wire.responder.advance(Duration::from_secs(11));
    assert_eq!(wire.responder.sessions().count(), 0);
    let second = requester.run(OpenSession::new(0), &mut wire).unwrap();
    wire.responder.queue_request(Some(second), ResponderRequest::UpdateKey).unwrap();
    requester.run(AnswerRequests::new(second), &mut wire).unwrap();
    requester.run(SendHeartbeat(second), &mut wire).unwrap();
}

/// A device that has endpoint information and records the endpoint information of its peer.
#[derive(Clone, Default)]
struct EndpointInfoDevice(ReceivedInfo);

type ReceivedInfo = Arc<Mutex<Vec<(Option<SessionId>, FetchEndpointInfo, Vec<u8>)>>>;

const KIND: [u8; 12] = [1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];

impl Device for EndpointInfoDevice {
    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        (sub_code == 1).then(|| KIND.to_vec()).ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    fn endpoint_info_received(&mut self, session: Option<SessionId>, asked: FetchEndpointInfo, info: &[u8]) {
        self.0.lock().unwrap().push((session, asked, info.to_vec()));
    }
}

/// Connects a requester that is authenticated with slot 0. Also returns the endpoint information that the responder
/// will receive.
fn authenticated_pair(version: Version, requester_has: Caps) -> (Requester, Wire, ReceivedInfo) {
    let [device, host] = [classical("P256"), classical("P384")].map(credential);
    let kind = EndpointInfoDevice::default();
    let devices = [(); 2].map(|()| Box::new(kind.clone()) as Box<dyn Device>);
    let can = [ALL, REQUESTER | requester_has];
    let (requester, wire) = mutually_authenticated([&device, &host], host.identity(), version, can, devices);
    (requester, wire, kind.0)
}

#[test]
fn requester_sends_signed_endpoint_info() {
    for version in [Version::V1_3, Version::V1_4] {
        let (mut requester, mut wire, received_info) = authenticated_pair(version, Caps::EP_INFO_SIG);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let mut expected = Vec::new();
        for signed in [None, Some(0)] {
            let asked = FetchEndpointInfo { sub_code: 1, signed };
            for place in [None, Some(session)] {
                wire.responder.queue_request(place, ResponderRequest::EndpointInfo(asked)).unwrap();
                let listen = place.map_or(AnswerRequests::outside_sessions(), AnswerRequests::new);
                assert_eq!(requester.run(listen, &mut wire).unwrap(), []);
                expected.push((place, asked, KIND.to_vec()));
            }
        }
        assert_eq!(*received_info.lock().unwrap(), expected);
        // a request that is not queued for one session may be sent in any, and the session continues
        wire.responder.queue_request(None, ResponderRequest::EndpointInfo(expected[0].1)).unwrap();
        requester.run(AnswerRequests::new(session), &mut wire).unwrap();
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
        assert_eq!(received_info.lock().unwrap().len(), 5);
    }
}

#[test]
fn rejects_every_altered_byte_of_signed_endpoint_info() {
    let (mut requester, mut wire, received_info) = authenticated_pair(Version::V1_3, Caps::EP_INFO_SIG);
    let asked = FetchEndpointInfo { sub_code: 1, signed: Some(0) };
    let header = 4 + 4;
    for at in header..header + 32 + 4 + KIND.len() + 96 {
        wire.responder.queue_request(None, ResponderRequest::EndpointInfo(asked)).unwrap();
        let (mut active, packet) = requester.start(AnswerRequests::outside_sessions()).unwrap();
        let answer = wire.responder.receive(&packet);
        let Step::Send(Packet::Message(mut delivered)) = requester.receive(&mut active, answer).unwrap()
        else {
            panic!("a message")
        };
        assert_eq!(delivered.len(), 4 + header + 32 + 4 + KIND.len() + 96);
        delivered[4 + at] ^= 1;
        assert_eq!(wire.plain(&delivered)[1..3], [0x7F, ErrorCode::INVALID_RESPONSE_CODE.0], "{at}");
    }
    assert!(received_info.lock().unwrap().is_empty());
}

#[test]
fn refuses_to_queue_impossible_requests() {
    let describe = |signed| ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed });
    let (_, mut wire, _) = authenticated_pair(Version::V1_3, Caps::EP_INFO_NO_SIG);
    let mut ask = |session, question| {
        wire.responder.queue_request(session, question).map_err(|error| error.to_string())
    };
    assert_eq!(ask(None, describe(None)), Ok(()));
    for (session, question, reason) in [
        (None, describe(Some(0)), "the two sides did not negotiate support for GET_ENDPOINT_INFO"),
        (Some(5), describe(None), "there is no session 0x00000005"),
        (None, ResponderRequest::UpdateKey, "KEY_UPDATE is allowed only in a session; specify one"),
        (
            None,
            ResponderRequest::Events(EventList::default()),
            "the two sides did not negotiate support for SEND_EVENT",
        ),
        (
            None,
            ResponderRequest::EventTypes,
            "the two sides did not negotiate support for GET_SUPPORTED_EVENT_TYPES",
        ),
        (
            None,
            ResponderRequest::Subscribe(EventTypes::default()),
            "the two sides did not negotiate support for SUBSCRIBE_EVENT_TYPES",
        ),
    ] {
        assert_eq!(ask(session, question), Err(reason.to_owned()));
    }
    let (_, mut wire, _) = authenticated_pair(Version::V1_3, Caps::EVENT);
    for question in [ResponderRequest::EventTypes, ResponderRequest::Subscribe(EventTypes::default())] {
        let outside = wire.responder.queue_request(None, question);
        assert!(matches!(outside, Err(Usage::NotInSession { .. })), "{outside:?}");
    }
    let (_, mut wire, _) = authenticated_pair(Version::V1_3, Caps::EP_INFO_SIG);
    assert!(matches!(wire.responder.queue_request(None, describe(Some(3))), Err(Usage::NoChain { slot: 3 })));
    let (_, mut wire, _) = authenticated_pair(Version::V1_2, Caps::NONE);
    assert!(matches!(wire.responder.queue_request(None, describe(None)), Err(Usage::NoCapability { .. })));
}

#[test]
fn limits_the_request_queue() {
    let (mut requester, mut wire, _) = authenticated_pair(Version::V1_3, Caps::EP_INFO_NO_SIG);
    let describe = || ResponderRequest::EndpointInfo(FetchEndpointInfo { sub_code: 1, signed: None });
    let taken = (0..2000).take_while(|_| wire.responder.queue_request(None, describe()).is_ok()).count();
    assert_eq!(taken, 1024);
    let refused = wire.responder.queue_request(None, describe()).unwrap_err();
    assert!(refused.to_string().starts_with("1024 encapsulated requests already wait"), "{refused}");
    // an answered request frees a place in the queue
    requester.run(AnswerRequests::outside_sessions(), &mut wire).unwrap();
    wire.responder.queue_request(None, describe()).unwrap();
}

#[test]
fn requester_refuses_requests_without_capability() {
    let credential = credential(classical("P256"));
    for (request, without, version) in [
        (Code::GET_DIGESTS, Caps::CERT | Caps::CHAL, Version::V1_3),
        (Code::GET_CERTIFICATE, Caps::CERT | Caps::CHAL, Version::V1_3),
        (Code::CHALLENGE, Caps::CHAL, Version::V1_3),
        (Code::KEY_UPDATE, Caps::KEY_UPD, Version::V1_3),
        (Code::GET_ENDPOINT_INFO, Caps::NONE, Version::V1_3),
        (Code::GET_ENDPOINT_INFO, Caps::NONE, Version::V1_2),
        (Code::SEND_EVENT, Caps::NONE, Version::V1_3),
        (Code::GET_SUPPORTED_EVENT_TYPES, Caps::NONE, Version::V1_3),
        (Code::SUBSCRIBE_EVENT_TYPES, Caps::NONE, Version::V1_3),
        (Code::GET_MEASUREMENTS, Caps::NONE, Version::V1_3),
    ] {
        let theirs = config(version, Caps((REQUESTER | Caps::ENCAP).0 & !without.0));
        let (mut requester, mut wire) = pair_with(theirs, config(version, ALL | Caps::ENCAP), &credential);
        requester.run(Connect::new(), &mut wire).unwrap();
        let (mut active, _) = requester.start(AnswerRequests::outside_sessions()).unwrap();
        let version = version.byte();
        let question = [&[version, 0x6A, 7, 0, version, request.0][..], &[0; 42]].concat();
        let Step::Send(answer) = requester.receive(&mut active, Packet::Message(question)).unwrap() else {
            panic!("done")
        };
        let unsupported =
            vec![version, 0xEB, 7, 0, version, 0x7F, ErrorCode::UNSUPPORTED_REQUEST.0, request.0];
        assert_eq!(answer, Packet::Message(unsupported), "{request}");
    }
}

#[test]
fn refuses_nested_encapsulated_requests() {
    let (mut requester, _, _) = authenticated_pair(Version::V1_3, Caps::NONE);
    for code in [0xEA, 0xEB] {
        let (mut active, _) = requester.start(AnswerRequests::outside_sessions()).unwrap();
        let question = Packet::Message([&[0x13, 0x6A, 7, 0][..], &[0x13, code, 0, 0]].concat());
        let Step::Send(answer) = requester.receive(&mut active, question).unwrap() else { panic!("done") };
        let unexpected = ErrorCode::UNEXPECTED_REQUEST.0;
        assert_eq!(answer, Packet::Message(vec![0x13, 0xEB, 7, 0, 0x13, 0x7F, unexpected, 0]));
    }
}

#[test]
fn refusals_during_a_flow_end_no_transcript() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_2, Caps::NONE, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    wire.responder.queue_request(Some(session), ResponderRequest::UpdateKey).unwrap();
    assert_eq!(within(session, &mut requester, &mut wire, [0x12, 0xEA, 0, 0])[1], 0x6A);
    // B starts, and the session is used before it ends
    requester.run(FetchDigests, &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let refused = within(session, &mut requester, &mut wire, [0x12, 0xE8, 0, 0]);
    assert_eq!(refused[1..3], [0x7F, ErrorCode::REQUEST_IN_FLIGHT.0]);
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
}

#[test]
fn session_request_waits_during_mutual_authentication() {
    let (mut requester, mut wire, received_info) = authenticated_pair(Version::V1_3, Caps::EP_INFO_SIG);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let asked = FetchEndpointInfo { sub_code: 1, signed: None };
    wire.responder.queue_request(Some(session), ResponderRequest::EndpointInfo(asked)).unwrap();
    assert_eq!(within(session, &mut requester, &mut wire, [0x13, 0xEA, 0, 0])[1], 0x6A);
    requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    requester.run(AnswerMutualAuth::new(), &mut wire).unwrap();
    assert!(received_info.lock().unwrap().is_empty());
    requester.run(AnswerRequests::new(session), &mut wire).unwrap();
    assert_eq!(*received_info.lock().unwrap(), [(Some(session), asked, KIND.to_vec())]);
}

/// Requests are outstanding outside sessions and in two sessions. One session ends before its request is answered,
/// which does not affect the other two requests.
#[test]
fn answers_requests_in_their_own_place() {
    for ended in 0..2 {
        let (mut requester, mut wire, received_info) = authenticated_pair(Version::V1_3, Caps::EP_INFO_SIG);
        let asked = [None, Some(0), None].map(|signed| FetchEndpointInfo { sub_code: 1, signed });
        let mut open = |place| {
            let policy = if place == ended { 0 } else { policy::SURVIVES_UPDATES };
            requester.run(OpenSession::new(0).with_policy(policy), &mut wire).unwrap()
        };
        let sessions = [open(0), open(1)];
        let places = [Some(sessions[0]), Some(sessions[1]), None];
        let mut active_operations = Vec::new();
        for (place, asked) in places.into_iter().zip(asked) {
            wire.responder.queue_request(place, ResponderRequest::EndpointInfo(asked)).unwrap();
            active_operations.push(RunningOperation::new(
                &mut requester,
                place.map_or(AnswerRequests::outside_sessions(), AnswerRequests::new),
            ));
        }
        for active in &mut active_operations {
            assert!(!active.step(&mut requester, &mut wire), "the request is outstanding");
        }
        wire.responder.updated();
        let mut expected = Vec::new();
        for at in [2, 1, 0].into_iter().filter(|at| *at != ended) {
            assert!(active_operations[at].step(&mut requester, &mut wire), "no other request is queued");
            expected.push((places[at], asked[at], KIND.to_vec()));
        }
        assert_eq!(*received_info.lock().unwrap(), expected);
        assert!(wire.responder.sessions().eq([sessions[1 - ended]]));
        requester.run(SendHeartbeat(sessions[1 - ended]), &mut wire).unwrap();
    }
}

/// Sends a message in a session in the requester's place, and returns the answer.
fn within(session: SessionId, requester: &mut Requester, wire: &mut Wire, message: [u8; 4]) -> Vec<u8> {
    let record = requester.seal_message(session, &message).unwrap();
    let Packet::Secured(answer) = wire.exchange(record).unwrap() else { panic!("in the clear") };
    requester.open_message(session, &answer).unwrap()
}
