//! `footprint`: compares the sizes of SPDM's firmwares for microcontrollers with spdm/footprint.toml, and docs/spdm.md with
//! that file.
//!
//! Code, constants and variables are read from the program's sections. Stack is computed from its instructions, without
//! tools that a new machine lacks. The device's firmware has no calls through pointers, so the depth of every path is
//! known. The engine's firmware has such calls, so its stack is not computed; the test
//! `attestation_needs_little_memory` bounds it on x86-64. The folder of a clone changed the engine's code by 16 bytes of
//! 640,000 and the device's by none (2026-11-26), which the tolerance allows.

use crate::elf::Elf;
use crate::outcome::{Failure, Outcome, verdict};
use crate::recorded::{Numbers, Recorded};
use crate::thumb::Functions;
use crate::{process, programs, tree};
use std::collections::BTreeMap;

/// Target for Cortex-M4 and M7.
const TARGET: &str = "thumbv7em-none-eabihf";
const DOCUMENT: &str = "docs/spdm.md";
/// Sizes by firmware; the names are the beginnings of the document's rows.
const RECORDED: Recorded = Recorded {
    file: "spdm/footprint.toml",
    title: "Bytes of the firmwares for thumbv7em-none-eabihf. Written by `cargo xtask footprint --write`.",
    unit: "bytes",
};

/// The parts of a program with their sizes in bytes.
type Parts = Vec<(&'static str, u64)>;

type Measure = fn(&Elf<'_>) -> Result<Parts, Failure>;

/// The firmwares: name, folder and measurement.
pub(crate) const FIRMWARES: [(&str, &str, Measure); 2] =
    [("device", "spdm/device/footprint", device), ("engine", "spdm/engine/footprint", engine)];

/// Runs the check; `--write` records the measured sizes.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    if !process::installed_targets().iter().any(|target| target == TARGET) {
        println!(
            "footprint: SKIPPED: {TARGET} is missing, so nothing was built; run `rustup target add {TARGET}`"
        );
        return Ok("SKIPPED".into());
    }
    let mut found = Numbers::new();
    for (name, folder, measure) in FIRMWARES {
        let arguments = ["--locked", "--target", TARGET];
        let program = std::fs::read(programs::release_with(&format!("{folder}/Cargo.toml"), &arguments)?)?;
        let elf = Elf::read(&program).ok_or_else(|| unreadable(name))?;
        let parts = measure(&elf)?.into_iter().map(|(part, bytes)| (part.to_owned(), bytes));
        found.insert(name.to_owned(), parts.collect());
    }
    let agreeing = RECORDED.judge(&found, arguments)?;
    let (recorded, document) = (RECORDED.read()?, tree::read(DOCUMENT)?);
    let none = BTreeMap::new();
    let undocumented = FIRMWARES
        .iter()
        .flat_map(|(name, folder, _)| undocumented(&document, folder, recorded.get(*name).unwrap_or(&none)));
    verdict(undocumented.collect(), || {
        format!("the firmwares are as large as {agreeing}, and {DOCUMENT} too")
    })
}

fn device(elf: &Elf<'_>) -> Result<Parts, Failure> {
    let functions = elf.functions().ok_or_else(|| unreadable("device"))?;
    let compression = functions.iter().filter(|function| is_compression(function.name));
    let compression: u64 = compression.map(|function| u64::from(function.size)).sum();
    let stack = Functions::read(elf).ok_or_else(|| unreadable("device"))?;
    let (frame, below) =
        stack.stack("grille_spdm_footprint3run").map_err(|why| Failure(vec![format!("device: {why}")]))?;
    Ok(vec![
        ("code and constants without cryptography", elf.constant() - compression),
        ("SHA-384's compression", compression),
        ("variables", elf.variable()),
        ("frame of the main loop", frame.into()),
        ("deepest frames below it", below.into()),
    ])
}

fn engine(elf: &Elf<'_>) -> Result<Parts, Failure> {
    Ok(vec![("code and constants", elf.constant()), ("variables", elf.variable())])
}

/// Returns whether a mangled name is a compression function of `sha2`.
fn is_compression(name: &str) -> bool {
    name.contains("4sha2") && name.contains("compress")
}

fn unreadable(name: &str) -> Failure {
    Failure(vec![format!("{name}: the program is not ELF of 32 bits with symbols")])
}

/// Lists the numbers of a firmware that are missing from their rows, below the document's build command.
fn undocumented(document: &str, folder: &str, numbers: &BTreeMap<String, u64>) -> Vec<String> {
    let section = document.split_once(&format!("cd {folder} && ")).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or(section);
    let absent = numbers.iter().filter(|(name, bytes)| !section.lines().any(|row| says(row, name, **bytes)));
    let problem = |(name, bytes): (&String, &u64)| {
        let bytes = grouped(*bytes);
        format!("{DOCUMENT}: no row of {folder} begins `| {name}` and says {bytes} in its second column")
    };
    absent.map(problem).collect()
}

fn says(row: &str, name: &str, bytes: u64) -> bool {
    let mut cells = row.split('|').skip(1).map(str::trim);
    let [label, value] = [(); 2].map(|()| cells.next().unwrap_or_default());
    label.starts_with(name) && value.split(' ').next() == Some(&grouped(bytes))
}

/// Formats a number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\n    cd a/b && cargo build\n\n| bytes | grille |\n|---|---|\n| code of it | 23,492 (all) | 5 |\n\
                        ## Next\n| variables | 7 |\n";

    fn numbers(named: &[(&str, u64)]) -> BTreeMap<String, u64> {
        named.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes)).collect()
    }

    #[test]
    fn accepts_a_document_with_the_recorded_numbers() {
        assert!(undocumented(TEXT, "a/b", &numbers(&[("code", 23_492)])).is_empty());
    }

    #[test]
    fn reports_wrong_numbers_names_and_sections() {
        for (name, bytes) in
            [("code", 23_493), ("code", 3492), ("code", 5), ("cod of", 23_492), ("variables", 7)]
        {
            let problems = undocumented(TEXT, "a/b", &numbers(&[(name, bytes)]));
            assert_eq!(problems.len(), 1, "{name} {bytes}");
            assert!(problems[0].contains(name) && problems[0].contains(&grouped(bytes)), "{problems:?}");
        }
        assert_eq!(undocumented(TEXT, "a", &numbers(&[("code", 23_492)])).len(), 1);
    }

    #[test]
    fn groups_digits() {
        let expected =
            [(0, "0"), (999, "999"), (1000, "1,000"), (644_003, "644,003"), (1_000_020, "1,000,020")];
        for (number, text) in expected {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn counts_only_compression_as_cryptography() {
        assert!(is_compression("_ZN4sha26sha51211compress51217h1d4f3d65e2f9c2a5E"));
        assert!(!is_compression("_ZN4sha26sha5126Sha5126finish17h1d4f3d65e2f9c2a5E"));
        assert!(!is_compression("_ZN21grille_spdm_footprint8compress17h1d4f3d65e2f9c2a5E"));
    }

    #[test]
    fn finds_the_folders_of_the_firmwares() {
        for (name, folder, _) in FIRMWARES {
            assert!(tree::root().join(folder).join("Cargo.toml").is_file(), "{name}");
        }
    }
}
