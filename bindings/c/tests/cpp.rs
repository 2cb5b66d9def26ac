//! Tests the C++ headers of `bindings/cpp`: `grille_algorithms.hpp` matches the registry (`GRILLE_WRITE_HEADER=1` writes it), the
//! examples and tests compile as C++20 with g++ and with clang++ and pass, and buffers of a wrong length do not compile.
#![cfg(unix)]

mod common;

use grille_registry::{KEMS, Row, SIGNATURES};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

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
        fs::write(&path, &made).expect("the header can be written");
    }
    let current = fs::read_to_string(&path).is_ok_and(|present| present == made);
    assert!(current, "outdated; run: GRILLE_WRITE_HEADER=1 cargo test -p grille-capi --test cpp");
}

/// Returns the compiler that `CXX` names, or the installed ones of g++ and clang++. Names a missing one on the standard
/// error even if the tests pass.
fn compilers() -> Vec<OsString> {
    static COMPILERS: LazyLock<Vec<OsString>> = LazyLock::new(|| {
        if let Some(compiler) = env::var_os("CXX") {
            return vec![compiler];
        }
        let is_installed = |program: &str| {
            let version = Command::new(program).arg("--version").stdout(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let (installed, missing): (Vec<&str>, Vec<&str>) =
            ["g++", "clang++"].into_iter().partition(|program| is_installed(program));
        assert!(!installed.is_empty(), "no C++ compiler: install g++ or clang++, or set CXX");
        for compiler in missing {
            report_untested(&format!("with {compiler}, because it is not installed"));
        }
        installed.into_iter().map(OsString::from).collect()
    });
    COMPILERS.clone()
}

/// Prints an omission even if the test passes; the test harness hides what `eprintln!` prints.
fn report_untested(omission: &str) {
    let line = format!("cpp: NOT TESTED {omission}\n");
    io::stderr().write_all(line.as_bytes()).expect("the standard error is writable");
}

/// Returns the command of a compiler with all warnings as errors and the folders of the headers.
fn command(compiler: &OsStr) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]);
    command.arg("-I").arg(cpp_folder().join("include"));
    command.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"));
    command
}

/// Runs a compiler. Returns its exit status and messages.
fn output(mut command: Command) -> Output {
    let name = command.get_program().display().to_string();
    command.output().unwrap_or_else(|error| panic!("cannot run {name}: {error}"))
}

/// Compiles a source of `bindings/cpp` to a program.
fn compile(compiler: &OsStr, source: &str, program: &Path) -> Output {
    let mut compile = command(compiler);
    compile.args(common::sanitizers()).arg(cpp_folder().join(source)).arg("-o").arg(program);
    compile.arg("-L").arg(common::library_folder()).args(["-lgrille_capi", "-lpthread"]);
    output(compile)
}

/// Returns the path of the program that a compiler makes from a source.
fn program(compiler: &OsStr, source: &str) -> PathBuf {
    let stem = |path: &Path| path.file_stem().expect("a file name").display().to_string();
    let (compiler, source) = (stem(Path::new(compiler)), stem(Path::new(source)));
    common::library_folder().join(format!("{source}-{compiler}"))
}

/// Compiles and runs a program with each compiler, and passes its output to `check`.
fn run(source: &str, check: impl Fn(&str)) {
    for compiler in compilers() {
        let program = program(&compiler, source);
        let compiled = compile(&compiler, source, &program);
        let messages = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{} {source}: {messages}", compiler.display());
        check(&common::run(&program, &common::library_folder()));
    }
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
    run("examples/kem.cpp", |printed| {
        let secrets = [("shared secret 0", 32), ("shared secret 1", 32)];
        assert_lines(printed, &[&[("pubkey", 800), ("seckey", 1632)][..], &secrets].concat());
        let values: Vec<&str> =
            printed.lines().skip(2).map(|line| line.split(':').next_back().unwrap_or_default()).collect();
        assert_eq!(values[0], values[1]);
    });
}

#[test]
fn example_pke_decrypts_its_message() {
    run("examples/pke.cpp", |printed| {
        let keys = [("pubkey", 800), ("seckey", 768)];
        assert_lines(
            printed,
            &[&keys[..], &[("plain text", 32), ("cipher", 768), ("decrypted", 32)]].concat(),
        );
        let value = |line: usize| printed.lines().nth(line).and_then(|line| line.split(": ").last());
        assert_eq!(value(2), value(4));
    });
}

#[test]
fn types_keys_and_errors_work() {
    run("tests/types.cpp", |printed| assert_eq!(printed, "0 failed\n"));
}

#[test]
fn program_of_the_readme_works() {
    let readme = fs::read_to_string(cpp_folder().join("README.md")).expect("the README is readable");
    let (_, program) = readme.split_once("```cpp\n").expect("the README has a program");
    let (program, _) = program.split_once("```").expect("the program ends");
    let (include, body) = program.split_once("\n\n").expect("the program starts with an #include");
    let text = format!("{include}\nint main() {{\n{body}return same && valid ? 0 : 1;\n}}\n");
    let source = common::library_folder().join("readme.cpp");
    fs::write(&source, text).expect("the folder of the tests is writable");
    run(source.to_str().expect("the path is UTF-8"), |printed| assert_eq!(printed, ""));
}

#[test]
fn buffers_of_a_wrong_length_do_not_compile() {
    for compiler in compilers() {
        let source = "tests/wrong_length.cpp";
        let compiled = compile(&compiler, source, &program(&compiler, source));
        let name = compiler.display();
        assert!(!compiled.status.success(), "{name} accepted a ciphertext of one byte too many");
        let messages = String::from_utf8_lossy(&compiled.stderr);
        assert!(messages.contains("decapsulate"), "{name}: {messages}");
    }
}

#[test]
fn benchmarks_compile() {
    for compiler in compilers() {
        for source in ["benchmarks/timer.cpp", "benchmarks/google_benchmark.cpp"] {
            let mut check = command(&compiler);
            check.arg("-fsyntax-only").arg(cpp_folder().join(source));
            let checked = output(check);
            let messages = String::from_utf8_lossy(&checked.stderr);
            if messages.contains("benchmark/benchmark.h") && !messages.contains("In file included from") {
                report_untested(
                    "with google-benchmark, because it is not installed (Debian: libbenchmark-dev)",
                );
                continue;
            }
            assert!(checked.status.success(), "{} {source}: {messages}", compiler.display());
        }
    }
}
