//! The dialect as part of the policy of an attestation.

use super::dialect::Dialect;
use crate::hex;
use crate::spdm::appraisal::identity::Fingerprint;
use grille_spdm_engine::pqc2021::{PublicKeyMode, Set};
use serde_json::{Value, json};

impl Dialect {
    /// Returns everything in the dialect that influences a verdict; `None` for the standard.
    pub(crate) fn policy(&self) -> Option<Value> {
        let options = self.options?;
        let algorithms = options.algorithms;
        let mut keys: Vec<String> = self.peer.bytes().map(|key| Fingerprint::new(key).to_string()).collect();
        keys.sort();
        Some(json!({
            "certificates": options.public_keys == PublicKeyMode::Certificate,
            "keys": keys,
            "kem": bits(algorithms.kem),
            "kem_auth": bits(algorithms.kem_auth),
            "req_kem_auth": bits(algorithms.req_kem_auth),
            "req_signature": bits(algorithms.req_signature),
            "signature": bits(algorithms.signature),
            "sphincs_round3": options.sphincs_round3,
            "strict": options.strict,
        }))
    }
}

fn bits(set: Set) -> String {
    hex::encode(&set.to_bytes()).to_string()
}
