//! Classic McEliece: its five sizes, each also semi-systematic (`f`), in the current form and in that of round 3.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod benes;
mod control;
mod decode;
mod encode;
mod fft;
pub mod field;
mod generation;
mod goppa;
mod kem;
mod matrix;
pub mod params;
mod sort;
mod tables;

use core::marker::PhantomData;
use generation::Generation;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Kem, KemInfo, Secret};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;

/// The algorithm with the parameter set `P`.
pub struct McEliece<P>(PhantomData<fn() -> P>);

impl<P: Params> Kem for McEliece<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::ENCAPS_KEY_LEN,
        decaps_key_len: P::DECAPS_KEY_LEN,
        seed_len: if P::Generation::PREFIX_LEN > 0 { Some(32) } else { None },
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

    fn decapsulate_encoded(
        decaps_key: &[u8],
        ciphertext: &Ciphertext<P::CiphertextBytes>,
    ) -> Result<Secret<[u8; 32]>, Error> {
        kem::decapsulate_encoded::<P>(decaps_key, ciphertext.as_ref())
    }
}

macro_rules! names {
    ($($name:ident $doc:literal;)*) => {
        $(
            #[doc = $doc]
            pub type $name = McEliece<params::$name>;
        )*
        #[cfg(all(feature = "erased", not(test)))]
        grille_core::erase_kems! { $($name)* }
    };
}

names! {
    McEliece348864 "mceliece348864, category 1.";
    McEliece348864f "mceliece348864f, category 1.";
    McEliece460896 "mceliece460896, category 3.";
    McEliece460896f "mceliece460896f, category 3.";
    McEliece6688128 "mceliece6688128, category 5.";
    McEliece6688128f "mceliece6688128f, category 5.";
    McEliece6960119 "mceliece6960119, category 5.";
    McEliece6960119f "mceliece6960119f, category 5.";
    McEliece8192128 "mceliece8192128, category 5.";
    McEliece8192128f "mceliece8192128f, category 5.";
    McEliece348864Round3 "mceliece348864 of round 3, category 1.";
    McEliece348864fRound3 "mceliece348864f of round 3, category 1.";
    McEliece460896Round3 "mceliece460896 of round 3, category 3.";
    McEliece460896fRound3 "mceliece460896f of round 3, category 3.";
    McEliece6688128Round3 "mceliece6688128 of round 3, category 5.";
    McEliece6688128fRound3 "mceliece6688128f of round 3, category 5.";
    McEliece6960119Round3 "mceliece6960119 of round 3, category 5.";
    McEliece6960119fRound3 "mceliece6960119f of round 3, category 5.";
    McEliece8192128Round3 "mceliece8192128 of round 3, category 5.";
    McEliece8192128fRound3 "mceliece8192128f of round 3, category 5.";
}
