//! A KEM's private key: what is accepted has a public key that is accepted too.
#![no_main]

use grille_fuzz::kem;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = kem(data) else { return };
    let Ok(key) = row.kem.decaps_key(bytes) else { return };
    assert!(row.kem.encaps_key(&key.encaps_key_bytes()).is_ok());
});
