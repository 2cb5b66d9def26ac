//! Public keys, SubjectPublicKeyInfo as PEM or DER, with the object identifiers of any era: a key that was read can be
//! written, and reading it again gives the same key.
#![no_main]

use grille_fuzz::era;
use grille_pki::{KemPublicKey, PublicKey};
use grille_registry::Row;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((numbers, bytes)) = era(data) else { return };
    if let Ok(key) = PublicKey::from_pem_or_der_in(bytes, numbers) {
        let der = key.to_spki_der().expect("a key that was read can be written");
        let again = PublicKey::from_pem_or_der_in(&der, numbers).expect("a written key can be read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
    if let Ok(key) = KemPublicKey::from_pem_or_der_in(bytes, numbers) {
        let der = key.to_spki_der().expect("a key that was read can be written");
        let again = KemPublicKey::from_pem_or_der_in(&der, numbers).expect("a written key can be read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
});
