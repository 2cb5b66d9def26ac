//! Events (1.3): supported types, subscriptions and notifications. A responder sends its events in encapsulated requests; a
//! requester sends its events as ordinary requests. The message format is the same.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::event_list::{EventList, EventTypes};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::{AfterResponse, SessionId};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{
    EventAck, GetSupportedEventTypes, SendEvent, SubscribeEventTypes, SubscribeEventTypesAck,
    SupportedEventTypes,
};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (GetSupportedEventTypes, taken) = cx.read(incoming.bytes, &Sizes::default())?;
    let types = cx.device.event_types()?;
    if !types.is_possible() {
        return Err(Refusal::fault("the event groups are invalid or do not match their count"));
    }
    let response = SupportedEventTypes { count: types.count, groups: &types.groups };
    Ok(Reply::plain(cx.respond(&response)?, taken))
}

pub(crate) fn respond_subscribe(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SubscribeEventTypes<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let session = incoming.session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
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
pub(crate) fn respond_event(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (session, list, taken) = decode_send_event(cx, incoming)?;
    if !cx.session(session).is_some_and(|open| open.subscribes) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    cx.device.events_received(session, &list)?;
    Ok(Reply::plain(cx.respond(&EventAck)?, taken))
}

/// Answers the responder's encapsulated SEND_EVENT: stores the events for [`crate::operations::AnswerRequests`].
pub(crate) fn respond_encapsulated_event(
    cx: &mut Context,
    incoming: &IncomingRequest<'_>,
) -> Result<Reply, Refusal> {
    let (session, list, taken) = decode_send_event(cx, incoming)?;
    let session = cx.session_mut(session).ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    if session.events.len() >= MAX_MESSAGES {
        return Err(Refusal::new(TOO_MANY_EVENTS));
    }
    session.events.push(list);
    Ok(Reply::plain(cx.respond(&EventAck)?, taken))
}

/// Decodes SEND_EVENT. Returns its session, its events and its length in bytes.
fn decode_send_event(
    cx: &Context,
    incoming: &IncomingRequest<'_>,
) -> Result<(SessionId, EventList, usize), Refusal> {
    let (request, taken): (SendEvent<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let session = incoming.session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    let list = EventList { count: request.count, events: request.events.to_vec() };
    if list.is_possible() {
        Ok((session, list, taken))
    } else {
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }
}

/// The maximum number of stored messages with events, until [`crate::operations::AnswerRequests`] is complete. Further
/// messages are answered with [`TOO_MANY_EVENTS`].
const MAX_MESSAGES: usize = 64;
pub(crate) const TOO_MANY_EVENTS: ErrorCode = ErrorCode::BUSY;

/// Fetches the event types that the peer supports, in a session.
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

/// Sends the requester's events in a session whose responder subscribed to them. The engine passes the subscription to
/// [`crate::device::Device::subscribe`]; send only subscribed events. The operation has the field `session`, so do not
/// wrap it with [`Operation::within`].
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
