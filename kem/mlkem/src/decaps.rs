//! FIPS 203 Algorithms 18 and 21, ML-KEM.Decaps_internal and ML-KEM.Decaps, with a parsed or an encoded key.
//!
//! Each Keccak call of J(z ‖ c) depends on the previous one. Each call of H(ek), which section 7.3 requires for an
//! encoded key of ML-KEM, also depends on the previous one. Each hash occupies one lane of the calls that expand the
//! noise and, with an encoded key, the matrix.

use crate::backend::{Backend, Operation, dispatch};
use crate::encoded_key::EncodedKey;
use crate::expand::{EntryRange, Width, matrix, matrix_and_hash, sample_at_width, shares_calls};
use crate::keccak_schedule::{HashJob, LaneJob, NoiseJob};
use crate::kem::DecapsKey;
use crate::matrix_source::Source;
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use crate::poly::{NttPoly, Poly};
use crate::sample::noise;
use crate::version::Version;
use grille_core::{Array, Ciphertext, Error, Secret, ct};
use grille_hash::Level;
use grille_hash::lanes::{Chain, Function};
use zeroize::Zeroizing;

/// Runs ML-KEM.Decaps_internal, FIPS 203 Algorithm 18.
pub(crate) fn with_key<P: Params>(
    key: &DecapsKey<P>,
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Secret<[u8; 32]> {
    dispatch(WithKey { key, c: &ciphertext.0 })
}

/// Runs ML-KEM.Decaps, FIPS 203 Algorithm 21, with its input checks.
pub(crate) fn with_bytes<P: Params>(
    key: &[u8],
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Result<Secret<[u8; 32]>, Error> {
    dispatch(WithBytes::<P> { key: EncodedKey::split::<P>(key)?, c: &ciphertext.0 })
}

impl EncodedKey<'_> {
    /// Expands Â, and the noise of an encryption from `r`. `r` and `y_e` are secret.
    ///
    /// # Errors
    /// Returns an error if the hash H(ek) in the key is wrong.
    #[inline(always)]
    fn expand<P: Params, B: Backend>(
        &self,
        backend: B,
        source: Source<'_>,
        r: &[u8; 32],
        (a_hat_t, y_e): (&mut [NttPoly], &mut [Poly]),
    ) -> Result<(), Error> {
        noise::<P, B>(backend, r, EncryptionKey::<P>::ETA, y_e);
        if P::Version::CHECKS_KEY {
            self.check(&matrix_and_hash::<P, B>(backend, source, a_hat_t, self.ek))
        } else {
            matrix::<P, B>(backend, source, a_hat_t);
            Ok(())
        }
    }

    /// Expands Â and the noise of an encryption, and computes [`Version::hash_ciphertext`] in the same Keccak
    /// calls. `r`, `y_e` and the result are secret.
    ///
    /// # Errors
    /// Returns an error if the hash H(ek) in the key is wrong.
    #[inline(always)]
    fn expand_and_hash<P: Params, B: Backend>(
        &self,
        backend: B,
        source: Source<'_>,
        r: &[u8; 32],
        c: &[u8],
        (a_hat_t, y_e): (&mut [NttPoly], &mut [Poly]),
    ) -> Result<Secret<[u8; 32]>, Error> {
        let (ek, z_and_c) = ([self.ek], [self.z.as_ref(), c]);
        let noise = NoiseJob::new(backend, r, y_e, EncryptionKey::<P>::ETA, 0);
        let of_c = ciphertext_hash_job::<P>(&z_and_c);
        let of_c = if P::Version::CHECKS_KEY {
            let of_ek = HashJob::start(Chain::new(Function::SHA3_256, &ek));
            let (of_ek, of_c) = expand_with_jobs(backend, source, a_hat_t, (of_ek, of_c), noise);
            self.check(&of_ek.finish(backend.level()).digest())?;
            of_c
        } else {
            expand_with_jobs(backend, source, a_hat_t, of_c, noise)
        };
        Ok(Secret::new(of_c.finish(backend.level()).digest()))
    }
}

struct WithKey<'a, P: Params> {
    key: &'a DecapsKey<P>,
    c: &'a P::CiphertextBytes,
}

impl<P: Params> Operation for WithKey<'_, P> {
    type Output = Secret<[u8; 32]>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Secret<[u8; 32]> {
        let (Self { key, c }, level) = (self, backend.level());
        let decrypted = Decrypted::new::<P, B>(backend, &key.pke, c, &key.h);
        let pke = &key.encaps_key.pke;
        let mut y_e = Zeroizing::new(P::EncryptionNoise::from_fn(|_| Poly::ZERO));
        // K̄ ← J(z ‖ c)
        let k_bar = if shares_calls::<P>(level) {
            let z_and_c = [key.z.as_ref(), c.as_ref()];
            let noise = NoiseJob::new(backend, decrypted.r(), y_e.as_mut(), EncryptionKey::<P>::ETA, 0);
            let hash =
                expand_with_jobs(backend, pke.source(), &mut [], ciphertext_hash_job::<P>(&z_and_c), noise);
            Secret::new(hash.finish(level).digest())
        } else {
            noise::<P, B>(backend, decrypted.r(), EncryptionKey::<P>::ETA, y_e.as_mut());
            P::Version::hash_ciphertext(level, key.z.expose(), c.as_ref())
        };
        // c′ ← K-PKE.Encrypt(ek_PKE, m′, r′)
        let c2 = pke.encrypt_with_noise(backend, &key.a_hat_t, decrypted.m.expose(), y_e.as_ref());
        decrypted.implicit_rejection::<P>(level, c, &Secret::new(c2), key.z.expose(), k_bar.expose())
    }
}

struct WithBytes<'a, P: Params> {
    key: EncodedKey<'a>,
    c: &'a P::CiphertextBytes,
}

impl<P: Params> Operation for WithBytes<'_, P> {
    type Output = Result<Secret<[u8; 32]>, Error>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let (Self { key, c }, level) = (self, backend.level());
        let (mut decryption_key, mut pke) = (DecryptionKey::zeroed(), EncryptionKey::<P>::with_rho(&[0; 32]));
        key.read(backend, &mut decryption_key, &mut pke)?;
        let decrypted = Decrypted::new::<P, B>(backend, &decryption_key, c, key.h);
        let mut a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        let mut y_e = Zeroizing::new(P::EncryptionNoise::from_fn(|_| Poly::ZERO));
        let expanded = (a_hat_t.as_mut(), y_e.as_mut());
        // K̄ ← J(z ‖ c)
        let k_bar = if shares_calls::<P>(level) {
            key.expand_and_hash::<P, B>(backend, pke.source(), decrypted.r(), c.as_ref(), expanded)?
        } else {
            key.expand::<P, B>(backend, pke.source(), decrypted.r(), expanded)?;
            P::Version::hash_ciphertext(level, key.z, c.as_ref())
        };
        // c′ ← K-PKE.Encrypt(ek_PKE, m′, r′)
        let c2 = pke.encrypt_with_noise(backend, &a_hat_t, decrypted.m.expose(), y_e.as_ref());
        Ok(decrypted.implicit_rejection::<P>(level, c, &Secret::new(c2), key.z, k_bar.expose()))
    }
}

/// The decrypted message and the values derived from it.
struct Decrypted {
    /// The message m′.
    m: Secret<[u8; 32]>,
    /// The result of G: K′ ‖ r′.
    k_and_r: Zeroizing<[u8; 64]>,
}

impl Decrypted {
    /// Runs FIPS 203 Algorithm 18, lines 5 and 6.
    #[inline(always)]
    fn new<P: Params, B: Backend>(
        backend: B,
        key: &DecryptionKey<P>,
        c: &P::CiphertextBytes,
        h: &[u8; 32],
    ) -> Self {
        // m′ ← K-PKE.Decrypt(dk_PKE, c)
        let m = key.decrypt_with(backend, c);
        // (K′, r′) ← G(m′ ‖ h)
        let k_and_r = P::Version::g(backend.level(), &[m.as_ref(), h]);
        Self { m, k_and_r }
    }

    fn r(&self) -> &[u8; 32] {
        self.k_and_r.last_chunk().expect("64 bytes")
    }

    /// Performs implicit rejection, FIPS 203 Algorithm 18, lines 9 to 12: returns K′ if the re-encryption
    /// `c2` equals `c`, else K̄. All arguments except `c` are secret.
    fn implicit_rejection<P: Params>(
        &self,
        level: Level,
        c: &P::CiphertextBytes,
        c2: &Secret<P::CiphertextBytes>,
        z: &[u8; 32],
        k_bar: &[u8; 32],
    ) -> Secret<[u8; 32]> {
        // if c ≠ c′: K′ ← K̄
        let accept = ct::equal(c.as_ref(), c2.as_ref());
        let k = self.k_and_r.first_chunk().expect("64 bytes");
        P::Version::select_secret(level, accept, k, z, k_bar)
    }
}

/// Returns the hash of [`Version::hash_ciphertext`] as a lane job.
fn ciphertext_hash_job<'a, P: Params>(z_and_c: &'a [&'a [u8]; 2]) -> HashJob<'a> {
    let chain = if P::Version::HASHES_WITH_J {
        Chain::new(Function::SHAKE256, z_and_c)
    } else {
        Chain::new(Function::SHA3_256, &z_and_c[1..])
    };
    HashJob::start(chain)
}

/// Expands the whole matrix and all noise. Hashes run in the same calls as long as other work remains.
/// Afterwards, a single remaining hash takes less time in calls for one state.
#[inline(always)]
fn expand_with_jobs<B: Backend, R: LaneJob>(
    backend: B,
    source: Source<'_>,
    a_hat_t: &mut [NttPoly],
    hashes: R,
    noise: NoiseJob<'_, B>,
) -> R {
    let mut jobs = (hashes, noise);
    let mut numbers = 0..0;
    while numbers.end < a_hat_t.len() || jobs.0.lanes() > usize::from(jobs.1.is_done()) {
        let (left, taken) = (a_hat_t.len() - numbers.end, jobs.0.lanes());
        let width = Width::for_level(backend.level(), left + taken > 4);
        numbers = numbers.end..numbers.end + left.min(width.lanes() - taken);
        jobs.1.take_lanes(width.lanes() - taken - numbers.len());
        sample_at_width(
            width,
            backend,
            EntryRange { source, numbers: numbers.clone(), a_hat_t },
            &mut jobs,
            None,
        );
    }
    let (hashes, noise) = jobs;
    noise.finish();
    hashes
}
