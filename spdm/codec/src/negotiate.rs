//! NEGOTIATE_ALGORITHMS and ALGORITHMS, and the algorithm tables at the end of both.

use crate::algorithms::{
    BaseAsym, BaseHash, MeasurementHash, MeasurementSpecification, MelSpecification, OtherParams, PqcAsym,
};
use crate::bits::Bits;
use crate::code::Code;
use crate::codec_error::CodecError;
use crate::list::Item;
use crate::message::{Message, Sizes, Version};
use crate::wire::{Reader, Wire, Writer};

/// NEGOTIATE_ALGORITHMS.
///
/// ```text
/// 0 SPDMVersion | 1 0xE3 | 2 number of AlgStruct (1.1) | 3 reserved
/// 4 Length u16 | 6 MeasurementSpecification | 7 OtherParamsSupport (1.2)
/// 8 BaseAsymAlgo u32 | 12 BaseHashAlgo u32 | 16 PqcAsymAlgo u32 (1.4) | 20 reserved[8]
/// 28 ExtAsymCount | 29 ExtHashCount | 30 reserved | 31 MELspecification (1.3)
/// 32 ExtAsym[] of 4 bytes | ExtHash[] of 4 bytes | AlgStruct[] (1.1)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NegotiateAlgorithms<'a> {
    /// MeasurementSpecification: the formats of measurements.
    pub measurement_specification: MeasurementSpecification,
    /// OtherParamsSupport (1.2): formats of opaque data, and the use of several keys.
    pub other_params: OtherParams,
    /// BaseAsymAlgo: the offered classical signature algorithms.
    pub base_asym: BaseAsym,
    /// BaseHashAlgo: the offered hashes.
    pub base_hash: BaseHash,
    /// PqcAsymAlgo (1.4): the offered post-quantum signature algorithms.
    pub pqc_asym: PqcAsym,
    /// MELspecification (1.3): the formats of the measurement extension log.
    pub mel_specification: MelSpecification,
    /// ExtAsym: the offered external signature algorithms, as registry, reserved byte and a number of two bytes.
    pub ext_asym: &'a [[u8; 4]],
    /// ExtHash: the offered external hashes, as registry, reserved byte and a number of two bytes.
    pub ext_hash: &'a [[u8; 4]],
    /// AlgStruct (1.1): one table for each further kind of algorithm.
    pub tables: AlgStructs<'a>,
}

/// ALGORITHMS. Each set except OtherParamsSelection has at most one bit.
///
/// ```text
/// 0 SPDMVersion | 1 0x63 | 2 number of AlgStruct (1.1) | 3 reserved
/// 4 Length u16 | 6 MeasurementSpecificationSel | 7 OtherParamsSelection (1.2)
/// 8 MeasurementHashAlgo u32 | 12 BaseAsymSel u32 | 16 BaseHashSel u32 | 20 PqcAsymSel u32 (1.4) | 24 reserved[7]
/// 31 MELspecificationSel (1.3) | 32 ExtAsymSelCount | 33 ExtHashSelCount | 34 reserved[2]
/// 36 ExtAsymSel[] of 4 bytes | ExtHashSel[] of 4 bytes | AlgStruct[] (1.1)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms<'a> {
    /// MeasurementSpecificationSel: the selected format of measurements.
    pub measurement_specification: MeasurementSpecification,
    /// OtherParamsSelection (1.2): the selected parameters.
    pub other_params: OtherParams,
    /// MeasurementHashAlgo: the hash of measurement digests.
    pub measurement_hash: MeasurementHash,
    /// BaseAsymSel: the selected classical signature algorithm.
    pub base_asym: BaseAsym,
    /// BaseHashSel: the selected hash.
    pub base_hash: BaseHash,
    /// PqcAsymSel (1.4): the selected post-quantum signature algorithm.
    pub pqc_asym: PqcAsym,
    /// MELspecificationSel (1.3): the selected format of the measurement extension log.
    pub mel_specification: MelSpecification,
    /// ExtAsymSel: the selected external signature algorithm, as registry, reserved byte and a number of two bytes.
    pub ext_asym: &'a [[u8; 4]],
    /// ExtHashSel: the selected external hash, as registry, reserved byte and a number of two bytes.
    pub ext_hash: &'a [[u8; 4]],
    /// AlgStruct (1.1): one table for each further kind of algorithm.
    pub tables: AlgStructs<'a>,
}

impl<'a> Message<'a> for NegotiateAlgorithms<'a> {
    const CODE: Code = Code::NEGOTIATE_ALGORITHMS;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        self.visit_fields_from_param1(wire, version)
    }
}

impl<'a> Message<'a> for Algorithms<'a> {
    const CODE: Code = Code::ALGORITHMS;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        let tables = count_tables(&self.tables, wire, version)?;
        let mut length = 36 + self.variable_len();
        wire.count("Length", 2, &mut length)?;
        wire.bits("MeasurementSpecificationSel", 1, &mut self.measurement_specification)?;
        bits_since(Version::V1_2, version, "OtherParamsSelection", 1, &mut self.other_params, wire)?;
        wire.bits("MeasurementHashAlgo", 4, &mut self.measurement_hash)?;
        wire.bits("BaseAsymSel", 4, &mut self.base_asym)?;
        wire.bits("BaseHashSel", 4, &mut self.base_hash)?;
        bits_since(Version::V1_4, version, "PqcAsymSel", 4, &mut self.pqc_asym, wire)?;
        wire.reserved(7)?;
        bits_since(Version::V1_3, version, "MELspecificationSel", 1, &mut self.mel_specification, wire)?;
        let (mut asym, mut hash) = (self.ext_asym.len(), self.ext_hash.len());
        wire.count("ExtAsymSelCount", 1, &mut asym)?;
        wire.count("ExtHashSelCount", 1, &mut hash)?;
        wire.reserved(2)?;
        wire.elements("ExtAsymSel", asym, &mut self.ext_asym)?;
        wire.elements("ExtHashSel", hash, &mut self.ext_hash)?;
        self.tables.visit_fields(wire, 0, length, tables)
    }
}

impl<'a> NegotiateAlgorithms<'a> {
    /// Passes all fields, starting at Param1, to `wire`. CAPABILITIES contains these fields too; there, Length counts
    /// from Param1 (1.3).
    pub(crate) fn visit_fields_from_param1<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
    ) -> Result<(), CodecError> {
        let at = wire.offset();
        // The offset from which Length counts.
        let begin = if at == 2 { 0 } else { at };
        let tables = count_tables(&self.tables, wire, version)?;
        let mut length = at + 30 - begin + self.variable_len();
        wire.count("Length", 2, &mut length)?;
        wire.bits("MeasurementSpecification", 1, &mut self.measurement_specification)?;
        bits_since(Version::V1_2, version, "OtherParamsSupport", 1, &mut self.other_params, wire)?;
        wire.bits("BaseAsymAlgo", 4, &mut self.base_asym)?;
        wire.bits("BaseHashAlgo", 4, &mut self.base_hash)?;
        bits_since(Version::V1_4, version, "PqcAsymAlgo", 4, &mut self.pqc_asym, wire)?;
        wire.reserved(8)?;
        let (mut asym, mut hash) = (self.ext_asym.len(), self.ext_hash.len());
        wire.count("ExtAsymCount", 1, &mut asym)?;
        wire.count("ExtHashCount", 1, &mut hash)?;
        wire.reserved(1)?;
        bits_since(Version::V1_3, version, "MELspecification", 1, &mut self.mel_specification, wire)?;
        wire.elements("ExtAsym", asym, &mut self.ext_asym)?;
        wire.elements("ExtHash", hash, &mut self.ext_hash)?;
        self.tables.visit_fields(wire, begin, length, tables)
    }

    fn variable_len(&self) -> usize {
        4 * (self.ext_asym.len() + self.ext_hash.len()) + self.tables.bytes.len()
    }
}

impl NegotiateAlgorithms<'_> {
    /// Returns whether the request conforms to DSP0274 "NEGOTIATE_ALGORITHMS". Its length and its number of external
    /// algorithms must be within the limits. A table of a known type must have FixedAlgCount 2, and since 1.4 it must
    /// offer an algorithm. Earlier versions allow empty tables, because libspdm of 2021 always sends four tables.
    /// Tables of unknown types are only counted towards the limits.
    #[must_use]
    pub fn is_possible(&self, version: Version) -> bool {
        let (longest, most) = if version < Version::V1_1 { (0x40, 8) } else { (0x80, 20) };
        let in_tables: usize = self.tables.iter().map(|table| table.external.len()).sum();
        let known = |table: &AlgStruct<'_>| (AlgType::DHE..=AlgType::KEM).contains(&table.alg_type);
        32 + self.variable_len() <= longest
            && self.ext_asym.len() + self.ext_hash.len() + in_tables <= most
            && self
                .tables
                .iter()
                .filter(known)
                .all(|table| table.has_fixed_layout() && (version < Version::V1_4 || table.has_algorithm()))
    }
}

impl Algorithms<'_> {
    fn variable_len(&self) -> usize {
        4 * (self.ext_asym.len() + self.ext_hash.len()) + self.tables.bytes.len()
    }
}

/// Passes Param1 and Param2 to `wire`. Returns the number of tables, which is 0 before 1.1.
fn count_tables<'a>(
    tables: &AlgStructs<'a>,
    wire: &mut impl Wire<'a>,
    version: Version,
) -> Result<usize, CodecError> {
    if version < Version::V1_1 {
        wire.reserved(2)?;
        return Ok(0);
    }
    let mut count = tables.iter().count();
    wire.count("number of AlgStruct", 1, &mut count)?;
    wire.reserved(1)?;
    Ok(count)
}

/// Passes a set of bits to `wire`. Before version `first` the bits are reserved.
fn bits_since<'a, B: Bits>(
    first: Version,
    version: Version,
    name: &'static str,
    len: usize,
    value: &mut B,
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    if version >= first { wire.bits(name, len, value) } else { wire.reserved(len) }
}

/// AlgType of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct AlgType(
    /// The byte on the wire.
    pub u8,
);

impl AlgType {
    /// DHE: finite-field and elliptic-curve key exchange.
    pub const DHE: Self = Self(2);
    /// AEADCipherSuite: ciphers of sessions.
    pub const AEAD: Self = Self(3);
    /// ReqBaseAsymAlg: classical signature algorithms of the requester.
    pub const REQ_BASE_ASYM: Self = Self(4);
    /// KeySchedule: derivation of session keys.
    pub const KEY_SCHEDULE: Self = Self(5);
    /// ReqPqcAsymAlg (1.4): post-quantum signature algorithms of the requester.
    pub const REQ_PQC_ASYM: Self = Self(6);
    /// KEMAlg (1.4): post-quantum key exchange.
    pub const KEM: Self = Self(7);
}

/// A table of algorithms of one type.
///
/// ```text
/// 0 AlgType | 1 AlgCount: bits 7:4 bytes of AlgSupported n, bits 3:0 number of AlgExternal m
/// 2 AlgSupported[n] | AlgExternal[m] of 4 bytes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlgStruct<'a> {
    /// AlgType: the kind of algorithm in the table.
    pub alg_type: AlgType,
    /// AlgSupported: bits, lowest byte first. Two bytes in the standard, twelve in openspdm-pqc.
    pub supported: &'a [u8],
    /// AlgExternal: external algorithms, each with registry, a reserved byte and a number of two bytes.
    pub external: &'a [[u8; 4]],
}

impl AlgStruct<'_> {
    /// Returns the first four bytes of AlgSupported as a number.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.supported.iter().take(4).rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
    }

    /// Returns whether the table has the layout of DSP0274: FixedAlgCount is 2.
    #[must_use]
    pub const fn has_fixed_layout(&self) -> bool {
        self.supported.len() == 2
    }

    /// Returns whether the table contains an algorithm.
    fn has_algorithm(&self) -> bool {
        self.bits() != 0 || !self.external.is_empty()
    }
}

impl<'a> Item<'a> for AlgStruct<'a> {
    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W) -> Result<(), CodecError> {
        wire.u8("AlgType", &mut self.alg_type.0)?;
        let mut count = self.supported.len() << 4 | self.external.len() & 0xf;
        wire.count("AlgCount", 1, &mut count)?;
        wire.slice("AlgSupported", count >> 4, &mut self.supported)?;
        wire.elements("AlgExternal", count & 0xf, &mut self.external)
    }
}

/// A list of tables, with ascending types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlgStructs<'a> {
    bytes: &'a [u8],
}

impl<'a> AlgStructs<'a> {
    /// Creates a list from its encoding.
    pub(crate) const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Returns the encoding.
    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Writes `tables`, whose types must be ascending, into `buffer`.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or a table has more than 15 bytes of bits or more than 15 external
    /// algorithms.
    pub fn write(
        tables: impl IntoIterator<Item = AlgStruct<'a>>,
        buffer: &'a mut [u8],
    ) -> Result<Self, CodecError> {
        let mut writer = Writer::new(buffer);
        for mut table in tables {
            table.visit_fields(&mut writer)?;
        }
        let len = Wire::offset(&writer);
        let bytes: &[u8] = buffer;
        Ok(Self { bytes: bytes.get(..len).unwrap_or_default() })
    }

    /// Iterates over the tables.
    pub fn iter(&self) -> impl Iterator<Item = AlgStruct<'a>> + use<'a> {
        let mut reader = Reader::new(self.bytes, 0);
        core::iter::from_fn(move || {
            let mut table = AlgStruct::default();
            table.visit_fields(&mut reader).ok().map(|()| table)
        })
    }

    /// Returns the bits of the table with this type; 0 if there is no such table.
    #[must_use]
    pub fn bits(&self, alg_type: AlgType) -> u32 {
        self.iter().find(|table| table.alg_type == alg_type).map_or(0, |table| table.bits())
    }

    /// Returns the external algorithms of the table with this type; empty if there is no such table.
    #[must_use]
    pub fn external(&self, alg_type: AlgType) -> &'a [[u8; 4]] {
        self.iter().find(|table| table.alg_type == alg_type).map_or(&[], |table| table.external)
    }

    /// Passes the tables to `wire`. `length` counts all fields, starting at `begin`, and `count` is the announced
    /// number of tables.
    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        begin: usize,
        length: usize,
        count: usize,
    ) -> Result<(), CodecError> {
        let at = wire.offset();
        let expected = "the length of all fields";
        let refuse_length =
            |wire: &W| wire.invalid_value("Length", begin.max(2) + 2, expected, length as u64);
        let left = length.checked_sub(at - begin).ok_or_else(|| refuse_length(wire))?;
        wire.slice("AlgStruct", left, &mut self.bytes)?;
        let mut reader = Reader::new(self.bytes, 0);
        let mut last = AlgType(0);
        for _ in 0..count {
            let begin = at + Wire::offset(&reader);
            let mut table = AlgStruct::default();
            let in_message = |error: CodecError| CodecError { offset: at + error.offset, ..error };
            table.visit_fields(&mut reader).map_err(in_message)?;
            if table.alg_type <= last {
                let got = u64::from(table.alg_type.0);
                return Err(wire.invalid_value("AlgType", begin, "a greater type than the one before", got));
            }
            last = table.alg_type;
        }
        let tables = Wire::offset(&reader);
        if tables == left { Ok(()) } else { Err(refuse_length(wire)) }
    }
}
