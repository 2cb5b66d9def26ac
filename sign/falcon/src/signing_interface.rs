//! The interface of signing keys, and signing without a precomputed tree.

use crate::algorithm::{Falcon, NO_SEED, NOT_DETERMINISTIC, require_empty_context};
use crate::hash::Message;
use crate::low_memory_signing_key::LowMemorySigningKey;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::prepared::{PreparedSigningKey, expanded, sign_all};
use crate::sign::Request;
use crate::sign::flr::{Flr, Real};
use crate::sign::operations::Sign;
use crate::signature_bytes::SignatureBytes;
use crate::signing_key::SigningKey;
use crate::streaming::Signing;
use crate::verifying_key::VerifyingKey;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, DynSigningKey, Error, MessageSigner, SecretBytes};

impl<P: Params> SigningKey<P> {
    fn sign_alone(&self, message: Message<'_>, rng: &mut dyn CryptoRng) -> SignatureBytes<P> {
        self.sign_with::<Flr>(message, rng, P::Degree::sign)
    }

    /// Signs with the doubles `R`.
    pub(crate) fn sign_with<R: Real>(
        &self,
        message: Message<'_>,
        rng: &mut dyn CryptoRng,
        run: impl FnOnce(Sign<'_, P::Degree, R>) -> usize,
    ) -> SignatureBytes<P> {
        SignatureBytes::write_with(|bytes| {
            let request = Request { params: &P::SIGNATURE, message, rng, bytes };
            run(Sign { basis: &self.basis, request, doubles: PhantomData })
        })
    }
}

impl<P: Params> grille_core::SigningKey for SigningKey<P> {
    type Scheme = Falcon<P>;

    /// Parses and checks a key. Moving a key may leave copies on the stack.
    /// [`from_bytes_dyn`](grille_core::SigningKey::from_bytes_dyn) leaves none.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        key.read(bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> SecretBytes {
        self.encode()
    }

    fn from_seed(_: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(PreparedSigningKey::<P>::read_boxed(bytes)?)
    }

    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynSigningKey>, Error> {
        Ok(LowMemorySigningKey::<P>::read_boxed(bytes)?)
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<SignatureBytes<P>, Error> {
        require_empty_context(context)?;
        Ok(self.sign_alone(Message::Whole(message), rng))
    }

    /// Signs many messages. For two or more messages, computes the tree once on the heap, like
    /// [`prepare`](SigningKey::prepare).
    fn sign_many(
        &self,
        messages: &[&[u8]],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<SignatureBytes<P>>, Error> {
        require_empty_context(context)?;
        Ok(match messages {
            [] | [_] => {
                messages.iter().map(|message| self.sign_alone(Message::Whole(message), rng)).collect()
            }
            _ => sign_all(&expanded(self), messages, rng),
        })
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
        let sign =
            |message: Message<'_>, rng: &mut dyn CryptoRng| self.sign_alone(message, rng).as_ref().to_vec();
        Ok(Some(Signing::begin::<P>(rng, sign)?))
    }
}
