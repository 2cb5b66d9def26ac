//! Signing keys in the encoding that their algorithm requires.

use crate::context::check_context;
use crate::private_key::{Curve, Key, Kind, Padding};
use crate::streaming::Signing;
use aws_lc_rs::digest;
use aws_lc_rs::signature::KeyPair;
use grille_core::{CryptoRng, DynSigningKey, Error, MessageSigner, SecretBytes, SystemRng};

/// The encoding of a private key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A PKCS #8 document.
    Pkcs8,
    /// The content of a PKCS #8 document: an `ECPrivateKey` of RFC 5915 with curve and public key, an `RSAPrivateKey`
    /// of RFC 8017, or the 32-byte private key of RFC 8032 (Ed25519).
    Inner,
    /// The content of a PKCS #8 document, with an `ECPrivateKey` that omits its public key.
    InnerWithoutPublicKey,
}

const NOT_DETERMINISTIC: Error = Error::Unsupported { feature: "deterministic signatures" };
/// A private key and its signing algorithm.
pub(crate) struct SigningKeyPair {
    form: Form,
    key: Key,
}

impl SigningKeyPair {
    pub(crate) fn generate(kind: Kind, form: Form) -> Self {
        Self { form, key: Key::generate(kind) }
    }

    /// Parses a key in the given encoding; `None` if it is malformed.
    pub(crate) fn parse(kind: Kind, form: Form, bytes: &[u8]) -> Option<Self> {
        let key = match form {
            Form::Pkcs8 => Key::from_pkcs8(kind, bytes)?,
            Form::Inner | Form::InnerWithoutPublicKey => Key::from_inner(kind, bytes)?,
        };
        let pair = Self { form, key };
        // aws-lc accepts several encodings of one key, but keys of composite parts must have exactly one encoding
        let has_required_encoding = form == Form::Pkcs8 || pair.to_bytes() == SecretBytes::from(bytes);
        has_required_encoding.then_some(pair)
    }
}

impl DynSigningKey for SigningKeyPair {
    fn to_bytes(&self) -> SecretBytes {
        match self.form {
            Form::Pkcs8 => self.key.to_pkcs8(),
            Form::Inner => self.key.to_inner(true),
            Form::InnerWithoutPublicKey => self.key.to_inner(false),
        }
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key_bytes(&self) -> Vec<u8> {
        match &self.key {
            Key::Ecdsa(key, _) => key.public_key().as_ref().to_vec(),
            Key::Ed25519(key) => key.public_key().as_ref().to_vec(),
            Key::Rsa(key, _) => key.public_key().as_ref().to_vec(),
        }
    }

    fn sign(&self, message: &[u8], context: &[u8], _rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        check_context(context)?;
        Ok(match &self.key {
            Key::Ed25519(key) => key.sign(message).as_ref().to_vec(),
            Key::Ecdsa(_, Curve { digest, .. }) | Key::Rsa(_, Padding { digest, .. }) => {
                self.key.sign_digest(digest::digest(digest, message))
            }
        })
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        check_context(context)?;
        if self.key.is_randomized() && rng.is_none() {
            return Err(NOT_DETERMINISTIC);
        }
        Ok(self.key.digest().map(|digest| Signing::begin(digest, &self.key)))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Error> {
        if self.key.is_randomized() {
            return Err(NOT_DETERMINISTIC);
        }
        self.sign(message, context, &mut SystemRng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::{ALL, ECDSA_P256_SHA256, PART_P256_SHA384};
    use grille_core::DynSignature;

    #[test]
    fn keys_round_trip_and_sign_for_one_algorithm_only() {
        for algorithm in ALL {
            let (name, key) = (algorithm.info().name, algorithm.generate(&mut SystemRng));
            let (private, public) = (key.to_bytes(), key.verifying_key_bytes());
            let read = algorithm.signing_key(private.as_ref()).expect(name);
            assert!(read.to_bytes() == private && read.verifying_key_bytes() == public, "{name}");
            assert!(private.as_ref().len() <= algorithm.info().signing_key_len, "{name}");
            let signature = read.sign(b"message", b"", &mut SystemRng).expect(name);
            let verifying = algorithm.verifying_key(&public).expect(name);
            assert_eq!(verifying.verify(b"message", b"", &signature), Ok(()), "{name}");
            assert!(verifying.verify(b"massage", b"", &signature).is_err(), "{name}");
            let is_randomized = SigningKeyPair::generate(algorithm.kind, algorithm.form).key.is_randomized();
            assert_eq!(
                read.sign_deterministic(b"message", b"").ok(),
                (!is_randomized).then_some(signature),
                "{name}"
            );
        }
    }

    #[test]
    fn composite_parts_have_one_encoding() {
        for algorithm in ALL.iter().filter(|algorithm| algorithm.form != Form::Pkcs8) {
            let (name, key) =
                (algorithm.info().name, SigningKeyPair::generate(algorithm.kind, algorithm.form));
            let inner = key.to_bytes();
            assert!(algorithm.signing_key(key.key.to_pkcs8().as_ref()).is_err(), "{name}");
            assert!(algorithm.signing_key(&[inner.as_ref(), &[0]].concat()).is_err(), "{name}");
            assert!(algorithm.signing_key(&inner.as_ref()[..inner.as_ref().len() - 1]).is_err(), "{name}");
            if let Key::Ecdsa(..) = key.key {
                let other = key.key.to_inner(algorithm.form == Form::InnerWithoutPublicKey);
                assert!(algorithm.signing_key(other.as_ref()).is_err(), "{name}");
            }
        }
    }

    #[test]
    fn hash_functions_on_one_curve_are_distinct_algorithms() {
        let key = PART_P256_SHA384.generate(&mut SystemRng);
        let signature = key.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough");
        let other = ECDSA_P256_SHA256.verifying_key(&key.verifying_key_bytes()).expect("a point");
        assert_eq!(other.verify(b"message", b"", &signature), Err(Error::InvalidSignature));
    }
}
