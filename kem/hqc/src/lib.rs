//! HQC (Hamming Quasi-Cyclic): HQC-1, HQC-3 and HQC-5 of August 2025, and HQC-128, HQC-192 and HQC-256 of round 3.
//!
//! In March 2025, NIST chose HQC as a second KEM standard after ML-KEM. The standard itself is not published yet. The
//! edition of August 2025 is the newest specification. Use the version of round 3 only for existing files and peers.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_hqc::Hqc1;
//!
//! # fn main() -> Result<(), Error> {
//! let key = Hqc1::generate(&mut SystemRng);
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
//! Everything is constant time, with two exceptions: the sampling of the public h, and the number of candidates
//! that key generation rejects. This number reveals nothing about the key. The time does not reveal whether a
//! ciphertext was accepted.
//!
//! The version of August 2025 rejects implicitly, as specified. The specification of round 3 reports an error;
//! here, round 3 also rejects implicitly. The secret is then SHA-512 of the seed of x and y and the ciphertext.
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Storing and loading keys
//! For a key of the version of August 2025, store the 32-byte seed ([`DecapsKey::seed`](grille_core::DecapsKey::seed));
//! everything else is derived from it. For a key of round 3, store `to_bytes()`.
//!
//! # Memory
//! Vectors and products are on the heap, at most twelve vectors at a time (28, 54 and 96 KiB), and erased. The table
//! states the largest stack use in KiB, including results, as `tests/stack.rs` measures it in a release build at the
//! AVX-512 level:
//!
//! | | HQC-1 | HQC-3 | HQC-5 | HQC-128 | HQC-192 | HQC-256 |
//! |---|---|---|---|---|---|---|
//! | key generation | 12 | 21 | 32 | 21 | 30 | 41 |
//! | import of an encapsulation key | 9 | 15 | 23 | 18 | 24 | 32 |
//! | import of a decapsulation key | 19 | 35 | 54 | 28 | 44 | 63 |
//! | encapsulation | 12 | 21 | 32 | 21 | 30 | 41 |
//! | decapsulation | 8 | 13 | 18 | 17 | 22 | 27 |
//!
//! # Map from the specification to the source
//!
//! | HQC, August 2025 | file |
//! |---|---|
//! | Table 5, parameter sets | `params.rs` |
//! | HQC-KEM: Keygen, Encaps, Decaps | `kem.rs` |
//! | HQC-PKE: Keygen, Encrypt, Decrypt | `pke.rs` |
//! | differences between the two versions | `version.rs` |
//! | SampleVect, SampleFixedWeightVect, SampleFixedWeightVect$ | `sample.rs`, their streams in `xof.rs` |
//! | the code C: Encode, Decode | `code.rs`, from `reed_solomon.rs` over `field.rs`, and `reed_muller.rs` |
//! | vectors and their products | `grille-gf2x` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod code;
mod field;
mod kem;
pub mod params;
mod pke;
mod precompiled;
mod reed_muller;
mod reed_solomon;
mod sample;
mod version;
mod xof;

pub use algorithm::Hqc;
use grille_core::{Bytes, Ciphertext, CryptoRng, Kem, KemInfo, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;
use version::Version;

impl<P: Params> Kem for Hqc<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::EncapsKeyBytes::LEN,
        decaps_key_len: P::DecapsKeyBytes::LEN,
        seed_len: P::Version::KEY_SEED_LEN,
        ciphertext_len: P::CiphertextBytes::LEN,
        shared_secret_len: P::SharedBytes::LEN,
    };
    type DecapsKey = DecapsKey<P>;
    type EncapsKey = EncapsKey<P>;
    type Ciphertext = Ciphertext<P::CiphertextBytes>;
    type SharedSecret = Secret<P::SharedBytes>;

    fn generate(rng: &mut dyn CryptoRng) -> DecapsKey<P> {
        P::generate(rng)
    }
}

/// HQC-1 of August 2025, category 1.
pub type Hqc1 = Hqc<params::Hqc1>;
/// HQC-3 of August 2025, category 3.
pub type Hqc3 = Hqc<params::Hqc3>;
/// HQC-5 of August 2025, category 5.
pub type Hqc5 = Hqc<params::Hqc5>;
/// HQC-128 of round 3, category 1.
pub type Hqc128 = Hqc<params::Hqc128>;
/// HQC-192 of round 3, category 3.
pub type Hqc192 = Hqc<params::Hqc192>;
/// HQC-256 of round 3, category 5.
pub type Hqc256 = Hqc<params::Hqc256>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { Hqc1 Hqc3 Hqc5 Hqc128 Hqc192 Hqc256 }
