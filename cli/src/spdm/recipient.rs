//! A responder that hears of its requesters' events (1.3): it subscribes to all that there are, in every session of a requester that has
//! any and lets itself be asked, and tells whoever runs it what it heard.

use super::event_lines::show_event;
use super::refusals::shortened;
use crate::output::{Output, printable};
use grille_spdm_codec::events::{Event, Events};
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::operations::{EventList, Question};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many events of a connection are told.
const TOLD: usize = 100;

/// What came of one connection; the device and who serves it have the same.
#[derive(Clone, Default)]
pub(super) struct Recipient(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    /// The sessions whose requester was asked which events it has.
    asked: BTreeSet<SessionId>,
    offered: Vec<(SessionId, EventTypes)>,
    events: Vec<EventList>,
    told: usize,
}

impl Recipient {
    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requester of this session has these.
    pub(super) fn offered(&self, session: SessionId, types: &EventTypes) {
        self.lock().offered.push((session, types.clone()));
    }

    /// They happened.
    pub(super) fn heard(&self, events: &EventList) {
        self.lock().events.push(events.clone());
    }

    /// The session is over.
    pub(super) fn forget(&self, session: SessionId) {
        self.lock().asked.remove(&session);
    }

    /// Asks whom it did not ask yet, subscribes to what was offered, and tells what was heard of `peer`.
    pub(super) fn see(&self, responder: &mut Responder, peer: &dyn Display, out: &Output) {
        let mut heard = self.lock();
        let new: Vec<SessionId> =
            responder.sessions().filter(|session| heard.asked.insert(*session)).collect();
        let questions = new.into_iter().map(|session| (session, Question::EventTypes));
        let offered = heard.offered.drain(..).map(|(session, types)| (session, Question::Subscribe(types)));
        for (session, question) in questions.chain(offered.collect::<Vec<_>>()) {
            // who has no events, or cannot be asked, or whose session is over, tells of none
            let _ = responder.ask(Some(session), question);
        }
        for list in std::mem::take(&mut heard.events) {
            Events::new(&list.events).flatten().for_each(|event| heard.tell(&event, peer, out));
        }
    }
}

impl Heard {
    /// Of the first of a connection all that happened, and then that there is more.
    fn tell(&mut self, event: &Event<'_>, peer: &dyn Display, out: &Output) {
        self.told += 1;
        if self.told <= TOLD {
            let line = shortened(&printable(&show_event(event).in_one_line()));
            out.note(format_args!("{peer} tells of {line}"));
        } else if self.told == TOLD + 1 {
            out.note(format_args!("{peer} tells of more events"));
        }
    }
}
