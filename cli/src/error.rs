//! Errors of the command line: one line for the user, fields for JSON, and an exit code.

use crate::output::printable;
use grille_registry::lookup::at_least_as_strong;
use grille_registry::{KEMS, SIGNATURES, kem_by_name, signature_by_name};
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// The kind of an error, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A mistake in the command line: exit code 2.
    Usage,
    /// The operation failed: exit code 1.
    Failure,
    /// The operation succeeded with a negative answer, such as an invalid signature or chain: exit code 1.
    Mismatch,
    /// The operation succeeded, but its result cannot be compared with the reference: exit code 1.
    Incomparable,
    /// The reader closed standard output: no message, exit code 0.
    ClosedPipe,
}

/// An error in one line: the place, the problem, and advice.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Error {
    kind: Kind,
    /// The file, address or option concerned.
    #[serde(rename = "where")]
    place: Option<String>,
    /// The problem, without a full stop.
    #[serde(rename = "what")]
    problem: String,
    /// Advice on how to solve it, without a full stop.
    advice: Option<String>,
    /// A stable name of the problem for programs, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The exit code; `None` for the exit code of the kind.
    #[serde(skip)]
    exit: Option<u8>,
    /// Whether a JSON document on standard output contains the error already.
    #[serde(skip)]
    in_json_output: bool,
}

impl Error {
    /// Makes an error about a mistake in the command line: exit code 2.
    pub(crate) fn usage(problem: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, problem)
    }

    /// Makes an error about a failed operation: exit code 1.
    pub(crate) fn failure(problem: impl fmt::Display) -> Self {
        Self::new(Kind::Failure, problem)
    }

    /// Makes an error for a negative answer: exit code 1.
    pub(crate) fn mismatch(problem: impl fmt::Display) -> Self {
        Self::new(Kind::Mismatch, problem)
    }

    /// Makes an error for a result that cannot be compared: exit code 1.
    pub(crate) fn incomparable(problem: impl fmt::Display) -> Self {
        Self::new(Kind::Incomparable, problem)
    }

    fn new(kind: Kind, problem: impl fmt::Display) -> Self {
        let problem = problem.to_string();
        Self { kind, place: None, problem, advice: None, code: None, exit: None, in_json_output: false }
    }

    /// Puts a subject and a colon in front of the problem.
    #[must_use]
    pub(crate) fn with_subject(self, about: impl fmt::Display) -> Self {
        Self { problem: format!("{about}: {}", self.problem), ..self }
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn advise(mut self, advice: impl fmt::Display) -> Self {
        self.advice = Some(advice.to_string());
        self
    }

    /// Adds a stable name for programs.
    #[must_use]
    pub(crate) fn with_code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    /// Returns the stable name, if there is one.
    pub(crate) const fn code(&self) -> Option<&'static str> {
        self.code
    }

    /// Replaces the exit code of the kind.
    #[must_use]
    pub(crate) fn with_exit(self, code: u8) -> Self {
        Self { exit: Some(code), ..self }
    }

    /// Adds the file concerned; `-` is standard input or output.
    #[must_use]
    pub(crate) fn at(self, path: &Path) -> Self {
        let name = if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() };
        self.with_place(name)
    }

    /// Adds the option, address or other place concerned.
    #[must_use]
    pub(crate) fn with_place(mut self, place: impl fmt::Display) -> Self {
        self.place = Some(place.to_string());
        self
    }

    /// Adds a place, unless the error has one.
    #[must_use]
    pub(crate) fn or_place(self, place: impl fmt::Display) -> Self {
        if self.place.is_some() { self } else { self.with_place(place) }
    }

    /// Returns the problem, without place and advice.
    pub(crate) fn problem(&self) -> &str {
        &self.problem
    }

    /// Returns whether the error has a place.
    pub(crate) const fn has_place(&self) -> bool {
        self.place.is_some()
    }

    /// Marks the error as contained in a JSON document on standard output, so that it is not printed twice.
    #[must_use]
    pub(crate) fn mark_in_json_output(self) -> Self {
        Self { in_json_output: true, ..self }
    }

    pub(crate) const fn is_in_json_output(&self) -> bool {
        self.in_json_output
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        let of_kind = match self.kind {
            Kind::ClosedPipe => 0,
            Kind::Failure | Kind::Mismatch | Kind::Incomparable => 1,
            Kind::Usage => 2,
        };
        ExitCode::from(self.exit.unwrap_or(of_kind))
    }
}

impl fmt::Display for Error {
    /// Prints the error in one line; control characters, for example of file names, are escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let advice = self.advice.as_ref().map(|advice| format!("; {advice}")).unwrap_or_default();
        f.write_str(&printable(&format!("{place}{}{advice}", self.problem)))
    }
}

impl std::error::Error for Error {}

/// Converts errors of writing to standard output; [`crate::files`] has the errors of files.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(Kind::ClosedPipe, "the reader closed the output"),
            _ => Self::failure(format_args!("cannot write: {error}")).with_place("standard output"),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

/// An unknown algorithm is a mistake in the command line.
impl From<grille_registry::UnknownAlgorithm> for Error {
    fn from(error: grille_registry::UnknownAlgorithm) -> Self {
        Self::usage(error)
    }
}

impl From<grille_pki::Error> for Error {
    fn from(error: grille_pki::Error) -> Self {
        let failure = Self::failure(&error);
        match error {
            grille_pki::Error::OtherUse { algorithm, .. } => match suggest_other_kind(algorithm) {
                near if near.is_empty() => failure,
                near => failure.advise(format_args!("use {}", near.join(" or "))),
            },
            _ => failure,
        }
    }
}

impl From<grille_core::Error> for Error {
    fn from(error: grille_core::Error) -> Self {
        Self::failure(error)
    }
}

/// Returns up to three standard algorithms of the other kind (KEM or signature) with at least the same security
/// category.
fn suggest_other_kind(algorithm: &str) -> Vec<&'static str> {
    match (kem_by_name(algorithm), signature_by_name(algorithm)) {
        (Ok(kem), _) => at_least_as_strong(SIGNATURES, kem.category),
        (_, Ok(signature)) => at_least_as_strong(KEMS, signature.category),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_place_problem_and_advice_in_one_line() {
        let error = Error::failure("is empty").at(Path::new("a\nb.pem")).advise("give a key");
        assert_eq!(error.to_string(), "a\\nb.pem: is empty; give a key");
    }

    #[test]
    fn exits_with_success_on_a_closed_pipe() {
        let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error.kind(), Kind::ClosedPipe);
        assert_eq!(error.exit_code(), ExitCode::SUCCESS);
    }
}
