//! Tests of `grille spdm perf`.

use crate::sandbox::Sandbox;
use serde_json::Value;

/// The columns of each side; the first is the total of the others.
const COLUMNS: [(&str, &[&str]); 2] = [
    (
        "requester",
        &[
            "total",
            "cert_verify",
            "chal_verify",
            "chal_kem_auth_encap",
            "key_ex_kem_gen",
            "key_ex_kem_decap",
            "key_ex_verify",
            "key_ex_kem_auth_encap",
            "other",
        ],
    ),
    (
        "responder",
        &[
            "total",
            "chal_sign",
            "chal_kem_auth_decap",
            "key_ex_kem_encap",
            "key_ex_sign",
            "key_ex_kem_auth_decap",
            "other",
        ],
    ),
];

/// Measures one run with these options, and returns the rows. Checks that the times of each side add up to its total.
fn rows(options: &str) -> Vec<Value> {
    let document = Sandbox::new().json(&format!("spdm perf {options} --runs 1"));
    let rows = document["rows"].as_array().unwrap().clone();
    for (row, (side, columns)) in rows.iter().flat_map(|row| COLUMNS.map(|side| (row, side))) {
        let times: Vec<f64> = columns.iter().map(|column| row[side][column].as_f64().unwrap()).collect();
        let sum: f64 = times[1..].iter().sum();
        assert!(times[0] > 0.0 && (times[0] - sum).abs() < 0.01, "{side}: {row}");
    }
    rows
}

fn time(row: &Value, side: &str, column: &str) -> f64 {
    row[side][column].as_f64().unwrap()
}

#[test]
fn measures_signatures_without_certificates() {
    let rows = rows(
        "--pqc_kem KYBER_512 --pqc_pub_key_mode RAW --hash SHA_256 --slot_id 0xFF --pqc_sig DILITHIUM_2",
    );
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (row["configuration"].as_str(), row["level"].as_u64()),
        (Some("Kyber512 + Dilithium2"), Some(1))
    );
    assert_eq!(time(row, "requester", "cert_verify"), 0.0);
    assert_eq!(time(row, "requester", "chal_kem_auth_encap"), 0.0);
    for (side, column) in
        [("requester", "chal_verify"), ("responder", "chal_sign"), ("responder", "key_ex_sign")]
    {
        assert!(time(row, side, column) > 0.0, "{column}: {row}");
    }
}

#[test]
fn measures_hybrid_certificates() {
    let rows = rows(
        "--dhe SECP_256_R1 --pqc_kem KYBER_512 --pqc_pub_key_mode CERT --hash SHA_256 --asym ECDSA_P256 \
         --pqc_sig DILITHIUM_2",
    );
    assert_eq!(rows[0]["configuration"], "p256_Kyber512 + p256_Dilithium2");
    assert_eq!(rows[0]["table"], "signatures");
    assert!(time(&rows[0], "requester", "cert_verify") > 0.0);
}

#[test]
fn measures_kem_authentication() {
    let rows = rows("--pqc_kem KYBER_768_90S --slot_id 0xFF --hash SHA_384 --pqc_kem_auth KYBER_768_90S");
    let row = &rows[0];
    assert_eq!((row["level"].as_u64(), &row["table"]), (Some(3), &Value::from("kem_authentication")));
    for (side, column) in [
        ("requester", "chal_kem_auth_encap"),
        ("requester", "key_ex_kem_auth_encap"),
        ("responder", "chal_kem_auth_decap"),
        ("responder", "key_ex_kem_auth_decap"),
    ] {
        assert!(time(row, side, column) > 0.0, "{column}: {row}");
    }
}

#[test]
fn requesters_authenticate_with_provisioned_keys() {
    let mutual = "--pqc_kem KYBER_512 --slot_id 0xFF --pqc_sig DILITHIUM_2 --mut_auth WO_ENCAP";
    assert_eq!(rows(&format!("{mutual} --pqc_req_sig FALCON_512")).len(), 1);
    Sandbox::new().refuses(2, &format!("spdm perf {mutual}"), &["--mut-auth", "--pqc-req-sig"]);
}

#[test]
fn accepts_the_other_options_of_the_emulator() {
    let base = "--pqc_kem KYBER_512 --slot_id 0xFF --pqc_sig DILITHIUM_2";
    for options in [
        "--trans PCI_DOE --sec_ver 1.0 --ver 1.1",
        "--sec_ver 1.1 --meas_spec DMTF --meas_hash SHA_256",
        "--basic_mut_auth NO --mut_auth NO",
    ] {
        assert_eq!(rows(&format!("{base} {options}")).len(), 1, "{options}");
    }
    let classical = "--dhe SECP_256_R1 --asym ECDSA_P256 --slot_count 3 --slot_id 2";
    assert_eq!(rows(classical)[0]["configuration"], "p256 + p256");
    let seven = rows(&format!("{base} --pqc_tables 7"));
    assert_eq!(seven[0]["table"], "signatures");
    let words = "spdm perf --pqc_kem KYBER_512 --slot_id 0xFF --pqc_kem_auth KYBER_512 --pqc_tables 7";
    Sandbox::new().refuses(2, words, &["--pqc-kem-auth", "--pqc-tables 9"]);
    let round3 = "--pqc_kem KYBER_512 --slot_id 0xFF --sphincs-round3 --pqc_sig SPHINCS_SHA256_128F_SIMPLE";
    assert_eq!(rows(round3)[0]["configuration"], "Kyber512 + SPHINCS+-SHA256-128f-simple (round 3)");
}

#[test]
fn measures_spdm_1_4() {
    let rows = rows("--standard");
    assert!(rows.len() >= 8 && rows.iter().all(|row| row["table"] == "standard"));
    let names: Vec<&str> = rows.iter().map(|row| row["configuration"].as_str().unwrap()).collect();
    assert!(names.contains(&"ML-KEM-768 + ML-DSA-65"), "{names:?}");
    assert!(rows.iter().all(|row| time(row, "responder", "chal_sign") > 0.0));
}

#[test]
fn measures_all_configurations_and_draws_them() {
    let sandbox = Sandbox::new();
    let shown = sandbox.ok("spdm perf --all --runs 1 --svg perf.svg");
    for text in [
        "p256_Kyber512 + rsa3072_SPHINCS+-Haraka-128f-robust",
        "p384_Kyber768 + p521_Falcon-1024",
        "Kyber1024-90s + Kyber1024-90s",
        "KEY_EX_KEM_AUTH_ENCAP",
        "RSP TOTAL",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    assert_eq!(shown.lines().filter(|line| line.contains(" + ")).count(), 43);
    let svg = std::fs::read_to_string(sandbox.path("perf.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches(" + ").count(), 43);
    sandbox.refuses(1, "spdm perf --all --runs 1 --svg perf.svg", &["perf.svg", "--force"]);
}

#[test]
#[cfg(not(feature = "measure-memory"))]
fn memory_needs_a_program_with_counters() {
    let words = "spdm perf --memory --pqc_kem KYBER_512 --pqc_sig DILITHIUM_2 --slot_id 0xFF";
    Sandbox::new().refuses(2, words, &["--memory", "--features measure-memory"]);
    Sandbox::new().refuses(2, "spdm perf --all --memory --runs 3", &["--memory", "--runs"]);
}

#[test]
fn rejects_unknown_and_contradictory_options() {
    let sandbox = Sandbox::new();
    for (options, parts) in [
        (
            "--pqc_kem KYBER_513 --pqc_sig DILITHIUM_2",
            ["--pqc-kem: unknown algorithm KYBER_513", "KYBER_1024_90S"],
        ),
        (
            "--pqc_kem KYBER_512 --pqc_sig DILITHIUM_2 --slot_id 0xFF --pqc_req_kem_auth KYBER_512",
            ["--pqc-req-kem-auth", "needs --pqc-kem-auth"],
        ),
        ("--meas_op ALL", ["--meas-op", "no GET_MEASUREMENTS"]),
        ("--key_upd ALL", ["--key-upd", "no KEY_UPDATE"]),
        ("--exe_conn CHAL", ["--exe-conn", "grille spdm requester"]),
        ("--exe_session KEY_EX", ["--exe-session", "fixed"]),
        ("--exe_mode SHUTDOWN", ["--exe-mode", "in this process"]),
        ("--save_state s", ["--save-state", "negotiates"]),
        ("--load_state s", ["--load-state", "negotiates"]),
        ("--pcap p", ["--pcap", "in memory"]),
        ("--ver 1.0", ["--ver", "SPDM 1.1"]),
        ("--sec_ver 0", ["--sec-ver", "1.1"]),
        ("--mut_auth W_ENCAP", ["--mut-auth", "WO_ENCAP"]),
        ("--mut_auth DIGESTS", ["--mut-auth", "certificates"]),
        ("--basic_mut_auth BASIC", ["--basic-mut-auth", "WO_ENCAP"]),
        ("--dhe SECP_256_R1 --asym ECDSA_P255", ["--asym: unknown algorithm", "ECDSA_P256"]),
        ("--pqc_sig DILITHIUM_2", ["key exchange", "--pqc-kem"]),
        ("--pqc_kem KYBER_512", ["responder", "--pqc-kem-auth"]),
        ("--pqc_kem KYBER_512 --pqc_sig DILITHIUM_2", ["--slot-id", "0xFF"]),
        ("--pqc_kem SIKE_P434 --pqc_sig DILITHIUM_2 --slot_id 0xFF", ["SIKE", "--allow-broken"]),
        (
            "--dhe SECP_256_R1 --asym ECDSA_P256 --pqc_sig DILITHIUM_5 --pqc_pub_key_mode CERT",
            ["no hybrid certificate", "RAW"],
        ),
        (
            "--pqc_kem KYBER_512 --pqc_sig DILITHIUM_2 --pqc_pub_key_mode CERT --slot_id 0xFF",
            ["--slot-id: slot 0xFF has no certificate", "CERT"],
        ),
        (
            "--pqc_kem KYBER_512 --pqc_sig DILITHIUM_2 --pqc_req_sig DILITHIUM_2 --pqc_pub_key_mode CERT --mut_auth WO_ENCAP",
            ["--pqc-req-sig: the requester has no certificates", "RAW"],
        ),
    ] {
        sandbox.refuses(2, &format!("spdm perf {options}"), &parts);
    }
}

#[test]
fn broken_kems_run_with_allow_broken() {
    let sandbox = Sandbox::new();
    let options = "--pqc_kem SIDH_P434 --pqc_sig DILITHIUM_2 --slot_id 0xFF --runs 1";
    assert!(sandbox.ok(&format!("--allow-broken spdm perf {options}")).contains("SIDH-p434 + Dilithium2"));
}
