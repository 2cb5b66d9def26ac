//! Tests of `grille spdm attest` with one device, with and without failures.

use crate::sandbox::Sandbox;
use crate::sandbox::device::{Device, create_p384_chain};
use crate::sandbox::peer::{CLOSED, start_peer};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn reports_peers_that_are_no_devices() {
    let sandbox = Sandbox::new();
    drop(Device::start(&sandbox, "--root root.pem"));
    let silent = start_peer(std::mem::forget);
    let garbage = start_peer(|mut socket| {
        let _ = socket.write_all(&[0xA5; 64]);
        let _ = socket.read(&mut [0; 64]);
    });
    let web = start_peer(|mut socket| {
        let _ = socket.read(&mut [0; 64]);
        let _ = socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let gone = start_peer(drop);
    for (port, trans, expected_text) in [
        (CLOSED, "MCTP", "Connection refused; start the device there"),
        (
            silent,
            "MCTP",
            "no response in time; wait longer with --timeout: a responder serves --jobs requesters at a time",
        ),
        (
            silent,
            "TCP --bare",
            "GET_VERSION: no response in time; wait longer with --timeout: a responder serves",
        ),
        (garbage, "MCTP", "the frame has"),
        (garbage, "TCP --bare", "ended"),
        (web, "PCI_DOE", "the frame has"),
        (gone, "MCTP", "closed the connection without a response"),
        (gone, "TCP --bare", "closed the connection without a response"),
    ] {
        let words = format!("spdm attest 127.0.0.1:{port} --trans {trans} --ca root.pem --timeout 1");
        sandbox.refuses(3, &words, &[&format!("127.0.0.1:{port}: "), expected_text]);
    }
}

/// Length of the emulators' frame header before an MCTP message.
const FRAME: usize = 12;
/// MCTP type of a secured message.
const SECURED: u8 = 6;

#[test]
fn reports_pending_request_of_silent_device() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    // Relays the device's answers until a request matches.
    let until = |is_last: fn(&[u8]) -> bool| {
        let device_address = format!("127.0.0.1:{}", device.port);
        start_peer(move |mut near| {
            let mut device_socket = TcpStream::connect(&device_address).unwrap();
            let frame = |socket: &mut TcpStream| {
                let mut frame = vec![0; FRAME];
                socket.read_exact(&mut frame).ok()?;
                let len = u32::from_be_bytes(*frame.last_chunk().unwrap());
                frame.resize(FRAME + len as usize, 0);
                socket.read_exact(&mut frame[FRAME..]).ok().map(|()| frame)
            };
            while let Some(request) = frame(&mut near).filter(|request| !is_last(&request[FRAME..])) {
                device_socket.write_all(&request).unwrap();
                near.write_all(&frame(&mut device_socket).unwrap()).unwrap();
            }
            std::mem::forget(near);
        })
    };
    let challenge = until(|message| message.get(2) == Some(&0x83));
    let session = until(|message| message.first() == Some(&SECURED));
    for (port, reported) in [(challenge, "CHALLENGE"), (session, "a request in session 0x")] {
        let words = format!(
            "spdm attest 127.0.0.1:{port} --ca root.pem --asym ECDSA_P256 --session KEY_EX --timeout 2"
        );
        let done = sandbox.run(&words);
        done.check(3, &words, &[&format!("127.0.0.1:{port}: {reported}"), ": no response in time; "]);
        assert!(
            done.stderr.ends_with("no response in time; wait longer with --timeout\n"),
            "{}",
            done.stderr
        );
    }
}

#[test]
fn single_devices_and_fleets_have_the_same_fields() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    drop(Device::start(&sandbox, "--root other.pem"));
    let host = format!("127.0.0.1:{}", device.port);
    sandbox.put("list", &host);
    sandbox.ok(&format!("spdm attest {host} --ca root.pem --save good.json"));
    let mut manifest: Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    manifest["measurements"][1]["value"] = "00".repeat(64).into();
    sandbox.put("bad.json", manifest.to_string());
    for (words, code, [verdict, trusted, reason], error) in [
        ("--ca root.pem", 0, ["authentic".into(), Value::Null, "not_compared".into()], None),
        ("--ca root.pem --reference good.json", 0, ["trusted".into(), true.into(), Value::Null], None),
        (
            "--ca root.pem --reference bad.json",
            1,
            ["not_trusted".into(), false.into(), "measurement_changed".into()],
            Some("not trusted: measurement 2 (mutable firmware) differs"),
        ),
        ("--ca other.pem", 1, ["not_trusted".into(), false.into(), "bad_chain".into()], Some("another key")),
        (
            "--ca root.pem --ver 1.2 --asym NONE",
            3,
            ["no_verdict".into(), Value::Null, "unsupported".into()],
            Some("no signature algorithm for the responder in common"),
        ),
    ] {
        let alone = sandbox.run(&format!("spdm attest {host} --json {words}"));
        assert_eq!(alone.code, code, "{words}: {}", alone.stderr);
        let mut alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
        let many = sandbox.run(&format!("spdm attest --fleet list --json {words}"));
        let many = String::from_utf8(many.stdout).unwrap();
        let many: Value = serde_json::from_str(many.lines().next().unwrap()).unwrap();
        assert_eq!(alone["schema"], "grille-spdm-attest-3");
        assert_eq!(
            ["verdict", "trusted", "reason"].map(|what| alone[what].clone()),
            [verdict, trusted, reason]
        );
        let message = alone["error"]["message"].as_str();
        assert!(message.unwrap_or_default().contains(error.unwrap_or_default()), "{words}: {alone}");
        assert_eq!(message.is_some(), error.is_some(), "{words}: {alone}");
        alone["time"] = many["time"].clone();
        assert_eq!(alone, many, "{words}");
    }
}

/// DSP0274 "ALGORITHMS": a missing common algorithm is no error as long as no request needs it.
#[test]
fn attests_without_a_session_where_only_algorithms_of_sessions_differ() {
    let sandbox = Sandbox::new();
    let classical = "--pqc-asym NONE --asym ECDSA_P384 --root root.pem --force";
    for (ver, theirs, ours, lacks) in [
        ("1.1", "--dhe SECP_384_R1", "--dhe SECP_256_R1", "--dhe"),
        ("1.2", "--dhe SECP_384_R1", "--dhe SECP_256_R1", "--dhe"),
        ("1.2", "--aead AES_256_GCM", "--aead CHACHA20_POLY1305", "--aead"),
        ("1.3", "--aead AES_256_GCM", "--aead CHACHA20_POLY1305", "--aead"),
        ("1.3", "--key-schedule HMAC_HASH", "--key-schedule NONE", "--key-schedule"),
        ("1.4", "--dhe NONE --kem ML_KEM_1024", "--dhe SECP_256_R1 --kem ML_KEM_512", "--kem"),
    ] {
        let device = Device::start(&sandbox, &format!("{classical} --ver {ver} {theirs}"));
        let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem {ours}", device.port);
        let reported = sandbox.json(&attest);
        assert_eq!(
            (&reported["verdict"], &reported["version"]),
            (&"authentic".into(), &ver.into()),
            "{theirs}"
        );
        sandbox.refuses(3, &format!("{attest} --session KEY_EX"), &["KEY_EXCHANGE cannot be sent", lacks]);
    }
    let device = Device::start(&sandbox, &format!("{classical} --hash SHA_384"));
    let words = format!("spdm attest 127.0.0.1:{} --ca root.pem --hash SHA_256", device.port);
    sandbox.refuses(3, &words, &["the two sides have no hash algorithm in common", "--hash"]);
}

#[test]
fn rejects_invalid_ports_with_reason() {
    let sandbox = Sandbox::new();
    sandbox.put("root.pem", "");
    for (device, expected_text) in [
        ("localhost:99999", "port 99999 is too large: ports end at 65535"),
        ("[::1]:65536", "port 65536 is too large: ports end at 65535"),
        ("localhost:0", "ports begin at 1"),
        ("localhost:", "the port is empty"),
        ("localhost:spdm", "\"spdm\" is not a port"),
        (":0", "no host in \":0\""),
        ("[::1]2323", "no host in"),
        ("[::1", "write [ADDRESS] or [ADDRESS]:PORT"),
        ("::1]", "unbalanced brackets"),
        ("localhost:2600:1", "localhost:2600:1 is not an IPv6 address: write HOST:PORT or [ADDRESS]:PORT"),
    ] {
        sandbox.refuses(2, &format!("spdm attest {device} --ca root.pem"), &[expected_text]);
        sandbox.refuses(2, &format!("spdm requester --ip {device}"), &["--ip", expected_text]);
    }
    let closed_port = sandbox.command("spdm attest --ca root.pem").arg("").output().unwrap();
    let output = String::from_utf8(closed_port.stderr).unwrap();
    assert!(output.contains("no host in \"\""), "{output}");
    for side in ["requester", "responder"] {
        sandbox.refuses(2, &format!("spdm {side} --port 99999"), &["--port", "ports end at 65535"]);
    }
    sandbox.refuses(2, "spdm attest localhost --port 2600 --ca root.pem", &["--port", "; write HOST:PORT"]);
    sandbox.refuses(2, "spdm attest localhost", &["missing: --ca <FILE> or --peer-key <FILE>"]);
    sandbox.refuses(2, "spdm responder --bind localhost:2400", &["--bind", "give it with --port"]);
}

#[test]
fn measures_in_sessions() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let words = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    let outside = sandbox.json(&words);
    for session in ["KEY_EX", "PSK --test-psk"] {
        let inside = sandbox.json(&format!("{words} --session {session}"));
        assert_eq!(inside["measurements"], outside["measurements"]);
    }
    sandbox.put("other.psk", [0]);
    sandbox.refuses(1, &format!("{words} --session PSK --psk other.psk"), &["MAC"]);
    sandbox.refuses(3, &format!("{words} --session PSK --test-psk --psk-hint 00"), &["PSK_EXCHANGE"]);
}

#[test]
fn supports_mutual_authentication() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    let signs = "--req-asym ECDSA_P384 --req-pqc-asym NONE --hash SHA_384";
    let wants = "--mut-auth W_ENCAP --basic-mut-auth BASIC --ca hosts.pem";
    let device = Device::start(&sandbox, &format!("--root root.pem {wants} {signs}"));
    let words = format!("spdm attest 127.0.0.1:{} --ca root.pem {signs} --session KEY_EX", device.port);
    let proved = sandbox.json(&format!("{words} --cert chain.pem --key host.key"));
    assert_eq!(proved["verdict"], "authentic");
}

#[test]
fn authenticates_provisioned_requester_with_challenge() {
    let sandbox = Sandbox::new();
    for name in ["device", "host", "other"] {
        sandbox.ok(&format!("keygen --quiet --alg ECDSA-P384 --out {name}.key --pub {name}.pub"));
    }
    let known = "--slot-id 0xFF --key device.key --req-slot-id 0xFF --peer-key host.pub";
    let signs = "--req-asym ECDSA_P384 --req-pqc-asym NONE";
    let wants = "--pqc-asym NONE --basic-mut-auth BASIC";
    let device = Device::start(&sandbox, &format!("{known} {wants} {signs}"));
    let attest = format!("spdm attest 127.0.0.1:{} --peer-key device.pub", device.port);
    let proves = format!("{attest} --req-slot-id 0xFF {signs} --key");
    assert_eq!(sandbox.json(&format!("{proves} host.key"))["verdict"], "authentic");
    let refused = sandbox.run(&format!("{proves} other.key"));
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    sandbox.run(&attest).check(3, &attest, &["CHALLENGE", "or with --key and --req-slot-id 0xFF"]);
}

#[test]
fn attests_device_by_provisioned_key() {
    let sandbox = Sandbox::new();
    for (name, algorithm) in [("device", "ML-DSA-65"), ("other", "ML-DSA-65"), ("host", "ECDSA-P384")] {
        sandbox.ok(&format!("keygen --quiet --alg {algorithm} --out {name}.key --pub {name}.pub"));
    }
    let known = "--slot-id 0xFF --key device.key --req-slot-id 0xFF --peer-key host.pub";
    let device = Device::start(&sandbox, &format!("{known} --pqc-asym ML_DSA_65 --req-asym ECDSA_P384"));
    let host = format!("127.0.0.1:{}", device.port);
    let attest = format!("spdm attest {host} --peer-key device.pub");
    let output = sandbox.ok(&format!("{attest} --save good.json"));
    assert!(output.contains("✓ provisioned public key\n"), "{output}");
    assert!(
        output.contains("AUTHENTIC: the device has the expected key; measurements not compared"),
        "{output}"
    );
    let proves = "--key host.key --req-slot-id 0xFF --req-asym ECDSA_P384 --req-pqc-asym NONE";
    let reported = sandbox.json(&format!("{attest} --reference good.json --session KEY_EX {proves}"));
    let parts =
        ["trusted", "slot", "signature", "quantum_safe", "chain", "claims"].map(|part| &reported[part]);
    assert_eq!(parts, [&true.into(), &255.into(), &"ML-DSA-65".into(), &true.into(), &json!([]), &json!([])]);
    // The device has another key, or the verifier does not authenticate itself.
    let words = format!("spdm attest {host} --peer-key other.pub");
    sandbox.run(&words).check(1, &words, &[&host, "not that of the provisioned public key"]);
    let reported: Value = serde_json::from_slice(&sandbox.run(&format!("{words} --json")).stdout).unwrap();
    assert_eq!(reported["trusted"], false);
    let words = format!("{attest} --session KEY_EX");
    sandbox.run(&words).check(3, &words, &["KEY_EXCHANGE", "or with --key and --req-slot-id 0xFF"]);
    // A verdict with another provisioned key belongs to another policy.
    sandbox.put("list", &host);
    let fleet = |key: &str| {
        sandbox.run(&format!("spdm attest --fleet list --results found --resume --peer-key {key}.pub"))
    };
    for (key, code, expected_text) in [
        ("device", 0, "1 device: 0 trusted, 1 authentic; "),
        ("device", 0, ": 0 trusted, 1 known: 0 trusted, 1 authentic; "),
        ("other", 1, "1 not trusted; "),
        ("device", 0, "1 attested again: the earlier verdict was too old, or under another policy"),
    ] {
        let done = fleet(key);
        let output = String::from_utf8(done.stdout).unwrap();
        assert!(done.code == code && output.contains(expected_text), "{output}");
    }
    // Options for the other kind of credential.
    let chained = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let words = format!("spdm attest {host} --ca root.pem");
    sandbox.run(&words).check(3, &words, &["no certificates", "--peer-key instead of --ca"]);
    let words = format!("spdm attest 127.0.0.1:{} --peer-key device.pub", chained.port);
    sandbox.run(&words).check(3, &words, &["does not support a provisioned public key", "--ca instead of"]);
}
