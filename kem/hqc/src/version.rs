//! The differences between the two versions of HQC: seeds and streams, hashes, and the tail of a ciphertext. The tail
//! is the part after u and v: a random salt in the version of August 2025, or d, a hash of the message, in round 3.

use crate::sample::{self, Candidates};
use crate::xof::{SeedExpander, Xof};
use grille_core::{CryptoRng, Secret, SecretBytes};
use grille_gf2x::{Element as Vector, Ring};
use grille_hash::sha2::sha512;
use grille_hash::{Level, sha3_256, sha3_512, shake256};

/// The seeds of the parts of a key pair. They are random or expanded from another seed. All except `h_seed` are secret.
pub struct KeySeeds {
    /// The seed of x and y, in the first [`Version::SEED_LEN`] bytes.
    pub(crate) xy_seed: Secret<[u8; 40]>,
    /// The seed of h, in the first [`Version::SEED_LEN`] bytes.
    pub(crate) h_seed: [u8; 40],
    /// σ, the secret that is hashed with rejected ciphertexts. Empty in round 3, which hashes the seed of x and y.
    pub(crate) sigma: SecretBytes,
}

/// The values derived from a message. The version of August 2025 also uses the public key and the salt. θ is in the
/// first [`Version::SEED_LEN`] bytes of `theta`.
pub struct Derived {
    pub(crate) theta: Secret<[u8; 64]>,
    /// K in the version of August 2025, in the first 32 bytes. Unused in round 3, where K also depends on u and v.
    pub(crate) k: Secret<[u8; 64]>,
}

/// A version of HQC.
pub trait Version: 'static {
    /// The length of a seed in bytes.
    const SEED_LEN: usize;
    /// The length in bytes of the seed of a whole key pair, if there is one.
    const KEY_SEED_LEN: Option<usize>;
    /// The number of bytes in the tail of a ciphertext, the part after u and v. The tail is the salt in the version of
    /// August 2025, and d in round 3.
    const TAIL_LEN: usize;
    /// Whether the tail of a ciphertext, the part after u and v, is random. If false, it is d, a hash of the message.
    const TAIL_IS_RANDOM: bool;

    /// Samples the seed of a key pair: 32 bytes, or in round 3 two seeds of 40 bytes.
    fn sample_seeds(rng: &mut dyn CryptoRng) -> SecretBytes;
    /// Expands the result of [`sample_seeds`](Self::sample_seeds). `k` is the number of bytes of a message.
    fn expand(level: Level, pair_seed: &[u8], k: usize) -> KeySeeds;
    /// Samples the secret vectors x and y, both of weight `weight`.
    fn sample_secret_vectors<R: Ring>(level: Level, seed: &[u8; 40], weight: usize) -> [Vector<R>; 2];
    /// Samples the public vector h.
    fn sample_public_vector<R: Ring>(level: Level, seed: &[u8]) -> Vector<R>;
    /// Samples r₁, r₂ and e, all of weight `weight`.
    fn sample_noise<R: Ring>(level: Level, theta: &[u8; 64], weight: usize) -> [Vector<R>; 3];
    /// Derives θ. The version of August 2025 also derives K. `h` is H(ek), and `tail` is the salt; round 3 ignores
    /// both.
    fn derive(level: Level, h: &[u8; 32], message: &[u8], tail: &[u8]) -> Derived;
    /// Computes d, the hash of the message. Used only if [`TAIL_IS_RANDOM`](Self::TAIL_IS_RANDOM) is false.
    fn compute_tail(message: &[u8]) -> [u8; 64];
    /// Returns K, the shared secret. The version of August 2025 takes it from `derived`. Round 3 hashes the message and
    /// `u_v`, which is u ‖ v.
    fn compute_secret(derived: Derived, message: &[u8], u_v: &[u8]) -> Secret<[u8; 64]>;
    /// Computes the secret of a rejected ciphertext.
    fn compute_rejection_secret(
        level: Level,
        h: &[u8; 32],
        seeds: &KeySeeds,
        ciphertext: &[u8],
    ) -> Secret<[u8; 64]>;
}

/// HQC of 22 August 2025.
pub enum August2025 {}

impl August2025 {
    /// Returns the number of bytes of a decapsulation key after its encapsulation key: the seed of x and y, σ, and the
    /// seed of the pair.
    pub(crate) const fn secrets_len(k: usize) -> usize {
        32 + k + 32
    }
}

impl Version for August2025 {
    const SEED_LEN: usize = 32;
    const KEY_SEED_LEN: Option<usize> = Some(32);
    const TAIL_LEN: usize = 16;
    const TAIL_IS_RANDOM: bool = true;

    fn sample_seeds(rng: &mut dyn CryptoRng) -> SecretBytes {
        let mut seed = SecretBytes::new(alloc::vec![0; 32]);
        rng.fill_bytes(seed.as_mut());
        seed
    }

    fn expand(level: Level, pair_seed: &[u8], k: usize) -> KeySeeds {
        // seed_PKE ‖ σ = XOF(seed_KEM), seed_dk ‖ seed_ek = I(seed_PKE)
        let mut expanded = Secret::new([0; 64]);
        shake256(level, &[pair_seed, &[1]], &mut expanded.as_mut()[..32 + k]);
        let (seed_pke, sigma) = expanded.expose()[..32 + k].split_at(32);
        let seeds = Secret::new(sha3_512(level, &[seed_pke, &[2]]));
        let (mut of_xy, mut of_h) = (Secret::zeroed(), [0; 40]);
        of_xy.as_mut()[..32].copy_from_slice(&seeds.expose()[..32]);
        of_h[..32].copy_from_slice(&seeds.expose()[32..]);
        // public: part of the public key
        grille_core::ct::public_bytes(&mut of_h);
        KeySeeds { xy_seed: of_xy, h_seed: of_h, sigma: sigma.into() }
    }

    fn sample_secret_vectors<R: Ring>(level: Level, seed: &[u8; 40], weight: usize) -> [Vector<R>; 2] {
        let mut xof = Xof::new(level, &seed[..32]);
        let [y, x] =
            [(); 2].map(|()| sample::sample_by_rejection(level, &mut xof, Candidates::LittleEndian, weight));
        [x, y]
    }

    fn sample_public_vector<R: Ring>(level: Level, seed: &[u8]) -> Vector<R> {
        sample::sample_uniform(&mut Xof::new(level, &seed[..32]))
    }

    fn sample_noise<R: Ring>(level: Level, theta: &[u8; 64], weight: usize) -> [Vector<R>; 3] {
        let mut xof = Xof::new(level, &theta[..32]);
        let [r2, e, r1] = [(); 3].map(|()| sample::sample_by_reduction(level, &mut xof, weight));
        [r1, r2, e]
    }

    fn derive(level: Level, h: &[u8; 32], message: &[u8], tail: &[u8]) -> Derived {
        // K ‖ θ = G(H(ek) ‖ m ‖ salt)
        let both = Secret::new(sha3_512(level, &[h, message, tail, &[0]]));
        let (mut theta, mut k) = (Secret::zeroed(), Secret::zeroed());
        k.as_mut()[..32].copy_from_slice(&both.expose()[..32]);
        theta.as_mut()[..32].copy_from_slice(&both.expose()[32..]);
        Derived { theta, k }
    }

    fn compute_tail(_message: &[u8]) -> [u8; 64] {
        [0; 64]
    }

    fn compute_secret(derived: Derived, _message: &[u8], _u_v: &[u8]) -> Secret<[u8; 64]> {
        derived.k
    }

    fn compute_rejection_secret(
        level: Level,
        h: &[u8; 32],
        seeds: &KeySeeds,
        ciphertext: &[u8],
    ) -> Secret<[u8; 64]> {
        // K̄ = J(H(ek) ‖ σ ‖ c)
        let hash = Secret::new(sha3_256(level, &[h, seeds.sigma.as_ref(), ciphertext, &[3]]));
        let mut secret = Secret::zeroed();
        secret.as_mut()[..32].copy_from_slice(hash.as_ref());
        secret
    }
}

/// HQC of October 2020, a candidate in NIST's third round.
pub enum Round3 {}

impl Round3 {
    /// Returns the number of bytes of a decapsulation key in addition to its encapsulation key: the seed of x and y.
    pub(crate) const fn secrets_len(_k: usize) -> usize {
        40
    }
}

impl Version for Round3 {
    const SEED_LEN: usize = 40;
    const KEY_SEED_LEN: Option<usize> = None;
    const TAIL_LEN: usize = 64;
    const TAIL_IS_RANDOM: bool = false;

    fn sample_seeds(rng: &mut dyn CryptoRng) -> SecretBytes {
        let mut seeds = SecretBytes::new(alloc::vec![0; 80]);
        seeds.as_mut().chunks_mut(40).for_each(|seed| rng.fill_bytes(seed));
        seeds
    }

    fn expand(_level: Level, pair_seed: &[u8], _k: usize) -> KeySeeds {
        let (of_xy, of_h) = pair_seed.split_first_chunk().expect("80 bytes");
        let mut of_h = *of_h.first_chunk().expect("40 bytes");
        // public: part of the public key
        grille_core::ct::public_bytes(&mut of_h);
        KeySeeds { xy_seed: Secret::new(*of_xy), h_seed: of_h, sigma: SecretBytes::default() }
    }

    fn sample_secret_vectors<R: Ring>(level: Level, seed: &[u8; 40], weight: usize) -> [Vector<R>; 2] {
        let mut stream = SeedExpander::new(seed);
        [(); 2].map(|()| sample::sample_by_rejection(level, &mut stream, Candidates::BigEndian, weight))
    }

    fn sample_public_vector<R: Ring>(_level: Level, seed: &[u8]) -> Vector<R> {
        sample::sample_uniform(&mut SeedExpander::new(seed))
    }

    fn sample_noise<R: Ring>(level: Level, theta: &[u8; 64], weight: usize) -> [Vector<R>; 3] {
        let mut stream = SeedExpander::new(theta);
        [(); 3].map(|()| sample::sample_by_rejection(level, &mut stream, Candidates::BigEndian, weight))
    }

    fn derive(level: Level, _h: &[u8; 32], message: &[u8], _tail: &[u8]) -> Derived {
        Derived { theta: Secret::new(sha3_512(level, &[message])), k: Secret::zeroed() }
    }

    fn compute_tail(message: &[u8]) -> [u8; 64] {
        sha512(&[message])
    }

    fn compute_secret(_derived: Derived, message: &[u8], u_v: &[u8]) -> Secret<[u8; 64]> {
        Secret::new(sha512(&[message, u_v]))
    }

    /// Computes the secret of a rejected ciphertext. Deviation from round 3, which reports an error.
    fn compute_rejection_secret(
        _level: Level,
        _h: &[u8; 32],
        seeds: &KeySeeds,
        ciphertext: &[u8],
    ) -> Secret<[u8; 64]> {
        Secret::new(sha512(&[seeds.xy_seed.as_ref(), ciphertext]))
    }
}
