//! Signing keys with their precomputed tree, for many signatures with one key.

use crate::algorithm::{Falcon, NO_SEED, NOT_DETERMINISTIC, require_empty_context};
use crate::hash::Message;
use crate::params::Params;
use crate::precompiled::Precompiled;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::sign::batch::SignEight;
use crate::sign::flr::Flr;
use crate::sign::operations::{Prepare, SignPrepared};
use crate::sign::{ExpandedKey, Request};
use crate::signature_bytes::SignatureBytes;
use crate::signing_key::SigningKey;
use crate::streaming::Signing;
use crate::verifying_key::VerifyingKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{CryptoRng, Error, MessageSigner, SecretBytes, boxed};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use grille_hash::Level;
use zeroize::ZeroizeOnDrop;

/// A [`SigningKey`] with its basis as FFT images and its tree (secret, erased on drop), for signing more than
/// once. It takes 56 KiB of heap for n = 512, and 120 KiB for n = 1024.
pub struct PreparedSigningKey<P: Params> {
    key: SigningKey<P>,
    expanded: Box<ExpandedKey<P::Degree, Flr>>,
}

impl<P: Params> SigningKey<P> {
    /// Precomputes the values that each signature would otherwise compute again.
    ///
    /// This moves the key, which may leave copies on the stack.
    /// [`from_bytes_dyn`](grille_core::SigningKey::from_bytes_dyn) parses and prepares a key on the heap and leaves
    /// none.
    #[must_use]
    pub fn prepare(self) -> PreparedSigningKey<P> {
        let expanded = expanded(&self);
        PreparedSigningKey { key: self, expanded }
    }
}

impl<P: Params> PreparedSigningKey<P> {
    /// Parses and prepares an encoded key on the heap, without a copy on the stack.
    pub(crate) fn read_boxed(bytes: &[u8]) -> Result<Box<Self>, Error> {
        let mut prepared =
            boxed(|| Self { key: SigningKey::zeroed(), expanded: P::Degree::zeroed_expanded_key() });
        prepared.key.read(bytes)?;
        let Self { key, expanded } = &mut *prepared;
        expand(key, expanded);
        Ok(prepared)
    }

    /// Returns the key without the precomputed values.
    #[must_use]
    pub const fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }
}

impl<P: Params> grille_core::SigningKey for PreparedSigningKey<P> {
    type Scheme = Falcon<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = SigningKey::zeroed();
        key.read(bytes)?;
        Ok(key.prepare())
    }

    fn to_bytes(&self) -> SecretBytes {
        self.key.encode()
    }

    fn from_seed(_: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key.verifying_key
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<SignatureBytes<P>, Error> {
        require_empty_context(context)?;
        Ok(sign_one(&self.expanded, Message::Whole(message), rng))
    }

    /// Signs many messages. With AVX-512, eight messages are signed in lock-step, and each takes a fraction
    /// of the time of a single signature.
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<SignatureBytes<P>>, Error> {
        require_empty_context(context)?;
        Ok(sign_all(&self.expanded, messages, rng))
    }

    fn sign_deterministic(&self, _: &[u8], _: &[u8]) -> Result<SignatureBytes<P>, Error> {
        Err(NOT_DETERMINISTIC)
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        rng: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        require_empty_context(context)?;
        let sign = |message: Message<'_>, rng: &mut dyn CryptoRng| {
            sign_one::<P>(&self.expanded, message, rng).as_ref().to_vec()
        };
        Ok(Some(Signing::begin::<P>(rng, sign)?))
    }
}

impl<P: Params> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: Params> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}

/// Computes the images and the tree of a key (secret, erased on drop).
pub(crate) fn expanded<P: Params>(key: &SigningKey<P>) -> Box<ExpandedKey<P::Degree, Flr>> {
    let mut expanded = P::Degree::zeroed_expanded_key();
    expand(key, &mut expanded);
    expanded
}

fn expand<P: Params>(key: &SigningKey<P>, expanded: &mut ExpandedKey<P::Degree, Flr>) {
    P::Degree::prepare(Prepare { basis: &key.basis, params: &P::SIGNATURE, expanded });
}

/// Signs all messages. Each signature equals the one that signing its message alone with the same random
/// bytes would return. Random bytes are read in the order of the messages.
pub(crate) fn sign_all<P: Params>(
    key: &ExpandedKey<P::Degree, Flr>,
    messages: &[&[u8]],
    rng: &mut dyn CryptoRng,
) -> Vec<SignatureBytes<P>> {
    let mut signatures = sign_eights(key, messages, rng);
    signatures.extend(
        messages[signatures.len()..].iter().map(|message| sign_one(key, Message::Whole(message), rng)),
    );
    signatures
}

/// Signs the first messages in groups of eight, in lock-step, if AVX-512 is available.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
fn sign_eights<P: Params>(
    key: &ExpandedKey<P::Degree, Flr>,
    messages: &[&[u8]],
    rng: &mut dyn CryptoRng,
) -> Vec<SignatureBytes<P>> {
    let mut signatures = Vec::with_capacity(messages.len());
    let Level::Avx512(token) = Level::detect() else { return signatures };
    for messages in messages.as_chunks().0 {
        signatures.extend(SignatureBytes::write_eight_with(|bytes| {
            let params = &P::SIGNATURE;
            P::Degree::sign_eight(SignEight { token, key, params, messages, rng, bytes })
        }));
    }
    signatures
}

/// Signs no messages, because this target has no AVX-512 for signing in lock-step.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
fn sign_eights<P: Params>(
    _: &ExpandedKey<P::Degree, Flr>,
    _: &[&[u8]],
    _: &mut dyn CryptoRng,
) -> Vec<SignatureBytes<P>> {
    Vec::new()
}

fn sign_one<P: Params>(
    key: &ExpandedKey<P::Degree, Flr>,
    message: Message<'_>,
    rng: &mut dyn CryptoRng,
) -> SignatureBytes<P> {
    SignatureBytes::write_with(|bytes| {
        let request = Request { params: &P::SIGNATURE, message, rng, bytes };
        P::Degree::sign_prepared(SignPrepared { key, request })
    })
}
