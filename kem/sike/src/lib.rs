//! SIKE and SIDH (supersingular isogeny key encapsulation and Diffie-Hellman).
//!
//! **Broken**: W. Castryck and T. Decru found in 2022 how to compute secret keys from public ones in an hour on one core ("An
//! efficient key recovery attack on SIDH", EUROCRYPT 2023, <https://eprint.iacr.org/2022/975>). Use it for study only.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod agreement;
mod basis;
mod compressed;
mod curve;
mod exchange;
mod field;
mod isogeny;
mod kem;
mod limbs;
mod logarithm;
mod order;
mod pairing;
pub mod params;
mod quadratic;
pub mod sets;
mod sidh;

use core::marker::PhantomData;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Kem, KemInfo, Secret};
use sets::Params;

/// SIKE with the parameter set `S`.
pub struct Sike<S>(PhantomData<fn() -> S>);

/// SIDH, as a KEM, with the parameter set `S`.
pub struct Sidh<S>(PhantomData<fn() -> S>);

macro_rules! kems {
    ($($kem:ident in $module:ident)*) => {$(
        impl<S: Params> Kem for $kem<S> {
            const INFO: KemInfo = KemInfo {
                name: S::NAME,
                encaps_key_len: S::EncapsKeyBytes::LEN,
                decaps_key_len: S::DecapsKeyBytes::LEN,
                seed_len: None,
                ciphertext_len: S::CiphertextBytes::LEN,
                shared_secret_len: S::SharedBytes::LEN,
            };
            type DecapsKey = $module::DecapsKey<S>;
            type EncapsKey = $module::EncapsKey<S>;
            type Ciphertext = Ciphertext<S::CiphertextBytes>;
            type SharedSecret = Secret<S::SharedBytes>;

            fn generate(rng: &mut dyn CryptoRng) -> Self::DecapsKey {
                $module::DecapsKey::generate(rng)
            }

            /// Does not check that the parts of the key belong together, which saves an isogeny.
            fn decapsulate_encoded(
                decaps_key: &[u8],
                ciphertext: &Self::Ciphertext,
            ) -> Result<Self::SharedSecret, Error> {
                $module::decapsulate_encoded::<S>(decaps_key, ciphertext)
            }
        }
    )*};
}

kems! { Sike in kem Sidh in agreement }

macro_rules! names {
    ($($scheme:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("[`", stringify!($scheme), "`] with the parameters of [`sets::", stringify!($name), "`].")]
        pub type $name = $scheme<sets::$name>;
    )*)*};
}

names! {
    Sike: SikeP434 SikeP503 SikeP610 SikeP751
        SikeP434Compressed SikeP503Compressed SikeP610Compressed SikeP751Compressed;
    Sidh: SidhP434 SidhP503 SidhP610 SidhP751
        SidhP434Compressed SidhP503Compressed SidhP610Compressed SidhP751Compressed;
}

#[cfg(all(feature = "erased", not(test)))]
grille_core::erase_kems! {
    SikeP434 SikeP503 SikeP610 SikeP751
    SikeP434Compressed SikeP503Compressed SikeP610Compressed SikeP751Compressed
    SidhP434 SidhP503 SidhP610 SidhP751
    SidhP434Compressed SidhP503Compressed SidhP610Compressed SidhP751Compressed
}
