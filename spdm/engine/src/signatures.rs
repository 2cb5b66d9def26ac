//! Signatures of messages, DSP0274 chapter "Signature generation and verification".
//!
//! ```text
//! 1.0, 1.1: the transcript's hash is signed as it is
//! 1.2 on:   4 × "dmtf-spdm-v1.X.*" │ zeroes │ context │ Hash(transcript)        is signed as a message
//!           └──────────── 100 bytes ─────────────────┘
//! ```
//! ML-DSA, SLH-DSA and Ed448 sign the same message, with the context as their own context string.

use crate::algorithms::{Asym, Classical, Scheme, Signing};
use crate::hash::{Digest, Hash, MAX_HASH};
use aws_lc_rs::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{self as lc, EcdsaKeyPair, UnparsedPublicKey};
use grille_classical::rsa::{self, PrivateNumbers};
use grille_core::{CryptoRng, DynSigningKey, Error};
use grille_pki::{PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::{Row, SignatureRow};
use grille_spdm_codec::Version;
use grille_spdm_codec::signing::{self, PREFIX};

pub use grille_spdm_codec::signing::{
    CHALLENGE_AUTH, ENCAPSULATED_CHALLENGE_AUTH, ENCAPSULATED_ENDPOINT_INFO, ENDPOINT_INFO, FINISH,
    KEY_EXCHANGE_RSP, MEASUREMENTS,
};

/// What is signed.
pub struct ToBeSigned {
    bytes: [u8; PREFIX + MAX_HASH],
    len: usize,
    context: &'static str,
    hash: &'static Hash,
}

impl ToBeSigned {
    /// `context`: one of this module's. `transcript`: hashed with `hash`.
    #[must_use]
    pub fn new(version: Version, context: &'static str, hash: &'static Hash, transcript: &Digest) -> Self {
        let hashed = version < Version::V1_2;
        let mut bytes = [0; PREFIX + MAX_HASH];
        let start = if hashed { 0 } else { PREFIX };
        if !hashed {
            bytes[..PREFIX].copy_from_slice(&signing::prefix(version, context));
        }
        let len = start + transcript.as_ref().len();
        bytes[start..len].copy_from_slice(transcript.as_ref());
        Self { bytes, len, context, hash }
    }

    /// The prefix and the hash, or the hash alone.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The context string.
    #[must_use]
    pub const fn context(&self) -> &'static str {
        self.context
    }

    /// The context string of an algorithm that takes one; there is none before 1.2.
    fn own_context(&self, row: &SignatureRow) -> &'static [u8] {
        let takes = row.signature.info().context_len > 0 && !self.hashed();
        if takes { self.context.as_bytes() } else { b"" }
    }

    /// 1.0 and 1.1: the bytes are a hash already.
    const fn hashed(&self) -> bool {
        self.len <= MAX_HASH
    }

    fn as_digest(&self) -> Result<digest::Digest, Error> {
        digest::Digest::import_less_safe(self.bytes(), self.hash.algorithm()).map_err(|_| NO_SCHEME)
    }

    /// The hash of the message.
    fn digest(&self) -> Result<digest::Digest, Error> {
        if self.hashed() { self.as_digest() } else { Ok(digest::digest(self.hash.algorithm(), self.bytes())) }
    }

    /// The hash of the message as a number for ECDSA, with the bytes of the hash that aws-lc binds the curve to: of a
    /// longer one the leftmost count, FIPS 186-5 section 6.4.1, and a shorter one has zeros before it.
    fn as_number(&self, scheme: &Scheme) -> Result<digest::Digest, Error> {
        let (mut number, len) = ([0; MAX_HASH], scheme.digest.output_len());
        let hash = self.digest()?;
        let taken = hash.as_ref().len().min(len);
        number[len - taken..len].copy_from_slice(&hash.as_ref()[..taken]);
        digest::Digest::import_less_safe(&number[..len], scheme.digest).map_err(|_| NO_SCHEME)
    }
}

/// Who signs for a slot: a key in memory ([`LocalSigner`]), or one behind a door.
pub trait Signer: Send + Sync {
    /// The algorithm of the key.
    fn algorithm(&self) -> Asym;

    /// The signature, as SPDM writes it: r ‖ s of fixed length for ECDSA. `None` if it takes longer: the peer is told
    /// to come back, and the same message is asked for again, unless the peer has changed its mind.
    ///
    /// # Errors
    /// The key's own.
    fn sign(&self, message: &ToBeSigned, rng: &mut dyn CryptoRng) -> Result<Option<Vec<u8>>, Error>;
}

/// A private key in memory.
pub struct LocalSigner {
    algorithm: Asym,
    key: Key,
}

enum Key {
    Ecdsa(&'static Scheme, Box<EcdsaKeyPair>),
    Rsa(Box<(lc::RsaKeyPair, PrivateNumbers)>),
    /// Post-quantum, or EdDSA: what the registry signs with.
    Registered(&'static SignatureRow, Box<dyn DynSigningKey>),
}

const OTHER_KEY: Error = Error::InvalidPrivateKey { reason: "is of another algorithm" };
const OTHER_PUBLIC_KEY: Error = Error::InvalidPublicKey { reason: "is of another algorithm" };
const NO_SCHEME: Error = Error::Unsupported { what: "signatures over the negotiated hash" };

impl LocalSigner {
    /// `key` as `algorithm` uses it: one RSA key can sign in two ways.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if the key is of another algorithm.
    pub fn new(algorithm: Asym, key: PrivateKey) -> Result<Self, Error> {
        let key = match algorithm {
            Asym::PostQuantum(row) if row.name() == key.row().name() => {
                Key::Registered(row, key.into_signing_key())
            }
            Asym::Classical(classical) if is_key_of(classical, key.row()) => {
                Key::classical(classical, key).ok_or(OTHER_KEY)?
            }
            _ => return Err(OTHER_KEY),
        };
        Ok(Self { algorithm, key })
    }
}

fn is_key_of(classical: &Classical, row: &SignatureRow) -> bool {
    row.name() == classical.key || row.aliases.contains(&classical.key)
}

impl Key {
    fn classical(algorithm: &'static Classical, key: PrivateKey) -> Option<Self> {
        let scheme = algorithm.first()?;
        let pkcs8 = || key.to_pkcs8_der(PrivateKeyForm::Native).ok();
        match scheme.signing {
            Signing::Edwards => Some(Self::Registered(key.row(), key.into_signing_key())),
            Signing::Rsa(..) | Signing::OwnRsa(_) => {
                let pkcs8 = pkcs8()?;
                let pair = lc::RsaKeyPair::from_pkcs8(pkcs8.as_ref()).ok()?;
                Some(Self::Rsa(Box::new((pair, PrivateNumbers::from_pkcs8(pkcs8.as_ref()).ok()?))))
            }
            Signing::Ecdsa(signing, _) => {
                let pair = EcdsaKeyPair::from_pkcs8(signing, pkcs8()?.as_ref()).ok()?;
                Some(Self::Ecdsa(scheme, Box::new(pair)))
            }
        }
    }
}

impl Signer for LocalSigner {
    fn algorithm(&self) -> Asym {
        self.algorithm
    }

    fn sign(&self, message: &ToBeSigned, rng: &mut dyn CryptoRng) -> Result<Option<Vec<u8>>, Error> {
        self.sign_now(message, rng).map(Some)
    }
}

impl LocalSigner {
    fn sign_now(&self, message: &ToBeSigned, rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        match &self.key {
            Key::Registered(row, key) => key.sign(message.bytes(), message.own_context(row), rng),
            Key::Ecdsa(scheme, pair) => {
                let signature = pair.sign_digest(&message.as_number(scheme)?);
                Ok(signature.map_err(|_| NO_SCHEME)?.as_ref().to_vec())
            }
            Key::Rsa(key) => self.sign_with_rsa(key, message, rng),
        }
    }

    fn sign_with_rsa(
        &self,
        (pair, numbers): &(lc::RsaKeyPair, PrivateNumbers),
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        let mut signature = vec![0; pair.public_modulus_len()];
        match self.scheme(message.hash).ok_or(NO_SCHEME)?.signing {
            Signing::OwnRsa(padding) => return numbers.sign(padding, &message.digest()?, rng),
            Signing::Rsa(encoding, _) if message.hashed() => {
                pair.sign_digest(encoding, &message.as_digest()?, &mut signature)
            }
            Signing::Rsa(encoding, _) => {
                pair.sign(encoding, &SystemRandom::new(), message.bytes(), &mut signature)
            }
            Signing::Ecdsa(..) | Signing::Edwards => return Err(NO_SCHEME),
        }
        .map_err(|_| NO_SCHEME)?;
        Ok(signature)
    }

    fn scheme(&self, hash: &Hash) -> Option<&'static Scheme> {
        match self.algorithm {
            Asym::Classical(classical) => classical.scheme(hash),
            Asym::PostQuantum(_) => None,
        }
    }
}

/// Checks a signature.
///
/// # Errors
/// [`Error::InvalidSignature`]; [`Error::InvalidPublicKey`] if the key is of another algorithm.
pub fn verify(algorithm: Asym, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
    match algorithm {
        Asym::PostQuantum(row) if row.name() == key.row().name() => {
            verify_registered(key, message, signature)
        }
        Asym::Classical(classical) if is_key_of(classical, key.row()) => {
            let scheme = classical.scheme(message.hash).ok_or(NO_SCHEME)?;
            let parsed = |algorithm| UnparsedPublicKey::new(algorithm, key.bytes());
            match scheme.signing {
                Signing::OwnRsa(padding) => {
                    return rsa::verify(key.bytes(), padding, &message.digest()?, signature);
                }
                Signing::Ecdsa(_, algorithm) => {
                    parsed(algorithm).verify_digest(&message.as_number(scheme)?, signature)
                }
                Signing::Rsa(_, algorithm) if message.hashed() => {
                    parsed(algorithm).verify_digest(&message.as_digest()?, signature)
                }
                Signing::Rsa(_, algorithm) => parsed(algorithm).verify(message.bytes(), signature),
                Signing::Edwards => return verify_registered(key, message, signature),
            }
            .map_err(|_| Error::InvalidSignature)
        }
        _ => Err(OTHER_PUBLIC_KEY),
    }
}

/// With what the registry has for the key.
fn verify_registered(key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
    let verifying = key.verifying_key().map_err(|_| OTHER_PUBLIC_KEY)?;
    verifying.verify(message.bytes(), message.own_context(key.row()), signature)
}
