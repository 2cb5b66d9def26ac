//! Examples of RFC 9881, appendix C: valid ones are read and written byte for byte, inconsistent ones are refused.

use der::{Decode, Encode};
use grille_pki::{Certificate, Error, PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::Row;
use std::fs;
use std::path::Path;

const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];

fn example(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/rfc9881");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn private_keys_of_each_form_round_trip_byte_for_byte() {
    for set in SETS {
        let public = PublicKey::from_pem_or_der(&example(&format!("{set}.pub"))).unwrap();
        for (suffix, form) in [
            ("seed", PrivateKeyForm::Seed),
            ("expanded", PrivateKeyForm::Expanded),
            ("both", PrivateKeyForm::Both),
        ] {
            let file = example(&format!("{set}-{suffix}.priv"));
            let key = PrivateKey::from_pem_or_der(&file).unwrap();
            assert_eq!(key.row().name(), set);
            assert_eq!(key.public_key().bytes(), public.bytes(), "{set}, {suffix}");
            assert_eq!(key.to_pkcs8_pem(form).unwrap().as_bytes(), file, "{set}, {suffix}");
        }
        assert_eq!(public.to_spki_pem().unwrap().as_bytes(), example(&format!("{set}.pub")), "{set}");
    }
}

#[test]
fn certificates_verify_with_their_own_keys() {
    for set in SETS {
        let certificate = Certificate::from_pem_or_der(&example(&format!("{set}.crt"))).unwrap();
        let key = certificate.public_key().unwrap();
        let public = PublicKey::from_pem_or_der(&example(&format!("{set}.pub"))).unwrap();
        assert_eq!(key.bytes(), public.bytes(), "{set}");
        assert_eq!(certificate.signature_row().unwrap().name(), set);
        let parsed = x509_cert::Certificate::from_der(&certificate.to_der()).unwrap();
        let signed = parsed.tbs_certificate().to_der().unwrap();
        let signature = parsed.signature().as_bytes().unwrap();
        key.verifying_key().unwrap().verify(&signed, b"", signature).unwrap();
    }
}

#[test]
fn rejects_inconsistent_keys() {
    for number in 1..=3 {
        let refused = PrivateKey::from_pem_or_der(&example(&format!("bad-ML-DSA-44-{number}.priv")));
        let error = refused.expect_err("the key is inconsistent");
        assert!(matches!(error, Error::Malformed { .. } | Error::Key { .. }), "{number}: {error}");
    }
}
