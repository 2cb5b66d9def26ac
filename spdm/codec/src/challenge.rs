//! CHALLENGE and CHALLENGE_AUTH, which authenticate the device with the private key of a slot.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::opaque::opaque_data;
use crate::wire::Wire;

/// CHALLENGE.
///
/// ```text
/// 0 SPDMVersion | 1 0x83 | 2 SlotID | 3 MeasurementSummaryHashType
/// 4 Nonce[32] | 36 RequesterContext[8] (1.3)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// SlotID, 0 to 7, or 0xFF for the provisioned public key.
    pub slot: u8,
    /// MeasurementSummaryHashType: 0 none, 1 the trusted computing base, 0xFF all measurements.
    pub summary_type: u8,
    /// Nonce: 32 random bytes of the sender.
    pub nonce: [u8; 32],
    /// RequesterContext (1.3), which the response repeats.
    pub context: [u8; 8],
}

/// CHALLENGE_AUTH. The signature covers M1/M2, which ends right before the signature.
///
/// ```text
/// 0 SPDMVersion | 1 0x03 | 2 ResponseAttribute: bits 3:0 SlotID, bit 7 BasicMutAuthReq | 3 SlotMask
/// 4 CertChainHash[H] | Nonce[32] | MeasurementSummaryHash[H] if requested
/// OpaqueDataLength u16 | OpaqueData | RequesterContext[8] (1.3) | Signature
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChallengeAuth<'a> {
    /// SlotID in bits 3:0, 0xF for the provisioned public key; bit 7 requests basic mutual authentication (deprecated
    /// in 1.2).
    pub attribute: u8,
    /// SlotMask: the slots with a chain.
    pub slots: u8,
    /// Digest of the certificate chain, or of the provisioned public key.
    pub chain_hash: &'a [u8],
    /// Nonce: 32 random bytes of the sender.
    pub nonce: [u8; 32],
    /// MeasurementSummaryHash; empty if not requested.
    pub summary_hash: &'a [u8],
    /// OpaqueData, at most 1024 bytes.
    pub opaque: &'a [u8],
    /// RequesterContext (1.3), from the request.
    pub context: [u8; 8],
    /// Signature of the sender, with the length of the negotiated algorithm.
    pub signature: &'a [u8],
}

impl ChallengeAuth<'_> {
    /// Bit 7 of the attribute: requests basic mutual authentication.
    pub const BASIC_MUT_AUTH: u8 = 1 << 7;
}

impl<'a> Message<'a> for Challenge {
    const CODE: Code = Code::CHALLENGE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.slot)?;
        wire.u8("MeasurementSummaryHashType", &mut self.summary_type)?;
        wire.array("Nonce", &mut self.nonce)?;
        if version >= Version::V1_3 {
            wire.array("RequesterContext", &mut self.context)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for ChallengeAuth<'a> {
    const CODE: Code = Code::CHALLENGE_AUTH;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("ResponseAttribute", &mut self.attribute)?;
        wire.u8("SlotMask", &mut self.slots)?;
        wire.slice("CertChainHash", sizes.hash, &mut self.chain_hash)?;
        wire.array("Nonce", &mut self.nonce)?;
        wire.slice("MeasurementSummaryHash", sizes.summary_hash, &mut self.summary_hash)?;
        opaque_data(&mut self.opaque, wire)?;
        if version >= Version::V1_3 {
            wire.array("RequesterContext", &mut self.context)?;
        }
        wire.slice("Signature", sizes.signature, &mut self.signature)
    }
}
