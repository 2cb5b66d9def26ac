//! Low-memory signing keys, for threads with short stacks. The tree is never in memory as a whole.

use crate::backend::Operation;
use crate::hash::Message;
use crate::keygen::Basis;
use crate::params::{Degree, Params};
use crate::precompiled::Precompiled;
use crate::require_empty_context;
use crate::sign::flr::Flr;
use crate::sign::{Request, low_memory};
use crate::signing_key::SigningKey;
use crate::streaming::Signing;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, MessageSigner, SecretBytes, boxed};
use grille_hash::Level;

/// A [`SigningKey`] for algorithms that are selected at run time. Signing uses a third of the stack that a
/// `SigningKey` uses, and takes a tenth longer.
pub(crate) struct LowMemorySigningKey<P: Params>(SigningKey<P>);

impl<P: Params> LowMemorySigningKey<P> {
    /// Parses a key, and moves the key to the heap after the memory for parsing has been released.
    pub(crate) fn read_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut read = SigningKey::zeroed();
        read.read(bytes)?;
        let mut key = boxed(|| Self(SigningKey::zeroed()));
        key.0.copy_from(&read);
        Ok(key)
    }

    fn sign_message(&self, message: Message<'_>, rng: &mut dyn CryptoRng) -> Vec<u8> {
        let mut signature = vec![0; P::SignatureBytes::LEN];
        let request = Request { params: &P::SIGNATURE, message, rng, bytes: &mut signature };
        let len = P::Degree::sign_low_memory(SignLowMemory { basis: &self.0.basis, request });
        signature.truncate(len);
        signature
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
        require_empty_context(context)?;
        Ok(self.sign_message(Message::Whole(message), rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        DynSigningKey::sign_deterministic(&self.0, message, context)
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        require_empty_context(context)?;
        let sign = |message: Message<'_>, rng: &mut dyn CryptoRng| self.sign_message(message, rng);
        Ok(Some(Signing::begin::<P>(rng, sign)?))
    }
}

/// The operation that signs with little memory.
pub struct SignLowMemory<'a, D: Degree> {
    basis: &'a Basis<D>,
    request: Request<'a>,
}

impl<D: Degree> Operation for SignLowMemory<'_, D> {
    type Output = usize;

    #[inline(always)]
    fn run(self, level: Level) -> usize {
        low_memory::sign::<D, Flr>(level, self.basis, self.request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Falcon512P, FalconCt1024P, FalconPadded512P};
    use grille_core::{SigningKey as _, SystemRng};
    use grille_stream::Stream;

    fn check_low_memory_key<P: Params>() {
        let key = SigningKey::<P>::keygen_internal(&[4; 48]);
        let bytes = grille_core::SigningKey::to_bytes(&key);
        let small = SigningKey::<P>::low_memory_from_bytes_dyn(bytes.as_ref()).expect("a fresh key is valid");
        assert_eq!(small.to_bytes(), bytes);
        assert_eq!(small.verifying_key_bytes(), DynSigningKey::verifying_key_bytes(&key));
        let signature = small.sign(b"message", b"", &mut Stream::new(b"coins"));
        assert_eq!(signature, DynSigningKey::sign(&key, b"message", b"", &mut Stream::new(b"coins")));
        assert!(small.sign(b"message", b"context", &mut SystemRng).is_err());
        assert!(small.sign_deterministic(b"message", b"").is_err());
    }

    #[test]
    fn low_memory_key_signs_like_the_full_key() {
        check_low_memory_key::<Falcon512P>();
        check_low_memory_key::<FalconPadded512P>();
        check_low_memory_key::<FalconCt1024P>();
    }
}
