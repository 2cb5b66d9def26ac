//! Operations that are compiled in the crate of a family.
//!
//! Rust compiles a generic function in every crate that calls it, at the optimisation level of that crate. The operations
//! on keys are large. Each family compiles them once for each of its parameter sets, in functions that are not generic, so
//! that programs build faster, and so that optimising the family's crate is enough to make a development build fast.
//!
//! A parameter set implements a trait with these functions, and the generic methods of keys call it. [`Precompiled`] is
//! the trait for KEMs whose operations return their results. Families whose operations write their results in place, and
//! signature schemes, have a trait of their own.

use crate::{CryptoRng, Encapsulated, Error, Kem, StreamedEncapsulation};
use alloc::boxed::Box;

/// The operations on keys of the KEM `K`. Each parameter set of `K` implements this trait.
pub trait Precompiled<K: Kem> {
    /// Parses and checks an encapsulation key.
    ///
    /// # Errors
    /// Returns the errors of [`EncapsKey::from_bytes`](crate::EncapsKey::from_bytes).
    fn parse(bytes: &[u8]) -> Result<K::EncapsKey, Error>;
    /// Encapsulates a fresh secret.
    fn encapsulate(key: &K::EncapsKey, rng: &mut dyn CryptoRng) -> Encapsulated<K>;
    /// Generates a key pair.
    fn generate(rng: &mut dyn CryptoRng) -> K::DecapsKey;
    /// Parses and checks a decapsulation key.
    ///
    /// # Errors
    /// Returns the errors of [`DecapsKey::from_bytes`](crate::DecapsKey::from_bytes).
    fn import(bytes: &[u8]) -> Result<K::DecapsKey, Error>;
    /// Decapsulates with a parsed key.
    fn decapsulate(key: &K::DecapsKey, ciphertext: &K::Ciphertext) -> K::SharedSecret;

    /// Generates the key pair of a seed.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if keys have no seed, or [`Error::Length`] if the length is wrong.
    fn with_seed(_seed: &[u8]) -> Result<K::DecapsKey, Error> {
        Err(Error::Unsupported { feature: "seeds" })
    }

    /// Decapsulates with an encoded key.
    ///
    /// # Errors
    /// Returns the errors of [`Kem::decapsulate_encoded`].
    fn decapsulate_encoded(key: &[u8], ciphertext: &K::Ciphertext) -> Result<K::SharedSecret, Error> {
        Self::import(key).map(|key| Self::decapsulate(&key, ciphertext))
    }

    /// Starts to encapsulate with an encoded key that arrives in pieces; see [`Kem::begin_encapsulation`].
    fn begin_encapsulation(_rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
        None
    }
}

/// Defines the functions of [`Precompiled`] that have no default body, in an implementation for the KEM `$kem`. Each calls
/// the method of the same name of the key.
#[macro_export]
macro_rules! forward_kem_operations {
    ($kem:ty) => {
        fn parse(bytes: &[u8]) -> Result<<$kem as $crate::Kem>::EncapsKey, $crate::Error> {
            <$kem as $crate::Kem>::EncapsKey::parse(bytes)
        }

        fn encapsulate(
            key: &<$kem as $crate::Kem>::EncapsKey,
            rng: &mut dyn $crate::CryptoRng,
        ) -> $crate::Encapsulated<$kem> {
            key.encapsulate(rng)
        }

        fn generate(rng: &mut dyn $crate::CryptoRng) -> <$kem as $crate::Kem>::DecapsKey {
            <$kem as $crate::Kem>::DecapsKey::generate(rng)
        }

        fn import(bytes: &[u8]) -> Result<<$kem as $crate::Kem>::DecapsKey, $crate::Error> {
            <$kem as $crate::Kem>::DecapsKey::import(bytes)
        }

        fn decapsulate(
            key: &<$kem as $crate::Kem>::DecapsKey,
            ciphertext: &<$kem as $crate::Kem>::Ciphertext,
        ) -> <$kem as $crate::Kem>::SharedSecret {
            key.decapsulate(ciphertext)
        }
    };
}
