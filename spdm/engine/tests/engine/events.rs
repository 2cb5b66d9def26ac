//! Events, which either side sends to a subscribed peer.

use crate::common::{self, ALL, Wire, classical, credential, mutually_authenticated};
use crate::responder_requests::{Subscribers, connected};
use crate::scripted_responder::{Keys, REQUESTER, RESPONDER, in_session};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::device::{Device, EmptyDevice, EventTypes};
use grille_spdm_engine::error::{Error, Refusal, Usage};
use grille_spdm_engine::operation::{Operation, Step};
use grille_spdm_engine::operations::{
    AnswerRequests, End, EventList, FetchEventTypes, OpenSession, ResponderRequest, SendEvents,
    SendHeartbeat, Subscribe,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::session::{SessionId, policy};
use std::sync::{Arc, Mutex};

/// Returns a list with one event: the certificate in slot 0 changed.
fn changed(instance: u32) -> EventList {
    let event_type = Event::CERTIFICATE_CHANGED;
    EventList::new(&[Event { instance, event_type, detail: &[1], ..Event::default() }]).unwrap()
}

/// Returns a list that states `count` events, with these instance IDs.
fn events_with_count(count: u32, instances: &[u32]) -> EventList {
    let events = instances.iter().flat_map(|&instance| changed(instance).events.clone());
    EventList { count, events: events.collect() }
}

/// Returns invalid lists, each with the name of its fault.
fn invalid_lists() -> [(&'static str, EventList); 5] {
    [
        ("none", EventList::default()),
        ("count is too high", events_with_count(2, &[1])),
        ("a repeated instance ID", events_with_count(2, &[1, 1])),
        ("one is missing", events_with_count(2, &[1, 3])),
        (
            "two masks of slots",
            EventList { count: 1, events: vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2, 0, 1, 1] },
        ),
    ]
}

/// Opens a session whose requester is subscribed to every event of the responder.
fn subscribed() -> (Requester, Wire, SessionId) {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
    let session = requester.run(open, &mut wire).unwrap();
    (requester, wire, session)
}

#[test]
fn requester_receives_events_in_order() {
    let (mut requester, mut wire, session) = subscribed();
    let lists = [1, 2].map(changed);
    for list in &lists {
        wire.responder.queue_request(Some(session), ResponderRequest::Events(list.clone())).unwrap();
    }
    for list in &lists {
        assert_eq!(
            requester.run(AnswerRequests::new(session), &mut wire).unwrap(),
            std::slice::from_ref(list)
        );
    }
}

/// Between two packets, the responder's caller reads the device's subscribers and sends them an event.
#[test]
fn caller_reaches_the_device() {
    let (mut requester, mut wire, session) = subscribed();
    let device = wire.responder.device_mut::<Subscribers>().unwrap();
    let listening = core::mem::take(&mut *device.all.lock().unwrap());
    assert_eq!(listening, [session]);
    wire.responder.queue_request(Some(session), ResponderRequest::Events(changed(1))).unwrap();
    assert_eq!(requester.run(AnswerRequests::new(session), &mut wire).unwrap(), [changed(1)]);
    assert!(wire.responder.device_mut::<EmptyDevice>().is_none());
    assert!(
        requester.device_mut::<EmptyDevice>().is_some() && requester.device_mut::<Subscribers>().is_none()
    );
}

/// Returns the requester's answer to an encapsulated request from the test.
fn requester_answer(requester: &mut Requester, keys: &mut Keys, request: &[u8]) -> Vec<u8> {
    let (mut active, packet) = requester.start(AnswerRequests::new(keys.session)).unwrap();
    assert_eq!(keys.open(REQUESTER, packet)[1], Code::GET_ENCAPSULATED_REQUEST.0);
    let asked = [&[0x13, Code::ENCAPSULATED_REQUEST.0, 7, 0], request].concat();
    let asked = keys.seal(RESPONDER, &asked);
    let Ok(Step::Send(packet)) = requester.receive(&mut active, asked) else { panic!("no answer") };
    let delivered = keys.open(REQUESTER, packet);
    assert_eq!(delivered[1..3], [Code::DELIVER_ENCAPSULATED_RESPONSE.0, 7]);
    delivered[4..].to_vec()
}

fn send_event(EventList { count, events }: &EventList) -> Vec<u8> {
    [&[0x13, Code::SEND_EVENT.0, 0, 0][..], &count.to_le_bytes(), events].concat()
}

const INVALID: [u8; 4] = [0x13, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0];

#[test]
fn invalid_events_are_not_sent_and_requester_refuses_them() {
    let (mut requester, mut wire, session) = subscribed();
    let (mut deceived, _, mut keys) = in_session(Version::V1_3);
    for (name, wrong) in invalid_lists() {
        assert_eq!(requester_answer(&mut deceived, &mut keys, &send_event(&wrong)), INVALID, "{name}");
        let outcome = wire.responder.queue_request(Some(session), ResponderRequest::Events(wrong));
        assert_eq!(outcome, Err(Usage::Events), "{name}");
    }
    let fine = events_with_count(3, &[3, 1, 2]);
    wire.responder.queue_request(Some(session), ResponderRequest::Events(fine.clone())).unwrap();
    assert_eq!(requester.run(AnswerRequests::new(session), &mut wire).unwrap(), [fine]);
}

#[test]
fn unsubscribed_requester_gets_no_events() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let tell =
        |wire: &mut Wire| wire.responder.queue_request(Some(session), ResponderRequest::Events(changed(1)));
    assert_eq!(tell(&mut wire), Err(Usage::NotSubscribed { session }));
    let types = requester.run(FetchEventTypes.within(session), &mut wire).unwrap();
    requester.run(Subscribe(types.clone()).within(session), &mut wire).unwrap();
    tell(&mut wire).unwrap();
    requester.run(Subscribe::default().within(session), &mut wire).unwrap();
    assert_eq!(tell(&mut wire), Err(Usage::NotSubscribed { session }));
    // the end of the subscription drops queued events, even if the requester subscribes again; other queued requests
    // remain
    requester.run(Subscribe(types).within(session), &mut wire).unwrap();
    tell(&mut wire).unwrap();
    wire.responder.queue_request(Some(session), ResponderRequest::UpdateKey).unwrap();
    requester.run(Subscribe::default().within(session), &mut wire).unwrap();
    assert_eq!(requester.run(AnswerRequests::new(session), &mut wire).unwrap(), []);
    assert!(requester.run(AnswerRequests::new(session), &mut wire).is_err());
}

#[test]
fn events_are_limited_to_the_subscribed_session() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, subscribers) = connected(Version::V1_3, Caps::EVENT, &credential);
    let [first, second] = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
    let types = requester.run(FetchEventTypes.within(second), &mut wire).unwrap();
    requester.run(Subscribe(types.clone()).within(second), &mut wire).unwrap();
    assert_eq!(*subscribers.some.lock().unwrap(), [(second, types)]);
    assert!(subscribers.all.lock().unwrap().is_empty());
    // events of one session are not sent in another
    let list = changed(1);
    let tell =
        |wire: &mut Wire| wire.responder.queue_request(Some(second), ResponderRequest::Events(list.clone()));
    for _ in 0..2 {
        tell(&mut wire).unwrap();
        let nothing = requester.run(AnswerRequests::new(first), &mut wire);
        let pending = matches!(&nothing, Err(Error::Refused { code: ErrorCode::NO_PENDING_REQUESTS, .. }));
        assert!(pending, "{nothing:?}");
        assert_eq!(
            requester.run(AnswerRequests::new(second), &mut wire).unwrap(),
            std::slice::from_ref(&list)
        );
    }
    // events that are queued when the session ends are not sent
    tell(&mut wire).unwrap();
    requester.run(End(second), &mut wire).unwrap();
    assert_eq!(*subscribers.ended.lock().unwrap(), [second]);
    assert!(matches!(tell(&mut wire), Err(Usage::NoSession { .. })));
    assert!(requester.run(AnswerRequests::new(first), &mut wire).is_err());
    assert!(requester.run(AnswerRequests::outside_sessions(), &mut wire).is_err());
    requester.run(SendHeartbeat(first), &mut wire).unwrap();
}

/// The responder's device, which receives the requester's events.
#[derive(Clone, Default)]
struct Recipient(Arc<Mutex<ReceivedEvents>>);

#[derive(Default)]
struct ReceivedEvents {
    /// The requester's event types and its events.
    offered: Vec<(SessionId, EventTypes)>,
    received: Vec<(SessionId, EventList)>,
    /// The number of times that the device answers Busy before it accepts events.
    busy: usize,
}

impl Device for Recipient {
    fn event_types_received(&mut self, session: SessionId, types: &EventTypes) {
        self.0.lock().unwrap().offered.push((session, types.clone()));
    }

    fn events_received(&mut self, session: SessionId, events: &EventList) -> Result<(), Refusal> {
        let mut outcome = self.0.lock().unwrap();
        if let Some(less) = outcome.busy.checked_sub(1) {
            outcome.busy = less;
            return Err(Refusal::new(ErrorCode::BUSY));
        }
        outcome.received.push((session, events.clone()));
        Ok(())
    }
}

/// Connects a requester that supports events to a responder with this device. The two sides have authenticated each
/// other.
fn notifier(recipient: Box<dyn Device>) -> (Requester, Wire, Subscribers) {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let subscribers = Subscribers::default();
    let devices = [recipient, Box::new(subscribers.clone()) as Box<dyn Device>];
    let can = [ALL, common::REQUESTER | Caps::EVENT];
    let (requester, wire) =
        mutually_authenticated([&device, &host], host.identity(), Version::V1_3, can, devices);
    (requester, wire, subscribers)
}

/// Queues a request of the responder, which the requester answers.
fn queue_and_answer(
    requester: &mut Requester,
    wire: &mut Wire,
    session: SessionId,
    question: ResponderRequest,
) {
    wire.responder.queue_request(Some(session), question).unwrap();
    assert_eq!(requester.run(AnswerRequests::new(session), wire).unwrap(), []);
}

#[test]
fn responder_subscribes_to_requester_events() {
    let recipient = Recipient::default();
    let (mut requester, mut wire, subscribers) = notifier(Box::new(recipient.clone()));
    let [session, other] = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
    let tell = |session, instance| SendEvents { session, events: changed(instance) };
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::EventTypes);
    let types = Subscribers::types();
    assert_eq!(recipient.0.lock().unwrap().offered, [(session, types.clone())]);
    // Events cannot be sent before the subscription or in another session.
    let early = requester.run(tell(session, 0), &mut wire);
    assert!(matches!(early, Err(Error::Usage(Usage::NotSubscribed { .. }))), "{early:?}");
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(types.clone()));
    assert_eq!(*subscribers.some.lock().unwrap(), [(session, types)]);
    let elsewhere = requester.run(tell(other, 0), &mut wire);
    assert!(matches!(elsewhere, Err(Error::Usage(Usage::NotSubscribed { .. }))), "{elsewhere:?}");
    for instance in 0..3 {
        requester.run(tell(session, instance), &mut wire).unwrap();
    }
    let expected = [0, 1, 2].map(|instance| (session, changed(instance)));
    assert_eq!(recipient.0.lock().unwrap().received, expected);
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(EventTypes::default()));
    let late = requester.run(tell(session, 3), &mut wire);
    assert!(matches!(late, Err(Error::Usage(Usage::NotSubscribed { .. }))), "{late:?}");
    requester.run(End(session), &mut wire).unwrap();
    assert_eq!(*subscribers.ended.lock().unwrap(), [session]);
}

#[test]
fn resends_events_to_busy_responder() {
    let recipient = Recipient::default();
    let (mut requester, mut wire, _) = notifier(Box::new(recipient.clone()));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(Subscribers::types()));
    recipient.0.lock().unwrap().busy = 2;
    requester.run(SendEvents { session, events: changed(7) }, &mut wire).unwrap();
    assert_eq!(recipient.0.lock().unwrap().received, [(session, changed(7))]);
}

#[test]
fn invalid_events_are_not_sent_and_responder_refuses_them() {
    let recipient = Recipient::default();
    let (mut requester, mut wire, _) = notifier(Box::new(recipient.clone()));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(Subscribers::types()));
    for (name, events) in invalid_lists() {
        let message = send_event(&events);
        assert_eq!(ask_in_session(&mut requester, &mut wire, session, &message), INVALID, "{name}");
        let outcome = requester.run(SendEvents { session, events }, &mut wire);
        assert!(matches!(outcome, Err(Error::Usage(Usage::Events))), "{name}: {outcome:?}");
        requester.run(SendHeartbeat(session), &mut wire).unwrap();
    }
    assert!(recipient.0.lock().unwrap().received.is_empty());
}

/// Returns the answer to a message in a session.
fn ask_in_session(requester: &mut Requester, wire: &mut Wire, session: SessionId, message: &[u8]) -> Vec<u8> {
    let sealed = requester.seal_message(session, message).unwrap();
    let Packet::Secured(answer) = wire.exchange(sealed).unwrap() else { panic!("in the clear") };
    requester.open_message(session, &answer).unwrap().to_vec()
}

/// The responder's device does not accept events, the requester has no EVENT_CAP, or the responder is not subscribed.
#[test]
fn refuses_unnegotiated_or_unexpected_events() {
    let (mut requester, mut wire, _) = notifier(Box::new(EmptyDevice));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(Subscribers::types()));
    let unexpected = requester.run(SendEvents { session, events: changed(1) }, &mut wire);
    let refused = matches!(&unexpected, Err(Error::Refused { code: ErrorCode::UNEXPECTED_REQUEST, .. }));
    assert!(refused, "{unexpected:?}");
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::NONE, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let list = changed(1);
    let error = |requester: &mut Requester, wire: &mut Wire, session| {
        let answer = ask_in_session(requester, wire, session, &send_event(&list));
        assert_eq!(answer[1], Code::ERROR.0);
        ErrorCode(answer[2])
    };
    assert_eq!(error(&mut requester, &mut wire, session), ErrorCode::UNSUPPORTED_REQUEST);
    // without a subscription the responder expects no events
    let recipient = Recipient::default();
    let (mut requester, mut wire, _) = notifier(Box::new(recipient.clone()));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    for types in [EventTypes::default(), Subscribers::types(), EventTypes::default()] {
        assert_eq!(error(&mut requester, &mut wire, session), ErrorCode::UNEXPECTED_REQUEST);
        let some = types.count != 0;
        queue_and_answer(&mut requester, &mut wire, session, ResponderRequest::Subscribe(types));
        if some {
            requester.run(SendEvents { session, events: list.clone() }, &mut wire).unwrap();
            queue_and_answer(
                &mut requester,
                &mut wire,
                session,
                ResponderRequest::Subscribe(EventTypes::default()),
            );
        }
    }
    assert_eq!(recipient.0.lock().unwrap().received, [(session, list)]);
}

/// Neither side offers or subscribes to event groups of unregistered standards or vendors.
#[test]
fn both_sides_reject_invalid_event_groups() {
    let groups = Subscribers::types().groups;
    let subscribe = |EventTypes { count, groups }: &EventTypes| {
        let header = [0x13, Code::SUBSCRIBE_EVENT_TYPES.0, *count, 0];
        [&header[..], &(groups.len() as u32).to_le_bytes(), groups].concat()
    };
    let (deceived, _, mut keys) = in_session(Version::V1_3);
    let received = Subscribers::default();
    let mut deceived = deceived.with_device(Box::new(received.clone()));
    let mut of_vendor = groups.clone();
    of_vendor[0] = 4;
    for (name, wrong) in [
        ("count is too high", EventTypes { count: 2, groups: groups.clone() }),
        ("fewer", EventTypes { count: 1, groups: [&groups[..], &groups].concat() }),
        ("none", EventTypes { count: 1, groups: Vec::new() }),
        ("cut", EventTypes { count: 1, groups: groups[..13].to_vec() }),
        ("nobody's", EventTypes { count: 1, groups: [&[12], &groups[1..]].concat() }),
        ("one and a truncated one", EventTypes { count: 1, groups: [&groups[..], &groups[..13]].concat() }),
        (
            "one and an unregistered one",
            EventTypes { count: 1, groups: [&groups[..], &[12], &groups[1..]].concat() },
        ),
    ] {
        let (mut requester, mut wire, subscribers) =
            connected(Version::V1_3, Caps::EVENT, &credential(classical("P256")));
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let message = subscribe(&wrong);
        assert_eq!(ask_in_session(&mut requester, &mut wire, session, &message), INVALID, "{name}");
        assert_eq!(requester_answer(&mut deceived, &mut keys, &message), INVALID, "{name}");
        let outcome = requester.run(Subscribe(wrong.clone()).within(session), &mut wire);
        assert!(matches!(outcome, Err(Error::Usage(Usage::EventTypes))), "{name}: {outcome:?}");
        let outcome = wire.responder.queue_request(Some(session), ResponderRequest::Subscribe(wrong));
        assert_eq!(outcome, Err(Usage::EventTypes), "{name}");
        assert!(subscribers.some.lock().unwrap().is_empty());
    }
    assert!(received.some.lock().unwrap().is_empty());
    let fine = requester_answer(&mut deceived, &mut keys, &subscribe(&Subscribers::types()));
    assert_eq!(fine, [0x13, Code::SUBSCRIBE_EVENT_TYPES_ACK.0, 0, 0]);
    // a vendor ID in IANA's registry
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential(classical("P256")));
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let types = EventTypes { count: 1, groups: of_vendor };
    requester.run(Subscribe(types).within(session), &mut wire).unwrap();
}
