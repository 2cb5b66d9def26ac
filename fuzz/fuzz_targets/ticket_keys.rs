//! A file of ticket keys: what is read gets a new key in front, and stays readable.
#![no_main]

use grille_tls::tickets::{MAX_KEYS, SharedKeys, rotated};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = core::str::from_utf8(data) else { return };
    if SharedKeys::from_text(text).is_ok() {
        let rotated = rotated(text, MAX_KEYS).expect("what was read is rotated");
        assert!(SharedKeys::from_text(&rotated).is_ok());
        assert!(rotated.lines().count() > 1);
    }
});
