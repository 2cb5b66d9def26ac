//! Who is warned that an algorithm is retired, and how often.

use crate::desk::Desk;

/// The lines of standard error that speak of retired algorithms.
fn warnings(told: &str) -> Vec<&str> {
    told.lines().filter(|line| line.starts_with("warning: ") && line.contains("retired")).collect()
}

/// That these words bring one such line, with these parts.
fn warns_once(desk: &Desk, words: &str, parts: &[&str]) {
    let told = desk.run(words).stderr;
    let lines = warnings(&told);
    assert_eq!(lines.len(), 1, "grille {words}: {told}");
    for part in parts {
        assert!(lines[0].contains(part), "grille {words}: no \"{part}\" in {}", lines[0]);
    }
    let quiet = desk.run(&format!("{words} --quiet")).stderr;
    assert!(!quiet.contains("retired"), "grille {words} --quiet: {quiet}");
}

/// That these words bring none.
fn is_silent(desk: &Desk, words: &str) {
    let told = desk.run(words).stderr;
    assert!(!told.contains("retired"), "grille {words}: {told}");
}

/// A client whom nobody answers: of groups and keys it speaks before it connects.
const NOBODY: &str = "tls client --insecure --timeout 1 127.0.0.1:1";

#[test]
fn a_profile_that_offers_retired_groups_only_says_so_on_either_side() {
    let desk = Desk::new();
    desk.ok("cert chain --quiet --alg ECDSA-P256-SHA256 --out own");
    // without the file it ends before it serves
    let server = "tls server --cert own/entity_cert.pem --key own/entity_key.pem --ca no.crt";
    for profile in ["wolfssl-5.3", "oqs111-2021-08", "oqs111-2021-02", "provider-0.5", "provider-0.6"] {
        let offered = ["offered in the profile ", profile, " more are retired"];
        warns_once(&desk, &format!("{NOBODY} --profile {profile}"), &offered);
        warns_once(&desk, &format!("{server} --profile {profile}"), &offered);
    }
    let named = format!("{NOBODY} --profile wolfssl-5.3 --groups KYBER_LEVEL1");
    warns_once(&desk, &named, &["warning: Kyber512 is retired"]);
    is_silent(&desk, &format!("{NOBODY} --profile wolfssl-5.3 --groups X25519"));
    is_silent(&desk, &format!("{NOBODY} --profile provider-0.12"));
    is_silent(&desk, &format!("{NOBODY} --profile iana,wolfssl-5.3"));
    is_silent(&desk, NOBODY);
}
