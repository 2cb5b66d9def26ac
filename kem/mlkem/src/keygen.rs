//! K-PKE.KeyGen, FIPS 203 Algorithm 13, row by row: each row of t̂ is encoded as soon as its row of the matrix is
//! there, so that H(ek) can ride in the calls that expand the rows behind it.

use crate::backend::Backend;
use crate::expand::{CALLS, Noise, Order, Passenger, Rider, Source, Width, calls_of};
use crate::generation::Generation;
use crate::params::Params;
use crate::pke::{DecryptionKey, EncryptionKey, KeyPair, MAX_NOISE};
use crate::poly::{NttPoly, Poly};
use crate::sample::{key_noise, matrix_by_streams};
use core::mem;
use grille_core::{Array, Bytes, ct};
use grille_hash::lanes::{Chain, Function, State};
use zeroize::Zeroizing;

/// A key pair that is being made.
pub(crate) struct KeyGeneration<'a, P: Params> {
    source: Source<'a>,
    /// Â row by row, in [0, q).
    a_hat: P::NttMatrix,
    /// The entries of `a_hat` that are there.
    entries: usize,
    /// s and e, in [−η₁, η₁].
    noise: Zeroizing<[Poly; MAX_NOISE]>,
    s_hat: Zeroizing<P::NttVector>,
    t_hat: P::NttVector,
    /// The rows of t̂ that are there, and encoded in `ek`.
    rows: usize,
    ek: P::EncapsKeyBytes,
    /// H of the first `absorbed` bytes of `ek`, so far.
    state: State,
    absorbed: usize,
}

impl<'a, P: Params> KeyGeneration<'a, P> {
    /// With nothing there yet.
    #[inline(always)]
    pub(crate) fn new(rho: &'a [u8; 32]) -> Self {
        let mut ek = P::EncapsKeyBytes::zeroed();
        ek.as_mut()[384 * P::K..].copy_from_slice(rho);
        Self {
            source: Source { rho, k: P::K, order: Order::Rows },
            a_hat: P::NttMatrix::from_fn(|_| NttPoly::ZERO),
            entries: 0,
            noise: Zeroizing::new([const { Poly::ZERO }; MAX_NOISE]),
            s_hat: Zeroizing::new(P::NttVector::from_fn(|_| NttPoly::ZERO)),
            t_hat: P::NttVector::from_fn(|_| NttPoly::ZERO),
            rows: 0,
            ek,
            state: State::new(),
            absorbed: 0,
        }
    }

    /// Â, s, e and t̂. Secret: `sigma`.
    #[inline(always)]
    pub(crate) fn expand<B: Backend>(&mut self, backend: B, sigma: &[u8; 32]) {
        self.sample(backend, sigma);
        while self.rows < P::K {
            while (self.rows + 1) * P::K > self.entries {
                self.next_entries(backend);
            }
            self.next_row(backend);
        }
    }

    /// H(ek).
    #[inline(always)]
    pub(crate) fn hash<B: Backend>(&mut self, backend: B) -> [u8; 32] {
        let level = backend.level();
        if !P::Generation::KECCAK {
            return P::Generation::h(level, &[self.ek.as_ref()]);
        }
        let rest = [&self.ek.as_ref()[self.absorbed..]];
        let state = mem::take(&mut self.state);
        Passenger::new(Chain::new(Function::SHA3_256, &rest), state).finish(level).digest()
    }

    /// Âᵀ row by row.
    #[inline(always)]
    pub(crate) fn transpose(&self, a_hat_t: &mut P::NttMatrix) {
        let a_hat = self.a_hat.as_ref();
        for (n, entry) in a_hat_t.as_mut().iter_mut().enumerate() {
            entry.clone_from(&a_hat[n % P::K * P::K + n / P::K]);
        }
    }

    /// What was made.
    #[inline(always)]
    pub(crate) fn keys<B: Backend>(&self, backend: B) -> KeyPair<P> {
        let mut s_hat = P::NttVector::clone(&self.s_hat);
        s_hat.as_mut().iter_mut().for_each(|s_hat| backend.make_canonical(&mut s_hat.0));
        KeyPair {
            encryption_key: EncryptionKey::new(self.ek.clone(), self.t_hat.clone()),
            decryption_key: DecryptionKey::new(s_hat),
        }
    }

    /// s, e and ŝ, and as much of Â as comes with them.
    #[inline(always)]
    fn sample<B: Backend>(&mut self, backend: B, sigma: &[u8; 32]) {
        let Self { source, a_hat, noise, s_hat, .. } = self;
        let polys = &mut noise[..2 * P::K];
        let width = Width::of(backend.level(), true);
        if !P::Generation::KECCAK {
            key_noise::<P, B>(backend, sigma, polys);
            matrix_by_streams::<P, B>(backend, *source, a_hat.as_mut());
            self.entries = P::K * P::K;
        } else if P::ETA1 == 2 && width == Width::Eight {
            // the noise takes a lane for each three polynomials, the matrix the others
            let lanes = polys.len().div_ceil(CALLS);
            let mut noise = Noise { backend, s: sigma, polys, done: 0, lanes };
            self.entries = width.lanes() - lanes;
            calls_of(width, backend, *source, 0, &mut a_hat.as_mut()[..self.entries], &mut noise);
        } else {
            key_noise::<P, B>(backend, sigma, polys);
        }
        // ŝ ← NTT(s)
        noise.iter().zip(s_hat.as_mut()).for_each(|(s, s_hat)| backend.ntt(s, s_hat));
    }

    /// More of Â, with H of what is encoded beside it.
    #[inline(always)]
    fn next_entries<B: Backend>(&mut self, backend: B) {
        let rate = Function::SHA3_256.rate();
        let blocks = ((384 * self.rows - self.absorbed) / rate).min(CALLS);
        let whole = [&self.ek.as_ref()[self.absorbed..][..blocks * rate]];
        let chain = Chain::beginning(Function::SHA3_256, &whole);
        let mut passenger = Passenger::new(chain, mem::take(&mut self.state));
        let left = &mut self.a_hat.as_mut()[self.entries..];
        let width = Width::of(backend.level(), left.len() > 4 - passenger.lanes());
        let streams = left.len().min(width.streams(&passenger));
        calls_of(width, backend, self.source, self.entries, &mut left[..streams], &mut passenger);
        self.entries += streams;
        self.absorbed += blocks * rate;
        self.state = passenger.finish(backend.level());
    }

    /// t̂ ← Â ∘ ŝ + ê, one row of it, and its encoding.
    #[inline(always)]
    fn next_row<B: Backend>(&mut self, backend: B) {
        let i = self.rows;
        let t_hat = &mut self.t_hat.as_mut()[i];
        let row = &self.a_hat.as_ref()[P::K * i..][..P::K];
        let bytes = &mut self.ek.as_mut()[384 * i..][..384];
        key_row(backend, row.iter(), self.s_hat.as_ref(), &self.noise[P::K + i], t_hat, bytes);
        self.rows += 1;
    }
}

/// One row of t̂ ← Â ∘ ŝ + NTT(e), in [0, q), and its encoding, 384 bytes. |ŝ| ≤ (q − 1)/2. Secret: `s_hat`, `e`.
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
    backend.times_r(t_hat);
    let mut e_hat = Zeroizing::new(NttPoly::ZERO);
    backend.ntt(e, &mut e_hat);
    backend.add(&mut t_hat.0, &e_hat.0);
    backend.make_canonical(&mut t_hat.0);
    // ek ← ByteEncode₁₂(t̂) ‖ rho
    backend.compress_and_encode::<12>(&t_hat.0, bytes);
    // published: the encryption key
    ct::public_bytes(bytes);
}
