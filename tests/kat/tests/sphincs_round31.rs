//! Compares SPHINCS+ of round 3.1 with PQClean's digests of the first known answer. For the robust sets these are the
//! only known answers, because no release of liboqs has these sets.
//!
//! A digest is SHA-256 of the text of the record with count 0 in the form of NIST's files.

use crate::{is_emulated, is_small_set};
use grille_kat::drbg::CtrDrbg;
use grille_kat::nist::{hex, signature_record};
use grille_kat::signature_inputs;
use grille_registry::{Row, SIGNATURES, signature_by_name};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

const DIGESTS: &str = include_str!("../../../vectors/sphincs/pqclean.json");

#[test]
fn makes_the_first_answer_of_every_set() {
    let digests: BTreeMap<String, String> = serde_json::from_str(DIGESTS).expect("names and digests");
    let is_round31 =
        |name: &&str| ["SPHINCS+-SHA2-", "SPHINCS+-SHAKE-"].iter().any(|start| name.starts_with(start));
    let sets: BTreeSet<&str> = SIGNATURES.iter().map(Row::name).filter(is_round31).collect();
    assert!(digests.keys().map(String::as_str).eq(sets), "a digest of each set");
    for (name, digest) in digests.into_iter().filter(|(name, _)| !(is_emulated() && is_small_set(name))) {
        assert_eq!(hex(&Sha256::digest(first_record(&name))).to_lowercase(), digest, "{name}");
    }
}

/// Formats the record with count 0 like NIST's generator of known answers.
fn first_record(name: &str) -> String {
    let scheme = signature_by_name(name).expect("the table has the row").signature;
    let (seed, message) = signature_inputs().next().expect("the iterator is infinite");
    let mut drbg = CtrDrbg::new(&seed);
    let key = scheme.generate(&mut drbg);
    let mut signed = key.sign(&message, b"", &mut drbg).expect("an empty context is short enough");
    scheme
        .verifying_key(&key.verifying_key_bytes())
        .and_then(|key| key.verify(&message, b"", &signed))
        .expect("the signature is the key's");
    signed.extend(&message);
    let keys = [&key.verifying_key_bytes()[..], key.to_bytes().as_ref()].map(hex);
    signature_record(0, &seed, &message, &keys, &signed)
}
