//! MCTP (DSP0236): typed messages (DSP0275 for SPDM, DSP0276 for secured messages), and the packets that carry them.

use crate::frame::Frame;
use grille_spdm_codec::wire::Wire;
use grille_spdm_codec::{CodecError, Problem};

/// An MCTP message type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageType(
    /// Bits 6:0 of the first byte.
    pub u8,
);

impl MessageType {
    /// MCTP control.
    pub const CONTROL: Self = Self(0);
    /// PLDM, which the emulators send in sessions.
    pub const PLDM: Self = Self(1);
    /// SPDM.
    pub const SPDM: Self = Self(5);
    /// Secured messages.
    pub const SECURED: Self = Self(6);
    /// Vendor-defined messages, with a PCI vendor ID.
    pub const VENDOR_PCI: Self = Self(0x7e);
    /// Vendor-defined messages, with an IANA enterprise number.
    pub const VENDOR_IANA: Self = Self(0x7f);
}

/// An MCTP message. The plaintext of a secured message is an MCTP message, too.
///
/// ```text
/// 0 bits 6:0 message type, bit 7 integrity check at the end, which SPDM never uses | 1 payload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message<'a> {
    /// Message type of the payload.
    pub message_type: MessageType,
    /// The payload, up to the end.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> for Message<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("message type", &mut self.message_type.0)?;
        if self.message_type.0 > 0x7f {
            let got = u64::from(self.message_type.0);
            return Err(wire.invalid_value("message type", 0, "no integrity check", got));
        }
        wire.rest("payload", &mut self.payload)
    }
}

/// An MCTP packet.
///
/// ```text
/// 0 bits 3:0 header version | 1 destination | 2 source
/// 3 bit 7 start, bit 6 end, bits 5:4 sequence, bit 3 tag owner, bits 2:0 tag | 4 payload, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Header version: 1. DMTF's captures have 0.
    pub version: u8,
    /// Endpoint ID of the destination.
    pub destination: u8,
    /// Endpoint ID of the source.
    pub source: u8,
    /// [`Packet::START`], [`Packet::END`], the sequence number in bits 5:4, [`Packet::TAG_OWNER`], the tag in bits 2:0.
    pub flags: u8,
    /// A part of a message.
    pub payload: &'a [u8],
}

impl<'a> Packet<'a> {
    /// Bit 7 of the flags: the first packet of a message.
    pub const START: u8 = 1 << 7;
    /// Bit 6 of the flags: the last packet of a message.
    pub const END: u8 = 1 << 6;
    /// Bit 3 of the flags: the source has chosen the tag.
    pub const TAG_OWNER: u8 = 1 << 3;
    /// Mask of the flags that identify a message: the tag owner and the tag.
    const TAG: u8 = Self::TAG_OWNER | 7;
    /// Payload length of the baseline transmission unit, in bytes.
    pub const BASELINE: usize = 64;

    /// Returns the sequence number, which counts modulo 4.
    #[must_use]
    pub const fn sequence(&self) -> u8 {
        self.flags >> 4 & 3
    }

    /// Splits `message` into packets with at most `unit` bytes of payload each. Version, endpoint IDs, tag owner and
    /// tag are those of `self`. An empty message or unit yields no packets.
    pub fn split(self, message: &'a [u8], unit: usize) -> impl Iterator<Item = Self> + use<'a> {
        let last = message.len().saturating_sub(1) / unit.max(1);
        let chunks = if unit == 0 { (&[] as &[u8]).chunks(1) } else { message.chunks(unit) };
        chunks.zip((0u8..4).cycle()).enumerate().map(move |(index, (payload, sequence))| {
            let start = if index == 0 { Self::START } else { 0 };
            let end = if index == last { Self::END } else { 0 };
            let flags = self.flags & Self::TAG | start | end | sequence << 4;
            Self { flags, payload, ..self }
        })
    }
}

impl<'a> Frame<'a> for Packet<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("header version", &mut self.version)?;
        self.version &= 0xf;
        wire.u8("destination endpoint ID", &mut self.destination)?;
        wire.u8("source endpoint ID", &mut self.source)?;
        wire.u8("flags", &mut self.flags)?;
        wire.rest("payload", &mut self.payload)
    }
}

/// Reassembles messages from packets, one at a time, in the caller's buffer.
#[derive(Debug)]
pub struct Assembler<'b> {
    buffer: &'b mut [u8],
    len: usize,
    /// Source, tag and sequence number of the next packet; `None` between messages.
    expected: Option<(u8, u8, u8)>,
    unit: usize,
}

impl<'b> Assembler<'b> {
    /// Creates an assembler for messages up to the length of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, len: 0, expected: None, unit: 0 }
    }

    /// Adds a packet. Returns the whole message if this was its last packet.
    ///
    /// # Errors
    /// Returns an error if the packet does not continue the current message, is longer than the first packet, or is
    /// shorter although it is not the last; or if the message exceeds the buffer. The current message is then dropped,
    /// and a new one may start.
    pub fn push(&mut self, packet: &Packet<'_>) -> Result<Option<&[u8]>, CodecError> {
        let taken = self.take(packet);
        if taken.is_err() || packet.flags & Packet::END != 0 {
            self.expected = None;
        }
        taken?;
        Ok(if self.expected.is_none() { self.buffer.get(..self.len) } else { None })
    }

    fn take(&mut self, packet: &Packet<'_>) -> Result<(), CodecError> {
        let (source, tag, sequence) = (packet.source, packet.flags & Packet::TAG, packet.sequence());
        if packet.flags & Packet::START != 0 {
            (self.len, self.unit) = (0, packet.payload.len());
        } else if self.expected != Some((source, tag, sequence)) {
            let expected = "the next packet of the current message";
            return Err(value_error("flags", 3, expected, u64::from(packet.flags)));
        }
        let is_last = packet.flags & Packet::END != 0;
        if packet.payload.len() > self.unit || packet.payload.len() < self.unit && !is_last {
            let expected = "as many bytes as in the first packet";
            return Err(value_error("payload", 4, expected, packet.payload.len() as u64));
        }
        let room = self.buffer.get_mut(self.len..).unwrap_or_default();
        let no_room = Problem::NoRoom { needed: packet.payload.len(), left: room.len() };
        let room = room.get_mut(..packet.payload.len());
        let room = room.ok_or(CodecError { name: "payload", offset: 4, problem: no_room })?;
        room.copy_from_slice(packet.payload);
        self.len += packet.payload.len();
        self.expected = Some((source, tag, (sequence + 1) & 3));
        Ok(())
    }
}

fn value_error(name: &'static str, offset: usize, expected: &'static str, got: u64) -> CodecError {
    CodecError { name, offset, problem: Problem::Value { expected, got } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use std::vec::Vec;

    const HEADER: Packet<'_> =
        Packet { version: 1, destination: 9, source: 8, flags: Packet::TAG_OWNER | 5, payload: &[] };

    #[test]
    fn round_trips_messages() {
        let get_version = Message { message_type: MessageType::SPDM, payload: &[0x10, 0x84, 0, 0] };
        assert_frames(&[(get_version, &[5, 0x10, 0x84, 0, 0])]);
        assert!(Message::decode(&[0x85, 0x10, 0x84, 0, 0, 1, 2, 3, 4]).is_err());
        assert!(Message::decode(&[]).is_err());
    }

    #[test]
    fn round_trips_packets() {
        let only = Packet { flags: Packet::START | Packet::END | HEADER.flags, payload: &[5, 1], ..HEADER };
        assert_frames(&[(only, &[1, 9, 8, 0xcd, 5, 1])]);
        // Reserved bits are ignored.
        assert_eq!(Packet::decode(&[0xf1, 9, 8, 0xcd, 5, 1]), Ok(only));
    }

    #[test]
    fn reassembles_split_messages() {
        let message: Vec<u8> = (0..=255).collect();
        let mut buffer = [0; 256];
        let mut assembler = Assembler::new(&mut buffer);
        for len in 1..=message.len() {
            let message = &message[..len];
            let packets: Vec<_> = HEADER.split(message, 7).collect();
            assert_eq!(packets.len(), len.div_ceil(7));
            let (last, others) = packets.split_last().unwrap();
            assert!(others.iter().all(|packet| assembler.push(packet) == Ok(None)));
            assert_eq!(assembler.push(last), Ok(Some(message)));
        }
    }

    #[test]
    fn sequence_numbers_wrap_around() {
        let message = [0; 2000];
        let sequences = HEADER.split(&message, 1).map(|packet| packet.sequence());
        assert!(sequences.eq((0..2000).map(|index| (index & 3) as u8)));
    }

    #[test]
    fn empty_messages_yield_no_packets() {
        assert_eq!(HEADER.split(&[], 64).count(), 0);
        assert_eq!(HEADER.split(&[1], 0).count(), 0);
    }

    #[test]
    fn rejects_out_of_order_packets_and_continues() {
        let message = [1, 2, 3, 4, 5, 6, 7];
        let packets: Vec<_> = HEADER.split(&message, 3).collect();
        let [first, second, third] = packets[..] else { panic!("{packets:?}") };
        let bad = [
            third,
            Packet { source: 7, ..second },
            Packet { flags: second.flags ^ 1, ..second },
            Packet { flags: second.flags ^ Packet::TAG_OWNER, ..second },
            Packet { payload: &[4, 5], ..second },
            Packet { payload: &[4, 5, 6, 7], ..second },
        ];
        let mut buffer = [0; 7];
        let mut assembler = Assembler::new(&mut buffer);
        for bad in bad {
            assert_eq!(assembler.push(&first), Ok(None));
            assert!(assembler.push(&bad).is_err(), "{bad:?}");
            assert!(assembler.push(&second).is_err());
        }
        assert_eq!(assembler.push(&first), Ok(None));
        assert_eq!(assembler.push(&second), Ok(None));
        assert_eq!(assembler.push(&third), Ok(Some(&message[..])));
    }

    #[test]
    fn rejects_message_longer_than_buffer() {
        let mut buffer = [0; 6];
        let mut assembler = Assembler::new(&mut buffer);
        let pushed: Vec<_> = HEADER.split(&[0; 7], 3).map(|packet| assembler.push(&packet).is_ok()).collect();
        assert_eq!(pushed, [true, true, false]);
    }
}
