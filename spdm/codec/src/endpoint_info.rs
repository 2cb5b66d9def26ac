//! GET_ENDPOINT_INFO and ENDPOINT_INFO (1.3): the class of the device, optionally signed.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::list::{Item, Items};
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_ENDPOINT_INFO.
///
/// ```text
/// 0 SPDMVersion | 1 0x87 | 2 SubCode | 3 SlotID
/// 4 RequestAttributes | 5 reserved[3] | 8 Nonce[32] if a signature is requested
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetEndpointInfo {
    /// SubCode: [`GetEndpointInfo::DEVICE_CLASS`].
    pub sub_code: u8,
    /// SlotID, bits 3:0; 0xF for the provisioned public key.
    pub slot: u8,
    /// RequestAttributes: [`GetEndpointInfo::SIGNATURE`].
    pub attributes: u8,
    /// Nonce; only present with a signature.
    pub nonce: [u8; 32],
}

impl GetEndpointInfo {
    /// SubCode: DeviceClassIdentifier.
    pub const DEVICE_CLASS: u8 = 1;
    /// Bit 0 of the attributes: requests a signature.
    pub const SIGNATURE: u8 = 1;

    /// Returns whether a signature is requested.
    #[must_use]
    pub const fn wants_signature(&self) -> bool {
        self.attributes & Self::SIGNATURE != 0
    }
}

/// ENDPOINT_INFO. The signature covers IL1/IL2, which ends right before the signature.
///
/// ```text
/// 0 SPDMVersion | 1 0x07 | 2 reserved | 3 SlotID
/// 4 reserved[4] | Nonce[32] with a signature | EPInfoLength u32 | EPInfo | Signature if requested
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndpointInfo<'a> {
    /// SlotID of the signing key, bits 3:0; 0xF for the provisioned public key, 0 without a signature.
    pub slot: u8,
    /// Nonce; only present with a signature.
    pub nonce: [u8; 32],
    /// EPInfo: the data for the SubCode, a [`DeviceClass`].
    pub info: &'a [u8],
    /// Signature; empty if not requested.
    pub signature: &'a [u8],
}

impl<'a> Message<'a> for GetEndpointInfo {
    const CODE: Code = Code::GET_ENDPOINT_INFO;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SubCode", &mut self.sub_code)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.u8("RequestAttributes", &mut self.attributes)?;
        wire.reserved(3)?;
        if self.wants_signature() { wire.array("Nonce", &mut self.nonce) } else { Ok(()) }
    }
}

impl<'a> Message<'a> for EndpointInfo<'a> {
    const CODE: Code = Code::ENDPOINT_INFO;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        _: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(1)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(4)?;
        if sizes.signature != 0 {
            wire.array("Nonce", &mut self.nonce)?;
        }
        wire.length_prefixed("EPInfoLength", 4, "EPInfo", &mut self.info)?;
        wire.slice("Signature", sizes.signature, &mut self.signature)
    }
}

/// EPInfo of DeviceClassIdentifier: the classes of the device.
///
/// ```text
/// 0 NumIdentifiers | 1 reserved[3] | 4 IdentifierElements, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceClass<'a> {
    /// NumIdentifiers: the number of elements in `identifiers`.
    pub count: u8,
    /// IdentifierElements, to be read with [`Identifiers`].
    pub identifiers: &'a [u8],
}

/// The identifiers of a [`DeviceClass`].
pub type Identifiers<'a> = Items<'a, Identifier<'a>>;

/// A device class, as defined by a standard or vendor.
///
/// ```text
/// 0 IDElemLength (of all following fields) | 1 StandardID | 2 VendorIDLength | 3 VendorID | NumSubIDs | SubordinateID[]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identifier<'a> {
    /// StandardID: an index into [`crate::vendor::STANDARDS`].
    pub standard_id: u8,
    /// VendorID in the registry of that standard.
    pub vendor_id: &'a [u8],
    /// NumSubIDs: the number of elements in `subordinate_ids`.
    pub count: u8,
    /// SubordinateIDs, to be read with [`SubordinateIds`].
    pub subordinate_ids: &'a [u8],
}

/// The subordinate identifiers of an [`Identifier`].
pub type SubordinateIds<'a> = Items<'a, SubordinateId<'a>>;

/// A subordinate identifier, with which the standard or vendor narrows the class.
///
/// ```text
/// 0 SubIDLen | 1 SubIdentifier
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubordinateId<'a> {
    /// SubIdentifier, in the format of the standard or vendor.
    pub identifier: &'a [u8],
}

impl<'a> Item<'a> for DeviceClass<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("NumIdentifiers", &mut self.count)?;
        wire.reserved(3)?;
        wire.rest("IdentifierElements", &mut self.identifiers)
    }
}

impl<'a> Item<'a> for Identifier<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let begin = wire.offset();
        let mut length = self.vendor_id.len().saturating_add(self.subordinate_ids.len()).saturating_add(3);
        wire.count("IDElemLength", 1, &mut length)?;
        wire.u8("StandardID", &mut self.standard_id)?;
        wire.length_prefixed("VendorIDLength", 1, "VendorID", &mut self.vendor_id)?;
        wire.u8("NumSubIDs", &mut self.count)?;
        let left = (begin + 1).saturating_add(length).checked_sub(wire.offset());
        let expected = "the length of all fields";
        let left = left.ok_or_else(|| wire.invalid_value("IDElemLength", begin, expected, length as u64))?;
        wire.slice("SubordinateID", left, &mut self.subordinate_ids)
    }
}

impl<'a> Item<'a> for SubordinateId<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.length_prefixed("SubIDLen", 1, "SubIdentifier", &mut self.identifier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{self, assert_items};

    #[test]
    fn round_trips_device_classes() {
        let bytes = [1, 0, 0, 0, 7, 0, 0, 1, 3, 0x12, 0x34, 0x56];
        let class = DeviceClass { count: 1, identifiers: &bytes[4..] };
        assert_eq!(list::decode(&bytes), Ok(class));
        let identifier = Identifier { count: 1, subordinate_ids: &bytes[8..], ..Identifier::default() };
        let pci = Identifier { standard_id: 3, vendor_id: &[0x86, 0x80], ..Identifier::default() };
        assert_items(&[(identifier, &bytes[4..]), (pci, &[5, 3, 2, 0x86, 0x80, 0][..])]);
        assert_items(&[(SubordinateId { identifier: &[0x12, 0x34, 0x56] }, &bytes[8..])]);
    }

    #[test]
    fn rejects_identifier_with_too_small_length() {
        let refused = list::decode::<Identifier<'_>>(&[4, 3, 2, 0x86, 0x80, 0]);
        assert_eq!(refused.map_err(|error| error.name), Err("IDElemLength"));
    }
}
