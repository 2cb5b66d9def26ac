//! Signing and verification of messages in pieces, for algorithms that hash the message alone: ECDSA and RSA. Ed25519
//! is not supported, because it hashes a message twice and aws-lc accepts only whole messages.

use crate::private_key::Key;
use aws_lc_rs::digest::{self, Context};
use aws_lc_rs::signature::{UnparsedPublicKey, VerificationAlgorithm};
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress};

/// A signing operation in progress.
pub(crate) struct Signing<'k> {
    hash: Context,
    key: &'k Key,
}

impl<'k> Signing<'k> {
    pub(crate) fn begin(digest: &'static digest::Algorithm, key: &'k Key) -> Box<dyn MessageSigner + 'k> {
        Box::new(Self { hash: Context::new(digest), key })
    }
}

impl MessageSigner for Signing<'_> {
    fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    /// Signs with aws-lc's own randomness. Ignores the caller's generator.
    fn finish(self: Box<Self>, _: Option<&mut dyn CryptoRng>, _: &Progress<'_>) -> Result<Vec<u8>, Error> {
        Ok(self.key.sign_digest(self.hash.finish()))
    }
}

/// A verification in progress.
pub(crate) struct Verifying<'k> {
    hash: Context,
    key: UnparsedPublicKey<&'k [u8]>,
    signature: &'k [u8],
}

impl<'k> Verifying<'k> {
    pub(crate) fn begin(
        digest: &'static digest::Algorithm,
        verification: &'static dyn VerificationAlgorithm,
        key: &'k [u8],
        signature: &'k [u8],
    ) -> Box<dyn MessageVerifier + 'k> {
        let key = UnparsedPublicKey::new(verification, key);
        Box::new(Self { hash: Context::new(digest), key, signature })
    }
}

impl MessageVerifier for Verifying<'_> {
    fn update(&mut self, piece: &[u8]) {
        self.hash.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { hash, key, signature } = *self;
        key.verify_digest(&hash.finish(), signature).map_err(|_| Error::InvalidSignature)
    }
}

#[cfg(test)]
mod tests {
    use crate::signature::ALL;
    use grille_core::{DynSignature, Error, SystemRng};

    const MESSAGE: [u8; 300] = [7; 300];

    #[test]
    fn signs_and_verifies_messages_in_pieces() {
        for algorithm in ALL {
            let (name, key) = (algorithm.info().name, algorithm.generate(&mut SystemRng));
            let check = algorithm.verifying_key(&key.verifying_key_bytes()).expect(name);
            let signer = key.begin_signature(b"", Some(&mut SystemRng)).expect(name);
            assert_eq!(signer.is_none(), name.contains("Ed25519"), "{name}");
            let Some(mut signer) = signer else {
                assert!(check.begin_verification(b"", &[0; 64]).expect(name).is_none());
                continue;
            };
            MESSAGE.chunks(77).for_each(|piece| signer.update(piece));
            let signature = signer.finish(Some(&mut SystemRng), &|_, _| {}).expect(name);
            assert_eq!(check.verify(&MESSAGE, b"", &signature), Ok(()), "{name}");
            let verifies = |signature: &[u8], message: &[u8]| {
                let mut verifier = check.begin_verification(b"", signature).expect(name).expect(name);
                message.chunks(64).for_each(|piece| verifier.update(piece));
                verifier.finish()
            };
            let at_once = key.sign(&MESSAGE, b"", &mut SystemRng).expect(name);
            assert_eq!(verifies(&at_once, &MESSAGE), Ok(()), "{name}");
            assert_eq!(verifies(&at_once, &MESSAGE[1..]), Err(Error::InvalidSignature), "{name}");
            assert_eq!(verifies(&at_once[1..], &MESSAGE), Err(Error::InvalidSignature), "{name}");
            assert!(key.begin_signature(b"context", Some(&mut SystemRng)).is_err());
            let fixed = key.sign_deterministic(&MESSAGE, b"");
            assert_eq!(key.begin_signature(b"", None).is_err(), fixed.is_err(), "{name}");
        }
    }
}
