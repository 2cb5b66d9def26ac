//! Key files in every form, damaged keys, and known answers.

use crate::sandbox::Sandbox;

const FORMS: [&str; 4] = ["seed", "expanded", "both", "seed --der"];

#[test]
fn signs_with_every_form_of_a_key() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "dear friend");
    for (alg, forms) in [("ML-DSA-65", FORMS.as_slice()), ("Dilithium3", &["oqs", "oqs --der"])] {
        for form in forms {
            sandbox.ok(&format!("keygen --quiet --force --alg {alg} --form {form} --out key --pub pub"));
            sandbox.ok("sign --quiet --force --key key --in letter --out sig");
            sandbox.ok("verify --quiet --pub pub --sig sig --in letter");
            sandbox.put("other", "dear fiend");
            sandbox.refuses(
                1,
                "verify --quiet --pub pub --sig sig --in other",
                &["sig", "does not match", alg],
            );
        }
    }
}

#[test]
fn decapsulates_with_every_form_of_a_key() {
    let sandbox = Sandbox::new();
    for form in FORMS {
        sandbox.ok(&format!("keygen --quiet --force --alg ML-KEM-768 --form {form} --out key --pub pub"));
        sandbox.ok("encap --quiet --force --pub pub --ct ct --secret one");
        sandbox.ok("decap --quiet --force --key key --ct ct --secret two");
        assert_eq!(sandbox.get("one"), sandbox.get("two"), "{form}");
    }
}

#[test]
fn passes_keys_through_pipes() {
    let sandbox = Sandbox::new();
    let key = sandbox.run("keygen --alg ML-DSA-44 --out - --pub pub");
    assert!(key.stdout.starts_with(b"-----BEGIN PRIVATE KEY-----"));
    sandbox.put("letter", "dear friend");
    let signature = sandbox.pipe(&key.stdout, "sign --key - --in letter");
    assert_eq!(signature.code, 0, "{}", signature.stderr);
    let answer = sandbox.pipe(&signature.stdout, "verify --pub pub --sig - --in letter");
    assert_eq!(answer.code, 0, "{}", answer.stderr);
}

#[test]
fn rejects_forms_that_an_algorithm_lacks() {
    let sandbox = Sandbox::new();
    sandbox.refuses(
        1,
        "keygen --quiet --alg Kyber512 --form seed --out key",
        &["Kyber512", "no object identifier", "raw"],
    );
    sandbox.refuses(2, "keygen --alg ML-DSA-65 --form round --out key", &["--form", "seed"]);
    assert!(sandbox.files().is_empty());
}

#[test]
fn reports_the_damaged_part_of_private_keys() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "dear friend");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --form both --out good.key --pub good.pub");
    let pem = String::from_utf8(sandbox.get("good.key")).unwrap();
    let refuses = |file: &str, contents: &[u8], parts: &[&str]| {
        sandbox.put(file, contents);
        let parts: Vec<&str> = [file].into_iter().chain(parts.iter().copied()).collect();
        sandbox.refuses(1, &format!("sign --quiet --key {file} --in letter --out sig"), &parts);
    };
    refuses("cut.key", &pem.as_bytes()[..pem.len() - 5], &["-----END line is missing"]);
    refuses("head.key", &pem.as_bytes()[40..], &["no -----BEGIN line"]);
    refuses(
        "noise.key",
        &[0xFF; 77],
        &["expected PEM or DER", "binary data", "no known algorithm has a raw private key of that length"],
    );
    refuses("empty.key", b"", &["\"PRIVATE KEY\"", "it is empty"]);
    refuses("hex.key", b"ffEE00\n", &["looks like hexadecimal"]);
    let body: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    refuses("body.key", body.as_bytes(), &["PEM without the -----BEGIN and -----END lines"]);
    refuses("text.key", b"not a key", &["text without a -----BEGIN line"]);
    refuses(
        "public.key",
        &sandbox.get("good.pub"),
        &["expected PEM of \"PRIVATE KEY\", but this is PEM of \"PUBLIC KEY\"", "give the private key"],
    );
    // the seed and the expanded key in mixed.der belong to different keys
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --form both --der --out good.der");
    let mut mixed = sandbox.get("good.der");
    let last = mixed.len() - 1;
    mixed[last] ^= 1;
    refuses("mixed.der", &mixed, &["its seed and its expanded key do not belong to the same key"]);
    refuses("short.der", &mixed[..last], &["not valid DER"]);
    assert!(!sandbox.files().contains(&"sig".to_owned()));
}

#[test]
fn rejects_keys_of_other_algorithms() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "dear friend");
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --out kem.key --pub kem.pub");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out sign.key --pub sign.pub");
    sandbox.refuses(1, "sign --quiet --key kem.key --in letter --out sig", &["kem.key", "ML-KEM-768"]);
    sandbox.refuses(1, "encap --quiet --pub sign.pub --ct ct --secret s", &["sign.pub", "ML-DSA-44"]);
    sandbox.put("ct", [0; 1088]);
    sandbox.refuses(1, "decap --quiet --key sign.key --ct ct --secret s", &["sign.key", "ML-DSA-44"]);
}

#[test]
fn rejects_non_canonical_public_keys() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-KEM-512 --form raw --out key --pub pub");
    let mut public = sandbox.get("pub");
    // the first coefficient becomes 4095, which is not below q
    public[0] = 0xFF;
    public[1] |= 0x0F;
    sandbox.put("pub", public);
    let encap = "encap --quiet --alg ML-KEM-512 --pub pub --ct ct --secret s";
    sandbox.refuses(1, encap, &["pub", "a coefficient that is not below q"]);
}

#[test]
fn regenerates_the_stored_known_answers() {
    let sandbox = Sandbox::new();
    for (family, source, algorithm) in [
        ("mlkem", "liboqs-0.16.0", "ML-KEM-768"),
        ("mldsa", "liboqs-0.16.0", "ML-DSA-44"),
        ("kyber", "liboqs-ba5b61a", "Kyber512-90s"),
        ("dilithium", "liboqs-ba5b61a", "Dilithium2-AES"),
    ] {
        let path = format!("{}/../vectors/{family}/{source}.json", env!("CARGO_MANIFEST_DIR"));
        let file: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let entries = file.as_array().unwrap();
        let entry = entries.iter().find(|entry| entry["algorithm"] == algorithm).expect(algorithm);
        let made = sandbox.json(&format!("kat --quiet --source {source} {algorithm} --count 2"));
        let records = find_records(&made, algorithm).expect(algorithm);
        assert_eq!(records[..2], entry["records"].as_array().unwrap()[..2], "{algorithm}");
    }
    // names of a release that today belong to other algorithms
    for (source, name, row) in [
        ("liboqs-0.5.0", "SPHINCS+-SHA256-128f-simple", "SPHINCS+-SHA256-128f-simple-round2"),
        ("liboqs-0.5.0", "sphincs_shake256_128f_robust", "SPHINCS+-SHAKE256-128f-robust-round2"),
        ("liboqs-0.8.0", "SPHINCS+-SHAKE-128f-simple", "SPHINCS+-SHAKE-128f-simple"),
        ("liboqs-ba5b61a", "Falcon-512", "Falcon-512-2020"),
        ("liboqs-0.16.0", "Falcon-512", "Falcon-512"),
    ] {
        let made = sandbox.json(&format!("kat --quiet --source {source} {name} --count 1"));
        assert_eq!((&made[0]["source"], &made[0]["algorithm"]), (&source.into(), &row.into()));
    }
    sandbox.refuses(2, "kat --source liboqs-9.9", &["--source", "liboqs-0.16.0"]);
    sandbox.refuses(2, "kat --count 0", &["--count"]);
    sandbox.refuses(2, "kat ML-KEM-769", &["ML-KEM-769"]);
    let saber = "kat --source liboqs-0.16.0 Saber-KEM";
    let elsewhere = "give --source liboqs-ba5b61a, which has them";
    sandbox.refuses(2, saber, &["liboqs-0.16.0 has no known answers for Saber-KEM", elsewhere]);
    sandbox.refuses(2, "kat --source liboqs-0.16.0 X25519", &["liboqs has no known answers for X25519"]);
}

/// Finds the records of an algorithm anywhere in the document.
fn find_records<'a>(document: &'a serde_json::Value, algorithm: &str) -> Option<&'a Vec<serde_json::Value>> {
    match document {
        serde_json::Value::Array(items) => items.iter().find_map(|item| find_records(item, algorithm)),
        serde_json::Value::Object(fields)
            if fields.get("algorithm").is_some_and(|name| name == algorithm) =>
        {
            fields.get("records")?.as_array()
        }
        serde_json::Value::Object(fields) => fields.values().find_map(|field| find_records(field, algorithm)),
        _ => None,
    }
}

#[test]
fn rejects_kem_keys_with_another_secret() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --form raw --out key");
    assert!(sandbox.ok("key inspect --alg ML-KEM-768 key").contains("matches the private key"));
    let mut damaged = sandbox.get("key");
    // Change two coefficients. The new ones are still below q.
    let were_zero = damaged[39..42] == [0; 3];
    damaged[39..42].copy_from_slice(&[u8::from(were_zero), 0, 0]);
    sandbox.put("damaged", damaged);
    sandbox.refuses(1, "key inspect --alg ML-KEM-768 damaged", &["damaged", "does not match its public key"]);
}

#[test]
fn rejects_altered_ciphertexts_only_with_invalid_curve_points() {
    let sandbox = Sandbox::new();
    for (algorithm, at, refused) in [
        ("SecP256r1MLKEM768", 5, true),
        ("SecP256r1MLKEM768", 100, false),
        ("secp384r1", 5, true),
        ("X25519MLKEM768", 5, false),
        ("ML-KEM-768", 5, false),
    ] {
        sandbox.ok(&format!("keygen --quiet --force --alg {algorithm} --form raw --out key --pub pub"));
        sandbox.ok(&format!("encap --force --alg {algorithm} --pub pub --ct ct --secret sent"));
        let mut changed = sandbox.get("ct");
        changed[at] ^= 1;
        sandbox.put("ct", &changed);
        let decap = format!("decap --force --alg {algorithm} --key key --ct ct --secret got");
        if refused {
            let share = "ct: the elliptic-curve key share in the ciphertext is not a point of the curve";
            sandbox.refuses(1, &decap, &[share, "unaltered"]);
        } else {
            sandbox.ok(&decap);
            assert_ne!(sandbox.get("sent"), sandbox.get("got"), "{algorithm}");
        }
    }
}
