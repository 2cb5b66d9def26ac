//! Public keys of signature algorithms: SubjectPublicKeyInfo, RFC 5280.

use crate::pem::{self, Kind};
use crate::{Error, algorithm, shape};
use alloc::{boxed::Box, string::String, vec::Vec};
use der::asn1::BitString;
use der::{Decode, Encode};
use grille_core::DynVerifyingKey;
use grille_registry::{Numbers, Row, SignatureRow};
use spki::{AlgorithmIdentifierOwned, SubjectPublicKeyInfoOwned};

/// A public key and its algorithm.
#[derive(Clone, Debug)]
pub struct PublicKey {
    row: &'static SignatureRow,
    bytes: Vec<u8>,
    numbers: Numbers,
}

impl PublicKey {
    /// Checks the algorithm's own encoding.
    ///
    /// # Errors
    /// [`Error::Key`].
    pub fn from_bytes(row: &'static SignatureRow, bytes: &[u8]) -> Result<Self, Error> {
        check(row, bytes)?;
        Ok(Self { row, bytes: bytes.to_vec(), numbers: Numbers::default() })
    }

    /// From PEM or DER.
    ///
    /// # Errors
    /// Says which element is wrong.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_pem_or_der_in(bytes, Numbers::default())
    }

    /// The same, with the object identifiers of an era, or those of the registry where the era has none. It is written
    /// again with the one that it was read by.
    ///
    /// # Errors
    /// As [`PublicKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_spki(&document(bytes)?, numbers)
    }

    /// The same key, written with the object identifiers of an era.
    #[must_use]
    pub const fn in_era(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// The numbers of its object identifier: those that it was read by, or is written with.
    #[must_use]
    pub const fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// From the element of a certificate or a request.
    pub(crate) fn from_spki(spki: &SubjectPublicKeyInfoOwned, numbers: Numbers) -> Result<Self, Error> {
        let bytes = content(spki)?;
        let (numbers, rows) = algorithm::rows_by_key("public key", &spki.algorithm, numbers)?;
        let key = algorithm::of_size("public key", &rows, bytes, |row| Self::from_bytes(row, bytes));
        Ok(key?.in_era(numbers))
    }

    /// The algorithm.
    #[must_use]
    pub fn row(&self) -> &'static SignatureRow {
        self.row
    }

    /// The algorithm's own encoding.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The key, ready to verify.
    ///
    /// # Errors
    /// [`Error::Key`], which cannot happen, as the key was checked when this was made.
    pub fn verifying_key(&self) -> Result<Box<dyn DynVerifyingKey>, Error> {
        check(self.row, &self.bytes)
    }

    /// SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// [`Error::NoOid`].
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        self.spki()?.to_der().map_err(Error::der("public key"))
    }

    /// SubjectPublicKeyInfo as PEM.
    ///
    /// # Errors
    /// [`Error::NoOid`].
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        pem::encode(&self.to_spki_der()?, Kind::PublicKey.label())
    }

    /// AlgorithmIdentifier, the first half of SubjectPublicKeyInfo, as DER.
    ///
    /// # Errors
    /// [`Error::NoOid`].
    pub fn to_algorithm_der(&self) -> Result<Vec<u8>, Error> {
        algorithm::of_key(self.row, self.numbers)?.to_der().map_err(Error::der("public key"))
    }

    pub(crate) fn spki(&self) -> Result<SubjectPublicKeyInfoOwned, Error> {
        spki(algorithm::of_key(self.row, self.numbers)?, &self.bytes)
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.row.name() == other.row.name() && self.bytes == other.bytes
    }
}

impl Eq for PublicKey {}

/// The public key in a file: PEM or DER, and made of an older format.
///
/// # Errors
/// As those of [`pem::one`]; [`Error::Der`].
pub(crate) fn document(file: &[u8]) -> Result<SubjectPublicKeyInfoOwned, Error> {
    let der = pem::one(file, Kind::PublicKey)?;
    #[cfg(feature = "std")]
    if let Some(spki) = crate::traditional::to_spki(&der)? {
        return SubjectPublicKeyInfoOwned::from_der(&spki).map_err(Error::der(Kind::PublicKey.element()));
    }
    let spki = SubjectPublicKeyInfoOwned::from_der(&der);
    spki.map_err(|error| shape::refusal(&der, Kind::PublicKey, error))
}

/// The element with this key.
pub(crate) fn spki(
    algorithm: AlgorithmIdentifierOwned,
    key: &[u8],
) -> Result<SubjectPublicKeyInfoOwned, Error> {
    let subject_public_key = BitString::from_bytes(key).map_err(Error::der("public key"))?;
    Ok(SubjectPublicKeyInfoOwned { algorithm, subject_public_key })
}

/// The bytes of the key in the element.
pub(crate) fn content(spki: &SubjectPublicKeyInfoOwned) -> Result<&[u8], Error> {
    let reason = "is not made of whole bytes: its BIT STRING has unused bits, which no key of a known algorithm has; \
                  was the file altered?";
    spki.subject_public_key.as_bytes().ok_or(Error::Malformed { element: "public key", reason })
}

fn check(row: &'static SignatureRow, bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
    row.signature.verifying_key(bytes).map_err(|source| Error::Key { algorithm: row.name(), source })
}
