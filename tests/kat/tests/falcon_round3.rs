//! Compares all hundred known answers of round 3's submission and of its padded format with the digests of the files in
//! liboqs. `generate_internal` generates the keys. `generate` computes differently, and would give other keys for a few
//! answers.
//!
//! A digest is SHA-256 of the text of the records in the form of NIST's files, with an empty line between records.

use grille_core::{DynSignature, SigningKey as _, VerifyingKey as _};
use grille_falcon::params::{Falcon512P, Falcon1024P, FalconPadded512P, FalconPadded1024P, Format, Params};
use grille_falcon::{emulated, erased};
use grille_kat::drbg::CtrDrbg;
use grille_kat::nist::{hex, signature_record};
use grille_kat::signature_inputs;
use rand_core::Rng;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const DIGESTS: &str = include_str!("../../../vectors/falcon/nist.json");

const SETS: [Set; 4] = [
    Set::new::<Falcon512P>(&erased::Falcon512),
    Set::new::<FalconPadded512P>(&erased::FalconPadded512),
    Set::new::<Falcon1024P>(&erased::Falcon1024),
    Set::new::<FalconPadded1024P>(&erased::FalconPadded1024),
];

#[test]
fn makes_all_hundred_answers_of_every_set_of_round_3() {
    assert_all_answers_match(Set::native);
}

#[test]
fn gives_the_same_answers_with_emulated_doubles() {
    for set in &SETS {
        for (count, (seed, message)) in (0..).zip(signature_inputs()).take(100).step_by(33) {
            let [expected, got] = [Set::native, Set::answer_with_emulated_doubles]
                .map(|answer| set.record(answer, count, &seed, &message));
            assert!(got == expected, "{} {count}", set.algorithm.info().name);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn doubles_computed_with_integers_give_all_hundred_answers() {
    assert_all_answers_match(Set::answer_with_emulated_doubles);
}

fn assert_all_answers_match(answer: MakeAnswer) {
    let digests: BTreeMap<String, String> = serde_json::from_str(DIGESTS).expect("names and digests");
    // one after another, because WebAssembly has no threads
    let got = SETS.each_ref().map(|set| set.digest(answer));
    assert_eq!(BTreeMap::from(got), digests);
}

/// The verifying key, the signing key and the signature.
type Answer = ([Vec<u8>; 2], Vec<u8>);

/// A function that generates a known answer for a message, with randomness from the generator.
type MakeAnswer = fn(&Set, &[u8], &mut CtrDrbg) -> Answer;

/// A parameter set.
struct Set {
    algorithm: &'static dyn DynSignature,
    format: Format,
    emulated: fn(&[u8], &mut CtrDrbg) -> Answer,
}

impl Set {
    const fn new<P: Params>(algorithm: &'static dyn DynSignature) -> Self {
        Self { algorithm, format: P::SIGNATURE.format, emulated: answer_with_emulated_doubles::<P> }
    }

    /// Generates a known answer with the processor's own floating-point arithmetic.
    fn native(&self, message: &[u8], drbg: &mut CtrDrbg) -> Answer {
        let key = self.algorithm.generate_internal(drbg);
        let signature = key.sign(message, b"", drbg).expect("an empty context is short enough");
        ([key.verifying_key_bytes(), key.to_bytes().as_ref().to_vec()], signature)
    }

    /// Generates a known answer with emulated floating-point arithmetic, as on processors that lack it.
    fn answer_with_emulated_doubles(&self, message: &[u8], drbg: &mut CtrDrbg) -> Answer {
        (self.emulated)(message, drbg)
    }

    /// Returns the name and the digest of the file.
    fn digest(&self, answer: MakeAnswer) -> (String, String) {
        let records: Vec<String> = (0..100)
            .zip(signature_inputs())
            .map(|(count, (seed, message))| self.record(answer, count, &seed, &message))
            .collect();
        let name = self.algorithm.info().name.to_owned();
        (name, hex(&Sha256::digest(records.join("\n"))).to_lowercase())
    }

    /// Formats a record like NIST's generator of known answers.
    fn record(&self, answer: MakeAnswer, count: usize, seed: &[u8; 48], message: &[u8]) -> String {
        let (keys, signature) = answer(self, message, &mut CtrDrbg::new(seed));
        let signed = signed_message(self.format, &signature, message);
        signature_record(count, seed, message, &keys.map(|key| hex(&key)), &signed)
    }
}

fn answer_with_emulated_doubles<P: Params>(message: &[u8], drbg: &mut CtrDrbg) -> Answer {
    let mut seed = [0; 48];
    drbg.fill_bytes(&mut seed);
    let key = emulated::keygen_internal::<P>(&seed);
    let signature = emulated::sign(&key, message, drbg).to_vec();
    ([key.verifying_key().to_bytes().to_vec(), key.to_bytes().as_ref().to_vec()], signature)
}

/// Formats the signed message. In the submission's format: the length of the part after the message, the nonce, the
/// message, and the signature without the nonce. In the padded format, which the submission lacked: the signature, then
/// the message.
fn signed_message(format: Format, signature: &[u8], message: &[u8]) -> Vec<u8> {
    if format == Format::Padded {
        return [signature, message].concat();
    }
    let (header, (nonce, s2)) = (signature[0], signature[1..].split_at(40));
    let len = (1 + s2.len()) as u16;
    [&len.to_be_bytes()[..], nonce, message, &[header - 0x10], s2].concat()
}
