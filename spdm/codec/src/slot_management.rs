//! SLOT_MANAGEMENT and SLOT_MANAGEMENT_RESP (1.4): management of slots in banks, one bank per algorithm.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// SLOT_MANAGEMENT.
///
/// ```text
/// 0 SPDMVersion | 1 0x88 | 2 SubCode | 3 reserved
/// 4 MgmtStructOffset u16, 0 if there is none | 6 reserved[2]
/// at MgmtStructOffset: ReqLength u16 of the whole struct | the rest of the struct
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotManagement<'a> {
    /// The SubCode and its request struct.
    pub management: Management<'a>,
}

/// SLOT_MANAGEMENT_RESP.
///
/// ```text
/// 0 SPDMVersion | 1 0x08 | 2 SubCode | 3 reserved
/// 4 to the end as in SLOT_MANAGEMENT, with RespLength instead of ReqLength
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotManagementResp<'a> {
    /// The SubCode and its response struct.
    pub management: Management<'a>,
}

/// SubCode: the operation of a SLOT_MANAGEMENT request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubCode(
    /// The byte on the wire.
    pub u8,
);

impl SubCode {
    /// SupportedSubCodes: lists the supported SubCodes.
    pub const SUPPORTED_SUB_CODES: Self = Self(0x00);
    /// GetBankInfo: lists the banks.
    pub const GET_BANK_INFO: Self = Self(0x01);
    /// GetBankDetails: describes a bank and its slots.
    pub const GET_BANK_DETAILS: Self = Self(0x02);
    /// GetCertificateChain: reads the chain of a slot.
    pub const GET_CERTIFICATE_CHAIN: Self = Self(0x03);
    /// GetCSR: requests a certification request.
    pub const GET_CSR: Self = Self(0x04);
    /// ManageBank: selects the algorithm of a bank.
    pub const MANAGE_BANK: Self = Self(0x20);
    /// ManageSlot: erases a slot.
    pub const MANAGE_SLOT: Self = Self(0x21);
    /// SetCertificate: writes the chain of a slot.
    pub const SET_CERTIFICATE: Self = Self(0x22);
}

/// The fields that SLOT_MANAGEMENT and SLOT_MANAGEMENT_RESP share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Management<'a> {
    /// SubCode: the operation on banks and slots.
    pub sub_code: SubCode,
    /// The struct of the SubCode, up to the end of the message, to be read with [`crate::bank`]; empty if there is
    /// none.
    pub structure: &'a [u8],
}

impl<'a> Management<'a> {
    /// The offset of the struct in encoded messages.
    const OFFSET: u16 = 8;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("SubCode", &mut self.sub_code.0)?;
        wire.reserved(1)?;
        let mut offset = if self.structure.is_empty() { 0 } else { Self::OFFSET };
        wire.u16("MgmtStructOffset", &mut offset)?;
        wire.reserved(2)?;
        if offset == 0 {
            return wire.slice("MgmtStruct", 0, &mut self.structure);
        }
        let begin = offset.checked_sub(Self::OFFSET);
        let begin = begin
            .ok_or_else(|| wire.invalid_value("MgmtStructOffset", 4, "0, or 8 or more", offset.into()))?;
        wire.reserved(usize::from(begin))?;
        wire.rest("MgmtStruct", &mut self.structure)?;
        let expected = "0 without a struct";
        if self.structure.is_empty() {
            Err(wire.invalid_value("MgmtStructOffset", 4, expected, offset.into()))
        } else {
            Ok(())
        }
    }
}

impl<'a> Message<'a> for SlotManagement<'a> {
    const CODE: Code = Code::SLOT_MANAGEMENT;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        self.management.visit_fields(wire)
    }
}

impl<'a> Message<'a> for SlotManagementResp<'a> {
    const CODE: Code = Code::SLOT_MANAGEMENT_RESP;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        self.management.visit_fields(wire)
    }
}
