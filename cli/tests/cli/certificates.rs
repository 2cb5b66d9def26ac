//! `grille cert`: roots, requests, issuing, showing and verifying certificates, and invalid ones.

use crate::sandbox::Sandbox;
use grille_pki::Certificate;

/// Makes a sandbox with a root of one algorithm and a request for a key of another.
pub(crate) fn sandbox(root: &str, key: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.ok(&format!("keygen --quiet --alg {root} --out root.key"));
    sandbox.ok("cert root --quiet --key root.key --subject CN=root,O=grille --days 3650 --out root.crt");
    sandbox.ok(&format!("keygen --quiet --alg {key} --out host.key --pub host.pub"));
    let names = "--subject CN=host --san DNS:host.example --san IP:192.0.2.1";
    sandbox.ok(&format!("cert request --quiet --key host.key {names} --out host.csr"));
    sandbox
}

pub(crate) const CA: &str = "--ca root.crt --ca-key root.key";

#[test]
fn issues_certificates_as_requested() {
    let sandbox = sandbox("ML-DSA-87", "ML-DSA-44");
    let request = sandbox.json("cert request --show host.csr");
    assert_eq!(request["subject"], "CN=host");
    assert_eq!(request["names"], serde_json::json!(["host.example", "192.0.2.1"]));
    assert_eq!(request["key_algorithm"], "ML-DSA-44");
    sandbox.ok(&format!("cert issue --csr host.csr {CA} --out host.crt"));
    let shown = sandbox.json("cert show host.crt");
    let shown = &shown["certificates"][0];
    assert_eq!(shown["subject"], "CN=host");
    assert_eq!(shown["issuer"], "CN=root,O=grille");
    assert_eq!(shown["names"], request["names"]);
    assert_eq!(
        (&shown["key_algorithm"], &shown["signature_algorithm"]),
        (&"ML-DSA-44".into(), &"ML-DSA-87".into())
    );
    assert_eq!(shown["ca"], false);
    assert!(sandbox.ok("cert verify --ca root.crt --name host.example host.crt").contains("is trusted"));
    assert_eq!(sandbox.json("cert verify --ca root.crt --name 192.0.2.1 host.crt")["trusted"], true);
}

#[test]
fn warns_once_per_retired_algorithm_of_a_chain() {
    let sandbox = sandbox("Dilithium3", "Falcon-512");
    sandbox.ok(&format!("cert issue --quiet --csr host.csr {CA} --out host.crt"));
    let done = sandbox.run("cert verify --ca root.crt --ca root.crt host.crt");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(done.stderr.matches("Dilithium3 is retired").count(), 1, "{}", done.stderr);
    sandbox.ok("keygen --quiet --alg Dilithium2 --out stranger.key");
    sandbox.ok("cert root --quiet --key stranger.key --subject CN=stranger --out stranger.crt");
    let done = sandbox.run("cert verify --ca stranger.crt --ca root.crt host.crt");
    assert!(!done.stderr.contains("Dilithium2"), "of a root that has no part in the chain: {}", done.stderr);
}

#[test]
fn lets_issuers_override_names_but_not_subjects() {
    let sandbox = sandbox("Ed25519", "ML-DSA-65");
    sandbox.ok(&format!("cert issue --csr host.csr {CA} --san other.example --out other.crt"));
    let shown = sandbox.json("cert show other.crt");
    assert_eq!(shown["certificates"][0]["names"], serde_json::json!(["other.example"]));
    let renamed = format!("cert issue --csr host.csr {CA} --subject CN=b --out b.crt");
    sandbox.refuses(2, &renamed, &["the subject comes from the request", "--subject"]);
    sandbox.refuses(2, &format!("cert issue {CA} --out b.crt"), &["--key <FILE>"]);
    sandbox.refuses(2, "cert request --out b.csr", &["--key <FILE>"]);
}

/// A composite signature of OQS is at the end of the certificate. It starts with the length of the classical part, the
/// classical part and then the post-quantum part.
#[test]
fn names_the_damaged_part_of_composite_certificates() {
    names_damaged_part("p256_mldsa44", "ML-DSA-44");
    // an identifier that is not in the registry
    names_damaged_part("p256_falcon512 --profile provider-0.5", "Falcon-512");
}

fn names_damaged_part(algorithm: &str, part: &str) {
    let sandbox = Sandbox::new();
    sandbox.ok(&format!("cert chain --quiet --alg {algorithm} --out ."));
    let pem = String::from_utf8(sandbox.get("entity_cert.pem")).unwrap();
    let profile = algorithm.split_once(' ').map_or("", |(_, profile)| profile);
    let verify = |file: &str| format!("cert verify {profile} --ca root_cert.pem --name localhost {file}");
    sandbox.ok(&verify("entity_cert.pem"));
    let flipped = |line: usize| {
        let mut lines: Vec<_> = pem.lines().map(str::to_owned).collect();
        lines[line] = lines[line].replacen(|c: char| c.is_ascii_lowercase(), "Z", 1);
        lines.join("\n")
    };
    // the end of the signature is the post-quantum part
    sandbox.put("half.pem", flipped(pem.lines().count() - 5));
    sandbox.refuses(
        1,
        &verify("half.pem"),
        &[
            "half.pem: the certificate of CN=",
            &format!("whose {part} part does not match, while the other part does"),
        ],
    );
    // alters the subject's key, which both parts of the signature cover
    sandbox.put("both.pem", flipped(12));
    sandbox.refuses(
        1,
        &verify("both.pem"),
        &["both.pem: ", "was altered, or was signed with a key other than its issuer's"],
    );
}

#[test]
fn names_the_damaged_part_of_composite_signatures() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg p256_mldsa44 --out key --pub pub");
    sandbox.put("letter", "dear friend");
    sandbox.ok("sign --quiet --key key --in letter --out sig");
    let sig = sandbox.get("sig");
    for (place, part) in [(20, "ECDSA-P256-SHA384"), (sig.len() - 1000, "ML-DSA-44")] {
        let mut damaged = sig.clone();
        damaged[place] ^= 1;
        sandbox.put("damaged", damaged);
        let verify = "verify --pub pub --sig damaged --in letter";
        let message = format!("damaged: the {part} part of the composite signature does not match");
        sandbox.refuses(1, verify, &[&message]);
    }
}

#[test]
fn rejects_chains_of_algorithms_without_identifier() {
    let sandbox = Sandbox::new();
    for (name, parts) in [
        ("SPHINCS+-SHAKE-128f-robust", &["in the profile iana", "use ", "raw keys"][..]),
        ("FALCON_LEVEL1 --profile provider-0.8", &["in the profile provider-0.8", "give --profile "]),
    ] {
        let words = format!("cert chain --alg {name} --out c");
        sandbox.refuses(1, &words, &[&["has no object identifier"], parts].concat());
    }
    assert!(sandbox.files().is_empty());
}

#[test]
fn rejects_damaged_requests() {
    let sandbox = sandbox("ML-DSA-44", "ML-DSA-44");
    let request = String::from_utf8(sandbox.get("host.csr")).unwrap();
    let mut lines: Vec<&str> = request.lines().collect();
    // Change a letter in the middle of the signature, because not every value is valid for the last letters of base64.
    let middle = lines.len() - 10;
    let flipped = lines[middle].replacen(|c: char| c.is_ascii_lowercase(), "Z", 1);
    lines[middle] = &flipped;
    sandbox.put("flipped.csr", lines.join("\n"));
    sandbox.put("cut.csr", &request[..request.len() / 2]);
    for subcommand in ["cert request --show", &format!("cert issue {CA} --out x.crt --csr")] {
        sandbox.refuses(
            1,
            &format!("{subcommand} flipped.csr"),
            &["flipped.csr", "the signature on the request of CN=host is wrong"],
        );
        sandbox.refuses(1, &format!("{subcommand} cut.csr"), &["cut.csr", "-----END line is missing"]);
        sandbox.refuses(
            1,
            &format!("{subcommand} root.crt"),
            &["root.crt", "expected PEM of \"CERTIFICATE REQUEST\", but this is PEM of \"CERTIFICATE\""],
        );
        sandbox.refuses(1, &format!("{subcommand} none.csr"), &["none.csr", "cannot read"]);
    }
}

#[test]
fn verifies_chains_with_intermediates() {
    let sandbox = sandbox("ML-DSA-87", "ML-DSA-44");
    sandbox.ok("keygen --quiet --alg ML-DSA-65 --out sub.key");
    sandbox.ok(&format!("cert issue --key sub.key {CA} --path-len 0 --subject CN=sub --out sub.crt"));
    sandbox.ok("cert issue --key host.pub --ca sub.crt --ca-key sub.key --subject CN=host --san host.example --out host.crt");
    sandbox.ok("cert verify --ca root.crt --untrusted sub.crt --name host.example host.crt");
    sandbox.ok("cert verify --ca root.crt --untrusted sub.crt --purpose client host.crt");
    let refuses =
        |options: &str, parts: &[&str]| sandbox.refuses(1, &format!("cert verify {options} host.crt"), parts);
    refuses(
        "--ca root.crt",
        &["host.crt", "CN=host", "was issued by CN=", "which is not one of the given roots"],
    );
    refuses(
        "--ca sub.key",
        &["sub.key", "expected PEM of \"CERTIFICATE\", but this is PEM of \"PRIVATE KEY\""],
    );
    refuses("--ca root.crt --untrusted sub.crt --name else.example", &["host.crt", "else.example"]);
    refuses("--ca root.crt --untrusted sub.crt --at 2020-01-01", &["host.crt", "is not valid before 20"]);
    refuses("--ca root.crt --untrusted sub.crt --at 2099-01-01", &["host.crt", " expired on 20"]);
    // the path length of deep.crt forbids this chain
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out deep.key");
    sandbox.ok("cert issue --key deep.key --ca sub.crt --ca-key sub.key --path-len 0 --subject CN=deep --out deep.crt");
    sandbox.ok("cert issue --key host.key --ca deep.crt --ca-key deep.key --subject CN=low --out low.crt");
    sandbox.refuses(
        1,
        "cert verify --ca root.crt --untrusted sub.crt --untrusted deep.crt low.crt",
        &["low.crt"],
    );
}

#[test]
fn rejects_issuers_that_are_not_cas() {
    let sandbox = sandbox("ML-DSA-44", "ML-DSA-44");
    sandbox.ok(&format!("cert issue --csr host.csr {CA} --out host.crt"));
    let issue =
        |ca: &str, key: &str| format!("cert issue --key host.key --ca {ca} --ca-key {key} --out x.crt");
    sandbox.refuses(1, &issue("host.crt", "host.key"), &["host.crt", "may not issue others"]);
    sandbox.refuses(
        1,
        &issue("root.crt", "host.key"),
        &["host.key", "the private key does not belong to the certificate of CN=root"],
    );
    sandbox.refuses(1, &issue("root.key", "root.key"), &["root.key", "expected PEM of \"CERTIFICATE\""]);
    sandbox.refuses(1, &issue("root.crt", "root.crt"), &["root.crt", "expected PEM of \"PRIVATE KEY\""]);
    sandbox.refuses(
        1,
        &format!("cert issue --key host.key {CA} --san not_a.name!x --out x.crt"),
        &["neither a host name nor an IP address"],
    );
    for (name, output) in [
        ("IP:host", "\"host\" is not an IP address"),
        ("DNS:192.0.2.1", "192.0.2.1 is an IP address, not a host name"),
        ("other:me@host", "unknown kind of name \"other:\""),
    ] {
        sandbox.refuses(
            2,
            &format!("cert issue --key host.key {CA} --san {name} --out x.crt"),
            &["--san", output],
        );
    }
    sandbox.refuses(
        1,
        &format!("cert issue --key host.key {CA} --subject nonsense --out x.crt"),
        &["subject", "CN=host"],
    );
    for days in ["0", "-1", "36501"] {
        let printed = ["--days", "give 1 to 36500 days"];
        sandbox.refuses(2, &format!("cert issue --key host.key {CA} --days {days} --out x.crt"), &printed);
    }
    sandbox.refuses(
        2,
        &format!("cert issue --key host.key {CA} --serial xyz --out x.crt"),
        &["--serial", "hexadecimal"],
    );
    sandbox.refuses(
        1,
        &format!("cert issue --key host.key {CA} --out host.crt"),
        &["host.crt: the file already exists", "--force"],
    );
    assert!(!sandbox.files().contains(&"x.crt".to_owned()));
}

#[test]
fn reports_the_damaged_field_of_certificates() {
    let sandbox = sandbox("ML-DSA-44", "ML-DSA-44");
    let certificate = String::from_utf8(sandbox.get("root.crt")).unwrap();
    sandbox.put("cut.crt", &certificate[..certificate.len() - 30]);
    sandbox.put("letters.crt", certificate.replacen("MII", "M!I", 1));
    sandbox.put("empty.crt", "");
    sandbox.put("short.crt", [0x30, 0x82, 0x10, 0x00, 1, 2, 3]);
    sandbox.refuses(1, "cert show cut.crt", &["cut.crt", "-----END line is missing", "truncated"]);
    sandbox.refuses(1, "cert show letters.crt", &["letters.crt", "CERTIFICATE PEM is damaged"]);
    sandbox.refuses(1, "cert show empty.crt", &["empty.crt", "it is empty"]);
    sandbox.refuses(1, "cert show short.crt", &["short.crt", "certificate is not valid DER"]);
}

#[test]
fn writes_all_files_of_a_chain_or_none() {
    let sandbox = Sandbox::new();
    let made = sandbox.json("cert chain --alg ML-DSA-65 --out certs");
    assert_eq!(made["files"].as_array().unwrap().len(), 4);
    sandbox.ok("cert verify --ca certs/root_cert.pem --name localhost certs/entity_cert.pem");
    let entity = sandbox.json("cert show certs/entity_cert.pem");
    assert_eq!(entity["certificates"].as_array().unwrap().len(), 1, "the root is the verifier's");
    for key in ["certs/root_key.pem", "certs/entity_key.pem"] {
        #[cfg(unix)]
        assert_eq!(sandbox.mode(key), 0o600, "{key}");
    }
    let exists = ["root_key.pem: the file already exists", "--force"];
    sandbox.refuses(1, "cert chain --alg ML-DSA-65 --out certs", &exists);
    std::fs::remove_file(sandbox.path("certs/root_key.pem")).unwrap();
    let exists = ["root_cert.pem: the file already exists"];
    sandbox.refuses(1, "cert chain --alg ML-DSA-65 --out certs", &exists);
    assert!(!sandbox.path("certs/root_key.pem").exists());
}

#[test]
fn shows_certificates_with_their_files() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out certs");
    let [root, entity] = ["certs/root_cert.pem", "certs/entity_cert.pem"];
    let shown = sandbox.json(&format!("cert show {root} {entity}"));
    let files: Vec<&str> =
        shown["certificates"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(files, [root, entity]);
    let shown = sandbox.ok(&format!("cert show {root} {entity}"));
    assert!(shown.contains(&format!("  file      {entity}\n")), "{shown}");
    assert!(!sandbox.ok(&format!("cert show {entity}")).contains("  file"));
    sandbox.refuses(1, &format!("cert show {root} none.pem"), &["none.pem: cannot read"]);
    sandbox.refuses(2, "cert show - -", &["standard input"]);
}

#[test]
fn names_directories_that_cannot_be_made() {
    let sandbox = Sandbox::new();
    sandbox.put("file", "here");
    let not_a_directory = ["file: is not a directory; name a directory"];
    sandbox.refuses(1, "cert chain --quiet --alg ML-DSA-44 --out file", &not_a_directory);
    sandbox.refuses(
        1,
        "cert chain --quiet --alg ML-DSA-44 --out file/in",
        &["file/in: cannot make", "Not a directory;"],
    );
}

#[test]
fn escapes_control_characters_of_certificates() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out root.key");
    let mut command = sandbox.command("cert root --key root.key --out root.crt --subject");
    command.arg("CN=\u{1b}[2Jroot");
    assert!(command.status().unwrap().success());
    let shown = sandbox.ok("cert show root.crt");
    assert!(shown.contains("CN=\\1b[2Jroot") && !shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn makes_chains_for_several_names() {
    let sandbox = Sandbox::new();
    let made = sandbox.ok("cert chain --quiet --sig Dilithium2,ML-DSA-44 --out certs --json");
    let made: Vec<serde_json::Value> = made.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(made[0]["algorithm"], "Dilithium2");
    for name in ["dilithium2", "ml_dsa_44"] {
        let (root, entity) = (format!("certs/{name}_root_cert.pem"), format!("certs/{name}_entity_cert.pem"));
        sandbox.ok(&format!("cert verify --ca {root} --name 127.0.0.1 {entity}"));
        #[cfg(unix)]
        assert_eq!(sandbox.mode(&format!("certs/{name}_entity_key.pem")), 0o600);
    }
    sandbox.refuses(2, "cert chain --sig ML-DSA-44,nonsense --out certs", &["--sig", "\"nonsense\""]);
    sandbox.refuses(2, "cert chain --sig ML-DSA-44 --alg ML-DSA-65 --out certs", &["--alg", "--sig"]);
    sandbox.refuses(2, "cert chain --out certs", &["--sig"]);
    let exists = ["ml_dsa_44_root_key.pem: the file already exists"];
    sandbox.refuses(1, "cert chain --sig ml_dsa_44 --out certs", &exists);
}

/// File name prefixes and root serial numbers of wolfSSL's scripts; each entity has the next number.
///
/// The small SPHINCS+ sets are left out because signing takes seconds; a unit test checks their table.
const SCRIPTED: &[(&str, u16)] = &[
    ("falcon_level1", 512),
    ("falcon_level5", 1024),
    ("dilithium_level2", 20),
    ("dilithium_level3", 30),
    ("dilithium_level5", 50),
    ("dilithium_aes_level2", 20),
    ("dilithium_aes_level3", 30),
    ("dilithium_aes_level5", 50),
    ("sphincs_fast_level1", 20),
    ("sphincs_fast_level3", 30),
    ("sphincs_fast_level5", 50),
    ("mldsa44", 20),
    ("mldsa65", 30),
    ("mldsa87", 50),
];

/// A critical KeyUsage with keyCertSign.
const CERT_SIGN: &[u8] = b"\x06\x03\x55\x1d\x0f\x01\x01\xff\x04\x04\x03\x02\x02\x04";
/// A critical KeyUsage with digitalSignature.
const DIGITAL_SIGNATURE: &[u8] = b"\x06\x03\x55\x1d\x0f\x01\x01\xff\x04\x04\x03\x02\x07\x80";
/// A critical ExtendedKeyUsage with serverAuth and clientAuth.
const PURPOSES: &[u8] = b"\x06\x03\x55\x1d\x25\x01\x01\xff\x04\x16\x30\x14\
    \x06\x08\x2b\x06\x01\x05\x05\x07\x03\x01\x06\x08\x2b\x06\x01\x05\x05\x07\x03\x02";

#[test]
fn makes_the_chains_of_wolfssls_scripts() {
    let sandbox = Sandbox::new();
    sandbox.ok("cert chain --quiet --sig FALCON,dilithium,SPHINCS_FAST,MLDSA --out certs");
    assert_eq!(std::fs::read_dir(sandbox.path("certs")).unwrap().count(), 4 * SCRIPTED.len());
    let subject = |mail: &str, name: &str| {
        format!(
            "EMAIL={mail}@wolfssl.com,CN={name} Certificate,OU=Engineering,O=wolfSSL Inc.,L=Waterloo,ST=ON,C=CA"
        )
    };
    for (begin, serial) in SCRIPTED {
        let files = ["root", "entity"].map(|party| format!("certs/{begin}_{party}_cert.pem"));
        let shown = files
            .each_ref()
            .map(|file| sandbox.json(&format!("cert show {file}"))["certificates"][0].clone());
        let certificates =
            files.each_ref().map(|file| Certificate::from_pem_or_der(&sandbox.get(file)).unwrap());
        let [root, entity] = &shown;
        let number =
            |shown: &serde_json::Value| u16::from_str_radix(shown["serial"].as_str().unwrap(), 16).unwrap();
        assert_eq!((number(root), number(entity)), (*serial, serial + 1), "{begin}");
        assert_eq!(root["subject"], entity["issuer"], "{begin}");
        assert_eq!(
            (&root["subject"], &entity["subject"]),
            (&subject("root", "Root").into(), &subject("entity", "Entity").into())
        );
        assert_eq!(
            (&root["names"], &entity["names"]),
            (&serde_json::json!([]), &serde_json::json!(["127.0.0.1"]))
        );
        let contains = |which: usize, der: &[u8]| {
            certificates[which].to_der().windows(der.len()).any(|part| part == der)
        };
        assert!(contains(0, CERT_SIGN) && contains(1, DIGITAL_SIGNATURE) && contains(1, PURPOSES), "{begin}");
        assert_eq!((&root["ca"], &entity["ca"]), (&true.into(), &false.into()));
        sandbox.ok(&format!("cert verify --ca {} --name 127.0.0.1 {}", files[0], files[1]));
    }
}

#[test]
fn lets_options_override_the_scripts() {
    let sandbox = Sandbox::new();
    let options = "--serial 1f --subject CN=own --root-subject CN=above --san DNS:own.example";
    sandbox.ok(&format!("cert chain --quiet --sig DILITHIUM_LEVEL2 --out certs {options}"));
    let shown = |party: &str| {
        sandbox.json(&format!("cert show certs/dilithium_level2_{party}_cert.pem"))["certificates"][0].clone()
    };
    let (root, entity) = (shown("root"), shown("entity"));
    assert_eq!((&root["serial"], &entity["serial"]), (&"1f".into(), &"20".into()));
    assert_eq!((&root["subject"], &entity["subject"]), (&"CN=above".into(), &"CN=own".into()));
    assert_eq!(entity["names"], serde_json::json!(["own.example"]));
    sandbox.refuses(2, "cert chain --sig FALC --out certs", &["--sig", "\"FALC\""]);
}

#[test]
fn makes_chains_with_given_names_and_serial_numbers() {
    let sandbox = Sandbox::new();
    let names = "--root-subject CN=above,C=CA --subject CN=below,C=CA --san IP:127.0.0.1";
    sandbox.ok(&format!("cert chain --alg ECDSA-P256 --out certs --serial 01ff --days 3650 {names}"));
    let shown = ["root", "entity"].map(|party| sandbox.json(&format!("cert show certs/{party}_cert.pem")));
    let [root, entity] = shown.each_ref().map(|shown| &shown["certificates"][0]);
    assert_eq!((&root["serial"], &entity["serial"]), (&"01ff".into(), &"0200".into()));
    assert_eq!(root["subject"], entity["issuer"]);
    assert!(root["subject"].as_str().unwrap().contains("CN=above") && entity["subject"] != root["subject"]);
    sandbox.ok("cert verify --ca certs/root_cert.pem --name 127.0.0.1 certs/entity_cert.pem");
    let days = |certificate: &serde_json::Value| {
        (certificate["not_after"].as_u64().unwrap() - certificate["not_before"].as_u64().unwrap()) / 86_400
    };
    assert_eq!((days(root), days(entity)), (3650, 3650));
}

#[test]
fn makes_composite_chains_under_oqs_and_ietf_names() {
    let sandbox = Sandbox::new();
    for name in ["p256_dilithium2", "p384_dilithium3_aes", "p521_falcon1024", "MLDSA65-ECDSA-P256-SHA512"] {
        sandbox.ok(&format!("cert chain --quiet --force --sig {name} --out made"));
        let file = |end: &str| format!("made/{}_{end}.pem", name.to_lowercase().replace('-', "_"));
        let (ca, entity, key) = (file("root_cert"), file("entity_cert"), file("entity_key"));
        sandbox.ok(&format!("cert verify --ca {ca} --name localhost {entity}"));
        assert_eq!(sandbox.json(&format!("cert show {entity}"))["certificates"][0]["key_algorithm"], name);
        assert_eq!(sandbox.json(&format!("key inspect {key}"))["algorithm"], name);
    }
}
