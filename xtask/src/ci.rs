//! `ci`: runs the checks for a commit. Every step runs, even if others fail.

use crate::outcome::{Outcome, verdict};
use crate::process;
use std::time::Instant;

/// The steps that run cargo: name, arguments, how to fix a failure.
#[rustfmt::skip]
const CARGO: &[(&str, &[&str], &str)] = &[
    ("fmt",     &["fmt", "--all", "--check"],                                                   "`cargo fmt --all`"),
    ("clippy",  &["clippy", "--quiet", "--workspace", "--all-targets", "--features", "grille-cli/measure-memory", "--", "-D", "warnings"], "follow the advice above"),
    ("fuzz",    &["clippy", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--no-default-features", "--bins", "--target-dir", "target", "--", "-D", "warnings"], "follow the advice above"),
    ("doc",     &["doc", "--quiet", "--workspace", "--no-deps"],                                "follow the advice above"),
    ("features", &["clippy", "--quiet", "-p", "grille-slhdsa", "-p", "grille-spdm-engine", "--no-default-features", "--features", "grille-slhdsa/parallel", "--all-targets", "--", "-D", "warnings"], "follow the advice above; no other step compiles these features"),
];

/// A check of this program: its name, how to fix a failure, and its function.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    pub(crate) fix: &'static str,
    pub(crate) run: fn(&[String]) -> Outcome,
}

/// Runs the steps of cargo, then the given checks.
pub(crate) fn run(checks: &[Check]) -> Outcome {
    let mut failed = Vec::new();
    for (name, arguments, fix) in CARGO {
        let mut cargo = process::cargo(arguments);
        cargo.env("RUSTDOCFLAGS", "-D warnings");
        let run = || process::expect_success(&mut cargo).map(|()| String::new());
        step(name, fix, run, &mut failed);
    }
    for Check { name, fix, run } in checks {
        step(name, fix, || run(&[]), &mut failed);
    }
    verdict(failed, || "every step passed; run `cargo test --workspace` next".into())
}

/// Runs one step and prints its result and duration.
fn step(name: &str, fix: &str, run: impl FnOnce() -> Outcome, failed: &mut Vec<String>) {
    let start = Instant::now();
    let outcome = run();
    let seconds = start.elapsed().as_secs_f32();
    match outcome {
        Ok(summary) => println!("ok     {name:<10} {seconds:6.1} s  {summary}"),
        Err(failure) => {
            print!("{}", failure.report(name, fix));
            println!("FAILED {name:<10} {seconds:6.1} s");
            failed.push(format!("step `{name}` failed: its output is above; to fix: {fix}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Failure;

    #[test]
    fn continues_after_a_failed_step() {
        let mut failed = Vec::new();
        step("first", "split it", || Err(Failure(vec!["bad".into()])), &mut failed);
        step("second", "", || Ok("good".into()), &mut failed);
        assert_eq!(failed.len(), 1);
        assert!(failed[0].contains("first") && failed[0].contains("split it"), "{failed:?}");
    }
}
