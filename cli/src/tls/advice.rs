//! What would help against an error of TLS, in the options of this program.

use grille_tls::error::Advice;
use std::borrow::Cow;

/// One or two clauses, without a full stop; none where the error says what to do.
pub(super) fn words(advice: &Advice) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(match advice {
        Advice::OtherPort => "choose another port with --port",
        Advice::StartServer => "nothing listens there; start the server first",
        Advice::Permission => {
            "listening below port 1024 needs privileges; connecting may be barred by a firewall"
        }
        Advice::Patience => "--timeout says how long it may take",
        Advice::AskPeer => "its own messages may say why",
        Advice::SeeWhoCut => "its own messages may say why; a firewall between may do this, too",
        Advice::OwnAddress => "name an address of this machine",
        Advice::HostName => "check the name of the host",
        Advice::ProtocolInCommon => "the two sides must have one in common; see --alpn",
        Advice::SomethingInCommon(groups) => {
            return Some(Cow::Owned(format!(
                "the two sides may share no key-exchange group, signature scheme or kind of certificate; of groups this one offers {}; see --groups",
                groups.join(", ")
            )));
        }
        Advice::AcceptedSignature => {
            "give a key of another algorithm; retired ones are accepted only where the peer trusts such a root"
        }
        Advice::SameKindOfKey => {
            "where one side gives --raw-public-key the other gives --peer-key, and where one shows a chain, --ca"
        }
        Advice::ClientCertificate => {
            "this server asks for a client certificate; the client gives --cert and --key"
        }
        Advice::OwnCertificate => {
            "the peer asks for a certificate that it knows the issuer of; give --cert and --key"
        }
        Advice::ShorterChain => {
            "TLS allows longer messages than the 65535 bytes that this engine takes; the peer needs a shorter chain"
        }
        Advice::SpeakTls => "check the port: TLS is often on another one, such as 443 for HTTPS",
        Advice::AskForTls(protocol) => {
            return Some(Cow::Owned(format!(
                "give --starttls {}, or a port where TLS begins at once",
                protocol.name()
            )));
        }
        Advice::OwnKey => "give the private key of this certificate",
        Advice::TrustRoot => "if it is to be trusted, give its root with --ca",
        Advice::OtherName => "--servername says which name is asked for",
        Advice::TrustKey => "this server or client is another one, or has a new key: see --peer-key",
        Advice::BeTrusted => "the peer does not know the root of this side's certificate",
        Advice::RenewOwn => "this side's certificate has expired",
        Advice::BeAccepted => "the peer refused this side's certificate, raw public key or signature",
        Advice::NewerPeer => "the peer does not speak TLS 1.3",
        Advice::ServedName => "the server has no certificate for that name",
        Advice::CapablePeer
        | Advice::RenewPeers
        | Advice::Clock
        | Advice::Unaltered
        | Advice::Purpose
        | Advice::VerifyChain
        | Advice::OtherCertificate => return None,
    }))
}
