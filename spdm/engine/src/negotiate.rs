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
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
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
    let theirs = offered(&request, rules);
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
    let (supported, mut buffer) = (supported(TABLES.iter().filter(present), &chosen), [0; TABLES_LEN]);
    let response = Algorithms { tables: alg_structs(&supported, &mut buffer)?, ..response };
    let body = respond_with(&response, version, &Sizes::default())?;
    let change = negotiated.map_or(ConnectionChange::Unusable, ConnectionChange::Negotiated);
    Ok(Reply { change, ..Reply::plain(body, taken) })
}

fn is_known(table: &AlgStruct<'_>) -> bool {
    TABLES.iter().any(|row| row.alg_type == table.alg_type)
}

/// Returns the algorithms in NEGOTIATE_ALGORITHMS as bits, limited to the structures of this version.
pub(crate) fn offered(request: &NegotiateAlgorithms<'_>, rules: &Rules) -> Bits {
    let mut bits = Bits {
        hash: request.base_hash.0,
        asym: request.base_asym.0,
        pqc_asym: request.pqc_asym.0,
        ..Bits::default()
    };
    let known = TABLES.iter().filter(|row| rules.alg_types.contains(&row.alg_type));
    known.for_each(|row| *(row.bits)(&mut bits) = request.tables.bits(row.alg_type) as u16);
    bits
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
}

/// The algorithm structures, ascending by AlgType.
pub(crate) const TABLES: &[Table] = &[
    Table { alg_type: AlgType::DHE, bits: |bits| &mut bits.dhe },
    Table { alg_type: AlgType::AEAD, bits: |bits| &mut bits.aead },
    Table { alg_type: AlgType::REQ_BASE_ASYM, bits: |bits| &mut bits.req_asym },
    Table { alg_type: AlgType::KEY_SCHEDULE, bits: |bits| &mut bits.key_schedule },
    Table { alg_type: AlgType::REQ_PQC_ASYM, bits: |bits| &mut bits.req_pqc_asym },
    Table { alg_type: AlgType::KEM, bits: |bits| &mut bits.kem },
];

/// The length of all structures in bytes: type, count and two bytes of bits each.
pub(crate) const TABLES_LEN: usize = 4 * TABLES.len();

/// Returns the encoded bits of each structure.
pub(crate) fn supported<'t>(rows: impl Iterator<Item = &'t Table>, bits: &Bits) -> Vec<(AlgType, [u8; 2])> {
    let mut bits = *bits;
    rows.map(|row| (row.alg_type, (row.bits)(&mut bits).to_le_bytes())).collect()
}

/// Encodes the structures into `buffer`.
pub(crate) fn alg_structs<'a>(
    supported: &'a [(AlgType, [u8; 2])],
    buffer: &'a mut [u8; TABLES_LEN],
) -> Result<AlgStructs<'a>, CodecError> {
    let table = |(alg_type, supported): &'a (AlgType, [u8; 2])| AlgStruct {
        alg_type: *alg_type,
        supported,
        external: &[],
    };
    AlgStructs::write(supported.iter().map(table), buffer)
}

/// Returns the non-empty structures of `bits` that the version defines.
pub(crate) fn non_empty_tables(rules: &Rules, bits: &Bits) -> Vec<(AlgType, [u8; 2])> {
    let mut rest = *bits;
    supported(
        TABLES.iter().filter(|row| rules.alg_types.contains(&row.alg_type) && *(row.bits)(&mut rest) != 0),
        bits,
    )
}

/// Returns `bits` as NEGOTIATE_ALGORITHMS, which is also the format of SupportedAlgorithms in CAPABILITIES.
pub(crate) fn supported_algorithms<'a>(
    config: &Config,
    bits: &Bits,
    supported: &'a [(AlgType, [u8; 2])],
    buffer: &'a mut [u8; TABLES_LEN],
) -> Result<NegotiateAlgorithms<'a>, CodecError> {
    Ok(NegotiateAlgorithms {
        measurement_specification: MeasurementSpecification::DMTF,
        other_params: config.other_params,
        base_asym: BaseAsym(bits.asym),
        base_hash: BaseHash(bits.hash),
        pqc_asym: PqcAsym(bits.pqc_asym),
        mel_specification: config.mel_specification,
        tables: alg_structs(supported, buffer)?,
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
    let (supported, mut buffer) = (non_empty_tables(cx.connection.rules, &bits), [0; TABLES_LEN]);
    let value = |error| Error::Usage(Usage::Value(error));
    let request = supported_algorithms(&cx.config, &bits, &supported, &mut buffer).map_err(value)?;
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
    let wrong = Error::Violation { request, violation: Violation::Algorithms };
    let (response, len): (Algorithms<'_>, _) = cx.read_response(request, response, &Sizes::default())?;
    let mut chosen = Bits {
        hash: response.base_hash.0,
        asym: response.base_asym.0,
        pqc_asym: response.pqc_asym.0,
        measurement_hash: response.measurement_hash.0,
        ..Bits::default()
    };
    TABLES.iter().for_each(|row| *(row.bits)(&mut chosen) = response.tables.bits(row.alg_type) as u16);
    let algorithms = match chosen.algorithms(&requester_offer(cx)) {
        Some(algorithms) => algorithms,
        None if chosen.hash == 0 => return Err(Error::NothingInCommon { kind: HASH_KIND }),
        None => return Err(wrong),
    };
    let measures = response.measurement_specification.contains(MeasurementSpecification::DMTF);
    if !measurements_are_consistent(cx, &response) || !was_offered(cx, &response) {
        return Err(wrong);
    }
    // the selected format must be one of the offered formats, or none
    let opaque_format = response.other_params & FORMATS;
    if cx.connection.rules.opaque_formats && select_format(opaque_format & other_params(cx)) != opaque_format
    {
        return Err(wrong);
    }
    let logs = mel_specification(cx, cx.config.mel_specification);
    if cx.connection.rules.measurement_logs && !logs.contains(response.mel_specification) {
        return Err(wrong);
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

/// Returns whether ALGORITHMS contains no external algorithms, no unknown tables, no measurement specification other
/// than DMTF's, and no multi-key connection that this side does not support.
fn was_offered(cx: &Context, response: &Algorithms<'_>) -> bool {
    let fits =
        |table: AlgStruct<'_>| is_known(&table) && table.has_fixed_layout() && table.external.is_empty();
    response.ext_asym.is_empty()
        && response.ext_hash.is_empty()
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
        let bits = Bits::all();
        let (supported, mut buffer) = (non_empty_tables(Version::V1_4.into(), &bits), [0; TABLES_LEN]);
        let tables = alg_structs(&supported, &mut buffer).expect("room for all");
        let request = NegotiateAlgorithms { tables, ..NegotiateAlgorithms::default() };
        let [old, new] = [Version::V1_3, Version::V1_4].map(|version| offered(&request, version.into()));
        assert_eq!((old.kem, old.req_pqc_asym, old.aead), (0, 0, bits.aead));
        assert_eq!((new.kem, new.req_pqc_asym, new.aead), (bits.kem, bits.req_pqc_asym, bits.aead));
    }
}
