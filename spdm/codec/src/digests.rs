//! GET_DIGESTS and DIGESTS: the digests of the certificate chains in all slots.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::wire::Wire;

/// GET_DIGESTS: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x81 | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetDigests;

/// DIGESTS. n is the number of bits in ProvisionedSlotMask; all lists are in ascending order of slots.
///
/// ```text
/// 0 SPDMVersion | 1 0x01 | 2 SupportedSlotMask (1.3) | 3 ProvisionedSlotMask
/// 4 Digest[n] of H bytes
/// if the connection uses several keys (1.3):
///   KeyPairID[n] of 1 byte | CertificateInfo[n] of 1 byte | KeyUsageMask[n] of 2 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digests<'a> {
    /// SupportedSlotMask: the slots that exist; reserved before 1.3.
    pub supported_slots: u8,
    /// ProvisionedSlotMask: the slots with a chain, bit k for slot k.
    pub slots: u8,
    /// The concatenated digests of the slots, H bytes each.
    pub digests: &'a [u8],
    /// KeyPairID of each slot; empty unless this is a multi-key connection.
    pub key_pair_ids: &'a [u8],
    /// CertificateInfo of each slot: bits 2:0 are the model (1 device, 2 alias, 3 generic).
    pub certificate_infos: &'a [u8],
    /// KeyUsageMask of each slot, as [`crate::key_pair_info::KeyUsage`].
    pub key_usages: &'a [[u8; 2]],
}

impl<'a> Message<'a> for GetDigests {
    const CODE: Code = Code::GET_DIGESTS;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

impl<'a> Message<'a> for Digests<'a> {
    const CODE: Code = Code::DIGESTS;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        u8_since(Version::V1_3, version, "SupportedSlotMask", &mut self.supported_slots, wire)?;
        wire.u8("ProvisionedSlotMask", &mut self.slots)?;
        let slots = self.slots.count_ones() as usize;
        wire.slice("Digest", slots.saturating_mul(sizes.hash), &mut self.digests)?;
        if version >= Version::V1_3 && sizes.multi_key {
            wire.slice("KeyPairID", slots, &mut self.key_pair_ids)?;
            wire.slice("CertificateInfo", slots, &mut self.certificate_infos)?;
            wire.elements("KeyUsageMask", slots, &mut self.key_usages)?;
        }
        Ok(())
    }
}
