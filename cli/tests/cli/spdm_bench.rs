//! Tests of `grille spdm bench`.

use crate::sandbox::Sandbox;
use crate::sandbox::device::create_p384_chain;
use serde_json::Value;

#[test]
fn measures_every_step() {
    let sandbox = Sandbox::new();
    let measured = sandbox.json("spdm bench --runs 2");
    let flows = measured["flows"].as_array().unwrap();
    assert_eq!(flows.len(), 2);
    for flow in flows {
        let steps = flow["steps"].as_array().unwrap();
        let number = |step: &Value, key: &str| step[key].as_f64().unwrap();
        for key in ["requester_microseconds", "responder_microseconds", "bytes"] {
            assert!(steps.iter().all(|step| number(step, key) > 0.0), "{key}: {flow}");
        }
        let (whole, parts) = steps.split_last().unwrap();
        let messages: f64 = parts.iter().map(|step| number(step, "messages")).sum();
        assert!(number(whole, "messages") == messages && messages >= 20.0);
    }
    let output = sandbox.ok("spdm bench --runs 1 --only classical");
    assert!(output.contains("the whole flow") && !output.contains("ML_DSA"), "{output}");
}

#[test]
fn measures_with_chain_from_files() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    let files = "--cert chain.pem --key host.key";
    let measured = sandbox.json(&format!("spdm bench --runs 1 --only classical {files}"));
    assert!(measured["flows"][0]["chain_bytes"].as_u64().is_some_and(|len| (500..1500).contains(&len)));
    sandbox.refuses(2, &format!("spdm bench {files}"), &["--cert", "--only"]);
    sandbox.refuses(2, &format!("spdm bench --only post-quantum {files}"), &["host.key", "ECDSA-P384"]);
}
