//! GET_ENDPOINT_INFO and ENDPOINT_INFO (1.3): what the device is, signed if that is asked for.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_ENDPOINT_INFO.
///
/// ```text
/// 0 SPDMVersion | 1 0x87 | 2 SubCode | 3 SlotID
/// 4 RequestAttributes | 5 reserved[3] | 8 Nonce[32] if a signature is asked for
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetEndpointInfo {
    /// SubCode: [`GetEndpointInfo::DEVICE_CLASS`].
    pub sub_code: u8,
    /// SlotID, bits 3:0, 0xF for the public key that was provisioned.
    pub slot: u8,
    /// RequestAttributes: [`GetEndpointInfo::SIGNATURE`].
    pub attributes: u8,
    /// Nonce; only with a signature.
    pub nonce: [u8; 32],
}

impl GetEndpointInfo {
    /// SubCode: DeviceClassIdentifier.
    pub const DEVICE_CLASS: u8 = 1;
    /// Bit 0 of the attributes: the response is to be signed.
    pub const SIGNATURE: u8 = 1;

    /// Whether the response is to be signed.
    #[must_use]
    pub const fn wants_signature(&self) -> bool {
        self.attributes & Self::SIGNATURE != 0
    }
}

/// ENDPOINT_INFO. The signature is over IL1/IL2, which ends right before it.
///
/// ```text
/// 0 SPDMVersion | 1 0x07 | 2 reserved | 3 SlotID
/// 4 reserved[4] | Nonce[32] with a signature | EPInfoLength u32 | EPInfo | Signature if asked for
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndpointInfo<'a> {
    /// SlotID, bits 3:0.
    pub slot: u8,
    /// Nonce; only with a signature.
    pub nonce: [u8; 32],
    /// EPInfo: what the SubCode asked for.
    pub info: &'a [u8],
    /// Signature; empty if not asked for.
    pub signature: &'a [u8],
}

impl<'a> Message<'a> for GetEndpointInfo {
    const CODE: Code = Code::GET_ENDPOINT_INFO;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SubCode", &mut self.sub_code)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.u8("RequestAttributes", &mut self.attributes)?;
        wire.reserved(3)?;
        if self.wants_signature() { wire.array("Nonce", &mut self.nonce) } else { Ok(()) }
    }
}

impl<'a> Message<'a> for EndpointInfo<'a> {
    const CODE: Code = Code::ENDPOINT_INFO;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, sizes: &Sizes) -> Result<(), CodecError> {
        wire.reserved(1)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(4)?;
        if sizes.signature != 0 {
            wire.array("Nonce", &mut self.nonce)?;
        }
        wire.counted("EPInfoLength", 4, "EPInfo", &mut self.info)?;
        wire.slice("Signature", sizes.signature, &mut self.signature)
    }
}
