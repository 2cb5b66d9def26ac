//! The algorithm as a type, and the operations on its keys. Parameter sets and keys depend on this module.

use core::marker::PhantomData;
use grille_core::{CryptoRng, Encapsulated, Error, Kem};

/// The algorithm with the parameter set `P`.
pub struct Bike<P>(PhantomData<fn() -> P>);

/// The operations on keys of the KEM `K`. Each parameter set of `K` implements this trait in `precompiled.rs`.
pub trait Precompiled<K: Kem> {
    /// Parses and checks an encapsulation key.
    fn parse(bytes: &[u8]) -> Result<K::EncapsKey, Error>;
    /// Encapsulates a fresh secret.
    fn encapsulate(key: &K::EncapsKey, rng: &mut dyn CryptoRng) -> Encapsulated<K>;
    /// Generates a key pair.
    fn generate(rng: &mut dyn CryptoRng) -> K::DecapsKey;
    /// Parses and checks a decapsulation key.
    fn import(bytes: &[u8]) -> Result<K::DecapsKey, Error>;
    /// Decapsulates with a parsed key.
    fn decapsulate(key: &K::DecapsKey, ciphertext: &K::Ciphertext) -> K::SharedSecret;
}
