//! The records of known answers and their computation.

use crate::drbg::CtrDrbg;
use grille_core::{DynKem, DynSignature, Error};
use grille_registry::{Row, kem_by_name, signature_by_name};
use rand_core::Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The known answers of one algorithm; serialises to exactly the form of the vector files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// Name of the algorithm in the source.
    pub algorithm: String,
    /// `kem` or `sig`.
    pub kind: String,
    /// The implementation that made these records. For records that grille made, the implementation with whose records
    /// they are compared.
    pub source: String,
    /// The lengths of keys, ciphertexts and signatures, in bytes.
    pub lengths: Lengths,
    /// The sizes of the random reads in the record with count 0.
    pub random_draws: ReadSizes,
    /// One record per count.
    pub records: Vec<Record>,
}

/// The lengths of keys, ciphertexts and signatures, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Lengths {
    Kem { public_key: usize, secret_key: usize, ciphertext: usize, shared_secret: usize },
    Signature { public_key: usize, secret_key: usize, signature_max: usize },
}

/// The sizes of random reads in bytes, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[allow(missing_docs)]
pub enum ReadSizes {
    Kem { keypair: Vec<usize>, encaps: Vec<usize>, decaps: Vec<usize> },
    Signature { keypair: Vec<usize>, sign: Vec<usize> },
}

/// One known answer. Byte strings are in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Record {
    Kem {
        count: usize,
        seed: String,
        pk_sha256: String,
        sk_sha256: String,
        ct_sha256: String,
        ss: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        ss_ct0_flipped: Option<String>,
    },
    Signature {
        count: usize,
        seed: String,
        msg_sha256: String,
        pk_sha256: String,
        sk_sha256: String,
        sig_sha256: String,
        sig_len: usize,
    },
}

/// Makes the first `count` records of the algorithm that has the name `algorithm` in a source. Returns `None` if the
/// registry has no algorithm of that name.
///
/// # Panics
/// Panics if an algorithm refuses a key or a ciphertext that it has just made.
#[must_use]
pub fn regenerate(source: &str, algorithm: &str, count: usize) -> Option<Answers> {
    if let Ok(row) = kem_by_name(algorithm).and_then(require_post_quantum(algorithm)) {
        return Some(kem_answers(row.kem, source, algorithm, count));
    }
    let row = signature_by_name(algorithm).and_then(require_post_quantum(algorithm)).ok()?;
    Some(signature_answers(row.signature, source, algorithm, count))
}

/// Accepts a post-quantum row only. Classical algorithms use another generator and have no records.
fn require_post_quantum<R: Row>(
    name: &str,
) -> impl FnOnce(&'static R) -> Result<&'static R, grille_registry::UnknownAlgorithm> {
    let unknown = grille_registry::UnknownAlgorithm {
        kind: "algorithm with known answers",
        name: name.to_owned(),
        suggestions: Vec::new(),
        other_use: None,
    };
    move |row| if row.category() > 0 { Ok(row) } else { Err(unknown) }
}

/// Returns the generator of seeds and messages, instantiated with 00 01 … 2F.
fn seed_generator() -> CtrDrbg {
    CtrDrbg::new(&std::array::from_fn(|i| i as u8))
}

fn read_array<const N: usize>(drbg: &mut CtrDrbg) -> [u8; N] {
    let mut bytes = [0; N];
    drbg.fill_bytes(&mut bytes);
    bytes
}

fn kem_answers(kem: &'static dyn DynKem, source: &str, algorithm: &str, count: usize) -> Answers {
    let info = kem.info();
    let mut outer = seed_generator();
    let mut records = Vec::with_capacity(count);
    let mut read_sizes = ReadSizes::Kem { keypair: Vec::new(), encaps: Vec::new(), decaps: Vec::new() };
    for count in 0..count {
        let (record, drawn) =
            kem_record(kem, count, &read_array(&mut outer)).expect("fresh keys and ciphertexts are accepted");
        if count == 0 {
            read_sizes = drawn;
        }
        records.push(record);
    }
    let lengths = Lengths::Kem {
        public_key: info.encaps_key_len,
        secret_key: info.decaps_key_len,
        ciphertext: info.ciphertext_len,
        shared_secret: info.shared_secret_len,
    };
    answers("kem", source, algorithm, lengths, read_sizes, records)
}

/// KEMs whose reference implementation reports an error for a rejected ciphertext, so that its records contain no
/// secret for that ciphertext. grille rejects implicitly.
const REJECTS_WITH_AN_ERROR: [&str; 5] = ["HQC-128", "HQC-192", "HQC-256", "BIKE1-L1-CPA", "BIKE1-L3-CPA"];

/// KEMs whose reference implementation does not reject as specified: it replaces only the lowest bit of each byte of
/// the message. The records therefore omit the secret for a rejected ciphertext.
const REJECTS_INCORRECTLY: [&str; 4] =
    ["SIKE-p434-compressed", "SIKE-p503-compressed", "SIKE-p610-compressed", "SIKE-p751-compressed"];

fn kem_record(kem: &dyn DynKem, count: usize, seed: &[u8; 48]) -> Result<(Record, ReadSizes), Error> {
    let mut drbg = CtrDrbg::new(seed);
    let key = kem.generate(&mut drbg);
    let keypair = drbg.take_read_sizes();
    let public = key.encaps_key_bytes();
    let sent = kem.encaps_key(&public)?.encapsulate(&mut drbg);
    let read_sizes = ReadSizes::Kem { keypair, encaps: drbg.take_read_sizes(), decaps: Vec::new() };
    // uses the decoded key, so that the encoding is tested too
    let encoded = key.to_bytes();
    let imported = kem.decaps_key(encoded.as_ref())?;
    let mut flipped = sent.ciphertext.clone();
    flipped[0] ^= 1;
    for ciphertext in [&sent.ciphertext, &flipped] {
        let secret = kem.decapsulate_encoded(encoded.as_ref(), ciphertext);
        assert_eq!(secret, imported.decapsulate(ciphertext), "same secret with an encoded and a decoded key");
    }
    assert_eq!(imported.decapsulate(&sent.ciphertext)?, sent.secret, "both sides agree");
    let record = Record::Kem {
        count,
        seed: hex(seed),
        pk_sha256: digest(&public),
        sk_sha256: digest(encoded.as_ref()),
        ct_sha256: digest(&sent.ciphertext),
        ss: hex(sent.secret.as_ref()),
        ss_ct0_flipped: imported
            .decapsulate(&flipped)
            .ok()
            .filter(|_| !REJECTS_WITH_AN_ERROR.contains(&kem.info().name))
            .filter(|_| !REJECTS_INCORRECTLY.contains(&kem.info().name))
            .map(|secret| hex(secret.as_ref())),
    };
    Ok((record, read_sizes))
}

/// Returns the inputs of the records of signature schemes: the generator's seeds and the messages, in order.
pub fn signature_inputs() -> impl Iterator<Item = ([u8; 48], Vec<u8>)> {
    let mut outer = seed_generator();
    (1..).map(move |count| {
        let seed = read_array(&mut outer);
        let mut message = vec![0; 33 * count];
        outer.fill_bytes(&mut message);
        (seed, message)
    })
}

fn signature_answers(
    scheme: &'static dyn DynSignature,
    source: &str,
    algorithm: &str,
    count: usize,
) -> Answers {
    let info = scheme.info();
    let mut records = Vec::with_capacity(count);
    let mut read_sizes = ReadSizes::Signature { keypair: Vec::new(), sign: Vec::new() };
    for (count, (seed, message)) in signature_inputs().take(count).enumerate() {
        let (record, drawn) =
            signature_record(scheme, count, &seed, &message).expect("fresh keys and signatures are accepted");
        if count == 0 {
            read_sizes = drawn;
        }
        records.push(record);
    }
    let lengths = Lengths::Signature {
        public_key: info.verifying_key_len,
        secret_key: info.signing_key_len,
        signature_max: info.signature_len,
    };
    answers("sig", source, algorithm, lengths, read_sizes, records)
}

fn signature_record(
    scheme: &dyn DynSignature,
    count: usize,
    seed: &[u8; 48],
    message: &[u8],
) -> Result<(Record, ReadSizes), Error> {
    let mut drbg = CtrDrbg::new(seed);
    let key = scheme.generate_internal(&mut drbg);
    let keypair = drbg.take_read_sizes();
    // uses the decoded key, so that the encoding is tested too
    let encoded = key.to_bytes();
    let signature = scheme.signing_key(encoded.as_ref())?.sign(message, b"", &mut drbg)?;
    let read_sizes = ReadSizes::Signature { keypair, sign: drbg.take_read_sizes() };
    let public = key.verifying_key_bytes();
    scheme.verifying_key(&public)?.verify(message, b"", &signature)?;
    let record = Record::Signature {
        count,
        seed: hex(seed),
        msg_sha256: digest(message),
        pk_sha256: digest(&public),
        sk_sha256: digest(encoded.as_ref()),
        sig_sha256: digest(&signature),
        sig_len: signature.len(),
    };
    Ok((record, read_sizes))
}

fn answers(
    kind: &str,
    source: &str,
    algorithm: &str,
    lengths: Lengths,
    random_draws: ReadSizes,
    records: Vec<Record>,
) -> Answers {
    let (algorithm, kind, source) = (algorithm.to_owned(), kind.to_owned(), source.to_owned());
    Answers { algorithm, kind, source, lengths, random_draws, records }
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a String never fails");
        text
    })
}
