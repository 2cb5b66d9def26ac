//! The responder's requests to the requester, and when they are allowed.

use crate::model::session::Session;
use crate::model::state::Model;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::identity::usage;
use grille_spdm_engine::operations::{FetchEndpointInfo, ResponderRequest};

/// Returns SUBSCRIBE_EVENT_TYPES from its count on. An empty subscription has no list.
pub(super) fn subscription(EventTypes { count, groups }: &EventTypes) -> Vec<u8> {
    let list = [&(groups.len() as u32).to_le_bytes(), &groups[..]].concat();
    [&[*count, 0][..], if *count == 0 { &[] } else { &list }].concat()
}

impl Model {
    /// Checks SUBSCRIBE_EVENT_TYPES_ACK. After an empty subscription no more events are sent.
    pub(crate) fn on_subscribed(&mut self, session: u32, m: &[u8], r: &[u8]) {
        assert_eq!(r[2..], [0, 0]);
        self.session(session).unwrap().subscribed = m[2] != 0;
        let over = |place, asked: &ResponderRequest| {
            place == Some(session) && matches!(asked, ResponderRequest::Events(_))
        };
        self.queued_requests.retain(|(place, asked)| m[2] != 0 || !over(*place, asked));
    }

    /// Returns whether the responder may queue this request. `place`: the session in which it is sent; `None` for any
    /// session and outside sessions.
    pub(crate) fn may_ask(&self, place: Option<u32>, question: &ResponderRequest) -> bool {
        let open = place.is_none_or(|id| self.sessions.iter().any(|session| session.id == id));
        let fine = match question {
            ResponderRequest::UpdateKey => place.is_some() && self.both_support(Caps::KEY_UPD.0),
            ResponderRequest::Events(_) => {
                let subscribed = |session: &&Session| Some(session.id) == place && session.subscribed;
                self.sessions.iter().find(subscribed).is_some_and(|session| !session.is_in_handshake())
            }
            ResponderRequest::EventTypes | ResponderRequest::Subscribe(_) => {
                place.is_some() && self.version >= 0x13 && self.flags & Caps::EVENT.0 != 0
            }
            ResponderRequest::EndpointInfo(FetchEndpointInfo { signed: None, .. }) => {
                self.version >= 0x13 && self.flags & (Caps::EP_INFO_SIG.0 | Caps::EP_INFO_NO_SIG.0) != 0
            }
            ResponderRequest::EndpointInfo(FetchEndpointInfo { signed: Some(slot), .. }) => {
                self.version >= 0x13
                    && self.flags & Caps::EP_INFO_SIG.0 != 0
                    && self.can_prove(*slot, usage::ENDPOINT_INFO)
                    && self.req_asym
            }
        };
        open && fine && self.version >= 0x11 && self.both_support(Caps::ENCAP.0)
    }

    /// Returns the index of the next queued request for this session, or outside sessions. In a session, none is sent
    /// before the handshake is complete.
    pub(super) fn next_queued_request(&self, place: Option<u32>) -> Option<usize> {
        let session = self.sessions.iter().find(|session| Some(session.id) == place);
        if session.is_some_and(Session::is_in_handshake) || self.flow_at(place).is_some() {
            return None;
        }
        self.queued_requests.iter().position(|(asked, _)| asked.is_none() || *asked == place)
    }

    /// Returns the errors that GET_ENCAPSULATED_REQUEST may get: nothing is queued, or the chain that must sign the answer has
    /// changed or lost its key usage.
    pub(crate) fn get_encapsulated_errors(&self, place: Option<u32>) -> Vec<ErrorCode> {
        if self.flow_at(place).is_some() {
            return Vec::new();
        }
        match self.next_queued_request(place).map(|at| &self.queued_requests[at].1) {
            Some(ResponderRequest::EndpointInfo(FetchEndpointInfo { signed: Some(slot), .. }))
                if !self.can_prove(*slot, usage::ENDPOINT_INFO) =>
            {
                vec![ErrorCode::UNSPECIFIED]
            }
            Some(_) => Vec::new(),
            None if self.version >= 0x13 => vec![ErrorCode::NO_PENDING_REQUESTS],
            None => vec![ErrorCode::UNEXPECTED_REQUEST],
        }
    }

    /// Applies the requester's refusal. The device is notified if ERROR has the ExtendedErrorData that its code
    /// requires.
    pub(super) fn on_declined(&mut self, place: Option<u32>, request: u8, response: &[u8]) {
        let extended = response.len() - 4;
        let whole = match response[2] {
            0x0D | 0x42 => extended >= 4,
            0x0F => extended >= 1,
            // These codes allow any length up to the limit.
            0x00 | 0x02 | 0x12..=0x40 | 0x48.. => extended <= 32,
            _ => true,
        };
        let reported = whole.then_some((place, request, response[2]));
        self.device_log.refused_requests.extend(reported);
    }
}
