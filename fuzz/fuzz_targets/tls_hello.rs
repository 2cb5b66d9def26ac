//! A ClientHello, ServerHello or HelloRetryRequest of anybody; a server that is scanned answers what it likes.
#![no_main]

use grille_tls::hello::Hello;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(hello) = Hello::parse(data) {
        // lists come out of the message, number by number
        assert!(2 * (hello.suites.len() + hello.groups.len() + hello.schemes.len()) <= data.len());
        assert!(hello.shares.iter().all(|(_, len)| *len < data.len()));
    }
});
