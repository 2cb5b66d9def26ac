//! Warnings about retired algorithms: when and how often.

use crate::sandbox::Sandbox;

/// Returns the lines on standard error about retired algorithms.
fn warnings(printed: &str) -> Vec<&str> {
    printed.lines().filter(|line| line.starts_with("warning: ") && line.contains("retired")).collect()
}

/// Checks that a command warns in one line with these parts.
fn warns_once(sandbox: &Sandbox, words: &str, parts: &[&str]) {
    let printed = sandbox.run(words).stderr;
    let lines = warnings(&printed);
    assert_eq!(lines.len(), 1, "grille {words}: {printed}");
    for part in parts {
        assert!(lines[0].contains(part), "grille {words}: no \"{part}\" in {}", lines[0]);
    }
    let quiet = sandbox.run(&format!("{words} --quiet")).stderr;
    assert!(!quiet.contains("retired"), "grille {words} --quiet: {quiet}");
}

/// Checks that a command does not warn.
fn assert_silent(sandbox: &Sandbox, words: &str) {
    let printed = sandbox.run(words).stderr;
    assert!(!printed.contains("retired"), "grille {words}: {printed}");
}

/// A client without a server: warnings about groups and keys come before it connects.
const UNREACHABLE: &str = "tls client --insecure --timeout 1 127.0.0.1:1";

#[test]
fn warns_about_profiles_with_only_retired_groups() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --out own");
    // the server ends before it serves, because the file of --ca is missing
    let server = "tls server --cert own/entity_cert.pem --key own/entity_key.pem --ca no.crt";
    for profile in ["wolfssl-5.3", "oqs111-2021-08", "oqs111-2021-02", "provider-0.5", "provider-0.6"] {
        let offered = ["offered in the profile ", profile, " more are retired"];
        warns_once(&sandbox, &format!("{UNREACHABLE} --profile {profile}"), &offered);
        warns_once(&sandbox, &format!("{server} --profile {profile}"), &offered);
    }
    let named = format!("{UNREACHABLE} --profile wolfssl-5.3 --groups KYBER_LEVEL1");
    warns_once(&sandbox, &named, &["warning: Kyber512 is retired"]);
    assert_silent(&sandbox, &format!("{UNREACHABLE} --profile wolfssl-5.3 --groups X25519"));
    assert_silent(&sandbox, &format!("{UNREACHABLE} --profile provider-0.12"));
    assert_silent(&sandbox, &format!("{UNREACHABLE} --profile iana,wolfssl-5.3"));
    assert_silent(&sandbox, UNREACHABLE);
}

#[test]
fn warns_in_one_line_about_measured_algorithms() {
    let sandbox = Sandbox::new();
    warns_once(&sandbox, "bench saber --seconds 0", &["warning: Saber-KEM is retired"]);
    let speed = "speed --seconds 0 --format csv SABER_LEVEL1 NTRU_HRSS_LEVEL3 FALCON_LEVEL1";
    warns_once(&sandbox, speed, &["LightSaber-KEM, NTRU-HRSS-701, Falcon-512-2020 are retired"]);
    warns_once(&sandbox, "kat --count 1 Saber-KEM", &["Saber-KEM is retired"]);
    let named = "--groups SABER_LEVEL1,X25519 --sig FALCON_LEVEL1";
    let both = ["LightSaber-KEM, Falcon-512-2020 are retired"];
    warns_once(&sandbox, &format!("tls bench -m -t 0 -S 0 {named}"), &both);
    warns_once(&sandbox, &format!("tls matrix --bytes {named}"), &both);
    warns_once(&sandbox, "tls bench -m -t 0 -S 0 --profile oqs111-2021-08", &[" more are retired"]);
    for words in ["bench X25519 --seconds 0", "speed X25519 --seconds 0", "kat --count 1 ML-KEM-512"] {
        assert_silent(&sandbox, words);
    }
}

#[test]
fn warns_about_old_certificates_and_keys_in_one_line() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg FALCON_LEVEL1 --out old");
    sandbox.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --out new");
    sandbox.ok("keygen --quiet --alg FALCON_LEVEL1 --out old/key --pub old/pub");
    let unreachable = "tls client --timeout 1 127.0.0.1:1";
    let identity = |whose: &str| format!("--cert {whose}/entity_cert.pem --key {whose}/entity_key.pem");
    let client = |trusted: &str, shown: &str| format!("{unreachable} {trusted} {shown}");
    let name = ["warning: Falcon-512-2020 is retired"];
    for words in [
        client("--ca old/root_cert.pem", ""),
        client("--ca new/root_cert.pem", &identity("old")),
        client("--ca old/root_cert.pem", &identity("old")),
        client("--peer-key old/pub", ""),
        client("--ca new/root_cert.pem", "--raw-public-key --key old/key"),
    ] {
        warns_once(&sandbox, &words, &name);
    }
    assert_silent(&sandbox, &client("--ca new/root_cert.pem", &identity("new")));
    let server = |whose: &str, ca: &str| {
        format!("tls server --port 0 --once --timeout 1 {} --ca {ca}/root_cert.pem", identity(whose))
    };
    warns_once(&sandbox, &server("old", "new"), &name);
    warns_once(&sandbox, &server("new", "old"), &name);
    assert_silent(&sandbox, &server("new", "new"));
    assert_silent(&sandbox, &format!("{} --anonymous", server("new", "old")));
}

#[test]
fn warns_about_retired_algorithms_of_shown_certificates() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg FALCON_LEVEL1 --out old");
    sandbox.ok("keygen --quiet --alg Ed25519 --out key --pub pub");
    let issuer = "--ca old/root_cert.pem --ca-key old/root_key.pem";
    sandbox.ok(&format!("cert issue --quiet --key pub {issuer} --san host --out new.crt"));
    sandbox.ok("cert request --quiet --key old/entity_key.pem --out old.csr");
    let name = ["warning: Falcon-512-2020 is retired"];
    warns_once(&sandbox, "cert show old/root_cert.pem old/entity_cert.pem", &name);
    warns_once(&sandbox, "cert show new.crt", &name);
    warns_once(&sandbox, "cert request --show old.csr", &name);
    sandbox.ok("cert root --key key --subject CN=me --out me.crt");
    assert_silent(&sandbox, "cert show me.crt");
}

#[test]
fn warns_about_retired_algorithms_of_a_proxy() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg FALCON_LEVEL1 --out old");
    sandbox.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --out new");
    let name = ["warning: Falcon-512-2020 is retired"];
    // an address that this machine does not have, so that the proxy ends
    let proxy = |words: &str| format!("proxy --listen 203.0.113.1:1 --to localhost:1 {words}");
    let pair = |whose: &str| format!("{whose}/entity_cert.pem {whose}/entity_key.pem");
    let serves = |whose: &str| proxy(&format!("--cert {whose}/entity_cert.pem --key {whose}/entity_key.pem"));
    let originates = |ca: &str, shown: &str| {
        proxy(&format!("--originate --ca {ca}/root_cert.pem --client-identity {}", pair(shown)))
    };
    for words in [
        serves("old"),
        format!("{} --client-ca old/root_cert.pem", serves("new")),
        originates("old", "new"),
        originates("new", "old"),
    ] {
        warns_once(&sandbox, &words, &name);
    }
    assert_silent(&sandbox, &format!("{} --client-ca new/root_cert.pem", serves("new")));
    assert_silent(&sandbox, &originates("new", "new"));
}
