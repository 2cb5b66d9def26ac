//! Verifying keys: import, export and verification.

use crate::algorithm::{Falcon, require_empty_context};
use crate::degree::Degree;
use crate::hash::Message;
use crate::params::Params;
use crate::poly::zeroes;
use crate::precompiled::Precompiled;
use crate::streaming::Verifying;
use crate::verify::{Verify, expand};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, DynVerifyingKey, Error, MessageVerifier, boxed};

type Poly<P> = <<P as Params>::Degree as Degree>::Poly<i16>;

/// A verifying key (public) in expanded form.
pub struct VerifyingKey<P: Params> {
    /// The polynomial h, with coefficients in [0, q).
    pub(crate) h: Poly<P>,
    /// The image NTT(h) in Montgomery form.
    h_hat: Poly<P>,
}

impl<P: Params> VerifyingKey<P> {
    /// Returns a key of zeroes.
    pub(crate) fn zeroed() -> Self {
        Self { h: zeroes::<P::Degree, i16>(), h_hat: zeroes::<P::Degree, i16>() }
    }

    /// Copies `other`.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.h.as_mut().copy_from_slice(other.h.as_ref());
        self.h_hat.as_mut().copy_from_slice(other.h_hat.as_ref());
    }

    /// Decodes a key.
    fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len("verifying key", <P::Degree as Degree>::VerifyingKeyBytes::LEN, bytes.len())?;
        P::Degree::decode_verifying_key(bytes, self.h.as_mut())
            .map_err(|reason| Error::InvalidPublicKey { reason })?;
        self.expand();
        Ok(())
    }

    /// Computes ĥ = NTT(h) from h.
    pub(crate) fn expand(&mut self) {
        self.h_hat.as_mut().copy_from_slice(self.h.as_ref());
        expand(self.h_hat.as_mut(), zeroes::<P::Degree, i16>().as_mut());
    }

    /// Verifies a signature.
    pub(crate) fn verify_message(&self, message: Message<'_>, signature: &[u8]) -> Result<(), Error> {
        let (params, longest) = (&P::SIGNATURE, P::SignatureBytes::LEN);
        P::Degree::verify(Verify { h_hat: &self.h_hat, params, longest, message, signature })
    }
}

impl<P: Params> grille_core::VerifyingKey for VerifyingKey<P> {
    type Scheme = Falcon<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        key.read(bytes)?;
        Ok(key)
    }

    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        let mut key = boxed(Self::zeroed);
        key.read(bytes)?;
        Ok(key)
    }

    fn to_bytes(&self) -> Vec<u8> {
        P::Degree::encode_verifying_key(self.h.as_ref()).as_ref().to_vec()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        require_empty_context(context)?;
        self.verify_message(Message::Whole(message), signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        require_empty_context(context)?;
        Ok(Some(Verifying::begin(signature, move |message| self.verify_message(message, signature))))
    }
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self { h: self.h.clone(), h_hat: self.h_hat.clone() }
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.h.as_ref() == other.h.as_ref()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} verifying key", P::NAME)
    }
}
