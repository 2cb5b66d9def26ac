//! The algorithm and its variants as types, and the operations on its keys. Parameter sets and keys depend on this
//! module.

use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Encapsulated, Error, Kem, SecretBytes};

/// The algorithm with the parameter set `P`.
pub struct Ntru<P>(PhantomData<fn() -> P>);

/// The variant of a parameter set: [`Hps`] or [`Hrss`].
pub trait Variant: Send + Sync + 'static {
    /// The variant as a value.
    const KIND: Kind;
}

/// The variant as a value. `variant.rs` implements the differences between the variants.
pub enum Kind {
    /// NTRU-HPS.
    Hps,
    /// NTRU-HRSS.
    Hrss,
}

/// NTRU-HPS.
pub struct Hps;

/// NTRU-HRSS.
pub struct Hrss;

impl Variant for Hps {
    const KIND: Kind = Kind::Hps;
}

impl Variant for Hrss {
    const KIND: Kind = Kind::Hrss;
}

impl Hps {
    /// Returns the number of bytes that Sample_fg reads: one byte per coefficient of one polynomial, and 30 bits per
    /// coefficient of the other. Sample_rm reads the same number of bytes.
    pub(crate) const fn sample_len(n: usize) -> usize {
        n - 1 + (30 * (n - 1)).div_ceil(8)
    }
}

impl Hrss {
    /// Returns the number of bytes that Sample_fg reads: one byte per coefficient of both polynomials. Sample_rm reads
    /// the same number of bytes.
    pub(crate) const fn sample_len(n: usize) -> usize {
        2 * (n - 1)
    }
}

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
