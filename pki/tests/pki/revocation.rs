//! Revocation lists, and chains longer than webpki supports.

use grille_core::SystemRng;
use grille_pki::issue::{KeyUsage, KeyUsages, Profile, Template, issue, self_signed};
use grille_pki::verify::{Purpose, Requirements, Root, Trust, webpki_algorithms};
use grille_pki::{Certificate, Crl, CrlValidity, Error, PrivateKey, now};
use grille_registry::{Numbers, signature_by_name};
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

struct Party {
    certificate: Certificate,
    key: PrivateKey,
}

fn key(algorithm: &str) -> PrivateKey {
    PrivateKey::generate(signature_by_name(algorithm).unwrap(), &mut SystemRng).unwrap()
}

impl Party {
    fn root(algorithm: &str) -> Self {
        let key = key(algorithm);
        let template = Template::new("CN=root", Profile::Root).unwrap();
        Self { certificate: self_signed(&template, &key, &mut SystemRng).unwrap(), key }
    }

    fn issue(&self, template: &Template, algorithm: &str) -> Self {
        let key = key(algorithm);
        let certificate = issue(template, key.public_key(), &self.certificate, &self.key, &mut SystemRng);
        Self { certificate: certificate.unwrap(), key }
    }

    fn intermediate(&self, name: &str, algorithm: &str) -> Self {
        let template = Template::new(&format!("CN={name}"), Profile::Intermediate { path_len: 20 });
        self.issue(&template.unwrap(), algorithm)
    }

    fn leaf(&self, algorithm: &str) -> Self {
        let template = Template::new("CN=leaf", Profile::end_entity(&["host.example"]).unwrap());
        self.issue(&template.unwrap(), algorithm)
    }

    fn crl_at(&self, revoked: &[&Self], issued: Duration, due: Duration) -> Crl {
        let revoked: Vec<_> = revoked.iter().map(|party| &party.certificate).collect();
        let validity = CrlValidity { this_update: issued, next_update: due, number: 1 };
        Crl::issue(&revoked, &validity, &self.certificate, &self.key, &mut SystemRng).unwrap()
    }

    fn crl(&self, revoked: &[&Self]) -> Crl {
        self.crl_at(revoked, now() - DAY, now() + DAY)
    }
}

/// Verifies `chain`, ordered from the end entity up.
fn verify(chain: &[&Party], root: &Party, crls: &[Crl]) -> Result<(), Error> {
    let numbers = Numbers::default();
    let roots = [Root::from(&root.certificate)];
    let trust = Trust { roots: &roots, algorithms: webpki_algorithms(numbers), numbers, crls };
    let requirements = Requirements { time: now(), purpose: Purpose::Server, name: Some("host.example") };
    let between: Vec<_> = chain[1..].iter().map(|party| party.certificate.clone()).collect();
    trust.verify_chain(&chain[0].certificate, &between, &requirements)
}

#[track_caller]
fn assert_refused(result: Result<(), Error>, subject: &str, reason: &str) {
    let text = result.unwrap_err().to_string();
    assert!(text.contains(subject) && text.contains(reason), "{text}");
}

#[test]
fn lists_of_every_kind_of_algorithm_revoke_certificates() {
    for algorithm in ["ML-DSA-65", "SLH-DSA-SHA2-128f", "ECDSA-P384", "RSA-2048", "MLDSA44-Ed25519-SHA512"] {
        let root = Party::root(algorithm);
        let (good, bad) = (root.leaf("ML-DSA-44"), root.leaf("ML-DSA-44"));
        let crl = root.crl(&[&bad]);
        let read = Crl::all_from_pem(crl.to_pem().unwrap().as_bytes()).unwrap();
        assert_eq!((read.len(), read[0].issuer()), (1, "CN=root"), "{algorithm}");
        verify(&[&good], &root, &read).unwrap();
        let refused = verify(&[&bad], &root, &read);
        assert!(matches!(refused, Err(Error::Revoked { .. })), "{refused:?}");
        assert_refused(refused, "CN=leaf", "was revoked on 20");
        verify(&[&bad], &root, &[]).unwrap();
    }
}

#[test]
fn reads_concatenated_der_lists() {
    let lists = ["ML-DSA-44", "Ed25519"].map(|algorithm| Party::root(algorithm).crl(&[]));
    let [first, second] = lists.each_ref().map(Crl::as_der);
    let read = Crl::all_from_pem(&[first, second].concat()).unwrap();
    assert_eq!(read.iter().map(Crl::as_der).collect::<Vec<_>>(), [first, second]);
    assert!(Crl::all_from_pem(&[first, &second[..second.len() - 1]].concat()).is_err());
}

#[test]
fn every_certificate_of_a_chain_must_be_covered() {
    let root = Party::root("ML-DSA-44");
    let between = root.intermediate("between", "ML-DSA-44");
    let leaf = between.leaf("ML-DSA-44");
    let chain = [&leaf, &between];
    let lists = |of_root: &[&Party], of_between: &[&Party]| [root.crl(of_root), between.crl(of_between)];
    verify(&chain, &root, &lists(&[], &[])).unwrap();
    assert_refused(verify(&chain, &root, &lists(&[&between], &[])), "CN=between", "was revoked");
    assert_refused(verify(&chain, &root, &lists(&[], &[&leaf])), "CN=leaf", "was revoked");
    let uncovered = verify(&chain, &root, &[root.crl(&[])]);
    assert!(matches!(uncovered, Err(Error::RevocationUnknown { .. })), "{uncovered:?}");
    assert_refused(uncovered, "CN=leaf", "a list of CN=between is needed");
    assert_refused(verify(&chain, &root, &[between.crl(&[])]), "CN=between", "a list of CN=root is needed");
}

#[test]
fn rejects_lists_with_wrong_times_or_of_another_key() {
    let root = Party::root("ML-DSA-44");
    let leaf = root.leaf("ML-DSA-44");
    let check = |crl| verify(&[&leaf], &root, &[crl]);
    let now = now();
    check(root.crl(&[])).unwrap();
    assert_refused(check(root.crl_at(&[], now - 2 * DAY, now - DAY)), "CN=leaf", "expired on 20");
    assert_refused(
        check(root.crl_at(&[], now + DAY, now + 2 * DAY)),
        "CN=leaf",
        "not covered by any current revocation list",
    );
    let unrelated = Party::root("ML-DSA-44");
    assert_refused(check(unrelated.crl(&[])), "CN=leaf", "not signed with its issuer's key");
    // the newest list is used
    let old = root.crl_at(&[], now - 2 * DAY, now + DAY);
    assert_refused(verify(&[&leaf], &root, &[old, root.crl(&[&leaf])]), "CN=leaf", "was revoked");
    let mut der = root.crl(&[]).to_pem().unwrap();
    der.truncate(der.len() / 2);
    assert!(Crl::all_from_pem(der.as_bytes()).is_err());
}

#[test]
fn rejects_issuers_without_crl_sign() {
    let key = key("ML-DSA-44");
    let usage = KeyUsage(KeyUsages::KeyCertSign.into());
    let template = Template::new("CN=root", Profile::Root).unwrap().key_usage(usage);
    let root = Party { certificate: self_signed(&template, &key, &mut SystemRng).unwrap(), key };
    let leaf = root.leaf("ML-DSA-44");
    let validity = CrlValidity { this_update: now() - DAY, next_update: now() + DAY, number: 1 };
    let refused = Crl::issue(&[], &validity, &root.certificate, &root.key, &mut SystemRng);
    assert!(refused.unwrap_err().to_string().contains("cRLSign"));
    // The root's key signs the list with another certificate, whose key usage allows this.
    let able = Template::new("CN=root", Profile::Root).unwrap();
    let able = self_signed(&able, &root.key, &mut SystemRng).unwrap();
    let crl = Crl::issue(&[], &validity, &able, &root.key, &mut SystemRng).unwrap();
    assert_refused(verify(&[&leaf], &root, &[crl]), "CN=root", "lacks cRLSign");
}

/// Returns a chain with the given number of intermediates, from the end entity up.
fn long_chain(root: &Party, intermediates: usize) -> Vec<Party> {
    let mut line: Vec<Party> = Vec::new();
    for number in 0..intermediates {
        let above = line.last().unwrap_or(root);
        let next = above.intermediate(&format!("number {number}"), "ECDSA-P256");
        line.push(next);
    }
    let leaf = line.last().unwrap_or(root).leaf("ML-DSA-44");
    line.push(leaf);
    line.reverse();
    line
}

#[test]
fn verifies_chains_with_many_intermediates() {
    let root = Party::root("ML-DSA-44");
    for intermediates in [0, 5, 6, 7, 10, 12, 20] {
        let line = long_chain(&root, intermediates);
        let chain: Vec<_> = line.iter().collect();
        verify(&chain, &root, &[]).expect("a valid chain");
        let other = Party::root("ML-DSA-44");
        verify(&chain, &other, &[]).expect_err("a different root with the same name");
        for missing in 1..chain.len() {
            let mut chain = chain.clone();
            chain.remove(missing);
            assert!(verify(&chain, &root, &[]).is_err(), "{missing} of {intermediates}");
        }
    }
    let line = long_chain(&root, 33);
    assert_refused(verify(&line.iter().collect::<Vec<_>>(), &root, &[]), "CN=leaf", "the supported maximum");
}

#[test]
fn checks_issuers_above_the_webpki_limit() {
    let root = Party::root("ML-DSA-44");
    let with = |template: Template| {
        let first = root.issue(&template, "ECDSA-P256");
        let mut line = long_chain(&first, 10);
        line.push(first);
        verify(&line.iter().collect::<Vec<_>>(), &root, &[])
    };
    let template = |path_len| Template::new("CN=far up", Profile::Intermediate { path_len }).unwrap();
    with(template(10)).unwrap();
    assert_refused(with(template(9)), "CN=far up", "fewer intermediates");
    assert_refused(with(template(20).until(now() - DAY)), "CN=far up", "expired");
    let usage = KeyUsage(KeyUsages::CRLSign.into());
    assert_refused(with(template(20).key_usage(usage)), "CN=far up", "keyCertSign");
}

#[test]
fn revokes_certificates_above_the_webpki_limit() {
    let root = Party::root("ML-DSA-44");
    let line = long_chain(&root, 10);
    let chain: Vec<_> = line.iter().collect();
    let issuers: Vec<&Party> = line[1..].iter().chain([&root]).collect();
    for revoked in 0..chain.len() {
        let lists = |revoked: Option<usize>| -> Vec<Crl> {
            let of = |(index, issuer): (usize, &&Party)| match revoked == Some(index) {
                true => issuer.crl(&[chain[index]]),
                false => issuer.crl(&[]),
            };
            issuers.iter().enumerate().map(of).collect()
        };
        verify(&chain, &root, &lists(None)).unwrap();
        let subject = chain[revoked].certificate.subject();
        assert_refused(verify(&chain, &root, &lists(Some(revoked))), &subject, "was revoked");
        let mut some = lists(None);
        some.remove(revoked);
        assert_refused(verify(&chain, &root, &some), &subject, "not covered by any current revocation list");
    }
}
