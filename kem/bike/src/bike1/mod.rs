//! BIKE-1 of round 2: a public key of two vectors, and no inverse in key generation.
//!
//! The variant CPA is for keys that decapsulate only one ciphertext. The variant FO is for keys that decapsulate many.

mod kem;
mod sample;
mod variant;

use crate::params::Bike1Params;
use grille_core::{Bytes, Ciphertext, CryptoRng, Kem, KemInfo, Secret};

pub use crate::algorithm::Bike1;
pub use kem::{DecapsKey, EncapsKey};
pub use variant::{Cpa, Fo, Variant};

impl<P: Bike1Params> Kem for Bike1<P> {
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
