//! ML-DSA.Verify, FIPS 204 Algorithms 3, 5 and 8. All data is public, so the running time may vary.

use crate::MlDsa;
use crate::PreHash;
use crate::backend::{Backend, Operation};
use crate::ball::sample_in_ball;
use crate::encode::{
    MAX_W1_LEN, SignatureParts, gamma1_len, sig_decode, t1_at, unpack_gamma1, unpack_minus_t1, w1_encode,
    w1_len,
};
use crate::hash::h;
use crate::keygen::row_window;
use crate::low_memory_verifying_key::LowMemoryVerifyingKey;
use crate::message::{MessageParts, Mu};
use crate::params::Params;
use crate::poly::{HintPoly, NttPoly, Poly, Zero};
use crate::prepared::ExpandedVerifyingKey;
use crate::recomputation::Recomputation;
use crate::round::{D, GAMMA2_32, GAMMA2_88};
use crate::streaming::{MuHasher, Verifying};
use crate::streams::{H_RATE, ResumableHash, run_all};
use crate::version::{Engines, Fips204, Version};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{Bytes, DynVerifyingKey, Error, MessageVerifier};
use grille_hash::lanes::Lanes;
use grille_hash::{Level, shake256};

/// A verifying key (public) in its encoded form.
///
/// Each verification expands the key again, in the Keccak calls that also compute its other hashes. To verify
/// many signatures with one key, [`prepare`](Self::prepare) it first.
pub struct VerifyingKey<P: Params> {
    pub(crate) bytes: P::VerifyingKeyBytes,
    /// The hash H(pk), if known, in the first `TR_LEN` bytes.
    pub(crate) tr: Option<[u8; 64]>,
}

impl<P: Params> VerifyingKey<P> {
    /// Returns a key of zeroes, to be filled in place.
    pub(crate) fn zeroed() -> Self {
        Self { bytes: P::VerifyingKeyBytes::zeroed(), tr: None }
    }

    /// Computes μ of a message, which [`SigningKey::sign_mu`](crate::SigningKey::sign_mu) signs.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Ok(self.compute_mu(&MessageParts::pure::<P>(message, context)?))
    }

    /// Starts to compute μ of a message that arrives in pieces.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu_hasher(&self, context: &[u8]) -> Result<MuHasher, Error> {
        let parts = MessageParts::pure::<P>(&[], context)?;
        Ok(MuHasher::new(&self.tr()[..P::Version::TR_LEN], &parts))
    }

    /// Verifies the signature of a message representative.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        P::verify(Verify { key: self, message: Message::Representative(mu), signature })
    }

    pub(crate) fn compute_mu(&self, message: &MessageParts<'_>) -> Mu {
        Mu::new(&self.tr()[..P::Version::TR_LEN], message)
    }

    /// Returns H(pk) in the first `TR_LEN` bytes.
    pub(crate) fn tr(&self) -> [u8; 64] {
        self.tr.unwrap_or_else(|| h(Level::detect(), &[self.bytes.as_ref()]))
    }

    /// Returns ρ, the seed of Â.
    pub(crate) fn rho(&self) -> &[u8; 32] {
        self.bytes.as_ref().first_chunk().expect("a key has more than 32 bytes")
    }

    /// Computes polynomial `i` of NTT(−t1). Writes −t1 to `t1`.
    #[inline(always)]
    pub(crate) fn minus_t1_hat<B: Backend>(&self, backend: B, i: usize, t1: &mut Poly, t1_hat: &mut NttPoly) {
        unpack_minus_t1(backend, &self.bytes.as_ref()[t1_at(i)], t1);
        backend.ntt(t1, t1_hat);
    }

    pub(crate) fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::verify(Verify { key: self, message: Message::Parts(message), signature })
    }
}

impl<P: Params<Version = Fips204>> VerifyingKey<P> {
    /// Computes μ of a hashed message (HashML-DSA).
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub fn mu_prehash(&self, message: &PreHash, context: &[u8]) -> Result<Mu, Error> {
        Ok(self.compute_mu(&MessageParts::prehash(message, context)?))
    }

    /// Runs HashML-DSA.Verify, FIPS 204 Algorithm 5.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid, or [`Error::ContextTooLong`] if the
    /// context is too long.
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::prehash(message, context)?, signature)
    }

    /// Runs ML-DSA.Verify_internal, FIPS 204 Algorithm 8, on the formatted message M′, for tests against vectors.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_internal(&self, m_prime: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_parts(&MessageParts::formatted(m_prime), signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for VerifyingKey<P> {
    type Scheme = MlDsa<P>;

    /// Parses a key. Every byte string of the right length is a valid key.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self { bytes: grille_core::bytes::parse("verifying key", bytes)?, tr: None })
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.as_ref().to_vec()
    }

    fn low_memory_from_bytes_dyn(bytes: &[u8]) -> Result<Box<dyn DynVerifyingKey>, Error> {
        Ok(LowMemoryVerifyingKey::<P>::import(bytes)?)
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
        Ok(Some(Box::new(Verifying(self.mu_hasher(context)?, verify))))
    }
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), tr: self.tr }
    }
}

impl<P: Params> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.as_ref() == other.bytes.as_ref()
    }
}

impl<P: Params> Eq for VerifyingKey<P> {}

impl<P: Params> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} verifying key", P::NAME)
    }
}

/// The message whose signature is verified.
#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    /// The formatted message M′, which is hashed with tr.
    Parts(&'a MessageParts<'a>),
    /// The message representative μ.
    Representative(&'a Mu),
}

/// The operation that verifies one signature with an encoded key.
pub struct Verify<'a, P: Params> {
    pub(crate) key: &'a VerifyingKey<P>,
    pub(crate) message: Message<'a>,
    pub(crate) signature: &'a [u8],
}

impl<P: Params> Operation for Verify<'_, P> {
    type Output = Result<(), Error>;

    /// Runs ML-DSA.Verify_internal, FIPS 204 Algorithm 8.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        let (mut factors, mut rows) = (Factors::ZERO, row_window::<P>());
        let mut commitment = Commitment::new(&mut factors);
        let mut recomputation = Recomputation::new(backend, &self, &mut rows, &mut commitment)?;
        run_all::<Engines<P>, _>(backend.level(), &mut recomputation);
        recomputation.result()
    }
}

/// Checks whether c~ equals c~′, FIPS 204 Algorithm 8, line 13.
///
/// # Errors
/// Returns [`Error::InvalidSignature`] if the signature is invalid.
pub(crate) fn compare<P: Params>(sigma: &SignatureParts<'_>, c_tilde: &[u8; 64]) -> Result<(), Error> {
    if sigma.c_tilde == &c_tilde[..P::C_TILDE_LEN] { Ok(()) } else { Err(Error::InvalidSignature) }
}

/// The factors by which all rows of Â and of t1 are multiplied.
pub(crate) struct Factors<P: Params> {
    z_hat: P::NttVectorL,
    /// NTT(−2ᵈ·c), or `None` until c is known. The product of this factor with NTT(−t1) is subtracted.
    c_hat: Option<NttPoly>,
}

impl<P: Params> Zero for Factors<P> {
    const ZERO: Self = Self { z_hat: P::NttVectorL::ZERO, c_hat: None };
}

/// The bytes μ ‖ w1Encode(w1′), computed row by row, and the working memory for this computation.
pub(crate) struct Commitment<'a, P: Params> {
    factors: &'a mut Factors<P>,
    /// The bytes μ ‖ w1Encode(w1′).
    pub(crate) bytes: [u8; 64 + MAX_W1_LEN],
    /// The number of rows of w1′ that have been computed.
    pub(crate) rows: usize,
    /// The polynomial ŵ of one row.
    w_hat: NttPoly,
    /// The polynomial w of one row. Before the first row, this field holds c and other temporary values.
    pub(crate) w: Poly,
    /// The hash c~′, in the first `C_TILDE_LEN` bytes.
    pub(crate) c_tilde: [u8; 64],
}

impl<'a, P: Params> Commitment<'a, P> {
    /// Creates a commitment whose factors are not known yet.
    #[inline(always)]
    pub(crate) fn new(factors: &'a mut Factors<P>) -> Self {
        Self {
            factors,
            bytes: [0; 64 + MAX_W1_LEN],
            rows: 0,
            w_hat: NttPoly::ZERO,
            w: Poly::ZERO,
            c_tilde: [0; 64],
        }
    }

    /// Computes NTT(z), if z is small enough. This is FIPS 204 Algorithm 27, line 4, and the norm check of
    /// Algorithm 8, line 13.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    #[inline(always)]
    pub(crate) fn set_response<B: Backend>(&mut self, backend: B, z_bytes: &[u8]) -> Result<(), Error> {
        let z = &mut self.w;
        for (bytes, z_hat) in z_bytes.chunks_exact(gamma1_len::<P>()).zip(self.factors.z_hat.as_mut()) {
            unpack_gamma1::<P, B>(backend, bytes, z);
            // ‖z‖∞ < γ1 − β
            if backend.norm_reaches(z, P::GAMMA1 - P::BETA) {
                return Err(Error::InvalidSignature);
            }
            backend.ntt(z, z_hat);
        }
        Ok(())
    }

    /// Computes NTT(−2ᵈ·c) of c ← SampleInBall(c~). `block` is the first block of H(c~).
    #[inline(always)]
    pub(crate) fn set_challenge<B: Backend>(&mut self, backend: B, c_tilde: &[u8], block: &[u8; H_RATE]) {
        sample_in_ball(backend.level(), c_tilde, block, P::TAU, &mut self.w);
        self.w.0.iter_mut().for_each(|c| *c *= -(1 << D));
        backend.ntt(&self.w, self.factors.c_hat.insert(NttPoly::ZERO));
    }

    /// Checks whether the challenge is set, so that rows can be added.
    pub(crate) const fn has_challenge(&self) -> bool {
        self.factors.c_hat.is_some()
    }

    /// Computes the next row of w1′, FIPS 204 Algorithm 8, lines 9 and 10. The challenge must be set.
    #[inline(always)]
    pub(crate) fn add_row<B: Backend>(
        &mut self,
        backend: B,
        a_hat: &[NttPoly],
        minus_t1_hat: &NttPoly,
        h: &HintPoly,
    ) {
        let Factors { z_hat, c_hat } = &*self.factors;
        let c_hat = c_hat.as_ref().expect("the caller has set c");
        let (w_hat, w) = (&mut self.w_hat, &mut self.w);
        // w′ ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t1·2ᵈ))
        backend.dot_ntt_minus(a_hat, z_hat.as_ref(), c_hat, minus_t1_hat, w_hat);
        backend.inverse_ntt(w_hat, w);
        backend.make_canonical(w);
        // w1′ ← UseHint(h, w′)
        if P::GAMMA2 == GAMMA2_88 {
            backend.use_hint::<GAMMA2_88>(h, w);
        } else {
            backend.use_hint::<GAMMA2_32>(h, w);
        }
        w1_encode::<P, B>(backend, w, &mut self.bytes[64 + self.rows * w1_len::<P>()..][..w1_len::<P>()]);
        self.rows += 1;
    }

    /// Returns the part of μ ‖ w1Encode(w1′) that has been computed.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..64 + self.rows * w1_len::<P>()]
    }
}

/// Verifies with an expanded key.
///
/// # Errors
/// Returns [`Error::InvalidSignature`] if the signature is invalid.
#[inline(always)]
pub(crate) fn verify_expanded<P: Params, B: Backend>(
    backend: B,
    key: &ExpandedVerifyingKey<P>,
    message: Message<'_>,
    signature: &[u8],
) -> Result<(), Error> {
    let sigma = sig_decode::<P>(signature).ok_or(Error::InvalidSignature)?;
    let mut factors = Factors::ZERO;
    let mut commitment = Commitment::<P>::new(&mut factors);
    commitment.set_response(backend, sigma.z)?;
    let (mu, ball) = first_hashes(backend.level(), key.tr(), message, sigma.c_tilde);
    commitment.bytes[..64].copy_from_slice(mu.as_bytes());
    commitment.set_challenge(backend, sigma.c_tilde, &ball);
    for ((a_hat, t1_hat), h) in key.matrix.as_ref().iter().zip(key.minus_t1_hat.as_ref()).zip(&sigma.h) {
        commitment.add_row(backend, a_hat.as_ref(), t1_hat, h);
    }
    // c~′ ← H(μ ‖ w1Encode(w1′), λ/4)
    let c_tilde = h(backend.level(), &[commitment.bytes()]);
    compare::<P>(&sigma, &c_tilde)
}

/// Computes μ, unless `message` is μ itself, and the first block of H(c~). Uses one Keccak call for both if one call is
/// enough for μ.
fn first_hashes(level: Level, tr: &[u8], message: Message<'_>, c_tilde: &[u8]) -> (Mu, [u8; H_RATE]) {
    match (message, level) {
        (Message::Parts(message), Level::Avx512(_) | Level::Avx2(_)) => {
            both_hashes::<4>(level, tr, message, c_tilde)
        }
        (Message::Parts(message), _) => both_hashes::<2>(level, tr, message, c_tilde),
        (Message::Representative(mu), _) => {
            let mut ball = [0; H_RATE];
            shake256(level, &[c_tilde], &mut ball);
            (*mu, ball)
        }
    }
}

/// Computes μ and the first block of H(c~) in two of `N` parallel Keccak states.
fn both_hashes<const N: usize>(
    level: Level,
    tr: &[u8],
    message: &MessageParts<'_>,
    c_tilde: &[u8],
) -> (Mu, [u8; H_RATE]) {
    let (mut mu, mut ball) = ([0; 64], [0; H_RATE]);
    let [a, b, c, d] = message.parts();
    let parts = [tr, a, b, c, d];
    let (mut mu_chain, mut ball_chain) = (ResumableHash::new(), ResumableHash::new());
    let mut lanes = Lanes::<N>::new(level);
    mu_chain.step(&mut lanes, 0, &parts, true);
    ball_chain.step(&mut lanes, 1, &[c_tilde], true);
    lanes.permute();
    lanes.copy(1, &mut ball);
    if mu_chain.can_absorb(&parts, true) {
        return (Mu::new(tr, message), ball);
    }
    lanes.copy(0, &mut mu);
    (Mu::from_bytes(mu), ball)
}
