//! The structs of SLOT_MANAGEMENT and SLOT_MANAGEMENT_RESP (1.4), by SubCode.

use crate::algorithms::PqcAsym;
use crate::bits::bits;
use crate::codec_error::CodecError;
use crate::key_pair_info::{KeyPairAsym, KeyUsage};
use crate::list::{Item, Items};
use crate::slot_management::SubCode;
use crate::wire::Wire;

/// The largest valid BankID.
pub const MAX_BANK: u8 = 239;

/// The response to SupportedSubCodes.
///
/// ```text
/// 0 RespLength u16 36 | 2 reserved[2] | 4 bit map[8] | 12 reserved[24]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SupportedSubCodes {
    /// Bit k of byte j stands for SubCode 8j + k.
    pub bit_map: [u8; 8],
}

impl SupportedSubCodes {
    /// Creates the bit map of these SubCodes. SubCodes of 64 and above have no bit.
    #[must_use]
    pub fn new(sub_codes: &[SubCode]) -> Self {
        let bits = sub_codes.iter().filter(|code| code.0 < 64).fold(0_u64, |bits, code| bits | 1 << code.0);
        Self { bit_map: bits.to_le_bytes() }
    }

    /// Returns whether the responder supports `sub_code`.
    #[must_use]
    pub const fn contains(&self, sub_code: SubCode) -> bool {
        sub_code.0 < 64 && u64::from_le_bytes(self.bit_map) >> sub_code.0 & 1 == 1
    }
}

impl<'a> Item<'a> for SupportedSubCodes {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        fixed_length("RespLength", 36, wire)?;
        wire.reserved(2)?;
        wire.array("SubCode bit map", &mut self.bit_map)?;
        wire.reserved(24)
    }
}

/// SlotAddress: the whole request of GetBankDetails and GetCertificateChain, and the start of other requests.
///
/// ```text
/// 0 ReqLength u16 8 | 2 reserved[2] | 4 BankID | 5 bits 3:0 SlotID | 6 reserved[2]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotAddress {
    /// BankID, 0 to [`MAX_BANK`].
    pub bank: u8,
    /// SlotID, bits 3:0, 0 to 7.
    pub slot: u8,
}

impl<'a> Item<'a> for SlotAddress {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        fixed_length("ReqLength", 8, wire)?;
        wire.reserved(2)?;
        wire.u8("BankID", &mut self.bank)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(2)
    }
}

/// The response to GetBankInfo.
///
/// ```text
/// 0 RespLength u16 of the whole struct | 2 reserved[2] | 4 NumBankElements | 5 reserved[3] | 8 BankElement[]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankInfo<'a> {
    /// NumBankElements: the number of banks.
    pub count: u8,
    /// BankElements, to be read with [`BankElements`].
    pub elements: &'a [u8],
}

/// Iterates over the banks of [`BankInfo`].
pub type BankElements<'a> = Items<'a, BankElement>;

/// A bank.
///
/// ```text
/// 0 ElementLength 4 | 1 BankID | 2 SlotMask | 3 ModifiableSlotMask
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankElement {
    /// BankID, 0 to [`MAX_BANK`].
    pub bank: u8,
    /// SlotMask: the slots that exist.
    pub slots: u8,
    /// ModifiableSlotMask: the writable slots.
    pub modifiable: u8,
}

impl<'a> Item<'a> for BankInfo<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let begin = wire.offset();
        let mut length = self.elements.len().saturating_add(8);
        wire.count("RespLength", 2, &mut length)?;
        wire.reserved(2)?;
        wire.u8("NumBankElements", &mut self.count)?;
        wire.reserved(3)?;
        rest("BankElement", begin, length, &mut self.elements, wire)
    }
}

impl<'a> Item<'a> for BankElement {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let (at, mut length) = (wire.offset(), 4);
        wire.u8("ElementLength", &mut length)?;
        if length != 4 {
            return Err(wire.invalid_value("ElementLength", at, "4", u64::from(length)));
        }
        wire.u8("BankID", &mut self.bank)?;
        wire.u8("SlotMask", &mut self.slots)?;
        wire.u8("ModifiableSlotMask", &mut self.modifiable)
    }
}

/// The response to GetBankDetails.
///
/// ```text
/// 0 RespLength u16 of the whole struct | 2 BankID | 3 reserved | 4 NumSlotElements u16 | 6 BankAttributes | 7 reserved
/// 8 AsymAlgoCapabilities u32 | 12 CurrentAsymAlgo u32 | 16 AvailableAsymAlgo u32
/// 20 length, PqcAsymAlgoCapabilities | length, CurrentPqcAsymAlgo | length, AvailablePqcAsymAlgo | reserved[4]
/// SlotElement[]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BankDetails<'a> {
    /// BankID, 0 to [`MAX_BANK`].
    pub bank: u8,
    /// NumSlotElements: the number of slots in the bank.
    pub count: u16,
    /// BankAttributes: properties of the bank.
    pub attributes: BankAttributes,
    /// AsymAlgoCapabilities: the classical algorithms that the bank supports.
    pub asym_capabilities: KeyPairAsym,
    /// CurrentAsymAlgo: the classical algorithm in use; at most one bit.
    pub asym: KeyPairAsym,
    /// AvailableAsymAlgo: the supported classical algorithms that no other bank uses.
    pub asym_available: KeyPairAsym,
    /// PqcAsymAlgoCapabilities: the post-quantum algorithms that the bank supports, to be read with [`pqc_bits`].
    pub pqc_capabilities: &'a [u8],
    /// CurrentPqcAsymAlgo: the post-quantum algorithm in use, to be read with [`pqc_bits`].
    pub pqc: &'a [u8],
    /// AvailablePqcAsymAlgo: the supported post-quantum algorithms that no other bank uses, to be read with
    /// [`pqc_bits`].
    pub pqc_available: &'a [u8],
    /// SlotElements, to be read with [`SlotElements`].
    pub elements: &'a [u8],
}

/// Returns the bits of a variable-length set of post-quantum algorithms, lowest byte first. Bits above 31 are
/// ignored.
#[must_use]
pub fn pqc_bits(bytes: &[u8]) -> PqcAsym {
    PqcAsym(bytes.iter().take(4).rev().fold(0, |bits, &byte| bits << 8 | u32::from(byte)))
}

/// Encodes post-quantum algorithms into `buffer`, reversing [`pqc_bits`]. The empty set has no bytes.
pub fn pqc_bytes(bits: PqcAsym, buffer: &mut [u8; 4]) -> &[u8] {
    *buffer = bits.0.to_le_bytes();
    if bits.is_empty() { &[] } else { buffer }
}

/// Iterates over the slots of [`BankDetails`].
pub type SlotElements<'a> = Items<'a, SlotElement<'a>>;

/// A slot of a bank.
///
/// ```text
/// 0 ElementLength u16 of the whole element | 2 SlotID | 3 reserved | 4 SlotAttributes | 5 KeyPairID
/// 6 CertificateInfo | 7 reserved | 8 KeyUsage u16 | 10 reserved[2] | 12 SlotSize u32 | 16 Digest[H]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotElement<'a> {
    /// SlotID, 0 to 7.
    pub slot: u8,
    /// SlotAttributes: properties of the slot.
    pub attributes: SlotAttributes,
    /// KeyPairID: the number of the key pair, starting at 1.
    pub key_pair_id: u8,
    /// CertificateInfo, bits 2:0: the model (1 device, 2 alias, 3 generic).
    pub certificate_info: u8,
    /// KeyUsage: the usages of the slot's key.
    pub key_usage: KeyUsage,
    /// SlotSize in bytes.
    pub size: u32,
    /// Digest of the slot's chain.
    pub digest: &'a [u8],
}

impl<'a> Item<'a> for BankDetails<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let begin = wire.offset();
        let pqc = [self.pqc_capabilities, self.pqc, self.pqc_available];
        let lists = pqc.iter().fold(self.elements.len(), |sum, list| sum.saturating_add(list.len()));
        // 20 bytes before the lists, a length before each of three lists, and four reserved bytes.
        let mut length = lists.saturating_add(27);
        wire.count("RespLength", 2, &mut length)?;
        wire.u8("BankID", &mut self.bank)?;
        wire.reserved(1)?;
        wire.u16("NumSlotElements", &mut self.count)?;
        wire.bits("BankAttributes", 1, &mut self.attributes)?;
        wire.reserved(1)?;
        wire.bits("AsymAlgoCapabilities", 4, &mut self.asym_capabilities)?;
        wire.bits("CurrentAsymAlgo", 4, &mut self.asym)?;
        wire.bits("AvailableAsymAlgo", 4, &mut self.asym_available)?;
        let capabilities = &mut self.pqc_capabilities;
        wire.length_prefixed("PqcAsymAlgoCapLen", 1, "PqcAsymAlgoCapabilities", capabilities)?;
        wire.length_prefixed("CurrentPqcAsymAlgoLen", 1, "CurrentPqcAsymAlgo", &mut self.pqc)?;
        wire.length_prefixed("AvailablePqcAsymAlgoLen", 1, "AvailablePqcAsymAlgo", &mut self.pqc_available)?;
        wire.reserved(4)?;
        rest("SlotElement", begin, length, &mut self.elements, wire)
    }
}

impl<'a> Item<'a> for SlotElement<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let at = wire.offset();
        let mut length = self.digest.len().saturating_add(16);
        wire.count("ElementLength", 2, &mut length)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(1)?;
        wire.bits("SlotAttributes", 1, &mut self.attributes)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)?;
        wire.u8("CertificateInfo", &mut self.certificate_info)?;
        wire.reserved(1)?;
        wire.bits("KeyUsage", 2, &mut self.key_usage)?;
        wire.reserved(2)?;
        wire.u32("SlotSize", &mut self.size)?;
        let digest = length.checked_sub(16);
        let digest =
            digest.ok_or_else(|| wire.invalid_value("ElementLength", at, "at least 16", length as u64))?;
        wire.slice("Digest", digest, &mut self.digest)
    }
}

/// The response to GetCertificateChain and GetCSR: a certificate chain, or a PKCS #10 certification request.
///
/// ```text
/// 0 CCLength or CSRLength u32 | 4 reserved[4] | 8 CertChain or CSRData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    /// The chain as [`crate::certificate::CertificateChain`], or the certification request in DER.
    pub bytes: &'a [u8],
}

impl<'a> Item<'a> for Document<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let mut length = self.bytes.len();
        wire.count("Length", 4, &mut length)?;
        wire.reserved(4)?;
        wire.slice("CertChain or CSRData", length, &mut self.bytes)
    }
}

/// The request struct of ManageBank, which configures the algorithm of a bank.
///
/// ```text
/// 0 SlotAddress | 8 Operation | 9 reserved[3] | 12 SelectAsymAlgo u32 | 16 length, SelectPqcAsymAlgo
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ManageBank<'a> {
    /// The address of the bank.
    pub address: SlotAddress,
    /// Operation: [`ManageBank::CONFIG_ALGO`].
    pub operation: u8,
    /// SelectAsymAlgo: the classical algorithm to select; at most one bit.
    pub asym: KeyPairAsym,
    /// SelectPqcAsymAlgo: the post-quantum algorithm to select, to be read with [`pqc_bits`].
    pub pqc: &'a [u8],
}

impl ManageBank<'_> {
    /// Operation: configures another algorithm for the bank.
    pub const CONFIG_ALGO: u8 = 1;
}

impl<'a> Item<'a> for ManageBank<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        self.address.visit_fields(wire)?;
        wire.u8("Operation", &mut self.operation)?;
        wire.reserved(3)?;
        wire.bits("SelectAsymAlgo", 4, &mut self.asym)?;
        wire.length_prefixed("SelectPqcAsymAlgoLen", 1, "SelectPqcAsymAlgo", &mut self.pqc)
    }
}

/// The request struct of ManageSlot, which erases a slot.
///
/// ```text
/// 0 SlotAddress | 8 Operation | 9 reserved[3]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ManageSlot {
    /// The address of the slot.
    pub address: SlotAddress,
    /// Operation: [`ManageSlot::ERASE`].
    pub operation: u8,
}

impl ManageSlot {
    /// Operation: erases the slot.
    pub const ERASE: u8 = 1;
}

impl<'a> Item<'a> for ManageSlot {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        self.address.visit_fields(wire)?;
        wire.u8("Operation", &mut self.operation)?;
        wire.reserved(3)
    }
}

/// The request struct of GetCSR, which requests a certification request.
///
/// ```text
/// 0 SlotAddress | 8 KeyPairID | 9 RequestAttributes | 10 reserved[2]
/// 12 RequesterInfoLength u16 | 14 OpaqueDataLength u16 | 16 RequesterInfo | OpaqueData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetCsr<'a> {
    /// The address of the slot.
    pub address: SlotAddress,
    /// KeyPairID: the number of the key pair, starting at 1.
    pub key_pair_id: u8,
    /// RequestAttributes, as in [`crate::csr::GetCsr`].
    pub attributes: u8,
    /// RequesterInfo: the requester's content for the certification request, in DER.
    pub requester_info: &'a [u8],
    /// OpaqueData, at most 1024 bytes.
    pub opaque: &'a [u8],
}

impl<'a> Item<'a> for GetCsr<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        self.address.visit_fields(wire)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)?;
        wire.u8("RequestAttributes", &mut self.attributes)?;
        wire.reserved(2)?;
        crate::csr::info_and_opaque(&mut self.requester_info, &mut self.opaque, wire)
    }
}

/// The request struct of SetCertificate, which writes the chain of a slot.
///
/// ```text
/// 0 SlotAddress | 8 CertLength u32 | 12 CertAttributes, bits 2:0 the model | 13 KeyPairID | 14 reserved[2] | 16 chain
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetCertificate<'a> {
    /// The address of the slot.
    pub address: SlotAddress,
    /// CertAttributes, bits 2:0: the model (1 device, 2 alias, 3 generic).
    pub attributes: u8,
    /// KeyPairID: the number of the key pair, starting at 1.
    pub key_pair_id: u8,
    /// A whole chain, as [`crate::certificate::CertificateChain`].
    pub chain: &'a [u8],
}

impl<'a> Item<'a> for SetCertificate<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        self.address.visit_fields(wire)?;
        let mut length = self.chain.len();
        wire.count("CertLength", 4, &mut length)?;
        wire.u8("CertAttributes", &mut self.attributes)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)?;
        wire.reserved(2)?;
        wire.slice("CertChain", length, &mut self.chain)
    }
}

/// Processes a length field that has only one valid value.
fn fixed_length<'a>(name: &'static str, length: usize, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    let (at, mut found) = (wire.offset(), length);
    wire.count(name, 2, &mut found)?;
    if found == length { Ok(()) } else { Err(wire.invalid_value(name, at, "the only length", found as u64)) }
}

/// Processes the last field of a struct that starts at `begin`. `length` is the value of RespLength, which counts from
/// `begin`.
fn rest<'a>(
    name: &'static str,
    begin: usize,
    length: usize,
    value: &mut &'a [u8],
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    let left = length.checked_sub(wire.offset() - begin);
    let left = left
        .ok_or_else(|| wire.invalid_value("RespLength", begin, "the length of all fields", length as u64))?;
    wire.slice(name, left, value)
}

bits! {
    /// BankAttributes: properties of the bank.
    BankAttributes(u8);
    SELECTED = 0, "Selected", 0;
    CONFIG_ALGO = 1, "ConfigAlgo", 0;
}

bits! {
    /// SlotAttributes: properties of the slot.
    SlotAttributes(u8);
    PROVISIONED = 0, "Provisioned", 0;
    WRITE_PROTECTED = 1, "WriteProtected", 0;
}

#[cfg(test)]
mod tests;
