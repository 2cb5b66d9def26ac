//! What differs between SLH-DSA and SPHINCS+ of rounds 2, 3 and 3.1; all the rest is one text.
//!
//! | step | SLH-DSA | round 3.1 | rounds 2 and 3 |
//! |---|---|---|---|
//! | what is signed | 0 ‖ \|ctx\| ‖ ctx ‖ M | M | M |
//! | bits of the FORS indices | highest first | lowest first | lowest first |
//! | addresses of PRF | their own types | their own types | those of what the values are hashed to |
//! | PRF hashes PK.seed too | yes | yes | no |
//! | MGF1 of H_msg takes R and PK.seed too | yes | yes | no |
//! | SHA-2 of categories 3 and 5 | SHA-512 but for F and PRF | the same | SHA-256 |
//!
//! Rounds 2 and 3 differ in their parameter sets only.

use crate::address::PrfAddresses;
use grille_core::Error;

/// A generation of the algorithm; see the table above.
pub trait Generation: Send + Sync + 'static {
    /// The longest context string in bytes.
    const CONTEXT_LEN: usize;
    /// Whether the bits of an index come from the message digest highest first.
    const HIGH_BITS_FIRST: bool;
    /// Which addresses PRF uses.
    const PRF_ADDRESSES: PrfAddresses;
    /// Whether PRF hashes PK.seed too.
    const PK_SEED_IN_PRF: bool;
    /// Whether the MGF1 of H_msg takes R and PK.seed too.
    const PK_SEED_IN_MGF1: bool;
    /// Whether SHA-2 of categories 3 and 5 is SHA-512 but for F and PRF.
    const SHA512: bool;

    /// What precedes the message in M′: FIPS 205 Algorithm 22, line 8, without the context itself.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    fn message_prefix(context: &[u8]) -> Result<Prefix, Error>;
}

/// The bytes before the context string: a domain separator and the context's length, or nothing.
#[derive(Clone, Copy)]
pub enum Prefix {
    /// toByte(domain, 1) ‖ toByte(|ctx|, 1).
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

/// SLH-DSA, FIPS 205, August 2024.
pub struct Fips205;

impl Generation for Fips205 {
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

/// |ctx| as a byte.
///
/// # Errors
/// [`Error::ContextTooLong`] beyond 255 bytes.
pub(crate) fn context_len(context: &[u8]) -> Result<u8, Error> {
    u8::try_from(context.len())
        .map_err(|_| Error::ContextTooLong { max: Fips205::CONTEXT_LEN, got: context.len() })
}

/// SPHINCS+, version 3.1, June 2022.
pub struct Round31;

impl Generation for Round31 {
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

impl Generation for Round3 {
    const CONTEXT_LEN: usize = 0;
    const HIGH_BITS_FIRST: bool = false;
    const PRF_ADDRESSES: PrfAddresses = PrfAddresses::Shared;
    const PK_SEED_IN_PRF: bool = false;
    const PK_SEED_IN_MGF1: bool = false;
    const SHA512: bool = false;

    fn message_prefix(context: &[u8]) -> Result<Prefix, Error> {
        no_prefix(context)
    }
}

/// No context is known.
fn no_prefix(context: &[u8]) -> Result<Prefix, Error> {
    if context.is_empty() {
        Ok(Prefix::None)
    } else {
        Err(Error::ContextTooLong { max: 0, got: context.len() })
    }
}
