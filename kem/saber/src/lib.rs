//! SABER of round 3 (2020): LightSaber, Saber and FireSaber.
//!
//! A finalist that was not standardised: for talking with what is deployed, not for new uses.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_saber::Saber;
//!
//! # fn main() -> Result<(), Error> {
//! let key = Saber::generate(&mut SystemRng);
//! let sent = key.encaps_key().encapsulate(&mut SystemRng);
//! assert_eq!(key.decapsulate(&sent.ciphertext), sent.secret);
//! # Ok(())
//! # }
//! ```
//!
//! | SABER round 3 | file |
//! |---|---|
//! | Table 1, parameter sets | `params.rs` |
//! | Algorithms 4 to 6, Saber.KEM | `kem.rs`, eight at a time in `batch.rs` |
//! | Algorithms 1 to 3, Saber.PKE | `pke.rs` |
//! | GenMatrix, GenSecret | `sample.rs`, their streams in `hash.rs` |
//! | data types and their bit strings | `encode.rs`, by vectors in `backend/` |
//! | products modulo X²⁵⁶ + 1 | `backend/ntt.rs`, its constants in `backend/tables.rs`, types in `ring.rs` |
//!
//! **Constant time**: all but the matrix, which is public. Whether a ciphertext was accepted does not show.
//!
//! **Memory**: nothing is allocated but for encoded keys and for the results of many operations at once. Of the stack,
//! operations take at most, in KiB, their results included, as `tests/stack.rs` measures it in a release build at the AVX-512
//! level:
//!
//! | | LightSaber | Saber | FireSaber |
//! |---|---|---|---|
//! | key generation | 32 | 49 | 68 |
//! | import of an encapsulation key | 5 | 6 | 7 |
//! | import of a decapsulation key | 22 | 32 | 41 |
//! | preparing an encapsulation key | 20 | 35 | 56 |
//! | encapsulation | 14 | 22 | 30 |
//! | encapsulation with a prepared key | 9 | 14 | 18 |
//! | decapsulation | 14 | 21 | 28 |
//! | decapsulation with an encoded key | 19 | 30 | 40 |
//! | eight key generations | 41 | 71 | 109 |
//! | eight encapsulations | 29 | 51 | 78 |
//! | eight decapsulations | 34 | 59 | 89 |
//!
//! **Checked**: decapsulation keys for the hash of their public key and for coefficients within ±μ/2. SABER itself has
//! neither check. `decapsulate_encoded` makes the second one only. Every byte string of the right length is a public key.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod batch;
mod encode;
mod hash;
mod kem;
pub mod params;
mod pke;
mod ring;
mod sample;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Kem, KemInfo, Received, Secret};
pub use kem::{DecapsKey, EncapsKey, PreparedEncapsKey};
use params::Params;

/// The algorithm with the parameter set `P`.
pub struct SaberKem<P>(PhantomData<fn() -> P>);

impl<P: Params> Kem for SaberKem<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::EncapsKeyBytes::LEN,
        decaps_key_len: P::DecapsKeyBytes::LEN,
        seed_len: None,
        ciphertext_len: P::CiphertextBytes::LEN,
        shared_secret_len: 32,
    };
    type DecapsKey = DecapsKey<P>;
    type EncapsKey = EncapsKey<P>;
    type Ciphertext = Ciphertext<P::CiphertextBytes>;
    type SharedSecret = Secret<[u8; 32]>;

    fn generate(rng: &mut dyn CryptoRng) -> DecapsKey<P> {
        DecapsKey::generate(rng)
    }

    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<DecapsKey<P>> {
        DecapsKey::generate_boxed(rng)
    }

    /// Eight at a time share the calls of Keccak.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
        batch::generate_many(count, rng)
    }

    /// Eight at a time share the calls of Keccak. With AVX-512 that is faster than one after the other to a key that is
    /// [prepared](EncapsKey::prepare), with AVX2 it is not always.
    fn encapsulate_many(keys: &[&EncapsKey<P>], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        batch::encapsulate_many(keys, rng)
    }

    /// Eight at a time share the calls of Keccak.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Secret<[u8; 32]>> {
        batch::decapsulate_many(received)
    }

    fn decapsulate_encoded(key: &[u8], ciphertext: &Self::Ciphertext) -> Result<Secret<[u8; 32]>, Error> {
        kem::decapsulate_encoded::<P>(key, ciphertext)
    }
}

/// SABER of category 1.
pub type LightSaber = SaberKem<params::Light>;
/// SABER of category 3.
pub type Saber = SaberKem<params::Plain>;
/// SABER of category 5.
pub type FireSaber = SaberKem<params::Fire>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { LightSaber Saber FireSaber }
