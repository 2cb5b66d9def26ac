//! `ct`: checks with valgrind's memcheck that no branch and no index of the algorithms depends on a secret.
//!
//! `tests/ct` marks the secrets and lists the operations for which valgrind reported an error. valgrind's output gives
//! the source lines.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{programs, tree, valgrind};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Maximum number of lines of valgrind's output that are printed.
const MAX_SHOWN_LINES: usize = 60;

/// Runs the check. With `--all`, includes the parameter sets that are otherwise represented by similar sets.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let levels = valgrind::levels("ct");
    if levels.is_empty() {
        return Ok("SKIPPED".into());
    }
    let program = programs::release("tests/ct/Cargo.toml")?;
    let at_each = valgrind::run_at_each_level(&levels, |level, hidden| {
        run_at_level(&program, arguments, level, hidden)
    })?;
    let (operations, problems): (Vec<_>, Vec<_>) = at_each.into_iter().unzip();
    verdict(problems.concat(), || format!("no branch or index on a secret; {}", operations.join(", ")))
}

/// Runs the program at one level and returns the number of operations and the problems.
fn run_at_level(
    program: &Path,
    arguments: &[String],
    level: &str,
    hidden: &str,
) -> Result<(String, Vec<String>), Failure> {
    let log = program.with_file_name(format!("grille-ct-{level}.log"));
    let mut memcheck = valgrind::valgrind("memcheck");
    memcheck.args(["--error-limit=no", "--num-callers=16"]).arg(format!("--log-file={}", log.display()));
    memcheck.arg(program).args(arguments).env("GRILLE_CPU_DISABLE", hidden).current_dir(tree::root());
    let output = memcheck.stderr(Stdio::inherit()).output()?;
    let printed = String::from_utf8(output.stdout)?;
    let (count, problem_lines) = read(&printed);
    let mut problems = Vec::new();
    if !output.status.success() || count.is_none() {
        println!("{}\n(complete output: {})", excerpt(&fs::read_to_string(&log)?), log.display());
        problems.extend(problem_lines.iter().map(|line| (*line).to_owned()));
        problems.push(format!("{level} ended with {}", output.status));
    }
    if count == Some("0 operations") {
        problems.push(format!("{level}: no algorithm has a name with one of {}", arguments.join(", ")));
    }
    Ok((format!("{level}: {}", count.unwrap_or("nothing")), problems))
}

/// Splits the output into the number of operations and all other lines. The number is in the last line of a complete
/// run (`avx2: 300 operations`).
fn read(output: &str) -> (Option<&str>, Vec<&str>) {
    let mut lines: Vec<&str> = output.lines().collect();
    let count = lines.pop_if(|last| last.ends_with(" operations"));
    (count.and_then(|line| line.split_once(": ")).map(|(_, count)| count), lines)
}

/// Returns valgrind's first reports, without the two that `tests/ct` causes on purpose.
fn excerpt(words: &str) -> String {
    let starts = words.match_indices("depends on uninitialised").map(|(at, _)| at);
    let uses = words.match_indices("Use of uninitialised").map(|(at, _)| at);
    let mut reports: Vec<usize> = starts.chain(uses).collect();
    reports.sort_unstable();
    let from = reports.get(2).map_or(0, |at| words[..*at].rfind('\n').map_or(0, |newline| newline + 1));
    words[from..].lines().take(MAX_SHOWN_LINES).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_number_of_operations_of_a_complete_run() {
        assert_eq!(read("avx2: 300 operations\n"), (Some("300 operations"), vec![]));
        assert_eq!(read("avx2: A: sign: 3 branches\n"), (None, vec!["avx2: A: sign: 3 branches"]));
        assert_eq!(read(""), (None, vec![]));
    }

    #[test]
    fn omits_the_deliberate_reports() {
        let words = "==1== Conditional jump depends on uninitialised a\n==1== Use of uninitialised b\n\
                     ==1== Conditional jump depends on uninitialised c\n==1==   at d\n";
        assert!(excerpt(words).starts_with("==1== Conditional jump depends on uninitialised c\n"));
        assert_eq!(excerpt("a crash"), "a crash");
    }
}
