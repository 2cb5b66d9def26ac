//! Receives the responder's events, and sends the requester's.

use super::{Client, StepRunner};
use crate::error::Error;
use crate::spdm::event_display::{show_event, show_group};
use crate::spdm::link::ExchangeError;
use crate::spdm::requirements;
use crate::spdm::tree::Node;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{EventGroups, Events};
use grille_spdm_codec::{Code, CodecError};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::operations::{AnswerRequests, EventList, FetchEventTypes, SendEvents, Subscribe};
use grille_spdm_engine::session::SessionId;

/// Maximum number of polls. A device that needs more polls is considered endless.
const MAX_POLLS: usize = 256;
/// Maximum length of all polled events in bytes. A device that sends more bytes is considered endless.
const MAX_EVENT_BYTES: usize = 1 << 20;

impl StepRunner<'_> {
    /// Receives events if the responder has any to subscribe to, and sends an event of the requester if the responder
    /// can subscribe to it.
    pub(super) fn events(&self, party: &mut Client<'_>, session: SessionId) -> Result<Node, ExchangeError> {
        let node = if party.can_receive_events() {
            self.subscribe(party, session)?
        } else {
            Node::new("events", "")
        };
        if !party.sends_events() {
            return Ok(node);
        }
        self.own.queue_certificate_change(CHANGED_SLOTS);
        let queued = self.own.take_queued();
        if queued.is_empty() {
            return Ok(node.with(Node::new("sent", "nothing: the responder has not subscribed").skipped()));
        }
        let lists: Vec<EventList> = queued.iter().map(|(_, list)| list.clone()).collect();
        for (session, events) in queued {
            party.0.run(SendEvents { session, events }, party.1)?;
        }
        Ok(node.with(Node::new("sent", "").good().with_all(show_events(&lists)?)))
    }

    /// Subscribes to all events, and receives those that occurred since an earlier subscription.
    fn subscribe(&self, party: &mut Client<'_>, session: SessionId) -> Result<Node, ExchangeError> {
        let types = party.run(FetchEventTypes, Some(session))?;
        let groups = EventGroups::new(&types.groups).map(|group| group.map(|group| show_group(&group)));
        let groups = groups.collect::<Result<Vec<_>, _>>();
        let node = Node::new("SUPPORTED_EVENT_TYPES", "")
            .with_all(groups.map_err(malformed(Code::GET_SUPPORTED_EVENT_TYPES))?);
        party.run(Subscribe(types.clone()), Some(session))?;
        let node = node.with(Node::new("subscribed", "to all of them").good());
        Ok(node.with_all(party.poll_events(session)?))
    }
}

/// AssocCertSlotMask of the slot that the requester reports as changed. Like the device, its host is emulated.
const CHANGED_SLOTS: u8 = 1;

impl Client<'_> {
    /// Returns whether the responder has events that the requester can subscribe to.
    fn can_receive_events(&self) -> bool {
        requirements::describe_unmet(Code::SUBSCRIBE_EVENT_TYPES, self.0.connection()).is_none()
    }

    /// Returns whether the requester has events that the responder can subscribe to.
    pub(super) fn sends_events(&self) -> bool {
        requirements::describe_unmet(Code::SEND_EVENT, self.0.connection()).is_none()
    }

    /// Answers the encapsulated request that an emulator was commanded to send, and the other pending requests. Returns
    /// the events among these requests. `session`: the session of the requests; `None` outside sessions.
    pub(super) fn answer_requests(&mut self, session: Option<SessionId>) -> Result<Vec<Node>, ExchangeError> {
        let Some(session) = session else {
            return show_events(&self.run(AnswerRequests::outside_sessions(), None)?);
        };
        let mut received = show_events(&self.run(AnswerRequests::new(session), None)?)?;
        // Only events can still be pending in a session.
        if self.can_receive_events() || self.sends_events() {
            received.extend(self.poll_events(session)?);
        }
        Ok(received)
    }

    /// Answers encapsulated requests until none is pending, and returns the received events.
    pub(super) fn poll_events(&mut self, session: SessionId) -> Result<Vec<Node>, ExchangeError> {
        poll_until_empty(|| self.poll_once(session))
    }

    /// Polls once for pending events; `None` if there are none.
    fn poll_once(&mut self, session: SessionId) -> Result<Option<Vec<EventList>>, ExchangeError> {
        match self.run(AnswerRequests::new(session), None) {
            Ok(lists) => Ok(Some(lists)),
            Err(ExchangeError::Engine(EngineError::Refused {
                code: ErrorCode::NO_PENDING_REQUESTS, ..
            })) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Polls until no events are pending.
fn poll_until_empty(
    mut poll: impl FnMut() -> Result<Option<Vec<EventList>>, ExchangeError>,
) -> Result<Vec<Node>, ExchangeError> {
    let (mut received, mut times, mut bytes) = (Vec::new(), 0, 0);
    while times < MAX_POLLS && bytes <= MAX_EVENT_BYTES {
        let Some(lists) = poll()? else { return Ok(received) };
        times += 1;
        bytes += lists.iter().map(|list| list.events.len()).sum::<usize>();
        received.extend(show_events(&lists)?);
    }
    let received = format!("after {bytes} bytes in {times} polls");
    Err(Error::failure(format!("the device still sends events {received}")).into())
}

/// Shows the received events.
fn show_events(lists: &[EventList]) -> Result<Vec<Node>, ExchangeError> {
    let events = lists.iter().flat_map(|list| Events::new(&list.events));
    let shown = events.map(|event| event.map(|event| show_event(&event))).collect::<Result<Vec<_>, _>>();
    shown.map_err(malformed(Code::SEND_EVENT))
}

fn malformed(request: Code) -> impl FnOnce(CodecError) -> ExchangeError {
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
            let mut polls = 0;
            let received = poll_until_empty(|| {
                polls += 1;
                Ok((polls <= most).then(|| vec![list(detail)]))
            });
            (polls, received.map(|received| received.len()).map_err(|error| Error::from(error).to_string()))
        };
        assert_eq!(ends(MAX_POLLS - 1, 1), (MAX_POLLS, Ok(MAX_POLLS - 1)));
        let (message, error) = ends(usize::MAX, 1);
        assert!(message == MAX_POLLS && error.unwrap_err().contains("in 256 polls"));
        // Each list is at least 64 KiB long.
        assert_eq!(ends(15, 0xFFFF), (16, Ok(15)));
        let (message, error) = ends(usize::MAX, 0xFFFF);
        assert!(message == 16 && error.unwrap_err().contains("bytes in 16 polls"));
    }
}
