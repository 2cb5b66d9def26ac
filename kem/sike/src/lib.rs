//! SIKE (supersingular isogeny key encapsulation) and SIDH (supersingular isogeny Diffie–Hellman): p434, p503, p610 and
//! p751, with uncompressed and compressed public keys.
//!
//! **Broken.** W. Castryck and T. Decru computed the secret key from a public key in about an hour on one
//! core: "An efficient key recovery attack on SIDH", EUROCRYPT 2023, <https://eprint.iacr.org/2022/975>.
//! Faster attacks followed. Use this crate for study and for old files only; it provides no protection.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_sike::SikeP434;
//!
//! # fn main() -> Result<(), Error> {
//! let key = SikeP434::generate(&mut SystemRng);
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
//! The secret key can be computed from the public key, so nothing is protected.
//!
//! SIKE rejects altered ciphertexts implicitly. SIDH is a key agreement in the form of a KEM, as in liboqs:
//! encapsulation generates an ephemeral key pair and computes the shared secret. SIDH does not detect altered
//! ciphertexts, so an attacker can compute a secret key that is used more than once.
//!
//! All operations run in constant time, except for the search for a basis on a public curve. Secret keys and shared
//! secrets are erased on drop.
//!
//! # Memory
//! Keys, and vectors of points and logarithms, are on the heap and erased after use. The table
//! states the largest stack use in KiB, as `tests/stack.rs` measures it in a release build:
//!
//! | | SIKE-p434 | SIKE-p751 | SIKE-p434-compressed | SIKE-p751-compressed |
//! |---|---|---|---|---|
//! | key generation | 9 | 15 | 15 | 24 |
//! | import of an encapsulation key | 4 | 4 | 4 | 4 |
//! | import of a decapsulation key | 10 | 16 | 16 | 26 |
//! | encapsulation | 10 | 18 | 15 | 25 |
//! | decapsulation | 10 | 17 | 11 | 19 |
//!
//! # Map from the specification to the source
//!
//! | SIKE, round 3 | file |
//! |---|---|
//! | primes, bases | `params.rs`, the bases as points in `starting_basis.rs`, lengths in `sets.rs` |
//! | GF(p), GF(p²) | `field.rs` over `limbs.rs`, `quadratic.rs` |
//! | xDBL, xTPL, xDBLADD, Ladder3pt, get_A, j_inv | `curve.rs` |
//! | isogenies of degree 2, 3 and 4, strategies | `isogeny.rs` |
//! | isogen, isoex | `sidh.rs` |
//! | KeyGen, Encaps, Decaps | `kem.rs` for SIKE, `agreement.rs` for SIDH |
//! | compressed public keys | `compressed.rs`: `basis.rs`, `pairing.rs`, `logarithm.rs`, `order.rs` |
//! | selection of the side that has the key pair | `exchange.rs` |
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
mod precompiled;
mod quadratic;
pub mod sets;
mod sidh;
mod starting_basis;

use core::marker::PhantomData;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Kem, KemInfo, Secret};
use sets::Params;

/// SIKE with the parameter set `S`.
pub struct Sike<S>(PhantomData<fn() -> S>);

/// SIDH in the form of a KEM, with the parameter set `S`.
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

            /// Decapsulates without computing the public key from the secret key, which saves an isogeny. Does not
            /// detect a SIKE key whose parts do not belong together.
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
