//! Events (1.3): supported types, subscriptions and notifications. A responder sends its events in encapsulated requests; a
//! requester sends its events as ordinary requests. The message format is the same.

use crate::connection::encode_into;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::{AfterResponse, SessionId};
use alloc::vec::Vec;
use core::iter;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{
    Event, EventAck, EventGroup, EventGroups, Events, GetSupportedEventTypes, SendEvent, SubscribeEventTypes,
    SubscribeEventTypesAck, SupportedEventTypes,
};
use grille_spdm_codec::vendor::is_registered;
use grille_spdm_codec::{Code, Sizes, list};
use zeroize::Zeroize;

pub(crate) fn respond(cx: &mut Context, asked: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (GetSupportedEventTypes, taken) = cx.read(asked.bytes, &Sizes::default())?;
    let types = cx.device.event_types()?;
    if !types.is_possible() {
        return Err(Refusal::fault("the event groups are invalid or do not match their count"));
    }
    let response = SupportedEventTypes { count: types.count, groups: &types.groups };
    Ok(Reply::plain(cx.respond(&response)?, taken))
}

pub(crate) fn respond_subscribe(cx: &mut Context, asked: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SubscribeEventTypes<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    let wanted = EventTypes { count: request.count, groups: request.groups.to_vec() };
    if !wanted.is_possible() {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    cx.device.subscribe(session, &wanted)?;
    if let Some(session) = cx.session_mut(session) {
        session.subscribed = wanted.count != 0;
        session.after = if session.subscribed { AfterResponse::Nothing } else { AfterResponse::Unsubscribe };
    }
    Ok(Reply::plain(cx.respond(&SubscribeEventTypesAck)?, taken))
}

/// Answers the requester's SEND_EVENT: passes the events to the device, if the responder subscribed.
pub(crate) fn respond_event(cx: &mut Context, asked: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (session, list, taken) = decode_send_event(cx, asked)?;
    if !cx.session(session).is_some_and(|open| open.subscribes) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    cx.device.events_received(session, &list)?;
    Ok(Reply::plain(cx.respond(&EventAck)?, taken))
}

/// Answers the responder's encapsulated SEND_EVENT: stores the events for [`crate::operations::AnswerRequests`].
pub(crate) fn respond_encapsulated_event(
    cx: &mut Context,
    asked: &IncomingRequest<'_>,
) -> Result<Reply, Refusal> {
    let (session, list, taken) = decode_send_event(cx, asked)?;
    let session = cx.session_mut(session).ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    if session.events.len() >= MAX_MESSAGES {
        return Err(Refusal::new(TOO_MANY));
    }
    session.events.push(list);
    Ok(Reply::plain(cx.respond(&EventAck)?, taken))
}

/// Decodes SEND_EVENT: its session, events and length.
fn decode_send_event(
    cx: &Context,
    asked: &IncomingRequest<'_>,
) -> Result<(SessionId, EventList, usize), Refusal> {
    let (request, taken): (SendEvent<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    let list = EventList { count: request.count, events: request.events.to_vec() };
    if list.is_possible() {
        Ok((session, list, taken))
    } else {
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }
}

/// The maximum number of stored messages with events, until [`crate::operations::AnswerRequests`] is complete. Further ones are answered
/// with [`TOO_MANY`].
const MAX_MESSAGES: usize = 64;
pub(crate) const TOO_MANY: ErrorCode = ErrorCode::BUSY;

/// Events in the order of transmission. EventInstanceID has the order of occurrence. [`grille_spdm_codec::events::Events`] parses
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventList {
    /// The number of events.
    pub count: u32,
    /// The encoded events.
    pub events: Vec<u8>,
}

impl EventList {
    /// Encodes these events. Their order is arbitrary, but the instance IDs must be consecutive.
    ///
    /// # Errors
    /// [`Usage::Events`] if there are none or they are invalid; [`Usage::Value`] if a part is too long.
    pub fn new(events: &[Event<'_>]) -> Result<Self, Usage> {
        let list = Self { count: events.len() as u32, events: listed(events, Event::encoded_len)? };
        if list.is_possible() { Ok(list) } else { Err(Usage::Events) }
    }

    /// Returns whether the list is valid: not empty, with the stated number of valid events, and with consecutive instance IDs.
    pub(crate) fn is_possible(&self) -> bool {
        let possible = |event: Event<'_>| event.is_possible().then_some(event.instance);
        let instances = Events::new(&self.events).map(|event| event.ok().and_then(possible));
        let Some(mut instances) = instances.collect::<Option<Vec<u32>>>() else { return false };
        instances.sort_unstable();
        // IDs wrap around after the last; consecutive ones have a single gap on that circle
        let following = instances.iter().skip(1).chain(instances.first());
        let gaps = iter::zip(&instances, following).filter(|(one, next)| one.wrapping_add(1) != **next);
        u32::try_from(instances.len()) == Ok(self.count) && gaps.count() == 1
    }
}

/// Encodes a list; `len` returns the length of each item.
fn listed<'a, T: list::Item<'a>>(items: &[T], len: impl Fn(&T) -> usize) -> Result<Vec<u8>, Usage> {
    encode_into(items.iter().map(len).sum(), |buffer| list::encode_all(items, buffer)).map_err(Usage::Value)
}

/// Events are sent only in sessions, so they are erased.
impl Drop for EventList {
    fn drop(&mut self) {
        self.events.zeroize();
    }
}

/// Event groups; [`grille_spdm_codec::events::EventGroups`] parses them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTypes {
    /// The number of groups.
    pub count: u8,
    /// The encoded groups.
    pub groups: Vec<u8>,
}

impl EventTypes {
    /// Encodes these groups.
    ///
    /// # Errors
    /// [`Usage::EventTypes`] if a group's standard or vendor is not registered, or there are more than 255 groups;
    /// [`Usage::Value`] if a part is too long.
    pub fn new(groups: &[EventGroup<'_>]) -> Result<Self, Usage> {
        let types = Self { count: groups.len() as u8, groups: listed(groups, EventGroup::encoded_len)? };
        if types.is_possible() { Ok(types) } else { Err(Usage::EventTypes) }
    }

    /// Returns whether there are as many groups as stated, each of a registered standard or vendor.
    pub(crate) fn is_possible(&self) -> bool {
        let registered = |group: EventGroup<'_>| is_registered(group.standard_id.into(), group.vendor_id);
        let mut possible = EventGroups::new(&self.groups).map(|group| group.is_ok_and(registered));
        possible.try_fold(0, |count, possible| possible.then_some(count + 1)) == Some(usize::from(self.count))
    }
}

/// Fetches the supported event types, in a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct FetchEventTypes;

impl Operation for FetchEventTypes {
    type Output = EventTypes;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        Ok(Request::plain(cx.write(&GetSupportedEventTypes, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<EventTypes>, Error> {
        let request = Code::GET_SUPPORTED_EVENT_TYPES;
        let (message, len): (SupportedEventTypes<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        let types = EventTypes { count: message.count, groups: message.groups.to_vec() };
        if !types.is_possible() {
            return Err(Error::Violation { request, violation: Violation::EventTypes });
        }
        Ok(Parsed::plain(len, Some(types)))
    }
}

/// Subscribes to exactly these events, in a session. [`FetchEventTypes`] returns the supported ones. The peer's device decides
/// whether it refuses others.
#[derive(Clone, Debug, Default)]
pub struct Subscribe(
    /// The event groups; an empty list ends all subscriptions.
    pub EventTypes,
);

impl Operation for Subscribe {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        if !self.0.is_possible() {
            return Err(Usage::EventTypes.into());
        }
        let request = SubscribeEventTypes { count: self.0.count, groups: &self.0.groups };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let request = Code::SUBSCRIBE_EVENT_TYPES;
        let (SubscribeEventTypesAck, len) = cx.read_response(request, response, &Sizes::default())?;
        Ok(Parsed::plain(len, Some(())))
    }
}

/// Sends events of this side to a responder that subscribed, in this session. The subscription was passed to
/// [`crate::device::Device::subscribe`]; send no other events. The operation names its session, so do not wrap it with
/// [`Operation::within`].
#[derive(Clone, Debug)]
pub struct SendEvents {
    /// The session.
    pub session: SessionId,
    /// The events.
    pub events: EventList,
}

impl Operation for SendEvents {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        if !self.events.is_possible() {
            return Err(Usage::Events.into());
        }
        let Self { session, events: EventList { count, events } } = self;
        if cx.session(*session).is_some_and(|open| !open.subscribed) {
            return Err(Usage::NotSubscribed { session: *session }.into());
        }
        let request = cx.write(&SendEvent { count: *count, events }, &Sizes::default())?;
        Ok(Request::in_session(*session, request))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let (EventAck, len) = cx.read_response(Code::SEND_EVENT, response, &Sizes::default())?;
        Ok(Parsed::plain(len, Some(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const CHANGED: Event<'_> =
        Event { instance: 0, standard_id: 0, vendor_id: &[], event_type: 4, detail: &[1] };

    /// Returns events of the DMTF with these instance IDs.
    fn events(instances: &[u32]) -> Vec<Event<'static>> {
        instances.iter().map(|&instance| Event { instance, ..CHANGED }).collect()
    }

    /// Returns a list that states `count` events, with these instance IDs.
    fn list(count: u32, instances: &[u32]) -> EventList {
        let one = |event| EventList::new(&[event]).unwrap().events.clone();
        EventList { count, events: events(instances).into_iter().flat_map(one).collect() }
    }

    #[test]
    fn accepts_consecutive_instance_ids_in_any_order() {
        let last = u32::MAX;
        for fine in [&[0][..], &[7], &[7, 8, 9], &[9, 7, 8], &[last - 1, last, 0, 1], &[0, last]] {
            let count = fine.len() as u32;
            assert!(list(count, fine).is_possible(), "{fine:?}");
            assert_eq!(EventList::new(&events(fine)), Ok(list(count, fine)));
            assert!(!list(count + 1, fine).is_possible() && !list(count - 1, fine).is_possible());
        }
        for wrong in [&[][..], &[7, 7], &[7, 9], &[7, 8, 8], &[7, 8, 10], &[0, 1, last - 1], &[7, 7, 7]] {
            assert!(!list(wrong.len() as u32, wrong).is_possible(), "{wrong:?}");
            assert_eq!(EventList::new(&events(wrong)), Err(Usage::Events));
        }
    }

    #[test]
    fn rejects_lists_with_an_invalid_event() {
        let fine = list(2, &[1, 2]);
        let cut = EventList { count: 2, events: fine.events[..fine.events.len() - 1].to_vec() };
        let mut reserved = fine.clone();
        reserved.events[10] = 5;
        assert!(fine.is_possible() && !cut.is_possible() && !reserved.is_possible());
    }

    #[test]
    fn rejects_oversized_events_and_groups() {
        let long = [0; 0x1_0000];
        let event = Event { standard_id: 3, vendor_id: &[1, 0], detail: &long, ..CHANGED };
        let list = EventList::new(&[Event { detail: &long[1..], ..event }]).unwrap();
        assert_eq!((list.count, list.events.len()), (1, 16 + 0xFFFF));
        assert!(
            matches!(EventList::new(&[event]), Err(Usage::Value(error)) if error.name == "EventDetailLen")
        );
        let masks = Event { detail: &[1, 1], ..CHANGED };
        assert_eq!(EventList::new(&[masks]), Err(Usage::Events));

        let types = [EventGroup::element(4)];
        let group = EventGroup { version: 1, list: &types, ..EventGroup::default() };
        let made = EventTypes { count: 1, groups: vec![0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0] };
        assert_eq!(EventTypes::new(&[group]), Ok(made));
        assert_eq!(EventTypes::new(&[]), Ok(EventTypes::default()));
        assert_eq!(EventTypes::new(&[group; 255]).map(|types| types.count), Ok(255));
        let nobodys = EventGroup { standard_id: 12, ..group };
        for wrong in [&[group; 256][..], &[group, nobodys]] {
            assert_eq!(EventTypes::new(wrong), Err(Usage::EventTypes));
        }
        let long = [0; 256];
        let group = EventGroup { standard_id: 3, vendor_id: &long, ..group };
        assert!(
            matches!(EventTypes::new(&[group]), Err(Usage::Value(error)) if error.name == "VendorIDLength")
        );
    }
}
