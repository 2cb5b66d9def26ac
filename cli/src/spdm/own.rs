//! What a side proves itself with, from files or made anew, and whose chains it believes.

use super::algorithms::{key_name, signers};
use super::device::Credential;
use super::options::certificates;
use crate::error::Error;
use crate::files::{self, NewFile};
use grille_core::SecretBytes;
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Row, signature_by_name};
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::{Everyone, Judge, Roots};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A chain and its key, in files.
#[derive(Clone, clap::Args)]
pub(crate) struct KeyFiles {
    /// The own chain (PEM), from the root to the device.
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The private key to it.
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

/// A key that both sides have beforehand.
#[derive(Clone, clap::Args)]
pub(crate) struct Psk {
    /// The key that both sides have beforehand, hexadecimal.
    #[arg(long, value_name = "HEX", default_value = EMULATORS_PSK)]
    psk: String,
    /// The name of that key, hexadecimal.
    #[arg(long = "psk_hint", value_name = "HEX", default_value = EMULATORS_HINT)]
    psk_hint: String,
}

/// What an emulated side proves itself with.
#[derive(Clone, clap::Args)]
pub(crate) struct Own {
    #[command(flatten)]
    files: KeyFiles,
    /// Save the roots of new keys here (PEM).
    #[arg(long, value_name = "FILE", conflicts_with = "cert")]
    root: Option<PathBuf>,
    /// Replace the file of --root.
    #[arg(long, requires = "root")]
    force: bool,
    #[command(flatten)]
    pub(crate) psk: Psk,
}

/// `TestPskData` of DMTF's emulators, with its zero.
const EMULATORS_PSK: &str = "5465737450736b4461746100";
/// `TestPskHint`, likewise.
const EMULATORS_HINT: &str = "5465737450736b48696e7400";

/// Whether the options name signature algorithms.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) classical: bool,
    pub(crate) post_quantum: bool,
}

impl Named {
    /// Whether any is.
    pub(crate) const fn any(self) -> bool {
        self.classical || self.post_quantum
    }
}

/// A chain, and what signs with its key.
pub(crate) type Signed = (Vec<Certificate>, Arc<LocalSigner>);

/// The identity with this chain in a slot more.
pub(crate) fn in_slot(identity: Identity, slot: u8, (chain, signer): &Signed) -> Identity {
    identity.with(Slot::new(slot, chain.clone(), signer.clone()))
}

impl Psk {
    /// The name of the key.
    ///
    /// # Errors
    /// If it is not hexadecimal.
    pub(crate) fn hint(&self) -> Result<Vec<u8>, Error> {
        hexadecimal("--psk_hint", &self.psk_hint)
    }

    /// An identity that has it.
    ///
    /// # Errors
    /// If key or name are not hexadecimal.
    pub(crate) fn identity(&self) -> Result<Identity, Error> {
        let psk = SecretBytes::from(hexadecimal("--psk", &self.psk)?.as_slice());
        Ok(Identity::default().with_psk(&self.hint()?, psk))
    }
}

impl KeyFiles {
    /// What is in the files, if there are any. `bits`: what may be signed with.
    ///
    /// # Errors
    /// What files have wrong.
    pub(crate) fn read(&self, bits: &Bits) -> Result<Option<Signed>, Error> {
        let files = self.cert.as_deref().zip(self.key.as_deref());
        files.map(|(cert, key)| from_files(cert, key, bits)).transpose()
    }
}

impl Own {
    /// Whether there are files.
    pub(crate) const fn has_files(&self) -> bool {
        self.files.cert.is_some()
    }

    /// Chains and keys for what of `bits` is signed with, in slots 0 to `slots` - 1, and the key of --psk. New keys are
    /// one for each algorithm of the kinds that were `named`, and of the others ECDSA P-384 and ML-DSA-87.
    ///
    /// # Errors
    /// What files have wrong, or no randomness.
    pub(crate) fn identity(&self, bits: &Bits, named: Named, slots: u8) -> Result<Identity, Error> {
        let all = match self.files.read(bits)? {
            Some(read) => vec![read],
            None => self.made(bits, named)?,
        };
        let filled = (0..slots).flat_map(|slot| all.iter().map(move |signed| (slot, signed)));
        Ok(filled.fold(self.psk.identity()?, |identity, (slot, signed)| in_slot(identity, slot, signed)))
    }

    fn made(&self, bits: &Bits, named: Named) -> Result<Vec<Signed>, Error> {
        let wanted = |asym: &Asym| match asym {
            Asym::Classical(_) => named.classical || key_name(*asym) == "ECDSA-P384",
            Asym::PostQuantum(_) => named.post_quantum || key_name(*asym) == "ML-DSA-87",
        };
        let credentials: Vec<Credential> =
            signers(bits).into_iter().filter(wanted).map(Credential::new).collect::<Result<_, _>>()?;
        if let Some(path) = &self.root {
            let roots: String =
                credentials.iter().map(|made| made.root.to_pem()).collect::<Result<_, _>>()?;
            files::write(&[NewFile::public(path, roots.as_bytes())], self.force)?;
        }
        Ok(credentials.into_iter().map(Credential::into_parts).collect())
    }
}

/// Believes chains that end in a root of these files; without files, every chain.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn judge(ca: &[PathBuf]) -> Result<Arc<dyn Judge + Sync>, Error> {
    if ca.is_empty() {
        return Ok(Arc::new(Everyone));
    }
    Ok(Arc::new(Roots::new(certificates(ca)?)))
}

/// What requesters sign with, as if they were responders.
pub(crate) const fn of_requester(bits: &Bits) -> Bits {
    Bits { asym: bits.req_asym as u32, pqc_asym: bits.req_pqc_asym as u32, ..*bits }
}

/// The bytes that an option gives in hexadecimal.
///
/// # Errors
/// If it is not hexadecimal.
pub(super) fn hexadecimal(option: &str, text: &str) -> Result<Vec<u8>, Error> {
    crate::hex::decode(text)
        .ok_or_else(|| Error::usage(format_args!("{text} is not hexadecimal")).at_place(option))
}

fn from_files(cert: &Path, key: &Path, bits: &Bits) -> Result<Signed, Error> {
    let chain = certificates(&[cert.to_owned()])?;
    let key_file = files::read(key)?;
    let private = PrivateKey::from_pem_or_der(&key_file).map_err(|error| Error::from(error).at(key))?;
    if let Some(leaf) = chain.last() {
        grille_pki::verify::check_key_matches(leaf, &private).map_err(|error| Error::from(error).at(key))?;
    }
    let row = private.row().name();
    // the registry has an algorithm under several names
    let fits = |asym: &Asym| signature_by_name(&key_name(*asym)).is_ok_and(|known| known.name() == row);
    let asym = signers(bits).into_iter().find(fits).ok_or_else(|| {
        Error::usage(format_args!("SPDM cannot sign with {row}, or --asym and --pqc_asym leave it out"))
            .at(key)
    })?;
    let signer = LocalSigner::new(asym, private).map_err(|error| Error::from(error).at(key))?;
    Ok((chain, Arc::new(signer)))
}
