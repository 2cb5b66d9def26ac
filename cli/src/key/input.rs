//! Reads a private key of any form from a file.

use crate::algorithm::Algorithm;
use crate::documents;
use crate::error::Error;
use crate::files;
use crate::keys::{key_error, raw_key_error};
use crate::lengths::Role;
use crate::private::Private;
use grille_pki::{Kind, container_format};
use grille_registry::Numbers;
use std::path::Path;

/// Reads the private key in `path`, and names its container. With `raw`, the file is a raw key of that algorithm.
///
/// # Errors
/// Returns an error if the key is invalid. For bytes that are neither PEM nor DER, the error names the algorithms with
/// keys of that length.
pub(super) fn read(
    path: &Path,
    raw: Option<Algorithm>,
    numbers: Numbers,
) -> Result<(Private, &'static str), Error> {
    let file = files::read_document(path)?;
    let (container, bytes) = match raw {
        Some(_) => ("raw", file),
        None => (container_format(&file), documents::decrypt_or_unpack(path, file, Kind::PrivateKey)?),
    };
    let key = Private::read(&bytes, raw, numbers).map_err(|error| match raw {
        None => key_error(error, Role::PrivateKey, &bytes, path, numbers),
        Some(_) => {
            let otherwise = Private::read(&bytes, None, numbers).err();
            raw_key_error(Error::from(error).at(path), &bytes, path, numbers, otherwise)
        }
    })?;
    Ok((key, container))
}
