//! What one side shows of itself: a certificate chain, or a public key alone; and the private key that belongs to it.

use crate::client::set_up;
use crate::error::Error;
use crate::report::Chain;
use grille_core::SecretBytes;
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm, PublicKey, verify};
use grille_registry::Numbers;
use rustls::SignatureScheme;
use rustls::client::ResolvesClientCert;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::sync::Arc;

/// A certificate chain, end entity first, or a raw public key, and its private key.
pub struct Identity {
    /// Of a raw public key (RFC 7250) its SubjectPublicKeyInfo alone, as TLS has it in place of certificates.
    pub(crate) chain: Chain,
    pub(crate) raw: bool,
    /// PKCS #8.
    key: SecretBytes,
}

impl Identity {
    /// From a chain, end entity first, and the private key of its first certificate.
    ///
    /// # Errors
    /// [`Error::Pki`] if the key belongs to another certificate, or [`Error::Configuration`] if there is none
    /// or the chain is too long.
    pub fn new(chain: &[Certificate], key: &PrivateKey) -> Result<Self, Error> {
        let Some(own) = chain.first() else {
            return Err(Error::configuration("a certificate chain has at least one certificate"));
        };
        verify::check_key_matches(own, key)?;
        let chain: Arc<[CertificateDer<'static>]> =
            chain.iter().map(|certificate| certificate.to_der().into()).collect();
        check_chain(&chain)?;
        Ok(Self { chain: Chain(chain), raw: false, key: pkcs8(key)? })
    }

    /// The public half of the key alone (RFC 7250): for peers that know it.
    ///
    /// # Errors
    /// [`Error::Pki`] if no object identifier names the key's algorithm.
    pub fn raw(key: &PrivateKey) -> Result<Self, Error> {
        let spki = key.public_key().to_spki_der()?;
        Ok(Self { chain: Chain(Arc::new([spki.into()])), raw: true, key: pkcs8(key)? })
    }

    /// The public keys that are shown, its own first; of certificates those that can be read by these numbers.
    #[must_use]
    pub fn keys(&self, numbers: Numbers) -> Vec<PublicKey> {
        match self.raw {
            true => self.chain.raw_public_key(numbers).into_iter().collect(),
            false => {
                let certificates = self.chain.certificates().map(|certificate| certificate.in_era(numbers));
                certificates.filter_map(|certificate| certificate.public_key().ok()).collect()
            }
        }
    }

    /// The two as rustls takes them; it gives the key to [`crate::sign::Keys`], which erases it.
    ///
    /// # Errors
    /// [`Error::Tls`] if the key cannot sign in TLS.
    pub(crate) fn into_shown(self, provider: &CryptoProvider) -> Result<Shown, Error> {
        let (chain, raw) = (self.chain.0.to_vec(), self.raw);
        let key: PrivateKeyDer<'static> = PrivatePkcs8KeyDer::from(self.key.as_ref().to_vec()).into();
        let certified = if raw {
            provider.key_provider.load_private_key(key).map(|key| CertifiedKey::new(chain, key))
        } else {
            CertifiedKey::from_der(chain, key, provider)
        };
        Ok(Shown { certified: Arc::new(certified.map_err(set_up)?), raw })
    }

    /// The same, from PEM.
    ///
    /// # Errors
    /// As [`Identity::new`], and [`Error::Pki`] if the texts cannot be parsed.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, Error> {
        Self::from_pem_in(chain, key, Numbers::default())
    }

    /// The same, with the object identifiers of an era.
    ///
    /// # Errors
    /// As [`Identity::from_pem`].
    pub fn from_pem_in(chain: &[u8], key: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::new(&Certificate::chain_from_pem(chain)?, &PrivateKey::small_from_pem_or_der_in(key, numbers)?)
    }
}

/// An identity as rustls holds it: shown to every peer, whatever it asks for. The chain is in it, and nowhere else: that of
/// one signature can have several kilobytes.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    certified: Arc<CertifiedKey>,
    raw: bool,
}

impl Shown {
    /// The end entity's certificate, or the raw public key.
    pub(crate) fn end_entity(&self) -> &[u8] {
        self.certified.cert.first().map_or(&[], |own| own.as_ref())
    }

    /// A copy, for a report.
    pub(crate) fn chain(&self) -> Chain {
        Chain::of(&self.certified.cert)
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.certified.clone())
    }

    fn only_raw_public_keys(&self) -> bool {
        self.raw
    }
}

impl ResolvesClientCert for Shown {
    fn resolve(&self, _: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        Some(self.certified.clone())
    }

    fn only_raw_public_keys(&self) -> bool {
        self.raw
    }

    fn has_certs(&self) -> bool {
        true
    }
}

fn pkcs8(key: &PrivateKey) -> Result<SecretBytes, Error> {
    Ok(key.to_pkcs8_der(PrivateKeyForm::default_for(key.row()))?)
}

/// The longest handshake message that rustls takes; TLS itself allows 16 MiB.
const MAX_MESSAGE_LEN: usize = 0xFFFF;

/// That a peer like this side can take its certificates in one message.
fn check_chain(chain: &[CertificateDer<'_>]) -> Result<(), Error> {
    // RFC 8446 section 4.4.2: an empty context, the list's length, and for each certificate its length and extensions'
    let list: usize = chain.iter().map(|certificate| certificate.len() + 5).sum();
    let message = 4 + list;
    if message <= MAX_MESSAGE_LEN {
        return Ok(());
    }
    Err(Error::configuration(format!(
        "the chain's Certificate message has {message} bytes, and the TLS engine takes {MAX_MESSAGE_LEN} in one \
         handshake message; use a shorter chain, or issuers with shorter signatures"
    )))
}
