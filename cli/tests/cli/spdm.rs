//! Tests of `grille spdm attest`, from the user's perspective.

use crate::sandbox::device::Device;
use crate::sandbox::{Sandbox, failure};

#[test]
fn attests_over_every_transport_and_version() {
    let sandbox = Sandbox::new();
    for (trans, ver, signature) in
        [("MCTP", "1.4", "ML-DSA-87"), ("PCI_DOE", "1.2", "ECDSA-P384"), ("TCP", "1.0", "ECDSA-P384")]
    {
        let device = Device::start(&sandbox, &format!("--trans {trans} --root root.pem --force"));
        let attest =
            format!("spdm attest 127.0.0.1:{} --trans {trans} --ver {ver} --ca root.pem", device.port);
        let document = sandbox.json(&attest);
        assert_eq!((&document["version"], &document["signature"]), (&ver.into(), &signature.into()));
        assert_eq!(document["chain"][1], "CN=emulated device");
        assert_eq!(document["verdict"], "authentic");
    }
}

#[test]
fn compares_measurements_with_manifest() {
    let sandbox = Sandbox::new();
    let (_device, attest) = Device::start_measured(&sandbox);
    assert!(sandbox.ok(&format!("{attest} --reference good.json")).contains("its measurements match"));
    let mut manifest: serde_json::Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    manifest["measurements"][1]["value"] = "00".repeat(64).into();
    sandbox.put("other.json", manifest.to_string());
    let done = sandbox.run(&format!("{attest} --reference other.json"));
    let differs = "measurement 2 (mutable firmware) differs";
    let advice = "find out who may have changed its firmware before you trust the device";
    let what = format!("not trusted: {differs}; {advice}");
    done.check(1, "attest", &[&what]);
    let changed = "; if the change is yours, write a new manifest with --save and without --reference; with --reference, a device that differs is not saved\n";
    assert!(done.stderr.ends_with(changed), "{}", done.stderr);
    let output = String::from_utf8(done.stdout).unwrap();
    assert!(output.contains(&format!("NOT TRUSTED: {differs}")), "{output}");
    assert!(output.contains("✗   2  "), "{output}");
    let good: serde_json::Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    assert_eq!(good["hash"], "SHA3-512");
    let [expected, found] = ["expected", "found"].map(|what| {
        let line = output.lines().find(|line| line.trim_start().starts_with(what)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    });
    assert_eq!(
        (expected.as_str(), found.as_str()),
        ("00".repeat(64).as_str(), good["measurements"][1]["value"].as_str().unwrap())
    );
    sandbox.refuses(
        3,
        &format!("{attest} --save good.json"),
        &["good.json", "the file already exists; replace it with --force"],
    );
}

#[test]
fn saves_manifest_unless_distrusted() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    for words in ["--save good.json", "--save good.json --force --json"] {
        let done = sandbox.run(&format!("{attest} {words}"));
        done.check(0, words, &["saved good.json"]);
    }
    let mut manifest: serde_json::Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    manifest["measurements"][1]["value"] = "00".repeat(64).into();
    sandbox.put("other.json", manifest.to_string());
    let open = "--reference good.json --hash SHA_256";
    for (words, code, verdict) in [("--reference other.json", 1, "NOT TRUSTED"), (open, 3, "NOT COMPARED")] {
        let done = sandbox.run(&format!("{attest} {words} --save new.json"));
        let advice = if code == 1 {
            "with --save and without --reference"
        } else {
            "give --save and omit --reference"
        };
        done.check(code, words, &[advice]);
        assert!(String::from_utf8(done.stdout).unwrap().contains(verdict), "{words}");
        assert!(!done.stderr.contains("saved new") && !sandbox.path("new.json").exists(), "{words}");
    }
    sandbox.run(&format!("{attest} --reference good.json --save new.json")).check(0, "", &["saved new.json"]);
    assert_eq!(sandbox.get("new.json"), sandbox.get("good.json"));
}

#[test]
fn measurements_have_one_format_everywhere() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    let answer = sandbox.json(&format!("{attest} --save good.json"));
    let mut manifest: serde_json::Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    assert_eq!(answer["measurements"], manifest["measurements"]);
    let version = answer["measurements"][4].clone();
    let expected = serde_json::json!({
        "index": 16, "description": "firmware security version", "kind": 7, "raw": true, "value": "0700000000000000"
    });
    assert_eq!(version, expected);
    // Hand-written manifests and older releases use this form.
    let entry = &mut manifest["measurements"][4];
    entry["value"] = "08 00 00 00 00 00 00 00".into();
    let mut other = version.clone();
    other["value"] = "0800000000000000".into();
    let words = format!("{attest} --reference other.json");
    for description in [None, Some("ours"), Some("firmware security version")] {
        let entry = manifest["measurements"][4].as_object_mut().unwrap();
        entry.remove("description");
        entry.extend(description.map(|text| ("description".to_owned(), text.into())));
        sandbox.put("other.json", manifest.to_string());
        let done = sandbox.run(&format!("{words} --json"));
        let compared: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        let values = &compared["comparison"]["values"];
        assert_eq!(values, &serde_json::json!([{ "expected": other, "found": version }]), "{description:?}");
    }
    let output = String::from_utf8(sandbox.run(&words).stdout).unwrap();
    let lines: Vec<_> =
        output.lines().filter(|line| line.contains("00000000000000 (")).map(str::trim).collect();
    let ends = ["0700000000000000 (7)", "0800000000000000 (8)", "0700000000000000 (7)"];
    assert!(lines.len() == 3 && lines.iter().zip(ends).all(|(line, end)| line.ends_with(end)), "{output}");
}

#[test]
fn digests_of_another_hash_give_no_verdict() {
    let sandbox = Sandbox::new();
    let (_device, attest) = Device::start_measured(&sandbox);
    let why = "cannot compare digests: the manifest has SHA3-512, the device SHA-256";
    let words = format!("{attest} --reference good.json --hash SHA_256");
    let done = sandbox.run(&words);
    done.check(3, &words, &["127.0.0.1:", why, "--hash SHA3_512"]);
    let output = String::from_utf8(done.stdout).unwrap();
    assert!(output.contains(&format!("NOT COMPARED: {why}")) && !output.contains('✗'), "{output}");
    let output: serde_json::Value =
        serde_json::from_slice(&sandbox.run(&format!("{words} --json")).stdout).unwrap();
    let comparison = &output["comparison"];
    assert_eq!((output.get("trusted"), &output["error"]["kind"]), (None, &"incomparable".into()), "{output}");
    assert_eq!(comparison["different"], serde_json::json!([]));
    assert_eq!(comparison["incomparable"], serde_json::json!([1, 2, 3, 4]));
    sandbox.ok(&format!("{attest} --reference good.json --hash SHA3_512"));
    // The measurement hash is not negotiated.
    let other = Device::start(&sandbox, "--meas-hash SHA_384 --root other.pem");
    let words = format!("spdm attest 127.0.0.1:{} --ca other.pem --reference good.json", other.port);
    let done = sandbox.run(&words);
    done.check(3, &words, &["the device SHA-384", "the device chooses this hash independently of --hash"]);
}

#[test]
fn rejects_impossible_manifest() {
    let sandbox = Sandbox::new();
    let (_device, attest) = Device::start_measured(&sandbox);
    let good: serde_json::Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    for (at, value, parts) in [
        ("/hash", "MD5", "unknown hash MD5; known hashes: SHA-256, "),
        ("/hash", "SHA-256", "the digest of measurement 1 has 64 bytes, which does not fit SHA-256"),
        (
            "/measurements/2/value",
            "00",
            "the digest of measurement 3 has 1 bytes, which does not fit SHA3-512",
        ),
    ] {
        let mut manifest = good.clone();
        *manifest.pointer_mut(at).unwrap() = value.into();
        sandbox.put("bad.json", manifest.to_string());
        sandbox.refuses(3, &format!("{attest} --reference bad.json"), &["bad.json: ", parts]);
    }
    sandbox.put("bad.json", format!("\n{}", good["measurements"]));
    sandbox.refuses(
        3,
        &format!("{attest} --reference bad.json"),
        &["bad.json: not a measurement manifest", "found a list, expected an object", "--save"],
    );
    sandbox.put("bad.json", "\n");
    sandbox.refuses(
        3,
        &format!("{attest} --reference bad.json"),
        &["bad.json: not a measurement manifest", ": the file is empty; "],
    );
    // The hash of the digests is missing.
    let mut manifest = good.clone();
    manifest["hash"] = serde_json::Value::Null;
    sandbox.put("null.json", manifest.to_string());
    manifest.as_object_mut().unwrap().remove("hash");
    sandbox.put("none.json", manifest.to_string());
    for file in ["null.json", "none.json"] {
        let parts = ["measurement 1 is a digest, but \"hash\" is missing", "SHA3-512"];
        sandbox.refuses(3, &format!("{attest} --reference {file}"), &[file, parts[0], parts[1]]);
    }
}

#[test]
fn reports_session_of_attestation() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    for (session, names) in [("KEY_EX", "KEY_EX, ML-KEM-1024, AES-256-GCM"), ("psk", "PSK, AES-256-GCM")] {
        let psk = if session == "psk" { "--test-psk" } else { "" };
        let words = format!("{attest} --session {session} {psk} --kem ML_KEM_1024 --aead aes_256_gcm");
        let output = sandbox.ok(&words);
        assert!(output.contains(&format!("✓ session: {names}\n")), "{output}");
        let reported = sandbox.json(&words)["session"].clone();
        assert_eq!(
            (&reported["opened"], &reported["aead"]),
            (&names.split(',').next().into(), &"AES-256-GCM".into())
        );
        assert_eq!(reported.get("key_exchange").is_some(), session == "KEY_EX", "{reported}");
    }
    assert!(!sandbox.ok(&attest).contains("session"));
    assert!(sandbox.json(&attest)["session"].is_null());
}

/// Endless input is read only up to the maximum length of its kind.
#[cfg(target_os = "linux")]
#[test]
fn rejects_too_long_inputs() {
    let sandbox = Sandbox::new();
    drop(Device::start(&sandbox, "--root root.pem"));
    sandbox.put("said.pcap", include_bytes!("../../../vectors/spdm/1.2-classical.pcap"));
    for (words, what) in [
        ("attest localhost --ca root.pem --reference", "a manifest: the limit is 64 MiB"),
        ("attest localhost --ca", "a file of certificates: the limit is 16 MiB"),
        ("requester --psk", "a pre-shared key: the limit is 64 KiB"),
        ("requester --peer-key", "a key: the limit is 1 MiB"),
        ("requester --load-state", "a negotiation state: the limit is 16 MiB"),
        ("dump said.pcap --keys", "a key log that is not a regular file: the limit is 256 MiB"),
        ("dump said.pcap --load-state", "a negotiation state: the limit is 16 MiB"),
        ("dump", "a capture that is not a regular file: the limit is 256 MiB"),
    ] {
        sandbox.refuses(
            failure(words),
            &format!("spdm {words} /dev/zero"),
            &["/dev/zero: the file is too long for", what],
        );
    }
}

#[test]
fn rejects_chain_of_another_root() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let other = Device::start(&sandbox, "--root other.pem");
    sandbox.refuses(1, &format!("spdm attest 127.0.0.1:{} --ca other.pem", device.port), &["127.0.0.1:"]);
    sandbox.ok(&format!("spdm attest 127.0.0.1:{} --ca other.pem", other.port));
}

#[test]
fn mistakes_list_the_valid_names() {
    let sandbox = Sandbox::new();
    sandbox.refuses(2, "spdm responder --kem ML_KEM_1025", &["--kem", "ML_KEM_1025", "ML_KEM_1024"]);
    sandbox.refuses(2, "spdm responder --ver 1.5", &["--ver", "1.5", "1.4"]);
    sandbox.refuses(
        2,
        "spdm responder --cap FOO",
        &["--cap", "unknown capability FOO", "HANDSHAKE_IN_CLEAR"],
    );
    sandbox.refuses(
        2,
        "spdm attest localhost --ca root.pem --trans NONE --session KEY_EX",
        &["--session", "does not support sessions"],
    );
    sandbox.refuses(
        2,
        "spdm attest localhost --ca root.pem --slot-id 0xFF",
        &["--slot-id: slot 0xFF has a provisioned public key and no chain"],
    );
    sandbox.refuses(2, "spdm attest localhost --ca root.pem --slot-id 8", &["a slot from 0 to 7"]);
    for (words, parts) in [
        ("attest localhost --ca root.pem --psk key", ["--psk: no session", "--session PSK"]),
        ("attest localhost --ca root.pem --psk key --session KEY_EX", ["--psk: no session", "--session PSK"]),
        ("attest localhost --ca root.pem --psk-hint 00", ["--psk-hint: no session", "--session PSK"]),
        ("requester --psk key --exe-session KEY_EX", ["--psk: no session", "add PSK to --exe-session"]),
        (
            "attest localhost --ca root.pem --session PSK",
            ["--psk: the pre-shared key is missing", "--test-psk"],
        ),
        ("requester --exe-session PSK", ["--psk: the pre-shared key is missing", "--test-psk"]),
        ("attest localhost --ca root.pem --test-psk", ["--test-psk: no session", "--session PSK"]),
        ("requester --psk key --test-psk", ["--psk", "cannot be used with"]),
        (
            "requester --psk-hint 00 --exe-session NONE",
            ["--psk-hint: no session", "add PSK to --exe-session"],
        ),
        (
            "attest localhost --peer-key k --slot-id 1",
            ["--slot-id: --peer-key works only with slot 0xFF", "name the roots with --ca"],
        ),
        ("attest localhost --peer-key k --ca root.pem", ["--peer-key", "cannot be used with"]),
        ("attest localhost --ca root.pem --req-slot-id 0xFF", ["--req-slot-id: the private key", "--key"]),
        ("attest localhost", ["missing", "--ca <FILE>"]),
        ("attest localhost --ca root.pem --jobs 4", ["--jobs", "cannot be used with"]),
        ("attest localhost --ca root.pem --results found.jsonl", ["--results", "cannot be used with"]),
        ("attest localhost --ca root.pem --pqc-first TRUE", ["--pqc-first", "--asym NONE"]),
        ("attest host --ca root.pem --meas-hash SHA_384", ["--meas-hash: the responder", "measurement hash"]),
        ("attest localhost --ca root.pem --timeout -1", ["--timeout", "-1 is not in 1..=86400"]),
        ("attest localhost --ca root.pem --deadline -1", ["--deadline", "-1 is not in 1..=86400"]),
        ("requester --timeout -1", ["--timeout", "-1 is not in 1..=86400"]),
        ("responder --jobs -1", ["--jobs", "-1 is not in 1..=4096"]),
    ] {
        sandbox.refuses(2, &format!("spdm {words}"), &parts);
    }
}

#[test]
fn rejects_session_without_capabilities() {
    let sandbox = Sandbox::new();
    for (session, caps, parts) in [
        (
            "PSK --test-psk",
            "CERT,CHAL",
            "a session with PSK needs ENCRYPT_CAP or MAC_CAP (--cap with ENCRYPT or MAC)",
        ),
        (
            "KEY_EX",
            "CERT,CHAL,MAC",
            "a session with KEY_EX needs KEY_EX_CAP (--cap with KEY_EX) on this side",
        ),
    ] {
        let words = format!("spdm attest localhost --ca root.pem --session {session} --cap {caps}");
        sandbox.refuses(2, &words, &["--session: ", parts]);
    }
}

#[test]
fn rejects_root_file_without_certificates() {
    let sandbox = Sandbox::new();
    sandbox.put("root.pem", "");
    sandbox.refuses(3, "spdm attest localhost --ca root.pem", &["root.pem"]);
}
