//! Verifying keys in their encoded form, and μ of messages for a key.

use crate::backend::Backend;
use crate::encode::{t1_at, unpack_minus_t1};
use crate::hash::h;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::poly::{NttPoly, Poly};
use crate::streaming::MuHasher;
use crate::version::{Fips204, Version};
use core::fmt;
use grille_core::{Bytes, Error};
use grille_hash::Level;
use grille_hash::prehash::PreHash;

/// A verifying key (public) in its encoded form.
///
/// Each verification expands the key again, in the Keccak calls that also compute its other hashes. To verify
/// many signatures with one key, [`prepare`](Self::prepare) it first.
pub struct VerifyingKey<P: Params> {
    pub(crate) bytes: P::VerifyingKeyBytes,
    /// The hash H(pk), if known, in the first `TR_LEN` bytes.
    pub(crate) tr: Option<[u8; 64]>,
}

impl<P: Params> VerifyingKey<P> {
    /// Returns a key of zeroes, to be filled in place.
    pub(crate) fn zeroed() -> Self {
        Self { bytes: P::VerifyingKeyBytes::zeroed(), tr: None }
    }

    /// Computes μ of a message, which [`SigningKey::sign_mu`](crate::SigningKey::sign_mu) signs.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(self.compute_mu(&MessageParts::pure::<P>(message, context)?))
    }

    /// Starts to compute μ of a message that arrives in pieces.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu_hasher(&self, context: &[u8]) -> Result<MuHasher, Error> {
        let parts = MessageParts::pure::<P>(&[], context)?;
        Ok(MuHasher::new(&self.tr()[..P::Version::TR_LEN], &parts))
    }

    pub(crate) fn compute_mu(&self, message: &MessageParts<'_>) -> Mu {
        Mu::new(&self.tr()[..P::Version::TR_LEN], message)
    }

    /// Returns H(pk) in the first `TR_LEN` bytes.
    pub(crate) fn tr(&self) -> [u8; 64] {
        self.tr.unwrap_or_else(|| h(Level::detect(), &[self.bytes.as_ref()]))
    }

    /// Returns ρ, the seed of Â.
    pub(crate) fn rho(&self) -> &[u8; 32] {
        self.bytes.as_ref().first_chunk().expect("a key has more than 32 bytes")
    }

    /// Computes polynomial `i` of NTT(−t1). Writes −t1 to `t1`.
    #[inline(always)]
    pub(crate) fn minus_t1_hat<B: Backend>(&self, backend: B, i: usize, t1: &mut Poly, t1_hat: &mut NttPoly) {
        unpack_minus_t1(backend, &self.bytes.as_ref()[t1_at(i)], t1);
        backend.ntt(t1, t1_hat);
    }
}

impl<P: Params<Version = Fips204>> VerifyingKey<P> {
    /// Computes μ of a hashed message (HashML-DSA).
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu_prehash(&self, message: &PreHash, context: &[u8]) -> Result<Mu, Error> {
        Ok(self.compute_mu(&MessageParts::prehash(message, context)?))
    }
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), tr: self.tr }
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} verifying key", P::NAME)
    }
}
