//! Differences between transports: the frame of a message, and the contents of a secured message.

use crate::frame::{Delimited, Frame};
use crate::{doe, mctp, tcp};
use grille_spdm_codec::wire::{Wire, Writer};
use grille_spdm_codec::{CodecError, Problem};

/// A transport binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binding {
    /// No transport: plain messages, without secured messages.
    #[default]
    Bare,
    /// MCTP: DSP0275, DSP0276.
    Mctp,
    /// Data Object Exchange of PCI.
    PciDoe,
    /// TCP: DSP0287.
    Tcp,
}

/// The kind of a frame's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An SPDM message.
    Spdm,
    /// A secured message (DSP0277).
    Secured,
    /// Another type, by its number in the transport: [`mctp::MessageType`], a Data Object Type, [`tcp::MessageType`].
    Other(u8),
}

impl Binding {
    /// All bindings.
    pub const ALL: [Self; 4] = [Self::Bare, Self::Mctp, Self::PciDoe, Self::Tcp];

    /// Returns the number in frames of [`crate::emulator`].
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the transport with this number in frames of [`crate::emulator`]; `None` if there is none.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }

    /// Returns the name that DMTF's emulators use in `--trans`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "NONE",
            Self::Mctp => "MCTP",
            Self::PciDoe => "PCI_DOE",
            Self::Tcp => "TCP",
        }
    }

    /// Returns the length of the sequence number in the header of secured messages, in bytes.
    #[must_use]
    pub const fn sequence_len(self) -> usize {
        match self {
            Self::Mctp => 2,
            Self::Bare | Self::PciDoe | Self::Tcp => 0,
        }
    }

    /// Returns the maximum length of the random padding in a secured message, in bytes.
    #[must_use]
    pub const fn max_random_padding(self) -> u8 {
        match self {
            Self::Mctp => 32,
            Self::Bare | Self::PciDoe | Self::Tcp => 0,
        }
    }

    /// Returns the maximum number of zeros after a message in its frame; PCI DOE pads to a multiple of four bytes.
    #[must_use]
    pub const fn max_trailing_zeros(self) -> usize {
        match self {
            Self::PciDoe => 3,
            Self::Bare | Self::Mctp | Self::Tcp => 0,
        }
    }

    /// Returns the maximum length of a frame's payload, in bytes. Longer messages are sent in chunks.
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
    /// Returns an error if the buffer is too small, the payload is too long for the transport, or the transport cannot
    /// carry this kind.
    pub fn encode(self, kind: Kind, payload: &[u8], buffer: &mut [u8]) -> Result<usize, CodecError> {
        let number = self.kind_number(kind);
        match self {
            Self::Bare if kind == Kind::Spdm => copy(payload, buffer),
            Self::Bare => Err(value_error("kind", "an SPDM message", u64::from(number))),
            Self::Mctp => mctp::Message { message_type: mctp::MessageType(number), payload }.encode(buffer),
            Self::PciDoe => {
                doe::DataObject { vendor: doe::PCI_SIG, object_type: number, payload }.encode(buffer)
            }
            Self::Tcp => tcp::Message { message_type: tcp::MessageType(number), payload }.encode(buffer),
        }
    }

    /// Returns the kind and the payload of a frame. On PCI DOE the payload may end with zeros that pad it to whole DW.
    ///
    /// # Errors
    /// Returns the errors of [`Frame::decode`], or an error if the frame is a vendor's data object.
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
                    return Err(value_error("Vendor ID", "1 (PCI-SIG)", u64::from(object.vendor)));
                }
                (object.object_type, object.payload)
            }
            Self::Tcp => {
                let message = tcp::Message::decode(frame)?;
                (message.message_type.0, message.payload)
            }
        };
        Ok((self.kind_from_number(number), payload))
    }

    /// Returns the number of bytes that [`Binding::encode_plaintext`] writes before the message.
    #[must_use]
    pub const fn plaintext_header_len(self) -> usize {
        match self {
            Self::Mctp => 1,
            Self::Tcp => tcp::Message::HEADER,
            Self::Bare | Self::PciDoe => 0,
        }
    }

    /// Writes the plaintext of a secured message that carries an SPDM message, and returns its length in bytes. On MCTP
    /// and TCP the plaintext is a frame; on other transports it is the message itself.
    ///
    /// # Errors
    /// The errors of [`Binding::encode`].
    pub fn encode_plaintext(self, message: &[u8], buffer: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::Mctp | Self::Tcp => self.encode(Kind::Spdm, message, buffer),
            Self::Bare | Self::PciDoe => copy(message, buffer),
        }
    }

    /// Decodes the plaintext of a secured message: an SPDM message, or on MCTP and TCP possibly another kind.
    ///
    /// # Errors
    /// The errors of [`Binding::decode`].
    pub fn decode_plaintext(self, plain: &[u8]) -> Result<(Kind, &[u8]), CodecError> {
        match self {
            Self::Mctp | Self::Tcp => self.decode(plain),
            Self::Bare | Self::PciDoe => Ok((Kind::Spdm, plain)),
        }
    }

    /// Returns the message type numbers of this transport: for SPDM messages, and for secured messages.
    const fn numbers(self) -> (u8, u8) {
        match self {
            Self::Bare => (0, 0),
            Self::Mctp => (mctp::MessageType::SPDM.0, mctp::MessageType::SECURED.0),
            Self::PciDoe => (doe::SPDM, doe::SECURED_SPDM),
            Self::Tcp => (tcp::MessageType::OUT_OF_SESSION.0, tcp::MessageType::IN_SESSION.0),
        }
    }

    const fn kind_number(self, kind: Kind) -> u8 {
        match kind {
            Kind::Spdm => self.numbers().0,
            Kind::Secured => self.numbers().1,
            Kind::Other(number) => number,
        }
    }

    /// Returns the kind of message for a message type number of this transport.
    #[must_use]
    pub const fn kind_from_number(self, number: u8) -> Kind {
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

fn value_error(name: &'static str, expected: &'static str, got: u64) -> CodecError {
    CodecError { name, offset: 0, problem: Problem::Value { expected, got } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    const GET_VERSION: [u8; 4] = [0x10, 0x84, 0, 0];

    #[test]
    fn round_trips_frames() {
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
    fn frames_payloads_up_to_the_limit() {
        for binding in [Binding::PciDoe, Binding::Tcp] {
            let longest = binding.longest_payload();
            let (payload, mut frame) = (vec![7; longest + 1], vec![0; longest + 16]);
            let fits = |len| binding.encode(Kind::Spdm, &payload[..len], &mut frame).is_ok();
            assert_eq!([longest, longest + 1].map(fits), [true, false], "{binding:?}");
        }
    }

    #[test]
    fn round_trips_plaintexts() {
        for binding in Binding::ALL {
            let mut plain = [0xff; 16];
            let len = binding.encode_plaintext(&GET_VERSION, &mut plain).unwrap();
            assert_eq!(len, GET_VERSION.len() + binding.plaintext_header_len());
            assert_eq!(binding.decode_plaintext(&plain[..len]), Ok((Kind::Spdm, &GET_VERSION[..])));
            assert!(binding.encode_plaintext(&GET_VERSION, &mut plain[..len - 1]).is_err());
        }
    }

    #[test]
    fn application_data_is_not_spdm() {
        assert_eq!(Binding::Mctp.decode_plaintext(&[1, 0x80, 0, 2]), Ok((Kind::Other(1), &[0x80, 0, 2][..])));
    }

    #[test]
    fn rejects_vendor_data_objects() {
        let object = [0x86, 0x80, 1, 0, 2, 0, 0, 0];
        assert_eq!(Binding::PciDoe.decode(&object).map_err(|error| error.name), Err("Vendor ID"));
    }

    #[test]
    fn round_trips_numbers() {
        for binding in Binding::ALL {
            assert_eq!(Binding::from_number(binding.number()), Some(binding));
        }
        assert_eq!(Binding::from_number(4), None);
    }
}
