//! `footprint`: compares the sizes of SPDM's firmwares for microcontrollers with spdm/footprint.toml, and the sizes in
//! docs/guide/src/25-spdm-manual.md with that file.
//!
//! Code, constants and variables are read from the program's sections. Stack is not measured here: tests bound it on
//! x86-64 (`allocates_nothing_and_uses_little_stack`, `attestation_needs_little_memory`). When the repository was
//! cloned into another folder, the engine's code changed by 16 of 640,000 bytes and the device's code did not change
//! (2026-11-26). The tolerance allows such a difference.

use crate::outcome::{Outcome, verdict};
use crate::recorded::{Numbers, Recorded};
use crate::{process, programs, tree};
use object::elf::{SHF_ALLOC, SHF_WRITE};
use object::{File, Object as _, ObjectSection as _, ObjectSymbol as _, SectionFlags};
use std::collections::BTreeMap;

/// Target for Cortex-M4 and M7.
const TARGET: &str = "thumbv7em-none-eabihf";
const DOCUMENT: &str = "docs/guide/src/25-spdm-manual.md";
/// Sizes by firmware and name. In [`DOCUMENT`], a table row for each size begins with its name.
const RECORDED: Recorded = Recorded {
    file: "spdm/footprint.toml",
    title: "Bytes of the firmwares for thumbv7em-none-eabihf. Written by `cargo xtask footprint --write`.",
    unit: "bytes",
};

/// The parts of a program with their sizes in bytes.
type Parts = Vec<(&'static str, u64)>;

type Measure = fn(&File<'_>) -> Parts;

/// The firmwares: name, folder, and the function that measures the parts.
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
        let parts =
            measure(&File::parse(&*program)?).into_iter().map(|(part, bytes)| (part.to_owned(), bytes));
        found.insert(name.to_owned(), parts.collect());
    }
    let agreement = RECORDED.compare(&found, arguments)?;
    let (recorded, document) = (RECORDED.read()?, tree::read(DOCUMENT)?);
    let none = BTreeMap::new();
    let undocumented = FIRMWARES.iter().flat_map(|(name, folder, _)| {
        find_undocumented(&document, folder, recorded.get(*name).unwrap_or(&none))
    });
    verdict(undocumented.collect(), || {
        format!("the firmwares are as large {agreement}, and {DOCUMENT} has these numbers")
    })
}

fn device(program: &File<'_>) -> Parts {
    let compression = program.symbols().filter(|symbol| symbol.name().is_ok_and(is_compression));
    let compression: u64 = compression.map(|symbol| symbol.size()).sum();
    vec![
        ("code and constants without cryptography", constant_bytes(program) - compression),
        ("SHA-384's compression", compression),
        ("variables", variable_bytes(program)),
    ]
}

fn engine(program: &File<'_>) -> Parts {
    vec![("code and constants", constant_bytes(program)), ("variables", variable_bytes(program))]
}

/// Returns the number of bytes of code and constants: the read-only sections that occupy memory.
fn constant_bytes(program: &File<'_>) -> u64 {
    in_memory(program, false)
}

/// Returns the number of bytes of variables, initialised (`.data`) or not (`.bss`).
fn variable_bytes(program: &File<'_>) -> u64 {
    in_memory(program, true)
}

fn in_memory(program: &File<'_>, is_writable: bool) -> u64 {
    let occupies = |flags| match flags {
        SectionFlags::Elf { sh_flags, .. } => {
            sh_flags.contains(SHF_ALLOC) && sh_flags.contains(SHF_WRITE) == is_writable
        }
        _ => false,
    };
    program.sections().filter(|section| occupies(section.flags())).map(|section| section.size()).sum()
}

/// Returns whether a mangled name is a compression function of `sha2`.
fn is_compression(name: &str) -> bool {
    name.contains("4sha2") && name.contains("compress")
}

/// Lists the sizes of a firmware that are missing from the document. They must be in rows below the firmware's build
/// command.
fn find_undocumented(document: &str, folder: &str, numbers: &BTreeMap<String, u64>) -> Vec<String> {
    let section = document.split_once(&format!("cd {folder} && ")).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or(section);
    let absent =
        numbers.iter().filter(|(name, bytes)| !section.lines().any(|row| states(row, name, **bytes)));
    let problem = |(name, bytes): (&String, &u64)| {
        let bytes = group_digits(*bytes);
        format!("{DOCUMENT}: no row of {folder} begins with `| {name}` and has {bytes} in its second column")
    };
    absent.map(problem).collect()
}

fn states(row: &str, name: &str, bytes: u64) -> bool {
    let mut cells = row.split('|').skip(1).map(str::trim);
    let [label, value] = [(); 2].map(|()| cells.next().unwrap_or_default());
    label.starts_with(name) && value.split(' ').next() == Some(&group_digits(bytes))
}

/// Formats a number with commas between groups of three digits.
fn group_digits(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", group_digits(number / 1000), number % 1000),
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
        assert!(find_undocumented(TEXT, "a/b", &numbers(&[("code", 23_492)])).is_empty());
    }

    #[test]
    fn reports_wrong_numbers_names_and_sections() {
        for (name, bytes) in
            [("code", 23_493), ("code", 3492), ("code", 5), ("cod of", 23_492), ("variables", 7)]
        {
            let problems = find_undocumented(TEXT, "a/b", &numbers(&[(name, bytes)]));
            assert_eq!(problems.len(), 1, "{name} {bytes}");
            assert!(problems[0].contains(name) && problems[0].contains(&group_digits(bytes)), "{problems:?}");
        }
        assert_eq!(find_undocumented(TEXT, "a", &numbers(&[("code", 23_492)])).len(), 1);
    }

    #[test]
    fn groups_digits() {
        let expected =
            [(0, "0"), (999, "999"), (1000, "1,000"), (644_003, "644,003"), (1_000_020, "1,000,020")];
        for (number, text) in expected {
            assert_eq!(group_digits(number), text);
        }
    }

    /// Makes a program with 10 bytes of code, 5 of constants, 3 of data, 8 of uninitialised data, and a function of 4
    /// bytes.
    fn program(function: &str) -> Vec<u8> {
        use object::write::{Object, StandardSection, Symbol, SymbolSection};
        use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
        let mut program = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
        let [code, constants, data, zeros] = [
            StandardSection::Text,
            StandardSection::ReadOnlyData,
            StandardSection::Data,
            StandardSection::UninitializedData,
        ]
        .map(|section| program.section_id(section));
        for (section, len) in [(code, 10), (constants, 5), (data, 3)] {
            program.append_section_data(section, &vec![7; len], 1);
        }
        program.append_section_bss(zeros, 8, 1);
        program.add_symbol(Symbol {
            name: function.into(),
            value: 2,
            size: 4,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(code),
            flags: SymbolFlags::None,
        });
        program.write().unwrap()
    }

    #[test]
    fn counts_only_sections_that_occupy_memory() {
        let program = program("compress");
        let file = File::parse(&*program).unwrap();
        assert_eq!(engine(&file), [("code and constants", 15), ("variables", 11)]);
    }

    #[test]
    fn separates_cryptography_from_other_code() {
        for (function, compression) in [("_ZN4sha26sha51211compress512E", 4), ("_ZN4sha25otherE", 0)] {
            let program = program(function);
            let parts = device(&File::parse(&*program).unwrap());
            assert_eq!(
                parts[..2].iter().map(|(_, bytes)| *bytes).collect::<Vec<_>>(),
                [15 - compression, compression]
            );
        }
        assert!(File::parse(&program("f")[..40]).is_err());
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
