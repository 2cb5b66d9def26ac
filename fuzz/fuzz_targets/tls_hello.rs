//! ClientHello, ServerHello and HelloRetryRequest messages from untrusted peers, and all other handshake messages that
//! a trace records.
#![no_main]

use grille_tls::hello::Hello;
use grille_tls::trace::Trace;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Some(hello) = Hello::parse(data) {
        // every number in the lists takes two bytes of the message
        assert!(2 * (hello.suites.len() + hello.groups.len() + hello.schemes.len()) <= data.len());
        assert!(hello.shares.iter().all(|(_, len)| *len < data.len()));
    }
    let mut trace = Trace::default();
    trace.transcript(data);
    let noted: usize = trace.messages.iter().map(|message| message.len).sum();
    assert!(noted <= data.len());
});
