//! ML-DSA.Sign, FIPS 204 Algorithms 2, 4 and 7: THE file with the rejection loop.
//!
//! Constant time but for the standard's rejections: how many attempts a signature took, and which check and which
//! polynomial ended each, is public, because a rejected attempt is independent of the key. So is c~ of a rejected
//! attempt, a hash of uniform w1.

use crate::backend::{Backend, Operation, dispatch_at};
use crate::ball::sample_in_ball;
use crate::encode::{
    MAX_W1_LEN, SigningKeyLayout, sig_encode_rest, sig_encode_z, w1_decode, w1_encode, w1_len,
};
use crate::generation::{Engines, Generation};
use crate::message::Mu;
use crate::params::Params;
use crate::poly::{HintPoly, NttPoly, Poly, Zero};
use crate::prepared::{ExpandedSigningKey, SmallVectors, T0, zero_matrix};
use crate::round::{GAMMA2_32, GAMMA2_88};
use crate::sample::{Masks, Matrix};
use crate::small::SmallNttPoly;
use crate::streams::{Chain, Engine, EngineFamily, H_RATE, Step, Stream, Work, run_all};
use alloc::boxed::Box;
use grille_core::{Secret, ct};
use grille_hash::Level;
use grille_hash::lanes::Lanes;
use zeroize::Zeroize;

/// Why an attempt was rejected, FIPS 204 Algorithm 7, lines 23 and 28.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// ‖z‖∞ ≥ γ1 − β.
    Z,
    /// ‖r0‖∞ ≥ γ2 − β.
    R0,
    /// ‖ct0‖∞ ≥ γ2.
    Ct0,
    /// More than ω hints.
    Hints,
}

/// What one signature draws.
pub(crate) type Randomness<P> = <<P as Params>::Generation as Generation>::Randomness;

/// A signature to be made.
pub(crate) struct Sign<'a, P: Params, F> {
    /// The encoded key.
    pub(crate) key: &'a Secret<P::SigningKeyBytes>,
    /// The same, expanded, if it is.
    pub(crate) expanded: Option<&'a ExpandedSigningKey<P>>,
    pub(crate) mu: &'a Mu,
    pub(crate) randomness: Option<&'a Randomness<P>>,
    /// Where the signature goes: zeroes.
    pub(crate) signature: &'a mut P::SignatureBytes,
    /// Told why each attempt that fails does.
    pub(crate) rejected: F,
}

impl<P: Params, F: FnMut(Rejection)> Operation for Sign<'_, P, F> {
    type Output = ();

    /// ML-DSA.Sign_internal, FIPS 204 Algorithm 7, from line 7 on.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let level = backend.level();
        // ρ″ ← H(K ‖ rnd ‖ μ, 64)
        let k = SigningKeyLayout::<P>::k(self.key.as_ref());
        let mut masks = Masks::new(P::Generation::mask_seed(level, k, self.randomness, self.mu.as_bytes()));
        let (mut own_matrix, mut own_small);
        let (matrix, small, t0) = match self.expanded {
            Some(expanded) => {
                run_all::<Engines<P>, _>(level, &mut Start { backend, matrix: None, masks: &mut masks });
                (&expanded.matrix, &expanded.small, T0::Known(expanded.t0_hat.as_ref()))
            }
            None => {
                own_small = Box::new(SmallVectors::zeroed());
                own_small.set(backend, self.key.as_ref());
                own_matrix = zero_matrix::<P>();
                // Â ← ExpandA(ρ)
                let matrix =
                    Some(Matrix::new(SigningKeyLayout::<P>::rho(self.key.as_ref()), own_matrix.as_mut()));
                run_all::<Engines<P>, _>(level, &mut Start { backend, matrix, masks: &mut masks });
                (&own_matrix, &*own_small, T0::Encoded(self.key.as_ref()))
            }
        };
        let (mu, masks, signature) = (self.mu, &mut masks, self.signature);
        apart(level, Attempts { matrix, small, t0, mu, masks, signature, rejected: self.rejected });
    }
}

/// Runs a part of an operation in a frame of its own, so that its variables do not lie on the stack before it begins.
#[inline(never)]
fn apart<O: Operation>(level: Level, part: O) -> O::Output {
    dispatch_at(level, part)
}

/// Algorithm 7, lines 10 to 33: the loop.
struct Attempts<'a, P: Params, F> {
    matrix: &'a P::Matrix,
    small: &'a SmallVectors<P>,
    t0: T0<'a>,
    mu: &'a Mu,
    masks: &'a mut Masks<P>,
    signature: &'a mut P::SignatureBytes,
    rejected: F,
}

impl<P: Params, F: FnMut(Rejection)> Operation for Attempts<'_, P, F> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        match backend.level() {
            Level::Avx512(_) | Level::Avx2(_) => self.until_one_succeeds::<B, 4>(backend),
            _ => self.until_one_succeeds::<B, 1>(backend),
        }
    }
}

impl<P: Params, F: FnMut(Rejection)> Attempts<'_, P, F> {
    /// `N` Keccak states: one for c~, the others for the next attempt's masks.
    #[inline(always)]
    fn until_one_succeeds<B: Backend, const N: usize>(self, backend: B) {
        let Self { matrix, small, t0, mu, masks, signature, mut rejected } = self;
        let mut engine = <Engines<P> as EngineFamily>::Engine::<N>::new(backend.level());
        let mut attempt = Attempt::<P>::new();
        // while (z, h) = ⊥
        loop {
            // y ← ExpandMask(ρ″, κ); κ ← κ + ℓ
            engine.run(&mut Refill(masks), 0);
            let mut challenge = Challenge::new(mu, masks);
            attempt.commit(backend, matrix, &mut challenge);
            // c~ ← H(μ ‖ w1Encode(w1), λ/4)
            engine.run(&mut challenge, 0);
            match attempt.respond(backend, small, t0, &challenge, signature.as_mut()) {
                Ok(()) => {
                    let c_tilde = &challenge.c_tilde[..P::C_TILDE_LEN];
                    return sig_encode_rest::<P>(c_tilde, &attempt.h, signature.as_mut());
                }
                Err(reason) => rejected(reason),
            }
            masks.release();
        }
    }
}

/// The first masks, and Â where it is not known, in the same calls.
struct Start<'a, P: Params, B> {
    backend: B,
    matrix: Option<Matrix<'a, P>>,
    masks: &'a mut Masks<P>,
}

impl<P: Params, B: Backend> Start<'_, P, B> {
    /// How many masks to begin: those of one attempt, and what fills the last call.
    fn masks(&self) -> usize {
        let width = match self.backend.level() {
            Level::Portable => 1,
            _ => <Engines<P> as EngineFamily>::Engine::<4>::STREAMS_PER_CALL,
        };
        let before = if self.matrix.is_some() { Matrix::<P>::STREAMS } else { 0 };
        (before + P::L).next_multiple_of(width) - before
    }
}

impl<P: Params, B: Backend> Work for Start<'_, P, B> {
    fn is_done(&self) -> bool {
        self.masks.opened() == self.masks()
            && self.masks.all_complete()
            && self.matrix.as_ref().is_none_or(Matrix::is_complete)
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        let masks = self.masks();
        if let Some(stream) = self.matrix.as_mut().and_then(Matrix::stream) {
            return Some(stream);
        }
        if self.masks.opened() == masks {
            return None;
        }
        self.masks.stream().map(|stream| Stream { id: Matrix::<P>::STREAMS + stream.id, ..stream })
    }

    fn take(&mut self, id: usize, bytes: &[u8]) -> bool {
        match (id.checked_sub(Matrix::<P>::STREAMS), &mut self.matrix) {
            (None, Some(matrix)) => matrix.take(self.backend, id, bytes),
            (id, _) => self.masks.take(id.unwrap_or(0), bytes),
        }
    }
}

/// The masks that the next attempt lacks.
struct Refill<'a, P: Params>(&'a mut Masks<P>);

impl<P: Params> Work for Refill<'_, P> {
    fn is_done(&self) -> bool {
        self.0.has_next()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.0.stream()
    }

    fn take(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.0.take(id, bytes)
    }
}

/// c~, and the first block of the stream that c is made of; beside that, masks of the next attempts.
struct Challenge<'a, P: Params> {
    /// μ ‖ w1Encode(w1).
    message: [u8; 64 + MAX_W1_LEN],
    chain: Chain,
    /// The first `C_TILDE_LEN` bytes count.
    c_tilde: [u8; 64],
    c_tilde_is_known: bool,
    ball: Option<[u8; H_RATE]>,
    masks: &'a mut Masks<P>,
}

impl<'a, P: Params> Challenge<'a, P> {
    fn new(mu: &Mu, masks: &'a mut Masks<P>) -> Self {
        let mut message = [0; 64 + MAX_W1_LEN];
        message[..64].copy_from_slice(mu.as_bytes());
        let (c_tilde, c_tilde_is_known) = ([0; 64], false);
        Self { message, chain: Chain::new(), c_tilde, c_tilde_is_known, ball: None, masks }
    }

    /// w1Encode(w1), polynomial by polynomial.
    fn w1_bytes(&mut self) -> impl Iterator<Item = &mut [u8]> {
        self.message[64..].chunks_exact_mut(w1_len::<P>())
    }

    /// c ← SampleInBall(c~). The work is done.
    fn challenge<B: Backend>(&self, backend: B) -> Poly {
        let ball = self.ball.as_ref().expect("the work is done");
        sample_in_ball(backend.level(), &self.c_tilde[..P::C_TILDE_LEN], ball, P::TAU)
    }
}

impl<P: Params> Work for Challenge<'_, P> {
    fn is_done(&self) -> bool {
        self.ball.is_some()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.masks.stream()
    }

    fn take(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.masks.take(id, bytes)
    }

    fn resume<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        lanes.restart(n);
        self.proceed(lanes, n)
    }

    fn proceed<const N: usize>(&mut self, lanes: &mut Lanes<N>, n: usize) -> bool {
        let message = &self.message[..64 + P::K * w1_len::<P>()];
        if !self.c_tilde_is_known {
            if self.chain.step(lanes, n, &[message], true) == Step::Absorbed {
                return true;
            }
            lanes.copy(n, &mut self.c_tilde);
            // published, or of an attempt that is rejected: a hash of w1, which is uniform whatever the key is
            ct::public_bytes(&mut self.c_tilde);
            self.c_tilde_is_known = true;
            self.chain = Chain::new();
            lanes.restart(n);
        }
        if self.chain.step(lanes, n, &[&self.c_tilde[..P::C_TILDE_LEN]], true) == Step::Absorbed {
            return true;
        }
        lanes.copy(n, self.ball.insert([0; H_RATE]));
        false
    }
}

/// The state of one attempt; erased on drop. y is in the masks' bytes, w1 in the challenge's message, z in the signature.
struct Attempt<P: Params> {
    /// NTT(y); then it is room to work in.
    y_hat: P::NttVectorL,
    /// LowBits(w), then r0, then r0 + ct0.
    w0: P::VectorK,
    /// One polynomial of HighBits(w).
    w1: Poly,
    /// A product in T_q, and in R_q.
    product_hat: NttPoly,
    product: Poly,
    h: [HintPoly; 8],
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
    fn new() -> Self {
        Self {
            y_hat: P::NttVectorL::ZERO,
            w0: P::VectorK::ZERO,
            w1: Poly::ZERO,
            product_hat: NttPoly::ZERO,
            product: Poly::ZERO,
            h: [HintPoly::default(); 8],
        }
    }

    /// FIPS 204 Algorithm 7, lines 12 to 14: w and w1 from y; w1 is encoded behind μ.
    #[inline(always)]
    fn commit<B: Backend>(&mut self, backend: B, matrix: &P::Matrix, challenge: &mut Challenge<'_, P>) {
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

    /// FIPS 204 Algorithm 7, lines 17 to 30: z and h, checked in the order r0, z, ct0, hints:
    /// the most frequent reason first. z is encoded into `signature`.
    #[inline(always)]
    fn respond<B: Backend>(
        &mut self,
        backend: B,
        small: &SmallVectors<P>,
        t0: T0<'_>,
        challenge: &Challenge<'_, P>,
        signature: &mut [u8],
    ) -> Result<(), Rejection> {
        let c = challenge.challenge(backend);
        let mut c_small = SmallNttPoly::ZERO;
        backend.small_ntt(&c, &mut c_small);
        // r0 ← LowBits(w − cs2): w0 − cs2, if that is within the bound
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

    /// FIPS 204 Algorithm 7, lines 25 to 28. `w1`: encoded.
    #[inline(always)]
    fn make_hints<B: Backend>(
        &mut self,
        backend: B,
        t0: T0<'_>,
        c: &Poly,
        w1: &[u8],
    ) -> Result<(), Rejection> {
        // NTT(y) is not needed any more
        let (c_hat, room) = self.y_hat.as_mut().split_at_mut(1);
        let (c_hat, own_t0_hat) = (&mut c_hat[0], &mut room[0]);
        backend.ntt(c, c_hat);
        let mut ones = 0;
        let w1_bytes = w1.chunks_exact(w1_len::<P>());
        for (i, ((w0, w1_bytes), h)) in self.w0.as_mut().iter_mut().zip(w1_bytes).zip(&mut self.h).enumerate()
        {
            let (w1, ct0) = (&mut self.w1, &mut self.product);
            let t0_hat = t0.hat::<P, B>(backend, i, ct0, own_t0_hat);
            backend.multiply_ntt(c_hat, t0_hat, &mut self.product_hat);
            backend.inverse_ntt(&self.product_hat, ct0);
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
        // the standard's rejection, as in `rejects`
        if ct::public(ones > P::OMEGA) { Err(Rejection::Hints) } else { Ok(()) }
    }
}

/// Whether ‖a‖∞ ≥ `bound`, so that the attempt fails. Public: the standard's rejection, see above.
#[inline(always)]
fn rejects<B: Backend>(backend: B, a: &Poly, bound: i32) -> bool {
    ct::public(backend.norm_reaches(a, bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::dispatch;
    use crate::keygen::SigningKey;
    use crate::params::{D2Aes, P44, P65, P87};
    use crate::prepared::PreparedSigningKey;
    use grille_core::Bytes;
    use std::collections::BTreeMap;
    use std::format;
    use std::string::String;

    /// How often each reason was met in `signatures` signatures.
    fn rejections<P: Params>(key: &PreparedSigningKey<P>, signatures: u32) -> BTreeMap<String, u32> {
        let mut met = BTreeMap::new();
        for i in 0..signatures {
            let mut mu = [0; 64];
            mu[..4].copy_from_slice(&i.to_le_bytes());
            let _ = key.sign_with(&Mu::from_bytes(mu), None, |reason| {
                *met.entry(format!("{reason:?}")).or_insert(0) += 1;
            });
        }
        met
    }

    #[test]
    fn attempts_are_rejected_for_z_r0_and_too_many_hints() {
        fn check<P: Params>(expected: f64) {
            let met = rejections(&SigningKey::<P>::keygen_internal(&[1; 32]).prepare(), 1000);
            assert!(met["Z"] > 0 && met["R0"] > 0 && met["Hints"] > 0, "{met:?}");
            // FIPS 204 Table 1: the expected number of repetitions
            let attempts = 1.0 + f64::from(met.values().sum::<u32>()) / 1000.0;
            assert!((attempts - expected).abs() < 0.5, "{attempts} attempts on average");
        }
        check::<P44>(4.25);
        check::<P65>(5.1);
        check::<P87>(3.85);
        check::<D2Aes>(4.25);
    }

    #[test]
    fn attempts_are_rejected_for_ct0() {
        // too rare to be met with an honest key: one polynomial of t0 is set to its largest values
        let mut key = SigningKey::<P44>::keygen_internal(&[2; 32]).prepare();
        let largest = Poly([1 << 12; 256]);
        struct Ntt<'a>(&'a Poly, &'a mut NttPoly);
        impl Operation for Ntt<'_> {
            type Output = ();

            fn run<B: Backend>(self, backend: B) {
                backend.ntt(self.0, self.1);
            }
        }
        dispatch(Ntt(&largest, &mut key.expanded.t0_hat[0]));
        assert!(rejections(&key, 1000)["Ct0"] > 0);
    }

    #[test]
    fn every_level_gives_the_same_signature() {
        fn check<P: Params>() {
            let key = SigningKey::<P>::keygen_internal(&[3; 32]);
            let prepared = SigningKey::<P>::keygen_internal(&[3; 32]).prepare();
            for mu in (0..20).map(|i| Mu::from_bytes([i; 64])) {
                let expected = key.sign_mu_deterministic(&mu);
                for level in Level::all() {
                    for expanded in [None, Some(&*prepared.expanded)] {
                        let (mut bytes, key) = (P::SignatureBytes::zeroed(), &key.bytes);
                        let (mu, randomness, signature, rejected) = (&mu, None, &mut bytes, |_| ());
                        dispatch_at(level, Sign { key, expanded, mu, randomness, signature, rejected });
                        assert_eq!(bytes.as_ref(), expected.as_ref(), "{}", level.name());
                    }
                }
                assert_eq!(key.verifying_key.verify_mu(&mu, expected.as_ref()), Ok(()));
            }
        }
        check::<P44>();
        check::<P65>();
        check::<P87>();
        check::<D2Aes>();
    }
}
