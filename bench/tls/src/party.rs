//! Whom the server is, and whom the client trusts: the same for all libraries.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::signature_by_name;
use std::error::Error;

/// The name that the certificate is for.
pub const NAME: &str = "localhost";

/// A root, a certificate that it issued, and that certificate's key, all of one algorithm.
pub struct Party {
    /// The canonical name of the algorithm.
    pub signature: &'static str,
    /// What the client trusts.
    pub root: Certificate,
    /// All that the server shows.
    pub entity: Certificate,
    pub key: PrivateKey,
}

impl Party {
    /// New keys.
    pub fn new(signature: &'static str) -> Result<Self, Box<dyn Error>> {
        let (row, rng) = (signature_by_name(signature)?, &mut SystemRng);
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, rng)?;
        let template = Template::new("CN=server", Profile::end_entity(&[NAME])?)?;
        let entity = issue(&template, key.public_key(), &root, &root_key, rng)?;
        Ok(Self { signature, root, entity, key })
    }

    /// The key as every library reads it.
    pub fn pkcs8(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(self.key.to_pkcs8_der(PrivateKeyForm::default_for(self.key.row()))?.as_ref().to_vec())
    }
}
