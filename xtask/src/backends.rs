//! `backends`: the kernel crates, and the tests over all algorithms, pass at every level of vector instructions that can be reached: on this
//! machine, and on an AArch64 that qemu plays.
//!
//! The tests for this machine are built with those of the whole workspace, so that this shares every build with
//! `cargo test --workspace`; then they run again and again with levels hidden.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, tree};
use grille_cpu::Level;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folders of the crates with kernels, and of those whose tests run kernels of every family.
const KERNELS: &[&str] = &["base/", "math/", "kem/", "sign/", "registry/", "tests/"];

/// A level, and what hides everything above it. The highest first; the first is what `cargo test` runs.
pub(crate) type Levels = [(&'static str, &'static str)];

/// The levels of x86-64.
pub(crate) const LEVELS: &Levels = &[("avx512", ""), ("avx2", "avx512"), ("portable", "avx512,avx2")];

/// The levels of AArch64.
const AARCH64_LEVELS: &Levels = &[("neon-sha3", ""), ("neon", "neon-sha3"), ("portable", "neon-sha3,neon")];

const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// What has kernels for AArch64 and nothing in C to be built for it.
const AARCH64_KERNELS: &[&str] =
    &["grille-cpu", "grille-hash", "grille-mlkem", "grille-mldsa", "grille-falcon", "grille-slhdsa"];

/// Compiles and links for AArch64; Debian has it in `gcc-aarch64-linux-gnu` and `libc6-dev-arm64-cross`.
const AARCH64_CC: &str = "aarch64-linux-gnu-gcc";

/// Plays an AArch64 with every extension; Debian has it in `qemu-user`.
const QEMU: &[&str] = &["qemu-aarch64", "-cpu", "max", "-L", "/usr/aarch64-linux-gnu"];

/// A program of tests, and the folder it runs in.
#[derive(Debug, PartialEq, Eq)]
struct Tests {
    program: PathBuf,
    folder: PathBuf,
}

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut problems = Vec::new();
    let here = on_this_machine(&mut problems)?;
    let there = on_aarch64(&mut problems)?;
    verdict(problems, || format!("the tests pass at {}", [here, there].concat().join(", ")))
}

/// Runs the tests at the levels of this machine; returns these.
fn on_this_machine(problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
    let reachable: Vec<&str> = Level::all().map(Level::name).collect();
    let (here, missing): (Vec<_>, Vec<_>) = LEVELS.iter().partition(|(level, _)| reachable.contains(level));
    for (level, _) in missing {
        println!("backends: NOT TESTED: this machine has no {level}");
    }
    let tests = built(&mut process::cargo(&["test", "--workspace"]))?;
    Ok(at_each(&here, &tests, "", &[], problems))
}

/// Runs the tests at the levels of AArch64 where qemu and a compiler for it are installed; returns these.
fn on_aarch64(problems: &mut Vec<String>) -> Result<Vec<String>, Failure> {
    if let Some(missing) = missing_for_aarch64() {
        println!("backends: NOT TESTED: AArch64, because {missing} is not installed");
        return Ok(Vec::new());
    }
    let mut build = process::cargo(&["test", "--target", AARCH64]);
    build.args(AARCH64_KERNELS.iter().flat_map(|kernel| ["--package", kernel]));
    build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", AARCH64_CC);
    Ok(at_each(AARCH64_LEVELS, &built(&mut build)?, "aarch64 ", QEMU, problems))
}

/// What tests for AArch64 need and this machine lacks.
fn missing_for_aarch64() -> Option<&'static str> {
    let lacks = |program: &str| {
        let mut version = Command::new(program);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        !version.status().is_ok_and(|status| status.success())
    };
    let lacks_target = || {
        let mut libdir = Command::new("rustc");
        libdir.args(["--print", "target-libdir", "--target", AARCH64]);
        !process::stdout(&mut libdir).is_ok_and(|folder| Path::new(folder.trim()).exists())
    };
    match () {
        () if lacks(QEMU[0]) => Some(QEMU[0]),
        () if lacks(AARCH64_CC) => Some(AARCH64_CC),
        () if lacks_target() => Some("the Rust target aarch64-unknown-linux-gnu"),
        () => None,
    }
}

/// The test programs of [`KERNELS`], built by `cargo test …`.
fn built(build: &mut Command) -> Result<Vec<Tests>, Failure> {
    build.args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let tests = programs(&process::stdout(build)?, &tree::root());
    if tests.is_empty() {
        return Err(Failure(vec![format!("no tests in {}", KERNELS.join(", "))]));
    }
    Ok(tests)
}

/// Runs all programs at each of the levels, behind the words of `runner`; returns the levels, named.
fn at_each(
    levels: &Levels,
    tests: &[Tests],
    machine: &str,
    runner: &[&str],
    problems: &mut Vec<String>,
) -> Vec<String> {
    for (level, hidden) in levels {
        let start = Instant::now();
        let passed: usize = tests.iter().map(|tests| passed(tests, runner, hidden, problems)).sum();
        let seconds = start.elapsed().as_secs_f32();
        println!("backends: {machine}{level}: {passed} tests passed in {seconds:.1} s");
    }
    levels.iter().map(|(level, _)| format!("{machine}{level}")).collect()
}

/// How many tests of the program pass with levels hidden.
fn passed(tests: &Tests, runner: &[&str], hidden: &str, problems: &mut Vec<String>) -> usize {
    let Tests { program, folder } = tests;
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
            problems.push(format!("{} cannot be run: {error}", program.display()));
            0
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            if !output.status.success() {
                println!("{said}{}", String::from_utf8_lossy(&output.stderr));
                problems.push(format!("{} fails with GRILLE_CPU_DISABLE={hidden}", program.display()));
            }
            passed_tests(&said)
        }
    }
}

/// The number in `test result: ok. 5 passed; …`.
fn passed_tests(said: &str) -> usize {
    let results = said.lines().filter_map(|line| line.strip_prefix("test result: ")?.split_once(". "));
    results.filter_map(|(_, counts)| counts.split(' ').next()?.parse::<usize>().ok()).sum()
}

/// The test programs of [`KERNELS`] among the messages of `cargo test --no-run`.
fn programs(messages: &str, root: &Path) -> Vec<Tests> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| program(&message, root)).collect()
}

fn program(message: &Value, root: &Path) -> Option<Tests> {
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
    let room = format!("{}/", folder.strip_prefix(root).ok()?.to_str()?);
    let is_test =
        message["profile"]["test"].as_bool()? && KERNELS.iter().any(|kernel| room.starts_with(kernel));
    let program = message["executable"].as_str()?;
    is_test.then(|| Tests { program: program.into(), folder: folder.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(manifest: &str, test: bool) -> Vec<Tests> {
        let message = format!(
            r#"{{"reason":"compiler-artifact","manifest_path":"{manifest}","profile":{{"test":{test}}},"executable":"/t/x"}}"#
        );
        programs(&format!("not json\n{message}\n{{\"reason\":\"build-finished\"}}\n"), Path::new("/r"))
    }

    #[test]
    fn the_tests_of_kernel_crates_are_found() {
        let expected = [Tests { program: "/t/x".into(), folder: "/r/base/hash".into() }];
        assert_eq!(found("/r/base/hash/Cargo.toml", true), expected);
        assert_eq!(found("/r/kem/mlkem/Cargo.toml", true).len(), 1);
        assert_eq!(found("/r/tests/kat/Cargo.toml", true).len(), 1, "the known answers");
    }

    #[test]
    fn other_crates_and_other_programs_are_not() {
        assert!(found("/r/kem/mlkem/Cargo.toml", false).is_empty());
        assert!(found("/r/tls/Cargo.toml", true).is_empty());
        assert!(found("/elsewhere/base/hash/Cargo.toml", true).is_empty());
    }

    #[test]
    fn passed_tests_are_counted_even_where_others_fail() {
        assert_eq!(
            passed_tests("\nrunning 5 tests\n.....\ntest result: ok. 5 passed; 0 failed; 0 ignored\n"),
            5
        );
        assert_eq!(passed_tests("test result: FAILED. 3 passed; 1 failed\n"), 3);
        assert_eq!(passed_tests("nothing"), 0);
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
