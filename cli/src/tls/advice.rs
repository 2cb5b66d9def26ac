//! Advice for TLS errors, in terms of this program's options.

use grille_tls::error::Advice;
use std::borrow::Cow;

/// Returns one or two clauses without a full stop; `None` if the error itself says what to do.
pub(super) fn words(advice: &Advice) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match advice {
        Advice::OtherPort => "choose another port with --port",
        Advice::StartServer => "start the server first, or check the port",
        Advice::Permission => {
            "use a port above 1023 for listening, or run with privileges; a firewall may block connecting"
        }
        Advice::Patience => "allow more time with --timeout",
        Advice::AskPeer => "look for the reason in the peer's messages",
        Advice::SeeWhoCut => "look for the reason in the peer's messages, or check for a firewall in between",
        Advice::OwnAddress => "give an address of this machine",
        Advice::HostName => "check the name of the host",
        Advice::ProtocolInCommon => "give a protocol that the peer supports with --alpn",
        Advice::SomethingInCommon(groups) => {
            return Some(Cow::Owned(format!(
                "compare key-exchange groups, signature schemes and kinds of certificate of the two sides: this side offers the groups {}; change them with --groups",
                groups.join(", ")
            )));
        }
        Advice::AcceptedSignature => {
            "use a key of another algorithm; retired ones are accepted only if the peer trusts a root with them"
        }
        Advice::SameKindOfKey => {
            "use --peer-key if the other side uses --raw-public-key, and --ca if it uses a certificate"
        }
        Advice::ClientCertificate => "give the client --cert and --key, which this server requires",
        Advice::OwnCertificate => "give --cert and --key with a certificate that the peer trusts",
        Advice::ShorterChain => {
            "use a shorter chain at the peer: this TLS engine accepts messages of at most 65535 bytes"
        }
        Advice::SpeakTls => "check the port: TLS is often on another one, such as 443 for HTTPS",
        Advice::AskForTls(protocol) => {
            return Some(Cow::Owned(format!(
                "give --starttls {}, or a port without STARTTLS",
                protocol.name()
            )));
        }
        Advice::OwnKey => "give the private key of this certificate",
        Advice::TrustRoot => "give its root with --ca if you trust it",
        Advice::OtherName => "give the name in the certificate with --servername",
        Advice::TrustKey => "give the peer's current key with --peer-key, if this is the right peer",
        Advice::BeTrusted => "give the root of this side's certificate to the peer",
        Advice::RenewOwn => "renew this side's certificate, which has expired",
        Advice::BeAccepted => {
            "check this side's certificate, raw public key and signature, which the peer refused"
        }
        Advice::NewerPeer => "use a peer with TLS 1.3",
        Advice::ServedName => "ask for a name that the server has a certificate for",
        Advice::CapablePeer
        | Advice::RenewPeers
        | Advice::Clock
        | Advice::Unaltered
        | Advice::Purpose
        | Advice::VerifyChain
        | Advice::OtherCertificate => return None,
    }))
}
