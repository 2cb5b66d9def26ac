//! What a connection negotiated and what it cost: measured, never computed.

use crate::codepoints::{group_name, suite_name, version_name};
use crate::early::EarlyData;
use crate::trace::Trace;
use crate::transport::Tally;
use grille_pki::{Certificate, PublicKey};
use grille_registry::Numbers;
use rustls::pki_types::CertificateDer;
use rustls::{CipherSuite, CommonState, HandshakeKind, ProtocolVersion};
use std::sync::Arc;
use std::time::Duration;

/// How the handshake went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One round trip.
    Full,
    /// Two round trips: the server asked for another key share (HelloRetryRequest).
    Retried,
    /// From a ticket: no certificates were shown.
    Resumed,
}

impl Kind {
    /// Of a connection whose handshake is over.
    #[must_use]
    pub fn of(connection: &CommonState) -> Self {
        match connection.handshake_kind() {
            Some(HandshakeKind::Resumed) => Self::Resumed,
            Some(HandshakeKind::FullWithHelloRetryRequest) => Self::Retried,
            _ => Self::Full,
        }
    }

    /// One or two words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Retried => "full, after HelloRetryRequest",
            Self::Resumed => "resumed",
        }
    }
}

/// The certificates that one side showed, or its raw public key; empty if it showed none.
#[derive(Clone, Debug, Default)]
pub struct Chain(pub Arc<[CertificateDer<'static>]>);

impl Chain {
    pub(crate) fn of(certificates: &[CertificateDer<'_>]) -> Self {
        Self(certificates.iter().map(|certificate| certificate.clone().into_owned()).collect())
    }

    /// Bytes of DER.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|certificate| certificate.len()).sum()
    }

    /// Whether none was shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The raw public key (RFC 7250) that was shown in place of certificates, if one was and it can be parsed.
    #[must_use]
    pub fn raw_public_key(&self, numbers: Numbers) -> Option<PublicKey> {
        let [only] = &self.0[..] else { return None };
        PublicKey::from_pem_or_der_in(only, numbers).ok()
    }

    /// The certificates, parsed; those that cannot be parsed are left out.
    pub fn certificates(&self) -> impl Iterator<Item = Certificate> {
        self.0.iter().filter_map(|certificate| Certificate::from_pem_or_der(certificate).ok())
    }
}

/// Everything worth knowing about one connection.
#[derive(Clone, Debug)]
pub struct Report {
    /// Who is at the other end.
    pub peer: String,
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The cipher suite.
    pub suite: Option<CipherSuite>,
    /// The key-exchange group's codepoint.
    pub group: Option<u16>,
    /// What codepoints mean here.
    pub numbers: Numbers,
    /// How the handshake went.
    pub kind: Kind,
    /// What this side showed.
    pub own_chain: Chain,
    /// What the peer showed.
    pub peer_chain: Chain,
    /// What was said before the handshake was over.
    pub early_data: EarlyData,
    /// The application protocol, if one was agreed on.
    pub alpn: Option<Vec<u8>>,
    /// Messages, steps and signature schemes of the handshake, as this side met them.
    pub trace: Trace,
    /// From the beginning of the key share on a client, of the wait for it on a server, to the end of the handshake.
    pub handshake_time: Duration,
    /// Sent during the handshake.
    pub handshake_sent: Tally,
    /// Received during the handshake; a server may have got the client's first data along with its last message.
    pub handshake_received: Tally,
    /// Sent since.
    pub sent: Tally,
    /// Received since; session tickets are among it.
    pub received: Tally,
}

impl Report {
    /// `TLSv1.3`.
    #[must_use]
    pub fn version_name(&self) -> String {
        version_name(self.version)
    }

    /// The suite's name, or `none`.
    #[must_use]
    pub fn suite_name(&self) -> String {
        self.suite.map_or_else(|| "none".to_owned(), suite_name)
    }

    /// The group's name and codepoint, or `none`.
    #[must_use]
    pub fn group_name(&self) -> String {
        self.group.map_or_else(
            || "none".to_owned(),
            |code| format!("{} (0x{code:04X})", group_name(code, self.numbers)),
        )
    }

    /// All bytes both ways, handshake and data.
    #[must_use]
    pub const fn total_bytes(&self) -> u64 {
        self.handshake_sent.total()
            + self.handshake_received.total()
            + self.sent.total()
            + self.received.total()
    }
}
