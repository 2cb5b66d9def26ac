//! What a responder may ask its requester; how it does, see `encapsulated.rs`.

use crate::context::Context;
use crate::endpoint_info::Describe;
use crate::error::Usage;
use crate::events::{EventList, EventTypes};
use crate::identity::usage;
use crate::session::SessionId;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::{Code, Version};

/// What a responder asks: [`Responder::ask`](crate::responder::Responder::ask). It is asked as soon as the requester lets itself be,
/// with [`Listen`](crate::operations::Listen), one question a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// That the requester take new keys for what the responder sends; in a session.
    UpdateKey,
    /// That it hear of events (1.3); in a session that subscribed to some. To which, [`crate::device::Device::subscribe`] was told, and only
    /// those are to be told: nobody else looks.
    Events(EventList),
    /// Which events it has itself (1.3); in a session. The answer goes to [`crate::device::Device::offered`].
    EventTypes,
    /// That it tell of these events of its own, and of no others (1.3); in a session. [`crate::device::Device::heard`] is told.
    Subscribe(EventTypes),
    /// What kind of device it is (1.3); the answer goes to [`crate::device::Device::described`].
    Describe(Describe),
}

impl Question {
    /// Whether it may be asked now, in this session or, without one, outside and in every session.
    pub(crate) fn check(&self, cx: &Context, session: Option<SessionId>) -> Result<(), Usage> {
        let connection = &cx.connection;
        let (request, since, able) = match self {
            Self::UpdateKey => (Code::KEY_UPDATE, Version::V1_1, connection.both_have(Caps::KEY_UPD)),
            Self::Events(_) => (Code::SEND_EVENT, Version::V1_3, connection.responder_has(Caps::EVENT)),
            Self::EventTypes => {
                (Code::GET_SUPPORTED_EVENT_TYPES, Version::V1_3, connection.requester_has(Caps::EVENT))
            }
            Self::Subscribe(_) => {
                (Code::SUBSCRIBE_EVENT_TYPES, Version::V1_3, connection.requester_has(Caps::EVENT))
            }
            Self::Describe(about) => {
                let needed = match about.signed {
                    Some(_) => Caps::EP_INFO_SIG,
                    None => Caps::EP_INFO_SIG | Caps::EP_INFO_NO_SIG,
                };
                let signs = about.signed.is_none() || cx.peer_asym().is_some();
                let able = connection.requester_has(needed) && signs;
                (Code::GET_ENDPOINT_INFO, Version::V1_3, able)
            }
        };
        if connection.version < since || !able || !connection.both_have(Caps::ENCAP) {
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
            (Self::Describe(Describe { signed: Some(slot), .. }), _) => cx
                .can_prove(Code::GET_ENDPOINT_INFO, *slot, usage::ENDPOINT_INFO)
                .map_err(|_| Usage::NoChain { slot: *slot }),
            _ => Ok(()),
        }
    }
}
