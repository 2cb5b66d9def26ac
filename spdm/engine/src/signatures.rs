//! Signatures of messages, DSP0274 chapter "Signature generation and verification".
//!
//! ```text
//! 1.0, 1.1: the hash of the transcript is signed directly
//! 1.2:      4 × "dmtf-spdm-v1.X.*" │ zeros │ context │ Hash(transcript)        is signed as a message
//!           └──────────── 100 bytes ─────────────────┘
//! ```
//! ML-DSA, SLH-DSA, Ed448 and hybrids also sign this message. In addition, `context` is the context string of these algorithms.

use crate::asym::Asym;
use crate::scheme::Classical;
use crate::scheme::{OTHER_PUBLIC_KEY, PreparedKey, RegistryKey, verify_registered};
pub use crate::to_be_signed::ToBeSigned;
use alloc::{boxed::Box, vec::Vec};
use grille_core::{CryptoRng, Error};
use grille_pki::{PrivateKey, PublicKey};
use grille_registry::{Row, SignatureRow};

pub use grille_spdm_codec::signing::{
    CHALLENGE_AUTH, ENCAPSULATED_CHALLENGE_AUTH, ENCAPSULATED_ENDPOINT_INFO, ENDPOINT_INFO, FINISH,
    KEY_EXCHANGE_RSP, MEASUREMENTS,
};

/// A signer for a slot: a key in memory ([`LocalSigner`]), or an external one such as a hardware security module.
pub trait Signer: Send + Sync {
    /// Returns the key's algorithm.
    fn algorithm(&self) -> Asym;

    /// Returns the signature in SPDM's encoding; for ECDSA r ‖ s of fixed length. Returns `None` if the signer needs
    /// more time. The peer then has to retry, and this method is called again with the same message, unless the peer
    /// continues with something else.
    ///
    /// # Errors
    /// Returns the key's error.
    fn sign(&self, message: &ToBeSigned, rng: &mut dyn CryptoRng) -> Result<Option<Vec<u8>>, Error>;

    /// Returns RDTExponent: a signature that needs more time is ready after 2^RDTExponent microseconds. The default is 16
    /// milliseconds, enough for RSA in a hardware security module or a fast parameter set of SLH-DSA.
    fn ready_exponent(&self) -> u8 {
        14
    }
}

/// Calls [`Signer::sign`] and checks the length of the signature.
///
/// # Errors
/// Returns the key's error, or [`Error::Length`].
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

/// A private key in memory.
pub struct LocalSigner {
    algorithm: Asym,
    key: PrivateKey,
    ready: Box<dyn PreparedKey>,
}

const OTHER_KEY: Error = Error::InvalidPrivateKey { reason: "is of another algorithm" };
impl LocalSigner {
    /// Creates a signer with `key` for `algorithm`: an RSA key may be used for two algorithms.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if the key is of another algorithm.
    pub fn new(algorithm: Asym, key: PrivateKey) -> Result<Self, Error> {
        let ready = match algorithm {
            Asym::PostQuantum(row) if row.name() == key.row().name() => Box::new(RegistryKey),
            Asym::Classical(classical) if is_key_of(classical, key.row()) => {
                classical.scheme.key(&key).ok_or(OTHER_KEY)?
            }
            Asym::Hybrid(hybrid) if key.row().name() == hybrid.key => hybrid.prepare(),
            _ => return Err(OTHER_KEY),
        };
        Ok(Self { algorithm, key, ready })
    }

    /// Returns the key, for example to sign a certificate signing request ([`crate::device::Device::csr`]).
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

/// Verifies a signature.
///
/// # Errors
/// Returns [`Error::InvalidSignature`]; [`Error::InvalidPublicKey`] if the key is of another algorithm.
pub fn verify(algorithm: Asym, key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Error> {
    match algorithm {
        Asym::PostQuantum(row) if row.name() == key.row().name() => {
            verify_registered(key, message, signature)
        }
        Asym::Classical(classical) if is_key_of(classical, key.row()) => {
            classical.scheme.verify(key, message, signature)
        }
        Asym::Hybrid(hybrid) if key.row().name() == hybrid.key => hybrid.verify(key, message, signature),
        _ => Err(OTHER_PUBLIC_KEY),
    }
}
