//! Algorithm identifiers: from rows of the registry, and back.

use crate::Error;
use const_oid::ObjectIdentifier;
use der::asn1::{Any, Null};
use grille_registry::{KemRow, KeyFormat, Row, SIGNATURES, SignatureRow, kem_by_oid};
use spki::AlgorithmIdentifierOwned;

/// The identifier of the row's keys, as SPKI and PKCS#8 have it; parameters are absent but for classical rows.
///
/// # Errors
/// [`Error::NoOid`].
pub(crate) fn of_key(row: &SignatureRow) -> Result<AlgorithmIdentifierOwned, Error> {
    match row.key_format {
        KeyFormat::SeedOrExpanded | KeyFormat::Raw | KeyFormat::OqsConcatenated => plain(row),
        KeyFormat::Native { spki_oid, curve_oid, null_parameters } => {
            let curve = curve_oid.map(|curve| Ok(Any::from(oid(row, curve)?))).transpose()?;
            let parameters = curve.or(null_parameters.then(|| Any::from(Null)));
            Ok(AlgorithmIdentifierOwned { oid: oid(row, spki_oid)?, parameters })
        }
    }
}

/// The identifier of the row's signatures.
///
/// # Errors
/// [`Error::NoOid`].
pub(crate) fn of_signature(row: &SignatureRow) -> Result<AlgorithmIdentifierOwned, Error> {
    let null = matches!(row.key_format, KeyFormat::Native { null_parameters: true, .. });
    Ok(AlgorithmIdentifierOwned { parameters: null.then(|| Any::from(Null)), ..plain(row)? })
}

/// The identifier of a KEM's keys.
///
/// # Errors
/// [`Error::NoOid`].
pub(crate) fn of_kem(row: &KemRow) -> Result<AlgorithmIdentifierOwned, Error> {
    plain(row)
}

/// The rows whose keys have this identifier: one, or one per size where the size is in the key.
///
/// # Errors
/// [`Error::UnknownAlgorithm`].
pub(crate) fn rows_by_key(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
) -> Result<Vec<&'static SignatureRow>, Error> {
    rows(element, identifier, of_key)
}

/// The rows whose signatures have this identifier.
///
/// # Errors
/// [`Error::UnknownAlgorithm`].
pub(crate) fn rows_by_signature(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
) -> Result<Vec<&'static SignatureRow>, Error> {
    rows(element, identifier, of_signature)
}

/// The KEM whose keys have this identifier.
///
/// # Errors
/// [`Error::UnknownAlgorithm`]; [`Error::Malformed`] if there are parameters.
pub(crate) fn kem_row(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
) -> Result<&'static KemRow, Error> {
    let row = kem_by_oid(&identifier.oid.to_string()).ok_or_else(|| unknown(element, identifier))?;
    match identifier.parameters {
        None => Ok(row),
        Some(_) => Err(Error::Malformed { element, reason: PARAMETERS }),
    }
}

const PARAMETERS: &str = "has algorithm parameters that are not this algorithm's";

fn rows(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
    of: impl Fn(&SignatureRow) -> Result<AlgorithmIdentifierOwned, Error>,
) -> Result<Vec<&'static SignatureRow>, Error> {
    let own = |row: &SignatureRow| of(row).ok();
    let found: Vec<_> = SIGNATURES.iter().filter(|row| own(row).as_ref() == Some(identifier)).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    match SIGNATURES.iter().any(|row| own(row).is_some_and(|own| own.oid == identifier.oid)) {
        true => Err(Error::Malformed { element, reason: PARAMETERS }),
        false => Err(unknown(element, identifier)),
    }
}

/// Neither table has it, or only the other one.
fn unknown(element: &'static str, identifier: &AlgorithmIdentifierOwned) -> Error {
    let oid = identifier.oid.to_string();
    let other_use = |algorithm, serves| Error::OtherUse { element, algorithm, serves };
    let signature = || SIGNATURES.iter().find(|row| row.oid() == Some(&oid));
    kem_by_oid(&oid)
        .map(|row| other_use(row.name(), "key encapsulation, not for signatures"))
        .or_else(|| signature().map(|row| other_use(row.name(), "signatures, not for key encapsulation")))
        .unwrap_or(Error::UnknownAlgorithm { element, oid })
}

fn plain<R: Row>(row: &R) -> Result<AlgorithmIdentifierOwned, Error> {
    let dotted = row.oid().ok_or(Error::NoOid { algorithm: row.name() })?;
    Ok(AlgorithmIdentifierOwned { oid: oid(row, dotted)?, parameters: None })
}

fn oid<R: Row>(row: &R, dotted: &str) -> Result<ObjectIdentifier, Error> {
    ObjectIdentifier::new(dotted).map_err(|_| Error::NoOid { algorithm: row.name() })
}
