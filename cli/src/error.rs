//! What the command line says when something is wrong: one line, and an exit code.

use crate::algorithm::Unusable;
use crate::output::printable;
use grille_registry::lookup::as_strong;
use grille_registry::{KEMS, SIGNATURES, kem_by_name, signature_by_name};
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Whose fault it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The command line asks for something that does not exist or makes no sense: exit code 2.
    Usage,
    /// The work itself failed: exit code 1.
    Failure,
    /// The work was done, and the answer is no (a signature or chain that does not verify): exit code 1.
    Mismatch,
    /// The work was done, and what it should be compared with is of another kind: exit code 1.
    Incomparable,
    /// Nobody reads our output any more: no message, exit code 0.
    ClosedPipe,
}

/// One line: where, what, and what to do.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Error {
    kind: Kind,
    /// The file, address or option concerned.
    #[serde(rename = "where")]
    place: Option<String>,
    /// What is wrong, without a full stop.
    what: String,
    /// What to do about it, without a full stop.
    advice: Option<String>,
    /// A stable name of what is wrong, for programs, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The exit code, where it is not that of the kind.
    #[serde(skip)]
    exit: Option<u8>,
    /// Whether a document on standard output has it already.
    #[serde(skip)]
    documented: bool,
}

impl Error {
    /// The command line is wrong: exit code 2.
    pub(crate) fn usage(what: impl fmt::Display) -> Self {
        Self::new(Kind::Usage, what)
    }

    /// The work failed: exit code 1.
    pub(crate) fn failure(what: impl fmt::Display) -> Self {
        Self::new(Kind::Failure, what)
    }

    /// The answer is no: exit code 1.
    pub(crate) fn mismatch(what: impl fmt::Display) -> Self {
        Self::new(Kind::Mismatch, what)
    }

    /// Nobody can say: exit code 1.
    pub(crate) fn incomparable(what: impl fmt::Display) -> Self {
        Self::new(Kind::Incomparable, what)
    }

    fn new(kind: Kind, what: impl fmt::Display) -> Self {
        let what = what.to_string();
        Self { kind, place: None, what, advice: None, code: None, exit: None, documented: false }
    }

    /// Adds what it is about, in front.
    #[must_use]
    pub(crate) fn about(self, about: impl fmt::Display) -> Self {
        Self { what: format!("{about}: {}", self.what), ..self }
    }

    /// Adds what to do.
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

    /// The stable name, if there is one.
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
        self.at_place(name)
    }

    /// Adds the option, address or other place concerned.
    #[must_use]
    pub(crate) fn at_place(mut self, place: impl fmt::Display) -> Self {
        self.place = Some(place.to_string());
        self
    }

    /// The same, where no place is named yet.
    #[must_use]
    pub(crate) fn or_at_place(self, place: impl fmt::Display) -> Self {
        if self.place.is_some() { self } else { self.at_place(place) }
    }

    /// What is wrong, without place and advice.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Whether it is said where it went wrong.
    pub(crate) const fn has_place(&self) -> bool {
        self.place.is_some()
    }

    /// The same, where a document on standard output has it already.
    #[must_use]
    pub(crate) fn documented(self) -> Self {
        Self { documented: true, ..self }
    }

    pub(crate) const fn is_documented(&self) -> bool {
        self.documented
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
    /// Control characters are escaped: whatever a file is called, the message is one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let advice = self.advice.as_ref().map(|advice| format!("; {advice}")).unwrap_or_default();
        f.write_str(&printable(&format!("{place}{}{advice}", self.what)))
    }
}

impl std::error::Error for Error {}

/// Writing the answer failed; files have their own messages, see [`crate::files`].
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(Kind::ClosedPipe, "nobody reads the output"),
            _ => Self::failure(format_args!("cannot write: {error}")).at_place("standard output"),
        }
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

/// A name that no row answers to is a mistake in the command line.
impl From<grille_registry::UnknownAlgorithm> for Error {
    fn from(error: grille_registry::UnknownAlgorithm) -> Self {
        Self::usage(error)
    }
}

impl From<Unusable> for Error {
    fn from(error: Unusable) -> Self {
        match error {
            Unusable::Unknown(unknown) => unknown.into(),
            Unusable::Broken { .. } => Self::usage(error),
        }
    }
}

impl From<grille_pki::Error> for Error {
    fn from(error: grille_pki::Error) -> Self {
        let failure = Self::failure(&error);
        match error {
            grille_pki::Error::OtherUse { algorithm, .. } => match other_table(algorithm) {
                near if near.is_empty() => failure,
                near => failure.advise(format_args!("take {}", near.join(" or "))),
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

/// Algorithms of the other use that are as strong as this one.
fn other_table(algorithm: &str) -> Vec<&'static str> {
    match (kem_by_name(algorithm), signature_by_name(algorithm)) {
        (Ok(kem), _) => as_strong(SIGNATURES, kem.category),
        (_, Ok(signature)) => as_strong(KEMS, signature.category),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_where_what_and_what_to_do_in_one_line() {
        let error = Error::failure("is empty").at(Path::new("a\nb.pem")).advise("give a key");
        assert_eq!(error.to_string(), "a\\nb.pem: is empty; give a key");
    }

    #[test]
    fn a_closed_pipe_is_not_a_failure() {
        let error = Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error.kind(), Kind::ClosedPipe);
        assert_eq!(error.exit_code(), ExitCode::SUCCESS);
    }
}
