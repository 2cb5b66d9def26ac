//! Composite keys and certificates of other implementations: OQS-OpenSSL 1.1.1 in 2021, and the authors of the IETF's
//! draft.

use der::{Decode, Encode};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::{Row, signature_by_name};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors").join(name)
}

/// Returns the base names of the `.key` and `.crt` pairs in a folder.
fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = files.filter_map(|name| Some(name.strip_suffix(".key")?.to_owned())).collect();
    names.sort();
    names
}

fn file(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Checks that the certificate belongs to the key and that its signature is valid.
fn check(folder: &Path, name: &str, row: &str) -> PrivateKey {
    let certificate = Certificate::from_pem_or_der(&file(folder, &format!("{name}.crt"))).expect(name);
    let key = PrivateKey::from_pem_or_der(&file(folder, &format!("{name}.key"))).expect(name);
    assert_eq!((key.row().name(), certificate.signature_row().unwrap().name()), (row, row));
    assert_eq!(certificate.public_key().unwrap().bytes(), key.public_key().bytes(), "{name}");
    let parsed = x509_cert::Certificate::from_der(&certificate.to_der()).unwrap();
    let signed = parsed.tbs_certificate().to_der().unwrap();
    let verifying = key.public_key().verifying_key().unwrap();
    verifying.verify(&signed, b"", parsed.signature().as_bytes().unwrap()).expect(name);
    key
}

#[test]
fn oqs_openssl_keys_and_certificates_round_trip_byte_for_byte() {
    let oqs = folder("oqs");
    let names = names(&oqs);
    for name in &names {
        let row = if name.contains("falcon") { format!("{name}_2020") } else { name.clone() };
        let key = check(&oqs, name, &row);
        let written = key.to_pkcs8_pem(PrivateKeyForm::default_for(key.row())).unwrap();
        assert_eq!(written.as_bytes(), file(&oqs, &format!("{name}.key")), "{name}");
    }
    assert_eq!(names.len(), 11);
}

#[test]
fn draft_keys_and_certificates_round_trip_byte_for_byte() {
    let draft = folder("composite");
    let names = names(&draft);
    for name in &names {
        let key = check(&draft, name, name);
        let written = key.to_pkcs8_pem(PrivateKeyForm::default_for(key.row())).unwrap();
        assert_eq!(written.as_bytes(), file(&draft, &format!("{name}.key")), "{name}");
    }
    assert_eq!(names.len(), 18);
}

#[test]
fn signatures_of_the_draft_with_a_context_verify() {
    let draft = folder("composite");
    let text = String::from_utf8(file(&draft, "with-context.txt")).unwrap();
    for line in text.lines() {
        let (name, hex) = line.split_once(' ').unwrap();
        let name = name.trim_matches('"');
        let bytes = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let signature: Vec<u8> = (0..hex.len()).step_by(2).map(bytes).collect();
        let key = PrivateKey::from_pem_or_der(&file(&draft, &format!("{name}.key"))).unwrap();
        let verifying = key.public_key().verifying_key().unwrap();
        assert_eq!(verifying.verify(MESSAGE, CONTEXT, &signature), Ok(()), "{name}");
        assert!(verifying.verify(MESSAGE, b"", &signature).is_err(), "{name}");
    }
    assert_eq!(text.lines().count(), 18);
}

const MESSAGE: &[u8] = b"The quick brown fox jumps over the lazy dog.";
const CONTEXT: &[u8] = b"The lethargic, colorless dog sat beneath the energetic, stationary fox.";

#[test]
fn composite_key_has_one_form() {
    for name in ["p256_falcon512", "MLDSA44-ECDSA-P256-SHA256"] {
        let row = signature_by_name(name).unwrap();
        let key = PrivateKey::generate(row, &mut grille_core::SystemRng).unwrap();
        for form in [PrivateKeyForm::Seed, PrivateKeyForm::Both, PrivateKeyForm::Native] {
            let error = key.to_pkcs8_der(form).expect_err("only one form exists").to_string();
            assert!(error.contains("only one form"), "{error}");
        }
    }
}
