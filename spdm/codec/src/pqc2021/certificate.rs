//! GET_CERTIFICATE and CERTIFICATE with 32-bit lengths. The chain is the standard's
//! [`CertificateChain`](crate::certificate::CertificateChain).

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_CERTIFICATE.
///
/// ```text
/// 0 SPDMVersion | 1 0x82 | 2 SlotID | 3 reserved | 4 reserved[4] | 8 Offset u32 | 12 Length u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetCertificate {
    /// SlotID, 0 to 7.
    pub slot: u8,
    /// Offset into the chain in bytes.
    pub offset: u32,
    /// Requested length in bytes.
    pub length: u32,
}

/// CERTIFICATE.
///
/// ```text
/// 0 SPDMVersion | 1 0x02 | 2 SlotID | 3 reserved | 4 reserved[4] | 8 PortionLength u32 | 12 RemainderLength u32
/// 16 CertChain[PortionLength]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certificate<'a> {
    /// SlotID, 0 to 7.
    pub slot: u8,
    /// A portion of the chain.
    pub portion: &'a [u8],
    /// Number of bytes of the chain after this portion.
    pub remainder: u32,
}

impl<'a> Message<'a> for GetCertificate {
    const CODE: Code = Code::GET_CERTIFICATE;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(5)?;
        wire.u32("Offset", &mut self.offset)?;
        wire.u32("Length", &mut self.length)
    }
}

impl<'a> Message<'a> for Certificate<'a> {
    const CODE: Code = Code::CERTIFICATE;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.slot)?;
        wire.reserved(5)?;
        let mut length = self.portion.len();
        wire.count("PortionLength", 4, &mut length)?;
        wire.u32("RemainderLength", &mut self.remainder)?;
        wire.slice("CertChain", length, &mut self.portion)
    }
}
