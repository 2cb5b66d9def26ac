//! `faces`: builds the libraries for other languages and runs their tests.
//!
//! Libraries whose tools are missing are named and skipped. Python packages are installed only in `target/`.

use crate::outcome::{Failure, Outcome, refuse_unknown, verdict};
use crate::process::{self, Needs, PYTHON};
use crate::tree;
use std::path::PathBuf;
use std::process::Command;

/// A library for another language, built from grille.
struct Binding {
    name: &'static str,
    needs: Needs,
    test: fn() -> Result<(), Failure>,
}

/// The C and C++ compilers, and valgrind.
const COMPILERS: Needs =
    &[("cc", "Debian's `gcc`"), ("c++", "Debian's `g++`"), ("valgrind", "Debian's `valgrind`")];

/// The programs that build the npm package. `build.mjs` also compares the version of the program wasm-bindgen with that
/// of the crate.
const WASM: Needs =
    &[("node", "Debian's `nodejs`"), ("wasm-bindgen", "`cargo install wasm-bindgen-cli --locked`")];

const BINDINGS: &[Binding] = &[
    Binding { name: "c", needs: COMPILERS, test: c },
    Binding { name: "oqs", needs: COMPILERS, test: oqs },
    Binding { name: "python", needs: PYTHON, test: python },
    Binding { name: "wasm", needs: WASM, test: wasm },
];

/// Builds and tests the libraries that the arguments name, or all libraries.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let known: Vec<_> = BINDINGS.iter().map(|binding| binding.name).collect();
    refuse_unknown(["library", "libraries"], arguments, &known)?;
    let (mut problems, mut tested) = (Vec::new(), Vec::new());
    for binding in BINDINGS
        .iter()
        .filter(|binding| arguments.is_empty() || arguments.iter().any(|name| name == binding.name))
    {
        match process::missing(binding.needs) {
            Some(missing) => println!("faces: NOT TESTED: {}, because {missing}", binding.name),
            None => match (binding.test)() {
                Ok(()) => tested.push(binding.name),
                Err(Failure(lines)) => {
                    problems.extend(lines.iter().map(|line| format!("{}: {line}", binding.name)));
                }
            },
        }
    }
    verdict(problems, || match tested.is_empty() {
        true => "SKIPPED: no library could be tested".into(),
        false => format!("{} built and tested", tested.join(" and ")),
    })
}

/// Tests the C and C++ programs, compiled against the headers, under valgrind and with the compiler's sanitizers.
fn c() -> Result<(), Failure> {
    test_with_memory_checks(&["-p", "grille-capi"], &["--test", "programs", "--test", "cpp"])
}

/// Runs the tests of `packages`. The tests named by `programs` compile C and C++ programs, and run twice: under
/// valgrind, and with AddressSanitizer and UndefinedBehaviorSanitizer.
fn test_with_memory_checks(packages: &[&str], programs: &[&str]) -> Result<(), Failure> {
    let all = [&["test"], packages].concat();
    process::expect_success(process::cargo(&all).env("GRILLE_VALGRIND", "1"))?;
    let compiled = [&all, programs].concat();
    process::expect_success(process::cargo(&compiled).env("GRILLE_SANITIZE", "1"))
}

/// Tests the libraries with the interface of liboqs: C programs under valgrind and with sanitizers, then the tests of liboqs-python.
fn oqs() -> Result<(), Failure> {
    let eras = ["-p", "grille-oqs", "-p", "grille-oqs-0-7", "-p", "grille-oqs-0-5"];
    test_with_memory_checks(&eras, &["--test", "programs"])?;
    process::expect_success(&mut Command::new(tree::root().join("tests/conformance/oqs-python.sh")))
}

/// Tests the Python package, installed in a virtual environment of its own, with Python's debug allocator.
fn python() -> Result<(), Failure> {
    let folder = tree::root().join("target/faces/python");
    process::expect_success(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let program = |name: &str| -> PathBuf { folder.join("bin").join(name) };
    let package = tree::root().join("bindings/python");
    let mut install = Command::new(program("pip"));
    install.args(["install", "--quiet", "--force-reinstall", ".[test]"]).current_dir(&package);
    process::expect_success(&mut install)?;
    let mut test = Command::new(program("pytest"));
    // Python's debug allocator stops the program at writes beyond a block and at calls without the GIL
    test.args(["--quiet", "tests"]).current_dir(&package).env("PYTHONMALLOC", "debug");
    process::expect_success(&mut test)?;
    process::expect_success(Command::new(program("mypy")).args(["python", "tests"]).current_dir(&package))
}

/// Builds the npm package and runs its tests in Node. Tests the web page in Chromium, if Playwright is installed in
/// `bindings/wasm`.
fn wasm() -> Result<(), Failure> {
    let package = tree::root().join("bindings/wasm");
    process::expect_success(Command::new("node").arg("build.mjs").current_dir(&package))?;
    process::expect_success(Command::new("node").arg("--test").current_dir(&package))
}
