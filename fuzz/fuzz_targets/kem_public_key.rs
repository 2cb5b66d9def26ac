//! KEM public keys: an accepted key encapsulates, and its encoding equals the input.
#![no_main]

use grille_fuzz::{Counter, kem};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = kem(data) else { return };
    let Ok(key) = row.kem.encaps_key(bytes) else { return };
    assert_eq!(key.to_bytes(), bytes);
    assert_eq!(key.encapsulate(&mut Counter::default()).ciphertext.len(), row.kem.info().ciphertext_len);
});
