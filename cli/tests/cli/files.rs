//! Files of other programs, read by every subcommand: encodings, containers, passphrases.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;
use std::path::Path;

/// Makes a sandbox with files of `vectors/files`.
fn sandbox(names: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/files");
    for name in names {
        sandbox.put(name, std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")));
    }
    sandbox.put("word", "secret\n");
    sandbox.put("word1", "secret1\r\nmore\n");
    sandbox.put("wrong", "secret2\n");
    sandbox.put("letter", "hello");
    sandbox
}

#[test]
fn reads_certificates_in_every_encoding() {
    let sandbox = sandbox(&["openssl-p256.crt", "openssl-p256.key", "openssl-trusted.crt"]);
    sandbox.ok("cert issue --quiet --key openssl-p256.key --ca openssl-p256.crt --ca-key openssl-p256.key --san localhost --out own.crt");
    let text = String::from_utf8(sandbox.get("openssl-p256.crt")).unwrap();
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
    sandbox.put("latin1.crt", [b"# M\xFCller\n", text.as_bytes()].concat());
    sandbox.put("crlf.crt", text.replace('\n', "\r\n"));
    sandbox.put("bom.crt", [b"\xEF\xBB\xBF", text.as_bytes()].concat());
    sandbox.put("utf16.crt", [b"\xFF\xFE", wide(u16::to_le_bytes).as_slice()].concat());
    sandbox.put("utf16be.crt", wide(u16::to_be_bytes));
    sandbox.put("old.crt", text.replace(" CERTIFICATE", " X509 CERTIFICATE"));
    let shown = sandbox.ok("cert show openssl-p256.crt");
    for name in ["latin1", "crlf", "bom", "utf16", "utf16be", "old", "openssl-trusted"] {
        let file = format!("{name}.crt");
        assert_eq!(
            sandbox.ok(&format!("cert show {file}")).replace(&file, "openssl-p256.crt"),
            shown,
            "{name}"
        );
        sandbox.ok(&format!("cert verify --ca {file} own.crt"));
    }
}

#[test]
fn notes_skipped_blocks_once() {
    let sandbox = sandbox(&["openssl-p256.crt", "openssl-p256.key"]);
    let crl = b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n".to_vec();
    sandbox.put(
        "bundle.pem",
        [sandbox.get("openssl-p256.key"), crl.clone(), crl, sandbox.get("openssl-p256.crt")].concat(),
    );
    let done = sandbox.run("cert show bundle.pem");
    assert_eq!((done.code, done.stderr.as_str()), (0, "bundle.pem: skipped PEM block \"X509 CRL\"\n"));
    let quiet = sandbox.run("cert show bundle.pem --quiet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}

#[test]
fn reads_requests_of_keytool() {
    let sandbox = sandbox(&["keytool.csr"]);
    assert!(sandbox.ok("cert request --show keytool.csr").contains("CN="));
}

#[test]
fn signs_with_keys_of_every_container() {
    let sandbox = sandbox(&[
        "bc-falcon-512.key",
        "bc-falcon-512.pub",
        "bc-ml-dsa-44.p12",
        "openssl-p256.key",
        "openssl-p256.pub",
        "openssl-p256-pbkdf2.key",
        "openssl-p256-scrypt.key",
        "openssl-rsa-2048.key",
        "openssl-rsa-2048.pub",
        "keytool.p12",
    ]);
    for (words, algorithm, container) in [
        ("bc-falcon-512.key", "Falcon-512", "PKCS#8"),
        ("bc-ml-dsa-44.p12 --passphrase-file word", "ML-DSA-44", "PKCS#12"),
        ("openssl-p256.key", "ECDSA-P256-SHA256", "SEC 1"),
        ("openssl-rsa-2048.key", "RSA-2048", "PKCS#1"),
        ("openssl-p256-pbkdf2.key --passphrase-file word", "ECDSA-P256-SHA256", "encrypted PKCS#8"),
        (
            "openssl-p256-scrypt.key --passphrase-file wrong --passphrase-file word",
            "ECDSA-P256-SHA256",
            "encrypted PKCS#8",
        ),
        ("keytool.p12 --passphrase-file word1", "ECDSA-P256-SHA256", "PKCS#12"),
    ] {
        let found = sandbox.json(&format!("key inspect {words}"));
        assert_eq!(
            (found["algorithm"].as_str(), found["container"].as_str()),
            (Some(algorithm), Some(container))
        );
    }
    for (key, public) in [
        ("openssl-p256-pbkdf2.key --passphrase-file word", "openssl-p256.pub"),
        ("openssl-rsa-2048.key", "openssl-rsa-2048.pub"),
        ("bc-falcon-512.key", "bc-falcon-512.pub"),
    ] {
        sandbox.ok(&format!("sign --quiet --key {key} --in letter --out sig --force"));
        sandbox.ok(&format!("verify --quiet --pub {public} --sig sig --in letter"));
    }
}

#[test]
fn reads_passphrases_from_files_and_variables() {
    let sandbox = sandbox(&[
        "openssl-p256-pbkdf2.key",
        "keytool.p12",
        "openssl-p256-ofb.key",
        "openssl-p256-legacy.key",
    ]);
    let inspect = "key inspect openssl-p256-pbkdf2.key";
    let file = "openssl-p256-pbkdf2.key: ";
    sandbox.refuses(
        1,
        inspect,
        &[file, "the private key is encrypted", "--passphrase-file or --passphrase-env"],
    );
    sandbox.refuses(
        1,
        &format!("{inspect} --passphrase-file wrong"),
        &[file, "wrong passphrase for the private key"],
    );
    sandbox.refuses(1, &format!("{inspect} --passphrase-file none"), &["none: cannot read"]);
    sandbox.refuses(
        2,
        &format!("{inspect} --passphrase-env GRILLE_TEST_NONE"),
        &["the environment variable GRILLE_TEST_NONE is not set"],
    );
    sandbox.refuses(
        1,
        "cert show keytool.p12",
        &["keytool.p12: ", "the PKCS#12 file is encrypted", "--passphrase-file"],
    );
    let mut command = sandbox.command(&format!("{inspect} --passphrase-env GRILLE_TEST_WORD"));
    assert!(command.env("GRILLE_TEST_WORD", "secret").status().unwrap().success());
    for (file, cipher) in
        [("openssl-p256-ofb.key", "2.16.840.1.101.3.4.1.43"), ("openssl-p256-legacy.key", "RFC 1421")]
    {
        let words = format!("key inspect {file} --passphrase-file word");
        sandbox.refuses(1, &words, &[file, cipher, "which is not supported", "openssl pkcs8 -topk8"]);
    }
}

#[test]
fn requests_certificates_for_encrypted_kem_keys() {
    let sandbox = Sandbox::new();
    sandbox.put("word", "secret\n");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --out host.key");
    sandbox.ok("cert root --quiet --key host.key --subject CN=host --out host.crt");
    sandbox.ok("keygen --quiet --alg ML-KEM-768 --encrypt --passphrase-file word --out kem.key");
    let request = "cert request --key kem.key --passphrase-file word --out kem.csr";
    sandbox.refuses(1, request, &["kem.key", "with --signer and its key with --signer-key"]);
    let signed = format!("{request} --quiet --signer host.crt --signer-key host.key");
    sandbox.ok(&signed);
    let shown = sandbox.json("cert request --show kem.csr");
    assert_eq!((&shown["subject"], &shown["key_algorithm"]), (&"CN=host".into(), &"ML-KEM-768".into()));
    let without = "cert request --key kem.key --signer host.crt --signer-key host.key --out none.csr";
    sandbox.refuses(1, without, &["kem.key: the private key is encrypted", "--passphrase-file"]);
}

#[test]
fn refuses_standard_input_for_key_and_passphrase() {
    let sandbox = sandbox(&["openssl-p256-pbkdf2.key"]);
    let both = ["only one input can come from standard input"];
    for words in [
        "sign --key - --in letter --out sig --passphrase-file -",
        "decap --key - --ct letter --secret secret --passphrase-file -",
        "cert root --key - --out root.crt --passphrase-file -",
        "key convert --in - --passphrase-file word --encrypt --new-passphrase-file - --out new.key",
    ] {
        let done = sandbox.pipe(&sandbox.get("openssl-p256-pbkdf2.key"), words);
        done.check(2, words, &both);
    }
    let once = "sign --quiet --key openssl-p256-pbkdf2.key --in letter --out sig --passphrase-file -";
    assert_eq!(sandbox.pipe(&sandbox.get("word"), once).code, 0);
}

#[test]
fn round_trips_encrypted_keys() {
    let sandbox = sandbox(&["keytool.p12"]);
    sandbox.put("new", "another");
    sandbox.ok("keygen --quiet --alg ML-DSA-44 --encrypt --passphrase-file word --out my.key --pub my.pub");
    assert!(sandbox.get("my.key").starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    sandbox.ok("sign --quiet --key my.key --in letter --out sig --passphrase-file word");
    sandbox.ok("verify --quiet --pub my.pub --sig sig --in letter");
    let convert = "key convert --in my.key --passphrase-file word --encrypt --new-passphrase-file new --out new.key --der";
    assert!(sandbox.ok(convert).contains("encrypted)"));
    sandbox.refuses(1, "key inspect new.key --passphrase-file word", &["wrong passphrase"]);
    assert_eq!(sandbox.json("key inspect new.key --passphrase-file new")["container"], "encrypted PKCS#8");
    sandbox.ok("key convert --in keytool.p12 --passphrase-file word1 --out plain.key");
    assert!(sandbox.get("plain.key").starts_with(b"-----BEGIN PRIVATE KEY-----"));
    sandbox.put("empty", "\n");
    for (words, parts) in [
        ("keygen --alg ML-DSA-44 --encrypt --out k", "no passphrase for encrypting the private key"),
        ("keygen --alg ML-DSA-44 --encrypt --passphrase-file empty --out k", "is empty"),
        (
            "keygen --alg X25519MLKEM768 --encrypt --passphrase-file word --out k",
            "a raw key cannot be encrypted",
        ),
        ("keygen --alg ML-DSA-44 --new-passphrase-file word --out k", "--encrypt"),
    ] {
        sandbox.refuses(2, words, &[parts]);
    }
}

/// Checks that a server with these files answers a client.
fn serves(sandbox: &Sandbox, files: &str, ca: &str) {
    let mut command = sandbox.command(&format!("tls server --once --port 0 --reply hi {files}"));
    command.env("GRILLE_TEST_WORD", "secret");
    let server = Background::start(command);
    let client = format!("tls client localhost:{} --message hello --quiet {ca}", server.port());
    assert_eq!(sandbox.ok(&client), "hi\n", "{files}");
}

#[test]
fn serves_with_files_of_other_programs() {
    let sandbox = sandbox(&[
        "keytool.p12",
        "keytool-trust.p12",
        "keytool-root.crt",
        "openssl-p256.crt",
        "openssl-p256.key",
    ]);
    serves(
        &sandbox,
        "--cert keytool.p12 --key keytool.p12 --passphrase-file word1",
        "--ca keytool-trust.p12 --passphrase-file word1",
    );
    sandbox.ok("key convert --in keytool.p12 --passphrase-file word1 --encrypt --new-passphrase-file word --out own.key --quiet");
    // certificate and key in one file, in either order
    for parts in [["own.crt", "own.key"], ["own.key", "own.crt"]] {
        sandbox.ok("cert issue --quiet --key keytool.p12 --passphrase-file word1 --ca openssl-p256.crt --ca-key openssl-p256.key --san localhost --out own.crt --force");
        sandbox.put("both.pem", parts.map(|part| sandbox.get(part)).concat());
        serves(
            &sandbox,
            "--cert both.pem --key both.pem --passphrase-env GRILLE_TEST_WORD",
            "--ca openssl-p256.crt",
        );
    }
}

#[test]
fn explains_pkcs12() {
    let sandbox = sandbox(&["bc-ml-dsa-44.p12", "openssl-p256.crt"]);
    sandbox.refuses(
        1,
        "explain bc-ml-dsa-44.p12",
        &["the file is PKCS#12; its algorithm is encrypted, too", "key inspect"],
    );
}

#[test]
fn names_the_kind_of_unexpected_files() {
    let sandbox = sandbox(&["openssl-p256.crt", "openssl-p256.key"]);
    sandbox.put("store.jks", b"\xFE\xED\xFE\xED\0\0\0\x02\0\0");
    sandbox.refuses(
        1,
        "cert show store.jks",
        &["store.jks: ", "keystore in Java's own format", "keytool -importkeystore"],
    );
    sandbox.put("p7b.pem", "-----BEGIN PKCS7-----\nMAA=\n-----END PKCS7-----\n");
    sandbox.refuses(1, "cert show p7b.pem", &["p7b.pem: ", "\"PKCS7\"", "openssl pkcs7 -print_certs"]);
}

/// The passphrase is typed at a terminal and not echoed.
#[cfg(target_os = "linux")]
#[test]
fn prompts_for_passphrases() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let sandbox = sandbox(&["openssl-p256-pbkdf2.key"]);
    let grille = env!("CARGO_BIN_EXE_grille");
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command"]);
    terminal.arg(format!("{grille} key inspect openssl-p256-pbkdf2.key")).arg("/dev/null");
    terminal.current_dir(sandbox.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = terminal.spawn().expect("script, of util-linux");
    // The second passphrase is correct.
    child.stdin.as_mut().unwrap().write_all(b"wrong\nsecret\n").unwrap();
    let done = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && shown.contains("ECDSA-P256-SHA256"), "{shown}");
    assert_eq!(shown.matches("passphrase of openssl-p256-pbkdf2.key: ").count(), 2, "{shown}");
}

/// Files other than messages have a maximum length; `/dev/zero` has no end.
#[cfg(target_os = "linux")]
#[test]
fn rejects_files_without_end() {
    let sandbox = sandbox(&["openssl-p256.crt", "openssl-p256-pbkdf2.key"]);
    sandbox.ok("keygen --quiet --alg ML-KEM-512 --out kem.key --pub kem.pub");
    const DOCUMENT: &str = "a key, certificate, request or revocation list: the limit is 64 MiB";
    for (words, limit) in [
        ("key inspect /dev/zero", DOCUMENT),
        ("cert show /dev/zero", DOCUMENT),
        ("cert verify --ca openssl-p256.crt /dev/zero", DOCUMENT),
        ("cert verify --ca openssl-p256.crt openssl-p256.crt --crl /dev/zero", DOCUMENT),
        ("decap --key kem.key --ct /dev/zero --secret out", "a ciphertext: the limit is 1 MiB"),
        ("verify --cert openssl-p256.crt --sig /dev/zero --in letter", "a signature: the limit is 1 MiB"),
        (
            "key inspect openssl-p256-pbkdf2.key --passphrase-file /dev/zero",
            "a passphrase: the limit is 64 KiB",
        ),
        ("explain /dev/zero", "a pipe or device: the limit is 256 MiB"),
    ] {
        sandbox.refuses(1, words, &["/dev/zero: the file is too long for", limit]);
    }
}
