//! `grille explain`: codes, identifiers, names and files.

use crate::sandbox::Sandbox;
use grille_registry::{Numbers, Profile, Row, SIGNATURES};
use serde_json::{Value, json};

/// Returns the meaning of this name in the document.
fn named<'a>(document: &'a Value, name: &str) -> &'a Value {
    let meanings = document["meanings"].as_array().unwrap();
    meanings.iter().find(|meaning| meaning["name"] == name).unwrap_or_else(|| panic!("no {name}: {document}"))
}

#[test]
fn lists_all_meanings_of_reassigned_codes() {
    let sandbox = Sandbox::new();
    let document = sandbox.json("explain 0x0200");
    let (now, then) = (named(&document, "ML-KEM-512"), named(&document, "frodo640aes"));
    assert_eq!((&now["current"], &now["algorithm"]["spec"]), (&json!(true), &json!("FIPS 203")));
    assert_eq!(now["oids"], json!(["2.16.840.1.101.3.4.4.1"]));
    assert!(now["profiles"].as_array().unwrap().contains(&json!("provider-0.8")));
    assert_eq!(then["months"], json!(["2019-08", "2024-10"]));
    assert_eq!(then["releases"], json!(["OQS-OpenSSL 1.1.1 of 2021-02", "oqs-provider 0.7.0"]));
    assert_eq!(then["algorithm"], Value::Null);
    let text = sandbox.ok("explain 512");
    for part in
        ["0x0200 (512)", "security category 1", "ciphertext 768", "not implemented in grille", "2024-10"]
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn explains_codes_that_are_group_and_scheme() {
    let document = Sandbox::new().json("explain 0xFE0B");
    let kinds: Vec<_> = document["meanings"].as_array().unwrap().iter().map(|m| m["kind"].clone()).collect();
    assert!(kinds.contains(&json!("TLS group")) && kinds.contains(&json!("TLS signature scheme")));
}

#[test]
fn lists_all_numbers_of_a_name() {
    let sandbox = Sandbox::new();
    let document = sandbox.json("explain KYBER_LEVEL5");
    let codes: Vec<_> =
        document["meanings"].as_array().unwrap().iter().map(|m| m["tls_code"].clone()).collect();
    assert_eq!(codes, [json!("0x023D"), json!("0x0211")]);
    let unknown = sandbox.json("explain frodo976shake");
    assert!(unknown["meanings"].as_array().unwrap().len() > 1, "{unknown}");
}

#[test]
fn explains_missing_codes_of_ietf_composites() {
    let sandbox = Sandbox::new();
    let (ietf, oqs) = ("MLDSA65-ECDSA-P256-SHA512", "p384_mldsa65");
    let open = "draft-reddy-tls-composite-mldsa has not assigned TLS codepoints";
    let document = sandbox.json(&format!("explain {ietf}"));
    let printed = named(&document, ietf);
    assert_eq!(printed["tls_code"], Value::Null);
    assert!(printed["lacks_tls_code"].as_str().unwrap().starts_with(open), "{document}");
    assert!(sandbox.ok(&format!("explain {ietf}")).contains(&format!("no TLS code: {open}")));
    assert_eq!(named(&sandbox.json(&format!("explain {oqs}")), oqs)["lacks_tls_code"], Value::Null);
    for row in SIGNATURES {
        let is_ietf = row.spec == "draft-ietf-lamps-pq-composite-sigs";
        assert_eq!(row.missing_tls_scheme_reason().is_some(), is_ietf, "{}", row.name());
        let has_scheme = |profile: &Profile| Numbers::for_profile(*profile).scheme(row).is_some();
        assert!(!is_ietf || !Profile::ALL.iter().any(has_scheme), "{}", row.name());
    }
    sandbox.ok(&format!("cert chain --quiet --alg {ietf} --out own"));
    let serve = "tls server --port 0 --cert own/entity_cert.pem --key own/entity_key.pem";
    sandbox.refuses(1, serve, &[&format!("{ietf} has no TLS signature scheme"), open, "ML-DSA-65"]);
}

#[test]
fn reports_changed_meanings_of_names() {
    let document = Sandbox::new().json("explain 0xFED0");
    assert_eq!(named(&document, "mldsa44")["version"], "the draft of FIPS 204");
    let document = Sandbox::new().json("explain 1.3.9999.6.7.4");
    let specs: Vec<_> =
        document["meanings"].as_array().unwrap().iter().map(|m| m["algorithm"]["spec"].clone()).collect();
    assert_eq!(specs, ["SPHINCS+, round 3", "SPHINCS+, round 2", "SPHINCS+, round 3.1"].map(Value::from));
}

#[test]
fn reports_older_rounds_in_wolfssl() {
    let sandbox = Sandbox::new();
    for argument in ["SPHINCS_FAST_LEVEL1", "sphincs_fast_level1", "1.3.9999.6.7.4", "sphincsshake128fsimple"]
    {
        let document = sandbox.json(&format!("explain {argument}"));
        let kept = document["meanings"].as_array().unwrap().last().unwrap();
        assert_eq!(kept["algorithm"]["name"], "SPHINCS+-SHAKE-128f-simple", "{argument}");
        assert_eq!(kept["oids"], json!(["1.3.9999.6.7.4"]));
    }
    let text = sandbox.ok("explain SPHINCS_SMALL_LEVEL5");
    for part in ["SPHINCS+, round 3,", "SPHINCS+, round 3.1,", "in wolfSSL with liboqs 0.8.0 (2023) or later"]
    {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

#[test]
fn recognises_raw_files_by_length() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-DSA-65 --form raw --out key --pub pub");
    sandbox.put("letter", "dear friend");
    sandbox.ok("sign --quiet --alg ML-DSA-65 --key key --in letter --out sig");
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --form raw --out kem --pub kem.pub");
    sandbox.ok("encap --quiet --alg ML-KEM-768 --pub kem.pub --ct ct --secret secret");
    for (file, role, algorithm) in [
        ("key", "private-key", "ML-DSA-65"),
        ("pub", "public-key", "ML-DSA-65"),
        ("sig", "signature", "ML-DSA-65"),
        ("kem", "private-key", "ML-KEM-768"),
        ("kem.pub", "public-key", "ML-KEM-768"),
        ("ct", "ciphertext", "ML-KEM-768"),
    ] {
        // some seeds begin like DER
        sandbox.put(file, [&[0], &sandbox.get(file)[1..]].concat());
        let document = sandbox.json(&format!("explain {file}"));
        let may_be = document["raw"]["may_be"].as_array().unwrap();
        let found = may_be.iter().find(|candidates| candidates["role"] == role).unwrap();
        assert!(found["algorithms"].as_array().unwrap().contains(&json!(algorithm)), "{file}: {document}");
    }
    let text = sandbox.ok("explain sig");
    assert!(
        text.contains("3309 bytes, neither PEM nor DER") && text.contains("a signature of ML-DSA-65"),
        "{text}"
    );
    assert!(sandbox.ok("explain secret").contains(" more\n"), "32 bytes are much");
    sandbox.put("secret", [0x30; 32]);
    assert!(
        sandbox.ok("explain secret").contains(" more\n"),
        "32 bytes that begin with the tag of a SEQUENCE"
    );
}

#[test]
fn explains_the_algorithms_of_files() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-DSA-65 --out root.key --pub root.pub");
    sandbox.ok("cert root --quiet --key root.key --subject CN=root --out root.crt");
    sandbox.ok("keygen --quiet --alg Dilithium3 --der --out old.der");
    for (file, label, oid, name) in [
        ("root.crt", json!("CERTIFICATE"), "2.16.840.1.101.3.4.3.18", "ML-DSA-65"),
        ("root.pub", json!("PUBLIC KEY"), "2.16.840.1.101.3.4.3.18", "ML-DSA-65"),
        ("root.key", json!("PRIVATE KEY"), "2.16.840.1.101.3.4.3.18", "ML-DSA-65"),
        ("old.der", Value::Null, "1.3.6.1.4.1.2.267.7.6.5", "Dilithium3"),
    ] {
        let document = sandbox.json(&format!("explain {file}"));
        let found = &document["documents"][0];
        assert_eq!((&found["label"], &found["algorithms"][0]["oid"]), (&label, &json!(oid)), "{file}");
        assert_eq!(found["algorithms"][0]["meanings"][0]["algorithm"]["name"], name, "{file}");
    }
    sandbox.put("both.pem", [sandbox.get("root.key"), sandbox.get("root.crt")].concat());
    assert_eq!(sandbox.json("explain both.pem")["documents"].as_array().unwrap().len(), 2);
}

/// An EncryptedPrivateKeyInfo: PBES2 without parameters, and four bytes.
const ENCRYPTED: [u8; 21] =
    [0x30, 19, 0x30, 11, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0D, 4, 4, 1, 2, 3, 4];

#[test]
fn reports_encrypted_keys() {
    let sandbox = Sandbox::new();
    sandbox.put("key.der", ENCRYPTED);
    let pem = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMBMwCwYJKoZIhvcNAQUNBAQBAgME\n-----END ENCRYPTED PRIVATE KEY-----\n";
    sandbox.put("key.pem", pem);
    for file in ["key.der", "key.pem"] {
        let printed =
            ["the file is an encrypted private key; its algorithm is encrypted, too", "`grille key inspect`"];
        sandbox.refuses(1, &format!("explain {file}"), &[&printed[..], &[file]].concat());
    }
    sandbox.refuses(
        1,
        "key inspect key.der",
        &["key.der: ", "the private key is encrypted", "--passphrase-file"],
    );
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out own.key");
    sandbox.put("both.pem", [&sandbox.get("own.key"), pem.as_bytes()].concat());
    let encrypted: Vec<_> = {
        let document = sandbox.json("explain both.pem");
        document["documents"].as_array().unwrap().iter().map(|one| one["encrypted"].clone()).collect()
    };
    assert_eq!(encrypted, [Value::Null, json!(true)]);
    assert!(sandbox.ok("explain both.pem").contains("an encrypted private key; its algorithm"));
    let old = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n";
    sandbox.put("old.pem", format!("{old}-----END EC PRIVATE KEY-----\n"));
    sandbox.refuses(
        1,
        "explain old.pem",
        &["old.pem", "private key is encrypted", "RFC 1421", "`openssl pkcs8 -topk8"],
    );
}

#[test]
fn reads_four_hexadecimal_digits_as_a_code() {
    let sandbox = Sandbox::new();
    for (argument, shown) in
        [("11EC", "0x11EC (4588)"), ("fe0b", "0xFE0B (65035)"), ("0905", "0x0905 (2309)")]
    {
        assert_eq!(sandbox.json(&format!("explain {argument}"))["what"], shown);
    }
    assert_eq!(sandbox.json("explain 4588")["what"], "0x11EC (4588)");
    sandbox.put("11EC", [0x30, 3, 2, 1, 5]);
    sandbox.refuses(1, "explain 11EC", &["names no known algorithm"]);
    sandbox.refuses(2, "explain FACE", &["\"FACE\" is not a number, a name or a file"]);
}

#[test]
fn rejects_numbers_beyond_16_bits() {
    let sandbox = Sandbox::new();
    for argument in ["65536", "0x10000", "99999999999999999999"] {
        sandbox.refuses(2, &format!("explain {argument}"), &[argument, "0 to 65535 (0x0000 to 0xFFFF)"]);
    }
    sandbox.refuses(2, "explain -5", &["-5: ", "0 to 65535"]);
}

#[test]
fn continues_after_unknown_arguments() {
    let sandbox = Sandbox::new();
    let done = sandbox.run("explain 0x1234 ML-KEM-768 no.file X25519");
    let shown = String::from_utf8(done.stdout).unwrap();
    assert!(shown.contains("ML-KEM-768") && shown.contains("X25519"), "{shown}");
    let printed: Vec<_> = done.stderr.lines().collect();
    assert_eq!((done.code, printed.len()), (2, 2), "{}", done.stderr);
    assert!(printed[0].contains("0x1234: ") && printed[1].contains("\"no.file\""), "{}", done.stderr);
    let done = sandbox.run("explain ML-KEM-768 0x1234 --json");
    assert_eq!((done.code, done.stdout.split(|byte| *byte == b'\n').count()), (1, 3));
}

#[test]
fn rejects_unknown_numbers_and_names() {
    let sandbox = Sandbox::new();
    sandbox.refuses(1, "explain 0x1234", &["0x1234", "no known algorithm has this number"]);
    sandbox.refuses(1, "explain 1.2.3.4", &["1.2.3.4", "no known algorithm"]);
    sandbox.refuses(2, "explain fn-dsa-512", &["FIPS 206, which is not published", "use Falcon-512"]);
    sandbox.refuses(
        2,
        "explain ML-KEM-76",
        &["\"ML-KEM-76\" is not a number, a name or a file", "ML-KEM-768"],
    );
    sandbox.refuses(2, "explain", &["WHAT"]);
    sandbox.put("text", "hello");
    sandbox.refuses(1, "explain text", &["text: this is neither PEM nor DER", "without a -----BEGIN line"]);
    sandbox.put("other.der", [0x30, 3, 2, 1, 5]);
    sandbox.refuses(1, "explain other.der", &["other.der", "names no known algorithm"]);
    sandbox.put("cut.der", [0x30, 0x82, 1, 0, 5]);
    sandbox.refuses(1, "explain cut.der", &["cut.der", "document is not valid DER"]);
}

#[test]
fn help_shows_topics_beside_commands() {
    let sandbox = Sandbox::new();
    let list = sandbox.ok("help topics");
    for line in list.lines().filter(|line| line.starts_with("  ")) {
        let (name, title) = line.trim().split_once(' ').unwrap();
        assert!(sandbox.ok(&format!("help {name}")).starts_with(title.trim()), "{name}");
    }
    assert!(list.lines().filter(|line| line.starts_with("  ")).count() > 10, "{list}");
    assert_eq!(sandbox.json("help choose")["chapter"], "04-choosing.md");
    assert!(sandbox.ok("help keygen").contains("--alg"));
    sandbox.refuses(2, "help no-such-topic", &["no-such-topic"]);
}
