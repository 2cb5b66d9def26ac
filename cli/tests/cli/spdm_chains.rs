//! Tests of `grille spdm requester` with the chains in a device's slots, and of case-insensitive names.

use crate::sandbox::Sandbox;
use crate::sandbox::device::{Device, create_p384_chain};
use crate::spdm_requester::lines;

#[test]
fn other_slots_need_not_be_trusted() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym NONE --pqc-asym ML_DSA_44 --slot-count 2 --root first.pem");
    let requester_args =
        format!("spdm requester --port {} --exe-session NONE --exe-mode CONTINUE", device.port);
    // Slot 1 gets a chain of another root.
    sandbox.ok(&format!("{requester_args} --exe-conn GET_CSR --csr device.csr"));
    sandbox.ok("keygen --alg ECDSA-P384 --out owner.key");
    sandbox.ok("cert root --key owner.key --subject CN=owner --out owner.pem");
    sandbox.ok("cert issue --csr device.csr --ca owner.pem --ca-key owner.key --out device.pem");
    sandbox.put("chain.pem", [sandbox.get("owner.pem"), sandbox.get("device.pem")].concat());
    sandbox.ok(&format!("{requester_args} --slot-id 1 --exe-conn DIGEST,SET_CERT --new-chain chain.pem"));
    let steps = "--exe-conn DIGEST,CERT,CHAL";
    for (slot, ca, other) in [("0", "first.pem", "slot 1"), ("1", "owner.pem", "slot 0")] {
        let output = sandbox.json(&format!("{requester_args} {steps} --slot-id {slot} --ca {ca}"));
        let mark = |name: &str| lines(&output, name).last().unwrap()["mark"].clone();
        assert_eq!((mark(other), mark("CHALLENGE_AUTH")), ("bad".into(), "good".into()), "{output}");
        assert_eq!(mark(&format!("slot {slot}")), "good", "{output}");
    }
    // The selected slot fails, and the other slot is still shown.
    let words = format!("{requester_args} {steps} --slot-id 1 --ca first.pem");
    let done = sandbox.run(&words);
    done.check(1, &words, &["127.0.0.1:", "slot 1: "]);
    let output = String::from_utf8(done.stdout).unwrap();
    assert!(
        output.contains("✗ CERT") && output.contains("✓ slot 0") && output.contains("✗ slot 1"),
        "{output}"
    );
    // The selected slot is empty.
    let words = format!("{requester_args} {steps} --slot-id 3");
    sandbox.run(&words).check(
        1,
        &words,
        &["slot 3 is empty: DIGESTS lists 0, 1; choose another slot with --slot-id"],
    );
}

#[test]
fn errors_for_empty_slot_list_the_filled_ones() {
    let sandbox = Sandbox::new();
    let empty = "slot 5 is empty: DIGESTS lists 0, 1";
    let requester_args = |device: &Device, steps: &str| {
        let port = &device.port;
        format!(
            "spdm requester --port {port} --slot-id 5 --exe-mode CONTINUE --exe-session NONE --exe-conn {steps}"
        )
    };
    // The device has one key, so the certificate request is for that key.
    let device = Device::start(&sandbox, "--slot-count 2 --pqc-asym NONE --root root.pem");
    let output = sandbox.json(&requester_args(&device, "DIGEST,GET_CSR"));
    let csr = &lines(&output, "CSR")[0]["children"][0];
    assert_eq!((&csr["name"], &csr["value"]), (&"--slot-id".into(), &empty.into()), "{output}");
    let put = requester_args(&device, "DIGEST,SET_CERT --new-chain root.pem");
    sandbox.run(&put).check(
        1,
        &put,
        &[empty, "refused SET_CERTIFICATE", "the slot does not exist (--slot-id)"],
    );
    // The device has several keys.
    let caps = "CERT,CHAL,MEAS_SIG,SET_CERT,CSR,GET_KEY_PAIR_INFO,MULTI_KEY_NEG";
    let words = format!("--slot-count 2 --asym ECDSA_P256,ECDSA_P384 --cap {caps}");
    let device = Device::start(&sandbox, &words);
    let csr = requester_args(&device, "DIGEST,GET_CSR");
    sandbox.run(&csr).check(
        1,
        &csr,
        &["GET_CSR must name a key pair", empty, "choose another slot with --slot-id"],
    );
    let csr = requester_args(&device, "GET_CSR");
    sandbox.run(&csr).check(
        1,
        &csr,
        &["GET_CSR must name a key pair", "DIGEST before GET_CSR", "which DIGESTS reports"],
    );
}

#[test]
fn names_are_case_insensitive() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--trans tcp --pqc-asym ml_dsa_44 --mut-auth no --pqc-first true");
    let words =
        "--trans Tcp --hash sha_384 --exe-conn digest,Cert,CHAL --exe-session none --exe-mode continue";
    let output = sandbox.json(&format!("spdm requester --port {} {words}", device.port));
    assert_eq!(lines(&output, "CHALLENGE_AUTH")[0]["mark"], "good", "{output}");
    assert_eq!(lines(&output, "hash")[0]["value"], "SHA-384");
}

#[test]
fn advises_basic_mut_auth_if_responder_lacks_chain() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--mut-auth WO_ENCAP --req-asym ECDSA_P384 --req-pqc-asym NONE");
    let requester_args =
        "--req-asym ECDSA_P384 --req-pqc-asym NONE --exe-conn DIGEST,CERT --exe-session KEY_EX";
    let words = format!("spdm requester --port {} {requester_args}", device.port);
    let done = sandbox.run(&words);
    done.check(1, &words, &["--basic-mut-auth BASIC"]);
    assert!(!done.stderr.contains("may be empty"), "{}", done.stderr);
}

#[test]
fn accepts_concatenated_der_chains() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    let der =
        |file: &str| grille_pki::Certificate::from_pem_or_der(&sandbox.get(file)).unwrap().to_der().to_vec();
    sandbox.put("chain.der", [der("hosts.pem"), der("host.pem")].concat());
    sandbox.put("root.der", der("hosts.pem"));
    let device = Device::start(&sandbox, "--pqc-asym NONE --cert chain.der --key host.key");
    let output = sandbox.json(&format!("spdm attest 127.0.0.1:{} --ca root.der", device.port));
    assert_eq!(output["chain"], serde_json::json!(["CN=hosts", "CN=host"]));
    let whole = [der("hosts.pem"), der("host.pem")].concat();
    for (file, bytes) in [("cut.der", &whole[..whole.len() - 1]), ("more.der", &[&whole[..], b"\n"].concat())]
    {
        sandbox.put(file, bytes);
        let words = format!("spdm requester --cert {file} --key host.key");
        sandbox.refuses(1, &words, &[file, "invalid DER: the file is truncated"]);
    }
}
