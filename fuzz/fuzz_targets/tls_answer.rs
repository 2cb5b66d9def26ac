//! Arbitrary answers to a ClientHello, as a scanned server may send them.
#![no_main]

use grille_tls::scan::hello::{Answer, read};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    match read(&mut rest) {
        // a record header has 5 bytes, and an alert has 2 more; hello messages are longer
        Ok(Answer::Closed) => assert!(data.len() < 5),
        Ok(Answer::Alert(_)) => assert_eq!(data.len() - rest.len(), 7),
        Ok(Answer::Retry(_) | Answer::OldVersion(_)) => assert!(data.len() - rest.len() > 40),
        Ok(Answer::Accepted(_, len)) => assert!(len < data.len() - rest.len()),
        Err(_) => (),
    }
});
