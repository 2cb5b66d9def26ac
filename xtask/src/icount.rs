//! `icount`: compares the number of instructions of each operation with bench/icount/counts.toml.
//!
//! Instruction counts, unlike times, are reproducible: valgrind emulates the same processor everywhere, so the counts
//! of one level agree between machines except for the C library. valgrind has no AVX-512; the lower levels represent
//! it.

use crate::outcome::{Failure, Outcome};
use crate::recorded::{Numbers, Recorded};
use crate::{process, programs, valgrind};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Instruction counts by level, and by algorithm and operation (`ML-KEM-768 keygen`).
const COUNTS: Recorded = Recorded {
    file: "bench/icount/counts.toml",
    title: "Instructions per operation, by level. Written by `cargo xtask icount --write`.",
    unit: "instructions",
};
/// The function whose instructions are counted.
const MEASURED: &str = "grille_icount::run_measured";

/// Runs the check; `--write` records the measured counts.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let levels = valgrind::levels("icount");
    if levels.is_empty() {
        return Ok("SKIPPED".into());
    }
    // The release profile with symbols, because callgrind finds the measured function by name.
    let program =
        programs::build_with("dist", "bench/icount/Cargo.toml", &["--config", "profile.dist.strip=false"])?;
    let found = valgrind::run_at_each_level(&levels, |level, hidden| {
        let folder = program.with_file_name(format!("grille-icount-{level}"));
        Ok((level.to_owned(), count(&program, hidden, &folder)?))
    })?;
    let found = Numbers::from_iter(found);
    let operations: usize = found.values().map(BTreeMap::len).sum();
    let agreement = COUNTS.compare(&found, arguments)?;
    Ok(format!("{operations} operations take as many instructions {agreement}"))
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
        let unreadable = || Failure(vec![format!("callgrind has no count for `{line}`")]);
        counts.extend([operation.ok_or_else(unreadable)?]);
    }
    Ok(counts)
}

/// Returns the operation's name and the number of instructions of one repetition. `line`: a line that the program
/// printed (algorithm, operation, number of repetitions). `text`: callgrind's output for it.
fn operation(line: &str, text: &str) -> Option<(String, u64)> {
    let [algorithm, operation, together] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let total: u64 = text.lines().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()?;
    let one = total / together.parse::<u64>().ok()?;
    (one > 0).then(|| (format!("{algorithm} {operation}"), one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_the_count_by_the_repetitions() {
        let text = "events: Ir\nsummary: 7\n\ntotals: 800\n";
        assert_eq!(operation("A\tsign\t16", text), Some(("A sign".into(), 50)));
        for line in ["A\tsign", "A\tsign\tx", "A\tsign\t1000"] {
            assert_eq!(operation(line, text), None, "{line}");
        }
        assert_eq!(operation("A\tsign\t1", "summary: 7"), None);
    }
}
