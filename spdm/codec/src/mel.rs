//! GET_MEASUREMENT_EXTENSION_LOG and MEASUREMENT_EXTENSION_LOG (1.3): the history behind extended measurements.

use crate::code::Code;
use crate::codec_error::CodecError;
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
    /// Length asked for in bytes.
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
    /// A part of the log.
    pub portion: &'a [u8],
    /// Bytes of the log after this part.
    pub remainder: u32,
}

impl<'a> Message<'a> for GetMeasurementExtensionLog {
    const CODE: Code = Code::GET_MEASUREMENT_EXTENSION_LOG;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u32("Offset", &mut self.offset)?;
        wire.u32("Length", &mut self.length)
    }
}

impl<'a> Message<'a> for MeasurementExtensionLog<'a> {
    const CODE: Code = Code::MEASUREMENT_EXTENSION_LOG;

    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        let mut length = self.portion.len();
        wire.count("PortionLength", 4, &mut length)?;
        wire.u32("RemainderLength", &mut self.remainder)?;
        wire.slice("MEL", length, &mut self.portion)
    }
}
