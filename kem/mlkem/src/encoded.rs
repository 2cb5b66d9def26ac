//! Decapsulation with a key that is read for it, FIPS 203 section 7.3: from bytes to the shared secret.
//!
//! Whoever reads a key hashes its public half, and whoever decapsulates hashes the ciphertext: two chains of about as
//! many calls of Keccak, which wait for each other when they are two functions. Here they have a lane each in the calls
//! that expand the matrix, and the noise has the lanes that are left.

use crate::backend::{Backend, Operation, dispatch};
use crate::expand::{Part, Source, Width, calls_of, matrix_and_hash};
use crate::generation::Generation;
use crate::kem::outcome;
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use crate::poly::{NttPoly, Poly};
use crate::riders::{Noise, Passenger, Rider};
use crate::sample::noise;
use grille_core::{Array, Bytes, Ciphertext, Error, Secret, bytes};
use grille_hash::lanes::{Chain, Function, State};
use zeroize::Zeroizing;

/// ML-KEM.Decaps, FIPS 203 Algorithm 21, with its input checks.
pub(crate) fn decapsulate<P: Params>(
    key: &[u8],
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Result<Secret<[u8; 32]>, Error> {
    dispatch(Decaps::<P> { key: EncodedKey::split::<P>(key)?, c: &ciphertext.0 })
}

/// dk = dk_PKE ‖ ek ‖ H(ek) ‖ z.
#[derive(Clone, Copy)]
pub(crate) struct EncodedKey<'a> {
    dk_pke: &'a [u8],
    ek: &'a [u8],
    h: &'a [u8; 32],
    pub(crate) z: &'a [u8; 32],
}

impl<'a> EncodedKey<'a> {
    pub(crate) fn split<P: Params>(bytes: &'a [u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DecapsKeyBytes::LEN, bytes.len())?;
        let (dk_pke, rest) = bytes.split_at(384 * P::K);
        let (ek, rest) = rest.split_at(P::EncapsKeyBytes::LEN);
        let (h, z) = rest.split_first_chunk().expect("64 bytes");
        Ok(Self { dk_pke, ek, h, z: z.first_chunk().expect("32 bytes") })
    }

    /// Both keys; their coefficients must be below q.
    #[inline(always)]
    pub(crate) fn parse<P: Params, B: Backend>(
        &self,
        backend: B,
    ) -> Result<(DecryptionKey<P>, EncryptionKey<P>), Error> {
        let decryption_key = DecryptionKey::parse(backend, self.dk_pke)?;
        let encryption_key = EncryptionKey::parse(backend, bytes::parse("encapsulation key", self.ek)?)
            .map_err(|_| Error::InvalidPrivateKey { reason: "holds a public key that is not canonical" })?;
        Ok((decryption_key, encryption_key))
    }

    /// test = H(ek), FIPS 203 section 7.3.
    pub(crate) fn check(&self, test: &[u8; 32]) -> Result<(), Error> {
        if test == self.h {
            Ok(())
        } else {
            Err(Error::InvalidPrivateKey { reason: "has a hash that is not that of its public key" })
        }
    }
}

struct Decaps<'a, P: Params> {
    key: EncodedKey<'a>,
    c: &'a P::CiphertextBytes,
}

impl<P: Params> Operation for Decaps<'_, P> {
    type Output = Result<Secret<[u8; 32]>, Error>;

    /// ML-KEM.Decaps_internal, FIPS 203 Algorithm 18.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let (Self { key, c }, level) = (self, backend.level());
        let (decryption_key, encryption_key) = key.parse::<P, B>(backend)?;
        // m′ ← K-PKE.Decrypt(dk_PKE, c)
        let m = decryption_key.decrypt_with(backend, c);
        // (K′, r′) ← G(m′ ‖ h)
        let k_and_r = P::Generation::g(level, &[m.as_ref(), key.h]);
        let (k, r) = k_and_r.split_first_chunk().expect("64 bytes");
        let mut inputs = Inputs::<P>::new();
        let source = encryption_key.source();
        let hashes = inputs.fill(backend, source, &key, c, r.first_chunk().expect("64 bytes"));
        key.check(&hashes.ek)?;
        // c′ ← K-PKE.Encrypt(ek_PKE, m′, r′)
        let Inputs { a_hat_t, y_e } = &inputs;
        let c2 = encryption_key.encrypt_with_noise(backend, a_hat_t, m.expose(), y_e.as_ref());
        Ok(outcome::<P>(level, c, &Secret::new(c2), k, key.z, hashes.c.expose()))
    }
}

/// What encryption takes beside key and message.
struct Inputs<P: Params> {
    /// Âᵀ row by row, in [0, q).
    a_hat_t: P::NttMatrix,
    /// y, e₁ and e₂.
    y_e: Zeroizing<P::EncryptionNoise>,
}

/// Of the encapsulation key, by H, and of the ciphertext, [`Generation::hashed`].
struct Hashes {
    ek: [u8; 32],
    c: Secret<[u8; 32]>,
}

impl<P: Params> Inputs<P> {
    #[inline(always)]
    fn new() -> Self {
        let a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        Self { a_hat_t, y_e: Zeroizing::new(P::EncryptionNoise::from_fn(|_| Poly::ZERO)) }
    }

    /// Samples all of it, and hashes. Secret: `r`.
    #[inline(always)]
    fn fill<B: Backend>(
        &mut self,
        backend: B,
        source: Source<'_>,
        key: &EncodedKey<'_>,
        c: &P::CiphertextBytes,
        r: &[u8; 32],
    ) -> Hashes {
        let (level, a_hat_t, y_e) = (backend.level(), self.a_hat_t.as_mut(), self.y_e.as_mut());
        let eta = EncryptionKey::<P>::ETA;
        if !P::Generation::KECCAK || Width::of(level, false) != Width::Four {
            let ek = matrix_and_hash::<P, B>(backend, source, a_hat_t, key.ek);
            noise::<P, B>(backend, r, eta, y_e);
            return Hashes { ek, c: P::Generation::hashed(level, key.z, c.as_ref()) };
        }
        let (ek, z_and_c) = ([key.ek], [&key.z[..], c.as_ref()]);
        let of_c = match P::Generation::J {
            true => Chain::new(Function::SHAKE256, &z_and_c),
            false => Chain::new(Function::SHA3_256, &z_and_c[1..]),
        };
        let of_ek = Chain::new(Function::SHA3_256, &ek);
        let hashes = [of_ek, of_c].map(|chain| Passenger::new(chain, State::new()));
        let [of_ek, of_c] = ride(backend, source, a_hat_t, hashes, Noise::new(backend, r, y_e, eta, 0, 0));
        Hashes { ek: of_ek.finish(level).digest(), c: Secret::new(of_c.finish(level).digest()) }
    }
}

/// The whole matrix and all of the noise, with both hashes beside them, in calls for four states or eight.
#[inline(always)]
fn ride<'a, B: Backend>(
    backend: B,
    source: Source<'_>,
    a_hat_t: &mut [NttPoly],
    [first, second]: [Passenger<'a>; 2],
    noise: Noise<'_, B>,
) -> [Passenger<'a>; 2] {
    let mut riders = ((first, second), noise);
    let mut numbers = 0..0;
    while numbers.end < a_hat_t.len() || riders.0.lanes() > 0 {
        let (left, taken) = (a_hat_t.len() - numbers.end, riders.0.lanes());
        let width = Width::of(backend.level(), left + taken > 4);
        numbers = numbers.end..numbers.end + left.min(width.lanes() - taken);
        riders.1.take_lanes(width.lanes() - taken - numbers.len());
        calls_of(width, backend, Part { source, numbers: numbers.clone(), a_hat_t }, &mut riders);
    }
    let ((first, second), noise) = riders;
    noise.finish();
    [first, second]
}
