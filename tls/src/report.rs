//! Report of a connection: negotiated parameters and measured costs.

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

/// Kind of handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Full handshake with one round trip.
    Full,
    /// Full handshake with two round trips: the server requested another key share (HelloRetryRequest).
    Retried,
    /// Resumed from a ticket, without certificates.
    Resumed,
}

impl Kind {
    /// Returns the kind of a finished handshake.
    #[must_use]
    pub fn from_connection(connection: &CommonState) -> Self {
        match connection.handshake_kind() {
            Some(HandshakeKind::Resumed) => Self::Resumed,
            Some(HandshakeKind::FullWithHelloRetryRequest) => Self::Retried,
            _ => Self::Full,
        }
    }

    /// Returns a short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Retried => "full, after HelloRetryRequest",
            Self::Resumed => "resumed",
        }
    }
}

/// Certificates or raw public key that one side presented; empty if none.
#[derive(Clone, Debug, Default)]
pub struct Chain(pub Arc<[CertificateDer<'static>]>);

impl Chain {
    pub(crate) fn new(certificates: &[CertificateDer<'_>]) -> Self {
        Self(certificates.iter().map(|certificate| certificate.clone().into_owned()).collect())
    }

    /// Returns the total length of the DER in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|certificate| certificate.len()).sum()
    }

    /// Returns whether nothing was presented.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the raw public key (RFC 7250), if one was presented and it can be parsed.
    #[must_use]
    pub fn raw_public_key(&self, numbers: Numbers) -> Option<PublicKey> {
        let [only] = &self.0[..] else { return None };
        PublicKey::from_pem_or_der_in(only, numbers).ok()
    }

    /// Iterates over the parsed certificates; those that cannot be parsed are omitted.
    pub fn certificates(&self) -> impl Iterator<Item = Certificate> {
        self.0.iter().filter_map(|certificate| Certificate::from_pem_or_der(certificate).ok())
    }
}

/// Report of one connection.
#[derive(Clone, Debug)]
pub struct Report {
    /// Address or name of the peer.
    pub peer: String,
    /// The protocol version.
    pub version: ProtocolVersion,
    /// The cipher suite.
    pub suite: Option<CipherSuite>,
    /// Codepoint of the key-exchange group.
    pub group: Option<u16>,
    /// Meaning of the codepoints.
    pub numbers: Numbers,
    /// Kind of the handshake.
    pub kind: Kind,
    /// Certificates or key that this side presented.
    pub own_chain: Chain,
    /// Certificates or key that the peer presented.
    pub peer_chain: Chain,
    /// Outcome of early data.
    pub early_data: EarlyData,
    /// Negotiated ALPN protocol, if any.
    pub alpn: Option<Vec<u8>>,
    /// Messages, steps and signature schemes of the handshake, as observed by this side.
    pub trace: Trace,
    /// Duration of the handshake. It starts on a client when the client generates its key share, and on a server when
    /// the server starts to wait for the ClientHello.
    pub handshake_time: Duration,
    /// Bytes sent during the handshake.
    pub handshake_sent: Tally,
    /// Bytes received during the handshake. On a server, they may include the first application data from the client.
    pub handshake_received: Tally,
    /// Bytes sent after the handshake.
    pub sent: Tally,
    /// Bytes received after the handshake, including session tickets.
    pub received: Tally,
}

impl Report {
    /// Returns the name of the version, such as `TLSv1.3`.
    #[must_use]
    pub fn version_name(&self) -> String {
        version_name(self.version)
    }

    /// Returns the name of the suite, or `none`.
    #[must_use]
    pub fn suite_name(&self) -> String {
        self.suite.map_or_else(|| "none".to_owned(), suite_name)
    }

    /// Returns the name and codepoint of the group, or `none`.
    #[must_use]
    pub fn group_name(&self) -> String {
        self.group.map_or_else(
            || "none".to_owned(),
            |code| format!("{} (0x{code:04X})", group_name(code, self.numbers)),
        )
    }

    /// Returns the total bytes in both directions, including the handshake.
    #[must_use]
    pub const fn total_bytes(&self) -> u64 {
        self.handshake_sent.total()
            + self.handshake_received.total()
            + self.sent.total()
            + self.received.total()
    }
}
