//! GET_MEASUREMENTS and MEASUREMENTS, and the blocks of a measurement record.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::list::{self, Item, Items};
use crate::message::{Message, Sizes, Version};
use crate::opaque::opaque_data;
use crate::wire::Wire;

/// GET_MEASUREMENTS.
///
/// ```text
/// 0 SPDMVersion | 1 0xE0 | 2 attributes | 3 MeasurementOperation
/// if a signature is requested: 4 Nonce[32] | 36 SlotIDParam (1.1)
/// RequesterContext[8] (1.3)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetMeasurements {
    /// Param1: [`GetMeasurements::SIGNATURE`], [`GetMeasurements::RAW`], [`GetMeasurements::NEW`].
    pub attributes: u8,
    /// MeasurementOperation: 0 requests the number of blocks, 0xFF all blocks, any other value the block with this
    /// index.
    pub operation: u8,
    /// Nonce; only present with a signature.
    pub nonce: [u8; 32],
    /// SlotIDParam, bits 3:0; 0xF for the provisioned public key. Only present with a signature (1.1).
    pub slot: u8,
    /// RequesterContext (1.3), which the response repeats.
    pub context: [u8; 8],
}

impl GetMeasurements {
    /// Bit 0: requests a signature.
    pub const SIGNATURE: u8 = 1;
    /// Bit 1: requests raw values instead of digests (1.2).
    pub const RAW: u8 = 1 << 1;
    /// Bit 2: requests pending measurements (1.3).
    pub const NEW: u8 = 1 << 2;
    /// Operation: requests the number of blocks.
    pub const COUNT: u8 = 0;
    /// Operation: requests all blocks.
    pub const ALL: u8 = 0xff;

    /// Returns whether a signature is requested.
    #[must_use]
    pub const fn wants_signature(&self) -> bool {
        self.attributes & Self::SIGNATURE != 0
    }
}

/// MEASUREMENTS. The signature covers L1/L2, which ends right before the signature.
///
/// ```text
/// 0 SPDMVersion | 1 0x60 | 2 number of blocks if requested | 3 bits 3:0 SlotID, bits 5:4 content changed (1.2)
/// 4 NumberOfBlocks | 5 MeasurementRecordLength u24 | 8 MeasurementRecord
/// Nonce[32] | OpaqueDataLength u16 | OpaqueData | RequesterContext[8] (1.3) | Signature if requested
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measurements<'a> {
    /// Param1: the number of blocks of the device, if requested.
    pub total: u8,
    /// Param2: SlotID in bits 3:0, content-changed state in bits 5:4 (0 unknown, 1 changed, 2 unchanged).
    pub slot: u8,
    /// NumberOfBlocks: the number of blocks in the record.
    pub blocks: u8,
    /// MeasurementRecord: blocks, to be read with [`Blocks`].
    pub record: &'a [u8],
    /// Nonce: 32 random bytes of the sender.
    pub nonce: [u8; 32],
    /// OpaqueData, at most 1024 bytes.
    pub opaque: &'a [u8],
    /// RequesterContext (1.3), from the request.
    pub context: [u8; 8],
    /// Signature; empty if not requested.
    pub signature: &'a [u8],
}

impl<'a> Measurements<'a> {
    /// Param2, bits 5:4: a block in L1/L2 changed since it was sent (1.2).
    pub const CHANGED: u8 = 1 << 4;
    /// Param2, bits 5:4: no block in L1/L2 changed (1.2).
    pub const UNCHANGED: u8 = 2 << 4;

    /// Iterates over the blocks of the record.
    #[must_use]
    pub const fn blocks(&self) -> Blocks<'a> {
        Blocks::new(self.record)
    }
}

impl<'a> Message<'a> for GetMeasurements {
    const CODE: Code = Code::GET_MEASUREMENTS;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("attributes", &mut self.attributes)?;
        wire.u8("MeasurementOperation", &mut self.operation)?;
        if self.wants_signature() {
            wire.array("Nonce", &mut self.nonce)?;
            if version >= Version::V1_1 {
                wire.u8("SlotIDParam", &mut self.slot)?;
            }
        }
        if version >= Version::V1_3 {
            wire.array("RequesterContext", &mut self.context)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for Measurements<'a> {
    const CODE: Code = Code::MEASUREMENTS;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("TotalNumberOfMeasurement", &mut self.total)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.u8("NumberOfBlocks", &mut self.blocks)?;
        wire.length_prefixed("MeasurementRecordLength", 3, "MeasurementRecord", &mut self.record)?;
        wire.array("Nonce", &mut self.nonce)?;
        opaque_data(&mut self.opaque, wire)?;
        if version >= Version::V1_3 {
            wire.array("RequesterContext", &mut self.context)?;
        }
        wire.slice("Signature", sizes.signature, &mut self.signature)
    }
}

/// Iterates over the blocks of a measurement record.
pub type Blocks<'a> = Items<'a, Block<'a>>;

/// A measurement block in the format of DMTF's measurement specification.
///
/// ```text
/// 0 Index | 1 MeasurementSpecification 1 | 2 MeasurementSize u16
/// 4 DMTFSpecMeasurementValueType | 5 DMTFSpecMeasurementValueSize u16 | 7 DMTFSpecMeasurementValue
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block<'a> {
    /// Index, 1 to 0xFE.
    pub index: u8,
    /// Bits 6:0 are the measurement type ([`Block::kind`]); bit 7 marks a raw value.
    pub value_type: u8,
    /// The digest or raw value.
    pub value: &'a [u8],
    /// The bytes of the whole block with both headers, from which summary hashes are computed. Ignored when encoding.
    pub bytes: &'a [u8],
}

/// Names of the measurement types, indexed by bits 6:0 of the type.
pub const VALUE_TYPES: [&str; 11] = [
    "immutable ROM",
    "mutable firmware",
    "hardware configuration",
    "firmware configuration",
    "measurement manifest",
    "device mode",
    "firmware version",
    "firmware security version",
    "hash-extended",
    "informational",
    "structured manifest",
];

impl<'a> Block<'a> {
    /// Bit 7 of the type: the value is raw.
    pub const RAW: u8 = 1 << 7;
    /// Index of the measurement manifest.
    pub const MANIFEST: u8 = 0xfd;
    /// Index of the device mode.
    pub const DEVICE_MODE: u8 = 0xfe;

    /// Returns the measurement type, an index into [`VALUE_TYPES`].
    #[must_use]
    pub const fn kind(&self) -> u8 {
        self.value_type & !Self::RAW
    }

    /// Returns whether the value is raw rather than a digest.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        self.value_type & Self::RAW != 0
    }

    /// Writes the block, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the value is too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        list::encode(*self, buffer)
    }
}

impl<'a> Item<'a> for Block<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("Index", &mut self.index)?;
        let at = wire.offset();
        let mut specification = 1;
        wire.u8("MeasurementSpecification", &mut specification)?;
        if specification != 1 {
            let got = u64::from(specification);
            return Err(wire.invalid_value("MeasurementSpecification", at, "1 (DMTF)", got));
        }
        let mut size = self.value.len().saturating_add(3);
        wire.count("MeasurementSize", 2, &mut size)?;
        let at = wire.offset();
        wire.u8("DMTFSpecMeasurementValueType", &mut self.value_type)?;
        wire.length_prefixed("DMTFSpecMeasurementValueSize", 2, "DMTFSpecMeasurementValue", &mut self.value)?;
        if wire.offset() - at != size {
            let expected = "three more than DMTFSpecMeasurementValueSize";
            return Err(wire.invalid_value("MeasurementSize", at - 2, expected, size as u64));
        }
        Ok(())
    }

    fn set_encoding(&mut self, bytes: &'a [u8]) {
        self.bytes = bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::assert_items;

    #[test]
    fn round_trips_blocks() {
        let digest = [1, 1, 5, 0, 0, 2, 0, 0xaa, 0xbb];
        let raw = [0xfe, 1, 3, 0, 0x85, 0, 0];
        let (rom, mode) = (
            Block { index: 1, value_type: 0, value: &digest[7..], bytes: &digest },
            Block { index: Block::DEVICE_MODE, value_type: 0x85, value: &[], bytes: &raw },
        );
        assert_items::<Block<'_>>(&[(rom, &digest), (mode, &raw)]);
        assert_eq!((rom.is_raw(), mode.is_raw()), (false, true));
        assert_eq!(VALUE_TYPES[usize::from(mode.kind())], "device mode");
    }

    #[test]
    fn rejects_contradictory_blocks() {
        for (block, name) in [
            ([1, 2, 5, 0, 0, 2, 0, 0xaa, 0xbb], "MeasurementSpecification"),
            ([1, 1, 6, 0, 0, 2, 0, 0xaa, 0xbb], "MeasurementSize"),
            ([1, 1, 5, 0, 0, 3, 0, 0xaa, 0xbb], "DMTFSpecMeasurementValue"),
        ] {
            let mut blocks = Blocks::new(&block);
            assert_eq!(blocks.next().and_then(Result::err).map(|error| error.name), Some(name));
            assert!(blocks.next().is_none());
        }
    }
}
