//! Signing and verification of messages in pieces. An IETF composite hashes the message once for both parts.
//! In an OQS composite, each part processes all pieces.

use crate::format::Format;
use crate::ietf;
use crate::keys::{SigningKey, VerifyingKey};
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress};
use grille_hash::prehash::Hasher;

/// Starts to sign a message that arrives in pieces; see [`grille_core::SigningKey::begin_signature`].
///
/// # Errors
/// Returns the errors of [`grille_core::SigningKey::begin_signature`].
pub(crate) fn begin_signature<'k>(
    key: &'k SigningKey,
    context: &[u8],
    mut rng: Option<&mut dyn CryptoRng>,
) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
    key.sizes.check_context(context)?;
    if let Format::Ietf { label, hash } = key.sizes.format {
        return Ok(Some(Box::new(IetfOperation {
            key,
            label,
            context: context.to_vec(),
            hasher: hash.hasher(),
        })));
    }
    // both parts use the same generator, one after the other
    let classical = match &mut rng {
        Some(rng) => key.classical.begin_signature(b"", Some(&mut **rng))?,
        None => key.classical.begin_signature(b"", None)?,
    };
    let post_quantum = key.post_quantum.begin_signature(b"", rng)?;
    Ok(match (classical, post_quantum) {
        (Some(classical), Some(post_quantum)) => {
            Some(Box::new(OqsSigner { key, classical, classical_is_complete: false, post_quantum }))
        }
        _ => None,
    })
}

/// The state of signing or verifying a message with an IETF composite.
struct IetfOperation<'k, K> {
    key: &'k K,
    label: &'static str,
    context: Vec<u8>,
    hasher: Hasher,
}

impl<K> IetfOperation<'_, K> {
    fn representative(self) -> Vec<u8> {
        ietf::representative(self.label, self.hasher.finish().digest(), &self.context)
    }
}

impl MessageSigner for IetfOperation<'_, SigningKey> {
    fn update(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
    }

    fn finish(
        self: Box<Self>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let (key, label) = (self.key, self.label);
        key.sign_representative(&self.representative(), label.as_bytes(), rng, progress)
    }
}

/// The state of signing a message with an OQS composite.
struct OqsSigner<'k> {
    key: &'k SigningKey,
    classical: Box<dyn MessageSigner + 'k>,
    /// Whether the classical part has received the whole message. This part needs one pass, even if the other
    /// part needs two.
    classical_is_complete: bool,
    post_quantum: Box<dyn MessageSigner + 'k>,
}

impl MessageSigner for OqsSigner<'_> {
    fn passes(&self) -> u32 {
        self.post_quantum.passes()
    }

    fn update(&mut self, piece: &[u8]) {
        if !self.classical_is_complete {
            self.classical.update(piece);
        }
        self.post_quantum.update(piece);
    }

    fn end_pass(&mut self) {
        self.classical_is_complete = true;
        self.post_quantum.end_pass();
    }

    fn finish(
        self: Box<Self>,
        mut rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let Self { key, classical, post_quantum, .. } = *self;
        let classical = match &mut rng {
            Some(rng) => classical.finish(Some(&mut **rng), progress)?,
            None => classical.finish(None, progress)?,
        };
        Ok(key.sizes.join(&classical, &post_quantum.finish(rng, progress)?))
    }
}

/// Starts to verify a message that arrives in pieces; see [`grille_core::VerifyingKey::begin_verification`].
///
/// # Errors
/// Returns the errors of [`grille_core::VerifyingKey::begin_verification`].
pub(crate) fn begin_verification<'k>(
    key: &'k VerifyingKey,
    context: &[u8],
    signature: &'k [u8],
) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
    key.sizes.check_context(context)?;
    if let Format::Ietf { label, hash } = key.sizes.format {
        let hashed = IetfOperation { key, label, context: context.to_vec(), hasher: hash.hasher() };
        return Ok(Some(Box::new(IetfVerifier { hashed, signature })));
    }
    // a signature that cannot be split is refused at the end anyway
    let (classical, post_quantum) = key.sizes.split(signature).unwrap_or((b"", b""));
    let classical = key.classical.begin_verification(b"", classical)?;
    let post_quantum = key.post_quantum.begin_verification(b"", post_quantum)?;
    let has_parts = key.sizes.split(signature).is_some();
    Ok(match (classical, post_quantum) {
        (Some(classical), Some(post_quantum)) => {
            Some(Box::new(OqsVerifier { key, has_parts, classical, post_quantum }))
        }
        _ => None,
    })
}

/// The state of verifying a signature of an IETF composite.
struct IetfVerifier<'k> {
    hashed: IetfOperation<'k, VerifyingKey>,
    signature: &'k [u8],
}

impl MessageVerifier for IetfVerifier<'_> {
    fn update(&mut self, piece: &[u8]) {
        self.hashed.hasher.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { hashed, signature } = *self;
        let (key, label) = (hashed.key, hashed.label);
        key.verify_representative(&hashed.representative(), label.as_bytes(), signature)
    }
}

/// The state of verifying a signature of an OQS composite.
struct OqsVerifier<'k> {
    key: &'k VerifyingKey,
    has_parts: bool,
    classical: Box<dyn MessageVerifier + 'k>,
    post_quantum: Box<dyn MessageVerifier + 'k>,
}

impl MessageVerifier for OqsVerifier<'_> {
    fn update(&mut self, piece: &[u8]) {
        self.classical.update(piece);
        self.post_quantum.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { key, has_parts, classical, post_quantum } = *self;
        if !has_parts {
            return Err(Error::InvalidSignature);
        }
        key.combine_results(classical.finish(), post_quantum.finish())
    }
}
