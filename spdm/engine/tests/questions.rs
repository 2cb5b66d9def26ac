//! What a responder wants of its sessions: policies, and questions that it encapsulates.

mod common;

use common::{ALL, Credential, REQUESTER, Wire, classical, config, credential};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::Event;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::device::Device;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    Beat, Connect, EventList, FetchCertificate, Listen, OpenSession, Question, Update,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::{SessionId, policy};
use grille_spdm_engine::trust::Roots;
use std::sync::{Arc, Mutex};

const CLEAR: Caps = Caps::HANDSHAKE_IN_THE_CLEAR;

/// Remembers who wants to hear of everything.
#[derive(Clone, Default)]
struct Subscribers(Arc<Mutex<Vec<SessionId>>>);

impl Device for Subscribers {
    fn subscribe_all(&mut self, session: SessionId) {
        self.0.lock().unwrap().push(session);
    }
}

/// A connection in this version, whose sides have `more` than usual; the chain is fetched.
fn connected(version: Version, more: Caps, credential: &Credential) -> (Requester, Wire, Subscribers) {
    let with = |flags: Caps| Config { heartbeat: 5, ..config(version, flags | Caps::ENCAP | more) };
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
fn an_update_ends_the_sessions_that_may_not_live_through_it() {
    let credential = credential(classical("P256"));
    for version in [Version::V1_1, Version::V1_2, Version::V1_4] {
        let (mut requester, mut wire, _) = connected(version, Caps::NONE, &credential);
        let mut open = |policy| requester.run(OpenSession::new(0).with_policy(policy), &mut wire).unwrap();
        let (_, lives) = (open(0), open(policy::LIVES_THROUGH_UPDATES));
        wire.responder.updated();
        // before 1.2 there is no policy
        let expected = if version == Version::V1_1 { vec![] } else { vec![lives] };
        assert_eq!(wire.responder.sessions().collect::<Vec<_>>(), expected);
        assert_eq!(requester.run(Beat(lives), &mut wire).is_ok(), version != Version::V1_1);
    }
}

#[test]
fn a_session_that_wants_all_events_is_subscribed_when_it_is_open() {
    let credential = credential(classical("P256"));
    for more in [Caps::EVENT, Caps::EVENT | CLEAR] {
        let (mut requester, mut wire, subscribers) = connected(Version::V1_3, more, &credential);
        requester.run(OpenSession::new(0), &mut wire).unwrap();
        let open = OpenSession::new(0).with_policy(policy::ALL_EVENTS);
        let session = requester.run(open, &mut wire).unwrap();
        assert_eq!(*subscribers.0.lock().unwrap(), [session]);
    }
    let (mut requester, mut wire, subscribers) = connected(Version::V1_3, Caps::NONE, &credential);
    let refused = requester.run(OpenSession::new(0).with_policy(policy::ALL_EVENTS), &mut wire);
    assert!(
        matches!(&refused, Err(Error::Refused { code, .. }) if *code == ErrorCode::INVALID_POLICY),
        "{refused:?}"
    );
    assert!(subscribers.0.lock().unwrap().is_empty() && wire.responder.sessions().next().is_none());
}

#[test]
fn the_responder_gets_new_keys_by_asking() {
    let credential = credential(classical("P256"));
    for (version, more) in [(Version::V1_1, Caps::NONE), (Version::V1_2, CLEAR), (Version::V1_4, Caps::NONE)]
    {
        let (mut requester, mut wire, _) = connected(version, more, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        for _ in 0..3 {
            wire.responder.ask(session, Question::UpdateKey);
            assert_eq!(requester.run(Listen::new(session), &mut wire).unwrap(), []);
            requester.run(Beat(session), &mut wire).unwrap();
            requester.run(Update::all_keys(session), &mut wire).unwrap();
            requester.run(Beat(session), &mut wire).unwrap();
        }
    }
}

#[test]
fn the_requester_hears_of_events_in_their_order() {
    let credential = credential(classical("P256"));
    let (mut requester, mut wire, _) = connected(Version::V1_3, Caps::EVENT, &credential);
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let lists = [1_u32, 2].map(|instance| {
        let event =
            Event { instance, event_type: Event::CERTIFICATE_CHANGED, detail: &[1], ..Event::default() };
        let mut events = vec![0; 64];
        let len = event.encode(&mut events).unwrap();
        events.truncate(len);
        EventList { count: 1, events }
    });
    for list in &lists {
        wire.responder.ask(session, Question::Events(list.clone()));
    }
    for list in &lists {
        assert_eq!(requester.run(Listen::new(session), &mut wire).unwrap(), std::slice::from_ref(list));
    }
    // a count that is not theirs is refused by the requester, and so by the responder
    wire.responder.ask(session, Question::Events(EventList { count: 2, ..lists[0].clone() }));
    assert!(requester.run(Listen::new(session), &mut wire).is_err());
    requester.run(Beat(session), &mut wire).unwrap();
}

#[test]
fn without_questions_there_is_nothing_to_listen_to() {
    let credential = credential(classical("P256"));
    for (version, code) in
        [(Version::V1_2, ErrorCode::UNEXPECTED_REQUEST), (Version::V1_3, ErrorCode::NO_PENDING_REQUESTS)]
    {
        let (mut requester, mut wire, _) = connected(version, Caps::NONE, &credential);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let other = requester.run(OpenSession::new(0), &mut wire).unwrap();
        wire.responder.ask(other, Question::UpdateKey);
        let refused = requester.run(Listen::new(session), &mut wire);
        assert!(matches!(&refused, Err(Error::Refused { code: got, .. }) if *got == code), "{refused:?}");
        // and what is asked of nobody is forgotten
        requester.run(Connect::new(), &mut wire).unwrap();
        requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        assert!(requester.run(Listen::new(session), &mut wire).is_err());
    }
}
