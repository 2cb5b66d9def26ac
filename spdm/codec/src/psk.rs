//! PSK_EXCHANGE, PSK_EXCHANGE_RSP, PSK_FINISH and PSK_FINISH_RSP, which open a session with a pre-shared key.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::opaque::{opaque_data, opaque_len};
use crate::wire::Wire;

/// PSK_EXCHANGE.
///
/// ```text
/// 0 SPDMVersion | 1 0xE6 | 2 MeasurementSummaryHashType | 3 SessionPolicy (1.2)
/// 4 ReqSessionID u16 | 6 PSKHintLength u16 | 8 ContextLength u16 | 10 OpaqueDataLength u16
/// 12 PSKHint | RequesterContext | OpaqueData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PskExchange<'a> {
    /// MeasurementSummaryHashType: 0 none, 1 the trusted computing base, 0xFF all measurements.
    pub summary_type: u8,
    /// SessionPolicy (1.2), as in KEY_EXCHANGE.
    pub policy: u8,
    /// ReqSessionID, the low half of the session ID.
    pub session: u16,
    /// PSKHint, which identifies the key.
    pub hint: &'a [u8],
    /// RequesterContext: random, at least 32 bytes.
    pub context: &'a [u8],
    /// OpaqueData with the offered versions of secured messages, see [`crate::opaque`].
    pub opaque: &'a [u8],
}

/// PSK_EXCHANGE_RSP. VerifyData is a MAC over TH without VerifyData.
///
/// ```text
/// 0 SPDMVersion | 1 0x66 | 2 HeartbeatPeriod | 3 reserved
/// 4 RspSessionID u16 | 6 reserved | 8 ContextLength u16 | 10 OpaqueDataLength u16
/// 12 MeasurementSummaryHash[H] if requested | ResponderContext | OpaqueData | ResponderVerifyData[H]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PskExchangeRsp<'a> {
    /// HeartbeatPeriod in seconds; 0 means no heartbeats.
    pub heartbeat: u8,
    /// RspSessionID, the high half of the session ID.
    pub session: u16,
    /// MeasurementSummaryHash; empty if not requested.
    pub summary_hash: &'a [u8],
    /// ResponderContext: a nonce or other data, of any length; empty without PSK_CAP_WITH_CONTEXT.
    pub context: &'a [u8],
    /// OpaqueData with the selected version of secured messages, see [`crate::opaque`].
    pub opaque: &'a [u8],
    /// ResponderVerifyData: the responder's MAC over TH.
    pub verify_data: &'a [u8],
}

/// PSK_FINISH.
///
/// ```text
/// 0 SPDMVersion | 1 0xE7 | 2 reserved | 3 reserved
/// OpaqueDataLength u16 (1.4) | OpaqueData (1.4) | RequesterVerifyData[H]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PskFinish<'a> {
    /// OpaqueData (1.4), at most 1024 bytes.
    pub opaque: &'a [u8],
    /// RequesterVerifyData: the requester's MAC over TH.
    pub verify_data: &'a [u8],
}

/// PSK_FINISH_RSP.
///
/// ```text
/// 0 SPDMVersion | 1 0x67 | 2 reserved | 3 reserved
/// OpaqueDataLength u16 (1.4) | OpaqueData (1.4)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PskFinishRsp<'a> {
    /// OpaqueData (1.4), at most 1024 bytes.
    pub opaque: &'a [u8],
}

impl<'a> Message<'a> for PskExchange<'a> {
    const CODE: Code = Code::PSK_EXCHANGE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("MeasurementSummaryHashType", &mut self.summary_type)?;
        u8_since(Version::V1_2, version, "SessionPolicy", &mut self.policy, wire)?;
        wire.u16("ReqSessionID", &mut self.session)?;
        let (mut hint, mut context) = (self.hint.len(), self.context.len());
        let mut opaque = self.opaque.len();
        wire.count("PSKHintLength", 2, &mut hint)?;
        wire.count("ContextLength", 2, &mut context)?;
        opaque_len(&mut opaque, wire)?;
        wire.slice("PSKHint", hint, &mut self.hint)?;
        wire.slice("RequesterContext", context, &mut self.context)?;
        wire.slice("OpaqueData", opaque, &mut self.opaque)
    }
}

impl<'a> Message<'a> for PskExchangeRsp<'a> {
    const CODE: Code = Code::PSK_EXCHANGE_RSP;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        _: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("HeartbeatPeriod", &mut self.heartbeat)?;
        wire.reserved(1)?;
        wire.u16("RspSessionID", &mut self.session)?;
        wire.reserved(2)?;
        let (mut context, mut opaque) = (self.context.len(), self.opaque.len());
        wire.count("ContextLength", 2, &mut context)?;
        opaque_len(&mut opaque, wire)?;
        wire.slice("MeasurementSummaryHash", sizes.summary_hash, &mut self.summary_hash)?;
        wire.slice("ResponderContext", context, &mut self.context)?;
        wire.slice("OpaqueData", opaque, &mut self.opaque)?;
        wire.slice("ResponderVerifyData", sizes.hash, &mut self.verify_data)
    }
}

impl<'a> Message<'a> for PskFinish<'a> {
    const CODE: Code = Code::PSK_FINISH;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(2)?;
        if version >= Version::V1_4 {
            opaque_data(&mut self.opaque, wire)?;
        }
        wire.slice("RequesterVerifyData", sizes.hash, &mut self.verify_data)
    }
}

impl<'a> Message<'a> for PskFinishRsp<'a> {
    const CODE: Code = Code::PSK_FINISH_RSP;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        wire.reserved(2)?;
        if version >= Version::V1_4 {
            opaque_data(&mut self.opaque, wire)?;
        }
        Ok(())
    }
}
