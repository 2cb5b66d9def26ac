//! Keys of every registered algorithm: written in every form and read back; damaged ones are refused.

use crate::rows;
use grille_core::SystemRng;
use grille_pki::{Error, KemPrivateKey, KemPublicKey, PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::{KEMS, KeyFormat, Numbers, SignatureRow, kem_by_name, signature_by_name};

const FORMS: [PrivateKeyForm; 5] = [
    PrivateKeyForm::SeedIfKnown,
    PrivateKeyForm::Seed,
    PrivateKeyForm::Expanded,
    PrivateKeyForm::Both,
    PrivateKeyForm::Oqs,
];

fn forms(row: &SignatureRow) -> Vec<PrivateKeyForm> {
    match row.key_format {
        KeyFormat::Native { .. } => vec![PrivateKeyForm::Native],
        _ if row.signature.is_composite() => vec![PrivateKeyForm::default_for(row)],
        _ if row.signature.info().seed_len.is_some() => FORMS.to_vec(),
        _ => vec![PrivateKeyForm::SeedIfKnown, PrivateKeyForm::Expanded, PrivateKeyForm::Oqs],
    }
}

fn key(name: &str) -> PrivateKey {
    PrivateKey::generate(signature_by_name(name).unwrap(), &mut SystemRng).unwrap()
}

/// Returns a random generator that chooses the bits that a test flips. Each call of the generator returns a number
/// below the argument of the call.
fn random() -> impl FnMut(usize) -> usize {
    let mut state = grille_pki::now().as_nanos() as u64 | 1;
    println!("seed {state}");
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    }
}

#[test]
fn every_signature_key_survives_every_form() {
    for row in rows::quick() {
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
        for form in forms(row) {
            let der = key.to_pkcs8_der(form).unwrap();
            let pem = key.to_pkcs8_pem(form).unwrap();
            for read in
                [PrivateKey::from_pem_or_der(der.as_ref()), PrivateKey::from_pem_or_der(pem.as_bytes())]
            {
                let read = read.unwrap();
                assert_eq!(read.public_key(), key.public_key(), "{row:?} {form:?}");
                assert!(signs_for(&read, &key), "{row:?} {form:?}");
                read.to_pkcs8_der(PrivateKeyForm::default_for(row)).unwrap();
            }
        }
    }
}

/// Compares only the keys, because a signature takes long.
#[test]
fn keys_of_slow_algorithms_survive_every_form() {
    for row in rows::with_oid().filter(|row| rows::is_slow(row)) {
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
        for form in forms(row) {
            let read = PrivateKey::from_pem_or_der(key.to_pkcs8_der(form).unwrap().as_ref()).unwrap();
            assert_eq!(read.public_key(), key.public_key(), "{row:?} {form:?}");
        }
    }
}

#[test]
fn low_memory_mode_reads_the_same_keys() {
    for row in rows::quick() {
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
        for form in forms(row) {
            let der = key.to_pkcs8_der(form).unwrap();
            let small = PrivateKey::low_memory_from_pem_or_der_in(der.as_ref(), Numbers::default()).unwrap();
            assert_eq!(small.public_key(), key.public_key(), "{row:?} {form:?}");
            assert!(small.to_pkcs8_der(form).unwrap() == der, "{row:?} {form:?}");
            assert!(signs_for(&small, &key), "{row:?} {form:?}");
        }
    }
}

fn signs_for(key: &PrivateKey, other: &PrivateKey) -> bool {
    let signature = key.signing_key().sign(b"m", b"", &mut SystemRng).unwrap();
    other.public_key().verifying_key().unwrap().verify(b"m", b"", &signature).is_ok()
}

#[test]
fn low_memory_mode_applies_the_same_checks() {
    for name in ["ML-DSA-44", "Falcon-512", "SLH-DSA-SHA2-128f", "p256_dilithium2"] {
        let key = PrivateKey::generate(signature_by_name(name).unwrap(), &mut SystemRng).unwrap();
        let mut refused = 0;
        for form in forms(key.row()) {
            let der = key.to_pkcs8_der(form).unwrap();
            for index in [der.as_ref().len() / 2, der.as_ref().len() - 1] {
                let mut altered = der.as_ref().to_vec();
                altered[index] ^= 1;
                let reason = |read: Result<PrivateKey, Error>| read.err().map(|error| error.to_string());
                let small = reason(PrivateKey::low_memory_from_pem_or_der_in(&altered, Numbers::default()));
                let whole = reason(PrivateKey::from_pem_or_der_in(&altered, Numbers::default()));
                assert_eq!(small, whole, "{name}, {form:?}, byte {index}");
                refused += usize::from(small.is_some());
            }
        }
        assert!(refused > 0, "{name}");
    }
}

#[test]
fn every_public_key_survives_der_and_pem() {
    for row in rows::with_oid() {
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap().public_key().clone();
        assert_eq!(PublicKey::from_pem_or_der(&key.to_spki_der().unwrap()).unwrap(), key);
        assert_eq!(PublicKey::from_pem_or_der(key.to_spki_pem().unwrap().as_bytes()).unwrap(), key);
    }
}

#[test]
fn kem_keys_survive_every_form_or_report_the_missing_oid() {
    for row in KEMS {
        let key = KemPrivateKey::generate(row, &mut SystemRng).unwrap();
        if row.oid.is_none() {
            let refused = key.to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM).unwrap_err();
            assert!(refused.to_string().contains("raw files"), "{refused}");
            assert!(key.public_key().to_spki_pem().is_err());
            continue;
        }
        for form in FORMS {
            let Ok(der) = key.to_pkcs8_der(form) else {
                assert_eq!(row.category, 0, "{row:?} {form:?}");
                continue;
            };
            let read = KemPrivateKey::from_pem_or_der(der.as_ref()).unwrap();
            let sent = key.public_key().encaps_key().unwrap().encapsulate(&mut SystemRng);
            assert!(
                read.decaps_key().decapsulate(&sent.ciphertext).unwrap() == sent.secret,
                "{row:?} {form:?}"
            );
        }
        let public =
            KemPublicKey::from_pem_or_der(key.public_key().to_spki_pem().unwrap().as_bytes()).unwrap();
        assert_eq!(public.bytes(), key.public_key().bytes());
    }
}

#[test]
fn reads_untagged_seeds_and_expanded_keys_of_the_drafts() {
    let key = key("ML-DSA-44");
    let seed = key.to_pkcs8_der(PrivateKeyForm::Seed).unwrap();
    let (head, tail) = seed.as_ref().split_at(seed.as_ref().len() - 34);
    let mut draft = head.to_vec();
    draft.extend_from_slice(&tail[2..]);
    // the lengths of the document and of privateKey have one byte each
    draft[1] -= 2;
    let at = draft.len() - 33;
    draft[at] -= 2;
    assert_eq!(PrivateKey::from_pem_or_der(&draft).unwrap().public_key(), key.public_key());
}

#[test]
fn rejects_inconsistent_keys() {
    let key = key("ML-DSA-65");
    let both = key.to_pkcs8_der(PrivateKeyForm::Both).unwrap();
    let mut other_expanded = both.as_ref().to_vec();
    *other_expanded.last_mut().unwrap() ^= 1;
    assert!(PrivateKey::from_pem_or_der(&other_expanded).is_err());
    let oqs = key.to_pkcs8_der(PrivateKeyForm::Oqs).unwrap();
    let mut other_public = oqs.as_ref().to_vec();
    *other_public.last_mut().unwrap() ^= 1;
    let refused = PrivateKey::from_pem_or_der(&other_public).unwrap_err();
    assert!(matches!(refused, Error::Malformed { .. }), "{refused}");
}

#[test]
fn reports_a_missing_seed() {
    let expanded = key("ML-DSA-44").to_pkcs8_der(PrivateKeyForm::Expanded).unwrap();
    let read = PrivateKey::from_pem_or_der(expanded.as_ref()).unwrap();
    assert!(matches!(read.to_pkcs8_der(PrivateKeyForm::Seed), Err(Error::Form { .. })));
    assert!(read.to_pkcs8_der(PrivateKeyForm::SeedIfKnown).unwrap() == expanded);
}

#[test]
fn oqs_documents_have_the_lengths_of_2021() {
    let document = key("Dilithium2").to_pkcs8_der(PrivateKeyForm::Oqs).unwrap();
    // version, identifier, and two headers around 2528 + 1312 bytes
    assert_eq!(document.as_ref().len(), 3840 + 4 + 4 + 4 + 3 + 15);
}

#[test]
fn rejects_every_truncation_of_a_key() {
    let key = key("ML-DSA-44");
    let der = key.to_pkcs8_der(PrivateKeyForm::Seed).unwrap();
    let pem = key.to_pkcs8_pem(PrivateKeyForm::Seed).unwrap();
    let public = key.public_key().to_spki_der().unwrap();
    for length in 0..der.as_ref().len() {
        assert!(PrivateKey::from_pem_or_der(&der.as_ref()[..length]).is_err(), "{length}");
    }
    for length in 0..pem.trim_end().len() {
        assert!(PrivateKey::from_pem_or_der(&pem.as_bytes()[..length]).is_err(), "{length}");
    }
    for length in 0..public.len() {
        assert!(PublicKey::from_pem_or_der(&public[..length]).is_err(), "{length}");
    }
}

#[test]
fn damaged_private_keys_neither_panic_nor_match_the_key() {
    let key = key("ML-DSA-44");
    let mut random = random();
    for form in FORMS {
        let der = key.to_pkcs8_der(form).unwrap();
        // versions 0 and 1 are interchangeable, so readers ignore a flip of the lowest bit of the version
        let version = 8 * (2 + der.as_ref().windows(2).position(|window| window == [2, 1]).unwrap());
        for _ in 0..200 {
            let mut damaged = der.as_ref().to_vec();
            let at = random(damaged.len() * 8);
            damaged[at / 8] ^= 1 << (at % 8);
            if let Ok(read) = PrivateKey::from_pem_or_der(&damaged) {
                let is_other = read.signing_key().to_bytes() != key.signing_key().to_bytes();
                assert!(is_other || at == version, "bit {at} is ignored");
            }
        }
    }
}

#[test]
fn names_a_wrong_label_and_gives_advice() {
    let key = key("Ed25519");
    let public = key.public_key().to_spki_pem().unwrap();
    let refused = PrivateKey::from_pem_or_der(public.as_bytes()).unwrap_err();
    assert_eq!(refused, Error::Label { expected: "PRIVATE KEY", found: "PUBLIC KEY".to_owned() });
    assert!(refused.to_string().contains("give the private key"), "{refused}");
}

#[test]
fn rejects_a_kem_key_as_signing_key() {
    let kem = KemPrivateKey::generate(kem_by_name("ML-KEM-512").unwrap(), &mut SystemRng).unwrap();
    let der = kem.to_pkcs8_der(PrivateKeyForm::Seed).unwrap();
    assert!(matches!(
        PrivateKey::from_pem_or_der(der.as_ref()),
        Err(Error::OtherUse { algorithm: "ML-KEM-512", .. })
    ));
}

/// Encodes tag, length and the concatenated parts.
fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let length = match content.len() {
        len @ 0..0x80 => vec![len as u8],
        len @ 0x80..0x100 => vec![0x81, len as u8],
        len => vec![0x82, (len >> 8) as u8, len as u8],
    };
    [&[tag][..], &length, &content].concat()
}

#[test]
fn names_unsupported_rsa_sizes_and_the_row_of_damaged_keys() {
    const RSA: &[u8] = &[0x30, 13, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 1, 1, 5, 0];
    for (bits, algorithm) in
        [(512_usize, None), (1024, None), (2047, None), (3072, Some("RSA-3072")), (8192, None)]
    {
        let mut n = vec![0xFF; bits.div_ceil(8)];
        n[0] >>= n.len() * 8 - bits;
        if n[0] & 0x80 != 0 {
            n.insert(0, 0);
        }
        let n = tlv(2, &[&n]);
        // no RSA key has this exponent
        let (private, public) = (tlv(0x30, &[&[2, 1, 0], &n]), tlv(0x30, &[&n, &[2, 1, 2]]));
        let document = tlv(0x30, &[&[2, 1, 0], RSA, &tlv(4, &[&private])]);
        let spki = tlv(0x30, &[RSA, &tlv(3, &[&[0], &public])]);
        let refused = PrivateKey::from_pem_or_der(&document).unwrap_err().to_string();
        let public_refused = PublicKey::from_pem_or_der(&spki).unwrap_err().to_string();
        for (text, element) in [(refused, "private key"), (public_refused, "public key")] {
            match algorithm {
                Some(name) => assert!(text.starts_with(&format!("{name}: ")), "{text}"),
                None => {
                    let known = "supported: RSA-2048, RSA-3072, RSA-4096";
                    assert_eq!(text, format!("the {element} has {bits} bits; {known}"));
                }
            }
        }
    }
}
