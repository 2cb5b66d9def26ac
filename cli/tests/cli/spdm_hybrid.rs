//! Tests of `--spec 1.4-hybrid`, with this program on both sides.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use crate::spdm_requester::{is_right, lines};
use serde_json::{Value, json};

const HYBRID: &str = "--spec 1.4-hybrid";

/// The options that leave no algorithm for signatures and key exchanges but hybrids.
const ONLY: &str = "--spec 1.4-hybrid --ver 1.4 --asym NONE --pqc-asym NONE --dhe NONE --kem NONE";

/// Runs a requester with these arguments, and returns its tree.
fn request(sandbox: &Sandbox, device: &Device, words: &str) -> Value {
    sandbox.json(&format!(
        "spdm requester --quiet --port {} --ca root.pem --exe-mode CONTINUE {words}",
        device.port
    ))
}

/// Returns the value of the first line with this name in a requester's tree.
fn negotiated<'a>(tree: &'a Value, name: &str) -> &'a str {
    lines(tree, name)[0]["value"].as_str().unwrap()
}

#[test]
fn both_sides_prefer_hybrids() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, &format!("{HYBRID} --root root.pem"));
    let tree =
        request(&sandbox, &device, &format!("{HYBRID} --exe-session KEY_EX,KEY_UPDATE,HEARTBEAT,MEAS"));
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "responder signs"), "ECDSA-P384 + ML-DSA-87");
    assert_eq!(negotiated(&tree, "key exchange"), "secp384r1 + ML-KEM-1024");
    assert_eq!(lines(&tree, "END_SESSION").len(), 1);
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem {HYBRID} --session KEY_EX", device.port);
    let verdict = sandbox.json(&format!("{attest} --hybrid-kem X25519_ML_KEM_768"));
    assert_eq!(verdict["signature"], "ECDSA-P384 + ML-DSA-87");
    assert_eq!(verdict["session"]["key_exchange"], "X25519 + ML-KEM-768");
    assert_eq!((&verdict["verdict"], &verdict["quantum_safe"]), (&"authentic".into(), &true.into()));
}

#[test]
fn requesters_authenticate_with_hybrids() {
    let sandbox = Sandbox::new();
    let device = Device::start(
        &sandbox,
        &format!("{ONLY} --root root.pem --mut-auth W_ENCAP --hybrid-asym EDDSA_25519_ML_DSA_65"),
    );
    let words = format!(
        "{ONLY} --req-hybrid-asym ecdsa_p256_ml_dsa_44 --exe-conn DIGEST,CERT,CHAL --exe-session KEY_EX"
    );
    let tree = request(&sandbox, &device, &words);
    assert!(is_right(&tree), "{tree}");
    assert_eq!(negotiated(&tree, "responder signs"), "Ed25519 + ML-DSA-65");
    assert_eq!(negotiated(&tree, "requester signs"), "ECDSA-P256 + ML-DSA-44");
    assert_eq!(lines(&tree, "mutual authentication").len(), 1, "{tree}");
}

#[test]
fn chains_of_composites_come_from_files() {
    let sandbox = Sandbox::new();
    let name = "MLDSA65-ECDSA-P384-SHA512";
    sandbox.ok(&format!("keygen --alg {name} --out root.key"));
    sandbox.ok("cert root --key root.key --subject CN=root --out root.pem");
    sandbox.ok(&format!("keygen --alg {name} --out device.key"));
    sandbox.ok("cert request --key device.key --subject CN=device --san device.example --out device.csr");
    sandbox.ok("cert issue --csr device.csr --ca root.pem --ca-key root.key --out device.pem");
    sandbox.put("chain.pem", [sandbox.get("root.pem"), sandbox.get("device.pem")].concat());
    let files = "--cert chain.pem --key device.key";
    let device = Device::start(&sandbox, &format!("{HYBRID} {files}"));
    let attest = format!("spdm attest 127.0.0.1:{} --quiet --ca root.pem", device.port);
    let verdict = sandbox.json(&format!("{attest} {HYBRID}"));
    assert_eq!(verdict["signature"], "ECDSA-P384 + ML-DSA-65");
    // without the option, neither side has an algorithm for this key
    sandbox.refuses(3, &attest, &["no signature algorithm for the responder in common"]);
    let words = format!("spdm responder --quiet --port 0 {files}");
    sandbox.refuses(2, &words, &["device.key: ", name, "--spec 1.4-hybrid"]);
}

#[test]
fn peers_without_hybrids_speak_plain_1_4() {
    let sandbox = Sandbox::new();
    for (ours, theirs) in [(HYBRID, "--ver 1.4"), ("--ver 1.4", HYBRID)] {
        let device = Device::start(&sandbox, &format!("{ours} --root root.pem --force"));
        let tree = request(&sandbox, &device, &format!("{theirs} --exe-session KEY_EX"));
        assert!(is_right(&tree), "{ours}: {tree}");
        assert_eq!(negotiated(&tree, "responder signs"), "ML-DSA-87");
        assert_eq!(negotiated(&tree, "key exchange"), "ML-KEM-1024");
    }
    let device = Device::start(&sandbox, "--root root.pem --force");
    let words = format!("spdm attest 127.0.0.1:{} --quiet --ca root.pem {ONLY}", device.port);
    sandbox.refuses(3, &words, &["no signature algorithm for the responder in common"]);
}

#[test]
fn captures_with_hybrids_are_verified() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, &format!("{ONLY} --root root.pem"));
    let words = format!("{ONLY} --session KEY_EX --pcap said.pcap --key-log said.keys");
    sandbox.ok(&format!("spdm attest 127.0.0.1:{} --ca root.pem {words}", device.port));
    let output = sandbox.json("spdm dump said.pcap --keys said.keys --verify");
    assert_eq!(output["verified"]["wrong"], 0, "{output}");
    assert_eq!(output["verified"]["unchecked"], 0, "{output}");
    assert_eq!(output["sessions"], json!({ "sealed": 1, "opened": 1, "partly": 0 }));
    let shown = sandbox.ok("spdm dump said.pcap");
    for part in ["ECDSA-P384 + ML-DSA-87", "secp384r1 + ML-KEM-1024"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn the_policy_of_a_verdict_has_the_hybrids() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, &format!("{HYBRID} --root root.pem"));
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    let [plain, all, one] = ["", HYBRID, "--spec 1.4-hybrid --hybrid-kem X25519_ML_KEM_512"]
        .map(|words| sandbox.json(&format!("{attest} {words}"))["policy"].clone());
    assert!(plain != all && all != one && one != plain);
}

#[test]
fn options_of_hybrids_need_their_specification() {
    let sandbox = Sandbox::new();
    for option in ["--hybrid-asym", "--req-hybrid-asym", "--hybrid-kem"] {
        for command in ["requester", "responder --port 0", "attest localhost --ca root.pem"] {
            let words = format!("spdm {command} {option} NONE");
            sandbox.refuses(2, &words, &[&format!("{option}: "), "--spec 1.4-hybrid"]);
        }
    }
    let words = format!("spdm responder --quiet --port 0 {HYBRID}");
    sandbox.refuses(2, &format!("{words} --ver 1.2,1.3"), &["--ver: ", "only in SPDM 1.4"]);
    sandbox.refuses(2, &format!("{words} --hybrid-kem X25519"), &["--hybrid-kem: ", "X25519_ML_KEM_512"]);
    sandbox.refuses(2, &format!("{words} --pqc-sig DILITHIUM_2"), &["--pqc-sig: ", "--spec pqc2021"]);
}
