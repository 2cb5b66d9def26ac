//! `backends`: checks that the kernel crates and the tests over all algorithms pass at every level of vector
//! instructions that this machine has. `portability` checks other machines.
//!
//! The tests are built with those of the whole workspace, so that this check shares every build with
//! `cargo test --workspace`. Then each test program runs once per level, with the higher levels hidden.

use crate::outcome::{Failure, Outcome, verdict};
use crate::programs::{self, Program};
use crate::{process, tree};
use grille_cpu::Level;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Folders of the crates with kernels, and of the crates whose tests run kernels of every family.
const KERNELS: &[&str] = &["base", "math", "kem", "sign", "registry", "tests"];

/// Levels, the highest first, each with the value of `GRILLE_CPU_DISABLE` that hides the levels above it. `cargo test`
/// runs the tests at the first.
pub(crate) type Levels = [(&'static str, &'static str)];

/// The levels of x86-64.
pub(crate) const LEVELS: &Levels = &[("avx512", ""), ("avx2", "avx512"), ("portable", "avx512,avx2")];

/// The levels of AArch64.
pub(crate) const AARCH64_LEVELS: &Levels =
    &[("neon-sha3", ""), ("neon", "neon-sha3"), ("portable", "neon-sha3,neon")];

/// Runs all levels, or with `--lower` only those below the highest, which `cargo test` runs.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    let lower = arguments.iter().any(|argument| argument == "--lower");
    let here = run_native_levels(lower, &mut problems)?;
    verdict(problems, || format!("the tests pass at {}", here.join(", ")))
}

/// Runs the tests at the levels of this machine and returns the names of these levels. `lower`: leaves out the highest.
fn run_native_levels(lower: bool, problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
    let reachable: Vec<&str> = Level::all().map(Level::name).collect();
    let (mut here, missing): (Vec<_>, Vec<_>) =
        LEVELS.iter().partition(|(level, _)| reachable.contains(level));
    for (level, _) in missing {
        println!("backends: NOT TESTED: this machine has no {level}");
    }
    if lower && !here.is_empty() {
        let (level, _) = here.remove(0);
        println!("backends: {level}: not run here, because `cargo test` covers it");
    }
    let tests = build_tests(&mut process::cargo(&["test", "--workspace"]))?;
    Ok(run_at_each_level(&here, &tests, "", &[], problems))
}

/// Builds the test programs of [`KERNELS`] with the command `build` (`cargo test …`).
pub(crate) fn build_tests(build: &mut Command) -> Result<Vec<Program>, Failure> {
    let mut tests = programs::build(build.arg("--no-run"))?;
    tests.retain(|program| tests_kernels(program, &tree::root()));
    if tests.is_empty() {
        return Err(Failure(vec![format!("no tests in {}", KERNELS.join(", "))]));
    }
    Ok(tests)
}

fn tests_kernels(program: &Program, root: &Path) -> bool {
    let Ok(folder) = program.folder.strip_prefix(root) else { return false };
    program.is_test && KERNELS.iter().any(|kernel| folder.starts_with(kernel))
}

/// Runs all programs at each of the levels, with `runner` as a prefix of the command line. Returns the names of the
/// levels.
pub(crate) fn run_at_each_level(
    levels: &Levels,
    tests: &[Program],
    machine: &str,
    runner: &[&str],
    problems: &mut Vec<String>,
) -> Vec<String> {
    for (level, hidden) in levels {
        let start = Instant::now();
        let passed: usize = tests.iter().map(|tests| count_passed(tests, runner, hidden, problems)).sum();
        let seconds = start.elapsed().as_secs_f32();
        println!("backends: {machine}{level}: {passed} tests passed in {seconds:.1} s");
    }
    levels.iter().map(|(level, _)| format!("{machine}{level}")).collect()
}

/// Runs the program's tests without the levels in `hidden`, and returns the number of tests that pass.
fn count_passed(tests: &Program, runner: &[&str], hidden: &str, problems: &mut Vec<String>) -> usize {
    let Program { path: program, folder, .. } = tests;
    let start = Instant::now();
    let mut command = match runner.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
        None => Command::new(program),
    };
    match command.current_dir(folder).env("GRILLE_CPU_DISABLE", hidden).output() {
        Err(error) => {
            problems.push(format!("cannot run {}: {error}", program.display()));
            0
        }
        Ok(output) => {
            let output_text = String::from_utf8_lossy(&output.stdout);
            if !output.status.success() {
                println!("{output_text}{}", String::from_utf8_lossy(&output.stderr));
                problems.push(format!("{} fails with GRILLE_CPU_DISABLE={hidden}", program.display()));
            }
            let passed = sum_passed(&output_text);
            println!("  {}: {passed} passed in {:.1} s", tests.name, start.elapsed().as_secs_f32());
            passed
        }
    }
}

/// Adds up the numbers of passed tests in lines such as `test result: ok. 5 passed; …`.
fn sum_passed(output_text: &str) -> usize {
    let results = output_text.lines().filter_map(|line| line.strip_prefix("test result: ")?.split_once(". "));
    results.filter_map(|(_, counts)| counts.split(' ').next()?.parse::<usize>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_found(folder: &str, is_test: bool) -> bool {
        let program = Program { path: "/t/x".into(), folder: folder.into(), name: "edge".into(), is_test };
        tests_kernels(&program, Path::new("/r"))
    }

    #[test]
    fn finds_tests_of_kernel_crates() {
        for folder in ["/r/base/hash", "/r/kem/mlkem", "/r/registry", "/r/tests/kat"] {
            assert!(is_found(folder, true), "{folder}");
        }
    }

    #[test]
    fn ignores_other_crates_and_programs() {
        assert!(!is_found("/r/kem/mlkem", false));
        assert!(!is_found("/r/tls", true));
        assert!(!is_found("/elsewhere/base/hash", true));
    }

    #[test]
    fn counts_passed_tests_if_others_fail() {
        assert_eq!(
            sum_passed("\nrunning 5 tests\n.....\ntest result: ok. 5 passed; 0 failed; 0 ignored\n"),
            5
        );
        assert_eq!(sum_passed("test result: FAILED. 3 passed; 1 failed\n"), 3);
        assert_eq!(sum_passed("nothing"), 0);
    }

    #[test]
    fn each_level_hides_those_above_it() {
        for levels in [LEVELS, AARCH64_LEVELS] {
            for (index, (_, hidden)) in levels.iter().enumerate() {
                let above: Vec<_> = levels[..index].iter().map(|(level, _)| *level).collect();
                assert_eq!(*hidden, above.join(","));
            }
        }
        let known =
            |level: Level| [LEVELS, AARCH64_LEVELS].concat().iter().any(|(name, _)| *name == level.name());
        assert!(Level::all().all(known));
    }
}
