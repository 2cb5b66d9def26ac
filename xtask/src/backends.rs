//! `backends`: the kernel crates pass their tests at every level of vector instructions that this machine has.
//!
//! The tests are built with those of the whole workspace, so that this shares every build with `cargo test
//! --workspace`; then they run again and again with levels hidden.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, tree};
use grille_cpu::Level;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The folders of the crates with kernels.
const KERNELS: &[&str] = &["base/", "math/", "kem/mlkem/", "sign/mldsa/"];

/// A level, and what hides everything above it. All levels, the highest first; the first is what `cargo test` runs.
const LEVELS: &[(&str, &str)] = &[("avx512", ""), ("avx2", "avx512"), ("portable", "avx512,avx2")];

/// A program of tests, and the folder it runs in.
#[derive(Debug, PartialEq, Eq)]
struct Tests {
    program: PathBuf,
    folder: PathBuf,
}

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let reachable: Vec<&str> = Level::all().map(Level::name).collect();
    let (here, missing): (Vec<_>, Vec<_>) = LEVELS.iter().partition(|(level, _)| reachable.contains(level));
    for (level, _) in missing {
        println!("backends: NOT TESTED: this machine has no {level}");
    }
    let build = ["test", "--workspace", "--no-run", "--message-format", "json-render-diagnostics"];
    let tests = programs(&process::stdout(&mut process::cargo(&build))?, &tree::root());
    if tests.is_empty() {
        return Err(Failure(vec![format!("no tests in {}", KERNELS.join(", "))]));
    }
    let mut problems = Vec::new();
    for (level, hidden) in &here {
        let start = Instant::now();
        let mut passed = 0;
        for Tests { program, folder } in &tests {
            let output =
                Command::new(program).current_dir(folder).env("GRILLE_CPU_DISABLE", hidden).output()?;
            let said = String::from_utf8_lossy(&output.stdout);
            passed += passed_tests(&said);
            if !output.status.success() {
                println!("{said}{}", String::from_utf8_lossy(&output.stderr));
                problems.push(format!("{} fails at {level}: GRILLE_CPU_DISABLE={hidden}", program.display()));
            }
        }
        println!("backends: {level}: {passed} tests passed in {:.1} s", start.elapsed().as_secs_f32());
    }
    let levels: Vec<_> = here.iter().map(|(level, _)| *level).collect();
    verdict(problems, || format!("{} test programs pass at {}", tests.len(), levels.join(", ")))
}

/// The number in `test result: ok. 5 passed; …`.
fn passed_tests(said: &str) -> usize {
    let results = said.lines().filter_map(|line| line.strip_prefix("test result: ")?.split_once(". "));
    results.filter_map(|(_, counts)| counts.split(' ').next()?.parse::<usize>().ok()).sum()
}

/// The kernel crates' test programs among the messages of `cargo test --no-run`.
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
        for (index, (_, hidden)) in LEVELS.iter().enumerate() {
            let above: Vec<_> = LEVELS[..index].iter().map(|(level, _)| *level).collect();
            assert_eq!(*hidden, above.join(","));
        }
        assert!(Level::all().all(|level| LEVELS.iter().any(|(name, _)| *name == level.name())));
    }
}
