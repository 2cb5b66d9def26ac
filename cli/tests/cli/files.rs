//! Files as other programs write them, read by every verb: encodings, containers, passphrases.

use crate::desk::Desk;
use crate::desk::background::Background;
use std::path::Path;

/// A desk with files of `vectors/files`.
fn desk(names: &[&str]) -> Desk {
    let desk = Desk::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/files");
    for name in names {
        desk.put(name, std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}")));
    }
    desk.put("word", "secret\n");
    desk.put("word1", "secret1\r\nmore\n");
    desk.put("wrong", "secret2\n");
    desk.put("letter", "hello");
    desk
}

#[test]
fn certificates_are_read_in_every_encoding() {
    let desk = desk(&["openssl-p256.crt", "openssl-trusted.crt"]);
    let text = String::from_utf8(desk.get("openssl-p256.crt")).unwrap();
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
    desk.put("latin1.crt", [b"# M\xFCller\n", text.as_bytes()].concat());
    desk.put("crlf.crt", text.replace('\n', "\r\n"));
    desk.put("bom.crt", [b"\xEF\xBB\xBF", text.as_bytes()].concat());
    desk.put("utf16.crt", [b"\xFF\xFE", wide(u16::to_le_bytes).as_slice()].concat());
    desk.put("utf16be.crt", wide(u16::to_be_bytes));
    desk.put("old.crt", text.replace(" CERTIFICATE", " X509 CERTIFICATE"));
    let shown = desk.ok("cert show openssl-p256.crt");
    for name in ["latin1", "crlf", "bom", "utf16", "utf16be", "old", "openssl-trusted"] {
        let file = format!("{name}.crt");
        assert_eq!(desk.ok(&format!("cert show {file}")).replace(&file, "openssl-p256.crt"), shown, "{name}");
        desk.ok(&format!("cert verify --ca {file} --purpose any openssl-p256.crt"));
    }
}

#[test]
fn other_blocks_are_skipped_with_one_note() {
    let desk = desk(&["openssl-p256.crt", "openssl-p256.key"]);
    let crl = b"-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n".to_vec();
    desk.put(
        "bundle.pem",
        [desk.get("openssl-p256.key"), crl.clone(), crl, desk.get("openssl-p256.crt")].concat(),
    );
    let done = desk.run("cert show bundle.pem");
    assert_eq!((done.code, done.stderr.as_str()), (0, "bundle.pem: PEM of \"X509 CRL\" is skipped\n"));
    let quiet = desk.run("cert show bundle.pem --quiet");
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}

#[test]
fn requests_of_keytool_are_read() {
    let desk = desk(&["keytool.csr"]);
    assert!(desk.ok("cert request --show keytool.csr").contains("CN="));
}

#[test]
fn keys_of_every_container_are_inspected_and_sign() {
    let desk = desk(&[
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
        let found = desk.json(&format!("key inspect {words}"));
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
        desk.ok(&format!("sign --quiet --key {key} --in letter --out sig --force"));
        desk.ok(&format!("verify --quiet --pub {public} --sig sig --in letter"));
    }
}

#[test]
fn passphrases_come_from_files_and_variables_and_are_asked_for_if_missing() {
    let desk =
        desk(&["openssl-p256-pbkdf2.key", "keytool.p12", "openssl-p256-ofb.key", "openssl-p256-legacy.key"]);
    let inspect = "key inspect openssl-p256-pbkdf2.key";
    let file = "openssl-p256-pbkdf2.key: ";
    desk.refuses(
        1,
        inspect,
        &[file, "the private key is encrypted", "--passphrase-file or --passphrase-env"],
    );
    desk.refuses(
        1,
        &format!("{inspect} --passphrase-file wrong"),
        &[file, "no passphrase given opens the private key"],
    );
    desk.refuses(1, &format!("{inspect} --passphrase-file none"), &["none: cannot read"]);
    desk.refuses(
        2,
        &format!("{inspect} --passphrase-env GRILLE_TEST_NONE"),
        &["no environment variable GRILLE_TEST_NONE"],
    );
    desk.refuses(
        1,
        "cert show keytool.p12",
        &["keytool.p12: ", "the PKCS#12 file is encrypted", "--passphrase-file"],
    );
    let mut command = desk.command(&format!("{inspect} --passphrase-env GRILLE_TEST_WORD"));
    assert!(command.env("GRILLE_TEST_WORD", "secret").status().unwrap().success());
    for (file, cipher) in
        [("openssl-p256-ofb.key", "2.16.840.1.101.3.4.1.43"), ("openssl-p256-legacy.key", "RFC 1421")]
    {
        let words = format!("key inspect {file} --passphrase-file word");
        desk.refuses(1, &words, &[file, cipher, "which is not read here", "openssl pkcs8 -topk8"]);
    }
}

#[test]
fn keys_are_written_encrypted_and_read_again() {
    let desk = desk(&["keytool.p12"]);
    desk.put("new", "another");
    desk.ok("keygen --quiet --alg ML-DSA-44 --encrypt --passphrase-file word --out my.key --pub my.pub");
    assert!(desk.get("my.key").starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----"));
    desk.ok("sign --quiet --key my.key --in letter --out sig --passphrase-file word");
    desk.ok("verify --quiet --pub my.pub --sig sig --in letter");
    let convert = "key convert --in my.key --passphrase-file word --encrypt --new-passphrase-file new --out new.key --der";
    assert!(desk.ok(convert).contains("encrypted)"));
    desk.refuses(1, "key inspect new.key --passphrase-file word", &["no passphrase given opens"]);
    assert_eq!(desk.json("key inspect new.key --passphrase-file new")["container"], "encrypted PKCS#8");
    desk.ok("key convert --in keytool.p12 --passphrase-file word1 --out plain.key");
    assert!(desk.get("plain.key").starts_with(b"-----BEGIN PRIVATE KEY-----"));
    desk.put("empty", "\n");
    for (words, parts) in [
        ("keygen --alg ML-DSA-44 --encrypt --out k", "no passphrase to encrypt the private key with"),
        ("keygen --alg ML-DSA-44 --encrypt --passphrase-file empty --out k", "is empty"),
        ("keygen --alg X25519MLKEM768 --encrypt --passphrase-file word --out k", "a raw key has no envelope"),
        ("keygen --alg ML-DSA-44 --new-passphrase-file word --out k", "--encrypt"),
    ] {
        desk.refuses(2, words, &[parts]);
    }
}

/// A server of one connection with these files says a word to its client.
fn serves(desk: &Desk, files: &str, ca: &str) {
    let mut command = desk.command(&format!("tls server --once --port 0 --message hi {files}"));
    command.env("GRILLE_TEST_WORD", "secret");
    let server = Background::start(command);
    let client = format!("tls client localhost:{} --message hi --quiet {ca}", server.port());
    assert_eq!(desk.ok(&client), "hi\n", "{files}");
}

#[test]
fn servers_take_what_other_programs_write() {
    let desk = desk(&[
        "keytool.p12",
        "keytool-trust.p12",
        "keytool-root.crt",
        "openssl-p256.crt",
        "openssl-p256.key",
    ]);
    serves(
        &desk,
        "--cert keytool.p12 --key keytool.p12 --passphrase-file word1",
        "--ca keytool-trust.p12 --passphrase-file word1",
    );
    desk.ok("key convert --in keytool.p12 --passphrase-file word1 --encrypt --new-passphrase-file word --out own.key --quiet");
    // certificate and key in one file, in either order
    for parts in [["own.crt", "own.key"], ["own.key", "own.crt"]] {
        desk.ok("cert issue --quiet --key keytool.p12 --passphrase-file word1 --ca openssl-p256.crt --ca-key openssl-p256.key --san localhost --out own.crt --force");
        desk.put("both.pem", parts.map(|part| desk.get(part)).concat());
        serves(
            &desk,
            "--cert both.pem --key both.pem --passphrase-env GRILLE_TEST_WORD",
            "--ca openssl-p256.crt",
        );
    }
}

#[test]
fn pkcs12_is_explained() {
    let desk = desk(&["bc-ml-dsa-44.p12", "openssl-p256.crt"]);
    desk.refuses(
        1,
        "explain bc-ml-dsa-44.p12",
        &["it is PKCS#12, and names its algorithm only inside", "key inspect"],
    );
}

#[test]
fn files_of_another_kind_are_called_what_they_are() {
    let desk = desk(&["openssl-p256.crt", "openssl-p256.key"]);
    desk.put("store.jks", b"\xFE\xED\xFE\xED\0\0\0\x02\0\0");
    desk.refuses(
        1,
        "cert show store.jks",
        &["store.jks: ", "keystore in Java's own format", "keytool -importkeystore"],
    );
    desk.put("p7b.pem", "-----BEGIN PKCS7-----\nMAA=\n-----END PKCS7-----\n");
    desk.refuses(1, "cert show p7b.pem", &["p7b.pem: ", "\"PKCS7\"", "openssl pkcs7 -print_certs"]);
}

/// A person types the passphrase, which is not shown.
#[cfg(target_os = "linux")]
#[test]
fn a_person_is_asked_for_the_passphrase() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let desk = desk(&["openssl-p256-pbkdf2.key"]);
    let grille = env!("CARGO_BIN_EXE_grille");
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command"]);
    terminal.arg(format!("{grille} key inspect openssl-p256-pbkdf2.key")).arg("/dev/null");
    terminal.current_dir(desk.path("")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = terminal.spawn().expect("script, of util-linux");
    // the second try is right
    child.stdin.as_mut().unwrap().write_all(b"wrong\nsecret\n").unwrap();
    let done = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && shown.contains("ECDSA-P256-SHA256"), "{shown}");
    assert_eq!(shown.matches("passphrase of openssl-p256-pbkdf2.key: ").count(), 2, "{shown}");
}
