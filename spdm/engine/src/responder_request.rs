//! The requests that a responder may encapsulate. `encapsulated_responder.rs` sends them.

use crate::context::Context;
use crate::endpoint_query::FetchEndpointInfo;
use crate::error::Usage;
use crate::event_list::{EventList, EventTypes};
use crate::identity::usage;
use crate::session::SessionId;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

/// A request from the responder to the requester. Queue it with
/// [`Responder::queue_request`](crate::responder::Responder::queue_request). It is sent when the requester runs
/// [`AnswerRequests`](crate::operations::AnswerRequests), one request each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponderRequest {
    /// Updates the key of the responder's direction; in a session.
    UpdateKey,
    /// Sends events (1.3), in a session whose requester subscribed to some. The engine passed the subscription to
    /// [`crate::device::Device::subscribe`]. Send only subscribed events: the engine does not check this.
    Events(EventList),
    /// Asks for the event types that the requester supports (1.3), in a session. The answer goes to
    /// [`crate::device::Device::event_types_received`].
    EventTypes,
    /// Subscribes to exactly these events of the requester (1.3), in a session. The requester's events are passed to
    /// [`crate::device::Device::events_received`].
    Subscribe(EventTypes),
    /// Asks for the requester's endpoint information (1.3). The answer goes to [`crate::device::Device::endpoint_info_received`].
    EndpointInfo(FetchEndpointInfo),
}

impl ResponderRequest {
    /// Checks that the request may be sent now, in this session. If `session` is `None`, checks that it may be sent in
    /// every session and outside sessions.
    pub(crate) fn check(&self, cx: &Context, session: Option<SessionId>) -> Result<(), Usage> {
        let connection = &cx.connection;
        let (request, able) = match self {
            Self::UpdateKey => (Code::KEY_UPDATE, connection.both_have(Caps::KEY_UPD)),
            Self::Events(_) => (Code::SEND_EVENT, connection.responder_has(Caps::EVENT)),
            Self::EventTypes => (Code::GET_SUPPORTED_EVENT_TYPES, connection.requester_has(Caps::EVENT)),
            Self::Subscribe(_) => (Code::SUBSCRIBE_EVENT_TYPES, connection.requester_has(Caps::EVENT)),
            Self::EndpointInfo(about) => {
                let needed = match about.signed {
                    Some(_) => Caps::EP_INFO_SIG,
                    None => Caps::EP_INFO_SIG | Caps::EP_INFO_NO_SIG,
                };
                let signs = about.signed.is_none() || cx.peer_asym().is_some();
                let able = connection.requester_has(needed) && signs;
                (Code::GET_ENDPOINT_INFO, able)
            }
        };
        if !connection.rules.has(request) || !able || !connection.both_have(Caps::ENCAP) {
            return Err(Usage::NoCapability { request });
        }
        match (self, session) {
            (_, Some(id)) if cx.session(id).is_none() => Err(Usage::NoSession { session: id }),
            (Self::UpdateKey | Self::Events(_) | Self::EventTypes | Self::Subscribe(_), None) => {
                Err(Usage::NotInSession { request })
            }
            (Self::Events(_), Some(id)) if cx.session(id).is_some_and(|session| !session.subscribed) => {
                Err(Usage::NotSubscribed { session: id })
            }
            (Self::Events(events), _) if !events.is_possible() => Err(Usage::Events),
            (Self::Subscribe(types), _) if !types.is_possible() => Err(Usage::EventTypes),
            (Self::EndpointInfo(FetchEndpointInfo { signed: Some(slot), .. }), _) => cx
                .check_peer_key(Code::GET_ENDPOINT_INFO, *slot, usage::ENDPOINT_INFO)
                .map_err(|_| Usage::NoChain { slot: *slot }),
            _ => Ok(()),
        }
    }
}
