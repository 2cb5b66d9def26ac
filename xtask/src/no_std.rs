//! `no-std`: checks that the algorithms and SPDM build without the standard library.
//!
//! The crates are built for every installed target without a standard library (`rustup target add x86_64-unknown-none`).
//! Without such a target the check is weaker: each crate has `#![no_std]`, and without its default features it builds and
//! enables no feature that needs an operating system. The crates are also built for [`NARROW`] targets.

use crate::footprint::FIRMWARES;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;
use crate::{process, tree};
use std::process::Command;

/// The crates that must build, with their folders.
const CRATES: &[(&str, &str)] = &[
    ("grille-core", "base/core"),
    ("grille-cpu", "base/cpu"),
    ("grille-hash", "base/hash"),
    ("grille-mlkem", "kem/mlkem"),
    ("grille-ntru", "kem/ntru"),
    ("grille-saber", "kem/saber"),
    ("grille-mldsa", "sign/mldsa"),
    ("grille-slhdsa", "sign/slhdsa"),
    ("grille-falcon", "sign/falcon"),
    ("grille-registry", "registry"),
    ("grille-pki", "pki"),
    ("grille-spdm-codec", "spdm/codec"),
    ("grille-spdm-device", "spdm/device"),
    ("grille-spdm-engine", "spdm/engine"),
    ("grille-spdm-transport", "spdm/transport"),
];

/// The crates that need atomic read-modify-write, which some cores lack.
const NEED_ATOMICS: &[&str] = &["grille-pki", "grille-spdm-engine"];

/// Targets with a standard library and pointers of 32 bits.
const NARROW: &[&str] = &["i686-unknown-linux-gnu", "wasm32-unknown-unknown"];

/// Lines of `cargo tree` that show the need for an operating system.
const NEEDS_SYSTEM: &[&str] = &["feature \"std\"", "feature \"system-rng\"", "feature \"env-override\""];

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    for (_, folder) in CRATES {
        let file = format!("{folder}/src/lib.rs");
        if !says_no_std(&tree::read(&file)?) {
            problems.push(format!("{file} lacks #![no_std]"));
        }
    }
    for (package, folder) in CRATES {
        let mut cargo = process::cargo(&["tree", "--package", package, "--no-default-features"]);
        let tree = process::stdout(cargo.args(["--edges", "normal,features", "--prefix", "none"]))?;
        let features = needing_system(&tree).into_iter();
        problems.extend(features.map(|line| format!("{folder}/Cargo.toml: always enables {line}")));
    }
    if !problems.is_empty() {
        return Err(Failure(problems));
    }
    let installed = process::installed_targets();
    for missing in NARROW.iter().filter(|target| !installed.iter().any(|other| other == *target)) {
        println!("no-std: NOT BUILT: {missing} is missing: `rustup target add {missing}`");
    }
    let (bare, narrow): (Vec<_>, Vec<_>) = installed
        .into_iter()
        .filter(|target| has_no_system(target) || NARROW.contains(&target.as_str()))
        .partition(|target| has_no_system(target));
    if bare.is_empty() {
        check(None)?;
        println!(
            "no-std: NO TARGET WITHOUT STD IS INSTALLED; checked only: #![no_std], and that no feature needs a system. \
             `rustup target add x86_64-unknown-none` for the whole check"
        );
    }
    for target in bare.iter().chain(&narrow) {
        check(Some(target))?;
    }
    for target in bare.iter().filter(|target| has_atomics(target)) {
        for (_, folder, _) in FIRMWARES {
            let manifest = format!("{folder}/Cargo.toml");
            let arguments =
                ["check", "--quiet", "--locked", "--manifest-path", &manifest, "--target", target];
            process::succeed(&mut process::cargo(&arguments))?;
        }
    }
    let targets = [bare, narrow].concat();
    Ok(format!(
        "{} crates build without std, for {} targets: {}",
        CRATES.len(),
        targets.len(),
        targets.join(", ")
    ))
}

/// Runs `cargo check` on every crate, and on the registry also with every post-quantum row.
fn check(target: Option<&str>) -> Result<(), Failure> {
    let is_left_out =
        |package: &str| target.is_some_and(|target| NEED_ATOMICS.contains(&package) && !has_atomics(target));
    let crates =
        CRATES.iter().map(|(package, _)| (*package, "")).filter(|(package, _)| !is_left_out(package));
    for (package, features) in crates.chain([("grille-registry", "post-quantum")]) {
        let mut cargo = process::cargo(&["check", "--quiet", "--package", package, "--no-default-features"]);
        cargo.args(["--features", features]).args(target.iter().flat_map(|target| ["--target", target]));
        process::succeed(&mut cargo)?;
    }
    Ok(())
}

/// Returns whether a target has atomic read-modify-write of pointers; assumes so if rustc does not say.
fn has_atomics(target: &str) -> bool {
    let mut rustc = Command::new("rustc");
    let said = process::stdout(rustc.args(["--print", "cfg", "--target", target]));
    said.map_or(true, |said| said.contains("target_has_atomic=\"ptr\""))
}

/// Returns the lines of `cargo tree` that need an operating system, without duplicates.
fn needing_system(tree: &str) -> Vec<&str> {
    let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
    let mut found: Vec<&str> =
        lines.filter(|line| NEEDS_SYSTEM.iter().any(|mark| line.ends_with(mark))).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn says_no_std(text: &str) -> bool {
    Source::read(text).code.contains("#![no_std]")
}

/// Returns whether a target has no operating system, and so no standard library.
fn has_no_system(target: &str) -> bool {
    target.ends_with("-none") || target.contains("-none-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_attribute_but_not_a_comment() {
        assert!(says_no_std("//! Docs.\n#![no_std]\n"));
        assert!(!says_no_std("// #![no_std]\n"));
    }

    #[test]
    fn lists_features_that_need_a_system_once() {
        let tree =
            "a v1\ngrille-cpu feature \"std\"\nzeroize feature \"alloc\"\ngrille-cpu feature \"std\" (*)\n";
        assert_eq!(needing_system(tree), ["grille-cpu feature \"std\""]);
        assert!(needing_system("zeroize feature \"alloc\"\n").is_empty());
    }

    #[test]
    fn recognises_bare_targets() {
        assert!(has_no_system("x86_64-unknown-none") && has_no_system("thumbv7em-none-eabihf"));
        assert!(!has_no_system("x86_64-unknown-linux-gnu"));
    }

    #[test]
    fn recognises_cores_without_atomic_read_modify_write() {
        assert!(has_atomics("thumbv7em-none-eabihf") && has_atomics("riscv32imac-unknown-none-elf"));
        assert!(!has_atomics("thumbv6m-none-eabi") && !has_atomics("riscv32imc-unknown-none-elf"));
    }
}
