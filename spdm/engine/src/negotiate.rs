//! NEGOTIATE_ALGORITHMS and ALGORITHMS: select algorithms.

use crate::algorithms::{Bits, HASH_KIND};
use crate::config::Config;
use crate::connection::{Connection, ConnectionChange, Negotiated};
use crate::context::Context;
use crate::encode::{respond_with, write};
use crate::error::Refusal;
use crate::error::{Error, Usage, Violation};
use crate::offer::{MEAS_CAP, measurements_are_consistent, requester_offer, responder_offer};
use crate::pqc2021_negotiate;
use crate::reply::{IncomingRequest, Reply};
use crate::rules::Rules;
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::algorithms::{
    BaseAsym, BaseHash, MeasurementHash, MeasurementSpecification, MelSpecification, OtherParams, PqcAsym,
};
use grille_spdm_codec::bits::Bits as _;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::hybrid::{self, HybridAsym, HybridKem};
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType, Algorithms, NegotiateAlgorithms};
use grille_spdm_codec::{CodecError, Sizes};

/// Selects algorithms. If both sides share none of a kind, the selection is zero, DSP0274 "ALGORITHMS".
pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    if let Some(options) = cx.config.pqc2021 {
        return pqc2021_negotiate::respond(cx, incoming, &options);
    }
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (NegotiateAlgorithms<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let version = cx.connection.version();
    let rules = cx.connection.rules;
    let consistent =
        !rules.key_pairs || multi_key_is_consistent(cx.connection.responder.flags, request.other_params);
    if !request.is_possible(version) || !consistent {
        return Err(invalid);
    }
    let theirs = offered_bits(&request, rules);
    let chosen = responder_offer(cx).choose(&theirs, &cx.config.preferred, cx.config.pqc_first);
    let algorithms = match chosen.hash {
        0 => None,
        _ => Some(chosen.algorithms(&chosen).ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?),
    };
    // without a common hash no measurements are selected: no request is answered until the next GET_VERSION
    let measures = cx.connection.responder_has(MEAS_CAP)
        && algorithms.is_some()
        && request.measurement_specification.contains(MeasurementSpecification::DMTF);
    let mel_specification = mel_specification(cx, request.mel_specification);
    let opaque_format = select_format(request.other_params & cx.config.other_params);
    let requester_multi_key = requester_multi_key(&cx.connection, cx.config.other_params);
    let negotiated = algorithms.map(|algorithms| Negotiated {
        algorithms,
        measures,
        logs: measures && mel_specification.contains(MelSpecification::DMTF),
        opaque_format,
        responder_multi_key: responder_multi_key(&cx.connection, request.other_params),
        requester_multi_key,
    });
    let response = Algorithms {
        measurement_specification: MeasurementSpecification(u8::from(measures)),
        other_params: other_params_selection(opaque_format, requester_multi_key),
        measurement_hash: MeasurementHash(if measures { chosen.measurement_hash } else { 0 }),
        base_asym: BaseAsym(chosen.asym),
        base_hash: BaseHash(chosen.hash),
        pqc_asym: PqcAsym(chosen.pqc_asym),
        mel_specification,
        ..Algorithms::default()
    };
    let present = |row: &&Table| {
        rules.alg_types.contains(&row.alg_type)
            && request.tables.iter().any(|table| table.alg_type == row.alg_type)
    };
    let offer = EncodedOffer::new(TABLES.iter().filter(present), &chosen);
    let mut buffer = [0; TABLES_LEN];
    let response =
        Algorithms { ext_asym: &offer.ext_asym, tables: offer.alg_structs(&mut buffer)?, ..response };
    let body = respond_with(&response, version, &Sizes::default())?;
    let change = negotiated.map_or(ConnectionChange::Unusable, ConnectionChange::Negotiated);
    Ok(Reply { change, ..Reply::plain(body, taken) })
}

fn is_known(table: &AlgStruct<'_>) -> bool {
    TABLES.iter().any(|row| row.alg_type == table.alg_type)
}

/// Returns the algorithms in NEGOTIATE_ALGORITHMS as bits, limited to the structures of this version.
pub(crate) fn offered_bits(request: &NegotiateAlgorithms<'_>, rules: &Rules) -> Bits {
    let mut bits = Bits {
        hash: request.base_hash.0,
        asym: request.base_asym.0,
        pqc_asym: request.pqc_asym.0,
        ..Bits::default()
    };
    let known = TABLES.iter().filter(|row| rules.alg_types.contains(&row.alg_type));
    known.for_each(|row| *(row.bits)(&mut bits) = request.tables.bits(row.alg_type) as u16);
    if !rules.pqc_asym {
        return bits;
    }
    let in_table = |alg_type| hybrid::offered(request.tables.external(alg_type));
    Bits {
        hybrid_asym: hybrid::offered(request.ext_asym),
        req_hybrid_asym: in_table(AlgType::REQ_BASE_ASYM),
        hybrid_kem: in_table(AlgType::KEM),
        ..bits
    }
}

/// Returns whether a multi-key connection is selected. MULTI_KEY_CAP decides; if it permits connections with and
/// without multi-key, MultiKeyConn in the peer's OtherParams decides.
fn selects_multi_key(flags: Caps, params: OtherParams) -> bool {
    flags.contains(Caps::MULTI_KEY_ONLY)
        || flags.contains(Caps::MULTI_KEY_CONN_SEL) && params.contains(OtherParams::MULTI_KEY_CONN)
}

/// Returns whether MultiKeyConn is consistent with MULTI_KEY_CAP.
fn multi_key_is_consistent(flags: Caps, params: OtherParams) -> bool {
    selects_multi_key(flags, params) == params.contains(OtherParams::MULTI_KEY_CONN)
}

pub(crate) fn responder_multi_key(connection: &Connection, request: OtherParams) -> bool {
    connection.rules.key_pairs && selects_multi_key(connection.responder.flags, request)
}

pub(crate) fn requester_multi_key(connection: &Connection, response: OtherParams) -> bool {
    connection.rules.key_pairs && selects_multi_key(connection.requester.flags, response)
}

/// Selects one of the formats of opaque data that both sides have. The list of elements is preferred over the vendor's
/// format.
fn select_format(common: OtherParams) -> OtherParams {
    if common.contains(OtherParams::OPAQUE_DATA_FORMAT_1) {
        OtherParams::OPAQUE_DATA_FORMAT_1
    } else {
        common & OtherParams::OPAQUE_DATA_FORMAT_0
    }
}

/// Returns OtherParamsSelection.
fn other_params_selection(opaque_format: OtherParams, requester_multi_key: bool) -> OtherParams {
    let multi_key = if requester_multi_key { OtherParams::MULTI_KEY_CONN } else { OtherParams::NONE };
    opaque_format | multi_key
}

fn mel_specification(cx: &Context, offered: MelSpecification) -> MelSpecification {
    if cx.connection.responder_has(Caps::MEL) {
        offered & cx.config.mel_specification
    } else {
        MelSpecification::NONE
    }
}

/// An algorithm structure after the fixed fields, with its field in [`Bits`].
pub(crate) struct Table {
    alg_type: AlgType,
    bits: fn(&mut Bits) -> &mut u16,
    /// The field of the hybrids in the structure, if it may have any.
    hybrids: Option<fn(&mut Bits) -> &mut u16>,
}

impl Table {
    const fn new(alg_type: AlgType, bits: fn(&mut Bits) -> &mut u16) -> Self {
        Self { alg_type, bits, hybrids: None }
    }

    const fn with_hybrids(self, hybrids: fn(&mut Bits) -> &mut u16) -> Self {
        Self { hybrids: Some(hybrids), ..self }
    }

    /// Returns the structure with the algorithms in `bits`.
    fn encode(&self, mut bits: Bits) -> EncodedTable {
        let hybrids = self.hybrids.map_or(0, |hybrids| *hybrids(&mut bits));
        EncodedTable {
            alg_type: self.alg_type,
            supported: (self.bits)(&mut bits).to_le_bytes(),
            external: hybrid::externals(hybrids).collect(),
        }
    }

    /// Reads the selection in `tables` into `bits`; returns `None` if it has an unknown external algorithm, or several.
    fn read_selection(&self, tables: &AlgStructs<'_>, bits: &mut Bits) -> Option<()> {
        *(self.bits)(bits) = tables.bits(self.alg_type) as u16;
        match (self.hybrids, tables.external(self.alg_type)) {
            (None, []) => Some(()),
            (None, _) => None,
            (Some(hybrids), external) => {
                *hybrids(bits) = hybrid::selected(external)?;
                Some(())
            }
        }
    }
}

/// The algorithm structures, ascending by AlgType.
pub(crate) const TABLES: &[Table] = &[
    Table::new(AlgType::DHE, |bits| &mut bits.dhe),
    Table::new(AlgType::AEAD, |bits| &mut bits.aead),
    Table::new(AlgType::REQ_BASE_ASYM, |bits| &mut bits.req_asym)
        .with_hybrids(|bits| &mut bits.req_hybrid_asym),
    Table::new(AlgType::KEY_SCHEDULE, |bits| &mut bits.key_schedule),
    Table::new(AlgType::REQ_PQC_ASYM, |bits| &mut bits.req_pqc_asym),
    Table::new(AlgType::KEM, |bits| &mut bits.kem).with_hybrids(|bits| &mut bits.hybrid_kem),
];

/// The largest length of all structures in bytes: type, count and two bytes of bits each, and all hybrids.
pub(crate) const TABLES_LEN: usize = 4 * (TABLES.len() + HybridAsym::ROWS.len() + HybridKem::ROWS.len());

/// An encoded algorithm structure.
struct EncodedTable {
    alg_type: AlgType,
    supported: [u8; 2],
    external: Vec<[u8; 4]>,
}

/// The encoded variable parts of NEGOTIATE_ALGORITHMS or ALGORITHMS.
pub(crate) struct EncodedOffer {
    ext_asym: Vec<[u8; 4]>,
    tables: Vec<EncodedTable>,
}

impl EncodedOffer {
    /// Encodes these structures, and ExtAsym.
    fn new<'t>(rows: impl Iterator<Item = &'t Table>, bits: &Bits) -> Self {
        let tables = rows.map(|row| row.encode(*bits)).collect();
        Self { ext_asym: hybrid::externals(bits.hybrid_asym).collect(), tables }
    }

    /// Encodes the non-empty structures of `bits` that the version defines, and ExtAsym.
    pub(crate) fn non_empty(rules: &Rules, bits: &Bits) -> Self {
        let bits = if rules.pqc_asym { *bits } else { bits.without_hybrids() };
        let defined = TABLES.iter().filter(|row| rules.alg_types.contains(&row.alg_type));
        let mut offer = Self::new(defined, &bits);
        offer.tables.retain(|table| table.supported != [0; 2] || !table.external.is_empty());
        offer
    }

    /// Encodes the structures into `buffer`.
    pub(crate) fn alg_structs<'a>(
        &'a self,
        buffer: &'a mut [u8; TABLES_LEN],
    ) -> Result<AlgStructs<'a>, CodecError> {
        let table = |table: &'a EncodedTable| AlgStruct {
            alg_type: table.alg_type,
            supported: &table.supported,
            external: &table.external,
        };
        AlgStructs::write(self.tables.iter().map(table), buffer)
    }
}

/// Returns `bits` as NEGOTIATE_ALGORITHMS, which is also the format of SupportedAlgorithms in CAPABILITIES. `offer`: the
/// encoding of `bits`.
pub(crate) fn supported_algorithms<'a>(
    config: &Config,
    bits: &Bits,
    offer: &'a EncodedOffer,
    buffer: &'a mut [u8; TABLES_LEN],
) -> Result<NegotiateAlgorithms<'a>, CodecError> {
    Ok(NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        other_params: config.other_params,
        base_asym: BaseAsym(bits.asym),
        base_hash: BaseHash(bits.hash),
        pqc_asym: PqcAsym(bits.pqc_asym),
        mel_specification: config.mel_specification,
        ext_asym: &offer.ext_asym,
        tables: offer.alg_structs(buffer)?,
        ..NegotiateAlgorithms::default()
    })
}

/// Encodes NEGOTIATE_ALGORITHMS.
pub(crate) fn encode_request(cx: &Context) -> Result<Vec<u8>, Error> {
    if let Some(options) = &cx.config.pqc2021 {
        return pqc2021_negotiate::encode_request(cx, options);
    }
    let version = cx.connection.version();
    let bits = requester_offer(cx);
    let (offer, mut buffer) = (EncodedOffer::non_empty(cx.connection.rules, &bits), [0; TABLES_LEN]);
    let value = |error| Error::Usage(Usage::Value(error));
    let request = supported_algorithms(&cx.config, &bits, &offer, &mut buffer).map_err(value)?;
    let request = NegotiateAlgorithms { other_params: other_params(cx), ..request };
    write(&request, version, &Sizes::default()).map_err(value)
}

fn other_params(cx: &Context) -> OtherParams {
    let ours = cx.config.other_params;
    let responder = cx.connection.responder.flags;
    let formats = ours & FORMATS;
    if selects_multi_key(responder, ours) { formats | OtherParams::MULTI_KEY_CONN } else { formats }
}

const FORMATS: OtherParams =
    OtherParams(OtherParams::OPAQUE_DATA_FORMAT_0.0 | OtherParams::OPAQUE_DATA_FORMAT_1.0);

/// Parses ALGORITHMS.
pub(crate) fn parse_response(cx: &Context, response: &[u8]) -> Result<(ConnectionChange, usize), Error> {
    if let Some(options) = &cx.config.pqc2021 {
        return pqc2021_negotiate::parse_response(cx, response, options);
    }
    let request = Code::NEGOTIATE_ALGORITHMS;
    let wrong = || Error::Violation { request, violation: Violation::Algorithms };
    let (response, len): (Algorithms<'_>, _) = cx.read_response(request, response, &Sizes::default())?;
    let chosen = selection(&response).ok_or_else(wrong)?;
    let algorithms = match chosen.algorithms(&requester_offer(cx)) {
        Some(algorithms) => algorithms,
        None if chosen.hash == 0 => return Err(Error::NothingInCommon { kind: HASH_KIND }),
        None => return Err(wrong()),
    };
    let measures = response.measurement_specification.contains(MeasurementSpecification::DMTF);
    if !measurements_are_consistent(cx, &response) || !was_offered(cx, &response) {
        return Err(wrong());
    }
    // the selected format must be one of the offered formats, or none
    let opaque_format = response.other_params & FORMATS;
    if cx.connection.rules.opaque_formats && select_format(opaque_format & other_params(cx)) != opaque_format
    {
        return Err(wrong());
    }
    let logs = mel_specification(cx, cx.config.mel_specification);
    if cx.connection.rules.measurement_logs && !logs.contains(response.mel_specification) {
        return Err(wrong());
    }
    let negotiated = Negotiated {
        algorithms,
        measures,
        logs: measures && response.mel_specification.contains(MelSpecification::DMTF),
        opaque_format,
        responder_multi_key: responder_multi_key(&cx.connection, other_params(cx)),
        requester_multi_key: requester_multi_key(&cx.connection, response.other_params),
    };
    Ok((ConnectionChange::Negotiated(negotiated), len))
}

/// Returns the selection in ALGORITHMS; `None` if it has an external algorithm that is no hybrid, or several in a list.
fn selection(response: &Algorithms<'_>) -> Option<Bits> {
    let mut chosen = Bits {
        hash: response.base_hash.0,
        asym: response.base_asym.0,
        pqc_asym: response.pqc_asym.0,
        measurement_hash: response.measurement_hash.0,
        hybrid_asym: hybrid::selected(response.ext_asym)?,
        ..Bits::default()
    };
    TABLES.iter().try_for_each(|row| row.read_selection(&response.tables, &mut chosen))?;
    Some(chosen)
}

/// Returns whether ALGORITHMS contains no external hash, no unknown tables, no measurement specification other than
/// DMTF's, and no multi-key connection that this side does not support.
fn was_offered(cx: &Context, response: &Algorithms<'_>) -> bool {
    let fits = |table: AlgStruct<'_>| is_known(&table) && table.has_fixed_layout();
    response.ext_hash.is_empty()
        && response.tables.iter().all(fits)
        && MeasurementSpecification::DMTF.contains(response.measurement_specification)
        && (!cx.connection.rules.key_pairs
            || multi_key_is_consistent(cx.connection.requester.flags, response.other_params))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::Version;

    #[test]
    fn ignores_tables_of_a_later_version() {
        let bits = Bits::all().with_hybrids();
        let (offer, mut buffer) = (EncodedOffer::non_empty(Version::V1_4.into(), &bits), [0; TABLES_LEN]);
        let tables = offer.alg_structs(&mut buffer).expect("room for all");
        let request = NegotiateAlgorithms { tables, ..NegotiateAlgorithms::default() };
        let [old, new] = [Version::V1_3, Version::V1_4].map(|version| offered_bits(&request, version.into()));
        assert_eq!((old.kem, old.req_pqc_asym, old.aead), (0, 0, bits.aead));
        assert_eq!((old.hybrid_kem, new.hybrid_kem), (0, bits.hybrid_kem));
        assert_eq!((new.kem, new.req_pqc_asym, new.aead), (bits.kem, bits.req_pqc_asym, bits.aead));
    }
}
