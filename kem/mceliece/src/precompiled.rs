//! The operations of each parameter set, compiled in this crate.
//!
//! Rust compiles a generic function in every crate that calls it, at the optimisation level of that crate. The
//! operations on keys are large. They are compiled once, here, so that programs build faster, and so that
//! optimising this crate is enough to make a development build fast.

use crate::algorithm::Precompiled;
use crate::params::{self, Params};
use crate::{DecapsKey, EncapsKey, McEliece, kem};
use grille_core::{Ciphertext, CryptoRng, Encapsulated, Error, Secret};

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<McEliece<Self>> for params::$set {
            fn parse(bytes: &[u8]) -> Result<EncapsKey<Self>, Error> {
                EncapsKey::parse(bytes)
            }

            fn encapsulate(key: &EncapsKey<Self>, rng: &mut dyn CryptoRng) -> Encapsulated<McEliece<Self>> {
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
            ) -> Secret<[u8; 32]> {
                key.decapsulate(ciphertext)
            }

            fn decapsulate_encoded(
                key: &[u8],
                ciphertext: &Ciphertext<<Self as Params>::CiphertextBytes>,
            ) -> Result<Secret<[u8; 32]>, Error> {
                kem::decapsulate_encoded::<Self>(key, ciphertext)
            }
        }
    )*};
}

precompile! {
    McEliece348864 McEliece348864f McEliece460896 McEliece460896f McEliece6688128 McEliece6688128f
    McEliece6960119 McEliece6960119f McEliece8192128 McEliece8192128f
    McEliece348864Round3 McEliece348864fRound3 McEliece460896Round3 McEliece460896fRound3
    McEliece6688128Round3 McEliece6688128fRound3 McEliece6960119Round3 McEliece6960119fRound3
    McEliece8192128Round3 McEliece8192128fRound3
}
