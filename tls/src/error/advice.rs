//! Advice for errors of connections.

use super::description;
use crate::not_tls::{NotTls, OtherProtocol};
use crate::raw_public_key::UnknownKey;
use crate::starttls::StartTls;
use rustls::{AlertDescription, CertificateError, InvalidMessage, PeerIncompatible};
use std::io;

/// Advice for an error. Programs translate it into text, because only they know their options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Listen on another port: the port is in use.
    OtherPort,
    /// Start the server: nothing listens on the address.
    StartServer,
    /// Obtain permission to listen below port 1024, or to connect through a firewall.
    Permission,
    /// Increase the timeout, or find out why the peer did not answer in time.
    Patience,
    /// Read the peer's own messages: it closed the connection.
    AskPeer,
    /// Find out whether the peer or something in between reset the connection.
    SeeWhoCut,
    /// Listen on an address of this machine.
    OwnAddress,
    /// Check the host name: its address is unknown.
    HostName,
    /// Offer an application protocol that the peer supports.
    ProtocolInCommon,
    /// Offer a parameter that the peer supports: a group, a signature scheme or a certificate type. Contains the
    /// groups that this side offered.
    SomethingInCommon(Vec<&'static str>),
    /// Use a key whose signatures the peer accepts.
    AcceptedSignature,
    /// Use raw public keys on both sides, or certificates on both.
    SameKindOfKey,
    /// Connect to a peer that supports TLS 1.3 fully.
    CapablePeer,
    /// Let the client present a certificate, which this server requires.
    ClientCertificate,
    /// Present a certificate whose issuer the peer trusts.
    OwnCertificate,
    /// Let the peer use a shorter chain: its messages exceed the engine's limit.
    ShorterChain,
    /// Check whether the peer supports TLS.
    SpeakTls,
    /// Use STARTTLS in the server's protocol.
    AskForTls(StartTls),
    /// Use the private key that belongs to the certificate.
    OwnKey,
    /// Renew the peer's certificate.
    RenewPeers,
    /// Wait until the peer's certificate is valid, or set the clock.
    Clock,
    /// Trust the root that issued the peer's certificate.
    TrustRoot,
    /// Connect with a name that is in the peer's certificate.
    OtherName,
    /// Find out whether the peer's certificate was altered, or its issuer has a different key.
    Unaltered,
    /// Let the peer use a certificate for this purpose.
    Purpose,
    /// Trust the peer's raw public key, if it is the right one.
    TrustKey,
    /// Verify the peer's chain separately for details.
    VerifyChain,
    /// Let the peer use another certificate.
    OtherCertificate,
    /// Let the peer trust the root of this side's certificate.
    BeTrusted,
    /// Renew this side's certificate.
    RenewOwn,
    /// Find out why the peer rejects this side's certificate, raw public key or signature.
    BeAccepted,
    /// Connect to a peer that supports TLS 1.3.
    NewerPeer,
    /// Connect with a name for which the server has a certificate.
    ServedName,
}

/// Returns advice for an error of the engine. `groups`: those that this side offered; empty if unknown.
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

/// Returns whether the error means that the peers share no group; such a peer sends a general alert.
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
        // RFC 7250 section 4.2: no common certificate type
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
    if description::is_lookup(error) {
        return Some(Advice::HostName);
    }
    if let Some(NotTls(other)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return Some(match other {
            Some(OtherProtocol::StartTls(protocol)) => Advice::AskForTls(*protocol),
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
