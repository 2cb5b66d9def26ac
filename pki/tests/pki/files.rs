//! Files of other programs, with passphrases, in every container and encoding. `vectors/SOURCES.md` lists the program
//! that wrote each file.

use grille_core::SystemRng;
use grille_pki::{
    Certificate, Crl, Document, Error, KemPrivateKey, KemPublicKey, Kind, Layout, PrivateKey, PrivateKeyForm,
    PublicKey, Request, container_format, decrypt, encrypt, encrypt_pem, skipped_labels,
};
use grille_registry::{Row, signature_by_name};
use std::fs;
use std::path::Path;

fn file(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/files");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the DER of the last block of a PEM file, because OpenSSL writes a block with the curve's name before a key.
fn der(name: &str) -> Vec<u8> {
    Document::all(&file(name)).unwrap().last().unwrap().der().to_vec()
}

fn unlock(name: &str, kind: Kind, passphrase: &[u8]) -> Vec<u8> {
    let needed = decrypt(&file(name), kind, None).unwrap_err();
    assert!(matches!(needed, Error::Encrypted { .. }), "{name}: {needed}");
    let plain =
        decrypt(&file(name), kind, Some(passphrase)).unwrap_or_else(|error| panic!("{name}: {error}"));
    plain.expect(name).to_vec()
}

#[test]
fn reads_private_keys_of_other_programs_with_their_public_keys() {
    for (name, algorithm, layout) in [
        ("bc-falcon-512", "Falcon-512", Layout::Parts),
        ("bc-falcon-1024", "Falcon-1024", Layout::Parts),
        ("bc-ml-dsa-44", "ML-DSA-44", Layout::Both),
        ("bc-slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f", Layout::BareExpanded),
        ("bc-MLDSA44-Ed25519-SHA512", "MLDSA44-Ed25519-SHA512", Layout::BareExpanded),
        ("bc-ed25519", "Ed25519", Layout::Native),
        ("node-ml-dsa-44", "ML-DSA-44", Layout::Both),
        ("node-slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f", Layout::BareExpanded),
        ("pyca-ml-dsa-44", "ML-DSA-44", Layout::Seed),
        ("openssl-p256", "ECDSA-P256-SHA256", Layout::Native),
        ("openssl-rsa-2048", "RSA-2048", Layout::Native),
    ] {
        let key = PrivateKey::from_pem_or_der(&file(&format!("{name}.key")));
        let key = key.unwrap_or_else(|error| panic!("{name}: {error}"));
        let public = PublicKey::from_pem_or_der(&file(&format!("{name}.pub"))).unwrap();
        assert_eq!((key.row().name(), key.layout()), (algorithm, Some(layout)), "{name}");
        assert_eq!(key.public_key(), &public, "{name}");
        let signature = key.signing_key().sign(b"message", b"", &mut SystemRng).unwrap();
        public.verifying_key().unwrap().verify(b"message", b"", &signature).expect(name);
        // the same keys in DER
        for half in ["key", "pub"] {
            let der = der(&format!("{name}.{half}"));
            let read = match half {
                "key" => PrivateKey::from_pem_or_der(&der).map(|key| key.public_key().clone()),
                _ => PublicKey::from_pem_or_der(&der),
            };
            assert_eq!(read.expect(name), public, "{name}.{half}");
        }
    }
    for (name, algorithm, layout) in [
        ("bc-ml-kem-768", "ML-KEM-768", Layout::Both),
        ("bc-x25519", "X25519", Layout::Native),
        ("node-ml-kem-512", "ML-KEM-512", Layout::Both),
        ("pyca-ml-kem-768", "ML-KEM-768", Layout::Seed),
    ] {
        let key = KemPrivateKey::from_pem_or_der(&file(&format!("{name}.key"))).expect(name);
        let public = KemPublicKey::from_pem_or_der(&file(&format!("{name}.pub"))).expect(name);
        assert_eq!((key.row().name(), key.layout()), (algorithm, Some(layout)), "{name}");
        assert_eq!(key.public_key().bytes(), public.bytes(), "{name}");
    }
}

/// The reader checks every part of a Falcon private key against the other parts and the public key.
#[test]
fn rejects_falcon_keys_with_mismatched_parts() {
    let whole = der("bc-falcon-512.key");
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        PrivateKey::from_pem_or_der(&bytes).map(|_| ()).unwrap_err()
    };
    let h = whole.len() - 1;
    assert!(changed(h).to_string().contains("its public key does not belong to its private key"));
    // f begins with 04 01 05
    let f = whole.windows(3).position(|window| window == [4, 1, 5]).unwrap();
    changed(f + 10);
    // Declare the parts to be those of a key of another degree.
    let mut other = whole.clone();
    let degree = other.windows(6).position(|window| window == [6, 5, 0x2B, 0xCE, 0x0F, 3]).unwrap() + 6;
    assert_eq!(std::mem::replace(&mut other[degree], 14), 11);
    let refused = PrivateKey::from_pem_or_der(&other).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("parts whose lengths do not fit"), "{refused}");
}

#[test]
fn opens_encrypted_private_keys() {
    let openssl = PublicKey::from_pem_or_der(&file("openssl-p256.pub")).unwrap();
    for name in ["pbkdf2", "pbkdf2-sha1", "pbkdf2-sha512", "scrypt", "pbes1"] {
        let name = format!("openssl-p256-{name}.key");
        let plain = unlock(&name, Kind::PrivateKey, b"secret");
        let key = PrivateKey::from_pem_or_der(&plain).unwrap();
        assert_eq!(key.public_key(), &openssl, "{name}");
        let wrong = decrypt(&file(&name), Kind::PrivateKey, Some(b"Secret")).unwrap_err();
        assert_eq!(wrong, Error::Passphrase { element: "private key" }, "{name}");
        let plain =
            decrypt(&der(&name), Kind::PrivateKey, Some(b"secret")).unwrap().expect("DER is decrypted, too");
        assert_eq!(PrivateKey::from_pem_or_der(&plain).unwrap().public_key(), &openssl, "{name}");
        assert_eq!(container_format(&file(&name)), "encrypted PKCS#8");
        // parsing without decryption reports that the key is encrypted
        let refused = PrivateKey::from_pem_or_der(&file(&name)).map(|_| ()).unwrap_err();
        assert_eq!(refused, Error::Encrypted { element: "private key" }, "{name}");
    }
    for name in ["node-ml-dsa-44", "pyca-ml-dsa-44"] {
        let plain = unlock(&format!("{name}-encrypted.key"), Kind::PrivateKey, b"secret");
        let public = PublicKey::from_pem_or_der(&file(&format!("{name}.pub"))).unwrap();
        assert_eq!(PrivateKey::from_pem_or_der(&plain).unwrap().public_key(), &public, "{name}");
    }
}

#[test]
fn names_unsupported_encryption() {
    let refused =
        decrypt(&file("openssl-p256-ofb.key"), Kind::PrivateKey, Some(b"secret")).unwrap_err().to_string();
    assert!(
        refused.contains("2.16.840.1.101.3.4.1.43") && refused.contains("openssl pkcs8 -topk8"),
        "{refused}"
    );
    // OpenSSL's traditional encryption has no envelope, so `decrypt` does not detect it, and parsing reports it
    assert!(decrypt(&file("openssl-p256-legacy.key"), Kind::PrivateKey, None).unwrap().is_none());
    let refused =
        PrivateKey::from_pem_or_der(&file("openssl-p256-legacy.key")).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("RFC 1421") && refused.contains("openssl pkcs8 -topk8"), "{refused}");
}

#[test]
fn opens_pkcs12() {
    for (name, passphrase, certificates) in [
        ("bc-ml-dsa-44.p12", "secret", 2),
        ("openssl.p12", "secret", 1),
        ("openssl-legacy.p12", "secret", 1),
        ("openssl-empty.p12", "", 1),
        ("keytool.p12", "secret1", 2),
        ("pyca-p256.p12", "secret", 1),
        ("pyca-p256-old.p12", "secret", 1),
    ] {
        let key =
            PrivateKey::from_pem_or_der(&unlock(name, Kind::PrivateKey, passphrase.as_bytes())).expect(name);
        let chain = unlock(name, Kind::Certificate, passphrase.as_bytes());
        let chain = Certificate::chain_from_pem(&chain).expect(name);
        assert_eq!(chain.len(), certificates, "{name}");
        assert_eq!(
            key.public_key(),
            &chain[0].public_key().unwrap(),
            "{name}: the key's certificate comes first"
        );
        assert!(chain.windows(2).all(|pair| pair[0].issuer() == pair[1].subject()), "{name}");
        let wrong = decrypt(&file(name), Kind::PrivateKey, Some(b"other")).unwrap_err();
        assert_eq!(wrong, Error::Passphrase { element: "PKCS#12 file" }, "{name}");
        assert_eq!(container_format(&file(name)), "PKCS#12");
        let refused = Certificate::from_pem_or_der(&file(name)).unwrap_err();
        assert_eq!(refused, Error::Encrypted { element: "PKCS#12 file" }, "{name}");
    }
}

#[test]
fn opens_pkcs12_without_protection_and_without_keys() {
    let plain = decrypt(&file("openssl-plain.p12"), Kind::PrivateKey, None).unwrap().expect("PKCS#12");
    let public = PublicKey::from_pem_or_der(&file("openssl-p256.pub")).unwrap();
    assert_eq!(PrivateKey::from_pem_or_der(&plain).unwrap().public_key(), &public);
    let roots = unlock("keytool-trust.p12", Kind::Certificate, b"secret1");
    assert_eq!(Certificate::from_pem_or_der(&roots).unwrap().subject(), "CN=keytool-root");
    let no_key = decrypt(&file("keytool-trust.p12"), Kind::PrivateKey, Some(b"secret1")).unwrap_err();
    assert!(matches!(no_key, Error::OtherDocument { expected: "private key", .. }), "{no_key}");
}

#[test]
fn refuses_damaged_pkcs12() {
    let whole = file("keytool.p12");
    for at in (0..whole.len()).step_by(7) {
        let cut = decrypt(&whole[..at], Kind::PrivateKey, Some(b"secret1"));
        assert!(!matches!(cut, Ok(Some(_))), "cut at {at}");
    }
    // damages only a few of the bytes that the MAC covers, because deriving the MAC key is slow
    for at in [60, 300, 900, 1300] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        assert!(
            !matches!(decrypt(&damaged, Kind::PrivateKey, Some(b"secret1")), Ok(Some(_))),
            "damaged at {at}"
        );
    }
}

/// Encodes an element with a one-byte length.
fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&[tag, u8::try_from(content.len()).expect("a short one")], content.as_slice()].concat()
}

/// Builds an encrypted private key with this key derivation.
fn encrypt_key(derivation: &[u8]) -> Vec<u8> {
    let pbes2 = element(6, &[&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0D]]);
    let aes = element(6, &[&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 0x2A]]);
    let cipher = element(0x30, &[&aes, &element(4, &[&[0; 16]])]);
    let scheme = element(0x30, &[&pbes2, &element(0x30, &[derivation, &cipher])]);
    element(0x30, &[&scheme, &element(4, &[&[0; 16]])])
}

#[test]
fn rejects_excessive_key_derivation_costs() {
    let salt = element(4, &[&[7; 8]]);
    let pbkdf2 = |iterations: &[u8]| {
        let kind = element(6, &[&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0C]]);
        let hash = element(6, &[&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 2, 9]]);
        let hash = element(0x30, &[&hash, &[5, 0]]);
        encrypt_key(&element(0x30, &[&kind, &element(0x30, &[&salt, &element(2, &[iterations]), &hash])]))
    };
    let scrypt = |cost: &[u8], block: &[u8], parallel: &[u8]| {
        let kind = element(6, &[&[0x2B, 6, 1, 4, 1, 0xDA, 0x47, 4, 0x0B]]);
        let numbers = [cost, block, parallel].map(|number| element(2, &[number]));
        encrypt_key(&element(0x30, &[&kind, &element(0x30, &[&salt, &numbers[0], &numbers[1], &numbers[2]])]))
    };
    let refused =
        |file: &[u8]| decrypt(file, Kind::PrivateKey, Some(b"secret")).map(|_| ()).unwrap_err().to_string();
    assert!(refused(&pbkdf2(&[1])).contains("wrong passphrase"), "{}", refused(&pbkdf2(&[1])));
    assert!(refused(&scrypt(&[2], &[1], &[1])).contains("wrong passphrase"));
    // This iteration count is 10,000,001.
    assert!(refused(&pbkdf2(&[0, 0x98, 0x96, 0x81])).contains("the supported maximum is ten million"));
    for (cost, block, parallel) in [
        (&[0, 0x80, 0, 0, 0][..], &[8][..], &[1][..]),
        (&[0x40, 0], &[8], &[0x7F, 0xFF]),
        (&[0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], &[8], &[1]),
    ] {
        let message = refused(&scrypt(cost, block, parallel));
        assert!(message.contains("1 GiB") || message.contains("not supported"), "{message}");
    }
}

#[test]
fn encrypted_keys_round_trip() {
    for name in ["ML-DSA-44", "ECDSA-P256-SHA256"] {
        let key = PrivateKey::generate(signature_by_name(name).unwrap(), &mut SystemRng).unwrap();
        let document = key.to_pkcs8_der(PrivateKeyForm::default_for(key.row())).unwrap();
        let text = encrypt_pem(document.as_ref(), b"gr\xC3\xBCn", &mut SystemRng).unwrap();
        assert!(text.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), "{text}");
        let der = encrypt(document.as_ref(), b"gr\xC3\xBCn", &mut SystemRng).unwrap();
        for locked in [text.as_bytes(), &der] {
            let plain = decrypt(locked, Kind::PrivateKey, Some("grün".as_bytes())).unwrap().expect(name);
            let read = PrivateKey::from_pem_or_der(&plain).unwrap();
            assert_eq!(read.public_key(), key.public_key(), "{name}");
            assert!(decrypt(locked, Kind::PrivateKey, Some(b"green")).is_err(), "{name}");
        }
        let again = encrypt(document.as_ref(), b"gr\xC3\xBCn", &mut SystemRng).unwrap();
        assert_ne!(der, again, "the salt is new each time");
    }
}

#[test]
fn reads_older_labels() {
    let request = file("keytool.csr");
    assert!(String::from_utf8_lossy(&request).contains("NEW CERTIFICATE REQUEST"));
    Request::from_pem_or_der(&request).unwrap().verify().unwrap();
    let plain = Certificate::from_pem_or_der(&file("openssl-p256.crt")).unwrap();
    let old =
        String::from_utf8(file("openssl-p256.crt")).unwrap().replace(" CERTIFICATE", " X509 CERTIFICATE");
    for text in [old.as_bytes(), &file("openssl-trusted.crt")] {
        assert_eq!(Certificate::from_pem_or_der(text).unwrap().as_der(), plain.as_der());
    }
    let der = [plain.as_der(), plain.as_der()].concat();
    assert_eq!(Certificate::chain_from_pem(&der).unwrap().len(), 2, "concatenated DER");
}

#[test]
fn finds_key_and_certificate_in_one_file_in_either_order() {
    let (certificate, key) = (file("openssl-p256.crt"), file("openssl-p256.key"));
    let crl = b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n".to_vec();
    for parts in [[&certificate, &key, &crl], [&key, &crl, &certificate], [&crl, &certificate, &key]] {
        let bundle = parts.into_iter().flatten().copied().collect::<Vec<u8>>();
        let own = PrivateKey::from_pem_or_der(&bundle).unwrap();
        let chain = Certificate::chain_from_pem(&bundle).unwrap();
        assert_eq!((chain.len(), own.public_key()), (1, &chain[0].public_key().unwrap()));
        assert_eq!(skipped_labels(&bundle, Kind::Certificate), ["X509 CRL"]);
        let public = PublicKey::from_pem_or_der(&bundle).unwrap_err().to_string();
        assert!(public.contains("expected PEM of \"PUBLIC KEY\""), "{public}");
    }
    let locked = [file("openssl-p256-pbkdf2.key"), certificate].concat();
    assert!(
        decrypt(&locked, Kind::Certificate, None).unwrap().is_none(),
        "the certificate needs no passphrase"
    );
    let plain = decrypt(&locked, Kind::PrivateKey, Some(b"secret")).unwrap().expect("a key");
    assert!(PrivateKey::from_pem_or_der(&plain).is_ok());
}

/// wolfSSL omits the number of unused bits in the public key, and some releases wrote version 0 in a document with a
/// public key.
#[test]
fn reads_wolfssl_private_keys_with_embedded_public_key() {
    let key = PrivateKey::generate(signature_by_name("ML-DSA-44").unwrap(), &mut SystemRng).unwrap();
    let document = key.to_pkcs8_der(PrivateKeyForm::Expanded).unwrap();
    let public = key.public_key().bytes();
    let with = |version: u8, public: &[u8]| {
        let inside =
            [&document.as_ref()[4..], &[0x81, 0x82], &(public.len() as u16).to_be_bytes(), public].concat();
        let mut whole = [&[0x30, 0x82], &(inside.len() as u16).to_be_bytes()[..], &inside].concat();
        assert_eq!(std::mem::replace(&mut whole[6], version), 0);
        PrivateKey::from_pem_or_der(&whole).map(|_| ())
    };
    for version in [0, 1] {
        assert_eq!(with(version, public), Ok(()));
        assert_eq!(with(version, &[&[0], public].concat()), Ok(()));
        assert!(with(version, &[&[0], &public[1..], &[7]].concat()).is_err());
    }
    assert!(with(2, public).unwrap_err().to_string().contains("version"));
}

#[test]
fn names_the_type_of_an_unexpected_der_document() {
    for (name, kind, expected) in [
        ("openssl-p256.crt", Kind::PrivateKey, "expected a private key, but this is a certificate"),
        (
            "openssl-p256.pub",
            Kind::PrivateKey,
            "expected a private key, but this is a public key; give the private",
        ),
        ("keytool.csr", Kind::Certificate, "expected a certificate, but this is a certificate request"),
        (
            "openssl-p256.key",
            Kind::PublicKey,
            "expected a public key, but this is an elliptic-curve private key (SEC 1)",
        ),
        (
            "pyca-ml-dsa-44.key",
            Kind::PublicKey,
            "expected a public key, but this is a private key; give the public",
        ),
        ("openssl-p256.crt", Kind::Request, "expected a certificate request, but this is a certificate"),
        (
            "openssl-rsa-2048.pub",
            Kind::Certificate,
            "expected a certificate, but this is an RSA public key (PKCS#1)",
        ),
    ] {
        // OpenSSL writes the parameters before an EC key
        let document = Document::all(&file(name)).unwrap().pop().unwrap();
        let error = match kind {
            Kind::Certificate => Certificate::from_pem_or_der(document.der()).map(|_| ()),
            Kind::Request => Request::from_pem_or_der(document.der()).map(|_| ()),
            Kind::PrivateKey => PrivateKey::from_pem_or_der(document.der()).map(|_| ()),
            Kind::PublicKey => PublicKey::from_pem_or_der(document.der()).map(|_| ()),
            Kind::RevocationList => Crl::all_from_pem(document.der()).map(|_| ()),
        };
        let error = error.unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}
