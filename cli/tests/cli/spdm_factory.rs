//! Tests of provisioning: certificate requests, new chains, key pairs, banks, logs and events.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::device::Device;
use crate::sandbox::peer::CLOSED;
use crate::spdm_requester::{is_right, lines};
use grille_pki::{PublicKey, Request};
use serde_json::{Value, json};

/// Returns the children of the line with this name.
fn children_of<'a>(output: &'a Value, name: &str) -> &'a [Value] {
    let lines = output["said"].as_array().unwrap();
    let line = lines.iter().find(|line| line["name"] == name).unwrap_or_else(|| panic!("{name}: {output}"));
    line["children"].as_array().map_or(&[], Vec::as_slice)
}

/// Runs a requester without sessions, and lets the device continue.
fn run_requester(sandbox: &Sandbox, device: &Device, words: &str) -> Value {
    let port = &device.port;
    let always = "--exe-session NO_END --exe-mode CONTINUE";
    sandbox.json(&format!("spdm requester --port {port} {always} {words}"))
}

/// Returns the subject, the public key and the DNS names of a certificate request, after checking its signature.
fn parse_request(bytes: &[u8]) -> (String, Vec<u8>, Vec<String>) {
    let request = Request::from_pem_or_der(bytes).unwrap();
    request.verify().unwrap();
    let key = request.public_key().unwrap().to_spki_der().unwrap();
    (request.subject(), key, request.names().unwrap())
}

/// Creates `new.key`, `new.pub`, and `chain.pem` of two certificates from `factory.pem`, with this algorithm.
fn create_chain(sandbox: &Sandbox, algorithm: &str) {
    sandbox.ok(&format!("keygen --quiet --alg {algorithm} --out new.key --pub new.pub --force"));
    sandbox.ok("keygen --alg ECDSA-P384 --out factory.key --force");
    sandbox.ok("cert root --key factory.key --subject CN=factory --out factory.pem --force");
    sandbox.ok("cert request --key new.key --subject CN=gadget --san gadget.example --out new.csr --force");
    sandbox.ok("cert issue --csr new.csr --ca factory.pem --ca-key factory.key --out new.pem --force");
    sandbox.put("chain.pem", [sandbox.get("factory.pem"), sandbox.get("new.pem")].concat());
}

#[test]
fn device_with_new_chain_is_trusted_under_new_root() {
    let sandbox = Sandbox::new();
    for (version, algorithm, name) in [
        ("1.2", "ECDSA-P384", "--asym ECDSA_P384 --pqc-asym NONE"),
        ("1.4", "ML-DSA-65", "--asym NONE --pqc-asym ML_DSA_65"),
    ] {
        create_chain(&sandbox, algorithm);
        let device = Device::start(&sandbox, &format!("{name} --cert chain.pem --key new.key"));
        sandbox.ok("keygen --alg ECDSA-P384 --out owner.key --force");
        sandbox.ok("cert root --key owner.key --subject CN=owner --out owner.pem --force");
        let attest = |ca: &str| format!("spdm attest 127.0.0.1:{} --ca {ca}", device.port);
        let chain = |ca: &str| sandbox.json(&attest(ca))["chain"].clone();
        assert_eq!(chain("factory.pem"), json!(["CN=factory", "CN=gadget"]));
        sandbox.refuses(1, &attest("owner.pem"), &["127.0.0.1"]);

        let asks = format!("--ca factory.pem --ver {version}");
        let output = run_requester(&sandbox, &device, &format!("{asks} --exe-conn GET_CSR"));
        let [request] = children_of(&output, "CSR") else { panic!("{output}") };
        let output =
            run_requester(&sandbox, &device, &format!("{asks} --exe-conn GET_CSR --csr device.csr --force"));
        let saved = children_of(&output, "CSR")[0]["value"].as_str().unwrap();
        let about = saved.strip_suffix(", in device.csr").unwrap();
        assert!(about.contains(&format!(" bytes, an {algorithm} key")), "{about}");
        // An unsaved request has the same description except for the length, because signatures differ.
        let reported = about.split_once(' ').unwrap().1;
        let unsaved = request["value"].as_str().unwrap();
        assert!(unsaved.ends_with(&format!(" {reported}; save the request with --csr")), "{unsaved}");
        assert!(sandbox.get("device.csr").starts_with(b"-----BEGIN CERTIFICATE REQUEST-----"));
        // The request has the device's key and certificate subject.
        let key = PublicKey::from_pem_or_der(&sandbox.get("new.pub")).unwrap().to_spki_der().unwrap();
        let expected = ("CN=gadget".to_owned(), key, Vec::new());
        assert_eq!(parse_request(&sandbox.get("device.csr")), expected);

        sandbox.ok("cert issue --csr device.csr --ca owner.pem --ca-key owner.key --out device.pem --force");
        sandbox.put("chain.pem", [sandbox.get("owner.pem"), sandbox.get("device.pem")].concat());
        let asks = format!("--ca owner.pem --ver {version} --exe-conn SET_CERT,CERT --new-chain chain.pem");
        let output = run_requester(&sandbox, &device, &asks);
        let [slot] = children_of(&output, "CERTIFICATE") else { panic!("{output}") };
        assert_eq!((&slot["name"], &slot["mark"]), (&json!("slot 0"), &json!("good")), "{output}");

        // Another connection sees the new chain.
        assert_eq!(chain("owner.pem"), json!(["CN=owner", "CN=gadget"]));
        sandbox.refuses(1, &attest("factory.pem"), &["127.0.0.1"]);
        // The device rejects a certificate for another key; the requester rejects SET_CERT without --new-chain.
        sandbox.put("chain.pem", sandbox.get("owner.pem"));
        let words = format!("spdm requester --port {} --exe-mode CONTINUE --exe-conn SET_CERT", device.port);
        let other = format!("{words} --new-chain chain.pem");
        sandbox.run(&other).check(
            1,
            &other,
            &["SET_CERTIFICATE", "InvalidRequest", "the slot's own key (GET_CSR"],
        );
        sandbox.run(&words).check(
            2,
            &words,
            &["SET_CERT: the chain to install is missing; name its file with --new-chain"],
        );
    }
}

/// No device listens at the port: the requester reports bad files before it tries to connect.
#[test]
fn reports_bad_files_before_connecting() {
    let sandbox = Sandbox::new();
    create_chain(&sandbox, "ECDSA-P384");
    sandbox.put("junk.pem", "junk");
    sandbox.put("leaf.pem", sandbox.get("new.pem"));
    sandbox.put(
        "cut.der",
        &PublicKey::from_pem_or_der(&sandbox.get("new.pub")).unwrap().to_spki_der().unwrap()[..9],
    );
    sandbox.put("taken.csr", "mine");
    for (words, expected_text) in [
        ("SET_CERT --new-chain none.pem", &["none.pem: cannot read", "check the file name"][..]),
        ("SET_CERT --new-chain junk.pem", &["junk.pem: "]),
        ("SET_CERT --new-chain cut.der", &["cut.der: "]),
        (
            "SET_CERT --new-chain leaf.pem",
            &["leaf.pem: the chain starts with CN=gadget, which is not a root"],
        ),
        ("SET_CERT --new-chain .", &[".: "]),
        ("GET_CSR --csr none/new.csr", &["none/new.csr: cannot write", "make the directory first"]),
        ("GET_CSR --csr .", &[".: is a directory"]),
        ("GET_CSR --csr taken.csr", &["taken.csr: the file already exists; replace it with --force"]),
        ("VCA --save-state none/state", &["none/state: cannot write", "make the directory first"]),
    ] {
        sandbox.refuses(1, &format!("spdm requester --port {CLOSED} --exe-conn {words}"), expected_text);
    }
    assert_eq!(sandbox.get("taken.csr"), b"mine");
}

/// Not even the roots of new keys are written, so that the corrected command finds no existing files.
#[test]
fn writes_nothing_if_an_input_is_unreadable() {
    let sandbox = Sandbox::new();
    let requester = format!("requester --port {CLOSED} --req-asym ECDSA_P384");
    let responder = "responder --port 0 --asym ECDSA_P256 --pqc-asym NONE";
    let devices = format!("{responder} --devices 2");
    for (subcommand, file) in [
        (&requester[..], "--exe-conn SET_CERT --new-chain"),
        (&requester, "--load-state"),
        (&requester, "--psk"),
        (&requester, "--ca"),
        (&requester, "--peer-key"),
        (responder, "--load-state"),
        (responder, "--psk"),
        (responder, "--ca"),
        (responder, "--req-slot-id 0xFF --peer-key"),
        (&devices, "--psk"),
    ] {
        sandbox.refuses(1, &format!("spdm {subcommand} --root root.pem {file} none"), &["none: cannot read"]);
        assert!(!sandbox.path("root.pem").exists(), "{subcommand} {file}");
    }
}

#[test]
fn measurement_log_matches_measurements() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let output =
        run_requester(&sandbox, &device, "--ca root.pem --exe-conn DIGEST,CERT,MEAS,MEL --meas-att RAW");
    let (blocks, log) =
        (children_of(&output, "MEASUREMENTS"), children_of(&output, "MEASUREMENT_EXTENSION_LOG"));
    assert_eq!((blocks.len(), log.len()), (5, 5), "{output}");
    for (i, (block, entry)) in blocks.iter().zip(log).enumerate() {
        let (index, kind) = block["name"].as_str().unwrap().split_once(' ').unwrap();
        assert_eq!(entry["name"], format!("{} of measurement {index}: {kind}", i + 1));
        assert_eq!(entry["value"], block["value"]);
    }
}

#[test]
fn shows_and_keeps_key_pairs() {
    let sandbox = Sandbox::new();
    let device = Device::start(
        &sandbox,
        "--asym ECDSA_P256,ECDSA_P384 --pqc-asym ML_DSA_44 --slot-count 2 --root root.pem",
    );
    for version in ["1.3", "1.4"] {
        let words = format!("--ver {version} --exe-conn GET_KEY_PAIR_INFO,SET_KEY_PAIR_INFO");
        let output = run_requester(&sandbox, &device, &words);
        let pairs = children_of(&output, "KEY_PAIR_INFO");
        let uses = "usage KeyExUse, ChallengeUse, MeasurementUse, EndpointInfoUse, slots 0b00000011";
        let reported: Vec<&str> = pairs.iter().map(|pair| pair["value"].as_str().unwrap()).collect();
        assert_eq!(reported.len(), 3, "{output}");
        // Post-quantum algorithms have names only in SPDM 1.4.
        for (reported, algorithm) in reported.iter().zip(["ECDSA-P256", "ECDSA-P384", "ML-DSA-44"]) {
            let algorithm = if version == "1.3" && algorithm == "ML-DSA-44" { "none" } else { algorithm };
            assert_eq!(*reported, format!("{algorithm}, {uses}"), "{output}");
        }
        assert!(children_of(&output, "SET_KEY_PAIR_INFO_ACK").is_empty());
        let again = run_requester(&sandbox, &device, &words);
        assert_eq!(children_of(&again, "KEY_PAIR_INFO"), pairs);
    }
}

#[test]
fn shows_banks_with_their_slots() {
    let sandbox = Sandbox::new();
    let algorithms = "--asym ECDSA_P256,ECDSA_P384 --pqc-asym ML_DSA_44";
    let device = Device::start(&sandbox, &format!("{algorithms} --slot-count 2 --root root.pem"));
    let output = run_requester(&sandbox, &device, "--ver 1.4 --exe-conn DIGEST,SLOT_MGMT");
    let digests: Vec<&Value> = children_of(&output, "DIGESTS").iter().map(|slot| &slot["value"]).collect();
    let banks = children_of(&output, "SLOT_MANAGEMENT_RESP");
    let reported: Vec<&Value> = banks.iter().map(|bank| &bank["value"]).collect();
    assert_eq!(reported, ["ECDSA-P256", "ECDSA-P384", "ML-DSA-44"], "{output}");
    for (pair, bank) in (1..).zip(banks) {
        let slots = bank["children"].as_array().unwrap();
        assert_eq!(slots.len(), 2, "{output}");
        let uses = "KeyExUse, ChallengeUse, MeasurementUse, EndpointInfoUse";
        let start = format!("key pair {pair}, {uses}, ");
        assert!(slots.iter().all(|slot| slot["value"].as_str().unwrap().starts_with(&start)), "{output}");
        // DIGESTS use the negotiated algorithm.
        let bank_digests: Vec<&Value> = slots.iter().map(|slot| &slot["children"][0]["value"]).collect();
        assert_eq!(bank_digests == digests, pair == 3, "{output}");
    }
    run_requester(&sandbox, &device, "--ver 1.4 --exe-conn SLOT_MGMT --pcap banks.pcap");
    let dump = sandbox.ok("spdm dump banks.pcap --all");
    for part in ["ModifiableSlotMask", "CurrentPqcAsymAlgo         ML-DSA-44", "SlotSize", "BankID"] {
        assert!(dump.contains(part), "{part}: {dump}");
    }
    let output = run_requester(&sandbox, &device, "--ver 1.3 --exe-conn SLOT_MGMT");
    assert!(output.to_string().contains("not negotiated"), "{output}");
}

#[test]
fn subscribers_receive_certificate_change() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--root root.pem");
    let asks = format!(
        "spdm requester --port {} --ca root.pem --exe-mode CONTINUE --exe-conn DIGEST,CERT",
        device.port
    );
    for version in ["1.3", "1.4"] {
        let output = sandbox
            .json(&format!("{asks} --ver {version} --exe-session KEY_EX,EVENT,SET_CERT,EVENT,HEARTBEAT"));
        let session = output["said"].as_array().unwrap().last().unwrap()["children"].as_array().unwrap();
        let reported = |at: usize| {
            assert_eq!(session[at]["name"], "SUPPORTED_EVENT_TYPES", "{output}");
            let lines = session[at]["children"].as_array().unwrap();
            let lines =
                lines.iter().map(|line| [&line["name"], &line["value"]].map(|text| text.as_str().unwrap()));
            lines.collect::<Vec<_>>()
        };
        let before = [["DMTF", "EventLost, CertificateChanged"], ["subscribed", "to all of them"]];
        assert_eq!(session[0]["name"], "measurement summary", "{output}");
        assert_eq!(reported(1), before, "{output}");
        assert_eq!(
            reported(3),
            [&before[..], &[["event 0 of DMTF", "CertificateChanged"]]].concat(),
            "{output}"
        );
        let changed = json!([{ "name": "slots", "value": "0" }]);
        assert_eq!(session[3]["children"][2]["children"], changed, "{output}");
    }
    // One EVENT before or after a change is enough. Another step that polls may receive the event, too.
    for (steps, at) in [
        ("EVENT,SET_CERT", 3),
        ("SET_CERT,EVENT", 3),
        ("HEARTBEAT,SET_CERT,HEARTBEAT,EVENT", 5),
        ("EVENT,SET_CERT,KEY_UPDATE,HEARTBEAT --key-upd RSP --pcap a.pcap --key-log a.keys", 3),
    ] {
        let output = sandbox.json(&format!("{asks} --exe-session KEY_EX,{steps}"));
        let session = output["said"].as_array().unwrap().last().unwrap()["children"].as_array().unwrap();
        assert_eq!(session[1]["name"], "SUPPORTED_EVENT_TYPES", "{output}");
        let reported = session[at]["children"].as_array().unwrap();
        let changed = reported.iter().filter(|line| line["value"] == "CertificateChanged").count();
        assert_eq!(changed, 1, "{steps}: {output}");
    }
    // The key is updated at the end, although the event was sent first.
    let shown = sandbox.ok("spdm dump a.pcap --keys a.keys");
    assert_eq!(shown.matches("└ KEY_UPDATE_ACK ").count(), 2, "{shown}");
    let output = sandbox.json(&format!("{asks} --ver 1.2 --exe-session KEY_EX,EVENT"));
    assert!(output.to_string().contains("not negotiated"), "{output}");
    // A requester without encapsulated requests receives no events.
    let output =
        sandbox.json(&format!("{asks} --cap CERT,ENCRYPT,MAC,KEY_EX,CHUNK --exe-session KEY_EX,EVENT"));
    assert!(output.to_string().contains("not negotiated"), "{output}");
}

/// The requester's events work with and without events of the responder. If either side lacks encapsulated requests,
/// the responder receives no events.
#[test]
fn responder_receives_requester_events() {
    let sandbox = Sandbox::new();
    let flags = "CERT,CHAL,ENCRYPT,MAC,KEY_EX,CHUNK,EP_INFO_SIG";
    for (theirs, ours, asks) in [
        (",ENCAP", ",ENCAP,EVENT", true),
        (",ENCAP,EVENT", ",ENCAP,EVENT", true),
        (",EVENT", ",ENCAP,EVENT", false),
        (",ENCAP,EVENT", ",EVENT", false),
    ] {
        let words = format!("spdm responder --force --port 0 --root root.pem --cap {flags}{theirs}");
        let mut device = Background::start(sandbox.command(&words));
        let words = format!("spdm requester --port {} --ca root.pem --cap {flags}{ours}", device.port());
        let steps = "--exe-conn DIGEST,CERT --exe-session KEY_EX,EP_INFO,EVENT,APP";
        let output = sandbox.json(&format!("{words} {steps}"));
        assert!(is_right(&output), "{output}");
        let reported: Vec<&Value> =
            lines(&output, "sent").iter().map(|reported| &reported["children"]).collect();
        let changed = json!([{
            "name": "event 0 of DMTF", "value": "CertificateChanged", "children": [{ "name": "slots", "value": "0" }]
        }]);
        assert_eq!(reported, Vec::from_iter(asks.then_some(&changed)), "{output}");
        assert_eq!(
            lines(&output, "subscribed").len(),
            usize::from(theirs == ",ENCAP,EVENT" && ours.contains("ENCAP")),
            "{output}"
        );
        device.end();
        let reported = device.warnings();
        let line = " sent event 0 of DMTF CertificateChanged, slots 0";
        assert_eq!(reported.matches(line).count(), usize::from(asks), "{reported}");
    }
}
