//! Advice for errors of connections.

use super::description;
use crate::not_tls::{NotTls, OtherProtocol};
use crate::starttls::StartTls;
use crate::unknown_key::UnknownKey;
use rustls::{AlertDescription, CertificateError, InvalidMessage, PeerIncompatible};
use std::io;

/// Advice for an error. Programs translate it into text, because the options belong to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Listen on another port: the port is in use.
    UseAnotherPort,
    /// Start the server: nothing listens on the address.
    StartServer,
    /// Obtain permission to listen below port 1024, or to connect through a firewall.
    ObtainPermission,
    /// Increase the timeout, or find out why the peer did not answer in time.
    IncreaseTimeout,
    /// Read the peer's log: the peer closed the connection.
    ReadPeerLog,
    /// Find out whether the peer or something in between reset the connection.
    FindReset,
    /// Listen on an address of this machine.
    UseLocalAddress,
    /// Check the host name: its address is unknown.
    CheckHostName,
    /// Offer an application protocol that the peer supports.
    UseCommonProtocol,
    /// Offer a parameter that the peer supports: a group, a signature scheme or a certificate type. Contains the
    /// groups that this side offered.
    OfferCommonParameter(Vec<&'static str>),
    /// Use a key whose signatures the peer accepts.
    UseAcceptedSignature,
    /// Use raw public keys on both sides, or certificates on both.
    UseSameCertificateType,
    /// Connect to a peer that supports TLS 1.3 fully.
    UseCapablePeer,
    /// Let the client present a certificate, which this server requires.
    PresentClientCertificate,
    /// Present a certificate whose issuer the peer trusts.
    PresentCertificate,
    /// Let the peer use a shorter chain: its messages exceed the engine's limit.
    ShortenPeerChain,
    /// Check whether the peer supports TLS.
    CheckForTls,
    /// Use STARTTLS in the server's protocol.
    UseStartTls(StartTls),
    /// Use the private key that belongs to the certificate.
    UseMatchingKey,
    /// Renew the peer's certificate.
    RenewPeerCertificate,
    /// Wait until the peer's certificate is valid, or set the clock.
    CheckClock,
    /// Trust the root that issued the peer's certificate.
    TrustRoot,
    /// Connect with a name that is in the peer's certificate.
    UseAnotherName,
    /// Find out whether the peer's certificate was altered, or its issuer has a different key.
    FindAlteration,
    /// Let the peer use a certificate for this purpose.
    UseSuitableCertificate,
    /// Trust the peer's raw public key, if it is the right one.
    TrustKey,
    /// Verify the peer's chain separately for details.
    VerifyChain,
    /// Let the peer use another certificate.
    UseAnotherPeerCertificate,
    /// Let the peer trust the root of this side's certificate.
    LetPeerTrustRoot,
    /// Renew this side's certificate.
    RenewOwnCertificate,
    /// Find out why the peer rejects this side's certificate, raw public key or signature.
    FindPeerObjection,
    /// Connect to a peer that supports TLS 1.3.
    UseNewerPeer,
    /// Connect with a name for which the server has a certificate.
    UseServedName,
}

/// Returns advice for an error of the engine. `groups`: the groups that this side offered; empty if unknown.
pub(super) fn for_tls_error(error: &rustls::Error, groups: &[&'static str]) -> Option<Advice> {
    use rustls::Error as Tls;
    if is_about_groups(error) && !groups.is_empty() {
        return Some(Advice::OfferCommonParameter(groups.to_vec()));
    }
    Some(match error {
        Tls::InvalidCertificate(reason) => for_certificate_error(reason),
        Tls::PeerIncompatible(PeerIncompatible::NoSignatureSchemesInCommon) => Advice::UseAcceptedSignature,
        Tls::PeerIncompatible(PeerIncompatible::IncorrectCertificateTypeExtension) => {
            Advice::UseSameCertificateType
        }
        Tls::PeerIncompatible(_) => Advice::UseCapablePeer,
        Tls::NoCertificatesPresented => Advice::PresentClientCertificate,
        Tls::InvalidMessage(InvalidMessage::HandshakePayloadTooLarge) => Advice::ShortenPeerChain,
        Tls::InvalidMessage(_) => Advice::CheckForTls,
        Tls::AlertReceived(alert) => return for_alert(*alert),
        Tls::InconsistentKeys(_) => Advice::UseMatchingKey,
        Tls::NoApplicationProtocol => Advice::UseCommonProtocol,
        _ => return None,
    })
}

/// Returns whether the error means, or may mean, that the peers share no group. A peer without a common group sends
/// handshake_failure, a general alert.
fn is_about_groups(error: &rustls::Error) -> bool {
    matches!(
        error,
        rustls::Error::PeerIncompatible(PeerIncompatible::NoKxGroupsInCommon)
            | rustls::Error::AlertReceived(AlertDescription::HandshakeFailure)
    )
}

fn for_certificate_error(reason: &CertificateError) -> Advice {
    use CertificateError as C;
    match reason {
        C::Expired | C::ExpiredContext { .. } => Advice::RenewPeerCertificate,
        C::NotValidYet | C::NotValidYetContext { .. } => Advice::CheckClock,
        C::UnknownIssuer => Advice::TrustRoot,
        C::NotValidForName | C::NotValidForNameContext { .. } => Advice::UseAnotherName,
        C::BadSignature => Advice::FindAlteration,
        C::InvalidPurpose | C::InvalidPurposeContext { .. } => Advice::UseSuitableCertificate,
        C::Other(reason) if reason.0.is::<UnknownKey>() => Advice::TrustKey,
        C::Other(_) => Advice::VerifyChain,
        _ => Advice::UseAnotherPeerCertificate,
    }
}

const fn for_alert(alert: AlertDescription) -> Option<Advice> {
    Some(match alert {
        AlertDescription::UnknownCA => Advice::LetPeerTrustRoot,
        AlertDescription::CertificateRequired => Advice::PresentCertificate,
        AlertDescription::CertificateExpired => Advice::RenewOwnCertificate,
        // RFC 7250 section 4.2: no common certificate type
        AlertDescription::UnsupportedCertificate => Advice::UseSameCertificateType,
        AlertDescription::BadCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::DecryptError => Advice::FindPeerObjection,
        AlertDescription::ProtocolVersion => Advice::UseNewerPeer,
        AlertDescription::UnrecognisedName => Advice::UseServedName,
        AlertDescription::NoApplicationProtocol => Advice::UseCommonProtocol,
        _ => return None,
    })
}

pub(super) fn for_io_error(error: &io::Error) -> Option<Advice> {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    if description::is_lookup_failure(error) {
        return Some(Advice::CheckHostName);
    }
    if let Some(NotTls(other)) = error.get_ref().and_then(|inner| inner.downcast_ref()) {
        return Some(match other {
            Some(OtherProtocol::StartTls(protocol)) => Advice::UseStartTls(*protocol),
            _ => Advice::CheckForTls,
        });
    }
    Some(match error.kind() {
        io::ErrorKind::AddrNotAvailable => Advice::UseLocalAddress,
        ConnectionReset | ConnectionAborted | BrokenPipe => Advice::FindReset,
        io::ErrorKind::AddrInUse => Advice::UseAnotherPort,
        io::ErrorKind::ConnectionRefused => Advice::StartServer,
        io::ErrorKind::PermissionDenied => Advice::ObtainPermission,
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Advice::IncreaseTimeout,
        io::ErrorKind::UnexpectedEof => Advice::ReadPeerLog,
        _ => return None,
    })
}
