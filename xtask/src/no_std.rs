//! `no-std`: the algorithms and SPDM build without the standard library.
//!
//! With a target that has none installed (`rustup target add x86_64-unknown-none`) they are built for it. Without
//! one, only this much is checked: each crate says `#![no_std]`, and without its default features it builds and
//! turns on no feature that needs an operating system.

use crate::outcome::{Failure, Outcome};
use crate::source::Source;
use crate::{process, tree};
use std::process::Command;

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

/// What a firmware links of SPDM.
const FIRMWARE: &[&str] = &["spdm/device/footprint/Cargo.toml", "spdm/engine/footprint/Cargo.toml"];

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
    let installed =
        Command::new("rustup").args(["target", "list", "--installed"]).current_dir(tree::root()).output();
    let installed =
        installed.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).into());
    let target = bare_target(&installed);
    for (package, _) in CRATES {
        let mut cargo = process::cargo(&["check", "--quiet", "--package", package, "--no-default-features"]);
        process::succeed(cargo.args(target.iter().flat_map(|target| ["--target", target])))?;
    }
    if let Some(target) = target {
        for firmware in FIRMWARE {
            let arguments = ["check", "--quiet", "--locked", "--manifest-path", firmware, "--target", target];
            process::succeed(&mut process::cargo(&arguments))?;
        }
    }
    Ok(match target {
        Some(target) => format!("{} crates build for {target}, which has no std", CRATES.len()),
        None => "NO TARGET WITHOUT STD IS INSTALLED; checked only: #![no_std], and that no feature needs a system. \
                 `rustup target add x86_64-unknown-none` for the whole check"
            .into(),
    })
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

/// An installed target without a standard library.
fn bare_target(installed: &str) -> Option<&str> {
    installed.lines().map(str::trim).find(|target| target.ends_with("-none") || target.contains("-none-"))
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
        assert_eq!(
            bare_target("x86_64-unknown-linux-gnu\nx86_64-unknown-none\n"),
            Some("x86_64-unknown-none")
        );
        assert_eq!(bare_target("thumbv7em-none-eabi\n"), Some("thumbv7em-none-eabi"));
        assert_eq!(bare_target("x86_64-unknown-linux-gnu\n"), None);
    }
}
