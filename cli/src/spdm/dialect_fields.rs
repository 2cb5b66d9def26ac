//! Message fields of the dialect of openspdm-pqc, for `grille spdm dump`.

use super::tree::Node;
use crate::hex;
use grille_spdm_codec::negotiate::{AlgStruct, AlgStructs, AlgType};
use grille_spdm_codec::pqc2021::{ExchangeData, KEMS, SIGNATURES, Set, SignatureField};
use grille_spdm_codec::wire::Field;
use grille_spdm_dump::pqc2021::Layout;

/// Returns the parts of a signature field or of ExchangeData; `None` for other fields, or if the field cannot be split.
pub(super) fn parts(field: &Field<'_>, layout: &Layout) -> Option<Node> {
    let parts = match field.name {
        "Signature" => signature(SignatureField::decode(field.bytes, layout.signature).ok()?),
        "ExchangeData" => exchange(ExchangeData::decode(field.bytes, layout.exchange).ok()?),
        _ => return None,
    };
    let present = parts.into_iter().filter(|(_, bytes)| !bytes.is_empty());
    let nodes = present.map(|(name, bytes)| Node::new(name, hex::encode(bytes).to_string()));
    Some(Node::new(field.name, "").with_all(nodes))
}

const fn signature(field: SignatureField<'_>) -> [(&'static str, &[u8]); 3] {
    [("classical", field.classical), ("post-quantum", field.post_quantum), ("MAC", field.mac)]
}

const fn exchange(data: ExchangeData<'_>) -> [(&'static str, &[u8]); 3] {
    [("DHE", data.dhe), ("KEM", data.kem), ("KEM authentication", data.kem_auth)]
}

/// Returns a table of the types 11 to 15, with the names of its algorithms.
pub(super) fn table(table: &AlgStruct<'_>) -> Node {
    let name = match table.alg_type {
        AlgType(11) => "PqcSig",
        AlgType(12) => "PqcReqSig",
        AlgType(13) => "PqcKem",
        AlgType(14) => "PqcKemAuth",
        _ => "PqcReqKemAuth",
    };
    Node::new(name, names(table).unwrap_or_else(|| "none".to_owned()))
}

/// Returns the post-quantum algorithms in a negotiation of the dialect, by table; empty in the standard.
pub(super) fn summary(tables: &AlgStructs<'_>) -> Vec<String> {
    tables
        .iter()
        .filter(|table| matches!(table.alg_type, AlgType(11..=15)))
        .filter_map(|table| names(&table))
        .collect()
}

/// Returns the names of the algorithms in a table; `None` if the table has none.
fn names(table: &AlgStruct<'_>) -> Option<String> {
    let set = Set::from_bytes(table.supported.try_into().ok()?);
    let is_signature = matches!(table.alg_type, AlgType(11 | 12));
    let signatures = SIGNATURES.iter().filter(|_| is_signature).map(|row| (row.set(), row.name));
    let kems = KEMS.iter().filter(|_| !is_signature).map(|row| (row.set(), row.name));
    let named: Vec<&str> =
        signatures.chain(kems).filter(|(bit, _)| set.contains(*bit)).map(|(_, name)| name).collect();
    (!named.is_empty()).then(|| named.join(", "))
}
