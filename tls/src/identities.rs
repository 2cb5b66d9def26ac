//! Which of its identities a server shows to a client: by the name that the client asks for, and then by the signatures that
//! the client accepts.
//!
//! A server may have several identities for one name, such as a certificate of ML-DSA beside one of ECDSA: each client gets the
//! first, in the server's order, that it can verify. It may also have identities for other names.

use crate::error::Error;
use crate::identity::Shown;
use crate::trace;
use rustls::crypto::CryptoProvider;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use rustls::{SignatureAlgorithm, SupportedCipherSuite};
use std::sync::Arc;

/// The identities of a server, the preferred one first.
#[derive(Debug)]
pub(crate) struct Identities {
    list: Box<[Shown]>,
    /// The provider's suites for TLS 1.2, where the suite decides which keys can sign; empty without TLS 1.2.
    old_suites: Box<[SupportedCipherSuite]>,
}

impl Identities {
    /// Prepares the choice among these; there is at least one.
    ///
    /// # Errors
    /// [`Error::Configuration`] if a raw public key stands beside another identity: TLS lets a server offer one kind only.
    pub(crate) fn new(list: Vec<Shown>, provider: &CryptoProvider) -> Result<Self, Error> {
        if list.len() > 1 && list.iter().any(Shown::is_raw) {
            return Err(Error::configuration("a raw public key cannot stand beside another identity"));
        }
        let old = |suite: &SupportedCipherSuite| matches!(suite, SupportedCipherSuite::Tls12(_));
        let old_suites = provider.cipher_suites.iter().copied().filter(old).collect();
        Ok(Self { list: list.into(), old_suites })
    }

    /// Whether the ClientHello decides which identities come into question.
    pub(crate) fn differ_by_name(&self) -> bool {
        let [first, others @ ..] = &*self.list else { return false };
        others.iter().any(|other| !other.serves_names_of(first))
    }

    /// Returns the identities for the name that a client asks for: those with exactly this name, or else those with a
    /// matching wildcard, or else those for the names of the first identity, as for a client that asks for no name.
    pub(crate) fn for_name(&self, name: Option<&str>) -> Vec<&Shown> {
        let having =
            |fits: &dyn Fn(&Shown) -> bool| self.list.iter().filter(|one| fits(one)).collect::<Vec<_>>();
        if let Some(name) = name {
            for found in [having(&|one| one.has_name(name)), having(&|one| one.has_wildcard_for(name))] {
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let Some(first) = self.list.first() else { return Vec::new() };
        having(&|one| one.serves_names_of(first))
    }

    /// Returns the first identity for the client's name whose key can sign for the client and whose issuers' signatures the
    /// client accepts; or else one whose key can sign; or else the first, with which the handshake fails.
    fn choose(&self, hello: &ClientHello<'_>) -> Option<&Shown> {
        let (schemes, candidates) = (hello.signature_schemes(), self.for_name(hello.server_name()));
        let able = |one: &&&Shown| {
            one.can_sign(schemes) && (is_new(hello) || self.has_old_suite_for(one.key_algorithm(), hello))
        };
        let whole = |one: &&&Shown| able(one) && one.is_issued_with(schemes);
        let chosen = candidates.iter().find(whole).or_else(|| candidates.iter().find(able));
        chosen.or_else(|| candidates.first()).copied()
    }

    /// Whether client and server have a suite of TLS 1.2 in common that is for keys of this kind.
    fn has_old_suite_for(&self, key: SignatureAlgorithm, hello: &ClientHello<'_>) -> bool {
        let common = |suite: &&SupportedCipherSuite| hello.cipher_suites().contains(&suite.suite());
        self.old_suites.iter().filter(common).any(|suite| suite.usable_for_signature_algorithm(key))
    }
}

/// Whether the client knows TLS 1.3, which has suites of its own. rustls does not pass on the versions that it names.
pub(crate) fn is_new(hello: &ClientHello<'_>) -> bool {
    hello.cipher_suites().iter().any(|suite| u16::from(*suite) >> 8 == 0x13)
}

impl ResolvesServerCert for Identities {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let chosen = self.choose(&hello)?;
        trace::shown(chosen.certified());
        Some(chosen.certified().clone())
    }

    fn only_raw_public_keys(&self) -> bool {
        self.list.iter().any(Shown::is_raw)
    }
}
