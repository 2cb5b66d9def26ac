//! Negotiation of certificate types, RFC 7250 section 4, where rustls deviates from the standard.
//!
//! rustls queries a resolver and a verifier for their use of raw public keys, and refuses a peer that does not offer
//! that type. In the standard, a server that requests no certificate omits `client_certificate_type` (section 4.2),
//! and the alert is `unsupported_certificate` if the two sides have no type in common. This module therefore records
//! the types that the peer sent. Servers see them in the ClientHello. Clients see them in EncryptedExtensions, which
//! pass through the transcript hash before rustls parses them. The records are thread-local: rustls calls the resolver
//! and the verifier from within the call that processes the message.
//!
//! This module differs from the standard in one case. If a client offers only raw public keys, a server that requests
//! no certificate answers with that type, although the standard says to omit `client_certificate_type`. rustls cannot
//! omit the type in this case, and clients accept the answer.

use crate::hello;
use rustls::client::ResolvesClientCert;
use rustls::server::CertificateType;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{Error, PeerIncompatible, SignatureScheme};
use std::cell::Cell;
use std::sync::Arc;

/// Observations about the certificate types of the peer, for one connection of [`crate::engine::Engine`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PeerTypes {
    /// On a client: the server's EncryptedExtensions contain no type for the client's certificate.
    omitted: bool,
    /// On a server: the client supports no type that the server uses.
    none_in_common: bool,
}

thread_local! {
    /// PeerTypes of the connection that the engine is processing; `None` outside the engine.
    static CURRENT: Cell<Option<PeerTypes>> = const { Cell::new(None) };
    /// Whether the last ClientHello read by a server of this thread offers raw public keys only.
    static OFFERS_RAW_KEYS_ONLY: Cell<bool> = const { Cell::new(false) };
}

impl PeerTypes {
    /// Runs `work`, a call of rustls, and records the peer's types that rustls encounters.
    pub(crate) fn track<T>(&mut self, work: impl FnOnce() -> T) -> T {
        CURRENT.set(Some(*self));
        let done = work();
        *self = CURRENT.take().unwrap_or_default();
        done
    }

    /// Replaces rustls' error if the types were incompatible. rustls only reports that there was no certificate.
    pub(crate) fn explain(self, error: Error) -> Error {
        if self.none_in_common { PeerIncompatible::IncorrectCertificateTypeExtension.into() } else { error }
    }

    /// Replaces the alert at the end of a server's output, which is not encrypted at this point.
    pub(crate) fn replace_alert(self, outgoing: &mut [u8]) {
        if let [.., ALERT, _, _, 0, 2, FATAL, description] = outgoing
            && self.none_in_common
        {
            *description = UNSUPPORTED_CERTIFICATE;
        }
    }
}

const ALERT: u8 = 21;
const FATAL: u8 = 2;
/// The alert of RFC 8446 section 6.
const UNSUPPORTED_CERTIFICATE: u8 = 43;

/// Inspects a message of the transcript: records whether EncryptedExtensions omit `client_certificate_type`.
pub(crate) fn inspect_transcript(hashed: &[u8]) {
    if let Some(types) = CURRENT.get()
        && let Some(omitted) = hello::omits_client_certificate_type(hashed)
    {
        CURRENT.set(Some(PeerTypes { omitted, ..types }));
    }
}

/// Resolver of a client's identity, which withholds a raw public key from a server that did not agree to that type.
#[derive(Debug)]
pub(crate) struct AgreedTypeResolver(pub(crate) Arc<dyn ResolvesClientCert>);

/// Returns whether the server omitted `client_certificate_type`.
fn is_omitted() -> bool {
    CURRENT.get().is_some_and(|types| types.omitted)
}

impl ResolvesClientCert for AgreedTypeResolver {
    fn resolve(&self, issuers: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        // a server that omits the type but requests client authentication expects a certificate, RFC 7250 section 4.2
        if is_omitted() && self.0.only_raw_public_keys() { None } else { self.0.resolve(issuers, schemes) }
    }

    fn only_raw_public_keys(&self) -> bool {
        self.0.only_raw_public_keys() && !is_omitted()
    }

    fn has_certs(&self) -> bool {
        self.0.has_certs()
    }
}

/// Certificate type that a server requests of its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestedType {
    Nothing,
    Certificate,
    RawPublicKey,
}

/// Resolver of a server's identity, which refuses clients without a common certificate type.
#[derive(Debug)]
pub(crate) struct CommonTypeResolver {
    pub(crate) presented: Arc<dyn ResolvesServerCert>,
    pub(crate) requested: RequestedType,
}

impl CommonTypeResolver {
    fn has_common(&self, hello: &ClientHello<'_>) -> bool {
        let own = if self.presented.only_raw_public_keys() {
            CertificateType::RawPublicKey
        } else {
            CertificateType::X509
        };
        let requested = match self.requested {
            RequestedType::Nothing => None,
            RequestedType::Certificate => Some(CertificateType::X509),
            RequestedType::RawPublicKey => Some(CertificateType::RawPublicKey),
        };
        // a side that lists no types supports certificates only
        let has = |named: Option<&[CertificateType]>, required: CertificateType| {
            named.map_or(required == CertificateType::X509, |named| named.contains(&required))
        };
        has(hello.server_cert_types(), own)
            && requested.is_none_or(|requested| has(hello.client_cert_types(), requested))
    }
}

impl ResolvesServerCert for CommonTypeResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let offered = hello.client_cert_types().unwrap_or_default();
        OFFERS_RAW_KEYS_ONLY.set(
            offered.contains(&CertificateType::RawPublicKey) && !offered.contains(&CertificateType::X509),
        );
        // outside the engine, rustls refuses these clients with its own error and alert
        if let Some(types) = CURRENT.get()
            && !self.has_common(&hello)
        {
            CURRENT.set(Some(PeerTypes { none_in_common: true, ..types }));
            return None;
        }
        self.presented.resolve(hello)
    }

    fn only_raw_public_keys(&self) -> bool {
        self.presented.only_raw_public_keys()
    }
}

/// Returns whether a server that requests no certificate must offer raw public keys, because rustls would refuse the
/// client otherwise.
pub(crate) fn offers_raw_keys_only() -> bool {
    OFFERS_RAW_KEYS_ONLY.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resolver of a client that has only a raw public key. No test requests the key.
    #[derive(Debug)]
    struct RawKeyResolver;

    impl ResolvesClientCert for RawKeyResolver {
        fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
            unreachable!("the key is not requested")
        }

        fn only_raw_public_keys(&self) -> bool {
            true
        }

        fn has_certs(&self) -> bool {
            true
        }
    }

    /// Builds EncryptedExtensions with these extensions, each with a body of one byte.
    fn encrypted_extensions(numbers: &[u8]) -> Vec<u8> {
        let list: Vec<u8> = numbers.iter().flat_map(|number| [0, *number, 0, 1, 2]).collect();
        [&[8, 0, 0, list.len() as u8 + 2, 0, list.len() as u8][..], &list].concat()
    }

    #[test]
    fn client_withholds_its_key_if_no_type_was_agreed() {
        let key = AgreedTypeResolver(Arc::new(RawKeyResolver));
        for (extensions, agreed) in [(&[][..], false), (&[16, 20], false), (&[20, 19], true)] {
            let mut types = PeerTypes::default();
            types.track(|| assert!(key.only_raw_public_keys(), "in the ClientHello"));
            types.track(|| {
                inspect_transcript(&encrypted_extensions(extensions));
                assert_eq!(key.only_raw_public_keys(), agreed, "{extensions:?}");
            });
            if !agreed {
                types.track(|| assert!(key.resolve(&[], &[]).is_none()));
            }
            // other connections of this thread are not affected
            PeerTypes::default().track(|| assert!(key.only_raw_public_keys()));
            assert!(key.only_raw_public_keys());
        }
    }

    #[test]
    fn ignores_other_and_malformed_messages() {
        let whole = encrypted_extensions(&[20]);
        assert_eq!(hello::omits_client_certificate_type(&whole), Some(true));
        for len in 0..whole.len() {
            assert_eq!(hello::omits_client_certificate_type(&whole[..len]), None, "{len} bytes");
        }
        let mut other = whole;
        other[0] = 11;
        assert_eq!(hello::omits_client_certificate_type(&other), None);
    }

    #[test]
    fn replaces_only_the_plaintext_alert_of_incompatible_types() {
        for (none_in_common, alert, sent) in
            [(true, [21, 3, 3, 0, 2, 2, 49], 43), (false, [21, 3, 3, 0, 2, 2, 49], 49)]
        {
            let mut outgoing = alert;
            PeerTypes { none_in_common, ..PeerTypes::default() }.replace_alert(&mut outgoing);
            assert_eq!(outgoing[6], sent);
        }
        let mut encrypted = [23, 3, 3, 0, 19, 2, 49];
        PeerTypes { none_in_common: true, ..PeerTypes::default() }.replace_alert(&mut encrypted);
        assert_eq!(encrypted, [23, 3, 3, 0, 19, 2, 49]);
    }
}
