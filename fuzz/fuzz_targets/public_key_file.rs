//! A public key of any era, SubjectPublicKeyInfo as PEM or DER: what is read is written so that it is read as the same key.
#![no_main]

use grille_fuzz::era;
use grille_pki::{KemPublicKey, PublicKey};
use grille_registry::Row;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((numbers, bytes)) = era(data) else { return };
    if let Ok(key) = PublicKey::from_pem_or_der_in(bytes, numbers) {
        let der = key.to_spki_der().expect("what was read is written");
        let again = PublicKey::from_pem_or_der_in(&der, numbers).expect("what was written is read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
    if let Ok(key) = KemPublicKey::from_pem_or_der_in(bytes, numbers) {
        let der = key.to_spki_der().expect("what was read is written");
        let again = KemPublicKey::from_pem_or_der_in(&der, numbers).expect("what was written is read");
        assert_eq!((again.row().name(), again.bytes()), (key.row().name(), key.bytes()));
    }
});
