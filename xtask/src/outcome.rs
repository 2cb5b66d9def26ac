//! The result of a check: a summary of one line, or a list of problems.

use std::fmt::Write as _;

/// A summary of one line if the check passes, otherwise the problems.
pub(crate) type Outcome = Result<String, Failure>;

/// Problems, one line for each: the place, then the description.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure(pub(crate) Vec<String>);

impl Failure {
    /// Formats all problems, each with the command's name, followed by the way to fix them.
    pub(crate) fn report(&self, command: &str, fix: &str) -> String {
        let mut text = String::new();
        for problem in &self.0 {
            let _ = writeln!(text, "{command}: {problem}");
        }
        let _ = writeln!(text, "{command}: {} problem(s); to fix: {fix}", self.0.len());
        text
    }
}

/// Refuses the first of `names` that is not `known`. `kind` describes the names, in the singular and in the plural.
pub(crate) fn refuse_unknown<'a>(
    kind: [&str; 2],
    names: impl IntoIterator<Item = &'a String>,
    known: &[&str],
) -> Result<(), Failure> {
    let [one, many] = kind;
    match names.into_iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => {
            Err(Failure(vec![format!("unknown {one} {name}; the {many} are {}", known.join(", "))]))
        }
        None => Ok(()),
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(vec![error.to_string()])
    }
}

/// Returns `Ok(summary)` if there are no problems.
pub(crate) fn verdict(problems: Vec<String>, summary: impl FnOnce() -> String) -> Outcome {
    if problems.is_empty() { Ok(summary()) } else { Err(Failure(problems)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_each_problem_and_the_fix() {
        let failure = verdict(vec!["a.rs:1: bad".into(), "b.rs:2: worse".into()], String::new).unwrap_err();
        let report = failure.report("sizes", "split it");
        assert_eq!(
            report,
            "sizes: a.rs:1: bad\nsizes: b.rs:2: worse\nsizes: 2 problem(s); to fix: split it\n"
        );
    }

    #[test]
    fn returns_the_summary_if_there_are_no_problems() {
        assert_eq!(verdict(Vec::new(), || "fine".into()), Ok("fine".into()));
    }
}
