//! VENDOR_DEFINED_REQUEST and VENDOR_DEFINED_RESPONSE: messages of vendors and of other standards.

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
    /// The payload with its vendor.
    pub payload: VendorPayload<'a>,
}

/// VENDOR_DEFINED_RESPONSE, with the layout of the request.
///
/// ```text
/// 0 SPDMVersion | 1 0x7E | 2 bit 7 large (1.4) | 3 reserved
/// 4 to the end as in VENDOR_DEFINED_REQUEST
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorDefinedResponse<'a> {
    /// The payload with its vendor.
    pub payload: VendorPayload<'a>,
}

/// The fields that VENDOR_DEFINED_REQUEST and VENDOR_DEFINED_RESPONSE share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VendorPayload<'a> {
    /// Whether the length has 32 bits (1.4).
    pub large: bool,
    /// StandardID, an index into [`STANDARDS`].
    pub standard_id: u16,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// The payload, up to the end.
    pub data: &'a [u8],
}

/// A registry of vendors (DSP0274 "Registry or standards body ID").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// Name of the registry.
    pub name: &'static str,
    /// Possible lengths of a VendorID in bytes; 0 means that a message may name the standards body without a vendor.
    pub vendor_id_lens: &'static [usize],
}

macro_rules! standards {
    ($($name:literal $($len:literal)*;)*) => {
        /// The registries, indexed by StandardID.
        pub const STANDARDS: &[Standard] = &[$(Standard { name: $name, vendor_id_lens: &[$($len),*] }),*];
    };
}

standards! {
    "DMTF" 0;
    "TCG" 0 2;
    "USB" 0 2;
    "PCI-SIG" 0 2;
    "IANA" 0 4;
    "HDBaseT" 0 4;
    "MIPI" 0 2;
    "CXL" 0 2;
    "JEDEC" 0 2;
    "VESA" 0;
    // The VendorID is a tag number in CBOR encoding.
    "IANA CBOR" 1 2 3 5 9;
    "DMTF-DSP" 2;
}

/// Returns whether the StandardID exists, and its registry has VendorIDs of this length.
#[must_use]
pub fn is_registered(standard_id: u16, vendor_id: &[u8]) -> bool {
    let standard = STANDARDS.get(usize::from(standard_id));
    standard.is_some_and(|standard| standard.vendor_id_lens.contains(&vendor_id.len()))
}

impl<'a> VendorPayload<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, version: Version) -> Result<(), CodecError> {
        if version >= Version::V1_4 {
            wire.flag("LargeLength", 7, &mut self.large)?;
            wire.reserved(1)?;
        } else {
            self.large = false;
            wire.reserved(2)?;
        }
        wire.u16("StandardID", &mut self.standard_id)?;
        wire.length_prefixed("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        if self.large {
            wire.reserved(2)?;
            return wire.length_prefixed("LargePayloadLength", 4, "payload", &mut self.data);
        }
        wire.length_prefixed("PayloadLength", 2, "payload", &mut self.data)
    }
}

impl<'a> Message<'a> for VendorDefinedRequest<'a> {
    const CODE: Code = Code::VENDOR_DEFINED_REQUEST;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        self.payload.visit_fields(wire, version)
    }
}

impl<'a> Message<'a> for VendorDefinedResponse<'a> {
    const CODE: Code = Code::VENDOR_DEFINED_RESPONSE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        self.payload.visit_fields(wire, version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_length_of_vendor_id() {
        let lens = |standard_id| (0..12).filter(move |len| is_registered(standard_id, &[7; 12][..*len]));
        for (standard_id, expected) in [
            (0, &[0][..]),
            (3, &[0, 2]),
            (4, &[0, 4]),
            (10, &[1, 2, 3, 5, 9]),
            (11, &[2]),
            (12, &[]),
            (u16::MAX, &[]),
        ] {
            assert!(lens(standard_id).eq(expected.iter().copied()), "{standard_id}");
        }
    }
}
