//! The public methods of all forms of a signing key: signing, and the trait `grille_core::SigningKey`.

use crate::algorithm::MlDsa;
use crate::attempt::Rejection;
use crate::encode::SigningKeyLayout;
use crate::expanded::SmallVectors;
use crate::keygen::SigningKey;
use crate::low_memory_signing_key::LowMemorySigningKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::prepared::PreparedSigningKey;
use crate::sample::row_window;
use crate::sign::{Expanded, Randomness, Sign, sample_randomness};
use crate::streaming::{Signing, begin_mu};
use crate::trusted::TrustedSigningKey;
use crate::verifying_key::VerifyingKey;
use crate::version::Fips204;
use alloc::boxed::Box;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, MessageSigner, Secret, SecretBytes};
use grille_hash::prehash::PreHash;

/// Defines the signing methods for each form of a signing key. The two expressions are the encoded key, and its
/// precomputed values or space for them.
macro_rules! signing {
    ($($key:ident |$self:ident| $bytes:expr, $expanded:expr;)*) => {$(
        impl<P: Params> $key<P> {
            /// Signs a message representative. Samples 32 bytes (64 in round 3).
            #[must_use]
            pub fn sign_mu(&self, mu: &Mu, rng: &mut dyn CryptoRng) -> P::SignatureBytes {
                self.sign_with(mu, Some(&sample_randomness::<P>(rng)), &mut |_| ())
            }

            /// Signs a message representative without randomness.
            #[must_use]
            pub fn sign_mu_deterministic(&self, mu: &Mu) -> P::SignatureBytes {
                self.sign_with(mu, None, &mut |_| ())
            }

            /// Signs, and passes the reason for each rejected attempt to `on_rejection`.
            pub(crate) fn sign_with(
                &$self,
                mu: &Mu,
                randomness: Option<&Randomness<P>>,
                on_rejection: &mut dyn FnMut(Rejection),
            ) -> P::SignatureBytes {
                let (mut bytes, mut masks) = (P::SignatureBytes::zeroed(), P::MaskBytes::zeroed());
                let (key, masks, signature) = (&$bytes, &mut masks, bytes.as_mut());
                P::sign(Sign { key, expanded: $expanded, masks, mu, randomness, signature, on_rejection });
                bytes
            }

            /// Computes μ with the tr that is stored in the key.
            pub(crate) fn compute_mu(&$self, message: &MessageParts<'_>) -> Mu {
                Mu::new(SigningKeyLayout::<P>::tr($bytes.as_ref()), message)
            }
        }

        impl<P: Params<Version = Fips204>> $key<P> {
            /// Runs the hedged variant of HashML-DSA.Sign, FIPS 204 Algorithm 4.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`] if the context is too long.
            pub fn sign_prehash(
                &self,
                message: &PreHash,
                context: &[u8],
                rng: &mut dyn CryptoRng,
            ) -> Result<P::SignatureBytes, Error> {
                Ok(self.sign_mu(&self.compute_mu(&MessageParts::prehash(message, context)?), rng))
            }

            /// Runs the deterministic variant of HashML-DSA.Sign, FIPS 204 Algorithm 4.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`] if the context is too long.
            pub fn sign_prehash_deterministic(
                &self,
                message: &PreHash,
                context: &[u8],
            ) -> Result<P::SignatureBytes, Error> {
                Ok(self.sign_mu_deterministic(&self.compute_mu(&MessageParts::prehash(message, context)?)))
            }
        }
    )*};
}

signing! {
    SigningKey |self| self.bytes, Expanded::Workspace(&mut SmallVectors::zeroed());
    PreparedSigningKey |self| self.key.bytes, Expanded::Precomputed(&self.expanded);
    TrustedSigningKey |self| self.bytes, Expanded::Workspace(&mut SmallVectors::zeroed());
}

impl<P: Params<Version = Fips204>> SigningKey<P> {
    /// Runs ML-DSA.Sign_internal, FIPS 204 Algorithm 7, on the formatted message M′, for tests against vectors.
    #[must_use]
    pub fn sign_internal(&self, m_prime: &[u8], rnd: &[u8; 32]) -> P::SignatureBytes {
        self.sign_with(&self.compute_mu(&MessageParts::formatted(m_prime)), Some(rnd), &mut |_| ())
    }
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = MlDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::import(bytes, &mut row_window::<P>())
    }

    fn to_bytes(&self) -> SecretBytes {
        self.bytes.as_ref().into()
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Error::check_len("seed", 32, seed.len())?;
        let seed = Secret::<[u8; 32]>::try_from(seed)?;
        Ok(Self::keygen_internal(seed.expose()))
    }

    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(PreparedSigningKey::<P>::from_bytes(bytes)?))
    }

    fn from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(Box::new(PreparedSigningKey::<P>::from_seed(seed)?))
    }

    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(LowMemorySigningKey::<P>::import(bytes)?)
    }

    fn low_memory_from_seed_dyn(seed: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Error::check_len("seed", 32, seed.len())?;
        Ok(LowMemorySigningKey::<P>::expand(Secret::try_from(seed)?.expose()))
    }

    fn seed(&self) -> Option<SecretBytes> {
        self.seed.as_ref().map(|seed| seed.as_ref().into())
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu(&self.compute_mu(&MessageParts::pure::<P>(message, context)?), rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.compute_mu(&MessageParts::pure::<P>(message, context)?)))
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        _: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        let hash = begin_mu::<P>(&self.bytes, context)?;
        let sign = |mu: &Mu, rng: Option<&mut dyn CryptoRng>| match rng {
            Some(rng) => self.sign_mu(mu, rng).as_ref().to_vec(),
            None => self.sign_mu_deterministic(mu).as_ref().to_vec(),
        };
        Ok(Some(Box::new(Signing(hash, sign))))
    }
}

impl<P: Params> grille_core::SigningKey for PreparedSigningKey<P> {
    type Scheme = MlDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        grille_core::SigningKey::to_bytes(&self.key)
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Error::check_len("seed", 32, seed.len())?;
        let seed = Secret::<[u8; 32]>::try_from(seed)?;
        Ok(Self::expand(seed.expose()))
    }

    fn seed(&self) -> Option<SecretBytes> {
        grille_core::SigningKey::seed(&self.key)
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        self.key.verifying_key()
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu(&self.compute_mu(&MessageParts::pure::<P>(message, context)?), rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.compute_mu(&MessageParts::pure::<P>(message, context)?)))
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        _: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        let hash = begin_mu::<P>(&self.key.bytes, context)?;
        let sign = |mu: &Mu, rng: Option<&mut dyn CryptoRng>| match rng {
            Some(rng) => self.sign_mu(mu, rng).as_ref().to_vec(),
            None => self.sign_mu_deterministic(mu).as_ref().to_vec(),
        };
        Ok(Some(Box::new(Signing(hash, sign))))
    }
}

impl<P: Params> TrustedSigningKey<P> {
    /// Computes μ of a message; see [`VerifyingKey::mu`](crate::VerifyingKey::mu).
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(self.compute_mu(&MessageParts::pure::<P>(message, context)?))
    }

    /// Signs a message. Reads 32 random bytes (64 in round 3).
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
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
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.mu(message, context)?))
    }
}
