//! Low-memory signing keys, for threads with short stacks. The tree is never in memory as a whole.

use crate::algorithm::{NOT_DETERMINISTIC, require_empty_context};
use crate::hash::Message;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::sign::Request;
use crate::sign::operations::SignLowMemory;
use crate::signing_key::SigningKey;
use crate::streaming::Signing;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{Bytes, CryptoRng, DynSigningKey, Error, MessageSigner, SecretBytes, boxed};

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
        self.0.encode()
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        grille_core::VerifyingKey::to_bytes(&self.0.verifying_key)
    }

    fn sign(&self, message: &[u8], context: &[u8], rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        require_empty_context(context)?;
        Ok(self.sign_message(Message::Whole(message), rng))
    }

    fn sign_deterministic(&self, _: &[u8], _: &[u8]) -> Result<Vec<u8>, Error> {
        Err(NOT_DETERMINISTIC)
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
