//! Encapsulation keys with their expanded matrix, for many encapsulations.

use crate::EncapsKey;
use crate::algorithm::SaberKem;
use crate::backend::{Backend, Operation, dispatch};
use crate::hash::MatrixStream;
use crate::kem::{halves, with_cloned_secret, zeroed_result};
use crate::params::Params;
use crate::ring::Image;
use crate::sample::{Precomputed, gen_entry};
use core::fmt;
use grille_core::{Array, Bytes, Ciphertext, CryptoRng, Encapsulated, Secret};
use grille_hash::{Sha3_256, Sha3_512, Shake128};
use zeroize::Zeroizing;

impl<P: Params> EncapsKey<P> {
    /// Expands the matrix and hashes the key, for many encapsulations. Each encapsulation with the prepared
    /// key takes 41 to 71 % of the time of an encapsulation without preparation with AVX-512, and 34 to 53 %
    /// with AVX2 (`bench/results/`). FireSaber gains the most. The matrix is l²·1024 bytes.
    #[must_use]
    pub fn prepare(&self) -> PreparedEncapsKey<P> {
        let mut a = P::ImageMatrix::from_fn(|_| Image::ZERO);
        let h = P::expand(self, &mut a);
        PreparedEncapsKey { key: self.clone(), a, h }
    }

    /// Expands A into a zeroed matrix and returns F(pk).
    pub(crate) fn expand(&self, a: &mut P::ImageMatrix) -> [u8; 32] {
        dispatch(Expand(self, a))
    }

    /// Runs Saber.KEM.Encaps, Algorithm 5, with A and F(pk). Writes the result to `sent`, which must be a
    /// [`zeroed_result`].
    pub(crate) fn encapsulate_prepared_into(
        &self,
        a: &P::ImageMatrix,
        h: &[u8; 32],
        rng: &mut dyn CryptoRng,
        sent: &mut Encapsulated<SaberKem<P>>,
    ) {
        let mut random = Secret::zeroed();
        rng.fill_bytes(random.as_mut());
        dispatch(EncapsulatePrepared { key: self, a, h, random: &random, sent });
    }
}

/// An encapsulation key (public) for many encapsulations; see [`EncapsKey::prepare`].
pub struct PreparedEncapsKey<P: Params> {
    key: EncapsKey<P>,
    /// The images of the matrix A, row by row.
    a: P::ImageMatrix,
    /// The hash F(pk).
    h: [u8; 32],
}

impl<P: Params> PreparedEncapsKey<P> {
    /// Runs Saber.KEM.Encaps, Algorithm 5. Samples 32 bytes.
    pub fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<SaberKem<P>> {
        let mut sent = zeroed_result();
        P::encapsulate_prepared((&self.key, &self.a, &self.h), rng, &mut sent);
        with_cloned_secret(sent)
    }

    /// Returns the key without the prepared data.
    #[must_use]
    pub const fn encaps_key(&self) -> &EncapsKey<P> {
        &self.key
    }
}

impl<P: Params> Clone for PreparedEncapsKey<P> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), a: self.a.clone(), h: self.h }
    }
}

impl<P: Params> fmt::Debug for PreparedEncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, prepared", self.key)
    }
}

struct Expand<'a, P: Params>(&'a EncapsKey<P>, &'a mut P::ImageMatrix);

impl<P: Params> Operation for Expand<'_, P> {
    type Output = [u8; 32];

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> [u8; 32] {
        let Self(EncapsKey { pke }, images) = self;
        let mut a = P::MatrixBytes::zeroed();
        let mut stream = MatrixStream::new(backend.level(), pke.seed_a(), a.as_mut());
        for (n, image) in images.as_mut().iter_mut().enumerate() {
            gen_entry(backend, &mut stream, n, pke.bytes.as_ref(), image);
        }
        stream.finish(pke.bytes.as_ref())
    }
}

struct EncapsulatePrepared<'a, P: Params> {
    key: &'a EncapsKey<P>,
    /// The images of the matrix A, row by row.
    a: &'a P::ImageMatrix,
    /// The hash F(pk).
    h: &'a [u8; 32],
    random: &'a Secret<[u8; 32]>,
    /// The zeroed result to fill.
    sent: &'a mut Encapsulated<SaberKem<P>>,
}

impl<P: Params> Operation for EncapsulatePrepared<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.Encaps, Algorithm 5, with the precomputed A and F(pk).
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { key, a, h, random, sent: Encapsulated { ciphertext: Ciphertext(c), secret } } = self;
        let level = backend.level();
        let (mut m, mut k_and_r) = (Secret::<[u8; 32]>::zeroed(), Zeroizing::new([0; 64]));
        Sha3_256::hash(level, &[random.as_ref()], m.as_mut());
        Sha3_512::hash(level, &[m.as_ref(), h], k_and_r.as_mut());
        let (k, r) = halves(&k_and_r);
        let mut s = Zeroizing::new(P::SecretBytes::zeroed());
        Shake128::hash(level, &[r], s.as_mut());
        // c ← Saber.PKE.Enc(pk, m; r); K ← F(K̂ ‖ F(c))
        key.pke.encrypt(backend, Precomputed(a), m.expose(), (*s).as_ref(), c);
        let mut h = [0; 32];
        Sha3_256::hash(level, &[c.as_ref()], &mut h);
        Sha3_256::hash(level, &[k, &h], secret.as_mut());
    }
}
