//! A public key, SubjectPublicKeyInfo as PEM or DER: what is read is written so that it is read as the same key.
#![no_main]

use grille_pki::{KemPublicKey, PublicKey};
use grille_registry::Row;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(key) = PublicKey::from_pem_or_der(data) {
        let der = key.to_spki_der().expect("what was read is written");
        let again = PublicKey::from_pem_or_der(&der).expect("what was written is read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
    if let Ok(key) = KemPublicKey::from_pem_or_der(data) {
        let der = key.to_spki_der().expect("what was read is written");
        let again = KemPublicKey::from_pem_or_der(&der).expect("what was written is read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
});
