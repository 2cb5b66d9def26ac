//! `ci`: what to run before a commit. Every step runs, whatever the others say.

use crate::outcome::{Outcome, verdict};
use crate::{COMMANDS, Command, process};
use std::time::Instant;

/// The steps that are cargo's own: name, arguments, how to mend. What no other step compiles is optimized a little only.
#[rustfmt::skip]
const CARGO: &[(&str, &[&str], &str)] = &[
    ("fmt",     &["fmt", "--all", "--check"],                                                   "`cargo fmt --all`"),
    ("clippy",  &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"], "follow the advice above"),
    ("fuzz",    &["clippy", "--quiet", "--manifest-path", "fuzz/Cargo.toml", "--no-default-features", "--bins", "--target-dir", "target", "--", "-D", "warnings"], "follow the advice above"),
    ("doc",     &["doc", "--quiet", "--workspace", "--no-deps"],                                "follow the advice above"),
    ("threads", &["test", "--quiet", "-p", "grille-slhdsa", "--features", "parallel"],         "mend the test; no other step has this feature"),
    ("bare",    &["test", "--quiet", "-p", "grille-spdm-engine", "--no-default-features"],     "mend the test; no other step runs the engine without std"),
];

/// These run tests, or measure: they take their time.
const LATER: &[&str] = &[
    "ci",
    "backends",
    "portability",
    "ct",
    "jumps",
    "icount",
    "footprint",
    "nightly",
    "demo-picture",
    "bench",
];

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut failed = Vec::new();
    for (name, arguments, mend) in CARGO {
        let mut cargo = process::cargo(arguments);
        cargo.env("RUSTDOCFLAGS", "-D warnings").env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
        let run = || process::succeed(&mut cargo).map(|()| String::new());
        step(name, mend, run, &mut failed);
    }
    for Command { name, mend, run, .. } in COMMANDS.iter().filter(|command| !LATER.contains(&command.name)) {
        step(name, mend, || run(&[]), &mut failed);
    }
    verdict(failed, || "every step passed; run `cargo test --workspace` next".into())
}

/// Runs one step and says how it went and how long it took.
fn step(name: &str, mend: &str, run: impl FnOnce() -> Outcome, failed: &mut Vec<String>) {
    let start = Instant::now();
    let outcome = run();
    let seconds = start.elapsed().as_secs_f32();
    match outcome {
        Ok(summary) => println!("ok     {name:<10} {seconds:6.1} s  {summary}"),
        Err(failure) => {
            print!("{}", failure.report(name, mend));
            println!("FAILED {name:<10} {seconds:6.1} s");
            failed.push(format!("step `{name}` failed: `cargo xtask ci` shows it above; to mend: {mend}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Failure;

    #[test]
    fn a_failing_step_is_remembered_and_the_next_one_runs() {
        let mut failed = Vec::new();
        step("first", "mend it", || Err(Failure(vec!["bad".into()])), &mut failed);
        step("second", "", || Ok("good".into()), &mut failed);
        assert_eq!(failed.len(), 1);
        assert!(failed[0].contains("first") && failed[0].contains("mend it"), "{failed:?}");
    }

    #[test]
    fn later_commands_exist() {
        for name in LATER {
            assert!(COMMANDS.iter().any(|command| command.name == *name), "{name}");
        }
    }
}
