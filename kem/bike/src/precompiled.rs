//! The operations of each parameter set, compiled in this crate.
//!
//! Rust compiles a generic function in every crate that calls it, at the optimisation level of that crate. The
//! operations on keys are large. They are compiled once, here, so that programs build faster, and so that
//! optimising this crate is enough to make a development build fast.

use crate::algorithm::Precompiled;
use crate::bike1::{self, Bike1};
use crate::params::{Code, L1, L1Cpa, L1Fo, L1Round3, L3, L3Cpa, L3Fo, L3Round3, L5};
use crate::{Bike, kem};
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Secret};

macro_rules! precompile {
    ($($kem:ident in $module:ident: $($set:ident)*;)*) => {$($(
        impl Precompiled<$kem<Self>> for $set {
            fn parse(bytes: &[u8]) -> Result<$module::EncapsKey<Self>, Error> {
                $module::EncapsKey::parse(bytes)
            }

            fn encapsulate(key: &$module::EncapsKey<Self>, rng: &mut dyn CryptoRng) -> Encapsulated<$kem<Self>> {
                key.encapsulate(rng)
            }

            fn generate(rng: &mut dyn CryptoRng) -> $module::DecapsKey<Self> {
                $module::DecapsKey::generate(rng)
            }

            fn import(bytes: &[u8]) -> Result<$module::DecapsKey<Self>, Error> {
                $module::DecapsKey::import(bytes)
            }

            fn decapsulate(
                key: &$module::DecapsKey<Self>,
                ciphertext: &Ciphertext<<Self as Code>::CiphertextBytes>,
            ) -> Secret<[u8; 32]> {
                key.decapsulate(ciphertext)
            }
        }
    )*)*};
}

precompile! {
    Bike in kem: L1 L3 L5 L1Round3 L3Round3;
    Bike1 in bike1: L1Cpa L3Cpa L1Fo L3Fo;
}
