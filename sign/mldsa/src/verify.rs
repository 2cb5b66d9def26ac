//! ML-DSA.Verify, FIPS 204 Algorithms 3, 5 and 8. All of it is public data, and variable time.

use crate::MlDsa;
use crate::backend::{Backend, Operation, dispatch};
use crate::ball::sample_in_ball;
use crate::encode::{MAX_W1_LEN, SignatureParts, pk_decode, sig_decode, w1_encode, w1_len};
use crate::generation::{Fips204, Generation};
use crate::hash::h;
use crate::message::{Mu, PreHash};
use crate::params::Params;
use crate::poly::{NttPoly, Poly};
use crate::round::{D, GAMMA2_32, GAMMA2_88};
use crate::sample::expand_a;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use grille_core::{Array, Error};
use grille_hash::{Level, Shake256};

/// A verifying key (public), with its matrix expanded.
pub struct VerifyingKey<P: Params> {
    bytes: P::VerifyingKeyBytes,
    /// Â, k rows of ℓ in [0, q).
    a_hat: Box<[NttPoly]>,
    /// NTT(t1·2ᵈ), k elements.
    t1_hat: Box<[NttPoly]>,
    /// H(pk); the first `TR_LEN` bytes count.
    tr: [u8; 64],
}

impl<P: Params> VerifyingKey<P> {
    /// μ of a message: what [`SigningKey::sign_mu`](crate::SigningKey::sign_mu) signs.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn mu(&self, message: &[u8], context: &[u8]) -> Result<Mu, Error> {
        Mu::of_message::<P>(self.tr(), message, context)
    }

    /// Checks the signature of a message representative.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`].
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        dispatch(Verify { key: self, mu, signature })
    }

    /// Hashed with the key, tr: H(pk).
    pub(crate) fn tr(&self) -> &[u8] {
        &self.tr[..P::Generation::TR_LEN]
    }

    /// Â, row by row.
    pub(crate) fn a_hat(&self) -> &[NttPoly] {
        &self.a_hat
    }

    /// ρ, the seed of Â.
    pub(crate) fn rho(&self) -> &[u8; 32] {
        self.bytes.as_ref().first_chunk().expect("a key has more than 32 bytes")
    }

    /// From an encoded key, and its matrix if that is known.
    #[inline(always)]
    pub(crate) fn expand<B: Backend>(
        backend: B,
        bytes: P::VerifyingKeyBytes,
        a_hat: Option<Box<[NttPoly]>>,
    ) -> Self {
        let (rho, mut t1) = pk_decode::<P, B>(backend, &bytes);
        let mut t1_hat = vec![NttPoly::ZERO; P::K].into_boxed_slice();
        for (t1, t1_hat) in t1.as_mut().iter_mut().zip(&mut t1_hat) {
            t1.0.iter_mut().for_each(|t1| *t1 <<= D);
            backend.ntt(t1, t1_hat);
        }
        let a_hat = a_hat.unwrap_or_else(|| expand_a::<P, B>(backend, &rho));
        let tr = h(backend.level(), &[bytes.as_ref()]);
        Self { bytes, a_hat, t1_hat, tr: Self::cut_tr(tr) }
    }

    /// The first `TR_LEN` bytes: a shorter output of SHAKE is a prefix of a longer one.
    fn cut_tr(mut tr: [u8; 64]) -> [u8; 64] {
        tr[P::Generation::TR_LEN..].fill(0);
        tr
    }
}

impl<P: Params<Generation = Fips204>> VerifyingKey<P> {
    /// μ of a hashed message (HashML-DSA).
    ///
    /// # Errors
    /// [`Error::ContextTooLong`].
    pub fn mu_prehash(&self, message: &PreHash, context: &[u8]) -> Result<Mu, Error> {
        Mu::of_prehash(self.tr(), message, context)
    }

    /// HashML-DSA.Verify, FIPS 204 Algorithm 5.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`], or [`Error::ContextTooLong`].
    pub fn verify_prehash(&self, message: &PreHash, context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_mu(&self.mu_prehash(message, context)?, signature)
    }

    /// ML-DSA.Verify_internal, FIPS 204 Algorithm 8, on the formatted message M′; for tests against vectors.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`].
    pub fn verify_internal(&self, m_prime: &[u8], signature: &[u8]) -> Result<(), Error> {
        let mu = Mu::of_parts(Level::detect(), self.tr(), [m_prime, &[], &[], &[]]);
        self.verify_mu(&mu, signature)
    }
}

impl<P: Params> grille_core::VerifyingKey for VerifyingKey<P> {
    type Scheme = MlDsa<P>;

    /// Every byte string of the right length is a key.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = grille_core::bytes::parse("verifying key", bytes)?;
        Ok(dispatch(Parse(bytes, PhantomData)))
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.as_ref().to_vec()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<(), Error> {
        self.verify_mu(&self.mu(message, context)?, signature)
    }
}

impl<P: Params> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            a_hat: self.a_hat.clone(),
            t1_hat: self.t1_hat.clone(),
            tr: self.tr,
        }
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

struct Parse<P: Params>(P::VerifyingKeyBytes, PhantomData<P>);

impl<P: Params> Operation for Parse<P> {
    type Output = VerifyingKey<P>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> VerifyingKey<P> {
        VerifyingKey::expand(backend, self.0, None)
    }
}

struct Verify<'a, P: Params> {
    key: &'a VerifyingKey<P>,
    mu: &'a Mu,
    signature: &'a [u8],
}

impl<P: Params> Operation for Verify<'_, P> {
    type Output = Result<(), Error>;

    /// ML-DSA.Verify_internal, FIPS 204 Algorithm 8, from line 8 on.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Result<(), Error> {
        // (c~, z, h) ← sigDecode(σ); h = ⊥: refuse
        let sigma = sig_decode::<P, B>(backend, self.signature).ok_or(Error::InvalidSignature)?;
        // ‖z‖∞ < γ1 − β
        if sigma.z.as_ref().iter().any(|z| backend.norm_reaches(z, P::GAMMA1 - P::BETA)) {
            return Err(Error::InvalidSignature);
        }
        // c~ = c~′
        let c_tilde = self.commitment_hash(backend, &sigma);
        if sigma.c_tilde == &c_tilde[..P::C_TILDE_LEN] { Ok(()) } else { Err(Error::InvalidSignature) }
    }
}

impl<P: Params> Verify<'_, P> {
    /// c~′, FIPS 204 Algorithm 8, lines 8 to 12; the first `C_TILDE_LEN` bytes count.
    #[inline(always)]
    fn commitment_hash<B: Backend>(&self, backend: B, sigma: &SignatureParts<'_, P>) -> [u8; 64] {
        // c ← SampleInBall(c~)
        let c = sample_in_ball(backend.level(), sigma.c_tilde, P::TAU);
        let mut c_hat = NttPoly::ZERO;
        backend.ntt(&c, &mut c_hat);
        let mut z_hat = P::NttVectorL::from_fn(|_| NttPoly::ZERO);
        for (z, z_hat) in sigma.z.as_ref().iter().zip(z_hat.as_mut()) {
            backend.ntt(z, z_hat);
        }
        let mut w1_bytes = [0; MAX_W1_LEN];
        let (mut w_hat, mut w) = (NttPoly::ZERO, Poly::ZERO);
        let rows = self.key.a_hat.chunks_exact(P::L).zip(&self.key.t1_hat).zip(&sigma.h);
        for (((a_hat, t1_hat), h), bytes) in rows.zip(w1_bytes.chunks_exact_mut(w1_len::<P>())) {
            // w′ ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t1·2ᵈ))
            backend.dot_ntt_minus(a_hat, z_hat.as_ref(), &c_hat, t1_hat, &mut w_hat);
            backend.inverse_ntt(&w_hat, &mut w);
            backend.make_canonical(&mut w);
            // w1′ ← UseHint(h, w′)
            if P::GAMMA2 == GAMMA2_88 {
                backend.use_hint::<GAMMA2_88>(h, &mut w);
            } else {
                backend.use_hint::<GAMMA2_32>(h, &mut w);
            }
            w1_encode::<P, B>(backend, &w, bytes);
        }
        // c~′ ← H(μ ‖ w1Encode(w1′), λ/4)
        commit::<P>(backend.level(), self.mu, &w1_bytes)
    }
}

/// H(μ ‖ w1Encode(w1), λ/4); the first `C_TILDE_LEN` bytes count.
pub(crate) fn commit<P: Params>(level: Level, mu: &Mu, w1_bytes: &[u8; MAX_W1_LEN]) -> [u8; 64] {
    let mut c_tilde = [0; 64];
    let mut xof = Shake256::<1>::new(level);
    xof.absorb_all(mu.as_bytes());
    xof.absorb_all(&w1_bytes[..P::K * w1_len::<P>()]);
    xof.squeeze([&mut c_tilde[..P::C_TILDE_LEN]]);
    c_tilde
}
