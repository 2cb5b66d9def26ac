//! ML-KEM (FIPS 203, August 2024), Kyber (version 3.02 of round 3, August 2021) and Kyber-90s.
//!
//! Use [`MlKem768`] unless a peer requires another parameter set. The receiver generates a key pair and publishes the
//! encapsulation key. The sender encapsulates to it and sends the ciphertext. Both then share a 32-byte secret.
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
//! # Features
//! `erased` (default): adds the module `erased`, which has each parameter set as a [`DynKem`](grille_core::DynKem)
//! value, for programs that choose the algorithm at run time.
//!
//! `internals`: exports internal functions for benchmarks. Their names may change at any time.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. `SystemRng` comes with the feature `system-rng` of `grille-core`.
//! Without an operating system, pass your own [`CryptoRng`].
//!
//! # Security
//! Everything runs in constant time except the expansion of the public matrix. Its time depends on rho and on the
//! number of rejections in SampleNTT. The time of decapsulation does not reveal whether a ciphertext was accepted:
//! a modified ciphertext yields an unrelated secret (implicit rejection).
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Storing and loading keys
//! Store the 64-byte seed, and expand it again when the program starts. Keys and ciphertexts from the network are
//! parsed and checked with `from_bytes` and `try_from`:
//!
//! ```
//! use grille_core::{DecapsKey as _, EncapsKey as _, Error, Kem, SystemRng};
//! use grille_mlkem::{DecapsKey, EncapsKey, MlKem768, params::P768};
//!
//! # fn main() -> Result<(), Error> {
//! let key = MlKem768::generate(&mut SystemRng);
//! let seed = key.seed().expect("a generated key has its seed");     // secret: store this
//! let public = key.encaps_key().to_bytes();                         // send this
//!
//! let sent = EncapsKey::<P768>::from_bytes(&public)?.encapsulate(&mut SystemRng);
//! let ciphertext = sent.ciphertext.as_ref().to_vec();               // send this
//!
//! let key = DecapsKey::<P768>::from_seed(seed.as_ref())?;
//! let ciphertext = ciphertext.as_slice().try_into()?;
//! assert_eq!(key.decapsulate(&ciphertext), sent.secret);
//! # Ok(())
//! # }
//! ```
//!
//! Parsing an encapsulation key includes the modulus check of section 7.2. Parsing a decapsulation key in expanded form
//! includes the hash check of section 7.3, and checks that coefficients are below q. Round 3 specifies none of these
//! checks. This crate also applies them to parsed Kyber keys, but `decapsulate_encoded` does not check the hash in a
//! Kyber key.
//!
//! # Many operations
//! [`EncapsKey::prepare`] expands the matrix once for all encapsulations to a key. Functions whose names end in `_many`
//! take slices of keys and ciphertexts. For ML-KEM, they process eight at a time:
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
//!
//! # Memory
//! Only encoded keys and the results of batched operations are allocated on the heap. The table states the largest
//! stack use in KiB, including results, as `tests/stack.rs` measures it in a release build at the AVX-512 level:
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
//! # Map from the standard to the source
//! The three versions share their code. Steps that differ are methods of a type in `version.rs`.
//!
//! | FIPS 203 | file |
//! |---|---|
//! | Tables 2 and 3, parameter sets | `params.rs` |
//! | Algorithms 16 to 21, ML-KEM; section 7, input checks | `kem.rs`, decapsulation in `decaps.rs`, encoded keys in `encoded_key.rs`, batches of eight in `batch.rs` |
//! | Algorithms 13 to 15, K-PKE | [`pke`], key generation in `keygen.rs` |
//! | Algorithms 7 and 8, sampling | the matrix in `expand.rs`, its seed and order in `matrix_source.rs`, hashes and noise in the same calls in `keccak_schedule.rs`, noise in `sample.rs`, the loops in `backend/` |
//! | Algorithms 5 and 6, section 4.2.1, encoding and compression | `encode.rs`, with vectors in `backend/` |
//! | Algorithms 9 to 12, NTT and products | `backend/`, modulo q in `field.rs`, types in `poly.rs` |
//! | section 4.1, G, H, J; differences of round 3 | `version.rs` |
//! | section 4.1, PRF and XOF | `hash.rs` |
//!
//! Round-3 Kyber can also give a shared secret of any length: [`secret_stream`].
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod batch;
mod decaps;
mod encode;
mod encoded_key;
mod expand;
mod field;
mod hash;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod keccak_schedule;
mod kem;
mod keygen;
mod matrix_source;
pub mod params;
pub mod pke;
mod poly;
mod precompiled;
mod sample;
pub mod secret_stream;
mod version;

pub use algorithm::MlKem;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Kem, KemInfo, Received, Secret};
pub use kem::{DecapsKey, EncapsKey, PreparedEncapsKey};
use params::Params;

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

    /// Generates eight ML-KEM keys at a time in shared Keccak calls. Kyber keys are generated one after the other.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
        P::generate_many(count, rng)
    }

    /// Encapsulates to eight ML-KEM keys at a time in shared Keccak calls. For Kyber, encapsulates to one key after the
    /// other. To encapsulate to the same key repeatedly, [prepare](EncapsKey::prepare) it instead.
    fn encapsulate_many(keys: &[&EncapsKey<P>], rng: &mut dyn CryptoRng) -> Vec<Encapsulated<Self>> {
        P::encapsulate_many(keys, rng)
    }

    /// Decapsulates eight ML-KEM ciphertexts at a time in shared Keccak calls. For Kyber, decapsulates one ciphertext
    /// after the other.
    fn decapsulate_many(received: &[Received<'_, Self>]) -> Vec<Secret<[u8; 32]>> {
        P::decapsulate_many(received)
    }

    fn decapsulate_encoded(key: &[u8], ciphertext: &Self::Ciphertext) -> Result<Secret<[u8; 32]>, Error> {
        P::decapsulate_encoded(key, ciphertext)
    }
}

/// ML-KEM-512, category 1.
pub type MlKem512 = MlKem<params::P512>;
/// ML-KEM-768, category 3.
pub type MlKem768 = MlKem<params::P768>;
/// ML-KEM-1024, category 5.
pub type MlKem1024 = MlKem<params::P1024>;
/// Kyber512 of round 3, category 1.
pub type Kyber512 = MlKem<params::K512>;
/// Kyber768 of round 3, category 3.
pub type Kyber768 = MlKem<params::K768>;
/// Kyber1024 of round 3, category 5.
pub type Kyber1024 = MlKem<params::K1024>;
/// Kyber512-90s of round 3, category 1.
#[allow(non_camel_case_types)]
pub type Kyber512_90s = MlKem<params::K512N>;
/// Kyber768-90s of round 3, category 3.
#[allow(non_camel_case_types)]
pub type Kyber768_90s = MlKem<params::K768N>;
/// Kyber1024-90s of round 3, category 5.
#[allow(non_camel_case_types)]
pub type Kyber1024_90s = MlKem<params::K1024N>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { MlKem512 MlKem768 MlKem1024 Kyber512 Kyber768 Kyber1024 Kyber512_90s Kyber768_90s Kyber1024_90s }
