//! `grille spdm dump` of captures of the dialect of openspdm-pqc.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use crate::spdm_dialect::{PLAIN, STRICT, make_keys, request};
use crate::spdm_requester::is_right;
use serde_json::Value;

/// Captures a requester's connection with a session, and returns the dump of the capture with all fields.
fn capture(sandbox: &Sandbox, device: &str, host: &str) -> Value {
    let device = Device::start(sandbox, device);
    let words =
        format!("{host} --exe-conn DIGEST,CERT,CHAL,MEAS --exe-session KEY_EX,KEY_UPDATE,HEARTBEAT,MEAS,APP");
    let tree = request(sandbox, &device, &format!("{words} --pcap d.pcap --key-log d.keys --force"));
    assert!(is_right(&tree), "{tree}");
    sandbox.json("spdm dump d.pcap --keys d.keys --all")
}

/// Returns the messages with this name.
fn messages<'a>(dump: &'a Value, name: &str) -> Vec<&'a Value> {
    dump["said"].as_array().unwrap().iter().filter(|one| one["name"] == name).collect()
}

/// Returns the names of the parts of a message's field.
fn parts<'a>(message: &'a Value, field: &str) -> Vec<&'a str> {
    let fields = message["fields"].as_array().unwrap();
    let field =
        fields.iter().find(|one| one["name"] == field).unwrap_or_else(|| panic!("{field}: {message}"));
    field["children"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect()
}

#[test]
fn dumps_fragments_algorithms_and_sessions() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let device = format!("{PLAIN} --raw-keys device --root root.pem --asym ECDSA_P256 --pqc-kem HQC_256");
    let host = format!(
        "{PLAIN} --ca root.pem --peer-raw-keys device --asym ECDSA_P256 --dhe SECP_256_R1 --pqc-kem HQC_256 --pqc-sig DILITHIUM_3"
    );
    let dump = capture(&sandbox, &device, &host);
    assert_eq!(dump["sessions"], serde_json::json!({ "sealed": 1, "opened": 1, "partly": 0 }));
    let text = |name: &str| messages(&dump, name)[0]["text"].as_str().unwrap();
    assert!(text("ALGORITHMS").ends_with("Dilithium3; HQC-256"), "{}", text("ALGORITHMS"));
    let tables = parts(messages(&dump, "ALGORITHMS")[0], "AlgStruct");
    assert_eq!(tables[4..], ["PqcSig", "PqcReqSig", "PqcKem", "PqcKemAuth", "PqcReqKemAuth"]);
    // KEY_EXCHANGE contains a public key of 7245 bytes, so it is sent in two fragments.
    let fragments = messages(&dump, "FRAGMENT_REQUEST");
    assert!(
        fragments[0]["text"].as_str().unwrap().contains("fragment 0, 4096 bytes"),
        "{}",
        fragments[0]["text"]
    );
    assert!(!messages(&dump, "FRAGMENT_REQUEST_ACK").is_empty());
    assert!(
        !messages(&dump, "FRAGMENT_RSP_REQUEST").is_empty()
            && !messages(&dump, "FRAGMENT_RESPONSE").is_empty()
    );
    let exchange = messages(&dump, "KEY_EXCHANGE")[0];
    assert_eq!(
        (&exchange["within"], parts(exchange, "ExchangeData")),
        (&"fragments".into(), vec!["DHE", "KEM"])
    );
    for name in ["CHALLENGE_AUTH", "KEY_EXCHANGE_RSP"] {
        assert_eq!(parts(messages(&dump, name)[0], "Signature"), ["classical", "post-quantum"], "{name}");
    }
    let signed: Vec<&Value> = messages(&dump, "MEASUREMENTS")
        .into_iter()
        .filter(|one| one["text"].as_str().unwrap().ends_with(", signed"))
        .collect();
    assert_eq!(signed.len(), 2);
    assert!(signed[1]["session"].is_string());
    assert_eq!(messages(&dump, "END_SESSION_ACK").len(), 1);
    assert!(messages(&dump, "CERTIFICATE")[0]["text"].as_str().unwrap().contains("slot 0, "));
    // No message has a decoding error, which would mention an offset, instead of its summary.
    let wrong = |one: &&Value| one["text"].as_str().is_some_and(|text| text.contains("offset"));
    assert!(!dump["said"].as_array().unwrap().iter().any(|one| wrong(&one)), "{dump}");
    // The dump does not verify chains, signatures and MACs of the dialect.
    sandbox.run("spdm dump d.pcap --keys d.keys --verify --quiet").check(
        1,
        "--verify",
        &["d.pcap", "openspdm-pqc dialect"],
    );
}

#[test]
fn dumps_captures_without_negotiation() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let device = format!("{PLAIN} --slot-id 0xFF --raw-keys device --pqc-kem KYBER_768");
    let host = format!("{PLAIN} --slot-id 0xFF --peer-raw-keys device --pqc-kem KYBER_768 --dhe NONE");
    capture(&sandbox, &device, &host);
    let whole = sandbox.get("d.pcap");
    // Drop the packets of the negotiation, each with a header of 16 bytes.
    let start = (0..6)
        .fold(24, |at, _| at + 16 + u32::from_le_bytes(whole[at + 8..at + 12].try_into().unwrap()) as usize);
    sandbox.put("late.pcap", [&whole[..24], &whole[start..]].concat());
    for (options, name) in [
        ("", "KEY_PAIR_INFO"),
        ("--spec pqc2021", "FRAGMENT_RESPONSE"),
        ("--spec pqc2021-strict", "FRAGMENT_RESPONSE"),
    ] {
        let dump = sandbox.json(&format!("spdm dump late.pcap --quiet {options}"));
        assert!(!messages(&dump, name).is_empty(), "{options}: {dump}");
    }
    // A capture with its negotiation needs no option, and the option does not change it.
    let [with, without] =
        ["--spec pqc2021", ""].map(|options| sandbox.json(&format!("spdm dump d.pcap {options}")));
    assert_eq!(with, without);
}

#[test]
fn dumps_kem_authentication() {
    let sandbox = Sandbox::new();
    make_keys(&sandbox);
    let kems = "--pqc-kem KYBER_1024 --pqc-kem-auth KYBER_768 --pqc-req-kem-auth KYBER_512";
    let device =
        format!("{STRICT} --slot-id 0xFF --req-slot-id 0xFF --raw-keys device --peer-raw-keys host {kems}");
    let host = format!("{STRICT} --slot-id 0xFF --raw-keys host --peer-raw-keys device {kems} --dhe NONE");
    let dump = capture(&sandbox, &device, &host);
    assert_eq!((&dump["sessions"]["opened"], &dump["sessions"]["partly"]), (&1.into(), &0.into()));
    let text = |name: &str| messages(&dump, name)[0]["text"].as_str().unwrap();
    assert!(
        text("CHALLENGE").contains("slot 0xFF, ") && text("CHALLENGE").ends_with("ciphertext of 1088 bytes"),
        "{}",
        text("CHALLENGE")
    );
    assert!(
        text("CHALLENGE_AUTH").ends_with("slot 0xFF, authenticated with a KEM"),
        "{}",
        text("CHALLENGE_AUTH")
    );
    assert_eq!(parts(messages(&dump, "CHALLENGE_AUTH")[0], "Signature"), ["MAC"]);
    for name in ["KEY_EXCHANGE", "KEY_EXCHANGE_RSP"] {
        assert_eq!(parts(messages(&dump, name)[0], "ExchangeData"), ["KEM", "KEM authentication"], "{name}");
    }
}
