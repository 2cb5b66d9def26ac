//! Complete workflows for every row of the registry.

use crate::sandbox::Sandbox;
use grille_registry::{Family, signature_by_name};

#[test]
fn verifies_only_the_signed_message_context_and_key() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", b"I hear you fa shizzle!");
    sandbox.put("other", b"hello wolfssl!");
    for row in sandbox.rows("sig") {
        let alg = row.name();
        for party in ["my", "your"] {
            sandbox.ok(&format!(
                "keygen --quiet --force --alg {alg} --form raw --out {party}.key --pub {party}.pub"
            ));
        }
        assert_eq!(sandbox.get("my.pub").len(), row.number("public_key_len"), "{alg}");
        let context = if row.number("context_len") > 0 { "--context mine" } else { "" };
        sandbox.ok(&format!("sign --quiet --force --key my.key --alg {alg} {context} --in letter --out sig"));
        assert!(sandbox.get("sig").len() <= row.number("signature_len"), "{alg}");
        let verify = format!("verify --quiet --sig sig --alg {alg}");
        assert!(
            sandbox.ok(&format!("{verify} --pub my.pub --in letter {context}")).starts_with("OK: sig"),
            "{alg}"
        );
        let no: &[&str] = &["sig: the signature does not match", alg];
        sandbox.refuses(1, &format!("{verify} --pub my.pub --in other {context}"), no);
        sandbox.refuses(1, &format!("{verify} --pub your.pub --in letter {context}"), no);
        if !context.is_empty() {
            sandbox.refuses(1, &format!("{verify} --pub my.pub --in letter"), no);
        }
    }
}

#[test]
fn reports_mismatches_as_their_own_kind() {
    let sandbox = Sandbox::new();
    for row in sandbox.rows("sig").iter().take(1) {
        let alg = row.name();
        sandbox.ok(&format!("keygen --quiet --alg {alg} --form raw --out key --pub pub"));
        let done =
            sandbox.pipe(b"message", &format!("verify --quiet --alg {alg} --pub pub --sig pub --json"));
        let document: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(document["error"]["kind"], "mismatch");
        assert_eq!(document["error"]["where"], "pub");
    }
}

/// Returns the family of an algorithm; `None` if the algorithm is classical, slow, or composed of other algorithms.
fn quick_family(algorithm: &str) -> Option<Family> {
    let row = signature_by_name(algorithm).expect("a listed name");
    let slow = row.family == Family::HashSmall || row.signature.is_composite();
    Some(row.family).filter(|_| row.category > 0 && !slow)
}

#[test]
fn signs_in_a_pipe_and_without_randomness() {
    let sandbox = Sandbox::new();
    for row in sandbox.rows("sig") {
        let alg = row.name();
        let Some(family) = quick_family(alg) else { continue };
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --form raw --out key --pub pub"));
        let sign = format!("sign --quiet --key key --alg {alg}");
        let once = sandbox.pipe(b"message", &format!("{sign} --deterministic"));
        if family == Family::Falcon {
            assert!(once.code != 0 && once.stderr.contains("without randomness"), "{alg}: {}", once.stderr);
        } else {
            let twice = sandbox.pipe(b"message", &format!("{sign} --deterministic"));
            assert!(once.code == 0 && once.stdout == twice.stdout, "{alg}: {}", once.stderr);
        }
        let hedged = sandbox.pipe(b"message", &sign);
        assert!(hedged.code == 0 && hedged.stdout != once.stdout, "{alg}: {}", hedged.stderr);
        sandbox.put("sig", &hedged.stdout);
        let verify = format!("verify --quiet --pub pub --alg {alg} --sig sig");
        assert_eq!(sandbox.pipe(b"message", &verify).code, 0, "{alg}");
        assert_eq!(sandbox.pipe(b"massage", &verify).code, 1, "{alg}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn shows_progress_only_at_a_terminal() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "Dear Alice");
    sandbox.ok("keygen --quiet --alg SLH-DSA-SHAKE-192s --out key --pub pub");
    let shown = sandbox.run_at_terminal("sign --key key --in letter --out sig");
    let bar = "SLH-DSA-SHAKE-192s: signing: [=";
    assert!(shown.contains(bar) && shown.contains(" %, ") && shown.contains(" s so far"), "{shown:?}");
    let shown = sandbox.run_at_terminal("sign --quiet --force --key key --in letter --out sig");
    assert!(!shown.contains(bar), "{shown:?}");
    sandbox.ok("verify --pub pub --in letter --sig sig");
    let shown = sandbox.run_at_terminal("cert root --key key --subject CN=root --out root.crt");
    assert!(shown.contains("signing: [=") && shown.contains(" %, "), "{shown:?}");
}

#[test]
fn agrees_on_secrets_with_every_kem() {
    let sandbox = Sandbox::new();
    for row in sandbox.rows("kem") {
        let alg = row.name();
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --form raw --out bob.key --pub bob.pub"));
        sandbox.ok(&format!("encap --quiet --force --alg {alg} --pub bob.pub --ct ct --secret alice.secret"));
        sandbox.ok(&format!("decap --quiet --force --alg {alg} --key bob.key --ct ct --secret bob.secret"));
        assert_eq!(sandbox.get("ct").len(), row.number("ciphertext_len"), "{alg}");
        assert_eq!(sandbox.get("alice.secret").len(), row.number("shared_secret_len"), "{alg}");
        assert!(sandbox.get("alice.secret") == sandbox.get("bob.secret"), "{alg}");
    }
}

#[test]
fn passes_ciphertexts_through_pipes_in_hexadecimal() {
    let sandbox = Sandbox::new();
    for row in sandbox.rows("kem").iter().take(1) {
        let alg = row.name();
        sandbox.ok(&format!("keygen --quiet --alg {alg} --form raw --out bob.key --pub bob.pub"));
        let sent = sandbox
            .run(&format!("encap --quiet --hex --alg {alg} --pub bob.pub --ct - --secret alice.secret"));
        assert_eq!(sent.stdout.len(), 2 * row.number("ciphertext_len") + 1);
        let decap = format!("decap --quiet --hex --alg {alg} --key bob.key --ct - --secret -");
        assert!(sandbox.pipe(&sent.stdout, &decap).stdout == sandbox.get("alice.secret"));
    }
}

#[test]
fn lists_every_column_in_json_and_every_name_as_text() {
    let sandbox = Sandbox::new();
    let listing = sandbox.json("list --all");
    assert_eq!(listing["schema"], 2);
    let text = sandbox.ok("list --all");
    for kind in ["kems", "signatures"] {
        for row in listing[kind].as_array().unwrap() {
            for column in
                ["name", "category", "status", "spec", "oid", "tls_code", "aliases", "public_key_len"]
            {
                assert!(row.get(column).is_some(), "{row} has no {column}");
            }
            assert!(text.contains(row["name"].as_str().unwrap()));
        }
    }
    assert_eq!(sandbox.json("list kem --all")["signatures"].as_array().unwrap().len(), 0);
}

#[test]
fn measures_every_operation() {
    let sandbox = Sandbox::new();
    for kind in ["kem", "sig"] {
        for row in sandbox.rows(kind).iter().take(1) {
            let results = sandbox.json(&format!("bench --seconds 0 {}", row.name()));
            let results = results["results"].as_array().unwrap().clone();
            assert_eq!(results.len(), 3);
            assert!(results.iter().all(|speed| speed["ops_per_second"].as_f64().unwrap() > 0.0));
        }
    }
}
