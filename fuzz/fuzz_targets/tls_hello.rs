//! A ClientHello, ServerHello or HelloRetryRequest of anybody; and any messages of a handshake, as a trace notes them.
#![no_main]

use grille_tls::hello::Hello;
use grille_tls::trace::Trace;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(hello) = Hello::parse(data) {
        // lists come out of the message, number by number
        assert!(2 * (hello.suites.len() + hello.groups.len() + hello.schemes.len()) <= data.len());
        assert!(hello.shares.iter().all(|(_, len)| *len < data.len()));
    }
    let mut trace = Trace::default();
    trace.transcript(data);
    let noted: usize = trace.messages.iter().map(|message| message.len).sum();
    assert!(noted <= data.len());
});
