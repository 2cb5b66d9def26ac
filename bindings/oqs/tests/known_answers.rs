//! Known answers through the C interface: the records of liboqs' own `kat_kem` and `kat_sig`, whose digests `names.tsv`
//! lists. These records determine the meaning of each name in the era, the layout of keys, and the order and sizes of
//! random draws.

#[cfg(era = "0.16")]
use grille_oqs as oqs;
#[cfg(era = "0.5")]
use grille_oqs_0_5 as oqs;
#[cfg(era = "0.7")]
use grille_oqs_0_7 as oqs;

#[path = "generated/releases.rs"]
mod releases;

use grille_kat::drbg::CtrDrbg;
use grille_kat::nist::{hex, signature_record};
use oqs::kem::{OQS_KEM_free, OQS_KEM_new};
use oqs::random::OQS_randombytes_custom_algorithm;
use oqs::sig::{OQS_SIG_free, OQS_SIG_new};
use rand_core::Rng as _;
use releases::{parse_releases, position};
use sha2::{Digest as _, Sha256};
use std::ffi::CString;
use std::sync::Mutex;

/// The last release of the era.
const RELEASE: &str = if cfg!(era = "0.5") {
    "0.5.0"
} else if cfg!(era = "0.7") {
    "0.7.2"
} else {
    "0.16.0"
};

static DRBG: Mutex<Option<CtrDrbg>> = Mutex::new(None);

/// Makes the library draw from NIST's generator, instantiated with `seed`.
fn reseed(seed: &[u8; 48]) {
    *DRBG.lock().unwrap() = Some(CtrDrbg::new(seed));
}

unsafe extern "C" fn draw(place: *mut u8, len: usize) {
    let mut bytes = vec![0; len];
    DRBG.lock().unwrap().as_mut().expect("a seed").fill_bytes(&mut bytes);
    // SAFETY: the library passes `len` writable bytes
    unsafe { place.copy_from_nonoverlapping(bytes.as_ptr(), len) };
}

/// Returns the seed of the first record, and the message for signatures.
fn first_inputs() -> ([u8; 48], [u8; 33]) {
    let mut outer = CtrDrbg::new(&std::array::from_fn(|i| i as u8));
    let (mut seed, mut message) = ([0; 48], [0; 33]);
    outer.fill_bytes(&mut seed);
    outer.fill_bytes(&mut message);
    (seed, message)
}

fn kem_record(name: &str) -> Option<String> {
    let name = CString::new(name).expect("a name without NUL");
    let (seed, _) = first_inputs();
    reseed(&seed);
    // SAFETY: the name is a string; the buffers have the lengths that the structure states; the object is freed once
    unsafe {
        let kem = OQS_KEM_new(name.as_ptr());
        let object = kem.as_ref()?;
        let mut public = vec![0; object.length_public_key];
        let mut secret = vec![0; object.length_secret_key];
        let mut ciphertext = vec![0; object.length_ciphertext];
        let (mut sent, mut received) =
            (vec![0; object.length_shared_secret], vec![1; object.length_shared_secret]);
        assert_eq!(object.keypair?(public.as_mut_ptr(), secret.as_mut_ptr()), 0);
        assert_eq!(object.encaps?(ciphertext.as_mut_ptr(), sent.as_mut_ptr(), public.as_ptr()), 0);
        assert_eq!(object.decaps?(received.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr()), 0);
        assert_eq!(sent, received);
        OQS_KEM_free(kem);
        let values =
            [("seed", &seed[..]), ("pk", &public), ("sk", &secret), ("ct", &ciphertext), ("ss", &sent)];
        let lines = values.map(|(name, bytes)| format!("{name} = {}\n", hex(bytes)));
        Some(format!("count = 0\n{}", lines.concat()))
    }
}

/// Formats the submission's signed message. For Falcon: the length of the part after the message, the nonce, the message, and the
/// signature without the nonce. For all others: the signature and the message.
fn signed_message(name: &[u8], signature: &[u8], message: &[u8]) -> Vec<u8> {
    if !matches!(name, b"Falcon-512" | b"Falcon-1024") {
        return [signature, message].concat();
    }
    let (header, (nonce, s2)) = (signature[0], signature[1..].split_at(40));
    let len = (1 + s2.len()) as u16;
    [&len.to_be_bytes()[..], nonce, message, &[header - 0x10], s2].concat()
}

fn sig_record(name: &str) -> Option<String> {
    let name = CString::new(name).expect("a name without NUL");
    let (seed, message) = first_inputs();
    reseed(&seed);
    // SAFETY: the name is a string; the buffers have the lengths that the structure states; the object is freed once
    unsafe {
        let sig = OQS_SIG_new(name.as_ptr());
        let object = sig.as_ref()?;
        let mut public = vec![0; object.length_public_key];
        let mut secret = vec![0; object.length_secret_key];
        let mut signature = vec![0; object.length_signature];
        let mut len = 0;
        assert_eq!(object.keypair?(public.as_mut_ptr(), secret.as_mut_ptr()), 0);
        let signed =
            object.sign?(signature.as_mut_ptr(), &mut len, message.as_ptr(), message.len(), secret.as_ptr());
        assert_eq!(signed, 0);
        let verify = object.verify?;
        assert_eq!(verify(message.as_ptr(), message.len(), signature.as_ptr(), len, public.as_ptr()), 0);
        OQS_SIG_free(sig);
        let signed = signed_message(name.to_bytes(), &signature[..len], &message);
        Some(signature_record(0, &seed, &message, &[hex(&public), hex(&secret)], &signed))
    }
}

/// Returns the digest that the `columns` of a line of `names.tsv` contain for the release; `None` if there is none.
fn digest<'a>(columns: &[&'a str]) -> Option<&'a str> {
    let parts = columns.get(9)?.split(" ; ").filter_map(|part| part.split_once('='));
    let mut own = parts.filter(|(ranges, _)| parse_releases(ranges).contains(&position(RELEASE)));
    own.next().map(|(_, digest)| digest)
}

/// Returns whether the parameter set is an `s` set, which takes seconds. The `f` sets test the same code.
fn is_slow(name: &str) -> bool {
    ["128s", "192s", "256s"].iter().any(|set| name.to_lowercase().contains(set))
}

/// Returns whether the KEM's records come from a generator other than NIST's. Since 0.10, liboqs makes the records of HQC with a
/// generator based on SHAKE256.
fn has_other_generator(name: &str) -> bool {
    cfg!(era = "0.16") && name.starts_with("HQC-")
}

#[test]
fn answers_match_those_of_the_release() {
    // SAFETY: `draw` fills the bytes it gets, and locks, so any thread may call it
    unsafe { OQS_randombytes_custom_algorithm(Some(draw)) };
    let (mut compared, mut wrong) = (0, Vec::new());
    for line in include_str!("../names.tsv").lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let name = columns[1];
        let Some(digest) = digest(&columns).filter(|_| !is_slow(name) && !has_other_generator(name)) else {
            continue;
        };
        let record = match columns[0] {
            "kem" => kem_record(name),
            _ => sig_record(name),
        };
        let Some(record) = record else { continue };
        compared += 1;
        let found: String =
            Sha256::digest(record.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        if found != digest {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "answers that differ from liboqs {RELEASE}: {wrong:?}; {compared} compared");
    assert!(compared >= 30, "{compared} compared");
}
