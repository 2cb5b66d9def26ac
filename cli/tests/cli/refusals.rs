//! Bad input: one line with place, problem and advice, an exit code, and no files left behind.

use crate::sandbox::Sandbox;
use std::io::Read;
use std::process::Stdio;

#[test]
fn suggests_names_for_unknown_algorithms() {
    let sandbox = Sandbox::new();
    sandbox.refuses(
        2,
        "keygen --alg zzz --form raw --out key",
        &["unknown algorithm \"zzz\"", "`grille list --all`"],
    );
    sandbox.refuses(2, "bench zzz", &["unknown algorithm \"zzz\""]);
    for kind in ["kem", "sig"] {
        for row in sandbox.rows(kind) {
            let misspelled = format!("{}q", &row.name()[..row.name().len() - 1]);
            sandbox.refuses(2, &format!("keygen --alg {misspelled} --form raw --out key"), &["did you mean"]);
        }
    }
    assert!(sandbox.files().is_empty());
}

#[test]
fn reports_usage_mistakes_in_one_line_with_exit_code_2() {
    let sandbox = Sandbox::new();
    sandbox.refuses(2, "keygon", &["keygon", "keygen"]);
    sandbox.refuses(2, "list --al", &["--al", "--all"]);
    sandbox.refuses(2, "sign", &["--key <FILE>"]);
    sandbox.refuses(2, "list kom", &["kom", "kem"]);
    sandbox.refuses(2, "bench --seconds nan", &["seconds"]);
    for list in ["", ",", ":"] {
        for side in ["client --insecure", "server --cert c --key k"] {
            let words = format!("tls {side} --groups={list}");
            sandbox.refuses(2, &words, &["--groups", "the list is empty", "leave out the option"]);
        }
    }
    sandbox.refuses(2, "sign --key - --in - --out sig", &["standard input", "name files"]);
    sandbox.refuses(2, "sign --key k --context hex:abc", &["--context", "hexadecimal"]);
    sandbox.refuses(2, "encap --ct - --pub p --secret", &["--secret <FILE>"]);
    let twice = ["one: two outputs", "give each output its own"];
    sandbox.refuses(2, "keygen --alg ML-DSA-44 --out one --pub one", &twice);
    sandbox.refuses(2, "keygen --alg ML-DSA-44 --out one --pub ./one --force", &["./one: two outputs"]);
    sandbox.put("k", "key");
    sandbox.refuses(2, "sign --key k --in - --out ./k --force", &["./k: the output would replace an input"]);
    sandbox.refuses(2, "decap --key k --ct c --secret k --force", &["k: the output would replace an input"]);
    sandbox.refuses(2, "encap --pub k --ct k --secret s --force", &["k: the output would replace an input"]);
    sandbox.refuses(2, "cert root --key k --out k --force", &["k: the output would replace an input"]);
    assert_eq!(sandbox.get("k"), b"key");
    std::fs::remove_file(sandbox.path("k")).unwrap();
    assert!(sandbox.files().is_empty());
}

#[test]
fn prints_help_and_version() {
    let sandbox = Sandbox::new();
    assert!(sandbox.ok("--version").starts_with("grille "));
    for subcommand in ["", "list", "keygen", "encap", "decap", "sign", "verify", "bench"] {
        assert!(sandbox.ok(&format!("{subcommand} --help")).contains("Usage: grille"), "{subcommand}");
    }
    assert_eq!(sandbox.run("").code, 2);
}

#[test]
fn rejects_data_and_json_on_standard_output() {
    let done = Sandbox::new().run("sign --key k --json");
    done.check(2, "sign --key k --json", &["--json", "standard output", "name a file"]);
}

#[test]
fn names_unreadable_files() {
    let sandbox = Sandbox::new();
    sandbox.put("m", b"m");
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.refuses(
        1,
        "sign --key no.key --in m --out sig",
        &["no.key: cannot read: No such file", "check the file name"],
    );
    sandbox.refuses(1, "sign --key folder --in m --out sig", &["folder: cannot read", "directory"]);
    sandbox.refuses(1, "verify --pub no.pub --sig s --in m", &["no.pub: cannot read"]);
    sandbox.refuses(1, "decap --key m/key --ct m --secret s", &["m/key: cannot read"]);
    assert_eq!(sandbox.files(), ["folder", "m"]);
}

#[test]
fn leaves_no_files_after_a_failed_write() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for row in sandbox.rows("sig").iter().take(1) {
        let keygen = format!("keygen --quiet --alg {} --form raw", row.name());
        sandbox.refuses(
            1,
            &format!("{keygen} --out no/key"),
            &["no/key: cannot write", "make the directory first"],
        );
        sandbox.refuses(1, &format!("{keygen} --out key --pub no/pub"), &["no/pub: cannot write"]);
        sandbox.refuses(1, &format!("{keygen} --out key --pub folder"), &["folder: is a directory"]);
        let done = sandbox.run(&format!("{keygen} --out - --pub -"));
        done.check(2, &keygen, &["only one output", "name files"]);
        assert!(done.stdout.is_empty());
    }
    assert_eq!(sandbox.files(), ["folder"]);
}

#[test]
fn replaces_existing_files_only_with_force() {
    let sandbox = Sandbox::new();
    sandbox.put("key", b"precious");
    sandbox.put("pub", b"public");
    for row in sandbox.rows("sig").iter().take(1) {
        let keygen = format!("keygen --quiet --alg {} --form raw", row.name());
        let parts: &[&str] = &["key: the file already exists", "--force"];
        sandbox.refuses(1, &format!("{keygen} --out key --pub new.pub"), parts);
        sandbox.refuses(1, &format!("{keygen} --out new.key --pub pub"), &["pub: the file already exists"]);
        assert_eq!(sandbox.files(), ["key", "pub"]);
        assert_eq!(sandbox.get("key"), b"precious");
        sandbox.ok(&format!("{keygen} --out key --pub pub --force"));
        assert_ne!(sandbox.get("key"), b"precious");
        assert_eq!(sandbox.files(), ["key", "pub"]);
    }
}

#[cfg(unix)]
#[test]
fn makes_private_files_readable_by_their_owner_only() {
    let sandbox = Sandbox::new();
    for row in sandbox.rows("kem").iter().take(1) {
        let alg = row.name();
        sandbox.put("bob.key", b"");
        sandbox.ok(&format!("keygen --quiet --alg {alg} --form raw --out bob.key --pub bob.pub --force"));
        sandbox.ok(&format!("encap --quiet --alg {alg} --pub bob.pub --ct ct --secret alice.secret"));
        sandbox.ok(&format!("decap --quiet --alg {alg} --key bob.key --ct ct --secret bob.secret"));
        for name in ["bob.key", "alice.secret", "bob.secret"] {
            assert_eq!(sandbox.mode(name), 0o600, "{name}");
        }
    }
}

#[test]
fn reports_expected_and_found_lengths_for_every_single_algorithm() {
    let sandbox = Sandbox::new();
    sandbox.put("m", b"m");
    sandbox.put("short", [7; 9]);
    let is_hybrid = |alg: &str| grille_registry::kem_by_name(alg).expect("a listed name").kem.is_hybrid();
    for row in sandbox.rows("kem").iter().filter(|row| !is_hybrid(row.name())) {
        let alg = row.name();
        let (public, ciphertext) = (row.text("public_key_len"), row.text("ciphertext_len"));
        sandbox.refuses(
            1,
            &format!("encap --quiet --alg {alg} --pub short --ct ct --secret s"),
            &["short: ", &public, "9"],
        );
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --form raw --out key --pub pub"));
        sandbox.refuses(
            1,
            &format!("decap --quiet --alg {alg} --key key --ct short --secret s"),
            &["short: ", &ciphertext],
        );
        sandbox.refuses(1, &format!("decap --quiet --alg {alg} --key short --ct m --secret s"), &["short: "]);
    }
    for row in sandbox.rows("sig") {
        let alg = row.name();
        sandbox.refuses(
            1,
            &format!("sign --quiet --alg {alg} --key short --in m --out sig"),
            &["short: ", alg],
        );
        sandbox.refuses(
            1,
            &format!("verify --quiet --alg {alg} --pub short --sig m --in m"),
            &["short: ", alg],
        );
    }
    assert!(sandbox.files().iter().all(|name| ["key", "m", "pub", "short"].contains(&name.as_str())));
}

#[test]
fn rejects_invalid_hexadecimal() {
    let sandbox = Sandbox::new();
    sandbox.put("text", b"hello");
    for row in sandbox.rows("kem").iter().take(1) {
        let alg = row.name();
        sandbox.ok(&format!("keygen --quiet --alg {alg} --form raw --out key"));
        let decap = format!("decap --quiet --hex --alg {alg} --key key --ct text --secret s");
        sandbox.refuses(1, &decap, &["text: is not hexadecimal", "--hex"]);
    }
}

#[test]
fn rejects_long_contexts() {
    let sandbox = Sandbox::new();
    sandbox.put("m", b"m");
    for row in sandbox.rows("sig") {
        let (alg, context) = (row.name(), "c".repeat(row.number("context_len") + 1));
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --form raw --out key"));
        let sign = format!("sign --quiet --key key --alg {alg} --context {context} --in m --out sig");
        sandbox.refuses(1, &sign, &[alg, "context"]);
    }
}

#[test]
fn warns_in_one_line_about_retired_and_broken_algorithms() {
    let sandbox = Sandbox::new();
    for row in ["kem", "sig"].iter().flat_map(|kind| sandbox.rows(kind)) {
        let (alg, status) = (row.name(), row.text("status"));
        if !["\"retired\"", "\"broken\""].contains(&status.as_str()) {
            continue;
        }
        let words = format!("keygen --alg {alg} --form raw --out key --force");
        let warning = format!("warning: {alg} is {}", status.trim_matches('"'));
        sandbox.run(&words).check(0, &words, &[&warning]);
        let done = sandbox.run(&format!("{words} --quiet"));
        assert!(done.code == 0 && done.stderr.is_empty(), "{alg}: {}", done.stderr);
    }
}

/// Counts the warnings about this algorithm.
fn warnings(printed: &str, algorithm: &str) -> usize {
    printed.lines().filter(|line| line.starts_with(&format!("warning: {algorithm} is "))).count()
}

#[test]
fn warns_once_about_named_retired_groups_and_keys() {
    let sandbox = Sandbox::new();
    // no server answers: the warning comes before connecting
    let unreachable = "--insecure --timeout 1 127.0.0.1:1";
    for (groups, name) in [
        ("SABER_LEVEL1,LightSaber-KEM", "LightSaber-KEM"),
        ("KYBER_LEVEL1", "Kyber512"),
        ("NTRU_HPS_LEVEL1", "NTRU-HPS-2048-509"),
    ] {
        let printed = sandbox.run(&format!("tls client --groups {groups} {unreachable}")).stderr;
        assert_eq!(warnings(&printed, name), 1, "{printed}");
        assert_eq!(
            warnings(
                &sandbox.run(&format!("tls client --quiet --groups {groups} {unreachable}")).stderr,
                name
            ),
            0
        );
    }
    let printed = sandbox.run(&format!("tls client --groups X25519MLKEM768,X25519 {unreachable}")).stderr;
    assert!(!printed.contains("retired"), "{printed}");
    sandbox.ok("cert chain --quiet --alg FALCON_LEVEL1 --out old");
    sandbox.ok("cert chain --quiet --alg ML-DSA-44 --out new");
    for (key, ca) in [("old", "old"), ("old", "new"), ("new", "old"), ("new", "new")] {
        let issue = format!(
            "cert issue --key {key}/entity_key.pem --ca {ca}/root_cert.pem --ca-key {ca}/root_key.pem --force --out crt"
        );
        let printed = sandbox.run(&issue).stderr;
        let expected = usize::from(key == "old" || ca == "old");
        assert_eq!(
            (warnings(&printed, "Falcon-512-2020"), printed.lines().count()),
            (expected, expected),
            "{printed}"
        );
    }
}

#[test]
fn ignores_closed_pipes() {
    let sandbox = Sandbox::new();
    for words in ["list --all", "list --all --json", "--help", "bench --help"] {
        let mut command = sandbox.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""), "{words}");
    }
}
