//! Negotiation of certificate types, RFC 7250 section 4, where rustls decides otherwise than the standard.
//!
//! rustls asks a resolver and a verifier whether they use raw public keys, and refuses a peer that does not name that type. The
//! standard has the server leave `client_certificate_type` out where it asks for no certificate (section 4.2), and the alert
//! `unsupported_certificate` where both sides have no type in common. What the peer said is therefore noted here: servers see it in
//! the ClientHello, clients in EncryptedExtensions, which the transcript hash meets before rustls looks at it. Both notes are the
//! thread's, as rustls asks in the same call that it processes the message in.
//!
//! Differs from the standard: a server that asks for no certificate answers a client that names raw public keys alone with that
//! type, where it should say nothing. rustls has no way to say nothing then, and clients take the answer.

use crate::hello;
use rustls::client::ResolvesClientCert;
use rustls::server::CertificateType;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{Error, PeerIncompatible, SignatureScheme};
use std::cell::Cell;
use std::sync::Arc;

/// What one connection of [`crate::engine::Engine`] knows of its peer's types.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Types {
    /// On a client: the server's EncryptedExtensions name no type of the client's certificate.
    omitted: bool,
    /// On a server: the client takes or shows other types only.
    none_in_common: bool,
}

thread_local! {
    /// Of the connection that is being processed, if it is one of the engine.
    static CURRENT: Cell<Option<Types>> = const { Cell::new(None) };
    /// Of the last ClientHello that a server of this thread read: the client can show a raw public key and nothing else.
    static SHOWS_KEYS_ONLY: Cell<bool> = const { Cell::new(false) };
}

impl Types {
    /// Does `work` of rustls, and notes what it meets.
    pub(crate) fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        CURRENT.set(Some(*self));
        let done = work();
        *self = CURRENT.take().unwrap_or_default();
        done
    }

    /// The reason of an error: rustls only knows that there was no certificate to show.
    pub(crate) fn explain(self, error: Error) -> Error {
        if self.none_in_common { PeerIncompatible::IncorrectCertificateTypeExtension.into() } else { error }
    }

    /// Replaces the alert at the end of what a server sends, which is in clear then.
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
/// RFC 8446 section 6.
const UNSUPPORTED_CERTIFICATE: u8 = 43;

/// Looks at a message of the transcript.
pub(crate) fn transcript(hashed: &[u8]) {
    if let Some(types) = CURRENT.get()
        && let Some(omitted) = hello::omits_client_certificate_type(hashed)
    {
        CURRENT.set(Some(Types { omitted, ..types }));
    }
}

/// A client's raw public key, which it does not show to a server that did not agree to that type.
#[derive(Debug)]
pub(crate) struct OnlyIfAgreed(pub(crate) Arc<dyn ResolvesClientCert>);

/// Whether the server left the type out.
fn is_omitted() -> bool {
    CURRENT.get().is_some_and(|types| types.omitted)
}

impl ResolvesClientCert for OnlyIfAgreed {
    fn resolve(&self, issuers: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        // a server that asks nevertheless wants a certificate, RFC 7250 section 4.2
        if is_omitted() && self.0.only_raw_public_keys() { None } else { self.0.resolve(issuers, schemes) }
    }

    fn only_raw_public_keys(&self) -> bool {
        self.0.only_raw_public_keys() && !is_omitted()
    }

    fn has_certs(&self) -> bool {
        self.0.has_certs()
    }
}

/// The type that a server asks its clients for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Nothing,
    Certificate,
    RawPublicKey,
}

/// What a server shows, unless its client takes another type, or has another one than the server asks for.
#[derive(Debug)]
pub(crate) struct InCommon {
    pub(crate) shown: Arc<dyn ResolvesServerCert>,
    pub(crate) asked: Asked,
}

impl InCommon {
    fn has_common(&self, hello: &ClientHello<'_>) -> bool {
        let own = if self.shown.only_raw_public_keys() {
            CertificateType::RawPublicKey
        } else {
            CertificateType::X509
        };
        let asked = match self.asked {
            Asked::Nothing => None,
            Asked::Certificate => Some(CertificateType::X509),
            Asked::RawPublicKey => Some(CertificateType::RawPublicKey),
        };
        // a side that names no type has certificates
        let has = |named: Option<&[CertificateType]>, wanted: CertificateType| {
            named.map_or(wanted == CertificateType::X509, |named| named.contains(&wanted))
        };
        has(hello.server_cert_types(), own) && asked.is_none_or(|asked| has(hello.client_cert_types(), asked))
    }
}

impl ResolvesServerCert for InCommon {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let shows = hello.client_cert_types().unwrap_or_default();
        SHOWS_KEYS_ONLY
            .set(shows.contains(&CertificateType::RawPublicKey) && !shows.contains(&CertificateType::X509));
        // outside of the engine rustls refuses these, with words and an alert of its own
        if let Some(types) = CURRENT.get()
            && !self.has_common(&hello)
        {
            CURRENT.set(Some(Types { none_in_common: true, ..types }));
            return None;
        }
        self.shown.resolve(hello)
    }

    fn only_raw_public_keys(&self) -> bool {
        self.shown.only_raw_public_keys()
    }
}

/// Whether a server that asks for nothing has to say that it takes raw public keys: rustls refuses the client otherwise.
pub(crate) fn shows_keys_only() -> bool {
    SHOWS_KEYS_ONLY.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client with a raw public key, which it never needs here.
    #[derive(Debug)]
    struct Raw;

    impl ResolvesClientCert for Raw {
        fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
            unreachable!("nobody asks for it")
        }

        fn only_raw_public_keys(&self) -> bool {
            true
        }

        fn has_certs(&self) -> bool {
            true
        }
    }

    /// EncryptedExtensions with these extensions, each without a body but for the type's one byte.
    fn encrypted_extensions(numbers: &[u8]) -> Vec<u8> {
        let list: Vec<u8> = numbers.iter().flat_map(|number| [0, *number, 0, 1, 2]).collect();
        [&[8, 0, 0, list.len() as u8 + 2, 0, list.len() as u8][..], &list].concat()
    }

    #[test]
    fn a_client_keeps_its_key_from_a_server_that_names_no_type() {
        let key = OnlyIfAgreed(Arc::new(Raw));
        for (extensions, agreed) in [(&[][..], false), (&[16, 20], false), (&[20, 19], true)] {
            let mut types = Types::default();
            types.during(|| assert!(key.only_raw_public_keys(), "in the ClientHello"));
            types.during(|| {
                transcript(&encrypted_extensions(extensions));
                assert_eq!(key.only_raw_public_keys(), agreed, "{extensions:?}");
            });
            if !agreed {
                types.during(|| assert!(key.resolve(&[], &[]).is_none()));
            }
            // other connections of this thread know nothing of it
            Types::default().during(|| assert!(key.only_raw_public_keys()));
            assert!(key.only_raw_public_keys());
        }
    }

    #[test]
    fn other_messages_and_broken_ones_say_nothing_of_types() {
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
    fn only_the_plain_alert_of_no_common_type_is_replaced() {
        for (none_in_common, alert, sent) in
            [(true, [21, 3, 3, 0, 2, 2, 49], 43), (false, [21, 3, 3, 0, 2, 2, 49], 49)]
        {
            let mut outgoing = alert;
            Types { none_in_common, ..Types::default() }.replace_alert(&mut outgoing);
            assert_eq!(outgoing[6], sent);
        }
        let mut encrypted = [23, 3, 3, 0, 19, 2, 49];
        Types { none_in_common: true, ..Types::default() }.replace_alert(&mut encrypted);
        assert_eq!(encrypted, [23, 3, 3, 0, 19, 2, 49]);
    }
}
