//! NTRU of round 3 (September 2020): NTRU-HPS and NTRU-HRSS, with the two larger parameter sets that liboqs has
//! contained since version 0.7.1.
//!
//! NTRU was a finalist that NIST did not standardise. Use it to communicate with existing deployments.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_ntru::NtruHrss701;
//!
//! # fn main() -> Result<(), Error> {
//! let key = NtruHrss701::generate(&mut SystemRng);
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
//! Everything runs in constant time. Inverses take a fixed number of divsteps, and sampling uses a sorting network.
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Storing and loading keys
//! NTRU keys have no seed. Store `to_bytes()`, and load it with `from_bytes`. Padding bits of public keys
//! must be zero. A decapsulation key must be encoded as key generation encodes it, its parts must belong
//! together, and f and g must be possible results of sampling. The submission has no such checks.
//! `decapsulate_encoded` checks only the encoding: the other checks need the public key, whose computation
//! takes an inversion.
//!
//! # Memory
//! Encoded keys, batches of keys and, during key generation, random bytes and G/3 are on the heap. The table
//! states the largest stack use in KiB, including results, as `tests/stack.rs` measures it in a release build
//! at the AVX-512 level:
//!
//! | | HPS-509 | HPS-677 | HPS-821 | HRSS-701 | HPS-1229 | HRSS-1373 |
//! |---|---|---|---|---|---|---|
//! | key generation | 35 | 47 | 54 | 47 | 82 | 91 |
//! | 32 key generations | 31 | 41 | 47 | 41 | 71 | 78 |
//! | import of a decapsulation key | 36 | 48 | 56 | 48 | 84 | 92 |
//! | import of an encapsulation key | 4 | 5 | 6 | 6 | 9 | 11 |
//! | encapsulation | 25 | 33 | 39 | 31 | 59 | 62 |
//! | decapsulation | 25 | 33 | 39 | 33 | 58 | 64 |
//! | decapsulation with an encoded key | 28 | 37 | 44 | 38 | 66 | 72 |
//!
//! # Map from the submission to the source
//!
//! | NTRU round 3 | file |
//! |---|---|
//! | parameter sets | `params.rs` |
//! | Key_Pair, Encapsulate, Decapsulate | `kem.rs` |
//! | DPKE_Key_Pair, DPKE_Encrypt, DPKE_Decrypt | `dpke.rs` |
//! | differences between HPS and HRSS: Sample_fg, Sample_rm, Lift | `variant.rs` |
//! | Ternary, Ternary_Plus, Fixed_Type | `sample.rs` |
//! | pack_Rq0, pack_Sq, pack_S3 and their inverses | `encode.rs` |
//! | H₁, H₂ | `hash.rs` |
//! | arithmetic in R/q, S/q and S/3 | `ring.rs`; of coefficients in `coefficient.rs`; products in `backend/` |
//! | S2_inverse, S3_inverse, Sq_inverse | `inverse.rs`; divsteps in `backend/` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod coefficient;
mod dpke;
mod encode;
mod hash;
mod inverse;
mod kem;
pub mod params;
mod precompiled;
mod ring;
mod sample;
mod variant;

pub use algorithm::Ntru;
use alloc::boxed::Box;
use alloc::vec::Vec;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Kem, KemInfo, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;

impl<P: Params> Kem for Ntru<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::PublicBytes::LEN,
        decaps_key_len: P::DecapsKeyBytes::LEN,
        seed_len: None,
        ciphertext_len: P::PublicBytes::LEN,
        shared_secret_len: 32,
    };
    type DecapsKey = DecapsKey<P>;
    type EncapsKey = EncapsKey<P>;
    type Ciphertext = Ciphertext<P::PublicBytes>;
    type SharedSecret = Secret<[u8; 32]>;

    fn generate(rng: &mut dyn CryptoRng) -> DecapsKey<P> {
        DecapsKey::generate(rng)
    }

    fn generate_boxed(rng: &mut dyn CryptoRng) -> Box<DecapsKey<P>> {
        DecapsKey::generate_boxed(rng)
    }

    /// Generates many keys, which share one inversion in each ring. In batches of 32, a key takes half of the
    /// time of a single key generation, or two thirds to three quarters for HRSS-1373 (`bench/results/`).
    /// Larger batches save hardly more time.
    fn generate_many(count: usize, rng: &mut dyn CryptoRng) -> Vec<DecapsKey<P>> {
        P::generate_many(count, rng)
    }

    fn decapsulate_encoded(key: &[u8], ciphertext: &Self::Ciphertext) -> Result<Secret<[u8; 32]>, Error> {
        P::decapsulate_encoded(key, ciphertext)
    }
}

/// NTRU-HPS with n = 509 and q = 2048, category 1.
pub type NtruHps2048509 = Ntru<params::Hps2048509>;
/// NTRU-HPS with n = 677 and q = 2048, category 3.
pub type NtruHps2048677 = Ntru<params::Hps2048677>;
/// NTRU-HPS with n = 821 and q = 4096, category 5.
pub type NtruHps4096821 = Ntru<params::Hps4096821>;
/// NTRU-HPS with n = 1229 and q = 4096, category 5.
pub type NtruHps40961229 = Ntru<params::Hps40961229>;
/// NTRU-HRSS with n = 701 and q = 8192, category 3.
pub type NtruHrss701 = Ntru<params::Hrss701>;
/// NTRU-HRSS with n = 1373 and q = 16384, category 5.
pub type NtruHrss1373 = Ntru<params::Hrss1373>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { NtruHps2048509 NtruHps2048677 NtruHps4096821 NtruHps40961229 NtruHrss701 NtruHrss1373 }
