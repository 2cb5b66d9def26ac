//! OpaqueData of KEY_EXCHANGE and PSK_EXCHANGE: which version of secured messages (DSP0277) both will speak.

use crate::codec_error::CodecError;
use crate::message::Version;
use crate::version::VersionNumber;
use crate::wire::{Reader, Wire, Writer};

/// SpecID of the general header until 1.1: "DMTF".
const SPEC_ID: u32 = 0x444d_5446;

/// OpaqueData with elements.
///
/// ```text
/// until 1.1: 0 SpecID u32 0x444D5446 | 4 OpaqueVersion 1 | 5 TotalElements | 6 reserved[2]
/// since 1.2, format 1: 0 TotalElements | 1 reserved[3]
/// then elements, each padded with zeros to four bytes
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpaqueData<'a> {
    /// TotalElements.
    pub count: u8,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> OpaqueData<'a> {
    /// The elements of OpaqueData.
    ///
    /// # Errors
    /// No general header of this version.
    pub fn decode(bytes: &'a [u8], version: Version) -> Result<Self, CodecError> {
        let mut reader = Reader::new(bytes, 0);
        let mut count = 0;
        general_header(&mut reader, version, &mut count)?;
        Ok(Self { count, bytes, offset: Wire::offset(&reader) })
    }

    /// Writes OpaqueData of `elements`, and returns its length in bytes.
    ///
    /// # Errors
    /// Too small a buffer, or more elements or longer ones than their fields can say.
    pub fn encode(
        elements: &[Element<'_>],
        version: Version,
        buffer: &mut [u8],
    ) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let count = u8::try_from(elements.len());
        let mut count =
            count.map_err(|_| writer.refuse("TotalElements", 0, "at most 255", elements.len() as u64))?;
        general_header(&mut writer, version, &mut count)?;
        for element in elements {
            let mut element = *element;
            element.walk(&mut writer)?;
        }
        Ok(Wire::offset(&writer))
    }

    /// The elements; ends after the first that is malformed.
    pub fn elements(&self) -> impl Iterator<Item = Result<Element<'a>, CodecError>> + use<'a> {
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut left = self.count;
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let mut element = Element::default();
            let walked = element.walk(&mut reader);
            if walked.is_err() {
                left = 0;
            }
            Some(walked.map(|()| element))
        })
    }

    /// What the elements of the DMTF say of secured messages; others are passed over.
    ///
    /// # Errors
    /// A malformed element.
    pub fn secured(&self) -> Result<Secured<'a>, CodecError> {
        let mut secured = Secured::default();
        for element in self.elements() {
            secured.take(&element?)?;
        }
        Ok(secured)
    }
}

/// Until 1.1 another than since 1.2.
fn general_header<'a>(wire: &mut impl Wire<'a>, version: Version, count: &mut u8) -> Result<(), CodecError> {
    if version >= Version::V1_2 {
        wire.u8("TotalElements", count)?;
        return wire.reserved(3);
    }
    let (mut spec_id, mut opaque_version) = (SPEC_ID, 1);
    wire.u32("SpecID", &mut spec_id)?;
    wire.u8("OpaqueVersion", &mut opaque_version)?;
    if spec_id != SPEC_ID {
        return Err(wire.refuse("SpecID", 0, "0x444d5446", spec_id.into()));
    }
    if opaque_version != 1 {
        return Err(wire.refuse("OpaqueVersion", 4, "1", opaque_version.into()));
    }
    wire.u8("TotalElements", count)?;
    wire.reserved(2)
}

/// One element.
///
/// ```text
/// 0 ID of the registry | 1 VendorLen | 2 VendorID | OpaqueElementDataLen u16 | OpaqueElementData | zeros
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Element<'a> {
    /// ID of the registry, 0 for the DMTF.
    pub registry: u8,
    /// VendorID, empty for the DMTF.
    pub vendor_id: &'a [u8],
    /// OpaqueElementData.
    pub data: &'a [u8],
}

impl<'a> Element<'a> {
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let begin = wire.offset();
        wire.u8("ID", &mut self.registry)?;
        wire.counted("VendorLen", 1, "VendorID", &mut self.vendor_id)?;
        wire.counted("OpaqueElementDataLen", 2, "OpaqueElementData", &mut self.data)?;
        let length = wire.offset() - begin;
        wire.reserved(length.next_multiple_of(4) - length)
    }
}

/// What both say of secured messages, in OpaqueElementData of the DMTF.
///
/// ```text
/// 0 SMDataVersion 1 | 1 SMDataID
/// SMDataID 0: 2 SelectedVersion u16 | 1: 2 count | 3 SupportedVersions[count] of 2 bytes | 2: 2 AEAD limit exponent
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Secured<'a> {
    /// The versions on offer, as [`VersionNumber`] reads them; empty in a response.
    pub supported: &'a [[u8; 2]],
    /// The version chosen; nothing in a request.
    pub selected: Option<VersionNumber>,
    /// At most 2 to this power records under one key (1.3).
    pub aead_limit: Option<u8>,
}

impl<'a> Secured<'a> {
    fn take(&mut self, element: &Element<'a>) -> Result<(), CodecError> {
        if element.registry != 0 {
            return Ok(());
        }
        let mut reader = Reader::new(element.data, 0);
        let (mut data_version, mut id) = (0, 0);
        reader.u8("SMDataVersion", &mut data_version)?;
        reader.u8("SMDataID", &mut id)?;
        match (data_version, id) {
            (1, 0) => {
                let mut selected = 0;
                reader.u16("SelectedVersion", &mut selected)?;
                self.selected = Some(VersionNumber(selected));
            }
            (1, 1) => {
                let mut count = 0;
                reader.count("SupportedVersionCount", 1, &mut count)?;
                reader.elements("SupportedVersions", count, &mut self.supported)?;
            }
            (1, 2) => reader.u8("AEADLimitExponent", self.aead_limit.insert(0))?,
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the capture of 1.2.
    const REQUEST: &[u8] = &[1, 0, 0, 0, 0, 0, 9, 0, 1, 1, 3, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0, 0];
    const RESPONSE: &[u8] = &[1, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0x12];

    #[test]
    fn the_versions_on_offer_are_found() {
        let secured = OpaqueData::decode(REQUEST, Version::V1_2).unwrap().secured().unwrap();
        assert_eq!(secured.supported, [[0, 0x10], [0, 0x11], [0, 0x12]]);
        assert_eq!(secured.selected, None);
    }

    #[test]
    fn the_version_chosen_is_found() {
        let secured = OpaqueData::decode(RESPONSE, Version::V1_2).unwrap().secured().unwrap();
        assert_eq!(secured.selected, Some(VersionNumber::new(Version::V1_2)));
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        for bytes in [REQUEST, RESPONSE] {
            let opaque = OpaqueData::decode(bytes, Version::V1_2).unwrap();
            let element = opaque.elements().next().unwrap().unwrap();
            let mut buffer = [0xff; 20];
            let len = OpaqueData::encode(&[element], Version::V1_2, &mut buffer).unwrap();
            assert_eq!(&buffer[..len], bytes);
        }
    }

    #[test]
    fn every_truncation_is_refused() {
        for len in 0..REQUEST.len() {
            let opaque = OpaqueData::decode(&REQUEST[..len], Version::V1_2);
            assert!(opaque.and_then(|opaque| opaque.secured()).is_err(), "{len}");
        }
    }
}
