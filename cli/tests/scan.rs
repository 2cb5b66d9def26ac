//! `grille tls scan`: what it says of servers, in text, JSON and SARIF.

mod desk;

use desk::Desk;
use desk::background::Background;
use serde_json::{Value, json};

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
