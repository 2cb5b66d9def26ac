//! GET_CERTIFICATE and CERTIFICATE, and the certificate chain that they transfer in portions.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::wire::{Reader, Wire};

/// Param1 bit 7: 32-bit offsets and lengths follow (1.4).
const LARGE: u8 = 1 << 7;
/// Mask of SlotID, bits 3:0 of Param1.
const SLOT: u8 = 0xf;

/// GET_CERTIFICATE.
///
/// ```text
/// 0 SPDMVersion | 1 0x82 | 2 bits 3:0 SlotID, bit 7 large (1.4) | 3 bit 0 SlotSizeRequested (1.3)
/// 4 Offset u16 | 6 Length u16
/// if large: Offset and Length are zero | 8 LargeOffset u32 | 12 LargeLength u32
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetCertificate {
    /// SlotID, 0 to 7.
    pub slot: u8,
    /// Whether offset and length have 32 bits (1.4).
    pub large: bool,
    /// Param2, bit 0: only requests the size of the slot (1.3).
    pub attributes: u8,
    /// Offset into the chain in bytes.
    pub offset: u32,
    /// Requested length in bytes; 0xFFFF requests as much as possible.
    pub length: u32,
}

/// CERTIFICATE.
///
/// ```text
/// 0 SPDMVersion | 1 0x02 | 2 bits 3:0 SlotID, bit 7 large (1.4) | 3 CertificateInfo (1.3)
/// 4 PortionLength u16 | 6 RemainderLength u16
/// if large: PortionLength and RemainderLength are zero | 8 LargePortionLength u32 | 12 LargeRemainderLength u32
/// then CertChain, of as many bytes as the portion length
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Certificate<'a> {
    /// SlotID, 0 to 7.
    pub slot: u8,
    /// Whether the lengths have 32 bits (1.4).
    pub large: bool,
    /// CertificateInfo, bits 2:0: the model (1 device, 2 alias, 3 generic) (1.3).
    pub certificate_info: u8,
    /// A portion of the [`CertificateChain`].
    pub portion: &'a [u8],
    /// Number of bytes of the chain after this portion.
    pub remainder: u32,
}

impl<'a> Message<'a> for GetCertificate {
    const CODE: Code = Code::GET_CERTIFICATE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        slot(&mut self.slot, &mut self.large, wire, version)?;
        u8_since(Version::V1_3, version, "attributes", &mut self.attributes, wire)?;
        if self.large {
            wire.reserved(4)?;
            wire.u32("LargeOffset", &mut self.offset)?;
            return wire.u32("LargeLength", &mut self.length);
        }
        wire.u16_as_u32("Offset", &mut self.offset)?;
        wire.u16_as_u32("Length", &mut self.length)
    }
}

impl<'a> Message<'a> for Certificate<'a> {
    const CODE: Code = Code::CERTIFICATE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        slot(&mut self.slot, &mut self.large, wire, version)?;
        u8_since(Version::V1_3, version, "CertificateInfo", &mut self.certificate_info, wire)?;
        let mut length = self.portion.len();
        if self.large {
            wire.reserved(4)?;
            wire.count("LargePortionLength", 4, &mut length)?;
            wire.u32("LargeRemainderLength", &mut self.remainder)?;
        } else {
            wire.count("PortionLength", 2, &mut length)?;
            wire.u16_as_u32("RemainderLength", &mut self.remainder)?;
        }
        wire.slice("CertChain", length, &mut self.portion)
    }
}

/// Passes Param1 to `wire`: SlotID in bits 3:0, and since 1.4 the flag for the large form in bit 7.
fn slot<'a>(
    slot: &mut u8,
    large: &mut bool,
    wire: &mut impl Wire<'a>,
    version: Version,
) -> Result<(), CodecError> {
    if *slot > SLOT {
        return Err(wire.invalid_value("SlotID", 2, "at most 15", u64::from(*slot)));
    }
    *large &= version >= Version::V1_4;
    let mut param1 = *slot | if *large { LARGE } else { 0 };
    wire.u8("SlotID", &mut param1)?;
    *slot = param1 & SLOT;
    *large = version >= Version::V1_4 && param1 & LARGE != 0;
    Ok(())
}

/// The SPDM certificate chain of a slot.
///
/// ```text
/// 0 Length u32 (up to 1.3: u16, then two reserved bytes) | 4 RootHash of H bytes | Certificates, DER, from the root
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CertificateChain<'a> {
    /// Digest of the root certificate in DER. The chain itself may start with another certificate.
    pub root_hash: &'a [u8],
    /// The concatenated certificates.
    pub certificates: &'a [u8],
}

impl<'a> CertificateChain<'a> {
    /// Decodes a whole chain with digests of `hash` bytes.
    ///
    /// # Errors
    /// Returns an error if the length differs from the chain's own length field, or there are too few bytes.
    pub fn decode(bytes: &'a [u8], version: Version, hash: usize) -> Result<Self, CodecError> {
        let mut chain = Self::default();
        let mut reader = Reader::new(bytes, 0);
        chain.visit_fields(&mut reader, version, hash)?;
        reader.end()?;
        Ok(chain)
    }

    /// Writes the whole chain, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, the root hash does not have `hash` bytes, or the chain is too long
    /// for the version.
    pub fn encode(&self, version: Version, hash: usize, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = crate::wire::Writer::new(buffer);
        let mut chain = *self;
        chain.visit_fields(&mut writer, version, hash)?;
        Ok(Wire::offset(&writer))
    }

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        hash: usize,
    ) -> Result<(), CodecError> {
        let fixed = hash.saturating_add(4);
        let mut length = self.certificates.len().saturating_add(fixed);
        if version >= Version::V1_4 {
            wire.count("Length", 4, &mut length)?;
        } else {
            wire.count("Length", 2, &mut length)?;
            wire.reserved(2)?;
        }
        wire.slice("RootHash", hash, &mut self.root_hash)?;
        let expected = "at least the header and RootHash";
        let certificates = length
            .checked_sub(fixed)
            .ok_or_else(|| wire.invalid_value("Length", 0, expected, length as u64))?;
        wire.slice("Certificates", certificates, &mut self.certificates)
    }
}
