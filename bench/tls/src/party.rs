//! The server's certificate and the client's root, which all libraries share.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::signature_by_name;
use std::error::Error;

/// The name in the certificate.
pub const NAME: &str = "localhost";

/// A root, a certificate that it issued, and that certificate's key, all of one algorithm.
pub struct Party {
    /// The canonical name of the algorithm.
    pub signature: &'static str,
    /// The root that the client trusts.
    pub root: Certificate,
    /// The certificate of the server.
    pub entity: Certificate,
    pub key: PrivateKey,
}

impl Party {
    /// Makes new keys and certificates.
    pub fn new(signature: &'static str) -> Result<Self, Box<dyn Error>> {
        let (row, rng) = (signature_by_name(signature)?, &mut SystemRng);
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, rng)?;
        let template = Template::new("CN=server", Profile::end_entity(&[NAME])?)?;
        let entity = issue(&template, key.public_key(), &root, &root_key, rng)?;
        Ok(Self { signature, root, entity, key })
    }

    /// Returns the key in a format that every library reads.
    pub fn pkcs8(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(self.key.to_pkcs8_der(PrivateKeyForm::default_for(self.key.row()))?.as_ref().to_vec())
    }
}
