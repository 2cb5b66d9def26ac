//! C programs for liboqs, compiled against the headers of the era and linked with its library.
#![cfg(target_os = "linux")]

#[path = "../../c/tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ERA: &str = env!("GRILLE_OQS_ERA");

/// Returns the folder `bindings/oqs`, which also contains the packages of earlier eras.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_root = |folder: &&Path| folder.join("names.tsv").exists();
    package.ancestors().find(is_root).expect("a package of bindings/oqs").to_owned()
}

/// Creates an installation like the one that `install.sh` creates, with links to the headers and to the library that
/// was built for this test.
fn prefix(name: &str) -> PathBuf {
    let built = common::library_folder();
    let prefix = built.join(format!("oqs-{ERA}-{name}"));
    let _ = fs::remove_dir_all(&prefix);
    for folder in ["include/oqs", "lib"] {
        fs::create_dir_all(prefix.join(folder)).expect("a folder can be made");
    }
    for part in ["common", ERA] {
        for header in fs::read_dir(root().join("include").join(part).join("oqs")).expect("the headers exist")
        {
            let header = header.expect("a header").path();
            link(&header, &prefix.join("include/oqs").join(header.file_name().expect("a name")));
        }
    }
    let library = built.join(format!("lib{}.so", env!("CARGO_PKG_NAME").replace('-', "_")));
    let soname = match ERA {
        "0.16" => 9,
        "0.7" => 2,
        _ => 0,
    };
    link(&library, &prefix.join("lib/liboqs.so"));
    link(&library, &prefix.join(format!("lib/liboqs.so.{soname}")));
    prefix
}

fn link(from: &Path, to: &Path) {
    std::os::unix::fs::symlink(from, to).unwrap_or_else(|error| panic!("{}: {error}", to.display()));
}

/// Compiles a source with all warnings as errors. Returns the program.
fn compile(prefix: &Path, compiler: &str, standard: &str, source: &Path) -> PathBuf {
    let program = prefix.join(source.file_stem().expect("a file name"));
    let mut compile = Command::new(compiler);
    compile.args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(common::sanitizers());
    compile
        .arg("-I")
        .arg(prefix.join("include"))
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(prefix.join("lib"))
        .args(["-loqs", "-lpthread"]);
    let compiled = compile.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(compiled.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&compiled.stderr));
    program
}

/// Compiles and runs a program of `tests/`. Returns its output.
fn run(name: &str) -> String {
    let prefix = prefix(name);
    let source = root().join(format!("tests/{name}.c"));
    let program = compile(&prefix, "cc", "-std=c11", &source);
    common::run(&program, &prefix.join("lib"))
}

#[test]
fn structures_have_the_layout_of_the_era() {
    assert_eq!(run("layout"), "0 failed\n");
}

#[test]
fn operations_work_through_functions_pointers_and_symbols() {
    assert_eq!(run("operations"), "0 failed\n");
}

#[test]
fn bad_input_returns_the_error_of_liboqs() {
    assert_eq!(run("errors"), "0 failed\n");
}

#[test]
fn each_header_compiles_alone_in_c_and_cpp() {
    let prefix = prefix("headers");
    for header in fs::read_dir(prefix.join("include/oqs")).expect("the headers exist") {
        let name = header.expect("a header").file_name().into_string().expect("a UTF-8 name");
        if ERA != "0.16" && (name.contains("stfl") || name.ends_with("_ops.h")) || name == "oqsconfig-all.h" {
            continue;
        }
        let source = prefix.join("alone.c");
        fs::write(&source, format!("#include <oqs/{name}>\nint main(void) {{ return 0; }}\n"))
            .expect("a source");
        compile(&prefix, "cc", "-std=c99", &source);
        let source = prefix.join("alone.cpp");
        fs::write(&source, format!("#include <oqs/{name}>\nint main() {{ return 0; }}\n")).expect("a source");
        compile(&prefix, "c++", "-std=c++11", &source);
    }
}
