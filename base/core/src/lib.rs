//! The traits, errors, byte arrays and secret types that all grille crates share.
//!
//! The typed traits [`Kem`] and [`Signature`] select the algorithm at compile time. Their counterparts
//! [`DynKem`] and [`DynSignature`] select the algorithm at run time. Programs normally use these traits
//! through a family's crate, such as `grille-mlkem`, or through `grille-registry`.
//!
//! ```
//! use grille_core::{Secret, SystemRng};
//!
//! # fn main() -> Result<(), grille_core::Error> {
//! let seed = Secret::<[u8; 32]>::random(&mut SystemRng);
//! let loaded = Secret::<[u8; 32]>::try_from(seed.expose().as_slice())?;
//! assert_eq!(loaded, seed);                                       // compared in constant time
//! assert_eq!(format!("{loaded:?}"), "Secret(32 bytes)");          // never printed
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! `system-rng` (default): adds [`SystemRng`], the random generator of the operating system.
//!
//! `ct-marks`: lets [`ct::public`] tell valgrind which values are public, for the checks of constant time. Needs
//! `std`.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator. Without the default feature it needs no operating system: every
//! operation that draws randomness takes a [`CryptoRng`], which the caller implements.
//!
//! # Security
//! [`Secret`] and [`SecretBytes`] are erased on drop, compared in constant time and never printed. Copies that the
//! compiler makes in registers and on the stack are not erased. [`SystemRng`] panics if the operating system has no
//! randomness.
//!
//! # Map of the source
//!
//! | topic | module |
//! |---|---|
//! | KEMs as types | [`kem`] |
//! | signature schemes as types | [`signature`] |
//! | signatures of messages and encapsulation with keys that are not in memory as a whole, and progress | [`streaming`] |
//! | algorithms chosen at run time | [`dynamic`] |
//! | conversion of typed algorithms to values | [`mod@erase`] |
//! | all traits of typed keys, for one `use` | [`prelude`] |
//! | operations that are compiled in the crate of a family | [`mod@precompiled`] |
//! | errors | [`error`] |
//! | lengths as types | [`bytes`] |
//! | secrets that are erased on drop | [`secret`] |
//! | large values on the heap | [`boxed()`] |
//! | randomness | [`rng`] |
//! | constant time, and declaring values public | [`ct`] |
//! | vectors that stay in registers | [`mod@unroll`] |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod boxed;
pub mod bytes;
pub mod ct;
pub mod dynamic;
mod encapsulated;
pub mod erase;
pub mod error;
pub mod kem;
pub mod precompiled;
pub mod prelude;
pub mod rng;
pub mod secret;
pub mod signature;
pub mod streaming;
pub mod unroll;

pub use boxed::boxed;
pub use bytes::{Array, Bytes, Ciphertext};
pub use dynamic::{
    DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, DynReceived, DynSignature, DynSigned, DynSigningKey,
    DynVerifyingKey,
};
pub use erase::{ErasedKem, ErasedSignature};
pub use error::Error;
pub use kem::{DecapsKey, EncapsKey, Encapsulated, Kem, KemInfo, Received};
pub use precompiled::Precompiled;
pub use rand_core::CryptoRng;
#[cfg(feature = "system-rng")]
pub use rng::SystemRng;
pub use secret::{Secret, SecretBytes, erase};
pub use signature::{Signature, SignatureInfo, SigningKey, VerifyingKey};
pub use streaming::{MessageSigner, MessageVerifier, Progress, StreamedEncapsulation};
