//! Network captures: whatever is in them, every conversation that is found has a client who spoke first.
#![no_main]

use grille_tls::hello::Kind;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for talk in grille_tls_capture::read(data).conversations {
        assert_eq!(talk.hellos[0].0.kind, Kind::ClientHello);
        assert!(talk.hellos.iter().all(|(_, len)| *len <= data.len()));
    }
});
