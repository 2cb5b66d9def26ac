//! `grille spdm requester` and `grille spdm responder`, as a user runs them.

mod desk;

use desk::Desk;
use desk::device::Device;
use serde_json::Value;

/// The lines of this name, wherever they stand in the tree.
fn find<'a>(tree: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    for node in tree.as_array().into_iter().flatten() {
        if node["name"].as_str().is_some_and(|known| known.starts_with(name)) {
            found.push(node);
        }
        find(&node["children"], name, found);
    }
}

fn lines<'a>(tree: &'a Value, name: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    find(&tree["said"], name, &mut found);
    found
}

/// Nothing in the tree is wrong.
fn is_right(tree: &Value) -> bool {
    !tree.to_string().contains("\"bad\"")
}

#[test]
fn every_transport_and_version_is_walked_through() {
    let desk = Desk::new();
    for (trans, ver, sessions) in [
        ("MCTP", "1.4", 2),
        ("MCTP", "1.0", 0),
        ("PCI_DOE", "1.3", 2),
        ("PCI_DOE", "1.1", 2),
        ("TCP", "1.2", 2),
        ("TCP --bare", "1.4", 2),
    ] {
        let mut device = Device::start(
            &desk,
            &format!("--trans {} --root root.pem --force", &trans[..trans.find(' ').unwrap_or(trans.len())]),
        );
        let said = desk.json(&format!(
            "spdm requester --port {} --trans {trans} --ver {ver} --ca root.pem --slot_id 0",
            device.port
        ));
        assert!(is_right(&said), "{trans} {ver}: {said}");
        assert_eq!(lines(&said, "VERSION")[0]["value"], ver);
        assert_eq!(lines(&said, "session 0x").len(), sessions, "{trans} {ver}");
        assert_eq!(lines(&said, "END_SESSION").len(), sessions);
        assert_eq!(lines(&said, "CHALLENGE_AUTH")[0]["mark"], "good");
        assert_eq!(lines(&said, "MEASUREMENTS").len(), 1 + sessions);
        assert_eq!(lines(&said, "KEY_UPDATE_ACK").len(), sessions);
        if trans != "TCP --bare" {
            assert!(device.ends_well(), "SHUTDOWN ends the responder");
        }
    }
}

#[test]
fn certificates_of_every_slot_are_shown() {
    let desk = Desk::new();
    let device = Device::start(&desk, "--slot_count 3 --root root.pem");
    let words = format!("spdm requester --port {} --ca root.pem --exe_session NO_END", device.port);
    let said = desk.ok(&format!("{words} --exe_conn DIGEST,CERT --exe_mode CONTINUE"));
    for slot in ["✓ slot 0", "✓ slot 1", "✓ slot 2", "└─ CN=emulated device root", "   └─ CN=emulated device"]
    {
        assert!(said.contains(slot), "{slot}: {said}");
    }
    let said = desk.ok(&format!(
        "spdm requester --port {} --exe_conn DIGEST,CERT,CHAL --slot_id 2 --exe_session KEY_EX",
        device.port
    ));
    assert!(said.contains("nobody said which roots to trust"), "{said}");
    assert!(said.contains("signed by slot 2"), "{said}");
}

#[test]
fn both_sides_prove_themselves() {
    let desk = Desk::new();
    for (mutual, ver, asym) in [
        ("W_ENCAP", "1.2", "--req_asym ECDSA_P384 --req_pqc_asym NONE"),
        ("DIGESTS", "1.4", "--req_pqc_asym ML_DSA_65 --req_asym NONE"),
        ("NO --basic_mut_auth BASIC", "1.3", "--hash SHA_384 --req_asym RSAPSS_3072 --req_pqc_asym NONE"),
    ] {
        let mut device = Device::start(&desk, &format!("--mut_auth {mutual} {asym}"));
        let words = format!("spdm requester --port {} --ver {ver} {asym}", device.port);
        let said = desk.json(&words);
        assert!(is_right(&said), "{mutual}: {said}");
        assert_eq!(lines(&said, "mutual authentication").len(), usize::from(mutual.contains("BASIC")));
        assert_ne!(lines(&said, "requester signs")[0]["value"], "none");
        assert!(device.ends_well());
    }
}

#[test]
fn steps_that_fail_are_told_and_shown() {
    let desk = Desk::new();
    let device = Device::start(&desk, "");
    let words = format!("spdm requester --port {} --psk 00 --exe_session PSK --exe_conn VCA", device.port);
    let done = desk.run(&words);
    done.says(1, &words, &["127.0.0.1:", "MAC"]);
    assert!(String::from_utf8(done.stdout).unwrap().contains("✗ PSK"));
    desk.refuses(2, "spdm requester --exe_conn HEARTBEAT", &["--exe_conn", "only in sessions"]);
    desk.refuses(2, "spdm requester --exe_session CHAL", &["--exe_session", "only outside sessions"]);
    desk.refuses(2, "spdm requester --cap CERTS", &["--cap", "CERTS", "HANDSHAKE_IN_CLEAR"]);
    desk.refuses(2, "spdm requester --psk xyz", &["--psk", "hexadecimal"]);
}
