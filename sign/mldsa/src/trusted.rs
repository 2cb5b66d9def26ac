//! Signing keys that are read without recomputing them.

use crate::backend::{Backend, Operation, dispatch};
use crate::encode::{decode_secret, refuse_out_of_range};
use crate::keygen::SigningKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::poly::{Poly, Zero};
use core::fmt;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Error, Secret};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A signing key (secret; erased on drop) that its reader trusts, because he wrote it: to sign with, and no more.
///
/// An encoded [`SigningKey`] is computed anew when it is read, to compare all that s1 and s2 determine, t0 and tr,
/// and to give the verifying key. That costs a third of a signature. This one is only decoded, FIPS 204
/// Algorithm 25, which "should only be run on inputs that come from trusted sources": it is read in no time, and
/// signs as a [`SigningKey`] does. If t0 or tr contradict s1 and s2, nobody accepts its signatures.
///
/// ```
/// use grille_core::{Error, SigningKey as _, SystemRng, VerifyingKey};
/// use grille_mldsa::{SigningKey, TrustedSigningKey, params::P65};
///
/// # fn main() -> Result<(), Error> {
/// let key = SigningKey::<P65>::generate(&mut SystemRng);
/// let stored = key.to_bytes();
/// let signature = TrustedSigningKey::<P65>::from_bytes(stored.as_ref())?.sign(b"message", b"", &mut SystemRng)?;
/// key.verifying_key().verify(b"message", b"", signature.as_ref())?;
/// # Ok(())
/// # }
/// ```
pub struct TrustedSigningKey<P: Params> {
    /// As [`SigningKey`]'s.
    pub(crate) bytes: Secret<P::SigningKeyBytes>,
}

impl<P: Params> TrustedSigningKey<P> {
    /// skDecode, FIPS 204 Algorithm 25.
    ///
    /// # Errors
    /// [`Error::Length`], or [`Error::InvalidPrivateKey`] if a coefficient of s1 or s2 is out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = Secret::<P::SigningKeyBytes>::new(grille_core::bytes::parse("signing key", bytes)?);
        dispatch(Check::<P>(bytes.as_ref(), PhantomData))?;
        Ok(Self { bytes })
    }

    /// The key with its verifying key, after the checks that were left out.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] if the key contradicts itself.
    pub fn check(&self) -> Result<SigningKey<P>, Error> {
        grille_core::SigningKey::from_bytes(self.bytes.as_ref())
    }

    /// μ of a message, see [`VerifyingKey::mu`](crate::VerifyingKey::mu).
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(self.mu_of_parts(&MessageParts::pure::<P>(message, context)?))
    }

    /// Signs; draws 32 bytes (64 in round 3).
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu(&self.mu(message, context)?, rng))
    }

    /// Signs without randomness.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.mu(message, context)?))
    }
}

impl<P: Params> ZeroizeOnDrop for TrustedSigningKey<P> {}

impl<P: Params> fmt::Debug for TrustedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trusted {} signing key", P::NAME)
    }
}

/// Of an encoded key: whether s1 and s2 are in range.
struct Check<'a, P>(&'a [u8], PhantomData<P>);

impl<P: Params> Operation for Check<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        let mut s = Zeroizing::new(Poly::ZERO);
        let out_of_range =
            (0..P::L + P::K).fold(false, |any, i| decode_secret::<P, B>(backend, self.0, i, &mut s) | any);
        refuse_out_of_range(out_of_range)
    }
}
