//! The algorithm as a type, and the operations on its keys. Parameter sets and keys depend on this module.

use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Encapsulated, Error, Kem, Received, SecretBytes};

/// The algorithm with the parameter set `P`.
pub struct SaberKem<P>(PhantomData<fn() -> P>);

/// The operations on keys of the KEM `K`, whose expanded matrices have the type `M` and their bytes the type `B`. Each
/// parameter set of `K` implements this trait in `precompiled.rs`.
pub trait Precompiled<K: Kem, M, B> {
    /// Parses an encapsulation key into one that is zeroed.
    fn read(key: &mut K::EncapsKey, bytes: &[u8]);
    /// Expands A into a zeroed matrix and returns F(pk).
    fn expand(key: &K::EncapsKey, a: &mut M) -> [u8; 32];
    /// Encapsulates a fresh secret. The result is zeroed before.
    fn encapsulate(key: &K::EncapsKey, rng: &mut dyn CryptoRng, sent: &mut Encapsulated<K>);
    /// Encapsulates a fresh secret with A and F(pk). The result is zeroed before.
    fn encapsulate_prepared(
        prepared: (&K::EncapsKey, &M, &[u8; 32]),
        rng: &mut dyn CryptoRng,
        sent: &mut Encapsulated<K>,
    );
    /// Encapsulates fresh secrets to many keys.
    fn encapsulate_many(keys: &[&K::EncapsKey], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<K>>;
    /// Generates a key pair in a key that is zeroed. `a` is space for the bytes of A.
    fn generate(key: &mut K::DecapsKey, rng: &mut dyn CryptoRng, a: &mut B);
    /// Generates many key pairs.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<K::DecapsKey>;
    /// Parses a decapsulation key into one that is zeroed.
    fn import(key: &mut K::DecapsKey, bytes: &[u8]) -> Result<(), Error>;
    /// Encodes a decapsulation key.
    fn export(key: &K::DecapsKey) -> SecretBytes;
    /// Decapsulates with a parsed key. The secret is zeroed before.
    fn decapsulate(key: &K::DecapsKey, ciphertext: &K::Ciphertext, secret: &mut K::SharedSecret);
    /// Decapsulates with an encoded key.
    fn decapsulate_encoded(key: &[u8], ciphertext: &K::Ciphertext) -> Result<K::SharedSecret, Error>;
    /// Decapsulates many ciphertexts.
    fn decapsulate_many(received: &[Received<'_, K>]) -> Vec<K::SharedSecret>;
}
