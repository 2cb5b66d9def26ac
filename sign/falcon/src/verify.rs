//! Verification (Verify, Falcon Algorithm 16). All data is public and the running time depends on it, except
//! for signatures in the constant-time format. For such signatures, only the result is public, and values
//! that depend on the message are erased.

use crate::Falcon;
use crate::backend::{Operation, dispatch};
use crate::codec::decode_signature;
use crate::hash::{Message, hash_to_point};
use crate::mq;
use crate::ntt::{inverse_ntt, ntt};
use crate::params::{Degree, Params, SignatureParams};
use crate::poly::{SecretPoly, zeroes};
use crate::precompiled::Precompiled;
use crate::streaming::Verifying;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, DynVerifyingKey, Error, MessageVerifier, boxed, ct};
use grille_hash::Level;

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
        crate::require_empty_context(context)?;
        self.verify_message(Message::Whole(message), signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        crate::require_empty_context(context)?;
        Ok(Some(Verifying::begin(self, signature)))
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

/// Replaces h with NTT(h) in Montgomery form, with n values of working memory.
fn expand(h: &mut [i16], scratch: &mut [i16]) {
    dispatch(Expand(h, scratch));
}

/// The operation that replaces h with NTT(h) in Montgomery form, with n values of working memory.
struct Expand<'a>(&'a mut [i16], &'a mut [i16]);

impl Operation for Expand<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: Level) {
        ntt(level, self.0, self.1);
        mq::to_montgomery(self.0);
    }
}

/// The operation that verifies a signature.
pub struct Verify<'a, D: Degree> {
    h_hat: &'a D::Poly<i16>,
    params: &'static SignatureParams,
    /// The length of the longest signature in bytes.
    longest: usize,
    message: Message<'a>,
    signature: &'a [u8],
}

impl<D: Degree> Operation for Verify<'_, D> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run(self, level: Level) -> Self::Output {
        let (mut s2, mut c) = (SecretPoly::<D, i16>::zeroed(), SecretPoly::<D, i16>::zeroed());
        // s2 ← Decompress(s, 8·sbytelen − 328)
        let nonce = decode_signature(self.params.format, self.longest, self.signature, &mut s2)
            .ok_or(Error::InvalidSignature)?;
        let norm_of_s2 = mq::squared_norm(&s2);
        // computes s2·h mod q before c, because the memory for c first serves as working memory
        ntt(level, &mut s2, &mut c);
        mq::multiply(&mut s2, self.h_hat.as_ref());
        inverse_ntt(level, &mut s2, &mut c);
        // c ← HashToPoint(r ‖ m, q, n)
        hash_to_point(self.params.format, level, nonce, self.message, &mut c);
        // s1 ← c − s2·h mod q
        mq::subtract_centered(&mut c, &s2);
        // ‖(s1, s2)‖² ≤ ⌊β²⌋
        let norm = norm_of_s2 + mq::squared_norm(&c);
        if ct::public(norm <= u64::from(self.params.bound)) { Ok(()) } else { Err(Error::InvalidSignature) }
    }
}
