//! Descriptions of the engine's errors in plain words: rustls has names for them that only its source explains.

use grille_pki::format_time;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error, PeerIncompatible};
use std::fmt::{Debug, Display};
use std::io;
use std::time::Duration;

/// Describes an error of the engine in words, without the names of rustls' types.
pub(crate) fn describe(error: &Error) -> String {
    match error {
        // reasons that this crate gave to the engine
        Error::General(reason) => reason.clone(),
        Error::InvalidCertificate(CertificateError::Other(reason)) => reason.0.to_string(),
        Error::PeerIncompatible(why) => describe_incompatibility(why),
        Error::PeerMisbehaved(why) => format!("the peer violated the protocol: {}", split_words(why)),
        Error::InvalidMessage(why) => format!("cannot parse the peer's message: {}", split_words(why)),
        Error::InvalidCertificate(why) => {
            format!("the peer's certificate was refused: {}", describe_certificate_error(why))
        }
        Error::AlertReceived(alert) => format!("the peer aborted with the alert {}", alert_name(*alert)),
        Error::NoApplicationProtocol => {
            "the peer offers no application protocol that this side supports".to_owned()
        }
        Error::InconsistentKeys(why) => {
            format!("the private key does not belong to the certificate: {}", split_words(why))
        }
        other => other.to_string(),
    }
}

/// Returns the standard's name of an alert, RFC 8446 section 6, such as `handshake_failure`.
#[must_use]
pub fn alert_name(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::UnrecognisedName => "unrecognized_name".to_owned(),
        AlertDescription::Unknown(code) => format!("{code} (unknown)"),
        known => split_words(&known).replace(' ', "_"),
    }
}

fn describe_incompatibility(why: &PeerIncompatible) -> String {
    use PeerIncompatible as P;
    match why {
        P::NoKxGroupsInCommon => "the peer offers no key-exchange group that this side supports",
        P::NoCipherSuitesInCommon => "the peer offers no cipher suite that this side supports",
        P::NoSignatureSchemesInCommon => "the peer accepts no signature scheme that this side's key can use",
        P::NoCertificateRequestSignatureSchemesInCommon => {
            "the peer requests a certificate but accepts no signature scheme that this side can use"
        }
        P::IncorrectCertificateTypeExtension | P::UnsolicitedCertificateTypeExtension => {
            "one side uses certificates, the other raw public keys"
        }
        P::ServerDoesNotSupportTls12Or13
        | P::ServerTlsVersionIsDisabledByOurConfig
        | P::SupportedVersionsExtensionRequired
        | P::Tls12NotOffered
        | P::Tls12NotOfferedOrEnabled => "the peer supports no TLS version that this side accepts",
        P::NamedGroupsExtensionRequired | P::KeyShareExtensionRequired => {
            "the peer's hello lists no key-exchange groups"
        }
        P::SignatureAlgorithmsExtensionRequired => "the peer's hello lists no signature schemes",
        other => return format!("the peer is incompatible: {}", split_words(other)),
    }
    .to_owned()
}

/// Describes the engine's reason for refusing a chain; it does not name the certificate at fault.
fn describe_certificate_error(why: &CertificateError) -> String {
    use CertificateError as C;
    let at = |time: &UnixTime| format_time(Duration::from_secs(time.as_secs()));
    match why {
        C::ExpiredContext { not_after, .. } => {
            format!("it, or one of its issuers, expired on {}; renew it", at(not_after))
        }
        C::NotValidYetContext { not_before, .. } => {
            format!("it, or one of its issuers, is not valid before {}; check the clock", at(not_before))
        }
        C::UnknownIssuer => "it was not issued by one of the given roots".to_owned(),
        C::BadSignature => "it was altered, or signed with a key other than its issuer's".to_owned(),
        C::NotValidForNameContext { expected, .. } => format!("it is not valid for {}", expected.to_str()),
        C::InvalidPurposeContext { .. } => "its extended key usage does not allow this purpose".to_owned(),
        other => split_words(other),
    }
}

/// Describes an error of the operating system, without its number.
pub(super) fn describe_system_error(error: &io::Error) -> String {
    match error.kind() {
        // systems report an expired socket timeout in two ways
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "the peer did not answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof => "the peer closed the connection".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix(LOOKUP_FAILURE).unwrap_or(&text);
            text.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

/// Returns whether a host name could not be resolved. The standard library has no error kind for that; only the text of
/// the error shows it.
#[must_use]
pub fn is_lookup_failure(error: &io::Error) -> bool {
    error.to_string().starts_with(LOOKUP_FAILURE)
}

const LOOKUP_FAILURE: &str = "failed to lookup address information: ";

/// Splits a type name into words and drops its fields: `UnknownIssuer` becomes `unknown issuer`.
fn split_words(name: &impl Debug) -> String {
    let name = format!("{name:?}");
    let name: Vec<char> = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    let mut words = String::new();
    for (index, letter) in name.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| name[before]);
        let after = name.get(index + 1);
        let starts_word = letter.is_ascii_uppercase()
            && (before.is_some_and(|before| !before.is_ascii_uppercase())
                || before.is_some() && after.is_some_and(char::is_ascii_lowercase));
        if starts_word {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// Formats a number with its noun in singular or plural: `1 connection`, `2 connections`.
#[must_use]
pub fn format_count(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// Escapes untrusted text for terminals and logs. Replaces control characters, and invisible characters that change the
/// direction of text, end lines, or make different words look alike.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() || is_invisible(char) {
            escaped.extend(char.escape_default());
        } else {
            escaped.push(char);
        }
    }
    escaped
}

/// Returns whether a character is a Unicode format character (general category Cf) that occurs in text, or a line or
/// paragraph separator.
const fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::{InvalidMessage, PeerMisbehaved};

    #[test]
    fn descriptions_contain_no_type_names() {
        for (error, sentence) in [
            (
                Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon),
                "the peer offers no key-exchange group that this side supports",
            ),
            (
                Error::PeerIncompatible(PeerIncompatible::NullCompressionRequired),
                "the peer is incompatible: null compression required",
            ),
            (
                Error::PeerMisbehaved(PeerMisbehaved::TooMuchEarlyDataReceived),
                "the peer violated the protocol: too much early data received",
            ),
            (
                Error::InvalidMessage(InvalidMessage::MissingData("Random")),
                "cannot parse the peer's message: missing data",
            ),
            (
                Error::InvalidCertificate(CertificateError::UnknownIssuer),
                "the peer's certificate was refused: it was not issued by one of the given roots",
            ),
            (
                Error::InvalidCertificate(CertificateError::ExpiredContext {
                    time: UnixTime::since_unix_epoch(Duration::from_secs(1 << 30)),
                    not_after: UnixTime::since_unix_epoch(Duration::from_secs(951_868_800)),
                }),
                "the peer's certificate was refused: it, or one of its issuers, expired on 2000-03-01T00:00:00Z; renew it",
            ),
            (
                Error::InvalidCertificate(CertificateError::UnhandledCriticalExtension),
                "the peer's certificate was refused: unhandled critical extension",
            ),
        ] {
            assert_eq!(describe(&error), sentence);
        }
    }

    #[test]
    fn alerts_have_the_standards_names() {
        for (alert, name) in [
            (AlertDescription::HandshakeFailure, "handshake_failure"),
            (AlertDescription::UnknownCA, "unknown_ca"),
            (AlertDescription::UnknownPSKIdentity, "unknown_psk_identity"),
            (AlertDescription::BadRecordMac, "bad_record_mac"),
            (AlertDescription::UnrecognisedName, "unrecognized_name"),
            (AlertDescription::Unknown(200), "200 (unknown)"),
        ] {
            assert_eq!(alert_name(alert), name);
        }
    }

    #[test]
    fn uses_singular_and_plural() {
        assert_eq!([0, 1, 2].map(|number| format_count(number, "byte")), ["0 bytes", "1 byte", "2 bytes"]);
    }

    #[test]
    fn escapes_control_and_invisible_characters() {
        assert_eq!(printable("CN=Jürgen, 東京 – “a”"), "CN=Jürgen, 東京 – “a”");
        assert_eq!(printable("a\u{1b}[31mred\r\n\u{7}"), "a\\u{1b}[31mred\\r\\n\\u{7}");
        assert_eq!(printable("abc\u{202E}def\u{2028}g\u{200B}h"), "abc\\u{202e}def\\u{2028}g\\u{200b}h");
    }
}
