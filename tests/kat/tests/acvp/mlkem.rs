//! Vectors of FIPS 203.

use super::file::{Bytes, groups};
use grille_core::DynKem;
use grille_kat::replay::Replay;
use grille_mlkem::erased;
use serde::Deserialize;

const FILE: &str = include_str!("../../../../vectors/acvp/ml-kem.json");

fn kem(name: &str) -> &'static dyn DynKem {
    match name {
        "ML-KEM-512" => &erased::MlKem512,
        "ML-KEM-768" => &erased::MlKem768,
        "ML-KEM-1024" => &erased::MlKem1024,
        other => panic!("unknown parameter set {other}"),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyGen {
    tc_id: u32,
    d: Bytes,
    z: Bytes,
    ek_sha256: Bytes,
    dk_sha256: Bytes,
}

#[test]
fn expands_seeds_to_the_expected_keys() {
    for group in groups::<KeyGen>(FILE, "keyGen") {
        let kem = kem(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {}", group.parameter_set, case.tc_id);
            let key = kem.decaps_key_from_seed(&[&*case.d, &*case.z].concat()).expect(&name);
            assert!(case.ek_sha256.is_digest(&key.encaps_key_bytes()), "{name}");
            assert!(case.dk_sha256.is_digest(key.to_bytes().as_ref()), "{name}");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Encapsulation {
    tc_id: u32,
    ek: Bytes,
    m: Bytes,
    c_sha256: Bytes,
    k: Bytes,
}

#[test]
fn encapsulates_to_the_expected_ciphertexts() {
    for group in groups::<Encapsulation>(FILE, "encapsulation") {
        let kem = kem(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {}", group.parameter_set, case.tc_id);
            let mut m = Replay::new(&case.m);
            let sent = kem.encaps_key(&case.ek).expect(&name).encapsulate(&mut m);
            assert!(m.is_empty(), "{name}");
            assert!(case.c_sha256.is_digest(&sent.ciphertext), "{name}");
            assert_eq!(sent.secret.as_ref(), &*case.k, "{name}");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Decapsulation {
    tc_id: u32,
    reason: String,
    c: Bytes,
    k: Bytes,
}

#[test]
fn decapsulates_valid_and_modified_ciphertexts() {
    for group in groups::<Decapsulation>(FILE, "decapsulation") {
        let kem = kem(&group.parameter_set);
        let key = kem.decaps_key(&group.dk).expect("the key is valid");
        let modified = group.tests.iter().filter(|case| case.reason == "modify ciphertext").count();
        assert!((1..group.tests.len()).contains(&modified), "{modified} modified ciphertexts");
        for case in group.tests {
            let name = format!("{} {} ({})", group.parameter_set, case.tc_id, case.reason);
            assert_eq!(key.decapsulate(&case.c).expect(&name).as_ref(), &*case.k, "{name}");
            let once = kem.decapsulate_encoded(&group.dk, &case.c).expect(&name);
            assert_eq!(once.as_ref(), &*case.k, "{name}");
        }
    }
}
