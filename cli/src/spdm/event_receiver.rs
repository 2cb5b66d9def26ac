//! A responder that receives events of its requesters (SPDM 1.3). It subscribes to all events in every session whose
//! requester supports events and encapsulated requests, and prints them.

use super::event_display::show_event;
use super::refusals::shorten;
use crate::output::{Output, printable};
use grille_spdm_codec::events::{Event, Events};
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::operations::{EventList, ResponderRequest};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of printed events per connection.
const MAX_PRINTED: usize = 100;

/// The received events of one connection, shared by the device and the serving loop.
#[derive(Clone, Default)]
pub(super) struct EventReceiver(Arc<Mutex<Inbox>>);

#[derive(Default)]
struct Inbox {
    /// The sessions whose requester was already asked for its event types.
    queried: BTreeSet<SessionId>,
    offered: Vec<(SessionId, EventTypes)>,
    events: Vec<EventList>,
    printed: usize,
}

impl EventReceiver {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the event types that the requester of this session supports.
    pub(super) fn store_types(&self, session: SessionId, types: &EventTypes) {
        self.lock().offered.push((session, types.clone()));
    }

    /// Stores received events.
    pub(super) fn store_events(&self, events: &EventList) {
        self.lock().events.push(events.clone());
    }

    /// Removes the state of a session that ended.
    pub(super) fn forget(&self, session: SessionId) {
        self.lock().queried.remove(&session);
    }

    /// Requests the event types of new sessions, subscribes to them, and prints the events received from `peer`.
    pub(super) fn process(&self, responder: &mut Responder, peer: &dyn Display, out: &Output) {
        let mut inbox = self.lock();
        let new: Vec<SessionId> =
            responder.sessions().filter(|session| inbox.queried.insert(*session)).collect();
        let questions = new.into_iter().map(|session| (session, ResponderRequest::EventTypes));
        let offered =
            inbox.offered.drain(..).map(|(session, types)| (session, ResponderRequest::Subscribe(types)));
        for (session, question) in questions.chain(offered.collect::<Vec<_>>()) {
            // A refusal means that the requester has no events, accepts no encapsulated requests, or has ended the
            // session.
            let _ = responder.queue_request(Some(session), question);
        }
        for list in std::mem::take(&mut inbox.events) {
            Events::new(&list.events).flatten().for_each(|event| inbox.print(&event, peer, out));
        }
    }
}

impl Inbox {
    /// Prints an event; after the maximum number of events, prints once that there are more.
    fn print(&mut self, event: &Event<'_>, peer: &dyn Display, out: &Output) {
        self.printed += 1;
        if self.printed <= MAX_PRINTED {
            let line = shorten(&printable(&show_event(event).in_one_line()));
            out.note(format_args!("{peer} sent {line}"));
        } else if self.printed == MAX_PRINTED + 1 {
            out.note(format_args!("{peer} sent more events"));
        }
    }
}
