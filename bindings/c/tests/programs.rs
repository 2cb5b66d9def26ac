//! C programs, compiled against the header and linked with the library: the examples, and `errors.c` with bad input.
#![cfg(unix)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the shared library, that also holds this test program.
fn library_folder() -> PathBuf {
    let program = env::current_exe().expect("this program has a path");
    program.parent().expect("a program lies in a folder").to_owned()
}

/// Compiles a program of the repository as strictly as C compilers can, and runs it, under valgrind if `GRILLE_VALGRIND`
/// is set. Returns what it prints.
fn run(source: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = library_folder();
    let program = libraries.join(Path::new(source).file_stem().expect("a file name"));
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut compile = Command::new(compiler);
    compile.args([
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-D_POSIX_C_SOURCE=200809L",
        "-I",
    ]);
    compile.arg(root.join("include")).arg(root.join(source)).arg("-o").arg(&program);
    compile.arg("-L").arg(&libraries).args(["-lgrille_capi", "-lpthread"]);
    let compiled = compile.output().expect("a C compiler is installed");
    assert!(compiled.status.success(), "{source}: {}", String::from_utf8_lossy(&compiled.stderr));
    let mut command = match env::var_os("GRILLE_VALGRIND") {
        // uninitialised or freed bytes that are read, and memory that is lost, are failures
        Some(_) => {
            let mut valgrind = Command::new("valgrind");
            // without a limit, the longest straight pieces of code exhaust valgrind's memory
            valgrind.args([
                "--quiet",
                "--vex-guest-max-insns=20",
                "--error-exitcode=99",
                "--leak-check=full",
            ]);
            valgrind.arg("--errors-for-leak-kinds=definite").arg(&program);
            valgrind
        }
        None => Command::new(&program),
    };
    command.env("LD_LIBRARY_PATH", &libraries).env("DYLD_LIBRARY_PATH", &libraries);
    let ran = command.output().expect("a program that was just compiled runs");
    assert!(ran.status.success(), "{source}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("the programs print UTF-8")
}

#[test]
fn example_kem_agrees_on_a_secret() {
    assert_eq!(run("examples/kem.c"), "ML-KEM-768: both sides have the same 32 bytes\n");
}

#[test]
fn example_sign_accepts_its_signature_and_refuses_an_altered_one() {
    let printed = run("examples/sign.c");
    assert_eq!(printed, "ML-DSA-65: the signature of 3309 bytes is right, an altered one is not\n");
}

#[test]
fn bad_input_gives_clear_errors() {
    assert_eq!(run("tests/errors.c"), "0 failed\n");
}
