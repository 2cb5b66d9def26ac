//! The words that every grille crate speaks: traits, errors, byte arrays, secrets.
//!
//! | question | file |
//! |---|---|
//! | what is a KEM, typed? | [`kem`] |
//! | what is a signature scheme, typed? | [`signature`] |
//! | how is a message signed that is not in memory? | [`pieces`] |
//! | how is an algorithm chosen at run time? | [`dynamic`] |
//! | how does a typed algorithm become one of those? | [`mod@erase`] |
//! | what can go wrong? | [`error`] |
//! | how do lengths become types? | [`bytes`] |
//! | how are secrets held? | [`secret`] |
//! | how does something large come to the heap? | [`boxed()`] |
//! | where does randomness come from? | [`rng`] |
//! | what may be known of secrets? | [`ct`] |
//! | how do vectors stay in registers? | [`mod@unroll`] |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod boxed;
pub mod bytes;
pub mod ct;
pub mod dynamic;
pub mod erase;
pub mod error;
pub mod kem;
pub mod pieces;
pub mod rng;
pub mod secret;
pub mod signature;
pub mod unroll;

pub use boxed::boxed;
pub use bytes::{Array, Bytes, Ciphertext};
pub use dynamic::{
    DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, DynSignature, DynSigningKey, DynVerifyingKey,
};
pub use erase::{ErasedKem, ErasedSignature};
pub use error::Error;
pub use kem::{DecapsKey, EncapsKey, Encapsulated, Kem, KemInfo, Received};
pub use pieces::{MessageSigner, MessageVerifier};
pub use rand_core::CryptoRng;
#[cfg(feature = "system-rng")]
pub use rng::SystemRng;
pub use secret::{Secret, SecretBytes, erase};
pub use signature::{Progress, Signature, SignatureInfo, SigningKey, VerifyingKey};
