//! VENDOR_DEFINED_REQUEST and VENDOR_DEFINED_RESPONSE: messages of other standards and of vendors.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// VENDOR_DEFINED_REQUEST.
///
/// ```text
/// 0 SPDMVersion | 1 0xFE | 2 bit 7 large (1.4) | 3 reserved
/// 4 StandardID u16 | 6 VendorIDLength | 7 VendorID | ReqLength u16, 0 if large
/// large: LargeReqLength u32
/// VendorDefinedReqPayload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorDefinedRequest<'a> {
    /// What it carries.
    pub payload: VendorPayload<'a>,
}

/// VENDOR_DEFINED_RESPONSE: as the request, with code 0x7E.
///
/// ```text
/// 0 SPDMVersion | 1 0x7E | 2 bit 7 large (1.4) | 3 reserved
/// 4 to the end as in VENDOR_DEFINED_REQUEST
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorDefinedResponse<'a> {
    /// What it carries.
    pub payload: VendorPayload<'a>,
}

/// The part that request and response share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorPayload<'a> {
    /// Whether the length has 32 bits (1.4).
    pub large: bool,
    /// StandardID, an index into [`STANDARDS`].
    pub standard_id: u16,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// The payload.
    pub data: &'a [u8],
}

/// The registries, by StandardID.
pub const STANDARDS: [&str; 12] = [
    "DMTF",
    "TCG",
    "USB",
    "PCI-SIG",
    "IANA",
    "HDBaseT",
    "MIPI",
    "CXL",
    "JEDEC",
    "VESA",
    "IANA CBOR",
    "DMTF-DSP",
];

impl<'a> VendorPayload<'a> {
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, version: Version) -> Result<(), CodecError> {
        if version >= Version::V1_4 {
            wire.flag("LargeLength", 7, &mut self.large)?;
            wire.reserved(1)?;
        } else {
            self.large = false;
            wire.reserved(2)?;
        }
        wire.u16("StandardID", &mut self.standard_id)?;
        wire.counted("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        if self.large {
            wire.reserved(2)?;
            return wire.counted("LargePayloadLength", 4, "payload", &mut self.data);
        }
        wire.counted("PayloadLength", 2, "payload", &mut self.data)
    }
}

impl<'a> Message<'a> for VendorDefinedRequest<'a> {
    const CODE: Code = Code::VENDOR_DEFINED_REQUEST;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, version: Version, _: &Sizes) -> Result<(), CodecError> {
        self.payload.walk(wire, version)
    }
}

impl<'a> Message<'a> for VendorDefinedResponse<'a> {
    const CODE: Code = Code::VENDOR_DEFINED_RESPONSE;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, version: Version, _: &Sizes) -> Result<(), CodecError> {
        self.payload.walk(wire, version)
    }
}
