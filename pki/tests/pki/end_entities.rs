//! Checks of end entities and roots: key usages, well-formed public keys, and self-signatures.

use der::asn1::{Any, BitString};
use der::{Decode, Encode};
use grille_core::SystemRng;
use grille_pki::issue::{KeyUsage, KeyUsages, Profile, Template, issue, self_signed};
use grille_pki::verify::{Origin, Purpose, Requirements, verify_chain, verify_ordered_chain, verify_root};
use grille_pki::{Certificate, Error, KemPrivateKey, PrivateKey, now};
use grille_registry::{Numbers, SignatureRow, kem_by_name, signature_by_name};

fn row(name: &str) -> &'static SignatureRow {
    signature_by_name(name).unwrap()
}

fn key(name: &str) -> PrivateKey {
    PrivateKey::generate(row(name), &mut SystemRng).unwrap()
}

struct Issuer {
    certificate: Certificate,
    key: PrivateKey,
}

impl Issuer {
    fn new(algorithm: &str) -> Self {
        let key = key(algorithm);
        let template = Template::new("CN=root", Profile::Root).unwrap();
        Self { certificate: self_signed(&template, &key, &mut SystemRng).unwrap(), key }
    }

    fn check(&self, leaf: &Certificate, purpose: Purpose) -> Result<(), Error> {
        let requirements = Requirements { time: now(), purpose, name: None };
        verify_chain(leaf, &[], std::slice::from_ref(&self.certificate), &requirements)
    }

    /// Signs the certificate again with one element of its TBSCertificate replaced.
    fn with_element_replaced(&self, leaf: &Certificate, element: usize, value: &[u8]) -> Certificate {
        let mut parts = Vec::<Any>::from_der(leaf.as_der()).unwrap();
        let mut signed: Vec<Any> = parts[0].decode_as().unwrap();
        signed[element] = Any::from_der(value).unwrap();
        let signed = signed.to_der().unwrap();
        let signature = self.key.signing_key().sign(&signed, b"", &mut SystemRng).unwrap();
        parts[0] = Any::from_der(&signed).unwrap();
        parts[2] = Any::encode_from(&BitString::from_bytes(&signature).unwrap()).unwrap();
        Certificate::from_pem_or_der(&parts.to_der().unwrap()).unwrap()
    }
}

/// Index of SubjectPublicKeyInfo in a TBSCertificate of version 3.
const PUBLIC_KEY: usize = 6;

fn leaf_template() -> Template {
    Template::new("CN=leaf", Profile::end_entity(&["host.example"]).unwrap()).unwrap()
}

/// Builds a SubjectPublicKeyInfo from an algorithm identifier and key bytes.
fn spki(algorithm: &[u8], key: &[u8]) -> Vec<u8> {
    let algorithm = Any::from_der(algorithm).unwrap();
    let key = Any::encode_from(&BitString::from_bytes(key).unwrap()).unwrap();
    vec![algorithm, key].to_der().unwrap()
}

#[track_caller]
fn assert_refused(result: Result<(), Error>, reason: &str) {
    let error = result.unwrap_err();
    let text = error.to_string();
    assert!(
        matches!(error, Error::Chain { .. }) && text.contains("CN=leaf") && text.contains(reason),
        "{text}"
    );
}

#[test]
fn refuses_tls_peers_without_the_signing_key_usage() {
    let root = Issuer::new("ECDSA-P256");
    for algorithm in ["ECDSA-P256", "RSA-2048", "ML-DSA-44", "Ed25519"] {
        let key = key(algorithm);
        let leaf = |usages: KeyUsages| {
            let template = leaf_template().key_usage(KeyUsage(usages.into()));
            issue(&template, key.public_key(), &root.certificate, &root.key, &mut SystemRng).unwrap()
        };
        let signs = leaf(KeyUsages::DigitalSignature);
        for usage in [KeyUsages::CRLSign, KeyUsages::NonRepudiation, KeyUsages::KeyCertSign] {
            let no_signing = leaf(usage);
            for purpose in [Purpose::Server, Purpose::Client] {
                root.check(&signs, purpose).unwrap();
                assert_refused(root.check(&no_signing, purpose), "its key usage lacks digitalSignature");
            }
            root.check(&no_signing, Purpose::Other).unwrap();
        }
    }
}

#[test]
fn refuses_key_usages_that_the_standard_of_the_key_forbids() {
    let root = Issuer::new("ML-DSA-44");
    for (algorithm, spec) in
        [("ML-DSA-65", Some("RFC 9881")), ("SLH-DSA-SHA2-128f", Some("RFC 9909")), ("RSA-2048", None)]
    {
        let both = KeyUsage(KeyUsages::DigitalSignature | KeyUsages::KeyEncipherment);
        let issued = |own: &PrivateKey, usage| {
            let template = leaf_template().key_usage(usage);
            issue(&template, own.public_key(), &root.certificate, &root.key, &mut SystemRng)
        };
        let Some(spec) = spec else {
            let leaf = issued(&key(algorithm), both).unwrap();
            root.check(&leaf, Purpose::Server).unwrap();
            continue;
        };
        let refused = issued(&key(algorithm), both).unwrap_err().to_string();
        assert!(refused.contains("keyEncipherment") && refused.contains(spec), "{refused}");
        // an issuer that does not check key usages certifies the forbidden key usage
        let leaf = issued(&key("RSA-2048"), both).unwrap();
        let leaf = root.with_element_replaced(
            &leaf,
            PUBLIC_KEY,
            &key(algorithm).public_key().to_spki_der().unwrap(),
        );
        assert_refused(root.check(&leaf, Purpose::Server), spec);
        root.check(&leaf, Purpose::Other).unwrap();
    }
}

#[test]
fn kem_keys_receive_secrets_but_authenticate_no_peer() {
    let root = Issuer::new("ML-DSA-44");
    for (name, usage) in [
        ("ML-KEM-512", KeyUsages::KeyEncipherment),
        ("ML-KEM-1024", KeyUsages::KeyEncipherment),
        ("X25519", KeyUsages::KeyAgreement),
    ] {
        let key = KemPrivateKey::generate(kem_by_name(name).unwrap(), &mut SystemRng).unwrap();
        let issued = |template: &Template| {
            issue(template, key.public_key(), &root.certificate, &root.key, &mut SystemRng)
        };
        let leaf = issued(&leaf_template()).unwrap();
        root.check(&leaf, Purpose::KeyEncapsulation).unwrap();
        for purpose in [Purpose::Server, Purpose::Client] {
            assert_refused(root.check(&leaf, purpose), "which cannot sign");
        }
        assert_eq!(leaf.key_purposes(), None, "{name}");
        // an issuer that does not check keys certifies the KEM key with a key usage for signing
        let signing = self::key("RSA-2048");
        let leaf =
            issue(&leaf_template(), signing.public_key(), &root.certificate, &root.key, &mut SystemRng);
        let leaf =
            root.with_element_replaced(&leaf.unwrap(), PUBLIC_KEY, &key.public_key().to_spki_der().unwrap());
        assert_refused(root.check(&leaf, Purpose::Server), "which cannot sign");
        assert_refused(root.check(&leaf, Purpose::KeyEncapsulation), "its key usage lacks");
        let authority = Template::new("CN=leaf", Profile::Intermediate { path_len: 0 }).unwrap();
        assert!(issued(&authority).unwrap_err().to_string().contains("cannot issue certificates"));
        assert!(issued(&leaf_template().key_usage(KeyUsage(usage.into()))).is_ok());
    }
    let leaf =
        issue(&leaf_template(), key("ML-DSA-44").public_key(), &root.certificate, &root.key, &mut SystemRng);
    assert_refused(root.check(&leaf.unwrap(), Purpose::KeyEncapsulation), "has a key for signatures");
}

/// Algorithm identifier of ML-KEM-512, without parameters. The identifiers in constants named `…_NULL` have the
/// parameters NULL.
const ML_KEM_512: &[u8] = b"\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x04\x01";
const ML_KEM_512_NULL: &[u8] = b"\x30\x0D\x06\x09\x60\x86\x48\x01\x65\x03\x04\x04\x01\x05\x00";
const ML_DSA_44: &[u8] = b"\x30\x0B\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11";
const ML_DSA_44_NULL: &[u8] = b"\x30\x0D\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11\x05\x00";
const P256: &[u8] = b"\x30\x13\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x06\x08\x2A\x86\x48\xCE\x3D\x03\x01\x07";
const P256_NULL: &[u8] = b"\x30\x0B\x06\x07\x2A\x86\x48\xCE\x3D\x02\x01\x05\x00";
const UNKNOWN: &[u8] = b"\x30\x05\x06\x03\x2A\x03\x04";

#[test]
fn refuses_malformed_and_unknown_public_keys() {
    let root = Issuer::new("ECDSA-P256");
    let kem = KemPrivateKey::generate(kem_by_name("ML-KEM-512").unwrap(), &mut SystemRng).unwrap();
    let kem = kem.public_key().bytes();
    // the first coefficient of t̂ is 4095, which is q or more
    let unreduced = [&[0xFF, kem[1] | 0x0F][..], &kem[2..]].concat();
    let [mldsa, point] = ["ML-DSA-44", "ECDSA-P256"].map(|name| key(name).public_key().bytes().to_vec());
    let mut off_curve = point.clone();
    off_curve[64] ^= 1;
    let leaf = key("ECDSA-P256");
    let leaf =
        issue(&leaf_template(), leaf.public_key(), &root.certificate, &root.key, &mut SystemRng).unwrap();
    root.check(&root.with_element_replaced(&leaf, PUBLIC_KEY, &spki(ML_DSA_44, &mldsa)), Purpose::Server)
        .unwrap();
    root.check(&root.with_element_replaced(&leaf, PUBLIC_KEY, &spki(P256, &point)), Purpose::Server).unwrap();
    for (algorithm, bytes, reason) in [
        (ML_KEM_512, &kem[..799], "has a malformed public key"),
        (ML_KEM_512_NULL, kem, "has a malformed public key"),
        (ML_KEM_512, &unreduced, "has a malformed public key"),
        (ML_DSA_44, &mldsa[..1311], "has a malformed public key"),
        (ML_DSA_44_NULL, &mldsa, "has a malformed public key"),
        (P256, &off_curve, "has a malformed public key"),
        (P256, &point[..64], "has a malformed public key"),
        (P256_NULL, &point, "has a malformed public key"),
        (UNKNOWN, &point, "has a public key of the unknown algorithm 1.2.3.4"),
    ] {
        let leaf = root.with_element_replaced(&leaf, PUBLIC_KEY, &spki(algorithm, bytes));
        for purpose in [Purpose::Server, Purpose::Client, Purpose::KeyEncapsulation, Purpose::Other] {
            assert_refused(root.check(&leaf, purpose), reason);
        }
    }
}

/// Returns a self-signed certificate with the last bit of its signature flipped.
fn flip_signature_bit(root: &Certificate) -> Certificate {
    let mut der = root.to_der();
    *der.last_mut().unwrap() ^= 1;
    Certificate::from_pem_or_der(&der).unwrap()
}

#[test]
fn refuses_self_signed_roots_with_an_invalid_signature() {
    for algorithm in ["ML-DSA-44", "Ed25519", "RSA-2048", "SLH-DSA-SHAKE-128f"] {
        let root = Issuer::new(algorithm);
        let altered = Issuer { certificate: flip_signature_bit(&root.certificate), key: key(algorithm) };
        let own = key("ML-DSA-44");
        let leaf = issue(&leaf_template(), own.public_key(), &root.certificate, &root.key, &mut SystemRng);
        let leaf = leaf.unwrap();
        root.check(&leaf, Purpose::Server).unwrap();
        let requirements = Requirements { time: now(), purpose: Purpose::Other, name: None };
        verify_ordered_chain(&leaf, &[], &root.certificate, &requirements).unwrap();
        let reason = "its signature does not match its own key";
        for refused in [
            altered.check(&leaf, Purpose::Server),
            verify_ordered_chain(&leaf, &[], &altered.certificate, &requirements),
            verify_root(&altered.certificate, now(), Numbers::default()).map(drop),
        ] {
            let text = refused.unwrap_err().to_string();
            assert!(text.contains("CN=root") && text.contains(reason), "{text}");
        }
    }
}

#[test]
fn checks_a_root_by_itself() {
    let root = Issuer::new("ML-DSA-65");
    let check = |root: &Certificate| verify_root(root, now(), Numbers::default());
    assert_eq!(check(&root.certificate), Ok(Origin::SelfSigned));
    let below = Template::new("CN=below", Profile::Intermediate { path_len: 0 }).unwrap();
    let own = key("ML-DSA-44");
    let below = issue(&below, own.public_key(), &root.certificate, &root.key, &mut SystemRng).unwrap();
    assert_eq!(check(&below), Ok(Origin::Issued));
    let old =
        Template::new("CN=old", Profile::Root).unwrap().until(now() - std::time::Duration::from_secs(9));
    let old = self_signed(&old, &own, &mut SystemRng).unwrap();
    assert!(check(&old).unwrap_err().to_string().contains("expired"));
    let leaf =
        issue(&leaf_template(), own.public_key(), &root.certificate, &root.key, &mut SystemRng).unwrap();
    assert!(check(&leaf).unwrap_err().to_string().contains("is not a CA"));
}
