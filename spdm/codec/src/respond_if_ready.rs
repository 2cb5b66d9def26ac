//! RESPOND_IF_READY: requests the response that ERROR ResponseNotReady announced. That response has the original
//! request's response code.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// RESPOND_IF_READY.
///
/// ```text
/// 0 SPDMVersion | 1 0xFF | 2 RequestCode of the original request | 3 Token
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RespondIfReady {
    /// Code of the original request.
    pub request: Code,
    /// Token from the error.
    pub token: u8,
}

impl<'a> Message<'a> for RespondIfReady {
    const CODE: Code = Code::RESPOND_IF_READY;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("RequestCode", &mut self.request.0)?;
        wire.u8("Token", &mut self.token)
    }
}
