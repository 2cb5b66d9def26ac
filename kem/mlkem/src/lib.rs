//! ML-KEM (FIPS 203, August 2024), Kyber (version 3.02 of round 3, August 2021) and Kyber-90s.
//!
//! Three generations, one text: the steps that differ are the methods of a type, see `generation.rs`.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_mlkem::MlKem768;
//!
//! # fn main() -> Result<(), Error> {
//! let key = MlKem768::generate(&mut SystemRng);
//! let sent = key.encaps_key().encapsulate(&mut SystemRng);
//! assert_eq!(key.decapsulate(&sent.ciphertext), sent.secret);
//! # Ok(())
//! # }
//! ```
//!
//! | FIPS 203 | file |
//! |---|---|
//! | Tables 2 and 3, parameter sets | `params.rs` |
//! | Algorithms 16 to 21, ML-KEM; section 7, input checks | `kem.rs`, decapsulation in `decaps.rs`, eight at a time in `batch.rs` |
//! | Algorithms 13 to 15, K-PKE | [`pke`], key generation in `keygen.rs` |
//! | Algorithms 7 and 8, sampling | the matrix in `expand.rs`, hashes and noise beside it in `riders.rs`, noise in `sample.rs`, the loops in `backend/` |
//! | Algorithms 5 and 6, section 4.2.1, encoding and compression | `encode.rs`, by vectors in `backend/` |
//! | Algorithms 9 to 12, NTT and products | `backend/`, modulo q in `field.rs`, types in `poly.rs` |
//! | section 4.1, G, H, J; what round 3 did otherwise | `generation.rs` |
//! | section 4.1, PRF and XOF | `hash.rs` |
//!
//! **Constant time**: all but the matrix, which is public: rho and how often SampleNTT rejected show in the time.
//! Whether a ciphertext was accepted does not.
//!
//! **Memory**: nothing is allocated but for encoded keys and for the results of many operations at once. Of the stack, operations
//! take at most, in KiB, their results included, as `tests/stack.rs` measures it in a release build at the AVX-512 level:
//!
//! | | ML-KEM-512 | ML-KEM-768 | ML-KEM-1024 |
//! |---|---|---|---|
//! | key generation | 22 | 31 | 41 |
//! | import of an encapsulation key | 6 | 9 | 11 |
//! | import of a decapsulation key | 22 | 34 | 48 |
//! | preparing an encapsulation key | 14 | 19 | 27 |
//! | encapsulation | 17 | 20 | 25 |
//! | encapsulation with a prepared key | 12 | 15 | 17 |
//! | decapsulation | 11 | 12 | 14 |
//! | decapsulation with an encoded key | 19 | 24 | 30 |
//! | eight key generations | 22 | 26 | 31 |
//! | eight encapsulations | 42 | 57 | 73 |
//! | eight decapsulations | 35 | 46 | 69 |
//!
//! **Checked**: encapsulation keys by the modulus check of section 7.2, decapsulation keys by the hash check of
//! section 7.3 and for coefficients below q. Round 3 had neither check: keys of Kyber that are read are checked all the
//! same, but `decapsulate_encoded` of Kyber leaves the hash alone.
//!
//! **Often, and many**: [`EncapsKey::prepare`] expands the matrix once for all encapsulations to a key, and functions whose
//! names end in `_many` take keys and ciphertexts as slices, of ML-KEM eight side by side:
//!
//! ```
//! use grille_core::{DecapsKey as _, EncapsKey as _, Kem as _, SystemRng};
//! use grille_mlkem::{EncapsKey, MlKem768};
//!
//! let keys = MlKem768::generate_many(8, &mut SystemRng);
//! let public: Vec<&EncapsKey<_>> = keys.iter().map(|key| key.encaps_key()).collect();
//! let sent = MlKem768::encapsulate_many(&public, &mut SystemRng);
//! let received: Vec<_> = keys.iter().zip(&sent).map(|(key, sent)| (key, &sent.ciphertext)).collect();
//! let secrets = MlKem768::decapsulate_many(&received);
//! assert!(secrets.iter().zip(&sent).all(|(secret, sent)| *secret == sent.secret));
//!
//! let prepared = public[0].prepare();
//! let one = prepared.encapsulate(&mut SystemRng);
//! assert_eq!(keys[0].decapsulate(&one.ciphertext), one.secret);
//! ```
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod batch;
mod decaps;
mod encode;
mod expand;
mod field;
mod generation;
mod hash;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod kem;
mod keygen;
pub mod params;
pub mod pke;
mod poly;
mod riders;
mod sample;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Kem, KemInfo, Received, Secret};
pub use kem::{DecapsKey, EncapsKey, PreparedEncapsKey};
use params::Params;

/// The algorithm with the parameter set `P`.
pub struct MlKem<P>(PhantomData<fn() -> P>);

impl<P: Params> Kem for MlKem<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::EncapsKeyBytes::LEN,
        decaps_key_len: P::DecapsKeyBytes::LEN,
        seed_len: Some(64),
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

    /// Eight at a time share the calls of Keccak; Kyber's run one after the other.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
        batch::generate_many(count, rng)
    }

    /// Eight at a time share the calls of Keccak; Kyber's run one after the other. Who encapsulates to one key again and again
    /// [prepares](EncapsKey::prepare) it instead.
    fn encapsulate_many(keys: &[&EncapsKey<P>], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        batch::encapsulate_many(keys, rng)
    }

    /// Eight at a time share the calls of Keccak; Kyber's run one after the other.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Secret<[u8; 32]>> {
        batch::decapsulate_many(received)
    }

    fn decapsulate_encoded(key: &[u8], ciphertext: &Self::Ciphertext) -> Result<Secret<[u8; 32]>, Error> {
        decaps::with_bytes::<P>(key, ciphertext)
    }
}

/// ML-KEM of category 1.
pub type MlKem512 = MlKem<params::P512>;
/// ML-KEM of category 3.
pub type MlKem768 = MlKem<params::P768>;
/// ML-KEM of category 5.
pub type MlKem1024 = MlKem<params::P1024>;
/// Kyber of round 3, category 1.
pub type Kyber512 = MlKem<params::K512>;
/// Kyber of round 3, category 3.
pub type Kyber768 = MlKem<params::K768>;
/// Kyber of round 3, category 5.
pub type Kyber1024 = MlKem<params::K1024>;
/// Kyber-90s of round 3, category 1.
#[allow(non_camel_case_types)]
pub type Kyber512_90s = MlKem<params::K512N>;
/// Kyber-90s of round 3, category 3.
#[allow(non_camel_case_types)]
pub type Kyber768_90s = MlKem<params::K768N>;
/// Kyber-90s of round 3, category 5.
#[allow(non_camel_case_types)]
pub type Kyber1024_90s = MlKem<params::K1024N>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { MlKem512 MlKem768 MlKem1024 Kyber512 Kyber768 Kyber1024 Kyber512_90s Kyber768_90s Kyber1024_90s }
