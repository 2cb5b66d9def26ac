//! Algorithm identifiers: conversion from and to rows of the registry.

use crate::Error;
use crate::asn1::elements;
use alloc::{format, string::String, string::ToString, vec::Vec};
use const_oid::ObjectIdentifier;
use der::asn1::{Any, Null};
use grille_registry::{KemRow, KeyFormat, Numbers, Row, SIGNATURES, SignatureRow, kem_by_oid};
use spki::AlgorithmIdentifierOwned;

/// Returns the identifier of the row's keys, as in SPKI and PKCS#8. Only classical rows have parameters.
///
/// # Errors
/// Returns [`Error::NoOid`] if the row has no identifier.
pub(crate) fn key_algorithm_identifier(
    row: &SignatureRow,
    numbers: Numbers,
) -> Result<AlgorithmIdentifierOwned, Error> {
    match row.key_format {
        KeyFormat::SeedOrExpanded | KeyFormat::Raw | KeyFormat::OqsConcatenated => {
            identifier_without_parameters(row, numbers.signature_oid(row), numbers)
        }
        KeyFormat::Native { spki_oid, curve_oid, null_parameters } => {
            let curve = curve_oid.map(|curve| Ok(Any::from(parse_row_oid(row, curve)?))).transpose()?;
            let parameters = curve.or(null_parameters.then(|| Any::from(Null)));
            Ok(AlgorithmIdentifierOwned { oid: parse_row_oid(row, spki_oid)?, parameters })
        }
    }
}

/// Returns the identifier of the row's signatures.
///
/// # Errors
/// Returns [`Error::NoOid`] if the row has no identifier.
pub(crate) fn signature_algorithm_identifier(
    row: &SignatureRow,
    numbers: Numbers,
) -> Result<AlgorithmIdentifierOwned, Error> {
    let null = matches!(row.key_format, KeyFormat::Native { null_parameters: true, .. });
    let plain = identifier_without_parameters(row, numbers.signature_oid(row), numbers)?;
    Ok(AlgorithmIdentifierOwned { parameters: null.then(|| Any::from(Null)), ..plain })
}

/// Returns the identifier of a KEM's keys.
///
/// # Errors
/// Returns [`Error::NoOid`] if the row has no identifier.
pub(crate) fn kem_algorithm_identifier(
    row: &KemRow,
    numbers: Numbers,
) -> Result<AlgorithmIdentifierOwned, Error> {
    identifier_without_parameters(row, numbers.kem_oid(row), numbers)
}

/// Rows that an object identifier denotes, with the [`Numbers`] that define the identifier: those of the requested era,
/// or else the registry's own.
///
/// A key must be written with the identifier that it was read with, because TLS compares the keys of certificates byte
/// by byte.
pub(crate) type RowsWithNumbers = (Numbers, Vec<&'static SignatureRow>);

/// Returns the rows whose keys have this identifier: one, or one per key size for RSA.
///
/// # Errors
/// Returns [`Error::UnknownAlgorithm`] if no row has this identifier.
pub(crate) fn rows_by_key(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
    numbers: Numbers,
) -> Result<RowsWithNumbers, Error> {
    rows(element, identifier, numbers, (Numbers::key_oid, key_algorithm_identifier))
}

/// Returns the rows whose signatures have this identifier.
///
/// # Errors
/// Returns [`Error::UnknownAlgorithm`] if no row has this identifier.
pub(crate) fn rows_by_signature(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
    numbers: Numbers,
) -> Result<RowsWithNumbers, Error> {
    rows(element, identifier, numbers, (Numbers::signature_oid, signature_algorithm_identifier))
}

/// Selects a row by the size of an RSA key, and calls `read` with it. RSA's rows share an identifier.
///
/// `key`: RSAPrivateKey or RSAPublicKey, RFC 8017 appendix A.1.
///
/// # Errors
/// Returns [`Error::UnsupportedKeySize`] if no row has the key's size; otherwise the errors of `read`.
pub(crate) fn select_by_rsa_size<K>(
    element: &'static str,
    rows: &[&'static SignatureRow],
    key: &[u8],
    read: impl Fn(&'static SignatureRow) -> Result<K, Error>,
) -> Result<K, Error> {
    if let [only] = rows[..] {
        return read(only);
    }
    let bits = modulus_bits(element, key)?;
    // a signature has the length of the modulus
    let row = rows.iter().find(|row| 8 * row.signature.info().signature_len == bits);
    let known = || rows.iter().map(|row| row.name()).collect();
    row.map_or_else(|| Err(Error::UnsupportedKeySize { element, bits, known: known() }), |row| read(row))
}

/// Identifier of RSA keys: rsaEncryption, RFC 8017 appendix C.
pub(crate) const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

/// Returns the length of the modulus n in bits. The modulus is the first field after the optional version.
pub(crate) fn modulus_bits(element: &'static str, key: &[u8]) -> Result<usize, Error> {
    let key = elements(element, key)?;
    let parts = elements(element, key.first().map_or(&[], |key| key.value()))?;
    let n = parts.iter().map(|part| part.value()).find(|part| part.len() > 1);
    let n = n.ok_or(Error::Malformed { element, reason: "has no modulus" })?;
    let digits = n.iter().skip_while(|byte| **byte == 0);
    let first = digits.clone().next().map_or(0, |byte| byte.leading_zeros());
    Ok(8 * digits.count() - first as usize)
}

/// Returns the KEM whose keys have this identifier, with the [`Numbers`] that define the identifier.
///
/// # Errors
/// Returns [`Error::UnknownAlgorithm`] if no KEM has the identifier, or [`Error::Malformed`] if the identifier has
/// parameters.
pub(crate) fn kem_row(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
    numbers: Numbers,
) -> Result<(Numbers, &'static KemRow), Error> {
    let oid = identifier.oid.to_string();
    let known = numbers.kem_by_oid(&oid).map(|row| (numbers, row));
    let known = known.or_else(|| Some((Numbers::default(), kem_by_oid(&oid)?)));
    let found = known.ok_or_else(|| unknown_algorithm_error(element, identifier))?;
    match identifier.parameters {
        None => Ok(found),
        Some(_) => Err(Error::Malformed { element, reason: UNSUITABLE_PARAMETERS }),
    }
}

const UNSUITABLE_PARAMETERS: &str = "has algorithm parameters that do not fit the algorithm";

/// The two functions that return the identifiers of a row: its object identifier, and its complete algorithm
/// identifier, whose parameters may distinguish rows with equal object identifiers.
type Identification = (
    fn(Numbers, &SignatureRow) -> Option<&'static str>,
    fn(&SignatureRow, Numbers) -> Result<AlgorithmIdentifierOwned, Error>,
);

fn rows(
    element: &'static str,
    identifier: &AlgorithmIdentifierOwned,
    numbers: Numbers,
    (oid, algorithm_identifier): Identification,
) -> Result<RowsWithNumbers, Error> {
    let dotted = identifier.oid.to_string();
    // comparing object identifiers first avoids encoding one for each row
    let has_oid = |row: &&SignatureRow, numbers| oid(numbers, row) == Some(&*dotted);
    for numbers in [numbers, Numbers::default()] {
        let is_identified = |row: &&SignatureRow| {
            has_oid(row, numbers) && algorithm_identifier(row, numbers).ok().as_ref() == Some(identifier)
        };
        let mut found = numbers.signatures_with_oid(&dotted);
        found.retain(is_identified);
        if !found.is_empty() {
            return Ok((numbers, found));
        }
    }
    let is_known = SIGNATURES.iter().any(|row| has_oid(&row, Numbers::default()));
    let curve = identifier.parameters.as_ref().and_then(|curve| curve.decode_as::<ObjectIdentifier>().ok());
    match (is_known, curve) {
        (true, Some(curve)) => Err(Error::UnknownAlgorithm { element, oid: curve.to_string() }),
        (true, None) => Err(Error::Malformed { element, reason: UNSUITABLE_PARAMETERS }),
        (false, _) => Err(unknown_algorithm_error(element, identifier)),
    }
}

/// Returns the error for an identifier that no row of the expected table has. The error says so if the identifier belongs
/// to the other table (KEMs or signatures).
fn unknown_algorithm_error(element: &'static str, identifier: &AlgorithmIdentifierOwned) -> Error {
    let oid = identifier.oid.to_string();
    let other_use = |algorithm, purpose| Error::OtherUse { element, algorithm, purpose };
    let signature = || SIGNATURES.iter().find(|row| row.oid() == Some(&oid));
    kem_by_oid(&oid)
        .map(|row| other_use(row.name(), "key encapsulation, not for signatures"))
        .or_else(|| signature().map(|row| other_use(row.name(), "signatures, not for key encapsulation")))
        .unwrap_or(Error::UnknownAlgorithm { element, oid })
}

fn identifier_without_parameters<R: Row>(
    row: &R,
    dotted: Option<&str>,
    numbers: Numbers,
) -> Result<AlgorithmIdentifierOwned, Error> {
    let era = if numbers == Numbers::default() { String::new() } else { format!(" in {numbers}") };
    let dotted = dotted.ok_or(Error::NoOid { algorithm: row.name(), era })?;
    Ok(AlgorithmIdentifierOwned { oid: parse_row_oid(row, dotted)?, parameters: None })
}

fn parse_row_oid<R: Row>(row: &R, dotted: &str) -> Result<ObjectIdentifier, Error> {
    ObjectIdentifier::new(dotted).map_err(|_| Error::NoOid { algorithm: row.name(), era: String::new() })
}
