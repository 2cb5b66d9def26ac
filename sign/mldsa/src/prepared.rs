//! Keys with precomputed values, for many operations with one key.

use crate::MlDsa;
use crate::PreHash;
use crate::backend::{Backend, Operation};
use crate::encode::{SigningKeyLayout, unpack_eta, unpack_t0};
use crate::keygen::SigningKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::poly::{NttPoly, Poly, Zero};
use crate::sample::Matrix;
use crate::signer::begin_mu;
use crate::streaming::{Signing, Verifying};
use crate::streams::{Stream, Work, run_all};
use crate::verify::{Message, VerifyingKey, verify_expanded};
use crate::version::{Engines, Fips204, Version};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Secret, SecretBytes, boxed};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// A [`VerifyingKey`] with its expanded matrix and its hash, for example the key of a certificate authority.
/// Verification is three times as fast as with the [`VerifyingKey`].
///
/// ```
/// use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
/// use grille_mldsa::MlDsa65;
///
/// # fn main() -> Result<(), Error> {
/// let key = MlDsa65::generate(&mut SystemRng);
/// let prepared = key.verifying_key().prepare();
/// for message in [b"one", b"two"] {
///     let signature = key.sign(message, b"", &mut SystemRng)?;
///     prepared.verify(message, b"", &signature)?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct PreparedVerifyingKey<P: Params> {
    key: VerifyingKey<P>,
    expanded: Box<ExpandedVerifyingKey<P>>,
}

/// The values that verification computes from the key.
pub(crate) struct ExpandedVerifyingKey<P: Params> {
    /// The matrix Â, in [0, q).
    pub(crate) matrix: P::Matrix,
    /// The vector NTT(−t1).
    pub(crate) minus_t1_hat: P::NttVectorK,
    /// The hash H(pk), in the first `TR_LEN` bytes.
    tr: [u8; 64],
}

impl<P: Params> ExpandedVerifyingKey<P> {
    /// Returns H(pk).
    pub(crate) fn tr(&self) -> &[u8] {
        &self.tr[..P::Version::TR_LEN]
    }
}

impl<P: Params> VerifyingKey<P> {
    /// Precomputes the values that each verification would otherwise compute again.
    #[must_use]
    pub fn prepare(&self) -> PreparedVerifyingKey<P> {
        let mut expanded = boxed(|| ExpandedVerifyingKey {
            matrix: P::Matrix::ZERO,
            minus_t1_hat: P::NttVectorK::ZERO,
            tr: self.tr(),
        });
        P::prepare_verifying_key(PrepareVerifyingKey(self, &mut expanded));
        PreparedVerifyingKey { key: self.clone(), expanded }
    }
}

impl<P: Params> PreparedVerifyingKey<P> {
    /// Returns the key without the precomputed values.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key
    }

    /// Computes μ of a message; see [`VerifyingKey::mu`].
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(Mu::new(self.expanded.tr(), &MessageParts::pure::<P>(message, context)?))
    }

    /// Verifies the signature of a message representative.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        P::verify_prepared(VerifyPrepared(&self.expanded, Message::Representative(mu), signature))
    }

    fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::verify_prepared(VerifyPrepared(&self.expanded, Message::Parts(message), signature))
    }
}

impl<P: Params<Version = Fips204>> PreparedVerifyingKey<P> {
    /// Runs HashML-DSA.Verify, FIPS 204 Algorithm 5.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid, or [`Error::ContextTooLong`] if the
    /// context is too long.
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::prehash(message, context)?, signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for PreparedVerifyingKey<P> {
    type Scheme = MlDsa<P>;

    /// Parses a key. Every byte string of the right length is a valid key.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        VerifyingKey::from_bytes(bytes).map(|key| key.prepare())
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.key.to_bytes()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::pure::<P>(message, context)?, signature)
    }

    fn begin_verification<'k>(
        &'k self,
        context: &[u8],
        signature: &'k [u8],
    ) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
        let verify = |mu: &Mu| self.verify_mu(mu, signature);
        Ok(Some(Box::new(Verifying(self.key.mu_hasher(context)?, verify))))
    }
}

impl<P: Params> fmt::Debug for PreparedVerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}

/// The operation that computes the values of a prepared verifying key, except for its hash.
pub struct PrepareVerifyingKey<'a, P: Params>(&'a VerifyingKey<P>, &'a mut ExpandedVerifyingKey<P>);

impl<P: Params> Operation for PrepareVerifyingKey<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self(key, expanded) = self;
        expand_a::<P, B>(backend, key.rho(), &mut expanded.matrix);
        let mut t1 = Poly::ZERO;
        for (i, t1_hat) in expanded.minus_t1_hat.as_mut().iter_mut().enumerate() {
            key.minus_t1_hat(backend, i, &mut t1, t1_hat);
        }
    }
}

/// The operation that verifies one signature with a prepared key.
pub struct VerifyPrepared<'a, P: Params>(&'a ExpandedVerifyingKey<P>, Message<'a>, &'a [u8]);

impl<P: Params> Operation for VerifyPrepared<'_, P> {
    type Output = Result<(), Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        verify_expanded(backend, self.0, self.1, self.2)
    }
}

/// A [`SigningKey`] with its matrix and its vectors in the NTT domain (secret, erased on drop), for signing more than
/// once.
pub struct PreparedSigningKey<P: Params> {
    pub(crate) key: SigningKey<P>,
    pub(crate) expanded: Box<ExpandedSigningKey<P>>,
}

/// The precomputed values of a prepared signing key.
pub(crate) struct ExpandedSigningKey<P: Params> {
    /// The matrix Â, in [0, q).
    pub(crate) matrix: P::Matrix,
    pub(crate) small: SmallVectors<P>,
    /// The vector NTT(t0).
    pub(crate) t0_hat: P::NttVectorK,
}

/// The vectors s1 and s2 as NTT images modulo the small prime. Erased on drop.
pub(crate) struct SmallVectors<P: Params> {
    pub(crate) s1: P::SmallVectorL,
    pub(crate) s2: P::SmallVectorK,
}

impl<P: Params> Drop for SmallVectors<P> {
    fn drop(&mut self) {
        self.s1.zeroize();
        self.s2.zeroize();
    }
}

impl<P: Params> SmallVectors<P> {
    /// Returns vectors of zeroes, to be filled in place.
    #[inline(always)]
    pub(crate) fn zeroed() -> Self {
        Self { s1: P::SmallVectorL::ZERO, s2: P::SmallVectorK::ZERO }
    }

    /// Computes the vectors from `bytes`, an encoded key with s1 and s2 in range.
    #[inline(always)]
    pub(crate) fn set<B: Backend>(&mut self, backend: B, bytes: &[u8]) {
        let mut poly = Zeroizing::new(Poly::ZERO);
        for (i, s_small) in self.s1.as_mut().iter_mut().chain(self.s2.as_mut()).enumerate() {
            unpack_eta::<P, B>(backend, &bytes[SigningKeyLayout::<P>::s(i)], &mut poly);
            backend.small_ntt(&poly, s_small);
        }
    }
}

/// The vector t0. Only attempts that pass the checks of r0 and z need t0, which happens about once per signature.
#[derive(Clone, Copy)]
pub(crate) enum T0<'a> {
    /// The vector NTT(t0), precomputed.
    Precomputed(&'a [NttPoly]),
    /// The encoding of t0 in an encoded key.
    Encoded(&'a [u8]),
}

impl<'a> T0<'a> {
    /// Returns polynomial `i` of NTT(t0). If t0 is encoded, decodes it to `t0` and computes the result in `t0_hat`.
    #[inline(always)]
    pub(crate) fn ntt_t0<'b, P: Params, B: Backend>(
        self,
        backend: B,
        i: usize,
        t0: &mut Poly,
        t0_hat: &'b mut NttPoly,
    ) -> &'b NttPoly
    where
        'a: 'b,
    {
        match self {
            Self::Precomputed(t0_hat) => &t0_hat[i],
            Self::Encoded(key) => {
                unpack_t0(backend, &key[SigningKeyLayout::<P>::t0(i)], t0);
                backend.ntt(t0, t0_hat);
                t0_hat
            }
        }
    }
}

impl<P: Params> Drop for ExpandedSigningKey<P> {
    fn drop(&mut self) {
        self.t0_hat.zeroize();
    }
}

impl<P: Params> ExpandedSigningKey<P> {
    /// Returns an expanded key of zeroes, to be filled in place.
    #[inline(always)]
    fn zeroed() -> Self {
        Self { matrix: P::Matrix::ZERO, small: SmallVectors::zeroed(), t0_hat: P::NttVectorK::ZERO }
    }

    /// Computes everything except the matrix. `bytes` is an encoded key with s1 and s2 in range.
    #[inline(always)]
    fn set_secrets<B: Backend>(&mut self, backend: B, bytes: &[u8]) {
        self.small.set(backend, bytes);
        let mut t0 = Zeroizing::new(Poly::ZERO);
        for (i, t0_hat) in self.t0_hat.as_mut().iter_mut().enumerate() {
            T0::Encoded(bytes).ntt_t0::<P, B>(backend, i, &mut t0, t0_hat);
        }
    }
}

impl<P: Params> SigningKey<P> {
    /// Precomputes the values that each signature would otherwise compute again.
    #[must_use]
    pub fn prepare(self) -> PreparedSigningKey<P> {
        let mut expanded = boxed(ExpandedSigningKey::zeroed);
        P::prepare_signing_key(PrepareSigningKey {
            key: &self,
            expanded: &mut expanded,
            matrix_is_known: false,
        });
        PreparedSigningKey { key: self, expanded }
    }
}

impl<P: Params> PreparedSigningKey<P> {
    /// Returns the key without the precomputed values.
    #[must_use]
    pub const fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }
}

impl<P: Params> grille_core::SigningKey for PreparedSigningKey<P> {
    type Scheme = MlDsa<P>;

    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut expanded = boxed(ExpandedSigningKey::<P>::zeroed);
        let key = SigningKey::import(bytes, expanded.matrix.as_mut())?;
        P::prepare_signing_key(PrepareSigningKey {
            key: &key,
            expanded: &mut expanded,
            matrix_is_known: true,
        });
        Ok(Self { key, expanded })
    }

    fn to_bytes(&self) -> SecretBytes {
        self.key.to_bytes()
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        Error::check_len("seed", 32, seed.len())?;
        let seed = Secret::<[u8; 32]>::try_from(seed)?;
        let mut expanded = boxed(ExpandedSigningKey::<P>::zeroed);
        let key = SigningKey::expand(seed.expose(), expanded.matrix.as_mut());
        P::prepare_signing_key(PrepareSigningKey {
            key: &key,
            expanded: &mut expanded,
            matrix_is_known: true,
        });
        Ok(Self { key, expanded })
    }

    fn seed(&self) -> Option<SecretBytes> {
        self.key.seed()
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        self.key.verifying_key()
    }

    fn sign(
        &self,
        message: &[u8],
        context: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu(&self.compute_mu(&MessageParts::pure::<P>(message, context)?), rng))
    }

    fn sign_deterministic(&self, message: &[u8], context: &[u8]) -> Result<P::SignatureBytes, Error> {
        Ok(self.sign_mu_deterministic(&self.compute_mu(&MessageParts::pure::<P>(message, context)?)))
    }

    fn begin_signature<'k>(
        &'k self,
        context: &[u8],
        _: Option<&mut dyn CryptoRng>,
    ) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
        let hash = begin_mu::<P>(&self.key.bytes, context)?;
        let sign = |mu: &Mu, rng: Option<&mut dyn CryptoRng>| match rng {
            Some(rng) => self.sign_mu(mu, rng).as_ref().to_vec(),
            None => self.sign_mu_deterministic(mu).as_ref().to_vec(),
        };
        Ok(Some(Box::new(Signing(hash, sign))))
    }
}

impl<P: Params> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: Params> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}

/// The operation that computes the values of a prepared signing key. The matrix may be known from the generation or
/// import of the key.
pub struct PrepareSigningKey<'a, P: Params> {
    key: &'a SigningKey<P>,
    expanded: &'a mut ExpandedSigningKey<P>,
    matrix_is_known: bool,
}

impl<P: Params> Operation for PrepareSigningKey<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, expanded, matrix_is_known } = self;
        if !matrix_is_known {
            expand_a::<P, B>(backend, key.verifying_key.rho(), &mut expanded.matrix);
        }
        expanded.set_secrets(backend, key.bytes.as_ref());
    }
}

/// Runs ExpandA, FIPS 204 Algorithm 32, in an engine run of its own, without other hashes.
fn expand_a<P: Params, B: Backend>(backend: B, rho: &[u8; 32], matrix: &mut P::Matrix) {
    let mut expansion = Expansion { backend, matrix: Matrix::<P>::new(rho, matrix.as_mut()) };
    run_all::<Engines<P>, _>(backend.level(), &mut expansion);
}

struct Expansion<'a, P: Params, B> {
    backend: B,
    matrix: Matrix<'a, P>,
}

impl<P: Params, B: Backend> Work for Expansion<'_, P, B> {
    fn is_done(&self) -> bool {
        self.matrix.is_complete()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.matrix.stream()
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.matrix.receive(self.backend, id, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{P44, P65, P87};

    #[test]
    fn documented_sizes_are_correct() {
        fn tenths_of_a_kibibyte<P: Params>() -> [usize; 2] {
            [size_of::<ExpandedSigningKey<P>>(), size_of::<ExpandedVerifyingKey<P>>()]
                .map(|len| len * 10 / 1024)
        }
        assert_eq!(tenths_of_a_kibibyte::<P44>(), [240, 200]);
        assert_eq!(tenths_of_a_kibibyte::<P65>(), [415, 360]);
        assert_eq!(tenths_of_a_kibibyte::<P87>(), [715, 640]);
    }
}
