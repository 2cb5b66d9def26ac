//! Signing and verification of messages in pieces. μ is a hash, so the whole message does not have to be in memory.

use crate::encode::SigningKeyLayout;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress, Secret};
use grille_hash::{Level, Shake256};

/// The hasher that computes μ of a message in pieces. Created by
/// [`VerifyingKey::mu_hasher`](crate::VerifyingKey::mu_hasher).
pub struct MuHasher(Shake256<1>);

impl MuHasher {
    /// Creates a hasher that has absorbed tr and the part of M′ before the message, which `message` contains.
    pub(crate) fn new(tr: &[u8], message: &MessageParts<'_>) -> Self {
        let mut hash = Shake256::new(Level::detect());
        hash.absorb_all(tr);
        message.parts().iter().for_each(|part| hash.absorb_all(part));
        Self(hash)
    }

    /// Absorbs the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.absorb_all(piece);
    }

    /// Returns μ of all pieces.
    #[must_use]
    pub fn finish(mut self) -> Mu {
        let mut mu = [0; 64];
        self.0.squeeze([&mut mu]);
        Mu::from_bytes(mu)
    }
}

/// Starts to compute μ of a message that arrives in pieces, with tr from the `bytes` of a signing key.
pub(crate) fn begin_mu<P: Params>(
    bytes: &Secret<P::SigningKeyBytes>,
    context: &[u8],
) -> Result<MuHasher, Error> {
    let message = MessageParts::pure::<P>(&[], context)?;
    Ok(MuHasher::new(SigningKeyLayout::<P>::tr(bytes.as_ref()), &message))
}

/// A signing operation in progress: the hasher of μ, and the function that signs μ.
pub(crate) struct Signing<S>(pub(crate) MuHasher, pub(crate) S);

impl<S: FnOnce(&Mu, Option<&mut dyn CryptoRng>) -> Vec<u8> + Send> MessageSigner for Signing<S> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>, rng: Option<&mut dyn CryptoRng>, _: &Progress<'_>) -> Result<Vec<u8>, Error> {
        let Self(hash, sign) = *self;
        Ok(sign(&hash.finish(), rng))
    }
}

/// A verification in progress: the hasher of μ, and the function that verifies a signature of μ.
pub(crate) struct Verifying<V>(pub(crate) MuHasher, pub(crate) V);

impl<V: FnOnce(&Mu) -> Result<(), Error> + Send> MessageVerifier for Verifying<V> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self(hash, verify) = *self;
        verify(&hash.finish())
    }
}

#[cfg(test)]
mod tests {
    use crate::keygen::SigningKey;
    use crate::low_memory_signing_key::LowMemorySigningKey;
    use crate::low_memory_verifying_key::LowMemoryVerifyingKey;
    use crate::params::{D2Aes, P44, Params};
    use alloc::boxed::Box;
    use grille_core::{DynSigningKey, DynVerifyingKey, Error};
    use grille_stream::Stream;
    use grille_stream::pieces::verify_in_pieces;

    const MESSAGE: [u8; 1000] = [7; 1000];

    fn check_streaming<P: Params>(context: &[u8]) {
        let key = SigningKey::<P>::keygen_internal(&[4; 32]);
        let bytes = DynSigningKey::to_bytes(&key);
        let public = DynSigningKey::verifying_key_bytes(&key);
        let small: Box<dyn DynSigningKey> =
            LowMemorySigningKey::<P>::import(bytes.as_ref()).expect("a fresh key is valid");
        let verifying = key.verifying_key.clone();
        let keys: [Box<dyn DynSigningKey>; 3] =
            [small, Box::new(key), Box::new(SigningKey::<P>::keygen_internal(&[4; 32]).prepare())];
        let small: Box<dyn DynVerifyingKey> =
            LowMemoryVerifyingKey::<P>::import(&public).expect("the length is right");
        let checks: [Box<dyn DynVerifyingKey>; 3] =
            [small, Box::new(verifying.clone().prepare()), Box::new(verifying)];
        for (key, check) in keys.iter().zip(&checks) {
            let hedged =
                key.sign(&MESSAGE, context, &mut Stream::new(b"coins")).expect("the context is short enough");
            let fixed = key.sign_deterministic(&MESSAGE, context).expect("the context is short enough");
            for len in [1, 135, 136, 137, 999, 1000] {
                let started = key.begin_signature(context, None).expect("the context is short enough");
                let mut signer = started.expect("ML-DSA signs in pieces");
                MESSAGE.chunks(len).for_each(|piece| signer.update(piece));
                assert!(signer.finish(None, &|_, _| {}) == Ok(fixed.clone()), "pieces of {len} bytes");
                let verifies = |signature: &[u8], message: &[u8]| {
                    verify_in_pieces(check.as_ref(), context, signature, message, len)
                };
                assert_eq!(verifies(&fixed, &MESSAGE), Ok(()));
                assert_eq!(verifies(&fixed, &MESSAGE[1..]), Err(Error::InvalidSignature));
                assert_eq!(verifies(&fixed[1..], &MESSAGE), Err(Error::InvalidSignature));
            }
            let rng = &mut Stream::new(b"coins");
            let mut signer = key
                .begin_signature(context, Some(rng))
                .expect("the context is short enough")
                .expect("in pieces");
            signer.update(&MESSAGE);
            assert!(signer.finish(Some(rng), &|_, _| {}) == Ok(hedged));
            assert!(key.begin_signature(&[0; 256], None).is_err());
            assert!(check.begin_verification(&[0; 256], b"").is_err());
        }
    }

    #[test]
    fn signs_and_verifies_messages_in_pieces() {
        check_streaming::<P44>(b"context");
        check_streaming::<D2Aes>(b"");
    }
}
