//! Known answers: records made as liboqs' test programs make them, and the comparison with `vectors/`.
//!
//! | question | file |
//! |---|---|
//! | where does the randomness come from? | [`drbg`], and for vectors that prescribe it [`replay`] |
//! | what is in a record, and how is it made? | [`record`] |
//! | how do NIST's files write them? | [`nist`] |
//! | which records are checked in? | [`vectors`] |
//!
//! Test support: nothing here is for keys that matter.
#![forbid(unsafe_code)]

pub mod drbg;
pub mod nist;
pub mod record;
pub mod replay;
pub mod vectors;

pub use record::{Answers, Record, regenerate, signature_inputs};
pub use vectors::{algorithms, checked_in, release_name, sources};
