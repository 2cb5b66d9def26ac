//! Verification (Verify, Falcon Algorithm 16). All data is public and the running time depends on it, except
//! for signatures in the constant-time format. For such signatures, only the result is public, and values
//! that depend on the message are erased.

use crate::backend::{Operation, dispatch};
use crate::codec::decode_signature;
use crate::degree::Degree;
use crate::format::SignatureParams;
use crate::hash::{Message, hash_to_point};
use crate::mq;
use crate::ntt::{inverse_ntt, ntt};
use crate::poly::SecretPoly;
use grille_core::{Error, ct};
use grille_hash::Level;

/// Replaces h with NTT(h) in Montgomery form, with n values of working memory.
pub(crate) fn expand(h: &mut [i16], scratch: &mut [i16]) {
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
    pub(crate) h_hat: &'a D::Poly<i16>,
    pub(crate) params: &'static SignatureParams,
    /// The length of the longest signature in bytes.
    pub(crate) longest: usize,
    pub(crate) message: Message<'a>,
    pub(crate) signature: &'a [u8],
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
