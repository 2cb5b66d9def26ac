//! GET_KEY_PAIR_INFO, KEY_PAIR_INFO, SET_KEY_PAIR_INFO and SET_KEY_PAIR_INFO_ACK (1.3): the device's keys.

use crate::bits::bits;
use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// GET_KEY_PAIR_INFO.
///
/// ```text
/// 0 SPDMVersion | 1 0xFC | 2 reserved | 3 reserved
/// 4 KeyPairID
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetKeyPairInfo {
    /// KeyPairID, starting at 1.
    pub key_pair_id: u8,
}

/// KEY_PAIR_INFO.
///
/// ```text
/// 0 SPDMVersion | 1 0x7C | 2 reserved | 3 reserved
/// 4 TotalKeyPairs | 5 KeyPairID | 6 Capabilities u16 | 8 KeyUsageCapabilities u16 | 10 CurrentKeyUsage u16
/// 12 AsymAlgoCapabilities u32 | 16 CurrentAsymAlgo u32 | 20 PublicKeyInfoLen u16 | 22 AssocCertSlotMask
/// 23 PublicKeyInfo | (1.4) length, PqcAsymAlgoCapabilities | (1.4) length, CurrentPqcAsymAlgo
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyPairInfo<'a> {
    /// TotalKeyPairs: the number of key pairs of the device.
    pub total: u8,
    /// KeyPairID: the number of the key pair, starting at 1.
    pub key_pair_id: u8,
    /// Capabilities: the possible operations on the key pair.
    pub capabilities: KeyPairCapabilities,
    /// KeyUsageCapabilities: the usages that the key pair supports.
    pub usage_capabilities: KeyUsage,
    /// CurrentKeyUsage: the usages that are enabled.
    pub usage: KeyUsage,
    /// AsymAlgoCapabilities: the classical algorithms that the key pair supports.
    pub asym_capabilities: KeyPairAsym,
    /// CurrentAsymAlgo: the classical algorithm of the key pair; at most one bit.
    pub asym: KeyPairAsym,
    /// AssocCertSlotMask: the slots of the key pair, bit k for slot k.
    pub slots: u8,
    /// PublicKeyInfo: the key's AlgorithmIdentifier in DER.
    pub public_key_info: &'a [u8],
    /// PqcAsymAlgoCapabilities, bits as in [`crate::algorithms::PqcAsym`], lowest byte first (1.4).
    pub pqc_capabilities: &'a [u8],
    /// CurrentPqcAsymAlgo, bits as in [`crate::algorithms::PqcAsym`], lowest byte first (1.4).
    pub pqc: &'a [u8],
}

/// SET_KEY_PAIR_INFO.
///
/// ```text
/// 0 SPDMVersion | 1 0xFD | 2 Operation | 3 reserved
/// 4 KeyPairID; the fields from 5 on are absent when erasing
/// 5 reserved | 6 DesiredKeyUsage u16 | 8 DesiredAsymAlgo u32 | 12 DesiredAssocCertSlotMask
/// (1.4) length, DesiredPqcAsymAlgo
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetKeyPairInfo<'a> {
    /// Operation: one of the constants of this type.
    pub operation: u8,
    /// KeyPairID: the number of the key pair, starting at 1.
    pub key_pair_id: u8,
    /// DesiredKeyUsage: the usages to enable.
    pub usage: KeyUsage,
    /// DesiredAsymAlgo: the classical algorithm to use; at most one bit.
    pub asym: KeyPairAsym,
    /// DesiredAssocCertSlotMask: the slots to assign, bit k for slot k.
    pub slots: u8,
    /// DesiredPqcAsymAlgo, bits as in [`crate::algorithms::PqcAsym`], lowest byte first (1.4).
    pub pqc: &'a [u8],
}

impl SetKeyPairInfo<'_> {
    /// Operation: change parameters.
    pub const CHANGE: u8 = 0;
    /// Operation: erase the key.
    pub const ERASE: u8 = 1;
    /// Operation: generate a key.
    pub const GENERATE: u8 = 2;
}

/// SET_KEY_PAIR_INFO_ACK: the header.
///
/// ```text
/// 0 SPDMVersion | 1 0x7D | 2 reserved | 3 reserved
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetKeyPairInfoAck;

impl<'a> Message<'a> for GetKeyPairInfo {
    const CODE: Code = Code::GET_KEY_PAIR_INFO;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)
    }
}

impl<'a> Message<'a> for KeyPairInfo<'a> {
    const CODE: Code = Code::KEY_PAIR_INFO;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(2)?;
        wire.u8("TotalKeyPairs", &mut self.total)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)?;
        wire.bits("Capabilities", 2, &mut self.capabilities)?;
        wire.bits("KeyUsageCapabilities", 2, &mut self.usage_capabilities)?;
        wire.bits("CurrentKeyUsage", 2, &mut self.usage)?;
        wire.bits("AsymAlgoCapabilities", 4, &mut self.asym_capabilities)?;
        wire.bits("CurrentAsymAlgo", 4, &mut self.asym)?;
        let mut length = self.public_key_info.len();
        wire.count("PublicKeyInfoLen", 2, &mut length)?;
        wire.u8("AssocCertSlotMask", &mut self.slots)?;
        wire.slice("PublicKeyInfo", length, &mut self.public_key_info)?;
        if version >= Version::V1_4 {
            let capabilities = &mut self.pqc_capabilities;
            wire.length_prefixed("PqcAsymAlgoCapabilitiesLen", 1, "PqcAsymAlgoCapabilities", capabilities)?;
            wire.length_prefixed("CurrentPqcAsymAlgoLen", 1, "CurrentPqcAsymAlgo", &mut self.pqc)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for SetKeyPairInfo<'a> {
    const CODE: Code = Code::SET_KEY_PAIR_INFO;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("Operation", &mut self.operation)?;
        wire.reserved(1)?;
        wire.u8("KeyPairID", &mut self.key_pair_id)?;
        if self.operation == Self::ERASE {
            return Ok(());
        }
        wire.reserved(1)?;
        wire.bits("DesiredKeyUsage", 2, &mut self.usage)?;
        wire.bits("DesiredAsymAlgo", 4, &mut self.asym)?;
        wire.u8("DesiredAssocCertSlotMask", &mut self.slots)?;
        if version >= Version::V1_4 {
            wire.length_prefixed("DesiredPqcAsymAlgoLen", 1, "DesiredPqcAsymAlgo", &mut self.pqc)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for SetKeyPairInfoAck {
    const CODE: Code = Code::SET_KEY_PAIR_INFO_ACK;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)
    }
}

bits! {
    /// Possible operations on a key pair.
    KeyPairCapabilities(u16);
    GEN_KEY = 0, "GenKeyCap", 0;
    ERASABLE = 1, "ErasableCap", 0;
    CERT_ASSOC = 2, "CertAssocCap", 0;
    KEY_USAGE = 3, "KeyUsageCap", 0;
    ASYM_ALGO = 4, "AsymAlgoCap", 0;
    SHAREABLE = 5, "ShareableCap", 0;
}

bits! {
    /// Usages of a key pair. KeyUsageMask in DIGESTS has the same bits.
    KeyUsage(u16);
    KEY_EX = 0, "KeyExUse", 0;
    CHALLENGE = 1, "ChallengeUse", 0;
    MEASUREMENT = 2, "MeasurementUse", 0;
    ENDPOINT_INFO = 3, "EndpointInfoUse", 0;
    STANDARDS = 14, "StandardsKeyUse", 0;
    VENDOR = 15, "VendorKeyUse", 0;
}

bits! {
    /// Classical algorithms of key pairs; the numbers differ from BaseAsymAlgo.
    KeyPairAsym(u32);
    RSA_2048 = 0, "RSA-2048", 0;
    RSA_3072 = 1, "RSA-3072", 0;
    RSA_4096 = 2, "RSA-4096", 0;
    ECC_256 = 3, "ECDSA-P256", 0;
    ECC_384 = 4, "ECDSA-P384", 0;
    ECC_521 = 5, "ECDSA-P521", 0;
    SM2 = 6, "SM2-P256", 0;
    ED25519 = 7, "Ed25519", 0;
    ED448 = 8, "Ed448", 0;
}
