//! `grille key`: reads and writes every form of private keys.

use crate::sandbox::Sandbox;
use std::iter;

/// Makes a sandbox with a key of `algorithm` in its default form.
fn sandbox(algorithm: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&format!("keygen --quiet --alg {algorithm} --out key --pub key.pub"));
    sandbox
}

#[test]
fn round_trips_every_form() {
    for algorithm in ["ML-DSA-44", "ML-KEM-512"] {
        let sandbox = sandbox(algorithm);
        let forms = [
            ("seed", "seed-only"),
            ("expanded", "priv-only"),
            ("both", "seed-priv"),
            ("oqs", "oqskeypair"),
            ("bare", "bare-priv"),
        ];
        for (form, openssl) in forms {
            for der in ["", "--der"] {
                sandbox.ok(&format!(
                    "key convert --in key --form {form} {der} --out other --pub other.pub --force"
                ));
                let printed = sandbox.json("key inspect other");
                assert_eq!((&printed["algorithm"], &printed["form"]), (&algorithm.into(), &form.into()));
                assert_eq!(printed["openssl_form"], openssl);
                sandbox.ok(&format!("key convert --in key --form {openssl} {der} --out same --force"));
                assert_eq!(sandbox.get("same"), sandbox.get("other"), "OpenSSL's names are taken too");
                assert_eq!(printed["knows_its_seed"], form == "seed" || form == "both", "{algorithm} {form}");
                sandbox.ok("key convert --in other --form expanded --out back --pub back.pub --force");
                sandbox.ok("key convert --in key --form expanded --out expanded --force");
                assert_eq!(sandbox.get("back"), sandbox.get("expanded"), "{algorithm} {form}");
                assert_eq!(sandbox.get("back.pub"), sandbox.get("key.pub"), "{algorithm} {form}");
                #[cfg(unix)]
                assert_eq!(sandbox.mode("other"), 0o600);
            }
        }
    }
}

#[test]
fn requires_an_algorithm_for_raw_keys() {
    let converted = || {
        let sandbox = sandbox("ML-DSA-44");
        sandbox.ok("key convert --in key --form raw --out raw --pub raw.pub");
        sandbox
    };
    // some raw keys begin like DER, and are read as DER
    let sandbox = iter::repeat_with(converted).find(|sandbox| sandbox.get("raw")[0] != 0x30).unwrap();
    assert_eq!((sandbox.get("raw").len(), sandbox.get("raw.pub").len()), (2560, 1312));
    sandbox.refuses(1, "key inspect raw", &["raw: ", "raw private key of ML-DSA-44", "--alg"]);
    let printed = sandbox.json("key inspect raw --alg ML-DSA-44");
    assert_eq!((&printed["container"], &printed["form"]), (&"raw".into(), &"bare".into()));
    sandbox.ok("key convert --in raw --alg ML-DSA-44 --out again");
    assert_eq!(sandbox.json("key inspect again")["form"], "expanded");
    sandbox.put("pair", [sandbox.get("raw"), sandbox.get("raw.pub")].concat());
    assert_eq!(sandbox.json("key inspect pair --alg ML-DSA-44")["form"], "bare-pair");
    sandbox.put("wrong", [sandbox.get("raw"), vec![0; 1312]].concat());
    sandbox.refuses(
        1,
        "key inspect wrong --alg ML-DSA-44",
        &["wrong: ", "is inconsistent", "does not belong to its private key"],
    );
    sandbox.put("short", [7; 33]);
    sandbox.refuses(1, "key inspect short --alg ML-DSA-44", &["short: ", "wrong length"]);
    sandbox.refuses(1, "key inspect short", &["no known algorithm has a raw private key of that length"]);
    sandbox.refuses(
        1,
        "key inspect raw.pub",
        &["the file may be a public key of ML-DSA-44", "grille explain raw.pub"],
    );
}

#[test]
fn rejects_forms_that_a_key_lacks() {
    let sandbox = sandbox("ML-KEM-768");
    sandbox.ok("key convert --in key --form expanded --out expanded");
    sandbox.refuses(1, "key convert --in expanded --form seed --out x", &["has no seed", "expanded form"]);
    sandbox.refuses(2, "key convert --in key --form raw --der --out x", &["--der"]);
    sandbox.refuses(2, "key convert --in key --out key --force", &["key: the output would replace an input"]);
    sandbox.refuses(
        1,
        "key convert --in key --out expanded",
        &["expanded: the file already exists", "--force"],
    );
    sandbox.refuses(1, "key inspect key.pub", &["key.pub", "\"PUBLIC KEY\"", "give the private key"]);
    sandbox.refuses(1, "key inspect none", &["none", "cannot read"]);
    assert!(!sandbox.files().contains(&"x".to_owned()));
}

#[test]
fn rejects_keys_with_contradictory_parts() {
    let sandbox = sandbox("ML-DSA-44");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out two");
    sandbox.ok("key convert --in key --form both --der --out both.der");
    sandbox.ok("key convert --in two --form both --der --out two.der");
    // the seed precedes the expanded key: 34 bytes with its tag and length
    let (one, two) = (sandbox.get("both.der"), sandbox.get("two.der"));
    let seed = one.len() - 2560 - 4 - 34;
    sandbox.put("mixed.der", [&one[..seed + 34], &two[seed + 34..]].concat());
    sandbox.refuses(
        1,
        "key inspect mixed.der",
        &["mixed.der", "its seed and its expanded key do not belong to the same key"],
    );
}

#[test]
fn reads_keys_of_2021() {
    let sandbox = sandbox("Dilithium3");
    let printed = sandbox.json("key inspect key");
    assert_eq!((&printed["form"], &printed["oid"]), (&"oqs".into(), &"1.3.6.1.4.1.2.267.7.6.5".into()));
    assert!(sandbox.ok("key inspect key").contains("private ‖ public key, as written by OQS"));
    sandbox.put("foreign.der", [0x30, 16, 2, 1, 0, 0x30, 5, 6, 3, 0x2A, 3, 4, 4, 4, 4, 2, 5, 0]);
    sandbox.refuses(1, "key inspect foreign.der", &["foreign.der", "1.2.3.4", "grille explain foreign.der"]);
}

#[test]
fn describes_raw_keys_without_pkcs8_forms() {
    let sandbox = Sandbox::new();
    for algorithm in ["LightSaber-KEM", "ML-KEM-512", "SLH-DSA-SHA2-128f"] {
        sandbox.ok(&format!("keygen --quiet --force --alg {algorithm} --form raw --out key"));
        let inspect = format!("key inspect --quiet --alg {algorithm} key");
        let printed = sandbox.json(&inspect);
        assert_eq!((&printed["form"], printed.get("openssl_form")), (&"bare".into(), None), "{printed}");
        let text = sandbox.ok(&inspect);
        let own = "raw bare: the private key as the algorithm's own specification encodes it\n";
        assert!(text.contains(own) && !text.contains("RFC 9909"), "{text}");
    }
    sandbox.ok("keygen --force --alg SLH-DSA-SHA2-128f --out key");
    assert!(sandbox.ok("key inspect key").contains("as in RFC 9909 (SLH-DSA)"));
}
