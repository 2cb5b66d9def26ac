//! A KEM's public key: what is accepted encapsulates, and is written as it was read.
#![no_main]

use grille_fuzz::{Counter, kem};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = kem(data) else { return };
    let Ok(key) = row.kem.encaps_key(bytes) else { return };
    assert_eq!(key.to_bytes(), bytes);
    assert_eq!(key.encapsulate(&mut Counter::default()).ciphertext.len(), row.kem.info().ciphertext_len);
});
