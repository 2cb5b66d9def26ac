//! Receives the responder's events, and sends the requester's.

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

/// The limits of polling: a device with more polls or more event bytes is considered endless.
const MOST: usize = 256;
const MOST_BYTES: usize = 1 << 20;

impl Walk<'_> {
    /// Receives the responder's events and sends an event of this side, as far as either side has events.
    pub(super) fn events(&self, party: &mut Party<'_>, session: SessionId) -> Result<Node, Fault> {
        let node = if party.hears() { self.subscribe(party, session)? } else { Node::new("events", "") };
        if !party.tells() {
            return Ok(node);
        }
        self.own.changed(OWN_SLOT);
        let news = self.own.news();
        if news.is_empty() {
            return Ok(node.with(Node::new("told", "nothing: the responder has not subscribed").skipped()));
        }
        let lists: Vec<EventList> = news.iter().map(|(_, list)| list.clone()).collect();
        for (session, events) in news {
            party.0.run(Tell { session, events }, party.1)?;
        }
        Ok(node.with(Node::new("told", "").good().of(show_events(&lists)?)))
    }

    /// Subscribes to all events, and receives those that occurred since an earlier subscription.
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

/// AssocCertSlotMask of the slot that the requester reports as changed. Like the device, its host is emulated.
const OWN_SLOT: u8 = 1;

impl Party<'_> {
    /// Returns whether the responder has events that this side can subscribe to.
    fn hears(&self) -> bool {
        needs::lacking(Code::SUBSCRIBE_EVENT_TYPES, self.0.connection()).is_none()
    }

    /// Returns whether this side has events that the responder can subscribe to.
    pub(super) fn tells(&self) -> bool {
        needs::lacking(Code::SEND_EVENT, self.0.connection()).is_none()
    }

    /// Answers the encapsulated request that an emulator was commanded to send, in this session or outside, after all
    /// pending ones. Returns the events received among them.
    pub(super) fn answer(&mut self, session: Option<SessionId>) -> Result<Vec<Node>, Fault> {
        let Some(session) = session else { return show_events(&self.run(Listen::outside(), None)?) };
        let mut heard = show_events(&self.run(Listen::new(session), None)?)?;
        // In a session only events can be pending.
        if self.hears() || self.tells() {
            heard.extend(self.hear(session)?);
        }
        Ok(heard)
    }

    /// Answers encapsulated requests until none is pending, and returns the received events.
    pub(super) fn hear(&mut self, session: SessionId) -> Result<Vec<Node>, Fault> {
        until_nothing(|| self.listen(session))
    }

    /// Polls once for pending events; `None` if there are none.
    fn listen(&mut self, session: SessionId) -> Result<Option<Vec<EventList>>, Fault> {
        match self.run(Listen::new(session), None) {
            Ok(lists) => Ok(Some(lists)),
            Err(Fault::Engine(EngineError::Refused { code: ErrorCode::NO_PENDING_REQUESTS, .. })) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

/// Polls until no events are pending.
fn until_nothing(
    mut listen: impl FnMut() -> Result<Option<Vec<EventList>>, Fault>,
) -> Result<Vec<Node>, Fault> {
    let (mut heard, mut times, mut bytes) = (Vec::new(), 0, 0);
    while times < MOST && bytes <= MOST_BYTES {
        let Some(lists) = listen()? else { return Ok(heard) };
        times += 1;
        bytes += lists.iter().map(|list| list.events.len()).sum::<usize>();
        heard.extend(show_events(&lists)?);
    }
    let heard = format!("after {bytes} bytes in {times} polls");
    Err(Error::failure(format!("the device still sends events {heard}")).into())
}

/// Shows the received events.
fn show_events(lists: &[EventList]) -> Result<Vec<Node>, Fault> {
    let events = lists.iter().flat_map(|list| Events::new(&list.events));
    let shown = events.map(|event| event.map(|event| show_event(&event))).collect::<Result<Vec<_>, _>>();
    shown.map_err(malformed(Code::SEND_EVENT))
}

fn malformed(request: Code) -> impl FnOnce(CodecError) -> Fault {
    move |error| EngineError::Malformed { request, error }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::events::Event;

    /// Returns a list of one event with `detail` bytes of detail.
    fn list(detail: usize) -> EventList {
        let detail = vec![0; detail];
        EventList::new(&[Event { standard_id: 3, vendor_id: &[1, 0], detail: &detail, ..Event::default() }])
            .unwrap()
    }

    #[test]
    fn stops_polling_an_endless_device() {
        let ends = |most: usize, detail: usize| {
            let mut told = 0;
            let heard = until_nothing(|| {
                told += 1;
                Ok((told <= most).then(|| vec![list(detail)]))
            });
            (told, heard.map(|heard| heard.len()).map_err(|fault| Error::from(fault).to_string()))
        };
        assert_eq!(ends(MOST - 1, 1), (MOST, Ok(MOST - 1)));
        let (told, error) = ends(usize::MAX, 1);
        assert!(told == MOST && error.unwrap_err().contains("in 256 polls"));
        // Each list is at least 64 KiB long.
        assert_eq!(ends(15, 0xFFFF), (16, Ok(15)));
        let (told, error) = ends(usize::MAX, 0xFFFF);
        assert!(told == 16 && error.unwrap_err().contains("bytes in 16 polls"));
    }
}
