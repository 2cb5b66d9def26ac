//! Names of negotiated algorithms, in the standard or in the dialect.

use grille_registry::Row;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::{Asym, KeyExchange, NegotiatedAlgorithms};
use grille_spdm_engine::config::Role;
use grille_spdm_engine::connection::Connection;
use grille_spdm_engine::pqc2021::Authentication;

/// Names the algorithms with which a side authenticates itself, such as `ECDSA-P256 + Dilithium2`; returns `none` if
/// there are none.
pub(crate) fn authentication_name(algorithms: &NegotiatedAlgorithms, side: Role) -> String {
    let asym = match side {
        Role::Requester => algorithms.req_asym,
        Role::Responder => algorithms.asym,
    };
    match algorithms.pqc2021 {
        Some(selected) => parts(selected.authentication(side)),
        None => asym.map_or("none", Asym::name).to_owned(),
    }
}

fn parts(side: &Authentication) -> String {
    let classical = side.classical.map(|row| row.name.to_owned());
    let post_quantum = side.post_quantum.map(|row| row.name().to_owned());
    let kem = side.kem.map(|row| format!("{} (KEM authentication)", row.name()));
    join([classical, post_quantum, kem].into_iter().flatten())
}

/// Names the algorithms of the key exchange, such as `secp256r1 + Kyber512`; returns `none` if there are none.
pub(crate) fn key_exchange_name(algorithms: &NegotiatedAlgorithms) -> String {
    let group = algorithms.key_exchange.map(KeyExchange::name);
    let hybrid = algorithms.hybrid_kem.map(KeyExchange::name);
    let kem = algorithms.pqc2021.and_then(|selected| selected.kem()).map(Row::name);
    join([group, hybrid, kem].into_iter().flatten().map(str::to_owned))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" + ") }
}

/// Returns whether the responder signs measurements. A responder that speaks the dialect may have only a key for KEM
/// authentication, which cannot sign.
pub(crate) fn signs_measurements(connection: &Connection) -> bool {
    connection.responder().flags.contains(Caps::MEAS_SIG)
        && (!is_dialect(connection) || has_signature(connection))
}

fn has_signature(connection: &Connection) -> bool {
    connection.negotiated().is_some_and(|negotiated| negotiated.algorithms.missing_signature().is_none())
}

/// Returns whether the connection speaks the dialect.
pub(crate) fn is_dialect(connection: &Connection) -> bool {
    connection.negotiated().is_some_and(|negotiated| negotiated.algorithms.pqc2021.is_some())
}
