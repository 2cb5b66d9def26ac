//! What one side shows of itself: a certificate chain and the private key of its first certificate.

use crate::error::Error;
use grille_core::SecretBytes;
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm, verify};
use grille_registry::Row;
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
    /// or the chain and a signature are too long for TLS.
    pub fn new(chain: &[Certificate], key: &PrivateKey) -> Result<Self, Error> {
        let Some(own) = chain.first() else {
            return Err(Error::configuration("a certificate chain has at least one certificate"));
        };
        verify::check_key_matches(own, key)?;
        let chain: Vec<CertificateDer<'static>> =
            chain.iter().map(|certificate| certificate.to_der().into()).collect();
        check_flight(&chain, key)?;
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
        Self::new(&Certificate::chain_from_pem(chain)?, &PrivateKey::from_pem_or_der(key)?)
    }
}

/// The most bytes of handshake messages that arrive together: the receive buffer of rustls, which is the length of one
/// message of its own.
pub(crate) const MAX_FLIGHT_LEN: usize = 0xFFFF;
/// What a flight has besides certificates and their signature, at most.
const OTHER_MESSAGES_LEN: usize = 1024;

/// That the peer can take this side's certificates and signature.
fn check_flight(chain: &[CertificateDer<'_>], key: &PrivateKey) -> Result<(), Error> {
    let certificates: usize = chain.iter().map(|certificate| certificate.len() + 5).sum();
    let signature = key.row().signature.info().signature_len;
    let flight = certificates + signature + OTHER_MESSAGES_LEN;
    if flight <= MAX_FLIGHT_LEN {
        return Ok(());
    }
    Err(Error::configuration(format!(
        "{certificates} bytes of certificates and {signature} of a {} signature are more than the {MAX_FLIGHT_LEN} \
         bytes of handshake messages that the TLS engine takes at once; use a shorter chain, or a parameter set with \
         shorter signatures",
        key.row().name()
    )))
}
