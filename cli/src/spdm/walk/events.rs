//! What a requester hears of a device's events, and tells of its own.

use super::{Party, Walk};
use crate::error::Error;
use crate::spdm::event_lines::{show_event, show_group};
use crate::spdm::link::Fault;
use crate::spdm::needs;
use crate::spdm::tree::Node;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{EventGroups, Events};
use grille_spdm_codec::{Code, CodecError};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::operations::{EventList, FetchEventTypes, Listen, Subscribe, Tell};
use grille_spdm_engine::session::SessionId;

/// How often a device is listened to before it is taken for one that never ends.
const MOST: usize = 256;

impl Walk<'_> {
    /// Hears of the responder's events, and tells of one of this side's, whichever of the two has any.
    pub(super) fn events(&self, party: &mut Party<'_>, session: SessionId) -> Result<Node, Fault> {
        let node = if party.hears() { self.subscribe(party, session)? } else { Node::new("events", "") };
        if !party.tells() {
            return Ok(node);
        }
        self.own.changed(OWN_SLOT);
        let news = self.own.news();
        if news.is_empty() {
            return Ok(node.with(Node::new("told", "nothing: the responder did not subscribe").skipped()));
        }
        let lists: Vec<EventList> = news.iter().map(|(_, list)| list.clone()).collect();
        for (session, events) in news {
            party.0.run(Tell { session, events }, party.1)?;
        }
        Ok(node.with(Node::new("told", "").good().of(show_events(&lists)?)))
    }

    /// Subscribes to all events that there are, and hears of those that happened since it did so before.
    fn subscribe(&self, party: &mut Party<'_>, session: SessionId) -> Result<Node, Fault> {
        let types = party.run(FetchEventTypes, Some(session))?;
        let groups = EventGroups::new(&types.groups).map(|group| group.map(|group| show_group(&group)));
        let groups = groups.collect::<Result<Vec<_>, _>>();
        let node = Node::new("SUPPORTED_EVENT_TYPES", "")
            .of(groups.map_err(malformed(Code::GET_SUPPORTED_EVENT_TYPES))?);
        party.run(Subscribe(types.clone()), Some(session))?;
        let node = node.with(Node::new("subscribed", "to all of them").good());
        Ok(node.of(party.hear(session)?))
    }
}

/// AssocCertSlotMask of the slot whose certificate the requester says to have changed: as the device is emulated, so is its host.
const OWN_SLOT: u8 = 1;

impl Party<'_> {
    /// Whether the responder has events that this side can subscribe to.
    fn hears(&self) -> bool {
        needs::lacking(Code::SUBSCRIBE_EVENT_TYPES, self.0.connection()).is_none()
    }

    /// Whether this side has events that the responder can subscribe to.
    pub(super) fn tells(&self) -> bool {
        needs::lacking(Code::SEND_EVENT, self.0.connection()).is_none()
    }

    /// Lets itself be asked what an emulator was told to ask, in this session or outside, with all that waits before it; the events that
    /// were told among that.
    pub(super) fn answer(&mut self, session: Option<SessionId>) -> Result<Vec<Node>, Fault> {
        let Some(session) = session else { return show_events(&self.run(Listen::outside(), None)?) };
        let mut heard = show_events(&self.run(Listen::new(session), None)?)?;
        // nothing but events waits in a session
        if self.hears() || self.tells() {
            heard.extend(self.hear(session)?);
        }
        Ok(heard)
    }

    /// Lets itself be asked until the responder has nothing to ask or to tell any more.
    pub(super) fn hear(&mut self, session: SessionId) -> Result<Vec<Node>, Fault> {
        let mut heard = Vec::new();
        for _ in 0..MOST {
            let Some(lists) = self.listen(session)? else { return Ok(heard) };
            heard.extend(show_events(&lists)?);
        }
        Err(Error::failure(format!("the device still tells of events after it was listened to {MOST} times"))
            .into())
    }

    /// What the device has to tell; nothing if it has nothing.
    fn listen(&mut self, session: SessionId) -> Result<Option<Vec<EventList>>, Fault> {
        match self.run(Listen::new(session), None) {
            Ok(lists) => Ok(Some(lists)),
            Err(Fault::Engine(EngineError::Refused { code: ErrorCode::NO_PENDING_REQUESTS, .. })) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

/// What was heard, wherever this side listened.
fn show_events(lists: &[EventList]) -> Result<Vec<Node>, Fault> {
    let events = lists.iter().flat_map(|list| Events::new(&list.events));
    let shown = events.map(|event| event.map(|event| show_event(&event))).collect::<Result<Vec<_>, _>>();
    shown.map_err(malformed(Code::SEND_EVENT))
}

fn malformed(request: Code) -> impl FnOnce(CodecError) -> Fault {
    move |error| EngineError::Malformed { request, error }.into()
}
