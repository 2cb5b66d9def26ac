//! What a requester hears of a device's events.

use super::{Party, Walk};
use crate::error::Error;
use crate::hex;
use crate::spdm::link::Fault;
use crate::spdm::tree::Node;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::events::{Event, EventGroup, EventGroups, Events};
use grille_spdm_codec::vendor::STANDARDS;
use grille_spdm_codec::{Code, CodecError};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::operations::{EventList, FetchEventTypes, Listen, Subscribe};
use grille_spdm_engine::session::SessionId;

/// How often a device is listened to before it is taken for one that never ends.
const MOST: usize = 256;

impl Walk<'_> {
    /// Subscribes to all events that there are, and hears of those that happened since it did so before.
    pub(super) fn events(&self, party: &mut Party<'_>, session: SessionId) -> Result<Node, Fault> {
        let types = party.run(FetchEventTypes, Some(session))?;
        let groups = EventGroups::new(&types.groups).map(|group| group.map(|group| show_group(&group)));
        let groups = groups.collect::<Result<Vec<_>, _>>();
        let node = Node::new("SUPPORTED_EVENT_TYPES", "")
            .of(groups.map_err(malformed(Code::GET_SUPPORTED_EVENT_TYPES))?);
        party.run(Subscribe(types.clone()), Some(session))?;
        let mut node = node.with(Node::new("subscribed", "to all of them").good());
        for _ in 0..MOST {
            let Some(lists) = party.listen(session)? else { return Ok(node) };
            node.children.extend(show_events(&lists)?);
        }
        Err(Error::failure(format!("the device still tells of events after it was listened to {MOST} times"))
            .into())
    }
}

impl Party<'_> {
    /// What the device has to tell; nothing if it has nothing.
    fn listen(&mut self, session: SessionId) -> Result<Option<Vec<EventList>>, Fault> {
        match self.run(Listen::new(session), None) {
            Ok(lists) => Ok(Some(lists)),
            Err(Fault::Engine(EngineError::Refused { code: ErrorCode::NO_PENDING_REQUESTS, .. })) => Ok(None),
            Err(fault) => Err(fault),
        }
    }
}

fn show_group(group: &EventGroup<'_>) -> Node {
    let types: Vec<String> =
        group.types().map(|event_type| type_name(group.standard_id, event_type)).collect();
    Node::new(standard(group.standard_id, group.vendor_id), types.join(", "))
}

/// What was heard, wherever this side listened.
pub(super) fn show_events(lists: &[EventList]) -> Result<Vec<Node>, Fault> {
    let events = lists.iter().flat_map(|list| Events::new(&list.events));
    let shown = events.map(|event| event.map(|event| show_event(&event))).collect::<Result<Vec<_>, _>>();
    shown.map_err(malformed(Code::SEND_EVENT))
}

fn show_event(event: &Event<'_>) -> Node {
    let Event { instance, standard_id, vendor_id, event_type, detail } = event;
    let name = format!("event {instance} of {}", standard(*standard_id, vendor_id));
    let shown = match (standard_id, *event_type, *detail) {
        (0, Event::CERTIFICATE_CHANGED, [mask]) => Node::new("slots", slots(*mask)),
        _ => Node::new("detail", hex::encode(detail).to_string()),
    };
    Node::new(name, type_name(*standard_id, *event_type)).with(shown)
}

/// `0, 2`.
fn slots(mask: u8) -> String {
    let set: Vec<String> = (0..8).filter(|slot| mask >> slot & 1 == 1).map(|slot| slot.to_string()).collect();
    set.join(", ")
}

/// `PCI-SIG 8680`.
fn standard(id: u8, vendor: &[u8]) -> String {
    let name =
        STANDARDS.get(usize::from(id)).map_or_else(|| format!("standard {id}"), |name| (*name).to_owned());
    if vendor.is_empty() { name } else { format!("{name} {}", hex::encode(vendor).as_str()) }
}

/// The DMTF's types have names.
fn type_name(standard_id: u8, event_type: u16) -> String {
    let name = match event_type {
        Event::EVENT_LOST => "EventLost",
        Event::MEASUREMENT_CHANGED => "MeasurementChanged",
        Event::MEASUREMENT_PRE_UPDATE => "MeasurementPreUpdate",
        Event::CERTIFICATE_CHANGED => "CertificateChanged",
        _ => "",
    };
    if standard_id == 0 && !name.is_empty() { name.to_owned() } else { format!("type {event_type}") }
}

fn malformed(request: Code) -> impl FnOnce(CodecError) -> Fault {
    move |error| EngineError::Malformed { request, error }.into()
}
