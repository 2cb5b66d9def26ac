//! What went wrong with a connection: one line that says what, where, and what to do.

mod words;

pub use words::{alert_name, printable};

use crate::raw::UnknownKey;
use rustls::{AlertDescription, CertificateError, InvalidMessage, PeerIncompatible};
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
            Some(tls) => Self::Tls { doing, source: tls.clone(), groups: Vec::new() },
            None => Self::Io { doing, source },
        }
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

    /// The next step for whoever reads the message, where one is known.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        match self {
            Self::Io { source, .. } => advice_on_io(source).map(str::to_owned),
            Self::Tls { source, groups, .. } if is_about_groups(source) && !groups.is_empty() => {
                Some(format!(
                    "the two sides may share no key-exchange group, signature scheme or kind of certificate; of groups this one offers {}; see --groups",
                    groups.join(", ")
                ))
            }
            Self::Tls { source, .. } => advice_on_tls(source).map(str::to_owned),
            Self::Pki(_) | Self::Configuration { .. } => None,
        }
    }
}

/// What an error of reading or writing says: the engine's own errors travel inside it, and are sentences here.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    tls.map_or_else(|| error.to_string(), words::said)
}

/// A peer that shares no group with us sends the general alert for "nothing in common".
fn is_about_groups(error: &rustls::Error) -> bool {
    matches!(
        error,
        rustls::Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon)
            | rustls::Error::AlertReceived(AlertDescription::HandshakeFailure)
    )
}

fn advice_on_io(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::AddrInUse => Some("another program listens on this port; choose one with --port"),
        io::ErrorKind::ConnectionRefused => Some("nothing listens there; start the server first"),
        io::ErrorKind::PermissionDenied => {
            Some("listening below port 1024 needs privileges; connecting may be barred by a firewall")
        }
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Some("the peer did not answer in time"),
        io::ErrorKind::UnexpectedEof => Some("the peer closed the connection; its own messages may say why"),
        _ => None,
    }
}

fn advice_on_tls(error: &rustls::Error) -> Option<&'static str> {
    use rustls::Error as Tls;
    match error {
        Tls::InvalidCertificate(reason) => Some(advice_on_certificate(reason)),
        Tls::PeerIncompatible(PeerIncompatible::NoSignatureSchemesInCommon) => Some(
            "the peer accepts no signature of this side's key; retired ones only where it trusts such a root",
        ),
        Tls::PeerIncompatible(PeerIncompatible::IncorrectCertificateTypeExtension) => Some(
            "where one side gives --raw-public-key the other gives --peer-key, and where one shows a chain, --ca",
        ),
        Tls::PeerIncompatible(_) => Some("the peer does not offer what TLS 1.3 with these settings needs"),
        Tls::NoCertificatesPresented => {
            Some("the server asks for a client certificate; give --cert and --key")
        }
        Tls::InvalidMessage(InvalidMessage::HandshakePayloadTooLarge) => Some(
            "TLS allows longer messages than the 65535 bytes that this engine takes; the peer needs a shorter chain",
        ),
        Tls::InvalidMessage(_) => Some("is that a TLS server at all?"),
        Tls::AlertReceived(alert) => advice_on_alert(*alert),
        Tls::InconsistentKeys(_) => Some("the private key belongs to another certificate"),
        _ => None,
    }
}

fn advice_on_certificate(reason: &CertificateError) -> &'static str {
    use CertificateError as C;
    match reason {
        C::Expired | C::ExpiredContext { .. } => "the certificate has expired; it must be renewed",
        C::NotValidYet | C::NotValidYetContext { .. } => "the certificate is not valid yet; check the clock",
        C::UnknownIssuer => "no root given with --ca issued it",
        C::NotValidForName | C::NotValidForNameContext { .. } => {
            "the certificate is for another name; see --servername"
        }
        C::BadSignature => "the certificate was altered, or its issuer's key is another one",
        C::InvalidPurpose | C::InvalidPurposeContext { .. } => "the certificate is meant for another purpose",
        C::Other(reason) if reason.0.is::<UnknownKey>() => {
            "this server or client is another one, or has a new key: see --peer-key"
        }
        C::Other(_) => "`grille cert verify` says the same of this chain",
        _ => "the peer's certificate cannot be accepted",
    }
}

fn advice_on_alert(alert: AlertDescription) -> Option<&'static str> {
    match alert {
        AlertDescription::UnknownCA => Some("the peer does not know the root of this side's certificate"),
        AlertDescription::CertificateRequired => {
            Some("the peer asks for a certificate that it knows the issuer of; give --cert and --key")
        }
        AlertDescription::CertificateExpired => Some("this side's certificate has expired"),
        AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::DecryptError => {
            Some("the peer refused this side's certificate, raw public key or signature")
        }
        AlertDescription::ProtocolVersion => Some("the peer does not speak TLS 1.3"),
        AlertDescription::UnrecognisedName => Some("the server has no certificate for that name"),
        _ => None,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { doing, source } => write!(f, "{doing}: {source}"),
            // what this crate tells the engine itself
            Self::Tls { doing, source: rustls::Error::General(reason), .. } => write!(f, "{doing}: {reason}"),
            Self::Tls {
                doing,
                source: rustls::Error::InvalidCertificate(CertificateError::Other(reason)),
                ..
            } => write!(f, "{doing}: {}", reason.0),
            Self::Tls { doing, source, .. } => write!(f, "{doing}: {}", words::said(source)),
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
