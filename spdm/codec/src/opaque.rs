//! OpaqueData of KEY_EXCHANGE and PSK_EXCHANGE: the version negotiation of secured messages (DSP0277).

use crate::codec_error::{CodecError, Problem};
use crate::message::Version;
use crate::version::VersionNumber;
use crate::wire::{Reader, Wire, Writer};

/// The maximum OpaqueDataLength of any message.
pub const MAX_OPAQUE_DATA: usize = 1024;

/// Passes OpaqueDataLength to `wire`.
pub(crate) fn opaque_len<'a>(len: &mut usize, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    let (name, offset) = ("OpaqueDataLength", wire.offset());
    wire.count(name, 2, len)?;
    let problem = Problem::TooLarge { max: MAX_OPAQUE_DATA as u64, got: *len as u64 };
    if *len > MAX_OPAQUE_DATA { Err(CodecError { name, offset, problem }) } else { Ok(()) }
}

/// Passes OpaqueDataLength, followed by OpaqueData, to `wire`.
pub(crate) fn opaque_data<'a>(data: &mut &'a [u8], wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    let mut len = data.len();
    opaque_len(&mut len, wire)?;
    wire.slice("OpaqueData", len, data)
}

/// SpecID of the general header up to 1.1: "DMTF".
const SPEC_ID: u32 = 0x444d_5446;

/// OpaqueData that consists of elements.
///
/// ```text
/// up to 1.1: 0 SpecID u32 0x444D5446 | 4 OpaqueVersion 1 | 5 TotalElements | 6 reserved[2]
/// since 1.2, format 1: 0 TotalElements | 1 reserved[3]
/// then elements, each padded with zeros to four bytes
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpaqueData<'a> {
    /// TotalElements: the number of elements.
    pub count: u8,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> OpaqueData<'a> {
    /// Decodes OpaqueData.
    ///
    /// # Errors
    /// Returns an error if `bytes` do not start with a general header of this version.
    pub fn decode(bytes: &'a [u8], version: Version) -> Result<Self, CodecError> {
        let mut reader = Reader::new(bytes, 0);
        let mut count = 0;
        general_header(&mut reader, version, &mut count)?;
        Ok(Self { count, bytes, offset: Wire::offset(&reader) })
    }

    /// Writes OpaqueData with these elements, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the number of elements or a length does not fit into its field.
    pub fn encode(
        elements: &[Element<'_>],
        version: Version,
        buffer: &mut [u8],
    ) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let count = u8::try_from(elements.len());
        let mut count = count
            .map_err(|_| writer.invalid_value("TotalElements", 0, "at most 255", elements.len() as u64))?;
        general_header(&mut writer, version, &mut count)?;
        for element in elements {
            let mut element = *element;
            element.visit_fields(&mut writer)?;
        }
        Ok(Wire::offset(&writer))
    }

    /// Iterates over the elements; ends after the first malformed one.
    pub fn elements(&self) -> impl Iterator<Item = Result<Element<'a>, CodecError>> + use<'a> {
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut left = self.count;
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let mut element = Element::default();
            let walked = element.visit_fields(&mut reader);
            if walked.is_err() {
                left = 0;
            }
            Some(walked.map(|()| element))
        })
    }

    /// Returns the secured message parameters in DMTF's elements; ignores other elements.
    ///
    /// # Errors
    /// Returns an error if an element is malformed.
    pub fn secured(&self) -> Result<Secured<'a>, CodecError> {
        let mut secured = Secured::default();
        for element in self.elements() {
            secured.add_element(&element?)?;
        }
        Ok(secured)
    }
}

/// Passes the general header to `wire`. Its layout up to 1.1 differs from the layout since 1.2.
fn general_header<'a>(wire: &mut impl Wire<'a>, version: Version, count: &mut u8) -> Result<(), CodecError> {
    if version >= Version::V1_2 {
        wire.u8("TotalElements", count)?;
        return wire.reserved(3);
    }
    let (mut spec_id, mut opaque_version) = (SPEC_ID, 1);
    wire.u32("SpecID", &mut spec_id)?;
    wire.u8("OpaqueVersion", &mut opaque_version)?;
    if spec_id != SPEC_ID {
        return Err(wire.invalid_value("SpecID", 0, "0x444d5446", spec_id.into()));
    }
    if opaque_version != 1 {
        return Err(wire.invalid_value("OpaqueVersion", 4, "1", opaque_version.into()));
    }
    wire.u8("TotalElements", count)?;
    wire.reserved(2)
}

/// An element of OpaqueData.
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
    /// OpaqueElementData, in the format of the registry.
    pub data: &'a [u8],
}

impl<'a> Element<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let begin = wire.offset();
        wire.u8("ID", &mut self.registry)?;
        wire.length_prefixed("VendorLen", 1, "VendorID", &mut self.vendor_id)?;
        wire.length_prefixed("OpaqueElementDataLen", 2, "OpaqueElementData", &mut self.data)?;
        let length = wire.offset() - begin;
        wire.reserved(length.next_multiple_of(4) - length)
    }
}

/// Parameters of secured messages, in DMTF's OpaqueElementData.
///
/// ```text
/// 0 SMDataVersion 1 | 1 SMDataID
/// SMDataID 0: 2 SelectedVersion u16 | 1: 2 count | 3 SupportedVersions[count] of 2 bytes | 2: 2 AEAD limit exponent
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Secured<'a> {
    /// The offered versions, to be read with [`VersionNumber`]; empty in a response.
    pub supported: &'a [[u8; 2]],
    /// The selected version; `None` in a request.
    pub selected: Option<VersionNumber>,
    /// AEADLimitExponent: one key may protect at most 2^AEADLimitExponent records (1.3).
    pub aead_limit: Option<u8>,
}

impl<'a> Secured<'a> {
    /// The only valid SMDataVersion.
    const DATA_VERSION: u8 = 1;

    /// Writes OpaqueData with an element for each present parameter, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or there are more than 255 versions.
    pub fn encode(&self, version: Version, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let ids = [SmData::Supported, SmData::Selected, SmData::AeadLimit].into_iter();
        let present = ids.filter(|&id| self.data_len(id) > 0);
        let mut count = present.clone().map(|_| 1).sum();
        general_header(&mut writer, version, &mut count)?;
        for id in present {
            let length = self.data_len(id);
            writer.reserved(2)?;
            writer.count("OpaqueElementDataLen", 2, &mut length.clone())?;
            writer.u8("SMDataVersion", &mut Self::DATA_VERSION.clone())?;
            writer.u8("SMDataID", &mut (id as u8))?;
            let mut secured = *self;
            secured.visit_fields(id, &mut writer)?;
            writer.reserved(length.next_multiple_of(4) - length)?;
        }
        Ok(writer.offset())
    }

    /// Returns the length of OpaqueElementData; 0 if the parameter is absent.
    fn data_len(&self, id: SmData) -> usize {
        match id {
            SmData::Selected if self.selected.is_some() => 4,
            SmData::Supported if !self.supported.is_empty() => 3 + 2 * self.supported.len(),
            SmData::AeadLimit if self.aead_limit.is_some() => 3,
            _ => 0,
        }
    }

    /// Passes the fields after SMDataID to `wire`.
    fn visit_fields<W: Wire<'a>>(&mut self, id: SmData, wire: &mut W) -> Result<(), CodecError> {
        match id {
            SmData::Selected => wire.u16("SelectedVersion", &mut self.selected.get_or_insert_default().0),
            SmData::Supported => {
                let mut count = self.supported.len();
                wire.count("SupportedVersionCount", 1, &mut count)?;
                wire.elements("SupportedVersions", count, &mut self.supported)
            }
            SmData::AeadLimit => wire.u8("AEADLimitExponent", self.aead_limit.get_or_insert_default()),
        }
    }

    fn add_element(&mut self, element: &Element<'a>) -> Result<(), CodecError> {
        if element.registry != 0 {
            return Ok(());
        }
        let mut reader = Reader::new(element.data, 0);
        let (mut data_version, mut number) = (0, 0);
        reader.u8("SMDataVersion", &mut data_version)?;
        reader.u8("SMDataID", &mut number)?;
        let ids = [SmData::Selected, SmData::Supported, SmData::AeadLimit];
        let known = ids.into_iter().find(|&id| id as u8 == number);
        let Some(id) = known.filter(|_| data_version == Self::DATA_VERSION) else { return Ok(()) };
        self.visit_fields(id, &mut reader)?;
        reader.end()
    }
}

/// SMDataID: the kind of a parameter.
#[derive(Clone, Copy)]
enum SmData {
    Selected = 0,
    Supported = 1,
    AeadLimit = 2,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec_error::Problem;

    /// OpaqueData of KEY_EXCHANGE in the capture of SPDM 1.2.
    const REQUEST: &[u8] = &[1, 0, 0, 0, 0, 0, 9, 0, 1, 1, 3, 0, 0x10, 0, 0x11, 0, 0x12, 0, 0, 0];
    const RESPONSE: &[u8] = &[1, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0x12];

    #[test]
    fn decodes_offered_versions() {
        let secured = OpaqueData::decode(REQUEST, Version::V1_2).unwrap().secured().unwrap();
        assert_eq!(secured.supported, [[0, 0x10], [0, 0x11], [0, 0x12]]);
        assert_eq!(secured.selected, None);
    }

    #[test]
    fn decodes_selected_version() {
        let secured = OpaqueData::decode(RESPONSE, Version::V1_2).unwrap().secured().unwrap();
        assert_eq!(secured.selected, Some(VersionNumber::new(Version::V1_2)));
    }

    #[test]
    fn encodes_decoded_data_identically() {
        for bytes in [REQUEST, RESPONSE] {
            let opaque = OpaqueData::decode(bytes, Version::V1_2).unwrap();
            let element = opaque.elements().next().unwrap().unwrap();
            let mut buffer = [0xff; 20];
            let len = OpaqueData::encode(&[element], Version::V1_2, &mut buffer).unwrap();
            assert_eq!(&buffer[..len], bytes);
        }
    }

    #[test]
    fn round_trips_parameters() {
        let offer = Secured { supported: &[[0, 0x10], [0, 0x11], [0, 0x12]], ..Secured::default() };
        let choice = Secured { selected: Some(VersionNumber::new(Version::V1_2)), ..Secured::default() };
        let mut buffer = [0xff; 32];
        for (secured, bytes) in [(offer, REQUEST), (choice, RESPONSE)] {
            assert_eq!(secured.encode(Version::V1_2, &mut buffer), Ok(bytes.len()));
            assert_eq!(&buffer[..bytes.len()], bytes);
        }
        for version in Version::ALL {
            let limited = Secured { aead_limit: Some(20), ..offer };
            let len = limited.encode(version, &mut buffer).unwrap();
            assert_eq!(OpaqueData::decode(&buffer[..len], version).unwrap().secured(), Ok(limited));
        }
        assert_eq!(Secured::default().encode(Version::V1_2, &mut buffer), Ok(4));
        assert_eq!(buffer[..4], [0; 4]);
    }

    #[test]
    fn rejects_elements_with_extra_data() {
        let long = [1, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0x12, 9, 0, 0, 0];
        let secured = OpaqueData::decode(&long, Version::V1_2).unwrap().secured();
        assert!(matches!(secured.unwrap_err().problem, Problem::Trailing { extra: 1 }));
    }

    #[test]
    fn ignores_other_elements_and_data_versions() {
        for data in [&[2, 0, 0, 0x12][..], &[1, 3, 0, 0x12]] {
            let elements = [
                Element { registry: 0, vendor_id: &[], data },
                Element { registry: 3, vendor_id: &[0x86, 0x80], data: &[1] },
            ];
            let mut buffer = [0xff; 32];
            let len = OpaqueData::encode(&elements, Version::V1_1, &mut buffer).unwrap();
            let opaque = OpaqueData::decode(&buffer[..len], Version::V1_1).unwrap();
            assert!(opaque.elements().eq(elements.map(Ok)));
            assert_eq!(opaque.secured(), Ok(Secured::default()));
        }
    }

    #[test]
    fn rejects_every_truncation() {
        for len in 0..REQUEST.len() {
            let opaque = OpaqueData::decode(&REQUEST[..len], Version::V1_2);
            assert!(opaque.and_then(|opaque| opaque.secured()).is_err(), "{len}");
        }
    }
}
