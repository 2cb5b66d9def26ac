//! What certificates serve and how they are called: end entities, roots, keys of KEMs, revocation, names, long chains.

use crate::certificates::{CA, desk};
use crate::desk::Desk;
use grille_pki::Certificate;
use grille_pki::issue::{KeyUsage, KeyUsages, Profile, Template, issue};

#[test]
fn algorithms_are_named_by_their_identifiers_supported_or_not() {
    let desk = Desk::new();
    for (file, key, signature) in [
        ("ec-p256-sha384", "ECDSA-P256-SHA256", "ecdsa-with-SHA384 (key P-256)"),
        (
            "ec-brainpool256-sha256",
            "brainpoolP256r1 (not supported here)",
            "ecdsa-with-SHA256 (key brainpoolP256r1)",
        ),
        ("ec-secp256k1-sha256", "secp256k1 (not supported here)", "ecdsa-with-SHA256 (key secp256k1)"),
        (
            "rsa-1024-sha1",
            "RSA-1024 (not supported here)",
            "sha1WithRSAEncryption (not supported here) (key RSA-1024)",
        ),
        ("rsa-2048-sha384", "RSA-2048", "sha384WithRSAEncryption (key RSA-2048)"),
        ("rsa-2048-sha512", "RSA-2048", "sha512WithRSAEncryption (key RSA-2048)"),
        ("rsa-2048-pss-sha384", "RSA-2048", "RSASSA-PSS with SHA-384 (key RSA-2048)"),
    ] {
        let path = format!("{}/../vectors/x509/{file}.crt", env!("CARGO_MANIFEST_DIR"));
        desk.put("x.crt", std::fs::read(path).unwrap());
        let shown = desk.ok("cert show x.crt");
        for line in [format!("  key       {key}, "), format!("  signature {signature}, ")] {
            assert!(shown.contains(&line), "{line}: {shown}");
        }
        let json = desk.json("cert show x.crt");
        let json = &json["certificates"][0];
        assert_eq!(json["key_supported"], !key.contains("not supported"), "{file}");
        assert_eq!(json["signature_supported"], !signature.contains("not supported"), "{file}");
    }
}

#[test]
fn a_blank_subject_gives_way_to_the_names() {
    let desk = Desk::new();
    let path = format!("{}/../vectors/x509/blank-subject.crt", env!("CARGO_MANIFEST_DIR"));
    desk.put("blank.crt", std::fs::read(path).unwrap());
    let shown = desk.ok("cert show blank.crt");
    assert!(shown.starts_with("no subject; blank.example, 192.0.2.1\n"), "{shown}");
    assert_eq!(desk.json("cert show blank.crt")["certificates"][0]["subject"], "");
    desk.ok("keygen --quiet --alg ML-DSA-44 --out root.key");
    desk.ok("cert root --quiet --key root.key --out root.crt");
    desk.refuses(
        1,
        "cert verify --ca root.crt blank.crt",
        &["the certificate of blank.example, 192.0.2.1 is signed with its own key"],
    );
}

#[test]
fn a_root_is_checked_by_itself() {
    let desk = desk("ML-DSA-65", "ML-DSA-44");
    let shown = desk.json("cert verify --ca root.crt root.crt");
    assert_eq!((&shown["subject"], &shown["is"]), (&"CN=root,O=grille".into(), &"self-signed-root".into()));
    assert!(desk.ok("cert verify --ca root.crt root.crt").contains("its own signature is right"));
    let pem = String::from_utf8(desk.get("root.crt")).unwrap();
    let mut lines: Vec<_> = pem.lines().map(str::to_owned).collect();
    let within = lines.len() - 9;
    lines[within] = lines[within].replacen(|c: char| c.is_ascii_lowercase(), "Z", 1);
    desk.put("altered.crt", lines.join("\n"));
    let wrong = ["altered.crt", "its signature does not match its own key"];
    desk.refuses(1, "cert verify --ca altered.crt altered.crt", &wrong);
    desk.ok(&format!("cert issue --csr host.csr {CA} --out host.crt"));
    desk.refuses(1, "cert verify --ca altered.crt host.crt", &["CN=root", wrong[1]]);
    // asked for by purpose or name, it is no end entity
    for option in ["--purpose server", "--name host.example"] {
        desk.refuses(1, &format!("cert verify --ca root.crt {option} root.crt"), &["is a CA's"]);
    }
    desk.ok(&format!("cert issue --key host.key {CA} --path-len 0 --subject CN=sub --out sub.crt"));
    assert_eq!(desk.json("cert verify --ca sub.crt sub.crt")["is"], "issued-root");
    assert_eq!(desk.json("cert verify --ca root.crt host.crt")["is"], "chain");
}

#[test]
fn a_certificate_serves_the_purposes_that_its_key_usage_allows() {
    let desk = desk("ECDSA-P256", "ECDSA-P256");
    let key = grille_pki::PrivateKey::from_pem_or_der(&desk.get("host.key")).unwrap();
    let root = Certificate::from_pem_or_der(&desk.get("root.crt")).unwrap();
    let root_key = grille_pki::PrivateKey::from_pem_or_der(&desk.get("root.key")).unwrap();
    let template = Template::new("CN=host", Profile::end_entity(&["host.example"]).unwrap()).unwrap();
    let template = template.key_usage(KeyUsage(KeyUsages::CRLSign.into()));
    let leaf = issue(&template, key.public_key(), &root, &root_key, &mut grille_core::SystemRng).unwrap();
    desk.put("mute.crt", leaf.to_pem().unwrap());
    for purpose in ["", "--purpose server", "--purpose client"] {
        let verify = format!("cert verify --ca root.crt {purpose} mute.crt");
        desk.refuses(1, &verify, &["mute.crt", "CN=host", "its key usage lacks digitalSignature"]);
    }
    desk.ok("cert verify --ca root.crt --purpose any mute.crt");
    desk.put("letter", "hello");
    desk.ok("sign --key host.key --in letter --out letter.sig");
    let verify = "verify --cert mute.crt --sig letter.sig --in letter";
    desk.refuses(1, verify, &["mute.crt", "its key usage is cRLSign", "digitalSignature"]);
    desk.refuses(1, "cert verify --ca root.crt --purpose kem mute.crt", &["has a key for signatures"]);
}

#[test]
fn revoked_certificates_are_refused() {
    let desk = desk("ML-DSA-65", "ML-DSA-44");
    for name in ["good", "bad"] {
        desk.ok(&format!("cert issue --quiet --csr host.csr {CA} --out {name}.crt"));
    }
    let made = desk.json(&format!("cert crl {CA} --revoke bad.crt --out root.crl"));
    assert_eq!((&made["issuer"], &made["revoked"]), (&"CN=root,O=grille".into(), &1.into()));
    desk.ok("cert verify --ca root.crt --crl root.crl good.crt");
    desk.refuses(1, "cert verify --ca root.crt --crl root.crl bad.crt", &["bad.crt", "was revoked on 20"]);
    desk.refuses(
        1,
        "cert verify --ca root.crt --crl root.crl --at 2099-01-01 good.crt",
        &["good.crt", "expired on 20"],
    );
    desk.ok("keygen --quiet --alg Ed25519 --out other.key");
    desk.ok("cert root --quiet --key other.key --subject CN=other --out other.crt");
    desk.ok("cert crl --quiet --ca other.crt --ca-key other.key --out other.crl");
    let uncovered = ["good.crt", "is covered by none of the revocation lists", "CN=root"];
    desk.refuses(1, "cert verify --ca root.crt --crl other.crl good.crt", &uncovered);
    desk.ok("cert verify --ca root.crt --crl other.crl --crl root.crl good.crt");
    let foreign = "cert crl --ca other.crt --ca-key other.key --revoke good.crt --out x.crl";
    desk.refuses(1, foreign, &["CN=host was issued by CN=root"]);
    desk.refuses(1, "cert verify --ca root.crt --crl root.crt good.crt", &["root.crt", "X509 CRL"]);
}

#[test]
fn keys_of_kems_are_certified_and_encapsulated_for() {
    let desk = desk("ML-DSA-65", "ML-DSA-44");
    desk.ok("keygen --quiet --alg ML-KEM-768 --out kem.key --pub kem.pub");
    desk.ok(&format!("cert issue --key kem.pub {CA} --san DNS:host.example --out kem.crt"));
    let shown = desk.json("cert show kem.crt");
    let shown = &shown["certificates"][0];
    assert_eq!((&shown["key_algorithm"], &shown["key_supported"]), (&"ML-KEM-768".into(), &true.into()));
    assert_eq!(shown["key_usages"], serde_json::json!(["keyEncipherment"]));
    assert!(shown.get("purposes").is_none());
    desk.ok("cert verify --ca root.crt --purpose kem kem.crt");
    desk.refuses(
        1,
        "cert verify --ca root.crt kem.crt",
        &["kem.crt", "has a key of ML-KEM-768, which cannot sign"],
    );
    for (options, folder) in [("--ca root.crt", "checked"), ("", "alone")] {
        desk.ok(&format!("encap --quiet --cert kem.crt {options} --ct {folder}.ct --secret {folder}.here"));
        desk.ok(&format!("decap --quiet --key kem.key --ct {folder}.ct --secret {folder}.there"));
        assert_eq!(desk.get(&format!("{folder}.here")), desk.get(&format!("{folder}.there")));
    }
    desk.ok(&format!("cert issue --quiet --csr host.csr {CA} --out host.crt"));
    let for_signing = ["host.crt", "has a key for signatures"];
    desk.refuses(1, "encap --cert host.crt --ct x.ct --secret x", &for_signing);
    desk.ok("keygen --quiet --alg Ed25519 --out other.key");
    desk.ok("cert root --quiet --key other.key --subject CN=other --out other.crt");
    desk.refuses(
        1,
        "encap --cert kem.crt --ca other.crt --ct x.ct --secret x",
        &["kem.crt", "none of the roots"],
    );
    // an issuer, and a peer of TLS, it cannot be
    let issue = |options: &str| format!("cert issue --key kem.pub {CA} {options} --out x.crt");
    desk.refuses(1, &issue("--path-len 0 --subject CN=sub"), &["cannot issue certificates"]);
    desk.refuses(1, &issue("--eku serverAuth"), &["cannot authenticate a peer of TLS"]);
}

#[test]
fn a_request_for_the_key_of_a_kem_is_signed_by_another_key() {
    let desk = desk("ML-DSA-65", "ML-DSA-44");
    desk.ok(&format!("cert issue --quiet --csr host.csr {CA} --out host.crt"));
    desk.ok("keygen --quiet --alg ML-KEM-1024 --out kem.key --pub kem.pub");
    desk.refuses(
        1,
        "cert request --key kem.key --out kem.csr",
        &["kem.key", "give --signer and --signer-key"],
    );
    let signer = "--signer host.crt --signer-key host.key --san DNS:host.example";
    desk.ok(&format!("cert request --quiet --key kem.pub {signer} --out kem.csr"));
    let shown = desk.json("cert request --show kem.csr");
    assert_eq!((&shown["key_algorithm"], &shown["signer"]), (&"ML-KEM-1024".into(), &"CN=host".into()));
    desk.ok(&format!("cert issue --csr kem.csr {CA} --out kem.crt"));
    desk.ok("cert verify --ca root.crt --purpose kem --name host.example kem.crt");
    desk.refuses(
        1,
        "cert request --key kem.pub --signer host.crt --signer-key root.key --out x.csr",
        &["root.key", "belongs to another certificate"],
    );
}

#[test]
fn certificates_have_names_and_purposes_of_every_kind() {
    let desk = desk("ML-DSA-44", "ML-DSA-44");
    let names = "--san email:a@host.example --san URI:spiffe://trust.example/service --san ::1";
    desk.ok(&format!("cert issue --key host.pub {CA} {names} --eku codeSigning,1.2.3.4 --out host.crt"));
    let shown = desk.json("cert show host.crt");
    let shown = &shown["certificates"][0];
    let all = ["email:a@host.example", "URI:spiffe://trust.example/service", "::1"];
    assert_eq!(shown["names"], serde_json::json!(all));
    assert_eq!(shown["purposes"], serde_json::json!(["codeSigning", "1.2.3.4"]));
    desk.refuses(1, "cert verify --ca root.crt host.crt", &["host.crt", "see its extended key usage"]);
    desk.ok("cert verify --ca root.crt --purpose any host.crt");
    let issue = |options: &str| format!("cert issue --key host.pub {CA} {options} --out x.crt");
    for (options, words) in [
        ("--subject CN=", &["subject", "CN is empty"][..]),
        ("--subject CN=a,CN=b", &["CN is given twice"]),
        ("--subject C=DEU", &["C has 3 characters, and X.509 allows 2"]),
        ("--san a.example --san a.example", &["a.example is given twice"]),
        ("--san email:nobody", &["is no mailbox"]),
        ("--san URI:https://a_b^/", &["is no URI"]),
    ] {
        desk.refuses(1, &issue(options), words);
    }
    let long = format!("--subject CN={}", "x".repeat(65));
    desk.refuses(1, &issue(&long), &["CN has 65 characters, and X.509 allows at most 64"]);
    desk.refuses(2, &issue("--eku nonsense"), &["--eku", "serverAuth"]);
    let blank = |options: &str| {
        let mut command = desk.command(&issue(options));
        command.args(["--subject", ""]).output().unwrap()
    };
    assert_eq!(blank("").status.code(), Some(1));
    assert_eq!(blank("--san a.example").status.code(), Some(0));
    assert!(desk.ok("cert show x.crt").starts_with("no subject; a.example\n"));
    desk.ok("cert verify --ca root.crt --name a.example x.crt");
}

#[test]
fn a_chain_has_ten_intermediates() {
    let desk = desk("ML-DSA-44", "ML-DSA-44");
    let (mut ca, mut untrusted) = ("root".to_owned(), String::new());
    for number in 0..10 {
        let name = format!("sub{number}");
        desk.ok(&format!("keygen --quiet --alg Ed25519 --out {name}.key"));
        let issuer = format!("--ca {ca}.crt --ca-key {ca}.key --path-len 10");
        desk.ok(&format!(
            "cert issue --quiet --key {name}.key {issuer} --subject CN={name} --out {name}.crt"
        ));
        untrusted += &format!(" --untrusted {name}.crt");
        ca = name;
    }
    desk.ok(&format!("cert issue --quiet --csr host.csr --ca {ca}.crt --ca-key {ca}.key --out host.crt"));
    desk.ok(&format!("cert verify --ca root.crt{untrusted} --name host.example host.crt"));
    let without = untrusted.replace(" --untrusted sub8.crt", "");
    desk.refuses(1, &format!("cert verify --ca root.crt{without} host.crt"), &["CN=sub9", "CN=sub8"]);
}
