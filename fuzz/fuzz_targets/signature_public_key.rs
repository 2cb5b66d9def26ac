//! Public signature keys: the encoding of an accepted key equals the input, and the key rejects the empty signature.
#![no_main]

use grille_fuzz::signature;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((chosen, bytes)) = signature(data) else { return };
    let Ok(key) = chosen.signature.verifying_key(bytes) else { return };
    assert_eq!(key.to_bytes(), bytes);
    assert!(key.verify(b"message", b"", b"").is_err());
});
