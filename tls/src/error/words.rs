//! The engine's reasons in sentences: it has names for them that only its own source explains.

use grille_pki::moment;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error, PeerIncompatible};
use std::fmt::{Debug, Display};
use std::io;
use std::time::Duration;

/// What the engine says, without names of its types.
pub(crate) fn said(error: &Error) -> String {
    match error {
        // what this crate tells the engine itself
        Error::General(reason) => reason.clone(),
        Error::InvalidCertificate(CertificateError::Other(reason)) => reason.0.to_string(),
        Error::PeerIncompatible(why) => incompatible(why),
        Error::PeerMisbehaved(why) => format!("the peer does not keep to the protocol: {}", words(why)),
        Error::InvalidMessage(why) => format!("what the peer sent cannot be read: {}", words(why)),
        Error::InvalidCertificate(why) => format!("the peer's certificate is refused: {}", refused(why)),
        Error::AlertReceived(alert) => format!("the peer gave up with the alert {}", alert_name(*alert)),
        Error::NoApplicationProtocol => {
            "the peer offers no application protocol that this side takes".to_owned()
        }
        Error::InconsistentKeys(why) => {
            format!("the private key and the certificate do not belong together: {}", words(why))
        }
        other => other.to_string(),
    }
}

/// The standard's name of an alert, RFC 8446 section 6, such as `handshake_failure`.
#[must_use]
pub fn alert_name(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::UnrecognisedName => "unrecognized_name".to_owned(),
        AlertDescription::Unknown(code) => format!("{code}, which has no name"),
        known => words(&known).replace(' ', "_"),
    }
}

fn incompatible(why: &PeerIncompatible) -> String {
    use PeerIncompatible as P;
    match why {
        P::NoKxGroupsInCommon => "the peer offers no key-exchange group that this side takes",
        P::NoCipherSuitesInCommon => "the peer offers no cipher suite that this side takes",
        P::NoSignatureSchemesInCommon => "the peer takes no signature that this side's key can make",
        P::NoCertificateRequestSignatureSchemesInCommon => {
            "the peer asks for a certificate, but takes no signature that this side has"
        }
        P::IncorrectCertificateTypeExtension | P::UnsolicitedCertificateTypeExtension => {
            "one side shows or wants a certificate, and the other a raw public key"
        }
        P::ServerDoesNotSupportTls12Or13
        | P::ServerTlsVersionIsDisabledByOurConfig
        | P::SupportedVersionsExtensionRequired
        | P::Tls12NotOffered
        | P::Tls12NotOfferedOrEnabled => "the peer speaks no version of TLS that this side takes",
        P::NamedGroupsExtensionRequired | P::KeyShareExtensionRequired => {
            "the peer does not say which key-exchange groups it has"
        }
        P::SignatureAlgorithmsExtensionRequired => "the peer does not say which signatures it takes",
        other => return format!("the peer lacks something: {}", words(other)),
    }
    .to_owned()
}

/// What the engine says of a chain; it does not say of whose certificate.
fn refused(why: &CertificateError) -> String {
    use CertificateError as C;
    let at = |time: &UnixTime| moment(Duration::from_secs(time.as_secs()));
    match why {
        C::ExpiredContext { not_after, .. } => {
            format!("it, or one of its issuers, expired on {}; it must be renewed", at(not_after))
        }
        C::NotValidYetContext { not_before, .. } => {
            format!("it, or one of its issuers, is not valid before {}; check the clock", at(not_before))
        }
        C::UnknownIssuer => "it was issued by none of the roots given".to_owned(),
        C::BadSignature => "it was altered, or its issuer's key is another one".to_owned(),
        C::NotValidForNameContext { expected, .. } => format!("it is not for {}", expected.to_str()),
        C::InvalidPurposeContext { .. } => "it is meant for another purpose".to_owned(),
        other => words(other),
    }
}

/// What the operating system says, without its number.
pub(super) fn system(error: &io::Error) -> String {
    match error.kind() {
        // how a socket's deadline is told depends on the system
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "the peer did not answer in time".to_owned(),
        io::ErrorKind::UnexpectedEof => "the peer closed the connection".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.strip_prefix(LOOKUP).unwrap_or(&text);
            text.split(" (os error").next().unwrap_or_default().to_owned()
        }
    }
}

/// Whether nobody knows the address of a host: the standard library has no kind for that, only these words.
#[must_use]
pub fn is_lookup(error: &io::Error) -> bool {
    error.to_string().starts_with(LOOKUP)
}

const LOOKUP: &str = "failed to lookup address information: ";

/// The words that a name is made of: `unknown issuer` of `UnknownIssuer`, whatever it holds left out.
fn words(name: &impl Debug) -> String {
    let name = format!("{name:?}");
    let name: Vec<char> = name.chars().take_while(char::is_ascii_alphanumeric).collect();
    let mut words = String::new();
    for (place, letter) in name.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| name[before]);
        let after = name.get(place + 1);
        let begins = letter.is_ascii_uppercase()
            && (before.is_some_and(|before| !before.is_ascii_uppercase())
                || before.is_some() && after.is_some_and(char::is_ascii_lowercase));
        if begins {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    words
}

/// So many of a thing, which is called so where there is one: `1 connection`, `2 connections`.
#[must_use]
pub fn counted(number: impl Display, thing: &str) -> String {
    let number = number.to_string();
    let ending = if number == "1" { "" } else { "s" };
    format!("{number} {thing}{ending}")
}

/// Text from elsewhere, which terminals and logs must not obey: control characters are escaped, and what cannot be seen but
/// turns the direction of text, ends lines or parts words that look alike.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() || is_unseen(char) {
            shown.extend(char.escape_default());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Unicode's characters for format (general category Cf) that stand in text, and its separators of lines and paragraphs.
const fn is_unseen(char: char) -> bool {
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
    fn no_name_of_a_type_is_said() {
        for (error, sentence) in [
            (
                Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon),
                "the peer offers no key-exchange group that this side takes",
            ),
            (
                Error::PeerIncompatible(PeerIncompatible::NullCompressionRequired),
                "the peer lacks something: null compression required",
            ),
            (
                Error::PeerMisbehaved(PeerMisbehaved::TooMuchEarlyDataReceived),
                "the peer does not keep to the protocol: too much early data received",
            ),
            (
                Error::InvalidMessage(InvalidMessage::MissingData("Random")),
                "what the peer sent cannot be read: missing data",
            ),
            (
                Error::InvalidCertificate(CertificateError::UnknownIssuer),
                "the peer's certificate is refused: it was issued by none of the roots given",
            ),
            (
                Error::InvalidCertificate(CertificateError::ExpiredContext {
                    time: UnixTime::since_unix_epoch(Duration::from_secs(1 << 30)),
                    not_after: UnixTime::since_unix_epoch(Duration::from_secs(951_868_800)),
                }),
                "the peer's certificate is refused: it, or one of its issuers, expired on 2000-03-01T00:00:00Z; it must be \
                 renewed",
            ),
            (
                Error::InvalidCertificate(CertificateError::UnhandledCriticalExtension),
                "the peer's certificate is refused: unhandled critical extension",
            ),
        ] {
            assert_eq!(said(&error), sentence);
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
            (AlertDescription::Unknown(200), "200, which has no name"),
        ] {
            assert_eq!(alert_name(alert), name);
        }
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "byte")), ["0 bytes", "1 byte", "2 bytes"]);
    }

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(printable("CN=Jürgen, 東京 – “a”"), "CN=Jürgen, 東京 – “a”");
        assert_eq!(printable("a\u{1b}[31mred\r\n\u{7}"), "a\\u{1b}[31mred\\r\\n\\u{7}");
        assert_eq!(printable("abc\u{202E}def\u{2028}g\u{200B}h"), "abc\\u{202e}def\\u{2028}g\\u{200b}h");
    }
}
