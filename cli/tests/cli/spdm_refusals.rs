//! Tests of requests that `grille spdm responder` refuses, steps that `grille spdm requester` skips, and their
//! messages.

use crate::sandbox::background::Background;
use crate::sandbox::device::{Device, create_p384_chain};
use crate::sandbox::peer::CLOSED;
use crate::sandbox::{Sandbox, failure};
use crate::spdm_requester::{is_right, lines};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn refuses_and_reports_missing_mutual_authentication() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    for (wants, steps, refused) in [
        ("--mut-auth W_ENCAP", "--exe-conn CERT --exe-session KEY_EX", "KEY_EXCHANGE"),
        ("--basic-mut-auth BASIC", "--exe-conn CERT,CHAL --exe-session NONE", "CHALLENGE"),
    ] {
        let words = format!("spdm responder --port 0 --once --pqc-asym NONE --ca hosts.pem {wants}");
        let mut device = Background::start(sandbox.command(&words));
        let requester_args = format!("spdm requester --port {} {steps}", device.port());
        sandbox.run(&requester_args).check(
            1,
            &requester_args,
            &[&format!("refused {refused}: Unspecified"), "--cert and --key"],
        );
        let warned = device.warnings();
        assert!(
            warned.contains("warning: 127.0.0.1:")
                && warned.contains("a capability or a common signature algorithm is missing"),
            "{warned}"
        );
    }
    // A chain with an unknown root is refused, but a pre-shared key is sufficient.
    let words = "spdm responder --port 0 --pqc-asym NONE --mut-auth W_ENCAP --ca hosts.pem --test-psk";
    let mut device = Background::start(sandbox.command(words));
    let requester_args =
        format!("spdm requester --port {} --exe-conn CERT --req-asym ECDSA_P384", device.port());
    sandbox.ok(&format!("{requester_args} --exe-session PSK --test-psk --exe-mode CONTINUE"));
    let done = sandbox.run(&format!("{requester_args} --exe-session KEY_EX"));
    done.check(1, &requester_args, &["InvalidResponseCode; check the responder's log and its --ca"]);
    device.stop();
    let warned = device.warnings();
    assert!(warned.contains("the requester is not authenticated: "), "{warned}");
    assert!(
        warned.contains("CN=emulated device") && warned.contains("name the trusted roots with --ca"),
        "{warned}"
    );
}

#[test]
fn responder_logs_reason_of_refusals() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    let mut device = Background::start(sandbox.command("spdm responder --port 0 --pqc-asym NONE"));
    let requester_args = format!("spdm requester --port {} --exe-mode CONTINUE", device.port());
    // A successful conversation has no refusals.
    sandbox.ok(&requester_args);
    let set = "--exe-session NONE --exe-conn SET_CERT --new-chain chain.pem";
    assert_eq!(sandbox.run(&format!("{requester_args} {set}")).code, 1);
    assert_eq!(
        sandbox
            .run(&format!(
                "{requester_args} --exe-conn DIGEST,CERT --exe-session KEY_EX,SET_CERT --new-chain chain.pem"
            ))
            .code,
        1
    );
    assert_eq!(
        sandbox.run(&format!("{requester_args} --hash SHA_256 --asym ECDSA_P256 --pqc-asym NONE")).code,
        1
    );
    device.stop();
    let warned = device.warnings();
    let reported: Vec<&str> = warned.lines().filter(|line| line.contains(" refused with ")).collect();
    let other = "the chain does not end in a certificate for the slot's key";
    let other = format!("SET_CERTIFICATE of slot 0 refused with InvalidRequest: {other}");
    let expected = [&other, &other];
    assert_eq!(reported.len(), expected.len(), "{warned}");
    for (reported, expected) in reported.iter().zip(expected) {
        assert!(reported.starts_with("warning: 127.0.0.1:") && reported.contains(expected), "{warned}");
    }
}

/// Sends messages of this type over one TCP connection, and reads the response to each.
fn send(port: &str, kind: u8, messages: &[&[u8]]) {
    let mut socket = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
    for message in messages {
        let len = (message.len() as u16 + 2).to_le_bytes();
        socket.write_all(&[&len, &[1, kind], *message].concat()).unwrap();
        let mut len = [0; 2];
        socket.read_exact(&mut len).unwrap();
        socket.read_exact(&mut vec![0; u16::from_le_bytes(len).into()]).unwrap();
    }
}

#[test]
fn limits_warnings_per_connection() {
    let sandbox = Sandbox::new();
    for (count, more) in
        [(20, None), (21, Some("further refused requests: 1")), (30, Some("further refused requests: 10"))]
    {
        let words = "spdm responder --port 0 --once --trans TCP --pqc-asym NONE";
        let mut device = Background::start(sandbox.command(words));
        // The requests are GET_DIGESTS, which is not allowed before the negotiation.
        send(&device.port(), 5, &vec![&[0x10, 0x81, 0, 0][..]; count]);
        device.end();
        let warned = device.warnings();
        let reported =
            warned.lines().filter(|line| line.contains("GET_DIGESTS refused with UnexpectedRequest"));
        assert_eq!(reported.count(), 20, "{warned}");
        assert_eq!(warned.lines().count(), 20 + usize::from(more.is_some()), "{warned}");
        assert!(warned.contains(more.unwrap_or_default()), "{warned}");
    }
}

#[test]
fn reports_record_of_unknown_session() {
    let sandbox = Sandbox::new();
    let mut device =
        Background::start(sandbox.command("spdm responder --port 0 --once --trans TCP --pqc-asym NONE"));
    send(&device.port(), 6, &[&[0; 32]]);
    device.end();
    let warned = device.warnings();
    assert!(warned.contains(": a session record refused with InvalidRequest\n"), "{warned}");
}

#[test]
fn missing_capabilities_come_with_their_options() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--cap CERT,CHAL,MEAS_NO_SIG,CHUNK --root root.pem");
    let words = format!("spdm requester --port {} --exe-mode CONTINUE --exe-session KEY_EX", device.port);
    let output = sandbox.json(&format!("{words} --exe-conn GET_CSR,CERT,CHAL"));
    for (name, lacks) in [
        ("GET_CSR", "not negotiated: the responder lacks CSR_CAP (--cap with CSR)"),
        ("KEY_EX", "not negotiated: the responder lacks KEY_EX_CAP (--cap with KEY_EX)"),
    ] {
        assert_eq!(lines(&output, name)[0]["value"], lacks, "{output}");
    }
    let output = sandbox.json(&format!("{words} --exe-conn MEL --ver 1.2"));
    assert_eq!(lines(&output, "MEL")[0]["value"], "not negotiated: it requires SPDM 1.3 (--ver)");
    // The chain was not fetched.
    let words = format!("{words} --exe-conn CHAL");
    sandbox.run(&words).check(1, &words, &["slot 0 is not known", "put CERT before this step in --exe-conn"]);
    let attest =
        |device: &Device, words: &str| format!("spdm attest 127.0.0.1:{} --ca root.pem {words}", device.port);
    let signs = Device::start(&sandbox, "--cap CERT,CHAL,MEAS_SIG,CHUNK --root root.pem --force");
    sandbox.refuses(
        3,
        &attest(&signs, "--session KEY_EX"),
        &["KEY_EXCHANGE", "KEY_EX_CAP (--cap with KEY_EX)"],
    );
    for (caps, request, lacks) in [
        ("CHAL,MEAS_SIG,CHUNK,PUB_KEY_ID", "has no certificates", "--peer-key instead of --ca"),
        ("CERT,MEAS_SIG,CHUNK", "CHALLENGE", "CHAL_CAP (--cap with CHAL)"),
        ("CERT,CHAL,CHUNK", "does not sign measurements", "MEAS_CAP_SIG (--cap with MEAS_SIG)"),
        ("CERT,CHAL,MEAS_NO_SIG,CHUNK", "does not sign measurements", "MEAS_CAP_SIG (--cap with MEAS_SIG)"),
    ] {
        let device = Device::start(&sandbox, &format!("--cap {caps} --root root.pem --force"));
        sandbox.refuses(3, &attest(&device, ""), &[request, lacks]);
    }
}

#[test]
fn skipped_steps_name_the_missing_option() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "");
    let requester_args = format!("spdm requester --port {} --exe-mode CONTINUE", device.port);
    for (words, steps, option) in [
        ("--other-param NONE", &["KEY_EX", "PSK"][..], "(--other-param with OPAQUE_FMT_1)"),
        ("--mel-spec NONE", &["MEL"], "(--mel-spec)"),
    ] {
        let output = sandbox.json(&format!("{requester_args} --test-psk {words}"));
        assert!(is_right(&output), "{words}: {output}");
        for step in steps {
            let line = lines(&output, step)[0]["value"].as_str().unwrap();
            assert!(line.starts_with("not negotiated: the two sides") && line.contains(option), "{output}");
        }
    }
    let device = Device::start(&sandbox, "--asym NONE --sec-ver 1.1 --root root.pem");
    for session in ["KEY_EX", "PSK --test-psk"] {
        let requester_args =
            format!("spdm requester --port {} --exe-mode CONTINUE --sec-ver 1.2", device.port);
        let words = format!("{requester_args} --exe-conn DIGEST,CERT --exe-session {session}");
        sandbox.run(&words).check(1, &words, &["InvalidRequest", "--sec-ver"]);
    }
    let words = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
    let none = format!("{words} --session KEY_EX --other-param NONE");
    sandbox.refuses(3, &none, &["KEY_EXCHANGE", "OPAQUE_FMT_1 (--other-param)"]);
    // The device has only post-quantum keys.
    let lacks =
        ["GET_DIGESTS", "no signature algorithm for the responder in common", "--pqc-asym with SPDM 1.4"];
    sandbox.refuses(3, &format!("{words} --ver 1.2"), &lacks);
}

#[test]
fn warns_of_selected_slot_without_chain() {
    let sandbox = Sandbox::new();
    for (words, warns) in [("--slot-id 3", true), ("--slot-id 3 --slot-count 4", false), ("", false)] {
        Device::check_warning(&sandbox, words, "--slot-id: slot 3 has no chain", warns);
    }
}

#[test]
fn warns_of_chain_that_peers_reject() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    let (ca, own) = (
        "--pqc-asym NONE --cert hosts.pem --key root.key",
        "--pqc-asym NONE --cert chain.pem --key host.key",
    );
    let closed_port = CLOSED;
    let requesters =
        [format!("requester --port {closed_port}"), format!("attest 127.0.0.1:{closed_port} --ca hosts.pem")];
    let reported = |chain: &str| {
        let warned = |words: &String| sandbox.run(&format!("spdm {words} {chain}")).stderr;
        [Device::warnings(&sandbox, chain)]
            .into_iter()
            .chain(requesters.iter().map(warned))
            .collect::<Vec<_>>()
    };
    let warns =
        "warning: --cert: the certificate of CN=hosts is a CA certificate, which can only issue others";
    assert!(reported(ca).iter().all(|warned| warned.contains(warns)), "{:?}", reported(ca));
    assert!(reported(own).iter().all(|warned| !warned.contains("--cert")), "{:?}", reported(own));
}

#[test]
fn rejects_key_unsupported_by_versions() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out new.key");
    sandbox.ok("cert root --key new.key --subject CN=device --out chain.pem");
    let words = "spdm responder --port 0 --ver 1.2,1.3";
    let reported = ["new.key: cannot sign with a key of ML-DSA-44", "SPDM 1.4 (--ver)"];
    sandbox.refuses(2, &format!("{words} --cert chain.pem --key new.key"), &reported);
    let reported = ["--asym: no signature algorithm is left", "SPDM 1.4 with --ver"];
    sandbox.refuses(2, &format!("{words} --asym NONE"), &reported);
    drop(Device::start(&sandbox, "--ver 1.3,1.4 --cert chain.pem --key new.key"));
    drop(Device::start(&sandbox, "--ver 1.3 --asym NONE --cap PSK,ENCRYPT,MAC"));
}

#[test]
fn error_for_unknown_step_lists_valid_steps() {
    let sandbox = Sandbox::new();
    for (option, own, others) in
        [("--exe-conn", "CHAL", ["KEY_EX", "HEARTBEAT"]), ("--exe-session", "KEY_EX", ["VCA", "CHAL"])]
    {
        let reported = sandbox.run(&format!("spdm requester {option} DIGEST,FOO"));
        assert!(
            reported.code == 2 && reported.stderr.contains("FOO") && reported.stderr.contains(own),
            "{}",
            reported.stderr
        );
        assert!(others.iter().all(|other| !reported.stderr.contains(other)), "{}", reported.stderr);
    }
}

#[test]
fn spdm_1_0_measures_only_with_slot_0() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--pqc-asym NONE --slot-count 3 --root root.pem");
    let port = &device.port;
    for words in [
        format!("attest 127.0.0.1:{port} --ca root.pem --ver 1.0"),
        format!("requester --port {port} --exe-mode CONTINUE --ver 1.0 --exe-conn DIGEST,CERT,MEAS"),
    ] {
        let parts = ["GET_MEASUREMENTS of SPDM 1.0 has no slot field: slot 0 always signs; use --slot-id 0"];
        sandbox.run(&format!("spdm {words} --slot-id 2")).check(failure(&words), &words, &parts);
        sandbox.ok(&format!("spdm {words} --slot-id 0"));
        sandbox.ok(&format!("spdm {} --slot-id 2", words.replace("--ver 1.0", "--ver 1.1")));
    }
}

#[test]
fn rejects_contradictory_capabilities() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --alg ECDSA-P384 --out raw.key --pub raw.pub");
    for (words, parts) in [
        (
            "--cap CERT",
            [
                "--cap: in SPDM 1.4 CERT needs CHAL, MEAS_SIG, KEY_EX or EP_INFO_SIG: ",
                "add CHAL, MEAS_SIG or EP_INFO_SIG\n",
                "",
            ],
        ),
        (
            "--cap CERT,KEY_EX",
            ["--cap: in SPDM 1.4 KEY_EX needs ENCRYPT or MAC: add ENCRYPT or MAC\n", "", ""],
        ),
        ("--cap CHAL --ver 1.0", ["in SPDM 1.0 CHAL needs CERT: add CERT\n", "", ""]),
        (
            "--slot-id 0xFF --key raw.key --pqc-asym NONE --ver 1.0,1.2",
            ["--ver: SPDM 1.0 does not support", "provisioned public keys", "use SPDM 1.1 or later"],
        ),
    ] {
        sandbox.refuses(2, &format!("spdm responder --port 0 {words}"), &parts);
    }
    // The requester checks the rules for requesters.
    for (words, parts) in [
        ("--cap CERT", ["--cap: in SPDM 1.4 CERT needs CHAL, ", "add CHAL or EP_INFO_SIG\n"]),
        ("--cap CERT,CHAL,KEY_EX --ver 1.2", ["--cap: in SPDM 1.2 KEY_EX needs", "add ENCRYPT or MAC\n"]),
        (
            "--cap EVENT_CAP,CERT,CHAL --ver 1.4",
            ["EVENT needs KEY_EX or PSK: ", "add KEY_EX or PSK, and ENCRYPT or MAC\n"],
        ),
    ] {
        sandbox.refuses(2, &format!("spdm requester --port 1 {words}"), &parts);
        sandbox.refuses(2, &format!("spdm attest localhost:1 --peer-key raw.pub {words}"), &parts);
    }
    // If the user names no versions, the responder does not offer SPDM 1.0, which has no provisioned public keys.
    let device = Device::start(&sandbox, "--slot-id 0xFF --key raw.key --pqc-asym NONE");
    let words = format!("spdm requester --port {} --ver 1.0", device.port);
    sandbox.run(&words).check(1, &words, &["choose the offered versions with --ver"]);
}

#[test]
fn warns_of_versions_excluded_by_capabilities() {
    let sandbox = Sandbox::new();
    for (words, warns) in [
        (
            "--cap CERT,CHAL,MEAS_SIG,HBEAT --root root.pem",
            Some([
                "warning: --cap: SPDM 1.1, 1.2, 1.3, 1.4 are not offered, because HBEAT needs KEY_EX, PSK",
                "add KEY_EX, PSK or PSK_WITH_CONTEXT, and ENCRYPT or MAC; post-quantum algorithms need SPDM 1.4",
            ]),
        ),
        ("--cap CERT,CHAL,MEAS_SIG,HBEAT --ver 1.0", None),
        ("--cap CERT,CHAL,MEAS_SIG", None),
        ("", None),
    ] {
        let warned = Device::warnings(&sandbox, words);
        assert_eq!(warned.contains("not offered"), warns.is_some(), "{words}: {warned}");
        assert!(warns.into_iter().flatten().all(|part| warned.contains(part)), "{words}: {warned}");
    }
    // The responder generates no key that would sign nothing.
    let roots = String::from_utf8(sandbox.get("root.pem")).unwrap();
    assert_eq!(roots.matches("BEGIN CERTIFICATE").count(), 1);
    let device = Device::start(&sandbox, "--root root.pem --force");
    for (words, code) in [
        (format!("attest 127.0.0.1:{} --ca root.pem --cap CERT,CHAL,CHUNK,LARGE_RESP,EVENT", device.port), 0),
        (format!("requester --port {} --ca root.pem --cap CERT,CHAL,CHUNK,EVENT", device.port), 0),
    ] {
        let parts = [
            "warning: --cap: SPDM 1.3, 1.4 are not offered, because EVENT needs",
            "add KEY_EX or PSK, and ENCRYPT or MAC; post-quantum algorithms need SPDM 1.4",
        ];
        sandbox.run(&format!("spdm {words}")).check(code, &words, &parts);
    }
}

#[test]
fn rejects_chain_without_leading_root() {
    let sandbox = Sandbox::new();
    create_p384_chain(&sandbox);
    sandbox.put("rootless.pem", sandbox.get("host.pem"));
    sandbox.put("turned.pem", [sandbox.get("host.pem"), sandbox.get("hosts.pem")].concat());
    sandbox.put(
        "twice.pem",
        [sandbox.get("hosts.pem"), sandbox.get("host.pem"), sandbox.get("host.pem")].concat(),
    );
    // The file two.pem contains a root of each algorithm.
    drop(Device::start(&sandbox, "--root two.pem"));
    for (chain, parts) in [
        ("two.pem", "CN=emulated device root ML-DSA-87 follows CN=emulated device root ECDSA-P384, but"),
        ("rootless.pem", "the chain starts with CN=host, which is not a root: CN=hosts issued it"),
        ("turned.pem", "the chain starts with CN=host, which is not a root: CN=hosts issued it"),
        ("twice.pem", "CN=host follows CN=host, but CN=hosts issued it"),
    ] {
        for words in
            ["responder --port 0", "requester", "bench --only classical", "attest localhost --ca hosts.pem"]
        {
            let words = format!("spdm {words} --cert {chain} --key host.key");
            sandbox.refuses(failure(&words), &words, &[chain, parts, "put the root"]);
        }
    }
}

#[test]
fn warns_of_published_root_and_test_key() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out root.key");
    let mut root = sandbox.command("cert root --key root.key --out root.pem --subject");
    assert!(root.arg("CN=DMTF libspdm ECP384 CA").status().unwrap().success());
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out device.key");
    sandbox.ok("cert request --key device.key --subject CN=device --san device.example --out device.csr");
    sandbox.ok("cert issue --csr device.csr --ca root.pem --ca-key root.key --out device.pem");
    sandbox.put("chain.pem", [sandbox.get("root.pem"), sandbox.get("device.pem")].concat());
    sandbox.put("test.psk", "TestPskData");
    sandbox.put("own.psk", "OwnPskData");
    let published = "--ca: the private key of the root CN=DMTF libspdm ECP384 CA is public";
    let mutual = "--pqc-asym NONE --mut-auth W_ENCAP";
    Device::check_warning(&sandbox, &format!("{mutual} --ca root.pem"), published, true);
    let own = "--pqc-asym NONE --cert chain.pem --key device.key";
    let device = Device::start(&sandbox, own);
    let requester_args = format!("spdm requester --port {} --exe-session NONE --exe-conn CERT", device.port);
    let done = sandbox.run(&format!("{requester_args} --ca root.pem"));
    assert!(done.code == 0 && done.stderr.contains(published), "{}", done.stderr);
    let open = "anyone can open a session with the public test key of DMTF's emulators";
    for (options, warns) in [
        ("", true),
        ("--psk test.psk", true),
        ("--psk own.psk", false),
        ("--test-psk", false),
        ("--cap CERT,CHAL,KEY_EX,ENCRYPT,MAC", false),
    ] {
        Device::check_warning(&sandbox, &format!("{own} {options}"), open, warns);
    }
    Device::check_warning(&sandbox, "--pqc-asym NONE --psk test.psk", open, true);
    Device::check_warning(&sandbox, "--pqc-asym NONE", open, false);
}
