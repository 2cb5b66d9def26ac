//! `grille speed`: the output formats of other tools.

use crate::sandbox::Sandbox;

#[test]
fn prints_a_line_for_each_operation_in_each_format() {
    let sandbox = Sandbox::new();
    let speed = |words: &str| sandbox.ok(&format!("speed --seconds 0.01 {words}"));
    let table = speed("KYBER_LEVEL1 ML-DSA-44");
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].starts_with("Operation         | Iterations | Total time (s) | Time (us): mean"),
        "{table}"
    );
    let first: Vec<&str> = lines[2..].iter().map(|line| line.split('|').next().unwrap().trim()).collect();
    assert_eq!(first, ["Kyber512", "keygen", "encaps", "decaps", "ML-DSA-44", "keygen", "sign", "verify"]);
    let lines = speed("KYBER_LEVEL1 DILITHIUM_LEVEL2 --format wolfcrypt");
    for part in [
        "kyber_level1-kg ",
        "kyber_level1-ed ",
        "DILITHIUM_level2 sign ",
        "DILITHIUM_level2 verify ",
        " ops/sec",
    ] {
        assert!(lines.contains(part), "no {part} in {lines}");
    }
    let lines = speed("secp256r1 X25519 ECDSA-P256 Ed25519 RSA-2048 --format wolfcrypt");
    let names: Vec<&str> = lines.lines().map(|line| line[..20].trim_end()).collect();
    assert_eq!(
        names,
        [
            "ECC   SECP256R1 key",
            "ECDHE SECP256R1 agre",
            "CURVE  25519 key gen",
            "CURVE  25519 agree",
            "ECC   SECP256R1 key",
            "ECDSA SECP256R1 sign",
            "ECDSA SECP256R1 veri",
            "ED     25519 key gen",
            "ED     25519 sign",
            "ED     25519 verify",
            "RSA     2048 key gen",
            "RSA     2048 sign",
            "RSA     2048 verify",
        ],
        "{lines}"
    );
    let csv = speed("X25519 --format csv");
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns, [9, 9, 9, 9], "{csv}");
}

#[test]
fn selects_kinds_by_a_word() {
    let sandbox = Sandbox::new();
    let document = sandbox.json("speed kem --seconds 0");
    let results = document["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|result| result["algorithm"].as_str().unwrap()).collect();
    assert!(names.contains(&"ML-KEM-768") && names.contains(&"X25519MLKEM768"), "{names:?}");
    assert!(!names.contains(&"ML-DSA-65") && !names.contains(&"Kyber768"), "{names:?}");
    for result in results {
        assert!(
            result["iterations"].as_u64().unwrap() >= 2
                && result["mean_microseconds"].as_f64().unwrap() > 0.0
        );
    }
    sandbox.refuses(2, "speed zzz", &["unknown algorithm \"zzz\""]);
    sandbox.refuses(2, "speed kem --seconds nan", &["--seconds"]);
    sandbox.refuses(2, "speed kem --format xml", &["--format", "liboqs"]);
}
