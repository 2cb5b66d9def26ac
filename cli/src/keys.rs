//! Reads keys from files; object identifiers are interpreted in a profile.

use crate::algorithm::warn_if_old;
use crate::documents;
use crate::era::{with_known_profile, with_other_meaning};
use crate::error::Error;
use crate::files;
use crate::lengths::{self, Role};
use crate::output::Output;
use grille_core::{DynDecapsKey, DynEncapsKey, DynSigningKey, DynVerifyingKey};
use grille_pki::{Certificate, Document, KemPrivateKey, KemPublicKey, Kind, PrivateKey, PublicKey};
use grille_registry::{KemRow, Numbers, Row, SignatureRow};
use std::path::Path;
use zeroize::Zeroizing;

/// A parsed and checked key with the row of its algorithm.
pub(crate) struct KeyWithRow<R: 'static, K: ?Sized> {
    pub row: &'static R,
    pub key: Box<K>,
}

/// Reads the signing key in `path`: PEM or DER, or a raw key of the algorithm `raw`.
///
/// # Errors
/// The error names the file.
pub(crate) fn signing_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<KeyWithRow<SignatureRow, dyn DynSigningKey>, Error> {
    let bytes = read(path, Kind::PrivateKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = PrivateKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| key_error(error, Role::PrivateKey, &bytes, path, numbers))?;
        return key_with_row(path, out, key.row(), Ok(key.into_signing_key()));
    };
    key_with_row(path, out, row, row.signature.signing_key(&bytes)).map_err(|error| {
        raw_key_error(error, &bytes, path, numbers, PrivateKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// Reads the verifying key in `path`: PEM or DER, or a raw key of the algorithm `raw`.
///
/// # Errors
/// The error names the file.
pub(crate) fn verifying_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<KeyWithRow<SignatureRow, dyn DynVerifyingKey>, Error> {
    let bytes = read(path, Kind::PublicKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = PublicKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| key_error(error, Role::PublicKey, &bytes, path, numbers))?;
        return key_with_row(path, out, key.row(), key.row().signature.verifying_key(key.bytes()));
    };
    key_with_row(path, out, row, row.signature.verifying_key(&bytes)).map_err(|error| {
        raw_key_error(error, &bytes, path, numbers, PublicKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// Reads the decapsulation key in `path`: PEM or DER, or a raw key of the algorithm `raw`.
///
/// # Errors
/// The error names the file.
pub(crate) fn decaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<KeyWithRow<KemRow, dyn DynDecapsKey>, Error> {
    let bytes = read(path, Kind::PrivateKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = KemPrivateKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| key_error(error, Role::PrivateKey, &bytes, path, numbers))?;
        return key_with_row(path, out, key.row(), Ok(key.into_decaps_key()));
    };
    key_with_row(path, out, row, row.kem.decaps_key(&bytes)).map_err(|error| {
        raw_key_error(error, &bytes, path, numbers, KemPrivateKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// Reads the encapsulation key in `path`: PEM or DER, or a raw key of the algorithm `raw`.
///
/// # Errors
/// The error names the file.
pub(crate) fn encaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<KeyWithRow<KemRow, dyn DynEncapsKey>, Error> {
    let bytes = read(path, Kind::PublicKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = KemPublicKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| key_error(error, Role::PublicKey, &bytes, path, numbers))?;
        return key_with_row(path, out, key.row(), key.row().kem.encaps_key(key.bytes()));
    };
    key_with_row(path, out, row, row.kem.encaps_key(&bytes)).map_err(|error| {
        raw_key_error(error, &bytes, path, numbers, KemPublicKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// Reads the public key of the certificate in `path`, whose key usage must allow signatures. The certificate's
/// signature and validity are not checked.
///
/// # Errors
/// The error names the file, and the key usages if none allows signatures of messages.
pub(crate) fn certified_key(
    path: &Path,
    numbers: Numbers,
    out: &Output,
) -> Result<KeyWithRow<SignatureRow, dyn DynVerifyingKey>, Error> {
    let bytes = documents::read(path, Kind::Certificate)?;
    let certificate = Certificate::from_pem_or_der(&bytes).map_err(|error| Error::from(error).at(path))?;
    let usages = certificate.key_usages();
    if !usages.is_empty() && !usages.iter().any(|usage| SIGNING_USAGES.contains(usage)) {
        return Err(Error::failure(format_args!(
            "the certificate's key may not sign messages: its key usage is {}, without {}",
            usages.join(", "),
            SIGNING_USAGES.join(" or ")
        ))
        .at(path)
        .advise("ask the signer for the certificate that belongs to the signing key"));
    }
    let key = certificate
        .in_era(numbers)
        .public_key()
        .map_err(|error| document_error(error, &bytes, path, numbers))?;
    key_with_row(path, out, key.row(), key.row().signature.verifying_key(key.bytes()))
}

/// The key usages of RFC 5280 that allow signatures of messages.
const SIGNING_USAGES: [&str; 2] = ["digitalSignature", "nonRepudiation"];

/// Reads a file: unchanged if it is a raw key, otherwise decrypted or unpacked.
///
/// # Errors
/// The error names the file.
pub(crate) fn read(path: &Path, kind: Kind, raw: bool) -> Result<Zeroizing<Vec<u8>>, Error> {
    if raw { files::read_document(path) } else { documents::read(path, kind) }
}

/// Returns the object identifiers in PEM or DER.
pub(crate) fn identifiers(bytes: &[u8]) -> Vec<String> {
    let documents = Document::all(bytes).unwrap_or_default();
    documents.iter().filter_map(|document| document.identifiers().ok()).flatten().collect()
}

/// Returns the error for a file that is not a key, with advice.
///
/// Bytes that are neither PEM nor DER may be a raw key. The object identifier may belong to another profile, or mean a
/// different algorithm there.
pub(crate) fn key_error(
    error: grille_pki::Error,
    role: Role,
    bytes: &[u8],
    path: &Path,
    numbers: Numbers,
) -> Error {
    match may_be_raw(bytes) {
        true => Error::from(error).at(path).advise(lengths::raw_bytes_advice(role, path, bytes)),
        false => document_error(error, bytes, path, numbers),
    }
}

/// Returns the error for a file that is not a private key, with advice, for subcommands without an option that names
/// the algorithm of a raw key.
pub(crate) fn private_key_error(
    error: grille_pki::Error,
    bytes: &[u8],
    path: &Path,
    numbers: Numbers,
) -> Error {
    match may_be_raw(bytes) {
        true => Error::from(error).at(path).advise(lengths::conversion_advice(path, bytes)),
        false => document_error(error, bytes, path, numbers),
    }
}

/// Returns the error for a PEM or DER document of any kind, with advice about other profiles.
pub(crate) fn document_error(error: grille_pki::Error, bytes: &[u8], path: &Path, numbers: Numbers) -> Error {
    let unknown = matches!(error, grille_pki::Error::UnknownAlgorithm { .. });
    let error = Error::from(error).at(path);
    match unknown {
        true => with_known_profile(error, path, identifiers(bytes), numbers),
        false => with_other_meaning(error, identifiers(bytes), numbers),
    }
}

/// Returns whether `bytes` may be a raw key: neither empty, PEM, DER nor an OpenSSH key.
pub(crate) fn may_be_raw(bytes: &[u8]) -> bool {
    !(bytes.is_empty() || is_wrapped(bytes) || bytes.starts_with(b"ssh-"))
}

/// Returns whether `bytes` look like DER or PEM.
fn is_wrapped(bytes: &[u8]) -> bool {
    is_der(bytes) || bytes.windows(10).any(|window| window == b"-----BEGIN")
}

/// Returns whether `bytes` seem to be a DER SEQUENCE: a long one, possibly truncated, or a complete short one.
///
/// The tag alone does not decide: one raw key in 256 begins with it.
fn is_der(bytes: &[u8]) -> bool {
    match bytes {
        [0x30] | [0x30, 0x81..=0x83, ..] => true,
        [0x30, len, ..] => *len < 0x80 && bytes.len() == 2 + usize::from(*len),
        _ => false,
    }
}

/// Returns the error for a file that is not a raw key, for example because it is DER or PEM.
///
/// `otherwise` is the error of reading the file without `--alg`; `None` if that succeeds.
pub(crate) fn raw_key_error(
    error: Error,
    bytes: &[u8],
    path: &Path,
    numbers: Numbers,
    otherwise: Option<grille_pki::Error>,
) -> Error {
    use grille_pki::Error as E;
    match otherwise {
        _ if !is_wrapped(bytes) => error,
        Some(other @ (E::Label { .. } | E::OtherUse { .. } | E::UnknownAlgorithm { .. })) => {
            document_error(other, bytes, path, numbers)
        }
        _ => error.advise(
            "leave out --alg, which is for raw keys: the file seems to be PEM or DER and names its algorithm",
        ),
    }
}

fn key_with_row<R: Row, K: ?Sized>(
    path: &Path,
    out: &Output,
    row: &'static R,
    key: Result<Box<K>, grille_core::Error>,
) -> Result<KeyWithRow<R, K>, Error> {
    warn_if_old(row, out);
    Ok(KeyWithRow {
        row,
        key: key.map_err(|error| {
            Error::from(error).at(path).advise(format_args!("check that it is {}", row.name()))
        })?,
    })
}
