//! Keys with precomputed values, for many operations with one key.

use crate::algorithm::MlDsa;
use crate::backend::{Backend, Operation};
use crate::expanded::{ExpandedSigningKey, ExpandedVerifyingKey, PrepareSigningKey, PrepareVerifyingKey};
use crate::keygen::SigningKey;
use crate::message::{Message, MessageParts, Mu};
use crate::params::Params;
use crate::poly::Zero;
use crate::streaming::Verifying;
use crate::verify::verify_expanded;
use crate::verifying_key::VerifyingKey;
use crate::version::Fips204;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Error, MessageVerifier, boxed};
use grille_hash::prehash::PreHash;
use zeroize::ZeroizeOnDrop;

/// A [`VerifyingKey`] with its expanded matrix and its hash, for example the key of a certificate authority.
/// Verification is three times as fast as with the [`VerifyingKey`].
///
/// ```
/// use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
/// use grille_mldsa::MlDsa65;
///
/// # fn main() -> Result<(), Error> {
/// let key = MlDsa65::generate(&mut SystemRng);
/// let prepared = key.verifying_key().prepare();
/// for message in [b"one", b"two"] {
///     let signature = key.sign(message, b"", &mut SystemRng)?;
///     prepared.verify(message, b"", &signature)?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct PreparedVerifyingKey<P: Params> {
    key: VerifyingKey<P>,
    expanded: Box<ExpandedVerifyingKey<P>>,
}

impl<P: Params> VerifyingKey<P> {
    /// Precomputes the values that each verification would otherwise compute again.
    #[must_use]
    pub fn prepare(&self) -> PreparedVerifyingKey<P> {
        let mut expanded = boxed(|| ExpandedVerifyingKey {
            matrix: P::Matrix::ZERO,
            minus_t1_hat: P::NttVectorK::ZERO,
            tr: self.tr(),
        });
        P::prepare_verifying_key(PrepareVerifyingKey(self, &mut expanded));
        PreparedVerifyingKey { key: self.clone(), expanded }
    }
}

impl<P: Params> PreparedVerifyingKey<P> {
    /// Returns the key without the precomputed values.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key
    }

    /// Computes μ of a message; see [`VerifyingKey::mu`].
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(Mu::new(self.expanded.tr(), &MessageParts::pure::<P>(message, context)?))
    }

    /// Verifies the signature of a message representative.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        P::verify_prepared(VerifyPrepared(&self.expanded, Message::Representative(mu), signature))
    }

    fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::verify_prepared(VerifyPrepared(&self.expanded, Message::Parts(message), signature))
    }
}

impl<P: Params<Version = Fips204>> PreparedVerifyingKey<P> {
    /// Runs HashML-DSA.Verify, FIPS 204 Algorithm 5.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid, or [`Error::ContextTooLong`] if the
    /// context is too long.
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::prehash(message, context)?, signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for PreparedVerifyingKey<P> {
    type Scheme = MlDsa<P>;

    /// Parses a key. Every byte string of the right length is a valid key.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        VerifyingKey::from_bytes(bytes).map(|key| key.prepare())
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.key.to_bytes()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::pure::<P>(message, context)?, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        let verify = |mu: &Mu| self.verify_mu(mu, signature);
        Ok(Some(Box::new(Verifying(self.key.mu_hasher(context)?, verify))))
    }
}

impl<P: Params> fmt::Debug for PreparedVerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}

/// The operation that verifies one signature with a prepared key.
pub struct VerifyPrepared<'a, P: Params>(&'a ExpandedVerifyingKey<P>, Message<'a>, &'a [u8]);

impl<P: Params> Operation for VerifyPrepared<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        verify_expanded(backend, self.0, self.1, self.2)
    }
}

/// A [`SigningKey`] with its matrix and its vectors in the NTT domain (secret, erased on drop), for signing more than
/// once.
pub struct PreparedSigningKey<P: Params> {
    pub(crate) key: SigningKey<P>,
    pub(crate) expanded: Box<ExpandedSigningKey<P>>,
}

impl<P: Params> SigningKey<P> {
    /// Precomputes the values that each signature would otherwise compute again.
    #[must_use]
    pub fn prepare(self) -> PreparedSigningKey<P> {
        let mut expanded = boxed(ExpandedSigningKey::zeroed);
        P::prepare_signing_key(PrepareSigningKey {
            key: &self,
            expanded: &mut expanded,
            matrix_is_known: false,
        });
        PreparedSigningKey { key: self, expanded }
    }
}

impl<P: Params> PreparedSigningKey<P> {
    /// Returns the key without the precomputed values.
    #[must_use]
    pub const fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }

    /// Parses and checks an encoded key; see [`SigningKey::from_bytes`](grille_core::SigningKey::from_bytes).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::from_bytes`](grille_core::SigningKey::from_bytes).
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        let mut expanded = boxed(ExpandedSigningKey::<P>::zeroed);
        let key = SigningKey::import(bytes, expanded.matrix.as_mut())?;
        P::prepare_signing_key(PrepareSigningKey {
            key: &key,
            expanded: &mut expanded,
            matrix_is_known: true,
        });
        Ok(Self { key, expanded })
    }

    /// Runs ML-DSA.KeyGen_internal, FIPS 204 Algorithm 6.
    pub(crate) fn expand(xi: &[u8; 32]) -> Self {
        let mut expanded = boxed(ExpandedSigningKey::<P>::zeroed);
        let key = SigningKey::expand(xi, expanded.matrix.as_mut());
        P::prepare_signing_key(PrepareSigningKey {
            key: &key,
            expanded: &mut expanded,
            matrix_is_known: true,
        });
        Self { key, expanded }
    }
}

impl<P: Params> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: Params> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}
