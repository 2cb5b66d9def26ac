//! Events (1.3): supported types, subscriptions and notifications.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::list::{self, Item, Items};
use crate::message::{Message, Sizes, Version};
use crate::vendor::is_registered;
use crate::wire::Wire;

/// GET_SUPPORTED_EVENT_TYPES: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0xE2 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetSupportedEventTypes;

/// SUPPORTED_EVENT_TYPES.
///
/// ```text
/// 0 SPDMVersion | 1 0x62 | 2 EventGroupCount | 3 reserved
/// 4 SupportedEventGroupsListLen u32 | 8 SupportedEventGroupsList
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SupportedEventTypes<'a> {
    /// EventGroupCount: the number of event groups.
    pub count: u8,
    /// SupportedEventGroupsList, to be read with [`EventGroups`].
    pub groups: &'a [u8],
}

/// SUBSCRIBE_EVENT_TYPES. Without a list it ends all subscriptions.
///
/// ```text
/// 0 SPDMVersion | 1 0xF0 | 2 SubscribeEventGroupCount | 3 reserved
/// 4 SubscribeListLen u32 and 8 SubscribeList, both absent if the count is 0
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscribeEventTypes<'a> {
    /// SubscribeEventGroupCount: the number of event groups; 0 ends all subscriptions.
    pub count: u8,
    /// SubscribeList, to be read with [`EventGroups`].
    pub groups: &'a [u8],
}

/// SUBSCRIBE_EVENT_TYPES_ACK: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x70 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscribeEventTypesAck;

/// SEND_EVENT.
///
/// ```text
/// 0 SPDMVersion | 1 0xF1 | 2 reserved | 3 reserved
/// 4 EventCount u32 | 8 EventList, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendEvent<'a> {
    /// EventCount: the number of events.
    pub count: u32,
    /// EventList, to be read with [`Events`].
    pub events: &'a [u8],
}

/// EVENT_ACK: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x71 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventAck;

impl<'a> Message<'a> for GetSupportedEventTypes {
    const CODE: Code = Code::GET_SUPPORTED_EVENT_TYPES;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for SupportedEventTypes<'a> {
    const CODE: Code = Code::SUPPORTED_EVENT_TYPES;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("EventGroupCount", &mut self.count)?;
        wire.reserved(1)?;
        wire.length_prefixed("SupportedEventGroupsListLen", 4, "SupportedEventGroupsList", &mut self.groups)
    }
}

impl<'a> Message<'a> for SubscribeEventTypes<'a> {
    const CODE: Code = Code::SUBSCRIBE_EVENT_TYPES;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SubscribeEventGroupCount", &mut self.count)?;
        wire.reserved(1)?;
        if self.count == 0 {
            return wire.slice("SubscribeList", 0, &mut self.groups);
        }
        wire.length_prefixed("SubscribeListLen", 4, "SubscribeList", &mut self.groups)
    }
}

impl<'a> Message<'a> for SubscribeEventTypesAck {
    const CODE: Code = Code::SUBSCRIBE_EVENT_TYPES_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for SendEvent<'a> {
    const CODE: Code = Code::SEND_EVENT;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u32("EventCount", &mut self.count)?;
        wire.rest("EventList", &mut self.events)
    }
}

impl<'a> Message<'a> for EventAck {
    const CODE: Code = Code::EVENT_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

/// Iterates over the events of an EventList.
pub type Events<'a> = Items<'a, Event<'a>>;

/// Iterates over the groups of a SupportedEventGroupsList or SubscribeList.
pub type EventGroups<'a> = Items<'a, EventGroup<'a>>;

/// An event.
///
/// ```text
/// 0 EventInstanceID u32 | 4 reserved[4] | 8 StandardID | 9 VendorIDLength | 10 VendorID
/// EventTypeId u16 | EventDetailLen u16 | EventDetail
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event<'a> {
    /// EventInstanceID, which increases by one with every event.
    pub instance: u32,
    /// StandardID of the event group: an index into [`crate::vendor::STANDARDS`].
    pub standard_id: u8,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// EventTypeId; for DMTF's events, one of the constants of this type.
    pub event_type: u16,
    /// EventDetail, in the format of the event type.
    pub detail: &'a [u8],
}

impl<'a> Event<'a> {
    /// EventLost, 8 bytes: the last acknowledged instance, and the last lost instance.
    pub const EVENT_LOST: u16 = 1;
    /// MeasurementChanged, 32 bytes: a bit for each measurement index.
    pub const MEASUREMENT_CHANGED: u16 = 2;
    /// MeasurementPreUpdate, 32 bytes: a bit for each measurement index.
    pub const MEASUREMENT_PRE_UPDATE: u16 = 3;
    /// CertificateChanged, 1 byte: a bit for each slot.
    pub const CERTIFICATE_CHANGED: u16 = 4;

    /// Returns the length of EventDetail for a DMTF event type; `None` for reserved types.
    #[must_use]
    pub const fn detail_len(event_type: u16) -> Option<usize> {
        match event_type {
            Self::EVENT_LOST => Some(8),
            Self::MEASUREMENT_CHANGED | Self::MEASUREMENT_PRE_UPDATE => Some(32),
            Self::CERTIFICATE_CHANGED => Some(1),
            _ => None,
        }
    }

    /// Returns whether the event is valid: StandardID and the length of VendorID must be registered. A DMTF event must
    /// also have a known type and the EventDetail length of that type.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let dmtf = || Self::detail_len(self.event_type) == Some(self.detail.len());
        is_registered(self.standard_id.into(), self.vendor_id) && (self.standard_id != 0 || dmtf())
    }

    /// Returns the length of the event in bytes.
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        4 + 4 + 1 + 1 + self.vendor_id.len() + 2 + 2 + self.detail.len()
    }

    /// Writes the event, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or a part is too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        list::encode(*self, buffer)
    }
}

impl<'a> Item<'a> for Event<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("EventInstanceID", &mut self.instance)?;
        wire.reserved(4)?;
        wire.u8("StandardID", &mut self.standard_id)?;
        wire.length_prefixed("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        wire.u16("EventTypeId", &mut self.event_type)?;
        wire.length_prefixed("EventDetailLen", 2, "EventDetail", &mut self.detail)
    }
}

/// The event types of one standard or vendor: the supported types in SUPPORTED_EVENT_TYPES, the subscribed types in
/// SUBSCRIBE_EVENT_TYPES.
///
/// ```text
/// 0 StandardID | 1 VendorIDLength | 2 VendorID
/// EventTypeCount u16 | EventGroupVer u16 | Attributes u32 | EventTypeId u16, reserved[2] for each type
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventGroup<'a> {
    /// StandardID of the event group: an index into [`crate::vendor::STANDARDS`].
    pub standard_id: u8,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// EventGroupVer: 1 in DSP0274 1.3.
    pub version: u16,
    /// Attributes: 0 or [`EventGroup::ALL`].
    pub attributes: u32,
    /// EventTypeList: EventTypeId and two reserved bytes each, to be read with [`EventGroup::types`].
    pub list: &'a [[u8; 4]],
}

impl<'a> EventGroup<'a> {
    /// Bit 0 of the attributes: subscribes to all types of the group; the list is then empty.
    pub const ALL: u32 = 1;

    /// Returns the list element for an event type.
    #[must_use]
    pub const fn element(event_type: u16) -> [u8; 4] {
        let [low, high] = event_type.to_le_bytes();
        [low, high, 0, 0]
    }

    /// Iterates over the EventTypeIds in the list.
    pub fn types(&self) -> impl Iterator<Item = u16> + use<'a> {
        self.list.iter().map(|&[low, high, ..]| u16::from_le_bytes([low, high]))
    }

    /// Returns the length of the group in bytes.
    #[must_use]
    pub const fn encoded_len(&self) -> usize {
        1 + 1 + self.vendor_id.len() + 2 + 2 + 4 + 4 * self.list.len()
    }

    /// Writes the group, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or a part is too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        list::encode(*self, buffer)
    }
}

impl<'a> Item<'a> for EventGroup<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("StandardID", &mut self.standard_id)?;
        wire.length_prefixed("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        let mut count = self.list.len();
        wire.count("EventTypeCount", 2, &mut count)?;
        wire.u16("EventGroupVer", &mut self.version)?;
        wire.u32("Attributes", &mut self.attributes)?;
        wire.elements("EventTypeList", count, &mut self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::assert_items;

    #[test]
    fn round_trips_events() {
        let lost = Event { instance: 7, event_type: Event::EVENT_LOST, detail: &[1; 8], ..Event::default() };
        let other = Event { instance: 8, standard_id: 3, vendor_id: &[0x86, 0x80], ..Event::default() };
        assert_items::<Event<'_>>(&[
            (lost, &[7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 1, 1, 1, 1, 1, 1, 1, 1]),
            (other, &[8, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0x86, 0x80, 0, 0, 0, 0]),
        ]);
        assert_eq!([lost, other].map(|event| event.encoded_len()), [22, 16]);
    }

    #[test]
    fn dmtf_events_have_fixed_lengths() {
        for (event_type, len) in [(1, 8), (2, 32), (3, 32), (4, 1)] {
            let event = |len| Event { event_type, detail: &[1; 40][..len], ..Event::default() };
            assert!((0..=40).filter(|&len| event(len).is_possible()).eq([len]), "type {event_type}");
            assert!(!Event { vendor_id: &[1], ..event(len) }.is_possible());
            assert!(Event { standard_id: 3, ..event(40) }.is_possible());
        }
        for event_type in [0, 5, u16::MAX] {
            assert!(!Event { event_type, ..Event::default() }.is_possible(), "{event_type} is reserved");
        }
    }

    #[test]
    fn round_trips_event_groups() {
        let list = &[Event::EVENT_LOST, Event::CERTIFICATE_CHANGED].map(EventGroup::element);
        let some = EventGroup { version: 1, list, ..EventGroup::default() };
        let all = EventGroup { version: 1, attributes: EventGroup::ALL, ..EventGroup::default() };
        assert_items::<EventGroup<'_>>(&[
            (some, &[0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0]),
            (all, &[0, 0, 0, 0, 1, 0, 1, 0, 0, 0]),
        ]);
        let of_vendor = EventGroup { vendor_id: &[1, 2], ..some };
        assert_eq!([some, all, of_vendor].map(|group| group.encoded_len()), [18, 10, 20]);
        assert!(some.types().eq([Event::EVENT_LOST, Event::CERTIFICATE_CHANGED]));
    }
}
