//! The server and the client of a demo session: keys and certificates, written to files and read back.

use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::{SignatureRow, signature_by_name};
use grille_tls::Identity;
use std::path::Path;
use std::time::{Duration, Instant};

/// The name in the certificates.
pub(super) const NAME: &str = "localhost";

/// The costs of making one side's key and certificate.
pub(super) struct IdentityCosts {
    /// The time for generating the entity's key, not the root's.
    pub(super) key_time: Duration,
    /// The time for issuing the entity's certificate.
    pub(super) certificate_time: Duration,
    pub(super) certificate_bytes: usize,
}

/// The server or the client: the root that its peer must trust, its identity, and the costs of making the identity.
pub(super) struct DemoPeer {
    pub(super) root: Certificate,
    pub(super) identity: Identity,
    pub(super) costs: IdentityCosts,
}

impl DemoPeer {
    /// Makes the side with this name, with its files in `folder`. Its root has a key of `root_algorithm`, and its
    /// certificate has a key of `algorithm`.
    pub(super) fn new(
        side: &str,
        root_algorithm: &str,
        algorithm: &str,
        folder: &Path,
    ) -> Result<Self, Error> {
        let (root_row, row) = (signature_by_name(root_algorithm)?, signature_by_name(algorithm)?);
        let (root_key, _) = key(root_row)?;
        let root = Template::new(&format!("CN={side} root"), Profile::Root).map_err(setup_error)?;
        let root = self_signed(&root, &root_key, &mut SystemRng).map_err(setup_error)?;
        let (key, key_time) = key(row)?;
        let entity = Profile::end_entity(&[NAME]).map_err(setup_error)?;
        let entity = Template::new(&format!("CN={side}"), entity).map_err(setup_error)?;
        let start = Instant::now();
        let entity =
            issue(&entity, key.public_key(), &root, &root_key, &mut SystemRng).map_err(setup_error)?;
        let certificate_time = start.elapsed();
        let costs = IdentityCosts { key_time, certificate_time, certificate_bytes: entity.to_der().len() };
        let root = write_and_read(
            folder,
            &format!("{side}-root.pem"),
            root.to_pem().map_err(setup_error)?.as_bytes(),
        )?;
        let chain =
            write_and_read(folder, &format!("{side}.pem"), entity.to_pem().map_err(setup_error)?.as_bytes())?;
        let key = key.to_pkcs8_pem(PrivateKeyForm::default_for(row)).map_err(setup_error)?;
        let key = write_and_read(folder, &format!("{side}.key"), key.as_bytes())?;
        Ok(Self {
            root: Certificate::from_pem_or_der(&root).map_err(setup_error)?,
            identity: Identity::from_pem(&chain, &key)?,
            costs,
        })
    }
}

fn key(row: &'static SignatureRow) -> Result<(PrivateKey, Duration), Error> {
    let start = Instant::now();
    let key = PrivateKey::generate(row, &mut SystemRng).map_err(setup_error)?;
    Ok((key, start.elapsed()))
}

/// Writes a file readable by its owner only, reads it back, and removes it at once, so that a stopped demo leaves no
/// key.
fn write_and_read(folder: &Path, name: &str, bytes: &[u8]) -> Result<zeroize::Zeroizing<Vec<u8>>, Error> {
    let path = folder.join(name);
    crate::files::write(&[crate::files::NewFile::private(&path, bytes)], false)?;
    let read = crate::files::read_document(&path)?;
    std::fs::remove_file(&path).map_err(|error| Error::from(error).at(&path))?;
    Ok(read)
}

fn setup_error(error: grille_pki::Error) -> Error {
    grille_tls::Error::from(error).into()
}
