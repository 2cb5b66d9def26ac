//! Events (1.3): which there are, which of them are wanted, and that some happened.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::{Reader, Wire, Writer};

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
    /// EventGroupCount.
    pub count: u8,
    /// SupportedEventGroupsList.
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
    /// SubscribeEventGroupCount.
    pub count: u8,
    /// SubscribeList.
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
    /// EventCount.
    pub count: u32,
    /// EventList, which [`Events`] reads.
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

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for SupportedEventTypes<'a> {
    const CODE: Code = Code::SUPPORTED_EVENT_TYPES;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("EventGroupCount", &mut self.count)?;
        wire.reserved(1)?;
        wire.counted("SupportedEventGroupsListLen", 4, "SupportedEventGroupsList", &mut self.groups)
    }
}

impl<'a> Message<'a> for SubscribeEventTypes<'a> {
    const CODE: Code = Code::SUBSCRIBE_EVENT_TYPES;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SubscribeEventGroupCount", &mut self.count)?;
        wire.reserved(1)?;
        if self.count == 0 {
            return wire.slice("SubscribeList", 0, &mut self.groups);
        }
        wire.counted("SubscribeListLen", 4, "SubscribeList", &mut self.groups)
    }
}

impl<'a> Message<'a> for SubscribeEventTypesAck {
    const CODE: Code = Code::SUBSCRIBE_EVENT_TYPES_ACK;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for SendEvent<'a> {
    const CODE: Code = Code::SEND_EVENT;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u32("EventCount", &mut self.count)?;
        wire.rest("EventList", &mut self.events)
    }
}

impl<'a> Message<'a> for EventAck {
    const CODE: Code = Code::EVENT_ACK;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

/// One event.
///
/// ```text
/// 0 EventInstanceID u32 | 4 reserved[4] | 8 StandardID | 9 VendorIDLength | 10 VendorID
/// EventTypeId u16 | EventDetailLen u16 | EventDetail
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Event<'a> {
    /// EventInstanceID: one more with every event.
    pub instance: u32,
    /// Whose event group: an index into [`crate::vendor::STANDARDS`].
    pub standard_id: u8,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// EventTypeId; of the DMTF one of the constants here.
    pub event_type: u16,
    /// EventDetail.
    pub detail: &'a [u8],
}

impl<'a> Event<'a> {
    /// EventLost, 8 bytes: the last instance that was acknowledged, and the last that was lost.
    pub const EVENT_LOST: u16 = 1;
    /// MeasurementChanged, 32 bytes: a bit for each index.
    pub const MEASUREMENT_CHANGED: u16 = 2;
    /// MeasurementPreUpdate, 32 bytes: a bit for each index.
    pub const MEASUREMENT_PRE_UPDATE: u16 = 3;
    /// CertificateChanged, 1 byte: a bit for each slot.
    pub const CERTIFICATE_CHANGED: u16 = 4;

    /// Writes the event, and returns its length in bytes.
    ///
    /// # Errors
    /// Too small a buffer, or a part that is too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let mut event = *self;
        event.walk(&mut writer)?;
        Ok(Wire::offset(&writer))
    }

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("EventInstanceID", &mut self.instance)?;
        wire.reserved(4)?;
        wire.u8("StandardID", &mut self.standard_id)?;
        wire.counted("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        wire.u16("EventTypeId", &mut self.event_type)?;
        wire.counted("EventDetailLen", 2, "EventDetail", &mut self.detail)
    }
}

/// The events of a list; ends after the first that is malformed.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Events<'a> {
    /// The events of an EventList.
    #[must_use]
    pub const fn new(events: &'a [u8]) -> Self {
        Self { bytes: events, offset: 0 }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, CodecError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.bytes.len() {
            return None;
        }
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut event = Event::default();
        let walked = event.walk(&mut reader);
        self.offset = if walked.is_ok() { Wire::offset(&reader) } else { self.bytes.len() };
        Some(walked.map(|()| event))
    }
}
