//! What differs from transport to transport: the frame of a message, and of what is inside a secured message.

use crate::frame::{Delimited, Frame};
use crate::{doe, mctp, tcp};
use grille_spdm_codec::wire::{Wire, Writer};
use grille_spdm_codec::{CodecError, Problem};

/// A transport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binding {
    /// No transport: messages as they are, without records.
    #[default]
    Bare,
    /// MCTP: DSP0275, DSP0276.
    Mctp,
    /// Data Object Exchange of PCI.
    PciDoe,
    /// TCP: DSP0287.
    Tcp,
}

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An SPDM message.
    Spdm,
    /// A secured message (DSP0277).
    Secured,
    /// Something else, by its number in the transport: [`mctp::MessageType`], a Data Object Type, [`tcp::MessageType`].
    Other(u8),
}

impl Binding {
    /// All.
    pub const ALL: [Self; 4] = [Self::Bare, Self::Mctp, Self::PciDoe, Self::Tcp];

    /// The number in frames of [`crate::emulator`].
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The transport of that number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }

    /// The emulators' name, as in `--trans`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "NONE",
            Self::Mctp => "MCTP",
            Self::PciDoe => "PCI_DOE",
            Self::Tcp => "TCP",
        }
    }

    /// Bytes of the sequence number in the header of secured messages.
    #[must_use]
    pub const fn sequence_len(self) -> usize {
        match self {
            Self::Mctp => 2,
            Self::Bare | Self::PciDoe | Self::Tcp => 0,
        }
    }

    /// Random bytes that a secured message may be padded with, at most.
    #[must_use]
    pub const fn padding(self) -> u8 {
        match self {
            Self::Mctp => 32,
            Self::Bare | Self::PciDoe | Self::Tcp => 0,
        }
    }

    /// Zeros that may follow a message in its frame, at most: PCI DOE counts in four bytes.
    #[must_use]
    pub const fn trailing(self) -> usize {
        match self {
            Self::PciDoe => 3,
            Self::Bare | Self::Mctp | Self::Tcp => 0,
        }
    }

    /// The longest payload of a frame in bytes: whatever is longer goes in chunks.
    #[must_use]
    pub const fn longest_payload(self) -> usize {
        match self {
            Self::Bare | Self::Mctp => usize::MAX,
            Self::PciDoe => doe::LONGEST_PAYLOAD,
            Self::Tcp => tcp::LONGEST_PAYLOAD,
        }
    }

    /// Writes the frame of `payload`, and returns its length in bytes.
    ///
    /// # Errors
    /// Too small a buffer, a payload that is too long for the transport, or a kind that it does not have.
    pub fn encode(self, kind: Kind, payload: &[u8], buffer: &mut [u8]) -> Result<usize, CodecError> {
        let number = self.number_of(kind);
        match self {
            Self::Bare if kind == Kind::Spdm => copy(payload, buffer),
            Self::Bare => Err(refuse("kind", "an SPDM message", u64::from(number))),
            Self::Mctp => mctp::Message { message_type: mctp::MessageType(number), payload }.encode(buffer),
            Self::PciDoe => {
                doe::DataObject { vendor: doe::PCI_SIG, object_type: number, payload }.encode(buffer)
            }
            Self::Tcp => tcp::Message { message_type: tcp::MessageType(number), payload }.encode(buffer),
        }
    }

    /// What a frame carries. On PCI DOE zeros may follow, up to whole DW.
    ///
    /// # Errors
    /// What [`Frame::decode`] says, or a data object of a vendor.
    pub fn decode(self, frame: &[u8]) -> Result<(Kind, &[u8]), CodecError> {
        let (number, payload) = match self {
            Self::Bare => return Ok((Kind::Spdm, frame)),
            Self::Mctp => {
                let message = mctp::Message::decode(frame)?;
                (message.message_type.0, message.payload)
            }
            Self::PciDoe => {
                let object = doe::DataObject::decode(frame)?;
                if object.vendor != doe::PCI_SIG {
                    return Err(refuse("Vendor ID", "1 (PCI-SIG)", u64::from(object.vendor)));
                }
                (object.object_type, object.payload)
            }
            Self::Tcp => {
                let message = tcp::Message::decode(frame)?;
                (message.message_type.0, message.payload)
            }
        };
        Ok((self.kind_of(number), payload))
    }

    /// Bytes that [`Binding::encode_inside`] puts before the message.
    #[must_use]
    pub const fn inside_len(self) -> usize {
        match self {
            Self::Mctp => 1,
            Self::Tcp => tcp::Message::HEADER,
            Self::Bare | Self::PciDoe => 0,
        }
    }

    /// Writes what a secured message has inside to carry an SPDM message, and returns its length in bytes: MCTP and
    /// TCP have a frame there again, the others the message as it is.
    ///
    /// # Errors
    /// As [`Binding::encode`].
    pub fn encode_inside(self, message: &[u8], buffer: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::Mctp | Self::Tcp => self.encode(Kind::Spdm, message, buffer),
            Self::Bare | Self::PciDoe => copy(message, buffer),
        }
    }

    /// What was inside a secured message: an SPDM message, or on MCTP and TCP another.
    ///
    /// # Errors
    /// As [`Binding::decode`].
    pub fn decode_inside(self, plain: &[u8]) -> Result<(Kind, &[u8]), CodecError> {
        match self {
            Self::Mctp | Self::Tcp => self.decode(plain),
            Self::Bare | Self::PciDoe => Ok((Kind::Spdm, plain)),
        }
    }

    /// Numbers of SPDM and of secured messages.
    const fn numbers(self) -> (u8, u8) {
        match self {
            Self::Bare => (0, 0),
            Self::Mctp => (mctp::MessageType::SPDM.0, mctp::MessageType::SECURED.0),
            Self::PciDoe => (doe::SPDM, doe::SECURED_SPDM),
            Self::Tcp => (tcp::MessageType::OUT_OF_SESSION.0, tcp::MessageType::IN_SESSION.0),
        }
    }

    const fn number_of(self, kind: Kind) -> u8 {
        match kind {
            Kind::Spdm => self.numbers().0,
            Kind::Secured => self.numbers().1,
            Kind::Other(number) => number,
        }
    }

    /// What a number of this transport says.
    #[must_use]
    pub const fn kind_of(self, number: u8) -> Kind {
        let (spdm, secured) = self.numbers();
        match number {
            _ if number == spdm => Kind::Spdm,
            _ if number == secured => Kind::Secured,
            _ => Kind::Other(number),
        }
    }
}

fn copy(mut message: &[u8], buffer: &mut [u8]) -> Result<usize, CodecError> {
    let mut writer = Writer::new(buffer);
    writer.rest("message", &mut message)?;
    Ok(writer.offset())
}

fn refuse(what: &'static str, expected: &'static str, got: u64) -> CodecError {
    CodecError { what, offset: 0, problem: Problem::Value { expected, got } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    const GET_VERSION: [u8; 4] = [0x10, 0x84, 0, 0];

    #[test]
    fn what_was_framed_is_found() {
        for binding in Binding::ALL {
            for kind in [Kind::Spdm, Kind::Secured, Kind::Other(0x42)] {
                let mut frame = [0xff; 16];
                let written = binding.encode(kind, &GET_VERSION, &mut frame);
                if binding == Binding::Bare && kind != Kind::Spdm {
                    assert!(written.is_err());
                    continue;
                }
                let frame = &frame[..written.unwrap()];
                assert_eq!(binding.decode(frame), Ok((kind, &GET_VERSION[..])), "{binding:?}");
            }
        }
    }

    #[test]
    fn the_longest_payload_has_a_frame_and_a_longer_one_has_none() {
        for binding in [Binding::PciDoe, Binding::Tcp] {
            let longest = binding.longest_payload();
            let (payload, mut frame) = (vec![7; longest + 1], vec![0; longest + 16]);
            let fits = |len| binding.encode(Kind::Spdm, &payload[..len], &mut frame).is_ok();
            assert_eq!([longest, longest + 1].map(fits), [true, false], "{binding:?}");
        }
    }

    #[test]
    fn what_was_put_inside_is_found() {
        for binding in Binding::ALL {
            let mut plain = [0xff; 16];
            let len = binding.encode_inside(&GET_VERSION, &mut plain).unwrap();
            assert_eq!(len, GET_VERSION.len() + binding.inside_len());
            assert_eq!(binding.decode_inside(&plain[..len]), Ok((Kind::Spdm, &GET_VERSION[..])));
            assert!(binding.encode_inside(&GET_VERSION, &mut plain[..len - 1]).is_err());
        }
    }

    #[test]
    fn application_data_inside_is_no_spdm_message() {
        assert_eq!(Binding::Mctp.decode_inside(&[1, 0x80, 0, 2]), Ok((Kind::Other(1), &[0x80, 0, 2][..])));
    }

    #[test]
    fn data_objects_of_vendors_are_refused() {
        let object = [0x86, 0x80, 1, 0, 2, 0, 0, 0];
        assert_eq!(Binding::PciDoe.decode(&object).map_err(|error| error.what), Err("Vendor ID"));
    }

    #[test]
    fn numbers_lead_back() {
        for binding in Binding::ALL {
            assert_eq!(Binding::from_number(binding.number()), Some(binding));
        }
        assert_eq!(Binding::from_number(4), None);
    }
}
