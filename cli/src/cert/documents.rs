//! Reads the documents of `grille cert` from files: certificates, requests, revocation lists and keys.

use crate::documents;
use crate::error::Error;
use crate::keys::private_key_error;
use grille_pki::{Certificate, Crl, Kind, PrivateKey, Request};
use grille_registry::Numbers;
use std::path::{Path, PathBuf};

/// Reads every certificate in a file.
pub(crate) fn read_chain(path: &Path, numbers: Numbers) -> Result<Vec<Certificate>, Error> {
    let bytes = documents::read(path, Kind::Certificate)?;
    let chain = Certificate::chain_from_pem(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(chain.into_iter().map(|certificate| certificate.in_era(numbers)).collect())
}

/// Reads the first certificate in a file.
pub(super) fn read_certificate(path: &Path, numbers: Numbers) -> Result<Certificate, Error> {
    let bytes = documents::read(path, Kind::Certificate)?;
    let certificate = Certificate::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(certificate.in_era(numbers))
}

/// Reads the certificate revocation lists in all these files.
///
/// # Errors
/// Returns an error if a file cannot be read, or holds no usable list; the error names the file.
pub(crate) fn read_crls(paths: &[PathBuf]) -> Result<Vec<Crl>, Error> {
    let read = paths.iter().map(|path| {
        let bytes = documents::read(path, Kind::RevocationList)?;
        Crl::all_from_pem(&bytes).map_err(|error| Error::from(error).at(path))
    });
    Ok(read.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Reads the private key in a file.
pub(super) fn read_key(path: &Path, numbers: Numbers) -> Result<PrivateKey, Error> {
    let bytes = documents::read(path, Kind::PrivateKey)?;
    PrivateKey::from_pem_or_der_in(&bytes, numbers)
        .map_err(|error| private_key_error(error, &bytes, path, numbers))
}

/// Reads the certificate request in a file.
pub(super) fn read_request(path: &Path, numbers: Numbers) -> Result<Request, Error> {
    let bytes = documents::read(path, Kind::Request)?;
    let request = Request::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))?;
    Ok(request.in_era(numbers))
}
