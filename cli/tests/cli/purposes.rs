//! Purposes and names of certificates: end entities, roots, KEM keys, revocation, long chains.

use crate::certificates::{CA, sandbox};
use crate::sandbox::Sandbox;
use grille_pki::issue::{KeyUsage, KeyUsages, Profile, Template, issue};
use grille_pki::{Certificate, Crl};

#[test]
fn names_supported_and_unsupported_algorithms() {
    let sandbox = Sandbox::new();
    for (file, key, signature) in [
        ("ec-p256-sha384", "ECDSA-P256-SHA256", "ecdsa-with-SHA384 (key P-256)"),
        (
            "ec-brainpool256-sha256",
            "brainpoolP256r1 (not supported)",
            "ecdsa-with-SHA256 (key brainpoolP256r1)",
        ),
        ("ec-secp256k1-sha256", "secp256k1 (not supported)", "ecdsa-with-SHA256 (key secp256k1)"),
        ("rsa-1024-sha1", "RSA-1024 (not supported)", "sha1WithRSAEncryption (not supported) (key RSA-1024)"),
        ("rsa-2048-sha384", "RSA-2048", "sha384WithRSAEncryption (key RSA-2048)"),
        ("rsa-2048-sha512", "RSA-2048", "sha512WithRSAEncryption (key RSA-2048)"),
        ("rsa-2048-pss-sha384", "RSA-2048", "RSASSA-PSS with SHA-384 (key RSA-2048)"),
    ] {
        let path = format!("{}/../vectors/x509/{file}.crt", env!("CARGO_MANIFEST_DIR"));
        sandbox.put("x.crt", std::fs::read(path).unwrap());
        let shown = sandbox.ok("cert show x.crt");
        for line in [format!("  key       {key}, "), format!("  signature {signature}, ")] {
            assert!(shown.contains(&line), "{line}: {shown}");
        }
        let json = sandbox.json("cert show x.crt");
        let json = &json["certificates"][0];
        assert_eq!(json["key_supported"], !key.contains("not supported"), "{file}");
        assert_eq!(json["signature_supported"], !signature.contains("not supported"), "{file}");
    }
}

#[test]
fn shows_names_for_blank_subjects() {
    let sandbox = Sandbox::new();
    let path = format!("{}/../vectors/x509/blank-subject.crt", env!("CARGO_MANIFEST_DIR"));
    sandbox.put("blank.crt", std::fs::read(path).unwrap());
    let shown = sandbox.ok("cert show blank.crt");
    assert!(shown.starts_with("no subject; blank.example, 192.0.2.1\n"), "{shown}");
    assert_eq!(sandbox.json("cert show blank.crt")["certificates"][0]["subject"], "");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out root.key");
    sandbox.ok("cert root --quiet --key root.key --out root.crt");
    sandbox.refuses(
        1,
        "cert verify --ca root.crt blank.crt",
        &["the certificate of blank.example, 192.0.2.1 is self-signed"],
    );
}

#[test]
fn verifies_a_root_by_itself() {
    let sandbox = sandbox("ML-DSA-65", "ML-DSA-44");
    let shown = sandbox.json("cert verify --ca root.crt root.crt");
    assert_eq!((&shown["subject"], &shown["is"]), (&"CN=root,O=grille".into(), &"self-signed-root".into()));
    assert!(sandbox.ok("cert verify --ca root.crt root.crt").contains("its self-signature is valid"));
    let pem = String::from_utf8(sandbox.get("root.crt")).unwrap();
    let mut lines: Vec<_> = pem.lines().map(str::to_owned).collect();
    let within = lines.len() - 9;
    lines[within] = lines[within].replacen(|c: char| c.is_ascii_lowercase(), "Z", 1);
    sandbox.put("altered.crt", lines.join("\n"));
    let wrong = ["altered.crt", "its signature does not match its own key"];
    sandbox.refuses(1, "cert verify --ca altered.crt altered.crt", &wrong);
    sandbox.ok(&format!("cert issue --csr host.csr {CA} --out host.crt"));
    sandbox.refuses(1, "cert verify --ca altered.crt host.crt", &["CN=root", wrong[1]]);
    // with a purpose or a name, a root is not accepted as an end entity
    for option in ["--purpose server", "--name host.example"] {
        sandbox.refuses(1, &format!("cert verify --ca root.crt {option} root.crt"), &["is a CA certificate"]);
    }
    sandbox.ok(&format!("cert issue --key host.key {CA} --path-len 0 --subject CN=sub --out sub.crt"));
    assert_eq!(sandbox.json("cert verify --ca sub.crt sub.crt")["is"], "issued-root");
    assert_eq!(sandbox.json("cert verify --ca root.crt host.crt")["is"], "chain");
}

#[test]
fn enforces_key_usage() {
    let sandbox = sandbox("ECDSA-P256", "ECDSA-P256");
    let key = grille_pki::PrivateKey::from_pem_or_der(&sandbox.get("host.key")).unwrap();
    let root = Certificate::from_pem_or_der(&sandbox.get("root.crt")).unwrap();
    let root_key = grille_pki::PrivateKey::from_pem_or_der(&sandbox.get("root.key")).unwrap();
    let template = Template::new("CN=host", Profile::end_entity(&["host.example"]).unwrap()).unwrap();
    let template = template.key_usage(KeyUsage(KeyUsages::CRLSign.into()));
    let leaf = issue(&template, key.public_key(), &root, &root_key, &mut grille_core::SystemRng).unwrap();
    sandbox.put("mute.crt", leaf.to_pem().unwrap());
    for purpose in ["", "--purpose server", "--purpose client"] {
        let verify = format!("cert verify --ca root.crt {purpose} mute.crt");
        sandbox.refuses(1, &verify, &["mute.crt", "CN=host", "its key usage lacks digitalSignature"]);
    }
    sandbox.ok("cert verify --ca root.crt --purpose any mute.crt");
    sandbox.put("letter", "hello");
    sandbox.ok("sign --key host.key --in letter --out letter.sig");
    let verify = "verify --cert mute.crt --sig letter.sig --in letter";
    sandbox.refuses(1, verify, &["mute.crt", "its key usage is cRLSign", "digitalSignature"]);
    sandbox.refuses(1, "cert verify --ca root.crt --purpose kem mute.crt", &["has a key for signatures"]);
}

/// A PEM block that readers skip.
const NOTE: &str = "-----BEGIN NOTE-----\nAAAA\n-----END NOTE-----\n";

#[test]
fn rejects_revoked_certificates() {
    let sandbox = sandbox("ML-DSA-65", "ML-DSA-44");
    for name in ["good", "bad"] {
        sandbox.ok(&format!("cert issue --quiet --csr host.csr {CA} --out {name}.crt"));
    }
    let made = sandbox.json(&format!("cert crl {CA} --revoke bad.crt --out root.crl"));
    assert_eq!((&made["issuer"], &made["revoked"]), (&"CN=root,O=grille".into(), &1.into()));
    sandbox.ok("cert verify --ca root.crt --crl root.crl good.crt");
    sandbox.refuses(1, "cert verify --ca root.crt --crl root.crl bad.crt", &["bad.crt", "was revoked on 20"]);
    sandbox.refuses(
        1,
        "cert verify --ca root.crt --crl root.crl --at 2099-01-01 good.crt",
        &["good.crt", "expired on 20"],
    );
    sandbox.ok("keygen --quiet --alg Ed25519 --out other.key");
    sandbox.ok("cert root --quiet --key other.key --subject CN=other --out other.crt");
    sandbox.ok("cert crl --quiet --ca other.crt --ca-key other.key --out other.crl");
    let uncovered = ["good.crt", "is not covered by any current revocation list", "CN=root"];
    sandbox.refuses(1, "cert verify --ca root.crt --crl other.crl good.crt", &uncovered);
    sandbox.ok("cert verify --ca root.crt --crl other.crl --crl root.crl good.crt");
    let der = ["other.crl", "root.crl"].map(|name| Crl::all_from_pem(&sandbox.get(name)).unwrap().remove(0));
    sandbox.put("both.crl", der.each_ref().map(Crl::as_der).concat());
    sandbox.ok("cert verify --ca root.crt --crl both.crl good.crt");
    sandbox.put("noted.crl", [NOTE.as_bytes(), &sandbox.get("root.crl")].concat());
    let noted = sandbox.run("cert verify --ca root.crt --crl noted.crl good.crt");
    assert!(noted.stderr.contains("noted.crl: skipped PEM block \"NOTE\""), "{}", noted.stderr);
    let foreign = "cert crl --ca other.crt --ca-key other.key --revoke good.crt --out x.crl";
    sandbox.refuses(1, foreign, &["CN=host was issued by CN=root"]);
    sandbox.refuses(1, "cert verify --ca root.crt --crl root.crt good.crt", &["root.crt", "X509 CRL"]);
}

#[test]
fn encapsulates_for_certified_kem_keys() {
    let sandbox = sandbox("ML-DSA-65", "ML-DSA-44");
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --out kem.key --pub kem.pub");
    sandbox.ok(&format!("cert issue --key kem.pub {CA} --san DNS:host.example --out kem.crt"));
    let shown = sandbox.json("cert show kem.crt");
    let shown = &shown["certificates"][0];
    assert_eq!((&shown["key_algorithm"], &shown["key_supported"]), (&"ML-KEM-768".into(), &true.into()));
    assert_eq!(shown["key_usages"], serde_json::json!(["keyEncipherment"]));
    assert!(shown.get("purposes").is_none());
    sandbox.ok("cert verify --ca root.crt --purpose kem kem.crt");
    sandbox.refuses(
        1,
        "cert verify --ca root.crt kem.crt",
        &["kem.crt", "has a key of ML-KEM-768, which cannot sign"],
    );
    for (options, folder) in [("--ca root.crt", "checked"), ("", "alone")] {
        sandbox
            .ok(&format!("encap --quiet --cert kem.crt {options} --ct {folder}.ct --secret {folder}.here"));
        sandbox.ok(&format!("decap --quiet --key kem.key --ct {folder}.ct --secret {folder}.there"));
        assert_eq!(sandbox.get(&format!("{folder}.here")), sandbox.get(&format!("{folder}.there")));
    }
    let encap = "encap --cert kem.crt --ca root.crt --ct y.ct --secret y --force --quiet";
    sandbox.ok(&format!("cert crl --quiet {CA} --out none.crl"));
    sandbox.ok(&format!("cert crl --quiet {CA} --revoke kem.crt --out kem.crl"));
    sandbox.ok(&format!("{encap} --crl none.crl"));
    sandbox.refuses(1, &format!("{encap} --crl kem.crl"), &["kem.crt", "was revoked on 20"]);
    sandbox.ok(&format!("cert issue --quiet --csr host.csr {CA} --out host.crt"));
    let for_signing = ["host.crt", "has a key for signatures"];
    sandbox.refuses(1, "encap --cert host.crt --ct x.ct --secret x", &for_signing);
    sandbox.ok("keygen --quiet --alg Ed25519 --out other.key");
    sandbox.ok("cert root --quiet --key other.key --subject CN=other --out other.crt");
    sandbox.refuses(
        1,
        "encap --cert kem.crt --ca other.crt --ct x.ct --secret x",
        &["kem.crt", "not one of the given roots"],
    );
    // a KEM certificate can be neither an issuer nor a TLS peer
    let issue = |options: &str| format!("cert issue --key kem.pub {CA} {options} --out x.crt");
    sandbox.refuses(1, &issue("--path-len 0 --subject CN=sub"), &["cannot issue certificates"]);
    sandbox.refuses(1, &issue("--eku serverAuth"), &["cannot authenticate a TLS peer"]);
}

#[test]
fn signs_kem_requests_with_another_key() {
    let sandbox = sandbox("ML-DSA-65", "ML-DSA-44");
    sandbox.ok(&format!("cert issue --quiet --csr host.csr {CA} --out host.crt"));
    sandbox.ok("keygen --quiet --alg ML-KEM-1024 --out kem.key --pub kem.pub");
    sandbox.refuses(
        1,
        "cert request --key kem.key --out kem.csr",
        &["kem.key", "with --signer and its key with --signer-key"],
    );
    let signer = "--signer host.crt --signer-key host.key --san DNS:host.example";
    sandbox.ok(&format!("cert request --quiet --key kem.pub {signer} --out kem.csr"));
    let shown = sandbox.json("cert request --show kem.csr");
    assert_eq!((&shown["key_algorithm"], &shown["signer"]), (&"ML-KEM-1024".into(), &"CN=host".into()));
    sandbox.ok(&format!("cert issue --csr kem.csr {CA} --out kem.crt"));
    sandbox.ok("cert verify --ca root.crt --purpose kem --name host.example kem.crt");
    sandbox.refuses(
        1,
        "cert request --key kem.pub --signer host.crt --signer-key root.key --out x.csr",
        &["root.key", "does not belong to the certificate"],
    );
}

#[test]
fn issues_every_kind_of_name_and_purpose() {
    let sandbox = sandbox("ML-DSA-44", "ML-DSA-44");
    let names = "--san email:a@host.example --san URI:spiffe://trust.example/service --san ::1";
    sandbox.ok(&format!("cert issue --key host.pub {CA} {names} --eku codeSigning,1.2.3.4 --out host.crt"));
    let shown = sandbox.json("cert show host.crt");
    let shown = &shown["certificates"][0];
    let all = ["email:a@host.example", "URI:spiffe://trust.example/service", "::1"];
    assert_eq!(shown["names"], serde_json::json!(all));
    assert_eq!(shown["purposes"], serde_json::json!(["codeSigning", "1.2.3.4"]));
    sandbox.refuses(
        1,
        "cert verify --ca root.crt host.crt",
        &["host.crt", "the extended key usage forbids it"],
    );
    sandbox.ok("cert verify --ca root.crt --purpose any host.crt");
    let issue = |options: &str| format!("cert issue --key host.pub {CA} {options} --out x.crt");
    for (options, words) in [
        ("--subject CN=", &["subject", "CN is empty"][..]),
        ("--subject CN=a,CN=b", &["CN is given twice"]),
        ("--subject C=DEU", &["C has 3 characters, but X.509 allows 2"]),
        ("--san a.example --san a.example", &["a.example is given twice"]),
        ("--san email:nobody", &["is not a mailbox"]),
        ("--san URI:https://a_b^/", &["is not a URI"]),
    ] {
        sandbox.refuses(1, &issue(options), words);
    }
    let long = format!("--subject CN={}", "x".repeat(65));
    sandbox.refuses(1, &issue(&long), &["CN has 65 characters, but X.509 allows at most 64"]);
    sandbox.refuses(2, &issue("--eku nonsense"), &["--eku", "serverAuth"]);
    let blank = |options: &str| {
        let mut command = sandbox.command(&issue(options));
        command.args(["--subject", ""]).output().unwrap()
    };
    assert_eq!(blank("").status.code(), Some(1));
    assert_eq!(blank("--san a.example").status.code(), Some(0));
    assert!(sandbox.ok("cert show x.crt").starts_with("no subject; a.example\n"));
    sandbox.ok("cert verify --ca root.crt --name a.example x.crt");
}

#[test]
fn verifies_chains_with_ten_intermediates() {
    let sandbox = sandbox("ML-DSA-44", "ML-DSA-44");
    let (mut ca, mut untrusted) = ("root".to_owned(), String::new());
    for number in 0..10 {
        let name = format!("sub{number}");
        sandbox.ok(&format!("keygen --quiet --alg Ed25519 --out {name}.key"));
        let issuer = format!("--ca {ca}.crt --ca-key {ca}.key --path-len 10");
        sandbox.ok(&format!(
            "cert issue --quiet --key {name}.key {issuer} --subject CN={name} --out {name}.crt"
        ));
        untrusted += &format!(" --untrusted {name}.crt");
        ca = name;
    }
    sandbox.ok(&format!("cert issue --quiet --csr host.csr --ca {ca}.crt --ca-key {ca}.key --out host.crt"));
    sandbox.ok(&format!("cert verify --ca root.crt{untrusted} --name host.example host.crt"));
    let without = untrusted.replace(" --untrusted sub8.crt", "");
    sandbox.refuses(1, &format!("cert verify --ca root.crt{without} host.crt"), &["CN=sub9", "CN=sub8"]);
}
