//! `no-std`: checks that the algorithms and SPDM build without the standard library.
//!
//! The crates are built for every installed target without a standard library
//! (`rustup target add x86_64-unknown-none`). Without such a target, the check is weaker: each crate has `#![no_std]`,
//! builds without its default features, and then enables no feature that needs an operating system. The crates are also
//! built for [`NARROW`] targets.

use crate::crates::{Crate, crates};
use crate::footprint::FIRMWARES;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;
use crate::{process, tree};
use std::process::Command;

/// Folders of crates that need the standard library, each with the reason. Crates below these folders are included. All
/// other crates must build without it.
const NEED_STD: &[(&str, &str)] = &[
    ("base/classical", "aws-lc needs an operating system"),
    ("base/meter", "measures threads and the allocator of an operating system"),
    ("kem/hybrid", "its classical halves come from aws-lc"),
    ("sign/composite", "its classical halves come from aws-lc"),
    ("tls", "connections are sockets"),
    ("proxy", "connections are sockets"),
    ("spdm/dump", "checks signatures with the algorithms of aws-lc"),
    ("bindings", "libraries for programs with an operating system"),
    ("cli", "a program"),
    ("bench", "programs"),
    ("tests", "programs and their parts"),
    ("xtask", "a program"),
];

/// The crates that need atomic read-modify-write, which some cores lack.
const NEED_ATOMICS: &[&str] = &["grille-pki", "grille-spdm-engine"];

/// The folders of the algorithms and their parts.
const ALGORITHMS: &[&str] = &["base", "math", "kem", "sign"];

/// Targets with a standard library and pointers of 32 bits.
const NARROW: &[&str] = &["i686-unknown-linux-gnu", "wasm32-unknown-unknown"];

/// Lines of `cargo tree` that show the need for an operating system.
const NEEDS_SYSTEM: &[&str] = &["feature \"std\"", "feature \"system-rng\"", "feature \"env-override\""];

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let all = crates()?;
    let crates = without_std(&all);
    let mut problems = find_unneeded(NEED_STD, &all);
    for Crate { name, folder, sources, .. } in &crates {
        for source in sources {
            if !has_attribute(source, &tree::read(source)?)? {
                problems.push(format!("{source} lacks #![no_std]"));
            }
        }
        let mut cargo = process::cargo(&["tree", "--package", name, "--no-default-features"]);
        let tree = process::stdout(cargo.args(["--edges", "normal,features", "--prefix", "none"]))?;
        let features = lines_needing_system(&tree).into_iter();
        problems.extend(features.map(|line| format!("{folder}/Cargo.toml: always enables {line}")));
    }
    if !problems.is_empty() {
        return Err(Failure(problems));
    }
    let (bare, narrow) = targets();
    if bare.is_empty() {
        check(&crates, None)?;
        println!(
            "no-std: NO TARGET WITHOUT STD IS INSTALLED; checked only #![no_std], and that no feature needs an operating \
            system; run `rustup target add x86_64-unknown-none` for the full check"
        );
    }
    for target in bare.iter().chain(&narrow) {
        check(&crates, Some(target))?;
    }
    check_firmwares(&bare)?;
    let targets = [bare, narrow].concat();
    Ok(format!(
        "{} crates build without std, for {} targets: {}",
        crates.len(),
        targets.len(),
        targets.join(", ")
    ))
}

/// Returns the crates that must build without the standard library.
pub(crate) fn without_std(crates: &[Crate]) -> Vec<&Crate> {
    let needs_std = |folder: &str| NEED_STD.iter().any(|(row, _)| is_below(row, folder));
    crates.iter().filter(|one| !needs_std(&one.folder)).collect()
}

/// Returns the names of the crates in these folders, such as `kem`, that must build without the standard library.
pub(crate) fn without_std_in<'a>(crates: &'a [Crate], folders: &[&str]) -> Vec<&'a str> {
    let is_inside = |one: &&Crate| folders.iter().any(|row| is_below(row, &one.folder));
    without_std(crates).into_iter().filter(is_inside).map(|one| one.name.as_str()).collect()
}

/// Returns whether a crate is this folder or lies below it.
fn is_below(row: &str, folder: &str) -> bool {
    folder.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Lists rows whose folder contains no crate.
fn find_unneeded(rows: &[(&str, &str)], crates: &[Crate]) -> Vec<String> {
    let unneeded = rows.iter().filter(|(row, _)| !crates.iter().any(|one| is_below(row, &one.folder)));
    unneeded.map(|(row, _)| format!("xtask/src/no_std.rs: there is no crate {row}")).collect()
}

/// Returns the installed targets without an operating system, and the installed ones of [`NARROW`]. Prints the missing
/// ones of [`NARROW`].
fn targets() -> (Vec<String>, Vec<String>) {
    let installed = process::installed_targets();
    for missing in NARROW.iter().filter(|target| !installed.iter().any(|other| other == *target)) {
        println!("no-std: NOT BUILT: {missing} is missing: `rustup target add {missing}`");
    }
    installed
        .into_iter()
        .filter(|target| has_no_system(target) || NARROW.contains(&target.as_str()))
        .partition(|target| has_no_system(target))
}

/// Runs `cargo check` on all crates, and on the registry also with every post-quantum row.
///
/// The algorithms and their parts are checked together, because none of them enables a feature of another.
fn check(crates: &[&Crate], target: Option<&str>) -> Result<(), Failure> {
    let is_part = |one: &&&Crate| ALGORITHMS.iter().any(|row| is_below(row, &one.folder));
    let is_left_out =
        |package: &str| target.is_some_and(|target| NEED_ATOMICS.contains(&package) && !has_atomics(target));
    let (parts, others): (Vec<&Crate>, Vec<&Crate>) = crates.iter().partition(is_part);
    let parts: Vec<&str> = parts.iter().map(|one| one.name.as_str()).collect();
    check_together(&parts, "", target)?;
    for one in others.iter().filter(|one| !is_left_out(&one.name)) {
        check_together(&[&one.name], "", target)?;
    }
    check_together(&["grille-registry"], "post-quantum", target)
}

fn check_together(packages: &[&str], features: &str, target: Option<&str>) -> Result<(), Failure> {
    let mut cargo = process::cargo(&["check", "--quiet", "--no-default-features", "--features", features]);
    cargo.args(packages.iter().flat_map(|package| ["--package", package]));
    process::expect_success(cargo.args(target.iter().flat_map(|target| ["--target", target])))
}

/// Runs `cargo check` on the firmwares for the targets with atomic read-modify-write.
fn check_firmwares(targets: &[String]) -> Result<(), Failure> {
    for target in targets.iter().filter(|target| has_atomics(target)) {
        for (_, folder, _) in FIRMWARES {
            let manifest = format!("{folder}/Cargo.toml");
            let arguments =
                ["check", "--quiet", "--locked", "--manifest-path", &manifest, "--target", target];
            process::expect_success(&mut process::cargo(&arguments))?;
        }
    }
    Ok(())
}

/// Returns whether a target has atomic read-modify-write of pointers; assumes so if rustc does not know the target.
fn has_atomics(target: &str) -> bool {
    let mut rustc = Command::new("rustc");
    let settings = process::stdout(rustc.args(["--print", "cfg", "--target", target]));
    settings.map_or(true, |settings| settings.contains("target_has_atomic=\"ptr\""))
}

/// Returns the lines of `cargo tree` that need an operating system, without duplicates.
fn lines_needing_system(tree: &str) -> Vec<&str> {
    let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
    let mut found: Vec<&str> =
        lines.filter(|line| NEEDS_SYSTEM.iter().any(|mark| line.ends_with(mark))).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns whether a file has the attribute `#![no_std]`.
fn has_attribute(file: &str, text: &str) -> Result<bool, Failure> {
    Ok(Source::read(file, text)?.code.contains("#![no_std]"))
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
        assert_eq!(has_attribute("a.rs", "//! Docs.\n#![no_std]\n"), Ok(true));
        assert_eq!(has_attribute("a.rs", "// #![no_std]\n"), Ok(false));
    }

    #[test]
    fn checks_every_crate_that_needs_no_std() {
        let one = |folder: &str| Crate { name: folder.into(), folder: folder.into(), ..Crate::default() };
        let crates = ["base/core", "kem/new", "kem/hybrid", "tests/kat"].map(one);
        let folders = |crates: Vec<&Crate>| crates.iter().map(|one| one.folder.clone()).collect::<Vec<_>>();
        assert_eq!(folders(without_std(&crates)), ["base/core", "kem/new"]);
        assert_eq!(without_std_in(&crates, &["kem", "sign"]), ["kem/new"]);
    }

    #[test]
    fn rejects_rows_without_a_crate() {
        let crates = [Crate { folder: "tls".into(), ..Crate::default() }];
        assert!(find_unneeded(&[("tls", "")], &crates).is_empty());
        let problems = find_unneeded(&[("attic", "")], &crates);
        assert_eq!(problems, ["xtask/src/no_std.rs: there is no crate attic"]);
    }

    #[test]
    fn lists_features_that_need_a_system_once() {
        let tree =
            "a v1\ngrille-cpu feature \"std\"\nzeroize feature \"alloc\"\ngrille-cpu feature \"std\" (*)\n";
        assert_eq!(lines_needing_system(tree), ["grille-cpu feature \"std\""]);
        assert!(lines_needing_system("zeroize feature \"alloc\"\n").is_empty());
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
