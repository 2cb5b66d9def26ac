//! HEARTBEAT and HEARTBEAT_ACK, which keep a session alive.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// HEARTBEAT: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0xE8 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heartbeat;

/// HEARTBEAT_ACK: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x68 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeartbeatAck;

impl<'a> Message<'a> for Heartbeat {
    const CODE: Code = Code::HEARTBEAT;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for HeartbeatAck {
    const CODE: Code = Code::HEARTBEAT_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}
