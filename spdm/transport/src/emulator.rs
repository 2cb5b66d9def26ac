//! The sockets of DMTF's spdm-emu and SPDM-Responder-Validator: TCP, with a 12-byte header before each frame.
//!
//! The requester connects, and the sides exchange hellos with [`Command::TEST`]. Requests and responses alternate,
//! until the requester sends [`Command::SHUTDOWN`] or [`Command::CONTINUE`], which the responder echoes.

use crate::binding::Binding;
use crate::frame::{Delimited, Frame};
use grille_spdm_codec::wire::{Reader, Wire};
use grille_spdm_codec::{CodecError, Problem};

/// The responder's default port. SPDM over TCP without the emulators' frames has its own: [`crate::tcp::PORT`].
pub const PORT: u16 = 2323;
/// The requester's payload of [`Command::TEST`].
pub const CLIENT_HELLO: &[u8] = b"Client Hello!\0";
/// The responder's payload of [`Command::TEST`].
pub const SERVER_HELLO: &[u8] = b"Server Hello!\0";

/// A command; big-endian on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command(
    /// The number.
    pub u32,
);

impl Command {
    /// Carries a message of the transport.
    pub const NORMAL: Self = Self(0x0001);
    /// Makes the responder send KEY_UPDATE as an encapsulated request. The payload is the session ID, u32
    /// little-endian.
    pub const ENCAPSULATED_KEY_UPDATE: Self = Self(0x8001);
    /// Makes the responder send GET_ENDPOINT_INFO as an encapsulated request.
    pub const ENCAPSULATED_ENDPOINT_INFO: Self = Self(0x8002);
    /// Ends the connection; the responder waits for the next one.
    pub const CONTINUE: Self = Self(0xfffd);
    /// Ends the connection and the responder.
    pub const SHUTDOWN: Self = Self(0xfffe);
    /// The answer to an unknown command.
    pub const UNKNOWN: Self = Self(0xffff);
    /// Carries a hello: [`CLIENT_HELLO`] or [`SERVER_HELLO`].
    pub const TEST: Self = Self(0xdead);

    /// Returns whether the command is one of the constants of this type except [`Command::UNKNOWN`].
    #[must_use]
    pub fn is_known(self) -> bool {
        let encapsulated = [Self::ENCAPSULATED_KEY_UPDATE, Self::ENCAPSULATED_ENDPOINT_INFO];
        [Self::NORMAL, Self::CONTINUE, Self::SHUTDOWN, Self::TEST].contains(&self)
            || encapsulated.contains(&self)
    }
}

/// A frame of the emulators.
///
/// ```text
/// 0 command u32 | 4 transport u32 | 8 size u32, all three big-endian | 12 payload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The command of the frame.
    pub command: Command,
    /// The transport of the payload.
    pub binding: Binding,
    /// A frame of the transport, a hello, or nothing.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> for Packet<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        big_endian("command", &mut self.command.0, wire)?;
        let mut binding = self.binding.number();
        big_endian("transport type", &mut binding, wire)?;
        let unknown = || wire.invalid_value("transport type", 4, "0 to 3", u64::from(binding));
        self.binding = Binding::from_number(binding).ok_or_else(unknown)?;
        let too_large = Problem::TooLarge { max: u32::MAX.into(), got: self.payload.len() as u64 };
        let size = u32::try_from(self.payload.len());
        let mut size = size.map_err(|_| CodecError { name: "size", offset: 8, problem: too_large })?;
        big_endian("size", &mut size, wire)?;
        wire.slice("payload", size as usize, &mut self.payload)
    }
}

impl<'a> Delimited<'a> for Packet<'a> {
    const HEADER: usize = 12;

    fn frame_len(header: &[u8]) -> Result<usize, CodecError> {
        let mut size = 0;
        big_endian("size", &mut size, &mut Reader::new(header, 8))?;
        Ok((size as usize).saturating_add(Self::HEADER))
    }
}

fn big_endian<'a>(name: &'static str, value: &mut u32, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    let mut bytes = value.to_be_bytes();
    wire.array(name, &mut bytes)?;
    *value = u32::from_be_bytes(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use std::vec;

    #[test]
    fn round_trips_frames() {
        let hello = Packet { command: Command::TEST, binding: Binding::Mctp, payload: CLIENT_HELLO };
        let bytes = [&[0, 0, 0xde, 0xad, 0, 0, 0, 1, 0, 0, 0, 14][..], b"Client Hello!\0"].concat();
        let get_version =
            Packet { command: Command::NORMAL, binding: Binding::Mctp, payload: &[5, 0x10, 0x84, 0, 0] };
        let end = Packet { command: Command::SHUTDOWN, binding: Binding::PciDoe, payload: &[] };
        assert_frames(&[
            (hello, &bytes),
            (get_version, &[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5, 5, 0x10, 0x84, 0, 0]),
            (end, &[0, 0, 0xff, 0xfe, 0, 0, 0, 2, 0, 0, 0, 0]),
        ]);
    }

    #[test]
    fn rejects_unknown_transports_and_wrong_sizes() {
        for (bytes, name) in [
            (vec![0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0], "transport type"),
            (vec![0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "payload"),
            (vec![0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 5], "message"),
        ] {
            assert_eq!(Packet::decode(&bytes).map_err(|error| error.name), Err(name));
        }
    }

    #[test]
    fn the_largest_size_does_not_overflow() {
        let header = [0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(Packet::frame_len(&header), Ok((u32::MAX as usize).saturating_add(12)));
        assert!(Packet::decode(&header).is_err());
        assert!(Packet::frame_len(&header[..11]).is_err());
    }
}
