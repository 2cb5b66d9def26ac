//! The algorithms that each side offers.

use crate::algorithms::Bits;
use crate::connection::Connection;
use crate::context::Context;
use grille_spdm_codec::algorithms::{MeasurementHash, MeasurementSpecification};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::negotiate::Algorithms;

pub(crate) const MEAS_CAP: Caps = Caps(Caps::MEAS_NO_SIG.0 | Caps::MEAS_SIG.0);

/// Returns the algorithms that the responder offers: the configured ones, except signature algorithms without a key,
/// and algorithms that the negotiated capabilities do not use.
pub(crate) fn responder_offer(cx: &Context) -> Bits {
    let mut bits = cx.identity.restrict(cx.config.algorithms);
    if !cx.connection.both_have(Caps::KEY_EX) {
        (bits.dhe, bits.kem, bits.hybrid_kem) = (0, 0, 0);
    }
    if !cx.connection.both_have(Caps::KEY_EX) && !has_psk(&cx.connection) {
        (bits.aead, bits.key_schedule) = (0, 0);
    }
    if !requester_signs(&cx.connection) {
        bits = without_requester(bits);
    }
    bits
}

/// Returns the offer without signature algorithms of the requester.
const fn without_requester(bits: Bits) -> Bits {
    Bits { req_asym: 0, req_pqc_asym: 0, req_hybrid_asym: 0, ..bits }
}

fn has_psk(connection: &Connection) -> bool {
    connection.both_have(Caps::PSK | Caps::PSK_WITH_CONTEXT)
}

/// Returns whether the requester may have to sign, for mutual authentication or ENDPOINT_INFO.
fn requester_signs(connection: &Connection) -> bool {
    connection.both_have(Caps::MUT_AUTH) || connection.requester.flags.contains(Caps::EP_INFO_SIG)
}

/// Returns the algorithms that the requester offers. Signature algorithms for the requester are limited to those with a
/// key.
pub(crate) fn requester_offer(cx: &Context) -> Bits {
    let able = cx.identity.restrict(Bits {
        asym: u32::MAX,
        pqc_asym: u32::MAX,
        hybrid_asym: u16::MAX,
        ..Bits::default()
    });
    let connection = &cx.connection;
    let mut bits = cx.config.algorithms;
    bits.req_asym &= able.asym as u16;
    bits.req_pqc_asym &= able.pqc_asym as u16;
    bits.req_hybrid_asym &= able.hybrid_asym;
    if !requester_signs(connection) {
        bits = without_requester(bits);
    }
    if !connection.rules.pqc_asym {
        (bits.pqc_asym, bits.req_pqc_asym, bits.kem) = (0, 0, 0);
        bits = bits.without_hybrids();
    }
    bits
}

/// Returns whether MeasurementSpecificationSel and MeasurementHashAlgo are consistent with the responder's measurement
/// capabilities. As in libspdm, a responder that does not measure may still select a hash.
pub(crate) fn measurements_are_consistent(cx: &Context, response: &Algorithms<'_>) -> bool {
    let hash = response.measurement_hash;
    match response.measurement_specification {
        MeasurementSpecification::NONE => hash == MeasurementHash::NONE || hash.row().is_some(),
        _ => cx.connection.responder_has(MEAS_CAP | Caps::MEL) && hash.row().is_some(),
    }
}
