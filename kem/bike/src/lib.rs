//! BIKE (Bit Flipping Key Encapsulation): BIKE-L1, BIKE-L3 and BIKE-L5 of round 4, BIKE-L1 and BIKE-L3 of round 3, and
//! BIKE-1 of round 2 with L1 and L3, in the variants CPA and FO.
//!
//! BIKE was a candidate of NIST's fourth round and was not standardised; NIST chose HQC. Use BIKE only for existing
//! files and peers, and for comparison.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_bike::BikeL1;
//!
//! # fn main() -> Result<(), Error> {
//! let key = BikeL1::generate(&mut SystemRng);
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
//! Everything is constant time, except that in rounds 2 and 3 the number of candidates rejected in sampling becomes
//! public. This number reveals nothing about the accepted candidates. The decoder takes a fixed number of steps.
//! The time does not reveal whether a ciphertext was accepted.
//!
//! According to an estimate of BIKE's authors, a correct ciphertext fails to decode with a probability of about
//! 2⁻¹²⁸ for BIKE-L1. Sender and receiver then have different secrets.
//!
//! Keys of BIKE-1 in the variant CPA are for one ciphertext only (section “BIKE-1” below).
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Storing and loading keys
//! BIKE keys have no seed. Store `to_bytes()`, and load it with `from_bytes`, which checks that the parts of the key
//! belong together.
//!
//! A decapsulation key of BIKE-1 does not contain its encapsulation key, so store both. A loaded decapsulation key has
//! an equivalent encapsulation key, which differs from the original. The loaded key decapsulates ciphertexts for either
//! encapsulation key.
//!
//! # BIKE-1
//! Use a key of the variant CPA for one ciphertext only: an attacker who learns whether modified ciphertexts
//! decapsulate correctly can recover the key.
//!
//! Deviation from BIKE-1-CPA, whose decapsulation reports an error if decoding fails: the secret is then the first 32
//! bytes of SHA-384(h₀ ‖ h₁ ‖ c), which are unrelated to the sender's secret. The variant FO rejects as specified.
//!
//! # Memory
//! Vectors, products and counters are on the heap and erased. The table states the largest stack use in KiB, including
//! results, as `tests/stack.rs` measures it in a release build at the AVX-512 level:
//!
//! | | BIKE-L1 | BIKE-L3 | BIKE-L5 | BIKE-L1-round3 | BIKE-L3-round3 | BIKE1-L1-CPA | BIKE1-L3-CPA | BIKE1-L1-FO | BIKE1-L3-FO |
//! |---|---|---|---|---|---|---|---|---|---|
//! | key generation | 4 | 4 | 4 | 4 | 4 | 5 | 5 | 5 | 5 |
//! | import of an encapsulation key | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 4 | 4 |
//! | import of a decapsulation key | 4 | 4 | 4 | 4 | 4 | 4 | 5 | 4 | 4 |
//! | encapsulation | 6 | 9 | 13 | 6 | 9 | 9 | 13 | 9 | 16 |
//! | decapsulation | 4 | 5 | 5 | 4 | 5 | 5 | 6 | 5 | 5 |
//!
//! # Map from the specification to the source
//!
//! | BIKE, round 4 | file |
//! |---|---|
//! | Table 4, parameter sets | `params.rs`, with the trait of their codes in `code.rs` |
//! | KeyGen, Encaps, Decaps | `kem.rs` |
//! | differences between rounds 3 and 4: streams and hashes | `round.rs` |
//! | BIKE-1 of round 2: keys, Encaps, Decaps | `bike1/kem.rs`, its variants in `bike1/variant.rs` |
//! | WSHAKE256-PRF, the supports of keys and errors | `sample.rs`; uniform vectors of BIKE-1, `bike1/sample.rs` |
//! | AES256-CTR-PRF of rounds 2 and 3 | `prf.rs` |
//! | the secret parity checks and their encoding | `parity.rs` |
//! | inverses in R | `inverse.rs` |
//! | the Black-Gray-Flip decoder | `decoder.rs`, its counters in `counters.rs` |
//! | vectors and their products | `grille-gf2x` |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
pub mod bike1;
mod code;
mod counters;
mod decoder;
mod inverse;
mod kem;
pub mod params;
mod parity;
mod precompiled;
mod prf;
mod round;
mod sample;

pub use algorithm::Bike;
use bike1::Bike1;
use grille_core::{Bytes, Ciphertext, CryptoRng, Kem, KemInfo, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;

impl<P: Params> Kem for Bike<P> {
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
        P::generate(rng)
    }
}

/// BIKE-L1 of round 4, category 1.
pub type BikeL1 = Bike<params::L1>;
/// BIKE-L3 of round 4, category 3.
pub type BikeL3 = Bike<params::L3>;
/// BIKE-L5 of round 4, category 5.
pub type BikeL5 = Bike<params::L5>;
/// BIKE-L1 of round 3, category 1.
pub type BikeL1Round3 = Bike<params::L1Round3>;
/// BIKE-L3 of round 3, category 3.
pub type BikeL3Round3 = Bike<params::L3Round3>;
/// BIKE1-L1-CPA of round 2, category 1, for keys that decapsulate only one ciphertext.
pub type Bike1L1Cpa = Bike1<params::L1Cpa>;
/// BIKE1-L3-CPA of round 2, category 3, for keys that decapsulate only one ciphertext.
pub type Bike1L3Cpa = Bike1<params::L3Cpa>;
/// BIKE1-L1-FO of round 2, category 1.
pub type Bike1L1Fo = Bike1<params::L1Fo>;
/// BIKE1-L3-FO of round 2, category 3.
pub type Bike1L3Fo = Bike1<params::L3Fo>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! {
    BikeL1 BikeL3 BikeL5 BikeL1Round3 BikeL3Round3 Bike1L1Cpa Bike1L3Cpa Bike1L1Fo Bike1L3Fo
}
