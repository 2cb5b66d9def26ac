//! `jumps`: checks the conditional jumps in machine code that valgrind cannot run. The source line of each jump must
//! also jump in code that valgrind can run, or have a recorded reason.
//!
//! Valgrind does not support AVX-512, vectorised AES or the SHA extensions, and it runs only code for this machine's
//! processor. For each conditional jump, gather and division, the line tables give the source line of grille that
//! it comes from, even through inlining, or the function if there is no such line. `ct` checks the same lines compiled for AVX2
//! and the portable code of x86-64. The remaining lines were inspected, and [`REASONS`] gives the value that each
//! depends on.
//!
//! For other processors, all families are compiled but not linked. The check does not find a jump on a secret in a line
//! that also jumps on x86-64.

use crate::crates::crates;
use crate::disassembly::{self, Isa, NO_LINE, Place};
use crate::no_std::without_std_in;
use crate::outcome::{Failure, Outcome, refuse_unknown, verdict};
use crate::{process, programs, tree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// File with the reasons. A reason is the value on which jumps depend. Below each reason are files and lines, or
/// [`NO_LINE`] and functions. A function's name may end with `*`, which matches any rest.
const REASONS: &str = "tests/ct/jumps.toml";

/// Part of the name of every checked crate and of its functions.
const CRATE_PREFIX: &str = "grille_";

/// Parts of the names of functions that valgrind cannot run.
const VALGRIND_UNSUPPORTED: &[&str] = &["avx512", "vaes", "sha_ni"];
/// Parts of the names of vectorised functions that valgrind can run.
const VALGRIND_SUPPORTED: &[&str] = &["avx2"];

/// A processor other than x86-64, for which code is checked.
struct Target {
    name: &'static str,
    isa: Isa,
    /// The prefix of the names of the target's objdump and ld.
    prefix: &'static str,
    /// Options with which ld links code for it. RISC-V's ld must not shorten instructions, which moves code away from the
    /// addresses in the line tables.
    ld_options: &'static [&'static str],
    /// Debian's package with its binutils.
    package: &'static str,
}

#[rustfmt::skip]
const TARGETS: &[Target] = &[
    Target { name: "aarch64-unknown-linux-gnu",   isa: Isa::AArch64, prefix: "aarch64-linux-gnu-", ld_options: &[],                  package: "binutils-aarch64-linux-gnu" },
    Target { name: "i686-unknown-linux-gnu",      isa: Isa::X86,     prefix: "",                   ld_options: &["-m", "elf_i386"],  package: "binutils" },
    Target { name: "riscv64gc-unknown-linux-gnu", isa: Isa::RiscV,   prefix: "riscv64-linux-gnu-", ld_options: &["--no-relax"],      package: "binutils-riscv64-linux-gnu" },
    Target { name: "s390x-unknown-linux-gnu",     isa: Isa::S390x,   prefix: "s390x-linux-gnu-",   ld_options: &[],                  package: "binutils-s390x-linux-gnu" },
];

/// For each reason and file, the texts of the lines.
type Reasons = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Runs the check. `jumps TARGET …` also checks the code for the named processors, `jumps all` the code for all
/// [`TARGETS`]. The first part of a target's name, such as `s390x`, is enough.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    check_arguments(arguments)?;
    if !cfg!(target_arch = "x86_64") || !process::is_installed("objdump") {
        println!("jumps: SKIPPED: this check needs an x86-64 processor and objdump (Debian: `binutils`)");
        return Ok("SKIPPED".into());
    }
    let reasons: Reasons = toml::from_str(&tree::read(REASONS)?)?;
    let program = programs::release("tests/ct/Cargo.toml")?;
    let is_named = |name: &str, parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let unseen = |name: &str| name.contains(CRATE_PREFIX) && is_named(name, VALGRIND_UNSUPPORTED);
    let seen = |name: &str| name.contains(CRATE_PREFIX) && is_named(name, VALGRIND_SUPPORTED);
    let run_by_valgrind = |name: &str| !is_named(name, VALGRIND_UNSUPPORTED);
    let classes: &[&dyn Fn(&str) -> bool] = &[&unseen, &seen, &run_by_valgrind];
    let found = disassembly::places("objdump", &program, Isa::X86, classes)?;
    let [unseen, seen, run_by_valgrind] = <[_; 3]>::try_from(found).expect("three classes");
    let left: BTreeSet<_> = unseen.difference(&seen).cloned().collect();
    let mut problems = find_unexplained("x86-64", &left, &reasons)?;
    problems.extend(find_stale(&reasons)?);
    let mut looked_at = vec![format!("x86-64 ({} of {} lines have a reason)", left.len(), unseen.len())];
    for target in TARGETS.iter().filter(|target| is_selected(target.name, arguments)) {
        if let Some(missing) = target.missing() {
            println!("jumps: NOT CHECKED: {}, because {missing}", target.name);
            continue;
        }
        let found = target.places()?;
        let left: BTreeSet<_> = found.difference(&run_by_valgrind).cloned().collect();
        problems.extend(find_unexplained(target.name, &left, &reasons)?);
        looked_at.push(format!("{} ({} of {})", target.name, left.len(), found.len()));
    }
    verdict(problems, || looked_at.join(", "))
}

fn is_selected(target: &str, arguments: &[String]) -> bool {
    arguments.iter().any(|argument| argument == "all" || is_name_of(target, argument))
}

fn is_name_of(target: &str, argument: &str) -> bool {
    argument == target || target.split('-').next() == Some(argument)
}

/// Refuses an argument that is neither `all` nor a target's name or the first part of one.
fn check_arguments(arguments: &[String]) -> Result<(), Failure> {
    let is_unknown = |argument: &&String| !TARGETS.iter().any(|target| is_name_of(target.name, argument));
    let known: Vec<_> = TARGETS.iter().map(|target| target.name).chain(["all"]).collect();
    refuse_unknown(["target", "targets"], arguments.iter().filter(is_unknown), &known)
}

impl Target {
    /// Names a tool for checking the target that this machine lacks; `None` if it has all of them.
    fn missing(&self) -> Option<String> {
        if !process::installed_targets().iter().any(|target| target == self.name) {
            return Some(format!("the target is missing: `rustup target add {}`", self.name));
        }
        let tools = ["objdump", "ld"].map(|tool| format!("{}{tool}", self.prefix));
        let missing = tools.iter().find(|tool| !process::is_installed(tool))?;
        Some(format!("{missing} is missing (Debian: `{}`)", self.package))
    }

    /// Returns the places where the code of all families jumps on this processor.
    fn places(&self) -> Result<BTreeSet<Place>, Failure> {
        let mut all = BTreeSet::new();
        for library in self.libraries()? {
            let linked = self.link(&library)?;
            let objdump = format!("{}objdump", self.prefix);
            let found = disassembly::places(&objdump, &linked, self.isa, &[&|_| true])?;
            all.extend(found.into_iter().flatten());
        }
        Ok(all)
    }

    /// Links all of a library's objects, so that each function has an address of its own, which its line tables name.
    /// Functions of other libraries stay undefined.
    fn link(&self, library: &Path) -> Result<PathBuf, Failure> {
        let linked = library.with_extension("linked");
        let mut ld = Command::new(format!("{}ld", self.prefix));
        ld.args(self.ld_options).args(["--entry=0", "--unresolved-symbols=ignore-all", "--whole-archive"]);
        process::expect_success(ld.arg(library).arg("-o").arg(&linked))?;
        Ok(linked)
    }

    /// Builds the libraries without LTO, because with LTO they contain no machine code, and in one codegen unit, which
    /// inlines most.
    fn libraries(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut cargo = process::cargo(&["build", "--release", "--target", self.name]);
        let crates = crates()?;
        let families = without_std_in(&crates, &["kem", "sign"]);
        cargo.args(families.iter().flat_map(|family| ["--package", family]));
        cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        cargo.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
        programs::libraries(&mut cargo, CRATE_PREFIX)
    }
}

/// Lists the jumps without a reason in tests/ct/jumps.toml.
fn find_unexplained(target: &str, left: &BTreeSet<Place>, reasons: &Reasons) -> Result<Vec<String>, Failure> {
    let known = list_known(reasons);
    let families: Vec<&str> = known
        .iter()
        .filter(|(file, _)| file == NO_LINE)
        .filter_map(|(_, name)| name.strip_suffix('*'))
        .collect();
    let has_reason = |place: &&Place| {
        let (file, text) = place;
        known.contains(*place) || file == NO_LINE && families.iter().any(|start| text.starts_with(start))
    };
    let without = left.iter().filter(|place| !has_reason(place));
    Ok(without
        .map(|(file, line)| format!("{target}: {file}: jump without a recorded reason: {line}"))
        .collect())
}

/// Lists reasons for lines that no longer exist.
fn find_stale(reasons: &Reasons) -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    for (file, line) in list_known(reasons).iter().filter(|(file, _)| file != NO_LINE) {
        if !tree::read(file)?.lines().any(|other| other.trim() == line) {
            problems.push(format!("{REASONS}: {file} has no such line: {line}"));
        }
    }
    Ok(problems)
}

fn list_known(reasons: &Reasons) -> BTreeSet<Place> {
    let files = reasons.values().flatten();
    files.flat_map(|(file, lines)| lines.iter().map(|line| (file.clone(), line.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "xtask/src/jumps.rs";

    fn reasons(file: &str, line: &str) -> Reasons {
        let lines = BTreeMap::from([(file.to_owned(), BTreeSet::from([line.to_owned()]))]);
        Reasons::from([("a length".to_owned(), lines)])
    }

    #[test]
    fn refuses_an_unknown_target() {
        let check = |name: &str| check_arguments(&[name.to_owned()]);
        assert!(check("all").is_ok() && check("s390x").is_ok() && check("i686-unknown-linux-gnu").is_ok());
        assert!(check("s390").unwrap_err().0[0].contains("s390x-unknown-linux-gnu"));
    }

    #[test]
    fn a_jump_without_a_reason_is_a_problem() {
        let left = BTreeSet::from([(FILE.to_owned(), "use super::*;".to_owned())]);
        assert!(find_unexplained("t", &left, &reasons(FILE, "use super::*;")).unwrap().is_empty());
        assert_eq!(find_unexplained("t", &left, &Reasons::new()).unwrap().len(), 1);
    }

    #[test]
    fn matches_functions_by_prefix() {
        let left = BTreeSet::from([(NO_LINE.to_owned(), "core::ptr::drop_in_place<a::B>".to_owned())]);
        assert!(
            find_unexplained("t", &left, &reasons(NO_LINE, "core::ptr::drop_in_place<*")).unwrap().is_empty()
        );
        assert_eq!(
            find_unexplained("t", &left, &reasons(NO_LINE, "core::ptr::drop_in_place<")).unwrap().len(),
            1
        );
        assert_eq!(
            find_unexplained("t", &left, &reasons(FILE, "core::ptr::drop_in_place<*")).unwrap().len(),
            1
        );
    }

    #[test]
    fn a_reason_without_a_line_is_a_problem() {
        let gone = "this text occurs in no line except".to_owned() + " one";
        let problems = find_stale(&reasons(FILE, &gone)).unwrap();
        assert!(problems[0].contains("has no such line"), "{problems:?}");
        assert!(find_stale(&reasons(FILE, "use super::*;")).unwrap().is_empty());
    }
}
