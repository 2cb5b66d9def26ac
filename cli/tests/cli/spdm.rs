//! `grille spdm`, as a user runs it.

use crate::desk::Desk;
use crate::desk::device::Device;

#[test]
fn a_device_is_attested_over_every_transport_and_version() {
    let desk = Desk::new();
    for (trans, ver, signature) in [
        ("MCTP", "1.4", "ML-DSA-87"),
        ("PCI_DOE", "1.2", "TPM_ALG_ECDSA_ECC_NIST_P384"),
        ("TCP", "1.0", "TPM_ALG_ECDSA_ECC_NIST_P384"),
    ] {
        let device = Device::start(&desk, &format!("--trans {trans} --root root.pem --force"));
        let attest =
            format!("spdm attest 127.0.0.1:{} --trans {trans} --ver {ver} --ca root.pem", device.port);
        let document = desk.json(&attest);
        assert_eq!((&document["version"], &document["signature"]), (&ver.into(), &signature.into()));
        assert_eq!(document["chain"][1], "CN=emulated device");
        assert_eq!(document["trusted"], true);
    }
}

#[test]
fn what_a_device_measures_is_compared_with_a_manifest() {
    let desk = Desk::new();
    let device = Device::start(&desk, "--root root.pem");
    let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    desk.ok(&format!("{attest} --save good.json"));
    assert!(desk.ok(&format!("{attest} --reference good.json")).contains("measures what it should"));
    let mut manifest: serde_json::Value = serde_json::from_slice(&desk.get("good.json")).unwrap();
    manifest["measurements"][1]["value"] = "00".into();
    desk.put("other.json", manifest.to_string());
    let done = desk.run(&format!("{attest} --reference other.json"));
    done.says(1, "attest", &["measures something else than the manifest says"]);
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("NOT TRUSTED: measurement 2 differs"), "{said}");
    assert!(said.contains("✗   2  "), "{said}");
    let good: serde_json::Value = serde_json::from_slice(&desk.get("good.json")).unwrap();
    assert_eq!(good["hash"], "SHA3-512");
    let [expected, found] = ["expected", "found"].map(|what| {
        let line = said.lines().find(|line| line.trim_start().starts_with(what)).unwrap();
        line.split_whitespace().last().unwrap().to_owned()
    });
    assert_eq!(
        (expected.as_str(), found.as_str()),
        ("00", good["measurements"][1]["value"].as_str().unwrap())
    );
    // a device that hashes otherwise
    let other = Device::start(&desk, "--meas_hash SHA_256 --root other.pem");
    let done =
        desk.run(&format!("spdm attest 127.0.0.1:{} --ca other.pem --reference good.json", other.port));
    assert_eq!(done.code, 1, "{}", done.stderr);
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("the manifest has digests of SHA3-512, the device of SHA-256"), "{said}");
    desk.refuses(1, &format!("{attest} --save good.json"), &["good.json", "is there already; --force"]);
}

#[test]
fn another_root_is_not_believed() {
    let desk = Desk::new();
    let device = Device::start(&desk, "--root root.pem");
    let other = Device::start(&desk, "--root other.pem");
    desk.refuses(1, &format!("spdm attest 127.0.0.1:{} --ca other.pem", device.port), &["127.0.0.1:"]);
    desk.ok(&format!("spdm attest 127.0.0.1:{} --ca other.pem", other.port));
}

#[test]
fn mistakes_are_told_with_the_names_there_are() {
    let desk = Desk::new();
    desk.refuses(2, "spdm responder --kem ML_KEM_1025", &["--kem", "ML_KEM_1025", "ML_KEM_1024"]);
    desk.refuses(2, "spdm responder --ver 1.5", &["--ver", "1.5", "1.4"]);
    desk.refuses(
        2,
        "spdm responder --cap FOO",
        &["--cap", "there is no capability FOO", "HANDSHAKE_IN_CLEAR"],
    );
    desk.refuses(
        2,
        "spdm attest localhost --ca root.pem --trans NONE --session KEY_EX",
        &["--session", "no sessions"],
    );
    desk.put("empty.json", "{}");
    desk.put("root.pem", "");
    desk.refuses(1, "spdm attest localhost --ca root.pem", &["root.pem"]);
}
