//! Keys from files, whose identifiers mean what they mean in a profile.

use crate::algorithm::warn_if_old;
use crate::documents;
use crate::era::{perhaps_old, unknown_here};
use crate::error::Error;
use crate::files;
use crate::lengths::{self, Role};
use crate::output::Output;
use grille_core::{DynDecapsKey, DynEncapsKey, DynSigningKey, DynVerifyingKey};
use grille_pki::{Certificate, Document, KemPrivateKey, KemPublicKey, Kind, PrivateKey, PublicKey};
use grille_registry::{KemRow, Numbers, Row, SignatureRow};
use std::path::Path;
use zeroize::Zeroizing;

/// A key, parsed and checked, and the algorithm that it belongs to.
pub(crate) struct Keyed<R: 'static, K: ?Sized> {
    pub row: &'static R,
    pub key: Box<K>,
}

/// The secret key for signing in `path`: PEM or DER, or the bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn signing_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<SignatureRow, dyn DynSigningKey>, Error> {
    let bytes = read(path, Kind::PrivateKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = PrivateKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| unread(error, Role::PrivateKey, &bytes, path, numbers))?;
        return keyed(path, out, key.row(), Ok(key.into_signing_key()));
    };
    keyed(path, out, row, row.signature.signing_key(&bytes)).map_err(|error| {
        not_raw(error, &bytes, path, numbers, PrivateKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// The public key for verifying in `path`: PEM or DER, or the bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn verifying_key(
    path: &Path,
    raw: Option<&'static SignatureRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<SignatureRow, dyn DynVerifyingKey>, Error> {
    let bytes = read(path, Kind::PublicKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = PublicKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| unread(error, Role::PublicKey, &bytes, path, numbers))?;
        return keyed(path, out, key.row(), key.row().signature.verifying_key(key.bytes()));
    };
    keyed(path, out, row, row.signature.verifying_key(&bytes)).map_err(|error| {
        not_raw(error, &bytes, path, numbers, PublicKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// The secret key of a KEM in `path`: PEM or DER, or the bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn decaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<KemRow, dyn DynDecapsKey>, Error> {
    let bytes = read(path, Kind::PrivateKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = KemPrivateKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| unread(error, Role::PrivateKey, &bytes, path, numbers))?;
        return keyed(path, out, key.row(), Ok(key.into_decaps_key()));
    };
    keyed(path, out, row, row.kem.decaps_key(&bytes)).map_err(|error| {
        not_raw(error, &bytes, path, numbers, KemPrivateKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// The public key of a KEM in `path`: PEM or DER, or the bare key of the algorithm `raw`.
///
/// # Errors
/// Names the file.
pub(crate) fn encaps_key(
    path: &Path,
    raw: Option<&'static KemRow>,
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<KemRow, dyn DynEncapsKey>, Error> {
    let bytes = read(path, Kind::PublicKey, raw.is_some())?;
    let Some(row) = raw else {
        let key = KemPublicKey::from_pem_or_der_in(&bytes, numbers)
            .map_err(|error| unread(error, Role::PublicKey, &bytes, path, numbers))?;
        return keyed(path, out, key.row(), key.row().kem.encaps_key(key.bytes()));
    };
    keyed(path, out, row, row.kem.encaps_key(&bytes)).map_err(|error| {
        not_raw(error, &bytes, path, numbers, KemPublicKey::from_pem_or_der_in(&bytes, numbers).err())
    })
}

/// Reads the public key of the certificate in `path`, whose key usage must allow signatures. Nothing else of the certificate is
/// checked.
///
/// # Errors
/// Names the file, and the key usages if none allows signatures of messages.
pub(crate) fn certified_key(
    path: &Path,
    numbers: Numbers,
    out: &Output,
) -> Result<Keyed<SignatureRow, dyn DynVerifyingKey>, Error> {
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
    let key =
        certificate.in_era(numbers).public_key().map_err(|error| misread(error, &bytes, path, numbers))?;
    keyed(path, out, key.row(), key.row().signature.verifying_key(key.bytes()))
}

/// The key usages of RFC 5280 that allow signatures of messages.
const SIGNING_USAGES: [&str; 2] = ["digitalSignature", "nonRepudiation"];

/// The bytes of a file: as they are if they are a raw key, else with what protects them taken off.
///
/// # Errors
/// Names the file.
pub(crate) fn read(path: &Path, kind: Kind, raw: bool) -> Result<Zeroizing<Vec<u8>>, Error> {
    if raw { files::read(path) } else { documents::read(path, kind) }
}

/// The object identifiers in PEM or DER.
pub(crate) fn identifiers(bytes: &[u8]) -> Vec<String> {
    let documents = Document::all(bytes).unwrap_or_default();
    documents.iter().filter_map(|document| document.identifiers().ok()).flatten().collect()
}

/// Why a file is no key. What is neither PEM nor DER may be a raw key; an identifier that is not known may be another
/// era's, and one that is known may mean another algorithm there.
pub(crate) fn unread(
    error: grille_pki::Error,
    role: Role,
    bytes: &[u8],
    path: &Path,
    numbers: Numbers,
) -> Error {
    match may_be_raw(bytes) {
        true => Error::from(error).at(path).advise(lengths::advice(role, path, bytes)),
        false => misread(error, bytes, path, numbers),
    }
}

/// The same of a private key, where no option names the algorithm of a raw one.
pub(crate) fn no_document(error: grille_pki::Error, bytes: &[u8], path: &Path, numbers: Numbers) -> Error {
    match may_be_raw(bytes) {
        true => Error::from(error).at(path).advise(lengths::conversion(path, bytes)),
        false => misread(error, bytes, path, numbers),
    }
}

/// The same of PEM or DER, whatever is in it.
pub(crate) fn misread(error: grille_pki::Error, bytes: &[u8], path: &Path, numbers: Numbers) -> Error {
    let unknown = matches!(error, grille_pki::Error::UnknownAlgorithm { .. });
    let error = Error::from(error).at(path);
    match unknown {
        true => unknown_here(error, path, identifiers(bytes), numbers),
        false => perhaps_old(error, identifiers(bytes), numbers),
    }
}

/// Whether these may be the bytes of a key, without a wrapping that names its algorithm.
pub(crate) fn may_be_raw(bytes: &[u8]) -> bool {
    !(bytes.is_empty() || is_wrapped(bytes) || bytes.starts_with(b"ssh-"))
}

/// Whether these seem to be DER or PEM.
fn is_wrapped(bytes: &[u8]) -> bool {
    is_der(bytes) || bytes.windows(10).any(|window| window == b"-----BEGIN")
}

/// Whether these begin as a SEQUENCE of DER does: a long one, which may be cut off, or a short one that is whole. Of raw keys
/// and secrets one in 256 begins with its tag.
fn is_der(bytes: &[u8]) -> bool {
    match bytes {
        [0x30] | [0x30, 0x81..=0x83, ..] => true,
        [0x30, len, ..] => *len < 0x80 && bytes.len() == 2 + usize::from(*len),
        _ => false,
    }
}

/// Why bytes are no raw key: where they are DER or PEM, that is why.
///
/// `otherwise`: why they cannot be read without --alg, if they cannot.
pub(crate) fn not_raw(
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
            misread(other, bytes, path, numbers)
        }
        _ => error.advise(
            "--alg is for raw keys; this seems to be PEM or DER, which names its algorithm: leave out --alg",
        ),
    }
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
