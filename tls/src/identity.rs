//! What one side shows of itself: a certificate chain and the private key of its first certificate.

use crate::error::Error;
use grille_core::SecretBytes;
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm, verify};
use grille_registry::Numbers;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// A certificate chain, end entity first, and its private key.
pub struct Identity {
    pub(crate) chain: Vec<CertificateDer<'static>>,
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
        let chain: Vec<CertificateDer<'static>> =
            chain.iter().map(|certificate| certificate.to_der().into()).collect();
        check_chain(&chain)?;
        Ok(Self { chain, key: key.to_pkcs8_der(PrivateKeyForm::default_for(key.row()))? })
    }

    /// The two as rustls takes them; it gives the key to [`crate::sign::Keys`], which erases it.
    pub(crate) fn into_parts(self) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        (self.chain, PrivatePkcs8KeyDer::from(self.key.as_ref().to_vec()).into())
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
        Self::new(&Certificate::chain_from_pem(chain)?, &PrivateKey::from_pem_or_der_in(key, numbers)?)
    }
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
