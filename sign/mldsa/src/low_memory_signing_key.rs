//! Low-memory signing keys, for threads with short stacks. During an operation, large values are on the heap.

use crate::encode::SigningKeyLayout;
use crate::expanded::SmallVectors;
use crate::keygen::SigningKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::poly::Zero;
use crate::sign::{Expanded, Sign, sample_randomness};
use crate::streaming::{Signing, begin_mu};
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, MessageSigner, SecretBytes, boxed};

/// A [`SigningKey`] that is generated or parsed in place on the heap, with one row of Â at a time. It implements only
/// [`DynSigningKey`].
pub(crate) struct LowMemorySigningKey<P: Params>(SigningKey<P>);

impl<P: Params> LowMemorySigningKey<P> {
    /// Parses and checks an encoded key; see [`SigningKey::from_bytes`](grille_core::SigningKey::from_bytes).
    ///
    /// # Errors
    /// Returns the errors of [`SigningKey::from_bytes`](grille_core::SigningKey::from_bytes).
    pub(crate) fn import(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut key = boxed(|| Self(SigningKey::zeroed()));
        key.0.fill_from_bytes(bytes, &mut [P::NttVectorL::ZERO])?;
        Ok(key)
    }

    /// Runs ML-DSA.KeyGen_internal, FIPS 204 Algorithm 6.
    pub(crate) fn expand(xi: &[u8; 32]) -> Box<Self> {
        let mut key = boxed(|| Self(SigningKey::zeroed()));
        key.0.fill_from_seed(xi, &mut [P::NttVectorL::ZERO]);
        key
    }

    /// Signs with the masks, s1 and s2 on the heap, and frees them before it copies the signature to the heap. Â stays
    /// on the stack, because it would take as much space on the heap.
    fn sign_mu(&self, mu: &Mu, rng: Option<&mut dyn CryptoRng>) -> Vec<u8> {
        let mut bytes = P::SignatureBytes::zeroed();
        self.sign_into(&mut bytes, mu, rng);
        bytes.as_ref().to_vec()
    }

    fn sign_into(&self, bytes: &mut P::SignatureBytes, mu: &Mu, rng: Option<&mut dyn CryptoRng>) {
        let randomness = rng.map(sample_randomness::<P>);
        let mut small = boxed(SmallVectors::zeroed);
        let (mut masks, expanded) = (boxed(P::MaskBytes::zeroed), Expanded::Workspace(&mut small));
        let (key, masks, signature) = (&self.0.bytes, &mut *masks, bytes.as_mut());
        let (randomness, on_rejection) = (randomness.as_deref(), &mut |_| ());
        P::sign(Sign { key, expanded, masks, mu, randomness, signature, on_rejection });
    }

    fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        let parts = MessageParts::pure::<P>(message, context)?;
        Ok(Mu::new(SigningKeyLayout::<P>::tr(self.0.bytes.as_ref()), &parts))
    }
}

impl<P: Params> DynSigningKey for LowMemorySigningKey<P> {
    fn to_bytes(&self) -> SecretBytes {
        DynSigningKey::to_bytes(&self.0)
    }

    fn seed(&self) -> Option<SecretBytes> {
        DynSigningKey::seed(&self.0)
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        DynSigningKey::verifying_key_bytes(&self.0)
    }

    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        Ok(self.sign_mu(&self.mu(message, context)?, Some(rng)))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(self.sign_mu(&self.mu(message, context)?, None))
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        _: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        let hash = begin_mu::<P>(&self.0.bytes, context)?;
        Ok(Some(Box::new(Signing(hash, |mu: &Mu, rng: Option<&mut dyn CryptoRng>| self.sign_mu(mu, rng)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{D2Aes, P44, P65, P87};
    use grille_core::{SystemRng, VerifyingKey as _};

    fn check_low_memory_key<P: Params>() {
        let key = SigningKey::<P>::keygen_internal(&[4; 32]);
        let bytes = grille_core::SigningKey::to_bytes(&key);
        let read = LowMemorySigningKey::<P>::import(bytes.as_ref()).expect("a fresh key is valid");
        let expected = DynSigningKey::sign_deterministic(&key, b"message", b"");
        for small in [read, LowMemorySigningKey::expand(&[4; 32])] {
            let small: Box<dyn DynSigningKey> = small;
            assert_eq!(small.to_bytes(), bytes);
            assert_eq!(small.verifying_key_bytes(), key.verifying_key.to_bytes());
            assert_eq!(small.sign_deterministic(b"message", b""), expected);
            let hedged =
                small.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough");
            assert_eq!(key.verifying_key.verify(b"message", b"", &hedged), Ok(()));
            assert!(small.sign(b"message", &[0; 256], &mut SystemRng).is_err());
        }
        let mut damaged = bytes.as_ref().to_vec();
        damaged[200] ^= 1;
        assert!(LowMemorySigningKey::<P>::import(&damaged).is_err());
        assert!(LowMemorySigningKey::<P>::import(&bytes.as_ref()[1..]).is_err());
    }

    #[test]
    fn low_memory_key_signs_like_the_full_key() {
        check_low_memory_key::<P44>();
        check_low_memory_key::<P65>();
        check_low_memory_key::<P87>();
        check_low_memory_key::<D2Aes>();
    }
}
