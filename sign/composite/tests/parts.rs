//! Tests that each part signs separately, that both signatures must verify, and that truncated, swapped or
//! mixed parts are refused.

use grille_classical::{
    IETF_P256_SHA256, PART_ED25519, PART_P256_SHA384, PART_P521_SHA512, PART_RSA_2048_SHA256,
    PART_RSA_3072_SHA256,
};
use grille_composite::{Composite, Format, PreHash};
use grille_core::{DynSignature, Error, SystemRng};
use grille_falcon::erased::Falcon512;
use grille_mldsa::erased::{Dilithium2, MlDsa44, MlDsa65};
use grille_slhdsa::erased::SphincsShake256_256fSimple;
use std::sync::Mutex;

static P256_DILITHIUM2: Composite = Composite::oqs("p256_dilithium2", PART_P256_SHA384.part(), &Dilithium2);
static P521_MLDSA65: Composite = Composite::oqs("p521_mldsa65", PART_P521_SHA512.part(), &MlDsa65);
static RSA_FALCON: Composite = Composite::oqs("rsa3072_falcon512", PART_RSA_3072_SHA256.part(), &Falcon512);
static P521_SPHINCS: Composite =
    Composite::oqs("p521_sphincsshake256256fsimple", PART_P521_SHA512.part(), &SphincsShake256_256fSimple);
static ED_MLDSA44: Composite =
    Composite::ietf("ed", PART_ED25519.part(), &MlDsa44, "label of ed", PreHash::Sha512);
static P256_MLDSA44: Composite =
    Composite::ietf("p256", IETF_P256_SHA256.part(), &MlDsa44, "label of p256", PreHash::Sha256);
static RSA_MLDSA65: Composite =
    Composite::ietf("rsa", PART_RSA_2048_SHA256.part(), &MlDsa65, "label of rsa", PreHash::Sha512);

const OQS: [&Composite; 4] = [&P256_DILITHIUM2, &P521_MLDSA65, &RSA_FALCON, &P521_SPHINCS];
const IETF: [&Composite; 3] = [&ED_MLDSA44, &P256_MLDSA44, &RSA_MLDSA65];

fn all() -> impl Iterator<Item = &'static Composite> {
    OQS.into_iter().chain(IETF)
}

/// Returns the offset at which the classical part ends in the format of OQS. This part follows its length
/// field.
fn classical_end(joined: &[u8]) -> usize {
    4 + u32::from_be_bytes(joined[..4].try_into().expect("4 bytes")) as usize
}

#[test]
fn keys_round_trip_and_sign() {
    for composite in all() {
        let (info, key) = (composite.info(), composite.generate(&mut SystemRng));
        let read = composite.signing_key(key.to_bytes().as_ref()).expect(info.name);
        assert_eq!(read.to_bytes(), key.to_bytes(), "{}", info.name);
        assert_eq!(read.verifying_key_bytes(), key.verifying_key_bytes(), "{}", info.name);
        assert!(key.to_bytes().as_ref().len() <= info.signing_key_len, "{}", info.name);
        let public = composite.verifying_key(&key.verifying_key_bytes()).expect(info.name);
        assert_eq!(public.to_bytes(), key.verifying_key_bytes());
        let signature = read.sign(b"message", b"", &mut SystemRng).expect(info.name);
        assert!(signature.len() <= info.signature_len, "{}", info.name);
        assert_eq!(public.verify(b"message", b"", &signature), Ok(()), "{}", info.name);
        assert_eq!(public.verify(b"massage", b"", &signature), Err(Error::InvalidSignature));
    }
}

#[test]
fn reports_progress_of_a_hash_based_part() {
    let key = P521_SPHINCS.generate(&mut SystemRng);
    let reports = Mutex::new(Vec::new());
    let progress = |done, total| reports.lock().expect("no thread panics").push((done, total));
    let signature = key.sign_with_progress(b"message", b"", Some(&mut SystemRng), &progress);
    let public = P521_SPHINCS.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
    assert_eq!(public.verify(b"message", b"", &signature.expect("an empty context is short enough")), Ok(()));
    let reports = reports.into_inner().expect("no thread panics");
    assert!(reports.len() > 17 && reports.last().is_some_and(|(done, total)| done == total), "{reports:?}");
}

/// Splits composite signatures, and verifies each part separately over the message itself.
#[test]
fn both_parts_of_oqs_sign_the_message() {
    for composite in OQS {
        let key = composite.generate(&mut SystemRng);
        let (public, signature) = (
            key.verifying_key_bytes(),
            key.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough"),
        );
        let (end, at) = (classical_end(&public), classical_end(&signature));
        let classical = composite.classical().verifying_key(&public[4..end]).expect("a classical key");
        let post_quantum = composite.post_quantum().verifying_key(&public[end..]).expect("a key");
        assert_eq!(classical.verify(b"message", b"", &signature[4..at]), Ok(()));
        assert_eq!(post_quantum.verify(b"message", b"", &signature[at..]), Ok(()));
    }
}

#[test]
fn rejects_signatures_with_one_valid_part() {
    for composite in all() {
        let (key, other) = (composite.generate(&mut SystemRng), composite.generate(&mut SystemRng));
        let public = composite.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
        let sign = |key: &dyn grille_core::DynSigningKey| key.sign(b"m", b"", &mut SystemRng).expect("none");
        let (own, foreign) = (sign(key.as_ref()), sign(other.as_ref()));
        let cut = |signature: &[u8]| match composite.format() {
            Format::Oqs => classical_end(signature),
            Format::Ietf { .. } => composite.post_quantum().info().signature_len,
        };
        let first_of_another = [&foreign[..cut(&foreign)], &own[cut(&own)..]].concat();
        let second_of_another = [&own[..cut(&own)], &foreign[cut(&foreign)..]].concat();
        let (classical, post_quantum) =
            (composite.classical().info().name, composite.post_quantum().info().name);
        let [first, second] = match composite.format() {
            Format::Oqs => [classical, post_quantum],
            Format::Ietf { .. } => [post_quantum, classical],
        };
        // the error omits the suffix of the name, which starts with a comma
        let part = |name: &'static str| {
            Err(Error::InvalidSignaturePart { part: name.split(',').next().unwrap_or(name) })
        };
        assert_eq!(public.verify(b"m", b"", &first_of_another), part(first));
        assert_eq!(public.verify(b"m", b"", &second_of_another), part(second));
        assert_eq!(public.verify(b"m", b"", &foreign), Err(Error::InvalidSignature));
    }
}

#[test]
fn rejects_swapped_parts() {
    for composite in OQS {
        let key = composite.generate(&mut SystemRng);
        let swap = |joined: &[u8]| {
            let (classical, rest) = (&joined[4..classical_end(joined)], &joined[classical_end(joined)..]);
            [&u32::try_from(rest.len()).expect("short").to_be_bytes()[..], rest, classical].concat()
        };
        assert!(composite.verifying_key(&swap(&key.verifying_key_bytes())).is_err());
        assert!(composite.signing_key(&swap(key.to_bytes().as_ref())).is_err());
        let public = composite.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
        let signature = key.sign(b"m", b"", &mut SystemRng).expect("an empty context is short enough");
        assert_eq!(public.verify(b"m", b"", &swap(&signature)), Err(Error::InvalidSignature));
    }
    for composite in IETF {
        let key = composite.generate(&mut SystemRng);
        let public = key.verifying_key_bytes();
        let signature = key.sign(b"m", b"", &mut SystemRng).expect("an empty context is short enough");
        let (first, second) = public.split_at(composite.post_quantum().info().verifying_key_len);
        // any 32 bytes may be an Ed25519 key, and any bytes of the right length may be an ML-DSA key
        let swapped = composite.verifying_key(&[second, first].concat());
        assert!(swapped.is_err() || swapped.is_ok_and(|key| key.verify(b"m", b"", &signature).is_err()));
    }
}

#[test]
fn rejects_truncated_and_extended_inputs() {
    for composite in all() {
        let key = composite.generate(&mut SystemRng);
        let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
        let signature = key.sign(b"m", b"", &mut SystemRng).expect("an empty context is short enough");
        let verifying = composite.verifying_key(&public).expect("a fresh key is valid");
        let wrong = |right: &[u8]| -> Vec<Vec<u8>> {
            let lens = (0..right.len() + 3).filter(|len| *len != right.len());
            let near = lens.filter(|len| len % 61 == 0 || *len < 9 || len.abs_diff(right.len()) < 4);
            near.map(|len| right.iter().copied().chain([0; 3]).take(len).collect()).collect()
        };
        assert!(wrong(&public).iter().all(|bytes| composite.verifying_key(bytes).is_err()));
        assert!(wrong(private.as_ref()).iter().all(|bytes| composite.signing_key(bytes).is_err()));
        let refused = |bytes: &Vec<u8>| verifying.verify(b"m", b"", bytes).is_err();
        assert!(wrong(&signature).iter().all(refused));
    }
}

#[test]
fn rejects_keys_with_a_foreign_public_key() {
    for composite in OQS {
        let (key, other) = (composite.generate(&mut SystemRng), composite.generate(&mut SystemRng));
        let public_len = composite.post_quantum().info().verifying_key_len;
        let (private, other) = (key.to_bytes(), other.to_bytes());
        let (own, foreign) = (private.as_ref(), other.as_ref());
        let mixed = [&own[..own.len() - public_len], &foreign[foreign.len() - public_len..]].concat();
        assert!(matches!(composite.signing_key(&mixed).err(), Some(Error::InvalidPrivateKey { .. })));
    }
}

#[test]
fn signatures_bind_contexts_of_at_most_255_bytes() {
    for composite in IETF {
        let key = composite.generate(&mut SystemRng);
        let public = composite.verifying_key(&key.verifying_key_bytes()).expect("a fresh key is valid");
        let signature = key.sign(b"m", &[1; 255], &mut SystemRng).expect("255 bytes");
        assert_eq!(public.verify(b"m", &[1; 255], &signature), Ok(()));
        assert_eq!(public.verify(b"m", &[1; 254], &signature), Err(Error::InvalidSignature));
        let too_long = Err(Error::ContextTooLong { max: 255, got: 256 });
        assert_eq!(key.sign(b"m", &[1; 256], &mut SystemRng), too_long);
    }
    let key = P256_DILITHIUM2.generate(&mut SystemRng);
    assert_eq!(key.sign(b"m", b"c", &mut SystemRng), Err(Error::ContextTooLong { max: 0, got: 1 }));
}

#[test]
fn labels_separate_composites_of_the_same_parts() {
    static OTHER: Composite =
        Composite::ietf("other", PART_ED25519.part(), &MlDsa44, "another label", PreHash::Sha512);
    let key = ED_MLDSA44.generate(&mut SystemRng);
    let signature = key.sign(b"m", b"", &mut SystemRng).expect("an empty context is short enough");
    let other = OTHER.verifying_key(&key.verifying_key_bytes()).expect("both composites have the same parts");
    assert_eq!(other.verify(b"m", b"", &signature), Err(Error::InvalidSignature));
}

#[test]
fn deterministic_signing_works_if_both_parts_support_it() {
    let draws = |composite: &Composite| {
        let key = composite.generate(&mut SystemRng);
        match key.sign_deterministic(b"m", b"") {
            Ok(signature) => {
                assert_eq!(key.sign_deterministic(b"m", b""), Ok(signature));
                false
            }
            Err(error) => {
                assert!(matches!(error, Error::Unsupported { .. }));
                true
            }
        }
    };
    assert!(OQS.into_iter().all(draws) && draws(&P256_MLDSA44));
    assert!(!draws(&ED_MLDSA44) && !draws(&RSA_MLDSA65));
}

#[test]
fn lengths_are_the_sums_of_the_parts() {
    let classical = P256_DILITHIUM2.classical();
    assert_eq!(classical.info().verifying_key_len, 65);
    let info = P256_DILITHIUM2.info();
    // the first two combinations are those of certificate chains made by OQS-OpenSSL 1.1.1
    assert_eq!((info.verifying_key_len, info.signing_key_len), (4 + 65 + 1312, 3965));
    assert_eq!(info.signature_len, 4 + 72 + 2420);
    assert!(P256_DILITHIUM2.is_composite() && P256_DILITHIUM2.signing_key_from_seed(&[0; 32]).is_err());
}
