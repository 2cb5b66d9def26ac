//! Captures in the format of pcap, as DMTF's emulators write them and its spdm_dump reads them.

use crate::binding::Binding;
use crate::frame::Frame;
use crate::mctp;
use grille_spdm_codec::CodecError;
use grille_spdm_codec::wire::{Reader, Wire};

/// What the packets of a capture are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkType(
    /// The number.
    pub u32,
);

impl LinkType {
    /// Packets of MCTP, each a whole message.
    pub const MCTP: Self = Self(291);
    /// Data objects of PCI DOE.
    pub const PCI_DOE: Self = Self(292);
    /// Messages of SPDM over TCP: the first number that everybody may use for himself, as none is assigned.
    pub const TCP: Self = Self(147);

    /// What packets of this transport are.
    #[must_use]
    pub const fn of(binding: Binding) -> Self {
        match binding {
            Binding::Bare | Binding::Mctp => Self::MCTP,
            Binding::PciDoe => Self::PCI_DOE,
            Binding::Tcp => Self::TCP,
        }
    }

    /// The transport of the packets.
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

/// The begin of a capture, little-endian, with times in microseconds.
///
/// ```text
/// 0 magic u32 0xA1B2C3D4 | 4 version 2 u16, 4 u16 | 8 zeros[8] | 16 snapshot length u32 | 20 link type u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The longest part of a packet that is kept, in bytes.
    pub snapshot: u32,
    /// What the packets are.
    pub link: LinkType,
}

impl Header {
    /// Length in bytes.
    pub const LEN: usize = 24;
    /// Magic number.
    const MAGIC: u32 = 0xa1b2_c3d4;
    /// Version 2.4, as two numbers in one.
    const VERSION: u32 = 4 << 16 | 2;
}

impl<'a> Frame<'a> for Header {
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let (mut magic, mut version) = (Self::MAGIC, Self::VERSION);
        wire.u32("magic", &mut magic)?;
        if magic != Self::MAGIC {
            let expected = "0xa1b2c3d4, a little-endian capture with times in microseconds";
            return Err(wire.refuse("magic", 0, expected, u64::from(magic)));
        }
        wire.u32("version", &mut version)?;
        if version != Self::VERSION {
            return Err(wire.refuse("version", 4, "0x40002", u64::from(version)));
        }
        wire.reserved(8)?;
        wire.u32("snapshot length", &mut self.snapshot)?;
        wire.u32("link type", &mut self.link.0)
    }
}

/// A packet of a capture.
///
/// ```text
/// 0 seconds u32 | 4 microseconds u32 | 8 length kept u32 | 12 length sent u32 | 16 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record<'a> {
    /// Seconds since 1970.
    pub seconds: u32,
    /// Microseconds of the second.
    pub micros: u32,
    /// Bytes that were sent; more than `bytes` if the packet was cut off.
    pub sent: u32,
    /// What was kept of the packet.
    pub bytes: &'a [u8],
}

impl<'a> Frame<'a> for Record<'a> {
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u32("seconds", &mut self.seconds)?;
        wire.u32("microseconds", &mut self.micros)?;
        let mut length = self.bytes.len();
        wire.count("length kept", 4, &mut length)?;
        wire.u32("length sent", &mut self.sent)?;
        wire.slice("packet", length, &mut self.bytes)
    }
}

/// The packets of a capture; ends after the first that is cut off by the end of the file.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'a> {
    /// The begin of the capture.
    pub header: Header,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Capture<'a> {
    /// A capture.
    ///
    /// # Errors
    /// No capture, or one of another byte order or version.
    pub fn new(bytes: &'a [u8]) -> Result<Self, CodecError> {
        let mut reader = Reader::new(bytes, 0);
        let mut header = Header::default();
        header.walk(&mut reader)?;
        Ok(Self { header, bytes, offset: Header::LEN })
    }

    /// The frame of the transport in a packet: on MCTP what follows the packet's header.
    ///
    /// # Errors
    /// A packet of MCTP that is shorter than its header.
    pub fn frame(&self, record: &Record<'a>) -> Result<&'a [u8], CodecError> {
        match self.header.link {
            LinkType::MCTP => mctp::Packet::decode(record.bytes).map(|packet| packet.payload),
            _ => Ok(record.bytes),
        }
    }
}

impl<'a> Iterator for Capture<'a> {
    type Item = Result<Record<'a>, CodecError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.offset >= self.bytes.len() {
            return None;
        }
        let mut reader = Reader::new(self.bytes, self.offset);
        let mut record = Record::default();
        let walked = record.walk(&mut reader);
        self.offset = if walked.is_ok() { reader.offset() } else { self.bytes.len() };
        Some(walked.map(|()| record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;

    const HEADER: [u8; 24] =
        [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0x23, 1, 0, 0];
    const RECORD: [u8; 21] = [1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0xc0, 5];

    #[test]
    fn captures_are_written_as_they_were_read() {
        assert_frames(&[(Header { snapshot: 0x4_0000, link: LinkType::MCTP }, &HEADER)]);
        let record = Record { seconds: 1, micros: 2, sent: 6, bytes: &[0, 0, 0, 0xc0, 5] };
        assert_frames(&[(record, &RECORD)]);
    }

    #[test]
    fn other_files_are_refused() {
        let mut swapped = HEADER;
        swapped[..4].reverse();
        assert_eq!(Capture::new(&swapped).map(|_| ()).map_err(|error| error.what), Err("magic"));
        let mut newer = HEADER;
        newer[4] = 3;
        assert_eq!(Capture::new(&newer).map(|_| ()).map_err(|error| error.what), Err("version"));
        assert!(Capture::new(&HEADER[..23]).is_err());
    }

    #[test]
    fn a_capture_that_is_cut_off_ends_with_an_error() {
        let file = [&HEADER[..], &RECORD, &RECORD[..20]].concat();
        let mut capture = Capture::new(&file).unwrap();
        let record = capture.next().unwrap().unwrap();
        assert_eq!(capture.frame(&record), Ok(&[5][..]));
        assert!(capture.next().unwrap().is_err());
        assert!(capture.next().is_none());
    }
}
