//! Tests that the policy in an attestation document is the hash of its documented form.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use crate::spdm_verdicts::attest;
use grille_pki::Certificate;
use grille_spdm_engine::hash::HASHES;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Formats JSON without white space, with object members in ascending order.
fn canonical(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: BTreeSet<&String> = members.keys().collect();
            let member = |name: &String| format!("{}:{}", json!(name), canonical(&members[name]));
            format!("{{{}}}", sorted.into_iter().map(member).collect::<Vec<_>>().join(","))
        }
        Value::Array(all) => format!("[{}]", all.iter().map(canonical).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}

/// Returns the SHA-256 in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    HASHES[0].digest(&[bytes]).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Computes the policy from the example in `docs/guide/src/25-spdm-manual.md` and the documented members.
#[test]
fn policy_is_hash_of_documented_form() {
    let docs = include_str!("../../../docs/guide/src/25-spdm-manual.md");
    let (_, example) = docs.split_once("**The policy.**").unwrap();
    let example: Vec<&str> = example.lines().skip_while(|line| *line != "    {").collect();
    let end = example.iter().position(|line| *line == "    }").unwrap();
    let mut form: Value = serde_json::from_str(&example[..=end].join("\n")).unwrap();
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let words = format!("127.0.0.1:{} --ca root.pem", device.port);
    let root = Certificate::from_pem_or_der(&sandbox.get("root.pem")).unwrap();
    form["roots"] = json!([sha256(root.as_der())]);
    let (_, output) = attest(&sandbox, &words);
    assert_eq!(output["policy"], sha256(canonical(&form).as_bytes()), "{form}");
    let key = output["identity"]["key"].clone();
    // A policy may also contain a manifest and options.
    let manifest = json!({
        "hash": "SHA-256",
        "metadata": "not compared",
        "measurements": [
            { "index": 16, "minimum": 7 },
            { "index": 4, "ignore": true, "metadata": "not compared" },
            { "index": 3, "description": "x", "kind": 2, "raw": true, "values": ["0B", "0a", "0b"] },
            { "index": 2, "kind": 1, "raw": true, "value": "AA" },
        ],
        "devices": { key.as_str().unwrap(): { "measurements": [{ "index": 1, "ignore": true }] } },
    });
    sandbox.put("reference.json", manifest.to_string());
    form["reference"] = json!({
        "hash": "SHA-256",
        "measurements": [
            { "index": 2, "kind": 1, "raw": true, "values": ["aa"] },
            { "index": 3, "kind": 2, "raw": true, "values": ["0a", "0b"] },
            { "index": 4, "ignore": true },
            { "index": 16, "minimum": 7 },
        ],
        "devices": { key.as_str().unwrap(): [{ "index": 1, "ignore": true }] },
    });
    form["allow_modes"] = json!(["debug", "recovery"]);
    form["test_root"] = true.into();
    form["session"] = "KEY_EX".into();
    form["versions"] = json!(["1.2", "1.4"]);
    form["identity"] = json!({ "key": key, "leaf": null, "serial": "af" });
    let options =
        "--reference reference.json --allow-mode recovery,debug --test-root --session KEY_EX --ver 1.2,1.4";
    let identity = format!("--identity key={} --identity serial=00:AF", key.as_str().unwrap());
    let (_, output) = attest(&sandbox, &format!("{words} {options} {identity}"));
    assert_eq!(output["policy"], sha256(canonical(&form).as_bytes()), "{form}");
}
