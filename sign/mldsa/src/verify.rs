//! ML-DSA.Verify, FIPS 204 Algorithms 3, 5 and 8. All data is public, so the running time may vary.

use crate::algorithm::MlDsa;
use crate::backend::{Backend, Operation};
use crate::commitment::{Commitment, Factors, compare};
use crate::encode::sig_decode;
use crate::expanded::ExpandedVerifyingKey;
use crate::hash::h;
use crate::low_memory_verifying_key::LowMemoryVerifyingKey;
use crate::message::{Message, MessageParts, Mu};
use crate::params::{Engines, Params};
use crate::poly::Zero;
use crate::recomputation::Recomputation;
use crate::sample::row_window;
use crate::streaming::Verifying;
use crate::streams::{H_RATE, ResumableHash, run_all};
use crate::verifying_key::VerifyingKey;
use crate::version::Fips204;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{DynVerifyingKey, Error, MessageVerifier};
use grille_hash::lanes::Lanes;
use grille_hash::prehash::PreHash;
use grille_hash::{Level, shake256};

impl<P: Params> VerifyingKey<P> {
    /// Verifies the signature of a message representative.
    ///
    /// # Errors
    /// Returns [`Error::InvalidSignature`] if the signature is invalid.
    pub fn verify_mu(&self, mu: &Mu, signature: &[u8]) -> Result<(), Error> {
        P::verify(Verify { key: self, message: Message::Representative(mu), signature })
    }

    pub(crate) fn verify_parts(&self, message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error> {
        P::verify(Verify { key: self, message: Message::Parts(message), signature })
    }
}

impl<P: Params<Version = Fips204>> VerifyingKey<P> {
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
        let Self { key, message, signature } = self;
        let (mut factors, mut rows) = (Factors::ZERO, row_window::<P>());
        let mut commitment = Commitment::new(&mut factors);
        let mut recomputation =
            Recomputation::new(backend, key, message, signature, &mut rows, &mut commitment)?;
        run_all::<Engines<P>, _>(backend.level(), &mut recomputation);
        recomputation.result()
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
