//! Signing and verification of messages in pieces. The nonce is hashed before the message, so each piece can
//! be hashed when it arrives, and the whole message need not be in memory.

use crate::algorithm::NOT_DETERMINISTIC;
use crate::format::NONCE_LEN;
use crate::hash::{Message, StreamedMessage};
use crate::params::Params;
use crate::sign::sample_randomness;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress, Secret};

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

/// A verification in progress, and the function that finishes it. The message has the nonce of the signature. The nonce
/// is arbitrary if the signature is too short to contain one.
pub(crate) struct Verifying<V>(StreamedMessage, V);

impl<'k, V: FnOnce(Message<'_>) -> Result<(), Error> + Send + 'k> Verifying<V> {
    /// Starts to verify a signature of a message that arrives in pieces.
    pub(crate) fn begin(signature: &[u8], verify: V) -> Box<dyn MessageVerifier + 'k> {
        let nonce = signature.get(1..=NONCE_LEN).and_then(|nonce| Secret::try_from(nonce).ok());
        let streamed = StreamedMessage::new(nonce.unwrap_or_else(Secret::zeroed), Secret::zeroed());
        Box::new(Self(streamed, verify))
    }
}

impl<V: FnOnce(Message<'_>) -> Result<(), Error> + Send> MessageVerifier for Verifying<V> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self(streamed, verify) = *self;
        verify(Message::Streamed(&streamed))
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
