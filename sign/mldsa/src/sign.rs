//! ML-DSA.Sign, FIPS 204 Algorithms 2, 4 and 7, with the rejection loop.
//!
//! Signing runs in constant time except for the rejections of the standard. The number of attempts of a
//! signature is public, and so are the check and the polynomial that ended each attempt, because a rejected
//! attempt is independent of the key. c~ of a rejected attempt is also public: it is a hash of uniform w1.

use crate::attempt::{Attempt, Challenge, Rejection};
use crate::backend::{Backend, Operation, dispatch_at};
use crate::encode::{SigningKeyLayout, sig_encode_rest};
use crate::expanded::{ExpandedSigningKey, SmallVectors, T0};
use crate::message::Mu;
use crate::params::{Engines, Params};
use crate::poly::Zero;
use crate::sample::{Masks, Matrix};
use crate::streams::{Engine, EngineFamily, Stream, Work, run_all};
use crate::version::Version;
use grille_core::{Bytes, CryptoRng, Secret};
use grille_hash::Level;
use zeroize::Zeroizing;

/// The random bytes that one signature uses.
pub(crate) type Randomness<P> = <<P as Params>::Version as Version>::Randomness;

/// Samples the randomness for one signature. Erased on drop.
pub(crate) fn sample_randomness<P: Params>(rng: &mut dyn CryptoRng) -> Zeroizing<Randomness<P>> {
    let mut randomness = Zeroizing::new(Randomness::<P>::zeroed());
    rng.fill_bytes(randomness.as_mut());
    randomness
}

/// The precomputed values of an encoded key, or space to compute some of them.
pub(crate) enum Expanded<'a, P: Params> {
    /// All precomputed values.
    Precomputed(&'a ExpandedSigningKey<P>),
    /// No precomputed values, but space for s1 and s2.
    Workspace(&'a mut SmallVectors<P>),
}

/// The operation that computes a signature.
pub struct Sign<'a, P: Params> {
    /// The encoded key.
    pub(crate) key: &'a Secret<P::SigningKeyBytes>,
    pub(crate) expanded: Expanded<'a, P>,
    /// The space for encoded masks, which is erased after use.
    pub(crate) masks: &'a mut P::MaskBytes,
    pub(crate) mu: &'a Mu,
    pub(crate) randomness: Option<&'a Randomness<P>>,
    /// The output buffer for the signature, filled with zeroes.
    pub(crate) signature: &'a mut [u8],
    /// A callback that receives the reason for each rejected attempt.
    pub(crate) on_rejection: &'a mut dyn FnMut(Rejection),
}

impl<P: Params> Operation for Sign<'_, P> {
    type Output = ();

    /// Runs ML-DSA.Sign_internal, FIPS 204 Algorithm 7, starting at line 7.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let level = backend.level();
        // ρ″ ← H(K ‖ rnd ‖ μ, 64)
        let k = SigningKeyLayout::<P>::k(self.key.as_ref());
        let seed = P::Version::mask_seed(level, k, self.randomness, self.mu.as_bytes());
        let masks = &mut Masks::new(seed, self.masks);
        let request = SignatureRequest {
            mu: self.mu,
            masks,
            signature: self.signature,
            on_rejection: self.on_rejection,
        };
        match self.expanded {
            Expanded::Precomputed(ExpandedSigningKey { matrix, small, t0_hat }) => {
                run_all::<Engines<P>, _>(
                    level,
                    &mut StartSampling { backend, matrix: None, masks: request.masks },
                );
                let t0 = T0::Precomputed(t0_hat.as_ref());
                run_in_own_frame(level, RejectionLoop { matrix, small, t0, request });
            }
            Expanded::Workspace(small) => {
                run_in_own_frame(level, ExpandAndSign { key: self.key.as_ref(), small, request });
            }
        }
    }
}

/// The inputs of signing that do not depend on the form of the key.
struct SignatureRequest<'a, 'm, P: Params> {
    mu: &'a Mu,
    masks: &'a mut Masks<'m, P>,
    signature: &'a mut [u8],
    on_rejection: &'m mut dyn FnMut(Rejection),
}

/// The operation that expands a key and signs with it.
struct ExpandAndSign<'a, 'm, P: Params> {
    key: &'a [u8],
    small: &'a mut SmallVectors<P>,
    request: SignatureRequest<'a, 'm, P>,
}

impl<P: Params> Operation for ExpandAndSign<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, small, request } = self;
        let level = backend.level();
        small.set(backend, key);
        // Â ← ExpandA(ρ)
        let mut rows = P::Matrix::ZERO;
        let matrix = Some(Matrix::new(SigningKeyLayout::<P>::rho(key), rows.as_mut()));
        run_all::<Engines<P>, _>(level, &mut StartSampling { backend, matrix, masks: request.masks });
        run_in_own_frame(level, RejectionLoop { matrix: &rows, small, t0: T0::Encoded(key), request });
    }
}

/// Runs a part of an operation in a separate stack frame, so that the part's variables do not occupy the stack
/// afterwards.
#[inline(never)]
fn run_in_own_frame<O: Operation>(level: Level, part: O) -> O::Output {
    dispatch_at(level, part)
}

/// The rejection loop, FIPS 204 Algorithm 7, lines 10 to 33.
struct RejectionLoop<'a, 'm, P: Params> {
    matrix: &'a P::Matrix,
    small: &'a SmallVectors<P>,
    t0: T0<'a>,
    request: SignatureRequest<'a, 'm, P>,
}

impl<P: Params> Operation for RejectionLoop<'_, '_, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        match backend.level() {
            Level::Avx512(_) | Level::Avx2(_) => self.repeat_until_success::<B, 4>(backend),
            _ => self.repeat_until_success::<B, 1>(backend),
        }
    }
}

impl<P: Params> RejectionLoop<'_, '_, P> {
    /// Repeats attempts until one succeeds. Uses `N` Keccak states: one for c~, and the others for the masks
    /// of the next attempt.
    #[inline(always)]
    fn repeat_until_success<B: Backend, const N: usize>(self, backend: B) {
        let Self { matrix, small, t0, request: SignatureRequest { mu, masks, signature, on_rejection } } =
            self;
        let mut engine = <Engines<P> as EngineFamily>::Engine::<N>::new(backend.level());
        let mut attempt = Attempt::<P>::new();
        // repeat while (z, h) = ⊥
        loop {
            // y ← ExpandMask(ρ″, κ); κ ← κ + ℓ
            engine.run(&mut MaskRefill(masks), 0);
            let mut challenge = Challenge::new(mu, masks);
            attempt.commit(backend, matrix, &mut challenge);
            // c~ ← H(μ ‖ w1Encode(w1), λ/4)
            engine.run(&mut challenge, 0);
            match attempt.respond(backend, small, t0, &challenge, signature) {
                Ok(()) => {
                    return sig_encode_rest::<P>(challenge.c_tilde(), &attempt.h, signature);
                }
                Err(reason) => on_rejection(reason),
            }
            drop(challenge);
            masks.release();
        }
    }
}

/// The work that samples the first masks and, in the same engine run, Â if it is not precomputed.
struct StartSampling<'a, 'm, P: Params, B> {
    backend: B,
    matrix: Option<Matrix<'a, P>>,
    masks: &'a mut Masks<'m, P>,
}

impl<P: Params, B: Backend> StartSampling<'_, '_, P, B> {
    /// Returns the number of masks to sample: those of one attempt, and as many more as fit into the last Keccak call.
    fn mask_count(&self) -> usize {
        let width = match self.backend.level() {
            Level::Portable => 1,
            _ => <Engines<P> as EngineFamily>::Engine::<4>::STREAMS_PER_CALL,
        };
        let before = if self.matrix.is_some() { Matrix::<P>::STREAMS } else { 0 };
        (before + P::L).next_multiple_of(width) - before
    }
}

impl<P: Params, B: Backend> Work for StartSampling<'_, '_, P, B> {
    fn is_done(&self) -> bool {
        self.masks.opened_count() == self.mask_count()
            && self.masks.are_complete()
            && self.matrix.as_ref().is_none_or(Matrix::is_complete)
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        let mask_count = self.mask_count();
        if let Some(stream) = self.matrix.as_mut().and_then(Matrix::stream) {
            return Some(stream);
        }
        if self.masks.opened_count() == mask_count {
            return None;
        }
        self.masks.stream().map(|stream| Stream { id: Matrix::<P>::STREAMS + stream.id, ..stream })
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        match (id.checked_sub(Matrix::<P>::STREAMS), &mut self.matrix) {
            (None, Some(matrix)) => matrix.receive(self.backend, id, bytes),
            (id, _) => self.masks.receive(id.unwrap_or(0), bytes),
        }
    }
}

/// The work that samples the masks that the next attempt still needs.
struct MaskRefill<'a, 'm, P: Params>(&'a mut Masks<'m, P>);

impl<P: Params> Work for MaskRefill<'_, '_, P> {
    fn is_done(&self) -> bool {
        self.0.has_next()
    }

    fn stream(&mut self) -> Option<Stream<'_>> {
        self.0.stream()
    }

    fn receive(&mut self, id: usize, bytes: &[u8]) -> bool {
        self.0.receive(id, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::dispatch;
    use crate::keygen::SigningKey;
    use crate::params::{D2Aes, P44, P65, P87};
    use crate::poly::{NttPoly, Poly};
    use crate::prepared::PreparedSigningKey;
    use std::collections::BTreeMap;
    use std::format;
    use std::string::String;

    /// Counts the reasons for rejections in `signatures` signatures.
    fn rejections<P: Params>(key: &PreparedSigningKey<P>, signatures: u32) -> BTreeMap<String, u32> {
        let mut met = BTreeMap::new();
        for i in 0..signatures {
            let mut mu = [0; 64];
            mu[..4].copy_from_slice(&i.to_le_bytes());
            let _ = key.sign_with(&Mu::from_bytes(mu), None, &mut |reason| {
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
        // an honest key gives this rejection too rarely, so one polynomial of t0 is set to its largest values
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
                    let mut buffers = SmallVectors::zeroed();
                    for expanded in
                        [Expanded::Workspace(&mut buffers), Expanded::Precomputed(&prepared.expanded)]
                    {
                        let (mut bytes, mut masks) = (P::SignatureBytes::zeroed(), P::MaskBytes::zeroed());
                        let (key, mu, masks) = (&key.bytes, &mu, &mut masks);
                        let (randomness, signature, on_rejection) = (None, bytes.as_mut(), &mut |_| ());
                        dispatch_at(
                            level,
                            Sign { key, expanded, masks, mu, randomness, signature, on_rejection },
                        );
                        assert!(masks.as_ref().iter().all(|byte| *byte == 0));
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
