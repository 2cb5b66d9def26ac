//! Captures in pcap format, as written by DMTF's emulators and read by DMTF's spdm_dump.

use crate::binding::Binding;
use crate::frame::Frame;
use crate::mctp;
use core::time::Duration;
use grille_spdm_codec::wire::Wire;
use grille_spdm_codec::{CodecError, Problem};

/// The type of a capture's packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkType(
    /// The number.
    pub u32,
);

impl LinkType {
    /// MCTP packets, each with a whole message.
    pub const MCTP: Self = Self(291);
    /// PCI DOE data objects.
    pub const PCI_DOE: Self = Self(292);
    /// SPDM messages over TCP. No number is assigned, so this is the first one for private use.
    pub const TCP: Self = Self(147);

    /// Returns the link type for captures of a transport.
    #[must_use]
    pub const fn for_binding(binding: Binding) -> Self {
        match binding {
            Binding::Bare | Binding::Mctp => Self::MCTP,
            Binding::PciDoe => Self::PCI_DOE,
            Binding::Tcp => Self::TCP,
        }
    }

    /// Returns the transport of packets with this link type; `None` if the type is unknown.
    #[must_use]
    pub const fn binding(self) -> Option<Binding> {
        match self {
            Self::MCTP => Some(Binding::Mctp),
            Self::PCI_DOE => Some(Binding::PciDoe),
            Self::TCP => Some(Binding::Tcp),
            _ => None,
        }
    }
}

/// The header of a capture, as written: little-endian, with times in microseconds. [`Capture`] also reads big-endian
/// captures, and times in nanoseconds.
///
/// ```text
/// 0 magic u32 0xA1B2C3D4 | 4 version 2 u16, 4 u16 | 8 zeros[8] | 16 snapshot length u32 | 20 link type u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The maximum number of bytes that are kept of a packet.
    pub snapshot: u32,
    /// The type of the packets.
    pub link: LinkType,
}

impl Header {
    /// Length of the header in bytes.
    pub const LEN: usize = 24;
    /// Magic number of captures with times in microseconds.
    const MAGIC: u32 = 0xa1b2_c3d4;
    /// Version 2.4: the major version in the low half, the minor version in the high half.
    const VERSION: u32 = 4 << 16 | 2;
    /// The lengths of the fields; the version consists of two fields.
    const FIELDS: [usize; 7] = [4, 2, 2, 4, 4, 4, 4];
}

impl<'a> Frame<'a> for Header {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let (mut magic, mut version) = (Self::MAGIC, Self::VERSION);
        wire.u32("magic", &mut magic)?;
        if magic != Self::MAGIC {
            let expected = "0xa1b2c3d4 (microseconds) or 0xa1b23c4d (nanoseconds), in either byte order";
            return Err(wire.invalid_value("magic", 0, expected, u64::from(magic)));
        }
        wire.u32("version", &mut version)?;
        if version != Self::VERSION {
            return Err(wire.invalid_value("version", 4, "0x40002 (2.4)", u64::from(version)));
        }
        wire.reserved(8)?;
        wire.u32("snapshot length", &mut self.snapshot)?;
        wire.u32("link type", &mut self.link.0)
    }
}

/// A packet of a capture.
///
/// ```text
/// 0 seconds u32 | 4 fraction u32 | 8 length kept u32 | 12 length sent u32 | 16 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record<'a> {
    /// Seconds since the Unix epoch.
    pub seconds: u32,
    /// The fraction of the second, in microseconds or nanoseconds; [`Capture::time`] takes the capture's unit into
    /// account.
    pub fraction: u32,
    /// The number of bytes that were sent; larger than the length of `bytes` if the packet was truncated.
    pub sent: u32,
    /// The captured bytes of the packet.
    pub bytes: &'a [u8],
}

impl<'a> Frame<'a> for Record<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("seconds", &mut self.seconds)?;
        wire.u32("fraction of the second", &mut self.fraction)?;
        let mut length = self.bytes.len();
        wire.count("length kept", 4, &mut length)?;
        wire.u32("length sent", &mut self.sent)?;
        wire.slice("packet", length, &mut self.bytes)
    }
}

/// The byte order of a capture and the unit of its times, which the magic number defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Format {
    is_big_endian: bool,
    has_nanos: bool,
}

impl Format {
    /// Returns the format for a magic number; an unknown number has the default format.
    fn from_magic(magic: [u8; 4]) -> Self {
        /// Magic number of captures with times in nanoseconds.
        const NANOS: u32 = 0xa1b2_3c4d;
        let has_magic =
            |number: u32| [u32::from_be_bytes(magic), u32::from_le_bytes(magic)].map(|read| read == number);
        let ([big, _], [big_nanos, little_nanos]) = (has_magic(Header::MAGIC), has_magic(NANOS));
        Self { is_big_endian: big || big_nanos, has_nanos: big_nanos || little_nanos }
    }

    /// Converts adjacent fields with these lengths from the byte order of the capture to little-endian, or back.
    fn swap_bytes(self, mut bytes: &mut [u8], lengths: &[usize]) {
        for &length in lengths.iter().filter(|_| self.is_big_endian) {
            let Some((field, rest)) = bytes.split_at_mut_checked(length) else { return };
            field.reverse();
            bytes = rest;
        }
    }
}

/// Iterates over the packets of a capture, in either byte order, with times in microseconds or nanoseconds. Ends
/// after the first packet that is truncated by the end of the file.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'a> {
    /// The header of the capture.
    pub header: Header,
    format: Format,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Capture<'a> {
    /// Creates an iterator over a capture.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a capture, or are not of version 2.4.
    pub fn new(bytes: &'a [u8]) -> Result<Self, CodecError> {
        let mut start = [0; Header::LEN];
        let len = bytes.len().min(Header::LEN);
        start[..len].copy_from_slice(&bytes[..len]);
        let [a, b, c, d, ..] = start;
        let format = Format::from_magic([a, b, c, d]);
        format.swap_bytes(&mut start, &Header::FIELDS);
        if format.has_nanos {
            start[..4].copy_from_slice(&Header::MAGIC.to_le_bytes());
        }
        // If the file is too short, the error names the first missing field.
        let header = Header::decode(&start[..len])?;
        // The upper bits say whether checksums follow the packets.
        let link = LinkType(header.link.0 & 0x03ff_ffff);
        Ok(Self { header: Header { link, ..header }, format, bytes, offset: Header::LEN })
    }

    /// Returns the time of the packet since the Unix epoch.
    #[must_use]
    pub const fn time(&self, record: &Record<'_>) -> Duration {
        let seconds = Duration::from_secs(record.seconds as u64);
        seconds.saturating_add(match self.format.has_nanos {
            true => Duration::from_nanos(record.fraction as u64),
            false => Duration::from_micros(record.fraction as u64),
        })
    }

    /// Returns the transport frame in a packet. On MCTP this is the payload of the packet, which may be a part of a
    /// message.
    ///
    /// # Errors
    /// Returns the errors of [`Capture::whole`], or an error if an MCTP packet is shorter than its header.
    pub fn frame(&self, record: &Record<'a>) -> Result<&'a [u8], CodecError> {
        let bytes = self.whole(record)?;
        match self.header.link {
            LinkType::MCTP => mctp::Packet::decode(bytes).map(|packet| packet.payload),
            _ => Ok(bytes),
        }
    }

    /// Returns all bytes of a packet.
    ///
    /// # Errors
    /// Returns an error if only a part of the packet was captured: [`Capture::TRUNCATED`].
    pub fn whole(&self, record: &Record<'a>) -> Result<&'a [u8], CodecError> {
        let sent = usize::try_from(record.sent).unwrap_or(usize::MAX);
        let problem = Problem::Length { expected: sent, got: record.bytes.len() };
        let cut = CodecError { name: Self::TRUNCATED, offset: 8, problem };
        if record.bytes.len() < sent { Err(cut) } else { Ok(record.bytes) }
    }

    /// [`CodecError::name`] of the error for a packet that was truncated when it was captured.
    pub const TRUNCATED: &'static str = "truncated packet";

    /// Returns the next packet, and the offset after it.
    fn record(&self) -> Result<(Record<'a>, usize), CodecError> {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let cut = |offset, needed, left| {
            let problem = Problem::Truncated { needed, left };
            CodecError { name: "packet", offset: self.offset + offset, problem }
        };
        let (start, rest) = rest.split_first_chunk::<16>().ok_or_else(|| cut(0, 16, rest.len()))?;
        let number = |at| {
            let mut number = [start[at], start[at + 1], start[at + 2], start[at + 3]];
            self.format.swap_bytes(&mut number, &[4]);
            u32::from_le_bytes(number)
        };
        let [seconds, fraction, kept, sent] = [0, 4, 8, 12].map(number);
        let kept = usize::try_from(kept).unwrap_or(usize::MAX);
        let bytes = rest.get(..kept).ok_or_else(|| cut(16, kept, rest.len()))?;
        Ok((Record { seconds, fraction, sent, bytes }, self.offset + 16 + kept))
    }
}

impl<'a> Iterator for Capture<'a> {
    type Item = Result<Record<'a>, CodecError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.bytes.len() {
            return None;
        }
        let read = self.record();
        self.offset = read.as_ref().map_or(self.bytes.len(), |(_, behind)| *behind);
        Some(read.map(|(record, _)| record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use std::vec::Vec;

    const HEADER: [u8; 24] =
        [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0x23, 1, 0, 0];
    const RECORD: [u8; 21] = [1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0xc0, 5];

    #[test]
    fn round_trips_captures() {
        assert_frames(&[(Header { snapshot: 0x4_0000, link: LinkType::MCTP }, &HEADER)]);
        let record = Record { seconds: 1, fraction: 2, sent: 6, bytes: &[0, 0, 0, 0xc0, 5] };
        assert_frames(&[(record, &RECORD)]);
    }

    #[test]
    fn rejects_other_files() {
        let mut other = HEADER;
        other[0] = 0;
        assert_eq!(Capture::new(&other).map(|_| ()).map_err(|error| error.name), Err("magic"));
        let mut newer = HEADER;
        newer[4] = 3;
        assert_eq!(Capture::new(&newer).map(|_| ()).map_err(|error| error.name), Err("version"));
    }

    #[test]
    fn rejects_truncated_header() {
        for whole in [HEADER.to_vec(), capture_with_magic([0xa1, 0xb2, 0xc3, 0xd4])] {
            for (len, name) in
                [(0, "magic"), (3, "magic"), (6, "version"), (8, "reserved"), (23, "link type")]
            {
                let refused = Capture::new(&whole[..len]).map(|_| ()).unwrap_err();
                let problem = Problem::Truncated { needed: 4, left: len % 4 };
                assert!(name == "reserved" || refused.problem == problem, "{len}: {refused}");
                assert_eq!(refused.name, name);
            }
        }
    }

    /// Returns a capture of `RECORD` whose byte order and unit of times are those of `magic`.
    fn capture_with_magic(magic: [u8; 4]) -> Vec<u8> {
        let (mut header, mut record) = (HEADER, RECORD);
        let format = Format::from_magic(magic);
        format.swap_bytes(&mut header, &Header::FIELDS);
        format.swap_bytes(&mut record, &[4; 4]);
        header[..4].copy_from_slice(&magic);
        [&header[..], &record].concat()
    }

    #[test]
    fn reads_both_byte_orders_and_time_units() {
        for (magic, nanos) in [
            ([0xd4, 0xc3, 0xb2, 0xa1], 2000),
            ([0xa1, 0xb2, 0xc3, 0xd4], 2000),
            ([0x4d, 0x3c, 0xb2, 0xa1], 2),
            ([0xa1, 0xb2, 0x3c, 0x4d], 2),
        ] {
            let file = capture_with_magic(magic);
            let mut capture = Capture::new(&file).unwrap();
            assert_eq!((capture.header.snapshot, capture.header.link), (0x4_0000, LinkType::MCTP));
            let record = capture.next().unwrap().unwrap();
            assert_eq!(record, Record { seconds: 1, fraction: 2, sent: 6, bytes: &[0, 0, 0, 0xc0, 5] });
            assert_eq!(capture.time(&record), Duration::new(1, nanos), "{magic:x?}");
            assert!(capture.next().is_none());
        }
    }

    #[test]
    fn link_type_ignores_checksum_bits() {
        let mut file = HEADER;
        file[23] = 0x24;
        assert_eq!(Capture::new(&file).unwrap().header.link, LinkType::MCTP);
    }

    #[test]
    fn rejects_truncated_packet() {
        let mut file = [&HEADER[..], &RECORD, &RECORD].concat();
        file[24 + 12] = 5;
        let capture = Capture::new(&file).unwrap();
        let frames: Vec<_> = capture.map(|record| capture.frame(&record.unwrap())).collect();
        assert_eq!(frames[0], Ok(&[5][..]));
        assert_eq!(frames[1].map_err(|error| error.name), Err(Capture::TRUNCATED));
    }

    #[test]
    fn truncated_capture_ends_with_error() {
        let mut file = [&HEADER[..], &RECORD, &RECORD[..20]].concat();
        file[24 + 12] = 5;
        let mut capture = Capture::new(&file).unwrap();
        let record = capture.next().unwrap().unwrap();
        assert_eq!(capture.frame(&record), Ok(&[5][..]));
        assert!(capture.next().unwrap().is_err());
        assert!(capture.next().is_none());
    }
}
