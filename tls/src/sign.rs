//! Private keys of every registered signature algorithm, as rustls signs with them.

use crate::trace::{self, Step};
use grille_core::SystemRng;
use grille_pki::PrivateKey;
use rustls::crypto::KeyProvider;
use rustls::pki_types::{PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::sign::{Signer, SigningKey};
use rustls::{Error, SignatureAlgorithm, SignatureScheme};
use std::fmt;
use std::sync::Arc;

/// Loads private keys of every form that grille-pki reads; classical ones go to aws-lc-rs.
#[derive(Debug)]
pub(crate) struct Keys;

impl KeyProvider for Keys {
    fn load_private_key(&self, der: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        let key = PrivateKey::from_pem_or_der(der.secret_der()).map_err(|e| Error::General(e.to_string()))?;
        if key.row().category == 0 {
            return Ok(Arc::new(Noted(rustls::crypto::aws_lc_rs::sign::any_supported_type(&der)?)));
        }
        let Some(code) = key.row().tls_scheme else {
            return Err(Error::General("this algorithm has no TLS signature scheme".to_owned()));
        };
        let spki = key.public_key().to_spki_der().map_err(|e| Error::General(e.to_string()))?;
        let key = Key { key: Arc::new(key), scheme: SignatureScheme::from(code), spki: spki.into() };
        Ok(Arc::new(Noted(Arc::new(key))))
    }
}

/// A signing key whose use is noted in [`trace`].
#[derive(Debug)]
struct Noted(Arc<dyn SigningKey>);

impl SigningKey for Noted {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        Some(Box::new(NotedSigner(self.0.choose_scheme(offered)?)))
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.0.public_key()
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.0.algorithm()
    }
}

#[derive(Debug)]
struct NotedSigner(Box<dyn Signer>);

impl Signer for NotedSigner {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        trace::signed(self.scheme());
        trace::timed(Step::Sign, || self.0.sign(message))
    }

    fn scheme(&self) -> SignatureScheme {
        self.0.scheme()
    }
}

/// A quantum-safe signing key: it has exactly one scheme.
struct Key {
    key: Arc<PrivateKey>,
    scheme: SignatureScheme,
    spki: SubjectPublicKeyInfoDer<'static>,
}

impl SigningKey for Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        let offered = offered.contains(&self.scheme);
        offered
            .then(|| Box::new(OneSignature { key: self.key.clone(), scheme: self.scheme }) as Box<dyn Signer>)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(self.spki.clone())
    }

    /// Asked by TLS 1.2 only, which has no number for these algorithms.
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::Unknown(255)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({:?})", self.scheme)
    }
}

struct OneSignature {
    key: Arc<PrivateKey>,
    scheme: SignatureScheme,
}

impl Signer for OneSignature {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = self.key.signing_key().sign(message, b"", &mut SystemRng);
        signature.map_err(|e| Error::General(e.to_string()))
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}

impl fmt::Debug for OneSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OneSignature({:?})", self.scheme)
    }
}
