//! The differences between ML-DSA, round 3 Dilithium and Dilithium-AES. All other code is shared.
//!
//! | step | ML-DSA | Dilithium | Dilithium-AES |
//! |---|---|---|---|
//! | seed expansion | H(ξ ‖ k ‖ ℓ) | SHAKE256(ζ) | as Dilithium |
//! | bytes of tr, of c~ | 64, λ/4 | 32, 32 | 32, 32 |
//! | input that is hashed after tr | 0 ‖ \|ctx\| ‖ ctx ‖ M | M | M |
//! | ρ″ (ρ′ in round 3) | H(K ‖ rnd ‖ μ) | CRH(K ‖ μ), or random | as Dilithium |
//! | ExpandA, ExpandS and ExpandMask read | SHAKE | SHAKE | AES-256-CTR |

use crate::hash::h;
use crate::streams::{Aes, EngineFamily, Keccak};
use grille_core::{Bytes, Error};
use grille_hash::Level;
use zeroize::{Zeroize, Zeroizing};

/// A version of the algorithm; see the table in the module's source.
pub trait Version: Send + Sync + 'static {
    /// The length of tr, the hash of the verifying key, in bytes.
    const TR_LEN: usize;
    /// The length of c~ in bytes; `None` means λ/4.
    const C_TILDE_LEN: Option<usize>;
    /// The longest context string in bytes.
    const CONTEXT_LEN: usize;
    /// The random bytes that one signature uses.
    type Randomness: Bytes + Zeroize;
    /// The engines that ExpandA, ExpandS and ExpandMask read from.
    type Engines: EngineFamily;

    /// Expands the seed to (ρ, ρ′, K), 32, 64 and 32 bytes: FIPS 204 Algorithm 6, line 1.
    fn expand_seed(level: Level, xi: &[u8; 32], k: u8, l: u8) -> Zeroizing<[u8; 128]>;

    /// Computes ρ″, the seed of the masks: FIPS 204 Algorithm 7, line 7. Without randomness, signing is
    /// deterministic.
    fn mask_seed(
        level: Level,
        k: &[u8; 32],
        randomness: Option<&Self::Randomness>,
        mu: &[u8; 64],
    ) -> Zeroizing<[u8; 64]>;

    /// Returns the part of M′ before the message, without the context itself: FIPS 204 Algorithm 2, line 10.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    fn message_prefix(context: &[u8]) -> Result<Prefix, Error>;
}

/// The bytes between tr and the context string: a domain separator and the context's length, or nothing.
#[derive(Clone, Copy)]
pub enum Prefix {
    /// IntegerToBytes(domain, 1) ‖ IntegerToBytes(|ctx|, 1).
    Domain([u8; 2]),
    /// There is no prefix: M′ = M.
    None,
}

impl AsRef<[u8]> for Prefix {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Domain(bytes) => bytes,
            Self::None => &[],
        }
    }
}

/// ML-DSA, FIPS 204, August 2024.
pub struct Fips204;

impl Version for Fips204 {
    const TR_LEN: usize = 64;
    const C_TILDE_LEN: Option<usize> = None;
    const CONTEXT_LEN: usize = 255;
    type Randomness = [u8; 32];
    type Engines = Keccak;

    fn expand_seed(level: Level, xi: &[u8; 32], k: u8, l: u8) -> Zeroizing<[u8; 128]> {
        Zeroizing::new(h(level, &[xi, &[k, l]]))
    }

    fn mask_seed(level: Level, k: &[u8; 32], rnd: Option<&[u8; 32]>, mu: &[u8; 64]) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(h(level, &[k, rnd.unwrap_or(&[0; 32]), mu]))
    }

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        Ok(Prefix::Domain([0, context_len(context)?]))
    }
}

/// Returns the length |ctx| as a byte.
///
/// # Errors
/// Returns [`Error::ContextTooLong`] if the context is longer than 255 bytes.
pub(crate) fn context_len(context: &[u8]) -> Result<u8, Error> {
    u8::try_from(context.len())
        .map_err(|_| Error::ContextTooLong { max: Fips204::CONTEXT_LEN, got: context.len() })
}

/// Dilithium, version 3.1 of round 3, February 2021.
pub struct Round3;

impl Version for Round3 {
    const TR_LEN: usize = 32;
    const C_TILDE_LEN: Option<usize> = Some(32);
    const CONTEXT_LEN: usize = 0;
    type Randomness = [u8; 64];
    type Engines = Keccak;

    fn expand_seed(level: Level, zeta: &[u8; 32], _k: u8, _l: u8) -> Zeroizing<[u8; 128]> {
        Zeroizing::new(h(level, &[zeta]))
    }

    fn mask_seed(level: Level, k: &[u8; 32], fresh: Option<&[u8; 64]>, mu: &[u8; 64]) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(fresh.copied().unwrap_or_else(|| h(level, &[k, mu])))
    }

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        if context.is_empty() {
            Ok(Prefix::None)
        } else {
            Err(Error::ContextTooLong { max: Self::CONTEXT_LEN, got: context.len() })
        }
    }
}

/// Dilithium-AES, version 3.1 of round 3: AES-256-CTR in place of SHAKE, except for H and the challenge.
pub struct Round3Aes;

impl Version for Round3Aes {
    const TR_LEN: usize = Round3::TR_LEN;
    const C_TILDE_LEN: Option<usize> = Round3::C_TILDE_LEN;
    const CONTEXT_LEN: usize = Round3::CONTEXT_LEN;
    type Randomness = [u8; 64];
    type Engines = Aes;

    fn expand_seed(level: Level, zeta: &[u8; 32], k: u8, l: u8) -> Zeroizing<[u8; 128]> {
        Round3::expand_seed(level, zeta, k, l)
    }

    fn mask_seed(level: Level, k: &[u8; 32], fresh: Option<&[u8; 64]>, mu: &[u8; 64]) -> Zeroizing<[u8; 64]> {
        Round3::mask_seed(level, k, fresh, mu)
    }

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        Round3::message_prefix(context)
    }
}
