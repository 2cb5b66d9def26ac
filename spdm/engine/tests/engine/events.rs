//! Events, of which the responder tells whoever subscribed.

use crate::common::{Wire, classical, credential};
use crate::questions::connected;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::operations::{
    Beat, End, EventList, FetchEventTypes, Listen, OpenSession, Question, Subscribe,
};
use grille_spdm_engine::session::policy;

/// That a certificate changed, in the slots that the detail says.
fn changed(instance: u32, detail: &[u8]) -> EventList {
    let event = Event { instance, event_type: Event::CERTIFICATE_CHANGED, detail, ..Event::default() };
    let mut events = vec![0; 64];
    let len = event.encode(&mut events).unwrap();
    events.truncate(len);
    EventList { count: 1, events }
}

#[test]
fn the_requester_hears_of_events_in_their_order() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
    let session = requester.run(open, &mut wire).unwrap();
    let lists = [1, 2].map(|instance| changed(instance, &[1]));
    for list in &lists {
        wire.responder.ask(Some(session), Question::Events(list.clone())).unwrap();
    }
    for list in &lists {
        assert_eq!(requester.run(Listen::new(session), &mut wire).unwrap(), std::slice::from_ref(list));
    }
}

#[test]
fn events_that_cannot_be_are_refused_by_the_requester() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
    let session = requester.run(open, &mut wire).unwrap();
    let all = |instances: &[u32]| instances.iter().flat_map(|&at| changed(at, &[1]).events.clone()).collect();
    for (what, wrong) in [
        ("none", EventList::default()),
        ("more than there are", EventList { count: 2, events: all(&[1]) }),
        ("twice the same", EventList { count: 2, events: all(&[1, 1]) }),
        ("one is missing", EventList { count: 2, events: all(&[1, 3]) }),
        ("two masks of slots", changed(1, &[1, 1])),
    ] {
        wire.responder.ask(Some(session), Question::Events(wrong)).unwrap();
        let refused = requester.run(Listen::new(session), &mut wire);
        let invalid = matches!(&refused, Err(Error::Unanswered { code: ErrorCode::INVALID_REQUEST, .. }));
        assert!(invalid, "{what}: {refused:?}");
        requester.run(Beat(session), &mut wire).unwrap();
    }
    let fine = EventList { count: 3, events: all(&[3, 1, 2]) };
    wire.responder.ask(Some(session), Question::Events(fine.clone())).unwrap();
    assert_eq!(requester.run(Listen::new(session), &mut wire).unwrap(), [fine]);
}

#[test]
fn who_subscribed_to_nothing_hears_nothing() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let tell = |wire: &mut Wire| wire.responder.ask(Some(session), Question::Events(changed(1, &[1])));
    assert_eq!(tell(&mut wire), Err(Usage::NotSubscribed { session }));
    let types = requester.run(FetchEventTypes.within(session), &mut wire).unwrap();
    requester.run(Subscribe(types.clone()).within(session), &mut wire).unwrap();
    tell(&mut wire).unwrap();
    requester.run(Subscribe::default().within(session), &mut wire).unwrap();
    assert_eq!(tell(&mut wire), Err(Usage::NotSubscribed { session }));
    // and what was to be told is not, even to who subscribes anew; other questions stay
    requester.run(Subscribe(types).within(session), &mut wire).unwrap();
    tell(&mut wire).unwrap();
    wire.responder.ask(Some(session), Question::UpdateKey).unwrap();
    requester.run(Subscribe::default().within(session), &mut wire).unwrap();
    assert_eq!(requester.run(Listen::new(session), &mut wire).unwrap(), []);
    assert!(requester.run(Listen::new(session), &mut wire).is_err());
}

#[test]
fn events_are_of_the_session_that_subscribed_and_end_with_it() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, subscribers) = connected(Version::V1_3, Caps::EVENT, &credential);
    let [first, second] = [(); 2].map(|()| requester.run(OpenSession::new(0), &mut wire).unwrap());
    let types = requester.run(FetchEventTypes.within(second), &mut wire).unwrap();
    requester.run(Subscribe(types.clone()).within(second), &mut wire).unwrap();
    assert_eq!(*subscribers.some.lock().unwrap(), [(second, types)]);
    assert!(subscribers.all.lock().unwrap().is_empty());
    // events of no other session are told there
    let list = changed(1, &[1]);
    let tell = |wire: &mut Wire| wire.responder.ask(Some(second), Question::Events(list.clone()));
    for _ in 0..2 {
        tell(&mut wire).unwrap();
        let nothing = requester.run(Listen::new(first), &mut wire);
        let pending = matches!(&nothing, Err(Error::Refused { code: ErrorCode::NO_PENDING_REQUESTS, .. }));
        assert!(pending, "{nothing:?}");
        assert_eq!(requester.run(Listen::new(second), &mut wire).unwrap(), std::slice::from_ref(&list));
    }
    // what is not told yet when the session ends is told nowhere
    tell(&mut wire).unwrap();
    requester.run(End(second), &mut wire).unwrap();
    assert_eq!(*subscribers.ended.lock().unwrap(), [second]);
    assert!(matches!(tell(&mut wire), Err(Usage::NoSession { .. })));
    assert!(requester.run(Listen::new(first), &mut wire).is_err());
    assert!(requester.run(Listen::outside(), &mut wire).is_err());
    requester.run(Beat(first), &mut wire).unwrap();
}
