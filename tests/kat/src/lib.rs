//! Known answers: makes the same records as liboqs' test programs and compares them with `vectors/`.
//!
//! | question | file |
//! |---|---|
//! | where does the randomness come from? | [`drbg`], or [`replay`] for vectors that prescribe it |
//! | what is in a record, and how is it made? | [`record`] |
//! | how are records formatted in NIST's files? | [`nist`] |
//! | which records are checked in? | [`vectors`] |
//!
//! This crate is for tests only: never use it for real keys.
#![forbid(unsafe_code)]

pub mod drbg;
pub mod nist;
pub mod record;
pub mod replay;
pub mod vectors;

pub use record::{Answers, Record, regenerate, signature_inputs};
pub use vectors::{algorithms, load, release_name, sources};
