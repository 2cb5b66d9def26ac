//! Eight operations of ML-KEM at a time. Lane n of each Keccak call belongs to operation n.
//!
//! The hashes H(ek) and J(z ‖ c) take many calls one after the other. In a batch, each call serves all eight
//! operations, so no lane is empty. Only ML-KEM has a batched implementation. The round 3 versions hash more
//! often and run one operation after the other.

use crate::algorithm::MlKem;
use crate::backend::{Backend, Operation, dispatch};
use crate::expand::{Entries, sample_with_job};
use crate::kem::{DecapsKey, EncapsKey};
use crate::keygen::key_row;
use crate::matrix_source::{Order, Source};
use crate::params::Params;
use crate::pke::{EncryptionKey, encrypt_message, encrypt_row};
use crate::poly::{NttPoly, Poly};
use crate::sample::cbd;
use crate::version::Version;
use alloc::vec::Vec;
use core::array::from_fn;
use grille_core::{Array, Bytes, Ciphertext, CryptoRng, DecapsKey as _};
use grille_core::{Encapsulated, Received, Secret, ct, erase};
use grille_hash::lanes::{Function, Lanes};
use grille_hash::{Level, Sha3_256, Sha3_512, Shake256};
use zeroize::Zeroizing;

/// The number of operations in a batch.
const BATCH: usize = 8;

/// Runs ML-KEM.KeyGen, FIPS 203 Algorithm 19, `count` times.
pub(crate) fn generate_many<P: Params>(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
    let whole_batches = if P::Version::IS_BATCHED { count / BATCH } else { 0 };
    let mut keys = Vec::with_capacity(count);
    for _ in 0..whole_batches {
        let seeds = from_fn(|_| P::Version::sample_seed(rng));
        dispatch(KeyGen { seeds: &seeds, keys: &mut keys });
    }
    keys.extend((keys.len()..count).map(|_| DecapsKey::generate(rng)));
    keys
}

/// Runs ML-KEM.Encaps, FIPS 203 Algorithm 20, with many keys.
pub(crate) fn encapsulate_many<P: Params>(
    keys: &[&EncapsKey<P>],
    rng: &mut dyn CryptoRng,
) -> Vec<Encapsulated<MlKem<P>>> {
    let (split_into_batches, rest) = batches::<P, _>(keys);
    let mut sent = Vec::with_capacity(keys.len());
    for keys in split_into_batches {
        dispatch(Encaps { keys, m: from_fn(|_| Secret::random(rng)), sent: &mut sent });
    }
    sent.extend(rest.iter().map(|key| key.encapsulate(rng)));
    sent
}

/// Runs ML-KEM.Decaps, FIPS 203 Algorithm 21, on many ciphertexts.
pub(crate) fn decapsulate_many<P: Params>(received: &[Received<'_, MlKem<P>>]) -> Vec<Secret<[u8; 32]>> {
    let (batches, rest) = batches::<P, _>(received);
    let mut secrets = Vec::with_capacity(received.len());
    for received in batches {
        dispatch(Decaps { received, secrets: &mut secrets });
    }
    secrets.extend(rest.iter().map(|(key, ciphertext)| key.decapsulate(ciphertext)));
    secrets
}

/// Splits items into batches of eight and the remaining items, which run one by one.
fn batches<P: Params, T>(all: &[T]) -> (&[[T; BATCH]], &[T]) {
    if P::Version::IS_BATCHED { all.as_chunks() } else { (&[], all) }
}

struct KeyGen<'a, P: Params> {
    /// The eight seeds d ‖ z.
    seeds: &'a [Secret<[u8; 64]>; BATCH],
    keys: &'a mut Vec<DecapsKey<P>>,
}

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = ();

    /// Runs ML-KEM.KeyGen_internal, FIPS 203 Algorithm 16.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let d = self.seeds.each_ref().map(|seed| &seed.as_ref()[..32]);
        // (rho, sigma) ← G(d ‖ k)
        let rho_sigma = Zeroizing::new(g(backend.level(), d, [&[P::K as u8]; BATCH]));
        // rho is public, because it is part of the encryption key
        let rhos = rho_sigma.each_ref().map(|seeds| ct::public(*halves(seeds).0));
        let sigmas = rho_sigma.each_ref().map(|seeds| halves(seeds).1);
        self.keys
            .extend(self.seeds.iter().zip(&rhos).map(|(seed, rho)| DecapsKey::with_seed(seed.expose(), rho)));
        let keys: &mut [_; BATCH] = self.keys.last_chunk_mut().expect("the batch was just added");
        let mut noise = Zeroizing::new([const { Poly::ZERO }; BATCH]);
        // ŝ ← NTT(s)
        for j in 0..P::K {
            sample_noise(backend, P::ETA1, sigmas, j, &mut noise);
            let pairs = keys.iter_mut().zip(&*noise);
            pairs.for_each(|(key, s)| backend.ntt(s, &mut key.pke.s_hat.as_mut()[j]));
        }
        for i in 0..P::K {
            for n in (i..P::K * P::K).step_by(P::K) {
                let entries = keys.each_mut().map(|key| &mut key.a_hat_t.as_mut()[n]);
                sample_entries::<P, B>(backend, &rhos, n, entries);
            }
            sample_noise(backend, P::ETA1, sigmas, P::K + i, &mut noise);
            for (key, e) in keys.iter_mut().zip(&*noise) {
                let row = key.a_hat_t.as_ref().iter().skip(i).step_by(P::K);
                let EncryptionKey { bytes, t_hat } = &mut key.encaps_key.pke;
                let bytes = &mut bytes.as_mut()[384 * i..][..384];
                key_row(backend, row, key.pke.s_hat.as_ref(), e, &mut t_hat.as_mut()[i], bytes);
            }
        }
        let h = h(backend.level(), keys.each_ref().map(|key| key.encaps_key.pke.bytes.as_ref()));
        for (key, h) in keys.iter_mut().zip(h) {
            key.pke.s_hat.as_mut().iter_mut().for_each(|s_hat| backend.make_canonical(&mut s_hat.0));
            key.h = h;
        }
    }
}

struct Encaps<'a, P: Params> {
    keys: &'a [&'a EncapsKey<P>; BATCH],
    m: [Secret<[u8; 32]>; BATCH],
    sent: &'a mut Vec<Encapsulated<MlKem<P>>>,
}

impl<P: Params> Operation for Encaps<'_, P> {
    type Output = ();

    /// Runs ML-KEM.Encaps_internal, FIPS 203 Algorithm 17.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let keys = self.keys.map(|key| &key.pke);
        let m = self.m.each_ref().map(Secret::expose);
        // (K, r) ← G(m ‖ H(ek))
        let h = h(backend.level(), keys.map(|key| key.bytes.as_ref()));
        let k_and_r = Zeroizing::new(g(backend.level(), m.map(|m| &m[..]), h.each_ref().map(|h| &h[..])));
        // c ← K-PKE.Encrypt(ek, m, r)
        let r = k_and_r.each_ref().map(|k_and_r| halves(k_and_r).1);
        let c = encrypt::<P, B>(backend, keys, None, m, r);
        self.sent.extend(c.into_iter().zip(&*k_and_r).map(|(c, k_and_r)| Encapsulated {
            ciphertext: Ciphertext(c),
            secret: Secret::new(*halves(k_and_r).0),
        }));
    }
}

struct Decaps<'a, P: Params> {
    received: &'a [Received<'a, MlKem<P>>; BATCH],
    secrets: &'a mut Vec<Secret<[u8; 32]>>,
}

impl<P: Params> Operation for Decaps<'_, P> {
    type Output = ();

    /// Runs ML-KEM.Decaps_internal, FIPS 203 Algorithm 18.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let (level, keys) = (backend.level(), self.received.map(|(key, _)| key));
        let c = self.received.map(|(_, ciphertext)| ciphertext.0.as_ref());
        // m′ ← K-PKE.Decrypt(dk_PKE, c)
        let m = self.received.map(|(key, ciphertext)| key.pke.decrypt_with(backend, &ciphertext.0));
        let m = m.each_ref().map(Secret::expose);
        // (K′, r′) ← G(m′ ‖ h)
        let k_and_r = Zeroizing::new(g(level, m.map(|m| &m[..]), keys.map(|key| &key.h[..])));
        let r = k_and_r.each_ref().map(|k_and_r| halves(k_and_r).1);
        // K̄ ← J(z ‖ c)
        let mut rejected = Zeroizing::new([[0; 32]; BATCH]);
        let mut j = Shake256::<BATCH>::new(level);
        j.absorb(keys.map(|key| key.z.as_ref()));
        j.absorb(c);
        j.squeeze(rejected.each_mut().map(|out| &mut out[..]));
        // c′ ← K-PKE.Encrypt(ek_PKE, m′, r′)
        let matrices = Some(keys.map(|key| &key.a_hat_t));
        let c2 = encrypt::<P, B>(backend, keys.map(|key| &key.encaps_key.pke), matrices, m, r);
        let c2 = Zeroizing::new(c2);
        // if c ≠ c′: K′ ← K̄
        self.secrets.extend((0..BATCH).map(|n| {
            let accept = ct::equal(c[n], c2[n].as_ref());
            let (k, z) = (halves(&k_and_r[n]).0, keys[n].z.expose());
            P::Version::select_secret(level, accept, k, z, &rejected[n])
        }));
    }
}

/// Runs K-PKE.Encrypt, FIPS 203 Algorithm 14. `matrices` are the matrices Âᵀ; if `None`, this function expands them
/// from the keys. `m` and `r` are secret.
#[inline(always)]
fn encrypt<P: Params, B: Backend>(
    backend: B,
    keys: [&EncryptionKey<P>; BATCH],
    matrices: Option<[&P::NttMatrix; BATCH]>,
    m: [&[u8; 32]; BATCH],
    r: [&[u8; 32]; BATCH],
) -> [P::CiphertextBytes; BATCH] {
    let rhos = keys.map(|key| *key.source().rho);
    let mut noise = Zeroizing::new([const { Poly::ZERO }; BATCH]);
    // ŷ ← NTT(y)
    let vectors = || from_fn(|_| P::NttVector::from_fn(|_| NttPoly::ZERO));
    let mut y_hat: Zeroizing<[P::NttVector; BATCH]> = Zeroizing::new(vectors());
    for j in 0..P::K {
        sample_noise(backend, P::ETA1, r, j, &mut noise);
        noise.iter().zip(&mut *y_hat).for_each(|(y, y_hat)| backend.ntt(y, &mut y_hat.as_mut()[j]));
    }
    let mut rows = vectors();
    let mut c = from_fn(|_| P::CiphertextBytes::zeroed());
    for i in 0..P::K {
        for j in 0..P::K * usize::from(matrices.is_none()) {
            let entries = rows.each_mut().map(|row| &mut row.as_mut()[j]);
            sample_entries::<P, B>(backend, &rhos, P::K * i + j, entries);
        }
        sample_noise(backend, P::ETA2, r, P::K + i, &mut noise);
        for n in 0..BATCH {
            let row = matrices.map_or(rows[n].as_ref(), |all| &all[n].as_ref()[P::K * i..][..P::K]);
            let c1 = &mut c[n].as_mut()[32 * P::DU * i..][..32 * P::DU];
            encrypt_row::<P, B>(backend, row, y_hat[n].as_ref(), &noise[n], c1);
        }
    }
    sample_noise(backend, P::ETA2, r, 2 * P::K, &mut noise);
    for n in 0..BATCH {
        let c2 = &mut c[n].as_mut()[32 * P::DU * P::K..];
        encrypt_message::<P, B>(backend, keys[n].t_hat.as_ref(), y_hat[n].as_ref(), &noise[n], m[n], c2);
    }
    c
}

/// The entries with the same indices in eight matrices Âᵀ. Each matrix has its own rho.
struct BatchEntry<'a> {
    rhos: &'a [[u8; 32]; BATCH],
    /// The indices j and i.
    indices: [u8; 2],
    entries: [&'a mut NttPoly; BATCH],
}

impl Entries for BatchEntry<'_> {
    fn count(&self) -> usize {
        BATCH
    }

    #[inline(always)]
    fn absorb<const W: usize>(&self, lanes: &mut Lanes<W>, first: usize) {
        debug_assert!(first == 0);
        for (lane, rho) in self.rhos.iter().enumerate() {
            lanes.absorb(lane, 0, rho);
            lanes.absorb(lane, 32, &self.indices);
        }
        lanes.pad_all(Function::SHAKE128, 34);
    }

    #[inline(always)]
    fn entry(&mut self, n: usize) -> &mut NttPoly {
        self.entries[n]
    }
}

/// Runs SampleNTT, FIPS 203 Algorithm 7, for entry `n` of eight matrices Âᵀ that have different values of
/// rho. All data is public.
#[inline(always)]
fn sample_entries<P: Params, B: Backend>(
    backend: B,
    rhos: &[[u8; 32]; BATCH],
    n: usize,
    entries: [&mut NttPoly; BATCH],
) {
    let source = Source { rho: &rhos[0], k: P::K, order: Order::Columns };
    sample_with_job::<B, BATCH>(
        backend,
        &mut BatchEntry { rhos, indices: source.indices(n), entries },
        &mut (),
        None,
    );
}

/// Computes SamplePolyCBD_η(PRF_η(s, b)), FIPS 203 Algorithm 8, for eight values of s. `seeds` and the result
/// are secret.
#[inline(always)]
fn sample_noise<B: Backend>(
    backend: B,
    eta: usize,
    seeds: [&[u8; 32]; BATCH],
    b: usize,
    polys: &mut [Poly; BATCH],
) {
    let mut prf = Shake256::<BATCH>::new(backend.level());
    prf.absorb(seeds.map(|seed| &seed[..]));
    prf.absorb_all(&[b as u8]);
    // each polynomial takes 64·η bytes, with η ≤ 3
    let mut bytes = [[0; 64 * 3]; BATCH];
    prf.squeeze(bytes.each_mut().map(|bytes| &mut bytes[..64 * eta]));
    bytes.iter().zip(polys).for_each(|(bytes, poly)| cbd(backend, eta, bytes, poly));
    erase(bytes.as_flattened_mut());
}

/// Computes G of eight messages, each in two parts.
fn g(level: Level, first: [&[u8]; BATCH], second: [&[u8]; BATCH]) -> [[u8; 64]; BATCH] {
    let mut hashes = [[0; 64]; BATCH];
    let mut g = Sha3_512::<BATCH>::new(level);
    g.absorb(first);
    g.absorb(second);
    g.squeeze(hashes.each_mut().map(|hash| &mut hash[..]));
    hashes
}

/// Computes H of eight messages.
fn h(level: Level, messages: [&[u8]; BATCH]) -> [[u8; 32]; BATCH] {
    let mut hashes = [[0; 32]; BATCH];
    let mut h = Sha3_256::<BATCH>::new(level);
    h.absorb(messages);
    h.squeeze(hashes.each_mut().map(|hash| &mut hash[..]));
    hashes
}

/// Splits 64 bytes into the first 32 and the last 32.
fn halves(bytes: &[u8; 64]) -> (&[u8; 32], &[u8; 32]) {
    let (first, last) = bytes.split_first_chunk().expect("64 bytes");
    (first, last.first_chunk().expect("64 bytes"))
}
