//! KEY_EXCHANGE and KEY_EXCHANGE_RSP, which open a session with an ephemeral key exchange.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::opaque::opaque_data;
use crate::wire::Wire;

/// KEY_EXCHANGE.
///
/// ```text
/// 0 SPDMVersion | 1 0xE4 | 2 MeasurementSummaryHashType | 3 SlotID
/// 4 ReqSessionID u16 | 6 SessionPolicy (1.2) | 7 reserved | 8 RandomData[32]
/// 40 ExchangeData | OpaqueDataLength u16 | OpaqueData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyExchange<'a> {
    /// MeasurementSummaryHashType: 0 none, 1 the trusted computing base, 0xFF all measurements.
    pub summary_type: u8,
    /// SlotID, 0 to 7, or 0xFF for the provisioned public key.
    pub slot: u8,
    /// ReqSessionID, the low half of the session ID.
    pub session: u16,
    /// SessionPolicy (1.2): bit 0 lets the session survive a firmware update at run time, bit 1 subscribes to all
    /// events (1.3).
    pub policy: u8,
    /// RandomData: 32 random bytes of the sender.
    pub random: [u8; 32],
    /// ExchangeData: X ‖ Y of an elliptic curve or y of a finite field, big-endian; or the encapsulation key of a KEM
    /// (1.4).
    pub exchange_data: &'a [u8],
    /// OpaqueData with the offered versions of secured messages, see [`crate::opaque`].
    pub opaque: &'a [u8],
}

/// KEY_EXCHANGE_RSP. The signature covers TH without the signature and VerifyData. VerifyData is a MAC over TH
/// including the signature.
///
/// ```text
/// 0 SPDMVersion | 1 0x64 | 2 HeartbeatPeriod | 3 reserved
/// 4 RspSessionID u16 | 6 MutAuthRequested | 7 SlotIDParam | 8 RandomData[32]
/// 40 ExchangeData | MeasurementSummaryHash[H] if requested | OpaqueDataLength u16 | OpaqueData
/// Signature | ResponderVerifyData[H] unless HANDSHAKE_IN_THE_CLEAR
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyExchangeRsp<'a> {
    /// HeartbeatPeriod in seconds; 0 means no heartbeats.
    pub heartbeat: u8,
    /// RspSessionID, the high half of the session ID.
    pub session: u16,
    /// MutAuthRequested: 0, or one of the constants of this type.
    pub mut_auth: u8,
    /// SlotIDParam, bits 3:0: the requester's slot; 0xF for the provisioned public key.
    pub req_slot: u8,
    /// RandomData: 32 random bytes of the sender.
    pub random: [u8; 32],
    /// ExchangeData: X ‖ Y of an elliptic curve or y of a finite field, big-endian; or the ciphertext of a KEM (1.4).
    pub exchange_data: &'a [u8],
    /// MeasurementSummaryHash; empty if not requested.
    pub summary_hash: &'a [u8],
    /// OpaqueData with the selected version of secured messages, see [`crate::opaque`].
    pub opaque: &'a [u8],
    /// Signature of the sender, with the length of the negotiated algorithm.
    pub signature: &'a [u8],
    /// ResponderVerifyData; empty with HANDSHAKE_IN_THE_CLEAR.
    pub verify_data: &'a [u8],
}

impl KeyExchangeRsp<'_> {
    /// MutAuthRequested: mutual authentication without encapsulated requests, with the slot in SlotIDParam.
    pub const MUT_AUTH_WITHOUT_ENCAP: u8 = 1;
    /// MutAuthRequested: mutual authentication with encapsulated requests.
    pub const MUT_AUTH_WITH_ENCAP: u8 = 2;
    /// MutAuthRequested: mutual authentication with encapsulated requests, starting with an implicit GET_DIGESTS.
    pub const MUT_AUTH_WITH_DIGESTS: u8 = 4;
}

/// Returns the session ID: RspSessionID in the high half, ReqSessionID in the low half.
#[must_use]
pub fn session_id(req: u16, rsp: u16) -> u32 {
    u32::from(rsp) << 16 | u32::from(req)
}

impl<'a> Message<'a> for KeyExchange<'a> {
    const CODE: Code = Code::KEY_EXCHANGE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("MeasurementSummaryHashType", &mut self.summary_type)?;
        wire.u8("SlotID", &mut self.slot)?;
        wire.u16("ReqSessionID", &mut self.session)?;
        u8_since(Version::V1_2, version, "SessionPolicy", &mut self.policy, wire)?;
        wire.reserved(1)?;
        wire.array("RandomData", &mut self.random)?;
        wire.slice("ExchangeData", sizes.exchange_data, &mut self.exchange_data)?;
        opaque_data(&mut self.opaque, wire)
    }
}

impl<'a> Message<'a> for KeyExchangeRsp<'a> {
    const CODE: Code = Code::KEY_EXCHANGE_RSP;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        _: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("HeartbeatPeriod", &mut self.heartbeat)?;
        wire.reserved(1)?;
        wire.u16("RspSessionID", &mut self.session)?;
        wire.u8("MutAuthRequested", &mut self.mut_auth)?;
        wire.u8("SlotIDParam", &mut self.req_slot)?;
        wire.array("RandomData", &mut self.random)?;
        wire.slice("ExchangeData", sizes.exchange_data, &mut self.exchange_data)?;
        wire.slice("MeasurementSummaryHash", sizes.summary_hash, &mut self.summary_hash)?;
        opaque_data(&mut self.opaque, wire)?;
        wire.slice("Signature", sizes.signature, &mut self.signature)?;
        wire.slice("ResponderVerifyData", sizes.verify_data, &mut self.verify_data)
    }
}
