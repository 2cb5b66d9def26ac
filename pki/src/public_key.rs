//! Public keys of signature algorithms: SubjectPublicKeyInfo, RFC 5280.

use crate::pem::{self, Kind};
use crate::{Error, algorithm, document_type};
use alloc::{boxed::Box, string::String, vec::Vec};
use der::asn1::{BitString, OctetString};
use der::{Decode, Encode};
use grille_core::DynVerifyingKey;
use grille_registry::{Numbers, Row, SignatureRow};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

/// A public key of a signature algorithm.
#[derive(Clone, Debug)]
pub struct PublicKey {
    row: &'static SignatureRow,
    bytes: Vec<u8>,
    numbers: Numbers,
}

impl PublicKey {
    /// Parses and checks the algorithm's own encoding.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the encoding is invalid.
    pub fn from_bytes(row: &'static SignatureRow, bytes: &[u8]) -> Result<Self, Error> {
        check(row, bytes)?;
        Ok(Self { row, bytes: bytes.to_vec(), numbers: Numbers::default() })
    }

    /// Parses PEM or DER.
    ///
    /// # Errors
    /// Returns an error that names the invalid element.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_pem_or_der_in(bytes, Numbers::default())
    }

    /// Parses PEM or DER with the object identifiers of an era, or with those of the registry if the era has none.
    /// The key will be written with the identifier it was read with.
    ///
    /// # Errors
    /// Returns the errors of [`PublicKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_spki(&document(bytes)?, numbers)
    }

    /// Returns this key, which will be written with the object identifiers in `numbers`.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Returns the [`Numbers`] that define the key's object identifier.
    #[must_use]
    pub const fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Parses the SubjectPublicKeyInfo of a certificate or a request.
    pub(crate) fn from_spki(spki: &SubjectPublicKeyInfoOwned, numbers: Numbers) -> Result<Self, Error> {
        let bytes = content(spki)?;
        let (numbers, rows) = algorithm::rows_by_key("public key", &spki.algorithm, numbers)?;
        let key =
            algorithm::select_by_rsa_size("public key", &rows, bytes, |row| Self::from_bytes(row, bytes));
        Ok(key?.in_era(numbers))
    }

    /// Returns the algorithm.
    #[must_use]
    pub fn row(&self) -> &'static SignatureRow {
        self.row
    }

    /// Returns the algorithm's own encoding.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the key for verification.
    ///
    /// # Errors
    /// Returns [`Error::Key`], which does not occur: the encoding was checked on construction.
    pub fn verifying_key(&self) -> Result<Box<dyn DynVerifyingKey>, Error> {
        check(self.row, &self.bytes)
    }

    /// Encodes the key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Returns [`Error::NoOid`] if the algorithm has no object identifier.
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        self.spki()?.to_der().map_err(Error::der("public key"))
    }

    /// Encodes the key as SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// Returns [`Error::NoOid`] if the algorithm has no object identifier.
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        pem::encode(&self.to_spki_der()?, Kind::PublicKey.label())
    }

    /// Returns the AlgorithmIdentifier, the first field of SubjectPublicKeyInfo, as DER.
    ///
    /// # Errors
    /// Returns [`Error::NoOid`] if the algorithm has no object identifier.
    pub fn to_algorithm_der(&self) -> Result<Vec<u8>, Error> {
        algorithm::key_algorithm_identifier(self.row, self.numbers)?
            .to_der()
            .map_err(Error::der("public key"))
    }

    pub(crate) fn spki(&self) -> Result<SubjectPublicKeyInfoOwned, Error> {
        spki(algorithm::key_algorithm_identifier(self.row, self.numbers)?, &self.bytes)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.row.name() == other.row.name() && self.bytes == other.bytes
    }
}

impl Eq for PublicKey {}

/// Parses the public key in a PEM or DER file. Converts keys in older formats.
///
/// # Errors
/// Returns the errors of [`pem::find_one`], [`Error::Der`] if the key cannot be parsed, or an error that names the type
/// of a document that is not a public key.
pub(crate) fn document(file: &[u8]) -> Result<SubjectPublicKeyInfoOwned, Error> {
    let der = pem::find_one(file, Kind::PublicKey)?;
    #[cfg(feature = "std")]
    if let Some(spki) = crate::traditional::to_spki(&der)? {
        return SubjectPublicKeyInfoOwned::from_der(&spki).map_err(Error::der(Kind::PublicKey.element()));
    }
    let spki = SubjectPublicKeyInfoOwned::from_der(&der);
    spki.map_err(|error| document_type::refusal(&der, Kind::PublicKey, error))
}

/// Builds the SubjectPublicKeyInfo of a key.
pub(crate) fn spki(
    algorithm: AlgorithmIdentifierOwned,
    key: &[u8],
) -> Result<SubjectPublicKeyInfoOwned, Error> {
    let subject_public_key = BitString::from_bytes(key).map_err(Error::der("public key"))?;
    Ok(SubjectPublicKeyInfoOwned { algorithm, subject_public_key })
}

/// Returns the key bytes in a SubjectPublicKeyInfo.
pub(crate) fn content(spki: &SubjectPublicKeyInfoOwned) -> Result<&[u8], Error> {
    let reason = "has a BIT STRING with unused bits, which no known algorithm allows; \
                  was the file altered?";
    spki.subject_public_key.as_bytes().ok_or(Error::Malformed { element: "public key", reason })
}

fn check(row: &'static SignatureRow, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
    row.signature.verifying_key(bytes).map_err(|source| Error::Key { algorithm: row.name(), source })
}

/// Returns the key identifier: the leftmost 160 bits of SHA-256 of the key, RFC 7093 section 2 method 1.
pub(crate) fn key_identifier(key: &[u8]) -> der::Result<OctetString> {
    OctetString::new(&grille_hash::sha2::sha256(&[key])[..20])
}
