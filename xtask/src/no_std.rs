//! `no-std`: the algorithms and SPDM build without the standard library.
//!
//! For every target that is installed and has none (`rustup target add x86_64-unknown-none`) they are built. Without
//! one, only this much is checked: each crate says `#![no_std]`, and without its default features it builds and
//! turns on no feature that needs an operating system.

use crate::footprint::FIRMWARES;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;
use crate::{process, tree};

/// The crates that must build, and their folders.
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

/// What `cargo tree` shows where an operating system is needed.
const NEEDS_SYSTEM: &[&str] = &["feature \"std\"", "feature \"system-rng\"", "feature \"env-override\""];

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    for (_, folder) in CRATES {
        let file = format!("{folder}/src/lib.rs");
        if !says_no_std(&tree::read(&file)?) {
            problems.push(format!("{file} does not say #![no_std]"));
        }
    }
    for (package, folder) in CRATES {
        let mut cargo = process::cargo(&["tree", "--package", package, "--no-default-features"]);
        let tree = process::stdout(cargo.args(["--edges", "normal,features", "--prefix", "none"]))?;
        let features = needing_system(&tree).into_iter();
        problems.extend(features.map(|line| format!("{folder}/Cargo.toml: always turns on {line}")));
    }
    if !problems.is_empty() {
        return Err(Failure(problems));
    }
    let targets: Vec<_> =
        process::installed_targets().into_iter().filter(|target| has_no_system(target)).collect();
    if targets.is_empty() {
        check(&[])?;
        return Ok("NO TARGET WITHOUT STD IS INSTALLED; checked only: #![no_std], and that no feature needs a system. \
                   `rustup target add x86_64-unknown-none` for the whole check"
            .into());
    }
    for target in &targets {
        check(&["--target", target])?;
        for (_, folder, _) in FIRMWARES {
            let manifest = format!("{folder}/Cargo.toml");
            let arguments =
                ["check", "--quiet", "--locked", "--manifest-path", &manifest, "--target", target];
            process::succeed(&mut process::cargo(&arguments))?;
        }
    }
    Ok(format!("{} crates build for {}, without std", CRATES.len(), targets.join(" and ")))
}

/// Compiles every crate as far as there are errors.
fn check(target: &[&str]) -> Result<(), Failure> {
    for (package, _) in CRATES {
        let mut cargo = process::cargo(&["check", "--quiet", "--package", package, "--no-default-features"]);
        process::succeed(cargo.args(target))?;
    }
    Ok(())
}

/// The lines of a `cargo tree` that need an operating system, each once.
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

/// Whether a target is without an operating system, and so without a standard library.
fn has_no_system(target: &str) -> bool {
    target.ends_with("-none") || target.contains("-none-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attribute_counts_and_a_comment_does_not() {
        assert!(says_no_std("//! Docs.\n#![no_std]\n"));
        assert!(!says_no_std("// #![no_std]\n"));
    }

    #[test]
    fn features_that_need_a_system_are_found_once() {
        let tree =
            "a v1\ngrille-cpu feature \"std\"\nzeroize feature \"alloc\"\ngrille-cpu feature \"std\" (*)\n";
        assert_eq!(needing_system(tree), ["grille-cpu feature \"std\""]);
        assert!(needing_system("zeroize feature \"alloc\"\n").is_empty());
    }

    #[test]
    fn only_bare_targets_count() {
        assert!(has_no_system("x86_64-unknown-none") && has_no_system("thumbv7em-none-eabihf"));
        assert!(!has_no_system("x86_64-unknown-linux-gnu"));
    }
}
