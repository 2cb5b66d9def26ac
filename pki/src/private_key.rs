//! Private keys of signature algorithms: PKCS#8, RFC 5958.

use crate::pem::{self, Kind};
use crate::pkcs8::{self, Lengths};
use crate::{Error, PublicKey, algorithm, falcon};
use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;
use grille_core::{CryptoRng, DynSigningKey, SecretBytes};
use grille_registry::{KeyFormat, Numbers, Row, SignatureRow};
use zeroize::Zeroizing;

/// How a private key is written inside its PKCS#8 document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateKeyForm {
    /// [`PrivateKeyForm::Seed`] if the key knows its seed, else [`PrivateKeyForm::Expanded`].
    SeedIfKnown,
    /// `[0]` seed, RFC 9881 and RFC 9935.
    Seed,
    /// `expandedKey`.
    Expanded,
    /// `both`: seed and expanded key.
    Both,
    /// The expanded key as it is, RFC 9909.
    Bare,
    /// Private ‖ public, as OQS-OpenSSL and oqs-provider write it.
    Oqs,
    /// The algorithm's own PKCS#8 document, for classical keys.
    Native,
}

impl PrivateKeyForm {
    /// What others read best.
    #[must_use]
    pub fn default_for(row: &SignatureRow) -> Self {
        match row.key_format {
            KeyFormat::SeedOrExpanded => Self::SeedIfKnown,
            KeyFormat::Raw => Self::Bare,
            KeyFormat::OqsConcatenated => Self::Oqs,
            KeyFormat::Native { .. } => Self::Native,
        }
    }

    /// The same for every KEM.
    pub const DEFAULT_FOR_KEM: Self = Self::SeedIfKnown;
}

/// How a private key lay in what it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `[0]` seed.
    Seed,
    /// `expandedKey`: the expanded key in an OCTET STRING.
    Expanded,
    /// `both`.
    Both,
    /// Private ‖ public in an OCTET STRING.
    OqsPair,
    /// The seed in an OCTET STRING.
    OctetSeed,
    /// The seed as it is.
    BareSeed,
    /// The expanded key as it is.
    BareExpanded,
    /// Private ‖ public as they are.
    BarePair,
    /// f, g and F of Falcon in OCTET STRINGs of their own.
    Parts,
    /// The algorithm's own document, for classical keys.
    Native,
}

impl Layout {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
            Self::OqsPair => "oqs",
            Self::OctetSeed => "octet-seed",
            Self::BareSeed => "bare-seed",
            Self::BareExpanded => "bare",
            Self::BarePair => "bare-pair",
            Self::Parts => "parts",
            Self::Native => "native",
        }
    }

    /// The name that OpenSSL 3.5 has for it in `output_formats`, if it has one.
    #[must_use]
    pub const fn openssl_name(self) -> Option<&'static str> {
        match self {
            Self::Seed => Some("seed-only"),
            Self::Expanded => Some("priv-only"),
            Self::Both => Some("seed-priv"),
            Self::OqsPair => Some("oqskeypair"),
            Self::BareSeed => Some("bare-seed"),
            Self::BareExpanded => Some("bare-priv"),
            Self::OctetSeed | Self::BarePair | Self::Parts | Self::Native => None,
        }
    }

    /// What that is, and whose.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Seed => "the seed, as RFC 9881 and RFC 9935 prefer it",
            Self::Expanded => "the expanded key, as RFC 9881 and RFC 9935 have it too",
            Self::Both => "seed and expanded key, as OpenSSL 3.5 writes them",
            Self::OqsPair => "private and public key in one, as OQS writes them",
            Self::OctetSeed => "the seed, as drafts of RFC 9881 and RFC 9935 had it",
            Self::BareSeed => "the seed without a tag, as early drafts had it",
            Self::BareExpanded => {
                "the expanded key without a tag, as RFC 9909 has it of SLH-DSA, and early drafts of others"
            }
            Self::BarePair => "private and public key in one, without a tag",
            Self::Parts => "f, g and F one after the other, as Bouncy Castle writes keys of Falcon",
            Self::Native => "the algorithm's own document",
        }
    }

    /// The same bytes in an OCTET STRING.
    pub(crate) const fn in_an_octet_string(self) -> Self {
        match self {
            Self::BareSeed => Self::OctetSeed,
            Self::BareExpanded => Self::Expanded,
            Self::BarePair => Self::OqsPair,
            other => other,
        }
    }
}

/// A private key and its algorithm.
pub struct PrivateKey {
    row: &'static SignatureRow,
    key: Box<dyn DynSigningKey>,
    public: PublicKey,
    layout: Option<Layout>,
    watcher: Option<Watcher>,
}

/// How much memory a key that is read may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A secret key: its scheme's form for many signatures. A public key: what checks one signature the fastest.
    Prepared,
    /// The smallest form.
    Small,
}

impl Size {
    /// A key of the scheme's own encoding.
    fn read(self, row: &SignatureRow, bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, grille_core::Error> {
        match self {
            Self::Prepared => row.signature.signing_key(bytes),
            Self::Small => row.signature.small_signing_key(bytes),
        }
    }
}

/// Is told how far a signature is; see [`PrivateKey::watch`].
type Watcher = Box<dyn Fn(u32, u32) + Send + Sync>;

impl PrivateKey {
    /// A new key.
    ///
    /// # Errors
    /// [`Error::Key`], which cannot happen to a new key.
    pub fn generate(row: &'static SignatureRow, rng: &mut dyn CryptoRng) -> Result<Self, Error> {
        Self::new(row, row.signature.generate(rng), None)
    }

    /// From the algorithm's own bytes: the seed, the expanded key, or private ‖ public.
    ///
    /// # Errors
    /// [`Error::Malformed`] if they are none of these by their length; [`Error::Key`].
    pub fn from_raw(row: &'static SignatureRow, bytes: &[u8]) -> Result<Self, Error> {
        if let KeyFormat::Native { .. } = row.key_format {
            return Self::whole(row, bytes, Layout::Native, Size::Prepared);
        }
        if row.signature.is_composite() {
            return Self::whole(row, bytes, Layout::BareExpanded, Size::Prepared);
        }
        let parts = pkcs8::by_length(bytes, &lengths(row)).ok_or(pkcs8::malformed(pkcs8::RAW_LENGTH))?;
        Self::assembled(row, &parts, Size::Prepared)
    }

    /// From bytes that hold all that the algorithm has.
    fn whole(row: &'static SignatureRow, bytes: &[u8], layout: Layout, size: Size) -> Result<Self, Error> {
        let key = size.read(row, bytes);
        let key = key.map_err(|source| Error::Key { algorithm: row.name(), source })?;
        Self::new(row, key, Some(layout))
    }

    /// From PEM or DER, in any form.
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
    /// As [`PrivateKey::from_pem_or_der`].
    pub fn from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_document(bytes, numbers, Size::Prepared)
    }

    /// The same with nothing prepared, for whoever signs seldom or has little memory.
    ///
    /// # Errors
    /// As [`PrivateKey::from_pem_or_der`].
    pub fn small_from_pem_or_der_in(bytes: &[u8], numbers: Numbers) -> Result<Self, Error> {
        Self::from_document(bytes, numbers, Size::Small)
    }

    fn from_document(bytes: &[u8], numbers: Numbers, size: Size) -> Result<Self, Error> {
        let der = pkcs8::document(bytes)?;
        let document = pkcs8::open(&der)?;
        let (numbers, rows) = algorithm::rows_by_key("private key", &document.algorithm, numbers)?;
        let read = |row| Self::read(row, &der, &document, size);
        Ok(algorithm::of_size("private key", &rows, document.content, read)?.in_era(numbers))
    }

    /// The same key, written with the object identifiers of an era, as are the certificates that it signs.
    #[must_use]
    pub fn in_era(mut self, numbers: Numbers) -> Self {
        self.public = self.public.in_era(numbers);
        self
    }

    fn read(
        row: &'static SignatureRow,
        der: &[u8],
        document: &pkcs8::Document<'_>,
        size: Size,
    ) -> Result<Self, Error> {
        let key = if let KeyFormat::Native { .. } = row.key_format {
            Self::from_raw(row, der)?
        } else if row.signature.is_composite() {
            let (bytes, layout) = match row.key_format {
                KeyFormat::OqsConcatenated => pkcs8::oqs_composite(document.content),
                _ => (document.content, Layout::BareExpanded),
            };
            Self::whole(row, bytes, layout, size)?
        } else if let Some(joined) = falcon::joined(row, document.content)? {
            let key = Self::whole(row, &joined.private, Layout::Parts, size)?;
            pkcs8::check_public(key.public.bytes(), joined.public.as_deref())?;
            key
        } else {
            Self::assembled(row, &pkcs8::parts(document.content, &lengths(row))?, size)?
        };
        pkcs8::check_public_element(key.public.bytes(), document.public)?;
        Ok(key)
    }

    fn assembled(row: &'static SignatureRow, parts: &pkcs8::Parts<'_>, size: Size) -> Result<Self, Error> {
        let seed = |seed: &[u8]| match size {
            Size::Prepared => row.signature.signing_key_from_seed(seed),
            Size::Small => row.signature.small_signing_key_from_seed(seed),
        };
        let key = pkcs8::assemble(parts, row.name(), seed, |expanded| size.read(row, expanded))?;
        Self::new(row, key, Some(parts.layout))
    }

    fn new(
        row: &'static SignatureRow,
        key: Box<dyn DynSigningKey>,
        layout: Option<Layout>,
    ) -> Result<Self, Error> {
        let public = PublicKey::from_bytes(row, &key.verifying_key_bytes())?;
        Ok(Self { row, key, public, layout, watcher: None })
    }

    /// How it lay in what it was read from; `None` if it was generated.
    #[must_use]
    pub const fn layout(&self) -> Option<Layout> {
        self.layout
    }

    /// The PKCS#8 document.
    ///
    /// # Errors
    /// [`Error::Form`] if the key cannot be written so.
    pub fn to_pkcs8_der(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        match (self.row.key_format, form) {
            (KeyFormat::Native { .. }, PrivateKeyForm::Native) => Ok(self.key.to_bytes()),
            (KeyFormat::Native { .. }, _) => Err(Error::Form {
                algorithm: self.row.name(),
                reason: "a classical key has one form only; leave the form out",
            }),
            _ if self.row.signature.is_composite() => self.write_composite(form),
            (KeyFormat::Raw, PrivateKeyForm::Expanded | PrivateKeyForm::SeedIfKnown) => {
                self.to_pkcs8_der(PrivateKeyForm::Bare)
            }
            _ => self.write(form),
        }
    }

    /// OQS has all parts in an OCTET STRING, the IETF has them as they are.
    fn write_composite(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        match (self.row.key_format, form) {
            (KeyFormat::OqsConcatenated, PrivateKeyForm::Oqs) => self.write(PrivateKeyForm::Expanded),
            (KeyFormat::Raw, PrivateKeyForm::Bare) => self.write(PrivateKeyForm::Bare),
            _ => Err(Error::Form {
                algorithm: self.row.name(),
                reason: "a composite key has one form only; leave the form out",
            }),
        }
    }

    fn write(&self, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
        let identifier = algorithm::of_key(self.row, self.public.numbers())?;
        pkcs8::write(self.key.as_ref(), form, &identifier, self.row.name())
    }

    /// The PKCS#8 document as PEM.
    ///
    /// # Errors
    /// [`Error::Form`] if the key cannot be written so.
    pub fn to_pkcs8_pem(&self, form: PrivateKeyForm) -> Result<Zeroizing<String>, Error> {
        pem::encode(self.to_pkcs8_der(form)?.as_ref(), Kind::PrivateKey.label()).map(Zeroizing::new)
    }

    /// The algorithm.
    #[must_use]
    pub fn row(&self) -> &'static SignatureRow {
        self.row
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The key, ready to sign.
    #[must_use]
    pub fn signing_key(&self) -> &dyn DynSigningKey {
        self.key.as_ref()
    }

    /// Has `watcher` told how far each signature of a certificate or request is, as [`Progress`] says; (0, 0) when it begins.
    ///
    /// [`Progress`]: grille_core::Progress
    pub fn watch(&mut self, watcher: impl Fn(u32, u32) + Send + Sync + 'static) {
        self.watcher = Some(Box::new(watcher));
    }

    /// Signs, watched.
    pub(crate) fn sign(
        &self,
        message: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, grille_core::Error> {
        let Some(watcher) = &self.watcher else { return self.key.sign(message, b"", rng) };
        watcher(0, 0);
        self.key.sign_with_progress(message, b"", Some(rng), watcher)
    }

    /// The key itself, without what wraps it.
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
