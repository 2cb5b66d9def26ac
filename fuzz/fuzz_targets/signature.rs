//! Signatures: a forged signature never verifies.
#![no_main]

use grille_fuzz::{ChosenSignature, Counter, signature};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Cached verifying keys, by algorithm. Generating a key can take longer than the rest of the target.
static KEYS: Mutex<BTreeMap<&str, Vec<u8>>> = Mutex::new(BTreeMap::new());

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((ChosenSignature { signature, .. }, bytes)) = signature(data) else { return };
    let mut keys = KEYS.lock().expect("only one thread takes the lock");
    let generate = || signature.generate(&mut Counter::default()).verifying_key_bytes();
    let key = keys.entry(signature.info().name).or_insert_with(generate);
    let key = signature.verifying_key(key).expect("a fresh key is valid");
    assert!(key.verify(b"message", b"", bytes).is_err());
});
