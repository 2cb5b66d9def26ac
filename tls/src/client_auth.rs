//! Client authentication of a server: none, by certificate chains, or by raw public keys.

use crate::cert_verifier::ClientVerifier;
use crate::raw_public_key::TrustedKeys;
use rustls::Error;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use std::sync::Arc;

/// Client authentication that a server requires.
#[derive(Clone, Debug)]
pub(crate) enum ClientAuth {
    /// Clients are not authenticated. Contains the verifier that rustls requires even then; it requests no certificate.
    Anonymous(Arc<ClientVerifier>),
    /// A certificate chain to one of the server's roots.
    Chain(Arc<ClientVerifier>),
    /// One of these raw public keys (RFC 7250).
    RawKey(Arc<TrustedKeys>),
}

impl ClientAuth {
    /// Returns the verifier that rustls calls in full handshakes.
    pub(crate) fn verifier(&self) -> Arc<dyn ClientCertVerifier> {
        match self {
            Self::Anonymous(verifier) | Self::Chain(verifier) => verifier.clone(),
            Self::RawKey(verifier) => verifier.clone(),
        }
    }

    /// Checks the certificates or key of a client's earlier full handshake again, without recording it in the trace.
    ///
    /// # Errors
    /// The errors of the verifier.
    pub(crate) fn accepts(&self, presented: &[CertificateDer<'_>], now: UnixTime) -> Result<(), Error> {
        let (end_entity, intermediates) = presented.split_first().ok_or(Error::NoCertificatesPresented)?;
        match self {
            Self::Anonymous(_) => Ok(()),
            Self::Chain(verifier) => verifier.check(end_entity, intermediates, now),
            Self::RawKey(verifier) => verifier.check(end_entity),
        }
    }

    /// Returns the settings that determine which clients are accepted. Sessions of servers with different settings
    /// are not resumed. Revocation lists are not included, because they are checked again for every resumption.
    pub(crate) fn configuration(&self) -> Vec<Vec<u8>> {
        let labelled = |label: &[u8], bytes: &[u8]| [label, bytes].concat();
        match self {
            Self::Anonymous(_) => vec![b"anonymous".to_vec()],
            Self::Chain(verifier) => {
                let roots = verifier.roots().map(|root| labelled(b"root ", root));
                let allowed =
                    verifier.allowed().iter().map(|client| format!("allowed {client}").into_bytes());
                roots.chain(allowed).collect()
            }
            Self::RawKey(verifier) => verifier.keys().map(|key| labelled(b"raw public key ", key)).collect(),
        }
    }
}
