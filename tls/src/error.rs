//! What went wrong with a connection: one line that says what and where, and what would help.

mod advice;
mod words;

pub use advice::Advice;
pub(crate) use words::said;
pub use words::{alert_name, counted, is_lookup, printable};

use std::fmt;
use std::io;

/// Why a connection could not be made or kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system said no.
    Io {
        /// What was being done, such as `connect to localhost:4433`.
        doing: String,
        /// What it said.
        source: io::Error,
    },
    /// The TLS engine refused, or the peer did.
    Tls {
        /// Which step, such as `the handshake with localhost:4433`.
        doing: String,
        /// The engine's reason.
        source: rustls::Error,
        /// The groups that this side offered, where that is known.
        groups: Vec<&'static str>,
        /// Why this side refused the peer's chain, where it did: whose certificate is at fault, which the engine's reason
        /// does not say.
        refusal: Option<Box<grille_pki::Error>>,
    },
    /// A key or a certificate cannot be used.
    Pki(grille_pki::Error),
    /// The configuration contradicts itself or asks for what does not exist.
    Configuration {
        /// What is wrong.
        what: String,
    },
}

impl Error {
    /// Sorts an error of reading or writing a connection: the engine's errors travel inside `io::Error`.
    pub fn from_io(doing: impl Into<String>, source: io::Error) -> Self {
        let doing = doing.into();
        match source.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(tls) => Self::tls(doing, tls.clone()),
            None => Self::Io { doing, source },
        }
    }

    /// An error of the engine.
    pub(crate) const fn tls(doing: String, source: rustls::Error) -> Self {
        Self::Tls { doing, source, groups: Vec::new(), refusal: None }
    }

    /// Adds why this side refused the peer's chain.
    pub(crate) fn because(mut self, reason: Option<Box<grille_pki::Error>>) -> Self {
        if let Self::Tls { refusal, source: rustls::Error::InvalidCertificate(_), .. } = &mut self {
            *refusal = reason;
        }
        self
    }

    /// Adds the groups that this side offered.
    pub(crate) fn offering(mut self, offered: &[&'static str]) -> Self {
        if let Self::Tls { groups, .. } = &mut self {
            *groups = offered.to_vec();
        }
        self
    }

    /// Something in the configuration.
    pub(crate) fn configuration(what: impl Into<String>) -> Self {
        Self::Configuration { what: what.into() }
    }

    /// What would help, where that is known.
    #[must_use]
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::Io { source, .. } => advice::on_io(source),
            Self::Tls { source, groups, .. } => advice::on_tls(source, groups),
            Self::Pki(_) | Self::Configuration { .. } => None,
        }
    }
}

/// What an error of reading or writing says: the engine's own errors travel inside it, and are sentences here.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    tls.map_or_else(|| words::system(error), said)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, source } => write!(f, "{doing}: {}", words::system(source)),
            Self::Tls { doing, refusal: Some(refusal), .. } => write!(f, "{doing}: {refusal}"),
            Self::Tls { doing, source, .. } => write!(f, "{doing}: {}", said(source)),
            Self::Pki(source) => source.fmt(f),
            Self::Configuration { what } => f.write_str(what),
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
