//! KEM ciphertexts: decapsulation accepts only ciphertexts of the right length.
#![no_main]

use grille_fuzz::{Counter, kem};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = kem(data) else { return };
    let key = row.kem.generate(&mut Counter::default());
    assert!(key.decapsulate(bytes).is_err() || bytes.len() == row.kem.info().ciphertext_len);
});
