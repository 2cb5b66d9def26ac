//! K-PKE.KeyGen, FIPS 203 Algorithm 13, row by row. Each row of t̂ is encoded as soon as its row of the matrix is
//! available, so that H(ek) can share the calls that expand later rows.

use crate::backend::{Backend, Operation, dispatch};
use crate::expand::{BlockBuffer, EntryRange, Width, sample_at_width, sample_with_job};
use crate::keccak_schedule::{CALLS, Eta, HashJob, LaneJob, NoiseJob};
use crate::matrix_source::{Order, Source};
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey};
use crate::poly::{NttPoly, Poly};
use crate::sample::{matrix_by_streams, noise};
use crate::version::Version;
use core::marker::PhantomData;
use core::mem;
use grille_core::{Array, CryptoRng, Secret, ct};
use grille_hash::lanes::{Chain, Function, State};
use zeroize::Zeroizing;

/// The result of key generation.
#[derive(Debug)]
pub struct KeyPair<P: Params> {
    /// The public key.
    pub encryption_key: EncryptionKey<P>,
    /// The secret key.
    pub decryption_key: DecryptionKey<P>,
}

impl<P: Params> KeyPair<P> {
    /// Runs K-PKE.KeyGen with a fresh seed. Samples 32 random bytes.
    pub fn generate(rng: &mut dyn CryptoRng) -> Self {
        Self::from_seed(Secret::random(rng).expose())
    }

    /// Runs K-PKE.KeyGen, FIPS 203 Algorithm 13. The same seed d always gives the same keys.
    #[must_use]
    pub fn from_seed(d: &[u8; 32]) -> Self {
        dispatch(KeyGen(d, PhantomData))
    }
}

struct KeyGen<'a, P>(&'a [u8; 32], PhantomData<P>);

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = KeyPair<P>;

    #[inline(always)]
    fn run<B: Backend>(self, backend: B) -> KeyPair<P> {
        // (rho, sigma) ← G(d ‖ k)
        let seeds = P::Version::expand_seed(backend.level(), self.0, P::K as u8);
        let (rho, sigma) = seeds.split_first_chunk().expect("64 bytes");
        // rho is public, because it is part of the encryption key
        let rho = &ct::public(*rho);
        let mut keys =
            KeyPair { encryption_key: EncryptionKey::with_rho(rho), decryption_key: DecryptionKey::zeroed() };
        let mut a_hat_t = P::NttMatrix::from_fn(|_| NttPoly::ZERO);
        let KeyPair { encryption_key, decryption_key } = &mut keys;
        KeyGeneration::new(rho, &mut a_hat_t, encryption_key, decryption_key)
            .run(backend, sigma.first_chunk().expect("64 bytes"));
        keys
    }
}

/// A key generation in progress, which writes the keys in place.
pub(crate) struct KeyGeneration<'a, P: Params> {
    source: Source<'a>,
    /// The matrix Âᵀ row by row, in [0, q).
    a_hat_t: &'a mut P::NttMatrix,
    /// The number of entries of Â that are available, row by row.
    entries: usize,
    /// The vectors s and e, in [−η₁, η₁].
    s_e: Zeroizing<P::KeyNoise>,
    encryption_key: &'a mut EncryptionKey<P>,
    decryption_key: &'a mut DecryptionKey<P>,
    /// The number of rows of t̂ that are computed and encoded.
    rows: usize,
    /// The state of H after the first `absorbed` bytes of the encryption key.
    state: State,
    absorbed: usize,
    buffer: BlockBuffer,
}

impl<'a, P: Params> KeyGeneration<'a, P> {
    /// Starts with keys that hold only `rho`.
    #[inline(always)]
    pub(crate) fn new(
        rho: &'a [u8; 32],
        a_hat_t: &'a mut P::NttMatrix,
        encryption_key: &'a mut EncryptionKey<P>,
        decryption_key: &'a mut DecryptionKey<P>,
    ) -> Self {
        Self {
            source: Source { rho, k: P::K, order: Order::Rows },
            a_hat_t,
            entries: 0,
            s_e: Zeroizing::new(P::KeyNoise::from_fn(|_| Poly::ZERO)),
            encryption_key,
            decryption_key,
            rows: 0,
            state: State::new(),
            absorbed: 0,
            buffer: BlockBuffer::new(),
        }
    }

    /// Computes Â, t̂ and ŝ. `sigma` is secret.
    #[inline(always)]
    pub(crate) fn run<B: Backend>(&mut self, backend: B, sigma: &[u8; 32]) {
        self.sample(backend, sigma);
        while self.rows < P::K {
            while (self.rows + 1) * P::K > self.entries {
                self.next_entries(backend);
            }
            self.next_row(backend);
        }
        let s_hat = self.decryption_key.s_hat.as_mut();
        s_hat.iter_mut().for_each(|s_hat| backend.make_canonical(&mut s_hat.0));
    }

    /// Returns H(ek).
    #[inline(always)]
    pub(crate) fn hash<B: Backend>(&mut self, backend: B) -> [u8; 32] {
        let (level, ek) = (backend.level(), self.encryption_key.bytes.as_ref());
        if !P::Version::USES_KECCAK {
            return P::Version::h(level, &[ek]);
        }
        let state = mem::take(&mut self.state);
        HashJob::new(Chain::new(Function::SHA3_256, &[&ek[self.absorbed..]]), state).finish(level).digest()
    }

    /// Computes s, e and ŝ. Also samples those entries of Â that fit into the Keccak calls for s and e.
    #[inline(always)]
    fn sample<B: Backend>(&mut self, backend: B, sigma: &[u8; 32]) {
        let eta = Eta { count: 2 * P::K, first: P::ETA1, others: P::ETA1 };
        let (a_hat_t, s_e) = (self.a_hat_t.as_mut(), self.s_e.as_mut());
        if !P::Version::USES_KECCAK {
            matrix_by_streams::<P, B>(backend, self.source.rho, a_hat_t);
            self.entries = P::K * P::K;
            noise::<P, B>(backend, sigma, eta, s_e);
        } else if Width::for_level(backend.level(), true) == Width::Eight {
            // each lane samples three polynomials of one call each, or one polynomial of two calls; the
            // matrix uses the other lanes
            let lanes = if P::ETA1 == 2 { s_e.len().div_ceil(CALLS) } else { s_e.len() };
            self.entries = (8 - lanes).min(P::K * P::K);
            let mut noise = NoiseJob::new(backend, sigma, s_e, eta, 0);
            noise.take_lanes(lanes);
            let mut entries = EntryRange { source: self.source, numbers: 0..self.entries, a_hat_t };
            sample_with_job::<B, 8>(backend, &mut entries, &mut noise, Some(&mut self.buffer));
            assert!(noise.is_done(), "there are enough lanes");
        } else {
            noise::<P, B>(backend, sigma, eta, s_e);
        }
        // ŝ ← NTT(s)
        let s_hat = self.decryption_key.s_hat.as_mut();
        self.s_e.as_ref().iter().zip(s_hat).for_each(|(s, s_hat)| backend.ntt(s, s_hat));
    }

    /// Expands more entries of Â and hashes the encoded rows in the same calls.
    #[inline(always)]
    fn next_entries<B: Backend>(&mut self, backend: B) {
        let rate = Function::SHA3_256.rate();
        let ready = (384 * self.rows - self.absorbed) / rate;
        let blocks = ready.min(CALLS);
        let whole = [&self.encryption_key.bytes.as_ref()[self.absorbed..][..blocks * rate]];
        let chain = Chain::unpadded(Function::SHA3_256, &whole);
        let mut hash = HashJob::new(chain, mem::take(&mut self.state));
        let left = P::K * P::K - self.entries;
        // calls for four states are enough as long as the hash needs calls anyway
        let wide = left > 4 - hash.lanes() && left.div_ceil(3) * CALLS > ready;
        let width = Width::for_level(backend.level(), wide);
        let numbers = self.entries..self.entries + left.min(width.streams(&hash));
        self.entries = numbers.end;
        let part = EntryRange { source: self.source, numbers, a_hat_t: self.a_hat_t.as_mut() };
        sample_at_width(width, backend, part, &mut hash, Some(&mut self.buffer));
        self.absorbed += blocks * rate;
        self.state = hash.finish(backend.level());
    }

    /// Computes one row of t̂ ← Â ∘ ŝ + ê and encodes it.
    #[inline(always)]
    fn next_row<B: Backend>(&mut self, backend: B) {
        let i = self.rows;
        let EncryptionKey { bytes, t_hat } = &mut *self.encryption_key;
        let row = self.a_hat_t.as_ref().iter().skip(i).step_by(P::K);
        let (e, bytes) = (&self.s_e.as_ref()[P::K + i], &mut bytes.as_mut()[384 * i..][..384]);
        key_row(backend, row, self.decryption_key.s_hat.as_ref(), e, &mut t_hat.as_mut()[i], bytes);
        self.rows += 1;
    }
}

/// Computes one row of t̂ ← Â ∘ ŝ + NTT(e), in [0, q), and encodes it in 384 bytes. The input satisfies |ŝ| ≤
/// (q − 1)/2. `s_hat` and `e` are secret.
#[inline(always)]
pub(crate) fn key_row<'a, B: Backend>(
    backend: B,
    row: impl Iterator<Item = &'a NttPoly> + Clone,
    s_hat: &[NttPoly],
    e: &Poly,
    t_hat: &mut NttPoly,
    bytes: &mut [u8],
) {
    backend.dot_ntt(row, s_hat, t_hat);
    let mut e_hat = Zeroizing::new(NttPoly::ZERO);
    backend.ntt(e, &mut e_hat);
    backend.times_r_plus(t_hat, &e_hat);
    // ek ← ByteEncode₁₂(t̂) ‖ rho
    backend.compress_and_encode::<12>(&t_hat.0, bytes);
    // the encryption key is public
    ct::public_bytes(bytes);
}
