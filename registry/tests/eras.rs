//! Meaning of codepoints and OIDs in each era.

use grille_registry::era::{Entry, Kind};
use grille_registry::{
    Numbers, Profile, Row, Status, kem_by_name, signature_by_name, signature_by_tls_scheme,
};
use std::collections::HashMap;

#[test]
fn the_default_numbers_are_the_columns_of_the_registry() {
    let numbers = Numbers::default();
    for row in grille_registry::KEMS {
        assert_eq!((numbers.group(row), numbers.kem_oid(row)), (row.tls_group, row.oid), "{}", row.name());
    }
    for row in grille_registry::SIGNATURES {
        let found = (numbers.scheme(row), numbers.signature_oid(row));
        assert_eq!(found, (row.tls_scheme, row.oid), "{}", row.name());
    }
    assert_eq!(Numbers::new(&[]), Ok(numbers));
}

/// IANA's codepoints are also those of the last OQS releases. An algorithm whose OQS codepoint was reassigned to a
/// later round has no codepoint in the registry. Some KEMs have no object identifier.
#[test]
fn registry_numbers_match_the_last_release_with_the_algorithm() {
    let mut found = 0;
    for row in grille_registry::KEMS {
        let is_row = |entry: &&Entry| entry.kem().is_some_and(|kem| kem.name() == row.name());
        let Some(entry) = latest_entry(is_row) else { continue };
        assert_eq!(row.tls_group, Some(entry.code), "{entry:?}");
        assert!(row.oid.is_none_or(|oid| oid == entry.oid), "{entry:?}");
        // broken algorithms need the feature `broken`
        found += usize::from(row.status != Status::Broken);
    }
    for row in grille_registry::SIGNATURES {
        let is_row = |entry: &&Entry| entry.signature().is_some_and(|other| other.name() == row.name());
        let Some(entry) = latest_entry(is_row) else { continue };
        let later = signature_by_tls_scheme(entry.code).is_some_and(|other| other.name() != row.name());
        assert_eq!(row.tls_scheme, Some(entry.code).filter(|_| !later), "{entry:?}");
        assert_eq!(row.oid, Some(entry.oid).filter(|_| !later), "{entry:?}");
        found += 1;
    }
    assert_eq!(found, 318, "number of rows with an algorithm of a release");
}

/// Returns the entry that `is_wanted` accepts; if it accepts several, the one of the latest release.
fn latest_entry(is_wanted: impl Fn(&&Entry) -> bool) -> Option<&'static Entry> {
    Entry::all().iter().filter(is_wanted).max_by_key(|entry| entry.until)
}

#[test]
fn kyber_group_numbers_changed_between_february_and_august_2021() {
    let kyber = kem_by_name("KYBER_LEVEL5").unwrap();
    let hybrid = kem_by_name("P521_KYBER_LEVEL5").unwrap();
    let in_era =
        |profile| (Numbers::for_profile(profile).group(kyber), Numbers::for_profile(profile).group(hybrid));
    assert_eq!(in_era(Profile::Oqs111Feb2021), (Some(0x0211), Some(0x2F11)));
    assert_eq!(in_era(Profile::Oqs111Aug2021), (Some(573), Some(12093)));
    assert_eq!(in_era(Profile::WolfSsl53), (Some(573), Some(12093)));
    assert_eq!(in_era(Profile::Provider09), (None, None));
}

#[test]
fn wolfssl_profile_has_every_implemented_kem_of_its_documentation() {
    let numbers = Numbers::for_profile(Profile::WolfSsl53);
    for row in grille_registry::KEMS {
        let documented =
            row.aliases().iter().any(|name| name.contains("_LEVEL") && !name.starts_with("X25519"));
        assert_eq!(numbers.group(row).is_some(), documented || row.category == 0, "{}", row.name());
    }
    assert_eq!(numbers.scheme(signature_by_name("DILITHIUM_AES_LEVEL5").unwrap()), Some(65196));
}

#[test]
fn draft_with_the_name_of_a_standard_is_not_the_standard() {
    let drafts = Numbers::for_profile(Profile::Provider06);
    assert_eq!(drafts.group(kem_by_name("ML-KEM-768").unwrap()), None);
    assert_eq!(drafts.scheme(signature_by_name("ML-DSA-65").unwrap()), None);
    let entry = Entry::all().iter().find(|entry| entry.code == 0xFED0).unwrap();
    assert_eq!((entry.name, entry.version()), ("mldsa44", Some("the draft of FIPS 204")));
    assert!(entry.signature().is_none());
}

#[test]
fn profiles_combine_only_without_conflicting_numbers() {
    let both = Numbers::new(&[Profile::Iana, Profile::WolfSsl53]).unwrap();
    assert_eq!(both.profiles().collect::<Vec<_>>(), [Profile::Iana, Profile::WolfSsl53]);
    let collision = Numbers::new(&[Profile::Iana, Profile::Oqs111Aug2021]).unwrap_err();
    let text = collision.to_string();
    assert!(["0x0200", "ML-KEM-512", "frodo640aes"].iter().all(|part| text.contains(part)), "{text}");
    // 0x0912 was mldsa87_ed448 before it became SLH-DSA-SHA2-128f
    assert!(Numbers::new(&[Profile::Provider08, Profile::Provider012]).is_err());
}

#[test]
fn profile_has_one_meaning_per_number_and_one_scheme_per_name() {
    for profile in Profile::ALL {
        Numbers::new(&[profile, profile]).unwrap_or_else(|collision| panic!("{collision}"));
        let mut codes: HashMap<(bool, &str), u16> = HashMap::new();
        for entry in Entry::all().iter().filter(|entry| profile.includes(entry)) {
            let code = *codes.entry((entry.kind == Kind::Group, entry.name)).or_insert(entry.code);
            assert_eq!(code, entry.code, "{} in {}", entry.name, profile.name());
        }
    }
}

#[test]
fn every_entry_is_well_formed() {
    for entry in Entry::all() {
        let arcs = |oid: &str| oid.split('.').all(|arc| arc.parse::<u64>().is_ok());
        assert!(entry.since <= entry.until, "{entry:?}");
        assert!(entry.last_month.is_empty() || entry.first_month <= entry.last_month, "{entry:?}");
        assert!(entry.oid.is_empty() || arcs(entry.oid), "{entry:?}");
    }
}

#[test]
fn finds_profiles_by_name() {
    for profile in Profile::ALL {
        assert_eq!(Profile::by_name(&profile.name().to_uppercase()), Ok(profile));
        assert_eq!(Profile::ALL[profile as usize], profile);
    }
    let text = Profile::by_name("provider-0.4").unwrap_err().to_string();
    assert!(text.contains("provider-0.4") && text.contains("oqs111-2021-08"), "{text}");
}

#[test]
fn sphincs_rounds_2_and_3_share_their_numbers() {
    let (second, third) = ("SPHINCS+-SHAKE256-128f-simple-round2", "SPHINCS+-SHAKE256-128f-simple");
    for (profile, name, other) in
        [(Profile::Oqs111Feb2021, second, third), (Profile::Oqs111Aug2021, third, second)]
    {
        let (numbers, row) = (Numbers::for_profile(profile), signature_by_name(name).unwrap());
        assert_eq!(numbers.scheme(row), Some(0xFE7D));
        assert_eq!(numbers.signature_oid(row), Some("1.3.9999.6.7.4"));
        assert_eq!(numbers.signature_by_scheme(0xFE7D).unwrap().name(), name);
        assert_eq!(numbers.scheme(signature_by_name(other).unwrap()), None);
    }
    let collision = Numbers::new(&[Profile::Oqs111Feb2021, Profile::Oqs111Aug2021]).unwrap_err();
    assert_eq!(collision.number, "0xFE42");
}

#[test]
fn classical_algorithms_have_the_same_numbers_in_every_profile() {
    let (x25519, ecdsa) = (kem_by_name("X25519").unwrap(), signature_by_name("ECDSA-P256").unwrap());
    for numbers in Profile::ALL.map(Numbers::for_profile) {
        assert_eq!(numbers.kem_by_group(29).map(Row::name), Some(x25519.name()));
        assert_eq!((numbers.group(x25519), numbers.scheme(ecdsa)), (Some(29), Some(0x0403)));
        assert!(numbers.kems().iter().any(|row| row.category > 0), "{numbers:?}");
        assert!(numbers.signatures().iter().all(|row| row.status != Status::Broken));
    }
}
