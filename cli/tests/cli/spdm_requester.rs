//! Tests of `grille spdm requester` and `grille spdm responder`, from the user's perspective.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use crate::sandbox::device::Device;
use crate::sandbox::peer::CLOSED;
use serde_json::Value;

/// Finds all lines with this name in the tree.
fn find<'a>(tree: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    for node in tree.as_array().into_iter().flatten() {
        if node["name"].as_str().is_some_and(|known| known.starts_with(name)) {
            found.push(node);
        }
        find(&node["children"], name, found);
    }
}

pub(crate) fn lines<'a>(tree: &'a Value, name: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    find(&tree["said"], name, &mut found);
    found
}

/// Returns whether the tree has no failed checks.
pub(crate) fn is_right(tree: &Value) -> bool {
    !tree.to_string().contains("\"bad\"")
}

#[test]
fn runs_over_every_transport_and_version() {
    let sandbox = Sandbox::new();
    for (trans, ver, sessions) in [
        ("MCTP", "1.4", 2),
        ("MCTP", "1.0", 0),
        ("PCI_DOE", "1.3", 2),
        ("PCI_DOE", "1.1", 2),
        ("TCP", "1.2", 2),
        ("TCP --bare", "1.4", 2),
    ] {
        let device = Device::start(
            &sandbox,
            &format!("--trans {} --root root.pem --force", &trans[..trans.find(' ').unwrap_or(trans.len())]),
        );
        let output = sandbox.json(&format!(
            "spdm requester --port {} --trans {trans} --ver {ver} --ca root.pem --slot-id 0 --test-psk",
            device.port
        ));
        assert!(is_right(&output), "{trans} {ver}: {output}");
        assert_eq!(lines(&output, "VERSION")[0]["value"], ver);
        assert_eq!(lines(&output, "session 0x").len(), sessions, "{trans} {ver}");
        assert_eq!(lines(&output, "END_SESSION").len(), sessions);
        assert_eq!(lines(&output, "CHALLENGE_AUTH")[0]["mark"], "good");
        assert_eq!(lines(&output, "MEASUREMENTS").len(), 1 + sessions);
        assert_eq!(lines(&output, "KEY_UPDATE_ACK").len(), sessions);
        if trans != "TCP --bare" {
            // SHUTDOWN ends the responder.
            device.end();
        }
    }
}

#[test]
fn shows_certificates_of_every_slot() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--slot-count 3 --root root.pem");
    let words = format!("spdm requester --port {} --ca root.pem --exe-session NO_END", device.port);
    let output = sandbox.ok(&format!("{words} --exe-conn DIGEST,CERT --exe-mode CONTINUE"));
    for slot in ["✓ slot 0", "✓ slot 1", "✓ slot 2", "└─ CN=emulated device root", "   └─ CN=emulated device"]
    {
        assert!(output.contains(slot), "{slot}: {output}");
    }
    let output = sandbox.ok(&format!(
        "spdm requester --port {} --exe-conn DIGEST,CERT,CHAL --slot-id 2 --exe-session KEY_EX",
        device.port
    ));
    assert!(output.contains("not checked without trusted roots"), "{output}");
    assert!(output.contains("signed by slot 2"), "{output}");
}

#[test]
fn shows_device_class_field_by_field() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "");
    let words =
        format!("spdm requester --port {} --exe-conn DIGEST,CERT,EP_INFO --exe-session NO_END", device.port);
    let output = sandbox.ok(&words);
    for field in ["NumIdentifiers      1", "identifier 1", "StandardID      0"] {
        assert!(output.contains(field), "{field}: {output}");
    }
    assert!(!output.contains("cannot be read"), "{output}");
}

#[test]
fn authenticates_both_sides() {
    let sandbox = Sandbox::new();
    for (mutual, ver, asym) in [
        ("W_ENCAP", "1.2", "--req-asym ECDSA_P384 --req-pqc-asym NONE"),
        ("DIGESTS", "1.4", "--req-pqc-asym ML_DSA_65 --req-asym NONE"),
        ("NO --basic-mut-auth BASIC", "1.3", "--hash SHA_384 --req-asym RSAPSS_3072 --req-pqc-asym NONE"),
    ] {
        let device = Device::start(&sandbox, &format!("--mut-auth {mutual} {asym}"));
        let words = format!("spdm requester --port {} --ver {ver} {asym}", device.port);
        let output = sandbox.json(&words);
        assert!(is_right(&output), "{mutual}: {output}");
        // Mutual authentication happens either after CHALLENGE or in KEY_EXCHANGE.
        assert_eq!(lines(&output, "mutual authentication").len(), 1, "{mutual}: {output}");
        let session = lines(&output, "session 0x")[0]["children"].clone();
        assert_eq!(session[0], lines(&output, "CHALLENGE_AUTH")[0]["children"][0], "{output}");
        assert_eq!(session[1]["name"] == "mutual authentication", !mutual.contains("BASIC"), "{output}");
        assert_ne!(lines(&output, "requester signs")[0]["value"], "none");
        device.end();
    }
}

#[test]
fn fails_if_step_with_file_is_skipped() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--cap CERT,CHAL,CHUNK --pqc-asym NONE --root chain.pem");
    let words = format!("spdm requester --port {} --exe-mode CONTINUE --exe-session NONE", device.port);
    for (step, file, expected_text) in [
        ("GET_CSR", "--csr device.csr", "--csr: GET_CSR was skipped: not negotiated: "),
        ("SET_CERT", "--new-chain chain.pem", "--new-chain: SET_CERT was skipped: not negotiated: "),
    ] {
        let other = format!("{words} --exe-conn {step},DIGEST");
        assert!(sandbox.ok(&other).contains("not negotiated"));
        let done = sandbox.run(&format!("{other} {file}"));
        done.check(1, step, &[expected_text]);
        assert!(String::from_utf8(done.stdout).unwrap().contains("DIGESTS"), "later steps must run");
    }
    let device = Device::start(&sandbox, "--trans NONE");
    let words = format!("spdm requester --port {} --trans NONE --exe-conn VCA", device.port);
    let words = format!("{words} --exe-session KEY_EX,GET_CSR --csr device.csr");
    sandbox.run(&words).check(1, &words, &["--csr: GET_CSR was skipped: no session was opened"]);
}

#[test]
fn responder_connects_and_inquires_its_role() {
    let sandbox = Sandbox::new();
    for bare in ["", "--bare"] {
        let words = format!("--trans TCP --tcp-sub RI {bare}");
        let waiting = sandbox.command(&format!("spdm requester --port 0 --exe-session KEY_EX {words}"));
        let mut requester = Background::start(waiting);
        sandbox.ok(&format!("spdm responder --port {} {words}", requester.port()));
        let output = requester.end();
        assert!(output.contains("✓ CHALLENGE_AUTH") && output.contains("✓ END_SESSION"), "{output}");
    }
    // A peer that closes the connection at once is not reported as speaking another protocol.
    let mut requester =
        Background::start(sandbox.command("spdm requester --port 0 --trans TCP --tcp-sub RI"));
    drop(std::net::TcpStream::connect(format!("127.0.0.1:{}", requester.port())).unwrap());
    let reported = requester.fail();
    assert!(reported.contains("closed the connection without a response"), "{reported}");
    // No responder connects.
    let words = "spdm requester --port 0 --trans TCP --tcp-sub RI --timeout 1";
    let mut requester = Background::start(sandbox.command(words));
    assert_eq!(requester.code(), 1);
    let reported = requester.warnings();
    assert!(
        reported.contains("no responder connected in time; wait longer with --timeout, or start "),
        "{reported}"
    );
    // A peer without Role-Inquiry is not a responder.
    let mut requester =
        Background::start(sandbox.command("spdm requester --port 0 --trans TCP --tcp-sub RI"));
    let words = format!("spdm requester --trans TCP --timeout 1 --port {}", requester.port());
    sandbox.refuses(1, &words, &["127.0.0.1"]);
    requester.fail();
}

#[test]
fn opens_no_sessions_without_transport() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--trans NONE");
    let output = sandbox.json(&format!("spdm requester --port {} --trans NONE", device.port));
    assert!(is_right(&output), "{output}");
    assert_eq!(lines(&output, "CHALLENGE_AUTH")[0]["mark"], "good");
    assert_eq!(lines(&output, "KEY_EX")[0]["value"], "--trans NONE does not support sessions");
    device.end();
}

#[test]
fn both_sides_resume_from_saved_state() {
    let sandbox = Sandbox::new();
    let caps = "CACHE,CERT,CHAL,MEAS_SIG,ENCRYPT,MAC,KEY_EX,HBEAT,KEY_UPD,CHUNK,LARGE_RESP";
    for (ver, asym) in
        [("1.2", "--asym ECDSA_P384 --pqc-asym NONE"), ("1.4", "--asym NONE --pqc-asym ML_DSA_65")]
    {
        let device = |words: &str| Device::start(&sandbox, &format!("{asym} --cap {caps} --force {words}"));
        let run = |device: &Device, words: &str| {
            let words =
                format!("{words} --ver {ver} --exe-session KEY_EX,HEARTBEAT --pcap said.pcap --force");
            let output = sandbox.json(&format!("spdm requester --port {} {words}", device.port));
            assert!(is_right(&output), "{ver}: {output}");
            assert_eq!(
                (lines(&output, "VERSION")[0]["value"].as_str(), lines(&output, "END_SESSION").len()),
                (Some(ver), 1)
            );
            // Return whether the requester sent GET_VERSION, which follows MCTP's message type.
            sandbox.get("said.pcap").windows(5).any(|bytes| bytes == [5, 0x10, 0x84, 0, 0])
        };
        let first = device("--save-state theirs.state");
        assert!(run(&first, "--save-state ours.state"));
        first.end();
        let other = device("--load-state theirs.state --save-state theirs.state");
        assert!(!run(&other, "--load-state ours.state --save-state ours.state --key-log said.keys"), "{ver}");
        // Messages without a negotiation are decoded with the saved state.
        let done = sandbox.run("spdm dump said.pcap --keys said.keys");
        done.check(1, "dump", &["decrypts nothing: the capture starts after GET_VERSION", "--load-state"]);
        assert!(!String::from_utf8(done.stdout).unwrap().contains("HEARTBEAT_ACK"));
        for state in ["ours.state", "theirs.state"] {
            let output = sandbox.json(&format!("spdm dump said.pcap --keys said.keys --load-state {state}"));
            let output = output["said"].as_array().unwrap();
            assert_eq!(output[0]["name"], "GET_DIGESTS");
            assert!(output.iter().any(|line| line["name"] == "HEARTBEAT_ACK"), "{ver} {state}");
            assert!(output.iter().all(|line| line["name"] != "secured message"));
        }
        other.end();

        // The version differs from the saved one.
        let device = device("--load-state theirs.state --save-state theirs.state");
        let words =
            format!("spdm requester --port {} --exe-mode CONTINUE --load-state ours.state", device.port);
        sandbox.run(&format!("{words} --ver 1.1")).check(
            1,
            "other version",
            &["error: ours.state: ", "other options"],
        );
        // A session without --save-state leaves no state in a file. This responder continues with its loaded state.
        assert!(!run(&device, "--load-state ours.state --exe-mode CONTINUE"));
        assert!(!run(&device, "--load-state ours.state"));
        device.end();
        // The responder has no state, or its state file is empty.
        let without = Device::start(&sandbox, asym);
        let words = format!("spdm requester --port {} --exe-mode CONTINUE --ver {ver}", without.port);
        let done = sandbox.run(&format!("{words} --load-state ours.state"));
        done.check(1, &words, &["GET_DIGESTS: UnexpectedRequest; start without --load-state"]);
        let nothing = ["theirs.state", "the state is empty", "CACHE"];
        sandbox.refuses(1, "spdm responder --port 0 --load-state theirs.state", &nothing);
    }
    sandbox.refuses(1, "spdm requester --load-state said.pcap", &["said.pcap", "not a negotiation state"]);
}

#[test]
fn keeps_files_if_responder_forbids_caching() {
    let sandbox = Sandbox::new();
    sandbox.put("old.state", "old");
    let device = Device::start(&sandbox, "");
    let words =
        format!("spdm requester --port {} --exe-session NONE --exe-mode CONTINUE --save-state", device.port);
    sandbox.refuses(
        1,
        &format!("{words} old.state"),
        &["old.state", "the file already exists; replace it with --force"],
    );
    for file in ["old.state --force", "none.state"] {
        sandbox.run(&format!("{words} {file}")).check(1, file, &["--save-state", "forbids caching", "CACHE"]);
    }
    assert_eq!(sandbox.get("old.state"), b"old");
    assert!(!sandbox.files().contains(&"none.state".to_owned()));
    sandbox.refuses(
        1,
        "spdm responder --port 0 --cap CERT,CHAL --save-state none.state",
        &["--save-state", "CACHE"],
    );
    // A responder that saves its state has the needed capability.
    let device = Device::start(&sandbox, "--save-state kept.state");
    sandbox.ok(&format!("spdm requester --port {} --exe-session NONE --save-state new.state", device.port));
    device.end();
    assert!(
        sandbox.files().contains(&"kept.state".to_owned())
            && sandbox.files().contains(&"new.state".to_owned())
    );
}

/// Every option of DMTF's emulators at commit 85436d5, with one of its values. --ip and --port are missing, because
/// each test gives them.
const ACCEPTED: &[&str] = &[
    "--trans PCI_DOE",
    "--trans TCP --tcp_sub RI",
    "--ver 1.0,1.1,1.2,1.3,1.4",
    "--sec_ver 1.0,1.1,1.2,1.3",
    "--cap CACHE,CERT,CHAL,MEAS_SIG,MEAS_FRESH,ENCRYPT,MAC,MUT_AUTH,KEY_EX,ENCAP,HBEAT,KEY_UPD,CHUNK",
    "--hash SHA_256,SHA3_512",
    "--meas_spec DMTF",
    "--mel_spec DMTF",
    "--meas_hash RAW_BIT,SHA_384",
    "--asym RSASSA_2048,RSAPSS_4096,ECDSA_P521,EDDSA_25519,EDDSA_448",
    "--req_asym RSASSA_4096,EDDSA_448",
    "--dhe FFDHE_2048,FFDHE_4096,SECP_521_R1",
    "--aead AES_128_GCM,CHACHA20_POLY1305",
    "--pqc_asym ML_DSA_44,SLH_DSA_SHA2_128S,SLH_DSA_SHAKE_256F",
    "--req_pqc_asym ML_DSA_87",
    "--kem ML_KEM_512,ML_KEM_1024",
    "--key_schedule HMAC_HASH",
    "--other_param OPAQUE_FMT_1,MULTI_KEY_CONN",
    "--pqc_first FALSE",
    "--basic_mut_auth BASIC",
    "--mut_auth WO_ENCAP",
    "--mut_auth DIGESTS",
    "--meas_sum TCB",
    "--meas_op ALL",
    "--meas_att RAW",
    "--key_upd RSP",
    "--slot_id 1 --slot_count 8",
    "--req_slot_id 7",
    "--save_state state",
    "--exe_conn NONE --exe_session NONE",
    "--exe_mode CONTINUE",
    "--exe_conn VCA,DIGEST,CERT,CHAL,MEAS,MEL,SET_CERT,GET_CSR,GET_KEY_PAIR_INFO,SET_KEY_PAIR_INFO,EP_INFO",
    "--test-psk --exe_session KEY_EX,PSK,NO_END,KEY_UPDATE,HEARTBEAT,MEAS,MEL,GET_KEY_PAIR_INFO,SET_KEY_PAIR_INFO,DIGEST,CERT",
    "--exe_session SET_CERT,GET_CSR,APP,EP_INFO",
    "--pcap said.pcap",
    "--priv_key_mode PEM",
];

#[test]
fn both_sides_accept_every_option_of_the_emulators() {
    let sandbox = Sandbox::new();
    // No device answers there, and no responder can listen there: the address is reserved for documentation.
    for words in ACCEPTED.iter().filter(|words| !words.contains("RI") && !words.contains("meas_hash")) {
        let words = format!("spdm requester --ip 127.0.0.1 --port {CLOSED} {words}");
        sandbox.refuses(1, &words, &["127.0.0.1", "refused"]);
    }
    let reported = sandbox.run(&format!("spdm requester --port {CLOSED} --meas-hash SHA_384"));
    let warned = "warning: --meas-hash has no effect: the responder chooses the measurement hash\n";
    assert!(reported.code == 1 && reported.stderr.starts_with(warned), "{}", reported.stderr);
    for words in ACCEPTED {
        sandbox.refuses(
            1,
            &format!("spdm responder --ip 192.0.2.1 --port {CLOSED} --timeout 1 {words}"),
            &["192.0.2.1"],
        );
    }
}

#[test]
fn help_lists_only_options_of_its_side() {
    let sandbox = Sandbox::new();
    let [requester, responder] =
        ["requester", "responder"].map(|side| sandbox.ok(&format!("spdm {side} --help")));
    for (theirs, ours, words) in [
        (&requester, &responder, ["--exe-conn", "--meas-op", "--csr"]),
        (&responder, &requester, ["--mut-auth", "--slot-count", "--pqc-first"]),
    ] {
        for word in words {
            assert!(theirs.contains(word) && !ours.contains(&format!("{word} <")), "{word}: {ours}");
        }
    }
    assert!(!sandbox.ok("spdm attest --help").contains("--meas-hash"));
    let words: Vec<&str> = requester.split_whitespace().collect();
    assert!(words.join(" ").contains("No effect on requesters"), "{requester}");
    // An option's possible values include only the steps that it accepts.
    let steps =
        |option: &str| requester.split_once(option).unwrap().1.split("\n\n").nth(1).unwrap().to_owned();
    let (outside, inside) = (steps("--exe-conn <"), steps("--exe-session <"));
    assert!(outside.contains("- CHAL\n") && !outside.contains("- HEARTBEAT"), "{outside}");
    assert!(inside.contains("- HEARTBEAT\n") && !inside.contains("- CHAL"), "{inside}");
    // The help names each default.
    let attest = sandbox.ok("spdm attest --help");
    for option in ["--ver <", "--cap <", "--hash <", "--asym <", "--kem <", "--aead <"] {
        for help in [&requester, &responder, &attest] {
            let reported = help.split_once(option).unwrap().1.split("\n\n").next().unwrap();
            assert!(reported.contains("[default:"), "{option}: {reported}");
        }
    }
}

#[test]
fn rejects_unsupported_options_of_the_emulators_with_reason() {
    let sandbox = Sandbox::new();
    for (words, expected_text) in [
        ("--peer-cap CERT", ["--peer-cap", "the peer sends them itself"]),
        ("--exe-conn VER_ONLY", ["--exe-conn", "VER_ONLY"]),
        ("--tcp-sub RI --trans MCTP", ["--tcp-sub", "TCP"]),
        ("--priv-key-mode RAW", ["--priv-key-mode", "PEM or DER"]),
        ("-v", ["--verbose", "--pcap"]),
        ("--asym SM2_P256", ["--asym: SM2_P256 is not supported", "aws-lc"]),
        ("--asym SM2", ["--asym: SM2 is not supported", "aws-lc"]),
        ("--asym TPM_ALG_SM2_ECC_SM2_P256", ["--asym: TPM_ALG_SM2_ECC_SM2_P256 is not supported", "aws-lc"]),
        ("--aead sm4-gcm", ["--aead: sm4-gcm is not supported", "aws-lc"]),
        ("--other-param OPAQUE_FMT_0", ["--other-param: OPAQUE_FMT_0 is not supported", "format 1"]),
        ("--asym SM22", ["--asym: unknown algorithm SM22", "choose from"]),
        ("--dhe SM2_P256", ["--dhe: SM2_P256 is not supported", "aws-lc"]),
        ("--hash SM3_256", ["--hash: SM3_256 is not supported", "aws-lc"]),
        ("--aead SM4_128_GCM", ["--aead: SM4_128_GCM is not supported", "aws-lc"]),
        ("--meas-spec NONE", ["--meas-spec: DMTF is the only", "omit MEAS_SIG"]),
        ("--bare", ["--bare: only SPDM over TCP works without", "--trans TCP"]),
        ("--bare --trans PCI_DOE", ["--bare", "--trans TCP"]),
    ] {
        for side in ["requester", "responder"] {
            sandbox.refuses(2, &format!("spdm {side} {words}"), &expected_text);
        }
    }
}

#[test]
fn shows_and_reports_failed_steps() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "");
    sandbox.put("other.psk", [0]);
    sandbox.put("empty.psk", []);
    let words =
        format!("spdm requester --port {} --psk other.psk --exe-session PSK --exe-conn VCA", device.port);
    let done = sandbox.run(&words);
    done.check(1, &words, &["127.0.0.1:", "MAC"]);
    assert!(String::from_utf8(done.stdout).unwrap().contains("✗ PSK"));
    // A single JSON document has the steps and the error.
    let output: Value = serde_json::from_slice(&sandbox.run(&format!("{words} --json")).stdout).unwrap();
    let (line, error) = (lines(&output, "PSK")[0], &output["error"]);
    assert_eq!((&line["mark"], &error["where"]), (&"bad".into(), &output["endpoint"]), "{output}");
    assert!(error["message"].as_str().unwrap().ends_with(line["value"].as_str().unwrap()), "{output}");
    sandbox.refuses(2, "spdm requester --exe-conn HEARTBEAT", &["--exe-conn", "possible only in sessions"]);
    sandbox.refuses(
        2,
        "spdm requester --exe-session CHAL",
        &["--exe-session", "possible only outside sessions"],
    );
    sandbox.refuses(
        2,
        "spdm requester --exe-session NONE,KEY_EX",
        &["--exe-session", "NONE excludes other steps"],
    );
    sandbox.refuses(
        2,
        "spdm requester --new-chain chain.pem",
        &["--new-chain", "the step SET_CERT is missing"],
    );
    sandbox.refuses(2, "spdm requester --csr device.csr", &["--csr", "the step GET_CSR is missing"]);
    sandbox.refuses(2, "spdm requester --cap CERTS", &["--cap", "CERTS", "HANDSHAKE_IN_CLEAR"]);
    sandbox.refuses(2, "spdm requester --psk-hint xyz --test-psk", &["--psk-hint", "hexadecimal"]);
    sandbox.refuses(1, "spdm requester --psk empty.psk", &["empty.psk", "the key file is empty"]);
    sandbox.refuses(1, "spdm requester --psk none.psk", &["none.psk", "cannot read"]);
}

#[test]
fn replaces_files_only_with_force_and_after_connecting() {
    let sandbox = Sandbox::new();
    sandbox.put("old", "old");
    for side in ["requester", "responder"] {
        for option in ["--pcap", "--key-log", "--save-state"] {
            let words = format!("spdm {side} --port {CLOSED} {option} old");
            sandbox.refuses(1, &words, &["old", "the file already exists; replace it with --force"]);
        }
        let words = format!("spdm {side} --port {CLOSED} --pcap one --key-log ./one");
        sandbox.refuses(2, &words, &["two outputs have the same file name"]);
        let words = format!("spdm {side} --port {CLOSED} --ca old --pcap old --force");
        sandbox.refuses(2, &words, &["old", "would replace an input"]);
    }
    sandbox.refuses(
        1,
        &format!("spdm requester --port {CLOSED} --pcap old --key-log new --force"),
        &["refused"],
    );
    assert_eq!((sandbox.files(), sandbox.get("old")), (vec!["old".to_owned()], b"old".to_vec()));
}

#[test]
fn reports_missing_sessions_and_lost_connections() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "");
    let words = format!("spdm requester --port {} --exe-conn VCA --exe-mode CONTINUE", device.port);
    let output = sandbox.json(&format!("{words} --exe-session EVENT"));
    assert_eq!(lines(&output, "EVENT")[0]["value"], "no session; open one with KEY_EX or PSK");
    let output = sandbox.json(&format!("{words} --exe-session NONE"));
    assert_eq!(output["said"].as_array().unwrap().last().unwrap()["name"], "ALGORITHMS");
    // The device answers once, and closes the connection.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, real) = (listener.local_addr().unwrap().port(), device.port.clone());
    let between = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let mut client = listener.accept().unwrap().0;
        let mut device_socket = std::net::TcpStream::connect(format!("127.0.0.1:{real}")).unwrap();
        // Pass on the emulator's hello and GET_VERSION, each with its answer.
        for _ in 0..2 {
            let mut piece = [0; 512];
            let len = client.read(&mut piece).unwrap();
            device_socket.write_all(&piece[..len]).unwrap();
            let len = device_socket.read(&mut piece).unwrap();
            client.write_all(&piece[..len]).unwrap();
        }
    });
    let words = format!("spdm requester --port {port}");
    sandbox.run(&words).check(
        1,
        &words,
        &[&format!("127.0.0.1:{port}: GET_CAPABILITIES: the other side ended the connection")],
    );
    between.join().unwrap();
}
