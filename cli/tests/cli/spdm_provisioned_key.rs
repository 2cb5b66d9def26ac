//! Tests of provisioned public keys, in slot 0xFF.

use crate::sandbox::device::Device;
use crate::sandbox::{Sandbox, failure};
use crate::spdm_requester::{is_right, lines};

#[test]
fn provisioned_keys_need_no_certificates() {
    let sandbox = Sandbox::new();
    for (ver, asym, key) in [
        ("1.1", "--asym ECDSA_P384 --req-asym ECDSA_P384 --pqc-asym NONE --req-pqc-asym NONE", "ECDSA-P384"),
        ("1.4", "--asym NONE --pqc-asym ML_DSA_65 --req-asym NONE --req-pqc-asym ML_DSA_65", "ML-DSA-65"),
    ] {
        for name in ["device", "host"] {
            sandbox.ok(&format!("keygen --quiet --alg {key} --out {name}.key --pub {name}.pub --force"));
        }
        let words = "--slot-id 0xFF --req-slot-id 0xFF --basic-mut-auth BASIC --test-psk";
        let device = Device::start(
            &sandbox,
            &format!("{words} --ver {ver} {asym} --key device.key --peer-key host.pub"),
        );
        let words = format!("spdm requester --port {} --req-slot-id 0xFF --key host.key {asym}", device.port);
        let output = sandbox.json(&format!("{words} --peer-key device.pub --test-psk"));
        assert!(is_right(&output), "{ver}: {output}");
        assert_eq!(lines(&output, "CHALLENGE_AUTH")[0]["value"], "signed by the provisioned key");
        let mutual = lines(&output, "mutual authentication");
        assert_eq!(
            (mutual.len(), &mutual[0]["mark"], &mutual[1]["mark"]),
            (2, &"good".into(), &"good".into())
        );
        assert!(mutual[1]["value"].as_str().unwrap().ends_with("its provisioned key"), "{output}");
        assert_eq!(lines(&output, "session 0x").len(), 2, "{ver}");
        assert_eq!(lines(&output, "DIGESTS").len() + lines(&output, "CERTIFICATE").len(), 0);
        device.end();
    }
    let device = Device::start(&sandbox, "--slot-id 0xFF --key device.key");
    let words = format!("spdm requester --port {} --exe-mode CONTINUE --exe-session KEY_EX", device.port);
    let done = sandbox.run(&format!("{words} --exe-conn CHAL --peer-key host.pub"));
    done.check(1, "another key", &["not that of the provisioned public key"]);
    sandbox.run(&words).check(1, "no key", &["slot 0xFF", "--peer-key"]);
    // The command line is checked before the port.
    let occupied = format!("spdm responder --port {}", device.port);
    sandbox.refuses(2, &format!("{occupied} --slot-id 0xFF"), &["--key", "slot 0xFF"]);
    sandbox.refuses(2, &format!("{occupied} --key device.key"), &["device.key", "--cert"]);
    // Options without effect for slot 0xFF are rejected. If they were not, the responder with --tcp-sub RI would fail
    // to connect, and end.
    for (words, option) in [
        (
            "responder --trans TCP --tcp-sub RI --port 1 --slot-id 0xFF --key device.key --cert c.pem",
            "--cert",
        ),
        (
            "responder --trans TCP --tcp-sub RI --port 1 --slot-id 0xFF --key device.key --root r.pem",
            "--root",
        ),
        ("requester --req-slot-id 0xFF --key host.key --cert chain.pem", "--cert"),
        ("requester --req-slot-id 0xFF --key host.key --root root.pem", "--root"),
        (
            "attest localhost --peer-key device.pub --req-slot-id 0xFF --key host.key --cert chain.pem",
            "--cert",
        ),
    ] {
        let parts = format!("{option}: slot 0xFF has a provisioned public key and no chain; ");
        sandbox.refuses(2, &format!("spdm {words}"), &[&parts]);
    }
}

#[test]
fn provisioned_key_is_required_unless_disabled() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out other.key");
    let device = |words: &str| {
        let own = "--asym ECDSA_P384 --pqc-asym NONE --slot-id 0xFF --key device.key --peer-key device.pub";
        let device = Device::start(&sandbox, &format!("{own} --req-slot-id 0xFF {words}"));
        let steps = "--exe-conn VCA --exe-session KEY_EX --exe-mode CONTINUE";
        let words = format!("spdm requester --port {} {steps} --peer-key device.pub", device.port);
        (device, words)
    };
    let (_default_device, words) = device("--mut-auth NO");
    let output = sandbox.json(&words);
    assert_eq!((lines(&output, "END_SESSION").len(), lines(&output, "mutual authentication").len()), (1, 0));
    let (requesting_device, words) = device("");
    sandbox.run(&words).check(1, "no key", &["KEY_EXCHANGE", "--key and --req-slot-id 0xFF"]);
    // A requester with another key gets advice about its key.
    let other = format!("{words} --req-slot-id 0xFF --key other.key");
    let attested = format!(
        "spdm attest 127.0.0.1:{} --session KEY_EX --peer-key device.pub --req-slot-id 0xFF --key other.key",
        requesting_device.port
    );
    for words in [other, attested] {
        sandbox.run(&words).check(
            failure(&words),
            &words,
            &["FINISH", "check that the responder knows this side's --key"],
        );
    }
    let proves = format!("{words} --req-slot-id 0xFF --key device.key");
    assert_eq!(lines(&sandbox.json(&proves), "mutual authentication").len(), 1);
}

#[test]
fn requires_peer_key_if_and_only_if_it_is_used() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    let refused =
        |words: &str, parts: &[&str]| sandbox.refuses(2, &format!("spdm responder --port 0 {words}"), parts);
    for words in ["", "--mut-auth W_ENCAP", "--basic-mut-auth BASIC --slot-id 0xFF --key device.key"] {
        let parts = ["--req-slot-id: slot 0xFF needs the requester's public key", "--peer-key"];
        refused(&format!("--req-slot-id 0xFF {words}"), &parts);
    }
    let parts = ["--peer-key: this key has no effect", "--req-slot-id 0xFF", "--basic-mut-auth BASIC"];
    for words in ["", "--req-slot-id 1", "--mut-auth NO"] {
        refused(&format!("--peer-key device.pub {words}"), &parts);
    }
    for words in ["--req-slot-id 0xFF", "--mut-auth W_ENCAP", "--basic-mut-auth BASIC"] {
        drop(Device::start(&sandbox, &format!("--peer-key device.pub {words}")));
    }
}

#[test]
fn warns_of_slot_count_without_chains() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    for (words, warns) in [("--slot-id 0xFF --slot-count 3", true), ("--slot-id 0xFF", false)] {
        let words = format!("--key device.key --pqc-asym NONE {words}");
        Device::check_warning(&sandbox, &words, "--slot-count has no effect", warns);
    }
}

#[test]
fn warns_of_roots_without_mutual_authentication() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --alg ECDSA-P384 --out hosts.key");
    sandbox.ok("cert root --key hosts.key --subject CN=hosts --out hosts.pem");
    for (words, warns) in [("", true), ("--mut-auth W_ENCAP", false), ("--basic-mut-auth BASIC", false)] {
        let words = format!("--ca hosts.pem {words}");
        Device::check_warning(&sandbox, &words, "--ca has no effect", warns);
    }
}

#[test]
fn rejects_provisioned_key_if_device_has_chain() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    let device = Device::start(&sandbox, "");
    let words = format!("spdm requester --port {} --slot-id 0xFF --peer-key device.pub", device.port);
    let done = sandbox.run(&words);
    done.check(1, &words, &["the device does not support a provisioned public key; use --slot-id 0 "]);
    assert!(!String::from_utf8(done.stdout).unwrap().contains("trusted"));
}
