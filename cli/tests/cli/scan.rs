//! `grille tls scan`: what it says of servers, in text, JSON and SARIF.

use crate::desk::Desk;
use crate::desk::background::Background;
use grille_tls::hello::Hello;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

/// A server with a certificate of this algorithm, and these groups.
fn serving(desk: &Desk, signature: &str, groups: &str) -> Background {
    desk.ok(&format!("cert chain --quiet --alg {signature} --out {signature}"));
    let files = format!("--cert {signature}/entity_cert.pem --key {signature}/entity_key.pem");
    Background::start(desk.command(&format!("tls server --quiet --port 0 {files} --groups {groups}")))
}

#[test]
fn who_decides_and_what_certificates_stand_on_is_said_in_every_form() {
    let desk = Desk::new();
    for (signature, groups, status, order) in [
        ("ML-DSA-65", "X25519MLKEM768,X25519", "standard", Some("clients-order")),
        ("Falcon-512", "X25519MLKEM768", "candidate", None),
        ("Dilithium2", "ML-KEM-768,secp256r1", "retired", Some("clients-order")),
        ("ECDSA-P256-SHA256", "X25519", "classical", None),
    ] {
        let server = serving(&desk, signature, groups);
        let scan = format!("tls scan localhost:{} --rate 1000", server.port());
        let document = desk.json(&scan);
        assert_eq!(document["order"]["preference"], json!(order), "{signature}");
        if order.is_some() {
            let last = &document["order"]["trials"][3];
            assert_eq!(last["key_shares"].as_array().unwrap().len(), 1);
            assert_eq!(last["groups"][0], last["taken"], "the client's first");
        }
        let [scheme] = document["signatures"].as_array().unwrap().as_slice() else { panic!("{document}") };
        let certificate = &scheme["certificates"][0];
        let statuses = [&scheme["status"], &certificate["key_status"], &certificate["signature_status"]];
        assert_eq!(statuses, [status; 3], "{signature}");
        let safe = json!(status != "classical");
        let of_chains = &document["quantum_safe_certificate"];
        assert_eq!([of_chains, &document["quantum_safe_handshake_signature"]], [&safe; 2], "{signature}");
        assert!(document.get("unknown_signatures").is_none(), "{document}");

        let text = desk.ok(&scan);
        assert!(
            text.contains(&format!("{signature} key ({status}), {signature} signature ({status})")),
            "{text}"
        );
        assert_eq!(text.contains("the client's order decides"), order.is_some(), "{text}");

        let sarif: Value = serde_json::from_str(&desk.ok(&format!("{scan} --format sarif"))).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let of_rule = |rule: &str| results.iter().filter(|result| result["ruleId"] == rule).count();
        let is_standard = ["standard", "classical"].contains(&status);
        let (good, bad) = if is_standard { (3, 0) } else { (0, 3) };
        assert_eq!((of_rule("status"), of_rule("experimental-signature")), (good, bad), "{signature}");
        assert_eq!(of_rule("preference"), usize::from(order.is_some()), "{signature}");
        let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            let place = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[place]["id"], result["ruleId"]);
        }
    }
}

/// An end entity's certificate has the signature of its issuer, and signs handshakes with its own key.
#[test]
fn certificates_and_handshakes_are_told_apart() {
    let desk = Desk::new();
    for (own, root, handshake, certificate) in
        [("ECDSA-P256-SHA256", "ML-DSA-65", false, true), ("ML-DSA-44", "ECDSA-P256-SHA256", true, false)]
    {
        desk.ok(&format!("cert chain --quiet --alg {root} --out {own}"));
        desk.ok(&format!("keygen --alg {own} --out {own}/own.key"));
        desk.ok(&format!(
            "cert issue --key {own}/own.key --ca {own}/root_cert.pem --ca-key {own}/root_key.pem \
             --subject CN=own --san DNS:localhost --out {own}/own.crt"
        ));
        let server = Background::start(
            desk.command(&format!("tls server --quiet --port 0 --cert {own}/own.crt --key {own}/own.key")),
        );
        let scan = format!("tls scan localhost:{} --rate 1000", server.port());
        let document = desk.json(&scan);
        assert_eq!(document["quantum_safe_handshake_signature"], handshake, "{document}");
        assert_eq!(document["quantum_safe_certificate"], certificate, "{document}");
        let [signature] = document["signatures"].as_array().unwrap().as_slice() else { panic!("{document}") };
        assert_eq!(
            (&signature["quantum_safe"], &signature["quantum_safe_certificates"]),
            (&json!(handshake), &json!(certificate))
        );
        let yes_no = |answer| if answer { "yes" } else { "no" };
        let line =
            format!("handshake signature: {}, certificates: {}", yes_no(handshake), yes_no(certificate));
        assert!(desk.ok(&scan).contains(&line), "{line}");
        let sarif: Value = serde_json::from_str(&desk.ok(&format!("{scan} --format sarif"))).unwrap();
        assert_eq!(said_by(&sarif, "certificate").is_empty(), certificate, "{sarif}");
        assert_eq!(said_by(&sarif, "handshake-signature").is_empty(), handshake, "{sarif}");
    }
}

/// What the findings of a rule say.
fn said_by(sarif: &Value, rule: &str) -> Vec<String> {
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let of_rule = results.filter(|result| result["ruleId"] == rule);
    of_rule.map(|result| result["message"]["text"].as_str().unwrap().to_owned()).collect()
}

/// A HelloRetryRequest for X25519, in a record.
const RETRY: &str = "160303003802000034\
    0303cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c00130100\
    000c002b0002030400330002001d";

/// It takes X25519, and then breaks off before a certificate.
fn answer(hello: &Hello) -> &'static str {
    match (hello.groups.contains(&0x001D), hello.shares.is_empty()) {
        (false, _) => "15030300020228",
        (true, true) => RETRY,
        (true, false) => "15030300020250",
    }
}

#[test]
fn a_server_that_fails_every_handshake_is_not_said_to_be_classical() {
    let desk = Desk::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut header = [0; 5];
            socket.read_exact(&mut header).unwrap();
            let mut hello = vec![0; usize::from(u16::from_be_bytes([header[3], header[4]]))];
            socket.read_exact(&mut hello).unwrap();
            let answer = answer(&Hello::parse(&hello).unwrap());
            // the scanner may be gone
            let _ = socket.write_all(&base16ct::lower::decode_vec(answer).unwrap());
        }
    });
    let scan = format!("tls scan localhost:{port} --rate 1000");
    let document = desk.json(&scan);
    for answer in ["quantum_safe_certificate", "quantum_safe_handshake_signature"] {
        assert!(document.get(answer).is_none(), "{document}");
    }
    let [reason] = document["unknown_signatures"].as_array().unwrap().as_slice() else {
        panic!("{document}")
    };
    assert!(reason.as_str().unwrap().starts_with("a handshake failed with X25519: "), "{reason}");
    let text = desk.ok(&scan);
    assert!(text.contains("handshake signature: unknown, certificates: unknown"), "{text}");
    let sarif: Value = serde_json::from_str(&desk.ok(&format!("{scan} --format sarif"))).unwrap();
    let [said] = &said_by(&sarif, "certificate")[..] else { panic!("{sarif}") };
    assert!(said.contains("unknown") && said.contains("with X25519"), "{said}");
}
