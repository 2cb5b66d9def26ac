//! Vectors of FIPS 205.

use super::file::{Bytes, groups};
use grille_core::{Error, Signature, SigningKey as _, VerifyingKey as _};
use grille_kat::replay::Replay;
use grille_slhdsa::{
    HashFunction, PreHash, SlhDsaSha2_128f, SlhDsaSha2_128s, SlhDsaSha2_192f, SlhDsaSha2_192s,
    SlhDsaSha2_256f, SlhDsaSha2_256s, SlhDsaShake128f, SlhDsaShake128s, SlhDsaShake192f, SlhDsaShake192s,
    SlhDsaShake256f, SlhDsaShake256s,
};
use serde::Deserialize;

const FILE: &str = include_str!("../../../../vectors/acvp/slh-dsa.json");

/// The signed message, in the form that the interface of FIPS 205 takes.
enum Message<'a> {
    /// M′, the formatted message.
    Internal(&'a [u8]),
    /// A message and its context.
    Pure(&'a [u8], &'a [u8]),
    /// A hashed message and its context.
    PreHash(PreHash, &'a [u8]),
}

type Keygen = fn([&[u8]; 3]) -> Result<Vec<u8>, Error>;
type Sign = fn(&[u8], &Message<'_>, Option<&[u8]>) -> Result<Vec<u8>, Error>;
type Verify = fn(&[u8], &Message<'_>, &[u8]) -> Result<(), Error>;

/// The operations of one parameter set, on encoded keys.
struct Set {
    /// Computes the encoded verifying key from SK.seed, SK.prf and PK.seed.
    keygen: Keygen,
    /// Signs with a signing key and verifies the signature. Signing is deterministic if no randomness is given.
    sign: Sign,
    /// Verifies a signature with a verifying key.
    verify: Verify,
}

macro_rules! set {
    ($algorithm:ty) => {{
        type SigningKey = <$algorithm as Signature>::SigningKey;
        type VerifyingKey = <$algorithm as Signature>::VerifyingKey;
        Set {
            keygen: |[sk_seed, sk_prf, pk_seed]| {
                Ok(SigningKey::generate_internal(sk_seed, sk_prf, pk_seed)?.verifying_key().to_bytes())
            },
            sign: |key, message, random| {
                let key = SigningKey::from_bytes(key)?;
                match (message, random.map(Replay::new)) {
                    (Message::Internal(message), _) => key.sign_internal(message, random),
                    (Message::Pure(message, context), Some(mut rng)) => key.sign(message, context, &mut rng),
                    (Message::Pure(message, context), None) => key.sign_deterministic(message, context),
                    (Message::PreHash(hash, context), Some(mut rng)) => {
                        key.sign_prehash(hash, context, &mut rng)
                    }
                    (Message::PreHash(hash, context), None) => key.sign_prehash_deterministic(hash, context),
                }
            },
            verify: |key, message, signature| {
                let key = VerifyingKey::from_bytes(key)?;
                match message {
                    Message::Internal(message) => key.verify_internal(message, signature),
                    Message::Pure(message, context) => key.verify(message, context, signature),
                    Message::PreHash(hash, context) => key.verify_prehash(hash, context, signature),
                }
            },
        }
    }};
}

fn set(name: &str) -> Set {
    match name {
        "SLH-DSA-SHA2-128s" => set!(SlhDsaSha2_128s),
        "SLH-DSA-SHA2-128f" => set!(SlhDsaSha2_128f),
        "SLH-DSA-SHA2-192s" => set!(SlhDsaSha2_192s),
        "SLH-DSA-SHA2-192f" => set!(SlhDsaSha2_192f),
        "SLH-DSA-SHA2-256s" => set!(SlhDsaSha2_256s),
        "SLH-DSA-SHA2-256f" => set!(SlhDsaSha2_256f),
        "SLH-DSA-SHAKE-128s" => set!(SlhDsaShake128s),
        "SLH-DSA-SHAKE-128f" => set!(SlhDsaShake128f),
        "SLH-DSA-SHAKE-192s" => set!(SlhDsaShake192s),
        "SLH-DSA-SHAKE-192f" => set!(SlhDsaShake192f),
        "SLH-DSA-SHAKE-256s" => set!(SlhDsaShake256s),
        "SLH-DSA-SHAKE-256f" => set!(SlhDsaShake256f),
        other => panic!("unknown parameter set {other}"),
    }
}

fn hash_function(name: &str) -> HashFunction {
    match name {
        "SHA2-224" => HashFunction::Sha224,
        "SHA2-256" => HashFunction::Sha256,
        "SHA2-384" => HashFunction::Sha384,
        "SHA2-512" => HashFunction::Sha512,
        "SHA2-512/224" => HashFunction::Sha512_224,
        "SHA2-512/256" => HashFunction::Sha512_256,
        "SHA3-224" => HashFunction::Sha3_224,
        "SHA3-256" => HashFunction::Sha3_256,
        "SHA3-384" => HashFunction::Sha3_384,
        "SHA3-512" => HashFunction::Sha3_512,
        "SHAKE-128" => HashFunction::Shake128,
        "SHAKE-256" => HashFunction::Shake256,
        other => panic!("unknown hash function {other}"),
    }
}

/// The message of a test case, with the context and the hash function that some interfaces need.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Signed {
    message: Bytes,
    #[serde(default)]
    context: Bytes,
    #[serde(default)]
    hash_alg: String,
}

impl Signed {
    fn for_interface(&self, interface: &str) -> Message<'_> {
        match interface {
            "internal" => Message::Internal(&self.message),
            "pure" => Message::Pure(&self.message, &self.context),
            "preHash" => {
                let hash = PreHash::new(hash_function(&self.hash_alg), &self.message);
                Message::PreHash(hash, &self.context)
            }
            other => panic!("unknown interface {other}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyGen {
    tc_id: u32,
    sk_seed: Bytes,
    sk_prf: Bytes,
    pk_seed: Bytes,
    pk: Bytes,
}

#[test]
fn expands_seeds_to_the_expected_keys() {
    for group in groups::<KeyGen>(FILE, "keyGen") {
        let set = set(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {}", group.parameter_set, case.tc_id);
            let public = (set.keygen)([&case.sk_seed, &case.sk_prf, &case.pk_seed]).expect(&name);
            assert_eq!(public, *case.pk, "{name}");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SigGen {
    tc_id: u32,
    sk: Bytes,
    /// Randomness; missing for deterministic signatures.
    additional_randomness: Option<Bytes>,
    #[serde(flatten)]
    signed: Signed,
    signature_sha256: Bytes,
}

/// Signs for every group whose parameter set `is_chosen` accepts, and verifies the signatures.
fn signs_as_expected(is_chosen: impl Fn(&str) -> bool) {
    let mut groups = groups::<SigGen>(FILE, "sigGen");
    groups.retain(|group| is_chosen(&group.parameter_set));
    assert!(!groups.is_empty());
    for group in groups {
        let set = set(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {} {}", group.parameter_set, group.interface, case.tc_id);
            let message = case.signed.for_interface(&group.interface);
            let signature =
                (set.sign)(&case.sk, &message, case.additional_randomness.as_deref()).expect(&name);
            assert!(case.signature_sha256.is_digest(&signature), "{name}");
            let public = &case.sk[case.sk.len() / 2..];
            assert_eq!((set.verify)(public, &message, &signature), Ok(()), "{name}");
        }
    }
}

#[test]
fn signs_to_the_expected_signatures_fast_sets() {
    signs_as_expected(|name| name.ends_with('f'));
}

#[test]
fn signs_to_the_expected_signatures_small_sets() {
    signs_as_expected(|name| name.ends_with('s'));
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SigVer {
    tc_id: u32,
    test_passed: bool,
    /// The modification of the signature or message; only the older vectors name one.
    #[serde(default)]
    reason: String,
    pk: Bytes,
    #[serde(flatten)]
    signed: Signed,
    signature: Bytes,
}

#[test]
fn verifies_valid_signatures_and_rejects_modified_ones() {
    for group in groups::<SigVer>(FILE, "sigVer") {
        let set = set(&group.parameter_set);
        assert!(group.tests.iter().any(|case| case.test_passed));
        assert!(group.tests.iter().any(|case| !case.test_passed));
        for case in group.tests {
            let name =
                format!("{} {} {} ({})", group.parameter_set, group.interface, case.tc_id, case.reason);
            let expected = if case.test_passed { Ok(()) } else { Err(Error::InvalidSignature) };
            let message = case.signed.for_interface(&group.interface);
            assert_eq!((set.verify)(&case.pk, &message, &case.signature), expected, "{name}");
        }
    }
}
