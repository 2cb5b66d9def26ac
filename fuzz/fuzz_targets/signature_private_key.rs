//! A signature's private key: what is accepted has a public key that is accepted too, and signs for it.
#![no_main]

use grille_fuzz::{Counter, signature};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((row, bytes)) = signature(data) else { return };
    let Ok(key) = row.signature.signing_key(bytes) else { return };
    let public = row.signature.verifying_key(&key.verifying_key_bytes()).expect("its own key");
    // hash-based ones sign with any key, and take long
    if !row.family.is_hash_based() {
        let signature = key.sign(b"message", b"", &mut Counter::default()).expect("no context");
        assert_eq!(public.verify(b"message", b"", &signature), Ok(()));
    }
});
