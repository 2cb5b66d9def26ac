//! Low-memory verifying keys, for threads with short stacks. Verification uses one row of Â at a time and one Keccak
//! state, and stores NTT(z) and the NTT of c on the heap.

use crate::backend::{Backend, Operation};
use crate::commitment::{Commitment, Factors};
use crate::message::{Message, MessageParts, Mu};
use crate::params::{Engines, Params};
use crate::poly::Zero;
use crate::recomputation::Recomputation;
use crate::streaming::Verifying;
use crate::streams::run_alone;
use crate::verifying_key::VerifyingKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{DynVerifyingKey, Error, MessageVerifier, boxed};

/// A [`VerifyingKey`] that verifies with little memory. It implements only [`DynVerifyingKey`].
pub(crate) struct LowMemoryVerifyingKey<P: Params>(VerifyingKey<P>);

impl<P: Params> LowMemoryVerifyingKey<P> {
    /// Parses an encoded key; see [`VerifyingKey::from_bytes`](grille_core::VerifyingKey::from_bytes).
    ///
    /// # Errors
    /// Returns the errors of [`VerifyingKey::from_bytes`](grille_core::VerifyingKey::from_bytes).
    pub(crate) fn import(bytes: &[u8]) -> Result<Box<Self>, Error> {
        Ok(Box::new(Self(grille_core::VerifyingKey::from_bytes(bytes)?)))
    }
}

impl<P: Params> DynVerifyingKey for LowMemoryVerifyingKey<P> {
    fn to_bytes(&self) -> Vec<u8> {
        DynVerifyingKey::to_bytes(&self.0)
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        let parts = MessageParts::pure::<P>(message, context)?;
        P::verify_low_memory(VerifyLowMemory { key: &self.0, message: Message::Parts(&parts), signature })
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        let verify = |mu: &Mu| {
            P::verify_low_memory(VerifyLowMemory {
                key: &self.0,
                message: Message::Representative(mu),
                signature,
            })
        };
        Ok(Some(Box::new(Verifying(self.0.mu_hasher(context)?, verify))))
    }
}

/// The operation that verifies one signature with an encoded key and little memory.
pub struct VerifyLowMemory<'a, P: Params> {
    key: &'a VerifyingKey<P>,
    message: Message<'a>,
    signature: &'a [u8],
}

impl<P: Params> Operation for VerifyLowMemory<'_, P> {
    type Output = Result<(), Error>;

    /// Runs ML-DSA.Verify_internal, FIPS 204 Algorithm 8.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        let Self { key, message, signature } = self;
        let (mut factors, mut row) = (boxed(|| Factors::ZERO), [P::NttVectorL::ZERO]);
        let mut commitment = Commitment::new(&mut factors);
        let mut recomputation =
            Recomputation::new(backend, key, message, signature, &mut row, &mut commitment)?;
        run_alone::<Engines<P>, _>(backend.level(), &mut recomputation);
        recomputation.result()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::dispatch_at;
    use crate::keygen::SigningKey;
    use crate::params::{D2Aes, P44, P65, P87};
    use grille_hash::Level;

    fn check_low_memory_key<P: Params>() {
        let key = SigningKey::<P>::keygen_internal(&[4; 32]);
        let mut signature = grille_core::SigningKey::sign_deterministic(&key, b"message", b"")
            .expect("an empty context is short enough");
        let bytes = DynVerifyingKey::to_bytes(&key.verifying_key);
        let small = LowMemoryVerifyingKey::<P>::import(&bytes).expect("the length is right");
        let small: &dyn DynVerifyingKey = &*small;
        assert_eq!(small.to_bytes(), bytes);
        assert_eq!(small.verify(b"message", b"", signature.as_ref()), Ok(()));
        assert_eq!(small.verify(b"massage", b"", signature.as_ref()), Err(Error::InvalidSignature));
        assert_eq!(small.verify(b"message", b"", &signature.as_ref()[1..]), Err(Error::InvalidSignature));
        assert!(small.verify(b"message", &[0; 256], signature.as_ref()).is_err());
        for level in Level::all() {
            let parts = MessageParts::pure::<P>(b"message", b"").expect("an empty context is short enough");
            let (key, message) = (&key.verifying_key, Message::Parts(&parts));
            let checked = |signature: &[u8]| dispatch_at(level, VerifyLowMemory { key, message, signature });
            assert_eq!(checked(signature.as_ref()), Ok(()), "{}", level.name());
            for at in [0, 100, P::C_TILDE_LEN + 700] {
                signature.as_mut()[at] ^= 1;
                assert_eq!(checked(signature.as_ref()), Err(Error::InvalidSignature), "byte {at}");
                signature.as_mut()[at] ^= 1;
            }
        }
        assert!(LowMemoryVerifyingKey::<P>::import(&[0; 7]).is_err());
    }

    #[test]
    fn low_memory_key_verifies_like_the_full_key() {
        check_low_memory_key::<P44>();
        check_low_memory_key::<P65>();
        check_low_memory_key::<P87>();
        check_low_memory_key::<D2Aes>();
    }
}
