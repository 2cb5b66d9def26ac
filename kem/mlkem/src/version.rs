//! The differences between ML-KEM, round 3 Kyber and Kyber-90s. All other code is shared.
//!
//! | step | ML-KEM | Kyber | Kyber-90s |
//! |---|---|---|---|
//! | random bytes of key generation | d ‖ z | d, then z | as Kyber |
//! | (rho, sigma) | G(d ‖ k) | G(d) | as Kyber |
//! | m | random | H(random) | as Kyber |
//! | K | first half of G(m ‖ H(ek)) | KDF(first half ‖ H(c)) | as Kyber |
//! | K of a rejected ciphertext | J(z ‖ c) | KDF(z ‖ H(c)) | as Kyber |
//! | H(ek) in the decapsulation key | checked | not checked | as Kyber |
//! | G, H | SHA3-512, SHA3-256 | as ML-KEM | SHA-512, SHA-256 |
//! | J, KDF | SHAKE256 | SHAKE256 | SHA-256 |
//! | XOF, PRF | SHAKE128, SHAKE256 | as ML-KEM | AES-256-CTR |

use grille_core::{CryptoRng, Secret, ct};
use grille_hash::sha2::{sha256, sha512};
use grille_hash::{Level, sha3_256, sha3_512, shake256};
use subtle::Choice;
use zeroize::Zeroizing;

/// A version of the algorithm; see the table in the module's source.
pub trait Version: Send + Sync + 'static {
    /// Whether XOF, PRF and H are based on Keccak, so that they can share calls of the permutation. If false,
    /// XOF and PRF use AES.
    const USES_KECCAK: bool;
    /// Whether `batch.rs` implements this version.
    const IS_BATCHED: bool = false;
    /// Whether decapsulation hashes z ‖ c with J. If false, it hashes c alone with H.
    const HASHES_WITH_J: bool = false;
    /// Whether decapsulation checks H(ek) in its key, FIPS 203 section 7.3.
    const CHECKS_KEY: bool = false;
    /// Whether m is H of the random bytes of an encapsulation, with an H that is based on Keccak.
    const HASHES_RANDOM: bool = false;

    /// Samples d ‖ z with the calls of `rng` that the known answers of this version require.
    fn sample_seed(rng: &mut dyn CryptoRng) -> Secret<[u8; 64]>;

    /// Computes H of the concatenated `parts`.
    fn h(level: Level, parts: &[&[u8]]) -> [u8; 32];

    /// Computes G of the concatenated `parts`: 64 bytes.
    fn g(level: Level, parts: &[&[u8]]) -> Zeroizing<[u8; 64]>;

    /// Computes (rho, sigma), FIPS 203 Algorithm 13 line 1.
    fn expand_seed(level: Level, d: &[u8; 32], k: u8) -> Zeroizing<[u8; 64]>;

    /// Derives m from the 32 random bytes of an encapsulation.
    fn derive_message(level: Level, random: Secret<[u8; 32]>) -> Secret<[u8; 32]>;

    /// Returns K of an accepted ciphertext. `k` is the first half of G(m ‖ H(ek)).
    fn derive_secret(level: Level, k: &[u8; 32], ciphertext: &[u8]) -> Secret<[u8; 32]>;

    /// Hashes the input of a decapsulation. If [`HASHES_WITH_J`](Self::HASHES_WITH_J) is true, returns J(z ‖ c), which
    /// is secret. Otherwise, returns H(c).
    fn hash_ciphertext(level: Level, z: &[u8; 32], ciphertext: &[u8]) -> Secret<[u8; 32]> {
        if Self::HASHES_WITH_J {
            j(level, &[z, ciphertext])
        } else {
            Secret::new(Self::h(level, &[ciphertext]))
        }
    }

    /// Returns the result of decapsulation, FIPS 203 Algorithm 18, lines 7 to 12, without a branch on `accept`
    /// (secret).
    ///
    /// `k` is the first half of G(m′ ‖ H(ek)), and `hash` is the result of [`hash_ciphertext`](Self::hash_ciphertext).
    fn select_secret(
        level: Level,
        accept: Choice,
        k: &[u8; 32],
        z: &[u8; 32],
        hash: &[u8; 32],
    ) -> Secret<[u8; 32]>;
}

/// ML-KEM, FIPS 203, August 2024.
pub struct Fips203;

impl Version for Fips203 {
    const USES_KECCAK: bool = true;
    const IS_BATCHED: bool = true;
    const HASHES_WITH_J: bool = true;
    const CHECKS_KEY: bool = true;

    fn sample_seed(rng: &mut dyn CryptoRng) -> Secret<[u8; 64]> {
        Secret::random(rng)
    }

    fn h(level: Level, parts: &[&[u8]]) -> [u8; 32] {
        sha3_256(level, parts)
    }

    fn g(level: Level, parts: &[&[u8]]) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(sha3_512(level, parts))
    }

    fn expand_seed(level: Level, d: &[u8; 32], k: u8) -> Zeroizing<[u8; 64]> {
        Self::g(level, &[d, &[k]])
    }

    fn derive_message(_level: Level, random: Secret<[u8; 32]>) -> Secret<[u8; 32]> {
        random
    }

    fn derive_secret(_level: Level, k: &[u8; 32], _ciphertext: &[u8]) -> Secret<[u8; 32]> {
        Secret::new(*k)
    }

    fn select_secret(
        _level: Level,
        accept: Choice,
        k: &[u8; 32],
        _z: &[u8; 32],
        hash: &[u8; 32],
    ) -> Secret<[u8; 32]> {
        ct::select(hash, k, accept)
    }
}

/// Computes J(s) = SHAKE256(s, 256 bits), FIPS 203 section 4.1, which is also the KDF of round 3.
fn j(level: Level, parts: &[&[u8]]) -> Secret<[u8; 32]> {
    let mut out = Secret::zeroed();
    shake256(level, parts, out.as_mut());
    out
}

/// Samples d and then z, with two calls of `rng`.
fn sample_separately(rng: &mut dyn CryptoRng) -> Secret<[u8; 64]> {
    let mut seed = Secret::<[u8; 64]>::zeroed();
    seed.as_mut().chunks_mut(32).for_each(|half| rng.fill_bytes(half));
    seed
}

/// Kyber, version 3.02 of round 3, August 2021.
pub struct Round3;

impl Version for Round3 {
    const USES_KECCAK: bool = true;
    const HASHES_RANDOM: bool = true;

    fn sample_seed(rng: &mut dyn CryptoRng) -> Secret<[u8; 64]> {
        sample_separately(rng)
    }

    fn h(level: Level, parts: &[&[u8]]) -> [u8; 32] {
        sha3_256(level, parts)
    }

    fn g(level: Level, parts: &[&[u8]]) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(sha3_512(level, parts))
    }

    fn expand_seed(level: Level, d: &[u8; 32], _k: u8) -> Zeroizing<[u8; 64]> {
        Self::g(level, &[d])
    }

    fn derive_message(level: Level, random: Secret<[u8; 32]>) -> Secret<[u8; 32]> {
        Secret::new(Self::h(level, &[random.as_ref()]))
    }

    fn derive_secret(level: Level, k: &[u8; 32], ciphertext: &[u8]) -> Secret<[u8; 32]> {
        j(level, &[k, &Self::h(level, &[ciphertext])])
    }

    fn select_secret(
        level: Level,
        accept: Choice,
        k: &[u8; 32],
        z: &[u8; 32],
        hash: &[u8; 32],
    ) -> Secret<[u8; 32]> {
        j(level, &[ct::select(z, k, accept).as_ref(), hash])
    }
}

/// Kyber-90s, version 3.02 of round 3: SHA-2 and AES in place of Keccak.
pub struct Kyber90s;

impl Version for Kyber90s {
    const USES_KECCAK: bool = false;

    fn sample_seed(rng: &mut dyn CryptoRng) -> Secret<[u8; 64]> {
        sample_separately(rng)
    }

    fn h(_level: Level, parts: &[&[u8]]) -> [u8; 32] {
        sha256(parts)
    }

    fn g(_level: Level, parts: &[&[u8]]) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(sha512(parts))
    }

    fn expand_seed(level: Level, d: &[u8; 32], _k: u8) -> Zeroizing<[u8; 64]> {
        Self::g(level, &[d])
    }

    fn derive_message(level: Level, random: Secret<[u8; 32]>) -> Secret<[u8; 32]> {
        Secret::new(Self::h(level, &[random.as_ref()]))
    }

    fn derive_secret(level: Level, k: &[u8; 32], ciphertext: &[u8]) -> Secret<[u8; 32]> {
        Secret::new(Self::h(level, &[k, &Self::h(level, &[ciphertext])]))
    }

    fn select_secret(
        level: Level,
        accept: Choice,
        k: &[u8; 32],
        z: &[u8; 32],
        hash: &[u8; 32],
    ) -> Secret<[u8; 32]> {
        Secret::new(Self::h(level, &[ct::select(z, k, accept).as_ref(), hash]))
    }
}
