//! The differences between SLH-DSA and SPHINCS+ of rounds 2, 3 and 3.1. All other code is shared.
//!
//! | step | SLH-DSA | round 3.1 | rounds 2 and 3 |
//! |---|---|---|---|
//! | signed data | 0 ‖ \|ctx\| ‖ ctx ‖ M | M | M |
//! | bits of the FORS indices | highest first | lowest first | lowest first |
//! | addresses of PRF | their own types | their own types | the address of the first hash of the value |
//! | PRF also hashes PK.seed | yes | yes | no |
//! | MGF1 of H_msg also takes R and PK.seed | yes | yes | no |
//! | SHA-2 of categories 3 and 5 | SHA-512, except for F and PRF | as SLH-DSA | SHA-256 |
//!
//! Rounds 2 and 3 differ only in their parameter sets.

use crate::address::PrfAddresses;
use grille_core::Error;

/// A version of the algorithm; see the table in the module's source.
pub trait Version: Send + Sync + 'static {
    /// The longest context string in bytes.
    const CONTEXT_LEN: usize;
    /// Whether the highest bit of an index is the first bit in the message digest.
    const HIGH_BITS_FIRST: bool;
    /// The addresses that PRF uses.
    const PRF_ADDRESSES: PrfAddresses;
    /// Whether PRF also hashes PK.seed.
    const PK_SEED_IN_PRF: bool;
    /// Whether the MGF1 of H_msg also takes R and PK.seed.
    const PK_SEED_IN_MGF1: bool;
    /// Whether SHA-2 of categories 3 and 5 is SHA-512, except for F and PRF.
    const SHA512: bool;

    /// Returns the part of M′ before the message, without the context itself: FIPS 205 Algorithm 22, line 8.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    fn message_prefix(context: &[u8]) -> Result<Prefix, Error>;
}

/// The bytes before the context string: a domain separator and the context's length, or nothing.
#[derive(Clone, Copy)]
pub enum Prefix {
    /// toByte(domain, 1) ‖ toByte(|ctx|, 1).
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

/// SLH-DSA, FIPS 205, August 2024.
pub struct Fips205;

impl Version for Fips205 {
    const CONTEXT_LEN: usize = 255;
    const HIGH_BITS_FIRST: bool = true;
    const PRF_ADDRESSES: PrfAddresses = PrfAddresses::Own;
    const PK_SEED_IN_PRF: bool = true;
    const PK_SEED_IN_MGF1: bool = true;
    const SHA512: bool = true;

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
        .map_err(|_| Error::ContextTooLong { max: Fips205::CONTEXT_LEN, got: context.len() })
}

/// SPHINCS+, version 3.1, June 2022.
pub struct Round31;

impl Version for Round31 {
    const CONTEXT_LEN: usize = 0;
    const HIGH_BITS_FIRST: bool = false;
    const PRF_ADDRESSES: PrfAddresses = PrfAddresses::Own;
    const PK_SEED_IN_PRF: bool = true;
    const PK_SEED_IN_MGF1: bool = true;
    const SHA512: bool = true;

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        no_prefix(context)
    }
}

/// SPHINCS+ of rounds 2 (March 2019) and 3 (October 2020).
pub struct Round3;

impl Version for Round3 {
    const CONTEXT_LEN: usize = 0;
    const HIGH_BITS_FIRST: bool = false;
    const PRF_ADDRESSES: PrfAddresses = PrfAddresses::OfFirstHash;
    const PK_SEED_IN_PRF: bool = false;
    const PK_SEED_IN_MGF1: bool = false;
    const SHA512: bool = false;

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        no_prefix(context)
    }
}

/// Returns an empty prefix. Refuses contexts.
fn no_prefix(context: &[u8]) -> Result<Prefix, Error> {
    if context.is_empty() {
        Ok(Prefix::None)
    } else {
        Err(Error::ContextTooLong { max: 0, got: context.len() })
    }
}
