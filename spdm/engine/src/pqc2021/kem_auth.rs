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

use crate::hash::{Hash, MAX_HASH_LEN};
use crate::rules::Rules;
use grille_core::SecretBytes;

/// Returns the key of the MAC in CHALLENGE_AUTH. Secret: `secret`, the result.
pub(crate) fn mac_key(hash: &Hash, secret: &SecretBytes) -> SecretBytes {
    let len = hash.output_len();
    let mac_secret = hash.hmac_key(&[0; MAX_HASH_LEN][..len], &[secret.as_ref()]);
    hash.expand(mac_secret.as_ref(), &[b"derive"], len)
}

/// The secrets of the KEMs in KEY_EXCHANGE.
pub(crate) struct KemSecrets<'s> {
    /// The key exchange's own KEM; empty if there is only a DHE group.
    pub(crate) kem: &'s SecretBytes,
    /// The KEM that authenticates the responder.
    pub(crate) responder: &'s SecretBytes,
    /// The KEM that authenticates the requester, if negotiated.
    pub(crate) requester: Option<&'s SecretBytes>,
}

/// Returns the secret that replaces the shared secret of the key exchange's KEM. Secret: `secrets`, the result.
pub(crate) fn derive(hash: &Hash, rules: &Rules, secrets: &KemSecrets<'_>) -> SecretBytes {
    let len = hash.output_len();
    let zeros = &[0; MAX_HASH_LEN][..len];
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
    use crate::key_schedule::tests::hex;
    use alloc::vec::Vec;

    fn secret(byte: u8) -> SecretBytes {
        SecretBytes::new(alloc::vec![byte; 32])
    }

    /// The expected values were computed with Python's hmac and hashlib.
    #[test]
    fn key_schedule_has_known_values() {
        let (hash, rules) = (&HASHES[1], Rules::pqc2021());
        let [kem, responder, requester] = [1, 2, 3].map(secret);
        for (requester, expected) in [
            (
                None,
                "70eb894fc683793b4de02cf70e8bc66af2888c65f058372d\
                 7f1f2c72f4b3f8829ff75b315216862b00381604125b32ed",
            ),
            (
                Some(&requester),
                "ed5f38ae1887836299712db751ecf7b0b421630f1d5761c9\
                 f52ca156b60cc94e78a4462b22ef96f18bf20996b64634aa",
            ),
        ] {
            let secrets = KemSecrets { kem: &kem, responder: &responder, requester };
            assert_eq!(hex(derive(hash, rules, &secrets)), expected);
        }
    }

    /// A key exchange with a DHE group only.
    #[test]
    fn key_schedule_has_a_known_value_without_a_kem() {
        let [kem, responder] = [SecretBytes::new(Vec::new()), secret(2)];
        let secrets = KemSecrets { kem: &kem, responder: &responder, requester: None };
        let expected = "665b45a51422d551e8f7912512d93e82c4f1e15a3afc7c31\
                        975bc2d42314e835cf348881ce97b639a8f616d94ba8f817";
        assert_eq!(hex(derive(&HASHES[1], Rules::pqc2021(), &secrets)), expected);
    }

    #[test]
    fn mac_key_has_a_known_value() {
        let expected = "9f6d99540554df5f9777a026e53a02f1053cfb81c8fd75bc\
                        c62795d5f7a1fa74b831737c86d5ff27c5d70e0b7340ce00";
        assert_eq!(hex(mac_key(&HASHES[1], &secret(1))), expected);
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
