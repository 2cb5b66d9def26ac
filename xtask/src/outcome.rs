//! What a check says: one line when all is well, or a list of problems.

use std::fmt::Write as _;

/// A summary in one line, or what is wrong.
pub(crate) type Outcome = Result<String, Failure>;

/// What is wrong, one line for each problem: where first, then what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(pub(crate) Vec<String>);

impl Failure {
    /// All problems, the command's name before each, and how to mend them.
    pub(crate) fn report(&self, command: &str, mend: &str) -> String {
        let mut text = String::new();
        for problem in &self.0 {
            let _ = writeln!(text, "{command}: {problem}");
        }
        let _ = writeln!(text, "{command}: {} problem(s); to mend: {mend}", self.0.len());
        text
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(vec![error.to_string()])
    }
}

/// `Ok(summary)` if there are no problems.
pub(crate) fn verdict(problems: Vec<String>, summary: impl FnOnce() -> String) -> Outcome {
    if problems.is_empty() { Ok(summary()) } else { Err(Failure(problems)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_each_problem_and_the_mending() {
        let failure = verdict(vec!["a.rs:1: bad".into(), "b.rs:2: worse".into()], String::new).unwrap_err();
        let report = failure.report("sizes", "split it");
        assert_eq!(
            report,
            "sizes: a.rs:1: bad\nsizes: b.rs:2: worse\nsizes: 2 problem(s); to mend: split it\n"
        );
    }

    #[test]
    fn no_problem_is_a_summary() {
        assert_eq!(verdict(Vec::new(), || "fine".into()), Ok("fine".into()));
    }
}
