//! A signature: none that the fuzzer makes up verifies.
#![no_main]

use grille_fuzz::{Counter, signature};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = signature(data) else { return };
    let key = row.signature.generate(&mut Counter::default());
    let key = row.signature.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
    assert!(key.verify(b"message", b"", bytes).is_err());
});
