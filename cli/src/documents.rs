//! Reads keys, certificates and requests from files of every format: PEM, DER, encrypted PKCS#8, PKCS#12.

use crate::error::Error;
use crate::output::{DIM, printable};
use crate::{files, passphrase};
use grille_pki::{Kind, decrypt, skipped_labels};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Reads a file, or standard input for `-`, and decrypts or unpacks (PKCS#12) the documents of `kind`.
///
/// The parsers of `grille_pki` take the result.
///
/// # Errors
/// The error names the file, and states why it cannot be read, decrypted (no passphrase or a wrong one) or unpacked.
pub(crate) fn read(path: &Path, kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    let bytes = files::read_document(path).map_err(|error| match files::is_missing(path) {
        true => error.advise(creation_advice(path, kind)),
        false => error,
    })?;
    decrypt_or_unpack(path, bytes, kind)
}

/// Returns advice for a missing file: the command that makes the file.
fn creation_advice(path: &Path, kind: Kind) -> String {
    let path = path.display();
    let (document, command) = match kind {
        Kind::PrivateKey => ("key", format!("grille keygen --alg NAME --out {path}")),
        Kind::PublicKey => ("key pair", format!("grille keygen --alg NAME --out KEY --pub {path}")),
        Kind::Certificate => ("chain", "grille cert chain --alg ML-DSA-65 --out DIR".to_owned()),
        Kind::Request => ("request", format!("grille cert request --key KEY --out {path}")),
        Kind::RevocationList => {
            ("revocation list", format!("grille cert crl --ca CERT --ca-key KEY --out {path}"))
        }
    };
    format!("check the file name, or make a {document} with `{command}`")
}

/// Decrypts or unpacks `bytes`, the contents of the file at `path`.
///
/// # Errors
/// The errors of [`read`].
pub(crate) fn decrypt_or_unpack(
    path: &Path,
    bytes: Zeroizing<Vec<u8>>,
    kind: Kind,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    note_skipped(path, &bytes, kind);
    let plain = match decrypt(&bytes, kind, None) {
        Err(grille_pki::Error::Encrypted { element }) => {
            passphrase::open(path, element, |passphrase| decrypt(&bytes, kind, Some(passphrase)))?
        }
        opened => opened.map_err(|error| Error::from(error).at(path))?,
    };
    Ok(plain.unwrap_or(bytes))
}

/// Suppresses all further notes about skipped PEM blocks.
pub(crate) fn suppress_notes() {
    SILENT.store(true, Ordering::Relaxed);
}

static SILENT: AtomicBool = AtomicBool::new(false);

/// Prints a note about each skipped PEM block, once for each file and label.
fn note_skipped(path: &Path, bytes: &[u8], kind: Kind) {
    if SILENT.load(Ordering::Relaxed) {
        return;
    }
    static REPORTED: Mutex<BTreeSet<(PathBuf, String)>> = Mutex::new(BTreeSet::new());
    for label in skipped_labels(bytes, kind) {
        let mut noted = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.insert((path.to_owned(), label.clone())) {
            // standard error may be closed
            let name = printable(&path.display().to_string());
            let _ = writeln!(anstream::stderr(), "{DIM}{name}: skipped PEM block \"{label}\"{DIM:#}");
        }
    }
}
