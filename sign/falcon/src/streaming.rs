//! Signing and verification of messages in pieces. The nonce is hashed before the message, so each piece can
//! be hashed when it arrives, and the whole message need not be in memory.

use crate::hash::Message;
use crate::params::{NONCE_LEN, Params};
use crate::sign::sample_randomness;
use crate::signing_key::NOT_DETERMINISTIC;
use crate::verify::VerifyingKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress, Secret};
use grille_hash::{Level, Shake256};

/// A message that arrived in pieces, with the nonce and the seed of its signature. Verification does not use
/// the seed. The message is secret in the constant-time format. Erased on drop.
pub(crate) struct StreamedMessage {
    pub(crate) nonce: Secret<[u8; NONCE_LEN]>,
    pub(crate) seed: Secret<[u8; 48]>,
    /// The hash state, which has absorbed nonce and message.
    pub(crate) shake: Shake256<1>,
}

impl StreamedMessage {
    fn new(nonce: Secret<[u8; NONCE_LEN]>, seed: Secret<[u8; 48]>) -> Self {
        let mut shake = Shake256::new(Level::detect());
        shake.absorb_all(nonce.as_ref());
        Self { nonce, seed, shake }
    }

    /// Absorbs the next piece of the message.
    fn update(&mut self, piece: &[u8]) {
        self.shake.absorb_all(piece);
    }
}

/// A signing operation in progress, and the function that finishes it.
pub(crate) struct Signing<S>(StreamedMessage, S);

impl<'k, S: FnOnce(Message<'_>, &mut dyn CryptoRng) -> Vec<u8> + Send + 'k> Signing<S> {
    /// Starts to sign a message that arrives in pieces.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if there is no random generator.
    pub(crate) fn begin<P: Params>(
        rng: Option<&mut dyn CryptoRng>,
        sign: S,
    ) -> Result<Box<dyn MessageSigner + 'k>, Error> {
        let (mut nonce, mut seed) = (Secret::zeroed(), Secret::zeroed());
        sample_randomness(P::SIGNATURE.format, rng.ok_or(NOT_DETERMINISTIC)?, &mut nonce, &mut seed);
        Ok(Box::new(Self(StreamedMessage::new(nonce, seed), sign)))
    }
}

impl<S: FnOnce(Message<'_>, &mut dyn CryptoRng) -> Vec<u8> + Send> MessageSigner for Signing<S> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>, rng: Option<&mut dyn CryptoRng>, _: &Progress<'_>) -> Result<Vec<u8>, Error> {
        let Self(streamed, sign) = *self;
        Ok(sign(Message::Streamed(&streamed), rng.ok_or(NOT_DETERMINISTIC)?))
    }
}

/// A verification in progress.
pub(crate) struct Verifying<'k, P: Params> {
    key: &'k VerifyingKey<P>,
    signature: &'k [u8],
    /// The message with the signature's nonce. The nonce is arbitrary if the signature is too short to
    /// contain one.
    streamed: StreamedMessage,
}

impl<'k, P: Params> Verifying<'k, P> {
    pub(crate) fn begin(key: &'k VerifyingKey<P>, signature: &'k [u8]) -> Box<dyn MessageVerifier + 'k> {
        let nonce = signature.get(1..=NONCE_LEN).and_then(|nonce| Secret::try_from(nonce).ok());
        let streamed = StreamedMessage::new(nonce.unwrap_or_else(Secret::zeroed), Secret::zeroed());
        Box::new(Self { key, signature, streamed })
    }
}

impl<P: Params> MessageVerifier for Verifying<'_, P> {
    fn update(&mut self, piece: &[u8]) {
        self.streamed.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        self.key.verify_message(Message::Streamed(&self.streamed), self.signature)
    }
}

#[cfg(test)]
mod tests {
    use crate::params::{Falcon512P, FalconCt512P, FalconPadded1024P, Params};
    use crate::signing_key::SigningKey;
    use alloc::boxed::Box;
    use grille_core::{DynSigningKey, DynVerifyingKey, Error, SigningKey as _};
    use grille_stream::Stream;
    use grille_stream::pieces::verify_in_pieces;

    const MESSAGE: [u8; 500] = [7; 500];

    fn check_streaming<P: Params>() {
        let key = SigningKey::<P>::keygen_internal(&[4; 48]);
        let bytes = grille_core::SigningKey::to_bytes(&key);
        let small = SigningKey::<P>::low_memory_from_bytes_dyn(bytes.as_ref()).expect("a fresh key is valid");
        let prepared = SigningKey::<P>::from_bytes_dyn(bytes.as_ref()).expect("a fresh key is valid");
        let check = key.verifying_key().clone();
        let check: &dyn DynVerifyingKey = &check;
        let keys: [Box<dyn DynSigningKey>; 3] = [small, prepared, Box::new(key)];
        for key in &keys {
            let expected = key
                .sign(&MESSAGE, b"", &mut Stream::new(b"coins"))
                .expect("an empty context is short enough");
            for len in [1, 95, 96, 500] {
                let rng = &mut Stream::new(b"coins");
                let mut signer = key
                    .begin_signature(b"", Some(rng))
                    .expect("an empty context is short enough")
                    .expect("in pieces");
                MESSAGE.chunks(len).for_each(|piece| signer.update(piece));
                assert!(
                    signer.finish(Some(rng), &|_, _| {}) == Ok(expected.clone()),
                    "pieces of {len} bytes"
                );
                let verifies =
                    |signature: &[u8], message: &[u8]| verify_in_pieces(check, b"", signature, message, len);
                assert_eq!(verifies(&expected, &MESSAGE), Ok(()));
                assert_eq!(verifies(&expected, &MESSAGE[1..]), Err(Error::InvalidSignature));
                assert_eq!(verifies(&expected[..30], &MESSAGE), Err(Error::InvalidSignature));
            }
            assert!(
                key.begin_signature(b"", None).is_err() && key.begin_signature(b"context", None).is_err()
            );
        }
        assert!(check.begin_verification(b"context", b"").is_err());
    }

    #[test]
    fn signs_and_verifies_messages_in_pieces() {
        check_streaming::<Falcon512P>();
        check_streaming::<FalconPadded1024P>();
        check_streaming::<FalconCt512P>();
    }
}
