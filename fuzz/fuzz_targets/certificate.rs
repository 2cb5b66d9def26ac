//! Certificate chains, PEM or DER, with the object identifiers of any era: a chain that was read can be displayed and
//! written, and is not trusted without a root.
#![no_main]

use grille_fuzz::era;
use grille_pki::Certificate;
use grille_pki::verify::{Purpose, Requirements, verify_chain};
use std::time::Duration;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((numbers, bytes)) = era(data) else { return };
    let Ok(chain) = Certificate::chain_from_pem(bytes) else { return };
    let chain: Vec<_> = chain.into_iter().map(|certificate| certificate.in_era(numbers)).collect();
    for certificate in &chain {
        let _ = (certificate.text(), certificate.public_key(), certificate.names());
        let again = Certificate::from_pem_or_der(&certificate.to_der())
            .expect("a certificate that was read can be read again");
        assert_eq!(again.to_der(), certificate.to_der());
    }
    let requirements =
        Requirements { time: Duration::ZERO, purpose: Purpose::Server, name: Some("localhost") };
    let refused = verify_chain(&chain[0], &chain[1..], &[], &requirements);
    assert!(refused.is_err(), "a chain without a trusted root was trusted");
});
