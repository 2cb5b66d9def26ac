//! Tests of the verdicts of `grille spdm attest`: reasons, exit codes, and marks for test credentials.

use crate::sandbox::Sandbox;
use crate::sandbox::device::Device;
use crate::sandbox::json_schema::deviations;
use crate::sandbox::peer::CLOSED;
use grille_pki::{Certificate, Crl};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Attests one device, and returns the exit code and the document.
pub(crate) fn attest(sandbox: &Sandbox, words: &str) -> (i32, Value) {
    let done = sandbox.run(&format!("spdm attest {words} --json"));
    let output = serde_json::from_slice(&done.stdout);
    let output = output.unwrap_or_else(|_| panic!("{words}: {}", done.stderr));
    check(&output);
    (done.code, output)
}

/// Returns the reasons of all findings.
fn reasons(output: &Value) -> Vec<&str> {
    output["findings"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect()
}

/// Checks a document against `docs/spdm-attest.schema.json`.
pub(crate) fn check(document: &Value) {
    let schema = include_str!("../../../docs/spdm-attest.schema.json");
    let mistakes = deviations(&serde_json::from_str(schema).unwrap(), document);
    assert!(mistakes.is_empty(), "{document}: {mistakes:#?}");
}

/// Checks a manifest against `docs/spdm-manifest.schema.json`.
fn check_manifest(manifest: &Value) {
    let schema = include_str!("../../../docs/spdm-manifest.schema.json");
    let mistakes = deviations(&serde_json::from_str(schema).unwrap(), manifest);
    assert!(mistakes.is_empty(), "{manifest}: {mistakes:#?}");
}

/// Parses lines of JSON, and checks each against the schema.
pub(crate) fn lines(output: &[u8]) -> Vec<Value> {
    let lines: Vec<Value> = std::str::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    lines.iter().for_each(check);
    lines
}

#[test]
fn device_without_reference_is_authentic_not_trusted() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let words = format!("127.0.0.1:{} --ca root.pem", device.port);
    let output = sandbox.ok(&format!("spdm attest {words}"));
    assert!(
        output.contains(
            "AUTHENTIC: the device is the one named in its chain; measurements not compared (emulated device)\n"
        ),
        "{output}"
    );
    assert!(!output.contains("TRUSTED"), "{output}");
    let (code, output) = attest(&sandbox, &words);
    assert_eq!((code, &output["verdict"], output.get("trusted")), (0, &"authentic".into(), None));
    assert_eq!(
        (&output["reason"], reasons(&output)),
        (&"not_compared".into(), vec!["emulated_root", "not_compared"])
    );
    sandbox.ok(&format!("spdm attest {words} --save good.json"));
    let output = sandbox.ok(&format!("spdm attest {words} --reference good.json"));
    let trusted =
        "TRUSTED: the device is the one named in its chain, and its measurements match (emulated device)\n";
    assert!(output.contains(trusted), "{output}");
}

#[test]
fn test_key_needs_explicit_option_and_marks_every_verdict() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let words = format!("127.0.0.1:{} --ca root.pem --session PSK", device.port);
    sandbox.ok(&format!("spdm attest 127.0.0.1:{} --ca root.pem --save good.json", device.port));
    sandbox.refuses(
        2,
        &format!("spdm attest {words}"),
        &["--psk: the pre-shared key is missing", "--test-psk"],
    );
    // A fleet needs the option, too.
    sandbox.put("list", format!("127.0.0.1:{}", device.port));
    sandbox.refuses(2, "spdm attest --fleet list --ca root.pem --session PSK", &["--psk: ", "--test-psk"]);
    sandbox.put("test.psk", b"TestPskData\0");
    for key in ["--test-psk", "--psk test.psk"] {
        for (more, verdict) in [("", "AUTHENTIC"), ("--reference good.json", "TRUSTED")] {
            let output = sandbox.ok(&format!("spdm attest {words} {key} {more}"));
            let line = output.lines().find(|line| line.starts_with(verdict)).unwrap();
            assert!(line.contains(" (public test key)"), "{output}");
            let (code, output) = attest(&sandbox, &format!("{words} {key} {more}"));
            assert!(code == 0 && reasons(&output).contains(&"test_psk"), "{output}");
        }
    }
    let output = sandbox.run("spdm attest --fleet list --ca root.pem --session PSK --test-psk");
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains("! 1 with test credentials: "), "{output}");
    // The requester's tree also mentions the test key.
    let words =
        format!("spdm requester --port {} --exe-mode CONTINUE --exe-conn VCA --exe-session PSK", device.port);
    sandbox.refuses(2, &words, &["--psk: the pre-shared key is missing", "--test-psk"]);
    let output = sandbox.ok(&format!("{words} --test-psk"));
    assert!(output.contains("- test key ") && output.contains("it is published"), "{output}");
}

#[test]
fn mutual_authentication_is_not_bypassed_by_test_key() {
    let sandbox = Sandbox::new();
    let requester_args = |device: &Device| {
        let words = "--exe-mode CONTINUE --exe-conn CERT --exe-session PSK --test-psk";
        sandbox.run(&format!("spdm requester --port {} {words}", device.port))
    };
    let open = Device::start(&sandbox, "--pqc-asym NONE --mut-auth W_ENCAP --test-psk");
    assert!(String::from_utf8(requester_args(&open).stdout).unwrap().contains("PSK_EXCHANGE"));
    let strict = Device::start(&sandbox, "--pqc-asym NONE --mut-auth W_ENCAP");
    let output = String::from_utf8(requester_args(&strict).stdout).unwrap();
    assert!(
        !output.contains("PSK_EXCHANGE") && output.contains("not negotiated: the responder lacks"),
        "{output}"
    );
    let named =
        "spdm responder --port 0 --mut-auth W_ENCAP --cap CERT,CHAL,KEY_EX,ENCRYPT,MAC,ENCAP,MUT_AUTH,PSK";
    sandbox.refuses(2, named, &["--psk: ", "--test-psk"]);
}

#[test]
fn rejects_published_root_unless_allowed() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out root.key");
    let mut root = sandbox.command("cert root --key root.key --out root.pem --subject");
    assert!(root.arg("CN=DMTF libspdm ECP384 CA").status().unwrap().success());
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key");
    sandbox.ok("cert request --key device.key --subject CN=device --san device.example --out device.csr");
    sandbox.ok("cert issue --csr device.csr --ca root.pem --ca-key root.key --out device.pem");
    sandbox.put("chain.pem", [sandbox.get("root.pem"), sandbox.get("device.pem")].concat());
    let device = Device::start(&sandbox, "--pqc-asym NONE --cert chain.pem --key device.key");
    let words = format!("127.0.0.1:{} --ca root.pem", device.port);
    let (code, output) = attest(&sandbox, &words);
    assert_eq!(
        (code, &output["trusted"], &output["reason"]),
        (1, &false.into(), &"test_root".into()),
        "{output}"
    );
    let parts = ["the private key of the root CN=DMTF libspdm ECP384 CA is public", "--test-root"];
    sandbox.run(&format!("spdm attest {words}")).check(1, &words, &parts);
    let (code, output) = attest(&sandbox, &format!("{words} --test-root"));
    assert_eq!((code, &output["verdict"]), (0, &"authentic".into()), "{output}");
    assert!(reasons(&output).contains(&"test_root"), "{output}");
    let output = sandbox.ok(&format!("spdm attest {words} --test-root"));
    assert!(output.contains("measurements not compared (public test root)\n"), "{output}");
}

#[test]
fn rejects_debug_and_recovery_modes_with_reference() {
    let sandbox = Sandbox::new();
    let device = |words: &str, root: &str| {
        Device::start(&sandbox, &format!("--asym ECDSA_P256 --pqc-asym NONE --root {root}.pem {words}"))
    };
    let normal = device("--device-mode normal", "normal");
    let debugged = device("--device-mode recovery,debug", "debugged");
    let words = |device: &Device, root: &str| format!("127.0.0.1:{} --ca {root}.pem", device.port);
    let (normal, debugged) = (words(&normal, "normal"), words(&debugged, "debugged"));
    let output = sandbox.ok(&format!("spdm attest {normal} --save normal.json"));
    assert!(output.contains("(operational mode: normal; no debugging)"), "{output}");
    let (code, output) = attest(&sandbox, &format!("{normal} --reference normal.json"));
    assert_eq!((code, &output["verdict"]), (0, &"trusted".into()), "{output}");
    assert_eq!(output["device_mode"], json!({ "operational": ["normal"], "debugging": [], "concerns": [] }));
    // Without a reference the mode is only reported.
    let output = sandbox.ok(&format!("spdm attest {debugged} --save debugged.json"));
    assert!(output.contains("! device mode (measurement 254): operational mode: recovery; "), "{output}");
    let (code, output) = attest(&sandbox, &debugged);
    assert!(code == 0 && reasons(&output).contains(&"device_mode"), "{output}");
    assert_eq!(output["device_mode"]["concerns"], json!(["recovery", "debug"]));
    // The mode decides even if the measurements match.
    let words = format!("{debugged} --reference debugged.json");
    let (code, output) = attest(&sandbox, &words);
    assert_eq!(
        (code, &output["reason"], &output["trusted"]),
        (1, &"device_mode".into(), &false.into()),
        "{output}"
    );
    let parts = ["not trusted: device mode", "--allow-mode recovery,debug"];
    sandbox.run(&format!("spdm attest {words}")).check(1, &words, &parts);
    assert_eq!(attest(&sandbox, &format!("{words} --allow-mode debug")).0, 1);
    let (code, output) = attest(&sandbox, &format!("{words} --allow-mode recovery,debug"));
    assert_eq!((code, &output["verdict"]), (0, &"trusted".into()), "{output}");
    sandbox.refuses(
        2,
        &format!("spdm attest {words} --allow-mode sleep"),
        &["--allow-mode", "sleep", "recovery"],
    );
}

#[test]
fn unreachable_device_has_its_own_exit_code_and_reason() {
    let sandbox = Sandbox::new();
    drop(Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem"));
    let (code, output) = attest(&sandbox, &format!("127.0.0.1:{CLOSED} --ca root.pem"));
    assert_eq!(
        (code, &output["verdict"], &output["reason"]),
        (3, &"no_verdict".into(), &"unreachable".into())
    );
    assert_eq!((output.get("trusted"), &output["error"]["code"]), (None, &"unreachable".into()), "{output}");
    let (_, output) = attest(&sandbox, "nohost.invalid --ca root.pem");
    assert_eq!(output["reason"], "unreachable");
}

#[test]
fn distrusts_both_endpoints_of_a_shared_key() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    let one = "--pqc-asym NONE --slot-id 0xFF --key device.key";
    let [first, second] = [(); 2].map(|()| Device::start(&sandbox, one));
    let host = |device: &Device| format!("127.0.0.1:{}", device.port);
    sandbox.put("list", format!("{}\n{}\n", host(&first), host(&second)));
    let words = "spdm attest --fleet list --peer-key device.pub --json";
    let done = sandbox.run(words);
    done.check(1, words, &["2 devices are not trusted"]);
    let mut output = lines(&done.stdout);
    let summary = output.pop().unwrap();
    assert_eq!((&summary["authentic"], &summary["not_trusted"]), (&0.into(), &2.into()), "{summary}");
    // The last line of each device counts.
    for endpoint in [host(&first), host(&second)] {
        let last = output.iter().rfind(|line| line["endpoint"] == endpoint.as_str()).unwrap();
        assert_eq!(
            (&last["verdict"], &last["reason"]),
            (&"not_trusted".into(), &"shared_key".into()),
            "{last}"
        );
    }
    let done = sandbox.run(&format!("{words} --allow-shared-key"));
    assert_eq!(done.code, 0, "{}", done.stderr);
    let output = lines(&done.stdout);
    assert!(
        output.iter().any(|line| line.get("findings").is_some() && reasons(line).contains(&"shared_key"))
    );
    assert_eq!(output.last().unwrap()["authentic"], 2);
    // The shared key is also found if one of the hosts was attested in an earlier run.
    sandbox.put("one", host(&first));
    let results = "--peer-key device.pub --results found.jsonl";
    sandbox.ok(&format!("spdm attest --fleet one {results}"));
    let words = format!("spdm attest --fleet list {results} --resume --json");
    let done = sandbox.run(&words);
    done.check(1, &words, &["2 devices are not trusted"]);
    let summary = lines(&done.stdout).pop().unwrap();
    assert_eq!(
        (&summary["known_not_trusted"], &summary["known_authentic"]),
        (&1.into(), &0.into()),
        "{summary}"
    );
}

#[test]
fn requires_identity_of_list_line() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let host = format!("127.0.0.1:{}", device.port);
    let identity =
        sandbox.json(&format!("spdm attest {host} --ca root.pem --save good.json"))["identity"].clone();
    let [key, leaf, serial] = ["key", "leaf", "serial"].map(|what| identity[what].as_str().unwrap());
    for words in [format!("key={key}"), format!("leaf={leaf} serial={serial}")] {
        sandbox.put("list", format!("{host} {words} # the first\n"));
        sandbox.ok("spdm attest --fleet list --ca root.pem");
        let options = words.replace("key=", "--identity key=").replace("leaf=", "--identity leaf=");
        sandbox.ok(&format!(
            "spdm attest {host} --ca root.pem {}",
            options.replace("serial=", "--identity serial=")
        ));
    }
    for words in [format!("key={leaf}"), format!("leaf={key}"), format!("key={key} serial=01{serial}")] {
        sandbox.put("list", format!("{host} {words}\n"));
        let done = sandbox.run("spdm attest --fleet list --ca root.pem --reference good.json --json");
        done.check(1, &words, &["1 device is not trusted"]);
        let output = lines(&done.stdout).remove(0);
        assert_eq!(
            (&output["trusted"], &output["reason"]),
            (&false.into(), &"identity_mismatch".into()),
            "{output}"
        );
    }
    let words = format!("spdm attest {host} --ca root.pem --identity serial=01{serial}");
    let parts = ["not trusted: unexpected device: expected its serial number to be "];
    sandbox.run(&words).check(1, &words, &parts);
    // A verdict on one identity does not apply to another.
    let run = |line: &str| {
        sandbox.put("list", format!("{host} {line}\n"));
        let done =
            sandbox.run("spdm attest --fleet list --ca root.pem --results found.jsonl --resume --json");
        lines(&done.stdout).pop().unwrap()
    };
    assert_eq!(run("")["authentic"], 1);
    assert_eq!(run("")["known_authentic"], 1);
    assert_eq!(run(&format!("key={leaf}"))["not_trusted"], 1);
    // The device's own manifest, relative to the folder of the list.
    let mut manifest: Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    manifest["measurements"][4]["value"] = "0800000000000000".into();
    sandbox.put("own.json", manifest.to_string());
    assert_eq!(run("reference=good.json")["trusted"], 1);
    assert_eq!(run("reference=own.json")["not_trusted"], 1);
    sandbox.put("list", format!("{host} reference=none.json\n"));
    sandbox.refuses(3, "spdm attest --fleet list --ca root.pem", &["none.json", "cannot read"]);
}

#[test]
fn every_document_conforms_to_its_schema() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem --device-mode debug");
    let host = format!("127.0.0.1:{}", device.port);
    sandbox.ok(&format!("spdm attest {host} --ca root.pem --save good.json"));
    let mut manifest: Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    check_manifest(&manifest);
    let digest = manifest["measurements"][0]["value"].as_str().unwrap().to_owned();
    manifest["measurements"][0]["value"] = "00".repeat(digest.len() / 2).into();
    manifest["measurements"].as_array_mut().unwrap().remove(2);
    sandbox.put("bad.json", manifest.to_string());
    sandbox.put("list", format!("{host}\n127.0.0.1:{CLOSED}\n"));
    let mut seen = BTreeSet::new();
    for words in [
        "--ca root.pem",
        "--ca root.pem --reference bad.json",
        "--ca root.pem --reference bad.json --hash SHA_256",
        "--ca root.pem --session KEY_EX",
        "--ca root.pem --session PSK --test-psk",
        "--ca root.pem --ver 1.2 --asym NONE",
        "--ca none.pem",
        "--ca root.pem --slot-id 9",
    ] {
        let (_, output) = attest(&sandbox, &format!("{host} {words}"));
        seen.extend(output["reason"].as_str().map(str::to_owned));
    }
    for resumed in ["", "--resume"] {
        let words =
            format!("--fleet list --ca root.pem --reference bad.json --results found.jsonl {resumed}");
        let done = sandbox.run(&format!("spdm attest {words} --json"));
        assert_eq!(lines(&done.stdout).len(), 3, "{}", done.stderr);
    }
    lines(&sandbox.get("found.jsonl"));
    // The schema rejects an unknown reason.
    let wrong = json!({ "endpoint": "a", "verdict": "no_verdict", "reason": "moon", "findings": [], "policy": "",
        "time": "", "schema": "grille-spdm-attest-3" });
    let schema = serde_json::from_str(include_str!("../../../docs/spdm-attest.schema.json")).unwrap();
    assert!(deviations(&schema, &wrong)[0].contains("moon"));
    assert!(seen.contains("not_compared") && seen.contains("measurement_changed"), "{seen:?}");
}

#[test]
fn manifests_support_minimums_alternatives_exceptions_and_metadata() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let words = format!("127.0.0.1:{} --ca root.pem", device.port);
    let key = sandbox.json(&format!("spdm attest {words} --save good.json"))["identity"]["key"].clone();
    let good: Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    let run = |change: &dyn Fn(&mut Value)| {
        let mut manifest = good.clone();
        change(&mut manifest);
        check_manifest(&manifest);
        sandbox.put("reference.json", manifest.to_string());
        let (code, output) = attest(&sandbox, &format!("{words} --reference reference.json"));
        (code, output["reason"].as_str().unwrap_or_default().to_owned())
    };
    let right = (0, String::new());
    let minimum = |number: u64| {
        move |manifest: &mut Value| manifest["measurements"][4] = json!({ "index": 16, "minimum": number })
    };
    assert_eq!((run(&minimum(7)), run(&minimum(8))), (right.clone(), (1, "security_version".to_owned())));
    let digest = good["measurements"][1]["value"].as_str().unwrap();
    let zeros = "00".repeat(digest.len() / 2);
    let values = |values: Value| {
        move |manifest: &mut Value| {
            let rule = manifest["measurements"][1].as_object_mut().unwrap();
            rule.remove("value");
            rule.insert("values".to_owned(), values.clone());
        }
    };
    assert_eq!(run(&values(json!([zeros, digest]))), right);
    assert_eq!(run(&values(json!([zeros]))), (1, "measurement_changed".to_owned()));
    let ignore = |manifest: &mut Value| {
        manifest["measurements"][1] = json!({ "index": 2, "ignore": true, "metadata": "changes" });
        manifest["metadata"] = json!({ "author": "ops", "ticket": 7 });
    };
    assert_eq!(run(&ignore), right);
    let exception = |key: Value| {
        let zeros = &zeros;
        move |manifest: &mut Value| {
            let own = manifest["measurements"][1].clone();
            manifest["measurements"][1]["value"] = zeros.as_str().into();
            manifest["devices"] =
                json!({ key.as_str().unwrap(): { "measurements": [own], "metadata": "rack 7" } });
        }
    };
    assert_eq!(run(&exception(key.clone())), right);
    assert_eq!(run(&exception("ab".repeat(32).into())), (1, "measurement_changed".to_owned()));
}

#[test]
fn error_for_invalid_rule_names_the_measurement() {
    let sandbox = Sandbox::new();
    let (_device, attest) = Device::start_measured(&sandbox);
    let good: Value = serde_json::from_slice(&sandbox.get("good.json")).unwrap();
    for (rule, parts) in [
        (json!({ "index": 2, "kind": 1, "raw": false }), "measurement 2 needs exactly one of"),
        (json!({ "index": 2, "kind": 1, "minimum": 1 }), "measurement 2 has a \"minimum\""),
    ] {
        let mut manifest = good.clone();
        manifest["measurements"][1] = rule;
        sandbox.put("reference.json", manifest.to_string());
        sandbox.refuses(3, &format!("{attest} --reference reference.json"), &["reference.json", parts]);
    }
}

#[test]
fn distrusts_device_with_revoked_certificate() {
    let sandbox = Sandbox::new();
    for name in ["root", "other", "device"] {
        sandbox.ok(&format!("keygen --quiet --alg ECDSA-P256 --out {name}.key --pub {name}.pub"));
    }
    for name in ["root", "other"] {
        sandbox.ok(&format!("cert root --key {name}.key --subject CN={name} --out {name}.pem"));
        sandbox.ok(&format!("cert crl --ca {name}.pem --ca-key {name}.key --out {name}.crl"));
    }
    sandbox.ok("cert request --key device.key --subject CN=device --san device.example --out device.csr");
    sandbox.ok("cert issue --csr device.csr --ca root.pem --ca-key root.key --out device.pem");
    sandbox.ok("cert crl --ca root.pem --ca-key root.key --revoke device.pem --out revokes.crl");
    sandbox.put("root.der", Crl::all_from_pem(&sandbox.get("root.crl")).unwrap()[0].as_der());
    let unknown_block = "-----BEGIN NOTE-----\nAAAA\n-----END NOTE-----\n";
    sandbox.put("noted.crl", [unknown_block.as_bytes(), &sandbox.get("root.crl")].concat());
    sandbox.put("chain.pem", [sandbox.get("root.pem"), sandbox.get("device.pem")].concat());
    let device = Device::start(&sandbox, "--pqc-asym NONE --cert chain.pem --key device.key");
    let words = format!("127.0.0.1:{} --ca root.pem", device.port);
    sandbox.ok(&format!("spdm attest {words} --save good.json"));
    let words = format!("{words} --reference good.json");
    let mut policies = BTreeSet::new();
    for crl in ["", "--crl root.crl", "--crl root.der", "--crl other.crl --crl root.crl"] {
        let (code, output) = attest(&sandbox, &format!("{words} {crl}"));
        assert_eq!((code, &output["verdict"]), (0, &"trusted".into()), "{crl}: {output}");
        policies.insert(output["policy"].to_string());
    }
    // PEM and DER of one list are one policy.
    assert_eq!(policies.len(), 3);
    let noted = sandbox.run(&format!("spdm attest {words} --crl noted.crl"));
    assert_eq!(noted.code, 0, "{}", noted.stderr);
    assert!(noted.stderr.contains("noted.crl: skipped PEM block \"NOTE\""), "{}", noted.stderr);
    let (code, output) = attest(&sandbox, &format!("{words} --crl revokes.crl"));
    let verdict = ["verdict", "reason"].map(|field| output[field].as_str().unwrap());
    assert_eq!((code, verdict), (1, ["not_trusted", "revoked"]), "{output}");
    assert_eq!(
        (&output["trusted"], &output["error"]["code"]),
        (&false.into(), &"revoked".into()),
        "{output}"
    );
    let reported = format!("spdm attest {words} --crl revokes.crl");
    sandbox.run(&reported).check(1, &reported, &["the certificate of CN=device was revoked on 20"]);
    let (code, output) = attest(&sandbox, &format!("{words} --crl other.crl"));
    let verdict = ["verdict", "reason"].map(|field| output[field].as_str().unwrap());
    assert_eq!((code, verdict), (3, ["no_verdict", "revocation_unknown"]), "{output}");
    assert_eq!(output.get("trusted"), None, "{output}");
    sandbox.refuses(3, &format!("spdm attest {words} --crl none.crl"), &["none.crl", "cannot read"]);
    sandbox.refuses(3, &format!("spdm attest {words} --crl root.pem"), &["root.pem", "X509 CRL"]);
    let words = format!("spdm attest 127.0.0.1:{} --peer-key device.pub --crl root.crl", device.port);
    sandbox.refuses(2, &words, &["--crl", "--peer-key"]);
}

#[test]
fn document_names_the_root() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--asym ECDSA_P256 --pqc-asym NONE --root root.pem");
    let (_, output) = attest(&sandbox, &format!("127.0.0.1:{} --ca root.pem", device.port));
    let root = Certificate::from_pem_or_der(&sandbox.get("root.pem")).unwrap();
    assert_eq!(output["root"], root.subject().as_str(), "{output}");
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key --pub device.pub");
    let device = Device::start(&sandbox, "--pqc-asym NONE --slot-id 0xFF --key device.key");
    let (_, output) = attest(&sandbox, &format!("127.0.0.1:{} --peer-key device.pub", device.port));
    assert_eq!(output.get("root"), Some(&Value::Null), "{output}");
}
