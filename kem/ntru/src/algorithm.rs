//! The algorithm as a type, and the operations on its keys. Parameter sets and keys depend on this module.

use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Encapsulated, Error, Kem, SecretBytes};

/// The algorithm with the parameter set `P`.
pub struct Ntru<P>(PhantomData<fn() -> P>);

/// The operations on keys of the KEM `K`. Each parameter set of `K` implements this trait in `precompiled.rs`; each
/// function calls the one of the same name in `kem`.
pub trait Precompiled<K: Kem> {
    /// Parses an encapsulation key into one that is zeroed.
    fn read(key: &mut K::EncapsKey, bytes: &[u8]) -> Result<(), Error>;
    /// Encapsulates a fresh secret.
    fn encapsulate(key: &K::EncapsKey, rng: &mut dyn CryptoRng) -> Encapsulated<K>;
    /// Generates a key pair in a key that is zeroed.
    fn generate_in_place(key: &mut K::DecapsKey, rng: &mut dyn CryptoRng);
    /// Generates many key pairs.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<K::DecapsKey>;
    /// Parses a decapsulation key into one that is zeroed.
    fn import(key: &mut K::DecapsKey, bytes: &[u8]) -> Result<(), Error>;
    /// Encodes a decapsulation key.
    fn export(key: &K::DecapsKey) -> SecretBytes;
    /// Decapsulates with a parsed key.
    fn decapsulate(key: &K::DecapsKey, ciphertext: &K::Ciphertext) -> K::SharedSecret;
    /// Decapsulates with an encoded key.
    fn decapsulate_encoded(key: &[u8], ciphertext: &K::Ciphertext) -> Result<K::SharedSecret, Error>;
}
