//! Advice for TLS errors, in terms of this program's options.

use grille_tls::error::Advice;
use std::borrow::Cow;

/// Returns the text of the advice: one or two clauses without a full stop, or `None` if the error itself says what to
/// do.
pub(super) fn advice_text(advice: &Advice) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match advice {
        Advice::UseAnotherPort => "choose another port with --port",
        Advice::StartServer => "start the server first, or check the port",
        Advice::ObtainPermission => {
            "use a port above 1023 for listening, or run with privileges; a firewall may block connections"
        }
        Advice::IncreaseTimeout => "allow more time with --timeout",
        Advice::ReadPeerLog => "look for the reason in the peer's log",
        Advice::FindReset => "look for the reason in the peer's log, or check for a firewall in between",
        Advice::UseLocalAddress => "give an address of this machine",
        Advice::CheckHostName => "check the name of the host",
        Advice::UseCommonProtocol => "with --alpn, give a protocol that the peer supports",
        Advice::OfferCommonParameter(groups) => {
            return Some(Cow::Owned(format!(
                "compare key-exchange groups, signature schemes and kinds of certificate of the two sides: this side offers the groups {}; change them with --groups",
                groups.join(", ")
            )));
        }
        Advice::UseAcceptedSignature => {
            "use a key of another algorithm; peers accept a retired one only if they trust a root that uses it"
        }
        Advice::UseSameCertificateType => {
            "use --peer-key if the other side uses --raw-public-key, and --ca if it uses a certificate"
        }
        Advice::PresentClientCertificate => "give the client --cert and --key, which this server requires",
        Advice::PresentCertificate => "give --cert and --key with a certificate that the peer trusts",
        Advice::ShortenPeerChain => {
            "use a shorter chain at the peer: this TLS engine accepts messages of at most 65535 bytes"
        }
        Advice::CheckForTls => "check the port: TLS is often on another one, such as 443 for HTTPS",
        Advice::UseStartTls(protocol) => {
            return Some(Cow::Owned(format!(
                "give --starttls {}, or a port without STARTTLS",
                protocol.name()
            )));
        }
        Advice::UseMatchingKey => "give the private key of this certificate",
        Advice::TrustRoot => "give its root with --ca if you trust it",
        Advice::UseAnotherName => "use --servername to give a name that the certificate contains",
        Advice::TrustKey => "give the peer's current key with --peer-key, if this is the right peer",
        Advice::LetPeerTrustRoot => "give the root of this side's certificate to the peer",
        Advice::RenewOwnCertificate => "renew this side's certificate, which has expired",
        Advice::FindPeerObjection => {
            "check this side's certificate, raw public key and signature, which the peer refused"
        }
        Advice::UseNewerPeer => "use a peer with TLS 1.3",
        Advice::UseServedName => "request a name that the server has a certificate for",
        Advice::UseCapablePeer
        | Advice::RenewPeerCertificate
        | Advice::CheckClock
        | Advice::FindAlteration
        | Advice::UseSuitableCertificate
        | Advice::VerifyChain
        | Advice::UseAnotherPeerCertificate => return None,
    }))
}
