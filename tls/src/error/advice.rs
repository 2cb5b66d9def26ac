//! What would help against an error.

use super::words;
use crate::not_tls::{NotTls, Spoken};
use crate::raw::UnknownKey;
use crate::starttls::StartTls;
use rustls::{AlertDescription, CertificateError, InvalidMessage, PeerIncompatible};
use std::io;

/// What would help, for whoever has words for it: which options there are only the program knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// To listen on another port: a program listens on this one.
    OtherPort,
    /// To start the server: nothing listens there.
    StartServer,
    /// To ask for the right to listen below port 1024, or to connect through a firewall.
    Permission,
    /// To wait longer, or to see why the peer did not answer in time.
    Patience,
    /// To read the peer's own messages: it closed the connection.
    AskPeer,
    /// To see who cut the connection: the peer, or something between.
    SeeWhoCut,
    /// To listen on an address that this machine has.
    OwnAddress,
    /// To check the name of the host: nobody knows its address.
    HostName,
    /// To name an application protocol that both sides have.
    ProtocolInCommon,
    /// To offer what the peer has, too: a group, a signature scheme or a kind of certificate. These are the groups that this
    /// side offered.
    SomethingInCommon(Vec<&'static str>),
    /// A key whose signatures the peer accepts.
    AcceptedSignature,
    /// Raw public keys on both sides, or certificates on both.
    SameKindOfKey,
    /// A peer that offers what TLS 1.3 needs.
    CapablePeer,
    /// That the client shows a certificate, which this server asks for.
    ClientCertificate,
    /// That this side shows a certificate whose issuer the peer knows.
    OwnCertificate,
    /// A shorter chain of the peer: its messages are longer than the engine takes.
    ShorterChain,
    /// To see whether the peer speaks TLS at all.
    SpeakTls,
    /// To ask for TLS in the protocol that the server speaks.
    AskForTls(StartTls),
    /// The private key that belongs to the certificate.
    OwnKey,
    /// To renew the peer's certificate.
    RenewPeers,
    /// To wait until the peer's certificate is valid, or to set the clock.
    Clock,
    /// To trust the root that issued the peer's certificate.
    TrustRoot,
    /// To ask for a name that the peer's certificate has.
    OtherName,
    /// To see who altered the peer's certificate, or whether its issuer has another key.
    Unaltered,
    /// A certificate of the peer for this purpose.
    Purpose,
    /// To trust the peer's raw public key, if it is the right one.
    TrustKey,
    /// To see what a check of the peer's chain alone says.
    VerifyChain,
    /// Another certificate of the peer.
    OtherCertificate,
    /// That the peer gets to know the root of this side's certificate.
    BeTrusted,
    /// To renew this side's certificate.
    RenewOwn,
    /// To see what the peer has against this side's certificate, raw public key or signature.
    BeAccepted,
    /// A peer that speaks TLS 1.3.
    NewerPeer,
    /// To ask for a name that the server has a certificate for.
    ServedName,
}

/// `groups`: those that this side offered, where that is known.
pub(super) fn on_tls(error: &rustls::Error, groups: &[&'static str]) -> Option<Advice> {
    use rustls::Error as Tls;
    if is_about_groups(error) && !groups.is_empty() {
        return Some(Advice::SomethingInCommon(groups.to_vec()));
    }
    Some(match error {
        Tls::InvalidCertificate(reason) => on_certificate(reason),
        Tls::PeerIncompatible(PeerIncompatible::NoSignatureSchemesInCommon) => Advice::AcceptedSignature,
        Tls::PeerIncompatible(PeerIncompatible::IncorrectCertificateTypeExtension) => Advice::SameKindOfKey,
        Tls::PeerIncompatible(_) => Advice::CapablePeer,
        Tls::NoCertificatesPresented => Advice::ClientCertificate,
        Tls::InvalidMessage(InvalidMessage::HandshakePayloadTooLarge) => Advice::ShorterChain,
        Tls::InvalidMessage(_) => Advice::SpeakTls,
        Tls::AlertReceived(alert) => return on_alert(*alert),
        Tls::InconsistentKeys(_) => Advice::OwnKey,
        Tls::NoApplicationProtocol => Advice::ProtocolInCommon,
        _ => return None,
    })
}

/// A peer that shares no group with us sends the general alert for "nothing in common".
fn is_about_groups(error: &rustls::Error) -> bool {
    matches!(
        error,
        rustls::Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon)
            | rustls::Error::AlertReceived(AlertDescription::HandshakeFailure)
    )
}

fn on_certificate(reason: &CertificateError) -> Advice {
    use CertificateError as C;
    match reason {
        C::Expired | C::ExpiredContext { .. } => Advice::RenewPeers,
        C::NotValidYet | C::NotValidYetContext { .. } => Advice::Clock,
        C::UnknownIssuer => Advice::TrustRoot,
        C::NotValidForName | C::NotValidForNameContext { .. } => Advice::OtherName,
        C::BadSignature => Advice::Unaltered,
        C::InvalidPurpose | C::InvalidPurposeContext { .. } => Advice::Purpose,
        C::Other(reason) if reason.0.is::<UnknownKey>() => Advice::TrustKey,
        C::Other(_) => Advice::VerifyChain,
        _ => Advice::OtherCertificate,
    }
}

const fn on_alert(alert: AlertDescription) -> Option<Advice> {
    Some(match alert {
        AlertDescription::UnknownCA => Advice::BeTrusted,
        AlertDescription::CertificateRequired => Advice::OwnCertificate,
        AlertDescription::CertificateExpired => Advice::RenewOwn,
        // RFC 7250 section 4.2: no certificate type in common
        AlertDescription::UnsupportedCertificate => Advice::SameKindOfKey,
        AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::DecryptError => Advice::BeAccepted,
        AlertDescription::ProtocolVersion => Advice::NewerPeer,
        AlertDescription::UnrecognisedName => Advice::ServedName,
        AlertDescription::NoApplicationProtocol => Advice::ProtocolInCommon,
        _ => return None,
    })
}

pub(super) fn on_io(error: &io::Error) -> Option<Advice> {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    if words::is_lookup(error) {
        return Some(Advice::HostName);
    }
    if let Some(NotTls(spoken)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return Some(match spoken {
            Some(Spoken::StartTls(protocol)) => Advice::AskForTls(*protocol),
            _ => Advice::SpeakTls,
        });
    }
    Some(match error.kind() {
        io::ErrorKind::AddrNotAvailable => Advice::OwnAddress,
        ConnectionReset | ConnectionAborted | BrokenPipe => Advice::SeeWhoCut,
        io::ErrorKind::AddrInUse => Advice::OtherPort,
        io::ErrorKind::ConnectionRefused => Advice::StartServer,
        io::ErrorKind::PermissionDenied => Advice::Permission,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Advice::Patience,
        io::ErrorKind::UnexpectedEof => Advice::AskPeer,
        _ => return None,
    })
}
