//! Events (1.3): which there are, and which the requester wants to hear of.

use crate::connection::write;
use crate::context::Context;
use crate::error::{Error, Refusal};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{
    EventAck, Events, GetSupportedEventTypes, SendEvent, SubscribeEventTypes, SubscribeEventTypesAck,
    SupportedEventTypes,
};
use grille_spdm_codec::{Code, Sizes};
use zeroize::Zeroize;

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (GetSupportedEventTypes, taken) = cx.read(asked.bytes, &Sizes::default())?;
    let EventTypes { count, groups } = cx.device.event_types();
    let response = SupportedEventTypes { count, groups: &groups };
    Ok(Reply::plain(write(&response, cx.connection.version, &Sizes::default())?, taken))
}

pub(crate) fn respond_subscribe(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SubscribeEventTypes<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    let wanted = EventTypes { count: request.count, groups: request.groups.to_vec() };
    cx.device.subscribe(session, &wanted)?;
    Ok(Reply::plain(write(&SubscribeEventTypesAck, cx.connection.version, &Sizes::default())?, taken))
}

/// SEND_EVENT of the responder's, in an encapsulated request: kept for [`crate::operations::Listen`].
pub(crate) fn respond_event(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SendEvent<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let list = EventList { count: request.count, events: request.events.to_vec() };
    let whole = Events::new(&list.events).try_fold(0_u32, |count, event| event.map(|_| count + 1));
    if whole != Ok(list.count) {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    let session = asked.session.and_then(|id| cx.session_mut(id));
    let session = session.ok_or(Refusal::new(ErrorCode::SESSION_REQUIRED))?;
    if session.events.len() >= MOST {
        return Err(Refusal::new(ENOUGH));
    }
    session.events.push(list);
    Ok(Reply::plain(write(&EventAck, cx.connection.version, &Sizes::default())?, taken))
}

/// How many messages with events are kept until [`crate::operations::Listen`] is over, and what is answered to more.
const MOST: usize = 64;
pub(crate) const ENOUGH: ErrorCode = ErrorCode::BUSY;

/// Events as they are sent; [`grille_spdm_codec::events::Events`] reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventList {
    /// How many.
    pub count: u32,
    /// One behind the other.
    pub events: Vec<u8>,
}

/// They are told in sessions only.
impl Drop for EventList {
    fn drop(&mut self) {
        self.events.zeroize();
    }
}

/// Groups of events; [`grille_spdm_codec::events::EventGroups`] reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventTypes {
    /// How many groups.
    pub count: u8,
    /// The list of groups.
    pub groups: Vec<u8>,
}

/// Asks which events there are; in a session.
#[derive(Clone, Copy, Debug, Default)]
pub struct FetchEventTypes;

impl Operation for FetchEventTypes {
    type Output = EventTypes;

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        Ok(Ask::plain(cx.write(&GetSupportedEventTypes, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<EventTypes>, Error> {
        let request = Code::GET_SUPPORTED_EVENT_TYPES;
        let (message, len): (SupportedEventTypes<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        let types = EventTypes { count: message.count, groups: message.groups.to_vec() };
        Ok(Taken::plain(len, Some(types)))
    }
}

/// Subscribes to these events, and to no others; in a session.
#[derive(Clone, Debug, Default)]
pub struct Subscribe(
    /// The groups; none ends all subscriptions.
    pub EventTypes,
);

impl Operation for Subscribe {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let request = SubscribeEventTypes { count: self.0.count, groups: &self.0.groups };
        Ok(Ask::plain(cx.write(&request, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let request = Code::SUBSCRIBE_EVENT_TYPES;
        let (SubscribeEventTypesAck, len) = cx.read_response(request, response, &Sizes::default())?;
        Ok(Taken::plain(len, Some(())))
    }
}
