//! Classic McEliece: five sizes, each also in semi-systematic form (`f`), in the current version and in the
//! version of round 3.
//!
//! Classic McEliece was a candidate until round 4 of NIST's process, and ISO/IEC 18033-2/Amd 2 standardises it. The
//! current version is that of round 4, which liboqs has contained since version 0.9. The version of round 3 is that of
//! liboqs 0.5 to 0.8. Public keys have 0.3 to 1.4 MB, and ciphertexts have 96 to 240 bytes. TLS cannot use Classic
//! McEliece, because a key share has at most 65,535 bytes.
//!
//! ```
//! use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
//! use grille_mceliece::McEliece348864f;
//!
//! # fn main() -> Result<(), Error> {
//! let key = McEliece348864f::generate(&mut SystemRng);
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
//! Everything runs in constant time, with these exceptions: whether and at which step an attempt at key generation
//! fails, and which candidates for error positions are too large or repeated. Rejected attempts and candidates
//! reveal nothing about the key or error that is used. The time of decapsulation does not reveal whether a
//! ciphertext was accepted.
//!
//! Decapsulation returns the secret H(0, s, C) if the ciphertext does not decode, has set bits after its last row
//! (6960119 only), or has a wrong hash (round 3 only). For bits after the last row, the standard returns an error
//! instead.
//!
//! Secret keys and shared secrets are erased on drop. A KEM does not authenticate the sender. `SECURITY.md` lists
//! the processors on which constant time was checked, and the attacks that are out of scope.
//!
//! # Selection
//! Key generation for the sets whose names end in `f` is faster, and its time varies less, because almost every
//! attempt succeeds. The other sets need 3.4 attempts on average. Both kinds of sets are equally secure.
//!
//! # Storing and loading keys
//! [`DecapsKey::from_bytes`](grille_core::DecapsKey::from_bytes) computes the public key and checks the whole key,
//! which takes about as long as one attempt at key generation. To decapsulate once with a stored key, use
//! [`Kem::decapsulate_encoded`], which does not compute the public key and takes microseconds. A key of the current
//! version has a seed of 32 bytes ([`DecapsKey::seed`](grille_core::DecapsKey::seed)). A key of round 3 has no
//! seed.
//!
//! # Memory
//! A public key is stored once, on the heap, and encapsulation reads it row by row. Key
//! generation and the import of a decapsulation key use at most 0.8, 1.6, 2.9, 2.9 and 3.5 MiB of heap for
//! the five sizes. Decapsulation with an encoded key uses 33 to 71 KiB. Secrets are erased.
//!
//! If a program has no memory for a public key, it encapsulates with the key in pieces
//! ([`Kem::begin_encapsulation`]), which takes less than 8 KiB of heap, and sends a
//! key in pieces ([`EncapsKey::copy_piece`](grille_core::EncapsKey::copy_piece)).
//!
//! The table states the largest stack use in KiB, as `tests/stack.rs` measures it in a release build at the AVX-512
//! level:
//!
//! | | 348864 | 460896 | 6688128 | 6960119 | 8192128 |
//! |---|---|---|---|---|---|
//! | key generation | 107 | 107 | 107 | 107 | 107 |
//! | import of an encapsulation key | 4 | 4 | 4 | 4 | 4 |
//! | import of a decapsulation key | 107 | 107 | 107 | 107 | 107 |
//! | encapsulation | 4 | 4 | 4 | 4 | 4 |
//! | decapsulation | 27 | 27 | 27 | 27 | 27 |
//!
//! # Map from the specification to the source
//!
//! | Classic McEliece | file |
//! |---|---|
//! | parameter sets | `params.rs` |
//! | KeyGen, SeededKeyGen, Encap, Decap | `kem.rs` |
//! | Encap with a key that arrives in pieces | `streamed.rs` |
//! | differences between the two versions | `version.rs` |
//! | the parts of an expanded seed | `expanded_seed.rs` |
//! | Irreducible, FieldOrdering | `goppa.rs` |
//! | MatGen | `matrix.rs` |
//! | FixedWeight, Encode | `encode.rs` |
//! | Decode | `decode.rs`, with `fft.rs` and its constants in `tables.rs` |
//! | control bits, and the Beneš network | `control.rs`, `benes.rs` |
//! | GF(2^m), bitsliced | `field.rs` |
//! | sorting networks | `sort.rs` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod algorithm;
mod backend;
mod benes;
mod control;
mod decode;
mod encode;
mod expanded_seed;
mod fft;
mod field;
mod goppa;
mod kem;
mod matrix;
pub mod params;
mod precompiled;
mod sort;
mod streamed;
mod tables;
mod version;

pub use algorithm::McEliece;
use alloc::boxed::Box;
use grille_core::{Bytes, Ciphertext, CryptoRng, Error, Kem, KemInfo, Secret, StreamedEncapsulation};
pub use kem::{DecapsKey, EncapsKey};
use params::Params;
use version::Version;

impl<P: Params> Kem for McEliece<P> {
    const INFO: KemInfo = KemInfo {
        name: P::NAME,
        encaps_key_len: P::ENCAPS_KEY_LEN,
        decaps_key_len: P::DECAPS_KEY_LEN,
        seed_len: if P::Version::PREFIX_LEN > 0 { Some(32) } else { None },
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

    fn decapsulate_encoded(
        decaps_key: &[u8],
        ciphertext: &Ciphertext<P::CiphertextBytes>,
    ) -> Result<Secret<[u8; 32]>, Error> {
        P::decapsulate_encoded(decaps_key, ciphertext)
    }

    fn begin_encapsulation(rng: &mut dyn CryptoRng) -> Option<Box<dyn StreamedEncapsulation>> {
        P::begin_encapsulation(rng)
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
