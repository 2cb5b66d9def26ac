//! GET_CAPABILITIES and CAPABILITIES: the capabilities and message size limits of each side.

use crate::bits::bits;
use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::negotiate::NegotiateAlgorithms;
use crate::wire::Wire;

/// The smallest valid DataTransferSize (1.2).
pub const MIN_DATA_TRANSFER_SIZE: u32 = 42;

/// GET_CAPABILITIES. In 1.0 it is only the header, and in 1.1 it ends after the flags.
///
/// ```text
/// 0 SPDMVersion | 1 0xE1 | 2 bit 0 SupportedAlgorithms requested (1.3) | 3 reserved
/// 4 reserved | 5 CTExponent | 6 ExtFlags u16 (1.4) | 8 Flags u32
/// 12 DataTransferSize u32 (1.2) | 16 MaxSPDMmsgSize u32 (1.2)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetCapabilities {
    /// Whether SupportedAlgorithms is requested (1.3).
    pub wants_algorithms: bool,
    /// The capabilities and limits of the requester.
    pub limits: Limits,
}

/// CAPABILITIES. Up to 1.1 it ends after the flags.
///
/// ```text
/// 0 SPDMVersion | 1 0x61 | 2 bit 0 SupportedAlgorithms included (1.3) | 3 reserved
/// 4 to 19 as in GET_CAPABILITIES
/// 20 SupportedAlgorithms if included (1.3): like NEGOTIATE_ALGORITHMS starting at Param1; Length counts from here
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities<'a> {
    /// The capabilities and limits of the responder.
    pub limits: Limits,
    /// SupportedAlgorithms, if requested (1.3).
    pub algorithms: Option<NegotiateAlgorithms<'a>>,
}

/// The fields that GET_CAPABILITIES and CAPABILITIES share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// CTExponent: cryptographic operations take at most 2^CTExponent microseconds.
    pub ct_exponent: u8,
    /// ExtFlags (1.4): further capabilities.
    pub ext_flags: ExtCapabilityFlags,
    /// Flags: the capabilities.
    pub flags: CapabilityFlags,
    /// DataTransferSize (1.2): the maximum length of a single transfer, in bytes.
    pub data_transfer_size: u32,
    /// MaxSPDMmsgSize (1.2): the maximum length of a message, in bytes.
    pub max_message_size: u32,
}

impl Limits {
    fn visit_fields<'a, W: Wire<'a>>(&mut self, wire: &mut W, version: Version) -> Result<(), CodecError> {
        wire.reserved(1)?;
        wire.u8("CTExponent", &mut self.ct_exponent)?;
        if version >= Version::V1_4 {
            wire.bits("ExtFlags", 2, &mut self.ext_flags)?;
        } else {
            wire.reserved(2)?;
        }
        wire.bits("Flags", 4, &mut self.flags)?;
        if version >= Version::V1_2 {
            wire.u32("DataTransferSize", &mut self.data_transfer_size)?;
            wire.u32("MaxSPDMmsgSize", &mut self.max_message_size)?;
        }
        Ok(())
    }
}

impl<'a> Message<'a> for GetCapabilities {
    const CODE: Code = Code::GET_CAPABILITIES;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        algorithms_flag(&mut self.wants_algorithms, wire, version)?;
        if version >= Version::V1_1 { self.limits.visit_fields(wire, version) } else { Ok(()) }
    }
}

impl<'a> Message<'a> for Capabilities<'a> {
    const CODE: Code = Code::CAPABILITIES;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        let mut has_algorithms = self.algorithms.is_some();
        algorithms_flag(&mut has_algorithms, wire, version)?;
        self.limits.visit_fields(wire, version)?;
        if !has_algorithms {
            self.algorithms = None;
            return Ok(());
        }
        self.algorithms.get_or_insert_default().visit_fields_from_param1(wire, version)
    }
}

/// Passes Param1 bit 0 and Param2 to `wire`.
fn algorithms_flag<'a>(
    flag: &mut bool,
    wire: &mut impl Wire<'a>,
    version: Version,
) -> Result<(), CodecError> {
    if version < Version::V1_3 {
        *flag = false;
        return wire.reserved(2);
    }
    wire.flag("SupportedAlgorithmsFlag", 0, flag)?;
    wire.reserved(1)
}

bits! {
    /// Flags of GET_CAPABILITIES and CAPABILITIES. Some fields are numbers of two bits: in MEAS_CAP, 1 means unsigned
    /// measurements and 2 signed ones.
    CapabilityFlags(u32);
    CACHE = 0, "CACHE_CAP", 0;
    CERT = 1, "CERT_CAP", 0;
    CHAL = 2, "CHAL_CAP", 0;
    MEAS_NO_SIG = 3, "MEAS_CAP_NO_SIG", 0;
    MEAS_SIG = 4, "MEAS_CAP_SIG", 0;
    MEAS_FRESH = 5, "MEAS_FRESH_CAP", 0;
    ENCRYPT = 6, "ENCRYPT_CAP", 0;
    MAC = 7, "MAC_CAP", 0;
    MUT_AUTH = 8, "MUT_AUTH_CAP", 0;
    KEY_EX = 9, "KEY_EX_CAP", 0;
    PSK = 10, "PSK_CAP", 0;
    PSK_WITH_CONTEXT = 11, "PSK_CAP_WITH_CONTEXT", 0;
    ENCAP = 12, "ENCAP_CAP", 0;
    HBEAT = 13, "HBEAT_CAP", 0;
    KEY_UPD = 14, "KEY_UPD_CAP", 0;
    HANDSHAKE_IN_THE_CLEAR = 15, "HANDSHAKE_IN_THE_CLEAR_CAP", 0;
    PUB_KEY_ID = 16, "PUB_KEY_ID_CAP", 0;
    CHUNK = 17, "CHUNK_CAP", 0;
    ALIAS_CERT = 18, "ALIAS_CERT_CAP", 0;
    SET_CERT = 19, "SET_CERT_CAP", 0;
    CSR = 20, "CSR_CAP", 0;
    CERT_INSTALL_RESET = 21, "CERT_INSTALL_RESET_CAP", 0;
    EP_INFO_NO_SIG = 22, "EP_INFO_CAP_NO_SIG", 0;
    EP_INFO_SIG = 23, "EP_INFO_CAP_SIG", 0;
    MEL = 24, "MEL_CAP", 0;
    EVENT = 25, "EVENT_CAP", 0;
    MULTI_KEY_ONLY = 26, "MULTI_KEY_CAP_ONLY", 0;
    MULTI_KEY_CONN_SEL = 27, "MULTI_KEY_CAP_CONN_SEL", 0;
    GET_KEY_PAIR_INFO = 28, "GET_KEY_PAIR_INFO_CAP", 0;
    SET_KEY_PAIR_INFO = 29, "SET_KEY_PAIR_INFO_CAP", 0;
    SET_KEY_PAIR_RESET = 30, "SET_KEY_PAIR_RESET_CAP", 0;
    LARGE_RESP = 31, "LARGE_RESP_CAP", 0;
}

bits! {
    /// ExtFlags of GET_CAPABILITIES and CAPABILITIES (1.4).
    ExtCapabilityFlags(u16);
    SLOT_MGMT = 0, "SLOT_MGMT_CAP", 0;
}
