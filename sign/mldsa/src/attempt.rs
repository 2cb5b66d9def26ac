//! One attempt at a signature, FIPS 204 Algorithm 7, lines 11 to 30, and the computation of its challenge.

use crate::backend::Backend;
use crate::ball::sample_in_ball;
use crate::encode::{MAX_W1_LEN, sig_encode_z, w1_decode, w1_encode, w1_len};
use crate::expanded::{SmallVectors, T0};
use crate::message::Mu;
use crate::params::Params;
use crate::poly::{HintPoly, NttPoly, Poly, Zero};
use crate::round::{GAMMA2_32, GAMMA2_88};
use crate::sample::Masks;
use crate::small_ntt::SmallNttPoly;
use crate::streams::{H_RATE, ResumableHash, Step, Stream, Work};
use grille_core::{ct, erase};
use grille_hash::lanes::Lanes;
use zeroize::Zeroize;

/// The reason why an attempt was rejected, FIPS 204 Algorithm 7, lines 23 and 28.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// ‖z‖∞ is at least γ1 − β.
    Z,
    /// ‖r0‖∞ is at least γ2 − β.
    R0,
    /// ‖ct0‖∞ is at least γ2.
    Ct0,
    /// There are more than ω hints.
    Hints,
}

/// The work that computes c~ and the first block of the stream from which SampleInBall samples c. The Keccak calls for
/// this work also sample masks for the next attempts.
pub(crate) struct Challenge<'a, 'm, P: Params> {
    /// The message μ ‖ w1Encode(w1).
    message: [u8; 64 + MAX_W1_LEN],
    chain: ResumableHash,
    /// The commitment hash c~, in the first `C_TILDE_LEN` bytes.
    c_tilde: [u8; 64],
    c_tilde_is_known: bool,
    ball: Option<[u8; H_RATE]>,
    masks: &'a mut Masks<'m, P>,
}

impl<'a, 'm, P: Params> Challenge<'a, 'm, P> {
    pub(crate) fn new(mu: &Mu, masks: &'a mut Masks<'m, P>) -> Self {
        let mut message = [0; 64 + MAX_W1_LEN];
        message[..64].copy_from_slice(mu.as_bytes());
        let (c_tilde, c_tilde_is_known) = ([0; 64], false);
        Self { message, chain: ResumableHash::new(), c_tilde, c_tilde_is_known, ball: None, masks }
    }

    /// Returns an iterator over the buffers for w1Encode(w1), one for each polynomial.
    fn w1_bytes(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.message[64..].chunks_exact_mut(w1_len::<P>())
    }

    /// Returns c~. May be called only after an engine has completed this work.
    pub(crate) fn c_tilde(&self) -> &[u8] {
        &self.c_tilde[..P::C_TILDE_LEN]
    }

    /// Computes c ← SampleInBall(c~). May be called only after an engine has completed this work.
    fn challenge<B: Backend>(&self, backend: B) -> Poly {
        let ball = self.ball.as_ref().expect("the challenge stream was read");
        let mut c = Poly::ZERO;
        sample_in_ball(backend.level(), self.c_tilde(), ball, P::TAU, &mut c);
        c
    }
}

impl<P: Params> Drop for Challenge<'_, '_, P> {
    /// Erases w1, which is secret if the attempt was rejected.
    fn drop(&mut self) {
        erase(&mut self.message);
    }
}

impl<P: Params> Work for Challenge<'_, '_, P> {
    fn is_done(&self) -> bool {
        self.ball.is_some()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.masks.stream()
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.masks.receive(id, bytes)
    }

    fn resume_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        lanes.restart(n);
        self.continue_hash(lanes, n)
    }

    fn continue_hash<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        let message = &self.message[..64 + P::K * w1_len::<P>()];
        if !self.c_tilde_is_known {
            if self.chain.step(lanes, n, &[message], true) == Step::Absorbed {
                return true;
            }
            lanes.copy(n, &mut self.c_tilde);
            // c~ is public: it is published or belongs to a rejected attempt, and it is a hash of w1, which
            // is uniform for every key
            ct::public_bytes(&mut self.c_tilde);
            self.c_tilde_is_known = true;
            self.chain = ResumableHash::new();
            lanes.restart(n);
        }
        if self.chain.step(lanes, n, &[&self.c_tilde[..P::C_TILDE_LEN]], true) == Step::Absorbed {
            return true;
        }
        lanes.copy(n, self.ball.insert([0; H_RATE]));
        false
    }
}

/// The state of one attempt. Erased on drop. Other structures hold three of its values: [`Masks`] holds y,
/// [`Challenge`] holds w1, and the signature holds z.
pub(crate) struct Attempt<P: Params> {
    /// The vector NTT(y); later, working memory.
    y_hat: P::NttVectorL,
    /// The vector LowBits(w), then r0, then r0 + ct0.
    w0: P::VectorK,
    /// One polynomial of HighBits(w); later, one polynomial of z.
    w1: Poly,
    /// A product in T_q. The field `product` holds the inverse image in R_q.
    product_hat: NttPoly,
    product: Poly,
    pub(crate) h: [HintPoly; 8],
}

impl<P: Params> Drop for Attempt<P> {
    fn drop(&mut self) {
        self.y_hat.zeroize();
        self.w0.zeroize();
        self.w1.zeroize();
        self.product_hat.zeroize();
        self.product.zeroize();
    }
}

impl<P: Params> Attempt<P> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            y_hat: P::NttVectorL::ZERO,
            w0: P::VectorK::ZERO,
            w1: Poly::ZERO,
            product_hat: NttPoly::ZERO,
            product: Poly::ZERO,
            h: [HintPoly::default(); 8],
        }
    }

    /// Runs FIPS 204 Algorithm 7, lines 12 to 14: computes w and w1 from y, and encodes w1 after μ.
    #[inline(always)]
    pub(crate) fn commit<B: Backend>(
        &mut self,
        backend: B,
        matrix: &P::Matrix,
        challenge: &mut Challenge<'_, '_, P>,
    ) {
        for (i, y_hat) in self.y_hat.as_mut().iter_mut().enumerate() {
            challenge.masks.y(backend, i, &mut self.product);
            backend.ntt(&self.product, y_hat);
        }
        let rows = matrix.as_ref().iter().zip(challenge.w1_bytes());
        for ((a_hat, bytes), w) in rows.zip(self.w0.as_mut()) {
            // w ← NTT⁻¹(Â ∘ NTT(y))
            backend.dot_ntt(a_hat.as_ref(), self.y_hat.as_ref(), &mut self.product_hat);
            backend.inverse_ntt(&self.product_hat, w);
            backend.make_canonical(w);
            // w1 ← HighBits(w)
            if P::GAMMA2 == GAMMA2_88 {
                backend.decompose::<GAMMA2_88>(w, &mut self.w1);
            } else {
                backend.decompose::<GAMMA2_32>(w, &mut self.w1);
            }
            w1_encode::<P, B>(backend, &self.w1, bytes);
        }
    }

    /// Runs FIPS 204 Algorithm 7, lines 17 to 30: computes z and h. Checks r0, z, ct0 and the hints in this
    /// order, because r0 is the most frequent reason for rejection. Encodes z into `signature`.
    #[inline(always)]
    pub(crate) fn respond<B: Backend>(
        &mut self,
        backend: B,
        small: &SmallVectors<P>,
        t0: T0<'_>,
        challenge: &Challenge<'_, '_, P>,
        signature: &mut [u8],
    ) -> Result<(), Rejection> {
        let c = challenge.challenge(backend);
        let mut c_small = SmallNttPoly::ZERO;
        backend.small_ntt(&c, &mut c_small);
        // if ‖w0 − cs2‖∞ < γ2 − β, then w0 − cs2 equals r0 = LowBits(w − cs2)
        for (w0, s2) in self.w0.as_mut().iter_mut().zip(small.s2.as_ref()) {
            backend.small_product(&c_small, s2, &mut self.product);
            backend.sub(w0, &self.product);
            if rejects(backend, w0, P::GAMMA2 - P::BETA) {
                return Err(Rejection::R0);
            }
        }
        // z ← y + cs1
        let z = &mut self.w1;
        for (i, s1) in small.s1.as_ref().iter().enumerate() {
            challenge.masks.y(backend, i, z);
            backend.small_product(&c_small, s1, &mut self.product);
            backend.add(z, &self.product);
            if rejects(backend, z, P::GAMMA1 - P::BETA) {
                return Err(Rejection::Z);
            }
            sig_encode_z::<P, B>(backend, i, z, signature);
        }
        self.make_hints(backend, t0, &c, &challenge.message[64..])
    }

    /// Runs FIPS 204 Algorithm 7, lines 25 to 28. `w1` is the encoded w1.
    #[inline(always)]
    fn make_hints<B: Backend>(
        &mut self,
        backend: B,
        t0: T0<'_>,
        c: &Poly,
        w1: &[u8],
    ) -> Result<(), Rejection> {
        // NTT(y) is no longer needed
        let (c_hat, buffers) = self.y_hat.as_mut().split_at_mut(1);
        let (c_hat, own_t0_hat) = (&mut c_hat[0], &mut buffers[0]);
        backend.ntt(c, c_hat);
        let mut ones = 0;
        let w1_bytes = w1.chunks_exact(w1_len::<P>());
        for (i, ((w0, w1_bytes), h)) in self.w0.as_mut().iter_mut().zip(w1_bytes).zip(&mut self.h).enumerate()
        {
            let (w1, ct0) = (&mut self.w1, &mut self.product);
            let t0_hat = t0.ntt_t0::<P, B>(backend, i, ct0, own_t0_hat);
            backend.multiply_ntt(c_hat, t0_hat, &mut self.product_hat);
            backend.inverse_ntt(&self.product_hat, ct0);
            // reduces ct0 to the range that the norm check requires
            backend.add(ct0, &Poly::ZERO);
            if rejects(backend, ct0, P::GAMMA2) {
                return Err(Rejection::Ct0);
            }
            // h ← MakeHint(−ct0, w − cs2 + ct0)
            backend.add(w0, ct0);
            w1_decode::<P>(w1_bytes, w1);
            *h = if P::GAMMA2 == GAMMA2_88 {
                backend.make_hint::<GAMMA2_88>(w0, w1)
            } else {
                backend.make_hint::<GAMMA2_32>(w0, w1)
            };
            ones += h.count();
        }
        // the result is public: it is a rejection of the standard, as in `rejects`
        if ct::public(ones > P::OMEGA) { Err(Rejection::Hints) } else { Ok(()) }
    }
}

/// Checks whether ‖a‖∞ ≥ `bound`, in which case the standard rejects the attempt. The result is public; see `sign.rs`.
#[inline(always)]
fn rejects<B: Backend>(backend: B, a: &Poly, bound: i32) -> bool {
    ct::public(backend.norm_reaches(a, bound))
}
