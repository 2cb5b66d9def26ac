//! Signing keys that are imported without recomputing t0 and tr.

use crate::backend::{Backend, Operation};
use crate::encode::{decode_secret, refuse_out_of_range};
use crate::keygen::SigningKey;
use crate::params::Params;
use crate::poly::{Poly, Zero};
use core::fmt;
use core::marker::PhantomData;
use grille_core::{Error, Secret};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// A signing key (secret, erased on drop) whose encoding is trusted, because this program or its owner wrote it. The
/// key can only sign.
///
/// Importing a [`SigningKey`] recomputes t0 and tr from s1 and s2, compares them, and derives the verifying
/// key. This costs a third of a signature. The import of a [`TrustedSigningKey`] only runs skDecode, FIPS 204
/// Algorithm 25, which "should only be run on inputs that come from trusted sources". It takes almost no
/// time. If t0 or tr contradict s1 and s2, the signatures of the key do not verify.
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
    /// The encoded key, in the form that [`SigningKey`] uses.
    pub(crate) bytes: Secret<P::SigningKeyBytes>,
}

impl<P: Params> TrustedSigningKey<P> {
    /// Runs skDecode, FIPS 204 Algorithm 25.
    ///
    /// # Errors
    /// Returns [`Error::Length`] if the length is wrong, or [`Error::InvalidPrivateKey`] if a coefficient of s1 or s2
    /// is out of range.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = Secret::<P::SigningKeyBytes>::new(grille_core::bytes::parse("signing key", bytes)?);
        P::check_ranges(CheckRanges(bytes.as_ref(), PhantomData))?;
        Ok(Self { bytes })
    }

    /// Performs the checks that [`from_bytes`](Self::from_bytes) skipped. Returns the signing key with its verifying
    /// key.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if the parts of the key contradict each other.
    pub fn check(&self) -> Result<SigningKey<P>, Error> {
        grille_core::SigningKey::from_bytes(self.bytes.as_ref())
    }
}

impl<P: Params> ZeroizeOnDrop for TrustedSigningKey<P> {}

impl<P: Params> fmt::Debug for TrustedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trusted {} signing key", P::NAME)
    }
}

/// The operation that checks the ranges of s1 and s2 in an encoded key.
pub struct CheckRanges<'a, P>(&'a [u8], PhantomData<P>);

impl<P: Params> Operation for CheckRanges<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        let mut s = Zeroizing::new(Poly::ZERO);
        let out_of_range =
            (0..P::L + P::K).fold(false, |any, i| decode_secret::<P, B>(backend, self.0, i, &mut s) | any);
        refuse_out_of_range(out_of_range)
    }
}
