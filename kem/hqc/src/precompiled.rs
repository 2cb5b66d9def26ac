//! The operations of each parameter set, compiled in this crate.
//!
//! Rust compiles a generic function in every crate that calls it, at the optimisation level of that crate. The
//! operations on keys are large. They are compiled once, here, so that programs build faster, and so that
//! optimising this crate is enough to make a development build fast.

use crate::algorithm::Precompiled;
use crate::params::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256, Params};
use crate::{DecapsKey, EncapsKey, Hqc};
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Secret};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<Hqc<Self>> for $set {
            fn parse(bytes: &[u8]) -> Result<EncapsKey<Self>, Error> {
                EncapsKey::parse(bytes)
            }

            fn encapsulate(key: &EncapsKey<Self>, rng: &mut dyn CryptoRng) -> Encapsulated<Hqc<Self>> {
                key.encapsulate(rng)
            }

            fn generate(rng: &mut dyn CryptoRng) -> DecapsKey<Self> {
                DecapsKey::generate(rng)
            }

            fn with_seed(seed: &[u8]) -> Result<DecapsKey<Self>, Error> {
                DecapsKey::with_seed(seed)
            }

            fn import(bytes: &[u8]) -> Result<DecapsKey<Self>, Error> {
                DecapsKey::import(bytes)
            }

            fn decapsulate(
                key: &DecapsKey<Self>,
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Secret<<Self as Params>::SharedBytes> {
                key.decapsulate(ciphertext)
            }
        }
    )*};
}
precompile! { Hqc1 Hqc3 Hqc5 Hqc128 Hqc192 Hqc256 }
