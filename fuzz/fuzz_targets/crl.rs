//! Revocation lists, PEM or DER: a list that was read can be written and read again. No list makes a chain trusted that
//! has no trusted root.
#![no_main]

use grille_pki::verify::{Purpose, Requirements, Trust};
use grille_pki::{Certificate, Crl};
use std::sync::LazyLock;
use std::time::Duration;

/// The certificate whose revocation status is looked up in the lists.
static CERTIFICATE: LazyLock<Certificate> = LazyLock::new(|| {
    let der = include_bytes!("../../vectors/x509/ec-p256-sha384.crt");
    Certificate::from_pem_or_der(der).expect("the certificate of the repository can be read")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(lists) = Crl::all_from_pem(data) else { return };
    for list in &lists {
        let (issued, due) = list.validity();
        let _ = (list.issuer(), issued, due);
        let again =
            Crl::all_from_pem(list.to_pem().expect("a short list").as_bytes()).expect("a list that was read");
        assert_eq!(again.iter().map(Crl::as_der).collect::<Vec<_>>(), [list.as_der()]);
    }
    let trust = Trust { roots: &[], algorithms: &[], numbers: Default::default(), crls: &lists };
    let requirements = Requirements { time: Duration::ZERO, purpose: Purpose::Server, name: None };
    assert!(
        trust.verify_chain(&CERTIFICATE, &[], &requirements).is_err(),
        "a chain without a trusted root was trusted"
    );
});
