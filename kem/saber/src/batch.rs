//! Batched key generation, encapsulation and decapsulation, eight operations at a time. Each hash of one
//! operation shares its Keccak calls with the same hash of the other seven operations.
//!
//! The matrix of a key is one long stream, whose Keccak calls must run one after the other. Eight streams
//! that share these calls take as long as one stream.

use crate::algorithm::SaberKem;
use crate::backend::{Backend, Operation, dispatch};
use crate::kem::{Decaps, halves, zeroed_result};
use crate::params::Params;
use crate::pke::{PublicKey, keygen};
use crate::sample::Streamed;
use crate::{DecapsKey, EncapsKey};
use alloc::vec::Vec;
use core::array::from_fn;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Received, Secret, ct};
use grille_hash::{Level, Sha3_256, Sha3_512, Shake128};
use zeroize::Zeroizing;

/// The number of operations in a batch. The remaining operations run one by one, in place, because moving a
/// secret would leave a copy in memory.
const BATCH: usize = 8;

/// Runs Saber.KEM.KeyGen, Algorithm 4, `count` times. Reads 3·32 random bytes per key, in the order of the keys.
pub(crate) fn generate_many<P: Params>(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count / BATCH {
        let mut seeds: [[_; 3]; BATCH] = from_fn(|_| from_fn(|_| Secret::zeroed()));
        sample_secrets(seeds.as_flattened_mut(), rng);
        dispatch(KeyGen { seeds: &seeds, keys: &mut keys });
    }
    for _ in 0..count % BATCH {
        keys.push(DecapsKey::zeroed());
        keys.last_mut().expect("an element was just pushed").generate_in_place(rng);
    }
    keys
}

/// Runs Saber.KEM.Encaps, Algorithm 5, with many keys. Reads 32 random bytes per key, in the order of the keys.
pub(crate) fn encapsulate_many<P: Params>(
    keys: &[&EncapsKey<P>],
    rng: &mut dyn CryptoRng,
) -> Vec<Encapsulated<SaberKem<P>>> {
    let (eights, rest) = keys.as_chunks();
    let mut sent = Vec::with_capacity(keys.len());
    for keys in eights {
        let mut random = from_fn(|_| Secret::zeroed());
        sample_secrets(&mut random, rng);
        dispatch(Encapsulate { keys, random: &random, sent: &mut sent });
    }
    for key in rest {
        sent.push(zeroed_result());
        key.encapsulate_into(rng, sent.last_mut().expect("an element was just pushed"));
    }
    sent
}

/// Runs Saber.KEM.Decaps, Algorithm 6, on many ciphertexts.
pub(crate) fn decapsulate_many<P: Params>(received: &[Received<'_, SaberKem<P>>]) -> Vec<Secret<[u8; 32]>> {
    let (eights, rest) = received.as_chunks();
    let mut secrets = Vec::with_capacity(received.len());
    for received in eights {
        dispatch(Decapsulate { received, secrets: &mut secrets });
    }
    for (key, Ciphertext(c)) in rest {
        secrets.push(Secret::zeroed());
        dispatch(Decaps { key, c, secret: secrets.last_mut().expect("an element was just pushed") });
    }
    secrets
}

/// Fills each secret with 32 random bytes, in place.
fn sample_secrets(secrets: &mut [Secret<[u8; 32]>], rng: &mut dyn CryptoRng) {
    secrets.iter_mut().for_each(|secret| rng.fill_bytes(secret.as_mut()));
}

/// Computes SHAKE128 of eight seeds.
fn shake128<T: Bytes>(level: Level, seeds: [&[u8]; BATCH], out: &mut [T; BATCH]) {
    let mut xof = Shake128::<BATCH>::new(level);
    xof.absorb(seeds);
    xof.squeeze(out.each_mut().map(AsMut::as_mut));
}

/// Computes SHA3-256 of eight messages, each in two parts. Digests have 32 bytes.
fn sha3_256(level: Level, first: [&[u8]; BATCH], second: [&[u8]; BATCH], digests: [&mut [u8]; BATCH]) {
    let mut hash = Sha3_256::<BATCH>::new(level);
    hash.absorb(first);
    hash.absorb(second);
    hash.squeeze(digests);
}

/// Computes F, which is SHA3-256, of eight public keys or ciphertexts.
fn hash_eight<T: Bytes>(level: Level, public: [&T; BATCH]) -> [[u8; 32]; BATCH] {
    let mut digests = [[0; 32]; BATCH];
    sha3_256(level, public.map(AsRef::as_ref), [&[]; BATCH], digests.each_mut().map(AsMut::as_mut));
    digests
}

/// Computes SHA3-512 of eight messages, each in two parts.
fn sha3_512(level: Level, first: [&[u8]; BATCH], second: [&[u8]; BATCH], digests: &mut [[u8; 64]; BATCH]) {
    let mut hash = Sha3_512::<BATCH>::new(level);
    hash.absorb(first);
    hash.absorb(second);
    hash.squeeze(digests.each_mut().map(AsMut::as_mut));
}

struct KeyGen<'a, P: Params> {
    /// The seeds seed_A, seed_s and z of each key.
    seeds: &'a [[Secret<[u8; 32]>; 3]; BATCH],
    keys: &'a mut Vec<DecapsKey<P>>,
}

impl<P: Params> Operation for KeyGen<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.KeyGen, Algorithm 4.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { seeds: drawn, keys } = self;
        let level = backend.level();
        let mut seeds = [[0; 32]; BATCH];
        shake128(level, drawn.each_ref().map(|[seed_a, ..]| seed_a.as_ref()), &mut seeds);
        // these seeds are public, because they are parts of the public keys
        let seeds = seeds.map(ct::public);
        let mut matrices: [_; BATCH] = from_fn(|_| P::MatrixBytes::zeroed());
        shake128(level, slices(&seeds), &mut matrices);
        let mut streams: Zeroizing<[_; BATCH]> = Zeroizing::new(from_fn(|_| P::SecretBytes::zeroed()));
        shake128(level, drawn.each_ref().map(|[_, seed_s, _]| seed_s.as_ref()), &mut streams);
        keys.extend(drawn.iter().map(|_| DecapsKey::zeroed()));
        let keys: &mut [_; BATCH] = keys.last_chunk_mut().expect("the batch was just added");
        for (n, key) in keys.iter_mut().enumerate() {
            key.z.as_mut().copy_from_slice(drawn[n][2].as_ref());
            let made = (&mut key.encaps_key.pke, &mut key.pke);
            keygen::<P, B>(backend, &mut matrices[n].as_ref(), &seeds[n], streams[n].as_ref(), made);
        }
        let h = hash_eight(level, keys.each_ref().map(|key| &key.encaps_key.pke.bytes));
        keys.iter_mut().zip(h).for_each(|(key, h)| key.h = h);
    }
}

struct Encapsulate<'a, P: Params> {
    keys: &'a [&'a EncapsKey<P>; BATCH],
    random: &'a [Secret<[u8; 32]>; BATCH],
    sent: &'a mut Vec<Encapsulated<SaberKem<P>>>,
}

impl<P: Params> Operation for Encapsulate<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.Encaps, Algorithm 5.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { keys, random, sent } = self;
        let level = backend.level();
        // m ← F(random); (K̂, r) ← G(m ‖ F(pk))
        let mut m = Zeroizing::new([[0; 32]; BATCH]);
        let digests = m.each_mut().map(AsMut::as_mut);
        sha3_256(level, random.each_ref().map(AsRef::as_ref), [&[]; BATCH], digests);
        let h = hash_eight(level, keys.map(|key| &key.pke.bytes));
        let mut k_and_r = Zeroizing::new([[0; 64]; BATCH]);
        sha3_512(level, slices(&m), slices(&h), &mut k_and_r);
        // c ← Saber.PKE.Enc(pk, m; r); K ← F(K̂ ‖ F(c))
        sent.extend(keys.iter().map(|_| zeroed_result()));
        let sent: &mut [_; BATCH] = sent.last_chunk_mut().expect("the batch was just added");
        let c = sent.each_mut().map(|sent| &mut sent.ciphertext.0);
        encrypt(backend, keys.map(|key| &key.pke), &m, &k_and_r, c);
        let h = hash_eight(level, sent.each_ref().map(|sent| &sent.ciphertext.0));
        let k = k_and_r.each_ref().map(|k_and_r| halves(k_and_r).0.as_slice());
        sha3_256(level, k, slices(&h), sent.each_mut().map(|sent| sent.secret.as_mut()));
    }
}

struct Decapsulate<'a, P: Params> {
    received: &'a [Received<'a, SaberKem<P>>; BATCH],
    secrets: &'a mut Vec<Secret<[u8; 32]>>,
}

impl<P: Params> Operation for Decapsulate<'_, P> {
    type Output = ();

    /// Runs Saber.KEM.Decaps, Algorithm 6.
    #[inline(always)]
    fn run<B: Backend>(self, backend: B) {
        let Self { received, secrets } = self;
        let keys = received.map(|(key, _)| key);
        let ciphertexts = received.map(|(_, ciphertext)| &ciphertext.0);
        let level = backend.level();
        // m′ ← Saber.PKE.Dec(s, c); (K̂′, r′) ← G(m′ ‖ F(pk))
        let mut m = Zeroizing::new([[0; 32]; BATCH]);
        for n in 0..BATCH {
            keys[n].pke.decrypt(backend, ciphertexts[n], &mut m[n]);
        }
        let mut k_and_r = Zeroizing::new([[0; 64]; BATCH]);
        sha3_512(level, slices(&m), keys.map(|key| key.h.as_slice()), &mut k_and_r);
        // c′ ← Saber.PKE.Enc(pk, m′; r′)
        let mut c2: Zeroizing<[_; BATCH]> = Zeroizing::new(from_fn(|_| P::CiphertextBytes::zeroed()));
        encrypt(backend, keys.map(|key| &key.encaps_key.pke), &m, &k_and_r, c2.each_mut());
        // if c ≠ c′: K̂′ ← z. K ← F(K̂′ ‖ F(c))
        let mut k = Zeroizing::new([[0; 32]; BATCH]);
        for (n, k) in k.iter_mut().enumerate() {
            let accept = ct::equal(ciphertexts[n].as_ref(), c2[n].as_ref());
            k.copy_from_slice(ct::select(keys[n].z.expose(), halves(&k_and_r[n]).0, accept).as_ref());
        }
        let h = hash_eight(level, ciphertexts);
        secrets.extend(received.iter().map(|_| Secret::zeroed()));
        let secrets: &mut [_; BATCH] = secrets.last_chunk_mut().expect("the batch was just added");
        sha3_256(level, slices(&k), slices(&h), secrets.each_mut().map(AsMut::as_mut));
    }
}

/// Runs Saber.PKE.Enc, Algorithm 2, with r in the second halves of `k_and_r`. `m` and `k_and_r` are secret.
#[inline(always)]
fn encrypt<P: Params, B: Backend>(
    backend: B,
    keys: [&PublicKey<P>; BATCH],
    m: &[[u8; 32]; BATCH],
    k_and_r: &[[u8; 64]; BATCH],
    c: [&mut P::CiphertextBytes; BATCH],
) {
    let level = backend.level();
    let mut streams: Zeroizing<[_; BATCH]> = Zeroizing::new(from_fn(|_| P::SecretBytes::zeroed()));
    shake128(level, k_and_r.each_ref().map(|k_and_r| halves(k_and_r).1), &mut streams);
    let mut matrices: [_; BATCH] = from_fn(|_| P::MatrixBytes::zeroed());
    shake128(level, keys.map(PublicKey::seed_a), &mut matrices);
    for (n, c) in c.into_iter().enumerate() {
        let mut matrix = matrices[n].as_ref();
        keys[n].encrypt(backend, Streamed::new(&mut matrix, None), &m[n], streams[n].as_ref(), c);
    }
}

/// Returns eight arrays as slices.
fn slices<const LEN: usize>(arrays: &[[u8; LEN]; BATCH]) -> [&[u8]; BATCH] {
    arrays.each_ref().map(<[u8; LEN]>::as_slice)
}
