//! Certificates of every registered algorithm and chains of them: valid ones verify, invalid ones are refused with
//! the reason.

use crate::rows;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, issue_from_csr, self_signed};
use grille_pki::verify::{Purpose, Requirements, check_key_matches, verify_chain, verify_ordered_chain};
use grille_pki::{Certificate, Error, PrivateKey, Request, now};
use grille_registry::{SignatureRow, signature_by_name};
use std::time::Duration;
use x509_cert::ext::pkix::{KeyUsage, KeyUsages};

const DAY: Duration = Duration::from_hours(24);
const NAME: &str = "host.example";

/// A certificate and its key.
struct Party {
    certificate: Certificate,
    key: PrivateKey,
}

fn key(row: &'static SignatureRow) -> PrivateKey {
    PrivateKey::generate(row, &mut SystemRng).unwrap()
}

fn row(name: &str) -> &'static SignatureRow {
    signature_by_name(name).unwrap()
}

fn root(row: &'static SignatureRow) -> Party {
    issue_root(&Template::new("CN=root", Profile::Root).unwrap(), row)
}

fn issue_root(template: &Template, row: &'static SignatureRow) -> Party {
    let key = key(row);
    Party { certificate: self_signed(template, &key, &mut SystemRng).unwrap(), key }
}

impl Party {
    fn issue(&self, template: &Template, row: &'static SignatureRow) -> Self {
        let key = key(row);
        let issued = issue(template, key.public_key(), &self.certificate, &self.key, &mut SystemRng);
        Self { certificate: issued.unwrap(), key }
    }

    fn intermediate(&self, row: &'static SignatureRow, path_len: u8) -> Self {
        let subject = format!("CN=intermediate {path_len}");
        self.issue(&Template::new(&subject, Profile::Intermediate { path_len }).unwrap(), row)
    }

    fn leaf(&self, row: &'static SignatureRow) -> Self {
        self.issue(&leaf_template(), row)
    }
}

fn leaf_template() -> Template {
    Template::new("CN=leaf,O=grille", Profile::end_entity(&[NAME, "127.0.0.1", "::1"]).unwrap()).unwrap()
}

fn verify(leaf: &Party, intermediates: &[&Party], root: &Party) -> Result<(), Error> {
    verify_at(now(), leaf, intermediates, root)
}

fn verify_at(time: Duration, leaf: &Party, between: &[&Party], root: &Party) -> Result<(), Error> {
    let between: Vec<_> = between.iter().map(|party| party.certificate.clone()).collect();
    let roots = [root.certificate.clone()];
    let requirements = Requirements { time, purpose: Purpose::Server, name: Some(NAME) };
    verify_chain(&leaf.certificate, &between, &roots, &requirements)
}

/// Asserts that the refusal contains `reason` and names the certificate at fault.
fn assert_refused(result: Result<(), Error>, subject: &str, reason: &str) {
    let error = result.unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(
            error,
            Error::Chain { .. }
                | Error::Expired { .. }
                | Error::NotYetValid { .. }
                | Error::NoRoot { .. }
                | Error::OtherIssuer { .. }
        ) && text.contains(reason)
            && text.contains(subject),
        "{text}"
    );
}

#[test]
fn chains_of_every_algorithm_verify() {
    for row in rows::quick() {
        let root = root(row);
        let intermediate = root.intermediate(row, 0);
        let leaf = intermediate.leaf(row);
        verify(&leaf, &[&intermediate], &root).unwrap();
        check_key_matches(&leaf.certificate, &leaf.key).unwrap();
        for party in [&root, &intermediate, &leaf] {
            assert_eq!(
                party.certificate.signature_row().unwrap().signature.info().name,
                row.signature.info().name
            );
            let pem = party.certificate.to_pem().unwrap();
            let read = Certificate::from_pem_or_der(pem.as_bytes()).unwrap();
            assert_eq!(read.to_der(), party.certificate.to_der());
            assert_eq!(&read.public_key().unwrap(), party.key.public_key());
        }
    }
}

/// Uses one key and one signature of each slow algorithm.
#[test]
fn roots_of_slow_algorithms_verify_their_own_signature() {
    for row in rows::with_oid().filter(|row| rows::is_slow(row)) {
        let Party { certificate, key } = root(row);
        check_key_matches(&certificate, &key).unwrap();
        certificate.check_own_signature().unwrap();
        assert_eq!(certificate.signature_row().unwrap().signature.info().name, row.signature.info().name);
    }
}

#[test]
fn chains_may_mix_algorithms() {
    let rows =
        ["ML-DSA-87", "Ed25519", "Dilithium3", "ECDSA-P384-SHA384", "ML-DSA-44", "Dilithium5-AES"].map(row);
    for window in rows.windows(3) {
        let &[first, second, third] = window else { unreachable!("windows of three") };
        let root = root(first);
        let intermediate = root.intermediate(second, 0);
        verify(&intermediate.leaf(third), &[&intermediate], &root).unwrap();
    }
}

#[test]
fn rejects_times_outside_the_validity_period() {
    let root = root(row("ML-DSA-44"));
    let now = now();
    let leaf = root.issue(&leaf_template().valid(now - DAY, now + DAY), row("ML-DSA-44"));
    verify(&leaf, &[], &root).unwrap();
    assert_refused(verify_at(now + DAY * 2, &leaf, &[], &root), "CN=leaf", "expired on 20");
    assert_refused(verify_at(now - DAY * 2, &leaf, &[], &root), "CN=leaf", "is not valid before 20");
    let old = Template::new("CN=old root", Profile::Root).unwrap().valid(now - DAY * 3, now - DAY);
    let old = issue_root(&old, row("ML-DSA-44"));
    assert_refused(verify(&old.leaf(row("ML-DSA-44")), &[], &old), "CN=old root", "expired on 20");
}

/// Uses a clock at the start of 1970, and a clock at the largest representable time.
#[test]
fn extreme_clocks_never_give_unrepresentable_times() {
    let issued = |now| {
        let template = Template::at(now, "CN=root", Profile::Root).unwrap();
        self_signed(&template, &key(row("ECDSA-P256")), &mut SystemRng)
    };
    assert!(issued(Duration::ZERO).is_ok());
    assert!(issued(Duration::MAX).is_err());
}

#[test]
fn rejects_another_root_of_the_same_name() {
    let (own, foreign) = (root(row("ML-DSA-44")), root(row("ML-DSA-44")));
    let forged = verify(&foreign.leaf(row("ML-DSA-44")), &[], &own);
    let (certificate, root_name) = ("CN=leaf,O=grille".to_owned(), Some("CN=root".to_owned()));
    assert_eq!(forged, Err(Error::OtherIssuer { certificate, root_name }));
    let other = issue_root(&Template::new("CN=other", Profile::Root).unwrap(), row("ML-DSA-44"));
    let untrusted = verify(&own.leaf(row("ML-DSA-44")), &[], &other);
    assert!(matches!(&untrusted, Err(Error::NoRoot { issuer: Some(_), .. })), "{untrusted:?}");
    assert_refused(untrusted, "CN=leaf", "not one of the given roots");
}

#[test]
fn ordered_chain_rejects_unused_certificates() {
    let ml_dsa = row("ML-DSA-44");
    let root = root(ml_dsa);
    let upper = root.intermediate(ml_dsa, 1);
    let lower = upper.intermediate(ml_dsa, 0);
    let leaf = lower.leaf(ml_dsa);
    // `other` has the name of the root, and `twin` has the name of an issuer in the chain
    let (other, twin) = (self::root(ml_dsa), root.intermediate(ml_dsa, 0));
    let line = |issuers: &[&Party]| {
        let issuers: Vec<_> = issuers.iter().map(|party| party.certificate.clone()).collect();
        let requirements = Requirements { time: now(), purpose: Purpose::Server, name: Some(NAME) };
        verify_ordered_chain(&leaf.certificate, &issuers, &root.certificate, &requirements)
    };
    line(&[&root, &upper, &lower]).unwrap();
    line(&[&upper, &lower]).unwrap();
    for (issuers, subject) in [
        (&[&other, &upper, &lower][..], "CN=root"),
        (&[&upper, &root, &lower], "CN=root"),
        (&[&lower, &upper], "CN=intermediate"),
        (&[&upper, &upper, &lower], "CN=intermediate 1"),
        (&[&upper, &lower, &twin], "CN=intermediate 0"),
        (&[&root, &upper, &lower, &leaf], "CN=leaf"),
    ] {
        assert_refused(
            line(issuers),
            subject,
            "is in the chain but did not issue the certificate that follows it",
        );
    }
    assert_refused(line(&[&root, &upper]), "CN=leaf", "not one of the given roots");
}

#[test]
fn names_and_addresses_are_compared() {
    let root = root(row("ML-DSA-44"));
    let leaf = root.leaf(row("ML-DSA-44")).certificate;
    let roots = [root.certificate.clone()];
    let check = |name| {
        let requirements = Requirements { time: now(), purpose: Purpose::Client, name: Some(name) };
        verify_chain(&leaf, &[], &roots, &requirements)
    };
    for name in [NAME, "127.0.0.1", "::1"] {
        check(name).unwrap();
    }
    assert_refused(check("other.example"), "CN=leaf", "not for other.example");
    assert!(matches!(check("no name"), Err(Error::Value { .. })));
    assert_eq!(leaf.names(), [NAME, "127.0.0.1", "::1"]);
}

#[test]
fn rejects_issuers_without_permission() {
    let ml_dsa = row("ML-DSA-44");
    let root = root(ml_dsa);
    let leaf = root.leaf(ml_dsa);
    assert_refused(verify(&leaf.leaf(ml_dsa), &[&leaf], &root), "CN=leaf", "is not a CA");
    let first = root.intermediate(ml_dsa, 0);
    let second = first.intermediate(ml_dsa, 1);
    let refused = verify(&second.leaf(ml_dsa), &[&first, &second], &root);
    assert_refused(refused, "CN=", "more intermediates");
    let usage = KeyUsage(KeyUsages::CRLSign.into());
    let no_cert_sign =
        Template::new("CN=no cert sign", Profile::Intermediate { path_len: 0 }).unwrap().key_usage(usage);
    let no_cert_sign = root.issue(&no_cert_sign, ml_dsa);
    assert_refused(
        verify(&no_cert_sign.leaf(ml_dsa), &[&no_cert_sign], &root),
        "CN=no cert sign",
        "keyCertSign",
    );
}

#[test]
fn enforces_the_constraints_of_the_root() {
    let ml_dsa = row("ML-DSA-44");
    let short = Template::new("CN=short", Profile::Intermediate { path_len: 0 }).unwrap();
    let short = issue_root(&short, ml_dsa);
    verify(&short.leaf(ml_dsa), &[], &short).unwrap();
    let below = short.intermediate(ml_dsa, 0);
    assert_refused(verify(&below.leaf(ml_dsa), &[&below], &short), "CN=short", "fewer intermediates");
    let no_ca = issue_root(&leaf_template(), ml_dsa);
    assert_refused(verify(&no_ca.leaf(ml_dsa), &[], &no_ca), "CN=leaf", "is not a CA");
}

#[test]
fn a_thousand_damaged_certificates_never_verify() {
    let root = root(row("ML-DSA-44"));
    let leaf = root.leaf(row("ML-DSA-44"));
    let der = leaf.certificate.to_der();
    let mut state = now().as_nanos() as usize | 1;
    println!("seed {state}");
    for _ in 0..1000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let at = state % (der.len() * 8);
        let mut damaged = der.clone();
        damaged[at / 8] ^= 1 << (at % 8);
        let Ok(certificate) = Certificate::from_pem_or_der(&damaged) else { continue };
        let roots = [root.certificate.clone()];
        let requirements = Requirements { time: now(), purpose: Purpose::Server, name: Some(NAME) };
        let result = verify_chain(&certificate, &[], &roots, &requirements);
        assert!(result.is_err(), "bit {at}");
        assert!(!certificate.text().is_empty());
    }
}

#[test]
fn rejects_every_truncation_of_a_certificate() {
    let root = root(row("ML-DSA-44")).certificate;
    let (der, pem) = (root.to_der(), root.to_pem().unwrap());
    for length in 0..der.len() {
        assert!(Certificate::from_pem_or_der(&der[..length]).is_err(), "{length}");
    }
    for length in 0..pem.trim_end().len() {
        assert!(Certificate::from_pem_or_der(&pem.as_bytes()[..length]).is_err(), "{length}");
    }
}

#[test]
fn rejects_a_key_of_another_certificate() {
    let (one, other) = (root(row("ML-DSA-44")), root(row("ML-DSA-44")));
    let refused = check_key_matches(&one.certificate, &other.key).unwrap_err();
    assert_eq!(refused, Error::OtherKey { subject: "CN=root".to_owned() });
    let issued = issue(&leaf_template(), one.key.public_key(), &one.certificate, &other.key, &mut SystemRng);
    assert!(matches!(issued, Err(Error::OtherKey { .. })));
}

#[test]
fn grants_requests_of_every_algorithm_and_rejects_damaged_ones() {
    let root = root(row("ML-DSA-65"));
    for row in rows::quick() {
        let key = key(row);
        let request = Request::new("/O=grille/CN=asks", &[NAME], &key, &mut SystemRng).unwrap();
        let request = Request::from_pem_or_der(request.to_pem().unwrap().as_bytes()).unwrap();
        assert_eq!(request.names().unwrap(), [NAME]);
        let template = Template::new("CN=ignored", Profile::end_entity(&[]).unwrap()).unwrap();
        let issued =
            issue_from_csr(&template, &request, &root.certificate, &root.key, &mut SystemRng).unwrap();
        assert_eq!(issued.subject(), "CN=asks,O=grille");
        assert_eq!(issued.names(), [NAME]);
        verify(&Party { certificate: issued, key }, &[], &root).unwrap();
        let mut damaged = request.to_der();
        *damaged.last_mut().unwrap() ^= 1;
        let damaged = Request::from_pem_or_der(&damaged).unwrap();
        assert!(damaged.verify().is_err(), "{row:?}");
    }
}

#[test]
fn signs_an_externally_built_request_only_for_its_own_key() {
    let (key, other) = (key(row("ML-DSA-44")), key(row("ML-DSA-44")));
    let request = Request::new("CN=put together", &[NAME], &key, &mut SystemRng).unwrap();
    // two SEQUENCEs, each with a length of two bytes; the second is the CertificationRequestInfo
    let der = request.to_der();
    let len = usize::from(u16::from_be_bytes([der[6], der[7]]));
    let info = &der[4..8 + len];
    let made = Request::from_info(info, &key, &mut SystemRng).unwrap();
    made.verify().unwrap();
    assert_eq!(
        (made.subject(), made.names().unwrap()),
        ("CN=put together".to_owned(), vec![NAME.to_owned()])
    );
    assert!(matches!(Request::from_info(info, &other, &mut SystemRng), Err(Error::Value { .. })));
    assert!(matches!(Request::from_info(&info[..len], &key, &mut SystemRng), Err(Error::Der { .. })));
}

#[test]
fn chain_file_keeps_its_order() {
    let root = root(row("ML-DSA-44"));
    let leaf = root.leaf(row("Ed25519"));
    let file = [leaf.certificate.to_pem().unwrap(), root.certificate.to_pem().unwrap()].concat();
    let read = Certificate::chain_from_pem(file.as_bytes()).unwrap();
    assert_eq!(read.iter().map(Certificate::subject).collect::<Vec<_>>(), ["CN=leaf,O=grille", "CN=root"]);
}

#[test]
fn summary_contains_subject_key_and_usages() {
    let template = leaf_template().serial(&[0x12, 0x34]);
    let text = issue_root(&template, row("ML-DSA-87")).certificate.text();
    for expected in ["CN=leaf,O=grille", "1234", "ML-DSA-87, 2592 bytes", "digitalSignature", NAME] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn rejects_malformed_names() {
    assert!(matches!(Template::new("nonsense", Profile::Root), Err(Error::Value { .. })));
    assert!(matches!(Template::new("", Profile::Root), Err(Error::Value { .. })));
    assert!(matches!(Profile::end_entity(&["a b"]), Err(Error::Value { .. })));
}
