//! The recomputed commitment of a signature, FIPS 204 Algorithm 8, lines 8 to 13: w1′ row by row, and the check of c~′.

use crate::backend::Backend;
use crate::ball::sample_in_ball;
use crate::encode::{MAX_W1_LEN, SignatureParts, gamma1_len, unpack_gamma1, w1_encode, w1_len};
use crate::params::Params;
use crate::poly::{HintPoly, NttPoly, Poly, Zero};
use crate::round::{D, GAMMA2_32, GAMMA2_88};
use crate::streams::H_RATE;
use grille_core::Error;

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

/// Checks whether c~ equals c~′, FIPS 204 Algorithm 8, line 13.
///
/// # Errors
/// Returns [`Error::InvalidSignature`] if the signature is invalid.
pub(crate) fn compare<P: Params>(sigma: &SignatureParts<'_>, c_tilde: &[u8; 64]) -> Result<(), Error> {
    if sigma.c_tilde == &c_tilde[..P::C_TILDE_LEN] { Ok(()) } else { Err(Error::InvalidSignature) }
}
