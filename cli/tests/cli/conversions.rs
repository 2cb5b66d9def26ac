//! `grille key`: reads and writes every form of private keys.

use crate::desk::Desk;
use std::iter;

/// Makes a desk with a key of `algorithm` in its default form.
fn desk(algorithm: &str) -> Desk {
    let desk = Desk::new();
    desk.ok(&format!("keygen --quiet --alg {algorithm} --out key --pub key.pub"));
    desk
}

#[test]
fn round_trips_every_form() {
    for algorithm in ["ML-DSA-44", "ML-KEM-512"] {
        let desk = desk(algorithm);
        let forms = [
            ("seed", "seed-only"),
            ("expanded", "priv-only"),
            ("both", "seed-priv"),
            ("oqs", "oqskeypair"),
            ("bare", "bare-priv"),
        ];
        for (form, openssl) in forms {
            for der in ["", "--der"] {
                desk.ok(&format!(
                    "key convert --in key --form {form} {der} --out other --pub other.pub --force"
                ));
                let printed = desk.json("key inspect other");
                assert_eq!((&printed["algorithm"], &printed["form"]), (&algorithm.into(), &form.into()));
                assert_eq!(printed["openssl_form"], openssl);
                desk.ok(&format!("key convert --in key --form {openssl} {der} --out same --force"));
                assert_eq!(desk.get("same"), desk.get("other"), "OpenSSL's names are taken too");
                assert_eq!(printed["knows_its_seed"], form == "seed" || form == "both", "{algorithm} {form}");
                desk.ok("key convert --in other --form expanded --out back --pub back.pub --force");
                desk.ok("key convert --in key --form expanded --out expanded --force");
                assert_eq!(desk.get("back"), desk.get("expanded"), "{algorithm} {form}");
                assert_eq!(desk.get("back.pub"), desk.get("key.pub"), "{algorithm} {form}");
                #[cfg(unix)]
                assert_eq!(desk.mode("other"), 0o600);
            }
        }
    }
}

#[test]
fn requires_an_algorithm_for_raw_keys() {
    let converted = || {
        let desk = desk("ML-DSA-44");
        desk.ok("key convert --in key --form raw --out raw --pub raw.pub");
        desk
    };
    // some raw keys begin like DER, and are read as DER
    let desk = iter::repeat_with(converted).find(|desk| desk.get("raw")[0] != 0x30).unwrap();
    assert_eq!((desk.get("raw").len(), desk.get("raw.pub").len()), (2560, 1312));
    desk.refuses(1, "key inspect raw", &["raw: ", "raw private key of ML-DSA-44", "--alg"]);
    let printed = desk.json("key inspect raw --alg ML-DSA-44");
    assert_eq!((&printed["container"], &printed["form"]), (&"raw".into(), &"bare".into()));
    desk.ok("key convert --in raw --alg ML-DSA-44 --out again");
    assert_eq!(desk.json("key inspect again")["form"], "expanded");
    desk.put("pair", [desk.get("raw"), desk.get("raw.pub")].concat());
    assert_eq!(desk.json("key inspect pair --alg ML-DSA-44")["form"], "bare-pair");
    desk.put("wrong", [desk.get("raw"), vec![0; 1312]].concat());
    desk.refuses(1, "key inspect wrong --alg ML-DSA-44", &["wrong: ", "contradicts itself", "another key's"]);
    desk.put("short", [7; 33]);
    desk.refuses(1, "key inspect short --alg ML-DSA-44", &["short: ", "wrong length"]);
    desk.refuses(1, "key inspect short", &["no known algorithm has a raw private key of that length"]);
    desk.refuses(
        1,
        "key inspect raw.pub",
        &["the file may be a public key of ML-DSA-44", "grille explain raw.pub"],
    );
}

#[test]
fn rejects_forms_that_a_key_lacks() {
    let desk = desk("ML-KEM-768");
    desk.ok("key convert --in key --form expanded --out expanded");
    desk.refuses(1, "key convert --in expanded --form seed --out x", &["has no seed", "expanded form"]);
    desk.refuses(2, "key convert --in key --form raw --der --out x", &["--der"]);
    desk.refuses(2, "key convert --in key --out key --force", &["key: the output would replace an input"]);
    desk.refuses(1, "key convert --in key --out expanded", &["expanded: the file exists already", "--force"]);
    desk.refuses(1, "key inspect key.pub", &["key.pub", "\"PUBLIC KEY\"", "give the private key"]);
    desk.refuses(1, "key inspect none", &["none", "cannot read"]);
    assert!(!desk.files().contains(&"x".to_owned()));
}

#[test]
fn rejects_keys_with_contradictory_parts() {
    let desk = desk("ML-DSA-44");
    desk.ok("keygen --quiet --alg ML-DSA-44 --out two");
    desk.ok("key convert --in key --form both --der --out both.der");
    desk.ok("key convert --in two --form both --der --out two.der");
    // the seed precedes the expanded key: 34 bytes with its tag
    let (one, two) = (desk.get("both.der"), desk.get("two.der"));
    let seed = one.len() - 2560 - 4 - 34;
    desk.put("mixed.der", [&one[..seed + 34], &two[seed + 34..]].concat());
    desk.refuses(
        1,
        "key inspect mixed.der",
        &["mixed.der", "the seed gives another key than the expanded one"],
    );
}

#[test]
fn reads_keys_of_2021() {
    let desk = desk("Dilithium3");
    let printed = desk.json("key inspect key");
    assert_eq!((&printed["form"], &printed["oid"]), (&"oqs".into(), &"1.3.6.1.4.1.2.267.7.6.5".into()));
    assert!(desk.ok("key inspect key").contains("private and public key in one, as OQS writes them"));
    desk.put("foreign.der", [0x30, 16, 2, 1, 0, 0x30, 5, 6, 3, 0x2A, 3, 4, 4, 4, 4, 2, 5, 0]);
    desk.refuses(1, "key inspect foreign.der", &["foreign.der", "1.2.3.4", "grille explain foreign.der"]);
}

#[test]
fn describes_raw_keys_without_pkcs8_forms() {
    let desk = Desk::new();
    for algorithm in ["LightSaber-KEM", "ML-KEM-512", "SLH-DSA-SHA2-128f"] {
        desk.ok(&format!("keygen --quiet --force --alg {algorithm} --form raw --out key"));
        let inspect = format!("key inspect --quiet --alg {algorithm} key");
        let printed = desk.json(&inspect);
        assert_eq!((&printed["form"], printed.get("openssl_form")), (&"bare".into(), None), "{printed}");
        let text = desk.ok(&inspect);
        let own = "raw bare: the private key as the algorithm's own specification encodes it\n";
        assert!(text.contains(own) && !text.contains("RFC 9909 has it"), "{text}");
    }
    desk.ok("keygen --force --alg SLH-DSA-SHA2-128f --out key");
    assert!(desk.ok("key inspect key").contains("as RFC 9909 has it of SLH-DSA"));
}
