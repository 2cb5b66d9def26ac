//! Tests of `--spec pqc2021`, the dialect of openspdm-pqc, with this program on both sides.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::device::Device;
use crate::spdm_requester::{is_right, lines};
use serde_json::Value;

pub(crate) const PLAIN: &str = "--spec pqc2021";
pub(crate) const STRICT: &str = "--spec pqc2021-strict";

/// Makes the device's keys in the folder `device`, and the requester's in `host`.
pub(crate) fn make_keys(sandbox: &Sandbox) {
    let shown = sandbox.ok("spdm raw-keys --out device --sig DILITHIUM_3,FALCON_512 --kem KYBER_768");
    assert_eq!(shown.lines().count(), 6, "{shown}");
    sandbox.ok("spdm raw-keys --out host --sig DILITHIUM_2 --kem KYBER_512");
}

/// Runs a requester with these arguments, and returns its tree.
pub(crate) fn request(sandbox: &Sandbox, device: &Device, words: &str) -> Value {
    sandbox.json(&format!("spdm requester --quiet --port {} --exe-mode CONTINUE {words}", device.port))
}

/// Returns the value of the first line with this name in a requester's tree.
fn negotiated<'a>(tree: &'a Value, name: &str) -> &'a str {
    lines(tree, name)[0]["value"].as_str().unwrap()
}

#[test]
fn provisioned_keys_sign_in_slot_255() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    for spec in [PLAIN, STRICT] {
        let device =
            Device::start(&sandbox, &format!("{spec} --slot-id 0xFF --raw-keys device --pqc-kem KYBER_768"));
        let words =
            format!("{spec} --slot_id 0xFF --peer_raw_keys device --pqc_kem KYBER_768 --pqc_sig DILITHIUM_3");
        let tree = request(
            &sandbox,
            &device,
            &format!("{words} --dhe NONE --exe-session KEY_EX,KEY_UPDATE,HEARTBEAT,MEAS,APP"),
        );
        assert!(is_right(&tree), "{spec}: {tree}");
        assert_eq!(negotiated(&tree, "responder signs"), "Dilithium3");
        assert_eq!(negotiated(&tree, "key exchange"), "Kyber768");
        assert_eq!(negotiated(&tree, "CHALLENGE_AUTH"), "signed by the provisioned key");
        assert_eq!(tree["raw_keys_bound"], spec == STRICT);
        let skipped = lines(&tree, "DIGEST")[0];
        assert_eq!(
            (&skipped["mark"], &skipped["value"]),
            (&"skipped".into(), &"slot 0xFF has no chain".into())
        );
        assert_eq!(lines(&tree, "END_SESSION").len(), 1);
        assert_eq!(lines(&tree, "MEASUREMENTS")[0]["value"], "signed");
    }
}

#[test]
fn specifications_and_keys_must_agree() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    sandbox.ok("spdm raw-keys --out other --sig DILITHIUM_3");
    let device = Device::start(&sandbox, &format!("{PLAIN} --slot-id 0xFF --raw-keys device"));
    let base = format!(
        "spdm requester --quiet --port {} --exe-mode CONTINUE --exe-conn CHAL --exe-session NONE --slot-id 0xFF --pqc-sig DILITHIUM_3",
        device.port
    );
    sandbox.ok(&format!("{base} {PLAIN} --peer-raw-keys device"));
    sandbox.run(&format!("{base} {STRICT} --peer-raw-keys device")).check(
        1,
        "strict",
        &["CHALLENGE", "--spec"],
    );
    sandbox.run(&format!("{base} {PLAIN} --peer-raw-keys other")).check(1, "another key", &["CHALLENGE"]);
}

#[test]
fn kem_authentication_works_on_both_sides() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let kems =
        "--pqc-kem KYBER_1024 --pqc-kem-auth KYBER_768 --pqc-req-kem-auth KYBER_512 --pqc-req-sig NONE";
    let device = Device::start(
        &sandbox,
        &format!("{PLAIN} --slot-id 0xFF --req-slot-id 0xFF --raw-keys device --peer-raw-keys host {kems}"),
    );
    let own = format!("{PLAIN} --slot-id 0xFF --raw-keys host --peer-raw-keys device {kems}");
    let tree = request(&sandbox, &device, &format!("{own} --pqc-sig NONE"));
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "responder signs"), "Kyber768 (KEM authentication)");
    assert_eq!(negotiated(&tree, "requester signs"), "Kyber512 (KEM authentication)");
    assert_eq!(negotiated(&tree, "CHALLENGE_AUTH"), "authenticated by the provisioned KEM key");
    assert_eq!(lines(&tree, "mutual authentication").len(), 1);
    assert_eq!(lines(&tree, "MEASUREMENTS")[0]["value"], "not signed");
    // A requester without keys gets no session.
    let words =
        format!("spdm requester --quiet --port {} --exe-mode CONTINUE {PLAIN} --slot-id 0xFF", device.port);
    let words =
        format!("{words} --exe-conn VCA --exe-session KEY_EX --peer-raw-keys device --pqc-kem KYBER_1024");
    sandbox.run(&words).check(1, &words, &["KEY_EXCHANGE"]);
}

#[test]
fn provisioned_keys_answer_the_responders_challenge() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let device = format!("{PLAIN} --slot-id 0xFF --raw-keys device --peer-raw-keys host");
    let device = Device::start(&sandbox, &format!("{device} --basic-mut-auth BASIC --pqc-kem KYBER_512"));
    let words = format!("{PLAIN} --slot-id 0xFF --raw-keys host --peer-raw-keys device --pqc-kem KYBER_512");
    let tree = request(&sandbox, &device, &words);
    assert!(is_right(&tree), "{tree}");
    let challenged = lines(&tree, "CHALLENGE_AUTH")[0]["children"].as_array().unwrap();
    assert!(challenged.iter().any(|line| line["name"] == "mutual authentication"), "{tree}");
}

#[test]
fn kem_authentication_works_with_a_classical_key_exchange() {
    let sandbox = Sandbox::new();
    sandbox.ok("spdm raw-keys --out kems --kem KYBER_768");
    let device =
        Device::start(&sandbox, &format!("{PLAIN} --slot-id 0xFF --raw-keys kems --dhe SECP_256_R1"));
    let words = format!("{PLAIN} --slot-id 0xFF --peer-raw-keys kems --dhe SECP_256_R1");
    let tree = request(&sandbox, &device, &words);
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "responder signs"), "Kyber768 (KEM authentication)");
    assert_eq!(negotiated(&tree, "key exchange"), "secp256r1");
}

#[test]
fn chains_sign_together_with_provisioned_keys() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let algorithms = "--asym ECDSA_P256 --dhe SECP_256_R1 --pqc-kem HQC_128";
    let device = Device::start(&sandbox, &format!("{STRICT} --root root.pem --raw-keys device {algorithms}"));
    let words = format!("{STRICT} --ca root.pem --peer-raw-keys device {algorithms} --pqc-sig FALCON_512");
    let tree = request(&sandbox, &device, &words);
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "responder signs"), "ECDSA-P256 + Falcon-512-2020");
    assert_eq!(negotiated(&tree, "key exchange"), "secp256r1 + HQC-128");
    // A requester that trusts provisioned keys trusts no chain without --ca.
    let words = words.replace("--ca root.pem ", "");
    let words = format!("spdm requester --quiet --port {} --exe-mode CONTINUE {words}", device.port);
    sandbox.run(&words).check(1, &words, &["slot 0", "name the trusted roots with --ca"]);
    // The device also serves a requester that knows only its provisioned keys.
    let words =
        format!("{STRICT} --slot-id 0xFF --peer-raw-keys device --pqc-kem HQC_128 --pqc-sig FALCON_512");
    assert!(is_right(&request(&sandbox, &device, &words)));
}

/// openspdm-pqc has seven tables of algorithms, and openspdm-pqc-kem nine.
#[test]
fn negotiates_seven_or_nine_tables() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let host = format!("{PLAIN} --slot-id 0xFF --peer-raw-keys device --pqc-kem KYBER_768 --dhe NONE");
    for (theirs, ours, is_accepted) in [("9", "7", true), ("7", "7", true), ("7", "9", false)] {
        let options = "--raw-keys device --pqc-kem KYBER_768";
        let device =
            Device::start(&sandbox, &format!("{PLAIN} --slot-id 0xFF --pqc-tables {theirs} {options}"));
        // The KEM key in the folder is not used with seven tables.
        let words = format!("{host} --pqc_tables {ours}");
        if is_accepted {
            let tree = request(&sandbox, &device, &words);
            assert!(is_right(&tree), "{tree}");
            assert_eq!(negotiated(&tree, "responder signs"), "Falcon-512-2020");
        } else {
            let words = format!("spdm requester --quiet --port {} --exe-mode CONTINUE {words}", device.port);
            sandbox.run(&words).check(1, &words, &["NEGOTIATE_ALGORITHMS"]);
        }
    }
    for side in ["requester --port 1 --peer-raw-keys device", "responder --port 0 --raw-keys device"] {
        let words = format!("spdm {side} --quiet {PLAIN} --slot-id 0xFF --pqc-tables 7");
        for option in ["--pqc-kem-auth", "--pqc-req-kem-auth"] {
            let parts = [&format!("{option}: "), "no KEM authentication", "use --pqc-tables 9"];
            sandbox.refuses(2, &format!("{words} {option} KYBER_768"), &parts);
        }
        sandbox.refuses(2, &format!("{words} --pqc-tables 8"), &["--pqc-tables"]);
    }
}

#[test]
fn hybrid_certificates_hold_both_keys() {
    let sandbox = Sandbox::new();
    // Certificates with SPHINCS+ of round 2 have object identifiers that are not in the registry's current table.
    let sphincs = "ECDSA-P256 + SPHINCS+-SHA256-128f-robust";
    for (asym, signature, signs) in [
        ("ECDSA_P256", "DILITHIUM_2", "ECDSA-P256 + Dilithium2"),
        ("NONE", "DILITHIUM_2", "Dilithium2"),
        ("ECDSA_P256", "SPHINCS_SHA256_128F_ROBUST", sphincs),
    ] {
        let algorithms = format!("--pqc-pub-key-mode CERT --pqc-sig {signature} --pqc-kem KYBER_512");
        let device =
            Device::start(&sandbox, &format!("{PLAIN} --root root.pem --force --asym {asym} {algorithms}"));
        let tree = request(&sandbox, &device, &format!("{PLAIN} --ca root.pem {algorithms}"));
        assert!(is_right(&tree), "{signs}: {tree}");
        assert!(negotiated(&tree, "responder signs").starts_with(signs), "{tree}");
        assert_eq!(tree["raw_keys_bound"], Value::Null);
        let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem {PLAIN} {algorithms}", device.port);
        let verdict = sandbox.json(&format!("{attest} --session KEY_EX"));
        assert!(verdict["signature"].as_str().unwrap().starts_with(signs), "{verdict}");
        assert_eq!(verdict["quantum_safe"], true, "{verdict}");
    }
}

#[test]
fn requesters_authenticate_with_new_hybrid_certificates() {
    let sandbox = Sandbox::new();
    let algorithms =
        "--pqc-pub-key-mode CERT --pqc-sig DILITHIUM_2 --pqc-req-sig DILITHIUM_2 --pqc-kem KYBER_512";
    let device = Device::start(&sandbox, &format!("{PLAIN} --root root.pem --mut-auth W_ENCAP {algorithms}"));
    let tree = request(&sandbox, &device, &format!("{PLAIN} --ca root.pem {algorithms}"));
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "requester signs"), "ECDSA-P256 + Dilithium2");
    assert_eq!(lines(&tree, "mutual authentication").len(), 1, "{tree}");
    let words = format!("spdm requester --quiet --port 1 {PLAIN} {algorithms} --req-slot-id 0xFF");
    sandbox.refuses(2, &words, &["--req-slot-id", "slot 0xFF has no certificate"]);
    let attest = format!("spdm attest localhost:1 --ca root.pem --quiet {PLAIN} {algorithms}");
    sandbox.refuses(2, &attest, &["--pqc-req-sig", "hybrid certificate", "--cert"]);
}

#[test]
fn attests_provisioned_keys() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let device =
        Device::start(&sandbox, &format!("{STRICT} --raw-keys device --pqc-kem KYBER_768 --root root.pem"));
    let attest = format!("spdm attest 127.0.0.1:{} --quiet", device.port);
    let keys = "--peer-raw-keys device --pqc-kem KYBER_768";
    let verdict = sandbox.json(&format!(
        "{attest} {STRICT} {keys} --session KEY_EX --pqc-sig DILITHIUM_3 --pqc-kem-auth KYBER_768"
    ));
    assert_eq!((&verdict["slot"], &verdict["raw_keys_bound"]), (&255.into(), &true.into()));
    assert_eq!((&verdict["verdict"], &verdict["quantum_safe"]), (&"authentic".into(), &true.into()));
    crate::spdm_verdicts::check(&verdict);
    // The device authenticates itself with a KEM in CHALLENGE, and signs the measurements.
    assert_eq!(verdict["signature"], "Dilithium3 + Kyber768 (KEM authentication)");
    let words = format!("{attest} {STRICT} {keys} --pqc-kem-auth KYBER_768");
    sandbox.run(&words).check(3, &words, &["does not sign measurements", "--pqc-sig"]);
    let chain = sandbox.json(&format!("{attest} {STRICT} {keys} --ca root.pem --pqc-sig DILITHIUM_3"));
    assert_eq!((&chain["slot"], &chain["quantum_safe"]), (&0.into(), &true.into()));
    assert_ne!(chain["policy"], verdict["policy"]);
}

#[test]
fn attest_authenticates_with_raw_keys() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let device = Device::start(
        &sandbox,
        &format!(
            "{PLAIN} --slot-id 0xFF --req-slot-id 0xFF --raw-keys device --peer-raw-keys host --pqc-kem KYBER_768"
        ),
    );
    let words = format!("{PLAIN} --peer-raw-keys device --pqc-kem KYBER_768 --pqc-sig DILITHIUM_3");
    let attest = format!("spdm attest 127.0.0.1:{} --quiet {words} --session KEY_EX", device.port);
    let verdict = sandbox.json(&format!("{attest} --req-slot-id 0xFF --raw-keys host"));
    assert_eq!((&verdict["verdict"], &verdict["slot"]), (&"authentic".into(), &255.into()));
    for (options, parts) in [
        ("--req-slot-id 0xFF", ["--req-slot-id: ", "--raw-keys"]),
        ("--req-slot-id 0xFF --raw-keys host --key x", ["--req-slot-id: ", "omit --key"]),
        ("--req-slot-id 1 --raw-keys host", ["--req-slot-id: ", "name its file with --key"]),
    ] {
        sandbox.refuses(2, &format!("{attest} {options}"), &parts);
    }
}

#[test]
fn warns_of_unbound_keys() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    for (spec, warns) in [(PLAIN, true), (STRICT, false)] {
        let words = format!("{spec} --slot-id 0xFF --raw-keys device");
        Device::check_warning(&sandbox, &words, "do not contain the provisioned public keys", warns);
        let mut run = Background::start(sandbox.command(&format!("spdm responder --port 0 --json {words}")));
        let line: Value = serde_json::from_str(&run.line).unwrap();
        assert_eq!(line["raw_keys_bound"], !warns, "{line}");
        run.stop();
    }
}

#[test]
fn key_files_are_checked() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let files = sandbox.json("spdm raw-keys --out more --sig SPHINCS_SHA256_128F_SIMPLE")["files"].clone();
    assert_eq!(files[0], "more/SPHINCS+-SHA256-128f-simple_sk.bin");
    #[cfg(unix)]
    assert_eq!(
        (sandbox.mode("device/Dilithium3_sk.bin"), sandbox.mode("device/Dilithium3_pk.bin")),
        (0o600, 0o644)
    );
    sandbox.refuses(1, "spdm raw-keys --out device --sig DILITHIUM_3", &["Dilithium3_sk.bin", "--force"]);
    sandbox.refuses(
        2,
        "spdm raw-keys --out device --sig DILITHIUM_9",
        &["--sig: unknown algorithm", "DILITHIUM_2"],
    );
    let device = format!("spdm responder --port 0 {STRICT} --slot-id 0xFF --raw-keys device");
    sandbox.refuses(1, &format!("{device} --pqc-sig DILITHIUM_5"), &["--raw-keys", "Dilithium5_sk.bin"]);
    sandbox.refuses(
        2,
        &format!("spdm responder --port 0 {STRICT} --pqc-sig DILITHIUM_5"),
        &["--raw-keys", "Dilithium5_sk.bin"],
    );
    let whole = sandbox.get("device/Dilithium3_sk.bin");
    sandbox.put("device/Dilithium3_sk.bin", &whole[1..]);
    let parts = ["device/Dilithium3_sk.bin", "found 3999 bytes", "private key of Dilithium3 has 4000"];
    sandbox.refuses(1, &device, &parts);
    sandbox.put("device/Dilithium3_sk.bin", &whole);
    let other = sandbox.get("device/Dilithium3_pk.bin");
    sandbox.put("device/Dilithium3_pk.bin", [&[!other[0]], &other[1..]].concat());
    sandbox.refuses(1, &device, &["device/Dilithium3_pk.bin", "not the public key of Dilithium3_sk.bin"]);
    sandbox.put("device/Kyber768_pk.bin", [0; 3]);
    let host = format!("spdm requester {STRICT} --slot-id 0xFF --peer-raw-keys device");
    sandbox.refuses(
        1,
        &host,
        &["device/Kyber768_pk.bin", "found 3 bytes", "public key of Kyber768 has 1184"],
    );
}

#[test]
fn options_of_the_dialect_need_it() {
    let sandbox = Sandbox::new();
    for option in [
        "--pqc-kem KYBER_512",
        "--pqc-sig DILITHIUM_2",
        "--pqc-req-sig DILITHIUM_2",
        "--pqc-kem-auth KYBER_512",
        "--pqc-req-kem-auth KYBER_512",
        "--pqc-pub-key-mode CERT",
        "--pqc-tables 7",
        "--sphincs-round3",
        "--raw-keys device",
        "--peer-raw-keys device",
    ] {
        let (name, _) = option.split_once(' ').unwrap_or((option, ""));
        for command in ["requester", "responder --port 0", "attest localhost --ca root.pem"] {
            let words = format!("spdm {command} {option}");
            sandbox.refuses(2, &words, &[&format!("{name}: "), "--spec pqc2021"]);
        }
    }
}

#[test]
fn attested_slots_must_match_the_trusted_credentials() {
    let sandbox = Sandbox::new();
    for (options, advice) in [
        ("--peer-raw-keys device --slot-id 0", "name the roots with --ca"),
        ("--peer-raw-keys device --ca root.pem --slot-id 0xFF", "omit --ca"),
    ] {
        let words = format!("spdm attest localhost:1 --quiet {PLAIN} {options}");
        sandbox.refuses(2, &words, &["--slot-id: ", advice]);
    }
}

#[test]
fn key_modes_are_case_insensitive() {
    let sandbox = Sandbox::new();
    let command = format!("spdm responder --quiet --port 0 {PLAIN} --slot-id 0xFF");
    sandbox.refuses(2, &format!("{command} --pqc-pub-key-mode cert"), &["slot 0xFF has no certificate"]);
    sandbox.refuses(2, &format!("{command} --pqc-pub-key-mode HYBRID"), &["--pqc-pub-key-mode"]);
}

#[test]
fn the_dialect_refuses_peer_key() {
    let sandbox = Sandbox::new();
    for command in ["requester --port 1", "responder --port 0", "attest localhost:1"] {
        let words = format!("spdm {command} --quiet {PLAIN} --peer-key missing.pub");
        sandbox.refuses(2, &words, &["--peer-key: ", "use --peer-raw-keys"]);
    }
}

#[test]
fn contradictory_options_are_refused_early() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    sandbox.ok("spdm raw-keys --out kems --kem KYBER_512");
    for (options, parts) in [
        ("--ver 1.4", ["--ver", "SPDM 1.1"]),
        ("--pqc-asym ML_DSA_65", ["--pqc-asym", "--pqc-sig"]),
        ("--kem ML_KEM_768", ["--kem", "--pqc-kem"]),
        ("--slot-id 0xFF --asym ECDSA_P256 --raw-keys device", ["--slot-id", "--asym"]),
        ("--asym NONE --raw-keys device", ["--slot-id", "0xFF"]),
        ("--slot-id 0xFF --pqc-pub-key-mode CERT", ["--slot-id", "CERT"]),
        ("--slot-id 0xFF", ["--slot-id", "--raw-keys"]),
        (
            "--raw-keys device --peer-raw-keys device --pqc-req-kem-auth KYBER_768 --pqc-sig DILITHIUM_3",
            ["--pqc-req-kem-auth", "needs --pqc-kem-auth"],
        ),
        ("--slot-id 0xFF --raw-keys device --key x", ["--key", "--raw-keys"]),
        ("--raw-keys device --pqc-kem KYBER_512 --devices 2", ["--devices", "--raw-keys"]),
        ("--peer-raw-keys host", ["--peer-raw-keys", "mutual authentication"]),
        ("--req-slot-id 0xFF", ["--req-slot-id", "--peer-raw-keys"]),
        (
            "--slot-id 0xFF --raw-keys device --peer-raw-keys kems --basic-mut-auth BASIC",
            ["--basic-mut-auth", "only KEM keys"],
        ),
        ("--pqc-pub-key-mode CERT --pqc-sig DILITHIUM_5 --asym ECDSA_P256", ["--pqc-pub-key-mode", "RAW"]),
    ] {
        sandbox.refuses(2, &format!("spdm responder --quiet --port 0 {PLAIN} {options}"), &parts);
    }
}
