//! PCI DOE: data objects in the mailbox of a PCI device, and discovery of the supported data objects.

use crate::frame::{Delimited, Frame};
use grille_spdm_codec::CodecError;
use grille_spdm_codec::wire::{Reader, Wire};

/// Vendor ID of PCI-SIG, which defines the data objects of this module.
pub const PCI_SIG: u16 = 1;
/// Data Object Type of [`DiscoveryRequest`] and [`DiscoveryResponse`].
pub const DISCOVERY: u8 = 0;
/// Data Object Type of SPDM messages.
pub const SPDM: u8 = 1;
/// Data Object Type of secured messages.
pub const SECURED_SPDM: u8 = 2;
/// Data Object Type of SPDM messages with a connection number.
pub const SPDM_WITH_CONNECTION: u8 = 3;
/// Data Object Type of secured messages with a connection number.
pub const SECURED_SPDM_WITH_CONNECTION: u8 = 4;

/// Length of a DW in bytes.
const DW: usize = 4;
/// Maximum length of a data object in DW. The Length field encodes it as 0.
const MAX_DW: usize = 1 << 18;
/// The maximum payload length in bytes.
pub(crate) const LONGEST_PAYLOAD: usize = MAX_DW * DW - DataObject::HEADER;

/// A data object. Its payload is padded with zeros to whole DW; only the content of the payload shows where it ends.
///
/// ```text
/// 0 Vendor ID u16 | 2 Data Object Type | 3 reserved | 4 Length u32 in DW, bits 17:0, header included | 8 payload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DataObject<'a> {
    /// Vendor ID: [`PCI_SIG`].
    pub vendor: u16,
    /// Data Object Type, such as [`SPDM`].
    pub object_type: u8,
    /// The payload; after decoding it includes the padding.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> for DataObject<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u16("Vendor ID", &mut self.vendor)?;
        wire.u8("Data Object Type", &mut self.object_type)?;
        wire.reserved(1)?;
        // A decoded payload needs no more padding.
        let padding = self.payload.len().next_multiple_of(DW) - self.payload.len();
        let dw = Self::HEADER / DW + (self.payload.len() + padding) / DW;
        let at = wire.offset();
        if dw > MAX_DW {
            return Err(wire.invalid_value("Length", at, "at most 2^18 DW", dw as u64));
        }
        let mut length = dw % MAX_DW;
        wire.count("Length", 4, &mut length)?;
        let payload = payload_len(length)
            .ok_or_else(|| wire.invalid_value("Length", at, "2 or more", length as u64))?;
        wire.slice("payload", payload - padding, &mut self.payload)?;
        wire.reserved(padding)
    }
}

impl<'a> Delimited<'a> for DataObject<'a> {
    const HEADER: usize = 8;

    fn frame_len(header: &[u8]) -> Result<usize, CodecError> {
        let mut length = 0;
        let mut reader = Reader::new(header, 4);
        reader.count("Length", 4, &mut length)?;
        let payload = payload_len(length);
        Ok(Self::HEADER
            + payload.ok_or_else(|| reader.invalid_value("Length", 4, "2 or more", length as u64))?)
    }
}

/// Returns the number of bytes after the header, from the field Length, whose upper bits are reserved; `None` if the
/// object would end within the header.
fn payload_len(length: usize) -> Option<usize> {
    let dw = match length % MAX_DW {
        0 => MAX_DW,
        dw => dw,
    };
    (dw * DW).checked_sub(DataObject::HEADER)
}

/// Queries a supported data object; discovery starts with index 0.
///
/// ```text
/// 0 Index | 1 DOE Discovery Version | 2 reserved[2]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscoveryRequest {
    /// Index of the queried data object.
    pub index: u8,
    /// DOE Discovery Version of the requester.
    pub version: u8,
}

/// Describes a supported data object.
///
/// ```text
/// 0 Vendor ID u16 | 2 Data Object Type | 3 Next Index, 0 after the last
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiscoveryResponse {
    /// Vendor ID; 0xFFFF if there is no data object with that index.
    pub vendor: u16,
    /// Data Object Type, such as [`SPDM`].
    pub object_type: u8,
    /// Next Index: the index to query next, 0 after the last.
    pub next: u8,
}

/// The data objects of an SPDM mailbox, in the order of discovery.
pub const OBJECTS: [u8; 3] = [DISCOVERY, SPDM, SECURED_SPDM];

impl DiscoveryResponse {
    /// Returns the answer of a mailbox that supports [`OBJECTS`].
    #[must_use]
    pub fn answer(request: DiscoveryRequest) -> Self {
        let Some(&object_type) = OBJECTS.get(usize::from(request.index)) else {
            return Self { vendor: u16::MAX, object_type: 0, next: 0 };
        };
        let is_last = usize::from(request.index) + 1 == OBJECTS.len();
        Self { vendor: PCI_SIG, object_type, next: if is_last { 0 } else { request.index + 1 } }
    }
}

impl<'a> Frame<'a> for DiscoveryRequest {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("Index", &mut self.index)?;
        wire.u8("DOE Discovery Version", &mut self.version)?;
        wire.reserved(2)
    }
}

impl<'a> Frame<'a> for DiscoveryResponse {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u16("Vendor ID", &mut self.vendor)?;
        wire.u8("Data Object Type", &mut self.object_type)?;
        wire.u8("Next Index", &mut self.next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use grille_spdm_codec::Problem;
    use std::vec;

    const GET_VERSION: DataObject<'_> =
        DataObject { vendor: PCI_SIG, object_type: SPDM, payload: &[0x10, 0x84, 0, 0] };

    #[test]
    fn round_trips_data_objects() {
        let empty = DataObject { vendor: PCI_SIG, object_type: SECURED_SPDM, payload: &[] };
        assert_frames(&[
            (GET_VERSION, &[1, 0, 1, 0, 3, 0, 0, 0, 0x10, 0x84, 0, 0]),
            (empty, &[1, 0, 2, 0, 2, 0, 0, 0]),
        ]);
        assert!(DataObject::decode(&[1, 0, 1, 0, 2, 0, 0, 0, 0]).is_err());
    }

    #[test]
    fn pads_payloads_to_whole_dw() {
        for (len, padded) in [(1, 4), (3, 4), (4, 4), (5, 8)] {
            let payload = &[0xaa; 5][..len];
            let mut buffer = [0xff; 16];
            let object = DataObject { payload, ..GET_VERSION };
            assert_eq!(object.encode(&mut buffer), Ok(8 + padded));
            let read = DataObject::decode(&buffer[..8 + padded]).unwrap().payload;
            assert_eq!((&read[..len], &read[len..]), (payload, &[0; 4][..padded - len]));
        }
    }

    #[test]
    fn length_zero_is_the_maximum() {
        let payload = vec![7; 4 * MAX_DW - 8];
        let mut buffer = vec![0xff; 4 * MAX_DW + 4];
        let object = DataObject { payload: &payload, ..GET_VERSION };
        assert_eq!(object.encode(&mut buffer), Ok(4 * MAX_DW));
        assert_eq!(buffer[4..8], [0; 4]);
        assert_eq!(DataObject::decode(&buffer[..4 * MAX_DW]), Ok(object));
        assert_eq!(DataObject::frame_len(&buffer), Ok(4 * MAX_DW));

        let longer = vec![7; 4 * MAX_DW - 7];
        let refused = DataObject { payload: &longer, ..GET_VERSION }.encode(&mut buffer).unwrap_err();
        let expected = "at most 2^18 DW";
        assert_eq!(refused.problem, Problem::Value { expected, got: MAX_DW as u64 + 1 });
    }

    #[test]
    fn ignores_reserved_length_bits() {
        assert_eq!(DataObject::frame_len(&[1, 0, 1, 0, 3, 0, 0xfc, 0xff]), Ok(12));
        assert_eq!(DataObject::decode(&[1, 0, 1, 9, 3, 0, 4, 0, 0x10, 0x84, 0, 0]), Ok(GET_VERSION));
    }

    #[test]
    fn rejects_length_within_header() {
        let bytes = [1, 0, 1, 0, 1, 0, 0, 0];
        assert_eq!(DataObject::decode(&bytes).map_err(|error| error.name), Err("Length"));
        assert_eq!(DataObject::frame_len(&bytes).map_err(|error| error.name), Err("Length"));
    }

    #[test]
    fn discovery_lists_all_objects() {
        let (mut index, mut found) = (0, vec![]);
        loop {
            let answer = DiscoveryResponse::answer(DiscoveryRequest { index, version: 0 });
            found.push(answer.object_type);
            index = answer.next;
            if index == 0 {
                break;
            }
        }
        assert_eq!(found, OBJECTS);
        let unknown = DiscoveryResponse::answer(DiscoveryRequest { index: 3, version: 0 });
        assert_eq!(unknown, DiscoveryResponse { vendor: 0xffff, object_type: 0, next: 0 });
    }

    #[test]
    fn round_trips_discovery() {
        assert_frames(&[(DiscoveryRequest { index: 1, version: 2 }, &[1, 2, 0, 0])]);
        assert_frames(&[(DiscoveryResponse { vendor: 1, object_type: 1, next: 2 }, &[1, 0, 1, 2])]);
    }
}
