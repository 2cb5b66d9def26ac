//! Errors of connections. Each message is one line that states the problem and its place; advice is separate.

mod advice;
mod description;

pub use advice::Advice;
pub(crate) use description::describe;
pub use description::{alert_name, format_count, is_lookup_failure, printable};

use std::fmt;
use std::io;

/// Reason why a connection could not be established or failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system reported an error.
    Io {
        /// Operation that failed, such as `connect to localhost:4433`.
        operation: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The TLS engine or the peer refused the connection.
    Tls {
        /// Step that failed, such as `the handshake with localhost:4433`.
        operation: String,
        /// The engine's error.
        source: rustls::Error,
        /// Groups that this side offered; empty if unknown.
        groups: Vec<&'static str>,
        /// Reason why this side refused the peer's chain, if it did. It names the certificate at fault, which the
        /// engine's error does not.
        refusal: Option<Box<grille_pki::Error>>,
    },
    /// A key or a certificate cannot be used.
    Pki(grille_pki::Error),
    /// The configuration is inconsistent or refers to something that does not exist.
    Configuration {
        /// Description of the problem.
        reason: String,
    },
}

impl Error {
    /// Classifies an error of reading or writing a connection: an `io::Error` may contain the engine's error.
    pub fn from_io(operation: impl Into<String>, source: io::Error) -> Self {
        let operation = operation.into();
        match source.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(tls) => Self::tls(operation, tls.clone()),
            None => Self::Io { operation, source },
        }
    }

    /// Creates an error from the engine's error.
    pub(crate) const fn tls(operation: String, source: rustls::Error) -> Self {
        Self::Tls { operation, source, groups: Vec::new(), refusal: None }
    }

    /// Adds the reason why this side refused the peer's chain.
    pub(crate) fn with_refusal(mut self, reason: Option<Box<grille_pki::Error>>) -> Self {
        if let Self::Tls { refusal, source: rustls::Error::InvalidCertificate(_), .. } = &mut self {
            *refusal = reason;
        }
        self
    }

    /// Adds the groups that this side offered.
    pub(crate) fn with_offered_groups(mut self, offered: &[&'static str]) -> Self {
        if let Self::Tls { groups, .. } = &mut self {
            *groups = offered.to_vec();
        }
        self
    }

    /// Creates a configuration error.
    pub(crate) fn configuration(reason: impl Into<String>) -> Self {
        Self::Configuration { reason: reason.into() }
    }

    /// Returns advice for this error; `None` if there is none.
    #[must_use]
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Io { source, .. } => advice::for_io_error(source),
            Self::Tls { source, groups, .. } => advice::for_tls_error(source, groups),
            Self::Pki(_) | Self::Configuration { .. } => None,
        }
    }
}

/// Converts a rustls error that occurs during setup, before any connection.
pub(crate) fn setup_error(source: rustls::Error) -> Error {
    Error::tls("set up TLS".to_owned(), source)
}

/// Describes an error of reading or writing. If it contains an error of the engine, describes that one, in plain
/// words.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    tls.map_or_else(|| description::describe_system_error(error), describe)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { operation, source } => {
                write!(f, "{operation}: {}", description::describe_system_error(source))
            }
            Self::Tls { operation, refusal: Some(refusal), .. } => write!(f, "{operation}: {refusal}"),
            Self::Tls { operation, source, .. } => write!(f, "{operation}: {}", describe(source)),
            Self::Pki(source) => source.fmt(f),
            Self::Configuration { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Tls { source, .. } => Some(source),
            Self::Pki(source) => Some(source),
            Self::Configuration { .. } => None,
        }
    }
}

impl From<grille_pki::Error> for Error {
    fn from(error: grille_pki::Error) -> Self {
        Self::Pki(error)
    }
}
