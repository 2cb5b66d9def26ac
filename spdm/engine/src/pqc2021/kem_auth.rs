//! KEM authentication: a side that decapsulates with its long-term key proves that it has the key.
//!
//! ```text
//! CHALLENGE_AUTH: mac_key = Expand(HMAC(0, secret), "derive")       the MAC covers M1/M2 and the signature field
//!
//! KEY_EXCHANGE:   e1 = Expand(HMAC(kem, 0),            BinConcat("kem derived"))
//!                 e2 = Expand(HMAC(kem_auth, e1),      BinConcat("kem auth derived"))
//!                 e3 = Expand(HMAC(req_kem_auth, e2),  BinConcat("req kem auth derived"))    req_kem_auth: 0 without mutual
//! ```
//!
//! `e3` replaces the shared secret of the key exchange's KEM. The first argument of HMAC is its key.

use crate::hash::{Hash, MAX_HASH};
use crate::rules::Rules;
use grille_core::SecretBytes;

/// Returns the key of the MAC in CHALLENGE_AUTH. Secret: `secret`, the result.
pub(crate) fn mac_key(hash: &Hash, secret: &SecretBytes) -> SecretBytes {
    let len = hash.output_len();
    let mac_secret = hash.hmac_key(&[0; MAX_HASH][..len], &[secret.as_ref()]);
    hash.expand(mac_secret.as_ref(), &[b"derive"], len)
}

/// The secrets of the KEMs in KEY_EXCHANGE.
pub(crate) struct KemSecrets<'s> {
    /// The key exchange's own KEM.
    pub(crate) kem: &'s SecretBytes,
    /// The KEM that authenticates the responder.
    pub(crate) responder: &'s SecretBytes,
    /// The KEM that authenticates the requester, if negotiated.
    pub(crate) requester: Option<&'s SecretBytes>,
}

/// Returns the secret that replaces the shared secret of the key exchange's KEM. Secret: `secrets`, the result.
pub(crate) fn derive(hash: &Hash, rules: &Rules, secrets: &KemSecrets<'_>) -> SecretBytes {
    let len = hash.output_len();
    let zeros = &[0; MAX_HASH][..len];
    let step = |key: &[u8], data: &[u8], label: &str| {
        let length = u16::try_from(len).expect("hashes are short").to_le_bytes();
        let extracted = hash.hmac_key(key, &[data]);
        let info: [&[u8]; 3] = [&length, &rules.key_schedule.label, label.as_bytes()];
        hash.expand(extracted.as_ref(), &info, len)
    };
    let first = step(secrets.kem.as_ref(), zeros, "kem derived");
    let second = step(secrets.responder.as_ref(), first.as_ref(), "kem auth derived");
    let requester = secrets.requester.map_or(zeros, AsRef::as_ref);
    step(requester, second.as_ref(), "req kem auth derived")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::HASHES;

    fn secret(byte: u8) -> SecretBytes {
        SecretBytes::new(alloc::vec![byte; 32])
    }

    /// The formulas above, computed step by step.
    #[test]
    fn key_schedule_matches_its_formulas() {
        let (hash, rules) = (&HASHES[1], Rules::pqc2021());
        let [kem, responder, requester] = [1, 2, 3].map(secret);
        let info = |label: &str| [&[48, 0], &b"spdm1.1 "[..], label.as_bytes()].concat();
        let expand = |prk: &[u8], label: &str| hash.expand(prk, &[&info(label)], 48);
        let e1 = expand(hash.hmac(kem.as_ref(), &[&[0; 48]]).as_ref(), "kem derived");
        let e2 = expand(hash.hmac(responder.as_ref(), &[e1.as_ref()]).as_ref(), "kem auth derived");
        for requester in [None, Some(&requester)] {
            let key = requester.map_or(alloc::vec![0; 48], |secret| secret.as_ref().to_vec());
            let e3 = expand(hash.hmac(&key, &[e2.as_ref()]).as_ref(), "req kem auth derived");
            let secrets = KemSecrets { kem: &kem, responder: &responder, requester };
            assert_eq!(derive(hash, rules, &secrets).as_ref(), e3.as_ref());
        }
    }

    #[test]
    fn every_secret_changes_the_result() {
        let hash = &HASHES[0];
        let derive = |kem: u8, responder: u8, requester: Option<u8>| {
            let [kem, responder] = [kem, responder].map(secret);
            let requester = requester.map(secret);
            let secrets = KemSecrets { kem: &kem, responder: &responder, requester: requester.as_ref() };
            derive(hash, Rules::pqc2021(), &secrets).as_ref().to_vec()
        };
        let base = derive(1, 2, Some(3));
        for other in [derive(9, 2, Some(3)), derive(1, 9, Some(3)), derive(1, 2, Some(9)), derive(1, 2, None)]
        {
            assert_ne!(base, other);
        }
    }
}
