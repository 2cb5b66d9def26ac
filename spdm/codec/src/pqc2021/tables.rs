//! The seven or nine tables of NEGOTIATE_ALGORITHMS and ALGORITHMS.

use crate::algorithms::{Aead, BaseAsym, Dhe, KeySchedule};
use crate::bits::Bits;
use crate::codec_error::{CodecError, Problem};
use crate::negotiate::{AlgStructs, AlgType};
use crate::pqc2021::Set;
use crate::wire::{Reader, Wire, Writer};

/// PqcSig, the table with AlgType 11.
const SIGNATURE: AlgType = AlgType(11);
/// PqcReqSig, the table with AlgType 12.
const REQ_SIGNATURE: AlgType = AlgType(12);
/// PqcKem, the table with AlgType 13.
const KEM: AlgType = AlgType(13);
/// PqcKemAuth, the table with AlgType 14.
const KEM_AUTH: AlgType = AlgType(14);
/// PqcReqKemAuth, the table with AlgType 15.
const REQ_KEM_AUTH: AlgType = AlgType(15);

/// All algorithm tables of the dialect. A peer sends all tables, including empty ones.
///
/// ```text
///  0 DHE, AEAD, ReqBaseAsymAlg, KeySchedule of 4 bytes each, as in SPDM 1.1
/// 16 11 | 0xC0 | PqcSig[12]         30 12 | 0xC0 | PqcReqSig[12]       44 13 | 0xC0 | PqcKem[12]
/// 58 14 | 0xC0 | PqcKemAuth[12]     72 15 | 0xC0 | PqcReqKemAuth[12]   only in openspdm-pqc-kem
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// DHE.
    pub dhe: Dhe,
    /// AEADCipherSuite.
    pub aead: Aead,
    /// ReqBaseAsymAlg; only its low two bytes are sent.
    pub req_base_asym: BaseAsym,
    /// KeySchedule.
    pub key_schedule: KeySchedule,
    /// PqcSig: signatures of the responder, see [`SIGNATURES`](crate::pqc2021::SIGNATURES).
    pub signature: Set,
    /// PqcReqSig: signatures of the requester, see [`SIGNATURES`](crate::pqc2021::SIGNATURES).
    pub req_signature: Set,
    /// PqcKem: ephemeral key exchange, see [`KEMS`](crate::pqc2021::KEMS).
    pub kem: Set,
    /// The last two tables; `None` in openspdm-pqc, which has only seven.
    pub kem_authentication: Option<KemAuthentication>,
}

/// The KEMs that authenticate a party, see [`KEMS`](crate::pqc2021::KEMS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KemAuthentication {
    /// PqcKemAuth: KEMs for long-term keys of the responder.
    pub responder: Set,
    /// PqcReqKemAuth: KEMs for long-term keys of the requester.
    pub requester: Set,
}

impl Tables {
    /// Length of all nine tables in bytes.
    pub const MAX_LEN: usize = 4 * 4 + 5 * (2 + Set::LEN);

    /// Writes the tables into `buffer`, for NEGOTIATE_ALGORITHMS and ALGORITHMS.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or ReqBaseAsymAlg has a bit above the sixteenth.
    pub fn write<'b>(&self, buffer: &'b mut [u8]) -> Result<AlgStructs<'b>, CodecError> {
        let mut writer = Writer::new(buffer);
        let mut tables = *self;
        tables.visit_fields(&mut writer)?;
        let len = Wire::offset(&writer);
        let bytes: &[u8] = buffer;
        Ok(AlgStructs::from_bytes(bytes.get(..len).unwrap_or_default()))
    }

    /// Reads the tables of a message. Offsets in errors count from the first table.
    ///
    /// # Errors
    /// Returns an error if there are not seven or nine tables, a type is missing, or a table has a wrong length or
    /// external algorithms.
    pub fn read(structs: &AlgStructs<'_>) -> Result<Self, CodecError> {
        let kem_authentication = match structs.iter().count() {
            7 => None,
            9 => Some(KemAuthentication::default()),
            count => {
                let problem = Problem::Value { expected: "7 or 9 tables", got: count as u64 };
                return Err(CodecError { name: "number of AlgStruct", offset: 0, problem });
            }
        };
        let mut tables = Self { kem_authentication, ..Self::default() };
        let mut reader = Reader::new(structs.bytes(), 0);
        tables.visit_fields(&mut reader)?;
        reader.end()?;
        Ok(tables)
    }

    fn visit_fields<'a, W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        standard(AlgType::DHE, &mut self.dhe, wire)?;
        standard(AlgType::AEAD, &mut self.aead, wire)?;
        standard(AlgType::REQ_BASE_ASYM, &mut self.req_base_asym, wire)?;
        standard(AlgType::KEY_SCHEDULE, &mut self.key_schedule, wire)?;
        post_quantum(SIGNATURE, &mut self.signature, wire)?;
        post_quantum(REQ_SIGNATURE, &mut self.req_signature, wire)?;
        post_quantum(KEM, &mut self.kem, wire)?;
        if let Some(kems) = &mut self.kem_authentication {
            post_quantum(KEM_AUTH, &mut kems.responder, wire)?;
            post_quantum(REQ_KEM_AUTH, &mut kems.requester, wire)?;
        }
        Ok(())
    }
}

/// The expected AlgType, in error messages.
const ORDER: &str =
    "the next AlgType in the order 2, 3, 4, 5, 11, 12, 13 (then 14, 15 with KEM authentication)";

/// Passes a table of SPDM 1.1 to `wire`.
fn standard<'a, B: Bits>(
    alg_type: AlgType,
    value: &mut B,
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    constant("AlgType", alg_type.0, ORDER, wire)?;
    constant("AlgCount", 0x20, "two bytes without external algorithms", wire)?;
    wire.bits("AlgSupported", 2, value)
}

/// Passes a table of the dialect to `wire`.
fn post_quantum<'a>(alg_type: AlgType, value: &mut Set, wire: &mut impl Wire<'a>) -> Result<(), CodecError> {
    constant("AlgType", alg_type.0, ORDER, wire)?;
    constant("AlgCount", 0xc0, "twelve bytes without external algorithms", wire)?;
    let mut bytes = value.to_bytes();
    wire.array("AlgSupported", &mut bytes)?;
    *value = Set::from_bytes(&bytes);
    Ok(())
}

/// Passes a byte with only one valid value to `wire`.
fn constant<'a>(
    name: &'static str,
    value: u8,
    expected: &'static str,
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    let (at, mut found) = (wire.offset(), value);
    wire.u8(name, &mut found)?;
    if found == value { Ok(()) } else { Err(wire.invalid_value(name, at, expected, u64::from(found))) }
}
