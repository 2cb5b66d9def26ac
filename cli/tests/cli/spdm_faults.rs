//! Tests of `grille spdm attest` against emulated faults.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;

/// Starts a device with this fault. Returns it with the arguments that attest it under its root, against the manifest
/// of a sound device.
fn start_faulty(sandbox: &Sandbox, fault: &str) -> (Device, String) {
    let device =
        Device::start(sandbox, &format!("--pqc-asym NONE --fault {fault} --root {fault}.pem --force"));
    let words = format!("spdm attest 127.0.0.1:{} --ca {fault}.pem --reference good.json", device.port);
    (device, words)
}

/// Saves the measurements of a device without faults in `good.json`.
fn save_sound_manifest(sandbox: &Sandbox) {
    let device = Device::start(sandbox, "--pqc-asym NONE --root root.pem");
    sandbox.ok(&format!("spdm attest 127.0.0.1:{} --ca root.pem --save good.json", device.port));
}

#[test]
fn attest_finds_every_fault() {
    let sandbox = Sandbox::new();
    save_sound_manifest(&sandbox);
    for (fault, more, expected_text) in [
        ("measurement", "", "measurement 2 (mutable firmware) differs"),
        ("missing", "", "measurement 2 (mutable firmware)"),
        ("rollback", "", "measurement 16 (firmware security version)"),
        ("debug", "", "254"),
        ("recovery", "", "254"),
        ("signature", "", "the signature in the response to CHALLENGE is invalid"),
        ("digest", "", "does not have the announced digest"),
        ("expired", "", "expired"),
        ("root", "", "another key"),
        ("slow", "--timeout 1", "no response in time"),
        ("silent", "--timeout 1", "no response in time"),
        ("close", "", "CHALLENGE: the other side ended the connection"),
        ("busy", "--timeout 1", "GET_MEASUREMENTS"),
        ("refuse", "", "refused GET_MEASUREMENTS: Unspecified"),
    ] {
        let (_device, words) = start_faulty(&sandbox, fault);
        let done = sandbox.run(&format!("{words} {more}"));
        assert_ne!(done.code, 0, "{fault}: {}", done.stderr);
        assert!(done.stderr.contains(expected_text), "{fault}: {}", done.stderr);
    }
}

/// Attestation also finds faults of measurements if it requests the measurements in a session.
#[test]
fn faults_of_measurements_are_found_in_sessions() {
    let sandbox = Sandbox::new();
    save_sound_manifest(&sandbox);
    for (fault, expected_text) in [("measurement", "measurement 2"), ("refuse", "refused GET_MEASUREMENTS")] {
        let (_device, words) = start_faulty(&sandbox, fault);
        let done = sandbox.run(&format!("{words} --session KEY_EX"));
        assert!(done.code != 0 && done.stderr.contains(expected_text), "{fault}: {}", done.stderr);
    }
}

#[test]
fn warns_if_and_only_if_device_is_faulty() {
    let sandbox = Sandbox::new();
    let warned = |words: &str| Device::warnings(&sandbox, &format!("--pqc-asym NONE {words}"));
    assert!(
        warned("--fault measurement,rollback").contains("warning: --fault: this device is faulty on purpose")
    );
    assert_eq!(warned(""), "");
    for name in ["device", "root"] {
        sandbox.ok(&format!("keygen --alg ECDSA-P384 --out {name}.key"));
    }
    sandbox.ok("cert root --key root.key --subject CN=root --out chain.pem");
    let words = "spdm responder --port 0 --pqc-asym NONE --cert chain.pem --key root.key --fault expired";
    sandbox.refuses(2, words, &["--fault expired needs a new certificate", "omit --cert"]);
    sandbox.refuses(2, "spdm responder --port 0 --fault nothing", &["nothing", "measurement", "signature"]);
}
