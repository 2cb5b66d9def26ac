//! The public signing methods of all forms of a signing key.

use crate::PreHash;
use crate::attempt::Rejection;
use crate::encode::SigningKeyLayout;
use crate::keygen::SigningKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::prepared::{PreparedSigningKey, SmallVectors};
use crate::sign::{Expanded, Randomness, Sign};
use crate::streaming::MuHasher;
use crate::trusted::TrustedSigningKey;
use crate::version::Fips204;
use grille_core::{Bytes, CryptoRng, Error, Secret};
use zeroize::Zeroizing;

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

/// Starts to compute μ of a message that arrives in pieces, with tr from the `bytes` of a signing key.
pub(crate) fn begin_mu<P: Params>(
    bytes: &Secret<P::SigningKeyBytes>,
    context: &[u8],
) -> Result<MuHasher, Error> {
    let message = MessageParts::pure::<P>(&[], context)?;
    Ok(MuHasher::new(SigningKeyLayout::<P>::tr(bytes.as_ref()), &message))
}

/// Samples the randomness for one signature. Erased on drop.
pub(crate) fn sample_randomness<P: Params>(rng: &mut dyn CryptoRng) -> Zeroizing<Randomness<P>> {
    let mut randomness = Zeroizing::new(Randomness::<P>::zeroed());
    rng.fill_bytes(randomness.as_mut());
    randomness
}

impl<P: Params<Version = Fips204>> SigningKey<P> {
    /// Runs ML-DSA.Sign_internal, FIPS 204 Algorithm 7, on the formatted message M′, for tests against vectors.
    #[must_use]
    pub fn sign_internal(&self, m_prime: &[u8], rnd: &[u8; 32]) -> P::SignatureBytes {
        self.sign_with(&self.compute_mu(&MessageParts::formatted(m_prime)), Some(rnd), &mut |_| ())
    }
}
