//! Messages for `grille sign` and `grille verify` from files and pipes, including messages longer than memory.

use crate::sandbox::Sandbox;
use std::fs::File;
use std::process::Stdio;

/// Checks for every kind of algorithm that a message from a file and from a pipe gives the same result.
#[test]
fn reads_messages_from_files_and_pipes() {
    let sandbox = Sandbox::new();
    // longer than one of the pieces in which grille reads messages
    let message: Vec<u8> = (0..600_000).map(|n: u32| (n % 251) as u8).collect();
    sandbox.put("letter", &message);
    for alg in [
        "ML-DSA-44",
        "Dilithium2-AES",
        "Falcon-512",
        "Falcon-padded-512",
        "SLH-DSA-SHA2-128f",
        "SLH-DSA-SHAKE-128f",
        "SPHINCS+-Haraka-128f-simple",
        "ECDSA-P256-SHA256",
        "Ed25519",
        "RSA-2048",
        "p256_falcon512",
        "id-MLDSA44-ECDSA-P256-SHA256",
    ] {
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --out key --pub pub"));
        for piped in [false, true] {
            let (from, input) = if piped { ("-", &message[..]) } else { ("letter", &b""[..]) };
            let sign = format!("sign --quiet --force --key key --in {from} --out sig");
            assert_eq!(sandbox.pipe(input, &sign).code, 0, "{alg}");
            for (from, input) in [("-", &message[..]), ("letter", b"")] {
                let verify = format!("verify --quiet --pub pub --sig sig --in {from}");
                assert_eq!(sandbox.pipe(input, &verify).code, 0, "{alg}");
            }
            let other = sandbox.pipe(&message[1..], "verify --quiet --pub pub --sig sig");
            other.check(1, &format!("verify, {alg}"), &["does not match"]);
        }
    }
    sandbox.refuses(1, "sign --key key --in missing --out other", &["missing", "cannot read"]);
    sandbox.refuses(1, "verify --pub pub --sig sig --in missing", &["missing", "cannot read"]);
}

/// The file is sparse and takes no space on the disk.
#[cfg(target_os = "linux")]
#[test]
fn signs_files_larger_than_memory() {
    const MIB: u64 = 1 << 20;
    let sandbox = Sandbox::new();
    File::create(sandbox.path("long")).unwrap().set_len(1024 * MIB).unwrap();
    for alg in ["ECDSA-P256-SHA256", "ML-DSA-44"] {
        sandbox.ok(&format!("keygen --quiet --force --alg {alg} --out key --pub pub"));
        for words in [
            "sign --quiet --force --key key --in long --out sig",
            "verify --quiet --pub pub --sig sig --in long",
        ] {
            // The address space, in KiB, is smaller than the file.
            let limited = format!("ulimit -v {}; exec \"$0\" {words}", 768 * MIB / 1024);
            let grille = sandbox.command("");
            let mut shell = std::process::Command::new("sh");
            shell.current_dir(sandbox.path("")).args(["-c", &limited]).arg(grille.get_program());
            let done = shell.stdin(Stdio::null()).output().unwrap();
            assert!(done.status.success(), "{alg}: {}", String::from_utf8_lossy(&done.stderr));
        }
    }
}
