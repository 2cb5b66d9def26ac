//! Private signature keys: the public key of an accepted key is accepted too, and verifies the signatures of the
//! private key. Hash-based keys sign nothing here, because they are slow.
#![no_main]

use grille_fuzz::{Counter, signature};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((chosen, bytes)) = signature(data) else { return };
    let Ok(key) = chosen.signature.signing_key(bytes) else { return };
    let public = chosen
        .signature
        .verifying_key(&key.verifying_key_bytes())
        .expect("the public key of an accepted key is valid");
    if !chosen.is_hash_based {
        let signature =
            key.sign(b"message", b"", &mut Counter::default()).expect("an empty context is short enough");
        assert_eq!(public.verify(b"message", b"", &signature), Ok(()));
    }
});
