//! Keys of KEMs: RFC 9935, and RFC 8410 for classical algorithms.

use crate::pem::{self, Kind};
use crate::pkcs8::{self, Lengths};
use crate::{Error, Layout, PrivateKeyForm, algorithm, public_key};
use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;
use der::Encode;
use grille_core::{CryptoRng, DynDecapsKey, DynEncapsKey, SecretBytes};
use grille_registry::{KemRow, Numbers, Row};
use spki::SubjectPublicKeyInfoOwned;
use zeroize::Zeroizing;

/// A KEM private key with its algorithm.
pub struct KemPrivateKey {
    row: &'static KemRow,
    key: Box<dyn DynDecapsKey>,
    public: KemPublicKey,
    layout: Option<Layout>,
}

impl KemPrivateKey {
    /// Generates a key.
    ///
    /// # Errors
    /// Returns [`Error::Key`], which does not occur for a new key.
    pub fn generate(row: &'static KemRow, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        Self::new(row, row.kem.generate(rng), None)
    }

    /// Parses the algorithm's own encoding: the seed, the expanded key, or private ‖ public.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if no encoding has this length, or [`Error::Key`] if the algorithm rejects the key.
    pub fn from_raw(row: &'static KemRow, bytes: &[u8]) -> Result<Self, Error> {
        let parts = pkcs8::parts_by_length(bytes, &lengths(row))
            .ok_or(pkcs8::malformed_error(pkcs8::WRONG_RAW_LENGTH))?;
        Self::from_parts(row, &parts)
    }

    /// Parses PEM or DER, in any form.
    ///
    /// # Errors
    /// Returns an error that names the invalid element.
    pub fn from_pem_or_der(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_pem_or_der_in(bytes, Numbers::default())
    }

    /// Parses PEM or DER like [`KemPrivateKey::from_pem_or_der`], with the object identifiers of an era.
    ///
    /// # Errors
    /// Returns the errors of [`KemPrivateKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        let der = pkcs8::document(bytes)?;
        let document = pkcs8::parse(&der)?;
        let (numbers, row) = algorithm::kem_row("private key", &document.algorithm, numbers)?;
        let key = Self::from_parts(row, &pkcs8::parts(document.content, &lengths(row))?)?;
        pkcs8::check_public_element(key.public.bytes(), document.public)?;
        Ok(key.in_era(numbers))
    }

    /// Returns this key, which will be written with the object identifiers in `numbers`.
    #[must_use]
    pub fn in_era(mut self, numbers: Numbers) -> Self {
        self.public = self.public.in_era(numbers);
        self
    }

    fn from_parts(row: &'static KemRow, parts: &pkcs8::Parts<'_>) -> Result<Self, Error> {
        let seed = |seed: &[u8]| row.kem.decaps_key_from_seed(seed);
        let key = pkcs8::assemble(parts, row.name(), seed, |expanded| row.kem.decaps_key(expanded))?;
        Self::new(row, key, Some(if has_choice(row) { parts.layout } else { Layout::Native }))
    }

    fn new(row: &'static KemRow, key: Box<dyn DynDecapsKey>, layout: Option<Layout>) -> Result<Self, Error> {
        let public = KemPublicKey::from_bytes(row, &key.encaps_key_bytes())?;
        Ok(Self { row, key, public, layout })
    }

    /// Returns the layout of the document that the key was read from, or `None` if it was generated.
    #[must_use]
    pub const fn layout(&self) -> Option<Layout> {
        self.layout
    }

    /// Encodes the key as a PKCS#8 document.
    ///
    /// # Errors
    /// Returns [`Error::Form`] if the key does not have this form, or [`Error::NoOid`] if its algorithm has no object
    /// identifier.
    pub fn to_pkcs8_der(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        let identifier = algorithm::kem_algorithm_identifier(self.row, self.public.numbers)?;
        let form = match form {
            form if has_choice(self.row) => form,
            PrivateKeyForm::SeedIfKnown | PrivateKeyForm::Expanded => PrivateKeyForm::Expanded,
            _ => {
                let reason = "a classical key has only one form; omit the form";
                return Err(Error::Form { algorithm: self.row.name(), reason });
            }
        };
        pkcs8::write(self.key.as_ref(), form, &identifier, self.row.name())
    }

    /// Encodes the key as a PKCS#8 document in PEM.
    ///
    /// # Errors
    /// Returns [`Error::Form`] if the key does not have this form, or [`Error::NoOid`] if its algorithm has no object
    /// identifier.
    pub fn to_pkcs8_pem(&self, form: PrivateKeyForm) -> Result<Zeroizing<String>, Error> {
        pem::encode(self.to_pkcs8_der(form)?.as_ref(), Kind::PrivateKey.label()).map(Zeroizing::new)
    }

    /// Returns the algorithm.
    #[must_use]
    pub fn row(&self) -> &'static KemRow {
        self.row
    }

    /// Returns the public key.
    #[must_use]
    pub fn public_key(&self) -> &KemPublicKey {
        &self.public
    }

    /// Returns the key for decapsulation.
    #[must_use]
    pub fn decaps_key(&self) -> &dyn DynDecapsKey {
        self.key.as_ref()
    }

    /// Returns the decapsulation key by value.
    #[must_use]
    pub fn into_decaps_key(self) -> Box<dyn DynDecapsKey> {
        self.key
    }
}

impl fmt::Debug for KemPrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KemPrivateKey({})", self.row.name())
    }
}

/// A KEM public key with its algorithm.
#[derive(Clone, Debug)]
pub struct KemPublicKey {
    row: &'static KemRow,
    bytes: Vec<u8>,
    numbers: Numbers,
}

impl KemPublicKey {
    /// Parses and checks the algorithm's own encoding.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the encoding is invalid.
    pub fn from_bytes(row: &'static KemRow, bytes: &[u8]) -> Result<Self, Error> {
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

    /// Parses PEM or DER like [`KemPublicKey::from_pem_or_der`], with the object identifiers of an era.
    ///
    /// # Errors
    /// Returns the errors of [`KemPublicKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        let spki = public_key::document(bytes)?;
        Self::from_spki(&spki, numbers)
    }

    /// Parses the SubjectPublicKeyInfo of a certificate or a request.
    pub(crate) fn from_spki(spki: &SubjectPublicKeyInfoOwned, numbers: Numbers) -> Result<Self, Error> {
        let (numbers, row) = algorithm::kem_row("public key", &spki.algorithm, numbers)?;
        Ok(Self::from_bytes(row, public_key::content(spki)?)?.in_era(numbers))
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

    /// Returns the algorithm.
    #[must_use]
    pub fn row(&self) -> &'static KemRow {
        self.row
    }

    /// Returns the algorithm's own encoding.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the key for encapsulation.
    ///
    /// # Errors
    /// Returns [`Error::Key`], which does not occur: the encoding was checked on construction.
    pub fn encaps_key(&self) -> Result<Box<dyn DynEncapsKey>, Error> {
        check(self.row, &self.bytes)
    }

    /// Encodes the key as SubjectPublicKeyInfo.
    ///
    /// # Errors
    /// Returns [`Error::NoOid`] if the algorithm has no object identifier.
    pub fn to_spki_der(&self) -> Result<Vec<u8>, Error> {
        self.spki()?.to_der().map_err(Error::der("public key"))
    }

    pub(crate) fn spki(&self) -> Result<SubjectPublicKeyInfoOwned, Error> {
        public_key::spki(algorithm::kem_algorithm_identifier(self.row, self.numbers)?, &self.bytes)
    }

    /// Encodes the key as SubjectPublicKeyInfo in PEM.
    ///
    /// # Errors
    /// Returns [`Error::NoOid`] if the algorithm has no object identifier.
    pub fn to_spki_pem(&self) -> Result<String, Error> {
        pem::encode(&self.to_spki_der()?, Kind::PublicKey.label())
    }
}

/// Returns whether the private key is encoded as the CHOICE of RFC 9935. Otherwise, it is encoded as RFC 8410's
/// CurvePrivateKey, which resembles `expandedKey`.
fn has_choice(row: &KemRow) -> bool {
    row.category > 0
}

fn lengths(row: &KemRow) -> Lengths {
    let info = row.kem.info();
    let seed = info.seed_len.filter(|_| has_choice(row));
    Lengths { seed, expanded: info.decaps_key_len, public: info.encaps_key_len }
}

fn check(row: &'static KemRow, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error> {
    row.kem.encaps_key(bytes).map_err(|source| Error::Key { algorithm: row.name(), source })
}
