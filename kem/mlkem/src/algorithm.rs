//! The algorithm as a type, and the operations on its keys. Parameter sets and keys depend on this module.

use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Encapsulated, Error, Kem, Received, SecretBytes};

/// The algorithm with the parameter set `P`.
pub struct MlKem<P>(PhantomData<fn() -> P>);

/// The operations on keys of the KEM `K`, whose matrices have the type `M`. Each parameter set of `K` implements this
/// trait in `precompiled.rs`.
pub trait Precompiled<K: Kem, M> {
    /// Parses an encapsulation key into one that is zeroed.
    fn read(key: &mut K::EncapsKey, bytes: &[u8]) -> Result<(), Error>;
    /// Expands Âᵀ into a zeroed matrix and returns H(ek).
    fn expand(key: &K::EncapsKey, a_hat_t: &mut M) -> [u8; 32];
    /// Encapsulates a fresh secret.
    fn encapsulate(key: &K::EncapsKey, rng: &mut dyn CryptoRng) -> Encapsulated<K>;
    /// Encapsulates with the given m.
    fn encapsulate_internal(key: &K::EncapsKey, m: &[u8; 32]) -> Encapsulated<K>;
    /// Encapsulates a fresh secret with Âᵀ and H(ek).
    fn encapsulate_prepared(
        key: &K::EncapsKey,
        a_hat_t: &M,
        h: &[u8; 32],
        rng: &mut dyn CryptoRng,
    ) -> Encapsulated<K>;
    /// Encapsulates fresh secrets to many keys.
    fn encapsulate_many(keys: &[&K::EncapsKey], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<K>>;
    /// Generates the key pair of a seed in a key that holds the seed.
    fn generate(seed: &[u8; 64], key: &mut K::DecapsKey);
    /// Generates many key pairs.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<K::DecapsKey>;
    /// Parses a decapsulation key.
    fn import(bytes: &[u8]) -> Result<K::DecapsKey, Error>;
    /// Encodes a decapsulation key.
    fn export(key: &K::DecapsKey) -> SecretBytes;
    /// Decapsulates with a parsed key.
    fn decapsulate(key: &K::DecapsKey, ciphertext: &K::Ciphertext) -> K::SharedSecret;
    /// Decapsulates with an encoded key.
    fn decapsulate_encoded(key: &[u8], ciphertext: &K::Ciphertext) -> Result<K::SharedSecret, Error>;
    /// Decapsulates many ciphertexts.
    fn decapsulate_many(received: &[Received<'_, K>]) -> Vec<K::SharedSecret>;
}
