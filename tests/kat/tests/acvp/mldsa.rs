//! Vectors of FIPS 204, which use the internal functions for signing and verification.

use super::file::{Bytes, groups};
use grille_core::{Error, Signature, SigningKey as _, VerifyingKey as _};
use grille_mldsa::{MlDsa44, MlDsa65, MlDsa87};
use serde::Deserialize;

const FILE: &str = include_str!("../../../../vectors/acvp/ml-dsa.json");

type Keygen = fn(&[u8]) -> Result<(Vec<u8>, Vec<u8>), Error>;
type Sign = fn(&[u8], &[u8], &[u8; 32]) -> Result<Vec<u8>, Error>;
type Verify = fn(&[u8], &[u8], &[u8]) -> Result<(), Error>;

/// The operations of one parameter set, on encoded keys.
struct Set {
    /// Computes the encoded verifying and signing keys from ξ.
    keygen: Keygen,
    /// Signs a formatted message with a signing key.
    sign: Sign,
    /// Verifies the signature of a formatted message with a verifying key.
    verify: Verify,
}

macro_rules! set {
    ($algorithm:ty) => {{
        type SigningKey = <$algorithm as Signature>::SigningKey;
        type VerifyingKey = <$algorithm as Signature>::VerifyingKey;
        Set {
            keygen: |xi| {
                let key = SigningKey::from_seed(xi)?;
                Ok((key.verifying_key().to_bytes(), key.to_bytes().as_ref().to_vec()))
            },
            sign: |key, message, rnd| {
                Ok(SigningKey::from_bytes(key)?.sign_internal(message, rnd).as_ref().to_vec())
            },
            verify: |key, message, signature| {
                VerifyingKey::from_bytes(key)?.verify_internal(message, signature)
            },
        }
    }};
}

fn set(name: &str) -> Set {
    match name {
        "ML-DSA-44" => set!(MlDsa44),
        "ML-DSA-65" => set!(MlDsa65),
        "ML-DSA-87" => set!(MlDsa87),
        other => panic!("unknown parameter set {other}"),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeyGen {
    tc_id: u32,
    seed: Bytes,
    pk_sha256: Bytes,
    sk_sha256: Bytes,
}

#[test]
fn expands_seeds_to_the_expected_keys() {
    for group in groups::<KeyGen>(FILE, "keyGen") {
        let set = set(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {}", group.parameter_set, case.tc_id);
            let (public, secret) = (set.keygen)(&case.seed).expect(&name);
            assert!(case.pk_sha256.is_digest(&public), "{name}");
            assert!(case.sk_sha256.is_digest(&secret), "{name}");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SigGen {
    tc_id: u32,
    sk: Bytes,
    message: Bytes,
    /// Randomness; missing for deterministic signatures.
    rnd: Option<Bytes>,
    signature_sha256: Bytes,
}

#[test]
fn signs_to_the_expected_signatures() {
    for group in groups::<SigGen>(FILE, "sigGen") {
        let set = set(&group.parameter_set);
        for case in group.tests {
            let name = format!("{} {}", group.parameter_set, case.tc_id);
            let rnd = case.rnd.map_or([0; 32], |rnd| (*rnd).try_into().expect("32 bytes"));
            let signature = (set.sign)(&case.sk, &case.message, &rnd).expect(&name);
            assert!(case.signature_sha256.is_digest(&signature), "{name}");
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SigVer {
    tc_id: u32,
    test_passed: bool,
    reason: String,
    message: Bytes,
    signature: Bytes,
}

#[test]
fn verifies_valid_signatures_and_rejects_modified_ones() {
    for group in groups::<SigVer>(FILE, "sigVer") {
        let set = set(&group.parameter_set);
        for reason in
            ["no modification", "modify message", "modify signature", "too many hints", "z too large"]
        {
            assert!(group.tests.iter().any(|case| case.reason == reason), "{reason}");
        }
        for case in group.tests {
            let name = format!("{} {} ({})", group.parameter_set, case.tc_id, case.reason);
            let expected = if case.test_passed { Ok(()) } else { Err(Error::InvalidSignature) };
            assert_eq!((set.verify)(&group.pk, &case.message, &case.signature), expected, "{name}");
        }
    }
}
