//! Keys, certificates and requests as people have them: whatever file they are in, every verb reads them here.

use crate::error::Error;
use crate::output::{DIM, printable};
use crate::{files, passphrase};
use grille_pki::{Kind, skipped, unlock};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use zeroize::Zeroizing;

/// Reads a file of documents, or standard input for `-`, and takes off what protects those of `kind`: encryption, or PKCS#12. The
/// readers of `grille_pki` take the result.
///
/// # Errors
/// Names the file: the system's reason, a passphrase that is missing or does not fit, and what is wrong with PKCS#12.
pub(crate) fn read(path: &Path, kind: Kind) -> Result<Zeroizing<Vec<u8>>, Error> {
    opened(path, files::read(path)?, kind)
}

/// Does the same with the contents of the file at `path`.
///
/// # Errors
/// As those of [`read`].
pub(crate) fn opened(
    path: &Path,
    bytes: Zeroizing<Vec<u8>>,
    kind: Kind,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    note_skipped(path, &bytes, kind);
    let plain = match unlock(&bytes, kind, None) {
        Err(grille_pki::Error::Encrypted { element }) => {
            passphrase::open(path, element, |passphrase| unlock(&bytes, kind, Some(passphrase)))?
        }
        opened => opened.map_err(|error| Error::from(error).at(path))?,
    };
    Ok(plain.unwrap_or(bytes))
}

/// From now on no notes are written.
pub(crate) fn stop_notes() {
    SILENT.store(true, Ordering::Relaxed);
}

static SILENT: AtomicBool = AtomicBool::new(false);

/// Says once which blocks of a file are not read.
fn note_skipped(path: &Path, bytes: &[u8], kind: Kind) {
    if SILENT.load(Ordering::Relaxed) {
        return;
    }
    static NOTED: Mutex<BTreeSet<(PathBuf, String)>> = Mutex::new(BTreeSet::new());
    for label in skipped(bytes, kind) {
        let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.insert((path.to_owned(), label.clone())) {
            // standard error may be closed; there is nobody left to tell
            let name = printable(&path.display().to_string());
            let _ = writeln!(anstream::stderr(), "{DIM}{name}: PEM of \"{label}\" is skipped{DIM:#}");
        }
    }
}
