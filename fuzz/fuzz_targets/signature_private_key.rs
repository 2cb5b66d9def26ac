//! A signature's private key: what is accepted has a public key that is accepted too.
#![no_main]

use grille_fuzz::signature;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = signature(data) else { return };
    let Ok(key) = row.signature.signing_key(bytes) else { return };
    assert!(row.signature.verifying_key(&key.verifying_key_bytes()).is_ok());
});
