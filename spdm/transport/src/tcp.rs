//! SPDM over TCP (DSP0287): a header of four bytes before each message. Port 4194.

use crate::frame::{Delimited, Frame};
use grille_spdm_codec::CodecError;
use grille_spdm_codec::wire::{Reader, Wire};

/// The default port of a responder.
pub const PORT: u16 = 4194;
/// The only valid Binding Version.
const BINDING_VERSION: u8 = 1;
/// Number of header bytes that PayloadLength counts: Binding Version and Message Type.
const COUNTED_HEADER_LEN: usize = 2;
/// The maximum payload length in bytes.
pub(crate) const LONGEST_PAYLOAD: usize = u16::MAX as usize - COUNTED_HEADER_LEN;

/// Message Type of DSP0287.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageType(
    /// The byte on the wire.
    pub u8,
);

impl MessageType {
    /// An SPDM message outside of a session.
    pub const OUT_OF_SESSION: Self = Self(0x05);
    /// A secured message.
    pub const IN_SESSION: Self = Self(0x06);
    /// Role-Inquiry: the connecting side becomes the responder.
    pub const ROLE_INQUIRY: Self = Self(0xbf);
    /// Error: the message was too large.
    pub const ERROR_TOO_LARGE: Self = Self(0xc0);
    /// Error: the message type is not supported.
    pub const ERROR_NOT_SUPPORTED: Self = Self(0xc1);
    /// Error: the accepting side cannot be the requester.
    pub const ERROR_CANNOT_OPERATE_AS_REQUESTER: Self = Self(0xc2);
    /// Error: the accepting side cannot be the responder.
    pub const ERROR_CANNOT_OPERATE_AS_RESPONDER: Self = Self(0xc3);

    /// Returns whether the message consists of its header only: an inquiry or an error.
    #[must_use]
    pub const fn is_control(self) -> bool {
        self.0 >= Self::ROLE_INQUIRY.0
    }

    /// Returns the name of the message type; `None` if it is unknown.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::OUT_OF_SESSION => Some("out of session"),
            Self::IN_SESSION => Some("in session"),
            Self::ROLE_INQUIRY => Some("Role-Inquiry"),
            Self::ERROR_TOO_LARGE => Some("error: too large"),
            Self::ERROR_NOT_SUPPORTED => Some("error: not supported"),
            Self::ERROR_CANNOT_OPERATE_AS_REQUESTER => Some("error: cannot operate as requester"),
            Self::ERROR_CANNOT_OPERATE_AS_RESPONDER => Some("error: cannot operate as responder"),
            _ => None,
        }
    }
}

/// A message, an inquiry, or an error.
///
/// ```text
/// 0 PayloadLength u16, all that follows; 0 if nothing follows the header | 2 Binding Version 1 | 3 Message Type
/// 4 payload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message<'a> {
    /// Message Type of DSP0287.
    pub message_type: MessageType,
    /// A message; empty in inquiries and errors.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> for Message<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        let is_control = self.message_type.is_control() && self.payload.is_empty();
        let mut length = if is_control { 0 } else { self.payload.len().saturating_add(COUNTED_HEADER_LEN) };
        wire.count("PayloadLength", 2, &mut length)?;
        let mut version = BINDING_VERSION;
        wire.u8("Binding Version", &mut version)?;
        if version != BINDING_VERSION {
            return Err(wire.invalid_value("Binding Version", 2, "1", u64::from(version)));
        }
        wire.u8("Message Type", &mut self.message_type.0)?;
        let payload = payload_len(length)
            .ok_or_else(|| wire.invalid_value("PayloadLength", 0, "0, or 2 or more", 1))?;
        wire.slice("payload", payload, &mut self.payload)
    }
}

impl<'a> Delimited<'a> for Message<'a> {
    const HEADER: usize = 4;

    fn frame_len(header: &[u8]) -> Result<usize, CodecError> {
        let mut length = 0;
        let mut reader = Reader::new(header, 0);
        reader.count("PayloadLength", 2, &mut length)?;
        let payload = payload_len(length);
        Ok(Self::HEADER
            + payload.ok_or_else(|| reader.invalid_value("PayloadLength", 0, "0, or 2 or more", 1))?)
    }
}

/// Returns the number of bytes after the header, from the field PayloadLength; `None` if the message would end within
/// the header.
fn payload_len(length: usize) -> Option<usize> {
    if length == 0 { Some(0) } else { length.checked_sub(COUNTED_HEADER_LEN) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use std::vec;

    #[test]
    fn round_trips_messages() {
        let get_version = Message { message_type: MessageType::OUT_OF_SESSION, payload: &[0x10, 0x84, 0, 0] };
        let inquiry = Message { message_type: MessageType::ROLE_INQUIRY, payload: &[] };
        assert_frames(&[
            (get_version, &[6, 0, 1, 5, 0x10, 0x84, 0, 0]),
            (inquiry, &[0, 0, 1, 0xbf]),
            (Message { message_type: MessageType::IN_SESSION, payload: &[] }, &[2, 0, 1, 6]),
        ]);
        // An empty payload has two valid lengths.
        assert_eq!(Message::decode(&[2, 0, 1, 0xbf]), Ok(inquiry));
    }

    #[test]
    fn rejects_contradictory_headers() {
        for (bytes, name) in [
            (&[6, 0, 2, 5, 0x10, 0x84, 0, 0][..], "Binding Version"),
            (&[1, 0, 1, 5], "PayloadLength"),
            (&[7, 0, 1, 5, 0x10, 0x84, 0, 0], "payload"),
            (&[5, 0, 1, 5, 0x10, 0x84, 0, 0], "message"),
        ] {
            assert_eq!(Message::decode(bytes).map_err(|error| error.name), Err(name));
        }
        assert!(Message::frame_len(&[1, 0, 1, 5]).is_err());
        assert!(Message::frame_len(&[1]).is_err());
    }

    #[test]
    fn rejects_message_of_64_kib() {
        let bytes = vec![0; 0xffff];
        let largest = Message { message_type: MessageType::IN_SESSION, payload: &bytes[2..] };
        let mut buffer = vec![0; 0x1_0010];
        assert_eq!(largest.encode(&mut buffer), Ok(0x1_0001));
        assert_eq!(Message::frame_len(&buffer), Ok(0x1_0001));
        let larger = Message { payload: &bytes[1..], ..largest };
        assert_eq!(larger.encode(&mut buffer).map_err(|error| error.name), Err("PayloadLength"));
    }

    #[test]
    fn only_inquiries_and_errors_have_no_payload() {
        let control = |byte: &u8| MessageType(*byte).is_control();
        assert!((0..=u8::MAX).filter(control).eq(0xbf..=u8::MAX));
        assert!((0xbf..=0xc3).all(|byte| MessageType(byte).name().is_some()));
    }
}
