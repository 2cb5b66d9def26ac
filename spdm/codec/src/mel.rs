//! GET_MEASUREMENT_EXTENSION_LOG and MEASUREMENT_EXTENSION_LOG (1.3): the history of extended measurements.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::list::{self, Item, Items};
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_MEASUREMENT_EXTENSION_LOG.
///
/// ```text
/// 0 SPDMVersion | 1 0xEF | 2 reserved | 3 reserved
/// 4 Offset u32 | 8 Length u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetMeasurementExtensionLog {
    /// Offset into the log in bytes.
    pub offset: u32,
    /// Requested length in bytes.
    pub length: u32,
}

/// MEASUREMENT_EXTENSION_LOG.
///
/// ```text
/// 0 SPDMVersion | 1 0x6F | 2 reserved | 3 reserved
/// 4 PortionLength u32 | 8 RemainderLength u32 | 12 MEL[PortionLength]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeasurementExtensionLog<'a> {
    /// A portion of the log, a [`Mel`].
    pub portion: &'a [u8],
    /// Number of bytes after this portion.
    pub remainder: u32,
}

impl<'a> Message<'a> for GetMeasurementExtensionLog {
    const CODE: Code = Code::GET_MEASUREMENT_EXTENSION_LOG;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u32("Offset", &mut self.offset)?;
        wire.u32("Length", &mut self.length)
    }
}

impl<'a> Message<'a> for MeasurementExtensionLog<'a> {
    const CODE: Code = Code::MEASUREMENT_EXTENSION_LOG;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        let mut length = self.portion.len();
        wire.count("PortionLength", 4, &mut length)?;
        wire.u32("RemainderLength", &mut self.remainder)?;
        wire.slice("MEL", length, &mut self.portion)
    }
}

/// The whole log, in the format of DMTF's specification.
///
/// ```text
/// 0 NumberOfEntries u32 | 4 MELEntriesLen u32 | 8 reserved[8] | 16 MELEntries
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mel<'a> {
    /// NumberOfEntries: the number of entries in the log.
    pub count: u32,
    /// MELEntries, to be read with [`MelEntries`].
    pub entries: &'a [u8],
}

impl<'a> Mel<'a> {
    /// Decodes a whole log.
    ///
    /// # Errors
    /// Returns an error if there are too few or too many bytes.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, CodecError> {
        list::decode(bytes)
    }

    /// Writes the whole log, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the entries are too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        list::encode(*self, buffer)
    }
}

impl<'a> Item<'a> for Mel<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("NumberOfEntries", &mut self.count)?;
        let mut length = self.entries.len();
        wire.count("MELEntriesLen", 4, &mut length)?;
        wire.reserved(8)?;
        wire.slice("MELEntries", length, &mut self.entries)
    }
}

/// Iterates over the entries of a log.
pub type MelEntries<'a> = Items<'a, MelEntry<'a>>;

/// An entry of the log: a value that extended a measurement.
///
/// ```text
/// 0 MELIndex u32 | 4 MeasIndex | 5 reserved[3]
/// 8 DMTFSpecMeasurementValueType | 9 DMTFSpecMeasurementValueSize u16 | 11 DMTFSpecMeasurementValue
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MelEntry<'a> {
    /// MELIndex, which increases by one with every entry.
    pub index: u32,
    /// MeasIndex: the extended measurement.
    pub measurement: u8,
    /// DMTFSpecMeasurementValueType, as in [`crate::measurements::Block`].
    pub value_type: u8,
    /// The digest or raw value that extended the measurement.
    pub value: &'a [u8],
}

impl MelEntry<'_> {
    /// Writes the entry, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the value is too long.
    pub fn encode(&self, buffer: &mut [u8]) -> Result<usize, CodecError> {
        list::encode(*self, buffer)
    }
}

impl<'a> Item<'a> for MelEntry<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("MELIndex", &mut self.index)?;
        wire.u8("MeasIndex", &mut self.measurement)?;
        wire.reserved(3)?;
        wire.u8("DMTFSpecMeasurementValueType", &mut self.value_type)?;
        wire.length_prefixed("DMTFSpecMeasurementValueSize", 2, "DMTFSpecMeasurementValue", &mut self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::assert_items;

    const ENTRIES: [u8; 24] =
        [1, 0, 0, 0, 8, 0, 0, 0, 0x88, 2, 0, 0xaa, 0xbb, 2, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0];

    #[test]
    fn round_trips_log() {
        let log = Mel { count: 2, entries: &ENTRIES };
        let bytes = [&[2, 0, 0, 0, 24, 0, 0, 0][..], &[0; 8], &ENTRIES].concat();
        assert_eq!(Mel::decode(&bytes), Ok(log));
        let mut buffer = [0xff; 40];
        assert_eq!(log.encode(&mut buffer), Ok(40));
        assert_eq!(buffer[..], bytes);
        assert!((0..40).all(|len| Mel::decode(&bytes[..len]).is_err()));
        assert!(Mel::decode(&[&bytes[..], &[0]].concat()).is_err());
    }

    #[test]
    fn round_trips_entries() {
        let (first, second) = ENTRIES.split_at(13);
        assert_items::<MelEntry<'_>>(&[
            (MelEntry { index: 1, measurement: 8, value_type: 0x88, value: &[0xaa, 0xbb] }, first),
            (MelEntry { index: 2, measurement: 8, value_type: 8, value: &[] }, second),
        ]);
    }
}
