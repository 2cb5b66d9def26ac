//! Requests for keys that cannot sign, RFC 9883.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, issue_from_csr, self_signed};
use grille_pki::verify::{Purpose, Requirements, verify_chain};
use grille_pki::{Certificate, Error, KemPrivateKey, PrivateKey, Request, now};
use grille_registry::{kem_by_name, signature_by_name};

fn key(algorithm: &str) -> PrivateKey {
    PrivateKey::generate(signature_by_name(algorithm).unwrap(), &mut SystemRng).unwrap()
}

struct Issuer {
    certificate: Certificate,
    key: PrivateKey,
}

impl Issuer {
    fn new() -> Self {
        let key = key("ML-DSA-65");
        let template = Template::new("CN=issuer", Profile::Root).unwrap();
        Self { certificate: self_signed(&template, &key, &mut SystemRng).unwrap(), key }
    }

    /// Issues a signing certificate for this subject; returns it with its key.
    fn signer(&self, subject: &str) -> (Certificate, PrivateKey) {
        let own = key("ML-DSA-44");
        let names = Profile::end_entity(&["host.example", "other.example"]).unwrap();
        let template = Template::new(subject, names).unwrap();
        let issued = issue(&template, own.public_key(), &self.certificate, &self.key, &mut SystemRng);
        (issued.unwrap(), own)
    }

    fn grant(&self, request: &Request) -> Result<Certificate, Error> {
        let template = Template::new("CN=ignored", Profile::end_entity(&[]).unwrap()).unwrap();
        issue_from_csr(&template, request, &self.certificate, &self.key, &mut SystemRng)
    }
}

fn kem(name: &str) -> KemPrivateKey {
    KemPrivateKey::generate(kem_by_name(name).unwrap(), &mut SystemRng).unwrap()
}

#[test]
fn grants_requests_for_kem_keys() {
    let issuer = Issuer::new();
    let (signer, signer_key) = issuer.signer("CN=host");
    for name in ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X25519"] {
        let kem = kem(name);
        let request =
            Request::for_kem(&["host.example"], kem.public_key(), &signer, &signer_key, &mut SystemRng);
        let request = Request::from_pem_or_der(request.unwrap().to_pem().unwrap().as_bytes()).unwrap();
        request.verify().unwrap();
        assert_eq!(request.subject(), "CN=host");
        assert_eq!(request.signer().unwrap().unwrap().as_der(), signer.as_der());
        let granted = issuer.grant(&request).unwrap();
        assert_eq!(granted.kem_key().unwrap().bytes(), kem.public_key().bytes(), "{name}");
        assert_eq!(
            (granted.subject(), granted.names()),
            ("CN=host".to_owned(), vec!["host.example".to_owned()])
        );
        let requirements =
            Requirements { time: now(), purpose: Purpose::KeyEncapsulation, name: Some("host.example") };
        verify_chain(&granted, &[], std::slice::from_ref(&issuer.certificate), &requirements).unwrap();
    }
}

#[test]
fn rejects_invalid_statements_of_possession() {
    let (issuer, unrelated) = (Issuer::new(), Issuer::new());
    let kem = kem("ML-KEM-768");
    let ask = |(signer, key): &(Certificate, PrivateKey), names: &[&str]| {
        Request::for_kem(names, kem.public_key(), signer, key, &mut SystemRng).unwrap()
    };
    let own = issuer.signer("CN=host");
    issuer.grant(&ask(&own, &[])).unwrap();
    // a request for a name that the signer's certificate does not have, and a signer's certificate of another issuer
    let refused = issuer.grant(&ask(&own, &["bank.example"])).unwrap_err().to_string();
    assert!(refused.contains("bank.example"), "{refused}");
    let foreign = unrelated.signer("CN=host");
    assert!(issuer.grant(&ask(&foreign, &[])).is_err());
    // a key that does not belong to the certificate
    let other = Request::for_kem(&[], kem.public_key(), &own.0, &foreign.1, &mut SystemRng);
    assert!(matches!(other, Err(Error::OtherKey { .. })));
    // a damaged signature
    let mut der = ask(&own, &[]).to_der();
    *der.last_mut().unwrap() ^= 1;
    let damaged = Request::from_pem_or_der(&der).unwrap();
    assert!(matches!(damaged.verify(), Err(Error::Signature { .. })));
}

/// Replaces the first occurrence of `from` by `to`.
fn replace_bytes(der: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = der.windows(from.len()).position(|window| window == from).unwrap();
    [&der[..at], to, &der[at + from.len()..]].concat()
}

#[test]
fn rejects_a_statement_that_names_another_certificate() {
    let issuer = Issuer::new();
    let (signer, signer_key) = issuer.signer("CN=host");
    let request = Request::for_kem(&[], kem("ML-KEM-512").public_key(), &signer, &signer_key, &mut SystemRng);
    let der = request.unwrap().to_der();
    // in the request, the serial number in the statement precedes that in the signer's certificate
    let serial: Vec<u8> = signer
        .serial()
        .as_bytes()
        .chunks(2)
        .map(|digits| u8::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap())
        .collect();
    let mut other = serial.clone();
    other[5] ^= 1;
    let altered = Request::from_pem_or_der(&replace_bytes(&der, &serial, &other)).unwrap();
    let refused = altered.verify().unwrap_err().to_string();
    assert!(refused.contains("contains a different certificate than the one that it names"), "{refused}");
}
