//! BIKE (Bit Flipping Key Encapsulation): BIKE-L1, BIKE-L3 and BIKE-L5 of round 4, and BIKE-L1 and BIKE-L3 of round 3.
//!
//! BIKE was a candidate of NIST's fourth round and was not standardised: NIST chose HQC. It is here for files and peers, and to
//! compare.
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
//! **Constant time**: everything, but in round 3 the number of candidates for positions that sampling rejects, which says
//! nothing about those that stay. The decoder takes a fixed number of steps. Whether a ciphertext was accepted does not show.
//!
//! **Decoding failures**: a ciphertext that was made as specified fails to decode with a probability of about 2⁻¹²⁸ for BIKE-L1, as
//! its authors estimate; the two sides then have different secrets.
//!
//! **Memory**: vectors, products and counters are on the heap and erased. Of the stack, operations take at most, in KiB, their
//! results included, as `tests/stack.rs` measures it in a release build at the AVX-512 level:
//!
//! | | BIKE-L1 | BIKE-L3 | BIKE-L5 | BIKE-L1-round3 | BIKE-L3-round3 |
//! |---|---|---|---|---|---|
//! | key generation | 4 | 4 | 4 | 4 | 4 |
//! | import of an encapsulation key | 4 | 4 | 4 | 4 | 4 |
//! | import of a decapsulation key | 4 | 4 | 4 | 4 | 4 |
//! | encapsulation | 5 | 8 | 12 | 6 | 9 |
//! | decapsulation | 4 | 4 | 4 | 4 | 4 |
//!
//! | BIKE, round 4 | file |
//! |---|---|
//! | Table 4, parameter sets | `params.rs` |
//! | KeyGen, Encaps, Decaps | `kem.rs` |
//! | what the two rounds do differently: streams and hashes | `generation.rs` |
//! | WSHAKE256-PRF, the supports of keys and errors | `sample.rs` |
//! | inverses in R | `inverse.rs` |
//! | the Black-Gray-Flip decoder | `decoder.rs`, its counters in `counters.rs` |
//! | vectors and their products | `grille-gf2x` |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod counters;
mod decoder;
mod generation;
mod inverse;
mod kem;
pub mod params;
mod sample;

use core::marker::PhantomData;
use grille_core::{Bytes, Ciphertext, CryptoRng, Kem, KemInfo, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;

/// The algorithm with the parameter set `P`.
pub struct Bike<P>(PhantomData<fn() -> P>);

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
        DecapsKey::generate(rng)
    }
}

/// BIKE of round 4, category 1.
pub type BikeL1 = Bike<params::L1>;
/// BIKE of round 4, category 3.
pub type BikeL3 = Bike<params::L3>;
/// BIKE of round 4, category 5.
pub type BikeL5 = Bike<params::L5>;
/// BIKE of round 3, category 1.
pub type BikeL1Round3 = Bike<params::L1Round3>;
/// BIKE of round 3, category 3.
pub type BikeL3Round3 = Bike<params::L3Round3>;

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! { BikeL1 BikeL3 BikeL5 BikeL1Round3 BikeL3Round3 }
