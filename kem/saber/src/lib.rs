//! SABER of round 3 (2020): LightSaber, Saber and FireSaber.
//!
//! SABER was a finalist that NIST did not standardise. Use it to communicate with existing deployments, not
//! for new applications.
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
//! # Features
//! `erased` (default): adds the module `erased`, which has each parameter set as a [`DynKem`](grille_core::DynKem)
//! value, for programs that choose the algorithm at run time.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. `SystemRng` comes with the feature `system-rng` of `grille-core`.
//! Without an operating system, pass your own [`CryptoRng`].
//!
//! # Security
//! Everything runs in constant time except the expansion of the public matrix. The time of decapsulation does not
//! reveal whether a ciphertext was accepted.
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Storing and loading keys
//! SABER keys have no seed. Store `to_bytes()`, and load it with `from_bytes`. Decapsulation keys are
//! checked: the hash of their public key must match, and coefficients must be within ±μ/2. SABER itself has
//! neither check. `decapsulate_encoded` performs only the second check. Every byte string of the right length
//! is a valid public key.
//!
//! # Memory
//! Only encoded keys and the results of batched operations are allocated on the heap. The table states the largest
//! stack use in KiB, including results, as `tests/stack.rs` measures it in a release build at the AVX-512 level:
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
//! # Map from the specification to the source
//!
//! | SABER round 3 | file |
//! |---|---|
//! | Table 1, parameter sets | `params.rs` |
//! | Algorithms 4 to 6, Saber.KEM | `kem.rs`, prepared keys in `prepared.rs`, batches of eight in `batch.rs` |
//! | Algorithms 1 to 3, Saber.PKE | `pke.rs` |
//! | GenMatrix, GenSecret | `sample.rs`, their streams in `hash.rs` |
//! | data types and their bit strings | `encode.rs`, with vectors in `backend/` |
//! | products modulo X²⁵⁶ + 1 | `backend/ntt.rs`, its constants in `backend/tables.rs`, types in `ring.rs` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod batch;
mod encode;
mod hash;
mod kem;
pub mod params;
mod pke;
mod precompiled;
mod prepared;
mod ring;
mod sample;

pub use algorithm::SaberKem;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Kem, KemInfo, Received, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;
pub use prepared::PreparedEncapsKey;

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

    /// Generates eight keys at a time in shared Keccak calls.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
        P::generate_many(count, rng)
    }

    /// Encapsulates to eight keys at a time in shared Keccak calls. With AVX-512, this is faster than
    /// repeated encapsulation to a [prepared](EncapsKey::prepare) key. With AVX2, it is not always faster.
    fn encapsulate_many(keys: &[&EncapsKey<P>], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        P::encapsulate_many(keys, rng)
    }

    /// Decapsulates eight ciphertexts at a time in shared Keccak calls.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Secret<[u8; 32]>> {
        P::decapsulate_many(received)
    }

    fn decapsulate_encoded(key: &[u8], ciphertext: &Self::Ciphertext) -> Result<Secret<[u8; 32]>, Error> {
        P::decapsulate_encoded(key, ciphertext)
    }
}

/// LightSaber, category 1.
pub type LightSaber = SaberKem<params::Light>;
/// Saber, category 3.
pub type Saber = SaberKem<params::Plain>;
/// FireSaber, category 5.
pub type FireSaber = SaberKem<params::Fire>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { LightSaber Saber FireSaber }
