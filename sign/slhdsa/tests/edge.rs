//! Inputs that must be refused, and properties specific to hash-based signatures. The registry's tests cover every set.

use grille_core::{Error, Signature, SigningKey as _, SystemRng, VerifyingKey as _};
use grille_slhdsa::{
    HashFunction, PreHash, SlhDsaSha2_128f, SlhDsaSha2_192f, SlhDsaShake128f, SphincsHaraka128fRobust,
    SphincsHaraka128fSimple, SphincsSha2_256fRobust, SphincsSha256_128fRobust, SphincsSha256_256fRobust,
    SphincsShake256_256fRobust,
};
use std::sync::Mutex;
use std::thread;

/// A stack size in bytes that is enough for signing, except for the signature itself.
const STACK_SIZE: usize = 64 * 1024;

/// Signs on a thread with a stack of [`STACK_SIZE`] bytes. The process would abort if the stack were too small.
fn check_signing_memory<S: Signature<SignatureBytes: Send>>() {
    let key = S::generate(&mut SystemRng);
    let signature = thread::scope(|scope| {
        let small = thread::Builder::new().stack_size(STACK_SIZE);
        let sign = || key.sign_deterministic(b"message", b"");
        small.spawn_scoped(scope, sign).expect("a thread").join().expect("signing does not panic")
    });
    let signature = signature.expect("an empty context is short enough");
    key.verifying_key().verify(b"message", b"", signature.as_ref()).expect(S::INFO.name);
}

#[test]
fn signing_takes_less_than_64_kib_of_stack() {
    check_signing_memory::<SlhDsaShake128f>();
    check_signing_memory::<SlhDsaSha2_128f>();
    check_signing_memory::<SlhDsaSha2_192f>();
    check_signing_memory::<SphincsShake256_256fRobust>();
    check_signing_memory::<SphincsSha256_128fRobust>();
    check_signing_memory::<SphincsSha256_256fRobust>();
    check_signing_memory::<SphincsSha2_256fRobust>();
    check_signing_memory::<SphincsHaraka128fSimple>();
    check_signing_memory::<SphincsHaraka128fRobust>();
}

#[test]
fn prehash_signature_does_not_verify_as_pure() {
    let key = SlhDsaSha2_128f::generate(&mut SystemRng);
    let public = key.verifying_key();
    let hashed = PreHash::new(HashFunction::Sha512, b"message");
    let signature = key.sign_prehash(&hashed, b"context", &mut SystemRng).expect("a short context");
    public.verify_prehash(&hashed, b"context", &signature).expect("a fresh signature is valid");
    let pure = public.verify(b"message", b"context", &signature);
    assert_eq!(pure, Err(Error::InvalidSignature));
    let other = PreHash::new(HashFunction::Sha256, b"message");
    assert_eq!(public.verify_prehash(&other, b"context", &signature), Err(Error::InvalidSignature));
    assert_eq!(public.verify_prehash(&hashed, b"", &signature), Err(Error::InvalidSignature));
}

#[test]
fn rejects_contexts_of_256_bytes_and_all_contexts_with_sphincs() {
    let key = SlhDsaShake128f::generate(&mut SystemRng);
    assert!(key.sign_deterministic(b"", &[0; 255]).is_ok());
    assert!(matches!(key.sign_deterministic(b"", &[0; 256]), Err(Error::ContextTooLong { .. })));
    let key = SphincsHaraka128fSimple::generate(&mut SystemRng);
    assert!(matches!(key.sign_deterministic(b"", b"c"), Err(Error::ContextTooLong { .. })));
}

#[test]
fn rejects_seeds_of_wrong_length() {
    type Key = <SlhDsaSha2_192f as Signature>::SigningKey;
    assert!(Key::generate_internal(&[1; 24], &[2; 24], &[3; 24]).is_ok());
    for lengths in [[23, 24, 24], [24, 25, 24], [24, 24, 0]] {
        let [a, b, c] = lengths.map(|len| vec![0; len]);
        assert!(matches!(Key::generate_internal(&a, &b, &c), Err(Error::Length { .. })), "{lengths:?}");
    }
}

#[test]
fn check_finds_a_wrong_root() {
    let key = SlhDsaSha2_128f::generate(&mut SystemRng);
    assert_eq!(key.check(), Ok(()));
    let mut bytes = key.to_bytes().as_ref().to_vec();
    *bytes.last_mut().expect("64 bytes") ^= 1;
    type Key = <SlhDsaSha2_128f as Signature>::SigningKey;
    let damaged = Key::from_bytes(&bytes).map(|key| key.check());
    assert!(matches!(damaged, Ok(Err(Error::InvalidPrivateKey { .. }))));
    // `from_bytes_dyn` returns a prepared key, and preparation checks the root
    let stored = Key::from_bytes_dyn(&bytes).map(|_| ());
    assert!(matches!(stored, Err(Error::InvalidPrivateKey { .. })));
    assert!(Key::from_bytes_dyn(key.to_bytes().as_ref()).is_ok());
}

#[test]
fn hedged_signatures_differ_and_deterministic_ones_repeat() {
    let key = SlhDsaShake128f::generate(&mut SystemRng);
    let hedged = || key.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough");
    assert!(hedged() != hedged());
    let fixed = || key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
    assert!(fixed() == fixed());
}

#[test]
fn rejects_changes_in_every_part_of_a_signature() {
    let key = SlhDsaSha2_128f::generate(&mut SystemRng);
    let signature = key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
    // changes bytes of R, of FORS, and of each layer of the hypertree
    for at in (0..signature.len()).step_by(181) {
        let mut damaged = signature.clone();
        damaged[at] ^= 0x10;
        let verdict = key.verifying_key().verify(b"message", b"", &damaged);
        assert_eq!(verdict, Err(Error::InvalidSignature), "byte {at}");
    }
}

#[test]
fn progress_reaches_the_total_and_keeps_the_signature() {
    let key = SlhDsaSha2_128f::generate(&mut SystemRng);
    let prepared = key.clone().prepare();
    let silent = key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
    let reports = Mutex::new(Vec::new());
    let progress = |done, total| reports.lock().expect("no thread panics").push((done, total));
    let signatures = [
        key.sign_with_progress(b"message", b"", None, &progress),
        prepared.sign_with_progress(b"message", b"", None, &progress),
    ];
    assert!(signatures.into_iter().all(|signature| signature.as_ref() == Ok(&silent)));
    // one report for each of 33 FORS trees and of 22 XMSS trees with eight keys, or of 21 XMSS trees without the top
    // tree
    let mut reports = reports.into_inner().expect("no thread panics");
    let (whole, without_top) = reports.split_at_mut(33 + 22);
    assert_eq!(without_top.len(), 33 + 21);
    for reports in [whole, without_top] {
        // reports of several threads may be out of order
        reports.sort_unstable();
        assert!(reports.is_sorted_by(|before, after| before.0 < after.0), "{reports:?}");
        assert!(reports.iter().all(|(done, total)| (1..=*total).contains(done)));
        assert!(matches!(reports.last(), Some((done, total)) if done == total));
    }
}
