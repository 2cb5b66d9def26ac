//! What differs between ML-DSA, Dilithium of round 3 and Dilithium-AES; all the rest is one text.
//!
//! | step | ML-DSA | Dilithium | Dilithium-AES |
//! |---|---|---|---|
//! | seed expansion | H(ξ ‖ k ‖ ℓ) | SHAKE256(ζ) | as Dilithium |
//! | bytes of tr, of c~ | 64, λ/4 | 32, 32 | 32, 32 |
//! | what tr is hashed with | 0 ‖ \|ctx\| ‖ ctx ‖ M | M | M |
//! | ρ″ (ρ′ in round 3) | H(K ‖ rnd ‖ μ) | CRH(K ‖ μ), or fresh | as Dilithium |
//! | ExpandA, ExpandS and ExpandMask read | SHAKE | SHAKE | AES-256-CTR |

use crate::hash::h;
use crate::params::Params;
use crate::streams::{Aes, EngineFamily, Keccak};
use grille_core::{Bytes, Error};
use grille_hash::Level;
use zeroize::{Zeroize, Zeroizing};

/// A generation of the algorithm; see the table above.
pub trait Generation: Send + Sync + 'static {
    /// Bytes of tr, the hash of the verifying key.
    const TR_LEN: usize;
    /// Bytes of c~; `None`: λ/4.
    const C_TILDE_LEN: Option<usize>;
    /// The longest context string in bytes.
    const CONTEXT_LEN: usize;
    /// What one signature draws from the generator.
    type Randomness: Bytes + Zeroize;
    /// What ExpandA, ExpandS and ExpandMask read.
    type Engines: EngineFamily;

    /// (ρ, ρ′, K), 32, 64 and 32 bytes, from the seed: FIPS 204 Algorithm 6, line 1.
    fn expand_seed(level: Level, xi: &[u8; 32], k: u8, l: u8) -> Zeroizing<[u8; 128]>;

    /// ρ″, the seed of the masks: FIPS 204 Algorithm 7, line 7. Without randomness, deterministic.
    fn mask_seed(
        level: Level,
        k: &[u8; 32],
        randomness: Option<&Self::Randomness>,
        mu: &[u8; 64],
    ) -> Zeroizing<[u8; 64]>;

    /// What precedes the message in M′: FIPS 204 Algorithm 2, line 10, without the context itself.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    fn message_prefix(context: &[u8]) -> Result<Prefix, Error>;
}

/// What a parameter set reads its streams with.
pub(crate) type Engines<P> = <<P as Params>::Generation as Generation>::Engines;

/// The bytes between tr and the context string: a domain separator and the context's length, or nothing.
#[derive(Clone, Copy)]
pub enum Prefix {
    /// IntegerToBytes(domain, 1) ‖ IntegerToBytes(|ctx|, 1).
    Domain([u8; 2]),
    /// M′ = M.
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

impl Generation for Fips204 {
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

/// |ctx| as a byte.
///
/// # Errors
/// [`Error::ContextTooLong`] beyond 255 bytes.
pub(crate) fn context_len(context: &[u8]) -> Result<u8, Error> {
    u8::try_from(context.len())
        .map_err(|_| Error::ContextTooLong { max: Fips204::CONTEXT_LEN, got: context.len() })
}

/// Dilithium, version 3.1 of round 3, February 2021.
pub struct Round3;

impl Generation for Round3 {
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

/// Dilithium-AES, version 3.1 of round 3: AES-256-CTR in place of SHAKE, but for H and the challenge.
pub struct Round3Aes;

impl Generation for Round3Aes {
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
