//! Selection of the identity that a server presents, by the name that the client requests and by the signatures it
//! accepts.
//!
//! A server may have several identities for one name, such as an ML-DSA and an ECDSA certificate. Each client gets
//! the first, in the server's order, that it can verify. A server may also have identities for other names.

use crate::error::Error;
use crate::identity::PresentedIdentity;
use crate::trace;
use rustls::crypto::CryptoProvider;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{SignatureAlgorithm, SupportedCipherSuite};
use std::sync::Arc;

/// Identities of a server, in order of preference.
#[derive(Debug)]
pub(crate) struct Identities {
    list: Box<[PresentedIdentity]>,
    /// Cipher suites of TLS 1.2, which determine the keys that can sign; empty without TLS 1.2.
    tls12_suites: Box<[SupportedCipherSuite]>,
}

impl Identities {
    /// Prepares the selection among at least one identity.
    ///
    /// # Errors
    /// Returns [`Error::Configuration`] if a raw public key is combined with another identity: rustls lets a server
    /// offer only one of the two.
    pub(crate) fn new(list: Vec<PresentedIdentity>, provider: &CryptoProvider) -> Result<Self, Error> {
        if list.len() > 1 && list.iter().any(PresentedIdentity::is_raw) {
            return Err(Error::configuration("a raw public key cannot be combined with another identity"));
        }
        let old = |suite: &SupportedCipherSuite| matches!(suite, SupportedCipherSuite::Tls12(_));
        let old_suites = provider.cipher_suites.iter().copied().filter(old).collect();
        Ok(Self { list: list.into(), tls12_suites: old_suites })
    }

    /// Returns whether the identities that qualify depend on the name in the ClientHello.
    pub(crate) fn depend_on_name(&self) -> bool {
        let [first, others @ ..] = &*self.list else { return false };
        others.iter().any(|other| !other.serves_names_of(first))
    }

    /// Returns the identities for the name that a client requests. These are the ones with exactly this name, otherwise
    /// those with a matching wildcard. If there are none, or the client requests no name, they are the ones that share
    /// a name with the first identity.
    pub(crate) fn for_name(&self, name: Option<&str>) -> Vec<&PresentedIdentity> {
        let with_name = |fits: &dyn Fn(&PresentedIdentity) -> bool| {
            self.list.iter().filter(|one| fits(one)).collect::<Vec<_>>()
        };
        if let Some(name) = name {
            for found in [with_name(&|one| one.has_name(name)), with_name(&|one| one.has_wildcard_for(name))]
            {
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let Some(first) = self.list.first() else { return Vec::new() };
        with_name(&|one| one.serves_names_of(first))
    }

    /// Returns the best identity for the client's name. It is the first whose key can sign for the client and whose
    /// issuers' signatures the client accepts. Otherwise it is the first whose key can sign. If no key can sign,
    /// returns the first identity, and the handshake fails.
    fn choose(&self, hello: &ClientHello<'_>) -> Option<&PresentedIdentity> {
        let (schemes, candidates) = (hello.signature_schemes(), self.for_name(hello.server_name()));
        let can_serve = |one: &&&PresentedIdentity| {
            one.can_sign(schemes)
                && (offers_tls13(hello) || self.has_tls12_suite_for(one.key_algorithm(), hello))
        };
        let whole = |one: &&&PresentedIdentity| can_serve(one) && one.is_issued_with(schemes);
        let chosen = candidates.iter().find(whole).or_else(|| candidates.iter().find(can_serve));
        chosen.or_else(|| candidates.first()).copied()
    }

    /// Returns whether client and server share a TLS 1.2 suite for keys of this type.
    fn has_tls12_suite_for(&self, key: SignatureAlgorithm, hello: &ClientHello<'_>) -> bool {
        let common = |suite: &&SupportedCipherSuite| hello.cipher_suites().contains(&suite.suite());
        self.tls12_suites.iter().filter(common).any(|suite| suite.usable_for_signature_algorithm(key))
    }
}

/// Returns whether the client offers a suite of TLS 1.3, and so supports that version. rustls does not expose the
/// versions of a hello.
pub(crate) fn offers_tls13(hello: &ClientHello<'_>) -> bool {
    hello.cipher_suites().iter().any(|suite| u16::from(*suite) >> 8 == 0x13)
}

impl ResolvesServerCert for Identities {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let chosen = self.choose(&hello)?;
        trace::record_presented(chosen.certified());
        Some(chosen.certified().clone())
    }

    fn only_raw_public_keys(&self) -> bool {
        self.list.iter().any(PresentedIdentity::is_raw)
    }
}
