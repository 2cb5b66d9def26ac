//! END_SESSION and END_SESSION_ACK, which end a session. The acknowledgement is the last record of the session.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// END_SESSION.
///
/// ```text
/// 0 SPDMVersion | 1 0xEC | 2 attributes | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndSession {
    /// Bit 0: the responder must clear the negotiated state that CACHE_CAP lets it keep.
    pub attributes: u8,
}

/// END_SESSION_ACK: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x6C | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndSessionAck;

impl<'a> Message<'a> for EndSession {
    const CODE: Code = Code::END_SESSION;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("attributes", &mut self.attributes)?;
        wire.reserved(1)
    }
}

impl<'a> Message<'a> for EndSessionAck {
    const CODE: Code = Code::END_SESSION_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}
