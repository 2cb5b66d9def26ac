//! Private keys of both kinds (KEM and signature), and the forms in which they are written.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::output::Output;
use crate::passphrase::Passphrase;
use clap::ValueEnum;
use grille_core::{SecretBytes, SystemRng};
use grille_pki::{
    Error as PkiError, KemPrivateKey, Layout, PrivateKey, PrivateKeyForm, encrypt, encrypt_pem,
};
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};

/// The form in which a private key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// Only the seed, 32 or 64 bytes
    #[value(alias = "seed-only")]
    Seed,
    /// Only the expanded key
    #[value(alias = "priv-only")]
    Expanded,
    /// Seed and expanded key
    #[value(alias = "seed-priv")]
    Both,
    /// Private ‖ public, as written by OQS-OpenSSL and oqs-provider
    #[value(alias = "oqskeypair")]
    Oqs,
    /// The expanded key without a tag, as in RFC 9909 (SLH-DSA) and in early drafts for other algorithms
    #[value(alias = "bare-priv")]
    Bare,
    /// The algorithm's own encoding of both keys, without a container that names it
    Raw,
}

impl Form {
    /// Returns the name in `--form`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
            Self::Oqs => "oqs",
            Self::Bare => "bare",
            Self::Raw => "raw",
        }
    }

    /// Returns the corresponding form in PKCS#8. Raw keys have none; callers must handle them before.
    const fn in_container(self) -> PrivateKeyForm {
        match self {
            Self::Seed => PrivateKeyForm::Seed,
            Self::Expanded => PrivateKeyForm::Expanded,
            Self::Both => PrivateKeyForm::Both,
            Self::Oqs => PrivateKeyForm::Oqs,
            Self::Bare | Self::Raw => PrivateKeyForm::Bare,
        }
    }
}

/// Explains that the files are raw because the algorithm has no object identifier.
pub(crate) fn explain_raw(algorithm: &str, out: &mut Output) -> io::Result<()> {
    writeln!(
        out,
        "{algorithm}: the files are raw, because the algorithm has no object identifier for PEM; read them with --alg {algorithm}"
    )
}

/// A private key of either kind.
pub(crate) enum Private {
    /// A decapsulation key.
    Kem(KemPrivateKey),
    /// A signing key.
    Signature(PrivateKey),
}

impl Private {
    /// Generates a key.
    ///
    /// # Errors
    /// None in practice: a new key is always valid.
    pub(crate) fn generate(algorithm: Algorithm, numbers: Numbers) -> Result<Self, Error> {
        let key = match algorithm {
            Algorithm::Kem(row) => Self::Kem(KemPrivateKey::generate(row, &mut SystemRng)?),
            Algorithm::Signature(row) => Self::Signature(PrivateKey::generate(row, &mut SystemRng)?),
        };
        Ok(key.in_era(numbers))
    }

    /// Returns the key with its object identifiers in the profiles `numbers`.
    pub(crate) fn in_era(self, numbers: Numbers) -> Self {
        match self {
            Self::Kem(key) => Self::Kem(key.in_era(numbers)),
            Self::Signature(key) => Self::Signature(key.in_era(numbers)),
        }
    }

    /// Returns the profiles in which the key's object identifier was read, or in which it is written.
    pub(crate) fn profile_set(&self) -> Numbers {
        match self {
            Self::Kem(key) => key.public_key().numbers(),
            Self::Signature(key) => key.public_key().numbers(),
        }
    }

    /// Returns the object identifier of the key's algorithm in a profile.
    pub(crate) fn oid(&self, numbers: Numbers) -> Option<&'static str> {
        match self {
            Self::Kem(key) => numbers.kem_oid(key.row()),
            Self::Signature(key) => numbers.key_oid(key.row()),
        }
    }

    /// Parses PEM or DER, or a raw key of the algorithm `raw`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid private key.
    pub(crate) fn read(bytes: &[u8], raw: Option<Algorithm>, numbers: Numbers) -> Result<Self, PkiError> {
        match raw {
            Some(Algorithm::Kem(row)) => KemPrivateKey::from_raw(row, bytes).map(Self::Kem),
            Some(Algorithm::Signature(row)) => PrivateKey::from_raw(row, bytes).map(Self::Signature),
            None => return Self::read_document(bytes, numbers),
        }
        .map(|key| key.in_era(numbers))
    }

    fn read_document(bytes: &[u8], numbers: Numbers) -> Result<Self, PkiError> {
        let unknown =
            |error: &PkiError| matches!(error, PkiError::OtherUse { .. } | PkiError::UnknownAlgorithm { .. });
        match PrivateKey::from_pem_or_der_in(bytes, numbers) {
            // perhaps a KEM key, under an identifier that only this profile has
            Err(refused) if unknown(&refused) => match KemPrivateKey::from_pem_or_der_in(bytes, numbers) {
                Err(error) if unknown(&error) => Err(refused),
                kem => kem.map(Self::Kem),
            },
            key => key.map(Self::Signature),
        }
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Kem(key) => Algorithm::Kem(key.row()),
            Self::Signature(key) => Algorithm::Signature(key.row()),
        }
    }

    /// Returns the layout in the file from which the key was read.
    pub(crate) fn layout(&self) -> Option<Layout> {
        match self {
            Self::Kem(key) => key.layout(),
            Self::Signature(key) => key.layout(),
        }
    }

    /// Returns whether a KEM key decapsulates a ciphertext made with its public key; `true` for signature keys.
    ///
    /// No check of the encoding can find wrong secret polynomials. Signature keys are checked when they are read.
    pub(crate) fn is_consistent_pair(&self) -> bool {
        let Self::Kem(key) = self else { return true };
        let public = key.row().kem.encaps_key(key.public_key().bytes());
        let sent = public.map(|public| public.encapsulate(&mut SystemRng));
        sent.is_ok_and(|sent| key.decaps_key().decapsulate(&sent.ciphertext) == Ok(sent.secret))
    }

    pub(crate) fn has_seed(&self) -> bool {
        match self {
            Self::Kem(key) => key.decaps_key().seed().is_some(),
            Self::Signature(key) => key.signing_key().seed().is_some(),
        }
    }

    /// Returns the algorithm's own encoding of the public key.
    pub(crate) fn public_bytes(&self) -> &[u8] {
        match self {
            Self::Kem(key) => key.public_key().bytes(),
            Self::Signature(key) => key.public_key().bytes(),
        }
    }

    /// Returns the default form: the one that most programs read, or raw if the algorithm has no object identifier in
    /// `numbers`. `None` if the algorithm has only its own native form.
    pub(crate) fn default_form(&self, numbers: Numbers) -> Option<Form> {
        if self.oid(numbers).is_none() {
            return Some(Form::Raw);
        }
        let usual = match self {
            Self::Kem(_) => PrivateKeyForm::DEFAULT_FOR_KEM,
            Self::Signature(key) => PrivateKeyForm::default_for(key.row()),
        };
        match usual {
            PrivateKeyForm::SeedIfKnown if self.has_seed() => Some(Form::Seed),
            PrivateKeyForm::SeedIfKnown | PrivateKeyForm::Expanded => Some(Form::Expanded),
            PrivateKeyForm::Seed => Some(Form::Seed),
            PrivateKeyForm::Both => Some(Form::Both),
            PrivateKeyForm::Bare => Some(Form::Bare),
            PrivateKeyForm::Oqs => Some(Form::Oqs),
            PrivateKeyForm::Native => None,
        }
    }

    /// Encodes the private and the public key for files: PEM, DER if `der` is set, or raw.
    ///
    /// `form` is the requested form, or [`Private::default_form`]. With a passphrase the private key is encrypted.
    ///
    /// # Errors
    /// Returns an error if the key does not have this form, or if DER or encryption is requested for a raw key.
    pub(crate) fn encode_pair(
        &self,
        form: Option<Form>,
        der: bool,
        passphrase: Option<&Passphrase>,
    ) -> Result<(SecretBytes, Vec<u8>), Error> {
        let form = match form {
            Some(Form::Raw) if passphrase.is_some() => {
                return Err(Error::usage("a raw key cannot be encrypted")
                    .with_place("--encrypt")
                    .advise("leave out --encrypt, or choose an algorithm with an object identifier"));
            }
            Some(Form::Raw) if der => {
                return Err(Error::usage("a raw key is neither DER nor PEM")
                    .with_place("--der")
                    .advise("leave out --der"));
            }
            Some(Form::Raw) => return Ok((self.raw(), self.public_bytes().to_vec())),
            form => form.map_or(PrivateKeyForm::Native, Form::in_container),
        };
        let public = match (self, der) {
            (Self::Kem(key), true) => key.public_key().to_spki_der()?,
            (Self::Kem(key), false) => key.public_key().to_spki_pem()?.into_bytes(),
            (Self::Signature(key), true) => key.public_key().to_spki_der()?,
            (Self::Signature(key), false) => key.public_key().to_spki_pem()?.into_bytes(),
        };
        let private = match (passphrase, der) {
            (Some(passphrase), true) => {
                encrypt(self.document(form)?.as_ref(), passphrase, &mut SystemRng)?.as_slice().into()
            }
            (Some(passphrase), false) => {
                encrypt_pem(self.document(form)?.as_ref(), passphrase, &mut SystemRng)?.as_bytes().into()
            }
            (None, true) => self.document(form)?,
            (None, false) => match self {
                Self::Kem(key) => key.to_pkcs8_pem(form)?.as_bytes().into(),
                Self::Signature(key) => key.to_pkcs8_pem(form)?.as_bytes().into(),
            },
        };
        Ok((private, public))
    }

    /// Encodes the key as PKCS#8.
    fn document(&self, form: PrivateKeyForm) -> Result<SecretBytes, PkiError> {
        match self {
            Self::Kem(key) => key.to_pkcs8_der(form),
            Self::Signature(key) => key.to_pkcs8_der(form),
        }
    }

    /// Returns the algorithm's own encoding of the private key.
    fn raw(&self) -> SecretBytes {
        match self {
            Self::Kem(key) => key.decaps_key().to_bytes(),
            Self::Signature(key) => key.signing_key().to_bytes(),
        }
    }
}
