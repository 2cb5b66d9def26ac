//! Certificate requests, PEM or DER, with the object identifiers of any era: a request that was read can be displayed,
//! checked and written.
#![no_main]

use grille_fuzz::era;
use grille_pki::Request;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((numbers, bytes)) = era(data) else { return };
    let Ok(request) = Request::from_pem_or_der(bytes) else { return };
    let request = request.in_era(numbers);
    let _ = (request.subject(), request.names(), request.public_key(), request.verify());
    let pem = request.to_pem().expect("a request that was read can be written");
    let again = Request::from_pem_or_der(pem.as_bytes()).expect("a written request can be read");
    assert_eq!(again.to_der(), request.to_der());
});
