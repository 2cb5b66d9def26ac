//! `--profile` for keys and certificates: object identifiers of different years.

use crate::sandbox::Sandbox;

const OLD_PROFILE: &str = "--profile oqs111-2021-02";

#[test]
fn reads_identifiers_that_sphincs_rounds_share() {
    let sandbox = Sandbox::new();
    let name = "SPHINCS+-SHAKE256-128f-simple-round2";
    sandbox.ok(&format!("cert chain {OLD_PROFILE} --quiet --alg {name} --out old"));
    let algorithm = |words: &str| sandbox.json(words)["certificates"][0]["key_algorithm"].clone();
    assert_eq!(algorithm(&format!("cert show {OLD_PROFILE} old/entity_cert.pem")), name);
    assert_eq!(algorithm("cert show old/entity_cert.pem"), "SPHINCS+-SHAKE256-128f-simple");
    let verify = "cert verify --ca old/root_cert.pem --name localhost old/entity_cert.pem";
    sandbox.ok(&format!("{verify} {OLD_PROFILE}"));
    let advice = ["--profile oqs111-2021-02", name];
    sandbox.refuses(1, verify, &[&["old/entity_cert.pem"], &advice[..]].concat());
    sandbox.refuses(1, "key inspect old/entity_key.pem", &advice);
    sandbox.put("letter", "text");
    sandbox.refuses(1, "sign --key old/entity_key.pem --in letter --out letter.sig", &advice);
    sandbox.ok(&format!("sign {OLD_PROFILE} --quiet --key old/entity_key.pem --in letter --out letter.sig"));
    let mismatch = "verify --quiet --cert old/entity_cert.pem --sig letter.sig --in letter";
    sandbox.refuses(1, mismatch, &advice);
    sandbox.ok(&format!("{mismatch} {OLD_PROFILE}"));
    let printed = sandbox.json(&format!("key inspect {OLD_PROFILE} old/entity_key.pem"));
    assert_eq!((&printed["algorithm"], &printed["oid"]), (&name.into(), &"1.3.9999.6.7.4".into()));
    sandbox.refuses(
        1,
        &format!("cert chain --quiet --alg {name} --out new"),
        &[name, "has no object identifier in the profile iana", "give --profile oqs111-2021-02"],
    );
    let other = "cert chain --quiet --alg ML-DSA-44 --out new --profile oqs111-2021-08";
    sandbox.refuses(1, other, &["ML-DSA-44 has no object identifier in the profile oqs111-2021-08"]);
}

#[test]
fn issues_certificates_in_the_profile_of_the_request() {
    let sandbox = Sandbox::new();
    let name = "SPHINCS+-SHA256-128f-simple-round2";
    sandbox.ok(&format!("keygen {OLD_PROFILE} --quiet --alg {name} --out key"));
    sandbox.ok(&format!("cert {OLD_PROFILE} root --quiet --key key --subject CN=root --out root.crt"));
    sandbox.ok(&format!("cert {OLD_PROFILE} request --quiet --key key --subject CN=host --out host.csr"));
    assert_eq!(sandbox.json(&format!("cert {OLD_PROFILE} request --show host.csr"))["key_algorithm"], name);
    sandbox.ok(&format!(
        "cert {OLD_PROFILE} issue --csr host.csr --ca root.crt --ca-key key --san host.example --out host.crt"
    ));
    sandbox.ok(&format!("cert {OLD_PROFILE} verify --ca root.crt --name host.example host.crt"));
}

#[test]
fn writes_kem_identifiers_of_provider_profiles() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --profile provider-0.8 --quiet --alg KYBER_LEVEL1 --out kyber.key --pub kyber.pub");
    let printed = sandbox.json("key inspect --profile provider-0.8 kyber.key");
    assert_eq!((&printed["algorithm"], &printed["container"]), (&"Kyber512".into(), &"PKCS#8".into()));
    sandbox.refuses(
        1,
        "key inspect kyber.key",
        &["kyber.key", "unknown algorithm", "give --profile", "means Kyber512"],
    );
    assert!(sandbox.ok("explain kyber.key").contains("Kyber512"));
    sandbox.ok("key convert --profile provider-0.8 --in kyber.key --form raw --out kyber.raw");
    assert_eq!(sandbox.get("kyber.raw").len(), 1632);
    sandbox.refuses(
        2,
        "keygen --profile nonsense --alg KYBER_LEVEL1 --out x",
        &["unknown profile \"nonsense\""],
    );
}

#[test]
fn uses_keys_in_their_profile() {
    let sandbox = Sandbox::new();
    sandbox.put("letter", "dear friend");
    let name = "SPHINCS+-SHAKE256-128f-simple-round2";
    sandbox.ok(&format!("keygen {OLD_PROFILE} --quiet --alg {name} --out key --pub pub"));
    let sign = "sign --quiet --key key --in letter --out sig";
    sandbox.refuses(1, sign, &["root that does not match its seeds"]);
    sandbox.ok(&format!("{sign} {OLD_PROFILE}"));
    assert_eq!(sandbox.get("sig").len(), 16_976);
    let verify = "verify --quiet --pub pub --sig sig --in letter";
    sandbox.refuses(1, verify, &["16976"]);
    sandbox.ok(&format!("{verify} {OLD_PROFILE}"));
    sandbox.ok(&format!("cert {OLD_PROFILE} root --quiet --key key --subject CN=me --out crt"));
    let issue = "issue --quiet --key key --ca crt --ca-key key --subject CN=signer --san DNS:signer.example";
    sandbox.ok(&format!("cert {OLD_PROFILE} {issue} --out signer.crt"));
    sandbox.ok(&format!("verify {OLD_PROFILE} --quiet --cert signer.crt --sig sig --in letter"));

    let then = "--profile provider-0.8";
    sandbox.ok(&format!("keygen {then} --quiet --alg KYBER_LEVEL1 --out kyber.key --pub kyber.pub"));
    sandbox.refuses(1, "encap --pub kyber.pub --ct ct --secret sent", &["kyber.pub"]);
    sandbox.ok(&format!("encap {then} --quiet --pub kyber.pub --ct ct --secret sent"));
    sandbox.ok(&format!("decap {then} --quiet --key kyber.key --ct ct --secret got"));
    assert_eq!(sandbox.get("sent"), sandbox.get("got"));
}

#[test]
fn converts_keys_between_profiles() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --profile provider-0.5 --quiet --alg Falcon-512 --out old");
    let advice = ["old: ", "unknown algorithm", "give --profile provider-0.5", "means Falcon-512"];
    sandbox.put("letter", "text");
    sandbox.refuses(1, "sign --key old --in letter --out sig", &advice);
    sandbox.refuses(1, "key inspect old", &advice);
    sandbox.ok("key convert --profile provider-0.5 --to-profile iana --in old --out new");
    let printed = sandbox.json("key inspect new");
    assert_eq!((&printed["algorithm"], &printed["oid"]), (&"Falcon-512".into(), &"1.3.9999.3.11".into()));
    let printed = sandbox.ok("key convert --in new --to-profile wolfssl-5.3 --out raw");
    assert!(
        printed.contains("the files are raw, because the algorithm has no object identifier"),
        "{printed}"
    );
    assert_eq!(sandbox.get("raw").len(), 1281);
}

#[test]
fn reports_the_identifier_in_the_file() {
    let sandbox = Sandbox::new();
    for (algorithm, profile, oid) in [
        ("Falcon-512", "provider-0.5", "1.3.9999.3.11"),
        ("FALCON_LEVEL1", "provider-0.12", "1.3.9999.3.1"),
        ("ML-KEM-768", "provider-0.5", "2.16.840.1.101.3.4.4.2"),
    ] {
        sandbox.ok(&format!("keygen --quiet --force --alg {algorithm} --out key"));
        let inspect = format!("key inspect --quiet --profile {profile} key");
        let printed = sandbox.json(&inspect);
        assert_eq!(printed["oid"], oid, "{algorithm}: {printed}");
        assert!(sandbox.ok(&inspect).contains(oid), "{algorithm}");
        let known = sandbox.json("explain key")["documents"][0]["algorithms"][0]["oid"].clone();
        assert_eq!(known, oid, "{algorithm}");
    }
}

#[test]
fn names_the_profile_of_unknown_certificates() {
    let sandbox = Sandbox::new();
    let then = "--profile provider-0.5";
    sandbox.ok(&format!("cert chain {then} --alg Falcon-512 --out old"));
    sandbox.put("m", "message");
    sandbox.ok(&format!("sign {then} --key old/entity_key.pem --in m --out sig"));
    let done = sandbox.run("cert show old/entity_cert.pem --json");
    let elsewhere = "give --profile provider-0.5, where this identifier means Falcon-512";
    done.check(0, "cert show", &["old/entity_cert.pem: ", elsewhere]);
    let document: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let shown = &document["certificates"][0];
    assert_eq!((&shown["key_algorithm"], &shown["key_bytes"]), (&"unknown".into(), &897.into()), "{shown}");
    let oid = "1.3.9999.3.6";
    assert_eq!((&shown["key_oid"], &shown["signature_oid"]), (&oid.into(), &oid.into()), "{shown}");
    let text = sandbox.ok("cert show old/entity_cert.pem");
    assert!(text.contains("unknown (1.3.9999.3.6), 897 bytes (end entity)"), "{text}");
    let known = sandbox.run(&format!("cert show {then} old/entity_cert.pem"));
    assert!(known.code == 0 && known.stderr.is_empty(), "{}", known.stderr);
    sandbox.ok("cert chain --alg ECDSA-P256-SHA256 --out new");
    let chain = "--cert old/entity_cert.pem --key old/entity_key.pem";
    let issuer = "--ca old/root_cert.pem --ca-key old/root_key.pem";
    for (words, file) in [
        ("verify --cert old/entity_cert.pem --sig sig --in m".to_owned(), "old/entity_cert.pem: "),
        (format!("tls server --port 0 {chain}"), "old/entity_key.pem: "),
        (format!("tls client --insecure --quiet {chain}"), "old/entity_key.pem: "),
        (
            "tls client --quiet --insecure --raw-public-key --key old/root_key.pem".to_owned(),
            "old/root_key.pem: ",
        ),
        (format!("cert issue --key new/entity_key.pem {issuer} --out crt"), "old/root_key.pem: "),
        ("cert root --key old/root_key.pem --out crt".to_owned(), "old/root_key.pem: "),
        ("cert verify --ca old/root_cert.pem old/entity_cert.pem".to_owned(), "old/entity_cert.pem: "),
    ] {
        sandbox.refuses(1, &words, &[file, elsewhere]);
    }
}
