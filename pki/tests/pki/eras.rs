//! Keys and certificates with the object identifiers of an era, and with those of the registry.

use grille_core::SystemRng;
use grille_pki::issue::{Profile as Kind, Template, issue, self_signed};
use grille_pki::verify::{
    Purpose, Requirements, Root, Trust, check_key_matches, verify_chain, webpki_algorithms,
};
use grille_pki::{Certificate, Error, PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::{Numbers, Profile, signature_by_name};

/// Returns a key of Falcon 1.2, which had different object identifiers in the first and the last releases of
/// oqs-provider.
fn key() -> PrivateKey {
    PrivateKey::generate(signature_by_name("Falcon-512").unwrap(), &mut SystemRng).unwrap()
}

fn first_releases() -> Numbers {
    Numbers::for_profile(Profile::Provider05)
}

#[test]
fn key_is_written_with_the_identifier_it_was_read_with() {
    let own = key();
    let registered = own.to_pkcs8_der(PrivateKeyForm::Oqs).unwrap();
    let of_era = own.in_era(first_releases()).to_pkcs8_der(PrivateKeyForm::Oqs).unwrap();
    assert_ne!(registered, of_era);
    for document in [registered.as_ref(), of_era.as_ref()] {
        let read = PrivateKey::from_pem_or_der_in(document, first_releases()).unwrap();
        assert_eq!(read.to_pkcs8_der(PrivateKeyForm::Oqs).unwrap().as_ref(), document);
        let spki = read.public_key().to_spki_der().unwrap();
        let public = PublicKey::from_pem_or_der_in(&spki, first_releases()).unwrap();
        assert_eq!(public.to_spki_der().unwrap(), spki);
    }
    let unknown = PrivateKey::from_pem_or_der(of_era.as_ref());
    assert!(matches!(unknown, Err(Error::UnknownAlgorithm { .. })), "{unknown:?}");
}

/// Issues a root and an end entity with the identifiers in `numbers`. Returns them and the end entity's key.
fn issue_chain(numbers: Numbers) -> (Certificate, Certificate, PrivateKey) {
    let (root_key, own) = (key().in_era(numbers), key().in_era(numbers));
    let root = Template::new("CN=root", Kind::Root).unwrap();
    let root = self_signed(&root, &root_key, &mut SystemRng).unwrap();
    let leaf = Template::new("CN=leaf", Kind::end_entity(&["localhost"]).unwrap()).unwrap();
    let leaf = issue(&leaf, own.public_key(), &root, &root_key, &mut SystemRng).unwrap();
    (root, leaf, own)
}

#[test]
fn chains_of_either_identifier_verify_in_the_era_and_match_their_keys() {
    for numbers in [Numbers::default(), first_releases()] {
        let (root, leaf, own) = issue_chain(numbers);
        let document = own.to_pkcs8_der(PrivateKeyForm::Oqs).unwrap();
        let read = PrivateKey::from_pem_or_der_in(document.as_ref(), first_releases()).unwrap();
        check_key_matches(&leaf, &read).unwrap();
        let (roots, algorithms) = ([Root::from(&root)], webpki_algorithms(first_releases()));
        let trust = Trust { roots: &roots, algorithms, numbers: first_releases(), crls: &[] };
        let verify = |trust: &Trust<'_>| {
            let (time, name) = (grille_pki::now(), Some("localhost"));
            trust.verify_chain(&leaf, &[], &Requirements { time, purpose: Purpose::Server, name })
        };
        verify(&trust).unwrap();
        let today = Trust { algorithms: webpki_algorithms(Numbers::default()), ..trust };
        assert_eq!(verify(&today).is_ok(), numbers == Numbers::default());
    }
}

#[test]
fn chains_are_verified_in_the_era_of_the_end_entity() {
    for numbers in [Numbers::default(), first_releases()] {
        let (root, leaf, _) = issue_chain(numbers);
        let verify = |era: Numbers| {
            let read = |der: &[u8]| Certificate::from_pem_or_der(der).unwrap().in_era(era);
            let (leaf, roots) = (read(leaf.as_der()), [read(root.as_der())]);
            let (time, name) = (grille_pki::now(), Some("localhost"));
            verify_chain(&leaf, &[], &roots, &Requirements { time, purpose: Purpose::Server, name })
        };
        verify(first_releases()).unwrap();
        assert_eq!(verify(Numbers::default()).is_ok(), numbers == Numbers::default());
    }
}
