//! FINISH and FINISH_RSP, which confirm that both sides have the same keys, and optionally authenticate the
//! requester.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::opaque::opaque_data;
use crate::wire::Wire;

/// FINISH. The signature covers TH without the signature and VerifyData. VerifyData is a MAC over TH including the
/// signature.
///
/// ```text
/// 0 SPDMVersion | 1 0xE5 | 2 bit 0 signature included | 3 SlotID of the requester
/// OpaqueDataLength u16 (1.4) | OpaqueData (1.4) | Signature if included | RequesterVerifyData[H]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Finish<'a> {
    /// Whether there is a signature, for mutual authentication.
    pub signed: bool,
    /// SlotID of the requester; 0xFF for the provisioned public key, 0 without a signature.
    pub req_slot: u8,
    /// OpaqueData (1.4), at most 1024 bytes.
    pub opaque: &'a [u8],
    /// Signature; empty without mutual authentication.
    pub signature: &'a [u8],
    /// RequesterVerifyData: the requester's MAC over TH.
    pub verify_data: &'a [u8],
}

/// FINISH_RSP.
///
/// ```text
/// 0 SPDMVersion | 1 0x65 | 2 reserved | 3 reserved
/// OpaqueDataLength u16 (1.4) | OpaqueData (1.4) | ResponderVerifyData[H] with HANDSHAKE_IN_THE_CLEAR
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FinishRsp<'a> {
    /// OpaqueData (1.4), at most 1024 bytes.
    pub opaque: &'a [u8],
    /// ResponderVerifyData; empty without HANDSHAKE_IN_THE_CLEAR.
    pub verify_data: &'a [u8],
}

impl<'a> Message<'a> for Finish<'a> {
    const CODE: Code = Code::FINISH;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.flag("SignatureIncluded", 0, &mut self.signed)?;
        wire.u8("SlotID", &mut self.req_slot)?;
        if version >= Version::V1_4 {
            opaque_data(&mut self.opaque, wire)?;
        }
        let signature = if self.signed { sizes.signature } else { 0 };
        wire.slice("Signature", signature, &mut self.signature)?;
        wire.slice("RequesterVerifyData", sizes.hash, &mut self.verify_data)
    }
}

impl<'a> Message<'a> for FinishRsp<'a> {
    const CODE: Code = Code::FINISH_RSP;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(2)?;
        if version >= Version::V1_4 {
            opaque_data(&mut self.opaque, wire)?;
        }
        wire.slice("ResponderVerifyData", sizes.verify_data, &mut self.verify_data)
    }
}
