//! C programs, compiled against the header and linked with the library: the examples, `errors.c` with bad input, and
//! `batch.c` with batches and keys in pieces.
#![cfg(unix)]

mod common;

use std::env;
use std::path::Path;
use std::process::Command;

/// Compiles a program of the repository with all warnings as errors, and runs it. Returns its output.
fn run(source: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = common::library_folder();
    let program = libraries.join(Path::new(source).file_stem().expect("a file name"));
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut compile = Command::new(compiler);
    compile.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_POSIX_C_SOURCE=200809L"]);
    compile
        .args(common::sanitizers())
        .arg("-I")
        .arg(root.join("include"))
        .arg(root.join(source))
        .arg("-o")
        .arg(&program);
    compile.arg("-L").arg(&libraries).args(["-lgrille_capi", "-lpthread"]);
    let compiled = compile.output().expect("a C compiler is installed");
    assert!(compiled.status.success(), "{source}: {}", String::from_utf8_lossy(&compiled.stderr));
    common::run(&program, &libraries)
}

#[test]
fn example_kem_agrees_on_a_secret() {
    assert_eq!(run("examples/kem.c"), "ML-KEM-768: both sides have the same 32 bytes\n");
}

#[test]
fn example_sign_accepts_its_signature_and_refuses_an_altered_one() {
    let printed = run("examples/sign.c");
    assert_eq!(printed, "ML-DSA-65: the signature of 3309 bytes is valid, an altered one is not\n");
}

#[test]
fn example_batch_finds_the_damaged_message() {
    let expected = "message 3: invalid signature\n16 shared secrets and 16 signatures, each in two calls\n";
    assert_eq!(run("examples/batch.c"), expected);
}

#[test]
fn example_pieces_encapsulates_with_a_large_key() {
    let expected = "Classic-McEliece-348864f: both sides have the same 32 bytes; the public key has 261120\n";
    assert_eq!(run("examples/pieces.c"), expected);
}

#[test]
fn batches_and_pieces_match_single_calls_and_refuse_bad_input() {
    assert_eq!(run("tests/batch.c"), "0 failed\n");
}

#[test]
fn bad_input_gives_clear_errors() {
    assert_eq!(run("tests/errors.c"), "0 failed\n");
}
