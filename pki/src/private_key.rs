//! Private keys of signature algorithms: PKCS#8, RFC 5958.

use crate::pem::{self, Kind};
use crate::pkcs8::{self, Lengths};
use crate::private_key_form::{Layout, PrivateKeyForm};
use crate::{Error, PublicKey, algorithm, falcon};
use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;
use grille_core::{CryptoRng, DynSigningKey, SecretBytes};
use grille_registry::{KeyFormat, Numbers, Row, SignatureRow};
use zeroize::Zeroizing;

/// A private key of a signature algorithm.
pub struct PrivateKey {
    row: &'static SignatureRow,
    key: Box<dyn DynSigningKey>,
    public: PublicKey,
    layout: Option<Layout>,
    progress_callback: Option<ProgressCallback>,
}

/// Memory use of a key in operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMode {
    /// A private key is prepared for many signatures; a public key has the form that verifies one signature fastest.
    Prepared,
    /// A key has the form that needs the least memory.
    LowMemory,
}

impl KeyMode {
    /// Parses a key in the scheme's own encoding.
    fn read(self, row: &SignatureRow, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, grille_core::Error> {
        match self {
            Self::Prepared => row.signature.signing_key(bytes),
            Self::LowMemory => row.signature.low_memory_signing_key(bytes),
        }
    }
}

/// Callback for the progress of signatures; see [`PrivateKey::set_progress_callback`].
type ProgressCallback = Box<dyn Fn(u32, u32) + Send + Sync>;

impl PrivateKey {
    /// Generates a key.
    ///
    /// # Errors
    /// Returns [`Error::Key`], which does not occur for a new key.
    pub fn generate(row: &'static SignatureRow, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        Self::new(row, row.signature.generate(rng), None)
    }

    /// Parses the algorithm's own encoding: the seed, the expanded key, or private ‖ public.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] if no encoding has this length, or [`Error::Key`] if the algorithm rejects the key.
    pub fn from_raw(row: &'static SignatureRow, bytes: &[u8]) -> Result<Self, Error> {
        if let KeyFormat::Native { .. } = row.key_format {
            return Self::from_whole_encoding(row, bytes, Layout::Native, KeyMode::Prepared);
        }
        if row.signature.is_composite() {
            return Self::from_whole_encoding(row, bytes, Layout::BareExpanded, KeyMode::Prepared);
        }
        let parts = pkcs8::parts_by_length(bytes, &lengths(row))
            .ok_or(pkcs8::malformed_error(pkcs8::WRONG_RAW_LENGTH))?;
        Self::from_parts(row, &parts, KeyMode::Prepared)
    }

    /// Parses an encoding that contains the key in one piece, not as separate parts.
    fn from_whole_encoding(
        row: &'static SignatureRow,
        bytes: &[u8],
        layout: Layout,
        mode: KeyMode,
    ) -> Result<Self, Error> {
        let key = mode.read(row, bytes);
        let key = key.map_err(|source| Error::Key { algorithm: row.name(), source })?;
        Self::new(row, key, Some(layout))
    }

    /// Parses PEM or DER, in any form.
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
    /// Returns the errors of [`PrivateKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_document(bytes, numbers, KeyMode::Prepared)
    }

    /// Parses like [`PrivateKey::from_pem_or_der_in`] in low-memory mode, without precomputation. Useful for rare
    /// signatures or little memory.
    ///
    /// # Errors
    /// Returns the errors of [`PrivateKey::from_pem_or_der`].
    pub fn low_memory_from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_document(bytes, numbers, KeyMode::LowMemory)
    }

    fn from_document(bytes: &[u8], numbers: Numbers, mode: KeyMode) -> Result<Self, Error> {
        let der = pkcs8::document(bytes)?;
        let document = pkcs8::parse(&der)?;
        let (numbers, rows) = algorithm::rows_by_key("private key", &document.algorithm, numbers)?;
        let read = |row| Self::read(row, &der, &document, mode);
        Ok(algorithm::select_by_rsa_size("private key", &rows, document.content, read)?.in_era(numbers))
    }

    /// Returns this key, which will be written with the object identifiers in `numbers`. Certificates that the key
    /// signs use these identifiers, too.
    #[must_use]
    pub fn in_era(mut self, numbers: Numbers) -> Self {
        self.public = self.public.in_era(numbers);
        self
    }

    fn read(
        row: &'static SignatureRow,
        der: &[u8],
        document: &pkcs8::Document<'_>,
        mode: KeyMode,
    ) -> Result<Self, Error> {
        let key = if let KeyFormat::Native { .. } = row.key_format {
            Self::from_raw(row, der)?
        } else if row.signature.is_composite() {
            let (bytes, layout) = match row.key_format {
                KeyFormat::OqsConcatenated => pkcs8::oqs_composite(document.content),
                _ => (document.content, Layout::BareExpanded),
            };
            Self::from_whole_encoding(row, bytes, layout, mode)?
        } else if let Some(joined) = falcon::join_parts(row, document.content)? {
            let key = Self::from_whole_encoding(row, &joined.private, Layout::Parts, mode)?;
            pkcs8::check_public(key.public.bytes(), joined.public.as_deref())?;
            key
        } else {
            Self::from_parts(row, &pkcs8::parts(document.content, &lengths(row))?, mode)?
        };
        pkcs8::check_public_element(key.public.bytes(), document.public)?;
        Ok(key)
    }

    fn from_parts(
        row: &'static SignatureRow,
        parts: &pkcs8::Parts<'_>,
        mode: KeyMode,
    ) -> Result<Self, Error> {
        let seed = |seed: &[u8]| match mode {
            KeyMode::Prepared => row.signature.signing_key_from_seed(seed),
            KeyMode::LowMemory => row.signature.low_memory_signing_key_from_seed(seed),
        };
        let key = pkcs8::assemble(parts, row.name(), seed, |expanded| mode.read(row, expanded))?;
        Self::new(row, key, Some(parts.layout))
    }

    fn new(
        row: &'static SignatureRow,
        key: Box<dyn DynSigningKey>,
        layout: Option<Layout>,
    ) -> Result<Self, Error> {
        let public = PublicKey::from_bytes(row, &key.verifying_key_bytes())?;
        Ok(Self { row, key, public, layout, progress_callback: None })
    }

    /// Returns the layout of the document that the key was read from, or `None` if it was generated.
    #[must_use]
    pub const fn layout(&self) -> Option<Layout> {
        self.layout
    }

    /// Encodes the key as a PKCS#8 document.
    ///
    /// # Errors
    /// Returns [`Error::Form`] if the key does not have this form.
    pub fn to_pkcs8_der(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        match (self.row.key_format, form) {
            (KeyFormat::Native { .. }, PrivateKeyForm::Native) => Ok(self.key.to_bytes()),
            (KeyFormat::Native { .. }, _) => Err(Error::Form {
                algorithm: self.row.name(),
                reason: "a classical key has only one form; omit the form",
            }),
            _ if self.row.signature.is_composite() => self.write_composite(form),
            (KeyFormat::Raw, PrivateKeyForm::Expanded | PrivateKeyForm::SeedIfKnown) => {
                self.to_pkcs8_der(PrivateKeyForm::Bare)
            }
            _ => self.write(form),
        }
    }

    /// Encodes a composite key: OQS puts all parts into an OCTET STRING, the IETF's draft does not.
    fn write_composite(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        match (self.row.key_format, form) {
            (KeyFormat::OqsConcatenated, PrivateKeyForm::Oqs) => self.write(PrivateKeyForm::Expanded),
            (KeyFormat::Raw, PrivateKeyForm::Bare) => self.write(PrivateKeyForm::Bare),
            _ => Err(Error::Form {
                algorithm: self.row.name(),
                reason: "a composite key has only one form; omit the form",
            }),
        }
    }

    fn write(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        let identifier = algorithm::key_algorithm_identifier(self.row, self.public.numbers())?;
        pkcs8::write(self.key.as_ref(), form, &identifier, self.row.name())
    }

    /// Encodes the key as a PKCS#8 document in PEM.
    ///
    /// # Errors
    /// Returns [`Error::Form`] if the key does not have this form.
    pub fn to_pkcs8_pem(&self, form: PrivateKeyForm) -> Result<Zeroizing<String>, Error> {
        pem::encode(self.to_pkcs8_der(form)?.as_ref(), Kind::PrivateKey.label()).map(Zeroizing::new)
    }

    /// Returns the algorithm.
    #[must_use]
    pub fn row(&self) -> &'static SignatureRow {
        self.row
    }

    /// Returns the public key.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// Returns the key for signing.
    #[must_use]
    pub fn signing_key(&self) -> &dyn DynSigningKey {
        self.key.as_ref()
    }

    /// Registers a callback that reports the progress of each signature of a certificate or request, as in
    /// [`Progress`]. The callback receives (0, 0) when a signature starts.
    ///
    /// [`Progress`]: grille_core::Progress
    pub fn set_progress_callback(&mut self, watcher: impl Fn(u32, u32) + Send + Sync + 'static) {
        self.progress_callback = Some(Box::new(watcher));
    }

    /// Signs and reports progress to the callback.
    pub(crate) fn sign(
        &self,
        message: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, grille_core::Error> {
        let Some(watcher) = &self.progress_callback else { return self.key.sign(message, b"", rng) };
        watcher(0, 0);
        self.key.sign_with_progress(message, b"", Some(rng), watcher)
    }

    /// Returns the signing key by value.
    #[must_use]
    pub fn into_signing_key(self) -> Box<dyn DynSigningKey> {
        self.key
    }
}

fn lengths(row: &SignatureRow) -> Lengths {
    let info = row.signature.info();
    Lengths { seed: info.seed_len, expanded: info.signing_key_len, public: info.verifying_key_len }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey({})", self.row.name())
    }
}
