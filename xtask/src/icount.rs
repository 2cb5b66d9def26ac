//! `icount`: how many instructions each operation takes, held against bench/icount/counts.toml.
//!
//! Time is noisy, instructions are not: valgrind shows every program the same processor, so the counts of one level
//! agree between machines up to what the C library does. It knows no AVX-512; the lower levels speak for it.

use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, programs, tree, valgrind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const COUNTS: &str = "bench/icount/counts.toml";
/// The function that is counted.
const MEASURED: &str = "grille_icount::measured";
/// How far a count may be from the written one, in percent.
const TOLERANCE: f64 = 2.0;

/// Instructions of an operation of an algorithm (`ML-KEM-768 keygen`) at a level.
type Counts = BTreeMap<String, BTreeMap<String, u64>>;

/// `--write` writes the counts that it finds.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let levels = valgrind::levels("icount");
    if levels.is_empty() {
        return Ok("SKIPPED".into());
    }
    let program = programs::release("bench/icount/Cargo.toml")?;
    let found = valgrind::at_each(&levels, |level, hidden| {
        let folder = program.with_file_name(format!("grille-icount-{level}"));
        Ok((level.to_owned(), count(&program, hidden, &folder)?))
    })?;
    let found = Counts::from_iter(found);
    if arguments.iter().any(|argument| argument == "--write") {
        fs::write(tree::root().join(COUNTS), written(&found))?;
    }
    let expected: Counts = toml::from_str(&tree::read(COUNTS)?)?;
    let operations: usize = found.values().map(BTreeMap::len).sum();
    verdict(differences(&expected, &found), || {
        format!("{operations} operations take the instructions that {COUNTS} says, ±{TOLERANCE} %")
    })
}

/// Runs the program under callgrind, which writes a file each time the measured function ends.
fn count(program: &Path, hidden: &str, folder: &Path) -> Result<BTreeMap<String, u64>, Failure> {
    _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    let out = folder.join("out");
    let mut callgrind = valgrind::valgrind("callgrind");
    callgrind.arg("--quiet").arg(format!("--callgrind-out-file={}", out.display()));
    callgrind.args([format!("--toggle-collect={MEASURED}"), format!("--dump-after={MEASURED}")]);
    let printed = process::stdout(callgrind.arg(program).env("GRILLE_CPU_DISABLE", hidden))?;
    let mut counts = BTreeMap::new();
    for (index, line) in printed.lines().enumerate() {
        let text = fs::read_to_string(out.with_extension((index + 1).to_string()))?;
        let operation = operation(line, &text);
        let unreadable = || Failure(vec![format!("callgrind did not count what is behind `{line}`")]);
        counts.extend([operation.ok_or_else(unreadable)?]);
    }
    Ok(counts)
}

/// A line that the program prints (algorithm, operation, how many are counted together) and what callgrind writes for
/// it: the operation's name, and the instructions of one.
fn operation(line: &str, text: &str) -> Option<(String, u64)> {
    let [algorithm, operation, together] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let total: u64 = text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()?;
    let one = total / together.parse::<u64>().ok()?;
    (one > 0).then(|| (format!("{algorithm} {operation}"), one))
}

/// What is missing, new, or further from the written count than the tolerance.
fn differences(expected: &Counts, found: &Counts) -> Vec<String> {
    let mut problems = Vec::new();
    for (level, found) in found {
        let none = BTreeMap::new();
        let expected = expected.get(level).unwrap_or(&none);
        for (operation, count) in found {
            let Some(before) = expected.get(operation) else {
                problems.push(format!("{level}: {operation}: {count} instructions, and none written"));
                continue;
            };
            let change = 100.0 * (*count as f64 / *before as f64 - 1.0);
            if change.abs() > TOLERANCE {
                problems.push(format!(
                    "{level}: {operation}: {count} instructions, {before} written: {change:+.1} %"
                ));
            }
        }
        let gone = expected.keys().filter(|operation| !found.contains_key(*operation));
        problems.extend(gone.map(|operation| format!("{level}: {operation}: written, and not counted")));
    }
    problems
}

fn written(counts: &Counts) -> String {
    let mut text =
        String::from("# Instructions an operation, by level. Written by `cargo xtask icount --write`.\n");
    for (level, counts) in counts {
        let _ = writeln!(text, "\n[{level}]");
        for (operation, count) in counts {
            let _ = writeln!(text, "\"{operation}\" = {count}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(operations: &[(&str, u64)]) -> Counts {
        let operations = operations.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
        BTreeMap::from([("avx2".to_owned(), operations)])
    }

    #[test]
    fn what_is_counted_together_is_divided() {
        let text = "events: Ir\nsummary: 7\n\ntotals: 800\n";
        assert_eq!(operation("A\tsign\t16", text), Some(("A sign".into(), 50)));
        for line in ["A\tsign", "A\tsign\tx", "A\tsign\t1000"] {
            assert_eq!(operation(line, text), None, "{line}");
        }
        assert_eq!(operation("A\tsign\t1", "summary: 7"), None);
    }

    #[test]
    fn small_changes_pass_and_great_ones_of_both_kinds_do_not() {
        let change = |count| differences(&counts(&[("A sign", 1000)]), &counts(&[("A sign", count)]));
        assert!(change(1000).is_empty() && change(1019).is_empty() && change(981).is_empty());
        assert_eq!(change(1030), ["avx2: A sign: 1030 instructions, 1000 written: +3.0 %"]);
        assert_eq!(change(900).len(), 1);
    }

    #[test]
    fn new_and_missing_operations_are_reported() {
        let problems = differences(&counts(&[("A", 1)]), &counts(&[("B", 1)]));
        assert!(
            problems.len() == 2 && problems[0].contains(": B: ") && problems[1].contains(": A: "),
            "{problems:?}"
        );
        assert_eq!(differences(&Counts::new(), &counts(&[("A", 1)])).len(), 1);
    }

    #[test]
    fn what_is_written_is_read() {
        let counts = counts(&[("A decaps (encoded)", 5), ("B", 7)]);
        assert_eq!(toml::from_str::<Counts>(&written(&counts)).unwrap(), counts);
    }
}
