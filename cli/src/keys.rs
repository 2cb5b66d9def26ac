//! Keys from files: the algorithms' own bytes, so `--alg` must name the algorithm.

use crate::algorithm::warn_if_old;
use crate::error::Error;
use crate::files;
use crate::output::Output;
use grille_core::{DynDecapsKey, DynEncapsKey, DynSigningKey, DynVerifyingKey};
use grille_registry::{KemRow, Row, SignatureRow};
use std::path::Path;

/// A key, parsed and checked, and the algorithm that it belongs to.
pub(crate) struct Keyed<R: 'static, K: ?Sized> {
    pub row: &'static R,
    pub key: Box<K>,
}

/// The secret key for signing in `path`, a bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn signing_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    out: &Output,
) -> Result<Keyed<SignatureRow, dyn DynSigningKey>, Error> {
    let bytes = files::read(path)?;
    let row = named(path, raw)?;
    keyed(path, out, row, row.signature.signing_key(&bytes))
}

/// The public key for verifying in `path`, a bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn verifying_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    out: &Output,
) -> Result<Keyed<SignatureRow, dyn DynVerifyingKey>, Error> {
    let bytes = files::read(path)?;
    let row = named(path, raw)?;
    keyed(path, out, row, row.signature.verifying_key(&bytes))
}

/// The secret key of a KEM in `path`, a bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn decaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    out: &Output,
) -> Result<Keyed<KemRow, dyn DynDecapsKey>, Error> {
    let bytes = files::read(path)?;
    let row = named(path, raw)?;
    keyed(path, out, row, row.kem.decaps_key(&bytes))
}

/// The public key of a KEM in `path`, a bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn encaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    out: &Output,
) -> Result<Keyed<KemRow, dyn DynEncapsKey>, Error> {
    let bytes = files::read(path)?;
    let row = named(path, raw)?;
    keyed(path, out, row, row.kem.encaps_key(&bytes))
}

fn named<R>(path: &Path, raw: Option<&'static R>) -> Result<&'static R, Error> {
    raw.ok_or_else(|| {
        Error::usage("does not say what it is").at(path).advise("name its algorithm with --alg")
    })
}

fn keyed<R: Row, K: ?Sized>(
    path: &Path,
    out: &Output,
    row: &'static R,
    key: Result<Box<K>, grille_core::Error>,
) -> Result<Keyed<R, K>, Error> {
    warn_if_old(row, out);
    Ok(Keyed {
        row,
        key: key
            .map_err(|error| Error::from(error).at(path).advise(format_args!("is it {}?", row.name())))?,
    })
}
