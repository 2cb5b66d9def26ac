//! A private key of either kind, and how it is written.

use crate::algorithm::Algorithm;
use crate::error::Error;
use crate::output::Output;
use crate::passphrase::Passphrase;
use clap::ValueEnum;
use grille_core::{SecretBytes, SystemRng};
use grille_pki::{Error as PkiError, KemPrivateKey, Layout, PrivateKey, PrivateKeyForm, lock, lock_pem};
use grille_registry::Numbers;
use serde::Serialize;
use std::io::{self, Write};

/// How a private key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    /// The seed alone: 32 or 64 bytes
    #[value(alias = "seed-only")]
    Seed,
    /// The expanded key alone
    #[value(alias = "priv-only")]
    Expanded,
    /// Seed and expanded key
    #[value(alias = "seed-priv")]
    Both,
    /// Private ‖ public, as OQS-OpenSSL and oqs-provider wrote it
    #[value(alias = "oqskeypair")]
    Oqs,
    /// The expanded key without a tag, as RFC 9909 has it of SLH-DSA, and early drafts of others
    #[value(alias = "bare-priv")]
    Bare,
    /// The algorithm's own bytes, without a wrapping that names it; the public key too
    Raw,
}

impl Form {
    /// Its name, as `--form` has it.
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

    /// The same in PKCS#8; raw keys are in none.
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

/// Tells that files are raw because PEM has no name for the algorithm.
pub(crate) fn tell_raw(algorithm: &str, out: &mut Output) -> io::Result<()> {
    writeln!(
        out,
        "{algorithm}: raw bytes, as no object identifier names it in PEM; commands that read them need --alg {algorithm}"
    )
}

/// A private key of either kind.
pub(crate) enum Private {
    /// For decapsulating.
    Kem(KemPrivateKey),
    /// For signing.
    Signature(PrivateKey),
}

impl Private {
    /// A new key.
    ///
    /// # Errors
    /// None that can happen to a new key.
    pub(crate) fn generate(algorithm: Algorithm, numbers: Numbers) -> Result<Self, Error> {
        let key = match algorithm {
            Algorithm::Kem(row) => Self::Kem(KemPrivateKey::generate(row, &mut SystemRng)?),
            Algorithm::Signature(row) => Self::Signature(PrivateKey::generate(row, &mut SystemRng)?),
        };
        Ok(key.in_era(numbers))
    }

    /// The same, its identifiers those of other numbers.
    pub(crate) fn in_era(self, numbers: Numbers) -> Self {
        match self {
            Self::Kem(key) => Self::Kem(key.in_era(numbers)),
            Self::Signature(key) => Self::Signature(key.in_era(numbers)),
        }
    }

    /// The numbers of its object identifier: those that it was read by, or is written with.
    pub(crate) fn numbers(&self) -> Numbers {
        match self {
            Self::Kem(key) => key.public_key().numbers(),
            Self::Signature(key) => key.public_key().numbers(),
        }
    }

    /// The object identifier of such keys.
    pub(crate) fn oid(&self, numbers: Numbers) -> Option<&'static str> {
        match self {
            Self::Kem(key) => numbers.kem_oid(key.row()),
            Self::Signature(key) => numbers.key_oid(key.row()),
        }
    }

    /// From PEM or DER, or from the bare bytes of the algorithm `raw`.
    ///
    /// # Errors
    /// What is wrong with them.
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
            // a KEM's, perhaps by an identifier that it had in this era only
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

    /// How it lay in what it was read from.
    pub(crate) fn layout(&self) -> Option<Layout> {
        match self {
            Self::Kem(key) => key.layout(),
            Self::Signature(key) => key.layout(),
        }
    }

    /// Whether the key of a KEM opens what its public key seals: the secret polynomials may be anything otherwise, and no
    /// check of the encoding shows it. Signature keys are checked for that where they are read.
    pub(crate) fn is_a_pair(&self) -> bool {
        let Self::Kem(key) = self else { return true };
        let public = key.row().kem.encaps_key(key.public_key().bytes());
        let sent = public.map(|public| public.encapsulate(&mut SystemRng));
        sent.is_ok_and(|sent| key.decaps_key().decapsulate(&sent.ciphertext) == Ok(sent.secret))
    }

    pub(crate) fn knows_its_seed(&self) -> bool {
        match self {
            Self::Kem(key) => key.decaps_key().seed().is_some(),
            Self::Signature(key) => key.signing_key().seed().is_some(),
        }
    }

    /// The algorithm's own encoding of the public half.
    pub(crate) fn public_bytes(&self) -> &[u8] {
        match self {
            Self::Kem(key) => key.public_key().bytes(),
            Self::Signature(key) => key.public_key().bytes(),
        }
    }

    /// The form in which it is written where none is asked for: what most others read, bare bytes where the algorithm has
    /// no identifier in `numbers`; `None` where the algorithm has a form of its own.
    pub(crate) fn usual_form(&self, numbers: Numbers) -> Option<Form> {
        if self.oid(numbers).is_none() {
            return Some(Form::Raw);
        }
        let usual = match self {
            Self::Kem(_) => PrivateKeyForm::DEFAULT_FOR_KEM,
            Self::Signature(key) => PrivateKeyForm::default_for(key.row()),
        };
        match usual {
            PrivateKeyForm::SeedIfKnown if self.knows_its_seed() => Some(Form::Seed),
            PrivateKeyForm::SeedIfKnown | PrivateKeyForm::Expanded => Some(Form::Expanded),
            PrivateKeyForm::Seed => Some(Form::Seed),
            PrivateKeyForm::Both => Some(Form::Both),
            PrivateKeyForm::Bare => Some(Form::Bare),
            PrivateKeyForm::Oqs => Some(Form::Oqs),
            PrivateKeyForm::Native => None,
        }
    }

    /// The private and the public key as files have them: PEM, or DER if `der`, or bare. `form` is one that was asked for,
    /// or [`Private::usual_form`]. With a passphrase the private key is encrypted.
    ///
    /// # Errors
    /// A form that this key does not have, and DER or encryption of a raw key.
    pub(crate) fn written(
        &self,
        form: Option<Form>,
        der: bool,
        passphrase: Option<&Passphrase>,
    ) -> Result<(SecretBytes, Vec<u8>), Error> {
        let form = match form {
            Some(Form::Raw) if passphrase.is_some() => {
                return Err(Error::usage("a raw key has no envelope that could be encrypted")
                    .at_place("--encrypt")
                    .advise("leave out --encrypt, or choose an algorithm with an object identifier"));
            }
            Some(Form::Raw) if der => {
                return Err(Error::usage("a raw key is neither DER nor PEM")
                    .at_place("--der")
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
                lock(self.document(form)?.as_ref(), passphrase, &mut SystemRng)?.as_slice().into()
            }
            (Some(passphrase), false) => {
                lock_pem(self.document(form)?.as_ref(), passphrase, &mut SystemRng)?.as_bytes().into()
            }
            (None, true) => self.document(form)?,
            (None, false) => match self {
                Self::Kem(key) => key.to_pkcs8_pem(form)?.as_bytes().into(),
                Self::Signature(key) => key.to_pkcs8_pem(form)?.as_bytes().into(),
            },
        };
        Ok((private, public))
    }

    /// The PKCS#8 document.
    fn document(&self, form: PrivateKeyForm) -> Result<SecretBytes, PkiError> {
        match self {
            Self::Kem(key) => key.to_pkcs8_der(form),
            Self::Signature(key) => key.to_pkcs8_der(form),
        }
    }

    /// The algorithm's own encoding.
    fn raw(&self) -> SecretBytes {
        match self {
            Self::Kem(key) => key.decaps_key().to_bytes(),
            Self::Signature(key) => key.signing_key().to_bytes(),
        }
    }
}
