//! Finds the library for test programs in C and C++, and runs these programs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder with the shared library, which also holds the running test.
pub(crate) fn library_folder() -> PathBuf {
    let program = env::current_exe().expect("this program has a path");
    program.parent().expect("a program lies in a folder").to_owned()
}

/// Returns the compiler's options for AddressSanitizer and UndefinedBehaviorSanitizer if `GRILLE_SANITIZE` is set. They
/// check the program and every heap block that it shares with the library, whose own code is not instrumented.
pub(crate) fn sanitizers() -> &'static [&'static str] {
    match env::var_os("GRILLE_SANITIZE") {
        Some(_) => &["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        None => &[],
    }
}

/// Runs a program, under valgrind if `GRILLE_VALGRIND` is set, with the libraries of a folder. Returns its output.
pub(crate) fn run(program: &Path, libraries: &Path) -> String {
    let mut command = match env::var_os("GRILLE_VALGRIND") {
        // reads of uninitialised or freed memory, and memory leaks, are failures
        Some(_) => {
            let mut valgrind = Command::new("valgrind");
            // without a limit, the longest stretches of straight-line code exhaust valgrind's memory
            valgrind.args([
                "--quiet",
                "--vex-guest-max-insns=20",
                "--error-exitcode=99",
                "--leak-check=full",
            ]);
            valgrind.arg("--errors-for-leak-kinds=definite").arg(program);
            valgrind
        }
        None => Command::new(program),
    };
    command.env("LD_LIBRARY_PATH", libraries).env("DYLD_LIBRARY_PATH", libraries);
    let ran = command.output().expect("a program that was just compiled runs");
    assert!(ran.status.success(), "{}: {}", program.display(), String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("the programs print UTF-8")
}
