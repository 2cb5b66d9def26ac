//! Encapsulated requests of the responder, which travel in responses, and their responses, which travel in requests.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_ENCAPSULATED_REQUEST: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0xEA | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetEncapsulatedRequest;

/// ENCAPSULATED_REQUEST.
///
/// ```text
/// 0 SPDMVersion | 1 0x6A | 2 RequestID | 3 reserved
/// 4 EncapsulatedRequest, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncapsulatedRequest<'a> {
    /// RequestID, chosen by the responder.
    pub request_id: u8,
    /// EncapsulatedRequest: a whole request.
    pub request: &'a [u8],
}

/// DELIVER_ENCAPSULATED_RESPONSE.
///
/// ```text
/// 0 SPDMVersion | 1 0xEB | 2 RequestID | 3 reserved
/// 4 EncapsulatedResponse, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeliverEncapsulatedResponse<'a> {
    /// RequestID of the answered request.
    pub request_id: u8,
    /// EncapsulatedResponse: a whole response.
    pub response: &'a [u8],
}

/// ENCAPSULATED_RESPONSE_ACK.
///
/// ```text
/// 0 SPDMVersion | 1 0x6B | 2 RequestID | 3 EncapsulatedRequestPayloadType
/// 4 AckRequestID (1.2) | 5 reserved[3] (1.2)
/// then EncapsulatedRequest, up to the end; or one byte, the requester's slot
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncapsulatedResponseAck<'a> {
    /// RequestID of the next request.
    pub request_id: u8,
    /// EncapsulatedRequestPayloadType: one of the constants of this type.
    pub payload_type: u8,
    /// AckRequestID (1.2): RequestID of the acknowledged response.
    pub ack_request_id: u8,
    /// The next request, the slot number, or nothing.
    pub payload: &'a [u8],
}

impl EncapsulatedResponseAck<'_> {
    /// Payload type: nothing follows, and the flow is complete.
    pub const ABSENT: u8 = 0;
    /// Payload type: another request follows.
    pub const PRESENT: u8 = 1;
    /// Payload type: the flow is complete, and the slot for FINISH follows.
    pub const REQ_SLOT_NUMBER: u8 = 2;
}

impl<'a> Message<'a> for GetEncapsulatedRequest {
    const CODE: Code = Code::GET_ENCAPSULATED_REQUEST;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for EncapsulatedRequest<'a> {
    const CODE: Code = Code::ENCAPSULATED_REQUEST;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("RequestID", &mut self.request_id)?;
        wire.reserved(1)?;
        wire.rest("EncapsulatedRequest", &mut self.request)
    }
}

impl<'a> Message<'a> for DeliverEncapsulatedResponse<'a> {
    const CODE: Code = Code::DELIVER_ENCAPSULATED_RESPONSE;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("RequestID", &mut self.request_id)?;
        wire.reserved(1)?;
        wire.rest("EncapsulatedResponse", &mut self.response)
    }
}

impl<'a> Message<'a> for EncapsulatedResponseAck<'a> {
    const CODE: Code = Code::ENCAPSULATED_RESPONSE_ACK;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("RequestID", &mut self.request_id)?;
        let at = wire.offset();
        wire.u8("EncapsulatedRequestPayloadType", &mut self.payload_type)?;
        if version >= Version::V1_2 {
            wire.u8("AckRequestID", &mut self.ack_request_id)?;
            wire.reserved(3)?;
        }
        match self.payload_type {
            Self::ABSENT => wire.slice("payload", 0, &mut self.payload),
            Self::PRESENT => wire.rest("EncapsulatedRequest", &mut self.payload),
            Self::REQ_SLOT_NUMBER => wire.slice("SlotNumber", 1, &mut self.payload),
            other => {
                Err(wire.invalid_value("EncapsulatedRequestPayloadType", at, "0, 1 or 2", u64::from(other)))
            }
        }
    }
}
