//! Files of ticket keys: a file that was read can be rotated. The rotated file has one more key at the top, and can be
//! read again.
#![no_main]

use grille_tls::tickets::{MAX_KEYS, SharedKeys, rotate};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = core::str::from_utf8(data) else { return };
    if SharedKeys::from_text(text).is_ok() {
        let rotated = rotate(text, MAX_KEYS).expect("a file that was read can be rotated");
        assert!(SharedKeys::from_text(&rotated).is_ok());
        assert!(rotated.lines().count() > 1);
    }
});
