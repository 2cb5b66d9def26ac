//! `sizes`: limits functions to 60 lines and files to 500, unless an exception has a reason. Also limits the lengths
//! that 50 % and 90 % of all functions do not exceed.

use crate::outcome::{Failure, Outcome, verdict};
use crate::source::{Source, is_within};
use crate::tree;
use std::collections::BTreeSet;

/// Maximum lines of a function, from `fn` to its closing brace.
const MAX_FUNCTION_LINES: usize = 60;
/// Limits for quantiles of the functions' lengths: a percentage of the functions, and the maximum number of lines that
/// they may have.
const QUANTILES: [(usize, usize); 2] = [(50, 10), (90, 30)];
/// Maximum lines of a file, without its tests and tables.
const MAX_FILE_LINES: usize = 500;

pub(crate) fn run(_arguments: &[String]) -> Outcome {
    let mut measured = Measured::default();
    for (file, text) in tree::texts(".rs")? {
        measured.add(&file, &text)?;
    }
    let mut problems = measured.problems(&tree::read("sizes-allowed.txt")?);
    problems.extend(measured.quantile_problems());
    verdict(problems, || measured.summary())
}

/// The measurements so far.
#[derive(Default)]
struct Measured {
    /// Number of lines of every function outside of tests.
    functions: Vec<usize>,
    /// Number of lines of every file, without tests and tables.
    files: Vec<usize>,
    /// Functions and files over their limit: the key in sizes-allowed.txt, and the problem.
    over: Vec<(String, String)>,
}

impl Measured {
    fn add(&mut self, file: &str, text: &str) -> Result<(), Failure> {
        let Source { functions, test_modules: tests, tables, .. } = Source::read(file, text)?;
        let is_test =
            |line| is_within(&tests, line) || file.contains("/tests/") || file.starts_with("tests/");
        for function in functions {
            if !is_test(function.line) {
                self.functions.push(function.lines);
            }
            if function.lines > MAX_FUNCTION_LINES {
                let key = format!("{file}:{}", function.name);
                let problem = format!(
                    "{file}:{}: `{}` has {} lines; the limit is {MAX_FUNCTION_LINES}",
                    function.line, function.name, function.lines
                );
                self.over.push((key, problem));
            }
        }
        let lines = (1..=text.lines().count())
            .filter(|&line| !is_within(&tests, line) && !is_within(&tables, line))
            .count();
        self.files.push(lines);
        if lines > MAX_FILE_LINES {
            let problem =
                format!("{file}: {lines} lines without tests and tables; the limit is {MAX_FILE_LINES}");
            self.over.push((file.to_owned(), problem));
        }
        Ok(())
    }

    /// Lists items over their limit without a reason in `allowed`, and lines of `allowed` that are not needed.
    fn problems(&self, allowed: &str) -> Vec<String> {
        let mut problems = Vec::new();
        let mut reasons = BTreeSet::new();
        for line in allowed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (key, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if reason.trim().is_empty() {
                problems.push(format!("sizes-allowed.txt: {key} has no reason"));
            }
            if !self.over.iter().any(|(over, _)| over == key) {
                problems.push(format!("sizes-allowed.txt: {key} is within its limit or does not exist"));
            }
            reasons.insert(key);
        }
        let unexcused = self.over.iter().filter(|(key, _)| !reasons.contains(key.as_str()));
        problems.extend(unexcused.map(|(_, problem)| problem.clone()));
        problems
    }

    /// Lists quantiles of the functions' lengths that exceed their limit.
    fn quantile_problems(&self) -> Vec<String> {
        let functions = sorted(&self.functions);
        let over = |(percent, limit): &(usize, usize)| {
            let lines = quantile(&functions, *percent);
            (lines > *limit).then(|| {
                format!("{percent} % of the functions have up to {lines} lines; the limit is {limit}")
            })
        };
        QUANTILES.iter().filter_map(over).collect()
    }

    fn summary(&self) -> String {
        let (functions, files) = (sorted(&self.functions), sorted(&self.files));
        format!(
            "{} functions, lines: median {}, p90 {}, longest {}; {} files, lines: median {}, p90 {}, longest {}",
            functions.len(),
            quantile(&functions, 50),
            quantile(&functions, 90),
            quantile(&functions, 100),
            files.len(),
            quantile(&files, 50),
            quantile(&files, 90),
            quantile(&files, 100),
        )
    }
}

fn sorted(values: &[usize]) -> Vec<usize> {
    let mut values = values.to_vec();
    values.sort_unstable();
    values
}

/// Returns the smallest value that `percent` of the sorted values do not exceed; 0 if there are none.
fn quantile(sorted: &[usize], percent: usize) -> usize {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", "a();\n".repeat(lines - 2))
    }

    fn problems(text: &str, allowed: &str) -> Vec<String> {
        let mut measured = Measured::default();
        measured.add("a.rs", text).unwrap();
        measured.problems(allowed)
    }

    #[test]
    fn accepts_60_lines_and_rejects_61() {
        assert!(problems(&function(60), "").is_empty());
        assert_eq!(problems(&function(61), ""), ["a.rs:1: `f` has 61 lines; the limit is 60"]);
    }

    #[test]
    fn rejects_functions_that_are_too_long_on_average() {
        let mut measured = Measured::default();
        measured.add("a.rs", &[function(10), function(10), function(31)].concat()).unwrap();
        assert_eq!(
            measured.quantile_problems(),
            ["90 % of the functions have up to 31 lines; the limit is 30"]
        );
        (0..30).for_each(|_| measured.add("a.rs", &function(10)).unwrap());
        assert!(measured.quantile_problems().is_empty());
        (0..40).for_each(|_| measured.add("a.rs", &function(11)).unwrap());
        let found = measured.quantile_problems();
        assert_eq!(found, ["50 % of the functions have up to 11 lines; the limit is 10"]);
    }

    #[test]
    fn accepts_a_reason() {
        assert!(problems(&function(61), "# why\na.rs:f  one block of assembly\n").is_empty());
        assert_eq!(problems(&function(61), "a.rs:f\n"), ["sizes-allowed.txt: a.rs:f has no reason"]);
    }

    #[test]
    fn rejects_unneeded_reasons() {
        let found = problems(&function(60), "a.rs:f  one block of assembly\n");
        assert_eq!(found, ["sizes-allowed.txt: a.rs:f is within its limit or does not exist"]);
    }

    #[test]
    fn ignores_tests_and_tables_of_a_file() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "// a\n".repeat(300));
        let table = format!("const T: &[u8] = &[\n{}];\n", "1,\n".repeat(300));
        let code = "// a\n".repeat(500);
        assert!(problems(&format!("{code}{table}{tests}"), "").is_empty());
        assert_eq!(
            problems(&format!("{code}//\n"), ""),
            ["a.rs: 501 lines without tests and tables; the limit is 500"]
        );
    }

    #[test]
    fn computes_quantiles() {
        let values: Vec<usize> = (1..=10).collect();
        assert_eq!([quantile(&values, 50), quantile(&values, 90), quantile(&values, 100)], [5, 9, 10]);
        assert_eq!(quantile(&[], 50), 0);
    }
}
