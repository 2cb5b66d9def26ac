//! KEY_UPDATE and KEY_UPDATE_ACK, which update the data keys of a session.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// KeyOperation: which keys to update, or the verification of a new key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyOperation(
    /// The byte on the wire.
    pub u8,
);

impl KeyOperation {
    /// UpdateKey: updates the sender's key only.
    pub const UPDATE_KEY: Self = Self(1);
    /// UpdateAllKeys: updates the keys of both sides.
    pub const UPDATE_ALL_KEYS: Self = Self(2);
    /// VerifyNewKey: verifies the new key; must directly follow an update.
    pub const VERIFY_NEW_KEY: Self = Self(3);
}

/// KEY_UPDATE.
///
/// ```text
/// 0 SPDMVersion | 1 0xE9 | 2 KeyOperation | 3 Tag
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyUpdate {
    /// KeyOperation of the request.
    pub operation: KeyOperation,
    /// Tag, chosen by the requester.
    pub tag: u8,
}

/// KEY_UPDATE_ACK: repeats both parameters of the request.
///
/// ```text
/// 0 SPDMVersion | 1 0x69 | 2 KeyOperation | 3 Tag
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyUpdateAck {
    /// KeyOperation, copied from the request.
    pub operation: KeyOperation,
    /// Tag, copied from the request.
    pub tag: u8,
}

impl<'a> Message<'a> for KeyUpdate {
    const CODE: Code = Code::KEY_UPDATE;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("KeyOperation", &mut self.operation.0)?;
        wire.u8("Tag", &mut self.tag)
    }
}

impl<'a> Message<'a> for KeyUpdateAck {
    const CODE: Code = Code::KEY_UPDATE_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("KeyOperation", &mut self.operation.0)?;
        wire.u8("Tag", &mut self.tag)
    }
}
