//! What one side shows of itself: a certificate chain and the private key of its first certificate.

use crate::error::Error;
use grille_core::SecretBytes;
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm, verify};
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
    /// [`Error::Pki`] if the key belongs to another certificate, or [`Error::Configuration`] if there is none.
    pub fn new(chain: &[Certificate], key: &PrivateKey) -> Result<Self, Error> {
        let Some(own) = chain.first() else {
            return Err(Error::configuration("a certificate chain has at least one certificate"));
        };
        verify::check_key_matches(own, key)?;
        Ok(Self {
            chain: chain.iter().map(|certificate| certificate.to_der().into()).collect(),
            key: key.to_pkcs8_der(PrivateKeyForm::default_for(key.row()))?,
        })
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
        Self::new(&Certificate::chain_from_pem(chain)?, &PrivateKey::from_pem_or_der(key)?)
    }
}
