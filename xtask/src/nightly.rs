//! `nightly`: runs the checks that take minutes or hours, or whose result depends on chance, on the repository's folder
//! or on installed tools.
//!
//! These checks do not gate a change. Every step runs, even if others fail. The report shows when each step last
//! passed, and on which commit. `target/nightly.json` stores this between runs.

use crate::outcome::{Failure, Outcome, refuse_unknown, verdict};
use crate::{
    backends, bogo, ct, examples, faces, footprint, icount, jumps, portability, process, publish, tree,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// A step: name, purpose, duration on two cores with a warm build, and command.
struct Step {
    name: &'static str,
    proves: &'static str,
    minutes: u32,
    run: Run,
}

/// The function, cargo command or script that a step runs.
enum Run {
    /// A check of this program. Its summary begins with `SKIPPED` if a tool is missing.
    Check(fn(&[String]) -> Outcome, &'static [&'static str]),
    /// Cargo with these arguments.
    Cargo(&'static [&'static str]),
    /// A script of the repository.
    Script(&'static str),
}

#[rustfmt::skip]
const STEPS: &[Step] = &[
    Step { name: "demo",          minutes: 10, proves: "README's first command works in release",                       run: Run::Cargo(&["run", "--release", "--", "demo"]) },
    Step { name: "known-answers", minutes: 3,  proves: "the slow parameter sets reproduce all known answers: `s` sets of SLH-DSA and SPHINCS+, Classic McEliece, SIKE and SIDH", run: Run::Cargo(&["test", "-p", "grille-kat", "--", "--ignored", "known_answers"]) },
    Step { name: "messages",      minutes: 1,  proves: "hash-based signatures of messages of every length",             run: Run::Cargo(&["test", "--workspace", "--lib", "--", "--ignored", "message::tests"]) },
    Step { name: "threads",       minutes: 3,  proves: "hash-based signatures on several threads",                      run: Run::Cargo(&["test", "-p", "grille-slhdsa", "--features", "parallel"]) },
    Step { name: "bare",          minutes: 5,  proves: "the SPDM engine passes its tests without the standard library", run: Run::Cargo(&["test", "-p", "grille-spdm-engine", "--no-default-features"]) },
    Step { name: "backends",      minutes: 7,  proves: "all kernels and known answers at every level of vector instructions", run: Run::Check(backends::run, &["--lower"]) },
    Step { name: "portability",   minutes: 30, proves: "known answers on AArch64, i686, s390x, RISC-V and WebAssembly", run: Run::Check(portability::run, &[]) },
    Step { name: "ct",            minutes: 8,  proves: "no branch or index depends on a secret, under valgrind",         run: Run::Check(ct::run, &[]) },
    Step { name: "jumps",         minutes: 3,  proves: "kernels that valgrind cannot run have no unexplained jump",      run: Run::Check(jumps::run, &[]) },
    Step { name: "icount",        minutes: 7,  proves: "no operation takes more instructions than recorded",             run: Run::Check(icount::run, &[]) },
    Step { name: "footprint",     minutes: 2,  proves: "the SPDM firmwares have the recorded sizes",                     run: Run::Check(footprint::run, &[]) },
    Step { name: "hostile",       minutes: 10, proves: "TLS and the proxy survive handshakes that are truncated or altered at every byte", run: Run::Cargo(&["test", "-p", "grille-tls", "-p", "grille-proxy", "hostile", "--", "--ignored"]) },
    Step { name: "spdm-model",    minutes: 15, proves: "millions of random SPDM messages agree with the model",          run: Run::Cargo(&["test", "-p", "grille-spdm-engine", "--test", "engine", "--", "--ignored", "million"]) },
    Step { name: "kernels",       minutes: 20, proves: "kernels agree with portable code on a million inputs",           run: Run::Cargo(&["test", "--workspace", "--lib", "--", "--ignored", "million"]) },
    Step { name: "fleet",         minutes: 1,  proves: "ten thousand devices are attested in one run",                   run: Run::Cargo(&["test", "-p", "grille-cli", "--test", "cli", "--", "--ignored", "thousand"]) },
    Step { name: "memory",        minutes: 3,  proves: "TLS connections need no more memory than before",        run: Run::Cargo(&["test", "-p", "grille-cli", "--features", "measure-memory", "--test", "cli", "memory::"]) },
    Step { name: "examples",      minutes: 15, proves: "all examples work, including an axum server and a hyper client over a hybrid group", run: Run::Check(examples::run, &[]) },
    Step { name: "publish",       minutes: 15, proves: "each crate builds from the package that a registry would have", run: Run::Check(publish::run, &["--build"]) },
    Step { name: "faces",         minutes: 8,  proves: "the C, C++, Python and npm packages and the libraries for programs of liboqs work, C and C++ under valgrind", run: Run::Check(faces::run, &[]) },
    Step { name: "bogo",          minutes: 8,  proves: "BoringSSL's TLS tests have the same results with grille's and rustls' own provider", run: Run::Check(bogo::run, &[]) },
    Step { name: "interop",       minutes: 15, proves: "TLS with OpenSSL, Go, BoringSSL and wolfSSL",                    run: Run::Script("tests/conformance/run.sh") },
];

/// The last success of a step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct LastSuccess {
    date: String,
    commit: String,
    seconds: u64,
}

type Record = BTreeMap<String, LastSuccess>;

/// Runs the named steps, or all. `--list` only shows the table.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut record = read(&file());
    if arguments.iter().any(|argument| argument == "--list") {
        STEPS.iter().for_each(|step| println!("{}", format_line(step, &record)));
        return Ok(format!("{} steps", STEPS.len()));
    }
    let chosen = choose(arguments)?;
    let (date, commit) = (today()?, commit()?);
    let mut problems = Vec::new();
    for step in &chosen {
        println!("=== {}: {}", step.name, step.proves);
        let start = Instant::now();
        match execute(&step.run) {
            Ok(summary) if summary.starts_with("SKIPPED") => println!("{}: {summary}", step.name),
            Ok(_) => {
                let seconds = start.elapsed().as_secs();
                record.insert(
                    step.name.into(),
                    LastSuccess { date: date.clone(), commit: commit.clone(), seconds },
                );
                write(&file(), &record)?;
            }
            Err(failure) => problems.push(format!("{}: {}", step.name, failure.0.join("; "))),
        }
    }
    chosen.iter().for_each(|step| println!("{}", format_line(step, &record)));
    verdict(problems, || format!("{} steps ran; the table above says when each last passed", chosen.len()))
}

/// Returns the named steps, or all if there are no names.
fn choose(names: &[String]) -> Result<Vec<&'static Step>, Failure> {
    if names.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    refuse_unknown(["step", "steps"], names, &known)?;
    Ok(names.iter().filter_map(|name| STEPS.iter().find(|step| step.name == name)).collect())
}

fn execute(run: &Run) -> Outcome {
    match run {
        Run::Check(check, arguments) => {
            check(&arguments.iter().map(|argument| (*argument).to_owned()).collect::<Vec<_>>())
        }
        Run::Cargo(arguments) => {
            process::expect_success(&mut process::cargo(arguments)).map(|()| String::new())
        }
        Run::Script(path) => {
            let mut script = Command::new("bash");
            // a script that skips a missing peer proves nothing about it
            script.arg(path).current_dir(tree::root()).env("STRICT", "1");
            process::expect_success(&mut script).map(|()| String::new())
        }
    }
}

/// Formats one line of the report.
fn format_line(step: &Step, record: &Record) -> String {
    let last = match record.get(step.name) {
        Some(LastSuccess { date, commit, seconds }) => format!("passed {date} at {commit} in {seconds} s"),
        None => "never passed here".to_owned(),
    };
    format!("{:<14} ~{:>2} min  {last:<44} {}", step.name, step.minutes, step.proves)
}

fn file() -> PathBuf {
    tree::root().join("target").join("nightly.json")
}

/// Reads the record; returns an empty one if it is missing or unreadable.
fn read(file: &PathBuf) -> Record {
    std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

fn write(file: &PathBuf, record: &Record) -> Result<(), Failure> {
    Ok(std::fs::write(file, serde_json::to_vec_pretty(record)?)?)
}

fn today() -> Result<String, Failure> {
    Ok(process::stdout(Command::new("date").args(["-u", "+%F"]))?.trim().to_owned())
}

/// Returns the commit that is checked out, with `-dirty` if files differ from it.
fn commit() -> Result<String, Failure> {
    let mut git = Command::new("git");
    git.args(["describe", "--always", "--dirty", "--exclude=*"]).current_dir(tree::root());
    Ok(process::stdout(&mut git)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_unknown_step() {
        let failure = choose(&["ct".into(), "nonsense".into()]).err().unwrap();
        assert!(failure.0[0].contains("nonsense") && failure.0[0].contains("icount"), "{failure:?}");
        assert_eq!(choose(&["ct".into()]).unwrap()[0].name, "ct");
        assert_eq!(choose(&[]).unwrap().len(), STEPS.len());
    }

    #[test]
    fn reports_the_last_success_of_a_step() {
        let passed = LastSuccess { date: "2026-11-27".into(), commit: "abc1234".into(), seconds: 7 };
        let record = Record::from([("ct".to_owned(), passed)]);
        let step = |name: &str| choose(&[name.to_owned()]).unwrap()[0];
        assert!(format_line(step("ct"), &record).contains("passed 2026-11-27 at abc1234 in 7 s"));
        assert!(format_line(step("jumps"), &record).contains("never passed here"));
    }

    #[test]
    fn scripts_exist() {
        for step in STEPS {
            if let Run::Script(path) = step.run {
                assert!(tree::root().join(path).is_file(), "{path}");
            }
        }
    }
}
