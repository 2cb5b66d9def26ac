//! What would help against an error of TLS, in the options of this program.

use grille_tls::error::Advice;
use std::borrow::Cow;

/// One or two clauses, without a full stop.
pub(super) fn words(advice: &Advice) -> Cow<'static, str> {
    Cow::Borrowed(match advice {
        Advice::OtherPort => "another program listens on this port; choose one with --port",
        Advice::StartServer => "nothing listens there; start the server first",
        Advice::Permission => {
            "listening below port 1024 needs privileges; connecting may be barred by a firewall"
        }
        Advice::Patience => "the peer did not answer in time",
        Advice::AskPeer => "the peer closed the connection; its own messages may say why",
        Advice::SomethingInCommon(groups) => {
            return Cow::Owned(format!(
                "the two sides may share no key-exchange group, signature scheme or kind of certificate; of groups this one offers {}; see --groups",
                groups.join(", ")
            ));
        }
        Advice::AcceptedSignature => {
            "the peer accepts no signature of this side's key; retired ones only where it trusts such a root"
        }
        Advice::SameKindOfKey => {
            "where one side gives --raw-public-key the other gives --peer-key, and where one shows a chain, --ca"
        }
        Advice::CapablePeer => "the peer does not offer what TLS 1.3 with these settings needs",
        Advice::ClientCertificate => {
            "this server asks for a client certificate; the client gives --cert and --key"
        }
        Advice::OwnCertificate => {
            "the peer asks for a certificate that it knows the issuer of; give --cert and --key"
        }
        Advice::ShorterChain => {
            "TLS allows longer messages than the 65535 bytes that this engine takes; the peer needs a shorter chain"
        }
        Advice::SpeakTls => "does the peer speak TLS at all?",
        Advice::OwnKey => "the private key belongs to another certificate",
        Advice::RenewPeers => "the certificate has expired; it must be renewed",
        Advice::Clock => "the certificate is not valid yet; check the clock",
        Advice::TrustRoot => "no root given with --ca issued it",
        Advice::OtherName => "the certificate is for another name; see --servername",
        Advice::Unaltered => "the certificate was altered, or its issuer's key is another one",
        Advice::Purpose => "the certificate is meant for another purpose",
        Advice::TrustKey => "this server or client is another one, or has a new key: see --peer-key",
        Advice::VerifyChain => "`grille cert verify` says the same of this chain",
        Advice::OtherCertificate => "the peer's certificate cannot be accepted",
        Advice::BeTrusted => "the peer does not know the root of this side's certificate",
        Advice::RenewOwn => "this side's certificate has expired",
        Advice::BeAccepted => "the peer refused this side's certificate, raw public key or signature",
        Advice::NewerPeer => "the peer does not speak TLS 1.3",
        Advice::ServedName => "the server has no certificate for that name",
    })
}
