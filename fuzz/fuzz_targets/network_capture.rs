//! Network captures: in every conversation that is found, the first message is a ClientHello.
#![no_main]

use grille_tls::hello::Kind;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for conversation in grille_tls_capture::read(data).conversations {
        assert_eq!(conversation.hellos[0].0.kind, Kind::ClientHello);
        assert!(conversation.hellos.iter().all(|(_, len)| *len <= data.len()));
    }
});
