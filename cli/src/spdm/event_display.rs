//! Formats events and event groups as lines.

use super::tree::Node;
use crate::hex;
use grille_spdm_codec::events::{Event, EventGroup};
use grille_spdm_codec::vendor::STANDARDS;

/// Formats an event group: its standards body and its event types.
pub(super) fn show_group(group: &EventGroup<'_>) -> Node {
    let types: Vec<String> =
        group.types().map(|event_type| type_name(group.standard_id, event_type)).collect();
    Node::new(standard(group.standard_id, group.vendor_id), types.join(", "))
}

/// Formats an event with its details.
pub(super) fn show_event(event: &Event<'_>) -> Node {
    let Event { instance, standard_id, vendor_id, event_type, detail } = event;
    let name = format!("event {instance} of {}", standard(*standard_id, vendor_id));
    let shown = match (standard_id, *event_type, *detail) {
        (0, Event::CERTIFICATE_CHANGED, [mask]) => Node::new("slots", slots(*mask)),
        _ => Node::new("detail", hex::encode(detail).to_string()),
    };
    Node::new(name, type_name(*standard_id, *event_type)).with(shown)
}

/// Formats a slot mask, such as `0, 2`.
fn slots(mask: u8) -> String {
    let set: Vec<String> = (0..8).filter(|slot| mask >> slot & 1 == 1).map(|slot| slot.to_string()).collect();
    set.join(", ")
}

/// Formats a standards body and vendor, such as `PCI-SIG 8680`.
fn standard(id: u8, vendor: &[u8]) -> String {
    let name = STANDARDS
        .get(usize::from(id))
        .map_or_else(|| format!("standard {id}"), |standard| standard.name.to_owned());
    if vendor.is_empty() { name } else { format!("{name} {}", hex::encode(vendor).as_str()) }
}

/// Names an event type. Only DMTF's types have names.
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
