//! Signatures of messages, DSP0274 chapter "Signature generation and verification".
//!
//! ```text
//! 1.0, 1.1: the transcript's hash is signed as it is
//! 1.2 on:   4 × "dmtf-spdm-v1.X.*" │ zeroes │ context │ Hash(transcript)        is signed as a message
//!           └──────────── 100 bytes ─────────────────┘
//! ```
//! ML-DSA, SLH-DSA and Ed448 sign the same message, with the context as their own context string.

use crate::algorithms::{Asym, Classical};
use crate::hash::{Digest, Hash, MAX_HASH};
use alloc::{boxed::Box, vec::Vec};
use grille_core::{CryptoRng, Error};
use grille_pki::{PrivateKey, PublicKey};
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
        let takes = row.signature.info().context_len > 0 && !self.is_hash();
        if takes { self.context.as_bytes() } else { b"" }
    }

    /// 1.0 and 1.1: the bytes are a hash already.
    pub(crate) const fn is_hash(&self) -> bool {
        self.len <= MAX_HASH
    }

    /// The base hash.
    #[must_use]
    pub const fn hash(&self) -> &'static Hash {
        self.hash
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

    /// RDTExponent: a signature that takes longer is there after 2 to this power microseconds. 16 milliseconds, where a key does not
    /// say: a security module's signature of RSA, or one of SLH-DSA's fast sets.
    fn ready_exponent(&self) -> u8 {
        14
    }
}

/// As [`Signer::sign`]; a signature of another length than its algorithm's is none.
///
/// # Errors
/// The key's own, and [`Error::Length`].
pub(crate) fn sign(
    signer: &dyn Signer,
    message: &ToBeSigned,
    rng: &mut dyn CryptoRng,
) -> Result<Option<Vec<u8>>, Error> {
    let signature = signer.sign(message, rng)?;
    if let Some(signature) = &signature {
        Error::check_len("signature", signer.algorithm().signature_len(), signature.len())?;
    }
    Ok(signature)
}

/// How a classical algorithm signs and checks.
pub(crate) trait Scheme: Sync {
    /// The key, ready to sign; `None` if it cannot be used so.
    fn key(&'static self, key: &PrivateKey) -> Option<Box<dyn Key>>;

    /// As [`verify`].
    fn verify(&self, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error>;
}

/// What a private key needs to sign at once.
pub(crate) trait Key: Send + Sync {
    /// As [`Signer::sign`]; `key` is the one that this was made of.
    fn sign(&self, key: &PrivateKey, message: &ToBeSigned, rng: &mut dyn CryptoRng)
    -> Result<Vec<u8>, Error>;
}

/// Nothing more, where the registry signs.
pub(crate) struct Registered;

impl Key for Registered {
    fn sign(
        &self,
        key: &PrivateKey,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, Error> {
        key.signing_key().sign(message.bytes(), message.own_context(key.row()), rng)
    }
}

/// A private key in memory.
pub struct LocalSigner {
    algorithm: Asym,
    key: PrivateKey,
    ready: Box<dyn Key>,
}

const OTHER_KEY: Error = Error::InvalidPrivateKey { reason: "is of another algorithm" };
const OTHER_PUBLIC_KEY: Error = Error::InvalidPublicKey { reason: "is of another algorithm" };
#[cfg(feature = "std")]
pub(crate) const NO_SCHEME: Error = Error::Unsupported { what: "signatures over the negotiated hash" };

impl LocalSigner {
    /// `key` as `algorithm` uses it: one RSA key can sign in two ways.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if the key is of another algorithm.
    pub fn new(algorithm: Asym, key: PrivateKey) -> Result<Self, Error> {
        let ready = match algorithm {
            Asym::PostQuantum(row) if row.name() == key.row().name() => Box::new(Registered),
            Asym::Classical(classical) if is_key_of(classical, key.row()) => {
                classical.scheme.key(&key).ok_or(OTHER_KEY)?
            }
            _ => return Err(OTHER_KEY),
        };
        Ok(Self { algorithm, key, ready })
    }

    /// The key: a device's that signs a request for its certificate too ([`crate::device::Device::csr`]).
    #[must_use]
    pub const fn key(&self) -> &PrivateKey {
        &self.key
    }
}

fn is_key_of(classical: &Classical, row: &SignatureRow) -> bool {
    row.name() == classical.key || row.aliases.contains(&classical.key)
}

impl Signer for LocalSigner {
    fn algorithm(&self) -> Asym {
        self.algorithm
    }

    fn sign(&self, message: &ToBeSigned, rng: &mut dyn CryptoRng) -> Result<Option<Vec<u8>>, Error> {
        self.ready.sign(&self.key, message, rng).map(Some)
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
            classical.scheme.verify(key, message, signature)
        }
        _ => Err(OTHER_PUBLIC_KEY),
    }
}

/// With what the registry has for the key.
pub(crate) fn verify_registered(
    key: &PublicKey,
    message: &ToBeSigned,
    signature: &[u8],
) -> Result<(), Error> {
    let verifying = key.verifying_key().map_err(|_| OTHER_PUBLIC_KEY)?;
    verifying.verify(message.bytes(), message.own_context(key.row()), signature)
}
