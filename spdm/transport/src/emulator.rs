//! The sockets of DMTF's spdm-emu and SPDM-Responder-Validator: TCP, and twelve bytes before each frame.
//!
//! The requester connects, both say hello with [`Command::TEST`], then requests and responses follow in turn, until the
//! requester says [`Command::SHUTDOWN`] or [`Command::CONTINUE`], which the responder says back.

use crate::binding::Binding;
use crate::frame::{Delimited, Frame};
use grille_spdm_codec::wire::{Reader, Wire};
use grille_spdm_codec::{CodecError, Problem};

/// The port on which the responder waits; with TCP as transport it is [`crate::tcp::PORT`].
pub const PORT: u16 = 2323;
/// What the requester says with [`Command::TEST`].
pub const CLIENT_HELLO: &[u8] = b"Client Hello!\0";
/// What the responder says back.
pub const SERVER_HELLO: &[u8] = b"Server Hello!\0";

/// Command, big-endian on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command(
    /// The number.
    pub u32,
);

impl Command {
    /// A message of the transport.
    pub const NORMAL: Self = Self(0x0001);
    /// The responder is to ask for a key update in an encapsulated request. The payload is the session's number, u32
    /// little-endian.
    pub const ENCAPSULATED_KEY_UPDATE: Self = Self(0x8001);
    /// The responder is to ask for endpoint information in an encapsulated request.
    pub const ENCAPSULATED_ENDPOINT_INFO: Self = Self(0x8002);
    /// The connection is over, the responder waits for the next.
    pub const CONTINUE: Self = Self(0xfffd);
    /// The connection is over, the responder ends.
    pub const SHUTDOWN: Self = Self(0xfffe);
    /// The answer to a command that is not known.
    pub const UNKNOWN: Self = Self(0xffff);
    /// Hello.
    pub const TEST: Self = Self(0xdead);

    /// Whether it is one of the constants here, but for the answer to unknown ones.
    #[must_use]
    pub fn is_known(self) -> bool {
        let encapsulated = [Self::ENCAPSULATED_KEY_UPDATE, Self::ENCAPSULATED_ENDPOINT_INFO];
        [Self::NORMAL, Self::CONTINUE, Self::SHUTDOWN, Self::TEST].contains(&self)
            || encapsulated.contains(&self)
    }
}

/// A frame.
///
/// ```text
/// 0 command u32 | 4 transport u32 | 8 size u32, all three big-endian | 12 payload
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet<'a> {
    /// What to do.
    pub command: Command,
    /// How the payload is framed.
    pub binding: Binding,
    /// A frame of the transport, a greeting, or nothing.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> for Packet<'a> {
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        big_endian("command", &mut self.command.0, wire)?;
        let mut binding = self.binding.number();
        big_endian("transport type", &mut binding, wire)?;
        let unknown = || wire.refuse("transport type", 4, "0 to 3", u64::from(binding));
        self.binding = Binding::from_number(binding).ok_or_else(unknown)?;
        let too_large = Problem::TooLarge { max: u32::MAX.into(), got: self.payload.len() as u64 };
        let size = u32::try_from(self.payload.len());
        let mut size = size.map_err(|_| CodecError { what: "size", offset: 8, problem: too_large })?;
        big_endian("size", &mut size, wire)?;
        wire.slice("payload", size as usize, &mut self.payload)
    }
}

impl<'a> Delimited<'a> for Packet<'a> {
    const HEADER: usize = 12;

    fn len_of(header: &[u8]) -> Result<usize, CodecError> {
        let mut size = 0;
        big_endian("size", &mut size, &mut Reader::new(header, 8))?;
        Ok((size as usize).saturating_add(Self::HEADER))
    }
}

fn big_endian<'a>(what: &'static str, value: &mut u32, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    let mut bytes = value.to_be_bytes();
    wire.array(what, &mut bytes)?;
    *value = u32::from_be_bytes(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::assert_frames;
    use std::vec;

    #[test]
    fn frames_are_written_as_they_were_read() {
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
    fn unknown_transports_and_wrong_sizes_are_refused() {
        for (bytes, what) in [
            (vec![0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0], "transport type"),
            (vec![0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "payload"),
            (vec![0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 5], "message"),
        ] {
            assert_eq!(Packet::decode(&bytes).map_err(|error| error.what), Err(what));
        }
    }

    #[test]
    fn the_largest_size_does_not_overflow() {
        let header = [0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(Packet::len_of(&header), Ok((u32::MAX as usize).saturating_add(12)));
        assert!(Packet::decode(&header).is_err());
        assert!(Packet::len_of(&header[..11]).is_err());
    }
}
