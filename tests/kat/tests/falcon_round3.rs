//! All hundred known answers of round 3's submission and of its padded format, against the digests that liboqs keeps of the
//! files: with random keys a few of them would differ, as key generation computes in another way then.
//!
//! A digest is SHA-256 of the text of the records in the form of NIST's files, with an empty line between two.

use grille_core::{SigningKey as _, VerifyingKey as _};
use grille_falcon::params::{Falcon512P, Falcon1024P, FalconPadded512P, FalconPadded1024P, Format, Params};
use grille_falcon::{SignatureBytes, SigningKey, emulated};
use grille_kat::drbg::CtrDrbg;
use grille_kat::nist::{hex, signature_record};
use grille_kat::signature_inputs;
use rand_core::Rng;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::thread;

const DIGESTS: &str = include_str!("../../../vectors/falcon/nist.json");

#[test]
fn all_hundred_answers_of_every_set_are_round_3s() {
    all_hundred_answers_are_round_3s::<Native>();
}

#[test]
fn doubles_computed_with_integers_give_the_same_answers() {
    fn check<P: Params>() {
        for (count, (seed, message)) in (0..).zip(signature_inputs()).take(100).step_by(33) {
            let [expected, got] = [record::<P, Native>, record::<P, Emulated>];
            assert!(got(count, &seed, &message) == expected(count, &seed, &message), "{} {count}", P::NAME);
        }
    }
    check::<Falcon512P>();
    check::<FalconPadded512P>();
    check::<Falcon1024P>();
    check::<FalconPadded1024P>();
}

#[test]
#[ignore = "takes minutes"]
fn doubles_computed_with_integers_give_all_hundred_answers() {
    all_hundred_answers_are_round_3s::<Emulated>();
}

/// What computes with doubles.
trait Doubles: 'static {
    fn keygen_internal<P: Params>(seed: &[u8; 48]) -> SigningKey<P>;
    fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], drbg: &mut CtrDrbg) -> SignatureBytes<P>;
}

/// As this processor does.
struct Native;

impl Doubles for Native {
    fn keygen_internal<P: Params>(seed: &[u8; 48]) -> SigningKey<P> {
        SigningKey::keygen_internal(seed)
    }

    fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], drbg: &mut CtrDrbg) -> SignatureBytes<P> {
        key.sign(message, b"", drbg).expect("no context is given")
    }
}

/// As one without doubles does.
struct Emulated;

impl Doubles for Emulated {
    fn keygen_internal<P: Params>(seed: &[u8; 48]) -> SigningKey<P> {
        emulated::keygen_internal(seed)
    }

    fn sign<P: Params>(key: &SigningKey<P>, message: &[u8], drbg: &mut CtrDrbg) -> SignatureBytes<P> {
        emulated::sign(key, message, drbg)
    }
}

fn all_hundred_answers_are_round_3s<D: Doubles>() {
    let digests: BTreeMap<String, String> = serde_json::from_str(DIGESTS).expect("names and digests");
    let sets = [
        digest::<Falcon512P, D>,
        digest::<FalconPadded512P, D>,
        digest::<Falcon1024P, D>,
        digest::<FalconPadded1024P, D>,
    ];
    let got =
        thread::scope(|scope| sets.map(|set| scope.spawn(set)).map(|set| set.join().expect("no panic")));
    assert_eq!(BTreeMap::from(got), digests);
}

/// The name, and the digest of the file.
fn digest<P: Params, D: Doubles>() -> (String, String) {
    let records: Vec<String> = (0..100)
        .zip(signature_inputs())
        .map(|(count, (seed, message))| record::<P, D>(count, &seed, &message))
        .collect();
    (P::NAME.to_owned(), hex(&Sha256::digest(records.join("\n"))).to_lowercase())
}

/// A record, as NIST's generator of known answers writes it.
fn record<P: Params, D: Doubles>(count: usize, seed: &[u8; 48], message: &[u8]) -> String {
    let mut drbg = CtrDrbg::new(seed);
    let mut key_seed = [0; 48];
    drbg.fill_bytes(&mut key_seed);
    let key = D::keygen_internal::<P>(&key_seed);
    let signature = D::sign(&key, message, &mut drbg);
    let signed = signed_message(P::SIGNATURE.format, &signature, message);
    let keys = [key.verifying_key().to_bytes().as_ref(), key.to_bytes().as_ref()].map(hex);
    signature_record(count, seed, message, &keys, &signed)
}

/// The submission's signed message: the length of what follows the message, the nonce, the message, and the signature without
/// the nonce. With the padded format, which the submission had not: the signature, the message.
fn signed_message(format: Format, signature: &[u8], message: &[u8]) -> Vec<u8> {
    if format == Format::Padded {
        return [signature, message].concat();
    }
    let (header, (nonce, s2)) = (signature[0], signature[1..].split_at(40));
    let len = (1 + s2.len()) as u16;
    [&len.to_be_bytes()[..], nonce, message, &[header - 0x10], s2].concat()
}
