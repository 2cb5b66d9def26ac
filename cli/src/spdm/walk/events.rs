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

/// How often a device is listened to, and how many bytes of events it tells, before it is taken for one that never ends.
const MOST: usize = 256;
const MOST_BYTES: usize = 1 << 20;

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
        until_nothing(|| self.listen(session))
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

/// All that comes until nothing does.
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
    let heard = format!("after {bytes} bytes of them, for which it was listened to {times} times");
    Err(Error::failure(format!("the device still tells of events {heard}")).into())
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

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::events::Event;

    /// A list of one event with so many bytes of detail.
    fn list(detail: usize) -> EventList {
        let detail = vec![0; detail];
        EventList::new(&[Event { standard_id: 3, vendor_id: &[1, 0], detail: &detail, ..Event::default() }])
            .unwrap()
    }

    #[test]
    fn a_device_that_never_ends_is_heard_so_often_and_so_much_and_no_more() {
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
        assert!(told == MOST && error.unwrap_err().contains("listened to 256 times"));
        // each of them is 64 KiB and more
        assert_eq!(ends(15, 0xFFFF), (16, Ok(15)));
        let (told, error) = ends(usize::MAX, 0xFFFF);
        assert!(told == 16 && error.unwrap_err().contains("bytes of them, for which it was listened to 16"));
    }
}
