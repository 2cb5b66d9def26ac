//! Sides for trials: a root and an entity of one algorithm, in memory only.

use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::SignatureRow;
use grille_tls::Identity;

/// Whom others must trust, and what is shown.
pub(super) struct Party {
    root: Certificate,
    entity: Certificate,
    key: PrivateKey,
}

/// The name that the certificates are for.
pub(super) const NAME: &str = "127.0.0.1";

/// The distinguished names in wolfSSL's generate_falcon_chains.sh and its siblings.
const ROOT: &str = "C=CA,ST=ON,L=Waterloo,O=wolfSSL Inc.,OU=Engineering,CN=Root Certificate";
const ENTITY: &str = "C=CA,ST=ON,L=Waterloo,O=wolfSSL Inc.,OU=Engineering,CN=Entity Certificate";

impl Party {
    /// New keys and certificates: names, usages and validity are those of wolfSSL's scripts, without an address for
    /// mail and with one name for the entity.
    ///
    /// # Errors
    /// None that can happen to new keys.
    pub(super) fn generate(row: &'static SignatureRow) -> Result<Self, Error> {
        let rng = &mut SystemRng;
        let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
        let root = Template::new(ROOT, Profile::Root)?.serial(&[20]);
        let root = self_signed(&root, &root_key, rng)?;
        let entity = Template::new(ENTITY, Profile::end_entity(&[NAME])?)?.serial(&[21]);
        let entity = issue(&entity, key.public_key(), &root, &root_key, rng)?;
        Ok(Self { root, entity, key })
    }

    pub(super) fn roots(&self) -> Vec<Certificate> {
        vec![self.root.clone()]
    }

    /// The entity's certificate and key.
    ///
    /// # Errors
    /// If certificates and signatures are too long for TLS.
    pub(super) fn identity(&self) -> Result<Identity, Error> {
        Ok(Identity::new(std::slice::from_ref(&self.entity), &self.key)?)
    }
}
