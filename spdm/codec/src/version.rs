//! GET_VERSION and VERSION. GET_VERSION always has SPDMVersion 1.0, whatever version is negotiated.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_VERSION: the header.
///
/// ```text
/// 0 SPDMVersion 0x10 | 1 0x84 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetVersion;

/// VERSION.
///
/// ```text
/// 0 SPDMVersion 0x10 | 1 0x04 | 2 reserved | 3 reserved
/// 4 reserved | 5 VersionNumberEntryCount n | 6 VersionNumberEntry[n] of 2 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VersionResponse<'a> {
    /// VersionNumberEntry, to be read with [`VersionNumber`].
    pub entries: &'a [[u8; 2]],
}

impl VersionResponse<'_> {
    /// Iterates over the offered versions, in the responder's order.
    pub fn versions(&self) -> impl Iterator<Item = VersionNumber> {
        self.entries.iter().map(|&bytes| VersionNumber::from_bytes(bytes))
    }
}

impl<'a> Message<'a> for GetVersion {
    const CODE: Code = Code::GET_VERSION;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for VersionResponse<'a> {
    const CODE: Code = Code::VERSION;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(3)?;
        let mut count = self.entries.len();
        wire.count("VersionNumberEntryCount", 1, &mut count)?;
        wire.elements("VersionNumberEntry", count, &mut self.entries)
    }
}

/// VersionNumberEntry: bits 15:12 major, 11:8 minor, 7:4 update, 3:0 alpha. DSP0277 uses the same format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct VersionNumber(
    /// The number on the wire.
    pub u16,
);

impl VersionNumber {
    /// Returns the number of a version, with update and alpha 0.
    #[must_use]
    pub const fn new(version: Version) -> Self {
        Self((version as u16) << 8)
    }

    /// Converts from two bytes, lowest first.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 2]) -> Self {
        Self(u16::from_le_bytes(bytes))
    }

    /// Converts to two bytes, lowest first.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 2] {
        self.0.to_le_bytes()
    }

    /// Returns SPDMVersion: the major version in the high half, the minor version in the low half.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0.to_be_bytes()[0]
    }

    /// Returns UpdateVersionNumber.
    #[must_use]
    pub const fn update(self) -> u8 {
        self.0.to_be_bytes()[1] >> 4
    }

    /// Returns Alpha; 0 for a released version.
    #[must_use]
    pub const fn alpha(self) -> u8 {
        self.0.to_be_bytes()[1] & 0xf
    }
}
