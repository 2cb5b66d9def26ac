//! Tests the C++ headers of `bindings/cpp`: `grille_algorithms.hpp` matches the registry (`GRILLE_WRITE_HEADER=1` writes it), the
//! examples and tests compile as C++20 and pass, and buffers of a wrong length do not compile.
#![cfg(unix)]

mod common;

use grille_registry::{KEMS, Row, SIGNATURES};
use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cpp_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cpp")
}

/// Returns the C++ name of an algorithm: `ml_kem_768` for ML-KEM-768.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join("_")
}

/// Returns the header with every KEM, and every signature algorithm whose keys have fixed lengths.
fn algorithms() -> String {
    let mut text = String::from(
        "// The algorithms of the library. Written by bindings/c/tests/cpp.rs from the registry: do not edit.\n\
         #ifndef GRILLE_ALGORITHMS_HPP\n#define GRILLE_ALGORITHMS_HPP\n\n#include <grille.hpp>\n\nnamespace grille {\n\n\
         // Lengths: public key, secret key, seed, ciphertext, shared secret.\n",
    );
    for row in KEMS.iter().filter(|row| row.category > 0) {
        let info = row.kem.info();
        let lengths = [
            info.encaps_key_len,
            info.decaps_key_len,
            info.seed_len.unwrap_or_default(),
            info.ciphertext_len,
            info.shared_secret_len,
        ];
        add(&mut text, "kem", row.name(), &lengths);
    }
    text.push_str("\n// Lengths: public key, secret key, seed, longest signature, longest context.\n");
    for row in SIGNATURES.iter().filter(|row| row.category > 0 && !row.signature.is_composite()) {
        let info = row.signature.info();
        let lengths = [
            info.verifying_key_len,
            info.signing_key_len,
            info.seed_len.unwrap_or_default(),
            info.signature_len,
            info.context_len,
        ];
        add(&mut text, "signature", row.name(), &lengths);
    }
    text.push_str("\n}  // namespace grille\n\n#endif\n");
    text
}

fn add(text: &mut String, kind: &str, name: &str, lengths: &[usize; 5]) {
    let numbers = lengths.map(|length| length.to_string()).join(", ");
    let name_in_cpp = identifier(name);
    writeln!(text, "using {name_in_cpp} = {kind}<\"{name}\", {kind}_lengths{{{numbers}}}>;")
        .expect("a String grows");
}

#[test]
fn list_of_algorithms_matches_the_registry() {
    // the library's registry has no broken algorithms, but a test build of the whole workspace enables them
    let is_unbroken = |line: &&str| !line.contains("sike") && !line.contains("sidh");
    let made: String = algorithms().lines().filter(is_unbroken).map(|line| format!("{line}\n")).collect();
    let path = cpp_folder().join("include/grille_algorithms.hpp");
    if env::var_os("GRILLE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let current = std::fs::read_to_string(&path).is_ok_and(|present| present == made);
    assert!(current, "outdated; run: GRILLE_WRITE_HEADER=1 cargo test -p grille-capi --test cpp");
}

/// Compiles a source of `bindings/cpp` with all warnings as errors.
fn compile(source: &str, program: &Path) -> Output {
    let folder = program.parent().expect("a program lies in a folder");
    let mut compile = Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()));
    compile.args(["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    compile
        .args(common::sanitizers())
        .arg("-I")
        .arg(cpp_folder().join("include"))
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    compile.arg(cpp_folder().join(source)).arg("-o").arg(program);
    compile.arg("-L").arg(folder).args(["-lgrille_capi", "-lpthread"]);
    compile.output().expect("a C++ compiler is installed")
}

/// Compiles and runs a program. Returns its output.
fn run(source: &str) -> String {
    let libraries = common::library_folder();
    let program = libraries.join(format!("cpp-{}", Path::new(source).file_stem().expect("a name").display()));
    let compiled = compile(source, &program);
    assert!(compiled.status.success(), "{source}: {}", String::from_utf8_lossy(&compiled.stderr));
    common::run(&program, &libraries)
}

/// Checks that the values of the lines are hexadecimal and have the expected lengths.
fn assert_lines(printed: &str, expected: &[(&str, usize)]) {
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{printed}");
    for (line, (name, bytes)) in lines.iter().zip(expected) {
        let (label, value) = line.split_once(':').expect("a label");
        assert_eq!(label.trim(), *name);
        let value = value.trim();
        assert!(value.len() == 2 * bytes && value.bytes().all(|digit| digit.is_ascii_hexdigit()), "{line}");
    }
}

#[test]
fn example_kem_prints_one_secret_twice() {
    let printed = run("examples/kem.cpp");
    let secrets = [("shared secret 0", 32), ("shared secret 1", 32)];
    assert_lines(&printed, &[&[("pubkey", 800), ("seckey", 1632)][..], &secrets].concat());
    let values: Vec<&str> =
        printed.lines().skip(2).map(|line| line.split(':').next_back().unwrap_or_default()).collect();
    assert_eq!(values[0], values[1]);
}

#[test]
fn example_pke_decrypts_its_message() {
    let printed = run("examples/pke.cpp");
    let expected = [("pubkey", 800), ("seckey", 768), ("plain text", 32), ("cipher", 768), ("decrypted", 32)];
    assert_lines(&printed, &expected);
    let value = |line: usize| printed.lines().nth(line).and_then(|line| line.split(": ").last());
    assert_eq!(value(2), value(4));
}

#[test]
fn types_keys_and_errors_work() {
    assert_eq!(run("tests/types.cpp"), "0 failed\n");
}

#[test]
fn buffers_of_a_wrong_length_do_not_compile() {
    let program = common::library_folder().join("cpp-wrong-length");
    let compiled = compile("tests/wrong_length.cpp", &program);
    assert!(!compiled.status.success(), "a ciphertext of one byte too many was accepted");
    let message = String::from_utf8_lossy(&compiled.stderr);
    assert!(message.contains("decapsulate"), "{message}");
}
