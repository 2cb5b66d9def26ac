//! The keys of one side that have no certificates.

use super::algorithm_options::{not_implemented, single};
use super::key_files::{self, KeyFolders, KeyPair, Part};
use crate::error::Error;
use grille_core::{DynDecapsKey, SystemRng};
use grille_pki::{PrivateKey, PublicKey};
use grille_registry::{KemRow, Row as _, SignatureRow};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::pqc2021::{Kem, PeerKeys, Set, Signature, kem_row, signature_row};
use grille_spdm_engine::signatures::LocalSigner;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys of signatures and of KEMs, at most one for each algorithm.
#[derive(Clone)]
pub(crate) struct KeySet<S, K> {
    pub(super) signatures: Vec<(&'static Signature, S)>,
    pub(super) kems: Vec<(&'static Kem, K)>,
}

/// The private keys of one side.
pub(crate) type RawKeys = KeySet<Arc<LocalSigner>, Box<dyn DynDecapsKey>>;

/// The public keys of the other side.
pub(crate) type PeerRawKeys = KeySet<PublicKey, Vec<u8>>;

impl<S, K> Default for KeySet<S, K> {
    fn default() -> Self {
        Self { signatures: Vec::new(), kems: Vec::new() }
    }
}

impl<S, K> KeySet<S, K> {
    /// Returns the algorithms of the signature keys.
    pub(super) fn signature_set(&self) -> Set {
        self.signatures.iter().map(|(row, _)| row.set()).collect()
    }

    /// Returns the algorithms of the KEM keys.
    pub(super) fn kem_set(&self) -> Set {
        self.kems.iter().map(|(row, _)| row.set()).collect()
    }

    /// Returns whether there are no keys.
    pub(crate) const fn is_empty(&self) -> bool {
        self.signatures.is_empty() && self.kems.is_empty()
    }
}

impl RawKeys {
    /// Generates a key for each algorithm. `round3`: whether SPHINCS+ means round 3 instead of round 2.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(crate) fn generate(signatures: Set, kems: Set, round3: bool) -> Result<Self, Error> {
        let mut keys = Self::default();
        for row in single(signatures).filter_map(Signature::from_set) {
            let key = PrivateKey::generate(registry_signature(row, round3)?, &mut SystemRng)?;
            keys.signatures.push((row, signer(key)?));
        }
        for row in single(kems).filter_map(Kem::from_set) {
            keys.kems.push((row, registry_kem(row)?.kem.generate(&mut SystemRng)));
        }
        Ok(keys)
    }

    /// Writes both halves of every key to a folder, and returns the paths.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or exists and `overwrite` is false.
    pub(crate) fn write(&self, folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
        let signatures = self.signatures.iter().map(|(row, signer)| {
            let key = signer.key();
            let public = key.public_key().bytes().into();
            KeyPair { name: row.name, public, secret: key.signing_key().to_bytes() }
        });
        let kems = self.kems.iter().map(|(row, key)| {
            let public = key.encaps_key_bytes().as_slice().into();
            KeyPair { name: row.name, public, secret: key.to_bytes() }
        });
        key_files::write(folder, signatures.chain(kems), overwrite)
    }

    /// Adds the keys to an identity.
    pub(crate) fn add_to(self, mut identity: Identity) -> Identity {
        for (_, signer) in self.signatures {
            identity = identity.with_raw_signer(signer.key().public_key().clone(), signer);
        }
        for (kem, key) in self.kems {
            if let Some(row) = kem_row(kem) {
                identity = identity.with_kem_key(row, key);
            }
        }
        identity
    }

    /// Returns the public keys, with which the other side is provisioned.
    pub(crate) fn public(&self) -> PeerKeys {
        let signatures = self.signatures.iter().fold(PeerKeys::default(), |all, (_, signer)| {
            all.with_signature(signer.key().public_key().clone())
        });
        let rows = self.kems.iter().filter_map(|(kem, key)| Some((kem_row(kem)?, key.encaps_key_bytes())));
        rows.fold(signatures, |all, (row, key)| all.with_kem(row, key))
    }

    /// Reads the private keys of one side. `named` contains the signatures and the KEMs that the user named; `None`
    /// stands for all that have a key in the folders.
    ///
    /// # Errors
    /// Returns an error if a key of a named algorithm is missing, a file has a wrong length, or the two files of a pair
    /// do not belong together.
    pub(super) fn read(
        folders: &KeyFolders<'_>,
        named: [Option<Set>; 2],
        round3: bool,
    ) -> Result<Self, Error> {
        let mut keys = Self::default();
        for (row, path) in folders.signatures(named[0], Part::Secret)? {
            keys.signatures.push((row, read_signer(folders, row, &path, round3)?));
        }
        for (row, path) in folders.kems(named[1], Part::Secret)? {
            keys.kems.push((row, read_kem(folders, row, &path)?));
        }
        Ok(keys)
    }
}

impl PeerRawKeys {
    /// Reads the public keys of the other side; see [`RawKeys::read`].
    ///
    /// # Errors
    /// Returns an error if a key of a named algorithm is missing, or a file has a wrong length.
    pub(super) fn read(
        folders: &KeyFolders<'_>,
        named: [Option<Set>; 2],
        round3: bool,
    ) -> Result<Self, Error> {
        let mut keys = Self::default();
        for (row, path) in folders.signatures(named[0], Part::Public)? {
            let known = registry_signature(row, round3)?;
            let bytes =
                folders.bytes(&path, row.name, Part::Public, known.signature.info().verifying_key_len)?;
            let key = PublicKey::from_bytes(known, &bytes).map_err(|error| Error::from(error).at(&path))?;
            keys.signatures.push((row, key));
        }
        for (row, path) in folders.kems(named[1], Part::Public)? {
            let bytes = folders.bytes(&path, row.name, Part::Public, row.public_key_len)?;
            let parsed = registry_kem(row)?.kem.encaps_key(&bytes);
            parsed.map_err(|error| Error::failure(error).at(&path))?;
            keys.kems.push((row, bytes.to_vec()));
        }
        Ok(keys)
    }

    /// Returns the keys in the form that the engine needs.
    pub(crate) fn keys(&self) -> PeerKeys {
        let signatures = self.signatures.iter().map(|(_, key)| key.clone());
        let all = signatures.fold(PeerKeys::default(), PeerKeys::with_signature);
        let kems = self.kems.iter().filter_map(|(row, key)| Some((kem_row(row)?, key.clone())));
        kems.fold(all, |all, (row, key)| all.with_kem(row, key))
    }

    /// Returns the encodings of all keys.
    pub(super) fn bytes(&self) -> impl Iterator<Item = &[u8]> {
        let signatures = self.signatures.iter().map(|(_, key)| key.bytes());
        signatures.chain(self.kems.iter().map(|(_, key)| key.as_slice()))
    }

    /// Returns the key of this signature algorithm; `None` if there is none.
    pub(crate) fn signature(&self, row: &SignatureRow) -> Option<&PublicKey> {
        self.signatures.iter().map(|(_, key)| key).find(|key| key.row().name() == row.name())
    }
}

fn read_signer(
    folders: &KeyFolders<'_>,
    row: &'static Signature,
    path: &Path,
    round3: bool,
) -> Result<Arc<LocalSigner>, Error> {
    let known = registry_signature(row, round3)?;
    let bytes = folders.bytes(path, row.name, Part::Secret, known.signature.info().signing_key_len)?;
    let key = PrivateKey::from_raw(known, &bytes).map_err(|error| Error::from(error).at(path))?;
    folders.check_pair(row.name, key.public_key().bytes())?;
    signer(key)
}

fn read_kem(
    folders: &KeyFolders<'_>,
    row: &'static Kem,
    path: &Path,
) -> Result<Box<dyn DynDecapsKey>, Error> {
    let known = registry_kem(row)?;
    let bytes = folders.bytes(path, row.name, Part::Secret, known.kem.info().decaps_key_len)?;
    let key = known.kem.decaps_key(&bytes).map_err(|error| Error::failure(error).at(path))?;
    folders.check_pair(row.name, &key.encaps_key_bytes())?;
    Ok(key)
}

fn signer(key: PrivateKey) -> Result<Arc<LocalSigner>, Error> {
    Ok(Arc::new(LocalSigner::new(Asym::PostQuantum(key.row()), key)?))
}

/// Returns the implementation of a signature algorithm.
///
/// # Errors
/// Returns an error if the algorithm has no implementation, which a test of the engine excludes.
pub(super) fn registry_signature(
    row: &'static Signature,
    round3: bool,
) -> Result<&'static SignatureRow, Error> {
    signature_row(row, round3).ok_or_else(|| not_implemented(row.name))
}

fn registry_kem(row: &'static Kem) -> Result<&'static KemRow, Error> {
    kem_row(row).ok_or_else(|| not_implemented(row.name))
}
