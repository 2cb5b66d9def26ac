//! SET_CERTIFICATE and SET_CERTIFICATE_RSP, which install or erase the chain of a slot.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::wire::Wire;

/// SET_CERTIFICATE.
///
/// ```text
/// 0 SPDMVersion | 1 0xEE | 2 bits 3:0 SlotID, bits 6:4 model (1.3), bit 7 erase (1.3) | 3 KeyPairID (1.3)
/// 4 CertChain, up to the end
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetCertificate<'a> {
    /// SlotID in bits 3:0; since 1.3 SetCertModel in bits 6:4, and bit 7 erases the slot.
    pub attributes: u8,
    /// KeyPairID (1.3): the number of the key pair, starting at 1; 0 unless this is a multi-key connection.
    pub key_pair_id: u8,
    /// A whole chain, as [`crate::certificate::CertificateChain`]; empty to erase the slot.
    pub chain: &'a [u8],
}

/// SET_CERTIFICATE_RSP.
///
/// ```text
/// 0 SPDMVersion | 1 0x6E | 2 SlotID | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetCertificateRsp {
    /// SlotID, bits 3:0, 0 to 7.
    pub slot: u8,
}

impl SetCertificate<'_> {
    /// Bit 7 of the attributes: erases the slot (1.3).
    pub const ERASE: u8 = 1 << 7;

    /// Returns SlotID.
    #[must_use]
    pub const fn slot(&self) -> u8 {
        self.attributes & 0xf
    }

    /// Returns SetCertModel (1.3): 0 unspecified, 1 device, 2 alias, 3 generic.
    #[must_use]
    pub const fn model(&self) -> u8 {
        self.attributes >> 4 & 7
    }
}

impl<'a> Message<'a> for SetCertificate<'a> {
    const CODE: Code = Code::SET_CERTIFICATE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.attributes)?;
        u8_since(Version::V1_3, version, "KeyPairID", &mut self.key_pair_id, wire)?;
        wire.rest("CertChain", &mut self.chain)
    }
}

impl<'a> Message<'a> for SetCertificateRsp {
    const CODE: Code = Code::SET_CERTIFICATE_RSP;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(1)
    }
}
