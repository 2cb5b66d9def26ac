//! Compares measured numbers with the numbers in a file, within a tolerance.

use crate::outcome::{Failure, Outcome, verdict};
use crate::tree;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// Maximum difference from the recorded number in percent.
const TOLERANCE: f64 = 2.0;

/// Measured numbers by group and name.
pub(crate) type Numbers = BTreeMap<String, BTreeMap<String, u64>>;

/// A file of recorded numbers.
pub(crate) struct Recorded {
    pub(crate) file: &'static str,
    /// The file's first line.
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
}

impl Recorded {
    /// Compares the measured numbers with the file. With `--write`, first records them there. Returns the end of a
    /// sentence, such as `as recorded in FILE, ±2 %`.
    pub(crate) fn compare(&self, found: &Numbers, arguments: &[String]) -> Outcome {
        if arguments.iter().any(|argument| argument == "--write") {
            fs::write(tree::root().join(self.file), self.to_toml(found))?;
        }
        let problems = self.differences(&self.read()?, found);
        verdict(problems, || format!("as recorded in {}, ±{TOLERANCE} %", self.file))
    }

    /// Reads the file.
    pub(crate) fn read(&self) -> Result<Numbers, Failure> {
        Ok(toml::from_str(&tree::read(self.file)?)?)
    }

    /// Lists numbers that are missing, new, or outside the tolerance.
    fn differences(&self, expected: &Numbers, found: &Numbers) -> Vec<String> {
        let unit = self.unit;
        let mut problems = Vec::new();
        for (group, found) in found {
            let none = BTreeMap::new();
            let expected = expected.get(group).unwrap_or(&none);
            for (name, number) in found {
                let Some(before) = expected.get(name) else {
                    problems.push(format!("{group}: {name}: {number} {unit}, but none recorded"));
                    continue;
                };
                let change = 100.0 * (*number as f64 / *before as f64 - 1.0);
                if change.abs() > TOLERANCE {
                    problems
                        .push(format!("{group}: {name}: {number} {unit}, {before} recorded: {change:+.1} %"));
                }
            }
            let gone = expected.keys().filter(|name| !found.contains_key(*name));
            problems.extend(gone.map(|name| format!("{group}: {name}: recorded, but not measured")));
        }
        problems
    }

    fn to_toml(&self, numbers: &Numbers) -> String {
        let mut text = format!("# {}\n", self.title);
        for (group, numbers) in numbers {
            let _ = writeln!(text, "\n[{group}]");
            for (name, number) in numbers {
                let _ = writeln!(text, "\"{name}\" = {number}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: Recorded = Recorded { file: "", title: "Test counts.", unit: "instructions" };

    fn numbers(named: &[(&str, u64)]) -> Numbers {
        let named = named.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect();
        BTreeMap::from([("avx2".to_owned(), named)])
    }

    #[test]
    fn rejects_large_changes_in_both_directions() {
        let change =
            |before, now| COUNTS.differences(&numbers(&[("A sign", before)]), &numbers(&[("A sign", now)]));
        for same in [1000, 1019, 981] {
            assert!(change(1000, same).is_empty(), "{same}");
        }
        assert_eq!(change(1000, 1030), ["avx2: A sign: 1030 instructions, 1000 recorded: +3.0 %"]);
        assert_eq!(change(1000, 900).len(), 1);
        assert!(change(0, 0).is_empty() && change(0, 1).len() == 1 && change(1, 0).len() == 1);
    }

    #[test]
    fn reports_new_and_missing_numbers() {
        let problems = COUNTS.differences(&numbers(&[("A", 1)]), &numbers(&[("B", 1)]));
        assert!(
            problems.len() == 2 && problems[0].contains(": B: ") && problems[1].contains(": A: "),
            "{problems:?}"
        );
        assert_eq!(COUNTS.differences(&Numbers::new(), &numbers(&[("A", 1)])).len(), 1);
    }

    #[test]
    fn reads_written_numbers() {
        let numbers = numbers(&[("A decaps (encoded)", 5), ("B", 7)]);
        let written = COUNTS.to_toml(&numbers);
        assert!(written.starts_with("# Test counts.\n"));
        assert_eq!(toml::from_str::<Numbers>(&written).unwrap(), numbers);
    }
}
